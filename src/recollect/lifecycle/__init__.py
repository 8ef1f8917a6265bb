"""Importance, and how use and time change it: pure functions of numbers and times."""

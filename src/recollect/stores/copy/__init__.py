"""Copying one store into another, and comparing what they hold."""

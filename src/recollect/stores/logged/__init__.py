"""Stores that keep a log of writes and hold everything in memory."""

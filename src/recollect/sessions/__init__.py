"""Conversations: when each began and ended, its title and summary, and the timeline."""

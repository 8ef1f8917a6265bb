"""Exports for people and for other programs: a folder of Markdown and its edits, JSON of others, a card."""

"""Files of other programs, read as conversations, messages and facts: one module for each format."""

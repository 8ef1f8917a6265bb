"""A whole prompt within a budget: history, memories, time and user."""

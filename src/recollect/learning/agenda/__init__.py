"""What to bring up: open tasks, promises, plans, birthdays, questions, and the one thing to clarify."""

"""The Memory class: what it can do, and what each of its calls sets in motion."""

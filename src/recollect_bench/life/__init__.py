"""Makes up lives: a person's year with an assistant, and what a memory should know after it."""

"""What is said to language models: one prompt in each file, with its id and version."""

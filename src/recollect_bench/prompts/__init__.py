"""What ``bench judge`` says to models: one prompt in each file, with its id and version."""

"""What is found in words alone."""

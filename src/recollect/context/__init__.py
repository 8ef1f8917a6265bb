"""What of the found memories goes into a prompt, and how it is written there."""

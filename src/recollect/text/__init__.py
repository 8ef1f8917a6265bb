"""What words alone tell."""

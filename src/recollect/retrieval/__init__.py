"""From a question to recollections."""

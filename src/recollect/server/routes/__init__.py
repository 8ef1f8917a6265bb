"""The handlers, a file for each matter; each calls ``Memory`` and nothing else of the library's insides."""

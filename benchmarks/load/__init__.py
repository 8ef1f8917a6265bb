"""A load on a server: made-up users who add and search, and what each of them waited for."""

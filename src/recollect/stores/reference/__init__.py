"""The in-memory store: the reference that every other store is compared with."""

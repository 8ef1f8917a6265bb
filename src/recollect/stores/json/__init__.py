"""A readable JSON file, with a log of writes beside it."""

from recollect.stores.json.store import JSONStore

__all__ = ["JSONStore"]

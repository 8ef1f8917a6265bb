"""One file, on apsw's own SQLite."""

from recollect.stores.sqlite.store import SQLiteStore

__all__ = ["SQLiteStore"]

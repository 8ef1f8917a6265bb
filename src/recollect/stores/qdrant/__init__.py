"""Qdrant: memories beside vectors that are searched elsewhere, embedded in a folder or on a server."""

from recollect.errors import MissingExtraError

try:
    from recollect.stores.qdrant.store import QdrantStore
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "qdrant_client":
        raise
    raise MissingExtraError("Qdrant", extra="qdrant") from error

__all__ = ["QdrantStore"]

"""Pinecone: memories as records of an index that is kept for you, a namespace for each user."""

from recollect.errors import MissingExtraError

try:
    from recollect.stores.pinecone.store import PineconeStore
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "pinecone":
        raise
    raise MissingExtraError("Pinecone", extra="pinecone") from error

__all__ = ["PineconeStore"]

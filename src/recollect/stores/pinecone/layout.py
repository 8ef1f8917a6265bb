"""Which namespaces a store has: one for each user, and a ledger for everything but memories."""

import re
from collections.abc import Iterator

from recollect.errors import EmbedderMismatchError
from recollect.stores.pinecone.connection import PineconeConnection
from recollect.stores.points.conditions import Is
from recollect.stores.points.connection import Family


class PineconeLayout:
    """The namespaces of a store; all their names begin with ``prefix``."""

    def __init__(self, connection: PineconeConnection, prefix: str) -> None:
        self._connection = connection
        self._prefix = prefix

    @property
    def ledger(self) -> str:
        """The namespace of everything but memories."""
        return f"{self._prefix}-ledger"

    def make_ledger(self) -> None:
        """A namespace exists once it holds something."""

    def at(self, epoch: int) -> "PineconeCollections":
        """The namespaces after so many exchanges of vectors: each exchange fills new ones."""
        return PineconeCollections(self._connection, self.ledger, f"{self._prefix}-{epoch}-")

    def clear(self, epoch: int) -> None:
        """See ``Layout.clear``. The names are looked at whole: another store's prefix may begin with ours."""
        beginning = f"{self._prefix}-{epoch}-"
        ours = re.compile(re.escape(beginning) + "[0-9a-f]{32}")
        for name in self._connection.collections(beginning):
            if ours.fullmatch(name):
                self._connection.drop_collection(name)


class PineconeCollections:
    """The namespaces of one epoch; each holds all memories of one user."""

    def __init__(self, connection: PineconeConnection, ledger: str, beginning: str) -> None:
        self._connection = connection
        self._ledger = ledger
        self._beginning = beginning

    def name(self, family: Family, tenant: str) -> str:  # noqa: ARG002 (a user's kinds are together)
        return f"{self._beginning}{tenant}"

    def of(self, tenant: str) -> list[str]:
        return [f"{self._beginning}{tenant}"]

    def names(self) -> Iterator[str]:
        """The namespaces of all users the ledger knows."""
        users = self._connection.walk(self._ledger, [Is("type", ("user",))])
        return (f"{self._beginning}{user['tenant']}" for user in users)

    def make(self, family: Family, *, size: int) -> None:  # noqa: ARG002 (a user's kinds are together)
        """See ``Collections.make``: shorter vectors are filled up with zeros, longer ones do not fit."""
        if size > self._connection.dimension:
            raise EmbedderMismatchError(
                f"{self._connection.name} holds vectors of {self._connection.dimension} dimensions, "
                f"not {size}; make one with {size}"
            )

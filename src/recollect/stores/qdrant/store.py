"""A store in Qdrant: embedded in a folder or in memory, or on a server."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, Final, get_args

from qdrant_client import QdrantClient, models

from recollect.errors import EmbedderMismatchError, StoreFormatError
from recollect.protocols import Clock
from recollect.stores.points.conditions import INDEXED
from recollect.stores.points.connection import FAMILY_OF, Family
from recollect.stores.points.store import PointStore
from recollect.stores.qdrant.connection import DENSE, NOTHING, WORDS, QdrantConnection, connect
from recollect.stores.qdrant.location import PREFIX, check_place, read_url
from recollect.types import Kind
from recollect.types.clock import utc_now
from recollect.types.filters import FieldType


class QdrantStore(PointStore):
    """Keeps memories in Qdrant; one process at a time has a store open.

    Args:
        location: A folder, ``:memory:``, the URL of a server such as ``http://localhost:6333``, or a
            client of your own, which stays open.
        api_key: What the server asks for.
        prefix: What the names of the collections begin with.
        timeout_s: How long to wait for a server.
        clock: What time it is, for the change log, the jobs, and the lease of a server.

    Raises:
        InvalidInputError: The location is blank, or the prefix cannot be part of a name.
        StoreBusyError: Another process has the store open.
        StoreFormatError: A newer Recollect wrote it, or the collections are another program's.
        StoreError: The server cannot be reached, or refused the key.
    """

    def __init__(
        self,
        location: str | PathLike[str] | QdrantClient,
        *,
        api_key: str | None = None,
        prefix: str = PREFIX,
        timeout_s: float = 30.0,
        clock: Clock = utc_now,
    ) -> None:
        check_place(location, prefix)
        connection = connect(location, api_key=api_key, timeout_s=timeout_s)
        shared = not (connection.embedded and connection.owned)
        super().__init__(connection, QdrantLayout(connection, prefix), clock=clock, shared=shared)

    @classmethod
    def from_url(cls, url: str, *, clock: Clock = utc_now) -> "QdrantStore":
        """The store a URL names (see ``docs/use/stores/qdrant.md``).

        Raises:
            InvalidInputError: It means nothing.
        """
        place, api_key, prefix = read_url(url)
        return cls(place, api_key=api_key, prefix=prefix, clock=clock)


FAMILIES: Final[tuple[Family, ...]] = tuple(dict.fromkeys(FAMILY_OF[kind] for kind in get_args(Kind)))
"""A collection for each (after specs/chloe.md)."""

_TENANT: Final = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
_INDEX_OF: Final[Mapping[FieldType, models.PayloadSchemaType]] = {
    "text": models.PayloadSchemaType.KEYWORD,
    "list": models.PayloadSchemaType.KEYWORD,
    "bool": models.PayloadSchemaType.BOOL,
    "number": models.PayloadSchemaType.FLOAT,
    "time": models.PayloadSchemaType.INTEGER,
}
_MEMORY_INDEXES: Final[Mapping[str, Any]] = {
    "tenant": _TENANT,
    "live": models.PayloadSchemaType.BOOL,
    **{name: _INDEX_OF[kind] for name, kind in INDEXED.items()},
}
_LEDGER_INDEXES: Final[Mapping[str, Any]] = {
    "tenant": _TENANT,
    "type": models.PayloadSchemaType.KEYWORD,
    "live": models.PayloadSchemaType.BOOL,
}
_PER_TENANT: Final = models.HnswConfigDiff(m=0, payload_m=16)
"""A vector graph for each tenant and none across them, as Qdrant advises for many tenants."""
_NO_GRAPH: Final = models.HnswConfigDiff(m=0)


class QdrantLayout:
    """Which collections a store has."""

    def __init__(self, connection: QdrantConnection, prefix: str) -> None:
        self._connection = connection
        self._prefix = prefix

    @property
    def ledger(self) -> str:
        return f"{self._prefix}_ledger"

    def make_ledger(self) -> None:
        if not self._connection.exists(self.ledger):
            dense = {NOTHING: models.VectorParams(size=1, distance=models.Distance.DOT)}
            self._connection.create(self.ledger, dense=dense, sparse={}, hnsw=_NO_GRAPH)
        elif NOTHING not in _dense_of(self._connection, self.ledger):
            raise _foreign(self._connection, self.ledger)
        self._connection.index(self.ledger, _LEDGER_INDEXES)

    def at(self, epoch: int) -> "QdrantCollections":
        """The collections after so many exchanges of vectors: each exchange fills new ones."""
        names = {
            family: f"{self._prefix}_{family}_{epoch}" if epoch else f"{self._prefix}_{family}"
            for family in FAMILIES
        }
        return QdrantCollections(self._connection, names)

    def clear(self, epoch: int) -> None:
        for name in self.at(epoch).names():
            self._connection.drop_collection(name)


class QdrantCollections:
    """The collections of memories of one epoch, made when they are first needed.

    Dense vectors are kept as the whole numbers they are, with the plain dot product: a cosine
    collection would change their lengths.

    Raises:
        StoreFormatError: Another program has a collection of one of the names.
    """

    def __init__(self, connection: QdrantConnection, names: Mapping[Family, str]) -> None:
        self._connection = connection
        self._names = names
        self._sizes: dict[Family, int] = {}
        for family, name in names.items():
            if connection.exists(name):
                self._sizes[family] = self._checked(name)
                connection.index(name, _MEMORY_INDEXES)

    def name(self, family: Family, tenant: str) -> str:  # noqa: ARG002 (all users share it)
        return self._names[family]

    def of(self, tenant: str) -> list[str]:  # noqa: ARG002 (all users share them)
        return self.names()

    def names(self) -> list[str]:
        return [self._names[family] for family in self._sizes]

    def make(self, family: Family, *, size: int) -> None:
        """Make the collection of a family unless it is there.

        Raises:
            EmbedderMismatchError: It is there, for vectors of another size.
        """
        if family not in self._sizes:
            self._create(family, size)
        elif self._sizes[family] != size:
            raise EmbedderMismatchError(
                f"the collection {self._names[family]!r} holds vectors of {self._sizes[family]} dimensions, "
                f"not {size}"
            )

    def _create(self, family: Family, size: int) -> None:
        name = self._names[family]
        params = models.VectorParams(
            size=size, distance=models.Distance.DOT, datatype=models.Datatype.FLOAT16
        )
        sparse = {WORDS: models.SparseVectorParams()}
        dense = {DENSE: params} if size else {}
        self._connection.create(name, dense=dense, sparse=sparse, hnsw=_PER_TENANT)
        self._connection.index(name, _MEMORY_INDEXES)
        self._sizes[family] = size

    def _checked(self, name: str) -> int:
        dense = _dense_of(self._connection, name)
        sparse = self._connection.info(name).config.params.sparse_vectors or {}
        if WORDS not in sparse or set(dense) - {DENSE}:
            raise _foreign(self._connection, name)
        return dense[DENSE].size if dense else 0


def _dense_of(connection: QdrantConnection, name: str) -> Mapping[str, models.VectorParams]:
    vectors = connection.info(name).config.params.vectors
    return vectors if isinstance(vectors, Mapping) else {"": vectors} if vectors else {}


def _foreign(connection: QdrantConnection, name: str) -> StoreFormatError:
    return StoreFormatError(
        f"{connection.name} has a collection {name!r} of another program; choose another prefix"
    )

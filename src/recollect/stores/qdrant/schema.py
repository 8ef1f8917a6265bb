"""The collections: one for each family of kinds, and a ledger for everything that is no memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from qdrant_client import models

from recollect.errors import EmbedderMismatchError, StoreFormatError
from recollect.filters import FIELDS, FieldType
from recollect.stores.qdrant.connection import Connection
from recollect.types import Kind

FORMAT: Final = 1
"""How this version writes; a store of a higher one is refused."""

Family = str
"""Part of a collection's name: which kinds it keeps."""

FAMILY_OF: Final[Mapping[Kind, Family]] = {
    "message": "messages",
    "episode": "messages",
    "thought": "thoughts",
    "fact": "thoughts",
    "procedure": "thoughts",
    "document": "documents",
    "task": "tasks",
}
"""The collection of each kind (after specs/chloe.md)."""
FAMILIES: Final[tuple[Family, ...]] = tuple(dict.fromkeys(FAMILY_OF[kind] for kind in get_args(Kind)))

DENSE: Final = "dense"
"""The named vector that holds a memory's embedding."""
WORDS: Final = "words"
"""The named sparse vector that holds a memory's words."""
NOTHING: Final = "nothing"
"""The named vector of the ledger: one number that is never searched."""

_TENANT: Final = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
_INDEX_OF: Final[Mapping[FieldType, models.PayloadSchemaType]] = {
    "text": models.PayloadSchemaType.KEYWORD,
    "list": models.PayloadSchemaType.KEYWORD,
    "bool": models.PayloadSchemaType.BOOL,
    "number": models.PayloadSchemaType.FLOAT,
    "time": models.PayloadSchemaType.INTEGER,
}
_INDEXED_NAMES: Final = (
    "kind", "tier", "agent_id", "session_id", "speaker", "role", "category", "emotion", "language", "tags",
    "concepts", "entities", "importance", "confidence", "priority", "critical", "created_at", "happened_at",
    "updated_at", "valid_from", "valid_until", "accessed_at",
)  # fmt: skip
"""Part of the format: memories written before a name was added here would not be found by it."""

INDEXED: Final[Mapping[str, FieldType]] = {name: FIELDS[name][0] for name in _INDEXED_NAMES}
"""The fields a filter may name that have a payload index, and their types."""

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


@dataclass(frozen=True, slots=True)
class Names:
    """What the collections are called.

    Attributes:
        prefix: What all names begin with.
    """

    prefix: str

    @property
    def ledger(self) -> str:
        """The collection of everything that is no memory."""
        return f"{self.prefix}_ledger"

    def of(self, family: Family, epoch: int) -> str:
        """The collection of a family.

        Args:
            family: Which.
            epoch: How often the vectors were exchanged: each exchange fills new collections.
        """
        return f"{self.prefix}_{family}_{epoch}" if epoch else f"{self.prefix}_{family}"


def make_ledger(connection: Connection, name: str) -> None:
    """Make the ledger when it is missing, with its indexes.

    Raises:
        StoreFormatError: Another program has a collection of this name.
    """
    if not connection.exists(name):
        dense = {NOTHING: models.VectorParams(size=1, distance=models.Distance.DOT)}
        connection.create(name, dense=dense, sparse={}, hnsw=_NO_GRAPH)
    elif NOTHING not in _dense_of(connection, name):
        raise _foreign(connection, name)
    connection.index(name, _LEDGER_INDEXES)


class Collections:
    """The collections of memories of one epoch, made when they are first needed.

    Dense vectors are kept as the whole numbers they are, with the plain dot product: a cosine
    collection would change their lengths.

    Args:
        connection: Where they are.
        names: What they are called.
        epoch: How often the vectors were exchanged.

    Raises:
        StoreFormatError: Another program has a collection of one of the names.
    """

    def __init__(self, connection: Connection, names: Names, *, epoch: int) -> None:
        self._connection = connection
        self._names = names
        self._epoch = epoch
        self._sizes: dict[Family, int] = {}
        for family in FAMILIES:
            name = self.name(family)
            if connection.exists(name):
                self._sizes[family] = self._checked(name)
                connection.index(name, _MEMORY_INDEXES)

    def name(self, family: Family) -> str:
        """The collection of a family."""
        return self._names.of(family, self._epoch)

    def names(self) -> dict[str, Family]:
        """The collections there are, with their families."""
        return {self.name(family): family for family in self._sizes}

    def make(self, family: Family, *, size: int) -> None:
        """Make the collection of a family unless it is there.

        Raises:
            EmbedderMismatchError: It is there, for vectors of another size.
        """
        if family not in self._sizes:
            self._create(family, size)
        elif self._sizes[family] != size:
            raise EmbedderMismatchError(
                f"the collection {self.name(family)!r} holds vectors of {self._sizes[family]} dimensions, "
                f"not {size}"
            )

    def _create(self, family: Family, size: int) -> None:
        name = self.name(family)
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


def _dense_of(connection: Connection, name: str) -> Mapping[str, models.VectorParams]:
    vectors = connection.info(name).config.params.vectors
    return vectors if isinstance(vectors, Mapping) else {"": vectors} if vectors else {}


def _foreign(connection: Connection, name: str) -> StoreFormatError:
    return StoreFormatError(
        f"{connection.name} has a collection {name!r} of another program; choose another prefix"
    )

"""A store in Qdrant: embedded in a folder or in memory, or on a server."""

import re
from collections.abc import Mapping
from os import PathLike
from typing import Any, Final, NamedTuple, get_args
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

from qdrant_client import QdrantClient, models

from recollect.errors import EmbedderMismatchError, InvalidInputError, StoreFormatError, as_given
from recollect.protocols import Clock
from recollect.stores.points.conditions import INDEXED
from recollect.stores.points.connection import FAMILY_OF, Family
from recollect.stores.points.store import PointStore
from recollect.stores.qdrant.connection import DENSE, NOTHING, WORDS, QdrantConnection, connect
from recollect.types import Kind
from recollect.types.clock import utc_now
from recollect.types.filters import FieldType
from recollect.types.regex import lazy_regex

PREFIX: Final = "recollect"
"""What the names of the collections begin with."""

_NAME: Final = lazy_regex(r"[\w-]{1,100}", re.ASCII)
_FOLDER: Final = "qdrant:///"
_SERVERS: Final = ("qdrant+http", "qdrant+https")
_SAY: Final = (
    "write qdrant+http://host:6333, qdrant+https://:api-key@host:6333, qdrant:///path/to/folder, "
    "or qdrant:///:memory:"
)


class QdrantLocation(NamedTuple):
    """Where a store is.

    Attributes:
        place: A folder, ``:memory:``, or the server's URL without the key.
        prefix: What the names of the collections begin with.
    """

    place: str
    api_key: str | None = None
    prefix: str = PREFIX


def read_url(url: str) -> QdrantLocation:
    """Read a URL.

    >>> read_url("qdrant+https://:secret@db.example.com:6333?prefix=team")
    QdrantLocation(place='https://db.example.com:6333', api_key='secret', prefix='team')
    >>> read_url("qdrant:////var/lib/brain").place
    '/var/lib/brain'

    Raises:
        InvalidInputError: It means nothing; the message does not repeat it, as it may hold a key.
    """
    if url.startswith(_FOLDER) and len(url) > len(_FOLDER):
        return QdrantLocation(url.removeprefix(_FOLDER))
    try:
        parts = urlsplit(url)
        options = parse_qs(parts.query, strict_parsing=bool(parts.query))
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InvalidInputError(f"the URL of the Qdrant store cannot be read; {_SAY}") from None
    if parts.scheme not in _SERVERS or not host or set(options) - {"prefix"}:
        raise InvalidInputError(f"the URL of the Qdrant store means nothing; {_SAY}")
    scheme, address = parts.scheme.removeprefix("qdrant+"), parts.netloc.rpartition("@")[2]
    key = unquote(parts.password) if parts.password else None
    return QdrantLocation(
        urlunsplit((scheme, address, parts.path, "", "")), key, options.get("prefix", [PREFIX])[-1]
    )


def check_place(location: object, prefix: str) -> None:
    """Refuse a blank location, and a prefix that is not made of letters, digits, ``_`` and ``-``."""
    if isinstance(location, str) and not location.strip():
        raise InvalidInputError(f"the location of the Qdrant store is blank; {_SAY}")
    if not _NAME.fullmatch(prefix):
        raise InvalidInputError(
            f"the prefix {as_given(prefix)} cannot name collections; use letters, digits, _ and -"
        )


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

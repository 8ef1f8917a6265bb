"""The few calls of a Qdrant client that the store makes: the same for a folder, memory and a server."""

import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, TypeVar, assert_never

import numpy as np
from numpy.typing import NDArray
from qdrant_client import QdrantClient, models

from recollect.errors import RecollectError
from recollect.stores.points.conditions import Between, Condition, Either, Is
from recollect.stores.points.connection import Payload, Point, Wanted
from recollect.stores.points.points import dense_of, words_of
from recollect.stores.qdrant.failures import named


def condition_of(conditions: Sequence[Condition]) -> models.Filter:
    """The filter that lets through what meets all of some conditions."""
    return models.Filter(must=[_said(condition) for condition in conditions])


def _said(condition: Condition) -> Any:
    match condition:
        case Is(field, values):
            match: Any = (
                models.MatchValue(value=values[0])
                if len(values) == 1
                else models.MatchAny(any=[str(value) for value in values])
            )
            return models.FieldCondition(key=field, match=match)
        case Between(field, least, most):
            return models.FieldCondition(key=field, range=models.Range(gte=least, lte=most))
        case Either(options):
            return models.Filter(should=[condition_of(option) for option in options])
        case _:
            assert_never(condition)


T = TypeVar("T")

DENSE: Final = "dense"
"""The named vector that holds a memory's embedding."""
WORDS: Final = "words"
"""The named sparse vector that holds a memory's words."""
NOTHING: Final = "nothing"
"""The named vector of the ledger: one number that is never searched."""

_PAGE: Final = 500
"""Points read by one request. Chosen by hand."""
_PAGE_OF_NUMBERS: Final = 1_000
"""Points read by one request that asks for next to nothing of each. Chosen by hand."""
_CHARACTERS: Final = 4_000_000
"""Characters of payload written by one request: a server takes 32 MiB by default, and a character has up
to four bytes."""
_PART: Final = 2_000_000
"""Characters of one part of the journal: a server takes requests of 32 MiB by default, and text within
text within text may grow fourfold."""
_STRONG: Final = models.WriteOrdering.STRONG
_MAJORITY: Final = models.ReadConsistencyType.MAJORITY


class QdrantConnection:
    """The calls of a Qdrant client; its errors become Recollect's.

    Args:
        embedded: The client is Qdrant's Python re-implementation: payload indexes mean nothing to it.
        owned: The client is closed with the connection.
    """

    def __init__(self, client: QdrantClient, *, name: str, embedded: bool, owned: bool) -> None:
        self.name = name
        self.part = _PART
        self.embedded = embedded
        self.owned = owned
        self._client = client

    def exists(self, collection: str) -> bool:
        """Whether there is such a collection."""
        return self._call(lambda: self._client.collection_exists(collection))

    def info(self, collection: str) -> models.CollectionInfo:
        """How a collection was made."""
        return self._call(lambda: self._client.get_collection(collection))

    def create(
        self,
        collection: str,
        *,
        dense: Mapping[str, models.VectorParams],
        sparse: Mapping[str, models.SparseVectorParams],
        hnsw: models.HnswConfigDiff,
    ) -> None:
        """Make a collection."""
        self._call(
            lambda: self._client.create_collection(
                collection, vectors_config=dense, sparse_vectors_config=sparse, hnsw_config=hnsw
            )
        )

    def index(self, collection: str, fields: Mapping[str, Any]) -> None:
        """Make payload indexes that are missing, where they mean something."""
        if self.embedded:
            return
        there = self.info(collection).payload_schema
        for field, schema in fields.items():
            if field not in there:
                self._index(collection, field, schema)

    def _index(self, collection: str, field: str, schema: Any) -> None:
        self._call(lambda: self._client.create_payload_index(collection, field, schema, wait=True))

    def drop_collection(self, collection: str) -> None:
        """Remove a collection, if it is there."""
        if self.exists(collection):
            self._call(lambda: self._client.delete_collection(collection))

    def put(self, collection: str, points: Sequence[Point]) -> None:
        for few in _portions(points):
            structs = [_struct(point) for point in few]
            self._call(
                lambda structs=structs: self._client.upsert(  # type: ignore[misc]
                    collection, structs, wait=True, ordering=_STRONG
                )
            )

    def drop(self, collection: str, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), _PAGE):
            few = models.PointIdsList(points=list(ids[start : start + _PAGE]))
            self._call(
                lambda few=few: self._client.delete(  # type: ignore[misc]
                    collection, few, wait=True, ordering=_STRONG
                )
            )

    def forget(self) -> None:
        """Rewrite the files of a folder; a server frees the space in its own time."""
        folder = getattr(self._client._client, "location", None)  # noqa: SLF001 - the library names it nowhere else
        if self.embedded and folder not in (None, ":memory:"):
            for place in Path(folder).glob("collection/*/storage.sqlite"):
                with closing(sqlite3.connect(place)) as db:
                    db.execute("VACUUM")

    def settle(self) -> None:
        """Nothing to do: every write waits until it is visible."""

    def fetch(self, collection: str, ids: Sequence[str], fields: Sequence[str]) -> list[Payload]:
        found: list[Payload] = []
        for start in range(0, len(ids), _PAGE):
            records = self._call(
                lambda start=start: self._client.retrieve(  # type: ignore[misc]
                    collection,
                    ids[start : start + _PAGE],
                    with_payload=list(fields),
                    consistency=_MAJORITY,
                )
            )
            found += [record.payload or {} for record in records]
        return found

    def walk(
        self, collection: str, where: Sequence[Condition], fields: Sequence[str] | None = None
    ) -> Iterator[Payload]:
        limit = _PAGE if fields is None or len(fields) > 1 else _PAGE_OF_NUMBERS
        place: Any = None
        while True:
            records, place = self._call(
                lambda place=place: self._client.scroll(  # type: ignore[misc]
                    collection,
                    scroll_filter=condition_of(where),
                    limit=limit,
                    offset=place,
                    with_payload=True if fields is None else list(fields),
                    consistency=_MAJORITY,
                )
            )
            yield from (record.payload or {} for record in records)
            if place is None:
                return

    def best(self, collection: str, weights: Mapping[int, float], wanted: Wanted) -> list[Payload]:
        query = models.SparseVector(indices=list(weights), values=list(weights.values()))
        return self._query(collection, query, wanted, using=WORDS)

    def nearest(self, collection: str, vector: NDArray[np.float32], wanted: Wanted) -> list[Payload]:
        return self._query(collection, vector.tolist(), wanted, using=DENSE)

    def _query(
        self, collection: str, query: models.SparseVector | list[float], wanted: Wanted, *, using: str
    ) -> list[Payload]:
        found = self._call(
            lambda: self._client.query_points(
                collection,
                query=query,
                using=using,
                query_filter=condition_of(wanted.where),
                limit=wanted.limit,
                with_payload=list(wanted.fields),
                consistency=_MAJORITY,
            )
        )
        return [point.payload or {} for point in found.points]

    def close(self) -> None:
        if self.owned:
            self._call(self._client.close)

    def _call(self, step: Callable[[], T]) -> T:
        try:
            return step()
        except RecollectError:
            raise
        except (
            Exception
        ) as error:  # the client raises ValueError, KeyError, sqlite3's and httpx' errors alike
            raise named(error, name=self.name) from error


def connect(
    location: str | PathLike[str] | QdrantClient, *, api_key: str | None, timeout_s: float
) -> QdrantConnection:
    """A connection to what is meant by a location (see ``QdrantStore``)."""
    if isinstance(location, QdrantClient):
        options = location.init_options
        embedded = options["location"] == ":memory:" or options["path"] is not None
        return QdrantConnection(location, name="Qdrant", embedded=embedded, owned=False)
    text = fspath(location)
    if text.startswith(("http://", "https://")):
        client = QdrantClient(
            url=text,
            api_key=api_key,
            timeout=math.ceil(timeout_s),
            check_compatibility=False,  # asks in a thread of its own, and warns when nobody answers
        )
        return QdrantConnection(client, name=text, embedded=False, owned=True)
    try:
        client = QdrantClient(":memory:") if text == ":memory:" else QdrantClient(path=text)
    except Exception as error:  # as in Connection
        raise named(error, name=text) from error
    return QdrantConnection(client, name=text, embedded=True, owned=True)


def _portions(points: Sequence[Point]) -> Iterator[list[Point]]:
    """The points in portions that one request holds."""
    portion: list[Point] = []
    size = 0
    for point in points:
        length = sum(len(value) for value in point.payload.values() if isinstance(value, str))
        if portion and (size + length > _CHARACTERS or len(portion) == _PAGE):
            yield portion
            portion, size = [], 0
        portion.append(point)
        size += length
    if portion:
        yield portion


def _struct(point: Point) -> models.PointStruct:
    return models.PointStruct(id=point.id, payload=dict(point.payload), vector=_vectors(point.payload))


def _vectors(payload: Payload) -> dict[str, Any]:
    """A memory's vectors; the ledger's points have one that is never searched."""
    if "features" not in payload:
        return {NOTHING: [1.0]}
    vectors: dict[str, Any] = {}
    if (dense := dense_of(payload)).size:
        vectors[DENSE] = dense.astype(float).tolist()
    if words := words_of(payload):
        vectors[WORDS] = models.SparseVector(indices=list(words), values=list(words.values()))
    return vectors

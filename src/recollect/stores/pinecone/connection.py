"""The calls of Pinecone's client that the store makes.

Pinecone acknowledges a write before every read sees it. So the connection remembers its last write to each
namespace, and ``settle`` waits until that is visible: a namespace takes its writes in order.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from pinecone.errors import ApiError, NotFoundError, PineconeConnectionError, PineconeTimeoutError
from pinecone.index import Index
from pinecone.models.vectors.vector import Vector

from recollect.errors import (
    RecollectError,
    StoreBusyError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.stores.checks import Meaning, explained
from recollect.stores.pinecone.records import (
    LAST,
    Record,
    RecordMaker,
    filter_of,
    heaviest,
    part_ids,
    payload_of,
    portions_of,
)
from recollect.stores.points.conditions import Condition
from recollect.stores.points.connection import Payload, Point, Wanted

_OTHERWISE: Final[Meaning] = (StoreError, "{name}: {said}")
_BUSY: Final[Meaning] = (StoreBusyError, "{name} takes no more requests now; try again later")
_AWAY: Final[Meaning] = (StoreBusyError, "{name} is not available now; try again later")
_SILENT: Final[Meaning] = (
    StoreError,
    (
        "{name} cannot be reached, or did not answer in time; what was acknowledged is stored, what was not "
        "may be sent again with its idempotency key"
    ),
)
_STATUS: Final[dict[int, Meaning]] = {
    401: (StoreError, "{name} refused the api_key; it must be one of the project that has the index"),
    402: (StoreFullError, "the plan of {name} allows no more; see the project's usage"),
    403: (
        StoreReadOnlyError,
        "{name} refused the api_key, or a limit of the plan; it must be allowed to write",
    ),
    404: (StoreFormatError, "{name} is gone; make it again, or restore a backup"),
    429: _BUSY,
    500: (StoreError, "{name} failed by itself; what was not acknowledged may be sent again"),
    502: _AWAY,
    503: _AWAY,
    504: _SILENT,
}
"""Answers of the service, after the client asked again."""


def named(error: Exception, *, name: str) -> RecollectError:
    """The error of Recollect for one of the client; ``name`` holds no key."""
    return explained(error, _meaning(error), name=name)


def _meaning(error: Exception) -> Meaning:
    if isinstance(error, ApiError):
        return _STATUS.get(error.status_code, _OTHERWISE)
    if isinstance(error, (PineconeConnectionError, PineconeTimeoutError)):
        return _SILENT
    return _OTHERWISE


T = TypeVar("T")

_PART: Final = 8_000
"""Characters of one part of the journal: with four bytes for each it still is one record."""
_PAGE: Final = 100
"""Records read by one request; their ids are part of its URL. Chosen by hand."""
_DROPPED: Final = 1_000
"""Records removed by one request; Pinecone takes no more."""
_PROPOSED: Final = 10_000
"""Records that one query finds at most."""
_NOWHERE: Final = 1e-12
"""The one number of the vector of a query about words alone: zeros alone are not taken. Chosen by hand."""
_NOTHING_SAID: Final = 1e-9
"""A score this small comes from no word. Chosen by hand: more than ``_NOWHERE`` makes, less than any word."""
_PAUSE_S: Final = 0.05
"""How long to wait before the second look whether a write is seen; then twice as long each time."""
_LONGEST_PAUSE_S: Final = 1.0
_SHORT: Final = frozenset({"journal", "lease", "link", "user"})
"""Points of the ledger that always take one record."""


class _Last(NamedTuple):
    """What was last done to a namespace: a record was written with a stamp, or one was removed."""

    stamp: str | None
    removed: str | None = None


class PineconeConnection:
    """The calls of an index; its errors become Recollect's.

    Args:
        dimension: How long its vectors are.
        sparse: Whether it takes sparse vectors beside dense ones.
        patience_s: How long to wait until a write is seen.
        close: What gives back the client; None when it is the caller's.
    """

    def __init__(
        self,
        index: Index,
        *,
        name: str,
        dimension: int,
        sparse: bool,
        patience_s: float,
        close: Callable[[], None] | None,
    ) -> None:
        self.name = name
        self.part = _PART
        self.dimension = dimension
        self._index = index
        self._sparse = sparse
        self._patience_s = patience_s
        self._close = close
        self._maker = RecordMaker(dimension, sparse=sparse)
        self._last: dict[str, _Last] = {}

    def put(self, collection: str, points: Sequence[Point]) -> None:
        stamp, spare = uuid4().hex, []
        long = [point.id for point in points if point.payload.get("type") not in _SHORT]
        before = self._firsts(collection, long)
        records: list[Record] = []
        for point in points:
            made = self._maker.records_of(point, stamp=stamp)
            records += made
            if point.id in before:
                spare += part_ids(point.id, before[point.id], beyond=len(made))
        if not records:
            return
        self._remove(collection, spare)  # before the record that tells of them is written over
        records[-1]["metadata"][LAST] = stamp
        for few in portions_of(records):
            self._call(lambda few=few: self._index.upsert(vectors=few, namespace=collection))  # type: ignore[misc]
        self._last[collection] = _Last(stamp)

    def drop(self, collection: str, ids: Sequence[str]) -> None:
        firsts = self._firsts(collection, ids)
        parts = [part for point, fields in firsts.items() for part in part_ids(point, fields)]
        self._remove(collection, parts)
        self._remove(collection, ids)

    def drop_collection(self, collection: str) -> None:
        """Remove all there is in a namespace."""
        self._found(lambda: self._index.delete(delete_all=True, namespace=collection))
        self._last.pop(collection, None)

    def collections(self, prefix: str) -> list[str]:
        """The namespaces that hold anything, of those whose names begin so."""
        pages = self._call(lambda: list(self._index.list_namespaces(prefix=prefix)))
        return [space.name for page in pages for space in page.namespaces if space.record_count]

    def forget(self) -> None:
        """The service frees the space in its own time."""

    def settle(self) -> None:
        """Wait until the last write to each namespace is visible.

        Raises:
            StoreBusyError: It still is not.
        """
        for collection, last in list(self._last.items()):
            self._wait(collection, last)
            del self._last[collection]

    def fetch(self, collection: str, ids: Sequence[str], fields: Sequence[str]) -> list[Payload]:  # noqa: ARG002 (all come)
        return list(self._joined(collection, self._firsts(collection, ids)))

    def walk(
        self,
        collection: str,
        where: Sequence[Condition],
        fields: Sequence[str] | None = None,  # noqa: ARG002 (all come)
    ) -> Iterator[Payload]:
        condition, place = filter_of(where), None
        while True:
            page = self._found(
                lambda place=place: self._index.fetch_by_metadata(  # type: ignore[misc]
                    filter=condition, namespace=collection, limit=_PAGE, pagination_token=place
                ),
            )
            if page is None:
                return
            yield from self._joined(collection, _fields_of(page.vectors))
            place = page.pagination.next if page.pagination else None
            if not place:
                return

    def best(self, collection: str, weights: Mapping[int, float], wanted: Wanted) -> list[Payload]:
        """The points whose words have the largest products with the weights.

        An index that takes no sparse vectors cannot say which; then it is all that match.
        """
        if not self._sparse:
            return list(self.walk(collection, wanted.where, wanted.fields))
        asked = heaviest(weights)
        words = {"indices": list(asked), "values": list(asked.values())}
        nowhere = [_NOWHERE, *[0.0] * (self.dimension - 1)]
        found = self._query(collection, nowhere, words, wanted)
        return self.fetch(collection, [one for one, score in found if score > _NOTHING_SAID], wanted.fields)

    def nearest(self, collection: str, vector: NDArray[np.float32], wanted: Wanted) -> list[Payload]:
        found = self._query(collection, self._maker.filled(vector), None, wanted)
        return self.fetch(collection, [one for one, _ in found], wanted.fields)

    def _query(
        self, collection: str, vector: list[float], words: dict[str, Any] | None, wanted: Wanted
    ) -> list[tuple[str, float]]:
        """The ids of points with their scores."""
        found = self._found(
            lambda: self._index.query(
                top_k=min(wanted.limit, _PROPOSED),
                vector=vector,
                sparse_vector=words,
                filter=filter_of(wanted.where),
                namespace=collection,
            )
        )
        return [(match.id, match.score) for match in found.matches] if found else []

    def close(self) -> None:
        self._call(self._index.close)
        if self._close is not None:
            self._call(self._close)

    def _firsts(self, collection: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The fields of records, by id; missing ones are left out."""
        found: dict[str, dict[str, Any]] = {}
        for start in range(0, len(ids), _PAGE):
            few = list(ids[start : start + _PAGE])
            page = self._found(
                lambda few=few: self._index.fetch(ids=few, namespace=collection),  # type: ignore[misc]
            )
            found |= _fields_of(page.vectors) if page else {}
        return found

    def _joined(self, collection: str, firsts: Mapping[str, dict[str, Any]]) -> Iterator[Payload]:
        """The payloads of points, given the fields of their first records."""
        wanted = {point: part_ids(point, fields) for point, fields in firsts.items()}
        parts = self._firsts(collection, [part for some in wanted.values() for part in some])
        for point, fields in firsts.items():
            yield payload_of(fields, [parts.get(part, {}) for part in wanted[point]])

    def _remove(self, collection: str, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), _DROPPED):
            few = list(ids[start : start + _DROPPED])
            self._found(
                lambda few=few: self._index.delete(ids=few, namespace=collection),  # type: ignore[misc]
            )
            self._last[collection] = _Last(None, removed=few[-1])

    def _wait(self, collection: str, last: _Last) -> None:
        until, pause = time.monotonic() + self._patience_s, _PAUSE_S
        while not self._is_seen(collection, last):
            if time.monotonic() > until:
                raise StoreBusyError(
                    f"{self.name} still does not show what it acknowledged {self._patience_s:g} s ago; "
                    "try again later"
                )
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    def _is_seen(self, collection: str, last: _Last) -> bool:
        if last.removed is not None:
            return not self._firsts(collection, [last.removed])
        written = {LAST: {"$eq": last.stamp}}
        page = self._found(
            lambda: self._index.fetch_by_metadata(filter=written, namespace=collection, limit=1)
        )
        return page is not None and bool(page.vectors)

    def _call(self, step: Callable[[], T]) -> T:
        try:
            return step()
        except RecollectError:
            raise
        except Exception as error:  # the client raises errors of its own, of httpx and of Python
            raise named(error, name=self.name) from error

    def _found(self, step: Callable[[], T]) -> T | None:
        """What a step finds; None in a namespace that is not there."""

        def tried() -> T | None:
            try:
                return step()
            except NotFoundError as error:
                if "namespace" in str(error).lower():
                    return None
                raise

        return self._call(tried)


def _fields_of(vectors: Mapping[str, Vector]) -> dict[str, dict[str, Any]]:
    return {record: dict(vector.metadata or {}) for record, vector in vectors.items()}

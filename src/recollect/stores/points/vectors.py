"""New vectors by another embedder, staged in the ledger until they are complete.

Then the memories are copied with them into new collections, and one point, the store's state, switches to
these. Readers use the old collections before the switch and the new ones after it; leftovers are removed.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from recollect.stores.points.conditions import Between, Condition, Is
from recollect.stores.points.connection import Collections, Payload, Point
from recollect.stores.points.journal import Write
from recollect.stores.points.ledger import PointLedger
from recollect.stores.points.points import (
    STORED,
    memory_point,
    point_id,
    read_record,
    read_row,
    read_stored_point,
    staged_id,
)

_CHUNK = 500
"""Memories copied together, and keys looked at first. Chosen by hand."""

_Places = dict[int, tuple[str, str]]
"""The collection and tenant of each memory, by key."""


class PointVectorTable:
    """The part of the store that exchanges vectors while it is in use."""

    def __init__(self, ledger: PointLedger) -> None:
        self._ledger = ledger

    def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
        with self._ledger.held():
            places = self._unstaged_places(name, limit=limit, after=after)
            missing = sorted(places)[:limit]
            contents = self._contents({key: places[key] for key in missing})
            return [(key, contents[key]) for key in missing]

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        with self._ledger.held() as head:
            latest = {key: (words, vector) for key, words, vector in vectors}
            sizes = {len(vector) for _, vector in latest.values()}
            staged, mine = self._ledger.staged(), self._staged_for(name)
            kept = {key: size for key, size in mine.items() if sizes <= {size}}
            live = self._places(Between("key", min(latest), max(latest))) if latest else {}
            contents = self._contents({key: live[key] for key in latest if key in live})
            fresh = {key: vector for key, (words, vector) in latest.items() if contents.get(key) == words}
            write, ledger = Write(), self._ledger.layout.ledger
            write.drop(ledger, *(staged_id(key) for key in staged if key not in kept and key not in fresh))
            write.put(ledger, *(_staged_point(key, vector) for key, vector in fresh.items()))
            self._ledger.commit(write, replace(head, staging=name))
            staged.clear()
            staged |= kept | {key: len(vector) for key, vector in fresh.items()}

    def promote_vectors(self, name: str, *, dim: int) -> bool:
        """See ``VectorMaintenance.promote_vectors``. All other calls wait until it is done."""
        with self._ledger.held() as head:
            staged = self._staged_for(name)
            if any(staged.get(key) != dim for key in self._places()):
                return False
            self._ledger.layout.clear(head.epoch + 1)  # what an attempt that failed left behind
            fresh = self._ledger.layout.at(head.epoch + 1)
            for collection in self._ledger.collections.names():
                self._copy(collection, fresh, dim)
            write = Write()
            write.drop(self._ledger.layout.ledger, *map(staged_id, self._ledger.staged()))
            settings = head.settings | {"embedder": name, "dimensions": str(dim)}
            promoted = replace(head, version=head.version + 1, promoted_at=head.version + 1, staging="")
            self._ledger.commit(write, replace(promoted, epoch=head.epoch + 1, settings=settings))
            self._ledger.staged().clear()
            self._ledger.adopt(fresh)
            return True

    def vector_progress(self, name: str) -> tuple[int, int]:
        with self._ledger.held():
            live = self._places()
            return len(live.keys() & self._staged_for(name).keys()), len(live)

    def _staged_for(self, name: str) -> dict[int, int]:
        return self._ledger.staged() if self._ledger.head.staging == name else {}

    def _unstaged_places(self, name: str, *, limit: int, after: int) -> _Places:
        """The places of the first live memories after a key that are not staged, ``limit`` at least."""
        staged, found = self._staged_for(name), _Places()
        step = max(limit, _CHUNK)
        while len(found) < limit and after < self._ledger.head.last_key:
            places = self._places(Between("key", after + 1, after + step))
            found |= {key: place for key, place in places.items() if key not in staged}
            after, step = after + step, 2 * step
        return found

    def _places(self, *where: Condition) -> _Places:
        """The places of the live memories that meet some conditions."""
        conditions = [Is("live", (True,)), *where]
        return {
            payload["key"]: (name, payload["tenant"])
            for name in self._ledger.collections.names()
            for payload in self._ledger.connection.walk(name, conditions, ["key", "tenant"])
        }

    def _contents(self, places: _Places) -> dict[int, str]:
        """The words of memories, by key."""
        contents: dict[int, str] = {}
        for collection in {collection for collection, _ in places.values()}:
            ids = [
                point_id("memory", tenant, key) for key, (at, tenant) in places.items() if at == collection
            ]
            for payload in self._ledger.connection.fetch(collection, ids, ["key", "record"]):
                contents[payload["key"]] = read_record(payload).content
        return contents

    def _copy(self, collection: str, fresh: Collections, dim: int) -> None:
        """Copy a collection's memories, the deleted ones with empty vectors."""
        walk = self._ledger.connection.walk(collection, [], ["row", "tenant", *STORED])
        while chunk := list(islice(walk, _CHUNK)):
            family = read_row(chunk[0]).family
            fresh.make(family, size=dim)
            points = list(self._with_new_vectors(chunk, dim))
            self._ledger.connection.put(fresh.name(family, chunk[0]["tenant"]), points)

    def _with_new_vectors(self, chunk: Sequence[Payload], dim: int) -> Iterator[Point]:
        rows = [read_row(payload) for payload in chunk]
        ids = [staged_id(row.key) for row in rows if row.live]
        found = self._ledger.connection.fetch(self._ledger.layout.ledger, ids, ["key", "vector"])
        vectors = {payload["key"]: b64decode(payload["vector"]) for payload in found}
        for row, payload in zip(rows, chunk, strict=True):
            stored = read_stored_point(row, payload)
            features = replace(stored.features, vector=vectors.get(row.key, bytes(dim)))
            yield memory_point(replace(stored, features=features))


def _staged_point(key: int, vector: bytes) -> Point:
    text = b64encode(vector).decode()
    return Point(staged_id(key), {"type": "staged", "key": key, "size": len(vector), "vector": text})

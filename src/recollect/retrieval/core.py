"""Which memories belong to the core of a context, found without reading all of a user's.

Facts and critical memories are few, so they have a small shadow of their own, kept up to date from the
store's changes like the large one. Facts are sorted into the parts of the core when their rows are new. A
question then reads no more records than a prompt may hold, however many critical memories there are.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import ShadowDelta, Store, TextSearch
from recollect.retrieval.rank import Ranker
from recollect.retrieval.shadow import Shadow, taken
from recollect.retrieval.shadows import Shadows
from recollect.retrieval.signals import idf
from recollect.text.analyse import Analyser, hash_term
from recollect.types import CORE_PARTS, Core, CoreMemory, CorePart, MemoryRecord, Recollection, Scope
from recollect.types.codec import to_micros
from recollect.types.filters import AllOf, AnyOf, Test, by_ids

Sort = Callable[[MemoryRecord], CorePart | None]
"""Tells to which part of the core a fact belongs, by what ``Store.sketches`` reads; None for none."""

Against = Callable[[MemoryRecord], Sequence[str]]
"""The ids of the facts that a fact contradicts while nobody decided, by what ``Store.sketches`` reads."""

SIGNAL: Final = "core"
"""The one signal of a memory that stands in a context for what it is and not for the question: how near it is
to the question all the same, 0 to 1."""
_CRITICAL: Final = Test("critical", in_metadata=False, operator="eq", value=True)
_CORE: Final = AnyOf((Test("kind", in_metadata=False, operator="eq", value="fact"), _CRITICAL))
_NUMBERS: Final = {part: number for number, part in enumerate(CORE_PARTS, 1)}
_LIMIT_BYTES: Final = 128 << 20
"""What the small shadows of all users may take together: 180,000 facts. Chosen by hand."""
_MANY_CHANGES: Final = 2_000
"""After more changes than that the core is read again. Chosen by hand."""
_AT_ONCE: Final = 1_000
"""Facts read at a time."""
_KEPT: Final = 2_000
"""Records of a user's core that are kept at hand, some 2 MB. Chosen by hand."""


class CoreShadows:
    """The cores of several users.

    Args:
        store: Where the memories are.
        analyser: Cuts the names of speakers into words.
        check_embedder: Called when the store's vectors were replaced; raises if not by ours.
    """

    def __init__(self, store: Store, *, analyser: Analyser, check_embedder: Callable[[], None]) -> None:
        self._store = store
        self._shadows = Shadows(
            _CoreOnly(store), analyser=analyser, limit_bytes=_LIMIT_BYTES, check_embedder=check_embedder
        )
        self._rows: WeakKeyDictionary[Shadow, _CoreRows] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Drop all of them; they are read again when needed."""
        self._shadows.forget()

    def find(
        self,
        scope: Scope,
        stems: Sequence[str],
        vector: NDArray[np.float32],
        *,
        sort: Sort,
        against: Against,
        allowed: Callable[[Ranker], NDArray[np.bool_]],
        exclude: Sequence[str],
        moment: datetime,
        most: int,
    ) -> Core:
        """The core of a scope for a question; see ``Recall.core``.

        ``sort`` gives the part of a fact, ``against`` what it contradicts, ``allowed`` the rows that may be
        returned, whatever their session. Facts that begin after ``moment``, or were said after it, are left
        out; at most ``most`` memories of a part are read.
        """
        user = Scope(user_id=scope.user_id)
        version = self._store.shadow_version(user)
        if not version:
            return Core()
        with self._shadows.ranker(user, version) as ranker:
            shadow = ranker.shadow
            with self._lock:
                core = self._rows.setdefault(shadow, _CoreRows())
            core.refresh(shadow, self._store, user, sort=sort, against=against)
            mask = allowed(ranker) & _begun(shadow, moment)
            rows = np.flatnonzero(core.parts * mask)
            if exclude:
                rows = rows[~np.isin(shadow["ids"][rows], np.array(exclude, "S36"))]
            if scope.session_id is not None:
                rows = self._of_session(core, shadow, rows, scope)
            near = relevance(shadow, rows, stems, vector)
            nearest = core.best(ranker, rows, near, most=most)
            records = core.records(shadow, [row for _, row, _ in nearest], self._store, user)
            read = {row: ids for row, record in records.items() if (ids := against(record))}
            contested = core.contested(shadow, mask, read)
        found = tuple(
            CoreMemory(part=part, found=_recollected(records[row], near))
            for part, row, near in nearest
            if row in records
        )
        return Core(memories=found, more=len(rows) - len(nearest), contested=contested)

    def _of_session(
        self, core: "_CoreRows", shadow: Shadow, rows: NDArray[np.int64], scope: Scope
    ) -> NDArray[np.int64]:
        """The rows of memories that were said in a session, or learned from what was."""
        records = core.records(shadow, rows.tolist(), self._store, Scope(user_id=scope.user_id))
        sources = sorted({it for one in records.values() for it in one.origin.sources})
        said = {turn.id for turn in self._store.get(scope, sources) if turn is not None}
        return np.array(
            [
                row
                for row, one in records.items()
                if one.scope.session_id == scope.session_id or not said.isdisjoint(one.origin.sources)
            ],
            np.int64,
        )


class _CoreOnly:
    """The shadow of a store's facts and critical memories, without the others."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """See ``Store.shadow``."""
        version = self._store.shadow_version(scope)
        if not since or version - since > _MANY_CHANGES:
            return self._whole(scope, version)
        delta = self._store.shadow(scope, since)
        if delta.reset:
            return self._whole(scope, delta.version)
        rows = delta.rows
        belongs = np.isin(rows.keys, self._store.match(scope, AllOf((_CORE, by_ids(rows.ids)))))
        others = np.concatenate([delta.removed, rows.keys[~belongs]])
        kept = taken(rows, np.flatnonzero(belongs))
        return ShadowDelta(version=delta.version, rows=kept, removed=others)

    def _whole(self, scope: Scope, version: int) -> ShadowDelta:
        keys = self._store.match(scope, _CORE)
        if isinstance(self._store, TextSearch):
            rows = self._store.shadow_of(scope, keys, around=0)
        else:
            everything = self._store.shadow(scope, 0).rows
            rows = taken(everything, np.flatnonzero(np.isin(everything.keys, keys)))
        return ShadowDelta(version=version, rows=rows, removed=np.empty(0, np.int64), reset=True)


class _CoreRows:
    """To which part of the core the rows of a small shadow belong.

    Attributes:
        parts: ``int8`` per row: the number of its part, 0 for none.
    """

    def __init__(self) -> None:
        self.parts = np.empty(0, np.int8)
        self._against: dict[int, Sequence[str]] = {}
        self._records: dict[int, MemoryRecord] = {}
        self._dead = 0

    def refresh(self, shadow: Shadow, store: Store, scope: Scope, *, sort: Sort, against: Against) -> None:
        """Sort the rows that are new since the last call."""
        if self._dead != shadow.dead:
            self._dead, alive = shadow.dead, shadow["alive"]
            self._records = {row: record for row, record in self._records.items() if alive[row]}
            self._against = {row: ids for row, ids in self._against.items() if alive[row]}
        start = len(self.parts)
        if start == shadow.size:
            return
        fresh = np.full(shadow.size - start, _NUMBERS["critical"], np.int8)
        for row, record in self._facts(shadow, start, store, scope):
            part = sort(record)
            fresh[row - start] = 0 if part is None else _NUMBERS[part]
            if ids := against(record):
                self._against[row] = ids
        self.parts = np.concatenate([self.parts, fresh])

    def contested(
        self, shadow: Shadow, mask: NDArray[np.bool_], more: Mapping[int, Sequence[str]]
    ) -> frozenset[str]:
        """The ids of both sides of the conflicts between rows that a mask allows, with ``more`` of them."""
        found: set[str] = set()
        for row, ids in {**self._against, **more}.items():
            others = np.isin(shadow["ids"], [one.encode() for one in ids]) & mask
            if mask[row] and others.any():
                found.update(map(shadow.id_of, (row, *np.flatnonzero(others).tolist())))
        return frozenset(found)

    def best(
        self, ranker: Ranker, rows: NDArray[np.int64], near: NDArray[np.float32], *, most: int
    ) -> list[tuple[CorePart, int, float]]:
        """Of some rows the nearest by part, with how near they are: at most ``most`` of each."""
        parts = self.parts[rows]
        chosen: list[tuple[CorePart, int, float]] = []
        for name in CORE_PARTS:
            own = np.flatnonzero(parts == _NUMBERS[name])
            order = own[ranker.best(rows[own].astype(np.int32), near[own], most)] if own.size else own
            chosen += [(name, int(rows[place]), float(near[place])) for place in order]
        return chosen

    def records(
        self, shadow: Shadow, rows: Sequence[int], store: Store, scope: Scope
    ) -> Mapping[int, MemoryRecord]:
        """The records of rows, without those that were deleted meanwhile."""
        known = {row: self._records[row] for row in rows if row in self._records}
        unknown = [row for row in rows if row not in known]
        found = store.get(scope, [shadow.id_of(row) for row in unknown]) if unknown else []
        for row, record in zip(unknown, found, strict=True):
            if record is not None:
                known[row] = record
                self._keep(row, record)
        return known

    def _keep(self, row: int, record: MemoryRecord) -> None:
        if len(self._records) >= _KEPT:
            del self._records[next(iter(self._records))]
        self._records[row] = record

    @staticmethod
    def _facts(shadow: Shadow, start: int, store: Store, scope: Scope) -> Iterable[tuple[int, MemoryRecord]]:
        """The facts from a row on that are not critical."""
        kind = shadow.names["kind"].numbers.get("fact", -1)
        critical = np.isin(shadow["keys"][start:], store.match(scope, _CRITICAL))
        new = (np.flatnonzero((shadow["kind"][start:] == kind) & ~critical) + start).tolist()
        for first in range(0, len(new), _AT_ONCE):
            rows = {shadow.id_of(row): row for row in new[first : first + _AT_ONCE]}
            for one in store.sketches(scope, by_ids(list(rows))):
                yield rows[one.id], one


def relevance(
    shadow: Shadow, rows: NDArray[np.int64], stems: Sequence[str], vector: NDArray[np.float32]
) -> NDArray[np.float32]:
    """How near rows are to a question: the mean of their cosine and of the share of its words they hold.

    A word counts by its rarity among the rows of the shadow. Both are 0 to 1, and so is the mean.
    """
    cosine = np.clip(shadow.vectors.exact(vector)[rows], np.float32(0), np.float32(1))
    words, total = np.zeros(len(rows), np.float32), 0.0
    for stem in stems:
        holders, _ = shadow.postings.find(hash_term(stem))
        holding = np.zeros(shadow.size, np.float32)
        holding[holders] = 1
        gain = idf(shadow.size, len(holders))
        words += np.float32(gain) * holding[rows]
        total += gain
    return ((cosine + words / (total or 1.0)) / 2).astype(np.float32)


def _begun(shadow: Shadow, moment: datetime) -> NDArray[np.bool_]:
    """The rows of what holds at a moment already; what was pinned does whenever it was said."""
    fact = shadow.names["kind"].numbers.get("fact", -1)
    begun: NDArray[np.bool_] = (shadow["valid_from"] <= to_micros(moment)) | (shadow["kind"] != fact)
    return begun


def _recollected(record: MemoryRecord, near: float) -> Recollection:
    return Recollection(memory=record, score=near, signals={SIGNAL: near}, terms={SIGNAL: near})

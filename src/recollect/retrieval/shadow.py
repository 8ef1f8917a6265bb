"""The shadow of a user's memories: everything recall needs to know before it reads any content.

Columns in memory, one row per memory in the order in which they were stored. A row is never moved;
a deleted or rewritten memory leaves a dead row behind.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Profile, ShadowDelta, ShadowRows
from recollect.retrieval.graph.index import ConceptIndex
from recollect.retrieval.postings import Postings
from recollect.retrieval.twins import Twins, digests_of, mark_twins
from recollect.retrieval.vectors import VectorColumn


class Outlines:
    """Which rows are about what. The index is made when it is first asked: not every ranking looks at it."""

    def __init__(self) -> None:
        self._waiting: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint32]]] = []
        self._waiting_bytes = 0
        self._postings = Postings()
        self._topics = np.empty(0, np.int32)
        self._said = np.empty(0, np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes held in arrays."""
        return self._waiting_bytes + self._postings.nbytes + self._topics.nbytes + self._said.nbytes

    def add(self, rows: NDArray[np.int32], lengths: NDArray[np.int32], numbers: NDArray[np.uint32]) -> None:
        """Take the outlines of new rows: how many numbers each has, and the numbers one after the other."""
        if numbers.size:
            self._waiting.append((rows, lengths, numbers))
            self._waiting_bytes += rows.nbytes + lengths.nbytes + numbers.nbytes

    def topics(self, size: int) -> NDArray[np.int32]:
        """How many topics and entities each of ``size`` rows has."""
        self._index(size)
        return self._topics[:size]

    def said(self, size: int) -> NDArray[np.int32]:
        """How many stems the summary of each row has; 0 for one whose words are its summary."""
        self._index(size)
        return self._said[:size]

    def shared(self, numbers: Sequence[int], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows whose outlines hold any of some numbers, and how many; see ``Postings.shared``."""
        self._index(size)
        return self._postings.shared(numbers)

    def _index(self, size: int) -> None:
        self._topics, self._said = _as_long(self._topics, size), _as_long(self._said, size)
        for rows, lengths, numbers in self._waiting:
            each = np.repeat(rows, lengths)
            odd = (numbers & 1).astype(bool)
            self._postings.add(each, numbers, np.ones(len(numbers), np.uint8))
            first = int(rows.min())
            for counts, counted in ((self._topics, each[~odd]), (self._said, each[odd])):
                found = np.bincount(counted - first)
                counts[first : first + len(found)] += found.astype(np.int32)
        self._waiting.clear()
        self._waiting_bytes = 0


def _as_long(counts: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """The counts with room for so many rows, a quarter more than now when they grow."""
    if len(counts) >= size:
        return counts
    longer = np.zeros(max(size, len(counts) * 5 // 4), np.int32)
    longer[: len(counts)] = counts
    return longer


_DTYPES: Final[dict[str, Any]] = {
    "keys": np.int64, "ids": "S36", "alive": np.bool_, "thread": np.int32, "agent": np.int32,
    "session": np.int32, "kind": np.int32, "role": np.int32, "speaker": np.int32, "tier": np.int32,
    "before": np.int32, "after": np.int32, "before_2": np.int32, "after_2": np.int32,
    "happened": np.int64, "valid_from": np.int64, "valid_until": np.int64,
    "importance": np.float32, "confidence": np.float32, "useful": np.float32, "unhelpful": np.float32,
    "access": np.float32, "decay": np.float32, "accessed": np.int64, "length": np.float32,
    "traits": np.int32, "digest": np.uint64, "twin": np.bool_,
}  # fmt: skip
_PLAIN: Final = (
    "keys", "happened", "valid_from", "valid_until", "importance", "confidence", "useful",
    "unhelpful", "access", "decay", "accessed", "traits",
)  # fmt: skip
_NAMED: Final = ("agent", "session", "kind", "role", "speaker", "tier")
_WORTH_COMPACTING: Final = 1_000
_OBJECTS_BYTES: Final = 18_000
_THREAD_BYTES: Final = 200
"""What a shadow takes beside its arrays, and for each thread with the name of its session. Measured: 17.5 to
19.1 kB a user, 191 to 204 bytes a session."""


class Names:
    """Strings numbered from 0 in the order in which they were first seen."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, texts: Iterable[str]) -> list[int]:
        """The numbers of some texts; a new one gets the next."""
        known = self.numbers
        return [known.setdefault(text, len(known)) for text in texts]


class Shadow:
    """The columns of one user's memories.

    Attributes:
        version: The store's version these columns are of.
        size: Rows, dead ones included.
        names: For each named column its texts.
        threads: How many threads there are; a memory that stands alone is a thread of its own.
    """

    def __init__(self) -> None:
        self.version = 0
        self.size = 0
        self.dead = 0
        self.threads = 0
        self.names: dict[str, Names] = {column: Names() for column in _NAMED}
        self.postings = Postings()
        self.vectors = VectorColumn()
        self.outlines = Outlines()
        self.concepts = ConceptIndex()
        self._columns: dict[str, NDArray[Any]] = {name: np.empty(0, kind) for name, kind in _DTYPES.items()}
        self._thread_numbers: dict[str, int] = {}
        self._last_row = np.empty(0, np.int32)
        self._last_key = 0

    def __getitem__(self, column: str) -> NDArray[Any]:
        """A column, shape ``(size,)``; a view."""
        return self._columns[column][: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes held: arrays exactly, objects as measured."""
        columns = sum(column.nbytes for column in self._columns.values())
        indexes = (self.postings, self.vectors, self.outlines, self.concepts)
        arrays = columns + sum(index.nbytes for index in indexes)
        return arrays + _OBJECTS_BYTES + _THREAD_BYTES * len(self._thread_numbers)

    @property
    def wants_reload(self) -> bool:
        """Whether so many rows are dead that reading everything again is faster."""
        return self.dead > max(_WORTH_COMPACTING, self.size // 4)

    def id_of(self, row: int) -> str:
        """The id of the memory in a row."""
        return bytes(self._columns["ids"][row]).decode()

    def holds(self, column: str, texts: Iterable[str]) -> NDArray[np.bool_]:
        """Which rows have one of some texts in a named column, ``bool`` of shape ``(size,)``."""
        numbers = self.names[column].numbers
        listed = np.zeros(len(numbers), np.bool_)
        listed[[numbers[text] for text in texts if text in numbers]] = True
        if listed.all() or not listed.any():  # as of all rows is no row looked at
            return np.full(self.size, bool(listed.any()))
        held: NDArray[np.bool_] = listed.take(self[column])
        return held

    def twins(self) -> Twins:
        """The memories that may repeat another word for word."""
        rows = np.flatnonzero(self["twin"] & self["alive"])
        speakers = np.stack([self[name][rows] for name in ("kind", "role", "speaker")], axis=1)
        return Twins(
            rows=rows, ids=self["ids"][rows], digests=self["digest"][rows], speakers=speakers,
            happened=self["happened"][rows],
        )  # fmt: skip

    def has_returned(self, rows: ShadowRows) -> bool:
        """Whether any of the rows was deleted and is back: its place in its thread is not at the end."""
        return not self._known(rows.keys)[rows.keys <= self._last_key].all()

    def apply(self, delta: ShadowDelta) -> None:
        """Bring the columns to a newer version."""
        moved = [row for old in self._rows_of(delta.removed) for row in self._remove(old)]
        known = self._known(delta.rows.keys)
        if not known.any():
            self._append(delta.rows)
        else:
            moved += [row for place in np.flatnonzero(known) for row in self._rewrite(delta.rows, int(place))]
            self._append(taken(delta.rows, np.flatnonzero(~known)))
        self._reach(np.array(moved, np.int32))
        self._last_key = max(self._last_key, int(delta.rows.keys.max(initial=0)))
        self.version = delta.version

    def _known(self, keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each of some keys, ascending, is that of a living row."""
        if not keys.size or keys[0] > self._last_key:
            return np.zeros(len(keys), bool)
        return np.isin(keys, self["keys"][self["alive"]])

    def _rows_of(self, keys: NDArray[np.int64]) -> list[int]:
        if not keys.size or not self.size:
            return []
        found: list[int] = np.flatnonzero(np.isin(self["keys"], keys) & self["alive"]).tolist()
        return found

    def _append(self, rows: ShadowRows) -> None:
        start, count = self.size, len(rows.ids)
        if not count:
            return
        self._grow(start + count)
        self.size = start + count
        self._fill(rows, slice(start, self.size))
        self._link(start)
        self._index(rows, np.arange(start, self.size, dtype=np.int32))
        self.vectors.append(rows.vectors)

    def _fill(self, rows: ShadowRows, where: slice) -> None:
        self["ids"][where] = _packed(rows.ids)
        for name in _PLAIN:
            self[name][where] = getattr(rows, name)
        self["alive"][where] = True
        thread, numbers = self._numbers_of(rows.profiles)
        for name, values in zip(_NAMED, numbers, strict=True):
            self[name][where] = values[rows.profile_of]
        threads = thread[rows.profile_of]
        alone = np.flatnonzero(threads < 0)
        threads[alone] = np.arange(self.threads, self.threads + len(alone))
        self.threads += len(alone)
        self["thread"][where] = threads

    def _numbers_of(self, profiles: Sequence[Profile]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The numbers of each profile's thread, -1 for standing alone, and of its names, a row for each."""
        threads, *named = zip(*profiles, strict=True) if profiles else ((),) * len(Profile._fields)
        numbers = [self.names[name].of(texts) for name, texts in zip(_NAMED, named, strict=True)]
        return np.array([self._thread_of(one) for one in threads], np.int32), np.array(numbers, np.int32)

    def _thread_of(self, name: str) -> int:
        if not name:
            return -1
        if name not in self._thread_numbers:
            self._thread_numbers[name] = self.threads
            self.threads += 1
        return self._thread_numbers[name]

    def _link(self, start: int) -> None:
        """Set the neighbours of the new rows from ``start`` on, within their threads."""
        before, after = self["before"], self["after"]
        before[start:] = after[start:] = -1
        thread = self["thread"][start:]
        order = np.argsort(thread, kind="stable") + start
        ordered = self["thread"][order]
        same = np.flatnonzero(ordered[1:] == ordered[:-1])
        before[order[same + 1]] = order[same]
        after[order[same]] = order[same + 1]
        first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        last = np.concatenate([first[1:], [True]])
        fresh = np.full(self.threads - len(self._last_row), -1, np.int32)
        self._last_row = np.concatenate([self._last_row, fresh]) if fresh.size else self._last_row
        earlier = self._last_row[ordered[first]]
        continued = earlier >= 0
        before[order[first][continued]] = earlier[continued]
        after[earlier[continued]] = order[first][continued]
        self._last_row[ordered[last]] = order[last]
        self._reach(np.concatenate([order, earlier[continued]]))

    def _reach(self, moved: NDArray[np.integer[Any]]) -> None:
        """Find who stands two places before and behind rows with new neighbours, and those beside them."""
        before, after = self["before"], self["after"]
        if len(moved) < self.size:
            beside = np.concatenate([moved, before[moved], after[moved]])
            rows = beside[beside >= 0]
        else:
            rows = np.arange(self.size)
        for step, far in ((before, self["before_2"]), (after, self["after_2"])):
            next_one = step[rows]
            far[rows] = np.where(next_one >= 0, step[next_one], np.int32(-1))

    def _index(self, rows: ShadowRows, where: NDArray[np.int32]) -> None:
        self.postings.add(np.repeat(where, rows.lengths), rows.terms, rows.counts)
        sums = np.cumsum(np.concatenate([np.zeros(1, np.uint8), rows.counts]), dtype=np.uint32)
        ends = np.cumsum(rows.lengths, dtype=np.int64)
        self["length"][where] = np.maximum(sums[ends] - sums[ends - rows.lengths], 1)
        self["digest"][where] = digests_of(rows)
        mark_twins(self["digest"], self["alive"], self["twin"], where)
        self.outlines.add(where, rows.outline_lengths, rows.outlines)
        self.concepts.add(rows.keys, rows.outline_lengths, rows.outlines)

    def _rewrite(self, rows: ShadowRows, index: int) -> list[int]:
        """Put a new row in the place of a memory's row in its thread; returns rows with new neighbours."""
        (old,) = self._rows_of(rows.keys[index : index + 1])
        before, after, thread = (int(self[name][old]) for name in ("before", "after", "thread"))
        self._retire(old)
        one = taken(rows, np.array([index]))
        new = self.size
        self._grow(new + 1)
        self.size = new + 1
        self._fill(one, slice(new, new + 1))
        self["thread"][new], self["before"][new], self["after"][new] = thread, before, after
        if before >= 0:
            self["after"][before] = new
        if after >= 0:
            self["before"][after] = new
        else:
            self._last_row[thread] = new
        self._index(one, np.array([new], np.int32))
        self.vectors.append(one.vectors)
        return [row for row in (before, after, old, new) if row >= 0]

    def _remove(self, row: int) -> list[int]:
        """Take a row out of its thread; returns rows with new neighbours."""
        before, after = int(self["before"][row]), int(self["after"][row])
        if before >= 0:
            self["after"][before] = after
        if after >= 0:
            self["before"][after] = before
        else:
            self._last_row[int(self["thread"][row])] = before
        self._retire(row)
        return [one for one in (before, after, row) if one >= 0]

    def _retire(self, row: int) -> None:
        self["alive"][row] = False
        self["before"][row] = self["after"][row] = -1
        self.dead += 1

    def _grow(self, rows: int) -> None:
        held = len(self._columns["keys"])
        if held >= rows:
            return
        capacity = rows if not held else max(rows, held * 5 // 4)
        for name, column in self._columns.items():
            larger = np.zeros(capacity, column.dtype)
            larger[:held] = column
            self._columns[name] = larger


def _packed(ids: Sequence[str]) -> NDArray[np.bytes_]:
    """Ids as a column. Most are of full length; to put those together takes a tenth of the time."""
    width = np.dtype(_DTYPES["ids"])
    if set(map(len, ids)) == {width.itemsize} and (together := "".join(ids)).isascii():
        return np.frombuffer(together.encode(), width)
    return np.array(ids, width)


def taken(rows: ShadowRows, chosen: NDArray[np.int64]) -> ShadowRows:
    """Some of the rows, in the given order.

    Args:
        rows: Columns.
        chosen: Places in them.
    """
    words, outlined = _spans(rows.lengths, chosen), _spans(rows.outline_lengths, chosen)
    columns: dict[str, Any] = {}
    for name in ShadowRows.__slots__:
        values = getattr(rows, name)
        if name == "profiles":
            columns[name] = values
        elif name in ("terms", "counts"):
            columns[name] = values[words]
        elif name == "outlines":
            columns[name] = values[outlined]
        else:
            columns[name] = [values[i] for i in chosen] if isinstance(values, list) else values[chosen]
    return ShadowRows(**columns)


def _spans(lengths: NDArray[np.int32], chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the parts of some rows stand in a column that holds those of all one after the other."""
    ends = np.cumsum(lengths, dtype=np.int64)
    spans = [np.arange(ends[i] - lengths[i], ends[i]) for i in chosen]
    return np.concatenate(spans) if spans else np.empty(0, np.int64)

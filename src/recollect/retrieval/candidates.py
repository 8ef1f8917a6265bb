"""Every memory with its score for a question, none of them read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_id
from recollect.retrieval.score import Scored
from recollect.types import MemoryRecord, Recollection, Superseded

NO_MARKS: Final[Mapping[str, Superseded]] = MappingProxyType({})
_PAGE: Final = 500
"""Summaries read at a time. Chosen by hand."""
_READ_AT_ONCE: Final = 4
"""Memories read at a time. Chosen by hand: an answer without a model quotes three."""


class Summaries(Protocol):
    """Says in short what memories say: ``Store.summaries`` of a scope."""

    def __call__(self, ids: Sequence[str], *, whole_up_to: int = 0) -> Sequence[str | None]:
        """See ``Store.summaries``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that was considered for a question.

    Attributes:
        memory_id: Its id; ``Memory.get`` reads it whole.
        summary: What it says in short.
        score: Higher is better; 0 to 1, unless the scoring in use says otherwise.
        signals: What was measured, by name.
        terms: What each signal added to the score; they sum up to it.
    """

    memory_id: str
    summary: str
    score: float
    signals: Mapping[str, float]
    terms: Mapping[str, float]


class Candidates(Sequence[Candidate]):
    """Candidates, best first, as columns; a ``Candidate`` is made, and its summary read, when it is accessed.

    A memory deleted meanwhile has an empty summary.

    Args:
        ids: ``bytes``; an id keeps its place.
        accessed: When the memories of ``ids`` were last used or else stored: microseconds since 1970.
        rows: ``int32`` of shape ``(n,)``: the places of the candidates' ids in ``ids``.
        scored: Their scores, signals and terms, highest score first.
        summaries: Reads the summaries of ids.
        total: How many memories were considered; by default as many as there are candidates.
        usual: The medians of the signals over all that were considered, if the scoring looked at them.
    """

    def __init__(
        self,
        ids: NDArray[np.bytes_],
        accessed: NDArray[np.int64],
        rows: NDArray[np.int32],
        scored: Scored,
        *,
        summaries: Summaries,
        total: int | None = None,
        usual: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self.total: Final = len(rows) if total is None else total
        self.usual: Final = usual
        self.scores: Final = scored.score
        self.signals: Final = scored.signals
        self._terms = scored.terms
        self._ids = ids
        self._accessed = accessed
        self._rows = rows
        self._summaries = summaries

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Candidate: ...
    @overload
    def __getitem__(self, place: slice) -> "Candidates": ...
    def __getitem__(self, place: int | slice) -> "Candidate | Candidates":
        if isinstance(place, slice):
            return self._part(place)
        if not -len(self) <= place < len(self):
            raise IndexError(f"there are only {len(self)} candidates, so there is no number {place}")
        first = place % len(self)
        (found,) = self._made(first, first + 1)
        return found

    def __iter__(self) -> Iterator[Candidate]:
        for start in range(0, len(self), _PAGE):
            yield from self._made(start, min(start + _PAGE, len(self)))

    def above(self, threshold: float) -> "Candidates":
        """Those whose score is at least the threshold."""
        return self.chosen(np.flatnonzero(self.scores >= threshold).tolist())

    def chosen(self, places: Sequence[int]) -> "Candidates":
        """Those at some places."""
        return self._part(np.array(places, np.intp))

    def find(self, memory_id: str) -> int | None:
        """The place of a memory, from 0; None when it is no candidate.

        Raises:
            InvalidInputError: It is no id.
        """
        found = np.flatnonzero(self._ids[self._rows] == check_id("memory_id", memory_id).encode())
        return int(found[0]) if found.size else None

    def ranked_by(self, signal: str, *, limit: int) -> list[int]:
        """The places of the memories with most of a signal, best first; empty if it was not measured."""
        values = self.signals.get(signal)
        if values is None:
            return []
        places = np.argsort(-values, kind="stable")[:limit]
        found: list[int] = places[values[places] > 0].tolist()
        return found

    def ids(self, limit: int | None = None) -> list[str]:
        """The ids of the first ``limit``, or of all."""
        return self._ids_of(self._rows[:limit])

    @property
    def accessed(self) -> list[int]:
        """When each was used last, or else stored: microseconds since 1970."""
        used: list[int] = self._accessed[self._rows].tolist()
        return used

    def texts(self, *, whole_up_to: int) -> Sequence[str | None]:
        """What each says: all of it in at most so many characters, else in short; None of a deleted one."""
        return self._summaries(self.ids(), whole_up_to=whole_up_to)

    def unread(
        self,
        read: Callable[[Sequence[str]], Iterable[MemoryRecord]],
        *,
        marks: Mapping[str, Superseded] = NO_MARKS,
    ) -> "Unread":
        """The memories themselves, read by their ids when they are looked at; some marked as outdated."""
        return Unread(self, read, marks)

    def recollections(
        self, records: Iterable[MemoryRecord], *, marks: Mapping[str, Superseded] = NO_MARKS
    ) -> Iterator[Recollection]:
        """Those of which a record is given, best first, with it."""
        by_id, ids = {record.id: record for record in records}, self.ids()
        signals, terms = _rows_of(self.signals, len(ids)), _rows_of(self._terms, len(ids))
        for memory_id, score, measured, added in zip(ids, self.scores.tolist(), signals, terms, strict=True):
            if memory_id in by_id:
                yield Recollection(
                    memory=by_id[memory_id],
                    score=score,
                    signals=measured,
                    terms=added,
                    superseded=marks.get(memory_id),
                )

    def _part(self, place: slice | NDArray[np.intp]) -> "Candidates":
        return Candidates(
            self._ids,
            self._accessed,
            self._rows[place],
            self._scored(place),
            summaries=self._summaries,
            total=self.total,
            usual=self.usual,
        )

    def _made(self, start: int, end: int) -> list[Candidate]:
        place = slice(start, end)
        ids = self._ids_of(self._rows[place])
        columns = self._scored(place)
        found = zip(
            ids,
            self._summaries(ids),
            columns.score.tolist(),
            _rows_of(columns.signals, len(ids)),
            _rows_of(columns.terms, len(ids)),
            strict=True,
        )
        return [
            Candidate(memory_id=memory_id, summary=summary or "", score=score, signals=signals, terms=terms)
            for memory_id, summary, score, signals, terms in found
        ]

    def _ids_of(self, rows: NDArray[np.int32]) -> list[str]:
        return [bytes(one).decode() for one in self._ids[rows]]

    def _scored(self, place: slice | NDArray[np.intp]) -> Scored:
        return Scored(
            score=self.scores[place],
            signals={name: values[place] for name, values in self.signals.items()},
            terms={name: values[place] for name, values in self._terms.items()},
        )


class Unread(Sequence[Recollection]):
    """Recollections whose memories are read when they are looked at; one deleted meanwhile is left out.

    Args:
        candidates: Which.
        read: Reads memories by their ids.
        marks: By their ids what replaced some.
    """

    def __init__(
        self,
        candidates: Candidates,
        read: Callable[[Sequence[str]], Iterable[MemoryRecord]],
        marks: Mapping[str, Superseded],
    ) -> None:
        self._candidates = candidates
        self._read = read
        self._marks = marks

    def __iter__(self) -> Iterator[Recollection]:
        yield from self._all if "_all" in vars(self) else self._by_parts()

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, place: int) -> Recollection: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Recollection]: ...
    def __getitem__(self, place: int | slice) -> Recollection | Sequence[Recollection]:
        return self._all[place]

    @cached_property
    def _all(self) -> Sequence[Recollection]:
        read = self._read(self._candidates.ids())
        return tuple(self._candidates.recollections(read, marks=self._marks))

    def _by_parts(self) -> Iterator[Recollection]:
        for start in range(0, len(self._candidates), _READ_AT_ONCE):
            some = self._candidates[start : start + _READ_AT_ONCE]
            yield from some.recollections(self._read(some.ids()), marks=self._marks)


def _rows_of(columns: Mapping[str, NDArray[np.float32]], size: int) -> list[dict[str, float]]:
    """Columns as rows: by name, the numbers of each of ``size`` memories."""
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows] if columns else [{} for _ in range(size)]

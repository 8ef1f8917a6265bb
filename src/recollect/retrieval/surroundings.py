"""The neighbours of each memory, and how much they count.

Derived from a shadow's columns and good for one version of them.
"""

from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.shadow import Shadow
from recollect.text.traits import is_name

ASSISTANT: Final = "assistant"
"""The role whose words weigh less than a person's in scopes that hold both."""
LEARNED: Final = frozenset({"fact", "episode"})
"""Kinds of what is learned from other memories."""
NEAR: Final = (0.5, 0.25)
"""What a neighbour one and two turns away counts: half with each step. Wide plateau on both benchmarks."""
CONTINUED: Final = np.float32(0.35)
"""What the turn before adds to the vector of a turn, which often leaves its subject to that. Of 0.2 to 0.5
any finds more than 0 on three data sets."""
SHARED: Final = np.float32(0.5)
"""How much of what all memories have in common is taken from a question, since it tells none from the others.
From 0.3 to 0.7 little changes."""
FEW: Final = 20
"""So many memories have half of it in common, since the mean of few says little. From 0 to 300 little changes
where there are hundreds."""
ASSISTANT_WEIGHT: Final = 0.5
"""An assistant's words count half, as context and as result: memory is about what the person said."""
PICKED_OUT: Final = 4
"""Picking out less than one row in so many is cheaper than taking all. Chosen by hand."""
LENGTH_SHARE: Final = 0.75
"""BM25's ``b``, the textbook value, applied per turn (BM25F): a long turn is diluted wherever it counts."""


_Floats = NDArray[np.float32]


class Surroundings:
    """Neighbours, threads and lengths of the live rows.

    Args:
        shadow: The columns.
        total: How many memories there are, when the columns hold only some of them.
        member: ``bool`` per row: which rows belong together; None for all. Others count for nothing.

    Attributes:
        live: ``bool`` per row: live members.
        is_all: Whether every row is a live member.
        alive: Live memories of the larger group, counted: of what was said, or of what was learned.
        has_assistant: Whether an assistant speaks here.
        two_roles: Whether both an assistant and others speak here.
        is_assistant: ``bool`` per row.
        weight: ``float32`` per row: what its words count as context of others.
        length_norm: ``float32`` per row: BM25's length normalisation, 1 for an average length.
        neighbours: Pairs of weight and the ``int32`` row standing there, -1 for none.
        thread_weight: ``float32`` per thread: what its rows count together.
        thread_norm: ``float32`` per thread: length normalisation of the thread as one text.
        live_threads: Threads of that group with a live row, counted.
    """

    def __init__(
        self, shadow: Shadow, *, total: int | None = None, member: NDArray[np.bool_] | None = None
    ) -> None:
        self._shadow = shadow
        self._is_part = total is not None
        live: NDArray[Any] = shadow["alive"] if member is None else shadow["alive"] & member
        self.live = live
        self.is_all = member is None and not shadow.dead
        learned = is_learned(shadow)
        said = self._said = live & ~learned
        spoken_by = int(np.count_nonzero(said))
        self._of_said = 2 * spoken_by >= np.count_nonzero(live)
        self._counted = live & (~learned if self._of_said else learned)
        self._rows = _Counted(live, self._counted)
        self.alive = self._rows.total if total is None else total
        self.is_assistant = _speaks_as_assistant(shadow)
        spoken = np.count_nonzero(self.is_assistant & said)
        self.has_assistant = bool(spoken)
        self.two_roles = bool(0 < spoken < spoken_by)
        full = np.float32(1.0)
        halved = np.float32(ASSISTANT_WEIGHT if self.two_roles else 1.0)
        self.weight = np.where(self.is_assistant, halved, full) * live
        self.length_norm = _length_norm(shadow["length"], live, learned)
        standing = (shadow[column] for column in ("before", "before_2", "after", "after_2"))
        self.neighbours = list(zip(NEAR + NEAR, standing, strict=True))
        spoken_in = self._count_threads(said)
        counts = spoken_in if self.is_all and said.all() else self._count_threads(live)
        counts = counts - (1 - halved) * self._count_threads(live & self.is_assistant)
        self._weigh_threads(counts.astype(np.float32), learned=spoken_in == 0)

    def holding(self, rows: NDArray[np.intp]) -> float:
        """How many of ``alive`` contain a word of these rows.

        What was learned says again what was said. Counted with it, all that it was learned from would seem
        more common than the rest. So one group counts; a word that only the other has is as common here as
        it is there.
        """
        return self._rows.holding(rows)

    def holding_threads(self, threads: NDArray[np.integer[Any]]) -> float:
        """The same of threads and ``live_threads``."""
        return self._threads.holding(threads)

    @property
    def lending(self) -> list[tuple[float, NDArray[np.int32]]]:
        """The ``neighbours`` from their side: who lends to a row, in the order in which they lend."""
        before, after = self.neighbours[: len(NEAR)], self.neighbours[len(NEAR) :]
        return after + before

    def apart(self, question: _Floats) -> _Floats:
        """A question's vector without ``SHARED`` of the mean of these rows' vectors."""
        if self._common.shape != question.shape:
            return question
        return question - SHARED * self._common

    @cached_property
    def _common(self) -> _Floats:
        """The mean vector of what ``alive`` counts; nothing where the rows were chosen for a question."""
        vectors = self._shadow.vectors
        if self._is_part:
            return np.zeros(vectors.dim, np.float32)
        return vectors.total(self._counted) / np.float32(np.count_nonzero(self._counted) + FEW)

    def continued(self, cosine: _Floats, rows: NDArray[np.intp] | None = None) -> _Floats:
        """The cosine with each row's vector plus ``CONTINUED`` times that of the row before.

        Args:
            cosine: Of every row.
            rows: Of which rows it is needed, None for all; others get 0.
        """
        before = self._shadow["before"]
        if rows is None:
            read: _Floats = cosine + self._carried * cosine[before]
            read /= self._lengths
            return read
        read = np.zeros(len(cosine), np.float32)
        read[rows] = (cosine[rows] + self._carried[rows] * cosine[before[rows]]) / self._lengths[rows]
        return read

    def together(self, rows: NDArray[np.int32]) -> NDArray[np.intp] | None:
        """The rows of the threads in which some rows stand, ascending; None where they are a large share."""
        thread = self._shadow["thread"]
        if len(rows) * PICKED_OUT >= len(thread):
            return None
        asked = np.zeros(self._shadow.threads, np.bool_)
        asked[thread[rows]] = True
        found = np.flatnonzero(asked[thread])
        return found if len(found) * PICKED_OUT < len(thread) else None

    @cached_property
    def _carried(self) -> _Floats:
        """What the row before adds to each row; 0 where none of the live members stands there."""
        before = self._shadow["before"]
        stands = before >= 0
        return np.where(stands if self.is_all else stands & self.live[before], CONTINUED, np.float32(0))

    @cached_property
    def _lengths(self) -> _Floats:
        """The lengths of the vectors that ``continued`` compares."""
        alike = self._shadow.vectors.alike(self._shadow["before"])
        lengths: _Floats = np.sqrt(1 + self._carried * (self._carried + 2 * alike))
        return lengths

    @cached_property
    def sessions_since(self) -> _Floats:
        """Per thread, how many sessions in which something was said ended later."""
        happened, thread = self._shadow["happened"], self._shadow["thread"]
        last = np.full(self._shadow.threads, np.iinfo(np.int64).min)
        np.maximum.at(last, thread[self.live], happened[self.live])
        ends = np.sort(last[np.unique(thread[self._said])])
        return (len(ends) - np.searchsorted(ends, last, side="right")).astype(np.float32)

    def gather(self, values: NDArray[np.float32], rows: NDArray[np.int32] | None = None) -> _Floats:
        """For each of some rows, None for all, the weighted sum of its neighbours' values."""
        lent = np.append(values, np.float32(0))  # the last place is that of no row, -1
        total = np.zeros(self._shadow.size if rows is None else len(rows), np.float32)
        for share, standing in self.neighbours:
            total += np.float32(share) * lent.take(standing if rows is None else standing[rows])
        return total

    def near_weight(self, rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """For each of some rows what its neighbours count together."""
        if len(rows) * FEW < self._shadow.size:
            return self.gather(self.weight, rows)
        return self._near_weight[rows]

    @cached_property
    def _near_weight(self) -> _Floats:
        return self.gather(self.weight)

    def with_neighbours(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """These rows and their neighbours, each once."""
        found = np.unique(np.concatenate([rows, *(standing[rows] for _, standing in self.neighbours)]))
        return found[found >= 0]

    def _count_threads(self, member: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many of some rows each thread has; to sum their weights takes four times as long."""
        thread = self._shadow["thread"]
        return np.bincount(thread if member.all() else thread[member], minlength=self._shadow.threads)

    def _weigh_threads(self, weight: _Floats, *, learned: NDArray[np.bool_]) -> None:
        self.thread_weight = weight
        each = self._shadow["length"] / self.length_norm * self.weight
        words = np.bincount(self._shadow["thread"], each, len(weight)).astype(np.float32)
        live = weight > 0
        self._threads = _Counted(live, ~learned if self._of_said else learned)
        self.live_threads = self._threads.total
        self.thread_norm = _length_norm(words, live, learned)


class _Counted:
    """What counts for how rare a word is, and what does not.

    Args:
        live: What is there.
        counts: What of it counts.
    """

    def __init__(self, live: NDArray[np.bool_], counts: NDArray[np.bool_]) -> None:
        self._counts = counts
        self.total = int(np.count_nonzero(live & counts))
        self._others = int(np.count_nonzero(live)) - self.total

    def holding(self, places: NDArray[np.integer[Any]]) -> float:
        """How many of those that count contain a word of these places.

        Of a word that none of them holds, by the share of the others that do.
        """
        if not self._others:
            return len(places)
        found = int(np.count_nonzero(self._counts[places]))
        return found or len(places) * self.total / self._others


def is_learned(shadow: Shadow) -> NDArray[np.bool_]:
    """Which rows were learned from others."""
    return shadow.holds("kind", LEARNED)


def _speaks_as_assistant(shadow: Shadow) -> NDArray[np.bool_]:
    """Who is an assistant by role and has no name of their own: a named one is a person in the talk."""
    unnamed = (name for name in shadow.names["speaker"].numbers if not is_name(name))
    return shadow.holds("role", [ASSISTANT]) & shadow.holds("speaker", unnamed)


def _length_norm(
    length: NDArray[np.float32], live: NDArray[np.bool_], learned: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """BM25's length normalisation; a fact is long or short among facts, and a turn among turns."""
    mean: NDArray[np.float64] | np.float64
    if learned.any():
        mean = np.where(learned, _mean(length[live & learned]), _mean(length[live & ~learned]))
    else:
        mean = np.float64(_mean(length if live.all() else length[live]))
    return (1 - LENGTH_SHARE + length * LENGTH_SHARE / mean).astype(np.float32)


def _mean(length: NDArray[np.float32]) -> float:
    return float(length.mean(dtype=np.float64)) if length.size else 1.0

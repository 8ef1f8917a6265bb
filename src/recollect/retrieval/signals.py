"""What is measured of each memory when a question is asked.

Words and meaning are measured three times: in the turn, its neighbourhood and its session.
A turn is understood with what was said around it. Every signal lies in 0 to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.shadow import Shadow
from recollect.retrieval.surroundings import PICKED_OUT, Surroundings, is_learned
from recollect.text.analyse import hash_term
from recollect.text.traits import Trait, telling_of

K1: Final = np.float32(1.2)
"""BM25's saturation of repeated words, the textbook value."""
COMMON_SHARE: Final = 0.02
"""In a large scope a word found in more than this share of the memories is passed over, if rarer ones are
there: it costs the most and tells the least."""
_FEWEST_WORDS: Final = 2
_HALF_SUBSTANCE: Final = np.float32(10.0)
"""Distinct telling words that make a memory half substantial. Chosen by hand; flat from 5 to 20."""
HALF_RECENT: Final = np.float32(3.0)
"""Sessions. Of 2 to 10 any is as good."""
SAME_QUESTION: Final = np.float32(0.8)
"""Cosine from which two questions ask the same: "Where do I work?" and "where do I work again?" have 0.83,
"Where do I work?" and "Where do I live?" 0.65. Chosen by hand."""
BARE_QUESTION: Final = 4
"""Distinct telling words of a question that tells nothing besides. Chosen by hand: on BEAM longer ones are
often what is looked for."""
_HALF_AWAY: Final = 0.25
"""Of a named time's length; flat from a quarter to one on LoCoMo."""
_DAY: Final = 86_400_000_000

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]
_Places = NDArray[np.intp]
"""Rows as numpy picks them out fastest: it would turn any other integers into these, at every use."""


@dataclass(frozen=True, slots=True)
class WordCircles:
    """How much of the question's words, weighed by rarity, is found: 0 to 1.

    Attributes:
        turn: Per row.
        near: Per row, with its neighbours.
        session: Per thread.
    """

    turn: Floats
    near: Floats
    session: Floats


def idf(total: int, holding: float) -> float:
    """The weight of a word that ``holding`` of ``total`` texts contain (Robertson and Zaragoza 2009).

    >>> round(idf(1000, 10), 3)
    4.557
    """
    return float(np.log1p((total - holding + 0.5) / (holding + 0.5)))


class WordSearch:
    """Finds words in a shadow: BM25F over turn, neighbourhood and session, as a share of the best possible.

    Each circle is ``sum(idf * x / (x + k1)) / sum(idf)`` with ``x`` the length-normalised count in it.
    """

    def __init__(self, shadow: Shadow, around: Surroundings) -> None:
        self._shadow = shadow
        self._around = around
        self._scratch = np.zeros(shadow.size + 1, np.float32)  # the last place is that of no row, -1

    def circles(self, stems: Sequence[str], *, skip_common: bool) -> WordCircles:
        """The three measures for these stems; all zero when there is none."""
        found = self._postings(stems)
        if skip_common:
            found = self._rare(found)
        rows, threads = self._shadow.size, self._shadow.threads
        turn, near, session = (np.zeros(size, np.float32) for size in (rows, rows, threads))
        row_total = thread_total = 0.0
        for holders, counts in found:
            gain = idf(self._around.alive, self._around.holding(holders))
            row_total += gain
            thread_total += self._add(holders, counts, np.float32(gain), WordCircles(turn, near, session))
        if row_total:
            turn /= np.float32(row_total)
            near /= np.float32(row_total)
            session /= np.float32(thread_total)
        return WordCircles(turn, near, session)

    def _postings(self, stems: Sequence[str]) -> list[tuple[_Places, Floats]]:
        found = self._shadow.postings.find_each(list(map(hash_term, stems)))
        placed = [(rows.astype(np.intp), counts) for rows, counts in found]
        if self._around.is_all:
            return placed
        alive = [(rows, counts, self._around.live[rows]) for rows, counts in placed]
        return [(rows[live], counts[live]) for rows, counts, live in alive]

    def _rare(self, found: list[tuple[_Places, Floats]]) -> list[tuple[_Places, Floats]]:
        """Without common words, unless fewer than two rarer ones are there; unknown words stay."""
        by_rarity = sorted(found, key=lambda pair: len(pair[0]))
        unknown = sum(not len(rows) for rows, _ in found)
        most = COMMON_SHARE * self._around.alive
        return [
            pair
            for place, pair in enumerate(by_rarity)
            if place < unknown + _FEWEST_WORDS or len(pair[0]) <= most
        ]

    def _add(self, rows: _Places, counts: Floats, gain: np.float32, into: WordCircles) -> float:
        """Add one word to the circles; returns what it could add to a session at most."""
        if len(rows) * PICKED_OUT < self._shadow.size:
            return self._add_some(rows, counts, gain, into)
        return self._add_all(rows, counts, gain, into)

    def _add_some(self, rows: _Places, counts: Floats, gain: np.float32, into: WordCircles) -> float:
        """Add a word by picking out the rows that hold it."""
        around = self._around
        held = counts / around.length_norm[rows]
        into.turn[rows] += gain * held / (held + K1)
        spread = held * around.weight[rows]
        self._add_near(rows, held, spread, gain, into.near)
        return self._add_sessions(*self._by_thread(rows, spread), into.session)

    def _by_thread(self, rows: _Places, values: Floats) -> tuple[NDArray[np.integer[Any]], Floats]:
        """The threads of some rows, ascending, each with the sum of its rows' values."""
        thread, threads = self._shadow["thread"][rows], self._shadow.threads
        if threads > PICKED_OUT * len(rows):
            found, inverse = np.unique(thread, return_inverse=True)
            return found, np.bincount(inverse, values, len(found)).astype(np.float32)
        held = np.flatnonzero(np.bincount(thread, minlength=threads))
        return held, np.bincount(thread, values, threads)[held].astype(np.float32)

    def _add_all(self, rows: _Places, counts: Floats, gain: np.float32, into: WordCircles) -> float:
        """Add a word that many rows hold by going through all of them; it adds what ``_add_some`` adds.

        Of 10,000 rows that all hold it, this takes a third of the time.
        """
        around, thread = self._around, self._shadow["thread"]
        held = np.zeros(self._shadow.size, np.float32)
        held[rows] = counts
        held /= around.length_norm
        np.add(into.turn, gain * held / (held + K1), out=into.turn)
        spread = held * around.weight
        together = held.copy()
        for share, standing in around.lending:
            together += np.float32(share) * np.where(standing >= 0, spread[standing], np.float32(0))
        np.add(into.near, gain * together / (together + K1), out=into.near)
        holds = np.zeros(self._shadow.threads, np.bool_)
        holds[thread[rows]] = True
        threads = np.flatnonzero(holds)
        summed = np.bincount(thread, spread, self._shadow.threads)[threads].astype(np.float32)
        return self._add_sessions(threads, summed, into.session)

    def _add_sessions(self, threads: NDArray[np.integer[Any]], together: Floats, session: Floats) -> float:
        gain = idf(self._around.live_threads, self._around.holding_threads(threads))
        norm = K1 * self._around.thread_norm[threads]
        session[threads] += np.float32(gain) * together / (together + norm)
        return gain

    def _add_near(self, rows: _Places, held: Floats, spread: Floats, gain: np.float32, near: Floats) -> None:
        scratch = self._scratch
        scratch[rows] = held
        touched: list[NDArray[np.integer[Any]]] = [rows]
        for share, standing in self._around.neighbours:
            there = standing[rows]
            scratch[there] += np.float32(share) * spread
            touched.append(there)
        scratch[-1] = 0
        reached = np.concatenate(touched)
        reached = reached[reached >= 0]
        together = scratch[reached]
        near[reached] = near[reached] + gain * together / (together + K1)
        scratch[reached] = 0


@dataclass(frozen=True, slots=True)
class MeaningCircles:
    """Mean cosine with the question, 0 to 1, per row asked for."""

    turn: Floats
    near: Floats
    session: Floats


def meaning_circles(shadow: Shadow, around: Surroundings, cosine: Floats, rows: Rows) -> MeaningCircles:
    """Meaning of turn, neighbourhood and session for some rows, from all rows' cosines with the query."""
    thread, members = shadow["thread"], around.together(rows)
    cosine = around.continued(cosine, members)
    spoken = cosine * around.weight
    if members is None:
        summed = np.bincount(thread, spoken, shadow.threads)
    else:
        summed = np.bincount(thread[members], spoken[members], shadow.threads)
    session = summed.astype(np.float32)
    session /= np.maximum(around.thread_weight, np.float32(1e-6))
    own = cosine[rows]
    beside = around.gather(spoken, rows)
    near = (own + beside) / (np.float32(1) + around.near_weight(rows))
    return MeaningCircles(*(_clipped(circle) for circle in (own, near, session[thread[rows]])))


def _clipped(values: Floats) -> Floats:
    return np.clip(values, np.float32(0), np.float32(1))


def speaker_signal(shadow: Shadow, rows: Rows, named: Sequence[str]) -> Floats:
    """1 where the speaker is one the question names, else 0."""
    numbers = shadow.names["speaker"].numbers
    return _as_floats(np.isin(shadow["speaker"][rows], [numbers.get(name, -1) for name in named]))


def shape_signal(shadow: Shadow, rows: Rows, wanted: Trait) -> Floats:
    """1 where the memory has a trait that the question looks for, else 0."""
    return _as_floats(shadow["traits"][rows] & int(wanted) != 0)


def time_match_signal(shadow: Shadow, rows: Rows, times: Sequence[tuple[int, int]]) -> Floats:
    """1 where a memory happened within a time the question names, less the further from it.

    Things are often told a little later. So outside of a named time (start and end in microseconds since 1970
    UTC) the signal halves with every quarter of that time's length, or with every day if that is longer.
    """
    happened = shadow["happened"][rows]
    match = np.zeros(len(rows), np.float32)
    for start, end in times:
        away = np.maximum(start - happened, happened - (end - 1)).clip(min=0)
        half = max((end - start) * _HALF_AWAY, _DAY)
        np.maximum(match, np.exp2(-away / half).astype(np.float32), out=match)
    return match


def substance_signal(shadow: Shadow, rows: Rows) -> Floats:
    """How much is said: ``n / (n + 10)`` for ``n`` distinct content words."""
    telling = _as_floats(telling_of(shadow["traits"][rows]))
    return telling / (telling + _HALF_SUBSTANCE)


def statement_signal(shadow: Shadow, rows: Rows) -> Floats:
    """1 unless the memory ends with a question: answers are found in statements."""
    return _as_floats(shadow["traits"][rows] & int(Trait.ASKS) == 0)


def holds_wish(shadow: Shadow, around: Surroundings, rows: Rows) -> NDArray[np.bool_]:
    """In which of some rows a person says what they want from now on: an instruction, or a preference."""
    wishes: NDArray[np.bool_] = shadow["traits"][rows] & int(Trait.WISHES) != 0
    return wishes & ~around.is_assistant[rows]


def answers_nothing(shadow: Shadow, rows: Rows, question: Floats, *, cosine: Floats) -> NDArray[np.bool_]:
    """Which of some rows only ask what is asked now; of what was learned, all that ask.

    Args:
        shadow: The columns.
        rows: The rows.
        question: Its vector.
        cosine: Of every row with the question, about; only rows near it are looked at.
    """
    traits = shadow["traits"][rows]
    asks = traits & int(Trait.ASKS) != 0
    brief = telling_of(traits) <= BARE_QUESTION
    near = rows[asks & brief & (cosine[rows] >= SAME_QUESTION / 2)]
    exact = np.zeros(shadow.size, np.float32)
    shadow.vectors.sharpen(exact, near, question)
    found: NDArray[np.bool_] = (exact[rows] >= SAME_QUESTION) | (asks & is_learned(shadow)[rows])
    return found


def recent_signal(shadow: Shadow, around: Surroundings, rows: Rows) -> Floats:
    """1 in the session that ended last, half as much with every ``HALF_RECENT`` that ended later."""
    recent: Floats = np.exp2(-around.sessions_since[shadow["thread"][rows]] / HALF_RECENT)
    return recent


def usefulness_signal(shadow: Shadow, rows: Rows) -> Floats:
    """What feedback said: 0.5 without any, towards 1 when useful, towards 0 when not."""
    useful, unhelpful = _as_floats(shadow["useful"][rows]), _as_floats(shadow["unhelpful"][rows])
    return np.float32(0.5) + (useful - unhelpful) / (np.float32(2) * (useful + unhelpful + np.float32(1)))


def _as_floats(values: NDArray[Any]) -> Floats:
    return values.astype(np.float32)

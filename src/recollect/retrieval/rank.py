"""Ranks the memories of a shadow for a question: the default scoring, and what every scoring ranks with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_share
from recollect.retrieval.question import Question
from recollect.retrieval.score import RECENT, ROLE, AnyFloats, Extra, Scored, default_score, weights_for
from recollect.retrieval.shadow import Shadow
from recollect.retrieval.signals import (
    MeaningCircles,
    WordCircles,
    WordSearch,
    answers_nothing,
    holds_wish,
    meaning_circles,
    recent_signal,
    shape_signal,
    speaker_signal,
    statement_signal,
    substance_signal,
    time_match_signal,
    usefulness_signal,
)
from recollect.retrieval.surroundings import ASSISTANT_WEIGHT, Surroundings
from recollect.retrieval.twins import Twins
from recollect.types import Recollection

if TYPE_CHECKING:
    from recollect.retrieval.graph.signal import ConceptSignal

DOCUMENT: Final = "document"
"""The kind of documents: they are ranked by statistics of their own."""
ALL_ROWS: Final = 32_768
"""With at most this many memories each one gets every signal. Chosen by hand."""
CANDIDATES: Final = 2_048
"""Memories of a larger scope that get every signal. Chosen by hand: 200 times the usual ``top_k``."""

ASKED_WEIGHT: Final = np.float32(0.25)
"""What a memory counts that only asks what is asked now. Chosen by hand: an answer with half of the
question's words comes before it."""
WISH_WEIGHT: Final = np.float32(1.25)
"""What an instruction or a preference of the user counts where an assistant is asked for something new: the
answer should heed it. From 1.2 to 1.3 little changes on BEAM and RealMem."""
_SAMPLE_STEP: Final = 64
"""One value in so many is looked at to find the bound of the largest. Chosen by hand."""

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scored rows, best first; rows of equal score are in the order of their ids.

    Attributes:
        rows: ``int32`` rows of the shadow.
        scored: Their scores and terms, in the same order.
        usual: The median of each signal over all rows that were ranked, where the scoring looked.
    """

    rows: Rows
    scored: Scored
    usual: Mapping[str, float] = field(default_factory=dict)


class DefaultScoring:
    """Recollect's own score: words and meaning of turn, neighbourhood and session (``retrieval.score``).

    Args:
        concepts: What the concept graph weighs (``retrieval.graph``), 0 to 1; 0 leaves it out. 0.03 finds
            more of what questions over several memories need, and a little less of the rest; so it is off.
        language: ISO 639-1, of the questions' concepts.

    Raises:
        InvalidInputError: ``concepts`` is out of range, or the language is unknown.
    """

    candidates: int | None = None

    def __init__(self, *, concepts: float = 0.0, language: str = "en") -> None:
        self._weight = check_share("concepts", concepts)
        self._concepts = _concept_signal(language) if self._weight else None

    def rank(
        self,
        ranker: "Ranker",
        question: Question,
        mask: NDArray[np.bool_],
        *,
        limit: int,
        also: int | None = None,
    ) -> Ranking:
        """See ``scoring.Scoring``."""
        return ranker.rank(question, mask, limit=limit, also=also, extra=self._extra(ranker, question))

    def weigh(self, question: Question, found: Sequence[Recollection]) -> Sequence[Recollection]:  # noqa: ARG002
        """The recollections as they are."""
        return found

    def _extra(self, ranker: "Ranker", question: Question) -> Extra | None:
        if self._concepts is None:
            return None
        values = self._concepts.measure(ranker.shadow, question)
        from recollect.retrieval.graph.signal import CONCEPTS

        return Extra(name=CONCEPTS, weight=self._weight, values=values)


def _concept_signal(language: str) -> "ConceptSignal":
    from recollect.retrieval.graph.signal import ConceptSignal

    return ConceptSignal(language=language)


class Ranker:
    """Everything about one version of a shadow that does not depend on the question.

    Args:
        shadow: The columns.
        names: Speakers by the stems of their names.
        total: How many memories there are, when the columns hold only some of them.
        member: ``bool`` per row: which rows are ranked, by statistics of their own; None for all.
    """

    def __init__(
        self,
        shadow: Shadow,
        *,
        names: Mapping[str, Sequence[str]],
        total: int | None = None,
        member: NDArray[np.bool_] | None = None,
    ) -> None:
        self.shadow = shadow
        self.member = member
        self.expires = bool((shadow["valid_until"] < np.iinfo(np.int64).max).any())
        self.has_archived = "archived" in shadow.names["tier"].numbers
        self._names = names
        self._total = total

    @cached_property
    def parts(self) -> tuple["Ranker", ...]:
        """The rankers of the rows: this one, or with documents one for messages and one for documents."""
        number = self.shadow.names["kind"].numbers.get(DOCUMENT, -1)
        written = self.shadow["kind"] == number
        if not (written & self.shadow["alive"]).any():
            return (self,)
        total = None if self._total is None else max(self._total - int(np.count_nonzero(written)), 1)
        return (
            Ranker(self.shadow, names=self._names, total=total, member=~written),
            Ranker(self.shadow, names=self._names, member=written),
        )

    @cached_property
    def _around(self) -> Surroundings:
        return Surroundings(self.shadow, total=self._total, member=self.member)

    @cached_property
    def twins(self) -> Twins:
        """The memories that may repeat another word for word."""
        return self.shadow.twins()

    @cached_property
    def _words(self) -> WordSearch:
        return WordSearch(self.shadow, self._around)

    def rank(
        self,
        question: Question,
        mask: NDArray[np.bool_],
        *,
        limit: int,
        also: int | None = None,
        extra: Extra | None = None,
    ) -> Ranking:
        """The best ``limit`` rows of those that ``mask`` (``bool`` per row) allows.

        ``also`` is a row that is ranked in any case if the mask allows it, ``extra`` a signal besides the
        default.
        """
        shadow = self.shadow
        small = shadow.size <= ALL_ROWS
        vector = self._around.apart(question.vector)
        weights = weights_for(len(question.stems), chat=self._halves_assistant(question))
        cosine = shadow.vectors.rough(vector)
        words = self._words.circles(question.stems, skip_common=not small)
        if small:
            chosen = np.flatnonzero(mask)
        else:
            promise = self._promise(question, words, cosine, weights)
            if extra is not None:
                promise += np.float32(extra.weight) * extra.values
            np.copyto(promise, -np.inf, where=~mask)
            best = _largest(promise, max(CANDIDATES, 2 * limit))
            chosen = np.sort(best[promise[best] > -np.inf])
        if also is not None and mask[also]:
            chosen = np.union1d(chosen, [also])
        rows = chosen.astype(np.int32)
        if shadow.vectors.is_rough:
            shadow.vectors.sharpen(cosine, self._around.with_neighbours(rows), vector)
        again = answers_nothing(shadow, rows, question.vector, cosine=cosine) if question.asks else None
        meaning = meaning_circles(shadow, self._around, cosine, rows)
        signals = self._signals(question, rows, words, meaning)
        if again is not None:
            signals[ROLE] = np.where(again, ASKED_WEIGHT, signals[ROLE])
        if RECENT in weights:
            signals[RECENT] = recent_signal(shadow, self._around, rows)
        if extra is not None:
            signals[extra.name] = extra.values[rows]
        scored = default_score(signals, weights=weights, extra=extra)
        return self._ranking(rows, scored, limit)

    def nearest(
        self, question: Question, mask: NDArray[np.bool_], *, limit: int, also: int | None = None
    ) -> Ranking:
        """As ``rank``, by meaning alone: one signal, ``vector``, the cosine, 0 to 1."""
        cosine = self.shadow.vectors.rough(question.vector)
        allowed = np.where(mask, cosine, -np.inf).astype(np.float32)
        best = _largest(allowed, max(CANDIDATES, 2 * limit))
        rows = np.sort(best[allowed[best] > -np.inf]).astype(np.int32)
        if also is not None and mask[also]:
            rows = np.union1d(rows, [also]).astype(np.int32)
        if self.shadow.vectors.is_rough:
            self.shadow.vectors.sharpen(cosine, rows, question.vector)
        vector = np.clip(cosine[rows], np.float32(0), np.float32(1))
        scored = Scored(score=vector, signals={"vector": vector}, terms={"vector": vector})
        order = self.best(rows, vector, limit)
        if also is not None and mask[also] and also not in rows[order]:
            order = np.append(order, np.flatnonzero(rows == also))
        return Ranking(rows=rows[order], scored=_taken(scored, order))

    def _promise(
        self, question: Question, words: WordCircles, cosine: Floats, weights: Mapping[str, float]
    ) -> Floats:
        """A first score of every row: its words, its session and its own meaning."""
        promise = words.turn + words.near
        promise += words.session[self.shadow["thread"]]
        promise *= np.float32(weights["words"])
        promise += np.float32(3 * weights["meaning"]) * cosine
        if self._halves_assistant(question):
            promise *= self._around.weight
        return promise

    def _signals(
        self, question: Question, rows: Rows, words: WordCircles, meaning: MeaningCircles
    ) -> dict[str, Floats]:
        shadow, around = self.shadow, self._around
        signals = {
            "words": words.turn[rows],
            "words_near": words.near[rows],
            "words_session": words.session[shadow["thread"][rows]],
            "meaning": meaning.turn,
            "meaning_near": meaning.near,
            "meaning_session": meaning.session,
            "substance": substance_signal(shadow, rows),
            "usefulness": usefulness_signal(shadow, rows),
            ROLE: self._role(question, rows),
        }
        if named := question.named(self._names):
            signals["speaker"] = speaker_signal(shadow, rows, named)
        wish = question.wish
        if question.times:
            signals["time_match"] = time_match_signal(shadow, rows, question.times)
        if wish.traits:
            signals["shape"] = shape_signal(shadow, rows, wish.traits)
        if not around.has_assistant:
            signals["statement"] = statement_signal(shadow, rows)
        return signals

    def _role(self, question: Question, rows: Rows) -> Floats:
        """The weight of a row's words: a half for an assistant's, unless the question asks for them.

        A wish of the user counts more where it asks for something new.
        """
        if not self._halves_assistant(question):
            return np.ones(len(rows), np.float32)
        role = np.where(self._around.is_assistant[rows], np.float32(ASSISTANT_WEIGHT), np.float32(1))
        if question.wish.advice:
            role[holds_wish(self.shadow, self._around, rows)] = WISH_WEIGHT
        return role

    def _halves_assistant(self, question: Question) -> bool:
        return self._around.two_roles and not question.wish.assistant

    def _ranking(self, rows: Rows, scored: Scored, limit: int) -> Ranking:
        order = self.best(rows, scored.score, limit)
        return Ranking(rows=rows[order], scored=_taken(scored, order))

    def chosen(
        self, rows: Rows, score: AnyFloats, mask: NDArray[np.bool_], *, limit: int, also: int | None
    ) -> Rows:
        """The best of some rows, as ``best`` orders them, then ``also``, if the mask lets it pass."""
        found = rows[self.best(rows, score, limit)]
        if also is not None and mask[also] and also not in found:
            found = np.append(found, np.int32(also))
        return found

    def best(self, rows: Rows, score: AnyFloats, limit: int) -> NDArray[np.int64]:
        """The places of the best of some rows, highest score first; equal ones in the order of their ids."""
        kept = _promising(score, limit)
        if len(kept) > limit:
            least = np.partition(score[kept], -limit)[-limit]
            kept = kept[score[kept] >= least]
        order = kept[np.argsort(-score[kept])]
        tied = _tied(score[order])
        equal = order[tied]
        order[tied] = equal[np.lexsort((self.shadow["ids"][rows[equal]], -score[equal]))]
        return order[:limit]


def merged(shadow: Shadow, rankings: Sequence[Ranking], *, limit: int) -> Ranking:
    """Rankings of different rows as one; a signal that one of them lacks is 0 there."""
    if len(rankings) == 1:
        return rankings[0]
    rows = np.concatenate([one.rows for one in rankings])
    score = np.concatenate([one.scored.score for one in rankings])
    order = np.lexsort((shadow["ids"][rows], -score))[:limit]
    columns = [
        {
            name: np.concatenate([values.get(name, np.zeros(size, np.float32)) for values, size in parts])
            for name in dict.fromkeys(name for values, _ in parts for name in values)
        }
        for parts in (
            [(one.scored.signals, len(one.rows)) for one in rankings],
            [(one.scored.terms, len(one.rows)) for one in rankings],
        )
    ]
    scored = Scored(score=score, signals=columns[0], terms=columns[1])
    return Ranking(rows=rows[order], scored=_taken(scored, order), usual=rankings[0].usual)


def _tied(ordered: AnyFloats) -> NDArray[np.intp]:
    """The places of values that equal the one before or after."""
    same = ordered[1:] == ordered[:-1]
    return np.flatnonzero(np.append(same, False) | np.append(False, same))


def _taken(scored: Scored, places: NDArray[np.int64]) -> Scored:
    return Scored(
        score=scored.score[places],
        signals={name: values[places] for name, values in scored.signals.items()},
        terms={name: values[places] for name, values in scored.terms.items()},
    )


def _largest(values: Floats, count: int) -> NDArray[np.int64]:
    """The places of the ``count`` largest values, in no stated order."""
    promising = _promising(values, count)
    if len(promising) <= count:
        return promising
    return promising[np.argpartition(values[promising], -count)[-count:]]


def _promising(values: Floats, count: int) -> NDArray[np.int64]:
    """The places of the ``count`` largest values, and some others, in ascending order.

    A sample gives a bound, so that only a few thousand values need to be partitioned.
    """
    if len(values) <= count:
        return np.arange(len(values))
    sample = values[::_SAMPLE_STEP]
    place = min(len(sample), 2 * count // _SAMPLE_STEP + 1)
    bound = np.partition(sample, -place)[-place]
    promising = np.flatnonzero(values >= bound)
    return promising if len(promising) >= count else np.arange(len(values))

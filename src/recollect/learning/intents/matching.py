"""How well words fit what was learned: meaning and words compared, every pattern weighed.

Two texts are as alike as 0.7 times the cosine of their vectors and 0.3 times the cosine of their
stems, each stem weighed by how rare it is among the patterns. Each intent gets votes by kernel ridge
regression on that likeness: it predicts 1 for the intent's own patterns and 0 for the others', and
so sees past what all requests have in common. At 12 examples per intent that is 19 points of
accuracy more than the mean of the three most alike patterns of each intent, and 3 more than the mean
of all of them after centring (development half of ``benchmarks/intents.py``).

What texts of every kind share says nothing of them. A text of function words alone ("what is it") is
like no pattern, unless it was learned itself. One whose other words stand in no pattern is as like them in
meaning as the mean of two cosines: its own, and that of its telling words alone. Out of scope, 8 points
more are found out so after one example, and 2 after five; the best guess stays as good, and 3 points and 1
point fewer are answered rightly. A denial is no more than a word: "don't remind me" is like "remind me".

Votes grow with the number of patterns and with the embedder's cosines. So they are compared with
the usual vote, what the patterns themselves would get if they were new: the score is
``votes / (votes + usual)``, 1/2 for what fits as well as is usual.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.learning.intents.patterns import IntentPattern, key_of
from recollect.protocols import Embedder
from recollect.text.analyse import Analyser
from recollect.text.analyse import words as words_of

MEANING_WEIGHT: Final = 0.7
"""The spec's hybrid ("vector similarity 70%, tag overlap 30%"); 0.5 costs two or three points."""
FIRST_VOTE: Final = 0.06
"""What the regression gives a new text of the right intent after one example each (development half)."""

_LEFT_OUT: Final = 64
"""Patterns left out in turn to learn what votes are usual; more change little. Chosen by hand."""

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fit:
    """How a text fits.

    Attributes:
        scores: Every intent's score, 0 to 1, best first; equal ones by name.
        likeness: ``float32`` of shape ``(n,)``: how alike the text and each pattern are, -0.7 to 1.
        exact: Whether the words were learned themselves.
    """

    scores: dict[str, float]
    likeness: Vector
    exact: bool


class Matcher:
    """Patterns, ready to be compared with."""

    def __init__(
        self,
        patterns: Sequence[IntentPattern],
        *,
        embedder: Embedder,
        analyser: Analyser,
        known: Mapping[str, Vector],
    ) -> None:
        self.patterns: Final = tuple(patterns)
        self._embedder = embedder
        self._analyser = analyser
        self.vectors: Final = _vectors([pattern.text for pattern in patterns], embedder, known)
        self._words = _Words([analyser.stems(pattern.text) for pattern in patterns])
        self._by_key: dict[str, list[IntentPattern]] = defaultdict(list)
        for pattern in patterns:
            self._by_key[key_of(pattern.text, analyser)].append(pattern)
        self._confidences = np.array([pattern.confidence for pattern in patterns], np.float32)
        self._intents = sorted({pattern.intent for pattern in patterns})
        self._places = np.array([self._intents.index(pattern.intent) for pattern in patterns], np.intp)
        self._meanings = np.array([self.vectors[pattern.text] for pattern in patterns], np.float32)
        self._votes, self._usual = self._solved() if patterns else (np.zeros((0, 0), np.float32), 1.0)

    def fit(self, text: str) -> Fit:
        """How a text fits each intent.

        Words known exactly have been judged themselves: their intent scores their pattern's confidence,
        and what is left of it scales the others. Of several patterns the most trusted counts, among
        equals the last learned. New words score at most what the pattern that decides would for its own.
        """
        likeness = self._likeness(text)
        votes = np.maximum(likeness @ self._votes, 0)
        scores = np.minimum(votes / (votes + self._usual), self._caps(likeness))
        same = self._same_words(text)
        if same:
            trusted = max(reversed(same), key=lambda pattern: pattern.confidence)
            own = np.array([intent == trusted.intent for intent in self._intents])
            scores = np.where(own, trusted.confidence, (1 - trusted.confidence) * scores)
        ranked = sorted(
            zip(self._intents, scores.tolist(), votes.tolist(), strict=True),
            key=lambda one: (-one[1], -one[2]),
        )
        return Fit({intent: score for intent, score, _ in ranked}, likeness, exact=bool(same))

    def closest(self, text: str, intent: str, fit: Fit) -> IntentPattern | None:
        """The pattern of an intent that decides: of the same words, else the one that speaks loudest.

        None when none has anything in common with the text.
        """
        same = [pattern for pattern in self._same_words(text) if pattern.intent == intent]
        if same:
            return same[-1]
        places = [place for place, pattern in enumerate(self.patterns) if pattern.intent == intent]
        voices = fit.likeness[places] * self._confidences[places]
        loudest = int(np.argmax(voices)) if places else 0
        return self.patterns[places[loudest]] if places and voices[loudest] > 0 else None

    def _caps(self, likeness: Vector) -> Vector:
        """The confidence of the pattern of each intent that speaks loudest; shape ``(intents,)``."""
        caps = np.zeros(len(self._intents), np.float32)
        loudest = np.argsort(likeness * self._confidences, kind="stable")
        caps[self._places[loudest]] = self._confidences[loudest]  # of several, the last one stays
        return caps

    def _same_words(self, text: str) -> list[IntentPattern]:
        return self._by_key.get(key_of(text, self._analyser), [])

    def _likeness(self, text: str) -> Vector:
        (analysis,) = self._analyser.analyse([text])
        if not self.patterns or not analysis.telling:
            return np.zeros(len(self.patterns), np.float32)
        meaning = self._meanings @ self._embedder.embed_query(text)
        if not self._words.hold_any(self._analyser.query_stems(text)):
            meaning = (meaning + self._meanings @ self._embedder.embed_query(self._telling(text))) / 2
        words = self._words.cosines(self._analyser.stems(text))
        likeness: Vector = MEANING_WEIGHT * meaning + (1 - MEANING_WEIGHT) * words
        return likeness

    def _telling(self, text: str) -> str:
        """The words of a text that are no function words, in their order."""
        cut = words_of(text)
        telling = [word for word, one in zip(cut, self._analyser.analyse(cut), strict=True) if one.telling]
        return " ".join(telling)

    def _solved(self) -> tuple[Vector, float]:
        """Each pattern's say in each intent, ``float32`` of shape ``(n, intents)``, and the usual vote.

        The usual vote is what an intent's patterns get from its others: what is left of the wanted 1
        when a pattern is left out is its say divided by its entry on the inverse's diagonal
        (Rasmussen and Williams 2006, eq. 5.12). With ``m`` patterns, ``m - 1`` of them voted.
        """
        alike = MEANING_WEIGHT * self._meanings @ self._meanings.T
        alike += np.float32(1 - MEANING_WEIGHT) * self._words.gram()
        alike[np.diag_indices_from(alike)] += doubt(self._confidences)
        places = self._places
        left_out = np.unique(np.linspace(0, len(places) - 1, _LEFT_OUT).astype(np.intp))
        wanted = np.eye(len(self._intents), dtype=np.float32)[places]
        units = np.eye(len(places), dtype=np.float32)[:, left_out]
        votes, inverse = np.hsplit(np.linalg.solve(alike, np.hstack([wanted, units])), [len(self._intents)])
        says = votes[left_out, places[left_out]] / inverse[left_out, np.arange(len(left_out))]
        return votes, _usual(1 - says, np.bincount(places)[places[left_out]])


def doubt(confidence: Vector) -> Vector:
    """How freely the regression may pass each pattern over: its ridge, 1 or more.

    1 over the square of the confidence, so that failures tell: 2.25 when just learned, 4 after one
    failure, 9 after three, towards 1 for one that is always right. Accuracy is flat from 1 to 8.

    >>> doubt(np.array([2 / 3, 1 / 2], np.float32)).round(3).tolist()
    [2.25, 4.0]
    """
    ridge: Vector = np.reciprocal(np.square(confidence))
    return ridge


def _usual(votes: Vector, counts: NDArray[np.intp]) -> float:
    """The mean vote, each got from one pattern less than the intent has: scaled up to all of them."""
    several = counts > 1
    scaled = np.maximum(votes, 0)[several] * counts[several] / (counts[several] - 1)
    return max(FIRST_VOTE, float(scaled.mean())) if len(scaled) else FIRST_VOTE


def _vectors(texts: Sequence[str], embedder: Embedder, known: Mapping[str, Vector]) -> dict[str, Vector]:
    new = [text for text in dict.fromkeys(texts) if text not in known]
    made = dict(zip(new, embedder.embed_documents(new), strict=True)) if new else {}
    return {text: made[text] if text in made else known[text] for text in texts}


class _Words:
    """The stems of all patterns; each text is a vector of unit length, one dimension per stem."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        rows: dict[str, list[int]] = defaultdict(list)
        for row, stems in enumerate(texts):
            for stem in dict.fromkeys(stems):
                rows[stem].append(row)
        self._rows = {stem: np.array(found, np.intp) for stem, found in rows.items()}
        self._rarity = {stem: _rarity(len(found), len(texts)) for stem, found in rows.items()}
        self._unseen = _rarity(0, len(texts))
        self._lengths = np.array([self._length(stems) for stems in texts], np.float32)

    def hold_any(self, stems: Sequence[str]) -> bool:
        """Whether a pattern holds one of these stems."""
        return not self._rows.keys().isdisjoint(stems)

    def cosines(self, stems: Sequence[str]) -> Vector:
        """The cosine of a text with each pattern, ``float32`` of shape ``(n,)``, 0 to 1."""
        shared = np.zeros_like(self._lengths)
        for stem in dict.fromkeys(stems):
            if stem in self._rows:
                shared[self._rows[stem]] += self._rarity[stem] ** 2
        cosines: Vector = shared / (self._lengths * np.float32(self._length(stems)))
        return cosines

    def gram(self) -> Vector:
        """The cosine of each pattern with each other, ``float32`` of shape ``(n, n)``."""
        shared = [stem for stem, rows in self._rows.items() if len(rows) > 1]
        columns = np.zeros((len(self._lengths), len(shared)), np.float32)
        for column, stem in enumerate(shared):
            columns[self._rows[stem], column] = self._rarity[stem]
        columns /= self._lengths[:, None]
        gram: Vector = columns @ columns.T
        np.fill_diagonal(gram, 1)
        return gram

    def _length(self, stems: Sequence[str]) -> float:
        squares = [self._rarity.get(stem, self._unseen) ** 2 for stem in dict.fromkeys(stems)]
        return math.sqrt(sum(squares)) or 1.0


def _rarity(holding: int, count: int) -> float:
    """Inverse document frequency over the patterns: what all of them hold still counts, ln 2.

    >>> _rarity(10, 10) == math.log(2)
    True
    """
    return math.log1p((count + 0.5) / (holding + 0.5))

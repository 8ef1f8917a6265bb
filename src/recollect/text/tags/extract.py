"""The scorers, behind one function."""

import math
import numbers
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from recollect.errors import InvalidInputError, as_given
from recollect.text.analyse import Analyser
from recollect.text.tags.compare import check_max_tags
from recollect.text.tags.vocabulary import BREAK, Word, words_of
from recollect.types import Tag

Algorithm = Literal["auto", "tfidf", "rake", "basic"]
"""How tags are found; ``auto`` takes RAKE for short texts and TF-IDF for longer ones."""

_ALGORITHMS: Final[Mapping[str, Algorithm]] = {name: name for name in get_args(Algorithm)}

RAKE_WORDS: Final = 60
"""``auto`` takes RAKE for texts with fewer words that can be tags, some 900 characters. Chosen by hand: with
turns ranked by ``tag_overlap`` alone, 30 and 150 do as well on LoCoMo and BEAM; 20 finds fewer answers."""
MAX_PHRASE: Final = 4
"""Words of a tag. A longer run without a stop word is a list of words rather than a phrase, and each
word of it stands alone. Chosen by hand."""
_NUMBERS: Final = (float, int, numbers.Real)
"""The commonest first: an abstract class is slow to ask."""
_DIGITS: Final = 3
"""Of a confidence; more would only fill the store."""
_MANY: Final = 4
"""Times as many candidates as tags, from which on those that cannot be among them are left out before they
are rounded and sorted. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """How common words are among the texts a new one is compared with.

    Attributes:
        documents: How many texts there are.
        frequencies: How many of them hold a word, by ``hash_term`` of its stem; rare words may be missing.
    """

    documents: int = 0
    frequencies: Mapping[int, int] = field(default_factory=dict)
    _rarities: dict[Word, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def rarities(self, found: Iterable[Word]) -> dict[Word, float]:
        """The idf of words, which is worked out once for all texts; others may be there, too."""
        known = self._rarities
        for word in found:
            if word not in known:
                known[word] = self.idf(word.terms)
        return known

    def idf(self, terms: Sequence[int]) -> float:
        """How rare a word is: ln((1 + documents) / (1 + frequency)) + 1, at least 1.

        A word of several stems is as rare as the rarest of them. In an empty corpus every word has 1.

        >>> round(Corpus(documents=9, frequencies={7: 4}).idf([7]), 3)
        1.693
        """
        known = self.frequencies.get
        frequency = (
            known(terms[0], 0) if len(terms) == 1 else min([known(term, 0) for term in terms], default=0)
        )
        return math.log((1 + self.documents) / (1 + frequency)) + 1 if frequency < self.documents else 1.0


EMPTY: Final = Corpus()
"""No texts: every word is as rare as any other."""

_Weights: TypeAlias = Mapping[str, float]
"""How much each candidate weighs, by its spelling."""


def extract_tags(
    text: str,
    *,
    analyser: Analyser,
    algorithm: Algorithm = "auto",
    max_tags: int = 10,
    min_confidence: float = 0.0,
    corpus: Corpus = EMPTY,
) -> tuple[Tag, ...]:
    """The tags of a text, highest confidence first, ties in alphabetical order.

    A confidence is the cosine between the tag and the text, both as vectors of weights: w / |w|, rounded
    to three digits. It is 1 for the only word of a text and 1 / sqrt(n) for each of n equal ones, whatever
    the algorithm, and the squares of all candidates' confidences sum up to 1. The weight of a word is its
    count times its idf. That of a phrase is the root of its RAKE score, the sum of degree / frequency * idf
    squared over its words (Rose et al. 2010; the idf is ours): k words that occur only there weigh k idf.

    Args:
        text: Any text; without a word that can be a tag (emoji, stop words, numbers) there are none. Writing
            from right to left is like any other. The first 20,000 characters are read.
        analyser: Whose language and stems are used.
        algorithm: ``basic`` counts words; ``tfidf`` does so by the corpus; ``rake`` finds phrases. In
            any case: "RAKE" is ``rake``.
        max_tags: At most so many, at least 1.
        min_confidence: Tags below it are left out, 0 to 1.
        corpus: How common words are; in an empty one each has an idf of 1, and ``tfidf`` is ``basic``.

    >>> def show(text, **rules):
    ...     tags = extract_tags(text, analyser=Analyser(), **rules)
    ...     return {tag.text: tag.confidence for tag in tags}
    >>> show("She reads about machine learning with the cats")
    {'machine learning': 0.816, 'cats': 0.408, 'reads': 0.408}
    >>> show("Cats and dogs; cats and a cat", algorithm="basic")
    {'cats': 0.949, 'dogs': 0.316}

    Raises:
        InvalidInputError: The text is none, the algorithm is unknown or a number is out of its range.
    """
    algorithm = _check(text, algorithm, max_tags, min_confidence)
    found = words_of(text, analyser)
    if algorithm == "rake" or (algorithm == "auto" and _is_short(found)):
        weights = _rake(_phrases(found), corpus)
    else:
        telling = [word for word in found if word.alone]
        weights = _counts(telling, EMPTY if algorithm == "basic" else corpus)
    return _tags(weights, max_tags=max_tags, min_confidence=min_confidence)


def _check(text: object, algorithm: object, max_tags: object, min_confidence: object) -> Algorithm:
    """The algorithm in lower case, when all of these can be used."""
    if not isinstance(text, str):
        raise InvalidInputError(f"text must be a string, not {type(text).__name__}")
    check_max_tags(max_tags)
    if not isinstance(min_confidence, _NUMBERS) or not 0 <= float(min_confidence) <= 1:
        raise InvalidInputError(f"min_confidence is {as_given(min_confidence)}; it is a number from 0 to 1")
    known = _ALGORITHMS.get(algorithm.lower()) if isinstance(algorithm, str) else None
    if known is None:
        raise InvalidInputError(
            f"unknown algorithm {as_given(algorithm)}; known are {', '.join(_ALGORITHMS)}"
        )
    return known


def _is_short(found: Sequence[Word]) -> bool:
    return len(found) < RAKE_WORDS or sum([word.alone for word in found]) < RAKE_WORDS


def _counts(telling: Sequence[Word], corpus: Corpus) -> _Weights:
    """How often each word occurs, times how rare it is in the corpus."""
    counted = Counter(telling)
    totals: dict[str, float] = dict.fromkeys([word.key for word in counted], 0)
    for word, count in counted.items():
        totals[word.key] += count
    if corpus.documents:
        rarity = corpus.rarities(counted)
        totals = {word.key: totals[word.key] * rarity[word] for word in counted}
    return _spelt([(word.key, word.shown, count) for word, count in counted.items()], totals)


def _phrases(found: Sequence[Word]) -> list[tuple[Word, ...]]:
    """The runs of words between breaks, in order; too long ones word by word."""
    phrases: list[tuple[Word, ...]] = []
    run: list[Word] = []
    telling = False
    for word in [*found, BREAK]:
        if word is not BREAK:
            run.append(word)
            telling = telling or word.alone
        elif run:
            if telling:
                phrases += [tuple(run)] if len(run) <= MAX_PHRASE else [(each,) for each in run if each.alone]
            run, telling = [], False
    return phrases


def _rake(phrases: Sequence[tuple[Word, ...]], corpus: Corpus) -> _Weights:
    """The root of each phrase's RAKE score."""
    if (weights_of_once := _rake_of_once(phrases, corpus)) is not None:
        return weights_of_once
    scores = _word_scores(phrases, corpus)
    weights: dict[str, float] = {}
    forms = []
    for phrase, count in Counter(phrases).items():
        if len(phrase) == 1:
            (word,) = phrase
            key, shown, score = word.key, word.shown, scores[word.key]
        else:
            key, shown = " ".join([word.key for word in phrase]), " ".join([word.shown for word in phrase])
            score = sum([scores[word.key] for word in phrase])
        weights[key] = math.sqrt(score)
        forms.append((key, shown, count))
    return _spelt(forms, weights)


def _rake_of_once(phrases: Sequence[tuple[Word, ...]], corpus: Corpus) -> _Weights | None:
    """The same of a text that holds each word once, as most short ones do; None of any other.

    The degree of a word is the length of its phrase then, and its frequency 1.
    """
    keys = [word.key for phrase in phrases for word in phrase]
    if len(set(keys)) < len(keys) or " ".join(keys).count(" ") >= len(keys):
        return None  # a word of several stems may be known by the key of a phrase
    rarity = corpus.rarities([word for phrase in phrases for word in phrase]) if corpus.documents else None
    weights: dict[str, float] = {}
    for phrase in phrases:
        length = float(len(phrase))
        scores = [length if rarity is None else length * rarity[word] ** 2 for word in phrase]
        if len(phrase) == 1:
            weights[phrase[0].shown] = math.sqrt(scores[0])
        else:
            weights[" ".join([word.shown for word in phrase])] = math.sqrt(sum(scores))
    return weights


def _word_scores(phrases: Sequence[tuple[Word, ...]], corpus: Corpus) -> dict[str, float]:
    """Degree / frequency of each word, times the square of its idf: alone it weighs its idf, as in TF-IDF.

    A word's degree is the summed length of the phrases it stands in, once for each time it stands there.
    """
    degrees: dict[str, int] = {}
    frequencies: dict[str, int] = {}
    words: dict[str, Word] = {}
    for phrase in phrases:
        length = len(phrase)
        for word in phrase:
            key = word.key
            if key in words:
                degrees[key] += length
                frequencies[key] += 1
            else:
                degrees[key], frequencies[key], words[key] = length, 1, word
    if not corpus.documents:
        return {key: degree / frequencies[key] for key, degree in degrees.items()}
    rarity = corpus.rarities(words.values())
    return {key: degree / frequencies[key] * rarity[words[key]] ** 2 for key, degree in degrees.items()}


def _spelt(forms: Sequence[tuple[str, str, int]], weights: _Weights) -> _Weights:
    """The weights by the most frequent spelling of each key, the first of equally frequent ones."""
    if len(forms) == len(weights):
        return {shown: weights[key] for key, shown, _ in forms}
    most: dict[str, tuple[int, str]] = {}
    for key, shown, count in forms:
        if key not in most or count > most[key][0]:
            most[key] = (count, shown)
    return {shown: weights[key] for key, (_, shown) in most.items()}


def _tags(weights: _Weights, *, max_tags: int, min_confidence: float) -> tuple[Tag, ...]:
    length = math.hypot(*weights.values())
    if len(weights) > _MANY * max_tags:
        least = sorted(weights.values())[-max_tags] - length * 2 * 10**-_DIGITS
        weights = {shown: weight for shown, weight in weights.items() if weight >= least}
    ranked = sorted([(-round(weight / length, _DIGITS), shown) for shown, weight in weights.items()])[
        :max_tags
    ]
    return tuple([Tag(text=shown, confidence=-minus) for minus, shown in ranked if -minus >= min_confidence])

"""How likely a message makes an earlier statement of the same person out of date: a small trained model.

The first part weighs the words, the word pairs and the sentence vector of the message: does it sound like a
change? The second finds the statement that is meant: how near is it to the message, beside other statements
of the person and beside ordinary ones? ``scripts/build_judge.py`` trains both on messages that were written
for it and on public dialogue, nothing of a benchmark among them. It knows English.

=============================== ======================================== ===========
message                         earlier statement                        probability
=============================== ======================================== ===========
"me and Jess broke up"          "my girlfriend Jess is a nurse"          high
"Jess got a new job!"           "my girlfriend Jess is a nurse"          middling
"should I break up with Jess?"  "my girlfriend Jess is a nurse"          low
"me and Jess broke up"          "I rent a flat in Leeds"                 low
=============================== ======================================== ===========
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.contextual import ContextualEmbedder
from recollect.embedders.vectors import unit_rows
from recollect.learning.reconcile.doubts import doubt_of

_SMALLEST: Final = 1e-9
FILE: Final = Path(__file__).with_name("judge.npz")
_Floats = NDArray[np.float32]
_TOKEN: Final = re.compile(r"[\w']+|[?!]")
_WEIGHED: Final = 3.0
"""How much words count beside the sentence vector; by cross-validation over the authors."""
_ALIKE: Final = -0.5
"""Log odds of the words alone below which 10 of 100 changes lie, and 84 of 100 lines of chat."""
_TELLING: Final = 3.5
"""Inverse document frequency from which a word tells what a statement is about: one message in twelve."""
_MOST_SHARED: Final = 12.0
"""Shared information, in nats, above which more does not count. Chosen by hand."""
_ORDINARY: Final = 0.95
"""Share of the ordinary statements that are less near than the one which a statement must beat, by a tenth.
Chosen by hand."""
_MOST_POINTS: Final = 6
"""Points of a rule above which more do not count. Chosen by hand."""
_ENGLISH: Final = 0.6
"""Share of known words that 95 of 100 messages of the authors reach. Chosen by hand."""
_CONTEXTUAL: Final = 256
"""The first dimensions of a vector depend on the order of words, the others do not."""


class Judge(NamedTuple):
    """The trained weights.

    Attributes:
        words: Of each word and word pair of the message: its inverse document frequency and its weight.
        idf: The inverse document frequencies alone.
        message: Of the message's sentence vector, ``float32`` of shape ``(352,)``.
        bias: What is added to both; together the log odds that the message tells of a change.
        mean: Of sentence vectors, shape ``(256,)``.
        ordinary: Those of ordinary statements without the mean, at unit length, ``(count, 256)``.
        pair: Of ``pair_features``, the bias last.
    """

    words: Mapping[str, tuple[float, float]]
    idf: Mapping[str, float]
    message: _Floats
    bias: float
    mean: _Floats
    ordinary: _Floats
    pair: _Floats


def outdates(
    told: str, said: Sequence[str], *, turns: Sequence[str] | None = None, judge: Judge | None = None
) -> _Floats:
    """The probabilities that a message makes each of some earlier statements out of date.

    Args:
        told: The message.
        said: The earlier statements of its speaker, at least one, which stand in competition.
        turns: The turn that each was said in; those of one turn do not compete. None for one turn each.
        judge: Another judge than the shipped one.

    Returns:
        ``float32`` of shape ``(len(said),)``, 0 to 1.
    """
    judge = judge or _shipped()
    told, *said = (_without_fillers(one) for one in (told, *said))
    meant = pair_features(told, said, judge, turns=turns) @ judge.pair[:-1] + judge.pair[-1]
    return _share(change_odds(told, judge)) * _share(meant)


_FILLERS: Final = re.compile(r",?\s*\b(?:btw|fyi|tbh|imh?o|ngl|idk|lol|omg|lmao|haha\w*)\b", re.IGNORECASE)
"""Words of chat that texts about anything share."""


def _without_fillers(text: str) -> str:
    return _FILLERS.sub("", text).strip() or text


def _share(odds: _Floats | float) -> _Floats:
    share: _Floats = (1 / (1 + np.exp(-np.asarray(odds)))).astype(np.float32)
    return share


def change_odds(told: str, judge: Judge) -> float:
    """The log odds that a message tells of a change."""
    return _of_words(told, judge.words) + float(vector_of(told) @ judge.message) + judge.bias


def sounds_like_a_change(told: str) -> bool:
    """Whether the words of a message alone make a change likely enough to look for what it changes."""
    return _of_words(told, _shipped().words) > _ALIKE


def reads(text: str) -> bool:
    """Whether at least six in ten of a text's words are among those that the judge learned: English ones."""
    words = [word for word in words_in(text) if word not in "?!"]
    known = sum(word in _shipped().idf for word in words)
    return known >= _ENGLISH * len(words) > 0


def words_in(text: str) -> list[str]:
    """The words of a text in small letters, question and exclamation marks among them."""
    return _TOKEN.findall(text.lower().replace("\u2019", "'"))


def grams(text: str) -> Counter[str]:
    """The words and word pairs of a text."""
    words = words_in(text)
    return Counter(words) + Counter(map(" ".join, pairwise(words)))


def tf_idf(counts: Mapping[str, int], idf: Mapping[str, float]) -> dict[str, float]:
    """``1 + ln(count)`` times the inverse document frequency of known grams; the length is ``_WEIGHED``."""
    known = {gram: (1 + math.log(count)) * idf[gram] for gram, count in counts.items() if gram in idf}
    length = math.sqrt(sum(one * one for one in known.values()))
    return {gram: _WEIGHED * one / length for gram, one in known.items()}


def pair_features(
    told: str, said: Sequence[str], judge: Judge, *, turns: Sequence[str] | None = None
) -> _Floats:
    """What a message has to do with each statement, ``float32`` of shape ``(len(said), features)``.

    The logarithm of how many turns compete; their cosine, and the same in standard deviations of ordinary
    statements as seen from either side; by how much the statement is nearer than the nearest other one; what
    both share in nats, altogether and by the rarest word; the lengths in words; and what the rules find
    (``doubts``).
    """
    vectors = _centred([told, *said], judge.mean)
    near = vectors[1:] @ vectors[0]
    usual = vectors @ judge.ordinary.T
    spread, middle = usual.std(axis=1), usual.mean(axis=1)
    other = turns or [str(place) for place in range(len(said))]
    least = 0.9 * float(np.quantile(usual[0], _ORDINARY))
    lead = np.array([_lead(place, near, other, least) for place in range(len(said))])
    ours, rarest = _telling(told, judge.idf), max(judge.idf.values())
    shared = [[judge.idf.get(word, rarest) for word in ours & _telling(one, judge.idf)] for one in said]
    count = len(said)
    return np.stack(
        [
            np.full(count, math.log(len(set(other)))),
            near,
            (near - middle[0]) / spread[0],
            (near - middle[1:]) / np.maximum(spread[1:], _SMALLEST),
            lead,
            np.minimum(lead, 0),
            [min(sum(one), _MOST_SHARED) for one in shared],
            [max(one, default=0) for one in shared],
            np.full(count, len(told.split())),
            [len(one.split()) for one in said],
            *zip(*[_by_rules(told, one) for one in said], strict=True),
        ],
        axis=1,
    ).astype(np.float32)


def _by_rules(told: str, said: str) -> tuple[float, float, float]:
    """Whether rules take a statement for one that the message may change, and what both share by them."""
    score = doubt_of(told, said)
    return (
        (0, 0, 0) if score is None else (1, min(score.words, _MOST_POINTS), min(score.topics, _MOST_POINTS))
    )


def _lead(place: int, near: _Floats, turns: Sequence[str], least: float) -> float:
    """By how much a statement is nearer to the message than the nearest of another turn."""
    others = [one for one, turn in zip(near.tolist(), turns, strict=True) if turn != turns[place]]
    return float(near[place] - max([least, *others]))


def _centred(texts: Sequence[str], mean: _Floats) -> _Floats:
    """The contextual parts of sentence vectors without their mean, at unit length."""
    rows = np.stack([vector_of(one)[:_CONTEXTUAL] for one in texts])
    return unit_rows(unit_rows(rows) - mean)


def _telling(text: str, idf: Mapping[str, float]) -> set[str]:
    """The words of a text that are not among the most frequent ones."""
    return {word for word in words_in(text) if len(word) > 1 and idf.get(word, _TELLING) >= _TELLING}


def _of_words(text: str, table: Mapping[str, tuple[float, float]]) -> float:
    counts = grams(text)
    idf = {gram: table[gram][0] for gram in counts if gram in table}
    return sum(one * table[gram][1] for gram, one in tf_idf(counts, idf).items())


@lru_cache(maxsize=4096)
def vector_of(text: str) -> _Floats:
    """The sentence vector of a text, ``float32`` of shape ``(352,)``."""
    return _embedder().embed_query(text)


@cache
def _embedder() -> ContextualEmbedder:
    return ContextualEmbedder()


def read_judge(arrays: Mapping[str, NDArray[np.generic]]) -> Judge:
    """A judge from the arrays of its file."""
    known = arrays["grams"].tobytes().decode().split("\n")
    idf = dict(zip(known, arrays["idf"].tolist(), strict=True))
    weights = zip(known, arrays["weight"].tolist(), strict=True)
    words = {gram: (idf[gram], weight) for gram, weight in weights}
    message, mean, ordinary, pair = (
        arrays[name].astype(np.float32) for name in ("message", "mean", "ordinary", "pair")
    )
    return Judge(words, idf, message, float(arrays["bias"]), mean, unit_rows(ordinary), pair)


@cache
def _shipped() -> Judge:
    with np.load(FILE, allow_pickle=False) as arrays:
        return read_judge(dict(arrays))

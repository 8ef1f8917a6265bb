"""How likely a message makes an earlier statement of the same person out of date: a small trained model.

A logistic regression over the words and word pairs of the message, the sentence vectors of both, and what
they share. ``scripts/build_judge.py`` trains it on pairs of messages that were written for it and on public
dialogue, nothing of a benchmark among them. It knows English; it stays low for other languages.

=============================== ======================================== ===========
message                         earlier statement                        probability
=============================== ======================================== ===========
"me and Jess broke up"          "my girlfriend Jess is a nurse"          high
"Jess got a new job!"           "my girlfriend Jess is a nurse"          middling
"should I break up with Jess?"  "my girlfriend Jess is a nurse"          low
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

_SMALLEST: Final = 1e-9
FILE: Final = Path(__file__).with_name("judge.npz")
_Floats = NDArray[np.float32]
_TOKEN: Final = re.compile(r"[\w']+|[?!]")
_WEIGHED: Final = 3.0
"""How much words count beside the other features; by cross-validation over the pairs' authors."""
_SHOWN_SHARE: Final = 2.0
"""Shared information, in nats, above which more counts no further with the vectors. Chosen by hand."""
_ALIKE: Final = -1.75
"""Log odds of the words alone below which 7 of 100 changes lie, and 88 of 100 lines of chat."""
_TELLING: Final = 3.5
"""Inverse document frequency from which a word tells what a statement is about: one message in twelve."""
PAIR_FEATURES: Final = 8
_CONTEXTUAL: Final = 256
"""The first dimensions of a vector depend on the order of words, the others do not."""


class Judge(NamedTuple):
    """The trained weights.

    Attributes:
        words: Of each word and word pair of the message: its inverse document frequency and its weight.
        idf: The inverse document frequencies alone.
        message: Of the message's sentence vector, ``float32`` of shape ``(352,)``.
        statement: Of the earlier statement's sentence vector, likewise.
        pair: Of what both share, ``float32`` of shape ``(PAIR_FEATURES,)``.
        bias: What is added to all.
    """

    words: Mapping[str, tuple[float, float]]
    idf: Mapping[str, float]
    message: _Floats
    statement: _Floats
    pair: _Floats
    bias: float


def outdates(told: str, said: Sequence[str], *, judge: Judge | None = None) -> _Floats:
    """The probabilities that a message makes each of some earlier statements out of date.

    Args:
        told: The message.
        said: The earlier statements, at least one.
        judge: Another judge than the shipped one.

    Returns:
        ``float32`` of shape ``(len(said),)``, 0 to 1.
    """
    judge = judge or _shipped()
    own = _of_words(told, judge.words) + float(vector_of(told) @ judge.message) + judge.bias
    older = np.stack([vector_of(one) for one in said]) @ judge.statement
    odds = own + older + pair_features(told, said, judge.idf) @ judge.pair
    likely: _Floats = (1 / (1 + np.exp(-odds))).astype(np.float32)
    return likely


def nearness(told: str, said: Sequence[str]) -> _Floats:
    """The cosine of the contextual vectors of a message and each statement, of shape ``(len(said),)``."""
    vectors = np.stack([vector_of(one)[:_CONTEXTUAL] for one in (told, *said)])
    lengths = np.linalg.norm(vectors, axis=1)
    cosines: _Floats = vectors[1:] @ vectors[0] / np.maximum(lengths[1:] * lengths[0], _SMALLEST)
    return cosines


def sounds_like_a_change(told: str) -> bool:
    """Whether the words of a message alone make a change likely enough to look for what it changes."""
    return _of_words(told, _shipped().words) > _ALIKE


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


def pair_features(told: str, said: Sequence[str], idf: Mapping[str, float]) -> _Floats:
    """What a message shares with each statement, ``float32`` of shape ``(len(said), PAIR_FEATURES)``.

    The cosines of the contextual and of the static part of their vectors, how many telling words both have,
    the rarest and all of them in nats, both lengths in words, and the first cosine times what is shared.
    """
    vectors = np.stack([vector_of(one) for one in (told, *said)])
    context = vectors[1:, :_CONTEXTUAL] @ vectors[0, :_CONTEXTUAL]
    static = vectors[1:, _CONTEXTUAL:] @ vectors[0, _CONTEXTUAL:]
    ours, rarest = _telling(told, idf), max(idf.values())
    shared = [[idf.get(word, rarest) for word in ours & _telling(one, idf)] for one in said]
    total = np.array([sum(one) for one in shared])
    return np.stack(
        [
            context,
            static,
            [len(one) for one in shared],
            [max(one, default=0) for one in shared],
            total,
            np.full(len(said), len(told.split()) / 20),
            [len(one.split()) / 20 for one in said],
            context * np.minimum(_SHOWN_SHARE, total),
        ],
        axis=1,
    ).astype(np.float32)


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


def read_judge(path: Path) -> Judge:
    """A judge from its file."""
    with np.load(path, allow_pickle=False) as arrays:
        known = bytes(arrays["grams"]).decode().split("\n")
        idf = dict(zip(known, arrays["idf"].tolist(), strict=True))
        weights = zip(known, arrays["weight"].tolist(), strict=True)
        words = {gram: (idf[gram], weight) for gram, weight in weights}
        vectors = arrays["message"], arrays["statement"], arrays["pair"]
        return Judge(words, idf, *vectors, float(arrays["bias"]))


@cache
def _shipped() -> Judge:
    return read_judge(FILE)

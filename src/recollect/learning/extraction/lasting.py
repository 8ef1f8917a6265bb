"""How likely a sentence states something lasting of its speaker, and of what kind: a small trained model.

It weighs the words of a sentence, their pairs and beginnings, and the sentence vector.
``scripts/build_lasting.py`` trains it on lines that were written for it in eight languages and on public
dialogue, nothing of a benchmark among them.

========================================= ===========
sentence                                  probability
========================================= ===========
"been a locksmith for 22 years"           high
"Ma fille Inès est en CE2"                high
"my head is splitting"                    low
"Write a cover letter with blanks"        low
========================================= ===========
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.learning.reconcile.judge import grams, tf_idf, vector_of, words_in

FILE: Final = Path(__file__).with_name("lasting.npz")
StatedKind = Literal["state", "instruction", "plan"]
KINDS: Final[tuple[StatedKind, ...]] = ("state", "instruction", "plan")
STEM: Final = 5
"""Characters that begin a word, by which its other forms are known. Chosen by hand."""
_HOPELESS: Final = 0.0
"""Log odds by words alone, without the bias, below which no vector is made: 88 in 100 of the written lines
that do not last lie there, and 23 in 1,000 of those that are kept."""
_Floats = NDArray[np.float32]


class LastingModel(NamedTuple):
    """The trained weights.

    Attributes:
        idf: The inverse document frequency of each feature of words.
        words: Of each: its weights for lasting, for an instruction and for a plan.
        vector: The same for the sentence vector, ``float32`` of shape ``(3, 352)``.
        bias: What is added to each, shape ``(3,)``.
    """

    idf: Mapping[str, float]
    words: Mapping[str, tuple[float, float, float]]
    vector: _Floats
    bias: _Floats


def features(text: str) -> Counter[str]:
    """The words and word pairs of a text, its first word as such, and the beginnings of long words."""
    words = words_in(text)
    found = grams(text)
    found.update(f"{word[:STEM]}*" for word in words if len(word) > STEM)
    found.update(f"<{word}" for word in words[:1])
    return found


def lasting(sentences: Sequence[str], *, model: LastingModel | None = None) -> list[tuple[float, StatedKind]]:
    """The probability that each sentence states something lasting, 0 to 1, and what it would be.

    Args:
        sentences: Each without what is not the speaker's own.
        model: Another model than the shipped one.
    """
    model = model or _shipped()
    return [_judged(sentence, model) for sentence in sentences]


def _judged(sentence: str, model: LastingModel) -> tuple[float, StatedKind]:
    odds = np.zeros(len(KINDS), np.float32)
    for feature, weight in tf_idf(features(sentence), model.idf).items():
        odds += np.float32(weight) * np.asarray(model.words[feature], np.float32)
    if odds[0] < _HOPELESS:
        return 0.0, "state"
    odds += model.vector @ vector_of(sentence) + model.bias
    kind = KINDS[int(np.argmax([0.0, *odds[1:]]))]
    return float(1 / (1 + np.exp(-odds[0]))), kind


def read_lasting(arrays: Mapping[str, NDArray[np.generic]]) -> LastingModel:
    """A model from the arrays of its file."""
    names = arrays["features"].tobytes().decode().split("\n")
    idf = dict(zip(names, arrays["idf"].astype(float).tolist(), strict=True))
    weights = arrays["words"].astype(float).T.tolist()
    words = {name: (a, b, c) for name, (a, b, c) in zip(names, weights, strict=True)}
    return LastingModel(idf, words, arrays["vector"].astype(np.float32), arrays["bias"].astype(np.float32))


@cache
def _shipped() -> LastingModel:
    with np.load(FILE, allow_pickle=False) as arrays:
        return read_lasting(dict(arrays))

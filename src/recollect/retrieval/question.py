"""A question, read against the memories it is asked of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Embedder
from recollect.text.analyse import Analyser
from recollect.text.traits import Wish, wish_of


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for.

    Attributes:
        stems: The words to look for, each once.
        vector: ``float32`` of shape ``(dim,)``.
        wish: What kind of answer it looks for.
        named: The speakers it names.
    """

    stems: Sequence[str]
    vector: NDArray[np.float32]
    wish: Wish
    named: Sequence[str]


def speaker_names(speakers: Iterable[str], analyser: Analyser) -> dict[str, list[str]]:
    """Speakers by the stem of their first name."""
    names: dict[str, list[str]] = {}
    for speaker in speakers:
        stems = analyser.stems(speaker)
        if stems:
            names.setdefault(stems[0], []).append(speaker)
    return names


def read_question(
    text: str, names: Mapping[str, Sequence[str]], *, analyser: Analyser, embedder: Embedder
) -> Question:
    """Read a question.

    Speakers' names are taken out of the words and of the vector: a name finds turns that mention
    someone, while the question wants what that person said. They count as a signal of their own.
    """
    named = [speaker for stem in analyser.stems(text) for speaker in names.get(stem, ())]
    stems = analyser.query_stems(text)
    telling = [stem for stem in stems if stem not in names] or stems
    return Question(
        stems=telling,
        vector=embedder.embed_query(_without(text, names, analyser) if named else text),
        wish=wish_of(text),
        named=named,
    )


def _without(text: str, names: Mapping[str, Sequence[str]], analyser: Analyser) -> str:
    kept = [word for word in text.split() if not any(stem in names for stem in analyser.stems(word))]
    return " ".join(kept) if any(analyser.stems(word) for word in kept) else text

"""A question, read once before any memory is looked at."""

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
    """

    stems: Sequence[str]
    vector: NDArray[np.float32]
    wish: Wish

    def named(self, names: Mapping[str, Sequence[str]]) -> list[str]:
        """The speakers it names, out of ``speaker_names``."""
        return [speaker for stem in self.stems for speaker in names.get(stem, ())]


def read_question(text: str, *, analyser: Analyser, embedder: Embedder) -> Question:
    """Read a question."""
    return Question(stems=analyser.query_stems(text), vector=embedder.embed_query(text), wish=wish_of(text))


def speaker_names(speakers: Iterable[str], analyser: Analyser) -> dict[str, list[str]]:
    """Speakers by each stem of their names."""
    names: dict[str, list[str]] = {}
    for speaker in speakers:
        for stem in dict.fromkeys(analyser.stems(speaker)):
            names.setdefault(stem, []).append(speaker)
    return names

"""The concept graph as a signal of recall: memories about concepts near those of the question."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.retrieval.graph.spreading import DEFAULT, Spreading, memory_activation, spread
from recollect.retrieval.question import Question
from recollect.retrieval.shadow import Shadow
from recollect.text.analyse import Analyser
from recollect.text.outline import topic_numbers

CONCEPTS: Final = "concepts"
"""The name of the signal."""


class ConceptSignal:
    """How active each memory is by its concepts, when a question's own are activated and spread.

    Args:
        language: ISO 639-1, of the questions' topics.
        rules: How far activation spreads.
        with_given: Whether a memory also counts for the question's own concepts.

    Raises:
        InvalidInputError: The language is unknown.
    """

    def __init__(self, *, language: str = "en", rules: Spreading = DEFAULT, with_given: bool = False) -> None:
        self._analyser = Analyser(language)
        self._rules = rules
        self._with_given = with_given

    def measure(self, shadow: Shadow, question: Question) -> NDArray[np.float32]:
        """The signal of every row, 0 to 1."""
        index = shadow.concepts
        index.refresh(shadow["alive"])
        asked = topic_numbers(question.about(self._analyser), self._analyser)
        activation = spread(index, index.places(asked), rules=self._rules)
        return memory_activation(index, activation, shadow.size, with_given=self._with_given)

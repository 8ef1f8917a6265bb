"""The role of a scoring, which ``rank.DefaultScoring`` and the presets fill, and the options of search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_bool, check_count, check_token_counter
from recollect.protocols import TokenCounter
from recollect.retrieval.question import Question
from recollect.retrieval.rank import DefaultScoring, Ranker, Ranking
from recollect.text.tokens import estimate_tokens
from recollect.types import Recollection


class Scoring(Protocol):
    """A way of ranking, in two steps: over the columns of all memories, then over the records of a few.

    It keeps nothing between calls, so that one may serve many memories and threads.
    """

    @property
    def candidates(self) -> int | None:
        """How many memories at least the first step hands to the second; None when it decides alone."""

    def rank(
        self,
        ranker: Ranker,
        question: Question,
        mask: NDArray[np.bool_],
        *,
        limit: int,
        also: int | None = None,
    ) -> Ranking:
        """The best ``limit`` rows of a shadow, of those that ``mask`` (``bool`` per row) allows.

        ``also`` is a row that is ranked in any case if the mask allows it.
        """

    def weigh(self, question: Question, found: Sequence[Recollection]) -> Sequence[Recollection]:  # noqa: ARG002
        """The recollections with their final scores, now that their records are known; by default the same.

        In any order where there are ``candidates``, else in the order given.
        """
        return found


@runtime_checkable
class StateReading(Protocol):
    """A scoring that looks at something the store keeps about a user (see ``StateStore``)."""

    @property
    def state(self) -> str:
        """The name it is kept under; ``Question.kept`` holds it."""


SHADOW_LIMIT_MB: Final = 1_024
"""Memory for the shadows of all users together: 1.4 million memories. Chosen by hand."""
DEFAULT_SCORING: Final[Scoring] = DefaultScoring()
"""Words and meaning, each of the turn, its neighbours and its session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """How a memory is searched; see ``Memory``.

    Attributes:
        scoring: How memories are ranked for a question.
        shadow_limit_mb: How much memory recall may use.
        token_counter: Counts the tokens of a text as your model does; by default an estimate that errs on the
            safe side.
        reckoning: Whether questions for a time ("since when", "how long", "how often") are answered from the
            times of what was said; see ``recollect.memory.reckoning``.

    Raises:
        InvalidInputError: A value cannot be used.
    """

    scoring: Scoring = DEFAULT_SCORING
    shadow_limit_mb: int = SHADOW_LIMIT_MB
    token_counter: TokenCounter = estimate_tokens
    reckoning: bool = True

    def __post_init__(self) -> None:
        check_count("shadow_limit_mb", self.shadow_limit_mb, most=1 << 24)
        check_token_counter(self.token_counter)
        check_bool("reckoning", self.reckoning)


RETRIEVAL: Final = Retrieval()

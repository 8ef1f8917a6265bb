"""Recall's short-term memory: the turns of the current session, within a window."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from recollect.checks import check_content, check_count
from recollect.presets.recall.prompt.history import FIRST, LAST, HistoryTurn
from recollect.protocols import TokenCounter
from recollect.text.tokens import estimate_tokens

MAX_TURNS: Final = 200
"""Turns in the window. Chosen by hand: what a prompt is composed of in 10 ms."""
MAX_TOKENS: Final = 50_000
"""Tokens in the window. Chosen by hand: more than ten times what a prompt may show of them."""
USUAL: Final = 3
"""The importance, 1 to 5, of a turn of which nobody says more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A turn in the window."""

    turn: HistoryTurn
    importance: int
    tokens: int


class ShortTermMemory:
    """A sliding window over a conversation, pruned by priority. It is not stored.

    When it is full the least important turn goes, of equal ones the oldest; the first two and the last three
    stay, as in a prompt.

    Args:
        max_turns: How many turns it holds; at least 5.
        max_tokens: How many tokens they have; the turns that stay may have more.
        count_tokens: Counts the tokens of a text.
    """

    def __init__(
        self,
        *,
        max_turns: int = MAX_TURNS,
        max_tokens: int = MAX_TOKENS,
        count_tokens: TokenCounter = estimate_tokens,
    ) -> None:
        self._most = max(check_count("max_turns", max_turns, most=1_000_000), FIRST + LAST)
        self._most_tokens = check_count("max_tokens", max_tokens, most=1_000_000_000)
        self._count = count_tokens
        self._kept: list[_Kept] = []
        self._tokens = 0
        self.evicted = 0

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def turns(self) -> tuple[HistoryTurn, ...]:
        """The turns in the window, oldest first."""
        return tuple(one.turn for one in self._kept)

    def add(self, turn: HistoryTurn, *, importance: int = USUAL) -> None:
        """Take a turn in.

        Args:
            turn: What was said.
            importance: 1 to 5; important turns stay longer.
        """
        check_content("turn", turn.content)
        level = check_count("importance", importance, most=5)
        kept = _Kept(turn=turn, importance=level, tokens=self._count(turn.content))
        self._kept.append(kept)
        self._tokens += kept.tokens
        while self._is_full() and len(self._kept) > FIRST + LAST:
            self._evict()

    def refresh(self, words: Mapping[str, str]) -> None:
        """Take over the words of the memories that hold the turns; a turn whose memory is not named goes.

        Args:
            words: The content of memories by id. Turns without an id stay as they are.
        """
        self._kept = [
            one if one.turn.id is None else self._with(one, words[one.turn.id])
            for one in self._kept
            if one.turn.id is None or one.turn.id in words
        ]
        self._tokens = sum(one.tokens for one in self._kept)

    def _with(self, one: _Kept, content: str) -> _Kept:
        if content == one.turn.content:
            return one
        return replace(one, turn=replace(one.turn, content=content), tokens=self._count(content))

    def clear(self) -> None:
        """Forget all of it; the session is over."""
        self._kept.clear()
        self._tokens = 0

    def _is_full(self) -> bool:
        return len(self._kept) > self._most or self._tokens > self._most_tokens

    def _evict(self) -> None:
        between = range(FIRST, len(self._kept) - LAST)
        place = min(between, key=lambda one: (self._kept[one].importance, one))
        self._tokens -= self._kept.pop(place).tokens
        self.evicted += 1

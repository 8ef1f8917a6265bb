"""How many tokens each source of a prompt may take: Recall's ``ContextBudget``."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from recollect.errors import InvalidInputError, as_given

_MOST: Final = 100_000_000
_SHARES: Final = (1, 2, 3, 1)
"""Recall's example: 1,000 tokens for the system prompt, 2,000 for memories, 3,000 for history, 1,000 for the
task."""
_OUTPUT_SHARE: Final = 8
"""Recall's example reserves 1,000 tokens of 8,000 for the answer."""


def _check(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
        raise InvalidInputError(
            f"{name} must be a whole number of tokens from 0 to {_MOST:,}, not {as_given(value)}"
        )
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAllocations:
    """What each source of a prompt may count on. The defaults are Recall's.

    Attributes:
        system_prompt: For blueprint, boundaries and what is injected; fixed: they must fit into it.
        memories: Adaptive, as the next two: what one source leaves another may use.
        history: For the turns of this conversation.
        task_state: For the plan and what was observed.
    """

    system_prompt: int = 1_000
    memories: int = 2_000
    history: int = 3_000
    task_state: int = 1_000

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))

    @property
    def total(self) -> int:
        """All of them together."""
        return self.system_prompt + self.memories + self.history + self.task_state


_ALLOCATIONS: Final = ContextAllocations()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBudget:
    """How many tokens a prompt may have, and which source may count on how many. Recall's defaults.

    Attributes:
        total_tokens: What the model reads and writes at the most.
        reserved_for_output: Of these, for its answer.
        allocations: For the sources of the prompt; a mapping with their names does, too. What nobody was
            promised is shared as well.

    Raises:
        InvalidInputError: A number is negative or none, or more is promised than there is.

    >>> budget = ContextBudget(total_tokens=4_000, reserved_for_output=500, allocations={"memories": 500,
    ...                        "history": 1_000, "system_prompt": 500, "task_state": 0})
    >>> budget.available
    3500
    """

    total_tokens: int = 8_000
    reserved_for_output: int = 1_000
    allocations: ContextAllocations = _ALLOCATIONS

    def __post_init__(self) -> None:
        if isinstance(self.allocations, Mapping):
            object.__setattr__(self, "allocations", _allocations(self.allocations))
        if not isinstance(self.allocations, ContextAllocations):
            raise InvalidInputError(
                f"allocations must be ContextAllocations, not {as_given(self.allocations)}"
            )
        _check("total_tokens", self.total_tokens)
        _check("reserved_for_output", self.reserved_for_output)
        if self.available <= 0:
            raise InvalidInputError(
                f"total_tokens is {self.total_tokens:,}: nothing is left for the prompt when "
                f"{self.reserved_for_output:,} are reserved for the output"
            )
        if self.allocations.total > self.available:
            raise InvalidInputError(
                f"the allocations come to {self.allocations.total:,} tokens, and a prompt may have "
                f"{self.available:,}: lower them, raise total_tokens, or use ContextBudget.of"
            )

    @classmethod
    def of(cls, total_tokens: int, *, reserved_for_output: int | None = None) -> "ContextBudget":
        """A budget of any size with the proportions of Recall's example.

        Args:
            total_tokens: What the model reads and writes at the most.
            reserved_for_output: For its answer; by default an eighth.

        >>> ContextBudget.of(8_000) == ContextBudget()
        True
        """
        total = _check("total_tokens", total_tokens)
        output = total // _OUTPUT_SHARE if reserved_for_output is None else reserved_for_output
        share = max(total - _check("reserved_for_output", output), 0) // sum(_SHARES)
        system_prompt, memories, history, task_state = (share * part for part in _SHARES)
        return cls(
            total_tokens=total,
            reserved_for_output=output,
            allocations=ContextAllocations(
                system_prompt=system_prompt, memories=memories, history=history, task_state=task_state
            ),
        )

    @property
    def available(self) -> int:
        """What the prompt may have."""
        return self.total_tokens - self.reserved_for_output


class Adaptive(NamedTuple):
    """Tokens of the three sources that share what there is."""

    memories: int
    history: int
    task_state: int


def allot(needs: Adaptive, *, room: int, promised: Adaptive) -> Adaptive:
    """How many tokens each adaptive source gets.

    Each gets what it needs, at most what it was promised. What is left goes to those that need more, the
    most important first: memories, history, task state. Where there is less room than was promised, it is
    taken from the least important first.

    Args:
        needs: What each would take whole.
        room: What there is for all of them.
        promised: What each may count on.

    Returns:
        For each at most what it needs; together at most ``room``.

    >>> allot(Adaptive(500, 9_000, 100), room=6_000, promised=Adaptive(2_000, 3_000, 1_000))
    Adaptive(memories=500, history=5400, task_state=100)
    """
    left = max(room, 0)
    granted = []
    for need, promise in zip(needs, promised, strict=True):  # the most important first
        granted.append(min(need, promise, left))
        left -= granted[-1]
    for place, need in enumerate(needs):
        more = min(need - granted[place], left)
        granted[place] += more
        left -= more
    return Adaptive(*granted)


def _allocations(given: Mapping[str, int]) -> ContextAllocations:
    known = [field.name for field in fields(ContextAllocations)]
    unknown = [name for name in given if name not in known]
    if unknown:
        raise InvalidInputError(f"unknown allocation {as_given(unknown[0])}; known are {', '.join(known)}")
    return ContextAllocations(**given)

"""Recall's working memory: what a step holds while it runs, and nothing of it afterwards."""

from collections.abc import Callable, Iterator, MutableMapping
from typing import Final, Self

from recollect.checks import check_content, check_name
from recollect.errors import ClosedError, InvalidInputError
from recollect.presets.recall.task_state import Observation


class Step(MutableMapping[str, object]):
    """The variables of one step. Use it with ``with``: at the end of the block all of them are gone.

    Args:
        name: Of the step, for messages.
        outer: The step that this one is a part of; its variables can be read, not changed.
        observed: Takes what is observed.

    >>> with Step("look up") as step:
    ...     step["rows"] = [1, 2, 3]
    ...     len(step["rows"])
    3
    >>> step["rows"]
    Traceback (most recent call last):
    recollect.errors.ClosedError: the step 'look up' has ended, and what it held is gone
    """

    def __init__(
        self,
        name: str,
        *,
        outer: "Step | None" = None,
        observed: Callable[[Observation], object] | None = None,
    ) -> None:
        self.name: Final = name
        self._outer = outer
        self._observed = observed
        self._values: dict[str, object] | None = {}

    def __enter__(self) -> Self:
        self._held()
        return self

    def __exit__(self, *_: object) -> None:
        self._values = None

    def __getitem__(self, name: str) -> object:
        held = self._held()
        if name in held or self._outer is None:
            return held[name]
        return self._outer[name]

    def __setitem__(self, name: str, value: object) -> None:
        self._held()[name] = value

    def __delitem__(self, name: str) -> None:
        del self._held()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held())

    def __len__(self) -> int:
        return len(self._held())

    def step(self, name: str) -> "Step":
        """A step inside this one."""
        self._held()
        return Step(name, outer=self, observed=self._observed)

    def observe(self, text: str, *, tool: str | None = None) -> Observation:
        """Say what came out; that stays in the task state when the step is gone.

        Args:
            text: What.
            tool: The tool whose output it is.

        Raises:
            InvalidInputError: The text or the tool's name is blank or no text, or nobody keeps a task state.
            ClosedError: The step has ended.
        """
        self._held()
        if self._observed is None:
            raise InvalidInputError(f"the step {self.name!r} belongs to no session that keeps observations")
        made = Observation(text=check_content("observation", text), tool=check_name("tool", tool))
        self._observed(made)
        return made

    def _held(self) -> dict[str, object]:
        if self._values is None:
            raise ClosedError(f"the step {self.name!r} has ended, and what it held is gone")
        return self._values

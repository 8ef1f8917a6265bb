"""Lives through a conversation with a system: says, corrects, deletes, asks, and checks what comes back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, Final

from recollect_bench.datasets.shapes import Add, Ask, Conversation, Delete, Question, Replace, Turn
from recollect_bench.errors import SystemFailedError
from recollect_bench.process import Answer, SystemProcess

DEPTH: Final = 50
"""Turns that every search asks for. Chosen by hand: a prompt seldom holds more."""
STRANGE: Final = 20
"""Questions about somebody else that each conversation is asked, to see whether a score tells them apart."""


CONTEXT_TOKENS: Final = 1_500
"""Of a context that a question judges."""
CONTEXT_TURNS: Final = 200
"""Turns that make such a context where the system composes none: eight tokens long, they still fill it."""


@dataclass(slots=True)
class Given:
    """The turns that a system was given, by the ids it got them with.

    Attributes:
        ids: All of them.
        gone: Those that were deleted or replaced since.
    """

    ids: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Spent:
    """The time that calls of one kind took."""

    count: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0

    def note(self, answer: Answer, count: int) -> None:
        self.count += count
        self.cpu_s += answer.cpu_s
        self.wall_s += answer.wall_s


def live_through(
    system: SystemProcess, conversation: Conversation, *, strangers: Sequence[Question], given: Given
) -> dict[str, Any]:
    """Run a conversation on a system.

    Args:
        system: Has the conversations before it already.
        conversation: Whose steps are done in order.
        strangers: Questions about another conversation, asked after all.
        given: Every turn that the system was given so far; those of this conversation are added.

    Returns:
        What the journal keeps: ``asked`` has for each question its number, the ids found with their scores,
        and the time; ids of other conversations begin with ``!``, those of turns that were deleted or
        replaced with ``~``. Where a question judges contexts, and the system composes them, ``context``.

    Raises:
        SystemFailedError: The system failed, or returned an id that it was never given.
    """
    adding = _Spent()
    asked: list[dict[str, Any]] = []
    for step in conversation.steps():
        match step:
            case Add(turns=turns):
                named = [_named(conversation, turn) for turn in turns if turn.text.strip()]
                given.ids.update(turn.id for turn in named)
                if named:
                    adding.note(system.add(conversation.id, named), len(named))
            case Replace(id=name, turn=turn):
                new, old = _named(conversation, turn), f"{conversation.id}/{name}"
                given.ids.add(new.id)
                given.gone.add(old)
                adding.note(_replace(system, conversation.id, old, new), 1)
            case Delete(id=name):
                _power(system, "delete")
                given.gone.add(f"{conversation.id}/{name}")
                system.delete(conversation.id, f"{conversation.id}/{name}")
            case Ask(number=number):
                question = conversation.questions[number]
                row = {"number": number, **_searched(system, conversation, question, given)}
                if question.judges_context and "context" in system.can:
                    row["context"] = _composed(system, conversation, question)
                asked.append(row)
    return {
        "conversation": conversation.id,
        "added": {"turns": adding.count, "cpu_s": adding.cpu_s, "wall_s": adding.wall_s},
        "asked": asked,
        "strange": [_searched(system, conversation, question, given) for question in strangers],
    }


def strangers_to(conversations: Sequence[Conversation], place: int) -> list[Question]:
    """Questions about the next conversation, spread evenly over it; none where there is no other."""
    others = conversations[(place + 1) % len(conversations)].questions if len(conversations) > 1 else ()
    step = max(len(others) // STRANGE, 1)
    return list(others[::step][:STRANGE])


def _replace(system: SystemProcess, user: str, old: str, turn: Turn) -> Answer:
    """By its own means, or else by forgetting the old turn and adding the new one."""
    if "replace" in system.can:
        return system.replace(user, old, turn)
    _power(system, "delete")
    system.delete(user, old)
    return system.add(user, [turn])


def _power(system: SystemProcess, name: str) -> None:
    if name not in system.can:
        raise SystemFailedError(f"cannot {name}, which this data set asks for")


def _named(conversation: Conversation, turn: Turn) -> Turn:
    return replace(turn, id=f"{conversation.id}/{turn.id}")


def _searched(
    system: SystemProcess, conversation: Conversation, question: Question, given: Given
) -> dict[str, Any]:
    deep = question.judges_context and "context" not in system.can
    limit = CONTEXT_TURNS if deep else DEPTH
    answer = system.search(conversation.id, question.text, limit)
    found = list(_checked(answer.value, conversation, given, limit))
    return {"found": found, "cpu_s": answer.cpu_s, "wall_s": answer.wall_s}


def _checked(
    value: object, conversation: Conversation, given: Given, limit: int
) -> Iterator[tuple[str, float]]:
    """What was found, ids as the data set has them; a turn counts once, at its first place."""
    if not isinstance(value, list):
        raise SystemFailedError(f"search returned {type(value).__name__}, not pairs of an id and a score")
    scores: Mapping[str, float] = dict(reversed(value))
    for name in list(dict.fromkeys(name for name, _ in value))[:limit]:
        if name not in given.ids:
            raise SystemFailedError(f"search returned an id that it was never given: {name[:80]!r}")
        if not isfinite(scores[name]):
            raise SystemFailedError(f"search returned the score {scores[name]} for {name[:80]!r}: no number")
        own = name.startswith(f"{conversation.id}/")
        mark = "~" if name in given.gone else ""
        yield f"{mark}{name.removeprefix(f'{conversation.id}/')}" if own else f"!{name}", scores[name]


def _composed(system: SystemProcess, conversation: Conversation, question: Question) -> str:
    context = system.context(conversation.id, question.text, CONTEXT_TOKENS).value
    if not isinstance(context, str):
        raise SystemFailedError(f"context returned {type(context).__name__}, not a text")
    return context

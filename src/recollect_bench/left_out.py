"""What of a data set is not measured, counted: it would otherwise be dropped without a word."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from recollect_bench.datasets.shapes import Conversation, Dataset, Question

_ROLES: Final = frozenset({"user", "assistant"})


def left_out(dataset: Dataset) -> dict[str, int]:
    """How much of what there is does not count as the rest does; nothing that is none.

    What a loader itself leaves out stands first.
    """
    turns = [turn for one in dataset.conversations for turn in one.turns]
    questions = [question for one in dataset.conversations for question in one.questions]
    counted = {
        **dataset.left_out,
        "turns without words, which no system is given": sum(not turn.text.strip() for turn in turns),
        "turns of a role that is neither user nor assistant, given as they are": sum(
            turn.role not in _ROLES for turn in turns
        ),
        "references to evidence that is not there": sum(question.lost for question in questions),
        "questions whose gold names no evidence, left out of its figures": sum(map(_is_idle, questions)),
        "questions asked before a session that is not there, which are never asked": sum(
            _is_never_asked(one, question) for one in dataset.conversations for question in one.questions
        ),
    }
    return {what: count for what, count in counted.items() if count}


def faults(dataset: Dataset) -> Iterator[str]:
    """Why a data set cannot be measured at all: what is told apart by its id must have one of its own."""
    for name in _repeated([one.id for one in dataset.conversations]):
        yield f"two conversations have the id {name!r}"
    for one in dataset.conversations:
        ids = [turn.id for turn in one.turns]
        for name in _repeated(ids):
            yield f"two turns of {one.id!r} have the id {name!r}"
        golds = {name for asked in one.questions for name in (*asked.gold, *(asked.corrected or ()))}
        for name in sorted(golds.difference(ids)):
            yield f"a question of {one.id!r} names the turn {name!r}, which is not there"


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _is_idle(question: Question) -> bool:
    return not (question.gold or question.gold_sessions or question.judges_context)


def _is_never_asked(conversation: Conversation, question: Question) -> bool:
    sessions = {turn.session for turn in conversation.turns}
    return conversation.script is None and question.before is not None and question.before not in sessions

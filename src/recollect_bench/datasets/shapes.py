"""What every data set is read into: conversations with questions whose answers stand in known turns."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from recollect_bench.worker import Turn

__all__ = [
    "Add",
    "Ask",
    "Conversation",
    "Dataset",
    "Delete",
    "Question",
    "Replace",
    "Step",
    "Turn",
    "known_ids",
    "lost_ids",
    "moment",
    "read_entries",
    "read_object",
    "sessions_of",
    "sha256_of",
    "spoken",
]

_SESSION: Final = re.compile(r"session_(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a conversation.

    Attributes:
        text: The question.
        gold: Ids of the turns that hold the answer, each once; empty when the data set names none.
        category: As the data set calls it.
        answer: The gold answer's words; None when there is none.
        gold_sessions: Sessions that hold the answer, for a data set that names sessions and no turns.
        before: The session before which it is asked; None when it is asked after all.
        corrected: The gold turns by somebody's corrections; None where nothing was corrected.
        corrected_answer: The answer's words by the same corrections; None where nothing was corrected.
        must: For each thing a context for it must hold, the wordings that count.
        must_not: What such a context must not hold.
        gone: Those of ``must_not`` that stand in no turn any more, since theirs were deleted or replaced; the
            others may well be found, and are not to be brought up.
        order: Pairs; the first must come before the second where the second is in the context.
        quoted: Lines that may stand in a context word by word, and are not judged.
        lost: How many turns or sessions it names as its evidence that are not there.
    """

    text: str
    gold: tuple[str, ...]
    category: str
    answer: str | None
    gold_sessions: tuple[str, ...] = ()
    before: str | None = None
    corrected: tuple[str, ...] | None = None
    corrected_answer: str | None = None
    must: Sequence[Sequence[str]] = ()
    must_not: Sequence[str] = ()
    gone: Sequence[str] = ()
    order: Sequence[Sequence[str]] = ()
    quoted: Sequence[str] = ()
    lost: int = 0

    @property
    def judges_context(self) -> bool:
        """Whether it says what a context must hold and must not."""
        return bool(self.must or self.must_not or self.order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """The turns of a session are said."""

    turns: Sequence[Turn]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """A turn is corrected: the new one, with an id of its own, takes its place."""

    id: str
    turn: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    """A turn is taken back and must not be found again."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The question at this place in ``Conversation.questions`` is asked."""

    number: int


Step = Add | Replace | Delete | Ask
"""Something that happens in a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One person's history, sessions in the order of time, and what is asked about it.

    Attributes:
        id: Unique in the data set.
        turns: Everything that was said, corrections included.
        questions: What is asked.
        script: What happens in order, where it is more than sessions and then questions.
    """

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    script: tuple[Step, ...] | None = None

    def steps(self) -> Iterator[Step]:
        """What happens, in order: each question before the session it names, or after all."""
        if self.script is not None:
            yield from self.script
            return
        for session, turns in self.sessions():
            yield from self._asked_before(session)
            yield Add(turns=turns)
        yield from self._asked_before(None)

    def sessions(self) -> Iterator[tuple[str, list[Turn]]]:
        """Each session with its turns, in order."""
        grouped: dict[str, list[Turn]] = {}
        for turn in self.turns:
            grouped.setdefault(turn.session, []).append(turn)
        yield from grouped.items()

    def _asked_before(self, session: str | None) -> Iterator[Ask]:
        for number, question in enumerate(self.questions):
            if question.before == session:
                yield Ask(number=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Conversations from one file.

    Attributes:
        name: Its short name.
        conversations: In the order of the file.
        corrections: Whose corrections ``Question.corrected`` holds; None when there are none.
        made_by: The command that makes its file; None when it was not made by one.
        left_out: What its loader took no notice of, counted.
    """

    name: str
    conversations: tuple[Conversation, ...]
    corrections: str | None = None
    made_by: str | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def names_turns(self) -> bool:
        """Whether any of its questions names the turns with its answer."""
        return any(question.gold for one in self.conversations for question in one.questions)


def read_entries(path: Path) -> list[dict[str, Any]]:
    """The objects in a file: a JSON array, or one object a line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    entries: list[dict[str, Any]] = json.loads(text)
    return entries


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def known_ids(named: Sequence[str], known: set[str]) -> tuple[str, ...]:
    """Those of the named turns that are there, each once."""
    return tuple(turn for turn in dict.fromkeys(named) if turn in known)


def lost_ids(named: Sequence[str], known: set[str]) -> int:
    """How many of the named turns are not there.

    >>> lost_ids(["D1:1", "D9:9", "D9:9", " "], {"D1:1"})
    1
    """
    return len({name for name in named if name.strip()} - known)


def sessions_of(said: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The fields ``session_1``, ``session_2`` and so on with their turns, in the order of their numbers.

    >>> list(sessions_of({"session_10": [], "session_10_date_time": "9 am", "session_2": []}))
    [('session_2', []), ('session_10', [])]
    """
    numbers = sorted(int(match[1]) for match in map(_SESSION.fullmatch, said) if match)
    for name in (f"session_{number}" for number in numbers):
        yield name, said[name]


def spoken(answer: object) -> str | None:
    """An answer's words. Answers may be numbers; blank ones are none."""
    text = "" if answer is None else str(answer).strip()
    return text or None


def moment(text: str, layout: str) -> datetime:
    """A time in a data set's own layout, taken as UTC."""
    return datetime.strptime(text, layout).replace(tzinfo=UTC)

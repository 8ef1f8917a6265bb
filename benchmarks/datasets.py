"""Conversations with questions whose answers stand in known turns, read from others' files.

The files are not part of this project: their paths are arguments. Every loader returns the same shape.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

LOCOMO_CATEGORIES: Final = {
    1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial",
}  # fmt: skip
"""What LoCoMo's numbers mean, from its paper."""

_EVIDENCE: Final = re.compile(r"D\d+:\d+")
"""LoCoMo's field is messy: ``"D8:6; D9:17"`` is two turns, ``"D"`` is none."""
_SESSION: Final = re.compile(r"session_(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Something that was said.

    Attributes:
        id: Unique in its conversation.
        session: The session it belongs to.
        speaker: Who said it, when the data set has names.
        role: ``user`` or ``assistant``; people talking to each other are all ``user``.
        text: The words; the captions of images are part of them.
        time: When; None when the data set does not say.
    """

    id: str
    session: str
    speaker: str | None
    role: str
    text: str
    time: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a conversation.

    Attributes:
        text: The question.
        gold: Ids of the turns that hold the answer, each once; empty when the data set names none.
        category: As the data set calls it.
        answer: The gold answer's words; None when there is none.
    """

    text: str
    gold: tuple[str, ...]
    category: str
    answer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One person's history, sessions in the order of time, and what is asked about it."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    def sessions(self) -> Iterator[tuple[str, list[Turn]]]:
        """Each session with its turns, in order."""
        grouped: dict[str, list[Turn]] = {}
        for turn in self.turns:
            grouped.setdefault(turn.session, []).append(turn)
        yield from grouped.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Conversations from one file."""

    name: str
    conversations: tuple[Conversation, ...]


def load_locomo(path: Path) -> Dataset:
    """LoCoMo (``locomo10.json``): long conversations between two people."""
    return Dataset(name="locomo", conversations=tuple(_locomo(entry) for entry in _read(path)))


def load_beam(path: Path) -> Dataset:
    """Assistant chats of BEAM: ``[{"turns": [{id, session, who, role, text, date}], "qa": [...]}]``."""
    entries = enumerate(_read(path), start=1)
    return Dataset(name="beam", conversations=tuple(_beam(f"chat-{i}", entry) for i, entry in entries))


def load_longmemeval(path: Path) -> Dataset:
    """A file of LongMemEval (oracle, S or M): every question has a history of its own.

    Gold are the turns marked ``has_answer``. Questions that should not be answered (``_abs``) have none.
    """
    return Dataset(name=path.stem, conversations=tuple(_longmemeval(entry) for entry in _read(path)))


def load_realmem(path: Path) -> Dataset:
    """Assistant chats of RealMemBench: ``[{"person", "sessions": [{id, date, turns: [{role, text}]}]}]``.

    Its questions name sessions, and no turns; they are left out.
    """
    return Dataset(name="realmem", conversations=tuple(_realmem(entry) for entry in _read(path)))


LOADERS: Final[Mapping[str, Callable[[Path], Dataset]]] = {
    "locomo": load_locomo,
    "beam": load_beam,
    "longmemeval": load_longmemeval,
    "realmem": load_realmem,
}
"""Loaders by the name that the command line uses."""


TITLES: Final = {
    "locomo": "LoCoMo: two people with each other",
    "beam": "BEAM: a person with an assistant",
    "realmem": "RealMemBench: a person with an assistant, many topics",
}
"""Data sets as headings call them."""


def title(dataset: str) -> str:
    """A data set as a heading calls it."""
    return TITLES.get(dataset, dataset)


def short_title(dataset: str) -> str:
    """A data set as a table calls it."""
    return title(dataset).partition(":")[0]


def _read(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return entries


def _locomo(entry: Mapping[str, Any]) -> Conversation:
    said = entry["conversation"]
    numbers = sorted(int(match[1]) for match in map(_SESSION.fullmatch, said) if match)
    turns = tuple(turn for number in numbers for turn in _locomo_session(said, f"session_{number}"))
    known = {turn.id for turn in turns}
    questions = tuple(_locomo_question(asked, known) for asked in entry["qa"])
    return Conversation(id=str(entry["sample_id"]), turns=turns, questions=questions)


def _locomo_session(said: Mapping[str, Any], session: str) -> Iterator[Turn]:
    time = _time(said[f"{session}_date_time"], "%I:%M %p on %d %B, %Y")
    for turn in said[session]:
        caption = turn.get("blip_caption")
        yield Turn(
            id=turn["dia_id"],
            session=session,
            speaker=turn["speaker"],
            role=turn.get("role") or "user",
            text=f"{turn['text']} {caption}" if caption else turn["text"],
            time=time,
        )


def _locomo_question(asked: Mapping[str, Any], known: set[str]) -> Question:
    named = [turn for text in asked.get("evidence", ()) for turn in _EVIDENCE.findall(text)]
    return Question(
        text=asked["question"],
        gold=_known(named, known),
        category=LOCOMO_CATEGORIES[asked["category"]],
        answer=_answer(asked.get("answer")),
    )


def _beam(name: str, entry: Mapping[str, Any]) -> Conversation:
    turns = tuple(_beam_turns(entry["turns"]))
    known = {turn.id for turn in turns}
    questions = tuple(
        Question(
            text=asked["q"],
            gold=_known([str(turn) for turn in asked["ev"]], known),
            category=asked["cat"],
            answer=_answer(asked["answer"]),
        )
        for asked in entry["qa"]
    )
    return Conversation(id=name, turns=turns, questions=questions)


def _beam_turns(turns: list[dict[str, Any]]) -> Iterator[Turn]:
    """The turns; one without a date was said on the date before it."""
    time = None
    for turn in turns:
        time = _time(turn["date"], "%B-%d-%Y") if turn["date"] else time
        yield Turn(
            id=str(turn["id"]),
            session=str(turn["session"]),
            speaker=turn["who"] if turn["who"] != turn["role"] else None,
            role=turn["role"],
            text=turn["text"],
            time=time,
        )


def _realmem(entry: Mapping[str, Any]) -> Conversation:
    turns = tuple(
        Turn(
            id=f"{session['id']}/{number}",
            session=str(session["id"]),
            speaker=None,
            role=turn["role"],
            text=turn["text"],
            time=datetime.fromisoformat(session["date"]).replace(tzinfo=UTC),
        )
        for session in entry["sessions"]
        for number, turn in enumerate(session["turns"])
    )
    return Conversation(id=str(entry["person"]), turns=turns, questions=())


def _longmemeval(entry: Mapping[str, Any]) -> Conversation:
    sessions = zip(
        entry["haystack_dates"], entry["haystack_session_ids"], entry["haystack_sessions"], strict=True
    )
    turns: list[Turn] = []
    gold: list[str] = []
    in_order = sorted((_longmemeval_time(date), place, *rest) for place, (date, *rest) in enumerate(sessions))
    for time, place, session, said in in_order:
        for number, turn in enumerate(said):
            name = f"{place}/{session}/{number}"
            turns.append(
                Turn(
                    id=name,
                    session=f"{place}/{session}",
                    speaker=None,
                    role=turn["role"],
                    text=turn["content"],
                    time=time,
                )
            )
            gold += [name] if turn.get("has_answer") else []
    asked = Question(
        text=entry["question"],
        gold=() if entry["question_id"].endswith("_abs") else tuple(gold),
        category=entry["question_type"],
        answer=_answer(entry.get("answer")),
    )
    return Conversation(id=entry["question_id"], turns=tuple(turns), questions=(asked,))


def _longmemeval_time(date: str) -> datetime:
    """The moment in ``2023/05/20 (Sat) 02:21``."""
    return _time(re.sub(r" \(\w+\)", "", date), "%Y/%m/%d %H:%M")


def _known(named: list[str], known: set[str]) -> tuple[str, ...]:
    return tuple(turn for turn in dict.fromkeys(named) if turn in known)


def _answer(answer: object) -> str | None:
    """Answers may be numbers; blank ones are none."""
    text = "" if answer is None else str(answer).strip()
    return text or None


def _time(text: str, layout: str) -> datetime:
    return datetime.strptime(text, layout).replace(tzinfo=UTC)

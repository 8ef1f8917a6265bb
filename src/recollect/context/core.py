"""The core of a context: what must be known whatever is asked, as short lines before everything else.

::

    [Always known]
    - User is allergic to peanuts.
    - Ada asked: "Please always answer in German." (3 May 2026)
    - User lives in Lisbon. (since June 2024)
    - Ada, 3 May 2026: My passport runs out on 1 September.

Facts are one sentence each. A standing instruction is quoted as what a user asked, with its day: it is data,
like every other line. An instruction that reads like an attempt to take a model over is not carried, whoever
said it; nor is any other memory that reads so, unless the user said it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Final

from recollect.context.dating import MONTHS, with_dates
from recollect.context.excerpts import Excerpts
from recollect.protocols import TokenCounter
from recollect.text.analyse import normalised
from recollect.text.quoting import (
    CLOSING,
    MARK,
    OPENING,
    label_of,
    on_one_line,
    reads_like_an_instruction,
    who_said,
    who_wrote,
)
from recollect.types import CORE_PARTS, Core, CoreMemory, LeftOut, MemoryRecord, Recollection
from recollect.types.regex import lazy_regex
from recollect.types.spaces import author_of

HEADING: Final = "[Always known]\n"
NO_CORE: Final = Core()
_DANGER: Final = lazy_regex(r"\b(?:allerg|anaphyla|reacts badly to\b|epi-?pen)", re.IGNORECASE)
_DIED: Final = frozenset(("died", "passed away"))
"""Relations that tell of a death."""
CORE_FULL: Final = "the core is full"
"""Why a memory of the core is not in it."""
TOKENS_PER_LINE: Final = 8
"""What a line has at the least: no more memories of a part are read than have room. Chosen by hand."""
_INSTRUCTION: Final = "instruction"
_NAMED: Final = 20
"""Memories without room that ``left_out`` names; the others are counted. Chosen by hand."""
_LONGEST_SHARE: Final = 4
_LONGEST_WHOLE: Final = 40
"""A line has at most a quarter of the core, or 40 tokens; more is cut to its best sentences. By hand."""
_FROM_NOW_ON: Final = lazy_regex(r"^\W*(?:please,?\s+)?from now on\b,?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCore:
    """A core as text.

    Attributes:
        found: The memories in it, in the order of the lines.
        left_out: The first of those without room, and repeats, each with its reason.
        left_out_count: How many memories had no room.
        words: The words of each memory in it, in lower case, and its id.
        framed_tokens: Its tokens in the frame of a context.
    """

    text: str = ""
    found: tuple[Recollection, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    left_out_count: int = 0
    words: Mapping[str, str] = field(default_factory=dict)
    framed_tokens: int = 0

    @property
    def lines(self) -> list[str]:
        """The lines without their heading."""
        return self.text.splitlines()[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A memory as a line; ``whole`` when nothing of its words is missing."""

    memory: CoreMemory
    text: str
    tokens: int
    whole: bool = True

    @property
    def place(self) -> tuple[int, datetime, str]:
        """Its place: by part, then by time, so that the text is the same for every question."""
        record = self.memory.found.memory
        return CORE_PARTS.index(self.memory.part), record.times.happened_at, record.id


def core_within(
    core: Core,
    *,
    budget_tokens: int,
    core_share: float,
    count_tokens: TokenCounter,
    excerpts: Excerpts,
    timezone: tzinfo = UTC,
) -> WrittenCore:
    """Write as much of a core as fits into its share of a budget and, with the frame, into the budget.

    The parts are filled in their order, each with the memories nearest to the question first. Except for its
    first line, no part takes more than half of the room while others wait: ten thousand critical memories
    leave room for an allergy. The rest is filled in the same order.
    """
    frame = count_tokens(OPENING + CLOSING)
    room = most = min(int(budget_tokens * core_share), budget_tokens - frame)
    while True:
        page = _Page(room - count_tokens(HEADING), count_tokens, excerpts, timezone, core.contested)
        made = _written(core, page)
        used = count_tokens(f"{OPENING}{made.text}{CLOSING}") if made.text else frame
        if not made.text or used <= frame + most:
            return replace(made, framed_tokens=used)
        room //= 2  # a counter whose parts are less than the whole


def _written(core: Core, page: "_Page") -> WrittenCore:
    """The core on an empty page."""
    memories = sorted(_without_names_of_the_dead(core.memories), key=_is_harmless)
    wanted = {part: [one for one in memories if one.part == part] for part in CORE_PARTS}
    waiting = {part: memories for part, memories in wanted.items() if memories}
    left: list[CoreMemory] = []
    for place, memories in enumerate(waiting.values(), 1):
        share = page.room if place == len(waiting) else page.room // 2
        left += page.fill(memories, share=share)
    left = page.fill(left, share=page.room)
    return page.close(left, more=core.more)


def _without_names_of_the_dead(memories: Sequence[CoreMemory]) -> list[CoreMemory]:
    """The memories without "User's husband is named Ron." beside "User's husband Ron died in 2015."."""
    told = [(one, one.found.memory.metadata) for one in memories]
    dead = {
        (said.get("subject"), word)
        for one, said in told
        if said.get("relation") in _DIED
        for word in one.found.memory.content.split()
    }
    return [
        one
        for one, said in told
        if said.get("relation") != "is named" or (said.get("subject"), said.get("object")) not in dead
    ]


def _is_harmless(memory: CoreMemory) -> bool:
    """Whether leaving it out endangers nobody. An allergy comes before what is nearer to the question."""
    return _DANGER.search(memory.found.memory.content) is None


class _Page:
    """The lines of a core being filled."""

    def __init__(
        self,
        room: int,
        count: TokenCounter,
        excerpts: Excerpts,
        timezone: tzinfo,
        contested: AbstractSet[str],
    ) -> None:
        self.room = room
        self._longest = max(room // _LONGEST_SHARE, _LONGEST_WHOLE)
        self._count = count
        self._excerpts = excerpts
        self._timezone = timezone
        self._contested = contested
        self._lines: list[_Line] = []
        self._said: dict[str, str] = {}
        self._repeats: list[LeftOut] = []

    def fill(self, memories: Sequence[CoreMemory], *, share: int) -> list[CoreMemory]:
        """Take in what fits into a share of the room, at least one; returns what does not fit."""
        left: list[CoreMemory] = []
        begun = False
        for memory in memories:
            room = share if begun else self.room
            if room < TOKENS_PER_LINE:
                left.append(memory)
                continue
            record = memory.found.memory
            if not may_stand(record):
                continue
            same = next((self._said[one] for one in _repeated_by(record) if one in self._said), None)
            if same is not None:
                reason = f"same words as {same}"
                self._repeats.append(LeftOut(memory=record, score=memory.found.score, reason=reason))
                continue
            line = self._line(memory, min(room, self._longest))
            if line is None or line.tokens > room:
                left.append(memory)
                continue
            share, begun = share - line.tokens, True
            self._take(line)
        return left

    def _take(self, line: _Line) -> None:
        record = line.memory.found.memory
        self.room -= line.tokens
        self._lines.append(line)
        if line.whole:
            self._said.update(dict.fromkeys((record.id, *_sayings(record)), record.id))

    def _line(self, memory: CoreMemory, longest: int) -> _Line | None:
        """A memory as a line of at most so many tokens; None when not even a sentence fits."""
        record = memory.found.memory
        before, words, behind = _worded(record, self._timezone, contested=record.id in self._contested)
        text = f"- {before}{words}{behind}\n"
        tokens = self._count(text)
        if tokens <= longest:
            return _Line(memory=memory, text=text, tokens=tokens)
        short = self._excerpts.of(words, longest - self._count(f"- {before}{behind}\n"))
        text = f"- {before}{short}{behind}\n"
        return _Line(memory=memory, text=text, tokens=self._count(text), whole=False) if short else None

    def close(self, left: Sequence[CoreMemory], *, more: int) -> WrittenCore:
        """The finished core."""
        lines = sorted(self._lines, key=lambda line: line.place)
        out = [
            LeftOut(memory=one.found.memory, score=one.found.score, reason=CORE_FULL) for one in left[:_NAMED]
        ]
        return WrittenCore(
            text="".join([HEADING, *(line.text for line in lines)]) if lines else "",
            found=tuple(line.memory.found for line in lines),
            left_out=(*out, *self._repeats),
            left_out_count=len(left) + more,
            words={
                normalised(line.memory.found.memory.content): line.memory.found.memory.id
                for line in lines
                if line.whole
            },
        )


def may_stand(record: MemoryRecord) -> bool:
    """Whether a memory may stand in the core, whose words a model reads before all others."""
    asks = record.labels.category == _INSTRUCTION
    said = _asked(record) if asks else record.content
    if reads_like_an_instruction(_FROM_NOW_ON.sub("", said)):
        return not asks and record.origin.role == "user"
    return not asks or record.origin.role == "user"


def fact_line(record: MemoryRecord, timezone: tzinfo, *, contested: bool) -> str:
    """A memory as a line of the core, with its line break."""
    return f"- {''.join(_worded(record, timezone, contested=contested))}\n"


def _worded(record: MemoryRecord, timezone: tzinfo, *, contested: bool) -> tuple[str, str, str]:
    """A memory's line: a prefix, its words, a suffix."""
    day = day_of(record.times.happened_at, timezone)
    if record.labels.category == _INSTRUCTION:
        return _asked_by(record), on_one_line(_asked(record)), f"\u201d ({day})"
    mark = f"({MARK}) " if reads_like_an_instruction(record.content) else ""
    if record.kind == "fact":
        return mark, on_one_line(record.content), _notes(record, timezone, contested=contested)
    who = label_of(who_wrote(record, record.origin.role), "")
    said = with_dates(record.content, record.labels.dates, said=record.times.happened_at, timezone=timezone)
    return f"{mark}{who}, {day}: ", on_one_line(said), ""


def _asked(record: MemoryRecord) -> str:
    """The words of an instruction: as they were said where that is known."""
    quote = record.metadata.get("quote")
    return quote if isinstance(quote, str) and quote.strip() else record.content


def _asked_by(record: MemoryRecord) -> str:
    name = who_said(record.origin.speaker, record.origin.role)
    return f"{'The user' if name == 'user' else label_of(name, '')} asked: \u201c"


def _notes(record: MemoryRecord, timezone: tzinfo, *, contested: bool) -> str:
    """Since when a fact holds and which member said it, where its words do not tell; if it is contested."""
    since, notes = record.times.valid_from, []
    if since is not None and str(since.astimezone(timezone).year) not in record.content:
        notes.append(f"since {_month(since, timezone)}")
    if contested:
        notes.append("contested")
    author = author_of(record)
    if author is not None and not record.content.startswith((f"{author} ", f"{author}'s ")):
        notes.append(f"from {label_of(author, '')}")
    return f" ({', '.join(notes)})" if notes else ""


def _sayings(record: MemoryRecord) -> Iterator[str]:
    """What a memory says: its words, and of a fact its statement."""
    yield normalised(record.content)
    parts = [record.metadata.get(name) for name in ("subject", "relation", "object")]
    if all(isinstance(part, str) for part in parts):
        yield "\n".join(map(str, parts)).casefold()


def _repeated_by(record: MemoryRecord) -> Iterator[str]:
    """What says a memory already when it is in the core: the same words, or a turn it was learned from."""
    yield from _sayings(record)
    yield from record.origin.sources


def day_of(moment: datetime, timezone: tzinfo) -> str:
    """The day of a moment, as a reader writes it."""
    there = moment.astimezone(timezone)
    return f"{there.day} {MONTHS[there.month - 1]} {there.year}"


def _month(moment: datetime, timezone: tzinfo) -> str:
    there = moment.astimezone(timezone)
    return f"{MONTHS[there.month - 1]} {there.year}"

"""Answers of memory about itself, in sentences, within a budget of tokens.

The same text is read by a person and by a model: words of others stand on one line each, as data, in
characters that cannot be mistaken for others, and what reads like an instruction is marked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Final, Literal

from recollect.context.core import day_of
from recollect.learning.extraction.facts import CATEGORIES, EXPLICIT, HEDGED, SHARED
from recollect.memory.knowing import Knowledge, Material, ShownFact
from recollect.memory.parts import Parts
from recollect.text.memory_questions import MemoryQuestionKind
from recollect.text.quoting import MARK, label_of, on_one_line, reads_like_an_instruction, who_wrote
from recollect.types import JSON, Change, MemoryRecord
from recollect.types.guesses import Result

if TYPE_CHECKING:
    from recollect.memory.reckoning import Reckoned

MemoryAnswerKind = MemoryQuestionKind | Literal["time"]
"""What an answer tells; ``time`` is what was reckoned of times."""
_HEADINGS: Final[Mapping[str, str]] = {
    "context": "Who the user is",
    "preference": "What the user likes",
    "knowledge": "What the user knows and uses",
    "skill": "What the user can do",
    "general": "Else about the user",
    "instruction": "What the user asked for",
    "plan": "What is to come",
}
_PASSED: Final = "What was planned, and whose day is over"
_ORDER: Final = ("context", *(one for one in CATEGORIES if one != "context"))
_QUOTE_LENGTH: Final = 300
"""Characters of a message that are quoted, and of what a question names. Chosen by hand."""
_NAMED: Final = 80
_MOST_MESSAGES: Final = 5
_MOST_UNDECIDED: Final = 5
_MOST_SOURCES: Final = 3
"""Messages, conflicts, and words a fact was learned from, that one answer tells. Chosen by hand."""
_SURE: Final = (
    (1.0, "the user asked to remember it"),
    (EXPLICIT - 0.06, "it was stated plainly"),
    (SHARED - 0.1, "it was stated, but something was left open, such as a plan or who of several is meant"),
    (HEDGED - 0.05, "it was said with doubt, or in words that are no plain statement"),
    (0.0, "it was said in passing, or pieced together"),
)
"""From which confidence on how a fact is known, see ``learning.extraction.facts``."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryAnswer(Result):
    """What memory says of itself.

    Attributes:
        kind: What was asked for.
        about: What the question names, in its words; None where it names nothing.
        text: The answer in sentences; empty where the budget has no room for one.
        tokens: How many tokens it has, by the counter of the memory.
        memories: The facts and messages it tells, in its order.
        total: How many facts there are to tell.
        reckoned: Of a question for a time the result, as ``Reckoned.to_dict`` gives it.
    """

    kind: MemoryAnswerKind
    about: str | None
    text: str
    tokens: int
    memories: tuple[MemoryRecord, ...]
    total: int
    reckoned: Mapping[str, JSON] | None = None

    @property
    def line(self) -> str:
        """Its first line: of a question for a time, what was reckoned."""
        return self.text.partition("\n")[0]

    def __str__(self) -> str:
        """The text."""
        return self.text

    def __repr__(self) -> str:
        return f"<MemoryAnswer {self.kind}: {len(self.memories)} memories, {self.total} facts>"

    def to_dict(self) -> dict[str, JSON]:
        """Its attributes; ``memories`` as ``MemoryRecord.to_dict`` gives them."""
        return {
            "kind": self.kind,
            "about": self.about,
            "text": self.text,
            "tokens": self.tokens,
            "memories": [one.to_dict() for one in self.memories],
            "total": self.total,
            "reckoned": None if self.reckoned is None else dict(self.reckoned),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line, the heading it stands under, and the memories it tells."""

    text: str
    heading: str = ""
    told: tuple[MemoryRecord, ...] = ()


class Teller:
    """Writes answers.

    Args:
        parts: The open memory.
        knowledge: What may be shown.
    """

    def __init__(self, parts: Parts, knowledge: Knowledge) -> None:
        self._count = parts.count_tokens
        self._zone: tzinfo = parts.timezone
        self._knowledge = knowledge

    def answer(self, found: Material, *, budget_tokens: int) -> MemoryAnswer:
        """The answer to a question, of at most so many tokens."""
        asked, total = found.asked, len(found.facts)
        match asked.kind:
            case "everything":
                lines = self._everything(found)
                text, told = self._everything_within(lines, found, budget_tokens)
            case "about":
                text, told = self._within(self._about(found), budget_tokens)
            case "why":
                text, told = self._within(self._why(found), budget_tokens)
        return MemoryAnswer(
            kind=asked.kind,
            about=asked.about,
            text=text,
            tokens=self._count(text) if text else 0,
            memories=told,
            total=total,
        )

    def reckoned(self, found: "Reckoned", *, budget_tokens: int) -> MemoryAnswer:
        """The answer to a question for a time, of at most so many tokens, and what was said for it."""
        from recollect.memory.telling_times import sentence_of

        quoted = found.sources[-_MOST_MESSAGES:]
        lines = [_Line(text=sentence_of(found, self._zone), told=found.sources)]
        lines += [_Line(text=f"- {self._said(one, one.content)}", told=(one,)) for one in quoted]
        text, told = self._within(lines, budget_tokens)
        return MemoryAnswer(
            kind="time",
            about=found.asked.about,
            text=text,
            tokens=self._count(text) if text else 0,
            memories=told,
            total=0,
            reckoned=found.to_dict(),
        )

    def _everything(self, found: Material) -> list[_Line]:
        """The conflicts, then the facts of the categories in turn, the surest of each first."""
        undecided = self._undecided(found.facts)
        in_doubt = {one.id for line in undecided for one in line.told}
        grouped: dict[str, list[_Line]] = {}
        ageing = self._knowledge.ageing
        for one in sorted(found.facts, key=lambda one: (-ageing.of(one.fact).value, one.fact.id)):
            if one.fact.id not in in_doubt:
                heading = _heading_of(one)
                grouped.setdefault(heading, []).append(
                    _Line(text=self._fact(one), heading=heading, told=(one.fact,))
                )
        in_turn = chain.from_iterable(zip_longest(*grouped.values()))
        return [*undecided, *(line for line in in_turn if line is not None)]

    def _everything_within(
        self, lines: Sequence[_Line], found: Material, budget: int
    ) -> tuple[str, tuple[MemoryRecord, ...]]:
        total = len(found.facts)
        if not total:
            return self._within([_Line(text=self._nothing())], budget)
        order = [_UNDECIDED, *(_HEADINGS[one] for one in _ORDER), _PASSED]
        kept = len(lines)
        while True:
            shown = sorted(lines[:kept], key=lambda line: _place(line.heading, order))
            facts = len({one.id for line in shown for one in line.told})
            head = f"{_many(total, 'fact')} known about the user, each with the day it was said."
            more = f"{_many(total - facts, 'more fact')} not shown here; " if facts < total else ""
            tail = f"{more}the profile lists all {total:,}." if more else "The profile lists them, too."
            text = "\n".join([head, *_headed(shown), tail[:1].upper() + tail[1:]])
            used = self._count(text)
            if used <= budget:
                return text, tuple(one for line in shown for one in line.told)
            if not kept:
                return "", ()
            kept = min(kept - 1, int(kept * budget / used))

    def _nothing(self) -> str:
        """That there are no facts: of what was said, or because nothing was."""
        if self._knowledge.of_session:
            return f"No fact about the user was learned in this session; {_ALL_SESSIONS}."
        if self._knowledge.is_stored:
            return "No fact about the user is known yet; what was said is found by its words."
        return "This memory holds nothing about the user yet: no fact has been learned."

    def _about(self, found: Material) -> Iterator[_Line]:
        named = _named(found.asked.about or found.asked.before or "")
        holding = [one for one in found.facts if not (one.ended or one.passed)]
        passed = [one for one in found.facts if one.passed and not one.ended]
        past = [one for one in found.facts if one.ended]
        if not (found.facts or found.messages):
            only = f"This session holds nothing about {named}: {_NAMES_NONE}; {_ALL_SESSIONS}."
            nothing = f"This memory holds nothing about {named}: {_ONLY_STORED}"
            yield _Line(text=only if self._knowledge.of_session else nothing)
            yield from self._asked_to_forget(found)
            return
        if found.near:
            yield _Line(text=f"About {named}: {_NAMES_NONE}. Nearest to it is what was said:")
            yield from self._messages(found)
            return
        ended = f", {len(past):,} no longer {'does' if len(past) == 1 else 'do'}" if past else ""
        over = f", {len(passed):,} told of a day that is over" if passed else ""
        many = f"{len(holding):,} {'fact holds' if len(holding) == 1 else 'facts hold'}{over}{ended}"
        known = many if found.facts else "no fact was learned of it, but it was spoken of"
        yield _Line(text=f"About {named}: {known}.")
        undecided = self._undecided(holding)
        in_doubt = {one.id for line in undecided for one in line.told}
        yield from (
            _Line(text=self._fact(one), heading="What holds", told=(one.fact,))
            for one in holding
            if one.fact.id not in in_doubt
        )
        yield from undecided
        yield from (_Line(text=self._fact(one), heading=_PASSED, told=(one.fact,)) for one in passed)
        yield from (
            _Line(text=self._past(one), heading="What no longer holds", told=(one.fact,)) for one in past
        )
        yield from self._messages(found, heading="What was said")

    def _asked_to_forget(self, found: Material) -> Iterator[_Line]:
        """Who asked that it be forgotten, and when; not what it was."""
        for one in self._knowledge.asked_to_forget(found.asked.about or found.asked.before or ""):
            said = self._said(one, one.content)
            yield _Line(text=f"It was asked to be forgotten, and is in the archive: {said}", told=(one,))

    def _messages(self, found: Material, *, heading: str = "") -> Iterator[_Line]:
        for one in found.messages[:_MOST_MESSAGES]:
            yield _Line(text=f"- {self._said(one, one.content)}", heading=heading, told=(one,))

    def _why(self, found: Material) -> Iterator[_Line]:
        asked, last = found.asked, found.last
        if last is not None:
            what = "My last answer" if last.origin.role == "assistant" else "Asked before"
            yield _Line(text=f"{what}: {self._said(last, last.content)}", told=(last,))
        named = f"\u201c{_named(asked.about)}\u201d" if asked.about else "it"
        if not found.facts and not found.messages:
            yield _Line(text=f"Nothing in memory supports {named}: no fact and no message says so.")
            yield from self._asked_to_forget(found)
        elif found.near:
            yield _Line(text=f"Nothing in memory says {named}. This fact is nearest to it:")
        elif not found.facts:
            yield _Line(text=f"No fact was learned that says {named}, but this was said:")
        for one in found.facts:
            yield from self._reasons(one)
        yield from (
            _Line(text=f"- {self._said(one, one.content)}", told=(one,))
            for one in found.messages[:_MOST_SOURCES]
        )

    def _reasons(self, one: ShownFact) -> Iterator[_Line]:
        """A fact, since when it holds, its words, what it replaced, and how sure it is."""
        fact, times = one.fact, one.fact.times
        since = day_of(times.valid_from or times.happened_at, self._zone)
        until = (
            f", and no longer since {day_of(times.valid_until, self._zone)}"
            if one.ended and times.valid_until
            else ""
        )
        yield _Line(text=f"{self._sentence(fact)} Known since {since}{until}.", told=(fact,))
        changed = self._knowledge.changed(one)
        if changed is not None:
            yield _Line(text=f"- {self._changed(changed)}", told=(fact,))
        if (quote := one.quote) is not None:
            source, words = quote
            begins = "It was learned from" if changed is None else "Before that it was learned from"
            yield _Line(text=f"- {begins}: {self._said(source, words)}", told=(source,))
            others = [turn for turn in one.sources if turn.id != source.id]
            for turn in others[-_MOST_SOURCES:]:
                yield _Line(text=f"- It was said again: {self._said(turn, turn.content)}", told=(turn,))
        else:
            yield _Line(
                text="- The words it was learned from cannot be shown here, or it was stored as a fact."
            )
        for before in self._knowledge.replaced(one):
            yield _Line(text=f"- It replaced: {self._past(before).removeprefix('- ')}", told=(before.fact,))
        for after in self._knowledge.replacing(one):
            yield _Line(
                text=f"- It was replaced by: {self._fact(after).removeprefix('- ')}", told=(after.fact,)
            )
        for known, new in self._knowledge.undecided([one])[:_MOST_UNDECIDED]:
            other = known if new.fact.id == fact.id else new
            yield _Line(
                text=f"- Undecided: it contradicts {self._fact(other).removeprefix('- ')}", told=(other.fact,)
            )
        sure = f"{fact.worth.confidence:.0%}; {_BY_HAND}." if changed is not None else _sure(one)
        yield _Line(text=f"- How sure: {sure}")
        aged = self._knowledge.ageing.of(fact)
        if f"{aged.value:.0%}" != f"{fact.worth.confidence:.0%}":
            yield _Line(text=f"- Time has left {aged.value:.0%}: {aged.reason}.")

    def _changed(self, change: Change) -> str:
        """When a fact got the words it has, which it had before, and why."""
        before = change.before.get("content")
        was = f", from \u201c{_cut(on_one_line(before))}\u201d" if isinstance(before, str) else ""
        why = f": {_cut(on_one_line(change.reason))}" if change.reason else "; no reason was given"
        return f"It was changed by hand on {day_of(change.at, self._zone)}{was}{why}."

    def _undecided(self, facts: Sequence[ShownFact]) -> list[_Line]:
        return [
            _Line(
                text=f"{self._fact(known)} Or: {self._fact(new).removeprefix('- ')}",
                heading=_UNDECIDED,
                told=(known.fact, new.fact),
            )
            for known, new in self._knowledge.undecided(facts)[:_MOST_UNDECIDED]
        ]

    def _fact(self, one: ShownFact) -> str:
        """A fact as a sentence with the day it was said."""
        times = one.fact.times
        begins = times.valid_from
        since = ""
        if begins is not None and str(begins.astimezone(self._zone).year) not in one.fact.content:
            since = f"{'since' if one.holds else 'from'} {day_of(begins, self._zone)}; "
        again = f"{len(one.sources):,} times, first " if len(one.sources) > 1 else ""
        return f"- {self._sentence(one.fact)} ({since}said {again}on {day_of(times.happened_at, self._zone)})"

    def _past(self, one: ShownFact) -> str:
        until = one.fact.times.valid_until
        day = "" if until is None else f"until {day_of(until, self._zone)}; "
        return f"- {self._sentence(one.fact)} ({day}said on {day_of(one.fact.times.happened_at, self._zone)})"

    def _sentence(self, fact: MemoryRecord) -> str:
        mark = f"({MARK}) " if reads_like_an_instruction(fact.content) else ""
        return f"{mark}{_cut(on_one_line(fact.content))}"

    def _said(self, turn: MemoryRecord, words: str) -> str:
        """Words with their day and who said them."""
        who = label_of(who_wrote(turn, turn.origin.role), turn.content)
        return f"{day_of(turn.times.happened_at, self._zone)}, {who}: \u201c{_cut(on_one_line(words))}\u201d"

    def _within(self, lines: Iterable[_Line], budget: int) -> tuple[str, tuple[MemoryRecord, ...]]:
        """The first lines that fit, and what they tell."""
        kept = list(lines)
        while kept:
            text = "\n".join(_headed(kept))
            used = self._count(text)
            if used <= budget:
                return text, tuple({one.id: one for line in kept for one in line.told}.values())
            kept = kept[: min(len(kept) - 1, max(int(len(kept) * budget / used), 1))]
        return "", ()


_BY_HAND: Final = "its words are those of whoever changed it"
_NAMES_NONE: Final = "no fact and no message names it"
_ALL_SESSIONS: Final = "session_id looks at one conversation, leave it out to ask all"
_ONLY_STORED: Final = f"{_NAMES_NONE}. That is said of what was stored, not of what is so."
_UNDECIDED: Final = "Undecided, until somebody says which is true"


def _heading_of(one: ShownFact) -> str:
    """Under what a fact is told; a plan without a day, such as a budget, is nothing to come."""
    category = one.fact.labels.category or "general"
    if category == "plan":
        return _PASSED if one.passed else _HEADINGS["plan" if one.fact.labels.dates else "general"]
    return _HEADINGS.get(category, on_one_line(category).capitalize())


def _headed(lines: Iterable[_Line]) -> Iterator[str]:
    heading = ""
    for line in lines:
        if line.heading and line.heading != heading:
            yield f"{line.heading}:"
        heading = line.heading
        yield line.text


def _place(heading: str, order: Sequence[str]) -> tuple[int, str]:
    return (order.index(heading) if heading in order else len(order)), heading


def _sure(one: ShownFact) -> str:
    confidence = one.fact.worth.confidence
    why = next(said for least, said in _SURE if confidence >= least)
    if one.fact.origin.extractor is None and not one.fact.origin.sources:
        return f"{confidence:.0%}; it was stored as a fact and not learned from what was said."
    times = f", in {len(one.sources):,} messages" if len(one.sources) > 1 else ""
    by = one.fact.origin.extractor or "nobody named"
    how = "rules read it" if by.startswith("rules/") else f"{on_one_line(by)} read it"
    return f"{confidence:.0%}; {why}{times}; {how}."


def _many(count: int, what: str) -> str:
    return f"{count:,} {what} is" if count == 1 else f"{count:,} {what}s are"


def _named(words: str) -> str:
    mark = f"({MARK}) " if reads_like_an_instruction(words) else ""
    return f"{mark}{_cut(on_one_line(words), most=_NAMED)}"


def _cut(words: str, *, most: int = _QUOTE_LENGTH) -> str:
    return words if len(words) <= most else f"{words[:most].rstrip()}\u2026"

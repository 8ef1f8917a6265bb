"""Makes up a year: what is said, changed, corrected and deleted, and the questions with what is right.

The lines come of phrasings that were written without having read Recollect's rules.
"""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect_bench import LEAST_MESSAGES
from recollect_bench.life.slots import A_DAY, DAYS, SLOTS, Calendar, moment, within
from recollect_bench.life.words import OTHER_LANGUAGES, Dice, spoken, talk, topics

_FOREIGN: Final = 0.3
"""Share of lines in another language than English. This and the shares below were chosen by hand."""
_REPLIED: Final = 0.25
_TWISTED: Final = 0.6
_LATE: Final = 270 * A_DAY
"""From here on plans for the next year are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A line that somebody said: its slot, language and words."""

    slot: int
    language: str
    text: str


def make_lives(*, seed: int, people: int, messages: int) -> str:
    """So many people's years as JSON; the same arguments give the same bytes.

    Args:
        seed: Of the first person; each other one has the next.
        people: How many.
        messages: That each person's year has, the assistant's included; from ``LEAST_MESSAGES`` on.

    Raises:
        InvalidInputError: There are too few messages.
    """
    if messages < LEAST_MESSAGES:
        raise InvalidInputError(f"a life needs at least {LEAST_MESSAGES} messages, not {messages}")
    lives = [Life(seed + number, messages).told() for number in range(people)]
    return json.dumps(lives, indent=1, ensure_ascii=False) + "\n"


class Life:
    """One person's year.

    Args:
        seed: Decides everything.
        messages: How many are said.
    """

    def __init__(self, seed: int, messages: int) -> None:
        self.seed = seed
        self.messages = messages
        self.dice = Dice(seed)
        self.calendar = Calendar()
        self.words = talk()
        self.names = {what: self.dice.pick(names) for what, names in self.words["names"].items()}
        self.languages = self.dice.some(OTHER_LANGUAGES, 2)
        self.steps: list[tuple[int, dict[str, Any]]] = []
        self.questions: list[dict[str, Any]] = []

    def told(self) -> dict[str, Any]:
        """The year as the file has it."""
        for topic in topics().values():
            self._topic(topic)
        for make, kind, count in (
            (self._carry, "carry", 5), (self._slip, "slip", 4), (self._secret, "secret", 3),
        ):  # fmt: skip
            for one in self.dice.some(self.words[kind], count):
                make(one)
        for one in self.dice.some(self.words["forget"]["about"], 2):
            self._forget(one)
        self._noise()
        steps = [step for _, step in sorted(self.steps, key=lambda one: one[0])]
        person = {"seed": self.seed, "timezone": "UTC", **self.names}
        return {"person": person, "steps": _numbered(steps), "questions": self.questions}

    def _topic(self, topic: Mapping[str, Any]) -> None:
        """Something that is told, may change, is spoken of again, and is asked about."""
        changes = 1 if topic.get("late") else self.dice.pick((0, 1, 1, 2))
        values = self.dice.some(topic["values"], len(topic["values"]))
        starts = self._starts(changes, late=topic.get("late", False))
        ends = [*starts[1:], SLOTS]
        said = []
        for number, (since, until) in enumerate(zip(starts, ends, strict=True)):
            slots = {"new": values[number], "old": values[number - 1]}
            said.append(self._say(topic, "change" if number else "tell", since, slots))
            for _ in range(self.dice.below(3)):
                self._say(topic, "again", self._between(since, until), {"new": values[number]})
        stray, twist, quoted = values[changes + 1], None, []
        if self.dice.chance(_TWISTED):
            twist = self.dice.pick(("other", "irony"))
            quoted = [self._say(topic, twist, self._between(starts[-1], SLOTS), {"new": stray}).text]
        order = [[values[changes], old] for old in (*values[:changes], *([stray] if twist else []))]
        gold = {"must": [[values[changes]]], "order": order, "quoted": quoted}
        self._ask_now(topic, said[-1], gold, twist)
        if changes and topic["en"]["then"]:
            self._ask_then(topic, said, values)

    def _ask_now(
        self, topic: Mapping[str, Any], last: Said, gold: Mapping[str, Any], twist: str | None
    ) -> None:
        language = self.dice.pick(self.languages) if self.dice.chance(_FOREIGN / 2) else "en"
        plain = "planned" if topic.get("late") else ("now" if gold["order"] else "told once")
        kinds = {"other": "now, somebody else's beside it", "irony": "now, not meant beside it", None: plain}
        kind = kinds[twist] if language == last.language else "now, asked in another language"
        asked = spoken(self.dice.pick(topic[language]["now"]), self.dice, self.names)
        self._question(asked, kind, last.text, **gold)

    def _ask_then(self, topic: Mapping[str, Any], said: Sequence[Said], values: Sequence[str]) -> None:
        number = self.dice.below(len(said) - 1)
        when = within(said[number].slot, said[number + 1].slot)
        if when:
            phrase = self.dice.pick(topic["en"]["then"])
            asked = spoken(phrase, self.dice, {**self.names, "when": when})
            self._question(asked, "then", said[number].text, must=[[values[number]]])

    def _carry(self, one: Mapping[str, Any]) -> None:
        """Told once, and to be carried ever after."""
        since = _LATE if one.get("late") else 0
        language = self._language(one)
        text = spoken(self.dice.pick(one[language]), self.dice, self.names)
        self._add(self._between(since, since + SLOTS // 4), text)
        self._question(self.dice.pick(one["ask"]), one["kind"], text, must=[one["held"]])

    def _slip(self, one: Mapping[str, Any]) -> None:
        """Said wrong, then put right by an edit or in words."""
        wrong, right = self.dice.some(one["values"], 2)
        first = self._add(self._between(0, SLOTS - 40 * A_DAY), self._line(one, wrong))
        line = self._line(one, right)
        later = self.calendar.take(first + 1 + self.dice.below(A_DAY))
        asked = spoken(self.dice.pick(one["ask"]), self.dice, self.names)
        if self.dice.chance(0.5):
            self.steps.append((later, {"do": "correct", "of": first, "at": _at(later), "content": line}))
            self._question(asked, "corrected by an edit", line, must=[[right]], must_not=[wrong])
        else:
            text = spoken(self.dice.pick(self.words["mend"]["en"]), self.dice, {"line": line})
            self._add(later, text, taken=True)
            self._question(asked, "corrected in words", text, must=[[right]], order=[[right, wrong]])

    def _secret(self, one: Mapping[str, Any]) -> None:
        """Said, then deleted."""
        value = self.dice.pick(one["values"])
        text = self._line(one, value)
        first = self._add(self._between(0, SLOTS - 40 * A_DAY), text)
        later = self.calendar.take(first + 1 + self.dice.below(15 * A_DAY))
        self.steps.append((later, {"do": "delete", "of": first, "at": _at(later)}))
        self._question(self.dice.pick(one["ask"]), "deleted", text, must_not=[value])

    def _forget(self, one: Mapping[str, Any]) -> None:
        """Said, then asked in words to be forgotten."""
        value = self.dice.pick(one["values"])
        text = self._line(one, value)
        first = self._add(self._between(0, SLOTS - 40 * A_DAY), text)
        phrase = self.dice.pick(self.words["forget"]["en"])
        plea = spoken(phrase, self.dice, {"thing": one["thing"]})
        self._add(first + 1 + self.dice.below(10 * A_DAY), plea)
        self._question(self.dice.pick(one["ask"]), "asked to forget", plea, must_not=[value])

    def _noise(self) -> None:
        """Whatever else is said, until there are as many messages as the life is to have."""
        left = self.messages - sum(step["do"] == "say" for _, step in self.steps)
        while left > 0:
            language = self._language(self.words["noise"])
            text = spoken(self.dice.pick(self.words["noise"][language]), self.dice, self.names)
            slot = self._add(self.dice.below(DAYS * A_DAY), text)
            left -= 1
            if left and self.dice.chance(_REPLIED):
                self._add(slot + 1, self.dice.pick(self.words["noise"]["reply"]), role="assistant")
                left -= 1

    def _say(self, topic: Mapping[str, Any], what: str, slot: int, slots: Mapping[str, str]) -> Said:
        """A line of a topic, in some language that has such a line."""
        language = self._language([name for name in ("en", *self.languages) if what in topic[name]])
        text = spoken(self.dice.pick(topic[language][what]), self.dice, {**self.names, **slots})
        return Said(slot=self._add(slot, text), language=language, text=text)

    def _line(self, one: Mapping[str, Any], value: str) -> str:
        return spoken(self.dice.pick(one["en"]), self.dice, {**self.names, "new": value})

    def _language(self, has: Container[str]) -> str:
        language = self.dice.pick(self.languages) if self.dice.chance(_FOREIGN) else "en"
        return language if language in has else "en"

    def _starts(self, changes: int, *, late: bool) -> list[int]:
        """When something is told, and when it changes: spread over the year, or over its end."""
        first, span = (_LATE, SLOTS - _LATE) if late else (0, SLOTS)
        part = span // (changes + 1)
        return [first + number * part + self.dice.below(part // 2) for number in range(changes + 1)]

    def _between(self, since: int, until: int) -> int:
        return since + 1 + self.dice.below(max(until - since - 1, 1))

    def _add(self, slot: int, text: str, *, role: str = "user", taken: bool = False) -> int:
        at = slot if taken else self.calendar.take(slot)
        step = {"do": "say", "of": at, "at": _at(at), "session": _at(at)[:10], "role": role, "content": text}
        self.steps.append((at, step))
        return at

    def _question(self, ask: str, kind: str, why: str, **gold: object) -> None:
        self.questions.append({
            "id": f"q{len(self.questions) + 1:02}", "ask": ask, "kind": kind, **gold, "why": why,
        })  # fmt: skip


def _at(slot: int) -> str:
    return moment(slot).isoformat()


def _numbered(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages named in the order in which they are said; edits and deletions by the same names."""
    said = [step["of"] for step in steps if step["do"] == "say"]
    names = {slot: f"m{number:04}" for number, slot in enumerate(said, start=1)}
    return [
        {
            "do": step["do"],
            "id": names[step["of"]],
            **{key: step[key] for key in step if key not in {"do", "of"}},
        }
        for step in steps
    ]

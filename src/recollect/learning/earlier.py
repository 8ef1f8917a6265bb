"""What a user said earlier that a message about a change may be about, fact or not."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final, NamedTuple

import numpy as np

from recollect.ingest.conversations import TIMEOUT_S
from recollect.learning.extraction.changing import SHORT, sayings_in
from recollect.learning.extraction.extract import speaker_of
from recollect.learning.extraction.facts import INFERRED, Fact
from recollect.learning.extraction.forget_requests import asked_to_forget
from recollect.learning.extraction.instruction_rules import DO
from recollect.learning.extraction.lasting import lasting
from recollect.learning.persons import Persons
from recollect.learning.reconcile.changes import end_by_change, somebody_in
from recollect.learning.reconcile.doubts import doubt_of, may_concern, name_others, share_only_somebody
from recollect.learning.reconcile.judge import outdates, reads
from recollect.learning.reconcile.phrases import plain
from recollect.learning.reconcile.statements import Statement
from recollect.learning.reconcile.ties import tie_of_noun
from recollect.learning.recording import new_statement, turn_of
from recollect.lifecycle.archival import ARCHIVED
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord, Scope
from recollect.types.regex import lazy_regex

_LIKELY: Final = 0.5
_LIKELIER: Final = 0.8
"""Probability from which a person is asked whether an earlier statement still holds: of one near statement,
and of the likeliest of ``_JUDGED``, which is so by chance more often. In four made-up lives
of 526 messages 21 pairs are asked about, 13 of them rightly; with 0.7 it was 31, and 16."""
_BRIEF: Final = 100
_LASTING: Final = 0.5
"""Characters of an earlier message of which each statement counts, and the probability from which one of a
longer message states something that lasts, so that it can change. With this and ``_ORDER`` 500 messages to
assistants led to 18 conflicts (51 without), and with ``_LIKELIER`` to 10; of 150 unseen changes 115 are
noticed with and without that."""
_ORDER: Final = lazy_regex(
    r"(?:(?:please|now|so|ok(?:ay)?|just|then|and|but|alright|good|great|perfect|yes|no)[,.]? )*"
    rf"(?:{DO}|continue|stop|help|make|let me|let's|go|keep|do|don't|get)\b"
    r"(?!.*\b(?:new|from now on|instead|no longer|any ?more|always|never)\b)",
    re.IGNORECASE,
)
"""Tells the assistant to do something once, which changes nothing: "Show me the draft"."""
_ONCE: Final = lazy_regex(
    r"(?:(?:please|now|so|ok(?:ay)?|hey|hi|and|also|then|can you|could you|help me)[,.]? )*"
    r"(?:draft|translate|write|compose|summari[sz]e|proofread|reword|rewrite|rephrase|check|fix|find|look up"
    r"|make|create|generate|list|plan|suggest|recommend|show|tell|explain|give|calculate|convert|turn)\b"
    r"(?!.*(?::|\b(?:always|never|every|each|any ?more|from now on|in future|answers?"
    r"|repl(?:y|ies)|responses?)\b))",
    re.IGNORECASE,
)
"""Asks for one thing, which no news makes out of date: "draft a text to Iona"."""
_PAUSE: Final = timedelta(seconds=TIMEOUT_S)
"""What was said in the same half hour is not asked about: who introduces themselves changes nothing."""
_JUDGED: Final = 12
"""Statements judged at most, the nearest first. Chosen by hand."""


class Earlier(NamedTuple):
    """A statement of an earlier turn, as it stands."""

    fact: Fact
    turn: MemoryRecord
    statement: Statement


class EarlierStatements:
    """Relates a message about a change to what its speaker said before."""

    def __init__(
        self,
        near: Callable[[Scope, Fact, MemoryRecord], Sequence[MemoryRecord]],
        *,
        is_unsaid: Callable[[MemoryRecord], bool],
        persons: Persons,
        analyser: Analyser,
    ) -> None:
        self._near = near
        self._is_unsaid = is_unsaid
        self._persons = persons
        self._analyser = analyser
        self._found: tuple[tuple[Scope, str, str], Sequence[MemoryRecord]] | None = None

    def ended(self, user: Scope, fact: Fact, source: MemoryRecord, *, but: set[str]) -> list[Earlier]:
        """Earlier statements that surely end by a change, as a whole or in a part."""
        change, told = self._told(user, fact, source)
        return [
            one
            for one in told
            if one.turn.id not in but
            and end_by_change(change, one.statement, self._analyser) in {"opposite", "finer"}
            and not self._is_unsaid(one.turn)
        ]

    def doubted(self, user: Scope, fact: Fact, source: MemoryRecord) -> list[Earlier]:
        """The statements of the one earlier turn that a change is most likely about; empty for none."""
        judged = reads(source.content) and fact.change != "ended"
        change, older = self._told(user, fact, source, plainly=not judged)
        before = source.times.happened_at - _PAUSE
        own = [
            one
            for one in older
            if plain(one.statement.subject) == plain(change.subject)
            and one.turn.times.happened_at <= before
            and end_by_change(change, one.statement, self._analyser) != "finer"
        ]
        words, people = change.object or "", self._persons.known(user)
        own = [one for one in _of_whom(source.content, own, people) if not _is_apart(words, one, people)]
        best = _likeliest(words, source, own) if judged else _most_shared(words, own)
        if best is None or self._is_unsaid(best.turn):
            return []
        return [best._replace(fact=replace(best.fact, confidence=INFERRED))]

    def _told(
        self, user: Scope, fact: Fact, source: MemoryRecord, *, plainly: bool = True
    ) -> tuple[Statement, list[Earlier]]:
        older = list(self._older(user, fact, source, plainly=plainly))
        statements = [new_statement(said, turn) for said, turn in older]
        change, *known = self._persons.united(user, [new_statement(fact, source), *statements])
        return change, [Earlier(*one, said) for one, said in zip(older, known, strict=True)]

    def _nearest(self, user: Scope, fact: Fact, source: MemoryRecord) -> Sequence[MemoryRecord]:
        """The messages nearest to a change; one search serves all that is asked of the same change."""
        change, found = (user, fact.text, source.id), self._found
        if found is None or found[0] != change:
            found = self._found = change, self._near(user, fact, source)
        return found[1]

    def _older(
        self, user: Scope, fact: Fact, source: MemoryRecord, *, plainly: bool
    ) -> Iterator[tuple[Fact, MemoryRecord]]:
        for turn in self._nearest(user, fact, source):
            if turn.origin.role != "user" or turn.times.happened_at >= source.times.happened_at:
                continue
            if turn.tier == ARCHIVED or any(asked_to_forget(turn.content)):
                continue
            for said in sayings_in(turn.content, speaker_of(turn_of(turn)), plain=plainly):
                if _ONCE.match(said.object or ""):
                    continue
                yield replace(said, source=turn.id), turn


def likeliest(told: str, facts: Sequence[MemoryRecord], *, least: float) -> list[MemoryRecord]:
    """Of facts learned from one turn, at least one, the one that a message most likely makes out of date.

    None where that is less likely than ``least``; of another language than English it cannot be told.
    """
    likely = outdates(told, [one.content for one in facts], turns=[""] * len(facts))
    best = int(np.argmax(likely))
    return [facts[best]] if likely[best] >= least or not reads(told) else []


def _of_whom(told: str, own: Sequence[Earlier], people: Mapping[str, str]) -> list[Earlier]:
    """The statements that a message may be about; one that begins with a name is about whoever has it."""
    first = told.replace("\u2019", "'").split(maxsplit=1)[:1]
    name = next((one for one in people if first and first[0].removesuffix("'s").strip(",") == one), "")
    return [one for one in own if name in one.turn.content or people.get(name, name) in one.turn.content]


def _is_apart(words: str, one: Earlier, people: Mapping[str, str]) -> bool:
    """Whether a message and a statement are of different people, or share only somebody."""
    said = one.statement.object or ""
    known = {name.casefold(): noun for name, noun in people.items()}
    ties = {name: tie_of_noun(noun) for name, noun in known.items()} | somebody_in(one.statement)
    return name_others(words, said, known) or share_only_somebody(words, said, ties)


def _likeliest(words: str, source: MemoryRecord, own: Sequence[Earlier]) -> Earlier | None:
    """The earlier statement that a change most likely makes out of date; None where none is likely."""
    if _ORDER.match(words):
        return None
    message = source.content if len(source.content) <= SHORT else words
    own = [one for one in own if may_concern(words, one.statement.object or "")][:_JUDGED]
    least = _LIKELY + (_LIKELIER - _LIKELY) * (len(own) - 1) / (_JUDGED - 1)
    own = [one for one in own if len(one.turn.content) <= _BRIEF or _lasts(one)]
    if not own:
        return None
    said = [one.statement.object or "" for one in own]
    likely = outdates(message, said, turns=[one.turn.id for one in own])
    best = int(np.argmax(likely))
    return own[best] if likely[best] >= least else None


def _lasts(one: Earlier) -> bool:
    """Whether an earlier statement says something that lasts."""
    ((likely, _),) = lasting([one.statement.object or ""])
    return likely >= _LASTING


def _most_shared(words: str, own: Sequence[Earlier]) -> Earlier | None:
    """The earlier statement that shares most with a change, by rules; None where that is nothing to go by."""
    scored = [
        (score, one.turn.times.happened_at, one.turn.id, one)
        for one in own
        if (score := doubt_of(words, one.statement.object or "")) is not None
    ]
    return max(scored, key=lambda one: one[:3])[3] if scored else None

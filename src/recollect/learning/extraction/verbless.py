"""What is said without a verb of its own: "Allergic to nuts", "As a nurse, I ...", "I saw my sister Ines"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.appositions import names_beside
from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import EXPLICIT, INFERRED, SHARED, Fact
from recollect.learning.extraction.leads import Lead
from recollect.learning.extraction.naming import owner_named
from recollect.learning.extraction.objects import object_end
from recollect.learning.extraction.people import RELATIVES, is_identity
from recollect.learning.extraction.states import states_of
from recollect.learning.extraction.subjects import SELF, Subject, kind_of, subject_of
from recollect.learning.extraction.telling import ToldClause, name_told
from recollect.learning.extraction.turn_read import Before, TurnRead
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import listed


def names_in(clause: Clause, lead: Lead, rest: Sequence[Clause], turn: TurnRead) -> Iterator[Fact]:
    """Names on the way to something else: "I visited my sister Ines"."""
    for place in range(lead.start + 1, len(clause.words)):
        if clause.words[place] in {"my", "our"}:
            subject = subject_of(clause, place)
            if subject is not None and not subject.name:
                at_end = subject.behind == len(clause.words)
                name = names_beside(subject, rest) if at_end else owner_named(clause, subject.behind)
                subject = subject._replace(name=name)
            if subject is not None and subject.name:
                told = name_told(
                    ToldClause(clause=clause, lead=lead, subject=subject, begins=0), turn.speaker
                )
                start = clause.tokens[place].start
                named = re.compile(re.escape(subject.name), re.IGNORECASE).search(clause.text, start)
                end = start if named is None else named.end()
                yield replace(told, quote=clause.text[start:end])


def name_beside(clause: Clause, lead: Lead, before: Before, turn: TurnRead) -> Iterator[Fact]:
    """The name in what tells more of something one has: "we got a dog, a whippet called Pico"."""
    words = clause.words
    place = next((at for at, word in enumerate(words) if word in {"called", "named"}), 0)
    ours = before.found and before.subject is not None and before.subject.kind == "self"
    if not ours or clause.link != "," or words[0] not in {"a", "an"} or place + 1 >= len(words):
        return
    noun, name = words[place - 1], clause.raw(place + 1, place + 2)
    if noun in RELATIVES and name.istitle():
        subject = Subject(noun, kind_of(noun), name, 0, len(words))
        yield name_told(ToldClause(clause=clause, lead=lead, subject=subject, begins=0), turn.speaker)


def apposed_to(clause: Clause, before: Before, turn: TurnRead) -> Iterator[Fact]:
    """What is said without a verb: "Allergic to nuts", "Vegan here", and "a nurse" behind "I'm Ada"."""
    named = (
        before.named
        and clause.link == ","
        and (clause.words[0] in {"a", "an", *_TITLES} or clause.words[0].isdigit() or _is_post(clause))
    )
    alone = clause.link == "" and before.clause is None
    end, again = object_end(clause.words, 0), clause.words[-1] == "again"
    end -= " ".join(clause.words[max(0, end - 1) : end + 1]) == "over here"
    for reading in states_of(clause, 0, end, kind="self") if named or alone else ():
        if (
            named
            or reading.relation == "is allergic to"
            or ((again or clause.words[-1] == "here") and reading.relation in _CLEAR)
        ):
            phrase = clause.raw(0, reading.until)
            shown = "is" if reading.shown is None else reading.shown
            shown += " a" if is_titled(clause) else ""
            said = SaidWords(
                relation=reading.relation,
                object=clause.raw(reading.start, reading.end),
                said=f"{shown} {phrase}" if reading.shown_from < 0 else shown,
                category=reading.category,
                confidence=EXPLICIT if named else SHARED if again else INFERRED,
                quote=phrase,
                single=reading.single,
                change="begun" if again else None,
            )
            yield fact_of(turn.speaker, SELF, said)


_TITLES: Final = frozenset(["retired", "former"])
"""Stands before a trade: "I'm Marek, retired tram driver"."""


def is_titled(clause: Clause) -> bool:
    """Whether a clause names a trade that is over: "retired tram driver"."""
    return clause.words[0] in _TITLES and is_identity(clause.words[-1])


def _is_post(clause: Clause) -> bool:
    """Whether a clause names a post: "head of a small school"."""
    return clause.words[0] in _POSTS and clause.words[1:2] == ["of"]


_POSTS: Final = frozenset(["head", "director", "chair", "owner", "founder", "treasurer", "captain"])
_CLEAR: Final = frozenset(["has diet", "has nationality", "has marital status"])
"""States that need no verb before "here" and "again": "Vegan here"."""

_NO_TRADES: Final = listed("kid child teenager teen boy girl result rule matter bonus student")


def trade_of(clause: Clause, rest: Sequence[Clause], turn: TurnRead) -> Iterator[Fact]:
    """What "As a nurse, I ..." says on the way; "As a nurse, I want to ..." is a user story."""
    words = clause.words
    if words[0] not in {"as", "being"} or words[1:2] not in (["a"], ["an"]):
        return
    end = next((place for place, word in enumerate(words) if word in {"i", "my", "we"}), len(words))
    goes_on = end < len(words) or (rest and rest[0].link == "," and rest[0].words[0] in {"i", "my", "we"})
    goal = words[end:] or (rest[0].words if rest else [])
    story = goal[:2] == ["i", "want"]
    if story or not goes_on or not _NO_TRADES.isdisjoint(words[1:end]):
        return
    for reading in states_of(clause, 1, end, kind="self"):
        said = SaidWords(
            relation=reading.relation,
            object=clause.raw(reading.start, reading.end),
            said=f"is {clause.raw(1, end)}",
            category=reading.category,
            confidence=INFERRED,
            quote=clause.raw(0, end),
            single=reading.single,
        )
        yield fact_of(turn.speaker, SELF, said)

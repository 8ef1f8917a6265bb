"""Facts as records, records as statements, and what a record becomes when something is learned of it. Pure.

Everything that becomes of a known fact because of a new one is written down in the new one when it is stored:
what it replaces, what it refines, what it contradicts. So any worker that finds it can finish what another
began that was stopped.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from uuid import UUID

from recollect.learning.extraction.facts import CATEGORIES, Fact, Turn
from recollect.learning.marks import (
    COMPARED,
    DROPPED_FOR,
    HERE,
    KEPT,
    digest_of,
    ended,
    enders_of,
    ids_of,
    is_id,
    moment_of,
    moments_of,
)
from recollect.learning.personal import is_said_of_here
from recollect.learning.reconcile.decisions import Decision
from recollect.learning.reconcile.relations import ONLY_ONES
from recollect.learning.reconcile.statements import Statement
from recollect.learning.reconcile.whose import name_of
from recollect.types import JSON, TIER, Link, MemoryLabels, MemoryRecord, Origin, Scope, Times, Worth
from recollect.types.regex import lazy_regex

if TYPE_CHECKING:
    from recollect.learning.extraction.episodes import Episode

_BEGUN: Final = "taking_over"
"""Under it metadata keep what is still to be done for a fact that takes the place of others."""


_OF_A_READING: Final = frozenset(
    (*KEPT, "single_valued", "contested", "conflicts_with", "related_to", "supersedes")
)
"""What metadata keep of a fact that was compared: gone where it is compared by other words."""
EXTRACTOR: Final = "rules/1"
"""What made a fact where no model did, and its version."""


def turn_of(record: MemoryRecord, people: Mapping[str, str] | None = None, *, timezone: tzinfo = UTC) -> Turn:
    """A message as rules and models read it.

    Args:
        record: The message.
        people: Names told before, see ``Turn.people``.
        timezone: Where it was said, which decides when its "tomorrow" begins.
    """
    return Turn(
        text=record.content,
        role=record.origin.role,
        speaker=record.origin.speaker,
        id=record.id,
        happened_at=record.times.happened_at.astimezone(timezone),
        people=people or {},
    )


_BESIDE: Final = lazy_regex(r"\b(?:also|too|as well|on the side|(?:on|at) weekends|second)\b", re.IGNORECASE)
"""Says that something comes beside what is known: "I also work at the bakery"."""


def fact_id_of(text: str, source_id: str) -> str:
    """The id of a fact: a UUIDv7 with the time of the turn that says it, and of its words.

    >>> fact_id_of("Ada likes tea.", "01a1fb84-cc1e-7de1-88f3-761b722f38e8")[:15]
    '01a1fb84-cc1e-7'
    """
    digest = blake2b(f"{source_id}\n{text}".encode(), digest_size=10).digest()
    bits = int.from_bytes(digest)
    millis = _millis_of(source_id)
    fraction, rest = bits >> 68, bits & ((1 << 62) - 1)
    return str(UUID(int=(millis << 80) | (0x7 << 76) | (fraction << 64) | (0x2 << 62) | rest))


def _millis_of(memory_id: str) -> int:
    """The time in a UUIDv7; 0 for an id of another kind."""
    try:
        return int(memory_id.replace("-", "")[:12], 16)
    except ValueError:
        return 0


def is_single(fact: Fact) -> bool:
    """Whether a new value ends an older one: a user and Ines have one home each, but friends have many."""
    _, others, whose = fact.subject.rpartition("'s ")
    named = whose[:1].isupper() or name_of(fact.subject, fact.text) != ""
    one = not others or named or whose.split()[0].lower() in ONLY_ONES
    return fact.single_valued and one and _BESIDE.search(fact.quote) is None


def _until(fact: Fact, source: MemoryRecord) -> datetime | None:
    """Until when a fact holds by its words and by its turn, the earlier of the two."""
    return min((one for one in (fact.valid_until, source.times.valid_until) if one is not None), default=None)


def new_statement(fact: Fact, source: MemoryRecord) -> Statement:
    """A fact as it is compared with known ones."""
    return Statement(
        subject=fact.subject,
        relation=fact.relation or None,
        object=fact.object,
        text=fact.text,
        confidence=fact.confidence,
        at=source.times.happened_at,
        negated=fact.negated,
        past=fact.past,
        single_valued=is_single(fact),
        changed=fact.change in {"begun", "ended"},
        corrects=fact.change == "corrected",
        planned=fact.category == "plan",
        valid_from=fact.valid_from,
        valid_until=fact.valid_until if fact.past else _until(fact, source),
        sources=(source.id,),
    )


def statement_of(record: MemoryRecord) -> Statement:
    """A stored fact as it is compared with a new one."""
    said = record.metadata
    return Statement(
        id=record.id,
        subject=str(said.get("subject") or record.origin.speaker or ""),
        relation=_text(said.get("relation")),
        object=_text(said.get("object")),
        text=record.content,
        confidence=record.worth.confidence,
        at=record.times.happened_at,
        negated=bool(said.get("negated")),
        past=bool(said.get("past")),
        single_valued=bool(said.get("single_valued")),
        planned=record.labels.category == "plan",
        valid_from=record.times.valid_from,
        valid_until=record.times.valid_until,
        repeated_at=moment_of(said.get("repeated_at")),
        sources=record.origin.sources,
        enders=tuple(enders_of(record)),
    )


def record_of(
    fact: Fact,
    source: MemoryRecord,
    decision: Decision,
    *,
    now: datetime,
    made_by: str,
    prompt_id: str | None,
) -> MemoryRecord:
    """A fact as it is stored.

    What is over is told as such ("used to live in Rome"), so that it is true from then on: it has an end
    only where its words or its turn name one. One that takes the place of others does not hold yet:
    ``taken_over`` lets it, in the transaction that ends the others.
    """
    until = until_of(fact, source, decision)
    here: dict[str, JSON] = {HERE: True} if is_said_of_here(fact.quote, source.content) else {}
    record = MemoryRecord(
        id=fact_id_of(fact.text, source.id),
        scope=Scope(user_id=source.scope.user_id, agent_id=source.scope.agent_id),
        kind="fact",
        content=fact.text,
        times=Times(
            created_at=now,
            happened_at=source.times.happened_at,
            updated_at=now,
            valid_from=fact.valid_from,
            valid_until=until,
        ),
        labels=MemoryLabels(category=fact.category),
        worth=Worth(confidence=decision.confidence),
        origin=Origin(
            speaker=source.origin.speaker,
            role=source.origin.role,
            sources=tuple(dict.fromkeys((source.id, *fact.also))),
            extractor=made_by,
            prompt_id=prompt_id,
        ),
        metadata=_said_of(fact) | here | bearing(decision),
    )
    return record if decision.action != "supersede" else _not_yet(record, decision)


def until_of(fact: Fact, source: MemoryRecord, decision: Decision) -> datetime | None:
    """Until when a fact holds that is compared with known ones; None without an end."""
    until = _until(fact, source)
    return until if fact.past else decision.new_valid_until or until


def fact_of(record: MemoryRecord) -> Fact | None:
    """A stored fact as it was found, by what is known of it; None where that is only its words."""
    said, category = record.metadata, record.labels.category
    subject, relation = said.get("subject"), said.get("relation")
    if not (isinstance(subject, str) and isinstance(relation, str)):
        return None
    return Fact(
        text=record.content,
        category=next((one for one in CATEGORIES if one == category), "general"),
        confidence=record.worth.confidence,
        subject=subject,
        relation=relation,
        object=_text(said.get("object")),
        single_valued=bool(said.get("single_valued")),
        negated=bool(said.get("negated")),
        past=bool(said.get("past")),
        source=record.id,
        quote=_text(said.get("quote")) or "",
    )


def standing(
    before: MemoryRecord, fact: Fact, decision: Decision, *, target: MemoryRecord | None
) -> MemoryRecord:
    """A fact that came as one, with what its words say, and what that is to known ones.

    What says the same as a known fact holds no longer than that one.
    """
    read = _OF_A_READING if COMPARED in before.metadata else frozenset()
    own = {name: value for name, value in before.metadata.items() if name not in read}
    ends: list[JSON] = list(endings_of(decision))
    told = _said_of(fact) | bearing(decision) | ({"supersedes": ends} if ends else {})
    until = _until(fact, before) if fact.past else decision.new_valid_until or before.times.valid_until
    category = before.labels.category or (None if fact.category == "instruction" else fact.category)
    after = replace(
        before,
        times=replace(before.times, valid_from=before.times.valid_from or fact.valid_from, valid_until=until),
        labels=replace(before.labels, category=category),
        metadata={**own, **told, COMPARED: digest_of(before.content)},
    )
    if target is None or decision.action not in {"reinforce", "ignore"}:
        return after
    for ender, at in enders_of(target).items():
        after = ended(after, at=at, by=ender)
    return after


def _said_of(fact: Fact) -> dict[str, JSON]:
    """What metadata keep of a fact besides its words."""
    said: dict[str, JSON] = {name: getattr(fact, name) for name in KEPT if getattr(fact, name)}
    return said | ({"single_valued": True} if is_single(fact) else {})


def end_of(episode: "Episode", read: Sequence[MemoryRecord]) -> datetime | None:
    """Until when an episode holds: as long as the turn whose words it repeats, else as any of its turns."""
    said = [one for one in read if episode.said_in in {None, one.id}]
    ends = [one.times.valid_until for one in said if one.times.valid_until is not None]
    return max(ends) if ends and len(ends) == len(said) else None


def contradicting(before: MemoryRecord, *, decision: Decision) -> MemoryRecord:
    """A fact that contradicts a known one, too."""
    return replace(before, metadata={**before.metadata, **bearing(decision)})


def bearing(decision: Decision) -> dict[str, JSON]:
    """What a new fact is to the known one it has to do with."""
    if decision.target_id is None:
        return {}
    match decision.action:
        case "conflict":
            other: list[JSON] = [decision.target_id, *decision.also_open]
            return {"contested": True, "conflicts_with": other if len(other) > 1 else decision.target_id}
        case "add" | "refine":
            return {"related_to": decision.target_id}
        case _:
            return {}


def _not_yet(record: MemoryRecord, decision: Decision) -> MemoryRecord:
    """A fact that waits to take the place of others, and until then never holds."""
    times = record.times
    until = None if times.valid_until is None else times.valid_until.isoformat()
    ends: dict[str, JSON] = {known: at.isoformat() for known, at in endings_of(decision).items()}
    return replace(
        record,
        times=replace(times, valid_until=times.valid_from or times.happened_at),
        metadata={**record.metadata, "supersedes": list(ends), _BEGUN: {"ends": ends, "until": until}},
    )


def endings_of(decision: Decision) -> dict[str, datetime]:
    """When which known facts end by a decision, by their ids."""
    ends = {one.id: one.at for one in decision.also_ended}
    if decision.action in {"supersede", "retract"} and decision.target_id and decision.ended_at:
        ends[decision.target_id] = decision.ended_at
    return ends


def waits_to_take_over(record: MemoryRecord) -> dict[str, datetime]:
    """When which known facts end as soon as this one holds; empty when it holds, or never has to wait."""
    begun = record.metadata.get(_BEGUN)
    ends = begun.get("ends") if isinstance(begun, Mapping) else None
    return moments_of(ends.items()) if isinstance(ends, Mapping) else {}


def taken_over(before: MemoryRecord) -> MemoryRecord:
    """A fact that holds from now on; one that holds already stays as it is."""
    begun = before.metadata.get(_BEGUN)
    if not isinstance(begun, Mapping):
        return before
    kept = {name: value for name, value in before.metadata.items() if name != _BEGUN}
    return replace(
        before, times=replace(before.times, valid_until=moment_of(begun.get("until"))), metadata=kept
    )


def links_of(record: MemoryRecord) -> list[Link]:
    """The links of a new fact: with the turns that say it, and the facts it has to do with."""
    said = record.metadata
    links = [Link(source_id=record.id, target_id=turn, type="derived-from") for turn in record.origin.sources]
    if is_id(other := said.get("related_to")):
        links.append(Link(source_id=record.id, target_id=other, type="related"))
    links += [Link(source_id=record.id, target_id=one, type="contradicts") for one in contradicted_by(record)]
    return links + [
        Link(source_id=record.id, target_id=one, type="supersedes") for one in ids_of(said.get("supersedes"))
    ]


def reinforced(before: MemoryRecord, *, decision: Decision, source: MemoryRecord) -> MemoryRecord:
    """A fact that was said again."""
    begins = decision.target_begins_at
    said_at = source.times.happened_at.isoformat()
    return replace(
        with_source(before, source=source),
        worth=replace(before.worth, confidence=decision.confidence),
        times=before.times if begins is None else replace(before.times, valid_from=begins),
        metadata={**before.metadata, "repeated_at": said_at},
    )


def with_source(before: MemoryRecord, *, source: MemoryRecord) -> MemoryRecord:
    """A fact that another turn says, too; that brings it back from the archive."""
    sources = tuple(dict.fromkeys((*before.origin.sources, source.id)))
    is_back = before.tier == "archived" != source.tier and source.id not in before.origin.sources
    tier = TIER if is_back else before.tier
    return replace(before, origin=replace(before.origin, sources=sources), tier=tier)


def said_by(before: MemoryRecord, fact: Fact) -> MemoryRecord:
    """A known fact in the words of another turn that says the same."""
    kept = {name: value for name, value in before.metadata.items() if name not in KEPT}
    said: dict[str, JSON] = {name: getattr(fact, name) for name in KEPT if getattr(fact, name)}
    return replace(
        before,
        content=fact.text,
        times=replace(before.times, valid_from=fact.valid_from),
        labels=replace(before.labels, category=fact.category),
        worth=replace(before.worth, confidence=fact.confidence),
        origin=replace(before.origin, extractor=EXTRACTOR, prompt_id=None),
        metadata={**kept, **said},
    )


def contradicted_by(record: MemoryRecord) -> tuple[str, ...]:
    """The ids of the known facts that a fact contradicts, whether or not that was decided."""
    told = record.metadata.get("conflicts_with")
    return ids_of([told] if isinstance(told, str) else told)


def undecided_with(record: MemoryRecord) -> tuple[str, ...]:
    """The ids of the known facts that a fact contradicts while nobody decided."""
    return contradicted_by(record) if record.metadata.get("contested") else ()


def settled(before: MemoryRecord) -> MemoryRecord:
    """A fact whose conflict was decided."""
    return replace(before, metadata={**before.metadata, "contested": False})


def undecided(fact: MemoryRecord, *, before: Mapping[str, JSON]) -> MemoryRecord:
    """A fact as it was before a decision, by what its history says of it."""
    if "times.valid_until" in before:
        fact = replace(fact, times=replace(fact.times, valid_until=moment_of(before["times.valid_until"])))
    metadata = before.get("metadata")
    if isinstance(metadata, Mapping):
        kept = {name: value for name, value in fact.metadata.items() if name != DROPPED_FOR}
        fact = replace(fact, metadata={**kept, "contested": metadata.get("contested", False)})
    return fact


def _text(value: JSON) -> str | None:
    return value if isinstance(value, str) else None

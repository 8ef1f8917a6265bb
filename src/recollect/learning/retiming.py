"""What becomes of a fact whose message is given another time, where a person gave it something.

Any other fact is learned again from its message. One that a person changed or decided about stays, as of
the new time, and is compared anew with what is known.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.learning.extraction.facts import Fact
from recollect.learning.marks import (
    DROPPED_FOR,
    LEARNED_NAMES,
    ended,
    ended_by_hand,
    enders_of,
    held_again,
    is_ended_by_a_person,
    is_ended_by_hand,
)
from recollect.learning.reconcile.decisions import Decision
from recollect.learning.recording import bearing, contradicted_by, endings_of, until_of
from recollect.protocols import Store
from recollect.types import JSON, Change, MemoryRecord, Scope

REBUILT: Final = "a turn it was learned from was deleted, changed or brought back"
"""The reason in the history of what was rebuilt from the remaining turns."""
RETIMED: Final = "the message it was learned from was given another time"
"""Likewise, of a fact that a person gave something: it is still to be compared as of its new time."""
SAID_AGAIN: Final = "said again: "
"""Begins the reason where another turn says a fact, whose id follows."""
_GIVEN: Final = frozenset({"content", "worth.confidence", "worth.critical", "labels.tags", "labels.category"})
"""What a person changes of a learned fact, by its names in a history."""
_BY_LEARNING: Final = (REBUILT, RETIMED, SAID_AGAIN)
"""Begin the reasons for which learning changes one of them."""


def given_to(store: Store, user: Scope, fact: MemoryRecord) -> set[str]:
    """What a person gave a learned fact, by the names in a history: empty where that is nothing."""
    given = {name for one in store.history(user, fact.id) if _is_by_hand(one) for name in one.after}
    given &= _GIVEN
    if not LEARNED_NAMES.issuperset(fact.metadata):
        given.add("metadata")
    if is_ended_by_a_person(fact):
        given.add("times.valid_until")
    if decided_with(store, user, fact):
        given.add("decision")
    return given


def _is_by_hand(change: Change) -> bool:
    return change.action == "update" and not (change.reason or "").startswith(_BY_LEARNING)


def decided_with(store: Store, user: Scope, fact: MemoryRecord) -> set[str]:
    """The ids of the facts that contradict one, of which a person decided."""
    pairs = [one for one in store.links(user, fact.id) if one.type == "contradicts"]
    newer = store.get(user, [one.source_id for one in pairs])
    return {
        end
        for link, new in zip(pairs, newer, strict=True)
        if new is not None and new.metadata.get("contested") is False
        for end in (link.source_id, link.target_id)
        if end != fact.id
    }


def begun_anew(fact: MemoryRecord) -> MemoryRecord:
    """A fact that was given another time, without what ended it before it begins now.

    The end that a person gave it, or decided, is not before its beginning.
    """
    begins = _begins(fact)
    for one, at in enders_of(fact).items():
        fact = held_again(fact, gone=one) if at <= begins else fact
    until = fact.times.valid_until
    if fact.metadata.get("past") or until is None or until >= begins or not is_ended_by_a_person(fact):
        return fact
    moved = replace(fact, times=replace(fact.times, valid_until=begins))
    return ended_by_hand(moved) if is_ended_by_hand(fact) else moved


def compared_anew(before: MemoryRecord, fact: Fact, source: MemoryRecord, decision: Decision) -> MemoryRecord:
    """A fact that was given another time, with what it is to the known ones as of that."""
    decided = before.metadata.get("contested") is False
    read = {"supersedes", "related_to"} | (set() if decided else {"contested", "conflicts_with"})
    own = {name: value for name, value in before.metadata.items() if name not in read}
    ends: list[JSON] = list(endings_of(decision))
    told = ({} if decided else bearing(decision)) | ({"supersedes": ends} if ends else {})
    after = replace(before, metadata={**own, **told})
    if is_ended_by_a_person(before):
        return after
    for one in enders_of(after):
        after = held_again(after, gone=one)
    after = replace(after, times=replace(after.times, valid_until=until_of(fact, source, decision)))
    for one, at in enders_of(before).items():
        after = ended(after, at=at, by=one)
    return after


def is_decided_between(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether a person kept one of two facts instead of the other, or one names the other as contradicted."""
    dropped = other.id == one.metadata.get(DROPPED_FOR) or one.id == other.metadata.get(DROPPED_FOR)
    return dropped or one.id in contradicted_by(other)


def _begins(fact: MemoryRecord) -> datetime:
    return fact.times.valid_from or fact.times.happened_at

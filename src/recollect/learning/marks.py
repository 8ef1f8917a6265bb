"""What the metadata of a learned record says: what it was learned from, and what ended it. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Final, TypeGuard

from recollect.checks import MAX_ID_CHARS, check_time
from recollect.errors import InvalidInputError
from recollect.types import JSON, MemoryRecord, Times

KEPT: Final = ("subject", "relation", "object", "quote", "negated", "past")
"""What metadata keeps of a fact besides its words."""
HERE: Final = "here"
"""Under it metadata keep that a fact was said of a place of work: "I use yarn in this repo"."""
COMPARED: Final = "compared"
"""Under it metadata keep a digest of the words by which a fact that came as one was compared."""
ENDED_BY: Final = "ended_by"
"""Under it metadata keep the ids of the facts and turns that ended a fact."""
_ENDED_AT: Final = "ended_at"
"""When each of them ended it."""
_ELSE: Final = "else_until"
"""Until when it would hold without them."""
DROPPED_FOR: Final = "dropped_for"
"""Under it metadata keep the id of the fact that a person kept instead."""
_BY_HAND: Final = "ended_by_hand"
"""Under it metadata keep the end that a person gave a fact."""
LEFT_OUT: Final = "left_out"
"""Under it metadata keep the ids of the deleted turns that something was learned from, too."""


_BEARINGS: Final = frozenset(
    {"supersedes", "related_to", "contested", "conflicts_with", "repeated_at", "taking_over", COMPARED}
    | {ENDED_BY, _ENDED_AT, _ELSE, DROPPED_FOR, LEFT_OUT}
)
"""What metadata keep of a learned record's bearing on others: it means nothing where those are not."""
LEARNED_NAMES: Final = _BEARINGS.union(KEPT, {HERE, _BY_HAND, "single_valued", "project"})
"""The names under which metadata of a fact keep what learning writes there; others are of a person."""


def without_bearings(metadata: Mapping[str, JSON]) -> dict[str, JSON]:
    """Metadata without what names other memories of the same store."""
    return {name: value for name, value in metadata.items() if name not in _BEARINGS}


def moment_of(value: object) -> datetime | None:
    """The time that metadata hold under a name; None for anything else, since callers may write there.

    >>> moment_of("2025-01-01T00:00:00+00:00").year
    2025
    >>> moment_of("soon")
    """
    if not isinstance(value, str):
        return None
    try:
        return check_time("metadata", value)
    except InvalidInputError:
        return None


def is_id(value: object) -> TypeGuard[str]:
    """Whether metadata hold what can be the id of a memory."""
    return isinstance(value, str) and 0 < len(value) <= MAX_ID_CHARS and value.isprintable()


def ids_of(value: object) -> tuple[str, ...]:
    """The ids that metadata hold under a name; what cannot be an id is skipped."""
    return tuple(one for one in value if is_id(one)) if isinstance(value, (list, tuple)) else ()


def digest_of(words: str) -> str:
    """What ``COMPARED`` keeps of words."""
    return blake2b(words.encode(), digest_size=8).hexdigest()


def is_given(record: MemoryRecord) -> bool:
    """Whether a memory is a fact that came as one: learned from no message, and not the assistant's."""
    origin = record.origin
    return record.kind == "fact" and origin.role == "user" and not origin.sources and origin.extractor is None


def is_compared(record: MemoryRecord) -> bool:
    """Whether a fact that came as one was compared with known ones, by the words that it has."""
    return record.metadata.get(COMPARED) == digest_of(record.content)


def left_out_of(record: MemoryRecord) -> tuple[str, ...]:
    """The ids of the deleted turns that a memory was learned from, too."""
    return ids_of(record.metadata.get(LEFT_OUT))


def ended(before: MemoryRecord, *, at: datetime, by: str) -> MemoryRecord:
    """A fact that held until a moment because of a fact or turn; what ended earlier stays."""
    known = before.times.valid_until
    times = _held_until(before, at)
    enders = enders_of(before)
    first: JSON = None if known is None else known.isoformat()
    otherwise = before.metadata.get(_ELSE) if enders else first
    return replace(before, times=times, metadata=_with_enders(before, {**enders, by: at}, otherwise))


def dropped_for(before: MemoryRecord, *, kept: str, at: datetime) -> MemoryRecord:
    """A fact that held until a moment because a person kept another; it stays so when that one is deleted."""
    return replace(before, times=_held_until(before, at), metadata={**before.metadata, DROPPED_FOR: kept})


def ended_by_hand(record: MemoryRecord) -> MemoryRecord:
    """A fact with the mark that a person gave it the end that it has."""
    until = record.times.valid_until
    at: JSON = None if until is None else until.isoformat()
    return replace(record, metadata={**record.metadata, _BY_HAND: at})


def is_ended_by_hand(record: MemoryRecord) -> bool:
    """Whether a person gave a fact its end."""
    return _BY_HAND in record.metadata


def is_ended_by_a_person(record: MemoryRecord) -> bool:
    """Whether a person gave a fact its end, or decided against it."""
    return is_ended_by_hand(record) or DROPPED_FOR in record.metadata


def _held_until(before: MemoryRecord, at: datetime) -> Times:
    known = before.times.valid_until
    return replace(before.times, valid_until=at if known is None else min(known, at))


def held_again(before: MemoryRecord, *, gone: str) -> MemoryRecord:
    """A fact after something that ended it was taken back; an end that a person set since then stays."""
    enders, otherwise = enders_of(before), before.metadata.get(_ELSE)
    left = {one: at for one, at in enders.items() if one != gone}
    times = before.times
    if times.valid_until == _until(enders, otherwise):
        times = replace(times, valid_until=_until(left, otherwise))
    return replace(before, times=times, metadata=_with_enders(before, left, otherwise))


def enders_of(record: MemoryRecord) -> dict[str, datetime]:
    """The ids of the facts and turns that ended a fact, and when."""
    by, at = record.metadata.get(ENDED_BY), record.metadata.get(_ENDED_AT)
    if not isinstance(by, (list, tuple)) or not isinstance(at, (list, tuple)):
        return {}
    return moments_of(zip(by, at, strict=False))


def replaced_by(record: MemoryRecord) -> dict[str, datetime | None]:
    """The ids of what a fact was replaced by, and until when it held; None where it never did.

    A fact that a person ended stands for what replaced it itself: there are no newer words.
    """
    replaced: dict[str, datetime | None] = {**enders_of(record)}
    kept, until = record.metadata.get(DROPPED_FOR), record.times.valid_until
    if is_id(kept) and until is not None:
        begins = record.times.valid_from or record.times.happened_at
        replaced[kept] = until if until > begins else None
    if until is not None and moment_of(record.metadata.get(_BY_HAND)) == until:
        replaced[record.id] = until
    return replaced


def moments_of(pairs: Iterable[tuple[object, object]]) -> dict[str, datetime]:
    """The pairs of an id and a time that metadata hold; other pairs are skipped."""
    read = ((one, moment_of(at)) for one, at in pairs)
    return {one: at for one, at in read if is_id(one) and at is not None}


def _with_enders(record: MemoryRecord, enders: Mapping[str, datetime], otherwise: JSON) -> dict[str, JSON]:
    kept = {
        name: value for name, value in record.metadata.items() if name not in {ENDED_BY, _ENDED_AT, _ELSE}
    }
    if not enders:
        return kept
    moments: list[JSON] = [moment.isoformat() for moment in enders.values()]
    return {**kept, ENDED_BY: list(enders), _ENDED_AT: moments, _ELSE: otherwise}


def _until(enders: Mapping[str, datetime], otherwise: JSON) -> datetime | None:
    moments = [*enders.values(), moment_of(otherwise)]
    return min((one for one in moments if one is not None), default=None)


def reworded(record: MemoryRecord, *, before: str) -> MemoryRecord:
    """A fact whose words a person changed: it is compared by what they say now.

    Where only the words of its object changed, or the new ones begin with its subject and relation, what
    stands there is the new object; else nothing but the words is compared.

    Args:
        record: The fact with its new words.
        before: Its words before.
    """
    said = record.metadata
    begins, _, ends = before.partition(str(said.get("object") or "\n"))
    if not (ends and record.content.startswith(begins) and record.content.endswith(ends)):
        begins, ends = f"{said.get('subject')} {said.get('relation')} ", "."
    value = record.content.removeprefix(begins).removesuffix(ends).strip()
    kept = {name: value for name, value in said.items() if name not in KEPT}
    if value and record.content.startswith(begins):
        kept |= {name: said[name] for name in ("subject", "relation") if name in said} | {"object": value}
    else:
        kept = {name: value for name, value in kept.items() if name != "single_valued"}
        kept |= {"subject": said["subject"]} if isinstance(said.get("subject"), str) else {}
    return replace(record, metadata=kept)

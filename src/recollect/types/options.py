"""Options that belong together: where a question looks, and what an update sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.types.guesses import corrects_guesses
from recollect.types.records import Priority, Tier


@corrects_guesses
@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What ``Memory.update`` sets besides the words; what is None stays as it is.

    Attributes:
        category: What it is sorted under.
        priority: How pressing it is, whatever its words say.
        importance: 0 to 1, as of now; it is no longer worked out from the words.
        confidence: 0 to 1.
        critical: Whether it never fades. What is left of its importance stays: it stops fading now, or begins
            again now.
        tier: Where it stands: ``archived`` keeps it from being recalled, any other brings it back.
        tags: In place of all the old, automatic ones included.
        concepts: In place of all the old; with new words the old go in any case.
    """

    category: str | None = None
    priority: Priority | None = None
    importance: float | None = None
    confidence: float | None = None
    critical: bool | None = None
    tier: Tier | None = None
    tags: Sequence[str] | None = None
    concepts: Sequence[str] | None = None


@corrects_guesses
@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Where ``Memory.search`` and other questions look; by default everywhere, at what holds now.

    A time is a ``datetime``, ISO 8601 text or seconds since 1970; without a zone it is UTC.

    Attributes:
        tiers: Only these tiers; by default all but ``archived``.
        since: Only what happened at this moment or later.
        until: Only what happened before it.
        as_of: Only what held at that moment, by ``valid_from`` (else when it happened) and ``valid_until``.
            By default what no longer holds is left out.
        exclude_ids: Memories that are not wanted, such as those a prompt repeats already.
    """

    tiers: Sequence[Tier] | None = None
    since: datetime | str | float | None = None
    until: datetime | str | float | None = None
    as_of: datetime | str | float | None = None
    exclude_ids: Sequence[str] = ()

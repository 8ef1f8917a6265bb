"""Options that belong together: where a question looks, and what an update sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from recollect.types.guesses import corrects_guesses
from recollect.types.records import Priority, Tier


@corrects_guesses
@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What ``Memory.update`` sets besides the words; None leaves a value as it is.

    Attributes:
        category: A category of your own.
        priority: The priority, whatever the words say.
        importance: 0 to 1, as of now; it is no longer computed from the words.
        confidence: 0 to 1.
        critical: Whether it never fades. Its present importance stays: fading stops now, or starts again now.
        tier: ``archived`` keeps it from being recalled, any other tier brings it back.
        tags: Replace all tags, automatic ones included.
        concepts: Replace all concepts; new words remove the old ones in any case.
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
    """Where ``Memory.search`` and other queries look; by default everywhere, at what is valid now.

    A time is a ``datetime``, a ``date``, ISO 8601 text or seconds since 1970; without a zone it is UTC.

    Attributes:
        tiers: Only these tiers; by default all but ``archived``.
        since: Only what happened at this moment or later.
        until: Only what happened before it.
        as_of: Only what was valid then, by ``valid_from`` (else when it happened) and ``valid_until``.
        exclude_ids: Memories to leave out, such as those a prompt repeats already.
        project: Only what may be seen in this project, see ``recollect.memory.projects``.
    """

    tiers: Sequence[Tier] | None = None
    since: date | str | float | None = None
    until: date | str | float | None = None
    as_of: date | str | float | None = None
    exclude_ids: Sequence[str] = ()
    project: str | None = None

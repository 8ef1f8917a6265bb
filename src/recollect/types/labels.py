"""What the words of a memory are about: tags, dates, details."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Grain = Literal["minute", "hour", "day", "week", "month", "year"]
"""How exactly words name a time."""

DateRelation = Literal["at", "by", "since", "until", "before", "after"]
"""How words relate to the time they name."""

ParameterKind = Literal["email", "url", "quantity", "money", "duration", "path", "pair", "person"]
"""What a detail found in a text is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A label with how sure we are of it.

    Attributes:
        text: The tag as shown.
        confidence: 0 to 1.
        approved: True when a person set or confirmed it.
    """

    text: str
    confidence: float = 1.0
    approved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSpan:
    """Words that name a time, and the time they name.

    Attributes:
        text: The words, as they stand.
        place: Where they start and end in the text.
        start: Aware UTC.
        end: Aware UTC, exclusive; after ``start``.
        grain: How exactly the time is named.
        relation: ``at`` for the time itself, ``by`` for a deadline, and so on.
    """

    text: str
    place: tuple[int, int]
    start: datetime
    end: datetime
    grain: Grain
    relation: DateRelation = "at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A detail that words state.

    Attributes:
        kind: What it is.
        text: The words, as they stand.
        place: Where they start and end in the text.
        name: The key of a ``pair``, or of a pair whose value this is ("budget: $500").
        value: The number of a quantity or an amount of money; a duration in seconds.
        unit: Of a quantity its unit, of money its ISO 4217 code, of a duration ``s``.
    """

    kind: ParameterKind
    text: str
    place: tuple[int, int]
    name: str | None = None
    value: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLabels:
    """What a memory is about.

    Attributes:
        tags: Approved and automatic ones.
        concepts: Names of concepts.
        entities: Names of people, places and things.
        category: What a preset sorts it under.
        emotion: What is felt.
        language: ISO 639-1.
        dates: The times its words name, read as of when it happened.
        parameters: The details its words state.
    """

    tags: tuple[Tag, ...] = ()
    concepts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    category: str | None = None
    emotion: str | None = None
    language: str | None = None
    dates: tuple[DateSpan, ...] = ()
    parameters: tuple[Parameter, ...] = ()

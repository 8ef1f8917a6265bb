"""What is known and what is newly said: the data of reconciliation."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

CHANGED: Final = "says now"
"""The relation of a message that tells of a change."""
SAID: Final = "said"
"""The relation of an older message of which no fact was learned until a later one ended it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something said of somebody, new or known. Times are aware.

    Attributes:
        subject: Whom or what it is about: "Ada", "Ada's sister".
        relation: What is said of the subject, in the present tense and without "not": "lives in". None where
            only the words are there.
        object: The rest: "Berlin"; None for verbs that need none.
        text: The whole, as a sentence.
        confidence: 0 to 1.
        at: When it was said; of a known one, first.
        negated: Whether it says that something is not so.
        past: Whether it says that something is so no more.
        single_valued: Whether its subject has one such relation at a time.
        changed: Whether it says that this is new or over: "now", "no longer", "stopped".
        corrects: Whether it says that something told before was wrong: "Actually, ...", "no, I meant".
        planned: Whether it tells of something to come.
        valid_from: Since when it holds, if the words say so; None means since ``at``.
        valid_until: Until when it holds (exclusive); None means it still does.
        repeated_at: When a known one was last said again.
        id: Of a known one.
        sources: What it was learned from; a known one gains those of every repetition.
        enders: What ended a known one, if anything said so.
    """

    subject: str
    text: str
    at: datetime
    relation: str | None = None
    object: str | None = None
    confidence: float = 1.0
    negated: bool = False
    past: bool = False
    single_valued: bool = False
    changed: bool = False
    corrects: bool = False
    planned: bool = False
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    repeated_at: datetime | None = None
    id: str | None = None
    sources: tuple[str, ...] = ()
    enders: tuple[str, ...] = ()

    @property
    def begins(self) -> datetime:
        """Since when it holds, as far as is known; it may be to come."""
        return self.at if self.valid_from is None else self.valid_from

    @property
    def ends(self) -> datetime | None:
        """When it held no more; of the past, at the latest when it was said."""
        return self.at if self.past and self.valid_until is None else self.valid_until

    @property
    def last_said(self) -> datetime:
        """When it was last said."""
        return self.at if self.repeated_at is None else max(self.at, self.repeated_at)

    def ended_by(self, moment: datetime) -> bool:
        """Whether it held no more at a moment."""
        return self.ends is not None and self.ends <= moment


def confidence_at(statement: Statement, moment: datetime) -> float:
    """How sure it is that a statement held at a moment, 0 to 1.

    Facts do not fade: it is their confidence while they are valid and 0 before and after. So an ended fact
    is worth nothing now and as much as ever then, and undoing its end brings it back whole.

    >>> from datetime import UTC
    >>> said, moved = datetime(2024, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    >>> porto = Statement(subject="Ada", text="In Porto", at=said, confidence=0.9, valid_until=moved)
    >>> confidence_at(porto, said), confidence_at(porto, moved)
    (0.9, 0.0)
    """
    return statement.confidence if statement.begins <= moment and not statement.ended_by(moment) else 0.0


def is_open(one: Statement, other: Statement, *, now: datetime) -> bool:
    """Whether a conflict between two statements still waits for a person: both hold at ``now``."""
    return not one.ended_by(now) and not other.ended_by(now)

"""What goes into extraction, and what comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args

Category = Literal["preference", "knowledge", "context", "skill", "general", "instruction", "plan"]
"""What a fact is about. The first five are Second Brain's: tastes; what somebody knows and uses; who they
are, with whom and where they live and work, and their health; what they can do; everything else, such as
habits and possessions. An ``instruction`` tells the assistant how to behave from now on, or what to
remember. A ``plan`` is something to come: a plan, an appointment, a deadline, a booking or a budget."""
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)

Change = Literal["begun", "ended", "corrected"]
"""What a fact says of time: it is new ("now", "moved to"), it is over ("used to", "no longer", "quit"), or
the speaker says that something told before was wrong ("Actually, I ..."). In each case older facts of the
same subject and relation may not hold any more."""

ASKED: Final = 1.0
"""Confidence in what the speaker asked to be remembered. These five were chosen by hand, within the bands
that Second Brain names."""
EXPLICIT: Final = 0.95
"""Confidence in what was stated plainly: Second Brain's "very confident (explicitly stated)" is 0.9 to 1."""
SHARED: Final = 0.8
"""Confidence in what was stated of "us", of whom the speaker is one, and of a "she" who was named before in
the same message: "fairly confident", 0.7 to 0.8."""
PLANNED: Final = 0.85
"""Confidence in what was plainly told to come: an appointment may be moved."""
HEDGED: Final = 0.6
"""Confidence in what was said with "I think" or "maybe", and in plans: "uncertain", 0.4 to 0.6."""
INFERRED: Final = 0.5
"""Confidence in what was said on the way to something else ("As a nurse, I ..."), or of a "she" whom another
message named."""


def is_felt(category: Category, relation: str) -> bool:
    """Whether a feeling may tell that it is so: a taste, and not where somebody lives, or what they have.

    Who feels like they live at the office lives elsewhere.
    """
    return category != "context" and relation != "has"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Something that was said.

    Attributes:
        text: The words.
        role: Facts are learned from ``user`` alone.
        speaker: The name of who said it; None, or the name of a role, is "User".
        id: Whatever names the turn; it comes back as a fact's source.
        happened_at: When it was said; "since 2019" is placed with it, in days of its time zone.
        people: Names of the speaker's people and animals, told before, and what each is:
            ``{"Caitlin": "partner"}``.
    """

    text: str
    role: str = "user"
    speaker: str | None = None
    id: str = ""
    happened_at: datetime | None = None
    people: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A statement about a speaker, or about someone or something of theirs.

    Attributes:
        text: One plain sentence in the third person.
        category: Its kind.
        confidence: 0 to 1: one of the constants of this module.
        subject: Whom it is about: the speaker ("Ada", "User") or what is theirs ("Ada's sister").
        relation: What is said of the subject, in the present tense and without "not": "lives in"; or what of
            theirs is named: "favourite band".
        object: The rest, in the speaker's words ("Berlin"); None for verbs that need none ("smokes").
        single_valued: Whether a new value of the relation ends an older one: a person lives in one place.
        negated: Whether it says that something is not so.
        past: Whether it says that something is so no more: "used to live in Rome".
        change: What it says of older facts.
        valid_from: Since when it holds, if "since" or "until" and a date say so.
        valid_until: Until when it holds, exclusive.
        source: The ``id`` of the turn, or its place in the sequence given when it has none.
        quote: The words that say it, as they stand in the turn.
        only_ends: Whether it is kept only if something known ends by it, or may: "left Siemens" of who
            works there.
        also: Other turns that it needs, by their ids: of the rules', the one that tells who "she" is.
    """

    text: str
    category: Category
    confidence: float
    subject: str
    relation: str
    object: str | None
    single_valued: bool = False
    negated: bool = False
    past: bool = False
    change: Change | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    source: str
    quote: str
    only_ends: bool = False
    also: tuple[str, ...] = ()

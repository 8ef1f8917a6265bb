"""How well a user is known: Recall's relationship stages, by a rule of our own, for the design gives none.

===========  =====================================================================
NEW          fewer than 2 sessions lie behind
DEVELOPING   2 sessions or more
COMFORTABLE  5 sessions or more, the first of them at least a week before the last
TRUSTED      20 sessions or more, the first at least 30 days before the last
===========  =====================================================================

Many talks on one day do not make a friend, nor do two that lie a year apart. A stage once reached stays.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

RelationshipStage = Literal["NEW", "DEVELOPING", "COMFORTABLE", "TRUSTED"]
"""Recall's stages."""
STAGES: Final[tuple[tuple[RelationshipStage, int, float], ...]] = (
    ("TRUSTED", 20, 30.0),
    ("COMFORTABLE", 5, 7.0),
    ("DEVELOPING", 2, 0.0),
)
"""A stage, the sessions it needs, and the days between the first and the last of them. Chosen by hand."""
_DAY_S: Final = 86_400.0


def relationship_stage(sessions: int, days: float) -> RelationshipStage:
    """The stage after so many sessions, with so many days between the first and the last.

    >>> relationship_stage(0, 0), relationship_stage(3, 1), relationship_stage(30, 9)
    ('NEW', 'DEVELOPING', 'COMFORTABLE')
    """
    for stage, least_sessions, least_days in STAGES:
        if sessions >= least_sessions and days >= least_days:
            return stage
    return "NEW"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """What lies behind a user and the system.

    Attributes:
        sessions: Conversations in which the user said something; what was said outside of any counts as one
            a day.
    """

    sessions: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None

    @property
    def stage(self) -> RelationshipStage:
        """How well the user is known."""
        if self.first_at is None or self.last_at is None:
            return "NEW"
        return relationship_stage(self.sessions, (self.last_at - self.first_at).total_seconds() / _DAY_S)

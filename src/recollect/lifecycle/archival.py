"""When a memory is put away: Shadow Memory's lifecycle (section 7), as pure functions of columns.

The design names three reasons: a low activation, age, and a command. It also bounds how many memories are
active. It does not say what the activation of a memory is when nobody asks a question: here it is
``resting_activation``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_kinds
from recollect.errors import InvalidInputError, as_given
from recollect.lifecycle.use import LASTING
from recollect.protocols import ShadowRows
from recollect.types import TIER, Change, Kind, Tier

ARCHIVE_AFTER_DAYS: Final = 90.0
"""Shadow Memory's example of a retention period."""
MIN_ACTIVATION: Final = 0.25
"""Two half-lives without use. Chosen by hand; the design gives no number."""
MAX_MEMORIES: Final = 10_000
"""Shadow Memory's ``maxMemories``."""
HALF_LIFE_DAYS: Final = 30.0
"""Shadow Memory's half-life."""
_CENTURY: Final = 36_525
_MOST: Final = {
    "archive_after_days": _CENTURY, "delete_after_days": _CENTURY, "min_activation": 1, "max_memories": 10**9,
}  # fmt: skip
"""What each rule can be at the most: days of a century, as far as clocks reckon."""
ARCHIVED: Final[Tier] = "archived"
"""The tier of what is put away."""
_DAY: Final = 86_400_000_000

Floats: TypeAlias = NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivalPolicy:
    """When memories are archived, and when archived ones are deleted. None switches a rule off.

    Critical memories are never archived or deleted by a rule; facts and documents are not archived by one,
    unless ``kinds`` names them.

    Attributes:
        archive_after_days: Days since a memory was last used, or since it was stored if nobody used it.
        min_activation: Below this ``resting_activation``, 0 to 1.
        max_memories: So many stay active; beyond, the least active are archived.
        delete_after_days: Days since an archived memory was last changed after which it is deleted, softly:
            only ``purge`` removes its words. Off unless you say: nothing is lost by default.
        kinds: The kinds that are archived; None for all that fade.

    Raises:
        InvalidInputError: A number is out of range.
    """

    archive_after_days: float | None = ARCHIVE_AFTER_DAYS
    min_activation: float | None = MIN_ACTIVATION
    max_memories: int | None = MAX_MEMORIES
    delete_after_days: float | None = None
    kinds: tuple[Kind, ...] | None = None

    def __post_init__(self) -> None:
        for name in _MOST:
            check_rule(name, getattr(self, name), called=name)
        check_kinds(self.kinds)


def check_rule(rule: str, value: object, *, called: str) -> None:
    """Check a value of a rule of ``ArchivalPolicy``; the error has the name its caller gave it.

    Raises:
        InvalidInputError: The value is out of range.
    """
    if value is None:
        return
    kinds = int if rule == "max_memories" else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value <= _MOST[rule]:
        kind = "whole number" if kinds is int else "number"
        raise InvalidInputError(
            f"{called} must be a {kind} from 0 to {_MOST[rule]:,} or None, not {as_given(value)}"
        )


DEFAULT_POLICY: Final = ArchivalPolicy()
"""Shadow Memory's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Memories to archive for one reason, the least active first."""

    ids: list[str]
    reason: str


def resting_activation(idle_days: Floats, *, uses: Floats, importance: Floats) -> NDArray[np.float64]:
    """Activation without a question, 0 to 1 (Shadow Memory names it and gives no formula).

    ``0.5 ** (idle_days / half_life)``, where use and importance stretch the half-life:
    ``half_life_days * (1 + ln(1 + uses)) / (1 - importance)``. So what was used is as active as new, what is
    used often stays active for longer, and a memory of importance 1 stays.

    Args:
        idle_days: Days since each was last used, or stored; less than 0 (clocks differ) counts as 0.
        uses: How often each was used.
        importance: As stored, 0 to 1.

    Returns:
        It never rises with ``idle_days`` and never falls with ``uses`` or ``importance``.

    >>> days, uses = np.array([0, 60, 60, 60.0]), np.array([0, 0, 0, 5.0])
    >>> resting_activation(days, uses=uses, importance=np.array([0, 0, 0.5, 0])).round(2).tolist()
    [1.0, 0.25, 0.5, 0.61]
    """
    stretched = HALF_LIFE_DAYS * (1 + np.log1p(uses))
    active: NDArray[np.float64] = 0.5 ** (np.maximum(idle_days, 0.0) * (1 - importance) / stretched)
    return active


def due(rows: ShadowRows, policy: ArchivalPolicy, *, now: int, critical: NDArray[np.int64]) -> Iterator[Due]:
    """The active memories that a policy archives, each once."""
    open_tiers = [profile.tier != ARCHIVED for profile in rows.profiles]
    active = np.array(open_tiers, np.bool_)[rows.profile_of] if len(rows.ids) else np.empty(0, np.bool_)
    allowed = [_may_go(profile.kind, policy) for profile in rows.profiles]
    movable = active & ~np.isin(rows.keys, critical)
    if len(rows.ids):
        movable &= np.array(allowed, np.bool_)[rows.profile_of]
    idle = (now - rows.accessed) / _DAY
    uses = rows.usage.astype(np.float64) + rows.access + rows.useful
    level = resting_activation(idle, uses=uses, importance=rows.importance)
    order = np.argsort(level, kind="stable")
    for rule, reason in _rules(policy, idle, level):
        yield _chosen(rows, order[(movable & rule)[order]], reason)
        active &= ~(movable & rule)
        movable &= ~rule
    if policy.max_memories is not None:
        too_many = max(int(active.sum()) - policy.max_memories, 0)
        reason = f"archived: among the least active beyond {policy.max_memories:,} memories"
        yield _chosen(rows, order[movable[order]][:too_many], reason)


def _may_go(kind: str, policy: ArchivalPolicy) -> bool:
    return kind not in LASTING if policy.kinds is None else kind in policy.kinds


def _rules(policy: ArchivalPolicy, idle: Floats, level: Floats) -> Iterator[tuple[NDArray[np.bool_], str]]:
    if policy.archive_after_days is not None:
        days = policy.archive_after_days
        yield idle > days, f"archived: not used for more than {days:g} days"
    if policy.min_activation is not None:
        least = policy.min_activation
        yield level < least, f"archived: its activation at rest fell below {least:g}"


def _chosen(rows: ShadowRows, places: NDArray[np.intp], reason: str) -> Due:
    return Due(ids=[rows.ids[place] for place in places.tolist()], reason=reason)


def retention(days: float) -> ArchivalPolicy:
    """Second Brain's ``MEMORY_RETENTION_DAYS``: conversations and episodes that nobody used for so long.

    They are archived, not deleted; facts stay until they are contradicted.

    Raises:
        InvalidInputError: ``days`` is out of range.
    """
    check_rule("archive_after_days", days, called="retention_days")
    return ArchivalPolicy(
        archive_after_days=days, min_activation=None, max_memories=None, kinds=("message", "episode")
    )


def tier_before(history: Sequence[Change]) -> Tier:
    """The tier a memory was in before it was archived last; ``TIER`` if the log has none."""
    for change in reversed(history):
        if change.after.get("tier") == ARCHIVED and "tier" in change.before:
            before: Tier = change.before["tier"]  # type: ignore[assignment]  # the log holds what was a tier
            return before
    return TIER

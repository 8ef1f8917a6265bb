"""What to do with a new statement: decisions, and how each is made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from recollect.checks import check_share
from recollect.learning.reconcile.statements import Statement

STEP: Final = 0.3
"""The share of the missing confidence that a repetition adds, times its own. Three plain repetitions take 0.6
to 0.95 at once and from there to 0.98. Chosen by hand."""
_SHOWN: Final = 120
"""Characters of a statement that a reason quotes. Chosen by hand."""

Action = Literal["add", "reinforce", "refine", "supersede", "retract", "conflict", "ignore"]
"""What becomes of a new statement:

- ``add``: keep it beside the others.
- ``reinforce``: a known one says so already; it grows surer, and the new one is not kept.
- ``refine``: keep both, linked; the new one says more.
- ``supersede``: keep the new one; the target held until ``ended_at``.
- ``retract``: the target held until ``ended_at``; the new one says no more than that and is not kept.
- ``conflict``: keep both, linked; a person decides.
- ``ignore``: it is no news; change nothing.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of a known statement's validity.

    Attributes:
        id: Which statement.
        at: Until when it held, exclusive.
    """

    id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do with a new statement.

    Attributes:
        action: See ``Action``.
        target_id: The known statement that is meant. ``add`` names one only where it held before, has ended
            and is true again: a link, and no change.
        confidence: What to store, 0 to 1: the target's new one for ``reinforce``, for the actions that keep
            the new statement its own; for ``retract`` and ``ignore`` the target's, as it was.
        ended_at: When the target's validity ends: for ``supersede`` and ``retract``.
        new_valid_until: Until when the new statement holds, if it is known to have ended or to end.
        target_begins_at: For ``reinforce``: since when the target holds, where the new statement is older.
        also_ended: Other known statements that end with the target, by id.
        also_open: Other known statements that it contradicts like the target, by id.
        reason: One sentence that names both, for the change log.
    """

    action: Action
    target_id: str | None = None
    confidence: float
    ended_at: datetime | None = None
    new_valid_until: datetime | None = None
    target_begins_at: datetime | None = None
    also_ended: tuple[Ending, ...] = ()
    also_open: tuple[str, ...] = ()
    reason: str


def reinforced_confidence(confidence: float, evidence: float) -> float:
    """The confidence after a repetition: ``c + (1 - c) * STEP * evidence``, and at least ``evidence``.

    What is left to 1 shrinks by a share each time, so every step is smaller than the one before. It is never
    less than the repetition would be worth alone, as Second Brain keeps the larger of the two.

    Args:
        confidence: As it was, 0 to 1.
        evidence: The repetition's own, 0 to 1; 0 changes nothing.

    Returns:
        ``confidence`` to 1.

    Raises:
        InvalidInputError: One of them is not 0 to 1.

    >>> round(reinforced_confidence(0.9, 0.5), 3), round(reinforced_confidence(0.9, 0.9), 3)
    (0.915, 0.927)
    >>> reinforced_confidence(0.5, 0.95)
    0.95
    """
    known, new = check_share("confidence", confidence), check_share("evidence", evidence)
    return min(1.0, max(new, known + (1 - known) * STEP * new))


def settle(kept: Statement, dropped: Statement) -> Ending:
    """How a conflict ends when a person says which statement holds.

    What was said before the kept one held until then. What was said with it or after never held: its
    validity ends as it begins.

    Args:
        kept: The one that holds.
        dropped: The other one; it has an id.
    """
    return Ending(id=dropped.id or "", at=max(dropped.begins, kept.begins))


def _end(known: Statement, moment: datetime) -> datetime:
    """A known statement held at least when it was last said."""
    return max(known.begins, known.last_said, moment)


def _endings(known: Sequence[Statement], moment: datetime) -> tuple[Ending, ...]:
    endings = (Ending(id=one.id or "", at=_end(one, moment)) for one in known)
    return tuple(sorted(endings, key=lambda one: one.id))


def added(
    new: Statement, ended: Statement | None = None, *, new_valid_until: datetime | None, reason: str
) -> Decision:
    """Keep it; ``ended`` is what held before and is true again."""
    return Decision(
        action="add",
        target_id=None if ended is None else ended.id,
        confidence=new.confidence,
        new_valid_until=new_valid_until,
        reason=reason,
    )


def reinforced(
    new: Statement, known: Statement, *, share: float = 1.0, ended: Sequence[Statement] = ()
) -> Decision:
    """The known one grows surer, by a share of the new one's confidence; others end."""
    return Decision(
        action="reinforce",
        target_id=known.id,
        confidence=reinforced_confidence(known.confidence, new.confidence * share),
        target_begins_at=new.begins if new.begins < known.begins and share == 1 else None,
        also_ended=_endings(ended, new.begins),
        reason=f"{quoted(new)} says again what {quoted(known)} says.",
    )


def refined(new: Statement, known: Statement, *, new_valid_until: datetime | None) -> Decision:
    """Keep both; the new one says more."""
    return Decision(
        action="refine",
        target_id=known.id,
        confidence=new.confidence,
        new_valid_until=new_valid_until,
        reason=f"{quoted(new)} says more than {quoted(known)}; both hold.",
    )


def superseded(
    new: Statement, known: Statement, others: Sequence[Statement], *, new_valid_until: datetime | None
) -> Decision:
    """The new one takes the place of the known one; others end with that."""
    return Decision(
        action="supersede",
        target_id=known.id,
        confidence=new.confidence,
        ended_at=_end(known, new.begins),
        new_valid_until=new_valid_until,
        also_ended=_endings(others, new.begins),
        reason=f"{quoted(new)} takes the place of {quoted(known)}.",
    )


def retracted(new: Statement, valid: Sequence[Statement], end: datetime) -> Decision:
    """What was valid held until ``end``."""
    known, *others = valid
    return Decision(
        action="retract",
        target_id=known.id,
        confidence=known.confidence,
        ended_at=_end(known, end),
        also_ended=_endings(others, end),
        reason=f"{quoted(new)} ends {quoted(known)}.",
    )


def retracting(decision: Decision) -> Decision:
    """The same where other facts hold what is new: known ones end, and nothing else is kept."""
    return replace(decision, action="retract") if decision.action == "supersede" else decision


def ending_too(decision: Decision, endings: Sequence[Ending], *, retract: bool) -> Decision:
    """The same, and what is over already ends by it as well; ``retract`` where nothing else is kept."""
    if not endings or decision.action in {"conflict", "ignore", "refine"} or decision.also_open:
        return decision
    if decision.action != "add" or decision.target_id is not None:
        return replace(decision, also_ended=decision.also_ended + tuple(endings))
    return replace(
        decision,
        action="retract" if retract else "supersede",
        target_id=endings[0].id,
        ended_at=endings[0].at,
        also_ended=tuple(endings[1:]),
    )


def ending_at(decision: Decision, moment: datetime) -> Decision:
    """The same, and what it ends holds until a moment, if that is later."""
    others = tuple(replace(one, at=max(one.at, moment)) for one in decision.also_ended)
    ended_at = None if decision.ended_at is None else max(decision.ended_at, moment)
    return replace(decision, ended_at=ended_at, also_ended=others)


def ignored(new: Statement, known: Statement) -> Decision:
    """Change nothing: the known one says so already, from the same source or the same breath."""
    return Decision(
        action="ignore",
        target_id=known.id,
        confidence=known.confidence,
        reason=f"{quoted(new)} is no news after {quoted(known)}.",
    )


def left_open(
    new: Statement,
    known: Statement,
    *,
    new_valid_until: datetime | None,
    others: Sequence[Statement] = (),
) -> Decision:
    """Keep both until a person decides; ``others`` contradict the new one as well."""
    return Decision(
        action="conflict",
        target_id=known.id,
        confidence=new.confidence,
        new_valid_until=new_valid_until,
        also_open=tuple(one.id or "" for one in others),
        reason=f"{quoted(new)} and {quoted(known)} cannot both hold; a person decides.",
    )


def quoted(statement: Statement) -> str:
    """Its words in quotation marks; long ones cut."""
    text = statement.text.strip()
    return f'"{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"}"'

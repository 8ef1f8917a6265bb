"""Thresholds as they are reported, and as a store keeps them: JSON with a version."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias

from recollect.checks import check_share
from recollect.errors import StoreCorruptError, StoreFormatError
from recollect.text.context_type import ContextType, check_context_type

HIT, NOISE, MISS = "hnm"
"""Outcomes: activated and relevant, activated and not relevant, relevant and not activated."""
Bounds: TypeAlias = tuple[float, float]
"""The least and the most a threshold may be."""
_MOST_SEEN: Final = 1 << 53
_VERSION: Final = 1
_share = partial(check_share, "a kept number")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdChange:
    """A threshold that was moved, and why."""

    at: datetime
    context_type: ContextType
    before: float
    after: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdState:
    """The threshold of one kind of context.

    Attributes:
        bounds: Between which it moves.
        outcomes: How many outcomes the rates are of.
        false_positive_rate: The share of what was activated that was not relevant; None below a fifth of
            a window. Feedback seldom tells of what was rightly left alone, so that is no part of it.
        false_negative_rate: The share of what was relevant that was not activated; None the same.
        success_rate: The share of outcomes in which something relevant was activated; None without any.
        note: Why it stays or moves, in a few words.
    """

    threshold: float
    start: float
    bounds: Bounds
    outcomes: int
    false_positive_rate: float | None
    false_negative_rate: float | None
    success_rate: float | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptThreshold:
    """The kept state of one kind of context.

    Attributes:
        outcomes: Since the last step, one letter each, oldest first.
        seen: How many outcomes there were in all.
        left: Thresholds that were left, the rate each was left for, and ``seen`` at that moment.
    """

    start: float
    threshold: float
    outcomes: str = ""
    seen: int = 0
    left: tuple[tuple[float, float, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptThresholds:
    """The kept state of all kinds of context, and the changes, oldest first."""

    types: Mapping[ContextType, KeptThreshold]
    changes: tuple[ThresholdChange, ...] = ()


def write_thresholds(kept: KeptThresholds) -> str:
    """Write the state as JSON; a kind of context that never moved is left out."""
    moved = {name: asdict(one) for name, one in kept.types.items() if one.seen or one.threshold != one.start}
    changes = [{**asdict(change), "at": change.at.isoformat()} for change in kept.changes]
    return json.dumps({"version": _VERSION, "types": moved, "changes": changes}, separators=(",", ":"))


def read_thresholds(state: str | None) -> KeptThresholds:
    """Read what ``write_thresholds`` wrote; None gives an empty state.

    Raises:
        StoreCorruptError: The state is damaged.
        StoreFormatError: A newer version of Recollect wrote it.
    """
    if state is None:
        return KeptThresholds(types={})
    try:
        return _parsed(json.loads(state))
    except (KeyError, TypeError, ValueError, RecursionError, AttributeError) as error:
        raise StoreCorruptError("the learned thresholds are damaged; restore a backup") from error


def _parsed(kept: Any) -> KeptThresholds:
    version = kept["version"]
    if type(version) is int and version > _VERSION:
        raise StoreFormatError("the learned thresholds were written by a newer version of Recollect")
    if version != _VERSION:
        raise ValueError(version)
    types = {check_context_type(name): _parsed_kept(one) for name, one in kept["types"].items()}
    return KeptThresholds(types=types, changes=tuple(_parsed_change(one) for one in kept["changes"]))


def _parsed_kept(one: dict[str, Any]) -> KeptThreshold:
    left = tuple((_share(at), _share(rate), seen) for at, rate, seen in one["left"])
    seen, outcomes = one["seen"], one["outcomes"]
    if not isinstance(outcomes, str) or not set(outcomes) <= {HIT, NOISE, MISS}:
        raise ValueError(one)
    counts = [seen, *(count for *_, count in left)]
    if any(type(count) is not int or not 0 <= count <= seen < _MOST_SEEN for count in counts):
        raise ValueError(one)
    shares = {name: _share(one[name]) for name in ("start", "threshold")}
    return KeptThreshold(**{**one, **shares, "left": left})


def _parsed_change(one: dict[str, Any]) -> ThresholdChange:
    at = datetime.fromisoformat(one["at"])
    if at.tzinfo is None or not isinstance(one["reason"], str):
        raise ValueError(one)
    shares = {name: _share(one[name]) for name in ("before", "after")}
    kind = check_context_type(one["context_type"])
    return ThresholdChange(**{**one, **shares, "at": at, "context_type": kind})

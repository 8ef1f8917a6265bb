"""Shadow Memory's ThresholdManager: how high a memory must score to be activated, learned from feedback.

The specification's rule: if more than 0.2 of what was activated is irrelevant, the threshold rises by 0.1; if
more than 0.2 of what was relevant was not activated, it falls by 0.1. Alone that oscillates between two
neighbours, 20 times in 2,000 outcomes (``benchmarks.thresholds``). So

1. a step needs half a window of outcomes, and empties the window;
2. there is no step when both rates are high: no threshold helps then;
3. going back to a threshold takes a rate higher by 0.1 than the one it was left for, which fades by half in
   1,000 outcomes, because people change.

A conversation's threshold is never above a query's, and at most 0.5 below it. A step of one that breaks this
moves the other along, as far as that can follow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

from recollect.checks import check_bool, check_count, check_share
from recollect.errors import InvalidInputError, as_given
from recollect.lifecycle.threshold_state import (
    HIT,
    MISS,
    NOISE,
    Bounds,
    KeptThreshold,
    KeptThresholds,
    ThresholdChange,
    ThresholdState,
    read_thresholds,
    write_thresholds,
)
from recollect.protocols import Clock, StateStore
from recollect.text.context_type import ContextType, check_context_type
from recollect.types import Scope
from recollect.types.clock import utc_now

STATE: Final = "thresholds"
"""The name under which a store keeps them."""
THRESHOLDS: Final[Mapping[ContextType, float]] = {
    "query": 0.75, "task": 0.8, "conversation": 0.3, "document": 0.6, "mixed": 0.65,
}  # fmt: skip
"""The spec's defaults."""
CONVERSATION_BOUNDS: Final = (0.3, 0.7)
"""The spec's range."""
REACH: Final = 0.25
"""How far other thresholds may move from their start, within 0 to ``MOST``. Chosen by hand: 2.5 steps."""
MOST: Final = 0.95
"""The highest that learning raises a threshold to; Shadow Memory's published code stops there, too. At 1
nothing could be activated: an identical text scores .999."""
RATE: Final = 0.2
STEP: Final = 0.1
"""The spec's."""
WINDOW: Final = 50
"""The latest outcomes that count. Chosen by hand: a rate of 0.2 is told from 0.4 by 50, not by 10."""
MAX_CHANGES: Final = 100
"""Changes kept. Chosen by hand."""

_APART: Final = 0.5
"""The most a conversation's threshold may lie below a query's; 0.45 in the spec."""
_FADES_IN: Final = 1_000
"""Outcomes after which half is forgotten of what a threshold was left for. Chosen by hand."""
_MARGIN: Final = 0.1
"""What a rate must be higher by to go back, some 1.5 standard errors of 50 outcomes. With one outcome in ten
wrong it leaves 1.5 turns in 2,000; without it there are 4.6."""
_LEFT: Final = 10
"""Thresholds remembered as left; seldom are there more within the bounds."""
_DIGITS: Final = 6

_ALIKE: Final[Mapping[ContextType, ContextType]] = {"query": "conversation", "conversation": "query"}
"""Kinds of context that the spec wants consistent."""
_CONSISTENT: Final[Sequence[tuple[ContextType, ContextType, Bounds]]] = (
    ("conversation", "query", (-_APART, 0.0)),
    ("query", "conversation", (0.0, _APART)),
)
"""How far the first may lie above the second."""

_Given = TypeVar("_Given")
_Moved: TypeAlias = tuple[KeptThresholds, list[ThresholdChange]]
"""What is kept from now on, and what changed."""


class ThresholdManager:
    """The thresholds of one user.

    Nothing is kept in this object: several may learn in one store, from several threads and processes.

    Args:
        store: Keeps them.
        scope: Whose they are; agent and session are not looked at.
        thresholds: Others than the spec's, by kind of context. Where one differs from the one that was
            learned from, learning starts again there.
        clock: What time it is.
        bounds: Others than the usual, by kind of context; each must hold the threshold.
        window: How many of the latest outcomes count, at least 4.
        step: How far a threshold moves at once, above 0.
        rate: Above this share of errors it moves.

    Raises:
        InvalidInputError: A kind of context is unknown, or a number is out of its range.
    """

    def __init__(
        self,
        store: StateStore,
        scope: Scope,
        *,
        thresholds: Mapping[ContextType, float] | None = None,
        clock: Clock = utc_now,
        bounds: Mapping[ContextType, Bounds] | None = None,
        window: int = WINDOW,
        step: float = STEP,
        rate: float = RATE,
    ) -> None:
        self._store = store
        self._scope = scope
        self._clock = clock
        given = _by_context("thresholds", thresholds)
        self._starts = {
            name: check_share(f"the threshold of {name}", given.get(name, start))
            for name, start in THRESHOLDS.items()
        }
        pairs = _by_context("bounds", bounds)
        self._bounds = {name: _bounds_of(name, at, pairs.get(name)) for name, at in self._starts.items()}
        self._window = check_count("window", window, most=10_000)
        self._step = check_share("step", step)
        self._rate = check_share("rate", rate)
        if self._window < 4 or not self._step:  # noqa: PLR2004 - said in the message
            raise InvalidInputError("window must be at least 4, and step above 0")

    def threshold(self, context_type: ContextType) -> float:
        """The least score, 0 to 1, that activates a memory in such a context; writes nothing.

        Raises:
            InvalidInputError: The kind of context is unknown.
            StoreError: The store failed, or what it kept is damaged.
        """
        return self._current().types[check_context_type(context_type)].threshold

    def record(
        self, context_type: ContextType, *, activated: bool, relevant: bool
    ) -> tuple[ThresholdChange, ...]:
        """Learn from how it turned out for one memory in one context.

        Activated and not relevant is a false positive; relevant and not activated a false negative (it
        should have been recalled). Neither activated nor relevant says nothing and is not kept.

        Returns:
            What was changed by it, the threshold of this kind of context first; mostly nothing.

        Raises:
            InvalidInputError: The kind of context is unknown, or an outcome is neither True nor False.
            StoreError: The store failed, or what it kept is damaged; nothing was changed.
        """
        name = check_context_type(context_type)
        was_active, was_relevant = check_bool("activated", activated), check_bool("relevant", relevant)
        if not was_active and not was_relevant:
            return ()
        outcome = (HIT if was_relevant else NOISE) if was_active else MISS
        return self._changed(lambda kept: self._learned(kept, name, outcome))

    def set(self, context_type: ContextType, threshold: float) -> tuple[ThresholdChange, ...]:
        """Move a threshold by hand; learning goes on from there.

        Returns:
            The changes, as of ``record``: a conversation's threshold takes a query's along, and the reverse.

        Raises:
            InvalidInputError: The kind of context is unknown, or the threshold is outside its bounds.
            StoreError: As in ``record``.
        """
        name = check_context_type(context_type)
        target, (low, high) = check_share("threshold", threshold), self._limits(name)
        if not low <= target <= high:
            raise InvalidInputError(
                f"the threshold of {name} must be from {low:g} to {high:g}, not {target:g}"
            )

        def moved(kept: KeptThresholds) -> _Moved:
            return self._moved(kept, name, replace(kept.types[name], threshold=target), "set by hand")

        return self._changed(moved)

    def reset(self) -> tuple[ThresholdChange, ...]:
        """Return all thresholds to their starts, and forget what was learned; the history stays.

        Raises:
            StoreError: As in ``record``.
        """

        def started(kept: KeptThresholds) -> _Moved:
            types = {name: KeptThreshold(start=at, threshold=at) for name, at in self._starts.items()}
            return self._with_changes(kept, types, dict.fromkeys(types, "reset"))

        return self._changed(started)

    def inconsistency(self) -> str:
        """Say how the thresholds of conversation and query are inconsistent; empty if they are not.

        A conversation's may be at most 0.5 below a query's, and not above it. Learning keeps to this; a
        configuration may begin elsewhere, and then stays as it was chosen until ``enforce_consistency``.
        """
        types = self._current().types
        query, conversation = types["query"].threshold, types["conversation"].threshold
        if 0 <= round(query - conversation, _DIGITS) <= _APART:
            return ""
        least = max(query - _APART, 0.0)
        return f"conversation is {conversation:g}; beside query it must be from {least:g} to {query:g}"

    def enforce_consistency(self) -> tuple[ThresholdChange, ...]:
        """Move the threshold of conversation, and as far as its bounds are in the way that of query.

        Returns:
            The changes; none where ``inconsistency`` is empty.

        Raises:
            StoreError: As in ``record``.
        """

        def aligned(kept: KeptThresholds) -> _Moved:
            types = dict(kept.types)
            for name, other, (least, most) in _CONSISTENT:
                beside, (low, high) = types[other].threshold, self._bounds[name]
                wanted = _clipped(types[name].threshold, (beside + least, beside + most))
                target = round(_clipped(wanted, (low, high)), _DIGITS)
                types[name] = replace(types[name], threshold=target)
            return self._with_changes(kept, types, dict.fromkeys(_ALIKE, "made consistent"))

        return self._changed(aligned)

    def state(self) -> dict[ContextType, ThresholdState]:
        """Each threshold, and why it is there.

        Raises:
            StoreError: The store failed, or what it kept is damaged.
        """
        return {name: self._state_of(name, kept) for name, kept in self._current().types.items()}

    def history(self) -> tuple[ThresholdChange, ...]:
        """The latest 100 changes, oldest first; it raises what ``state`` raises."""
        return self._current().changes

    def _state_of(self, name: ContextType, kept: KeptThreshold) -> ThresholdState:
        noise, missed = self._rates(kept.outcomes)
        total = len(kept.outcomes)
        return ThresholdState(
            threshold=kept.threshold,
            start=kept.start,
            bounds=self._bounds[name],
            outcomes=total,
            false_positive_rate=noise,
            false_negative_rate=missed,
            success_rate=kept.outcomes.count(HIT) / total if total else None,
            note=self._decide(name, kept)[2],
        )

    def _current(self) -> KeptThresholds:
        return self._read(self._store.state(self._scope, STATE))

    def _read(self, state: str | None) -> KeptThresholds:
        """What was kept, as far as it began where it begins now, moved into the bounds of now."""
        kept = read_thresholds(state)
        types = {}
        for name, start in self._starts.items():
            known = kept.types.get(name)
            known = known if known and known.start == start else KeptThreshold(start=start, threshold=start)
            types[name] = replace(known, threshold=_clipped(known.threshold, self._limits(name)))
        for name, other in _ALIKE.items():
            types[other] = replace(types[other], threshold=self._beside(name, types))
        return replace(kept, types=types)

    def _changed(self, change: Callable[[KeptThresholds], _Moved]) -> tuple[ThresholdChange, ...]:
        """Change what the store keeps in one step; returns the changes."""
        changes: list[ThresholdChange] = []

        def changed(state: str | None) -> str:
            kept, changes[:] = change(self._read(state))
            return write_thresholds(kept)

        self._store.change_state(self._scope, STATE, changed)
        return tuple(changes)

    def _learned(self, kept: KeptThresholds, name: ContextType, outcome: str) -> _Moved:
        """What is kept after one outcome, and what that changed."""
        mine = kept.types[name]
        heard = replace(mine, outcomes=(mine.outcomes + outcome)[-self._window :], seen=mine.seen + 1)
        target, rate, reason = self._decide(name, heard)
        if target == heard.threshold:
            return replace(kept, types={**kept.types, name: heard}), []
        left = (*heard.left, (heard.threshold, rate, heard.seen))[-_LEFT:]
        return self._moved(kept, name, replace(heard, threshold=target, left=left), reason)

    def _moved(self, kept: KeptThresholds, name: ContextType, to: KeptThreshold, reason: str) -> _Moved:
        """What is kept after one threshold moved, with the one that is kept consistent with it."""
        types = {**kept.types, name: replace(to, outcomes="")}
        reasons = {name: reason}
        other = _ALIKE.get(name)
        if other and (beside := self._beside(name, types)) != types[other].threshold:
            reasons[other] = f"kept consistent with {name}"
            types[other] = replace(types[other], threshold=beside, outcomes="")
        return self._with_changes(kept, types, reasons)

    def _with_changes(
        self,
        kept: KeptThresholds,
        types: Mapping[ContextType, KeptThreshold],
        reasons: Mapping[ContextType, str],
    ) -> _Moved:
        """What is kept with other thresholds, and the changes of those that moved."""
        now = self._clock()
        moves = [(name, kept.types[name].threshold, types[name].threshold) for name in reasons]
        changes = [
            ThresholdChange(at=now, context_type=name, before=before, after=after, reason=reasons[name])
            for name, before, after in moves
            if before != after
        ]
        return KeptThresholds(types=types, changes=(*kept.changes, *changes)[-MAX_CHANGES:]), changes

    def _decide(self, name: ContextType, kept: KeptThreshold) -> tuple[float, float, str]:
        """The threshold to go to, or where it is; the rate that asks for it; and why."""
        if len(kept.outcomes) < self._window // 2:
            return kept.threshold, 0.0, "waits for more outcomes"
        noise, missed = (rate or 0.0 for rate in self._rates(kept.outcomes))
        noisy, missing = noise > self._rate, missed > self._rate
        if noisy == missing:
            return kept.threshold, 0.0, "both rates are high" if noisy else "no rate is high"
        rate = noise if noisy else missed
        told = f"false {'positive' if noisy else 'negative'} rate {rate:.2f} over {self._rate:g}"
        wanted = round(kept.threshold + (self._step if noisy else -self._step), _DIGITS)
        target = _clipped(wanted, self._limits(name))
        if target == kept.threshold:
            return target, rate, f"{told}, but it is at its bound"
        before = self._left_for(kept, target)
        if before and rate <= before + _MARGIN:
            return kept.threshold, rate, f"{told}, but {target:g} was left for {before:.2f}"
        return target, rate, f"{told} in {len(kept.outcomes)} outcomes"

    def _left_for(self, kept: KeptThreshold, target: float) -> float:
        """The highest rate a threshold was left for, faded towards the rate that is bearable."""
        faded = (
            self._rate + (rate - self._rate) * 0.5 ** ((kept.seen - seen) / _FADES_IN)
            for threshold, rate, seen in kept.left
            if abs(threshold - target) < self._step / 2
        )
        return max(faded, default=0.0)

    def _rates(self, outcomes: str) -> tuple[float | None, float | None]:
        """The false positive and the false negative rate; None where too little is known."""
        hits, noise, missed = (outcomes.count(kind) for kind in (HIT, NOISE, MISS))
        least = max(self._window // 5, 1)
        return (
            noise / (hits + noise) if hits + noise >= least else None,
            missed / (hits + missed) if hits + missed >= least else None,
        )

    def _limits(self, name: ContextType) -> Bounds:
        """Its bounds, as far as the threshold beside it can follow."""
        low, high = self._bounds[name]
        if name not in _ALIKE:
            return low, high
        (other_low, other_high), (least, most) = self._bounds[_ALIKE[name]], self._above(name)
        return max(low, other_low + least), min(high, other_high + most)

    def _beside(self, name: ContextType, types: Mapping[ContextType, KeptThreshold]) -> float:
        """What the threshold beside a given one must be: as it is, or the nearest that is consistent."""
        other, mine = _ALIKE[name], types[name].threshold
        (low, high), (least, most) = self._bounds[other], self._above(name)
        near = (max(low, mine - most), min(high, mine - least))
        return round(_clipped(types[other].threshold, near), _DIGITS)

    def _above(self, name: ContextType) -> Bounds:
        """How far a threshold must and may lie above the one beside it."""
        apart = self._starts["query"] - self._starts["conversation"]
        least, most = min(0.0, apart), max(_APART, apart)
        return (least, most) if name == "query" else (-most, -least)


def _clipped(value: float, bounds: Bounds) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _by_context(where: str, given: Mapping[ContextType, _Given] | None) -> dict[ContextType, _Given]:
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInputError(f"{where} must be a mapping by kind of context, not {as_given(given)}")
    return {check_context_type(name): value for name, value in (given or {}).items()}


def _bounds_of(name: ContextType, start: float, given: Bounds | None) -> Bounds:
    if given is None:
        low, high = CONVERSATION_BOUNDS if name == "conversation" else (start - REACH, start + REACH)
        return round(max(0.0, min(low, start)), _DIGITS), round(max(min(high, MOST), start), _DIGITS)
    if not isinstance(given, Sequence) or len(given) != 2:  # noqa: PLR2004 - a pair
        raise InvalidInputError(f"the bounds of {name} must be two numbers such as (0.3, 0.7)")
    low, high = (check_share(f"a bound of {name}", bound) for bound in given)
    if not low <= start <= high:
        raise InvalidInputError(f"the bounds of {name}, {low} to {high}, must hold its threshold {start}")
    return low, high

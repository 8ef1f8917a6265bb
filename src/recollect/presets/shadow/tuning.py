"""Shadow Memory's tuning recommendations: the step that the rates of each threshold ask for."""

from collections.abc import Mapping
from typing import Final

from recollect.lifecycle.threshold_state import ThresholdState
from recollect.lifecycle.thresholds import RATE, STEP
from recollect.text.context_type import ContextType

_BOTH: Final = "both rates are high, so no threshold helps: change the weights or the embedder"


def tuning_recommendations(states: Mapping[ContextType, ThresholdState]) -> dict[ContextType, str]:
    """Shadow Memory's ``getTuningRecommendations``: what to change, by kind of context.

    Learning takes a recommended step by itself after 25 outcomes; these are known from 10 on.

    Args:
        states: ``ThresholdManager.state()``.

    Returns:
        Only the kinds of context with something to recommend.
    """
    said = {name: _recommendation(state) for name, state in states.items()}
    return {name: words for name, words in said.items() if words}


def tuning_report(states: Mapping[ContextType, ThresholdState]) -> str:
    """Shadow Memory's ``generateTuningReport``: a line for each threshold, with its rates and what to change.

    Args:
        states: ``ThresholdManager.state()``.
    """
    advice = tuning_recommendations(states)
    return "\n".join(
        f"{name} {state.threshold:g} (began at {state.start:g}; {state.outcomes} outcomes, "
        f"false positives {_per_cent(state.false_positive_rate)}, "
        f"false negatives {_per_cent(state.false_negative_rate)}, "
        f"success {_per_cent(state.success_rate)}): {advice.get(name, state.note)}"
        for name, state in states.items()
    )


def _recommendation(state: ThresholdState) -> str:
    noise, missed = state.false_positive_rate or 0.0, state.false_negative_rate or 0.0
    if max(noise, missed) <= RATE:
        return ""
    if min(noise, missed) > RATE:
        return _BOTH
    low, high = state.bounds
    target = min(state.threshold + STEP, high) if noise > missed else max(state.threshold - STEP, low)
    why = f"{noise:.0%} of what was activated did not help" if noise > missed else f"{missed:.0%} was missed"
    if target == state.threshold:
        return f"{why}, and it is at its bound: configure another threshold to begin at"
    return f"{'raise' if noise > missed else 'lower'} it to {target:.3g}: {why}"


def _per_cent(rate: float | None) -> str:
    return "unknown" if rate is None else f"{rate:.0%}"

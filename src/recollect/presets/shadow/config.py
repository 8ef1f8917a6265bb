"""The settings of Shadow Memory (section 8)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast, get_args

import numpy as np

from recollect.checks import check_bool, check_seconds, check_share
from recollect.errors import InvalidInputError, as_given
from recollect.lifecycle.archival import (
    ARCHIVE_AFTER_DAYS,
    MAX_MEMORIES,
    MIN_ACTIVATION,
    ArchivalPolicy,
    check_rule,
)
from recollect.lifecycle.thresholds import THRESHOLDS
from recollect.presets.shadow.activation import WEIGHTS, ActivationWeights, RelevanceType, half_life_decay
from recollect.presets.shadow.awareness import Decay
from recollect.text.context_type import CONTEXT_TYPES, ContextType, check_context_type

DAY_S: Final = 86_400.0
_DEFAULT: Final = "default"
_POLICY: Final = {
    "retention_days": "archive_after_days",
    "archival_threshold": "min_activation",
    "max_memories": "max_memories",
    "delete_archived_after_days": "delete_after_days",
}
"""The settings of the archive, and what an ``ArchivalPolicy`` calls them."""
_RELEVANCE: Final[tuple[RelevanceType, ...]] = tuple(
    kind for kind in get_args(RelevanceType) if kind not in CONTEXT_TYPES
)
"""``mixed`` is a kind of context, too, and means that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowMemorySystemConfig:
    """How Shadow Memory scores, activates and puts away.

    Attributes:
        thresholds: Other thresholds than the design's, each 0 to 1. A kind of context (``query``, ``task``,
            ``conversation``, ``document``, ``mixed``) names where its threshold begins; ``default`` that of
            all that are not named. A relevance type (``semantic``, ``contextual``, ``temporal``) holds in
            place of the context's for memories activated by that, and does not adapt.
        weights: What each signal counts; they sum to 1.
        context_weights: Other weights for some kinds of context.
        max_memories: So many stay active, at least 1; beyond, the least active are archived. None for all.
        lifecycle: Whether storing a memory and answering a message may archive others, and what goes into a
            prompt counts as used; off unless you say.
        cleanup_interval_s: How often memories are tidied then, in seconds.
        decay_function: What is left of recency after so many days, of an array of days or of one number; of
            an array is quicker. The design's configuration example has another function,
            ``recollect.presets.shadow.activation.time_constant_decay``.
        retention_days: Archived are memories that were neither stored nor used for so long; None for never.
        archival_threshold: Archived are those whose activation at rest is below; None for never.
        delete_archived_after_days: Deleted, softly, are those that lie in the archive for so long.
        calibrate: Whether raw scores are mapped so that the thresholds mean what the design says they do;
            see ``recollect.retrieval.calibration``.

    Raises:
        InvalidInputError: A threshold has an unknown name, the weights do not sum to 1, or a number is out of
            its range.
    """

    thresholds: Mapping[str, float] = field(default_factory=dict)
    weights: ActivationWeights | Mapping[str, float] = WEIGHTS
    context_weights: Mapping[ContextType, ActivationWeights | Mapping[str, float]] = field(
        default_factory=dict
    )
    max_memories: int | None = MAX_MEMORIES
    lifecycle: bool = False
    cleanup_interval_s: float = DAY_S
    decay_function: Decay | Callable[[float], float] = half_life_decay
    retention_days: float | None = ARCHIVE_AFTER_DAYS
    archival_threshold: float | None = MIN_ACTIVATION
    delete_archived_after_days: float | None = None
    calibrate: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.thresholds, Mapping):
            raise InvalidInputError(f"thresholds must be numbers by name, not {as_given(self.thresholds)}")
        check_bool("calibrate", self.calibrate)
        check_bool("lifecycle", self.lifecycle)
        known = (_DEFAULT, *CONTEXT_TYPES, *_RELEVANCE)
        for name, threshold in self.thresholds.items():
            if name not in known:
                raise InvalidInputError(f"unknown threshold {as_given(name)}; known are {', '.join(known)}")
            check_share(f"the threshold of {name}", threshold)
        check_seconds("cleanup_interval_s", self.cleanup_interval_s)
        _check_decay(self.decay_function)
        for name, rule in _POLICY.items():
            check_rule(rule, getattr(self, name), called=name)
        if self.max_memories == 0:
            raise InvalidInputError(
                "max_memories must be at least 1, or None: with 0 every memory is archived as it is stored"
            )
        if not isinstance(self.context_weights, Mapping):
            given = as_given(self.context_weights)
            raise InvalidInputError(f"context_weights must be weights by kind of context, not {given}")
        for kind in (*CONTEXT_TYPES, *self.context_weights):
            self.weights_of(check_context_type(kind))

    @property
    def activation_weights(self) -> ActivationWeights:
        """The weights of the kinds of context that have none of their own."""
        return _weights(self.weights)

    def weights_of(self, kind: ContextType) -> ActivationWeights:
        """The weights in a kind of context."""
        return _weights(self.context_weights.get(kind, self.weights))

    @property
    def decay(self) -> Decay:
        """The decay as a function of arrays."""
        some = np.arange(2, dtype=np.float32)
        try:
            if np.shape(cast("Decay", self.decay_function)(some)) == some.shape:
                return cast("Decay", self.decay_function)
        except (TypeError, ValueError):
            pass
        return np.vectorize(self.decay_function, otypes=[np.float32])

    @property
    def policy(self) -> ArchivalPolicy:
        """When memories are put away."""
        return ArchivalPolicy(**{rule: getattr(self, name) for name, rule in _POLICY.items()})

    @property
    def context_thresholds(self) -> dict[ContextType, float]:
        """Where the threshold of each kind of context begins."""
        usual = self.thresholds.get(_DEFAULT)
        return {
            name: self.thresholds.get(name, start if usual is None else usual)
            for name, start in THRESHOLDS.items()
        }

    def relevance_thresholds(self, usual: float) -> dict[RelevanceType, float]:
        """The threshold of each relevance type, where the context's is ``usual``."""
        return {
            kind: self.thresholds.get(kind, usual) if kind in _RELEVANCE else usual
            for kind in get_args(RelevanceType)
        }


def _weights(given: ActivationWeights | Mapping[str, float]) -> ActivationWeights:
    if isinstance(given, ActivationWeights):
        return given
    try:
        return ActivationWeights(**given)
    except TypeError:
        raise InvalidInputError(
            f"weights are of embedding, metadata, summary and temporal, not {as_given(given)}"
        ) from None


def _check_decay(decay: object) -> None:
    try:
        left = decay(1.0)  # type: ignore[operator]
    except (TypeError, ValueError, ArithmeticError):
        left = None
    if isinstance(left, bool) or not isinstance(left, (int, float, np.number)) or not 0 <= left <= 1:
        raise InvalidInputError(
            f"decay_function must be a function of days that gives 0 to 1, not {as_given(decay)}"
        )

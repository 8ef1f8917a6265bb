"""Recall's storage decision: what of a conversation becomes a fact that stays. Pure: no store, no clock.

============  ==============================================================================
criterion     a statement passes when
============  ==============================================================================
safety        it holds no secret and no personal data that may not be stored, what it says was
              not masked, and it does not read like an instruction to a model
attribution   the user stated it: not the assistant, not inferred on the way to something else, no question,
              condition or make-believe, and not what others say of the user
importance    it matters at least as much as the policy asks
news          nobody said it before
verification  nothing that is known contradicts it, or it says itself that things changed
============  ==============================================================================

They are tried in this order, and the first that fails decides. What is no news makes the known fact surer
(``merged``); what contradicts it without a word of change is kept apart for a person (``contested``).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, get_args

from recollect.checks import check_bool, check_count, check_share
from recollect.errors import InvalidInputError, as_given
from recollect.text.pii import PiiPolicy
from recollect.types.codec import fields_to_json
from recollect.types.regex import lazy_regex

Criterion = Literal["safety", "attribution", "importance", "news", "verification"]
"""What decided; for a statement that was stored ``verification``, the last."""
Admission = Literal["stored", "merged", "contested", "refused"]
"""What became of a statement."""
ADMISSIONS: Final[tuple[Admission, ...]] = get_args(Admission)

MIN_IMPORTANCE: Final = 0.2
"""The least importance. Chosen by hand: facts are worth 0.3 and more, "ok thanks" at most 0.15."""
MIN_CONFIDENCE: Final = 0.6
"""Below, a statement was inferred: what rules find on the way to something else has 0.5, what people say with
"I think" 0.6 (``learning.extraction.facts``)."""
_MASKED: Final = lazy_regex(r"\[[^\[\]\n]{2,40} removed\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionPolicy:
    """What may become a fact.

    Attributes:
        min_importance: The least importance, 0 to 1.
        min_confidence: The least confidence, 0 to 1, of what counts as stated.
        stated_by_user: Whether only what the user says may.
        pii: What to do with personal data in facts, beside what the memory does with all words; None for
            nothing more. What it masks is refused as well: a fact about something masked says nothing.
        keep_refused: Whether the words of what is refused are kept with the decision. Those refused for
            safety never are.

    Raises:
        InvalidInputError: A number is out of range, or something is of the wrong type.
    """

    min_importance: float = MIN_IMPORTANCE
    min_confidence: float = MIN_CONFIDENCE
    stated_by_user: bool = True
    pii: PiiPolicy | None = None
    keep_refused: bool = False

    def __post_init__(self) -> None:
        check_share("min_importance", self.min_importance)
        check_share("min_confidence", self.min_confidence)
        check_bool("stated_by_user", self.stated_by_user)
        check_bool("keep_refused", self.keep_refused)
        if self.pii is not None and not isinstance(self.pii, PiiPolicy):
            raise InvalidInputError(f"pii must be a PiiPolicy or None, not {as_given(self.pii)}")


LEARN_AFTER: Final = 4
"""Messages of a conversation after which it is learned, and again after as many; Second Brain's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What is learned from conversations, and when; see ``Memory``.

    Attributes:
        admission: What of a conversation may become a fact, and why not; None lets all of it.
        after: Messages of a conversation after which it is learned, and again after as many, 1 to 10,000;
            what is left is learned when the conversation pauses. None for only when it is ended.
        enabled: Whether conversations are learned at all; without, ending one queues nothing either.

    Raises:
        InvalidInputError: A value cannot be used.
    """

    admission: AdmissionPolicy | None = None
    after: int | None = LEARN_AFTER
    enabled: bool = True

    def __post_init__(self) -> None:
        check_bool("enabled", self.enabled)
        if self.admission is not None and not isinstance(self.admission, AdmissionPolicy):
            raise InvalidInputError(
                f"admission must be an AdmissionPolicy or None, not {as_given(self.admission)}"
            )
        if self.after is not None:
            check_count("after", self.after, most=10_000)


LEARNING: Final = Learning()
"""What Second Brain does: every fourth message, and all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionCandidate:
    """A statement that may become a fact.

    Attributes:
        confidence: How surely it was said, 0 to 1.
        importance: How much it matters, 0 to 1.
        unsafe: Why it may not be stored, as a ``Screen`` says; None when it may.
        unstated: Why its words state nothing, as ``stated_in`` says; empty when they do.
    """

    text: str
    role: str
    confidence: float
    importance: float
    unsafe: str | None = None
    unstated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionDecision:
    """What became of a statement, and why.

    Attributes:
        reason: Why, in words; none of the statement's own.
        fact_id: The fact it became, or the one it made surer; None when it was refused.
        source_id: The memory that says it, where there is one.
        conflicts_with: The fact it contradicts, when it is contested, or whose place it took.
        text: Its words, if it was refused and the policy keeps them; None otherwise. Those of a fact stand
            in the fact, and go with it.
    """

    admission: Admission
    criterion: Criterion
    reason: str
    at: datetime
    fact_id: str | None = None
    source_id: str | None = None
    conflicts_with: str | None = None
    text: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return fields_to_json(self)

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "AdmissionDecision":
        """What ``to_json`` made."""
        return cls(**{**kept, "at": datetime.fromisoformat(kept["at"])})


def refusal(candidate: AdmissionCandidate, policy: AdmissionPolicy) -> tuple[Criterion, str] | None:
    """Why a statement may not become a fact, as far as it tells itself; None when it may.

    >>> ok = AdmissionCandidate(text="Ada likes tea.", role="user", confidence=0.95, importance=0.3)
    >>> refusal(ok, AdmissionPolicy()) is None
    True
    >>> refusal(ok, AdmissionPolicy(min_importance=0.5))
    ('importance', 'its importance of 0.3 is below 0.5')
    """
    if candidate.unsafe is not None:
        return "safety", candidate.unsafe
    if _MASKED.search(candidate.text):
        return "safety", "what it says was masked"
    if policy.stated_by_user and candidate.role != "user":
        return "attribution", "the user did not say it"
    if candidate.unstated:
        return "attribution", f"the user did not state it: {candidate.unstated}"
    if candidate.confidence < policy.min_confidence:
        return (
            "attribution",
            f"it was inferred, not stated: {candidate.confidence:.2g} is below {policy.min_confidence:g}",
        )
    if candidate.importance < policy.min_importance:
        return (
            "importance",
            f"its importance of {candidate.importance:.2g} is below {policy.min_importance:g}",
        )
    return None

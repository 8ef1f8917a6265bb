"""Decides what becomes a fact by a policy: Recall's storage decision at work."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from recollect.ingest.messages import Screen
from recollect.learning.admission import (
    Admission,
    AdmissionCandidate,
    AdmissionDecision,
    AdmissionPolicy,
    Criterion,
    refusal,
)
from recollect.learning.admission_log import AdmissionLog
from recollect.learning.extraction.facts import Fact
from recollect.learning.parts import LearningParts
from recollect.learning.reconcile.decisions import Decision
from recollect.lifecycle.importance import calculate_importance
from recollect.text.pii import PiiPolicy
from recollect.text.quoting import reads_like_an_instruction
from recollect.text.tags import extract_tags
from recollect.types import MemoryRecord, Scope


def _as_instruction(text: str) -> str | None:
    return "it reads like an instruction to a model" if reads_like_an_instruction(text) else None


class AdmissionGate:
    """Decides by a policy what becomes a fact."""

    def __init__(
        self,
        parts: LearningParts,
        *,
        policy: AdmissionPolicy,
        importance: float | None = None,
        unstated: str = "",
    ) -> None:
        self.policy: Final = policy
        self._parts = parts
        self._importance = importance
        self._unstated = unstated
        self._screen = Screen(secrets="refuse", pii=None if policy.pii is None else _strict(policy.pii))

    def refuses(self, scope: Scope, fact: Fact, source: MemoryRecord) -> AdmissionDecision | None:
        """Why a statement may not become a fact, which is remembered; None when it may."""
        found = refusal(self._candidate(fact, source), self.policy)
        if found is None:
            return None
        criterion, reason = found
        kept = self.policy.keep_refused and criterion != "safety"
        decision = AdmissionDecision(
            admission="refused",
            criterion=criterion,
            reason=reason,
            at=self._parts.clock(),
            source_id=source.id,
            text=fact.text if kept else None,
        )
        AdmissionLog(self._parts.store, scope).append(decision)
        return decision

    def note(self, scope: Scope, decision: Decision, *, fact_id: str, source_id: str) -> Admission:
        """Remember what became of a statement that may be a fact."""
        made = told(decision, at=self._parts.clock(), fact_id=fact_id, source_id=source_id)
        AdmissionLog(self._parts.store, scope).append(made)
        return made.admission

    def _candidate(self, fact: Fact, source: MemoryRecord) -> AdmissionCandidate:
        screened = self._screen(fact.text)
        worth = self._importance
        if worth is None:
            tags = extract_tags(fact.text, analyser=self._parts.analyser)
            worth = calculate_importance(fact.text, tags=tags, source="chat").score
        return AdmissionCandidate(
            text=fact.text,
            role=source.origin.role,
            confidence=fact.confidence,
            importance=worth,
            unsafe=screened.refused or screened.redacted or _as_instruction(fact.text),
            unstated=self._unstated,
        )


def _strict(policy: PiiPolicy) -> PiiPolicy:
    """The policy with secrets and cards refused: no fact holds one."""
    return replace(policy, secret="refuse", card="refuse")  # noqa: S106 - an action


_TOLD: Final[dict[str, tuple[Admission, Criterion, str]]] = {
    "add": ("stored", "verification", "it is new, and contradicts nothing that is known"),
    "refine": ("stored", "verification", "it says more than a known fact; both hold"),
    "supersede": ("stored", "verification", "it takes the place of a known fact, which ends"),
    "reinforce": ("merged", "news", "a known fact says so; it grew surer"),
    "ignore": ("merged", "news", "it was said already, in the same breath or by the same words"),
    "retract": ("merged", "news", "it says no more than that a known fact ended"),
    "conflict": ("contested", "verification", "it contradicts a known fact; a person decides"),
}


def told(
    decision: Decision, *, at: datetime, fact_id: str | None, source_id: str | None
) -> AdmissionDecision:
    """The decision about a statement that was compared with what is known."""
    admission, criterion, reason = _TOLD[decision.action]
    return AdmissionDecision(
        admission=admission,
        criterion=criterion,
        reason=reason,
        at=at,
        fact_id=decision.target_id if admission == "merged" else fact_id,
        source_id=source_id,
        conflicts_with=decision.target_id if decision.action in {"conflict", "supersede"} else None,
    )

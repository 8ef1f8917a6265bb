"""Decides what becomes a fact, and remembers why: Recall's storage decision at work."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.ingest.messages import Screen
from recollect.learning.admission import (
    Admission,
    AdmissionDecision,
    AdmissionPolicy,
    Candidate,
    refusal,
    told,
)
from recollect.learning.extraction import Fact
from recollect.learning.reconcile import Decision
from recollect.lifecycle.importance import calculate_importance
from recollect.protocols import Clock, StateStore
from recollect.text.analyse import Analyser
from recollect.text.pii import PiiPolicy
from recollect.text.quoting import reads_like_an_instruction
from recollect.text.tags import extract_tags
from recollect.types import MemoryRecord, Scope

MOST_KEPT: Final = 500
"""Decisions of a user; older ones go. Chosen by hand."""
STATE: Final = "admissions"


class AdmissionLog:
    """The last decisions about a user's statements. It holds ids and reasons, no words of facts.

    Args:
        store: Where they are kept, beside the memories.
        scope: Whose.
    """

    def __init__(self, store: StateStore, scope: Scope) -> None:
        self._store = store
        self._scope = Scope(user_id=scope.user_id)

    def all(self) -> list[AdmissionDecision]:
        """They, oldest first."""
        kept = json.loads(self._store.state(self._scope, STATE) or "[]")
        return [AdmissionDecision.from_json(one) for one in kept]

    def append(self, decision: AdmissionDecision) -> None:
        """Keep one more, and let the oldest go. One that says the same of the same as before is not kept."""
        new = decision.to_json()

        def longer(kept: str | None) -> str:
            before = [one for one in json.loads(kept or "[]") if not _is_same(one, new)]
            return json.dumps([*before, new][-MOST_KEPT:])

        self._store.change_state(self._scope, STATE, longer)

    def forget(self, source_ids: Sequence[str]) -> None:
        """Let go of what was decided about what some memories say, for they are deleted or changed."""
        gone = frozenset(source_ids)

        def less(kept: str | None) -> str | None:
            left = [one for one in json.loads(kept or "[]") if one["source_id"] not in gone]
            return json.dumps(left) if left else None

        if self._store.state(self._scope, STATE) is not None:
            self._store.change_state(self._scope, STATE, less)


def _is_same(one: dict[str, object], new: dict[str, object]) -> bool:
    return all(one[name] == new[name] for name in ("admission", "criterion", "fact_id", "source_id", "text"))


def _as_instruction(text: str) -> str | None:
    return "it reads like an instruction to a model" if reads_like_an_instruction(text) else None


class Gate:
    """Decides by a policy what becomes a fact.

    Args:
        store: Keeps the decisions.
        policy: What may become one.
        analyser: Cuts words.
        clock: What time it is.
        importance: How much everything matters, 0 to 1, where somebody says so; None leaves it to the words.
        unstated: Why what is looked at states nothing; empty when it does.
    """

    def __init__(
        self,
        store: StateStore,
        *,
        policy: AdmissionPolicy,
        analyser: Analyser,
        clock: Clock,
        importance: float | None = None,
        unstated: str = "",
    ) -> None:
        self.policy: Final = policy
        self._store = store
        self._analyser = analyser
        self._clock = clock
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
            at=self._clock(),
            source_id=source.id,
            text=fact.text if kept else None,
        )
        AdmissionLog(self._store, scope).append(decision)
        return decision

    def note(self, scope: Scope, decision: Decision, *, fact_id: str, source_id: str) -> Admission:
        """Remember what became of a statement that may be a fact."""
        made = told(decision, at=self._clock(), fact_id=fact_id, source_id=source_id)
        AdmissionLog(self._store, scope).append(made)
        return made.admission

    def _candidate(self, fact: Fact, source: MemoryRecord) -> Candidate:
        screened = self._screen(fact.text)
        worth = self._importance
        if worth is None:
            tags = extract_tags(fact.text, analyser=self._analyser)
            worth = calculate_importance(fact.text, tags=tags, source="chat").score
        return Candidate(
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


def newest_first(
    decisions: Sequence[AdmissionDecision], *, admission: Admission | None = None, limit: int | None = None
) -> list[AdmissionDecision]:
    """Decisions, the latest first.

    Args:
        decisions: Oldest first.
        admission: Only those with this outcome.
        limit: How many at most.
    """
    wanted = [one for one in reversed(decisions) if admission is None or one.admission == admission]
    return wanted[:limit]

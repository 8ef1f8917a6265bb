"""The last decisions about what becomes a fact, and why."""

import json
from collections.abc import Sequence
from typing import Final

from recollect.learning.admission import Admission, AdmissionDecision
from recollect.protocols import StateStore
from recollect.types import Scope

MOST_KEPT: Final = 500
"""Decisions of a user; older ones go. Chosen by hand."""
STATE: Final = "admissions"


class AdmissionLog:
    """The last decisions about a user's statements. It holds ids and reasons, no words of facts."""

    def __init__(self, store: StateStore, scope: Scope) -> None:
        self._store = store
        self._scope = Scope(user_id=scope.user_id)

    def all(self) -> list[AdmissionDecision]:
        """All that are kept, oldest first."""
        kept = json.loads(self._store.state(self._scope, STATE) or "[]")
        return [AdmissionDecision.from_json(one) for one in kept]

    def append(self, decision: AdmissionDecision) -> None:
        """Append one, dropping an earlier one that says the same, and the oldest beyond the limit."""
        new = decision.to_json()

        def longer(kept: str | None) -> str:
            before = [one for one in json.loads(kept or "[]") if not _is_same(one, new)]
            return json.dumps([*before, new][-MOST_KEPT:])

        self._store.change_state(self._scope, STATE, longer)

    def forget(self, source_ids: Sequence[str]) -> None:
        """Drop the decisions about memories that are deleted or changed."""
        gone = frozenset(source_ids)

        def less(kept: str | None) -> str | None:
            left = [one for one in json.loads(kept or "[]") if one["source_id"] not in gone]
            return json.dumps(left) if left else None

        if self._store.state(self._scope, STATE) is not None:
            self._store.change_state(self._scope, STATE, less)


def _is_same(one: dict[str, object], new: dict[str, object]) -> bool:
    return all(one[name] == new[name] for name in ("admission", "criterion", "fact_id", "source_id", "text"))


def newest_first(
    decisions: Sequence[AdmissionDecision], *, admission: Admission | None = None, limit: int | None = None
) -> list[AdmissionDecision]:
    """Decisions, the latest first."""
    wanted = [one for one in reversed(decisions) if admission is None or one.admission == admission]
    return wanted[:limit]

"""Keeping learned facts true: repeated, refined, contradicted, ended. Pure; ``decide`` has the rules."""

from recollect.learning.reconcile.decide import reconcile
from recollect.learning.reconcile.decisions import Action, Decision, Ending, reinforced_confidence, settle
from recollect.learning.reconcile.statements import Statement, confidence_at, is_open

__all__ = [
    "Action",
    "Decision",
    "Ending",
    "Statement",
    "confidence_at",
    "is_open",
    "reconcile",
    "reinforced_confidence",
    "settle",
]

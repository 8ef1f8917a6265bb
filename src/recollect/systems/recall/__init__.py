"""Recall: four tiers of memory, prompts within a budget, and a storage decision with reasons.

The names are those of the design (``specs/recall.md``), in Python's spelling; what they do lives in the
engine: ``context.prompt``, ``context.budget``, ``context.injection``, ``context.working``,
``context.short_term``, ``retrieval.rerank``, ``learning.admission``, ``learning.outcome``,
``lifecycle.relationship``.
"""

from recollect.context.budget import ContextAllocations, ContextBudget
from recollect.context.history import HistoryTurn
from recollect.context.prompt import ComposedPrompt, ContextBudgetManager, PromptSources
from recollect.context.task_state import Observation, TaskState
from recollect.context.working import Step
from recollect.learning.admission import AdmissionDecision, AdmissionPolicy
from recollect.systems.recall.entries import (
    EpisodicMemoryEntry,
    RecalledMemory,
    SemanticMemoryEntry,
    WordsEntry,
)
from recollect.systems.recall.session import RecallSession, TaskReport
from recollect.systems.recall.system import RecallSystem

__all__ = [
    "AdmissionDecision",
    "AdmissionPolicy",
    "ComposedPrompt",
    "ContextAllocations",
    "ContextBudget",
    "ContextBudgetManager",
    "EpisodicMemoryEntry",
    "HistoryTurn",
    "Observation",
    "PromptSources",
    "RecallSession",
    "RecallSystem",
    "RecalledMemory",
    "SemanticMemoryEntry",
    "Step",
    "TaskReport",
    "TaskState",
    "WordsEntry",
]

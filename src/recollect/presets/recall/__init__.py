"""Recall: four tiers of memory, prompts within a budget, and a storage decision with reasons.

The names are those of the design (``specs/recall.md``), in Python's spelling; what they do lives in the
engine: ``context.prompt``, ``context.budget``, ``context.injection``, ``context.working``,
``context.short_term``, ``retrieval.rerank``, ``learning.admission``, ``learning.outcome``,
``lifecycle.relationship``.
"""

from recollect.learning.admission import AdmissionDecision, AdmissionPolicy
from recollect.presets.recall.entries import (
    EpisodicMemoryEntry,
    RecalledMemory,
    SemanticMemoryEntry,
    WordsEntry,
)
from recollect.presets.recall.prompt.budget import ContextAllocations, ContextBudget
from recollect.presets.recall.prompt.build import ComposedPrompt, ContextBudgetManager, PromptSources
from recollect.presets.recall.prompt.history import HistoryTurn
from recollect.presets.recall.session import RecallSession, TaskReport
from recollect.presets.recall.system import RecallConfig, RecallSystem
from recollect.presets.recall.task_state import Observation, TaskState
from recollect.presets.recall.working import Step

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
    "RecallConfig",
    "RecallSession",
    "RecallSystem",
    "RecalledMemory",
    "SemanticMemoryEntry",
    "Step",
    "TaskReport",
    "TaskState",
    "WordsEntry",
]

"""Second Brain: facts and episodes learned from conversation, found together with documents.

The names are those of the design (``specs/second-brain.md``); the formulas live in the engine:
``retrieval.fusion``, ``learning``, ``lifecycle``, ``documents``, ``sessions``, ``profiling``.
"""

from recollect.presets.second_brain.config import SecondBrainConfig
from recollect.presets.second_brain.summary import build_context_summary, build_prompt
from recollect.presets.second_brain.system import BrainTurn, Found, SecondBrain

__all__ = [
    "BrainTurn",
    "Found",
    "SecondBrain",
    "SecondBrainConfig",
    "build_context_summary",
    "build_prompt",
]

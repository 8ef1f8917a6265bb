"""Semem: a short-term and a long-term memory of interactions, a concept graph, clusters, a context window.

The names are those of the design (``specs/semem.md``), in Python's spelling; the formulas live in the engine:
``retrieval.strength``, ``retrieval.graph``, ``lifecycle.retrievals`` and ``context.merging``.
"""

from recollect.presets.semem.context import ContextManager
from recollect.presets.semem.interaction import Interaction, RetrievedInteraction
from recollect.presets.semem.manager import MemoryManager, SememConfig
from recollect.presets.semem.store import MemoryStore

__all__ = [
    "ContextManager",
    "Interaction",
    "MemoryManager",
    "MemoryStore",
    "RetrievedInteraction",
    "SememConfig",
]

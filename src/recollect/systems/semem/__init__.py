"""Semem: a short-term and a long-term memory of interactions, a concept graph, clusters, a context window.

The names are those of the design (``specs/semem.md``), in Python's spelling; the formulas live in the engine:
``retrieval.strength``, ``retrieval.graph``, ``lifecycle.retrievals`` and ``context.merging``.
"""

from recollect.systems.semem.context import ContextManager
from recollect.systems.semem.interaction import Interaction, RetrievedInteraction
from recollect.systems.semem.manager import MemoryManager
from recollect.systems.semem.store import MemoryStore

__all__ = ["ContextManager", "Interaction", "MemoryManager", "MemoryStore", "RetrievedInteraction"]

"""Shadow Memory: awareness of every memory by an activation score, and the words of those activated only.

The names are those of the design (``specs/shadow.md``), in Python's spelling; the formulas live in the
engine: ``retrieval.activation``, ``retrieval.calibration``, ``lifecycle.thresholds``, ``lifecycle.archival``.
"""

from recollect.presets.shadow.activation import ActivationWeights
from recollect.presets.shadow.agent import AgentResponse, MemoryAugmentedAgent, ResponseStream
from recollect.presets.shadow.awareness import Awareness, MemoryAwareness
from recollect.presets.shadow.config import ShadowMemorySystemConfig
from recollect.presets.shadow.system import ShadowContext, ShadowMemorySystem, SystemStats

__all__ = [
    "ActivationWeights",
    "AgentResponse",
    "Awareness",
    "MemoryAugmentedAgent",
    "MemoryAwareness",
    "ResponseStream",
    "ShadowContext",
    "ShadowMemorySystem",
    "ShadowMemorySystemConfig",
    "SystemStats",
]

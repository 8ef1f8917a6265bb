"""Shadow Memory: awareness of every memory by an activation score, and the words of those activated only.

The names are those of the design, in Python's spelling. The formulas are here, but for
``retrieval.calibration``, ``lifecycle.thresholds`` and ``lifecycle.archival``.
"""

from recollect.presets.shadow.activation import ActivationWeights
from recollect.presets.shadow.agent import AgentResponse, MemoryAugmentedAgent, ResponseStream
from recollect.presets.shadow.awareness import Awareness, MemoryAwareness
from recollect.presets.shadow.config import ShadowMemorySystemConfig
from recollect.presets.shadow.context import ShadowContext, SystemStats
from recollect.presets.shadow.system import ShadowMemorySystem

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

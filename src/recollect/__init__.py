"""Recollect: a long-term memory for LLM agents.

Start at ``Memory``: ``add`` puts words in, ``search`` finds them, ``context`` makes them ready for a prompt.
"""

from recollect.errors import RecollectError
from recollect.memory import Memory

__version__ = "0.1.0"

__all__ = ["Memory", "RecollectError"]

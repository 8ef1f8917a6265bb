"""Recollect: a long-term memory for LLM agents.

Start at ``Memory``: ``add`` puts words in, ``search`` finds them, ``context`` makes them ready for a prompt.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.errors import (
        ClosedError,
        EmbedderError,
        EmbedderMismatchError,
        InvalidInputError,
        MissingExtraError,
        ModelError,
        NotFoundError,
        RecollectError,
        StoreError,
    )
    from recollect.memory.agent import MemoryAgent
    from recollect.memory.aio import AsyncMemory
    from recollect.memory.maintenance import reembed, restore
    from recollect.memory.memory import Memory
    from recollect.types import (
        AddResult,
        Context,
        Explanation,
        Labels,
        MemoryRecord,
        Recollection,
        Scope,
        Within,
    )

__version__ = "0.1.0"

__all__ = [
    "AddResult",
    "AsyncMemory",
    "ClosedError",
    "Context",
    "EmbedderError",
    "EmbedderMismatchError",
    "Explanation",
    "InvalidInputError",
    "Labels",
    "Memory",
    "MemoryAgent",
    "MemoryRecord",
    "MissingExtraError",
    "ModelError",
    "NotFoundError",
    "RecollectError",
    "Recollection",
    "Scope",
    "StoreError",
    "Within",
    "__version__",
    "reembed",
    "restore",
]

_HOMES = {
    "recollect.memory.agent": ("MemoryAgent",),
    "recollect.memory.aio": ("AsyncMemory",),
    "recollect.errors": (
        "ClosedError",
        "EmbedderError",
        "EmbedderMismatchError",
        "InvalidInputError",
        "MissingExtraError",
        "ModelError",
        "NotFoundError",
        "RecollectError",
        "StoreError",
    ),
    "recollect.memory.maintenance": ("reembed", "restore"),
    "recollect.memory.memory": ("Memory",),
    "recollect.types": (
        "AddResult",
        "Context",
        "Explanation",
        "Labels",
        "MemoryRecord",
        "Recollection",
        "Scope",
        "Within",
    ),
}
"""Where each public name lives. It is imported when first used: ``recollect --help`` needs no NumPy."""

_ELSEWHERE = {
    "MemoryClient": "Memory; a server is called over HTTP",
    "AsyncMemoryClient": "AsyncMemory; a server is called over HTTP",
    "Client": "Memory; a server is called over HTTP",
    "Retrieval": "recollect.retrieval.scoring.Retrieval",
    "Learning": "recollect.learning.admission.Learning",
}
"""What is looked for here, and where it is."""


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    instead = f"; use {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{instead}")


def __dir__() -> list[str]:
    return __all__

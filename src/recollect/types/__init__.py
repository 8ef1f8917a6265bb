"""What Recollect keeps and returns: small frozen dataclasses, grouped by meaning.

Times are aware UTC ``datetime`` objects. Numbers called importance, confidence or score of a signal
lie in 0 to 1. Ids are UUIDv7 strings, so they sort by when they were made.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.types.labels import (
        DateRelation,
        DateSpan,
        Grain,
        MemoryLabels,
        Parameter,
        ParameterKind,
        Tag,
    )
    from recollect.types.options import Labels, Within
    from recollect.types.records import (
        JSON,
        KINDS,
        LINK_TYPES,
        PRIORITIES,
        SUMMARY_CHARACTERS,
        TIER,
        TIERS,
        Change,
        ChangeAction,
        HowUsed,
        Job,
        Kind,
        Link,
        LinkType,
        MemoryRecord,
        Origin,
        Priority,
        Reinforcement,
        Scope,
        Tier,
        Times,
        Use,
        Worth,
    )
    from recollect.types.results import (
        CORE_PARTS,
        AddResult,
        AddStatus,
        AgedConfidence,
        Context,
        Core,
        CoreMemory,
        CorePart,
        Explanation,
        LeftOut,
        LoadResult,
        Recollection,
        Repeat,
        Stats,
        Superseded,
    )

__all__ = [
    "CORE_PARTS",
    "JSON",
    "KINDS",
    "LINK_TYPES",
    "PRIORITIES",
    "SUMMARY_CHARACTERS",
    "TIER",
    "TIERS",
    "AddResult",
    "AddStatus",
    "AgedConfidence",
    "Change",
    "ChangeAction",
    "Context",
    "Core",
    "CoreMemory",
    "CorePart",
    "DateRelation",
    "DateSpan",
    "Explanation",
    "Grain",
    "HowUsed",
    "Job",
    "Kind",
    "Labels",
    "LeftOut",
    "Link",
    "LinkType",
    "LoadResult",
    "MemoryLabels",
    "MemoryRecord",
    "Origin",
    "Parameter",
    "ParameterKind",
    "Priority",
    "Recollection",
    "Reinforcement",
    "Repeat",
    "Scope",
    "Stats",
    "Superseded",
    "Tag",
    "Tier",
    "Times",
    "Use",
    "Within",
    "Worth",
]

_HOMES = ("records", "labels", "options", "results")
"""The modules with these names. They are imported when first used: a hook that masks a key needs none."""


def __getattr__(name: str) -> object:
    for home in _HOMES if name in __all__ else ():
        module = import_module(f"{__name__}.{home}")
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

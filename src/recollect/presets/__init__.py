"""The five published designs, each as a thin preset over one engine."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from recollect.errors import InvalidInputError, as_given

if TYPE_CHECKING:
    from recollect.memory.chat import Preset

__all__ = ["DEFAULT_PRESET", "PRESETS", "open_preset"]

DEFAULT_PRESET: Final = "default"
PRESETS: Final[Mapping[str, tuple[str, str]]] = {
    DEFAULT_PRESET: ("recollect.memory.chat", "DefaultChat"),
    "shadow": ("recollect.presets.shadow.chat", "ShadowChat"),
    "semem": ("recollect.presets.semem.chat", "SememChat"),
    "recall": ("recollect.presets.recall.chat", "RecallChat"),
    "second_brain": ("recollect.presets.second_brain.chat", "SecondBrainChat"),
    "chloe": ("recollect.presets.chloe.chat", "ChloeChat"),
}
"""The module and class of each preset's parts of a chat, by the preset's name."""


def open_preset(name: str) -> "Preset":
    """Return a preset for ``MemoryAgent(preset=...)``.

    Args:
        name: ``default``, or one of the five designs: ``shadow``, ``semem``, ``recall``, ``second_brain``,
            ``chloe``.

    Raises:
        InvalidInputError: The name is unknown.

    >>> open_preset("shadow").__name__
    'ShadowChat'
    """
    check_preset(name)
    module, parts = PRESETS[name]
    return cast("Preset", getattr(import_module(module), parts))


def check_preset(name: str) -> None:
    """Check that a preset has this name, without loading it.

    Raises:
        InvalidInputError: None has.
    """
    if not isinstance(name, str) or name not in PRESETS:
        designs = ", ".join(one for one in PRESETS if one != DEFAULT_PRESET)
        raise InvalidInputError(
            f"no preset is named {as_given(name)}; the presets are {designs}, or {DEFAULT_PRESET} for none"
        )

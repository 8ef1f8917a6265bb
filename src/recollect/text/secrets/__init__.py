"""Credentials in a text: found by their issuers' formats and by the words around them, and masked."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.text.secrets.formats import mask_formats
    from recollect.text.secrets.search import find_secrets, mask_all, mask_secrets, without_half_mask
    from recollect.text.secrets.spans import Secret, SecretKind

__all__ = [
    "Secret",
    "SecretKind",
    "find_secrets",
    "mask_all",
    "mask_formats",
    "mask_secrets",
    "without_half_mask",
]

_HOMES = ("spans", "formats", "search")
"""The modules with these names, the quickest to load first: a hook that masks a key needs no others."""


def __getattr__(name: str) -> object:
    for home in _HOMES if name in __all__ else ():
        module = import_module(f"{__name__}.{home}")
        if hasattr(module, name):
            found: object = getattr(module, name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

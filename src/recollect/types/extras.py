"""Packages that are optional, imported when they are first needed."""

from importlib import import_module
from types import ModuleType

from recollect.errors import MissingExtraError


def optional_module(module: str, *, feature: str, extra: str) -> ModuleType:
    """Import a package that an extra brings; ``feature`` is what needs it, for the message.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise MissingExtraError(feature, extra=extra) from error

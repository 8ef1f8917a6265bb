"""Packages that are optional, imported when they are first needed."""

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def package_of(extra: str, package: str, *, feature: str) -> Iterator[None]:
    """A block that imports from a package which an extra brings; ``feature`` is as in ``optional_module``.

    Raises:
        MissingExtraError: The package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or not f"{package}.".startswith(f"{error.name}."):
            raise
        raise MissingExtraError(feature, extra=extra) from error

"""Telephone numbers by the plans of every country, as libphonenumber keeps them."""

from collections.abc import Collection, Iterator
from importlib import import_module
from typing import Any, Final

from recollect.errors import MissingExtraError
from recollect.text.pii.folding import folded, unfolded
from recollect.text.pii.phones import phones
from recollect.text.pii.spans import PiiKind, PiiSpan


class NumberPlans:
    """A recogniser of telephone numbers that knows every country's, by the package ``phonenumberslite``.

    It finds what the built-in rules find, and with a ``region`` also all of its national numbers that are
    written in groups; without a region it adds nothing.

    Raises:
        MissingExtraError: The package is not installed.
    """

    replaces: Final[Collection[PiiKind]] = frozenset({"phone"})

    def __init__(self) -> None:
        try:
            self._library: Any = import_module("phonenumbers")
        except ModuleNotFoundError as error:
            if error.name != "phonenumbers":
                raise
            raise MissingExtraError("NumberPlans", extra="pii") from error

    def find(self, text: str, *, region: str | None) -> Iterator[PiiSpan]:
        """Telephone numbers in a text."""
        plan = (lambda written: self._exists(written, region)) if region else None
        for found in phones(folded(text), region=region, plan=plan):
            yield unfolded(found, text)

    def _exists(self, written: str, region: str | None) -> bool:
        found = next(iter(self._library.PhoneNumberMatcher(written, region)), None)
        return found is not None and found.raw_string == written

"""Regular expressions that are compiled when they are first used."""

import re
from functools import cached_property
from typing import cast


class _LazyPattern:
    """Stands for an ``re.Pattern``; an attribute is looked up once and kept, so later calls cost nothing."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = (pattern, flags)

    @property
    def pattern(self) -> str:
        """What was given: who reads it compiles nothing."""
        return self._given[0]

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(*self._given)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what ``copy`` and ``pickle`` ask for
            raise AttributeError(name)
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy_regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern as ``re.compile`` makes it, compiled (or refused with ``re.error``) at its first use.

    The engine has more than a thousand patterns, of which most processes use a few. A match's ``re`` is the
    compiled pattern: compare ``.pattern`` to tell which one matched.

    >>> lazy_regex(r"[0-9]+").findall("3 of 14")
    ['3', '14']
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))

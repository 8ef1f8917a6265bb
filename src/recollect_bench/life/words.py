"""The phrasings that lives are told in, and chance that falls the same on every Python."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

_HERE: Final = Path(__file__).parent
_CHOICE: Final = re.compile(r"\[([^\[\]]*)\]")
_T = TypeVar("_T")

OTHER_LANGUAGES: Final = ("de", "fr", "es")


class Dice:
    """Chance by a seed. Only ``random()`` is used, whose numbers Python promises to keep for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret depends on it

    def chance(self, share: float) -> bool:
        """True in this share of throws."""
        return self._random.random() < share

    def below(self, count: int) -> int:
        """A number from 0 to ``count - 1``."""
        return int(self._random.random() * count)

    def pick(self, among: Sequence[_T]) -> _T:
        """One of them."""
        return among[self.below(len(among))]

    def some(self, among: Sequence[_T], count: int) -> list[_T]:
        """So many of them, each once, in the order in which they were drawn."""
        left = list(among)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]


def spoken(phrase: str, dice: Dice, slots: Mapping[str, str]) -> str:
    """A phrase with its choices made and its slots filled.

    >>> spoken("home is {new}[!|!]", Dice(1), {"new": "Porto"})
    'home is Porto!'
    """
    chosen = _CHOICE.sub(lambda found: dice.pick(found[1].split("|")), phrase)
    return chosen.format_map(slots)


def topics() -> dict[str, Any]:
    """What may change in a life, by name."""
    return {**_read("topics"), **_read("more_topics")}


def talk() -> dict[str, Any]:
    """What people say besides."""
    return _read("talk")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))

"""What is found in a text, who may find it, and which finding stays where two overlap."""

from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

PiiKind = Literal[
    "email", "card", "iban", "national_id", "phone", "secret", "address", "ip", "date_of_birth", "person",
    "other",
]  # fmt: skip
"""What a piece of personal data is. ``person`` and ``other`` come from plugged-in recognisers alone."""
KINDS: Final[tuple[PiiKind, ...]] = get_args(PiiKind)
"""All kinds; of findings that are equal otherwise the one whose kind is named first here stays."""

SURE: Final = 0.95
"""A checksum holds, or the format belongs to nothing else. This and the next are chosen by hand, and only
their order matters: the surer of two findings that overlap stays."""
LIKELY: Final = 0.8
"""The form is right, and so are the words around it or a number plan."""
PLAUSIBLE: Final = 0.6
"""The form alone is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiSpan:
    """A piece of personal data in a text.

    Attributes:
        kind: What it is.
        place: Where it starts and ends in the text, in characters.
        text: The words, as they stand.
        confidence: How sure it is, 0 to 1.
        rule: What it was found by, for people to read: "US SSN", "password", "number plan".
    """

    kind: PiiKind
    place: tuple[int, int]
    text: str
    confidence: float
    rule: str


class Recogniser(Protocol):
    """Something else that finds personal data, to be plugged in.

    What it raises is not caught: a text that could not be searched should not be stored unseen.
    """

    @property
    def replaces(self) -> Collection[PiiKind]:
        """The kinds that it finds better than the built-in rules, which are left out then."""
        ...

    def find(self, text: str, *, region: str | None) -> Iterable[PiiSpan]:
        """Personal data in a text, in any order.

        Args:
            text: Any words.
            region: The country whose formats to expect, in ISO 3166's two letters.
        """
        ...


def span(kind: PiiKind, text: str, place: tuple[int, int], *, confidence: float, rule: str) -> PiiSpan:
    """A finding with its words cut from the text."""
    return PiiSpan(kind=kind, place=place, text=text[place[0] : place[1]], confidence=confidence, rule=rule)


def apart(found: Iterable[PiiSpan]) -> tuple[PiiSpan, ...]:
    """Those that stay where some overlap, in the text's order.

    The surest stays, of equals the longest, then the first, then by kind.
    """
    kept: list[PiiSpan] = []
    starts: list[int] = []
    for one in sorted(found, key=_rank):
        start, end = one.place
        position = bisect_left(starts, start)
        after_last = position == 0 or kept[position - 1].place[1] <= start
        before_next = position == len(kept) or end <= starts[position]
        if start < end and after_last and before_next:
            kept.insert(position, one)
            starts.insert(position, start)
    return tuple(kept)


def _rank(found: PiiSpan) -> tuple[float, int, int, int]:
    start, end = found.place
    return -found.confidence, start - end, start, _ORDER[found.kind]


_ORDER: Final = {kind: place for place, kind in enumerate(KINDS)}

"""Parameters by their places: made, ranked and kept apart."""

from typing import Final

from recollect.types import Parameter, ParameterKind


def plain(kind: ParameterKind, text: str, start: int, end: int) -> Parameter:
    """A parameter without a value."""
    return Parameter(kind=kind, text=text[start:end], place=(start, end))


def rank(found: Parameter) -> tuple[int, int, int]:
    """By place; of those that begin together the longer one first, then by kind."""
    start, end = found.place
    return start, -end, _ORDER[found.kind]


def apart(found: list[Parameter]) -> list[Parameter]:
    """Without overlaps: the longer of two stays, the earlier of equals."""
    kept: list[Parameter] = []
    for one in found:
        if not kept or one.place[0] >= kept[-1].place[1]:
            kept.append(one)
        elif len(one.text) > len(kept[-1].text):
            kept[-1] = one
    return kept


_KINDS: Final[tuple[ParameterKind, ...]] = (
    "email", "url", "money", "duration", "quantity", "path", "person", "pair",
)  # fmt: skip
_ORDER: Final = {kind: place for place, kind in enumerate(_KINDS)}

r"""Adds and removes values in a JSON text, every other byte of which stays as it is.

Hosts and their users format settings in their own ways. So a change is made in the text, at the place that a
value has there.

>>> text = '{"theme": "dark"}'
>>> added = append(text, ("hooks", "Stop"), {"a": 1})
>>> values(added, ("hooks", "Stop"))
[{'a': 1}]
>>> remove(added, ("hooks",)) == text
True
"""

import json
from collections.abc import Sequence
from json.decoder import JSONDecoder
from typing import Any, Final, NamedTuple

from recollect.errors import InvalidInputError

Path = Sequence[str | int]
"""Keys and positions that lead to a value."""
_SPACE: Final = " \t\r\n"
_INDENT: Final = 2
"""Spaces of a level where the text shows none. Chosen by hand."""
_DECODER: Final = JSONDecoder()


class _Item(NamedTuple):
    """A member of an object, or an element of an array: where it stands in the text."""

    key: str | int
    start: int
    value: int
    end: int


def check(text: str) -> None:
    """Check that a text is one JSON object without duplicate keys on the way.

    Raises:
        InvalidInputError: It is not; the error says where.
    """
    try:
        read = json.loads(text, object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        why = "it has comments" if text[error.pos :].lstrip().startswith(("//", "/*")) else error.msg
        raise InvalidInputError(f"no JSON: {why}, line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InvalidInputError("no JSON that can be read: it is nested too deep") from None
    if not isinstance(read, dict):
        raise InvalidInputError("no JSON object")


def values(text: str, path: Path) -> list[Any]:
    """The elements of the array at a path; none where there is no array.

    Raises:
        InvalidInputError: A part of the path is another kind of value.
    """
    found = _find(text, path)
    if found is None:
        return []
    if text[found] != "[":
        raise InvalidInputError(f"{_shown(path)} is no list")
    return list(_value(text, found)[0])


def append(text: str, path: Path, value: object) -> str:
    """Add an element to the array at a path; objects and the array are made where they are missing."""
    return _insert(text, path, value, in_array=True)


def put(text: str, path: Path, value: object) -> str:
    """Set the member at a path of objects; those that are missing are made."""
    if _find(text, path) is not None:
        text = remove(text, path)
    return _insert(text, path[:-1], {path[-1]: value}, in_array=False)


def get(text: str, path: Path) -> Any:
    """The value at a path; None where there is none."""
    found = _find(text, path)
    return None if found is None else _value(text, found)[0]


def remove(text: str, path: Path) -> str:
    """Remove the member or element at a path, with its comma; the text as it is where there is none."""
    around = _find(text, path[:-1])
    items = [] if around is None else _items(text, around)
    place = next((number for number, item in enumerate(items) if item.key == path[-1]), None)
    if around is None or place is None:
        return text
    if place:
        return text[: items[place - 1].end] + text[items[place].end :]
    if len(items) > 1:
        return text[: items[0].start] + text[items[1].start :]
    closing = _skip(text, items[0].end)
    return text[: around + 1] + text[closing:]


def _insert(text: str, path: Path, value: Any, *, in_array: bool) -> str:
    """Add to the container at a path, whose missing part is made first."""
    known = next(length for length in range(len(path), -1, -1) if _find(text, path[:length]) is not None)
    made: Any = [value] if in_array else value
    for key in reversed(path[known + 1 :]):
        made = {key: made}
    around = _find(text, path[:known]) or _skip(text, 0)
    if known < len(path):
        return _add(text, around, str(path[known]), made, path[:known])
    if in_array:
        return _add(text, around, None, value, path)
    ((key, inner),) = value.items()
    return _add(text, around, key, inner, path)


def _add(text: str, around: int, key: str | None, value: object, path: Path) -> str:
    """Add one item at the end of the container that begins at ``around``."""
    if text[around] != ("[" if key is None else "{"):
        raise InvalidInputError(f"{_shown(path)} is no {'list' if key is None else 'object'}")
    items, unit = _items(text, around), _unit(text)
    inner = unit * (len(path) + 1)
    written = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"\n{inner}")
    item = written if key is None else f"{json.dumps(key, ensure_ascii=False)}: {written}"
    end = "\r\n" if "\r\n" in text else "\n"
    item = f"{end}{inner}{item}".replace("\r\n", "\n").replace("\n", end)
    if items:
        return f"{text[: items[-1].end]},{item}{text[items[-1].end :]}"
    closing = _skip(text, around + 1)
    return f"{text[: around + 1]}{item}{end}{unit * len(path)}{text[closing:]}"


def _find(text: str, path: Path) -> int | None:
    """Where the value at a path begins."""
    place = _skip(text, 0)
    for length, key in enumerate(path):
        if text[place] not in "{[":
            raise InvalidInputError(f"{_shown(path[:length])} is no object")
        found = next((item for item in _items(text, place) if item.key == key), None)
        if found is None:
            return None
        place = found.value
    return place


def _items(text: str, around: int) -> list[_Item]:
    """What the container that begins at ``around`` holds."""
    is_object = text[around] == "{"
    items: list[_Item] = []
    place = _skip(text, around + 1)
    while text[place] not in "}]":
        start = place
        key: str | int = len(items)
        if is_object:
            key, place = _value(text, place)
            place = _skip(text, _skip(text, place) + 1)
        end = _value(text, place)[1]
        items.append(_Item(key, start, place, end))
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return items


def _value(text: str, place: int) -> tuple[Any, int]:
    """The value that begins at a place, and where it ends."""
    return _DECODER.raw_decode(text, place)


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place


def _unit(text: str) -> str:
    """What one level is indented by: what stands before the first member on a line of its own."""
    items = _items(text, _skip(text, 0))
    before = text[: items[0].start].rpartition("\n")[2] if items and "\n" in text[: items[0].start] else ""
    return before if before and not before.strip() else " " * _INDENT


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise InvalidInputError("a key stands twice in one object")
    return made


def _shown(path: Path) -> str:
    return ".".join(map(str, path)) or "the file"

"""What stands in the file: everything a store keeps, as one JSON document, one memory a line."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from recollect.errors import StoreCorruptError, StoreFormatError
from recollect.stores.logged.soundness import UNSOUND, check_sound
from recollect.stores.logged.writes import apply, everything, memory_type
from recollect.stores.reference.tables import Kept
from recollect.stores.sql.rows import dump

FORMAT: Final = 1
"""The format of the document that this version of Recollect writes."""
_LISTS: Final = ("shortTermMemory", "longTermMemory", "deleted")


class LogDocument(NamedTuple):
    """A document that was read.

    Attributes:
        store: An id that every document of one store has.
        number: Of the last write that is in it.
    """

    store: str
    number: int
    kept: Kept


def written(kept: Kept, *, store: str, number: int) -> Iterator[str]:
    """The document, piece by piece."""
    tables = everything(kept)
    memories = [item for _, item in tables.pop("memories")]
    yield f'{{"recollect": {FORMAT}, "store": {dump(store)}, "number": {number}'
    for name in _LISTS:
        yield f',\n"{name}": ['
        yield ",".join("\n" + dump(item) for item in memories if _list_of(item) == name)
        yield "\n]"
    for name, changed in tables.items():
        yield f',\n"{name}": {dump(changed)}'
    yield "\n}\n"


def _list_of(item: dict[str, Any]) -> str:
    if item.get("deleted"):
        return "deleted"
    return "shortTermMemory" if memory_type(item["tier"]) == "short-term" else "longTermMemory"


def read(data: bytes, *, name: str) -> LogDocument:
    """The document of a file's bytes.

    Raises:
        StoreCorruptError: It is no JSON document, not a whole one, or holds what no store keeps.
        StoreFormatError: It is another program's, or a newer Recollect's.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:  # also bytes that are no UTF-8
        raise StoreCorruptError(f"{name} is damaged: {error}") from error
    if not isinstance(document, dict) or "recollect" not in document:
        raise StoreFormatError(f"{name} was not written by Recollect; it is left as it is")
    if not _is_number(document["recollect"]):
        raise StoreCorruptError(f"{name} is damaged: its format is not a number")
    if document["recollect"] != FORMAT:
        raise StoreFormatError(f"{name} was written by a newer Recollect; upgrade this one")
    try:
        return _checked(document)
    except UNSOUND as error:
        raise StoreCorruptError(f"{name} is damaged: {error!r}") from error


def _checked(document: dict[str, Any]) -> LogDocument:
    store, number = document["store"], document["number"]
    if not isinstance(store, str) or not _is_number(number):
        raise ValueError("'store' or 'number' is wrong")
    kept = Kept()
    plain = {name: document[name] for name in kept.tables() if name != "memories"}
    write = {"memories": _memories(document), **plain}
    apply(kept, write)
    for name, table in kept.tables().items():
        if not isinstance(write[name], list) or len(write[name]) != len(table):
            raise ValueError(f"{name!r} is not a list, or has an entry twice")
    check_sound(kept)
    kept.settle()
    return LogDocument(store, number, kept)


def _is_number(value: object) -> bool:
    return type(value) is int and value >= 0


def _memories(document: dict[str, Any]) -> list[tuple[int, Any]]:
    items: Iterable[dict[str, Any]] = (item for name in _LISTS for item in document[name])
    return sorted(((item["key"], item) for item in items), key=lambda pair: pair[0])


def number_of(data: bytes) -> int:
    """The number that the first line of a damaged document still says; 0 when it says none."""
    found = re.match(rb'\{"recollect": \d+, "store": "[^"]*", "number": (\d+)', data)
    return int(found[1]) if found else 0

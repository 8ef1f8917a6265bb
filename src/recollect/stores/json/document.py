"""What stands in the file: everything a store keeps, as one JSON document, one memory a line."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from recollect.errors import StoreCorruptError, StoreFormatError
from recollect.stores.rows import dump
from recollect.stores.tables import Kept
from recollect.stores.writes import Write, everything, memory_type

FORMAT: Final = 1
"""The format of the document that this version of Recollect writes."""
_LISTS: Final = ("shortTermMemory", "longTermMemory", "deleted")


class Document(NamedTuple):
    """A document that was read.

    Attributes:
        store: An id that every document of one store has.
        number: Of the last write that is in it.
        write: Everything, as if one write had made it.
    """

    store: str
    number: int
    write: Write


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


def read(data: bytes, *, name: str) -> Document:
    """The document of a file's bytes.

    Args:
        data: What stands in the file.
        name: What messages call it.

    Raises:
        StoreCorruptError: It is no JSON document, or not a whole one.
        StoreFormatError: It is another program's, or a newer Recollect's.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:  # also bytes that are no UTF-8
        raise StoreCorruptError(f"{name} is damaged: {error}") from error
    if not isinstance(document, dict) or "recollect" not in document:
        raise StoreFormatError(f"{name} was not written by Recollect; it is left as it is")
    if document["recollect"] != FORMAT:
        raise StoreFormatError(f"{name} was written by a newer Recollect; upgrade this one")
    try:
        write = {name: document[name] for name in Kept().tables() if name != "memories"}
        return Document(document["store"], document["number"], {"memories": _memories(document), **write})
    except (KeyError, TypeError) as error:
        raise StoreCorruptError(f"{name} is damaged: {error!r} is missing or wrong") from error


def _memories(document: dict[str, Any]) -> list[tuple[int, Any]]:
    items: Iterable[dict[str, Any]] = (item for name in _LISTS for item in document[name])
    return sorted(((item["key"], item) for item in items), key=lambda pair: pair[0])


def number_of(data: bytes) -> int:
    """The number that the first line of a damaged document still says; 0 when it says none."""
    found = re.match(rb'\{"recollect": \d+, "store": "[^"]*", "number": (\d+)', data)
    return int(found[1]) if found else 0

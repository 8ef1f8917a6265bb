"""Writes that happen completely or not at all, on services without transactions.

One point in the ledger, the journal, holds the last write as one text and the state of the store after it. A
write is first stored there and then carried out. After an error or at the next opening the last write is
carried out again: every step may be repeated.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from recollect.errors import StoreCorruptError, StoreFormatError
from recollect.stores.points.connection import Connection, Payload, Point
from recollect.stores.points.points import point_id
from recollect.stores.sql.rows import dump

FORMAT: Final = 1
"""How this version writes; a store of a higher one is refused."""


_NOTHING: Final = dump({"puts": {}, "drops": {}})
"""The text of a write that does nothing."""


@dataclass(slots=True)
class Write:
    """Points to put and to drop, by collection."""

    puts: dict[str, list[Point]] = field(default_factory=dict)
    drops: dict[str, list[str]] = field(default_factory=dict)

    def put(self, collection: str, *points: Point) -> None:
        """Put points."""
        self.puts.setdefault(collection, []).extend(points)

    def drop(self, collection: str, *ids: str) -> None:
        """Drop points."""
        self.drops.setdefault(collection, []).extend(ids)


class Journal:
    """Carries out writes."""

    def __init__(self, connection: Connection, ledger: str) -> None:
        self._connection = connection
        self._ledger = ledger

    def carry_out(self, write: Write, *, number: int, before: str, state: str) -> None:
        """Carry out write ``number`` from one state of the store to the next; the journal secures it."""
        text = dump({"puts": write.puts, "drops": write.drops})
        length = self._connection.part
        parts = [text[start : start + length] for start in range(0, len(text), length)]
        if len(parts) > 1:  # say which parts to remove should this end before they count
            self._put_first(_NOTHING, count=1, spare=len(parts), number=number - 1, state=before)
        self._put([_part(place, {"number": number, "text": parts[place]}) for place in range(1, len(parts))])
        # The first part comes last: until it is there, the write before is the last.
        self._put_first(parts[0], count=len(parts), number=number, state=state)
        self._finish(write, len(parts), number=number, state=state)

    def recover(self) -> str | None:
        """Carry out the last write again; return the state it led to, None if there was none.

        Raises:
            StoreFormatError: A newer Recollect wrote it.
            StoreCorruptError: Part of it is gone.
        """
        self._connection.settle()  # what is still on its way comes from before an error
        first = next(iter(self._parts([0])), None)
        if first is None:
            return None
        if first["format"] > FORMAT:
            raise StoreFormatError(
                f"{self._connection.name} was written by a newer Recollect; upgrade this one"
            )
        count, number, state = first["parts"], first["number"], str(first["state"])
        parts = [first, *self._parts(range(1, count))]
        texts = {part.get("place", 0): part["text"] for part in parts if part["number"] == number}
        if len(texts) < count:
            raise StoreCorruptError(f"the journal of {self._connection.name} is damaged; restore a backup")
        write = _read("".join(texts[place] for place in range(count)))
        # Written again, it comes after a later one that failed and is acknowledged nowhere, but may be there.
        spare = first.get("spare", 0)
        self._put_first(first["text"], count=count, spare=spare, number=number, state=state)
        self._drop_parts(spare)
        self._finish(write, count, number=number, state=state)
        return state

    def _finish(self, write: Write, count: int, *, number: int, state: str) -> None:
        """Carry it out, and replace a long finished write by an empty one."""
        self._do(write)
        self._connection.settle()
        if count > 1:
            self._put_first(_NOTHING, count=1, spare=count, number=number, state=state)
            self._drop_parts(count)
            self._connection.settle()

    def _do(self, write: Write) -> None:
        for collection in dict.fromkeys([*write.puts, *write.drops]):
            self._connection.put(collection, write.puts.get(collection, []))
            self._connection.drop(collection, write.drops.get(collection, []))

    def _put_first(self, text: str, *, count: int, number: int, state: str, spare: int = 0) -> None:
        first = {"number": number, "parts": count, "spare": spare, "text": text, "state": state}
        self._put([_part(0, {**first, "format": FORMAT})])

    def _drop_parts(self, count: int) -> None:
        if count > 1:
            self._connection.drop(self._ledger, list(map(_part_id, range(1, count))))

    def _put(self, parts: Sequence[Point]) -> None:
        self._connection.put(self._ledger, parts)

    def _parts(self, places: Iterable[int]) -> list[Payload]:
        fields = ["place", "number", "parts", "spare", "text", "state", "format"]
        return self._connection.fetch(self._ledger, list(map(_part_id, places)), fields)


def _read(text: str) -> Write:
    data: dict[str, Any] = json.loads(text)
    puts = {name: [Point(*point) for point in points] for name, points in data["puts"].items()}
    return Write(puts, data["drops"])


def _part(place: int, payload: Payload) -> Point:
    return Point(_part_id(place), {"type": "journal", "place": place, **payload})


def _part_id(place: int) -> str:
    return point_id("journal", place)

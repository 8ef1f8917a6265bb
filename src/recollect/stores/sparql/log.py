"""Writes as updates of a graph: each one takes the number after the last, or changes nothing."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from recollect.errors import StoreCorruptError, StoreError, StoreFormatError
from recollect.stores.logged.soundness import UNSOUND, check_sound
from recollect.stores.logged.store import NOTHING, News, TakenError
from recollect.stores.logged.writes import Write, apply, forgets
from recollect.stores.reference.tables import Kept
from recollect.stores.sparql.endpoint import Solution, SparqlEndpoint
from recollect.stores.sparql.requests import FORMAT, KEPT_WRITES, SparqlRequests
from recollect.stores.sparql.vocabulary import TERMS, StoreIris
from recollect.types.ids import new_id
from recollect.types.regex import lazy_regex

_WHOLE: Final = lazy_regex(r"[0-9]{1,18}")


class GraphLog:
    """The log of a SPARQL store."""

    def __init__(self, endpoint: SparqlEndpoint, names: StoreIris) -> None:
        self.name = endpoint.name
        self._endpoint = endpoint
        self._names = names
        self._token = new_id()
        self._requests = SparqlRequests(names, self._token)
        self._found = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No lock: of two writes with one number, the endpoint takes one."""
        yield

    def news(self, known: int) -> News | None:
        """What was written after write ``known``: one small query when nothing was."""
        number = self._number(make=not self._found)
        self._found = True
        if number == known:
            return None
        if known != NOTHING and 0 < number - known <= KEPT_WRITES:
            writes = self._writes(range(known + 1, number + 1))
            if writes is not None:
                return News(number, writes)
        return self._everything()

    def append(self, number: int, write: Write, kept: Kept) -> None:
        """Send a write, and look whether it is the one that was taken."""
        self._endpoint.update(self._requests.write(number, write, kept))
        makers = [found.get("by") for found in self._endpoint.select(self._requests.writer(number))]
        if makers == [self._token]:
            if forgets(write):
                self._endpoint.forget()
            return
        if not makers and self._number(make=False) == number - 1:
            raise StoreError(
                f"{self.name} answered an update and did not carry it out; is the URL of updates right?"
            )
        raise TakenError

    def tidy(self, number: int, kept: Kept) -> None:
        """Every write tidies up after the ones before."""

    def close(self, number: int, kept: Kept) -> None:  # noqa: ARG002 - see Log
        """Close the endpoint."""
        self._endpoint.close()

    def _number(self, *, make: bool) -> int:
        """The number of the last write."""
        found = self._endpoint.select(self._requests.head())
        if not found and make:
            self._endpoint.update(self._requests.create())
            found = self._endpoint.select(self._requests.head())
        if not found and make:
            raise StoreError(
                f"{self.name} answered an update and did not carry it out; is the URL of updates right?"
            )
        if len(found) != 1:
            raise StoreCorruptError(f"the ledger of {self.name} is gone or damaged; restore a backup")
        if self._whole_number(found[0], "format") != FORMAT:
            raise StoreFormatError(f"{self.name} was written by a newer Recollect; upgrade this one")
        return self._whole_number(found[0], "number")

    def _whole_number(self, found: Solution, name: str) -> int:
        text = found.get(name, "")
        if not _WHOLE.fullmatch(text):
            raise StoreCorruptError(
                f"the ledger of {self.name} is damaged: its {name} is not a whole number; restore a backup"
            )
        return int(text)

    def _writes(self, numbers: Sequence[int]) -> list[Write] | None:
        """These writes; None when one is not there to read."""
        found = self._endpoint.select(self._requests.writes(numbers))
        try:
            texts = {int(row["number"]): row["write"] for row in found}
            if not all(number in texts for number in numbers):
                return None
            return [json.loads(texts[number]) for number in numbers]
        except (KeyError, ValueError, RecursionError) as error:
            raise StoreCorruptError(f"{self.name} is damaged: a write cannot be read") from error

    def _everything(self) -> News:
        number, write = _read(self._endpoint.select(self._requests.everything()), self._names, self.name)
        kept = Kept()
        try:
            apply(kept, write)
            check_sound(kept)
        except UNSOUND as error:
            raise StoreCorruptError(f"{self.name} is damaged: {error!r}") from error
        return News(number, (), whole=kept)


def _read(found: Sequence[Solution], names: StoreIris, name: str) -> tuple[int, Write]:
    """The number of the last write, and everything as one write."""
    memories: dict[str, dict[str, Any]] = defaultdict(lambda: {"change": []})
    entries: Write = defaultdict(list)
    number = None
    try:
        for row in found:
            part, user = row["p"].removeprefix(TERMS), names.user_of(row["g"])
            value = json.loads(row["o"])
            if part == "number":
                number = int(value)
            elif part == "entry":
                _check_owner(user, value[1][0] if value[0] == "states" else user, name)
                entries[value[0]].append((value[1], value[2]))
            elif part == "change":
                memories[row["s"]]["change"].append(value)
            else:
                if part == "record":
                    _check_owner(user, value["scope"]["user_id"], name)
                memories[row["s"]][part] = value
        items = sorted((_memory(parts) for parts in memories.values()), key=lambda item: item["key"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise StoreCorruptError(f"{name} is damaged: {error!r}") from error
    if number is None:
        raise StoreError(f"the ledger of {name} is gone; restore a backup")
    pairs = {table: sorted(changed, key=lambda pair: pair[0]) for table, changed in entries.items()}
    return number, {"memories": [(item["key"], item) for item in items], **pairs}


def _memory(parts: dict[str, Any]) -> dict[str, Any]:
    history = [change for _, change in sorted(parts["change"], key=lambda change: change[0])]
    return {**parts["record"], "features": parts["features"], "history": history}


def _check_owner(graph: str | None, owner: str | None, name: str) -> None:
    """Refuse data in the graph of another user."""
    if graph != owner:
        raise StoreCorruptError(f"{name} has data of one user in the graph of another")

"""Objects of a framework under keys: they are kept as JSON, come back equal, and are found by their words."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from recollect.checks import MAX_TOP_K
from recollect.integrations.records import Keyed, KeyedRecords
from recollect.types import MemoryRecord

_JSON: Final = "json"


class HasContent(Protocol):
    """An object with a key and words that it is found by; without words no search finds it."""

    @property
    def id(self) -> str:
        """Its key."""

    @property
    def content(self) -> str | None:
        """Its words."""


Kept = TypeVar("Kept", bound=HasContent)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedObjects(Generic[Kept]):
    """The objects of one user in one space of keys.

    Attributes:
        records: Where they are kept.
        write: An object as JSON text.
        read: The object of such a text.
    """

    records: KeyedRecords
    write: Callable[[Kept], str]
    read: Callable[[str], Kept]

    def put(self, objects: Iterable[Kept]) -> None:
        """Store objects, or replace those that have their keys; raises what ``KeyedRecords.put`` raises."""
        self.records.put(
            [Keyed(key=one.id, words=one.content or "", marks={_JSON: self.write(one)}) for one in objects]
        )

    def get(self, keys: Collection[str]) -> dict[str, Kept]:
        """The objects with these keys, by key; a key that is not there is left out."""
        return {key: self._object(record) for key, record in self.records.get(keys).items()}

    def find(self, test: Callable[[Kept], bool] | None = None) -> list[Kept]:
        """The objects that pass a test, by default all, newest first."""
        found = map(self._object, self.records.find())
        return [one for one in found if test is None or test(one)]

    def search(
        self, query: str, *, top_k: int, test: Callable[[Kept], bool] | None = None
    ) -> list[tuple[Kept, float]]:
        """The objects that answer a question, with scores from 0 to 1, best first.

        With a test those that pass it, among the 10,000 best.
        """
        hits = self.records.search(query, top_k=top_k if test is None else MAX_TOP_K)
        found = ((self._object(hit.memory), hit.score) for hit in hits)
        return [(one, score) for one, score in found if test is None or test(one)][:top_k]

    def delete(self, test: Callable[[Kept], bool] | None = None) -> int:
        """Delete the objects that pass a test, by default all; returns how many there were."""
        return self.records.delete([one.id for one in self.find(test)])

    def _object(self, record: MemoryRecord) -> Kept:
        return self.read(str(record.metadata[_JSON]))

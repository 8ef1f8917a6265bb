"""The tables of an in-memory store: dicts whose changes can be undone or stored elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from recollect.protocols.queue import HeldJob
from recollect.stores.reference.rows import Row
from recollect.types import LinkType

K = TypeVar("K")
V = TypeVar("V")


class Table(dict[K, V], Generic[K, V]):
    """A dict that remembers what a write changed, as long as only ``put`` and ``drop`` change it."""

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[K, V | None] = {}

    @property
    def before(self) -> Mapping[K, V | None]:
        """The former values of the keys changed since ``settle``; None for new keys."""
        return self._before

    def put(self, key: K, value: V) -> None:
        """Set the value of a key."""
        self._before.setdefault(key, self.get(key))
        self[key] = value

    def drop(self, key: K) -> None:
        """Remove a key if it is there."""
        if key in self:
            self._before.setdefault(key, self.pop(key))

    def undo(self) -> None:
        """Restore the state at the last ``settle``, with its order. After an interrupt, call it again."""
        came_back = False
        for key, value in self._before.items():
            if value is None:
                self.pop(key, None)
            else:
                came_back |= key not in self
                self[key] = value
        self._before.clear()
        if came_back:
            self._sort()

    def settle(self) -> None:
        """Keep the changes; they can no longer be undone."""
        self._before.clear()

    def _sort(self) -> None:
        items = sorted(self.items(), key=lambda item: item[0])  # type: ignore[arg-type, return-value]
        self.clear()
        self.update(items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """All tables of a store.

    Attributes:
        memories: By key, in the order of the keys.
        links: By the keys of source and target, and the type.
        jobs: By number, oldest first.
        states: By user and name.
        staged: Vectors set aside, by embedder and key.
        numbers: ``version`` of the change log, ``key`` and ``job`` given last, and the version that
            ``promoted`` vectors last.
    """

    memories: Table[int, Row] = field(default_factory=Table)
    links: Table[tuple[int, int, LinkType], Literal[True]] = field(default_factory=Table)
    jobs: Table[int, HeldJob] = field(default_factory=Table)
    settings: Table[str, str] = field(default_factory=Table)
    states: Table[tuple[str, str], str] = field(default_factory=Table)
    staged: Table[tuple[str, int], bytes] = field(default_factory=Table)
    numbers: Table[str, int] = field(default_factory=Table)

    def tables(self) -> dict[str, Table[Any, Any]]:
        """Every table by its name."""
        return {
            "memories": self.memories,
            "links": self.links,
            "jobs": self.jobs,
            "settings": self.settings,
            "states": self.states,
            "staged": self.staged,
            "numbers": self.numbers,
        }

    def next(self, name: str) -> int:
        """Increment the number of that name, and return it."""
        self.numbers.put(name, self.numbers.get(name, 0) + 1)
        return self.numbers[name]

    def undo(self) -> None:
        """Restore every table as it was at the last ``settle``."""
        for table in self.tables().values():
            table.undo()

    def settle(self) -> None:
        """Keep the changes of every table."""
        for table in self.tables().values():
            table.settle()

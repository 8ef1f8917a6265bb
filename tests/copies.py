"""Copies of a store in memory that was filled once, for tests that each change what is in it."""

from recollect.protocols import Clock
from recollect.stores.reference.store import InMemoryStore
from recollect.types.clock import utc_now


def copied(store: InMemoryStore, *, clock: Clock = utc_now) -> InMemoryStore:
    """A store that holds the same; nothing in the rows of either can be changed."""
    made = InMemoryStore(clock=clock)
    own, given = (each._tables.kept.tables() for each in (made, store))
    for name, table in own.items():
        table.update(given[name])
    return made

"""A store that writes nothing but the ten required methods keeps every promise: the defaults are right."""

from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Generic, Protocol

import pytest
from hypothesis import settings
from tests.tables import table

from recollect import Memory
from recollect.protocols import Store
from recollect.stores.checks import check_makers
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import StoreContract, store_machine
from recollect.types.filters import EVERYTHING

REQUIRED = {
    "add", "find", "update", "delete", "purge", "history", "shadow", "states", "change_state", "close",
}  # fmt: skip


class TenMethods(Store):
    """The required methods of the in-memory store; its jobs, links, settings and the rest are not used."""

    def __init__(self):
        self._inner = InMemoryStore()

    def add(self, scope, entries, *, jobs=()):
        self._check_makers(entries)
        return self._inner.add(scope, entries, jobs=self._following(scope, jobs))

    def find(self, scope, where, **options):
        return self._inner.find(scope, where, **options)

    def update(self, scope, ids, change, *, jobs=(), **options):
        def checked(record):
            entry = change(record)
            self._check_makers([entry])
            return entry

        return self._inner.update(scope, ids, checked, jobs=self._following(scope, jobs), **options)

    def delete(self, scope, where, *, reason=None, jobs=()):
        return self._inner.delete(scope, where, reason=reason, jobs=self._following(scope, jobs))

    def purge(self, scope, where=EVERYTHING):
        return self._inner.purge(scope, where)

    def history(self, scope, memory_id):
        return self._inner.history(scope, memory_id)

    def shadow(self, scope, since):
        return self._inner.shadow(scope, since)

    def states(self, scope):
        return self._inner.states(scope)

    def change_state(self, scope, name, change):
        self._inner.change_state(scope, name, change)

    def close(self):
        self._inner.close()

    def _check_makers(self, entries):
        settings = {name: self.setting(name) for name in ("embedder", "dimensions")}
        check_makers((entry.features for entry in entries), **settings)

    def _following(self, scope, jobs):
        """What the inner store calls inside the transaction of a write; it queues nothing itself."""
        return lambda ids: self._follow_up(scope, ids, jobs) or ()


class TestTenMethods(StoreContract):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = TenMethods()
        yield store
        store.close()


TestTenMethodsMachine = store_machine(TenMethods).TestCase
TestTenMethodsMachine.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)


def test_a_store_must_write_ten_methods_and_no_more():
    assert Store.__abstractmethods__ == REQUIRED


SHIPPED = [
    "reference.store.InMemoryStore",
    "sqlite.store.SQLiteStore",
    "json.store.JSONStore",
    "sparql.store.SPARQLStore",
    "postgres.store.PostgresStore",
    "qdrant.store.QdrantStore",
    "pinecone.store.PineconeStore",
    "sharded.store.ShardedStore",
]


@table("name", SHIPPED)
def test_no_shipped_store_stands_on_more_than_three_classes(name: str):
    store = resolve_name(f"recollect.stores.{name}")
    assert Store in store.__mro__
    assert len([one for one in store.__mro__ if one not in (Protocol, Generic, object)]) <= 4


def test_a_memory_works_on_a_store_of_ten_methods():
    with Memory(TenMethods(), embedder="hashing") as memory:
        memory.add("I live in Haarlem.", user_id="ada", session_id="s")
        memory.sessions.end("s", user_id="ada")
        memory.jobs.drain()
        assert any("Haarlem" in one.content for one in memory.search("Where do I live?", user_id="ada"))
        assert memory.users() == ["ada"]

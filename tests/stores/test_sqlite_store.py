import itertools
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import settings

from recollect import Memory
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import StoreContract, store_machine


class TestSQLiteStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SQLiteStore]:
        store = SQLiteStore(tmp_path / "brain.db")
        yield store
        store.close()

    def reopen(self, store: SQLiteStore) -> SQLiteStore:
        store.close()
        return SQLiteStore(store.path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("machine")


def test_the_file_store_answers_like_the_reference(folder: Path) -> None:
    numbers = itertools.count()
    machine = store_machine(lambda: SQLiteStore(folder / f"{next(numbers)}.db"))
    machine.TestCase.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
    machine.TestCase().runTest()


def steps_of(place, calls, *, memories):
    """SQLite's steps for each of some calls, on a user with so many memories."""
    counted = [0]

    def count_steps(db):
        def add_up(event):
            if "words_" not in event["sql"]:  # statements of FTS5's own count since they were prepared
                counted[0] += event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

        db.trace_v2(apsw.SQLITE_TRACE_PROFILE, add_up)

    apsw.connection_hooks.append(count_steps)
    try:
        with Memory(place, embedder="hashing") as memory:
            for start in range(0, memories, 100):
                said = [f"Ada saw heron {start + number}" for number in range(100)]
                memory.add(said, user_id="ada", session_id=f"s{start}")
            found = {}
            for name, call in calls.items():
                counted[0] = 0
                call(memory)
                found[name] = counted[0]
            return found
    finally:
        apsw.connection_hooks.remove(count_steps)


def test_what_a_change_reads_does_not_grow_with_the_memories_of_the_user(tmp_path):
    def last(memory):
        return memory.get_all(user_id="ada", limit=1, newest_first=True)[0].id

    calls = {
        "add": lambda memory: memory.add("an egret", user_id="ada", session_id="s0"),
        "update": lambda memory: memory.update(last(memory), user_id="ada", content="a crane"),
        "delete": lambda memory: memory.delete(last(memory), user_id="ada"),
        "deleted": lambda memory: memory.deleted(user_id="ada"),
    }
    few = steps_of(tmp_path / "few.db", calls, memories=200)
    many = steps_of(tmp_path / "many.db", calls, memories=1_600)
    assert {name: many[name] for name in calls if many[name] > 2 * few[name]} == {}

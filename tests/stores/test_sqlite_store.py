import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

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

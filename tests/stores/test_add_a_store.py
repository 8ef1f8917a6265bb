"""The store of the page "Add a store" keeps the whole contract."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType

import pytest
from hypothesis import settings
from tests.test_docs import ROOT, blocks_of

from recollect.errors import StoreCorruptError, StoreError
from recollect.protocols import Store
from recollect.testing import ADA, StoreContract, make_entry, store_machine
from recollect.types.filters import EVERYTHING

MOST_LINES = 100
CODE = next(one.code for one in blocks_of(ROOT / "docs/inside/add-a-store.md") if one.language == "python")


def made() -> ModuleType:
    module = ModuleType("table_store")
    exec(CODE, vars(module))  # noqa: S102 - our own documentation
    return module


PAGE = made()


class TestTableStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        self.path = tmp_path / "brain.table"
        store = PAGE.TableStore(self.path)
        yield store
        store.close()

    def reopen(self, store: Store) -> Store:
        store.close()
        return PAGE.TableStore(self.path)


TestTableStoreMachine = store_machine(lambda: PAGE.TableStore(Path(mkdtemp()) / "brain.table")).TestCase
TestTableStoreMachine.settings = settings(max_examples=10, stateful_step_count=20, deadline=None)


def test_it_is_short() -> None:
    assert len(CODE.splitlines()) < MOST_LINES


def test_processes_that_write_in_turn_see_what_the_other_wrote(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(PAGE, "FOLD_AT", 3)
    one, other = (PAGE.TableStore(tmp_path / "brain.table") for _ in range(2))
    for number in range(10):
        (one, other)[number % 2].add(ADA, [make_entry(str(number))])
    assert one.count(ADA) == other.count(ADA) == 10
    one.close()
    other.close()


def test_purged_words_leave_the_file(tmp_path: Path) -> None:
    path = tmp_path / "brain.table"
    store = PAGE.TableStore(path)
    store.add(ADA, [make_entry("unforgettable"), make_entry("kept")])
    store.delete(ADA, EVERYTHING)
    assert b"unforgettable" in path.read_bytes()
    store.purge(ADA)
    assert b"unforgettable" not in path.read_bytes()
    store.close()


def test_errors_of_the_database_are_ours(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        PAGE.TableStore(tmp_path / "no folder" / "brain.table")
    path = tmp_path / "brain.table"
    store = PAGE.TableStore(path)
    store.add(ADA, [make_entry("kept")])
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE writes SET text = '{\"memories\": [[1, {}]]}'")
    db.close()
    with pytest.raises(StoreCorruptError):
        PAGE.TableStore(path)

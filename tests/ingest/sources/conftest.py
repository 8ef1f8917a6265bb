"""What the tests of the formats share."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.ingest.sources.report import ImportReport
from recollect.types import MemoryRecord

Import = Callable[..., ImportReport]


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder="hashing") as opened:
        yield opened


@pytest.fixture
def imported(memory: Memory) -> Import:
    """Imports a file for Ada."""

    def run(path: Path, **options: Any) -> ImportReport:
        return memory.import_file(path, user_id="ada", **options)

    return run


@pytest.fixture
def said(memory: Memory) -> Callable[[], list[MemoryRecord]]:
    """Everything of Ada, by id."""
    return lambda: memory.get_all(user_id="ada")

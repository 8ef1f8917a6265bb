"""What the tests of the adapters share."""

from collections.abc import Iterator

import pytest

from recollect import Memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    """An empty memory."""
    with Memory(":memory:", embedder="static") as opened:
        yield opened

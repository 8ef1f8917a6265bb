"""What every store promises of links."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

import pytest

from recollect.errors import NotFoundError
from recollect.protocols import Store
from recollect.testing.contract.fixtures import StoreFixtures, put, remove
from recollect.testing.fakes import ADA, make_entry, next_id
from recollect.types import Link, LinkType


def arrow(source: str, target: str, kind: LinkType = "related") -> Link:
    """A link, briefly."""
    return Link(source_id=source, target_id=target, type=kind)


class LinkContract(StoreFixtures):
    """Tests of ``LinkStore``."""

    @pytest.fixture
    def three(self, store: Store) -> list[str]:
        """Three memories."""
        return put(store, *(make_entry(text) for text in "abc"))

    def test_links_are_those_from_and_to_a_memory_in_order(self, store: Store, three: list[str]) -> None:
        a, b, c = three
        expected = [arrow(a, b, "contradicts"), arrow(a, b), arrow(a, c), arrow(b, a)]
        store.link(ADA, [*reversed(expected), arrow(b, c)])
        assert store.links(ADA, a) == expected
        assert store.links(ADA, c) == [arrow(a, c), arrow(b, c)]

    def test_a_link_that_is_there_already_stays_one(self, store: Store, three: list[str]) -> None:
        a, b, _ = three
        store.link(ADA, [arrow(a, b), arrow(a, b)])
        store.link(ADA, [arrow(a, b)])
        assert store.links(ADA, a) == [arrow(a, b)]

    def test_a_bad_link_links_nothing(self, store: Store, three: list[str]) -> None:
        a, b, _ = three
        for bad in (arrow(a, next_id()), arrow(next_id(), a)):
            with pytest.raises(NotFoundError):
                store.link(ADA, [arrow(a, b), bad])
        assert store.links(ADA, a) == []

    def test_linking_nothing_is_fine(self, store: Store, three: list[str]) -> None:
        store.link(ADA, [])
        assert store.links(ADA, three[0]) == []

    def test_links_to_deleted_memories_are_not_shown(self, store: Store, three: list[str]) -> None:
        a, b, c = three
        store.link(ADA, [arrow(a, b), arrow(c, a)])
        remove(store, b)
        assert store.links(ADA, a) == [arrow(c, a)]
        assert store.links(ADA, b) == []

    def test_a_deleted_memory_cannot_be_linked(self, store: Store, three: list[str]) -> None:
        a, b, _ = three
        remove(store, b)
        with pytest.raises(NotFoundError):
            store.link(ADA, [arrow(a, b)])

    def test_a_purge_takes_the_links_along(self, store: Store, three: list[str]) -> None:
        a, b, _ = three
        store.link(ADA, [arrow(a, b)])
        remove(store, b)
        store.purge(ADA)
        put(store, make_entry(memory_id=b))
        assert store.links(ADA, a) == store.links(ADA, b) == []

    def test_links_of_an_unknown_memory_are_none(self, store: Store) -> None:
        assert store.links(ADA, next_id()) == []

"""What a store that keeps links promises."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

import pytest

from recollect.errors import NotFoundError
from recollect.protocols import LinkStore, Store
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

    def test_links_are_those_from_and_to_a_memory_in_order(
        self, link_store: LinkStore, three: list[str]
    ) -> None:
        a, b, c = three
        expected = [arrow(a, b, "contradicts"), arrow(a, b), arrow(a, c), arrow(b, a)]
        link_store.link(ADA, [*reversed(expected), arrow(b, c)])
        assert link_store.links(ADA, a) == expected
        assert link_store.links(ADA, c) == [arrow(a, c), arrow(b, c)]

    def test_a_link_that_is_there_already_stays_one(self, link_store: LinkStore, three: list[str]) -> None:
        a, b, _ = three
        link_store.link(ADA, [arrow(a, b), arrow(a, b)])
        link_store.link(ADA, [arrow(a, b)])
        assert link_store.links(ADA, a) == [arrow(a, b)]

    def test_a_bad_link_links_nothing(self, link_store: LinkStore, three: list[str]) -> None:
        a, b, _ = three
        for bad in (arrow(a, next_id()), arrow(next_id(), a)):
            with pytest.raises(NotFoundError):
                link_store.link(ADA, [arrow(a, b), bad])
        assert link_store.links(ADA, a) == []

    def test_linking_nothing_is_fine(self, link_store: LinkStore, three: list[str]) -> None:
        link_store.link(ADA, [])
        assert link_store.links(ADA, three[0]) == []

    def test_links_to_deleted_memories_are_not_shown(
        self, store: Store, link_store: LinkStore, three: list[str]
    ) -> None:
        a, b, c = three
        link_store.link(ADA, [arrow(a, b), arrow(c, a)])
        remove(store, b)
        assert link_store.links(ADA, a) == [arrow(c, a)]
        assert link_store.links(ADA, b) == []

    def test_a_deleted_memory_cannot_be_linked(
        self, store: Store, link_store: LinkStore, three: list[str]
    ) -> None:
        a, b, _ = three
        remove(store, b)
        with pytest.raises(NotFoundError):
            link_store.link(ADA, [arrow(a, b)])

    def test_a_purge_takes_the_links_along(
        self, store: Store, link_store: LinkStore, three: list[str]
    ) -> None:
        a, b, _ = three
        link_store.link(ADA, [arrow(a, b)])
        remove(store, b)
        store.purge(ADA)
        put(store, make_entry(memory_id=b))
        assert link_store.links(ADA, a) == link_store.links(ADA, b) == []

    def test_links_of_an_unknown_memory_are_none(self, link_store: LinkStore) -> None:
        assert link_store.links(ADA, next_id()) == []

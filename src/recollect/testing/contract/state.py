"""What every store promises of links and of the texts that were learned about a user."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect.errors import NotFoundError
from recollect.protocols import Store
from recollect.testing.contract.fixtures import StoreFixtures, put, remove
from recollect.testing.fakes import ADA, BOB, make_entry, next_id
from recollect.types import Link, LinkType, Scope
from recollect.types.filters import EVERYTHING

MONDAY = Scope(user_id="ada", session_id="mon")


class _ChangedMindError(Exception):
    """What a change raises to be undone."""


def _fails(_: str | None) -> str:
    raise _ChangedMindError


def _one_more(value: str | None) -> str:
    return str(int(value or 0) + 1)


class StateContract(StoreFixtures):
    """Tests of ``StateStore``."""

    def test_nothing_is_kept_at_first(self, store: Store) -> None:
        assert store.state(ADA, "intents") is None
        assert store.states(ADA) == {}

    def test_what_is_kept_comes_back_as_it_was_given(self, store: Store) -> None:
        odd = "{\"ü\": '🦊'}\n\\ %s $1"
        store.change_state(ADA, "a'b\nc", lambda before: None if before else odd)
        assert store.state(ADA, "a'b\nc") == odd
        assert store.states(ADA) == {"a'b\nc": odd}

    def test_a_change_sees_what_was_kept_and_none_removes_it(self, store: Store) -> None:
        for _ in range(3):
            store.change_state(ADA, "count", _one_more)
        assert store.state(ADA, "count") == "3"
        store.change_state(ADA, "count", lambda _: None)
        assert store.states(ADA) == {}

    def test_states_belong_to_the_whole_user_and_to_nobody_else(self, store: Store) -> None:
        store.change_state(MONDAY, "a", lambda _: "ada's")
        assert store.state(ADA, "a") == "ada's"
        assert store.state(BOB, "a") is None
        store.change_state(BOB, "a", _one_more)
        assert store.states(BOB) == {"a": "1"}
        assert store.states(MONDAY) == {"a": "ada's"}

    def test_a_change_that_fails_changes_nothing(self, store: Store) -> None:
        store.change_state(ADA, "a", lambda _: "kept")
        with pytest.raises(_ChangedMindError):
            store.change_state(ADA, "a", _fails)
        assert store.state(ADA, "a") == "kept"

    def test_no_change_of_several_threads_is_lost(self, store: Store) -> None:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(20):
                pool.submit(store.change_state, ADA, "count", _one_more)
        assert store.state(ADA, "count") == "20"

    def test_what_is_kept_outlasts_a_restart(self, store: Store) -> None:
        store.change_state(ADA, "a", lambda _: "kept")
        again = self.reopen(store)
        assert again.state(ADA, "a") == "kept"

    def test_a_purge_of_all_a_user_has_removes_what_was_learned(self, store: Store) -> None:
        for scope in (ADA, BOB):
            put(store, make_entry(scope=scope))
            store.change_state(scope, "a", lambda _: "learned")
        store.purge(ADA)
        assert store.states(ADA) == {"a": "learned"}
        store.delete(ADA, EVERYTHING)
        store.purge(MONDAY)
        assert store.states(ADA) == {"a": "learned"}
        store.purge(ADA)
        assert store.states(ADA) == {}
        assert store.states(BOB) == {"a": "learned"}

    def test_users_with_states_alone_are_not_listed(self, store: Store) -> None:
        store.change_state(ADA, "a", lambda _: "learned")
        assert store.user_ids() == []


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

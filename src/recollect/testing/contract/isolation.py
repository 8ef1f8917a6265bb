"""Nothing of another user, agent or session is ever shown, counted, changed or removed."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

from contextlib import suppress
from dataclasses import replace
from typing import Final

import pytest

from recollect.errors import InvalidInputError, NotFoundError
from recollect.protocols import Store, TextSearch
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import StoreFixtures, contents, only, put
from recollect.testing.fakes import ADA, BOB, make_entry
from recollect.types import Link, Scope
from recollect.types.filters import EVERYTHING, parse_filter

SCOPES = [
    Scope(user_id="ada", agent_id=agent, session_id=session)
    for agent in (None, "tutor", "coach")
    for session in (None, "mon", "tue")
]

WIDE_FILTERS: Final[list[dict[str, object]]] = [
    {"or": [{"content": "hers"}, {"content": "his"}]},
    {"not": {"content": "nothing"}},
    {"not": {"or": []}},
    {"content": {"nin": []}},
    {"speaker": None},
    {"metadata.user_id": None},
]
"""Filters that match a user's every memory."""


class IsolationContract(StoreFixtures):
    """Tests that a scope is a wall."""

    @pytest.fixture
    def hers(self, store: Store) -> str:
        """The id of Ada's one memory; Bob has one too."""
        put(store, make_entry("his", scope=BOB))
        return put(store, make_entry("hers"))[0]

    def test_the_id_of_another_user_reads_nothing(self, store: Store, hers: str) -> None:
        assert store.get(BOB, [hers]) == [None]
        assert store.history(BOB, hers) == []
        assert store.find(BOB, parse_filter({"id": hers})) == []

    def test_no_filter_reaches_another_user(self, store: Store, hers: str) -> None:
        for where in WIDE_FILTERS:
            assert contents(store, where, scope=BOB) == ["his"]
            assert len(store.match(BOB, parse_filter(where))) == 1
            assert store.delete(BOB, parse_filter(where)) == 1
            assert store.get(ADA, [hers]) != [None]
            put(store, make_entry("his", scope=BOB))

    def test_no_cursor_reaches_another_user(self, store: Store, hers: str) -> None:
        for after in ("", "0", hers):
            assert hers not in [record.id for record in store.find(BOB, EVERYTHING, after=after)]

    def test_another_user_cannot_change_it(self, store: Store, hers: str) -> None:
        assert store.update(BOB, [hers], upper) == [None]
        assert contents(store) == ["hers"]

    def test_another_user_cannot_delete_or_purge_it(self, store: Store, hers: str) -> None:
        assert store.delete(BOB, parse_filter({"id": hers})) == 0
        store.delete(ADA, EVERYTHING)
        assert store.purge(BOB) == 0
        assert len(store.history(ADA, hers)) == 2

    def test_a_shadow_shows_nothing_of_another_user(self, store: Store, hers: str) -> None:
        his = only(store, BOB).id
        for own, other, other_id in ((BOB, ADA, hers), (ADA, BOB, his)):
            seen = store.shadow(own, 0)
            assert other_id not in seen.rows.ids
            store.update(other, [other_id], upper)
            store.delete(other, EVERYTHING)
            delta = store.shadow(own, seen.version)
            assert (delta.rows.ids, delta.removed.tolist()) == ([], [])

    def test_counts_and_keys_of_two_users_never_meet(self, store: Store, hers: str) -> None:
        assert store.get(ADA, [hers]) != [None]
        assert (store.count(ADA), store.count(BOB)) == (1, 1)
        assert store.match(ADA, EVERYTHING).tolist() != store.match(BOB, EVERYTHING).tolist()

    def test_a_record_of_another_user_is_never_planted(self, store: Store) -> None:
        with suppress(InvalidInputError):
            store.add(ADA, [make_entry("planted", scope=BOB)])
        assert store.find(BOB, EVERYTHING) == []
        assert store.user_ids() in ([], ["ada"])

    @pytest.mark.parametrize("scope", SCOPES, ids=repr)
    def test_agent_and_session_narrow_every_method(self, store: Store, scope: Scope) -> None:
        ids = put(store, *(make_entry(repr(each), scope=each) for each in SCOPES))
        inside = [memory_id for memory_id, each in zip(ids, SCOPES, strict=True) if covers(scope, each)]
        assert [record.id for record in store.find(scope, EVERYTHING)] == inside
        assert [record.id for record in store.get(scope, ids) if record] == inside
        assert (len(store.match(scope, EVERYTHING)), store.count(scope)) == (len(inside), len(inside))
        assert [memory_id for memory_id in ids if store.history(scope, memory_id)] == inside
        assert [record.id for record in store.update(scope, ids, upper) if record] == inside
        assert store.delete(scope, EVERYTHING) == store.purge(scope) == len(inside)
        assert store.count(ADA) == len(SCOPES) - len(inside)

    def test_the_shadow_is_of_the_user_whatever_the_agent(self, store: Store) -> None:
        ids = put(store, *(make_entry(scope=each) for each in SCOPES))
        assert sorted(store.shadow(SCOPES[-1], 0).rows.ids) == ids
        assert store.shadow_version(SCOPES[-1]) == store.shadow_version(ADA)

    def test_links_never_cross_users(self, store: Store, hers: str) -> None:
        his = only(store, BOB).id
        link = Link(source_id=hers, target_id=his, type="related")
        for scope in (ADA, BOB):
            for each in (link, replace(link, source_id=his, target_id=hers)):
                with pytest.raises(NotFoundError):
                    store.link(scope, [each])
        assert store.links(ADA, hers) == store.links(BOB, his) == []

    def test_links_of_another_user_are_not_shown(self, store: Store, hers: str) -> None:
        [other] = put(store, make_entry("hers too"))
        store.link(ADA, [Link(source_id=hers, target_id=other, type="related")])
        assert store.links(BOB, hers) == []

    def test_links_keep_to_the_agent_of_the_scope(self, store: Store) -> None:
        tutor = Scope(user_id="ada", agent_id="tutor")
        inside, outside = put(store, make_entry(scope=tutor), make_entry())
        link = Link(source_id=inside, target_id=outside, type="related")
        with pytest.raises(NotFoundError):
            store.link(tutor, [link])
        store.link(ADA, [link])
        assert store.links(ADA, inside) == [link]
        assert store.links(tutor, inside) == []

    def test_text_search_never_finds_another_users_words(self, store: Store, text_store: TextSearch) -> None:
        put(store, make_entry("secret word"))
        put(store, make_entry("plain word", scope=BOB))
        found = text_store.search_text(BOB, ["word", "secret"], limit=10)
        assert found.tolist() == store.match(BOB, EVERYTHING).tolist()
        for planted in ("user", "u1", "u2", 'x" OR "word', "* OR word", "NOT"):
            found = text_store.search_text(BOB, [planted], limit=10)
            assert not set(found.tolist()) & set(store.match(ADA, EVERYTHING).tolist())

    def test_columns_of_another_users_keys_are_not_given(self, store: Store, text_store: TextSearch) -> None:
        put(store, make_entry("hers", thread="t"))
        put(store, make_entry("his", scope=BOB, thread="t"))
        keys = store.match(ADA, EVERYTHING)
        assert text_store.shadow_of(BOB, keys, around=2).ids == []


def covers(scope: Scope, own: Scope) -> bool:
    """Whether a memory of scope ``own`` is in ``scope``."""
    return scope.agent_id in (None, own.agent_id) and scope.session_id in (None, own.session_id)

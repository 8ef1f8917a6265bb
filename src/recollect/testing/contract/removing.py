"""What ``delete``, ``recover`` and ``purge`` promise."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

from dataclasses import replace

import pytest

from recollect.errors import InvalidInputError
from recollect.protocols import Entry, Store
from recollect.testing.contract.changing import praised
from recollect.testing.contract.fixtures import StoreFixtures, contents, put, remove, with_words
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.fakes import ADA, BOB, entry_of, make_entry, make_features
from recollect.types import Link, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING, parse_filter


class RemovingContract(StoreFixtures):
    """Tests of ``delete`` and ``purge``."""

    def test_delete_removes_what_matches_and_says_how_many(self, store: Store) -> None:
        put(store, make_entry("a"), make_entry("b"), make_entry("c"))
        assert store.delete(ADA, parse_filter({"content": {"in": ["a", "c"]}})) == 2
        assert contents(store) == ["b"]

    def test_a_filter_that_matches_nothing_deletes_nothing(self, store: Store) -> None:
        put(store, make_entry())
        assert store.delete(ADA, parse_filter({"id": {"in": []}})) == 0
        assert store.count(ADA) == 1

    def test_deleting_again_deletes_nothing_and_is_not_in_the_history(self, store: Store) -> None:
        ids = put(store, make_entry())
        assert (remove(store, *ids), remove(store, *ids)) == (1, 0)
        assert [change.action for change in store.history(ADA, ids[0])] == ["add", "delete"]

    def test_a_deleted_memory_is_invisible_except_to_history(self, store: Store) -> None:
        ids = put(store, make_entry())
        remove(store, *ids)
        assert store.get(ADA, ids) == [None]
        assert store.find(ADA, EVERYTHING) == []
        assert store.match(ADA, EVERYTHING).tolist() == []
        assert store.shadow(ADA, 0).rows.ids == []
        assert (store.count(ADA), store.user_ids()) == (0, [])
        assert len(store.history(ADA, ids[0])) == 2

    def test_purge_removes_what_was_deleted_for_good(self, store: Store) -> None:
        gone, kept = put(store, make_entry("gone"), make_entry("kept"))
        remove(store, gone)
        assert store.purge(ADA) == 1
        assert store.history(ADA, gone) == []
        assert len(store.history(ADA, kept)) == 1
        assert contents(store) == ["kept"]

    def test_purging_again_removes_nothing(self, store: Store) -> None:
        remove(store, *put(store, make_entry()))
        assert (store.purge(ADA), store.purge(ADA)) == (1, 0)

    def test_purge_leaves_what_is_not_deleted(self, store: Store) -> None:
        put(store, make_entry())
        assert store.purge(ADA) == 0
        assert store.count(ADA) == 1

    def test_purge_keeps_to_the_agent_and_session_of_the_scope(self, store: Store) -> None:
        tutor = Scope(user_id="ada", agent_id="tutor", session_id="s")
        inside, outside = put(store, make_entry(scope=tutor), make_entry())
        remove(store, inside, outside)
        assert store.purge(Scope(user_id="ada", agent_id="tutor")) == 1
        assert store.history(ADA, inside) == []
        assert len(store.history(ADA, outside)) == 2

    def test_purge_takes_the_words_from_the_histories_of_what_is_left(self, store: Store) -> None:
        ids = put(store, make_entry("old"))
        store.update(ADA, ids, lambda record: entry_of(with_words(record, "new")), reason="corrected")
        store.update(ADA, ids, praised)
        changes = store.history(ADA, ids[0])
        store.purge(ADA)
        left = store.history(ADA, ids[0])
        assert [(one.at, one.action, one.reason) for one in left] == [
            (one.at, one.action, one.reason) for one in changes
        ]
        assert "content" in changes[1].before
        assert not {"content", "summary", "labels.tags"} & {*left[1].before, *left[1].after}
        assert left[2] == changes[2]
        store.update(ADA, ids, lambda record: entry_of(with_words(record, "newer")))
        assert store.history(ADA, ids[0])[-1].before["content"] == "new"

    def test_purge_keeps_to_a_filter(self, store: Store) -> None:
        one, two, three = put(store, make_entry("one"), make_entry("two"), make_entry("three"))
        store.update(ADA, [three], lambda record: entry_of(with_words(record, "four")))
        remove(store, one, two)
        assert store.purge(ADA, parse_filter({"content": "one"})) == 1
        assert (store.history(ADA, one), len(store.history(ADA, two))) == ([], 2)
        assert store.history(ADA, three)[-1].before["content"] == "three"

    def test_a_purged_id_is_free_again_and_starts_a_new_history(self, store: Store) -> None:
        ids = put(store, make_entry("old"))
        [old_key] = store.match(ADA, EVERYTHING).tolist()
        remove(store, *ids)
        store.purge(ADA)
        assert put(store, make_entry("new", memory_id=ids[0])) == ids
        assert [change.action for change in store.history(ADA, ids[0])] == ["add"]
        assert store.match(ADA, EVERYTHING).tolist() != [old_key]


class RecoveryContract(StoreFixtures):
    """Tests of ``deleted`` and ``recover``."""

    def test_deleted_lists_what_was_deleted_by_id(self, recovering_store: Store) -> None:
        store = recovering_store
        one, two, _ = put(store, make_entry("a"), make_entry("b"), make_entry("c"))
        assert store.deleted(ADA, EVERYTHING) == []
        remove(store, two, one)
        assert [record.id for record in store.deleted(ADA, EVERYTHING)] == [one, two]
        assert [record.id for record in store.deleted(ADA, EVERYTHING, limit=1)] == [two]
        assert [record.id for record in store.deleted(ADA, parse_filter({"content": "a"}))] == [one]
        earlier = store.deleted(ADA, parse_filter({"id": {"lt": two}}), limit=1)
        assert [record.id for record in earlier] == [one]

    def test_what_comes_back_is_found_as_before(self, recovering_store: Store) -> None:
        store = recovering_store
        (memory_id,) = put(store, make_entry("tea"))
        before, counted = store.get(ADA, [memory_id]), store.statistics(ADA, [])
        shadow = store.shadow(ADA, 0).rows
        remove(store, memory_id)
        (back,) = store.recover(ADA, [memory_id], entry_of, reason="undo")
        assert [back] == before == store.get(ADA, [memory_id])
        assert contents(store) == ["tea"]
        assert (store.count(ADA), store.user_ids(), store.deleted(ADA, EVERYTHING)) == (1, ["ada"], [])
        assert store.shadow(ADA, 0).rows.keys.tolist() == shadow.keys.tolist()
        after = store.statistics(ADA, [])
        assert (after.documents, after.vector_sum.tolist()) == (1, counted.vector_sum.tolist())
        told = [(change.action, change.reason) for change in store.history(ADA, memory_id)]
        assert told == [("add", None), ("delete", None), ("recover", "undo")]

    def test_a_change_on_the_way_back_is_kept_and_told(self, recovering_store: Store) -> None:
        store = recovering_store
        (memory_id,) = put(store, make_entry("tea"))
        remove(store, memory_id)

        def louder(record: MemoryRecord) -> Entry:
            return entry_of(replace(record, content="TEA"))

        (back,) = store.recover(ADA, [memory_id], louder)
        assert back is not None
        assert (back.content, contents(store)) == ("TEA", ["TEA"])
        assert store.history(ADA, memory_id)[-1].after == {"content": "TEA"}

    def test_what_is_not_deleted_or_of_others_does_not_come_back(self, recovering_store: Store) -> None:
        store = recovering_store
        live, dead, purged = put(store, make_entry(), make_entry(), make_entry())
        remove(store, purged)
        store.purge(ADA)
        remove(store, dead)
        for scope in (BOB, Scope(user_id="ada", agent_id="tutor"), Scope(user_id="ada", session_id="s")):
            assert store.recover(scope, [dead], entry_of) == [None]
            assert store.deleted(scope, EVERYTHING) == []
        assert store.recover(ADA, [live, purged, "unknown"], entry_of) == [None, None, None]
        assert [change.action for change in store.history(ADA, live)] == ["add"]

    def test_a_copy_of_the_columns_learns_of_it(self, recovering_store: Store) -> None:
        store = recovering_store
        one, two = put(store, make_entry("a"), make_entry("b"))
        watching, away = Receiver(), Receiver()
        for receiver in (watching, away):
            receiver.refresh(store)
        remove(store, one)
        watching.refresh(store)
        store.recover(ADA, [one], entry_of)
        for receiver in (watching, away):
            receiver.refresh(store)
            assert receiver.ids == sorted([one, two])

    def test_it_keeps_its_turn(self, recovering_store: Store) -> None:
        store = recovering_store
        scope = Scope(user_id="ada", session_id="s")
        entries = [make_entry(text, scope=scope, thread="t") for text in "abc"]
        ids = put(store, *entries)
        remove(store, ids[1])
        (back,) = store.recover(ADA, [ids[1]], entry_of)
        assert back is not None
        assert back.origin.turn == 1
        (later,) = put(store, make_entry("d", scope=scope, thread="t"))
        (record,) = store.get(ADA, [later])
        assert record is not None
        assert record.origin.turn == 3

    def test_links_are_there_again(self, recovering_store: Store) -> None:
        one, two = put(recovering_store, make_entry("a"), make_entry("b"))
        link = Link(source_id=one, target_id=two, type="related")
        recovering_store.link(ADA, [link])
        remove(recovering_store, one)
        recovering_store.recover(ADA, [one], entry_of)
        assert recovering_store.links(ADA, two) == [link]

    def test_an_idempotency_key_that_another_memory_has_now_keeps_it_away(
        self, recovering_store: Store
    ) -> None:
        store = recovering_store
        (old, other) = put(store, make_entry("old", idempotency_key="k"), make_entry("other"))
        remove(store, old, other)
        (new,) = put(store, make_entry("new"))
        store.update(ADA, [new], lambda record: entry_of(replace(record, idempotency_key="k")))
        with pytest.raises(InvalidInputError):
            store.recover(ADA, [other, old], entry_of)
        assert contents(store) == ["new"]
        assert len(store.deleted(ADA, EVERYTHING)) == 2

    def test_a_change_of_id_or_without_features_is_refused(self, recovering_store: Store) -> None:
        store = recovering_store
        (memory_id,) = put(store, make_entry("a"))
        remove(store, memory_id)

        def renamed(record: MemoryRecord) -> Entry:
            return Entry(record=replace(record, id="other"), features=make_features(record.content))

        def bare(record: MemoryRecord) -> Entry:
            return Entry(record=record, features=None)

        for change in (renamed, bare):
            with pytest.raises(InvalidInputError):
                store.recover(ADA, [memory_id], change)
        assert contents(store) == []

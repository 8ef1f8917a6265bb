"""What ``delete`` and ``purge`` promise."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

from recollect.protocols import Store
from recollect.testing.contract.changing import praised
from recollect.testing.contract.fixtures import StoreFixtures, contents, put, remove, with_words
from recollect.testing.fakes import ADA, entry_of, make_entry
from recollect.types import Scope
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

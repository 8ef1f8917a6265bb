"""What ``update`` and ``history`` promise."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.errors import InvalidInputError
from recollect.protocols import Entry, Store
from recollect.testing.contract.fixtures import StoreFixtures, contents, only, put, remove, with_words
from recollect.testing.fakes import ADA, entry_of, make_entry, next_id
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import EVERYTHING


def upper(record: MemoryRecord) -> Entry:
    """The record in capital letters, with new features."""
    return entry_of(with_words(record, record.content.upper()))


def praised(record: MemoryRecord) -> Entry:
    """The record with one more useful count; the words, and so the features, stay."""
    use = replace(record.use, useful_count=record.use.useful_count + 1)
    return Entry(record=replace(record, use=use), features=None)


class ChangingContract(StoreFixtures):
    """Tests of ``update`` and ``history``."""

    def test_update_returns_the_new_records_in_order_and_none_for_the_unknown(self, store: Store) -> None:
        one, two = put(store, make_entry("one"), make_entry("two"))
        changed = store.update(ADA, [two, next_id(), one], upper)
        assert [record and record.content for record in changed] == ["TWO", None, "ONE"]
        assert store.get(ADA, [two, one]) == [changed[0], changed[2]]

    def test_updating_nothing_changes_nothing(self, store: Store) -> None:
        put(store, make_entry("same"))
        assert store.update(ADA, [], upper) == []
        assert contents(store) == ["same"]

    def test_update_leaves_other_memories_alone(self, store: Store) -> None:
        one, _ = put(store, make_entry("one"), make_entry("two"))
        store.update(ADA, [one], upper)
        assert contents(store) == ["ONE", "two"]

    def test_a_change_that_raises_leaves_everything_as_it_was(self, store: Store) -> None:
        ids = put(store, make_entry("one"), make_entry("two"))
        version = store.shadow_version(ADA)
        calls: list[str] = []

        def change(record: MemoryRecord) -> Entry:
            calls.append(record.id)
            if len(calls) == 2:
                raise LookupError(record.id)
            return upper(record)

        with pytest.raises(LookupError):
            store.update(ADA, ids, change)
        assert contents(store) == ["one", "two"]
        assert [len(store.history(ADA, memory_id)) for memory_id in ids] == [1, 1]
        assert store.shadow(ADA, version).rows.ids == []

    def test_a_store_still_works_after_a_change_that_raised(self, store: Store) -> None:
        ids = put(store, make_entry("one"))
        with pytest.raises(ZeroDivisionError):
            store.update(ADA, ids, lambda record: entry_of(record, dim=1 // 0))
        store.update(ADA, ids, upper)
        assert contents(store) == ["ONE"]

    def test_an_update_may_not_give_a_memory_another_id(self, store: Store) -> None:
        ids = put(store, make_entry("one"), make_entry("two"))
        with pytest.raises(InvalidInputError):
            store.update(ADA, ids, lambda record: entry_of(replace(record, id=next_id(), content="x")))
        assert contents(store) == ["one", "two"]

    def test_an_update_may_not_give_a_memory_another_user(self, store: Store) -> None:
        ids = put(store, make_entry("hers"))
        bob = Scope(user_id="bob")
        with pytest.raises(InvalidInputError):
            store.update(ADA, ids, lambda record: entry_of(replace(record, scope=bob)))
        assert (contents(store), contents(store, scope=bob)) == (["hers"], [])

    def test_an_update_without_features_keeps_the_old_ones(self, store: Store) -> None:
        ids = put(store, make_entry("tea tea milk"))
        before = store.shadow(ADA, 0).rows
        store.update(ADA, ids, praised)
        after = store.shadow(ADA, 0).rows
        assert after.vectors.tolist() == before.vectors.tolist()
        assert (after.terms.tolist(), after.counts.tolist()) == (
            before.terms.tolist(),
            before.counts.tolist(),
        )
        assert after.useful.tolist() == [1.0]

    def test_an_update_with_features_replaces_them(self, store: Store) -> None:
        ids = put(store, make_entry("tea tea milk"))
        store.update(ADA, ids, upper)
        store.update(ADA, ids, lambda record: entry_of(with_words(record, "water")))
        assert store.shadow(ADA, 0).rows.lengths.tolist() == [1]

    def test_an_update_keeps_key_and_turn(self, store: Store) -> None:
        put(store, make_entry("0", thread="t"))
        [second] = put(store, make_entry("1", thread="t"))
        before = store.shadow(ADA, 0).rows
        [changed] = store.update(ADA, [second], upper)
        after = store.shadow(ADA, 0).rows
        assert changed is not None
        assert changed.origin.turn == 1
        assert (after.keys.tolist(), after.turns.tolist()) == (before.keys.tolist(), before.turns.tolist())

    def test_updates_add_up(self, store: Store) -> None:
        ids = put(store, make_entry())
        for _ in range(3):
            store.update(ADA, ids, praised)
        assert only(store).use.useful_count == 3

    def test_history_tells_what_was_done_oldest_first(self, store: Store) -> None:
        [memory_id] = put(store, make_entry("one"))
        store.update(ADA, [memory_id], upper, reason="louder")
        store.update(ADA, [memory_id], praised, action="feedback")
        store.delete(ADA, EVERYTHING, reason="asked to")
        told = store.history(ADA, memory_id)
        assert [change.action for change in told] == ["add", "update", "feedback", "delete"]
        assert [change.reason for change in told] == [None, "louder", None, "asked to"]
        assert {change.memory_id for change in told} == {memory_id}

    def test_history_dates_each_change_in_utc_never_backwards(self, store: Store) -> None:
        [memory_id] = put(store, make_entry())
        store.update(ADA, [memory_id], praised)
        moments = [change.at for change in store.history(ADA, memory_id)]
        assert moments == sorted(moments)
        assert [moment.utcoffset() for moment in moments] == [timedelta(0)] * 2

    def test_history_tells_the_changed_fields_before_and_after(self, store: Store) -> None:
        [memory_id] = put(store, make_entry("one", metadata={"a": [1, None]}))
        store.update(
            ADA,
            [memory_id],
            lambda record: entry_of(replace(record, content="two", summary="s", metadata={"a": {"é": 1.5}})),
        )
        added, updated = store.history(ADA, memory_id)
        assert added.before == {}
        assert updated.before == {"content": "one", "summary": None, "metadata": {"a": [1, None]}}
        assert updated.after == {"content": "two", "summary": "s", "metadata": {"a": {"é": 1.5}}}

    def test_history_names_a_field_of_a_group_with_its_group(self, store: Store) -> None:
        [memory_id] = put(store, make_entry())
        store.update(ADA, [memory_id], praised)
        updated = store.history(ADA, memory_id)[-1]
        assert (updated.before, updated.after) == ({"use.useful_count": 0}, {"use.useful_count": 1})

    def test_history_of_an_unknown_memory_is_empty(self, store: Store) -> None:
        put(store, make_entry())
        assert store.history(ADA, next_id()) == []

    def test_an_update_of_a_deleted_memory_finds_nothing(self, store: Store) -> None:
        ids = put(store, make_entry())
        remove(store, *ids)
        assert store.update(ADA, ids, upper) == [None]
        assert len(store.history(ADA, ids[0])) == 2

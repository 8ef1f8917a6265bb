"""What ``add`` promises: order, idempotency, turns, all or nothing."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from dataclasses import replace
from typing import cast

import pytest

from recollect.errors import EmbedderMismatchError, InvalidInputError
from recollect.protocols import Entry, Store
from recollect.testing.contract.fixtures import StoreFixtures, contents, only, put, remove
from recollect.testing.fakes import ADA, BOB, NOON, entry_of, make_entry, next_id
from recollect.types import JSON, MemoryLabels, MemoryRecord, Origin, Scope, Tag, Times, Use, Worth
from recollect.types.filters import EVERYTHING


def complete_record() -> MemoryRecord:
    """A record with nothing left at its default."""
    return MemoryRecord(
        id=next_id(),
        scope=Scope(user_id="ada", agent_id="tutor", session_id="monday"),
        content="Ärger\nwith 'quotes', \"more\", a tab\t and 🦊",
        times=Times(
            created_at=NOON,
            happened_at=NOON.replace(year=1815, microsecond=123_456),
            updated_at=NOON.replace(microsecond=999_999),
            valid_from=NOON.replace(year=1),
            valid_until=NOON.replace(year=9999),
            accessed_at=NOON.replace(hour=23),
        ),
        kind="fact",
        tier="working",
        summary="",
        labels=MemoryLabels(
            tags=(Tag(text="b", confidence=0.25, approved=True), Tag(text="a")),
            concepts=("zebra", "ant"),
            entities=("", "Łódź"),
            category="travel",
            emotion="joy",
            language="de",
        ),
        worth=Worth(importance=0.1, confidence=1 / 3, priority="high", critical=True),
        use=Use(access_count=7, useful_count=2, unhelpful_count=1, decay_factor=0.7),
        origin=Origin(
            speaker="Léa",
            role="assistant",
            thread="t",
            turn=0,
            sources=("one", "two"),
            extractor="rules",
            prompt_id="facts-1",
        ),
        metadata={
            "": None,
            "n": [1, 2.5, True, {"deep": ["x"]}],
            "big": 2**62,
            "small": 1e-300,
            "é": "\u2028",
        },
        idempotency_key="only once",
    )


class AddingContract(StoreFixtures):
    """Tests of ``add``."""

    def test_a_record_comes_back_as_it_was_given(self, store: Store) -> None:
        record = complete_record()
        put(store, entry_of(record))
        assert only(store) == record

    def test_what_the_caller_does_to_its_metadata_does_not_reach_the_store(self, store: Store) -> None:
        metadata: dict[str, JSON] = {"list": [1]}
        put(store, make_entry(metadata=metadata))
        for mine in (metadata, cast("dict[str, JSON]", only(store).metadata)):
            mine["list"] = "changed"
        assert only(store).metadata == {"list": [1]}

    def test_add_returns_the_ids_in_the_order_given(self, store: Store) -> None:
        one, two = make_entry("one"), make_entry("two")
        assert put(store, two, one) == [two.record.id, one.record.id]

    def test_adding_nothing_changes_nothing(self, store: Store) -> None:
        assert store.add(ADA, []) == []
        assert store.count(ADA) == 0

    def test_the_idempotency_key_of_a_deleted_memory_is_known_until_it_is_purged(self, store: Store) -> None:
        [first] = put(store, make_entry("said", idempotency_key="k"))
        remove(store, first)
        assert put(store, make_entry("said again", idempotency_key="k")) == [first]
        assert store.count(ADA) == 0
        store.purge(ADA)
        [fresh] = put(store, make_entry("said anew", idempotency_key="k"))
        assert (fresh != first, store.count(ADA)) == (True, 1)
        assert put(store, make_entry("said again", idempotency_key="k")) == [fresh]

    def test_a_document_that_was_removed_may_be_added_again(self, store: Store) -> None:
        [first] = put(store, _page())
        remove(store, first)
        assert put(store, _page()) != [first]
        assert store.count(ADA) == 1

    def test_a_known_idempotency_key_returns_the_id_already_there(self, store: Store) -> None:
        [first] = put(store, make_entry("said", idempotency_key="k"))
        assert put(store, make_entry("said again", idempotency_key="k")) == [first]
        assert contents(store) == ["said"]

    def test_an_idempotency_key_counts_within_one_call(self, store: Store) -> None:
        entries = [
            make_entry(text, idempotency_key=key) for text, key in [("a", "k"), ("b", None), ("c", "k")]
        ]
        first, second, third = put(store, *entries)
        assert (first, second) == (entries[0].record.id, entries[1].record.id)
        assert third == first
        assert contents(store) == ["a", "b"]

    def test_the_very_same_entry_may_be_sent_again_with_its_idempotency_key(self, store: Store) -> None:
        entry = make_entry("once", idempotency_key="k")
        assert put(store, entry) == put(store, entry)
        assert store.count(ADA) == 1

    def test_two_users_may_use_the_same_idempotency_key(self, store: Store) -> None:
        put(store, make_entry("hers", idempotency_key="k"))
        put(store, make_entry("his", scope=BOB, idempotency_key="k"))
        assert (contents(store), contents(store, scope=BOB)) == (["hers"], ["his"])

    def test_an_empty_idempotency_key_is_a_key(self, store: Store) -> None:
        [first] = put(store, make_entry("a", idempotency_key=""))
        assert put(store, make_entry("b", idempotency_key="")) == [first]

    def test_an_id_in_use_is_refused_and_nothing_is_stored(self, store: Store) -> None:
        [used] = put(store, make_entry("first"))
        with pytest.raises(InvalidInputError):
            put(store, make_entry("fine"), make_entry("second", memory_id=used))
        assert contents(store) == ["first"]

    def test_an_id_given_twice_in_one_call_is_refused(self, store: Store) -> None:
        twin = next_id()
        with pytest.raises(InvalidInputError):
            put(store, make_entry("one", memory_id=twin), make_entry("two", memory_id=twin))
        assert store.count(ADA) == 0

    def test_an_entry_without_features_is_refused_and_nothing_is_stored(self, store: Store) -> None:
        with pytest.raises(InvalidInputError):
            put(store, make_entry("fine"), replace(make_entry("bare"), features=None))
        assert store.count(ADA) == 0

    def test_turns_are_numbered_from_zero_across_calls(self, store: Store) -> None:
        put(store, make_entry("0", thread="t"), make_entry("1", thread="t"))
        put(store, make_entry("2", thread="t"))
        turns = [record.origin.turn for record in sorted_by_content(store)]
        assert turns == [0, 1, 2]

    def test_a_turn_given_with_the_record_is_replaced(self, store: Store) -> None:
        entry = make_entry(thread="t")
        origin = replace(entry.record.origin, turn=41)
        put(store, replace(entry, record=replace(entry.record, origin=origin)))
        assert only(store).origin.turn == 0

    def test_memories_without_a_thread_stand_alone_at_turn_zero(self, store: Store) -> None:
        put(store, make_entry("a"), make_entry("b"))
        assert [record.origin.turn for record in sorted_by_content(store)] == [0, 0]

    def test_each_thread_of_each_user_counts_for_itself(self, store: Store) -> None:
        put(store, make_entry("a", thread="t"), make_entry("b", thread="u"), make_entry("c", thread="t"))
        put(store, make_entry("his", thread="t", scope=BOB))
        assert [record.origin.turn for record in sorted_by_content(store)] == [0, 0, 1]
        assert only(store, BOB).origin.turn == 0

    def test_a_deleted_memory_keeps_its_turn(self, store: Store) -> None:
        _, last = put(store, make_entry("0", thread="t"), make_entry("1", thread="t"))
        remove(store, last)
        put(store, make_entry("2", thread="t"))
        assert [record.origin.turn for record in sorted_by_content(store)] == [0, 2]

    def test_a_duplicate_takes_no_turn(self, store: Store) -> None:
        put(store, make_entry("0", thread="t", idempotency_key="k"))
        put(store, make_entry("x", thread="t", idempotency_key="k"), make_entry("1", thread="t"))
        assert [record.origin.turn for record in sorted_by_content(store)] == [0, 1]

    def test_a_vector_by_another_embedder_or_of_another_size_is_refused_whole(self, store: Store) -> None:
        store.put_setting("embedder", "ours")
        store.put_setting("dimensions", "8")
        ours = make_entry("ours")
        put(store, _made_by(ours, "ours"))
        for other in (_made_by(make_entry("theirs"), "theirs"), make_entry("longer", dim=9)):
            with pytest.raises(EmbedderMismatchError):
                put(store, make_entry("first"), other)
            with pytest.raises(EmbedderMismatchError):
                store.update(
                    ADA,
                    [ours.record.id],
                    lambda record, other=other: replace(other, record=record),  # type: ignore[misc]
                )
        assert contents(store) == ["ours"]


def _made_by(entry: Entry, embedder: str) -> Entry:
    assert entry.features is not None
    return replace(entry, features=replace(entry.features, embedder=embedder))


def sorted_by_content(store: Store) -> list[MemoryRecord]:
    """Ada's memories by their words."""
    return sorted(store.find(ADA, EVERYTHING), key=lambda record: record.content)


def _page() -> Entry:
    return entry_of(replace(make_entry("page", idempotency_key="k").record, kind="document"))

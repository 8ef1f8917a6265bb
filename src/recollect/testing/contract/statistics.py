"""What every store counts of a user's memories."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from dataclasses import replace

import numpy as np

from recollect.protocols import Entry, Store, VectorMaintenance
from recollect.stores.sql.statistics import Tally
from recollect.testing.contract.fixtures import StoreFixtures, put, remove, with_words
from recollect.testing.fakes import ADA, BOB, entry_of, make_entry, make_features
from recollect.types import Scope


def terms_of(text: str) -> list[int]:
    """The hashes of a text's words."""
    terms: list[int] = np.frombuffer(make_features(text).terms, "<u4").tolist()
    return terms


def check_counts(store: Store, *entries: Entry, scope: Scope = ADA) -> None:
    """The store counts exactly these entries."""
    features = [entry.features for entry in entries if entry.features is not None]
    tally = Tally.of((made.terms, made.vector) for made in features)
    asked = [*terms_of("tea milk sugar unheard"), *tally.terms.tolist()]
    found = store.statistics(scope, asked)
    assert found.documents == len(entries)
    assert dict(found.frequencies) == dict(tally.items())
    assert found.vector_sum.dtype == np.int64
    assert [n for n in found.vector_sum.tolist() if n] == [n for n in tally.vector_sum.tolist() if n]


class StatisticsContract(StoreFixtures):
    """Tests of ``Store.statistics``."""

    def test_an_unknown_user_has_no_statistics(self, store: Store) -> None:
        check_counts(store)

    def test_memories_are_counted_with_their_terms_and_vectors(self, store: Store) -> None:
        tea, more, milk = (make_entry(words) for words in ("tea tea milk", "tea sugar", "milk"))
        put(store, tea, more)
        put(store, milk)
        check_counts(store, tea, more, milk)

    def test_only_terms_asked_for_and_held_are_given(self, store: Store) -> None:
        put(store, make_entry("tea milk"))
        (tea,) = terms_of("tea")
        (unheard,) = terms_of("unheard")
        assert dict(store.statistics(ADA, [tea, unheard]).frequencies) == {tea: 1}
        assert dict(store.statistics(ADA, []).frequencies) == {}

    def test_statistics_are_of_the_whole_user_and_of_nobody_else(self, store: Store) -> None:
        narrow = Scope(user_id="ada", agent_id="tutor", session_id="mon")
        mine, wide, other = (
            make_entry("tea", scope=narrow),
            make_entry("tea milk"),
            make_entry("tea sugar", scope=BOB),
        )
        for entry in (mine, wide, other):
            put(store, entry)
        check_counts(store, mine, wide, scope=narrow)
        check_counts(store, other, scope=BOB)

    def test_a_duplicate_is_not_counted_again(self, store: Store) -> None:
        first = make_entry("tea", idempotency_key="once")
        put(store, first)
        put(store, make_entry("tea", idempotency_key="once"))
        check_counts(store, first)

    def test_new_words_are_counted_in_place_of_the_old(self, store: Store) -> None:
        entry, other = make_entry("tea milk"), make_entry("tea")
        put(store, entry, other)
        changed = entry_of(with_words(entry.record, "sugar"))
        store.update(ADA, [entry.record.id], lambda before: entry_of(with_words(before, "sugar")))
        check_counts(store, changed, other)

    def test_a_change_that_leaves_the_words_changes_no_count(self, store: Store) -> None:
        entry = make_entry("tea milk")
        put(store, entry)
        store.update(
            ADA,
            [entry.record.id],
            lambda before: Entry(record=replace(before, kind="fact"), features=None),
        )
        check_counts(store, entry)

    def test_the_deleted_are_not_counted_before_and_after_a_purge(self, store: Store) -> None:
        entry, other = make_entry("tea milk"), make_entry("tea")
        put(store, entry, other)
        remove(store, entry.record.id)
        check_counts(store, other)
        store.purge(ADA)
        check_counts(store, other)
        remove(store, other.record.id)
        check_counts(store)
        store.purge(ADA)
        check_counts(store)

    def test_counts_outlast_a_restart(self, store: Store) -> None:
        entry = make_entry("tea milk")
        put(store, entry)
        check_counts(self.reopen(store), entry)

    def test_promoted_vectors_are_counted_in_place_of_the_old(
        self, store: Store, vector_store: VectorMaintenance
    ) -> None:
        put(store, make_entry("tea milk", dim=8))
        ((key, words),) = vector_store.unstaged("other", limit=10)
        vector_store.stage_vectors("other", [(key, words, bytes([1, 2, 255]))])
        assert vector_store.promote_vectors("other", dim=3)
        found = store.statistics(ADA, terms_of("tea"))
        assert [n for n in found.vector_sum.tolist() if n] == [1, 2, -1]
        assert list(found.frequencies.values()) == [1]

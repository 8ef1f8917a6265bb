"""What a store with a text index promises."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

import numpy as np

from recollect.testing.contract.fixtures import SearchingStore, StoreFixtures, put, remove, with_words
from recollect.testing.contract.shadowing import rows_by_key
from recollect.testing.fakes import ADA, entry_of, make_entry
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, parse_filter


def found(store: SearchingStore, stems: list[str], *, limit: int = 10, scope: Scope = ADA) -> list[str]:
    """The contents that a text search finds, best first."""
    rows = store.shadow(scope, 0).rows
    ids = dict(zip(rows.keys.tolist(), rows.ids, strict=True))
    keys = store.search_text(scope, stems, limit=limit)
    assert keys.dtype == np.int64
    return [record.content for record in store.get(scope, [ids[key] for key in keys.tolist()]) if record]


class TextContract(StoreFixtures):
    """Tests of ``TextSearch``."""

    def test_any_stem_is_enough_and_none_is_nothing(self, text_store: SearchingStore) -> None:
        put(text_store, make_entry("green tea"), make_entry("cold milk"), make_entry("bread"))
        assert sorted(found(text_store, ["tea", "milk", "wine"])) == ["cold milk", "green tea"]
        assert found(text_store, ["wine"]) == []
        assert found(text_store, []) == []

    def test_rarer_and_more_matching_words_rank_higher(self, text_store: SearchingStore) -> None:
        put(text_store, *(make_entry(f"tea at {n}") for n in range(6)), make_entry("tea with lemon"))
        assert found(text_store, ["tea", "lemon"])[0] == "tea with lemon"

    def test_of_two_texts_with_the_word_the_shorter_ranks_higher(self, text_store: SearchingStore) -> None:
        put(
            text_store,
            make_entry("tea and a great many other words beside it"),
            make_entry("some tea"),
            make_entry("x"),
        )
        assert found(text_store, ["tea"])[0] == "some tea"

    def test_at_most_the_limit_is_returned(self, text_store: SearchingStore) -> None:
        put(text_store, *(make_entry("tea") for _ in range(5)), make_entry("milk"))
        assert len(found(text_store, ["tea"], limit=3)) == 3

    def test_of_equal_matches_the_older_come_first(self, text_store: SearchingStore) -> None:
        put(text_store, *(make_entry("tea") for _ in range(3)), make_entry("milk"))
        keys = text_store.search_text(ADA, ["tea"], limit=10).tolist()
        assert keys == sorted(keys)

    def test_changed_words_are_found_and_the_old_ones_are_not(self, text_store: SearchingStore) -> None:
        ids = put(text_store, make_entry("tea"), make_entry("bread"))
        text_store.update(ADA, ids[:1], lambda record: entry_of(with_words(record, "milk")))
        assert found(text_store, ["milk"]) == ["milk"]
        assert found(text_store, ["tea"]) == []

    def test_deleted_memories_are_not_found(self, text_store: SearchingStore) -> None:
        ids = put(text_store, make_entry("tea"), make_entry("tea too"))
        remove(text_store, ids[0])
        assert found(text_store, ["tea"]) == ["tea too"]

    def test_a_stem_is_only_a_word(self, text_store: SearchingStore) -> None:
        stems = ["not", "near", "ключ", "東京", "stems", "9"]
        put(text_store, *(make_entry(f"{stem} here") for stem in stems), make_entry("other"))
        assert [found(text_store, [stem]) for stem in stems] == [[f"{stem} here"] for stem in stems]

    def test_a_stem_that_looks_like_syntax_is_no_error(self, text_store: SearchingStore) -> None:
        put(text_store, make_entry("tea"))
        for stem in ('"', 'a"b', "(", "*", "tea*", "a:b", "^", ""):
            assert found(text_store, [stem, "milk"]) in ([], ["tea"])

    def test_search_keeps_to_the_agent_of_the_scope(self, text_store: SearchingStore) -> None:
        tutor = Scope(user_id="ada", agent_id="tutor")
        put(text_store, make_entry("tea", scope=tutor), make_entry("tea too"))
        assert len(text_store.search_text(tutor, ["tea"], limit=10)) == 1
        assert found(text_store, ["tea"], scope=tutor) == ["tea"]

    def test_a_filter_is_applied_before_the_limit(self, text_store: SearchingStore) -> None:
        entries = [make_entry(f"tea {n}") for n in range(5)]
        wanted = make_entry("tea and a long story about much else", metadata={"50% rare": True})
        put(text_store, *entries, wanted)
        where = parse_filter({"50% rare": True, "content": {"contains": "story"}})
        keys = text_store.search_text(ADA, ["tea"], limit=1, where=where)
        assert keys.tolist() == text_store.match(ADA, where).tolist() != []

    def test_columns_come_with_neighbours_on_each_side(self, text_store: SearchingStore) -> None:
        put(text_store, *(make_entry(str(n), thread="t") for n in range(7)), make_entry("u", thread="u"))
        keys = text_store.match(ADA, EVERYTHING)
        rows = text_store.shadow_of(ADA, keys[3:4], around=2)
        assert sorted(rows.turns.tolist()) == [1, 2, 3, 4, 5]
        assert {profile.thread for profile in rows.profiles} == {"t"}

    def test_columns_of_a_memory_that_stands_alone_come_alone(self, text_store: SearchingStore) -> None:
        put(text_store, make_entry("a"), make_entry("b"))
        keys = text_store.match(ADA, EVERYTHING)
        rows = text_store.shadow_of(ADA, keys[:1], around=3)
        assert rows.keys.tolist() == keys[:1].tolist()

    def test_columns_are_those_of_the_shadow_each_once(self, text_store: SearchingStore) -> None:
        put(text_store, *(make_entry(str(n), thread="t") for n in range(4)))
        keys = text_store.match(ADA, EVERYTHING)
        rows = text_store.shadow_of(ADA, keys[1:3], around=1)
        assert len(rows.ids) == 4
        assert rows_by_key(rows) == rows_by_key(text_store.shadow(ADA, 0).rows)

    def test_columns_of_no_memories_are_empty(self, text_store: SearchingStore) -> None:
        put(text_store, make_entry())
        assert text_store.shadow_of(ADA, np.empty(0, np.int64), around=1).ids == []

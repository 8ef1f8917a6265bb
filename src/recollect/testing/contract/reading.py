"""What ``get``, ``find``, ``match``, ``count``, ``user_ids`` and settings promise."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from recollect.protocols import Census, Entry, Store
from recollect.testing.contract.fixtures import StoreFixtures, contents, only, put, remove
from recollect.testing.fakes import ADA, BOB, make_entry, next_id
from recollect.types import SUMMARY_CHARACTERS, MemoryLabels, MemoryRecord, Origin, Scope
from recollect.types.filters import EVERYTHING, parse_filter

_GONE: Final = Scope(user_id="gone")


def _made_on(day: int, **fields: Any) -> Entry:
    """An entry of a day in May."""
    made = make_entry(scope=fields.pop("scope", ADA))
    times = replace(made.record.times, created_at=datetime(2026, 5, day, tzinfo=UTC))
    return replace(made, record=replace(made.record, times=times, **fields))


def _told(found: Census) -> tuple[int, dict[str, int], dict[str, int], list[int]]:
    """What a census counts, without what it does not find."""
    kinds, tiers = ({name: n for name, n in counts.items() if n} for counts in (found.kinds, found.tiers))
    return found.users, kinds, tiers, list(found.since)


class ReadingContract(StoreFixtures):
    """Tests of what reads, and of the store as a whole."""

    def test_get_keeps_the_order_asked_for_and_says_none_for_what_is_not_there(self, store: Store) -> None:
        one, two = put(store, make_entry("one"), make_entry("two"))
        found = store.get(ADA, [two, next_id(), one, two])
        assert [record and record.content for record in found] == ["two", None, "one", "two"]

    def test_get_takes_more_ids_than_a_statement_holds(self, store: Store) -> None:
        ids = put(store, *(make_entry(str(n)) for n in range(1_200)))
        found = store.get(ADA, ids)
        assert [record.content for record in found if record] == [str(n) for n in range(1_200)]

    def test_summaries_are_the_summary_or_the_first_words_in_the_order_asked_for(self, store: Store) -> None:
        long = "é" * (SUMMARY_CHARACTERS + 50)
        entries = [make_entry("short"), make_entry(long), make_entry(long)]
        entries[2] = replace(entries[2], record=replace(entries[2].record, summary="in a word"))
        short, cut, told = put(store, *entries)
        (gone,) = put(store, make_entry("gone"))
        remove(store, gone)
        wanted = [told, next_id(), short, cut, gone]
        assert store.summaries(ADA, wanted) == ["in a word", None, "short", long[:SUMMARY_CHARACTERS], None]
        assert store.summaries(BOB, wanted) == [None] * 5
        assert store.summaries(Scope(user_id="ada", session_id="x"), [short]) == [None]

    def test_summaries_of_short_memories_may_be_their_words(self, store: Store) -> None:
        entries = [make_entry("é" * 99), make_entry("é" * 100), make_entry("é" * 101)]
        entries = [replace(one, record=replace(one.record, summary="in a word")) for one in entries]
        ids = put(store, *entries)
        assert store.summaries(ADA, ids, whole_up_to=100) == ["é" * 99, "é" * 100, "in a word"]
        assert store.summaries(ADA, ids) == ["in a word"] * 3

    def test_find_orders_by_id_whatever_the_order_of_adding(self, store: Store) -> None:
        entries = [make_entry(str(n)) for n in range(4)]
        put(store, *reversed(entries))
        assert self._ids(store.find(ADA, EVERYTHING)) == [entry.record.id for entry in entries]

    def test_find_returns_at_most_the_limit(self, store: Store) -> None:
        ids = put(store, *(make_entry() for _ in range(3)))
        assert self._ids(store.find(ADA, EVERYTHING, limit=2)) == ids[:2]
        assert store.find(ADA, EVERYTHING, limit=0) == []

    def test_find_turns_the_order_round(self, store: Store) -> None:
        ids = put(store, *(make_entry(text) for text in "abcd"))
        assert self._ids(store.find(ADA, EVERYTHING, newest_first=True)) == ids[::-1]
        newest = store.find(ADA, EVERYTHING, limit=2, after=ids[3], newest_first=True)
        assert self._ids(newest) == [ids[2], ids[1]]

    def test_paging_with_after_sees_every_match_once(self, store: Store) -> None:
        ids = put(store, *(make_entry(metadata={"odd": n % 2 == 1}) for n in range(9)))
        seen: list[str] = []
        where = parse_filter({"odd": True})
        for _ in range(3):
            seen += self._ids(store.find(ADA, where, limit=3, after=seen[-1] if seen else None))
        assert seen == ids[1::2]

    def test_a_cursor_whose_memory_is_gone_still_marks_the_place(self, store: Store) -> None:
        ids = put(store, *(make_entry() for _ in range(3)))
        remove(store, ids[1])
        assert self._ids(store.find(ADA, EVERYTHING, after=ids[1])) == [ids[2]]

    def test_match_returns_ascending_keys_of_what_find_returns(self, store: Store) -> None:
        entries = [make_entry(text) for text in "abc"]
        put(store, *reversed(entries))
        keys = store.match(ADA, EVERYTHING)
        rows = store.shadow(ADA, 0).rows
        assert keys.dtype == np.int64
        assert keys.tolist() == sorted(keys.tolist())
        assert dict(zip(rows.keys.tolist(), rows.ids, strict=True)).keys() == set(keys.tolist())
        assert store.match(ADA, parse_filter({"content": "zzz"})).shape == (0,)

    def test_match_names_the_same_memories_as_the_shadow(self, store: Store) -> None:
        wanted, _ = put(store, make_entry("wanted"), make_entry("other"))
        rows = store.shadow(ADA, 0).rows
        [key] = store.match(ADA, parse_filter({"content": "wanted"})).tolist()
        assert rows.ids[rows.keys.tolist().index(key)] == wanted

    def test_count_counts_what_is_in_the_scope(self, store: Store) -> None:
        gone, *_ = put(
            store, make_entry(), make_entry(), make_entry(scope=Scope(user_id="ada", agent_id="x"))
        )
        remove(store, gone)
        assert store.count(ADA) == 2
        assert store.count(Scope(user_id="ada", agent_id="x")) == 1
        assert store.count(ADA, parse_filter({"agent_id": None})) == 1

    def test_moments_are_those_of_the_memories_that_match(self, store: Store) -> None:
        one, two, gone = put(store, make_entry("one"), make_entry("two"), make_entry("gone"))
        remove(store, gone)
        kept = store.find(ADA, EVERYTHING)
        moments = [(record.times.happened_at, record.id, record.kind) for record in kept]
        assert sorted(store.moments(ADA, EVERYTHING)) == sorted(moments)
        assert [found.memory_id for found in store.moments(ADA, parse_filter({"id": two}))] == [two]
        assert store.moments(BOB, parse_filter({"id": one})) == []

    def test_sketches_have_the_fields_that_are_meant(self, store: Store) -> None:
        made = make_entry("x", metadata={"quote": "y", "n": [1, None]})
        told = replace(
            made.record,
            kind="fact",
            origin=Origin(role="user", sources=("a", "b")),
            labels=MemoryLabels(category="preference"),
        )
        fact, _ = put(store, replace(made, record=told), make_entry("z"))

        def meant(one: MemoryRecord) -> tuple[object, ...]:
            origin = one.origin
            words = (one.id, one.kind, one.content, one.metadata)
            return (*words, origin.role, origin.sources, one.labels.category)

        found = sorted(store.sketches(ADA, EVERYTHING), key=lambda one: one.id)
        assert list(map(meant, found)) == list(map(meant, store.find(ADA, EVERYTHING)))
        assert self._ids(store.sketches(ADA, parse_filter({"kind": "fact"}))) == [fact]
        assert store.sketches(BOB, EVERYTHING) == []

    def test_an_unknown_scope_is_an_empty_one(self, store: Store) -> None:
        put(store, make_entry())
        nobody = Scope(user_id="nobody")
        assert store.find(nobody, EVERYTHING) == []
        assert store.match(nobody, EVERYTHING).shape == (0,)
        assert (store.count(nobody), store.delete(nobody, EVERYTHING), store.purge(nobody)) == (0, 0, 0)
        assert store.shadow(nobody, 0).rows.ids == []

    def test_user_ids_are_sorted_and_leave_out_who_has_nothing(self, store: Store) -> None:
        for user in ("éva", "bob", "Zoë", "ada"):
            put(store, make_entry(scope=Scope(user_id=user)))
        remove(store, only(store, BOB).id, scope=BOB)
        assert store.user_ids() == ["Zoë", "ada", "éva"]

    def test_a_census_counts_by_kind_and_tier_and_what_is_new(self, store: Store) -> None:
        for kind, day in (("message", 1), ("message", 3), ("fact", 5)):
            put(store, _made_on(day, kind=kind))
        put(store, _made_on(1, scope=BOB, tier="archived"))
        [gone] = put(store, make_entry(scope=_GONE))
        remove(store, gone, scope=_GONE)
        since = [datetime(2026, 5, day, tzinfo=UTC) for day in (3, 4)]
        usual = store.find(ADA, EVERYTHING)[0].tier
        facts = parse_filter({"kind": "fact"})
        assert _told(store.census(ADA, since=since)) == (1, {"message": 2, "fact": 1}, {usual: 3}, [2, 1])
        assert _told(store.census(ADA, facts, since=since)) == (1, {"fact": 1}, {usual: 1}, [1, 1])
        assert _told(store.census(_GONE, since=since)) == (0, {}, {}, [0, 0])
        kinds, tiers = {"message": 3, "fact": 1}, {usual: 3, "archived": 1}
        assert _told(store.census(None)) == (2, kinds, tiers, [])

    def test_a_setting_is_none_until_it_is_put_and_can_be_replaced(self, store: Store) -> None:
        assert store.setting("colour") is None
        store.put_setting("colour", "")
        assert store.setting("colour") == ""
        store.put_setting("colour", "blau", unless_set=True)
        assert store.setting("colour") == ""
        store.put_setting("colour", "grün")
        assert store.setting("colour") == "grün"

    def test_users_that_differ_only_in_case_or_accents_are_different_users(self, store: Store) -> None:
        for user in ("lea", "Lea", "léa", "le\u0301a", "lea "):
            put(store, make_entry(user, scope=Scope(user_id=user)))
        assert contents(store, scope=Scope(user_id="Lea")) == ["Lea"]
        assert len(store.user_ids()) == 5

    def test_what_was_acknowledged_is_there_after_reopening(self, store: Store) -> None:
        put(store, make_entry("kept", thread="t", idempotency_key="k"))
        store.put_setting("embedder", "e")
        before = only(store), store.history(ADA, only(store).id), store.shadow_version(ADA)
        again = self.reopen(store)
        assert (only(again), again.history(ADA, only(again).id), again.shadow_version(ADA)) == before
        assert again.setting("embedder") == "e"
        put(again, make_entry("next", thread="t"), make_entry("never", idempotency_key="k"))
        assert contents(again) == ["kept", "next"]
        again.close()

    @staticmethod
    def _ids(records: list[MemoryRecord]) -> list[str]:
        return [record.id for record in records]

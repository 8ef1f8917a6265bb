"""What a store that gives and takes memories as they are promises."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from recollect.errors import ClosedError, EmbedderMismatchError, InvalidInputError
from recollect.protocols import Copied, Copying, Store, TextSearch
from recollect.stores.copy import moving
from recollect.stores.copy.moving import digest_of_memory
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.contract.adding import complete_record
from recollect.testing.contract.changing import praised, upper
from recollect.testing.contract.fixtures import CopyingStore, StoreFixtures, contents, only, put, remove
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.contract.statistics import terms_of
from recollect.testing.fakes import ADA, BOB, NOON, FakeClock, entry_of, make_entry, make_features, next_id
from recollect.types import Job, Link, Scope
from recollect.types.filters import EVERYTHING

MONDAY = Scope(user_id="ada", session_id="mon")


class _StoppedError(Exception):
    """What a step raises that is stopped."""


class _Stopping:
    """A method that stops at one of its calls, before or after it did what it was asked."""

    def __init__(self, method: Callable[..., Any], step: int, *, late: bool) -> None:
        self._method, self._left, self._late = method, step, late

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._left -= 1
        if not self._left and not self._late:
            raise _StoppedError
        found = self._method(*args, **kwargs)
        if not self._left:
            raise _StoppedError
        return found


def _tell_nobody(done: int, total: int) -> None:
    """A progress report that does nothing."""


def all_of(store: Copying, scope: Scope = ADA, *, limit: int = 1_000) -> list[Copied]:
    """All copies of a scope, page by page."""
    found: list[Copied] = []
    while page := store.dump(scope, after=found[-1].key if found else 0, limit=limit):
        found += page
    return found


def with_stems(copies: list[Copied]) -> list[Copied]:
    """The copies with the stems that the tests' features have."""
    return [
        replace(
            copied,
            features=replace(copied.features, stems=make_features(copied.record.content).stems),
        )
        for copied in copies
    ]


def ids_of(copies: list[Copied]) -> list[str]:
    """Whose copies they are."""
    return [copied.record.id for copied in copies]


def shadow_of(store: Store) -> list[tuple[Any, ...]]:
    """A user's columns without the keys, in the order of the keys."""
    receiver = Receiver()
    receiver.refresh(store)
    return [receiver.rows[key] for key in sorted(receiver.rows)]


def fill(store: Store) -> list[str]:
    """Memories of every kind, changed, praised, deleted and linked."""
    ids = put(
        store,
        entry_of(complete_record()),
        make_entry("tea", thread="talk", idempotency_key="once"),
        make_entry("gone", thread="talk"),
        make_entry("milk", thread="talk", metadata={"n": -0.0, "big": 1e22, "deep": {"é": [None, True, 1]}}),
        make_entry("sugar", scope=MONDAY, thread="talk"),
    )
    put(store, make_entry("his", scope=BOB))
    store.update(ADA, ids[1:3], upper, reason="louder")
    store.update(ADA, ids[3:4], praised, action="feedback")
    remove(store, ids[2])
    store.link(ADA, [Link(source_id=ids[1], target_id=ids[3], type="related")])
    store.link(ADA, [Link(source_id=ids[3], target_id=ids[1], type="supersedes")])
    return ids


class CopyContract(StoreFixtures):
    """Tests of ``Copying``."""

    @pytest.fixture
    def source(self) -> InMemoryStore:
        """Another store, full of memories made at different times."""
        store = InMemoryStore(clock=FakeClock(NOON - timedelta(days=400)))
        fill(store)
        return store

    def test_an_unknown_user_has_nothing_to_copy(self, copying_store: CopyingStore) -> None:
        assert copying_store.dump(ADA, after=0, limit=10) == []
        assert copying_store.known_users() == []

    def test_what_is_given_is_all_that_is_known_of_a_memory(self, copying_store: CopyingStore) -> None:
        ids = fill(copying_store)
        copies = all_of(copying_store)
        assert ids_of(copies) == [ids[0], ids[1], ids[3], ids[4]]
        assert [copied.record for copied in copies] == copying_store.get(ADA, ids_of(copies))
        for copied in copies:
            made = make_features(copied.record.content)
            kept = copied.features
            assert (kept.vector, kept.terms, kept.counts) == (made.vector, made.terms, made.counts)
            assert (kept.traits, kept.embedder) == (made.traits, "")
            assert kept.stems in ("", made.stems)
            assert list(copied.history) == copying_store.history(ADA, copied.record.id)
        assert copies[1].links == (Link(source_id=ids[1], target_id=ids[3], type="related"),)

    def test_links_are_given_with_their_source_and_in_order(self, copying_store: CopyingStore) -> None:
        a, b, c = put(copying_store, *(make_entry(text) for text in "abc"))
        expected = [
            Link(source_id=a, target_id=b, type="contradicts"),
            Link(source_id=a, target_id=b, type="related"),
            Link(source_id=a, target_id=c, type="related"),
        ]
        copying_store.link(ADA, [*reversed(expected), Link(source_id=c, target_id=a, type="related")])
        remove(copying_store, c)
        assert [copied.links for copied in all_of(copying_store)] == [tuple(expected[:2]), ()]

    def test_pages_go_on_where_the_last_one_ended(self, copying_store: CopyingStore) -> None:
        ids = put(copying_store, *(make_entry(str(n)) for n in range(10)))
        for limit in (1, 3, 10, 11):
            assert ids_of(all_of(copying_store, limit=limit)) == ids
        assert copying_store.dump(ADA, after=0, limit=0) == []

    def test_the_order_is_that_of_storing_whatever_the_ids(self, copying_store: CopyingStore) -> None:
        late, early = next_id(), next_id()
        put(copying_store, make_entry("first", memory_id=early), make_entry("second", memory_id=late))
        assert ids_of(all_of(copying_store)) == [early, late]

    def test_a_copy_is_equal_to_what_it_was_made_of(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        assert copying_store.restore(ADA, with_stems(all_of(source))) == 4
        ours, theirs = all_of(copying_store), all_of(source)
        assert [digest_of_memory(copied) for copied in ours] == [digest_of_memory(each) for each in theirs]
        assert copying_store.find(ADA, EVERYTHING) == source.find(ADA, EVERYTHING)
        assert shadow_of(copying_store) == shadow_of(source)
        for copied in theirs:
            assert copying_store.history(ADA, copied.record.id) == list(copied.history)
        asked = terms_of("tea TEA milk sugar gone unheard")
        own, other = copying_store.statistics(ADA, asked), source.statistics(ADA, asked)
        assert (own.documents, dict(own.frequencies)) == (other.documents, dict(other.frequencies))
        assert own.vector_sum.tolist() == other.vector_sum.tolist()

    def test_what_was_copied_is_copied_back_equal(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copying_store.restore(ADA, with_stems(all_of(source)))
        back = InMemoryStore()
        back.restore(ADA, with_stems(all_of(copying_store)))
        assert list(map(digest_of_memory, all_of(back))) == list(map(digest_of_memory, all_of(source)))
        assert shadow_of(back) == shadow_of(source)

    def test_a_copy_outlasts_a_restart(self, copying_store: CopyingStore, source: InMemoryStore) -> None:
        copying_store.restore(ADA, with_stems(all_of(source)))
        again = self.reopen(copying_store)
        assert isinstance(again, Copying)
        assert list(map(digest_of_memory, all_of(again))) == list(map(digest_of_memory, all_of(source)))

    def test_restoring_again_changes_nothing(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copies = with_stems(all_of(source))
        assert copying_store.restore(ADA, copies[:2]) == 2
        copying_store.update(ADA, ids_of(copies[:1]), praised)
        before = all_of(copying_store), copying_store.shadow_version(ADA)
        assert copying_store.restore(ADA, copies[:2] * 2) == 0
        assert (all_of(copying_store), copying_store.shadow_version(ADA)) == before
        assert copying_store.restore(ADA, copies) == 2
        assert ids_of(all_of(copying_store)) == ids_of(copies)
        assert copying_store.restore(ADA, []) == 0

    def test_a_memory_given_twice_is_stored_once(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copies = with_stems(all_of(source))
        assert copying_store.restore(ADA, [*copies, *copies]) == 4
        assert copying_store.count(ADA) == copying_store.statistics(ADA, []).documents == 4

    def test_what_was_deleted_stays_deleted(self, copying_store: CopyingStore, source: InMemoryStore) -> None:
        copies = with_stems(all_of(source))
        copying_store.restore(ADA, copies)
        remove(copying_store, copies[0].record.id)
        assert copying_store.restore(ADA, copies) == 0
        assert ids_of(all_of(copying_store)) == ids_of(copies[1:])

    def test_a_purged_memory_may_be_copied_again(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copies = with_stems(all_of(source))
        copying_store.restore(ADA, copies)
        copying_store.delete(ADA, EVERYTHING)
        copying_store.purge(ADA)
        assert copying_store.restore(ADA, copies) == 4
        assert list(map(digest_of_memory, all_of(copying_store))) == list(map(digest_of_memory, copies))

    def test_turns_go_on_after_those_of_the_copies(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copying_store.restore(ADA, with_stems(all_of(source)))
        assert [copied.record.origin.turn for copied in all_of(copying_store)][1:] == [0, 2, 3]
        [memory_id] = put(copying_store, make_entry("next", thread="talk"))
        [record] = copying_store.get(ADA, [memory_id])
        assert record is not None
        assert record.origin.turn == 4

    def test_idempotency_keys_hold_for_copies(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copies = with_stems(all_of(source))
        copying_store.restore(ADA, copies)
        assert put(copying_store, make_entry("again", idempotency_key="once")) == [copies[1].record.id]

    def test_a_copy_with_the_idempotency_key_of_another_memory_is_refused_whole(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        put(copying_store, make_entry("mine", idempotency_key="once"))
        with pytest.raises(InvalidInputError):
            copying_store.restore(ADA, with_stems(all_of(source)))
        assert contents(copying_store) == ["mine"]
        assert copying_store.statistics(ADA, []).documents == 1

    def test_a_copy_without_its_history_is_refused_whole(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copies = with_stems(all_of(source))
        with pytest.raises(InvalidInputError):
            copying_store.restore(ADA, [*copies[:2], replace(copies[2], history=())])
        assert copying_store.count(ADA) == 0

    def test_vectors_by_another_embedder_are_refused_whole(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copying_store.put_setting("embedder", "ours")
        copies = with_stems(all_of(source))
        theirs = replace(copies[3], features=replace(copies[3].features, embedder="theirs"))
        with pytest.raises(EmbedderMismatchError):
            copying_store.restore(ADA, [*copies[:3], theirs])
        copying_store.put_setting("dimensions", "5")
        with pytest.raises(EmbedderMismatchError):
            copying_store.restore(ADA, copies)
        assert copying_store.count(ADA) == 0

    def test_copies_say_who_made_their_vectors(self, copying_store: CopyingStore) -> None:
        copying_store.put_setting("embedder", "ours")
        put(copying_store, make_entry())
        assert [copied.features.embedder for copied in all_of(copying_store)] == ["ours"]

    def test_whoever_keeps_a_shadow_learns_of_copies(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        receiver = Receiver()
        put(copying_store, make_entry("before"))
        receiver.refresh(copying_store)
        copying_store.restore(ADA, with_stems(all_of(source)))
        delta = receiver.refresh(copying_store)
        assert sorted(delta.rows.ids) == sorted(ids_of(all_of(source)))

    def test_copies_change_and_go_like_other_memories(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        copying_store.restore(ADA, with_stems(all_of(source)))
        ids = ids_of(all_of(copying_store))
        copying_store.update(ADA, ids[1:2], upper)
        assert len(copying_store.history(ADA, ids[1])) == 3
        assert copying_store.delete(ADA, EVERYTHING) == 4
        assert copying_store.statistics(ADA, terms_of("tea TEA")).documents == 0
        assert copying_store.purge(ADA) == 4

    def test_the_words_of_copies_are_found(
        self, copying_store: CopyingStore, text_store: TextSearch, source: InMemoryStore
    ) -> None:
        copying_store.restore(ADA, with_stems(all_of(source)))
        keys = text_store.search_text(ADA, ["tea"], limit=10).tolist()
        assert keys == [all_of(copying_store)[1].key]

    def test_no_copy_crosses_users(self, copying_store: CopyingStore, source: InMemoryStore) -> None:
        hers = with_stems(all_of(source))
        with pytest.raises(InvalidInputError):
            copying_store.restore(BOB, hers)
        assert copying_store.known_users() == []
        copying_store.restore(ADA, hers)
        copying_store.restore(BOB, with_stems(all_of(source, BOB)))
        assert [copied.record.content for copied in all_of(copying_store, BOB)] == ["his"]
        assert not {copied.record.id for copied in all_of(copying_store)} & set(
            ids_of(all_of(copying_store, BOB))
        )
        assert copying_store.known_users() == ["ada", "bob"]

    def test_two_users_may_have_the_same_id_and_key(self, copying_store: CopyingStore) -> None:
        source = InMemoryStore()
        for scope in (ADA, BOB):
            put(source, make_entry("mine", memory_id="same", scope=scope, idempotency_key="same"))
            assert copying_store.restore(scope, with_stems(all_of(source, scope))) == 1
        assert copying_store.count(ADA) == copying_store.count(BOB) == 1

    def test_agent_and_session_narrow_what_is_given_and_taken(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        inside = with_stems(all_of(source, MONDAY))
        assert [copied.record.content for copied in inside] == ["sugar"]
        with pytest.raises(InvalidInputError):
            copying_store.restore(MONDAY, with_stems(all_of(source)))
        assert copying_store.restore(MONDAY, inside) == 1
        put(copying_store, make_entry("another day"))
        assert ids_of(all_of(copying_store, MONDAY)) == ids_of(inside)

    def test_users_are_known_by_their_memories_or_by_what_was_learned(
        self, copying_store: CopyingStore
    ) -> None:
        copying_store.change_state(BOB, "a", lambda _: "learned")
        put(copying_store, make_entry())
        assert copying_store.known_users() == ["ada", "bob"]
        remove(copying_store, only(copying_store).id)
        assert copying_store.known_users() == ["bob"]
        copying_store.change_state(BOB, "a", lambda _: None)
        assert copying_store.known_users() == []

    def test_a_user_may_be_called_anything(self, copying_store: CopyingStore) -> None:
        source = InMemoryStore()
        for name in ("o'hara", 'a"b\n--; DROP TABLE memories', "%s", "🦊"):
            scope = Scope(user_id=name)
            put(source, make_entry("mine", scope=scope))
            assert copying_store.restore(scope, with_stems(all_of(source, scope))) == 1
        assert copying_store.known_users() == source.known_users()

    def test_thousands_of_memories_are_copied_in_pages(self, copying_store: CopyingStore) -> None:
        source = InMemoryStore()
        ids = put(source, *(make_entry(f"memory {n}", thread=f"t{n % 7}") for n in range(2_500)))
        after, stored = 0, 0
        while page := source.dump(ADA, after=after, limit=1_000):
            stored += copying_store.restore(ADA, with_stems(page))
            after = page[-1].key
        assert stored == 2_500
        assert ids_of(all_of(copying_store, limit=999)) == ids

    @pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
    @pytest.mark.parametrize("method", ["restore", "dump"])
    def test_a_move_stopped_at_every_step_gets_there(
        self, method: str, copying_store: CopyingStore, monkeypatch: pytest.MonkeyPatch, *, late: bool
    ) -> None:
        source = InMemoryStore(clock=FakeClock(NOON - timedelta(days=400)))
        put(source, *(make_entry(f"memory {n}", thread=f"t{n % 3}") for n in range(12)))
        put(source, make_entry("his", scope=BOB))
        monkeypatch.setattr(moving, "PAGE", 2)
        step = 0
        while True:
            step += 1
            stopped = _Stopping(getattr(copying_store, method), step, late=late)
            with monkeypatch.context() as patch, suppress(_StoppedError):
                patch.setattr(copying_store, method, stopped)
                done = moving.move(source, copying_store, report=_tell_nobody)
                break
        assert step > 1
        assert done.memories == copying_store.count(ADA) + 1 == 13
        for scope in (ADA, BOB):
            ours, theirs = all_of(copying_store, scope), all_of(source, scope)
            assert list(map(digest_of_memory, ours)) == list(map(digest_of_memory, theirs))
        assert shadow_of(copying_store) == shadow_of(source)
        assert copying_store.statistics(ADA, []).documents == 12

    def test_a_move_brings_links_states_and_jobs(
        self, copying_store: CopyingStore, source: InMemoryStore
    ) -> None:
        source.change_state(ADA, "ü'\n", lambda _: '{"a": 1}')
        source.add(ADA, [], jobs=[Job(task="t", scope=BOB, payload={"n": [1.0, None, "é"]})] * 2)
        for fresh in (2, 0):
            assert moving.move(source, copying_store, report=_tell_nobody).jobs == fresh
        assert copying_store.states(ADA) == source.states(ADA)
        assert [replace(job, id=0) for job in copying_store.jobs()] == [
            replace(job, id=0) for job in source.jobs()
        ]
        for copied in all_of(source):
            memory_id = copied.record.id
            assert copying_store.links(ADA, memory_id) == source.links(ADA, memory_id)
        back = InMemoryStore()
        ours = moving.move(copying_store, back, report=_tell_nobody)
        assert ours.digest == moving.move(source, copying_store, report=_tell_nobody).digest
        assert (back.states(ADA), len(back.jobs())) == (source.states(ADA), 2)

    def test_a_closed_store_copies_nothing(self, copying_store: CopyingStore, source: InMemoryStore) -> None:
        copies = with_stems(all_of(source))
        copying_store.close()
        with pytest.raises(ClosedError):
            copying_store.dump(ADA, after=0, limit=1)
        with pytest.raises(ClosedError):
            copying_store.restore(ADA, copies)
        with pytest.raises(ClosedError):
            copying_store.known_users()

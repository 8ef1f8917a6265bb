"""What a store whose vectors can be made again promises."""

# ruff: noqa: D102, S101, PLR2004  (a test's name is its sentence, and it asserts)

from dataclasses import replace

import pytest

from recollect.errors import EmbedderMismatchError
from recollect.protocols import Entry, Store, VectorMaintenance
from recollect.testing.contract.fixtures import StoreFixtures, put, remove, with_words
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.fakes import ADA, BOB, entry_of, make_entry
from recollect.types.filters import EVERYTHING

NEW = "new-embedder"


def stage_all(store: VectorMaintenance, *, dim: int = 3, name: str = NEW) -> None:
    """Stage a vector for everything that has none yet."""
    missing = store.unstaged(name, limit=1_000)
    store.stage_vectors(name, [(key, words, bytes([len(words) % 100] * dim)) for key, words in missing])


class VectorContract(StoreFixtures):
    """Tests of ``VectorMaintenance``."""

    @pytest.fixture
    def embedded(self, store: Store) -> list[str]:
        """Two memories of Ada; Bob has one."""
        put(store, make_entry("his", scope=BOB))
        return put(store, make_entry("tea"), make_entry("milk"))

    @pytest.mark.usefixtures("embedded")
    def test_unstaged_lists_the_keys_and_words_of_all_users(self, vector_store: VectorMaintenance) -> None:
        missing = vector_store.unstaged(NEW, limit=10)
        assert sorted(content for _, content in missing) == ["his", "milk", "tea"]
        assert len(vector_store.unstaged(NEW, limit=2)) == 2

    @pytest.mark.usefixtures("embedded")
    def test_unstaged_goes_on_after_a_key(self, vector_store: VectorMaintenance) -> None:
        missing = vector_store.unstaged(NEW, limit=10)
        keys = [key for key, _ in missing]
        assert keys == sorted(keys)
        assert vector_store.unstaged(NEW, limit=1, after=keys[0]) == missing[1:2]
        vector_store.stage_vectors(NEW, [(*missing[1], b"abc")])
        assert vector_store.unstaged(NEW, limit=10) == [missing[0], missing[2]]
        assert vector_store.unstaged(NEW, limit=10, after=keys[0]) == missing[2:]
        assert vector_store.unstaged(NEW, limit=10, after=keys[2]) == []

    @pytest.mark.usefixtures("embedded")
    def test_progress_counts_what_is_staged_and_what_is_needed(self, vector_store: VectorMaintenance) -> None:
        assert vector_store.vector_progress(NEW) == (0, 3)
        [(key, words)] = vector_store.unstaged(NEW, limit=1)
        vector_store.stage_vectors(NEW, [(key, words, b"abc")])
        assert vector_store.vector_progress(NEW) == (1, 3)
        assert key not in [other for other, _ in vector_store.unstaged(NEW, limit=10)]

    def test_staging_changes_nothing_that_is_read(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        before = store.shadow_version(ADA), store.shadow(ADA, 0).rows.vectors.tolist()
        stage_all(vector_store)
        assert (store.shadow_version(ADA), store.shadow(ADA, 0).rows.vectors.tolist()) == before
        assert store.setting("embedder") is None
        assert store.count(ADA) == len(embedded)

    @pytest.mark.usefixtures("embedded")
    def test_promotion_waits_for_the_last_vector(self, store: Store, vector_store: VectorMaintenance) -> None:
        stage_all(vector_store)
        put(store, make_entry("late"))
        assert vector_store.promote_vectors(NEW, dim=3) is False
        assert store.setting("embedder") is None
        stage_all(vector_store)
        assert vector_store.promote_vectors(NEW, dim=3) is True

    @pytest.mark.usefixtures("embedded")
    def test_promotion_puts_the_new_vectors_in_place(
        self, store: Store, vector_store: VectorMaintenance
    ) -> None:
        stage_all(vector_store)
        vector_store.promote_vectors(NEW, dim=3)
        assert store.shadow(ADA, 0).rows.vectors.tolist() == [[3, 3, 3], [4, 4, 4]]
        assert (store.setting("embedder"), store.setting("dimensions")) == (NEW, "3")

    def test_promotion_resets_every_receiver_once(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        receivers = Receiver(ADA), Receiver(BOB)
        for receiver in receivers:
            receiver.refresh(store)
        stage_all(vector_store)
        vector_store.promote_vectors(NEW, dim=3)
        for scope, receiver in zip((ADA, BOB), receivers, strict=True):
            assert store.shadow_version(scope) > receiver.version
            assert receiver.refresh(store).reset is True
            again = receiver.refresh(store)
            assert (again.reset, again.rows.ids) == (False, [])
        assert receivers[0].ids == embedded

    def test_a_receiver_that_starts_after_a_promotion_is_not_reset_for_ever(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        stage_all(vector_store)
        vector_store.promote_vectors(NEW, dim=3)
        receiver = Receiver()
        receiver.refresh(store)
        put(store, make_entry("new", dim=3))
        delta = receiver.refresh(store)
        assert (delta.reset, len(delta.rows.ids)) == (False, 1)
        assert len(receiver.ids) == len(embedded) + 1

    @pytest.mark.usefixtures("embedded")
    def test_staging_for_another_name_drops_what_was_staged(self, vector_store: VectorMaintenance) -> None:
        stage_all(vector_store, name="first")
        [(key, words)] = vector_store.unstaged("second", limit=1)
        vector_store.stage_vectors("second", [(key, words, b"abc")])
        assert vector_store.vector_progress("first") == (0, 3)
        assert vector_store.vector_progress("second") == (1, 3)
        assert vector_store.promote_vectors("first", dim=3) is False

    def test_a_memory_whose_words_changed_needs_its_vector_again(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        stage_all(vector_store)
        store.update(ADA, embedded[:1], lambda record: entry_of(with_words(record, "coffee")))
        assert [content for _, content in vector_store.unstaged(NEW, limit=10)] == ["coffee"]
        assert vector_store.promote_vectors(NEW, dim=3) is False

    def test_a_memory_that_comes_back_needs_its_vector_again(
        self, recovering_store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        stage_all(vector_store)
        remove(recovering_store, embedded[0])
        back = recovering_store.recover(
            ADA, embedded[:1], lambda record: entry_of(with_words(record, "coffee"))
        )
        assert [record.content for record in back if record] == ["coffee"]
        assert [words for _, words in vector_store.unstaged(NEW, limit=10)] == ["coffee"]

    def test_a_vector_of_words_changed_meanwhile_is_passed_over(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        missing = vector_store.unstaged(NEW, limit=10)
        store.update(ADA, embedded[:1], lambda record: entry_of(with_words(record, "coffee")))
        vector_store.stage_vectors(NEW, [(key, words, b"abc") for key, words in missing])
        assert [words for _, words in vector_store.unstaged(NEW, limit=10)] == ["coffee"]
        assert vector_store.promote_vectors(NEW, dim=3) is False

    def test_deleted_memories_need_no_vector(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        missing = vector_store.unstaged(NEW, limit=10)
        remove(store, embedded[0])
        vector_store.stage_vectors(NEW, [(key, words, b"abc") for key, words in missing if words != "tea"])
        assert vector_store.vector_progress(NEW) == (2, 2)
        assert vector_store.promote_vectors(NEW, dim=3) is True

    def test_a_vector_staged_for_a_memory_gone_meanwhile_is_no_error(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        missing = vector_store.unstaged(NEW, limit=10)
        remove(store, embedded[0])
        store.purge(ADA)
        vector_store.stage_vectors(NEW, [(key, words, b"abc") for key, words in missing])
        assert vector_store.vector_progress(NEW) == (2, 2)
        assert vector_store.promote_vectors(NEW, dim=3) is True
        assert store.shadow(ADA, 0).rows.ids == [embedded[1]]

    def test_an_empty_store_is_promoted_at_once(self, store: Store, vector_store: VectorMaintenance) -> None:
        assert vector_store.promote_vectors(NEW, dim=3) is True
        assert store.setting("embedder") == NEW
        assert store.match(ADA, EVERYTHING).shape == (0,)

    @pytest.mark.usefixtures("embedded")
    def test_vectors_of_another_size_are_not_promoted(
        self, store: Store, vector_store: VectorMaintenance
    ) -> None:
        stage_all(vector_store, dim=5)
        assert not vector_store.promote_vectors(NEW, dim=3)
        assert store.setting("embedder") is None

    @pytest.mark.usefixtures("embedded")
    def test_staging_another_size_drops_what_was_staged(self, vector_store: VectorMaintenance) -> None:
        [one] = vector_store.unstaged(NEW, limit=1)
        vector_store.stage_vectors(NEW, [(*one, bytes(5))])
        [*_, other] = vector_store.unstaged(NEW, limit=10)
        vector_store.stage_vectors(NEW, [(*other, bytes(3))])
        assert vector_store.vector_progress(NEW) == (1, 3)

    def test_a_vector_by_another_embedder_is_refused_whole(
        self, store: Store, vector_store: VectorMaintenance, embedded: list[str]
    ) -> None:
        stage_all(vector_store)
        assert vector_store.promote_vectors(NEW, dim=3)
        for maker, dim in (("old", 3), (NEW, 5)):
            entry = made_by(make_entry("late", dim=dim), maker)
            with pytest.raises(EmbedderMismatchError):
                store.add(ADA, [made_by(make_entry("first", dim=3), NEW), entry])
            with pytest.raises(EmbedderMismatchError):
                store.update(ADA, embedded, lambda record, entry=entry: replace(entry, record=record))  # type: ignore[misc]
        assert [record.content for record in store.find(ADA, EVERYTHING)] == ["tea", "milk"]


def made_by(entry: Entry, embedder: str) -> Entry:
    """The entry with its features marked as made by an embedder."""
    assert entry.features is not None
    return replace(entry, features=replace(entry.features, embedder=embedder))

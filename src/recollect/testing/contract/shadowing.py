"""What ``shadow`` and ``shadow_version`` promise to readers that keep a copy of the columns."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.protocols import Entry, Profile, ShadowDelta, ShadowRows, Store
from recollect.testing.contract.adding import complete_record
from recollect.testing.contract.changing import praised, upper
from recollect.testing.contract.fixtures import StoreFixtures, put, remove
from recollect.testing.fakes import ADA, NOON, entry_of, make_entry, make_features
from recollect.types import Scope
from recollect.types.codec import to_micros
from recollect.types.filters import EVERYTHING

COLUMN_TYPES: Final = {
    **dict.fromkeys(("keys", "happened", "valid_from", "valid_until", "accessed"), np.dtype(np.int64)),
    **dict.fromkeys(
        ("importance", "confidence", "useful", "unhelpful", "usage", "access", "decay"), np.dtype(np.float32)
    ),
    **dict.fromkeys(("turns", "lengths", "traits", "outline_lengths"), np.dtype(np.int32)),
    "vectors": np.dtype(np.int8),
    "terms": np.dtype(np.uint32),
    "outlines": np.dtype(np.uint32),
    "counts": np.dtype(np.uint8),
}
"""The type of every column that is an array."""

ShadowRow = tuple[object, ...]
"""All columns of one memory but its key."""


def rows_by_key(rows: ShadowRows) -> dict[int, ShadowRow]:
    """The columns as one tuple a memory, id first."""
    terms, counts = cut(rows.terms, rows.lengths), cut(rows.counts, rows.lengths)
    outlines = cut(rows.outlines, rows.outline_lengths)
    lists: list[list[Any]] = [rows.ids, [rows.profiles[place] for place in rows.profile_of]]
    numbers: list[NDArray[Any]] = [rows.turns, rows.happened, rows.valid_from, rows.valid_until]
    numbers += [rows.importance, rows.confidence, rows.useful, rows.unhelpful, rows.traits]
    numbers += [rows.accessed, rows.usage, rows.access, rows.decay]
    vectors = map(tuple, rows.vectors.tolist())
    parts = zip(
        *lists, *(column.tolist() for column in numbers), vectors, terms, counts, outlines, strict=True
    )
    return dict(zip(rows.keys.tolist(), parts, strict=True))


def cut(flat: NDArray[Any], lengths: NDArray[np.int32]) -> list[tuple[int, ...]]:
    """What belongs to each memory of a column that holds those of all one after the other."""
    ends = np.cumsum(lengths)
    return [tuple(flat[end - n : end].tolist()) for end, n in zip(ends, lengths, strict=True)]


class Receiver:
    """A copy of one user's shadow, kept up to date by deltas alone."""

    def __init__(self, scope: Scope = ADA) -> None:
        self.version = 0
        self.rows: dict[int, ShadowRow] = {}
        self._scope = scope

    @property
    def ids(self) -> list[str]:
        """The ids it knows, sorted."""
        return sorted(str(row[0]) for row in self.rows.values())

    def refresh(self, store: Store) -> ShadowDelta:
        """Ask for what changed since the last time."""
        delta = store.shadow(self._scope, self.version)
        if delta.reset:
            self.rows.clear()
        for key in delta.removed.tolist():
            self.rows.pop(key, None)
        self.rows |= rows_by_key(delta.rows)
        self.version = delta.version
        return delta


class ShadowContract(StoreFixtures):
    """Tests of the shadow."""

    def test_the_columns_hold_what_the_record_and_its_features_say(self, store: Store) -> None:
        record = complete_record()
        features = make_features(record.content)
        put(store, entry_of(record))
        rows = store.shadow(ADA, 0).rows
        assert rows.ids == [record.id]
        assert rows.profiles == [
            Profile(
                thread="t",
                agent="tutor",
                session="monday",
                kind="fact",
                role="assistant",
                speaker="Léa",
                tier=record.tier,
            )
        ]
        assert rows.happened.tolist() == [to_micros(record.times.happened_at)]
        assert rows.valid_from.tolist() == [to_micros(NOON.replace(year=1))]
        assert rows.valid_until.tolist() == [to_micros(NOON.replace(year=9999))]
        assert rows.importance.tolist() == [float(np.float32(0.1))]
        assert rows.confidence.tolist() == [float(np.float32(1 / 3))]
        assert (rows.useful.tolist(), rows.unhelpful.tolist()) == ([2.0], [1.0])
        assert rows.vectors.tobytes() == features.vector
        assert (rows.terms.astype("<u4").tobytes(), rows.counts.tobytes()) == (
            features.terms,
            features.counts,
        )
        assert rows.accessed.tolist() == [to_micros(record.times.accessed_at or record.times.created_at)]
        assert (rows.usage.tolist(), rows.access.tolist()) == (
            [record.use.usage_count],
            [record.use.access_count],
        )
        assert rows.decay.tolist() == [float(np.float32(record.use.decay_factor))]
        assert rows.outlines.astype("<u4").tobytes() == features.terms

    def test_an_update_replaces_what_a_memory_is_about_even_when_its_words_stay(self, store: Store) -> None:
        entry, other = make_entry("tea with milk"), make_entry("bread")
        put(store, entry, other)
        about = np.array([2, 5], "<u4").tobytes()
        store.update(
            ADA, [entry.record.id], lambda record: Entry(record=record, features=None, outline=about)
        )
        found = rows_by_key(store.shadow(ADA, 0).rows)
        assert {row[0]: row[-1] for row in found.values()} == {
            entry.record.id: (2, 5),
            other.record.id: tuple(np.frombuffer(other.outline, "<u4").tolist()),
        }

    def test_what_a_record_leaves_out_has_its_fallback(self, store: Store) -> None:
        put(store, make_entry())
        rows = store.shadow(ADA, 0).rows
        (profile,) = rows.profiles
        assert (profile.thread, profile.agent, profile.session, profile.speaker) == ("", "", "", "")
        assert rows.valid_from.tolist() == rows.happened.tolist() == [to_micros(NOON)]
        assert rows.valid_until.tolist() == [np.iinfo(np.int64).max]

    def test_the_columns_have_the_types_and_shapes_promised(self, store: Store) -> None:
        for scope in (ADA, Scope(user_id="nobody")):
            put(store, make_entry("tea tea", dim=5), make_entry("", dim=5), make_entry("milk", dim=5))
            rows = store.shadow(scope, 0).rows
            n = len(rows.ids)
            assert {name: getattr(rows, name).dtype for name in COLUMN_TYPES} == COLUMN_TYPES
            flat = COLUMN_TYPES.keys() - {"vectors", "terms", "counts", "outlines"}
            assert {getattr(rows, name).shape for name in flat} == {(n,)}
            assert (rows.vectors.ndim, len(rows.vectors)) == (2, n)
            assert len(rows.terms) == len(rows.counts) == rows.lengths.sum()

    def test_keys_ascend_in_the_order_of_adding(self, store: Store) -> None:
        entries = [make_entry() for _ in range(5)]
        ids = put(store, *reversed(entries))
        rows = store.shadow(ADA, 0).rows
        assert rows.ids == ids
        assert rows.keys.tolist() == sorted(set(rows.keys.tolist()))

    def test_a_delta_holds_only_what_was_added_and_changed_since(self, store: Store) -> None:
        receiver = Receiver()
        old, _ = put(store, make_entry("old"), make_entry("quiet"))
        receiver.refresh(store)
        [new] = put(store, make_entry("new"))
        store.update(ADA, [old], praised)
        delta = receiver.refresh(store)
        assert delta.rows.ids == [old, new]
        assert delta.rows.useful.tolist() == [1.0, 0.0]
        assert (delta.removed.tolist(), delta.reset) == ([], False)

    def test_a_delta_names_the_keys_removed_since(self, store: Store) -> None:
        receiver = Receiver()
        ids = put(store, make_entry("a"), make_entry("b"))
        receiver.refresh(store)
        [key] = [key for key, row in receiver.rows.items() if row[0] == ids[0]]
        remove(store, ids[0])
        delta = receiver.refresh(store)
        assert (delta.rows.ids, delta.removed.tolist()) == ([], [key])
        assert delta.removed.dtype == np.int64
        assert receiver.ids == [ids[1]]

    def test_a_receiver_that_missed_a_delete_learns_of_it_after_the_purge(self, store: Store) -> None:
        receiver = Receiver()
        gone, kept = put(store, make_entry("gone"), make_entry("kept"))
        receiver.refresh(store)
        remove(store, gone)
        store.purge(ADA)
        receiver.refresh(store)
        assert receiver.ids == [kept]

    def test_a_receiver_that_missed_everything_ends_with_what_is_there(self, store: Store) -> None:
        receiver = Receiver()
        gone, kept = put(store, make_entry("gone"), make_entry("kept"))
        store.update(ADA, [gone, kept], upper)
        remove(store, gone)
        receiver.refresh(store)
        assert receiver.ids == [kept]

    def test_nothing_new_is_an_empty_delta_of_the_same_version(self, store: Store) -> None:
        put(store, make_entry())
        version = store.shadow(ADA, 0).version
        delta = store.shadow(ADA, version)
        assert (delta.version, delta.rows.ids, delta.removed.tolist(), delta.reset) == (
            version,
            [],
            [],
            False,
        )

    def test_the_version_is_what_the_next_shadow_leads_to(self, store: Store) -> None:
        assert store.shadow(ADA, 0).version == store.shadow_version(ADA)
        put(store, make_entry())
        assert store.shadow(ADA, 0).version == store.shadow_version(ADA) > 0

    def test_every_write_raises_the_version(self, store: Store) -> None:
        versions = [store.shadow_version(ADA)]
        ids = put(store, make_entry())
        versions.append(store.shadow_version(ADA))
        store.update(ADA, ids, praised)
        versions.append(store.shadow_version(ADA))
        store.delete(ADA, EVERYTHING)
        versions.append(store.shadow_version(ADA))
        assert versions == sorted(set(versions))

    def test_the_version_never_falls_not_even_by_a_purge(self, store: Store) -> None:
        remove(store, *put(store, make_entry()))
        before = store.shadow_version(ADA)
        store.purge(ADA)
        assert store.shadow_version(ADA) >= before
        put(store, make_entry())
        assert store.shadow_version(ADA) > before

    def test_a_change_of_scope_columns_reaches_the_receiver(self, store: Store) -> None:
        receiver = Receiver()
        ids = put(store, make_entry())
        receiver.refresh(store)
        store.update(
            ADA,
            ids,
            lambda r: replace(entry_of(replace(r, kind="fact", worth=replace(r.worth, importance=1.0)))),
        )
        rows = receiver.refresh(store).rows
        assert (rows.profiles[0].kind, rows.importance.tolist()) == ("fact", [1.0])

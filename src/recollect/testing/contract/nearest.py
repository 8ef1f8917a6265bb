"""What a store with a vector index promises."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from recollect.protocols import CandidateSearch, Entry, ShadowRows, TextSearch
from recollect.testing.contract.fixtures import NearestStore, StoreFixtures, put, remove
from recollect.testing.fakes import ADA, BOB, make_entry
from recollect.types import Scope
from recollect.types.filters import EVERYTHING, Filter, parse_filter

EAST, NORTH = (100, 0, 0, 0, 0, 0, 0, 0), (0, 100, 0, 0, 0, 0, 0, 0)
MOSTLY_EAST, WEST = (50, 20, 0, 0, 0, 0, 0, 0), (-90, 0, 0, 0, 0, 0, 0, 0)


def pointing(content: str, vector: Sequence[int], *, scope: Scope = ADA, thread: str = "") -> Entry:
    """An entry with a vector."""
    entry = make_entry(content, scope=scope, thread=thread)
    assert entry.features is not None
    made = np.array(vector, np.int8).tobytes()
    return replace(entry, features=replace(entry.features, vector=made))


def near(
    store: NearestStore,
    vector: Sequence[int],
    *,
    limit: int = 10,
    scope: Scope = ADA,
    where: Filter = EVERYTHING,
) -> list[str]:
    """The contents that a vector search finds, best first."""
    rows = store.shadow(scope, 0).rows
    ids = dict(zip(rows.keys.tolist(), rows.ids, strict=True))
    asked = np.array(vector, np.float32) / max(1.0, float(np.linalg.norm(vector)))
    keys = store.search_vector(scope, asked.astype(np.float32), limit=limit, where=where)
    assert keys.dtype == np.int64
    return [record.content for record in store.get(scope, [ids[key] for key in keys.tolist()]) if record]


def together(
    store: NearestStore,
    stems: Sequence[str],
    vector: Sequence[int],
    *,
    limit: int = 2,
    scope: Scope = ADA,
    where: Filter = EVERYTHING,
) -> list[str]:
    """What is found at once."""
    assert isinstance(store, CandidateSearch)
    asked = np.array(vector, np.float32)
    rows = store.search_candidates(scope, stems, asked, limit=limit, around=1, where=where)
    return _contents(store, scope, rows)


def one_by_one(
    store: NearestStore, stems: Sequence[str], vector: Sequence[int], *, scope: Scope, where: Filter
) -> list[str]:
    """The same, asked for in three steps."""
    assert isinstance(store, TextSearch)
    asked = np.array(vector, np.float32)
    keys = np.union1d(
        store.search_text(scope, stems, limit=2, where=where),
        store.search_vector(scope, asked, limit=2, where=where),
    )
    return _contents(store, scope, store.shadow_of(scope, keys, around=1))


def _contents(store: NearestStore, scope: Scope, rows: ShadowRows) -> list[str]:
    """Of the rows, in the order of their keys; those of other agents, too."""
    assert rows.keys.tolist() == sorted(rows.keys.tolist())
    found = store.get(Scope(user_id=scope.user_id), rows.ids)
    return sorted(record.content for record in found if record)


class NearestContract(StoreFixtures):
    """Tests of ``VectorSearch``."""

    def test_the_most_alike_come_first_whatever_their_lengths(self, nearest_store: NearestStore) -> None:
        put(
            nearest_store,
            pointing("north", NORTH),
            pointing("mostly east", MOSTLY_EAST),
            pointing("west", WEST),
            pointing("east", EAST),
        )
        assert near(nearest_store, EAST) == ["east", "mostly east", "north", "west"]
        assert near(nearest_store, NORTH, limit=2) == ["north", "mostly east"]
        assert near(nearest_store, EAST, limit=0) == []

    def test_nothing_is_like_zeros(self, nearest_store: NearestStore) -> None:
        put(nearest_store, pointing("north", NORTH), pointing("nowhere", [0] * 8))
        assert near(nearest_store, [0] * 8) == []
        assert near(nearest_store, EAST) == ["north"]

    def test_candidates_are_what_words_and_vectors_find_with_their_neighbours(
        self, nearest_store: NearestStore
    ) -> None:
        if not isinstance(nearest_store, CandidateSearch):
            pytest.skip(f"{type(nearest_store).__name__} is asked for words and for vectors one by one")
        tutor = Scope(user_id="ada", agent_id="tutor")
        talk = [pointing(f"word {n}", WEST, thread="t") for n in range(9)]
        talk[3], talk[7] = pointing("tea", WEST, thread="t"), pointing("said", EAST, thread="t", scope=tutor)
        [*_, gone] = put(nearest_store, *talk, pointing("tea milk", EAST), pointing("tea", EAST))
        put(nearest_store, pointing("tea", EAST, scope=BOB))
        remove(nearest_store, gone)
        for scope in (ADA, tutor, BOB, Scope(user_id="eve")):
            for where in (EVERYTHING, parse_filter({"content": {"contains": "tea"}})):
                for stems in (["tea"], ["unheard"], []):
                    for vector in (EAST, [0] * 8):
                        found = together(nearest_store, stems, vector, scope=scope, where=where)
                        assert found == one_by_one(nearest_store, stems, vector, scope=scope, where=where)
        few = together(nearest_store, ["tea"], EAST, limit=1)
        assert few == ["said", "tea", "word 2", "word 4", "word 6", "word 8"]

    def test_vectors_are_found_within_the_scope_and_the_filter(self, nearest_store: NearestStore) -> None:
        tutor = Scope(user_id="ada", agent_id="tutor")
        put(nearest_store, pointing("his", EAST, scope=BOB))
        [gone, *_] = put(
            nearest_store, pointing("gone", EAST), pointing("told", EAST, scope=tutor), pointing("own", NORTH)
        )
        remove(nearest_store, gone)
        assert near(nearest_store, EAST) == ["told", "own"]
        assert near(nearest_store, EAST, scope=tutor) == ["told"]
        assert near(nearest_store, EAST, where=parse_filter({"agent_id": "none"})) == []
        assert near(nearest_store, EAST, where=parse_filter({"content": "own"})) == ["own"]
        assert near(nearest_store, EAST, scope=BOB) == ["his"]
        assert near(nearest_store, EAST, scope=Scope(user_id="eve")) == []

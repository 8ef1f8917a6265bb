import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.retrieval import vectors as module
from recollect.retrieval.vectors import VectorColumn, quantise


def unit(rows):
    norm = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / np.where(norm > 0, norm, 1)


def test_the_cosine_of_quantised_vectors_is_close_to_the_true_one():
    random = np.random.default_rng(7)
    vectors, query = unit(random.normal(size=(2_000, 256))), unit(random.normal(size=256))
    column = VectorColumn()
    column.append(quantise(vectors.astype(np.float32)))
    found = column.rough(query.astype(np.float32))
    assert np.abs(found - vectors @ query).max() < 0.005


@given(st.lists(st.integers(0, 700), max_size=5))
def test_rows_added_in_parts_compare_like_rows_added_at_once(sizes):
    rows = np.random.default_rng(3).integers(-127, 128, size=(sum(sizes), 8)).astype(np.int8)
    query = unit(np.arange(8, dtype=np.float32))
    whole, parts = VectorColumn(), VectorColumn()
    whole.append(rows)
    for part in np.split(rows, np.cumsum(sizes)[:-1] if sizes else []):
        parts.append(part)
    np.testing.assert_allclose(whole.rough(query), parts.rough(query), atol=1e-6)


@given(arrays(np.float32, (3, 5), elements=st.floats(-1, 1, width=32)))
def test_quantised_parts_fill_the_range_of_a_byte(vectors):
    for row, original in zip(quantise(vectors), vectors, strict=True):
        largest = np.abs(original).max()
        assert np.abs(row.astype(int)).max() == (127 if largest > 1e-20 else 0)


def test_a_zero_vector_is_like_nothing():
    column = VectorColumn()
    column.append(np.zeros((2, 4), np.int8))
    assert column.rough(np.array([1, 0, 0, 0], np.float32)).tolist() == [0, 0]


def test_a_query_of_another_size_is_like_nothing():
    column = VectorColumn()
    column.append(np.ones((2, 4), np.int8))
    assert column.rough(np.ones(3, np.float32)).tolist() == [0, 0]


def test_a_sketch_finds_the_nearest_and_sharpening_makes_them_exact(monkeypatch):
    random = np.random.default_rng(5)
    spread = 0.97 ** np.arange(256)
    vectors = unit(random.normal(size=(3_000, 256)) * spread).astype(np.float32)
    query = unit(random.normal(size=256) * spread).astype(np.float32)
    exact, sketched = VectorColumn(), VectorColumn()
    exact.append(quantise(vectors))
    monkeypatch.setattr(module, "EXACT_ROWS", 1_000)
    for part in np.split(quantise(vectors), 3):
        sketched.append(part)
    true, rough = exact.rough(query), sketched.rough(query)
    nearest, promising = np.argsort(-true)[:10], np.argsort(-rough)[:300]
    assert set(nearest) <= set(promising)
    assert np.abs(rough - true).max() > 1e-3
    sketched.sharpen(rough, promising.astype(np.int32), query)
    np.testing.assert_allclose(rough[promising], true[promising], atol=1e-6)


@given(st.lists(st.lists(st.integers(-1, 9), min_size=10, max_size=10), min_size=1, max_size=4))
def test_the_cosine_with_another_row_follows_when_the_other_row_changes(orders):
    rows = np.random.default_rng(4).integers(-127, 128, size=(10, 6)).astype(np.int8)
    column = VectorColumn()
    column.append(rows)
    cosines = unit(rows) @ unit(rows).T
    for order in orders:
        others = np.array(order, np.int32)
        found = column.alike(others)
        has = others >= 0
        np.testing.assert_allclose(found[has], cosines[np.flatnonzero(has), others[has]], atol=1e-5)


def test_the_cosine_with_another_row_is_there_for_rows_added_later():
    column = VectorColumn()
    column.append(np.array([[3, 4]], np.int8))
    assert column.alike(np.array([-1], np.int32)).tolist() == [0]
    column.append(np.array([[4, 3]], np.int8))
    np.testing.assert_allclose(column.alike(np.array([-1, 0], np.int32))[1], 0.96, atol=1e-6)


def test_the_sum_of_some_rows_is_of_their_unit_vectors():
    rows = np.random.default_rng(5).integers(-127, 128, size=(3000, 300)).astype(np.int8)
    column = VectorColumn()
    column.append(rows[:1000])
    column.append(rows[1000:])
    member = np.arange(3000) % 3 == 0
    np.testing.assert_allclose(column.total(member), unit(rows)[member].sum(axis=0), atol=1e-3)


@given(st.lists(st.tuples(st.integers(1, 60), st.sets(st.integers(0, 200))), max_size=5))
def test_a_sum_that_follows_new_rows_and_members_is_the_same_as_a_fresh_one(parts):
    random = np.random.default_rng(5)
    grown, rows = VectorColumn(), np.empty((0, 8), np.int8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK_BYTES", 4 * 8 * 16)
        for size, gone in parts:
            added = random.integers(-127, 128, size=(size, 8)).astype(np.int8)
            grown.append(added)
            rows, fresh = np.concatenate([rows, added]), VectorColumn()
            fresh.append(rows)
            member = ~np.isin(np.arange(len(rows)), sorted(gone))
            assert grown.total(member).tolist() == fresh.total(member).tolist()

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import StoreError
from recollect.retrieval import postings as module
from recollect.retrieval.postings import MAX_ROWS, Postings

_BATCHES = st.lists(
    st.dictionaries(
        st.tuples(st.integers(0, 200), st.sampled_from([0, 1, 7, 2**31, 2**32 - 1])),
        st.integers(1, 63),
        max_size=30,
    ),
    max_size=6,
)


@pytest.fixture(autouse=True)
def short_tail(monkeypatch):
    monkeypatch.setattr(module, "_SHORTEST_MERGE", 20)


@given(_BATCHES)
def test_every_posting_added_is_found_under_its_term(batches):
    index, expected = Postings(), {}
    for number, batch in enumerate(batches):
        shifted = {(row + 1000 * number, term): count for (row, term), count in batch.items()}
        expected |= shifted
        rows, terms = zip(*shifted, strict=True) if shifted else ((), ())
        counts = np.array(list(shifted.values()), np.uint8)
        index.add(np.array(rows, np.int32), np.array(terms, np.uint32), counts)
    for term in (0, 1, 7, 2**31, 2**32 - 1, 99):
        rows, counts = index.find(term)
        wanted = {row: count for (row, other), count in expected.items() if other == term}
        assert dict(zip(rows.tolist(), counts.tolist(), strict=True)) == wanted
    for terms in ([], [99], [0, 7], [0, 1, 7, 2**31, 2**32 - 1]):
        holding = Counter(row for row, other in expected if other in terms)
        rows, shared = index.shared(terms)
        assert Counter(rows.tolist()) == holding
        assert dict(zip(rows.tolist(), shared.tolist(), strict=True)) == holding


@given(
    st.lists(st.tuples(st.integers(0, MAX_ROWS - 1), st.integers(0, 2**32 - 1), st.integers(1, 63))),
    st.booleans(),
)
def test_many_postings_are_in_the_same_order_as_few(given, rows_ascend):
    rows, terms, counts = (
        zip(*sorted(given) if rows_ascend else given, strict=True) if given else ((), (), ())
    )
    postings = np.array(terms, np.uint64) << np.uint64(32) | np.array(rows, np.uint64) << np.uint64(6)
    postings |= np.array(counts, np.uint64)
    expected = np.sort(postings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MANY", 0)
        module._sort(postings, rows_ascend=rows_ascend)
    assert postings.tolist() == expected.tolist()


def test_a_row_beyond_the_limit_is_refused():
    with pytest.raises(StoreError, match="split them"):
        Postings().add(np.array([MAX_ROWS], np.int32), np.array([1], np.uint32), np.array([1], np.uint8))

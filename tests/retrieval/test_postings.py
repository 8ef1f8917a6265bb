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
    st.dictionaries(
        st.tuples(st.integers(0, 500), st.integers(0, 15)), st.integers(1, 63), min_size=25, max_size=200
    ),
    st.sampled_from([0, 10_000]),
    st.sampled_from([8, 1 << 20]),
)
def test_postings_are_found_the_same_before_and_after_they_are_ordered(given, many, at_once):
    index = Postings()
    rows, terms = (np.array(numbers) for numbers in zip(*sorted(given), strict=True))
    index.add(
        rows.astype(np.int32),
        terms.astype(np.uint32) << 28,
        np.array([given[one] for one in sorted(given)], np.uint8),
    )
    asked = [number << 28 for number in range(16)]
    before = index.find_each(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MANY", many)
        patch.setattr(module, "_SORTED_AT_ONCE", at_once)
        patch.setattr(module, "_LOOKED_FOR", 0)
        after = index.find_each(asked)
    assert [[part.tolist() for part in one] for one in after] == [
        [part.tolist() for part in one] for one in before
    ]


def test_a_row_beyond_the_limit_is_refused():
    with pytest.raises(StoreError, match="split them"):
        Postings().add(np.array([MAX_ROWS], np.int32), np.array([1], np.uint32), np.array([1], np.uint8))

"""Which places of a search documents take."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.retrieval.placement import SHARE, placed
from recollect.types import MemoryRecord, Recollection, Scope, Times

NOW = datetime(2026, 5, 4, tzinfo=UTC)
scores = st.lists(st.floats(0, 1), max_size=12).map(lambda values: sorted(values, reverse=True))


def hits(values, kind):
    return [
        Recollection(
            memory=MemoryRecord(
                id=f"{kind}-{place}",
                scope=Scope(user_id="ada"),
                content="tea",
                kind=kind,
                times=Times(created_at=NOW, happened_at=NOW, updated_at=NOW),
            ),
            score=score,
            signals={"words": score},
            terms={"words": score},
        )
        for place, score in enumerate(values)
    ]


def placed_ids(said, written, **more):
    return [hit.id for hit in placed(hits(said, "message"), hits(written, "document"), **more)]


def test_a_document_stands_first_when_it_fits_best():
    assert placed_ids([0.5, 0.4], [0.6]) == ["document-0", "message-0", "message-1"]


def test_a_document_that_fits_less_than_the_best_of_what_was_said_stands_behind_all_of_it():
    assert placed_ids([0.5, 0.1], [0.4]) == ["message-0", "message-1", "document-0"]


def test_of_three_places_documents_take_one():
    found = placed_ids([0.3] * 5, [0.9] * 3)
    assert [place for place, one in enumerate(found) if one.startswith("document")] == [0, 3, 6]


def test_without_anything_said_documents_take_all_places():
    assert placed_ids([], [0.2, 0.1]) == ["document-0", "document-1"]


@given(scores, scores)
def test_every_hit_comes_once_and_no_score_rises(said, written):
    found = list(placed(hits(said, "message"), hits(written, "document")))
    assert sorted(hit.id for hit in found) == sorted(
        hit.id for hit in hits(said, "message") + hits(written, "document")
    )
    values = [hit.score for hit in found]
    assert values == sorted(values, reverse=True)
    assert all(sum(hit.terms.values()) == pytest.approx(hit.score) for hit in found)
    assert all(hit.terms.keys() == hit.signals.keys() for hit in found)


@given(scores, scores, st.integers(0, 12))
def test_knowing_more_changes_no_place_before(said, written, known):
    everything = placed_ids(said, written)
    some = placed_ids(said[:known], written, is_all=known >= len(said))
    if known:
        assert everything[: len(some)] == some


@given(scores, scores)
def test_while_memories_are_left_documents_take_their_share_at_most(said, written):
    found = placed_ids(said, written)
    last = max((place for place, one in enumerate(found) if one.startswith("message")), default=-1)
    for end in range(1, last + 1):
        taken = sum(one.startswith("document") for one in found[:end])
        assert taken <= -(-end // SHARE)

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect import Memory
from recollect.lifecycle.relationship import Acquaintance, relationship_stage
from recollect.retrieval.scoring import Retrieval

ORDER = ["NEW", "DEVELOPING", "COMFORTABLE", "TRUSTED"]
counts, days = st.integers(0, 100), st.floats(0, 1_000)


@given(counts, counts, days, days)
def test_more_sessions_over_more_days_never_lead_back(sessions, more, length, longer):
    before, after = relationship_stage(sessions, length), relationship_stage(sessions + more, length + longer)
    assert ORDER.index(before) <= ORDER.index(after)


@table(
    "sessions, length, stage",
    [
        (0, 0, "NEW"), (1, 0, "NEW"), (2, 0, "DEVELOPING"), (50, 6.9, "DEVELOPING"), (5, 7, "COMFORTABLE"),
        (4, 400, "DEVELOPING"), (19, 400, "COMFORTABLE"), (20, 29, "COMFORTABLE"), (20, 30, "TRUSTED"),
    ],
)  # fmt: skip
def test_the_rule(sessions, length, stage):
    assert relationship_stage(sessions, length) == stage


@pytest.fixture
def memory():
    with Memory(":memory:") as made:
        yield made


def say(memory, session, day, *, user="ada", role="user"):
    memory.add(
        {"role": role, "content": f"Hello {session} {day}"},
        user_id=user,
        session_id=session,
        timestamp=datetime(2026, 5, day, tzinfo=UTC),
    )


def test_nobody_is_known_who_never_spoke(memory):
    assert memory.graph.acquaintance(user_id="ada") == Acquaintance()
    say(memory, "monday", 4, role="assistant")
    assert memory.graph.acquaintance(user_id="ada").sessions == 0


def test_sessions_are_counted_and_what_lies_outside_of_them_by_days(memory):
    for session, day in [("a", 1), ("a", 1), ("b", 3), (None, 5), (None, 5), (None, 6)]:
        say(memory, session, day)
    found = memory.graph.acquaintance(user_id="ada")
    assert found.sessions == 4
    assert found.first_at == datetime(2026, 5, 1, tzinfo=UTC)
    assert found.last_at == datetime(2026, 5, 6, tzinfo=UTC)
    assert found.stage == "DEVELOPING"


def test_the_session_that_has_begun_can_be_left_out(memory):
    say(memory, "a", 1)
    say(memory, "b", 9)
    found = memory.graph.acquaintance(user_id="ada", without_session="b")
    assert (found.sessions, found.last_at) == (1, datetime(2026, 5, 1, tzinfo=UTC))
    assert memory.graph.acquaintance(user_id="ada", without_session="unknown").sessions == 2


def test_deleted_memories_and_other_users_do_not_count(memory):
    say(memory, "a", 1)
    say(memory, "b", 2, user="bob")
    assert memory.graph.acquaintance(user_id="ada").sessions == 1
    memory.delete_all(user_id="ada")
    assert memory.graph.acquaintance(user_id="ada").stage == "NEW"


def test_a_user_too_large_for_a_shadow_is_known_as_well(tmp_path):
    with Memory(tmp_path / "a.db", retrieval=Retrieval(shadow_limit_mb=1)) as memory:
        memory.add([f"note {number}" for number in range(2_000)], user_id="ada", session_id="long")
        assert memory.graph.acquaintance(user_id="ada").sessions == 1

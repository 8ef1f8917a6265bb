from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.lifecycle.importance_history import importance_over_time
from recollect.lifecycle.use import KEPT_REINFORCEMENTS, importance_at, reinforced, used
from recollect.testing import NOON, make_entry
from recollect.types import Change, MemoryRecord, Worth

WEEK = timedelta(weeks=1)


def memory(importance: float = 0.8, *, critical: bool = False) -> MemoryRecord:
    from dataclasses import replace

    return replace(make_entry("tea").record, worth=Worth(importance=importance, critical=critical))


def later(weeks: float) -> datetime:
    return NOON + weeks * WEEK


def test_a_memory_fades_from_when_it_was_stored() -> None:
    assert importance_at(memory(), later(0.9)) == 0.8
    assert importance_at(memory(), later(2)) == pytest.approx(0.8 * 0.95**2)


def test_a_critical_memory_does_not_fade() -> None:
    assert importance_at(memory(critical=True), later(500)) == 0.8


def test_use_counts_keeps_what_is_left_and_starts_the_fading_anew() -> None:
    after = used(memory(), later(2))
    left = 0.8 * 0.95**2
    assert (after.use.usage_count, after.times.accessed_at) == (1, later(2))
    assert after.worth.importance == pytest.approx(left)
    assert importance_at(after, later(2.9)) == pytest.approx(left)
    assert importance_at(after, later(3)) == pytest.approx(left * 0.95)


def test_a_reinforcement_adds_a_fifth_of_what_is_left() -> None:
    after = reinforced(memory(), later(2), reason="it helped")
    assert after is not None
    assert after.worth.importance == pytest.approx(0.8 * 0.95**2 * 1.2)
    assert after.use.reinforced_count == 1
    [kept] = after.use.reinforcements
    assert (kept.at, kept.reason) == (later(2), "it helped")


def test_a_second_reinforcement_within_the_hour_is_none() -> None:
    once = reinforced(memory(0.5), NOON, reason=None)
    assert once is not None
    assert reinforced(once, NOON + timedelta(minutes=59), reason=None) is None
    twice = reinforced(once, NOON + timedelta(minutes=60), reason=None)
    assert twice is not None
    assert twice.worth.importance == pytest.approx(0.5 * 1.2 * 1.2)


def test_only_the_latest_reinforcements_stand_in_the_record() -> None:
    record = memory()
    for hour in range(KEPT_REINFORCEMENTS + 5):
        after = reinforced(record, NOON + timedelta(hours=hour), reason=str(hour))
        assert after is not None
        record = after
    assert record.use.reinforced_count == KEPT_REINFORCEMENTS + 5
    assert [kept.reason for kept in record.use.reinforcements] == [
        str(hour) for hour in range(5, KEPT_REINFORCEMENTS + 5)
    ]


def test_a_clock_that_runs_back_moves_no_anchor() -> None:
    after = used(used(memory(), later(2)), later(1))
    assert after.times.accessed_at == later(2)
    assert after.use.usage_count == 2


_importances = st.floats(0, 1)
_steps = st.lists(st.tuples(st.booleans(), st.floats(0, 60)), max_size=8)


@given(_importances, st.booleans(), _steps)
def test_whatever_happens_an_importance_stays_in_bounds_and_reading_changes_nothing(
    importance: float, critical: bool, steps: list[tuple[bool, float]]
) -> None:
    record, weeks = memory(importance, critical=critical), 0.0
    for reinforce, passed in steps:
        weeks += passed
        read = [importance_at(record, later(weeks)) for _ in range(2)]
        assert read[0] == read[1]
        assert 0 <= read[0] <= record.worth.importance <= 1
        after = reinforced(record, later(weeks), reason=None) if reinforce else used(record, later(weeks))
        if after is not None:
            assert after.worth.importance >= read[0]
            record = after
    assert 0 <= record.worth.importance <= 1


@given(_importances, st.lists(st.floats(0, 500), min_size=2, max_size=6).map(sorted))
def test_what_is_left_never_rises_while_nobody_uses_it(importance: float, weeks: list[float]) -> None:
    left = [importance_at(memory(importance), later(week)) for week in weeks]
    assert left == sorted(left, reverse=True)


def test_the_past_is_read_from_the_history() -> None:
    history = [
        Change(at=NOON, action="add", memory_id="m"),
        Change(
            at=later(4),
            action="update",
            memory_id="m",
            before={"worth.importance": 0.8, "times.accessed_at": None},
            after={},
        ),
    ]
    from dataclasses import replace

    now = memory(0.2)
    now = replace(now, times=replace(now.times, accessed_at=later(4)))
    moments = [later(weeks) for weeks in (-1, 0, 2, 3.9, 4, 6)]
    assert importance_over_time(now, history, moments) == pytest.approx(
        [0.8, 0.8, 0.8 * 0.95**2, 0.8 * 0.95**3, 0.2, 0.2 * 0.95**2]
    )


def test_without_a_history_it_is_as_it_is_now() -> None:
    assert importance_over_time(memory(), [], [NOON, later(1)]) == pytest.approx([0.8, 0.76])

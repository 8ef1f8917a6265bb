"""What happened when."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import InvalidInputError, Memory
from recollect.protocols import Moment
from recollect.sessions.timeline import GRAINS, PeriodGrain, make_timeline, start_of
from recollect.types import Within

moments = st.datetimes(timezones=st.just(UTC))


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder="hashing", timezone="Europe/Berlin") as opened:
        yield opened


def happened(memory: Memory, *days: str, kind: str = "episode") -> None:
    for day in days:
        memory.add(f"on {day}", user_id="ada", kind=kind, timestamp=day)


def test_memories_stand_in_the_order_in_which_they_happened(memory: Memory) -> None:
    happened(memory, "2026-05-03", "2026-05-01", "2026-05-02")
    found = memory.timeline(user_id="ada")
    assert [one.content for one in found.memories] == ["on 2026-05-01", "on 2026-05-02", "on 2026-05-03"]
    assert (found.total, memory.timeline(user_id="bob").total) == (3, 0)


def test_periods_count_what_the_limit_leaves_out(memory: Memory) -> None:
    happened(memory, "2026-05-01", "2026-05-01T12:00", "2026-07-01")
    found = memory.timeline(user_id="ada", limit=1, grain="month")
    assert [one.content for one in found.memories] == ["on 2026-07-01"]
    assert [(f"{one.start:%Y-%m}", dict(one.counts)) for one in found.periods] == [
        ("2026-05", {"episode": 2}),
        ("2026-07", {"episode": 1}),
    ]


def test_days_begin_where_the_memory_is(memory: Memory) -> None:
    happened(memory, "2026-05-01T22:30Z")
    (period,) = memory.timeline(user_id="ada", grain="day").periods
    assert period.start.isoformat() == "2026-05-02T00:00:00+02:00"


def test_kinds_and_times_narrow_it(memory: Memory) -> None:
    happened(memory, "2026-05-01", "2026-06-01")
    happened(memory, "2026-05-15", kind="message")
    assert memory.timeline(user_id="ada", within=Within(since="2026-05-10")).total == 1
    assert (
        memory.timeline(user_id="ada", kinds=["episode", "message"], within=Within(until="2026-05-20")).total
        == 2
    )


@pytest.mark.parametrize(
    "wrong", [{"grain": "decade"}, {"limit": 0}, {"within": Within(since="soon")}, {"kinds": ["dream"]}]
)
def test_a_wrong_argument_is_one_clear_error(memory: Memory, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        memory.timeline(user_id="ada", **wrong)


@given(st.lists(moments, max_size=20), st.sampled_from([None, *GRAINS]))
def test_every_memory_is_counted_in_the_period_it_lies_in(
    times: list[datetime], grain: PeriodGrain | None
) -> None:
    found_moments = [Moment(time, f"{number}", "message") for number, time in enumerate(times)]
    found = make_timeline(found_moments, grain=grain, zone=UTC, limit=100, read=lambda ids: [None] * len(ids))
    assert found.total == len(times)
    assert sum(sum(one.counts.values()) for one in found.periods) == len(times)
    assert [one.start for one in found.periods] == sorted({start_of(time, found.grain) for time in times})
    for before, after in zip(found.periods, found.periods[1:], strict=False):
        assert before.start < before.end <= after.start

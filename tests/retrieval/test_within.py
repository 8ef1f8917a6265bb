"""Where a question looks: ``Within`` means the same in every call that takes it."""

from datetime import timedelta

import pytest

from recollect import InvalidInputError, Labels, Memory, Within
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import NOON, FakeClock

DAY = timedelta(days=1)


@pytest.fixture(params=["sqlite", "reference"])
def memory(request, tmp_path):
    clock = FakeClock(NOON)
    store = InMemoryStore(clock=clock) if request.param == "reference" else tmp_path / "brain.db"
    with Memory(store, embedder="hashing", clock=clock) as made:
        yield made


@pytest.fixture
def ids(memory: Memory) -> dict[str, str]:
    """Four memories about a heron: an old one, one that ended, one archived, and a new one."""
    said = {"old": -9 * DAY, "ended": -6 * DAY, "archived": -3 * DAY, "new": -DAY}
    made = {
        name: str(memory.add(f"a heron, {name}", user_id="ada", timestamp=NOON + when)[0].id)
        for name, when in said.items()
    }
    memory.update(made["ended"], user_id="ada", valid_until=NOON - 4 * DAY)
    memory.update(made["archived"], user_id="ada", labels=Labels(tier="archived"))
    return made


CASES = {
    "since": (Within(since=NOON - 2 * DAY), {"new"}),
    "until": (Within(until=NOON - 5 * DAY), {"old"}),
    "as_of": (Within(as_of=NOON - 5 * DAY), {"old", "ended"}),
    "tiers": (Within(tiers=["archived"]), {"archived"}),
    "exclude_ids": (None, {"old"}),
    "several": (Within(since=NOON - 7 * DAY, as_of=NOON - 5 * DAY), {"ended"}),
}


@pytest.mark.parametrize("case", CASES)
def test_every_call_looks_in_the_same_place(memory: Memory, ids: dict[str, str], case: str) -> None:
    within, wanted = CASES[case]
    within = within or Within(exclude_ids=[ids["new"]])
    expected = {ids[name] for name in wanted}
    found = memory.search("heron", user_id="ada", within=within)
    assert {hit.id for hit in found} == expected
    assert {hit.id for hit in memory.context("heron", user_id="ada", within=within).included} == expected
    assert set(memory.lifecycle.candidates("heron", user_id="ada", within=within).ids()) == expected
    for memory_id in ids.values():
        why = memory.explain(memory_id, user_id="ada", query="heron", within=within)
        assert (why.rank is not None) == (memory_id in expected)


LISTED = {
    "since": {"new"},
    "until": {"old", "ended"},
    "as_of": {"old", "ended"},
    "tiers": {"archived"},
    "exclude_ids": {"old", "ended", "archived"},
    "several": {"ended"},
}


@pytest.mark.parametrize("case", CASES)
def test_lists_look_there_too_at_all_tiers_and_at_what_ended(
    memory: Memory, ids: dict[str, str], case: str
) -> None:
    within = CASES[case][0] or Within(exclude_ids=[ids["new"]])
    expected = {ids[name] for name in LISTED[case]}
    assert {one.id for one in memory.get_all(user_id="ada", within=within)} == expected
    assert memory.timeline(user_id="ada", kinds=["message"], within=within).total == len(expected)


def test_the_core_holds_at_a_moment_and_takes_no_span(memory: Memory) -> None:
    (said,) = memory.add(
        {"content": "Peanuts are deadly", "critical": True}, user_id="ada", timestamp=NOON - DAY
    )
    assert [one.found.id for one in memory.core("tea", user_id="ada").memories] == [said.id]
    assert not memory.core("tea", user_id="ada", within=Within(as_of=NOON - 2 * DAY)).memories
    assert not memory.core("tea", user_id="ada", within=Within(exclude_ids=[str(said.id)])).memories
    with pytest.raises(InvalidInputError, match="since and until"):
        memory.core("tea", user_id="ada", within=Within(since=NOON))


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        "2026",
        Within(since="soon"),
        Within(tiers="archived"),
        Within(exclude_ids="x"),
        Within(as_of=object()),
    ],  # type: ignore[arg-type]
)
def test_what_is_no_place_is_one_clear_error_in_every_call(memory: Memory, wrong: object) -> None:
    calls = (memory.search, memory.context, memory.core, memory.lifecycle.candidates)
    for call in (*[lambda call=call: call("tea", user_id="ada", within=wrong) for call in calls],
                 lambda: memory.get_all(user_id="ada", within=wrong),
                 lambda: memory.timeline(user_id="ada", within=wrong)):  # fmt: skip
        with pytest.raises(InvalidInputError):
            call()


def test_an_update_sets_only_the_labels_that_are_named(memory: Memory) -> None:
    (said,) = memory.add({"content": "tea at four", "tags": ["drinks"], "category": "habit"}, user_id="ada")
    changed = memory.update(str(said.id), user_id="ada", labels=Labels(importance=0.9))
    assert (changed.worth.importance, changed.labels.category) == (0.9, "habit")
    assert [tag.text for tag in changed.labels.tags][:1] == ["drinks"]

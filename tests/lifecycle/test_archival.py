from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.lifecycle.archival import ArchivalPolicy, resting_activation
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import NOON, FakeClock
from recollect.types import Labels, Within

DAY_S = 86_400
OFF = ArchivalPolicy(archive_after_days=None, min_activation=None, max_memories=None)


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture(params=["memory", "file"])
def memory(request, clock, tmp_path):
    store = InMemoryStore(clock=clock) if request.param == "memory" else tmp_path / "brain.db"
    with Memory(store, embedder="hashing", clock=clock) as opened:
        yield opened


def add(memory, words, **more):
    (result,) = memory.add({"content": words, **more}, user_id="ada")
    return result.id


def tiers(memory):
    return {record.content: record.tier for record in memory.get_all(user_id="ada")}


def test_what_nobody_used_for_ninety_days_is_archived_with_its_reason(memory, clock):
    old = add(memory, "the old boiler")
    clock.tick(60 * DAY_S)
    add(memory, "the new boiler")
    clock.tick(31 * DAY_S)
    tidied = memory.lifecycle.tidy(user_id="ada", policy=replace(OFF, archive_after_days=90))
    assert tidied.archived == {"archived: not used for more than 90 days": 1}
    assert tiers(memory) == {"the old boiler": "archived", "the new boiler": "long-term"}
    last = memory.history(old, user_id="ada")[-1]
    assert (last.reason, last.after["tier"]) == ("archived: not used for more than 90 days", "archived")


def test_use_keeps_a_memory_from_the_archive(memory, clock):
    used = add(memory, "the boiler")
    clock.tick(80 * DAY_S)
    memory.use(used, user_id="ada")
    clock.tick(80 * DAY_S)
    policy = replace(OFF, archive_after_days=90)
    assert memory.lifecycle.tidy(user_id="ada", policy=policy).archived == {}
    clock.tick(11 * DAY_S)
    assert sum(memory.lifecycle.tidy(user_id="ada", policy=policy).archived.values()) == 1


def test_a_low_activation_archives_and_importance_holds_it_up(memory, clock):
    add(memory, "chatter", importance=0.0)
    add(memory, "the diagnosis", importance=0.9)
    clock.tick(61 * DAY_S)
    tidied = memory.lifecycle.tidy(user_id="ada", policy=replace(OFF, min_activation=0.25))
    assert tidied.archived == {"archived: its activation at rest fell below 0.25": 1}
    assert tiers(memory) == {"chatter": "archived", "the diagnosis": "long-term"}


def test_beyond_the_most_memories_the_least_active_go_first(memory, clock):
    for n in range(5):
        add(memory, f"memory {n}", importance=0.5)
        clock.tick(DAY_S)
    tidied = memory.lifecycle.tidy(user_id="ada", policy=replace(OFF, max_memories=2))
    assert tidied.archived == {"archived: among the least active beyond 2 memories": 3}
    assert [n for n, tier in enumerate(tiers(memory).values()) if tier != "archived"] == [3, 4]


def test_what_other_rules_archive_makes_room_under_the_limit(memory, clock):
    add(memory, "ancient")
    clock.tick(100 * DAY_S)
    add(memory, "new")
    policy = ArchivalPolicy(archive_after_days=90, min_activation=None, max_memories=1)
    assert memory.lifecycle.tidy(user_id="ada", policy=policy).archived == {
        "archived: not used for more than 90 days": 1
    }


def test_critical_memories_stay_whatever_a_policy_says(memory, clock):
    add(memory, "allergic to nuts", critical=True)
    add(memory, "chatter", importance=0.0)
    clock.tick(1_000 * DAY_S)
    memory.lifecycle.tidy(user_id="ada", policy=ArchivalPolicy(max_memories=0, delete_after_days=0))
    assert tiers(memory)["allergic to nuts"] == "long-term"


def test_tidying_again_changes_nothing(memory, clock):
    for n in range(3):
        add(memory, f"memory {n}")
    clock.tick(200 * DAY_S)
    assert sum(memory.lifecycle.tidy(user_id="ada").archived.values()) == 3
    again = memory.lifecycle.tidy(user_id="ada")
    assert (again.archived, again.deleted) == ({}, 0)


def test_an_archived_memory_is_not_recalled_but_found_when_asked_for(memory):
    put_away = add(memory, "the blue bicycle is in the cellar")
    add(memory, "the red bicycle is in the yard")
    assert memory.archive(put_away, user_id="ada", reason="sold it").tier == "archived"
    assert [hit.memory.id for hit in memory.search("bicycle cellar", user_id="ada")] != [put_away]
    (hit,) = memory.search("bicycle cellar", user_id="ada", within=Within(tiers=["archived"]))
    assert hit.memory.id == put_away
    assert memory.history(put_away, user_id="ada")[-1].reason == "sold it"


def test_unarchiving_brings_a_memory_back_to_its_tier_and_counts_as_use(memory, clock):
    kept = add(memory, "the boiler")
    memory.update(kept, user_id="ada", labels=Labels(tier="short-term"))
    clock.tick(100 * DAY_S)
    memory.lifecycle.tidy(user_id="ada")
    back = memory.unarchive(kept, user_id="ada")
    assert (back.tier, back.times.accessed_at) == ("short-term", NOON + timedelta(days=100))
    assert memory.lifecycle.tidy(user_id="ada").archived == {}
    assert memory.unarchive(kept, user_id="ada") == back


def test_a_memory_that_is_in_the_archive_already_is_not_changed(memory):
    kept = add(memory, "the boiler")
    first = memory.archive(kept, user_id="ada")
    assert memory.archive(kept, user_id="ada", reason="again") == first
    assert len(memory.history(kept, user_id="ada")) == 2


def test_the_archive_is_emptied_after_its_time_and_softly(memory, clock):
    gone = add(memory, "the boiler")
    memory.archive(gone, user_id="ada")
    policy = replace(OFF, delete_after_days=30)
    clock.tick(29 * DAY_S)
    assert memory.lifecycle.tidy(user_id="ada", policy=policy).deleted == 0
    clock.tick(2 * DAY_S)
    assert memory.lifecycle.tidy(user_id="ada", policy=policy).deleted == 1
    assert memory.get_all(user_id="ada") == []
    assert memory.history(gone, user_id="ada")[-1].action == "delete"


def test_nothing_is_deleted_unless_a_policy_says_so(memory, clock):
    memory.archive(add(memory, "the boiler"), user_id="ada")
    clock.tick(10_000 * DAY_S)
    assert memory.lifecycle.tidy(user_id="ada").deleted == 0


def test_a_user_without_memories_is_tidy(memory):
    assert memory.lifecycle.tidy(user_id="nobody").archived == {}


def test_another_users_memories_are_not_touched(memory, clock):
    theirs = add(memory, "hers")
    clock.tick(1_000 * DAY_S)
    memory.lifecycle.tidy(user_id="bob")
    assert tiers(memory) == {"hers": "long-term"}
    for move in (memory.archive, memory.unarchive):
        with pytest.raises(NotFoundError):
            move(theirs, user_id="bob")


@table(
    "wrong",
    [
        {"archive_after_days": -1},
        {"min_activation": 1.5},
        {"max_memories": 2.5},
        {"max_memories": True},
        {"delete_after_days": "soon"},
        {"archive_after_days": float("nan")},
    ],
)
def test_a_policy_that_cannot_be_is_refused(wrong):
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        ArchivalPolicy(**wrong)


@given(
    st.floats(-10, 5_000),
    st.floats(0, 5_000),
    st.tuples(st.integers(0, 1_000), st.integers(0, 1_000)),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_the_activation_at_rest_falls_with_time_and_rises_with_use_and_importance(
    idle, more, counts, importances
):
    def level(idle, uses, importance):
        found = resting_activation(
            np.array([idle]), uses=np.array([float(uses)]), importance=np.array([importance])
        )
        return float(found[0])

    low, high = sorted(importances)
    uses, further = counts
    assert 0 <= level(idle + more, uses, low) <= level(idle, uses, low) <= 1
    assert level(idle, uses, low) <= level(idle, uses + further, low)
    assert level(idle, uses, low) <= level(idle, uses, high)


def test_tidying_in_parts_goes_on_where_it_stopped(memory, clock):
    for n in range(5):
        add(memory, f"memory {n}")
    clock.tick(200 * DAY_S)
    for left in (3, 1, 0):
        memory.lifecycle.tidy(user_id="ada", not_within_s=DAY_S, most=2)
        assert sum(tier != "archived" for tier in tiers(memory).values()) == left
    add(memory, "new")
    clock.tick(200 * DAY_S)
    assert sum(memory.lifecycle.tidy(user_id="ada", not_within_s=DAY_S).archived.values()) == 1


def test_after_it_is_finished_it_waits_and_a_clock_set_back_does_not_stop_it(memory, clock):
    add(memory, "one")
    memory.lifecycle.tidy(user_id="ada", not_within_s=DAY_S)
    policy = replace(OFF, max_memories=0)
    assert memory.lifecycle.tidy(user_id="ada", policy=policy, not_within_s=DAY_S).archived == {}
    clock.tick(-10 * DAY_S)
    assert sum(memory.lifecycle.tidy(user_id="ada", policy=policy, not_within_s=DAY_S).archived.values()) == 1


def test_what_is_set_critical_or_used_while_tidying_stays(memory, clock, monkeypatch):
    kept, used = add(memory, "allergic to nuts"), add(memory, "the boiler")
    clock.tick(200 * DAY_S)
    find = memory.parts.store.match

    def meanwhile(scope, where):
        found = find(scope, where)
        memory.update(kept, user_id="ada", labels=Labels(critical=True))
        clock.tick(1)
        memory.use(used, user_id="ada")
        return found

    monkeypatch.setattr(memory.parts.store, "match", meanwhile)
    assert memory.lifecycle.tidy(user_id="ada").archived == {}


@pytest.mark.parametrize("wrong", [None, {"max_memories": 1}, ArchivalPolicy])
def test_what_is_no_policy_is_refused(memory, wrong):
    with pytest.raises(InvalidInputError, match="policy"):
        memory.lifecycle.tidy(user_id="ada", policy=wrong)


def test_access_counts_once_a_day(memory, clock):
    one = add(memory, "the boiler")
    counted = []
    for _ in range(4):
        clock.tick(DAY_S / 2)
        (shown,) = memory.use([one, "unknown"], user_id="ada", how="shown")
        counted.append(shown.use.access_count)
    assert counted == [0, 1, 1, 2]
    record = memory.get(one, user_id="ada")
    assert (record.use.access_count, record.times.accessed_at) == (2, clock.now)


def test_indexes_are_compacted_after_a_rule_deleted_and_not_otherwise(clock, tmp_path, monkeypatch):
    compacted = []
    with Memory(tmp_path / "brain.db", embedder="hashing", clock=clock) as memory:
        monkeypatch.setattr(memory.parts.store, "compact", lambda: compacted.append(True))
        policy = replace(OFF, archive_after_days=10, delete_after_days=10)
        add(memory, "the boiler")
        clock.tick(11 * DAY_S)
        assert memory.lifecycle.tidy(user_id="ada", policy=policy).deleted == 0
        assert compacted == []
        clock.tick(11 * DAY_S)
        assert memory.lifecycle.tidy(user_id="ada", policy=policy).deleted == 1
        assert compacted == [True]

"""The profile: facts by category with confidence and sources; wrong ones go and stay away."""

import pytest

from recollect import Memory, Within
from recollect.errors import InvalidInputError
from recollect.learning.extraction.facts import CATEGORIES
from recollect.lifecycle.archival import ArchivalPolicy, retention
from recollect.lifecycle.use import importance_at
from recollect.models.prompts import extraction as prompts
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import FakeClock

DAY_S = 86_400


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(clock):
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


def learn(memory, *texts, session="s"):
    ids = [r.id for r in memory.add(list(texts), user_id="ada", session_id=session)]
    memory.sessions.end(session, user_id="ada")
    memory.jobs.drain()
    return ids


def facts(memory):
    profile = memory.profile(user_id="ada")
    return {one.memory.content for facts in profile.facts.values() for one in facts}


def test_a_profile_holds_facts_by_category_with_their_sources(memory):
    job, tea = learn(memory, "I work as a nurse.", "I prefer green tea.")
    profile = memory.profile(user_id="ada")
    assert list(profile.facts) == ["preference", "context"]
    (preference,) = profile.facts["preference"]
    assert [turn.id for turn in preference.sources] == [tea]
    assert preference.memory.worth.confidence > 0.8
    assert not preference.contested
    assert str(profile).startswith("PREFERENCE:\n- User prefers green tea.")
    assert profile.facts["context"][0].sources[0].id == job
    assert memory.profile(user_id="bob").facts == {}


def test_a_printed_profile_marks_both_sides_of_a_conflict(memory):
    learn(memory, "I like coriander.", session="one")
    learn(memory, "I do not like coriander.", session="two")
    learn(memory, "I have a dog.", session="three")
    lines = [line for line in str(memory.profile(user_id="ada")).splitlines() if line.startswith("- ")]
    assert ["contested" in line for line in lines] == ["coriander" in line for line in lines]
    assert sum("contested" in line for line in lines) == 2


def test_a_model_is_asked_for_every_category_that_facts_have():
    assert prompts.CATEGORIES == CATEGORIES


def test_a_deleted_fact_does_not_come_back_from_the_same_words(memory):
    learn(memory, "I prefer green tea.")
    (wrong,) = memory.profile(user_id="ada").facts["preference"]
    memory.delete(wrong.memory.id, user_id="ada")
    (turn,) = memory.get_all(user_id="ada", kinds=["message"])
    memory.update(turn.id, user_id="ada", content="I prefer green tea!")  # the session is read again
    memory.sessions.end("s", user_id="ada")
    memory.jobs.drain()
    assert facts(memory) == set()


def test_a_deleted_fact_that_is_said_again_is_learned_again(memory, clock):
    learn(memory, "I prefer green tea.")
    (wrong,) = memory.profile(user_id="ada").facts["preference"]
    memory.delete(wrong.memory.id, user_id="ada")
    clock.tick(1 * DAY_S)
    learn(memory, "I prefer green tea.", session="t")
    assert facts(memory) == {"User prefers green tea."}


def test_what_ended_is_in_the_profile_of_then(memory, clock):
    learn(memory, "I live in Berlin.")
    then = clock()
    clock.tick(30 * DAY_S)
    learn(memory, "I moved to Lisbon.", session="t")
    assert not any("Berlin" in fact for fact in facts(memory))
    assert "Berlin" in str(memory.profile(user_id="ada", within=Within(as_of=then)))


def test_facts_do_not_fade_and_episodes_do(memory, clock):
    learn(memory, "I adopted a greyhound yesterday, and I live in Berlin.")
    clock.tick(400 * DAY_S)
    now = clock()
    for record in memory.get_all(user_id="ada"):
        faded = importance_at(record, now) < record.worth.importance
        assert faded == (record.kind != "fact"), record.kind
    memory.lifecycle.tidy(user_id="ada")
    tiers = {record.kind: record.tier for record in memory.get_all(user_id="ada")}
    assert tiers == {"fact": "long-term", "episode": "archived", "message": "archived"}


def test_retention_archives_conversations_and_episodes_and_nothing_else(memory, clock):
    learn(memory, "I live in Berlin.")
    memory.documents.add_text("# Roses\n\nRoses need sun.", user_id="ada", source="s")
    clock.tick(364 * DAY_S)
    assert memory.lifecycle.tidy(user_id="ada", policy=retention(365)).archived == {}
    clock.tick(2 * DAY_S)
    assert sum(memory.lifecycle.tidy(user_id="ada", policy=retention(365)).archived.values()) == 2
    assert facts(memory) == {"User lives in Berlin."}
    assert memory.documents.search("roses", user_id="ada")
    assert memory.stats(user_id="ada").memories == 4


def test_stats_tell_how_fast_a_memory_grows(memory, clock):
    memory.add("old", user_id="ada")
    clock.tick(10 * DAY_S)
    memory.add(["new", "newer"], user_id="ada")
    assert memory.stats(user_id="ada").stored_within == {"day": 2, "week": 2, "month": 3}


@pytest.mark.parametrize("bad", [{"kinds": ("dream",)}, {"archive_after_days": -1}])
def test_a_bad_policy_is_refused(bad):
    with pytest.raises(InvalidInputError):
        ArchivalPolicy(**bad)

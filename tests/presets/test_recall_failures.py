"""The failure modes that Recall's design names, each with what keeps it from happening."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import InvalidInputError
from recollect.presets.recall import ContextBudget, RecallConfig, RecallSystem
from recollect.testing import FakeClock
from recollect.types import Within

BLUEPRINT = "You are a kind companion. Never give medical advice."


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def system(clock):
    with RecallSystem(":memory:", clock=clock) as made:
        yield made


def facts(system, user="ada"):
    return [one.content for one in system.semantic_memories(user)]


# Context overflow


def test_overflow_a_long_conversation_never_passes_the_budget_and_keeps_the_rules(clock):
    with RecallSystem(":memory:", clock=clock, config=RecallConfig(budget=ContextBudget.of(1_200))) as system:
        session = system.start_session("ada")
        for number in range(120):
            session.say(f"Story {number}: " + "and then we walked along the river. " * (number % 30))
        made = session.compose("What did we do?", blueprint=BLUEPRINT, boundaries=["Be gentle."])
    assert made.tokens <= made.budget.available
    assert BLUEPRINT in made.text
    assert "Be gentle." in made.text
    assert "Story 0:" in made.text
    assert "Story 119:" in made.text


def test_overflow_blanks_of_a_turn_are_neither_counted_nor_sent(clock):
    with RecallSystem(":memory:", clock=clock, config=RecallConfig(budget=ContextBudget.of(1_000))) as system:
        session = system.start_session("ada")
        session.say("list:" + "\n" * 3_000 + "milk")
        made = session.compose("What is on it?", blueprint=BLUEPRINT)
        assert sum(system.count_tokens(one.content) + 4 for one in made.messages) <= made.tokens
    assert made.tokens <= made.budget.available
    assert made.messages[1].content == "list:\nmilk"


# Retrieval hallucinations


@pytest.mark.parametrize(
    "question",
    [
        "Who won the world cup in 1954?",
        "What is the capital of Peru?",
        "How do I fix a flat tyre?",
        "asdf qwer",
    ],
)
def test_unrelated_text_is_not_cited(system, question):
    for statement in ("I live in Berlin.", "My sister Mary lives in Lisbon.", "I like green tea."):
        system.remember(statement, "ada")
    assert system.retrieve_memories(question, "ada") == []
    made = system.start_session("ada").compose(question, blueprint=BLUEPRINT)
    assert {"core"} == {signal for hit in made.memories.included for signal in hit.signals}
    assert "green tea" not in made.text  # what is always known stands there, what was not found does not
    assert "lives in Lisbon" not in made.text


def test_wrong_attribution_what_others_say_is_no_fact_about_the_user(system):
    (decision,) = system.remember("I live in Berlin.", "ada", role="assistant")
    assert (decision.admission, decision.criterion) == ("refused", "attribution")
    session = system.start_session("ada")
    session.say("Tell me about yourself.")
    session.say("I live in a data centre and I like numbers.", role="assistant")
    session.end()
    assert facts(system) == []


@pytest.mark.parametrize(
    "statement",
    ["Do I live in Madrid?", "If I lived in Rome, I would be happy.", "Suppose my name is Zorro.",
     "My boss said I live in Paris.", "She said: 'I am a pilot.'"],
)  # fmt: skip
def test_wrong_attribution_what_the_user_does_not_state_is_no_fact(system, statement):
    (decision,) = system.remember(statement, "ada", importance=5)
    assert (decision.admission, decision.criterion) == ("refused", "attribution")
    assert facts(system) == []


def test_wrong_attribution_a_fact_about_the_sister_is_about_the_sister(system):
    system.remember("My sister lives in Lisbon.", "ada")
    (fact,) = system.semantic_memories("ada")
    assert fact.content == "User's sister lives in Lisbon."
    assert fact.category == "PERSON"


def test_stale_memories_end_and_are_not_retrieved(system, clock):
    system.remember("I live in Berlin.", "ada")
    clock.now += timedelta(days=30)
    system.remember("I live in Rome now.", "ada")
    found = [one.entry.content for one in system.retrieve_memories("Where do I live?", "ada")]
    assert any("Rome" in content for content in found)
    assert not any("Berlin" in content for content in found)
    before = system.memory.search(
        "Where do I live?", user_id="ada", kinds=["fact"], within=Within(as_of=clock() - timedelta(days=1))
    )
    assert "Berlin" in before[0].memory.content


def test_stale_memories_count_less_than_recent_ones(system, clock):
    system.remember("I like green tea.", "ada")
    old = system.retrieve_memories("What tea do I like?", "ada")[0]
    clock.now += timedelta(days=8)
    later = system.retrieve_memories("What tea do I like?", "ada")[0]
    assert old.recollection.signals["recency"] == 1.2
    assert later.recollection.signals["recency"] == 1.0
    assert later.score < old.score


# Memory corruption


def test_contradictory_facts_wait_for_a_person(system, clock):
    system.remember("I like coriander.", "ada")
    clock.now += timedelta(days=1)
    (decision,) = system.remember("I do not like coriander.", "ada")
    assert decision.admission == "contested"
    (conflict,) = system.memory.facts.conflicts(user_id="ada")
    assert decision.conflicts_with == conflict.known.id
    system.memory.facts.resolve(conflict.new.id, conflict.known.id, user_id="ada")
    assert facts(system) == ["User does not like coriander."]


def test_a_correction_takes_the_place_of_what_it_corrects(system, clock):
    (known,) = system.remember("I work at Siemens.", "ada")
    clock.now += timedelta(days=1)
    (decision,) = system.remember("I no longer work at Siemens.", "ada")
    assert (decision.admission, decision.conflicts_with) == ("stored", known.fact_id)
    assert "User works at Siemens." not in facts(system)


def test_duplicates_are_merged(system, clock):
    system.remember("I like green tea.", "ada")
    for _ in range(5):
        clock.now += timedelta(hours=1)
        (decision,) = system.remember("I like green tea!", "ada")
        assert (decision.admission, decision.criterion) == ("merged", "news")
    assert facts(system) == ["User likes green tea."]
    (fact,) = system.memory.get_all(user_id="ada", kinds=["fact"])
    assert len(fact.origin.sources) == 6


def test_personal_data_that_should_not_be_stored_is_nowhere(system):
    session = system.start_session("ada")
    session.say("My card is 4111 1111 1111 1111 and my IBAN is DE89 3704 0044 0532 0130 00.")
    session.end()
    everything = str(system.memory.get_all(user_id="ada")) + str(system.admissions("ada"))
    assert "4111" not in everything
    assert "0532" not in everything


# Cross-user leaks

IDS = [
    "ada",
    "bob",
    "Ada",
    "ada ",
    "a",
    "%",
    "' or 1=1 --",
    "*",
    "ada\u200b",
    "user_id",
    "ada/bob",
    "日本",
    "{}",
    "x" * 200,
]
users = st.sampled_from([one for one in IDS if one.isprintable()])
KEYS = [
    "user_id",
    "metadata.user_id",
    "scope.user_id",
    "owner",
    "kind",
    "id",
    "content",
    "thread",
    "category",
]
leaves = st.dictionaries(
    st.sampled_from(KEYS),
    st.sampled_from([*IDS, "fact", None, 1])
    | st.dictionaries(
        st.sampled_from(["eq", "ne", "in", "nin", "contains", "$or"]), st.sampled_from([*IDS, ["ada", "bob"]])
    ),
    max_size=3,
)
hostile = st.recursive(
    leaves,
    lambda inner: (
        st.fixed_dictionaries({"or": st.lists(inner, max_size=3)})
        | st.fixed_dictionaries({"and": st.lists(inner, max_size=3)})
        | st.fixed_dictionaries({"not": inner})
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def crowded():
    """Many users who all say where they keep their key, each with a secret word of their own."""
    with RecallSystem(":memory:", clock=FakeClock()) as made:
        for number, user in enumerate(one for one in IDS if one.isprintable()):
            made.remember(f"My key lies under stone{number}.", user, importance=5)
            made.remember("My sister lives in Lisbon.", user)
        yield made


@settings(max_examples=200, deadline=None)
@given(
    users, hostile, st.sampled_from(["Where does my key lie?", "Where does my sister live?", "user_id: bob"])
)
def test_no_filter_and_no_id_ever_shows_anothers_memories(crowded, user, filters, question):
    try:
        found = crowded.retrieve_memories(question, user, 100, filters=filters, words=True)
    except InvalidInputError:
        return
    assert all(one.entry.user_id == user for one in found)
    own = f"stone{[one for one in IDS if one.isprintable()].index(user)}."
    assert all("stone" not in one.entry.content or own in one.entry.content for one in found)


@settings(max_examples=50, deadline=None)
@given(users, users)
def test_a_filter_that_names_another_tenant_is_refused(crowded, user, other):
    for filters in ({"user_id": other}, {"or": [{"user_id": other}]}, {"not": {"user_id": user}}):
        with pytest.raises(InvalidInputError, match="user_id is not a filter"):
            crowded.retrieve_memories("Where does my key lie?", user, filters=filters)


@given(st.text(min_size=1, max_size=20))
def test_an_unknown_user_has_nothing(crowded, user):
    try:
        found = crowded.retrieve_memories("Where does my key lie?", f"nobody {user}")
    except InvalidInputError:
        return
    assert found == []


@settings(max_examples=30, deadline=None)
@given(users, users)
def test_decisions_and_entries_are_those_of_one_user(crowded, user, other):
    ids = {one.id for one in crowded.semantic_memories(user)}
    if user != other:
        assert ids.isdisjoint(one.id for one in crowded.semantic_memories(other))
        known = {one.fact_id for one in crowded.admissions(user)}
        assert known.isdisjoint(one.fact_id for one in crowded.admissions(other))
    assert {one.fact_id for one in crowded.admissions(user)} == ids

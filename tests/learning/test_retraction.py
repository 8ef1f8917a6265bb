"""What was learned is taken back with its words, wherever a worker was stopped, and by hand."""

from datetime import timedelta

import pytest

from recollect import Memory
from recollect.learning.marks import ended, held_again
from recollect.learning.recording import statement_of
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import NOON, FakeClock
from recollect.types.codec import record_from_json, record_to_json


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(clock):
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


def learn(memory, *texts, session, clock=None):
    if clock is not None:
        clock.tick(86_400)
    results = memory.add(list(texts), user_id="ada", session_id=session)
    memory.sessions.end(session, user_id="ada")
    memory.jobs.drain()
    return [result.id for result in results]


def fact(memory, words):
    (found,) = [one for one in memory.get_all(user_id="ada", kinds=["fact"]) if words in one.content]
    return found


def facts(memory):
    return [one.content for one in memory.get_all(user_id="ada", kinds=["fact"])]


def test_a_fact_holds_again_when_the_turn_goes_that_ended_it_and_told_no_new_one(memory, clock):
    learn(memory, "I work at Siemens.", session="one")
    (turn,) = learn(memory, "I used to work at Siemens.", session="two", clock=clock)
    assert fact(memory, "Siemens").times.valid_until is not None
    memory.delete(turn, user_id="ada")
    again = fact(memory, "Siemens")
    assert again.times.valid_until is None
    assert not {"ended_by", "ended_at", "else_until"} & again.metadata.keys()
    assert memory.history(again.id, user_id="ada")[-1].reason == f"what ended it was taken back: {turn}"


def test_a_turn_that_comes_back_ends_again_what_it_had_ended(memory, clock):
    learn(memory, "I work at Siemens.", session="one")
    (turn,) = learn(memory, "I used to work at Siemens.", session="two", clock=clock)
    until = fact(memory, "Siemens").times.valid_until
    memory.delete(turn, user_id="ada")
    memory.undelete(turn, user_id="ada")
    assert fact(memory, "Siemens").times.valid_until == until
    memory.delete(turn, user_id="ada")
    assert fact(memory, "Siemens").times.valid_until is None


def test_a_fact_holds_again_when_the_words_that_ended_it_change(memory, clock):
    learn(memory, "I work at Siemens.", session="one")
    (turn,) = learn(memory, "I used to work at Siemens.", session="two", clock=clock)
    memory.update(turn, user_id="ada", content="It rains.")
    assert fact(memory, "Siemens").times.valid_until is None


def test_a_fact_that_two_ended_holds_again_only_without_both(memory):
    learn(memory, "I work at Siemens.", session="one")
    known = fact(memory, "Siemens")
    late, early = NOON + timedelta(days=9), NOON + timedelta(days=3)
    both = ended(ended(known, at=late, by="a"), at=early, by="b")
    assert both.times.valid_until == early
    assert held_again(both, gone="b").times.valid_until == late
    assert held_again(both, gone="a").times.valid_until == early
    assert held_again(held_again(both, gone="a"), gone="b") == known


def test_an_end_that_a_person_set_since_then_stays(memory, clock):
    learn(memory, "I work at Siemens.", session="one")
    (turn,) = learn(memory, "I used to work at Siemens.", session="two", clock=clock)
    memory.update(fact(memory, "Siemens").id, user_id="ada", valid_until="2026-01-01")
    memory.delete(turn, user_id="ada")
    assert fact(memory, "Siemens").times.valid_until.year == 2026


def test_a_session_is_learned_though_the_turn_that_queued_it_was_deleted(memory):
    first, *_, last = (
        result.id
        for result in memory.add(["I live in Berlin.", "Hm.", "Well.", "So."], user_id="ada", session_id="s")
    )
    memory.delete(last, user_id="ada")
    assert memory.jobs.drain().facts == 1
    assert fact(memory, "Berlin").origin.sources == (first,)


def test_a_job_of_a_session_that_is_gone_is_done(memory):
    memory.add(["I live in Berlin.", "Hm.", "Well.", "So."], user_id="ada", session_id="s")
    memory.add("Hm.", user_id="ada", session_id="t")
    memory.delete_all(user_id="ada", session_id="s")
    memory.purge(user_id="ada")
    assert (memory.jobs.drain().facts, memory.jobs.list(), memory.jobs.list(failed=True)) == (0, [], [])


# Facts that a person wrote


def test_a_fact_that_was_edited_is_compared_by_its_new_words(memory, clock):
    learn(memory, "I live in Berlin.", session="one")
    memory.update(fact(memory, "Berlin").id, user_id="ada", content="User lives in Munich.")
    said = statement_of(fact(memory, "Munich"))
    assert (said.relation, said.object, said.single_valued) == ("lives in", "Munich", True)
    learn(memory, "I live in Munich.", session="two", clock=clock)
    assert len(facts(memory)) == 1
    learn(memory, "I moved to Rome.", session="three", clock=clock)
    assert fact(memory, "Munich").times.valid_until is not None


def test_a_fact_that_was_edited_into_another_sentence_is_compared_by_words_alone(memory, clock):
    learn(memory, "I live in Berlin.", session="one")
    memory.update(fact(memory, "Berlin").id, user_id="ada", content="User has a dog named Pixel.")
    said = statement_of(fact(memory, "Pixel"))
    assert (said.subject, said.relation, said.object, said.single_valued) == ("User", None, None, False)
    learn(memory, "I live in Rome.", session="two", clock=clock)
    assert fact(memory, "Pixel").times.valid_until is None


def test_metadata_that_a_person_gives_with_new_words_are_kept_as_they_are(memory):
    learn(memory, "I live in Berlin.", session="one")
    given = {"subject": "User", "relation": "has", "object": "a dog"}
    changed = memory.update(
        fact(memory, "Berlin").id, user_id="ada", content="User has a dog.", metadata=given
    )
    assert changed.metadata == given


# Refinement, and taking everything back by the history


def test_a_refinement_keeps_both_facts_linked(memory, clock):
    learn(memory, "I know Python.", session="one")
    learn(memory, "I'm an expert in pandas.", session="two", clock=clock)
    known, finer = fact(memory, "Python"), fact(memory, "pandas")
    assert known.times.valid_until is None
    assert finer.times.valid_until is None
    between = [
        (link.source_id, link.target_id, link.type)
        for link in memory.graph.links(known.id, user_id="ada")
        if finer.id in (link.source_id, link.target_id)
    ]
    assert between == [(finer.id, known.id, "related")]


def test_a_worker_stopped_before_a_fact_takes_over_leaves_the_old_one_holding(memory, clock, monkeypatch):
    learn(memory, "I live in Berlin.", session="one")
    clock.tick(86_400)
    memory.add("I moved to Rome.", user_id="ada", session_id="two")
    memory.sessions.end("two", user_id="ada")
    real = memory.parts.store.update
    monkeypatch.setattr(memory.parts.store, "update", lambda *_, **__: 1 / 0)
    assert memory.jobs.drain().failed == 1
    monkeypatch.setattr(memory.parts.store, "update", real)

    def home():
        hits = memory.search("Where does the user live?", user_id="ada", kinds=["fact"])
        return [hit.memory.content for hit in hits]

    assert home() == ["User lives in Berlin."]
    clock.tick(3_600)
    memory.jobs.drain()
    assert home() == ["User moved to Rome."]
    assert "taking_over" not in fact(memory, "Rome").metadata
    links = {link.type for link in memory.graph.links(fact(memory, "Rome").id, user_id="ada")}
    assert links == {"derived-from", "supersedes"}


def test_a_fact_whose_turn_goes_while_it_is_learned_goes_too(memory, monkeypatch):
    (turn,) = (result.id for result in memory.add(["I live in Berlin."], user_id="ada", session_id="s"))
    memory.sessions.end("s", user_id="ada")
    real = memory.parts.store.link

    def deleted_first(*given, **more):
        monkeypatch.setattr(memory.parts.store, "link", real)
        memory.delete(turn, user_id="ada")
        return real(*given, **more)

    monkeypatch.setattr(memory.parts.store, "link", deleted_first)
    memory.jobs.drain()
    assert facts(memory) == []


def test_the_home_that_holds_ends_though_many_that_ended_are_nearer(memory, clock):
    for number in range(26):
        learn(
            memory,
            f"I moved to {('Berlin', 'Paris', 'Rome')[number % 3]}.",
            session=f"s{number}",
            clock=clock,
        )
    held = [
        one.content for one in memory.get_all(user_id="ada", kinds=["fact"]) if one.times.valid_until is None
    ]
    assert held == ["User moved to Paris."]


def test_an_old_home_is_known_however_much_was_told_since(memory, clock):
    learn(memory, "I live in Berlin.", session="home")
    learn(
        memory,
        *[f"I moved my plant{n} to room{n}. I like plant{n}." for n in range(30)],
        session="plants",
        clock=clock,
    )
    learn(memory, "I moved to Rome.", session="away", clock=clock)
    assert fact(memory, "lives in Berlin").times.valid_until is not None
    kept = memory.parts.store.state(memory.parts.scope("ada"), "last facts")
    assert "Berlin" not in kept


@pytest.mark.parametrize(
    "over",
    [
        "I quit my job.", "I lost my job last week.", "I got laid off.", "I was fired.", "I left my job.",
        "I retired.", "I am unemployed now.", "I resigned.",
    ],
)  # fmt: skip
def test_what_ends_work_ends_where_somebody_works(memory, clock, over):
    learn(memory, "I work at Siemens. I like tea.", session="one")
    learn(memory, over, session="two", clock=clock)
    assert fact(memory, "works at Siemens").times.valid_until is not None
    assert fact(memory, "tea").times.valid_until is None
    learn(memory, "I started working at Bosch.", session="three", clock=clock)
    held = [
        one.content for one in memory.get_all(user_id="ada", kinds=["fact"]) if one.times.valid_until is None
    ]
    assert sorted(held) == ["User likes tea.", "User started working at Bosch."]


def test_who_moved_out_lives_there_no_more(memory, clock):
    learn(memory, "I live in Berlin.", session="one")
    learn(memory, "I moved out of Berlin.", session="two", clock=clock)
    assert fact(memory, "lives in Berlin").times.valid_until is not None


@pytest.mark.parametrize(
    "nothing",
    [
        "Should I quit my job?",
        "If I quit my job, I'd travel.",
        "My boss quit his job.",
        "I stopped working on weekends.",
    ],
)
def test_what_ends_no_work_leaves_it(memory, clock, nothing):
    learn(memory, "I work at Siemens.", session="one")
    learn(memory, nothing, session="two", clock=clock)
    assert fact(memory, "works at Siemens").times.valid_until is None


# Places within places


def test_a_part_of_a_town_does_not_contradict_the_town_when_somebody_said_so(memory, clock):
    learn(memory, "I live in Berlin.", session="one")
    learn(memory, "I live in Kreuzberg, Berlin.", session="two", clock=clock)
    learn(memory, "I live in Kreuzberg.", session="three", clock=clock)
    learn(memory, "I live in Berlin.", session="four", clock=clock)
    assert [
        one.content for one in memory.get_all(user_id="ada", kinds=["fact"]) if one.times.valid_until
    ] == []
    assert memory.facts.conflicts(user_id="ada") == []
    learn(memory, "I moved to Rome.", session="five", clock=clock)
    held = [
        one.content for one in memory.get_all(user_id="ada", kinds=["fact"]) if one.times.valid_until is None
    ]
    assert held == ["User moved to Rome."]


def test_whatever_learning_changed_can_be_taken_back_by_the_history(memory, clock):
    """Each change names the fields as they were: put back one by one, the first state is there again."""
    learn(memory, "I live in Berlin.", "I think I like tea.", session="one")
    first = {one.id: one for one in memory.get_all(user_id="ada", kinds=["fact"])}
    learn(memory, "I moved to Rome.", "I like tea.", session="two", clock=clock)
    changed = {one.id: one for one in memory.get_all(user_id="ada", kinds=["fact"]) if one.id in first}
    assert changed != first
    for one in changed.values():
        state = record_to_json(one)
        for change in reversed(memory.history(one.id, user_id="ada")[1:]):
            for field, before in change.before.items():
                group, _, name = field.partition(".")
                if before is None:
                    (state[group] if name else state).pop(name or group, None)
                elif name:
                    state[group][name] = before
                else:
                    state[group] = before
        assert record_from_json(state) == first[one.id]


def test_without_the_value_between_two_others_only_the_newest_holds(memory, clock):
    learn(memory, "I take 50 mg of sertraline.", session="one")
    (between,) = learn(memory, "I take 100 mg of sertraline now.", session="two", clock=clock)
    (newest,) = learn(memory, "I take 75 mg of sertraline now.", session="three", clock=clock)
    memory.delete(between, user_id="ada")
    assert fact(memory, "50 mg").times.valid_until is not None
    assert fact(memory, "75 mg").times.valid_until is None
    memory.delete(newest, user_id="ada")
    assert fact(memory, "50 mg").times.valid_until is None
    memory.undelete(between, user_id="ada")
    assert fact(memory, "50 mg").times.valid_until is not None


@pytest.mark.parametrize(
    ("said", "old"),
    [
        (("I live in Leeds.", "I moved to York.", "Leeds is history."), "Leeds"),
        (("I live in Leeds.", "I moved to York.", "Chorlton is my home now."), "Leeds"),
        (("My boss is Ann.", "My boss is Derek now.", "Ann left the company."), "Ann"),
        (("I take 50 mg of sertraline.", "I take 75 mg of sertraline now.", "I'm off sertraline."), "50 mg"),
        (("I go to PureGym.", "I quit PureGym.", "PureGym is history."), "goes to PureGym"),
        (("My partner is called Tom.", "Tom and I broke up.", "I'm single now."), "partner is called Tom"),
    ],
)
def test_what_later_words_contradict_stays_over_when_what_ended_it_is_deleted(memory, clock, said, old):
    _, (gone,), _ = (learn(memory, one, session=str(at), clock=clock) for at, one in enumerate(said))
    memory.delete(gone, user_id="ada")
    assert fact(memory, old).times.valid_until is not None


def test_a_turn_that_is_corrected_back_says_its_fact_again(memory):
    (turn,) = learn(memory, "My whippet is called Juno.", session="one")
    for name in ("Luna", "Juno", "Luna"):
        memory.update(turn, user_id="ada", content=f"My whippet is called {name}.")
        memory.jobs.drain()
        assert facts(memory) == [f"User's whippet is called {name}."]


def test_a_fact_whose_value_a_person_changed_is_known_by_the_new_one(memory, clock):
    learn(memory, "My boss is called Derek.", session="one")
    told = fact(memory, "Derek")
    memory.update(told.id, user_id="ada", content="User's boss is called Simone.")
    assert statement_of(fact(memory, "Simone")).object == "Simone"
    learn(memory, "My boss is called Ann now.", session="two", clock=clock)
    assert fact(memory, "Simone").times.valid_until is not None

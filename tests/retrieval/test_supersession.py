"""Corrected and later words stand before the older words they replaced; nothing is hidden."""

from datetime import timedelta

import pytest

from recollect import Memory
from recollect.retrieval.supersession import STATE
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import FakeClock
from recollect.types import Scope, Within

DOSE = "What dose of levothyroxine do I take?"
WORK = "Where do I work?"
ADA = Scope(user_id="ada")


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(clock):
    with Memory(InMemoryStore(clock=clock), clock=clock) as made:
        yield made


def say(memory, clock, *turns, session):
    ids = [
        result.id
        for result in memory.add(list(turns), user_id="ada", session_id=session, timestamp=clock.now)
    ]
    memory.sessions.end(session, user_id="ada")
    memory.jobs.drain()
    clock.tick(40 * 86_400)
    return ids


def user(content, **more):
    return {"role": "user", "content": content, **more}


def echo(content):
    return {"role": "assistant", "content": content}


def found(memory, query, **options):
    return memory.search(query, user_id="ada", **options)


def places(hits):
    return {hit.memory.id: place for place, hit in enumerate(hits)}


@pytest.fixture
def dose(memory, clock):
    """A turn that is corrected, and the assistant's echo of what it said before."""
    turn, repeated = say(
        memory,
        clock,
        user("I take 100 micrograms of levothyroxine every morning."),
        echo("I've noted that you take 100 micrograms of levothyroxine every morning."),
        session="s",
    )
    memory.update(turn, user_id="ada", content="I take 125 micrograms of levothyroxine every morning.")
    return turn, repeated


def test_a_corrected_turn_stands_directly_before_the_echo_of_what_it_said(memory, dose):
    turn, repeated = dose
    hits = [hit for hit in found(memory, "Did you note my dose of levothyroxine?") if hit.id in dose]
    assert [hit.memory.id for hit in hits] == [turn, repeated]
    assert hits[1].superseded.by == turn
    assert hits[1].notes() == ("corrected later",)
    assert hits[0].superseded is None


def test_a_context_marks_the_echo_as_corrected(memory, dose):
    text = memory.context(DOSE, user_id="ada").text
    assert "125 micrograms" in text
    if "100 micrograms" in text:
        (line,) = [line for line in text.splitlines() if "100 micrograms" in line]
        assert line.endswith("(corrected later)")


def test_only_ids_are_kept_of_a_correction(memory, dose):
    kept = memory.parts.store.state(ADA, STATE)
    assert dose[1] in kept
    assert "micrograms" not in kept


def test_taking_a_correction_back_takes_its_mark_back(memory, dose):
    turn, repeated = dose
    memory.update(turn, user_id="ada", content="I take 100 micrograms of levothyroxine every morning.")
    hits = {hit.memory.id: hit for hit in found(memory, DOSE)}
    assert hits[repeated].superseded is None
    assert memory.parts.store.state(ADA, STATE) is None


def test_another_correction_keeps_the_mark(memory, dose):
    turn, repeated = dose
    memory.update(turn, user_id="ada", content="I take 150 micrograms of levothyroxine every morning.")
    hits = {hit.memory.id: hit for hit in found(memory, DOSE)}
    assert hits[repeated].superseded.by == turn


def test_an_answer_that_repeats_nothing_of_what_was_corrected_is_not_marked(memory, clock):
    turn, answer = say(
        memory,
        clock,
        user("I take 100 micrograms of levothyroxine."),
        echo("Take it before breakfast."),
        session="s",
    )
    memory.update(turn, user_id="ada", content="I take 125 micrograms of levothyroxine.")
    assert all(hit.superseded is None for hit in found(memory, "When do I take levothyroxine?"))
    assert answer in places(found(memory, "breakfast"))


@pytest.fixture(params=[None, "Ada"])
def jobs(request, memory, clock):
    """An everyday change of jobs, with and without a named speaker."""
    name = {"name": request.param} if request.param else {}
    old, repeated = say(
        memory,
        clock,
        user("I work at Siemens.", **name),
        echo("Nice, you work at Siemens! What do you do at work at Siemens?"),
        session="s1",
    )
    say(memory, clock, user("My cat is called Miso.", **name), session="s2")
    (new,) = say(memory, clock, user("I now work at COWI.", **name), session="s3")
    return old, repeated, new


def test_a_later_turn_stands_directly_before_the_older_one_and_its_echo(memory, jobs):
    old, repeated, new = jobs
    hits = found(memory, WORK)
    at = places(hits)
    assert at[new] < at[old]
    assert at[new] < at[repeated]
    assert hits[at[old]].superseded.by == new
    assert hits[at[repeated]].superseded.by == new
    assert hits[at[old]].notes()[0].startswith("until ")


def test_newer_words_that_score_less_take_the_score_of_the_older_and_say_so(memory, jobs):
    old, _, new = jobs
    hits = found(memory, "Do I work at Siemens or at another firm?")
    at = places(hits)
    assert at[new] == at[old] - 1
    assert hits[at[new]].score == hits[at[old]].score
    assert hits[at[new]].terms["newer"] > 0
    assert sum(hits[at[new]].terms.values()) == pytest.approx(hits[at[new]].score, abs=1e-5)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("name", [{}, {"name": "Ada"}])
@pytest.mark.parametrize("later", ["It's 125 micrograms now.", "My doctor raised it to 125 micrograms."])
def test_a_later_dose_in_few_words_stands_before_the_older_one_and_its_echo(memory, clock, name, later):
    old, repeated = say(
        memory,
        clock,
        user("I take 100 micrograms of levothyroxine every morning.", **name),
        echo("I've noted that you take 100 micrograms of levothyroxine every morning."),
        session="s1",
    )
    (new,) = say(memory, clock, user(later, **name), session="s2")
    hits = found(memory, DOSE)
    assert [hit.memory.id for hit in hits][:3] == [new, old, repeated]
    assert [hit.superseded.by for hit in hits[1:3]] == [new, new]


@pytest.fixture
def kiwi(memory, clock):
    """A conflict that a person has to decide, and the turns of the known and the new fact."""
    (old,) = say(memory, clock, user("my daughter Nell is allergic to kiwi"), session="s1")
    (new,) = say(memory, clock, user("Turns out Nell isn't allergic to kiwi"), session="s2")
    (conflict,) = memory.facts.conflicts(user_id="ada")
    return conflict, old, new


def test_a_decision_marks_the_words_of_what_was_dropped(memory, kiwi):
    conflict, old, new = kiwi
    query = "is Nell allergic to kiwi?"
    assert all(hit.superseded is None for hit in found(memory, query))
    memory.facts.resolve(conflict.new.id, conflict.known.id, user_id="ada")
    first, second = found(memory, query)
    assert (first.id, second.id, second.superseded.by) == (new, old, new)
    assert f"({second.superseded})" in memory.context(query, user_id="ada").text
    memory.facts.reopen([conflict.known.id], user_id="ada")
    assert all(hit.superseded is None for hit in found(memory, query))


def test_words_that_a_person_calls_untrue_stand_behind_the_older_ones_they_denied(memory, kiwi):
    conflict, old, new = kiwi
    memory.facts.resolve(conflict.known.id, conflict.new.id, user_id="ada")
    first, second = found(memory, "is Nell allergic to kiwi?")
    assert (first.id, second.id, second.superseded.until) == (old, new, None)
    assert str(second.superseded) in {"corrected later", "not true: Nell is not allergic to kiwi"}


def test_a_decision_stays_when_the_fact_that_was_kept_is_deleted(memory, kiwi):
    conflict, _, new = kiwi
    memory.facts.resolve(conflict.new.id, conflict.known.id, user_id="ada")
    memory.delete(new, user_id="ada")
    memory.purge(user_id="ada")
    assert memory.get(conflict.known.id, user_id="ada").times.valid_until is not None
    (hit,) = found(memory, "is Nell allergic to kiwi?")
    assert hit.superseded is None


def test_a_question_for_the_older_value_itself_finds_it_first(memory, jobs):
    assert found(memory, "Siemens")[0].memory.id in jobs[:2]


def test_what_was_replaced_is_still_found(memory, jobs):
    assert jobs[0] in places(found(memory, "Where did I work before?"))
    assert jobs[0] in places(found(memory, "Siemens"))


def test_words_that_do_not_fit_the_question_are_not_raised_and_mark_the_older(memory, clock):
    (old,) = say(memory, clock, user("I live in Berlin and my cat is called Miso."), session="s1")
    (new,) = say(memory, clock, user("I moved to Lisbon."), session="s2")
    hits = found(memory, "What is my cat Miso called?")
    assert hits[0].memory.id == old
    assert str(hits[0].superseded).endswith(": User lives in Berlin")
    assert places(hits)[new] > 0


@pytest.mark.parametrize("budget", [120, 400, 1_500])
@pytest.mark.parametrize(
    "query",
    ["Where do I live?", "What is my cat called?", "What do you know about my cat?", "recipes for tonight"],
)
def test_a_context_marks_what_ended_whatever_is_asked(memory, clock, query, budget):
    for place in range(3):
        say(memory, clock, user(f"Recipe {place} for tonight needs an onion."), session=f"r{place}")
    say(memory, clock, user("I live in Berlin and my cat is called Miso."), session="s1")
    say(memory, clock, user("I moved to Lisbon."), session="s2")
    text = memory.context(query, user_id="ada", budget_tokens=budget, threshold=0).text
    lines = [line for line in text.splitlines() if "my cat is called Miso" in line and ": I live" in line]
    assert all("(until " in line for line in lines)
    assert lines or "recipes" in query or "know" in query


def test_as_of_a_moment_before_the_change_nothing_is_marked(memory, clock, jobs):
    hits = found(memory, WORK, within=Within(as_of=clock.now - timedelta(days=100)))
    assert jobs[0] in places(hits)
    assert all(hit.superseded is None for hit in hits)


def test_a_deleted_newer_turn_marks_nothing_until_it_is_back(memory, jobs):
    old, _, new = jobs
    memory.delete(new, user_id="ada")
    memory.jobs.drain()
    assert all(hit.superseded is None for hit in found(memory, WORK))
    memory.undelete(new, user_id="ada")
    memory.jobs.drain()
    assert {hit.memory.id: hit for hit in found(memory, WORK)}[old].superseded.by == new


def test_a_context_says_until_when_older_words_held(memory, jobs):
    text = memory.context(WORK, user_id="ada", core_share=0).text
    (line,) = [line for line in text.splitlines() if "I work at Siemens." in line]
    assert "(until " in line


def test_the_newer_words_are_explained_as_they_are_ranked(memory, jobs):
    for rank, hit in enumerate(found(memory, WORK), 1):
        why = memory.explain(hit.memory.id, user_id="ada", query=WORK)
        assert (why.recollection, why.rank) == (hit, rank)
    old = {hit.memory.id: hit for hit in found(memory, WORK)}[jobs[0]]
    assert f"replaced by {jobs[2]}" in old.explain()


@pytest.mark.parametrize(
    ("said", "questions", "older"),
    [
        (
            ("I bank with Triodos.", "Closed the Triodos account, we're at ASN now"),
            ["Where do I bank?", "Who do I bank with?"],
            "bank with Triodos",
        ),
        (("My cat Miso is 14.", "Miso died this morning."), ["How old is my cat?", "how is my cat"], "is 14"),
        (
            ("My wife Ana loves sailing.", "Ana and I got divorced in March."),
            ["Who is my wife?", "What does my wife like?"],
            "wife Ana",
        ),
        (
            (
                "My dentist appointment is on Tuesday 2 June at 3.",
                "They moved the dentist to Thursday 4 June at 11.",
            ),
            ["When is my dentist appointment?", "dentist when?"],
            "Tuesday",
        ),
    ],
)
def test_newer_words_stand_first_however_badly_they_fit(memory, clock, said, questions, older):
    before, after = said
    say(memory, clock, user(before), session="s")
    for place, text in enumerate(
        ["Can you name a bank by the river?", "A cat cafe opened.", "A joke about dentists?"]
    ):
        say(memory, clock, user(text), session=f"f{place}")
    (newer,) = say(memory, clock, user(after), session="t")
    for query in questions:
        hits = found(memory, query)
        at = next(place for place, hit in enumerate(hits) if older in hit.memory.content)
        assert newer in [hit.memory.id for hit in hits[:at]]
        assert hits[at].superseded is not None
        assert hits[at].superseded.by == newer


def test_the_mark_of_a_turn_that_says_much_else_names_what_ended(memory, clock):
    say(
        memory,
        clock,
        user("I bank with Triodos and my allotment near the canal grows dahlias and giant pumpkins."),
        session="s",
    )
    for place in range(4):
        say(memory, clock, user(f"Flowers of kind {place} grow on walls."), session=f"f{place}")
    say(memory, clock, user("Closed the Triodos account, we're at ASN now"), session="t")
    hits = found(memory, "Which flowers grow on the allotment by the canal?")
    assert "dahlias" in hits[0].memory.content
    assert str(hits[0].superseded).endswith(": User banks with Triodos")


def test_the_mark_of_a_turn_that_says_more_names_what_ended(memory, clock):
    both, alone = "I work at Siemens and I live in Berlin.", "I work at Siemens."
    for place, text in enumerate([both, alone]):
        say(memory, clock, user(text), session=f"s{place}")
    say(memory, clock, user("I left Siemens, I work at Bosch now."), session="t")
    marks = {hit.content: str(hit.superseded) for hit in found(memory, WORK) if hit.superseded}
    assert marks[both].endswith(": User works at Siemens")
    assert ": " not in marks[alone]

"""What ends by "left Siemens", "broke up", "graduated", "sold" and "died", and what does not."""

from datetime import UTC, datetime

import pytest
from benchmarks.endings import load_endings, measure_endings, outcome
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.living import left
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.learning.reconcile.decide import reconcile
from recollect.learning.reconcile.statements import Statement
from recollect.testing.fakes import FakeClock
from recollect.text.analyse import Analyser

ANALYSER = Analyser()
BEFORE, THEN, LATER = (datetime(year, 5, 1, tzinfo=UTC) for year in (2023, 2024, 2026))
PRECISION, RECALL = 0.95, 0.7
LINES = load_endings()


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing") as made:
        yield made


def tell(memory, text, when, *, session=None):
    (added,) = memory.add(
        {"role": "user", "content": text, "timestamp": when}, user_id="u", session_id=session or text
    )
    memory.sessions.end(session or text, user_id="u")
    memory.jobs.drain()
    return str(added.id)


def facts_at(memory, when):
    """What held at a moment, and began before it or then."""
    facts = memory.get_all(user_id="u", kinds=["fact"])
    return {
        one.content
        for one in facts
        if (one.times.valid_from or one.times.happened_at) <= when
        and (one.times.valid_until is None or one.times.valid_until > when)
    }


def held(memory, known, said):
    """What held once one thing was said, and what holds once the other was said later."""
    tell(memory, known, THEN)
    before = facts_at(memory, THEN)
    assert before
    tell(memory, said, LATER)
    return before, facts_at(memory, LATER)


@table("line", [one for one in LINES if not one.held_back])
def test_a_line_ends_asks_or_leaves(line):
    assert outcome(line) == line.expect


def test_held_back_lines_end_rightly():
    held_back = [one for one in LINES if one.held_back]
    found = measure_endings(held_back)
    assert len(held_back) >= 40
    assert found["precision"] >= PRECISION
    assert found["recall"] >= RECALL
    assert found["asked_for_nothing"] <= 2


def test_what_ended_was_true_until_then_and_is_again_without_the_turn(memory):
    tell(memory, "I work at Siemens.", THEN)
    said = tell(memory, "I left Siemens last month.", LATER)
    now = datetime(2026, 6, 1, tzinfo=UTC)
    assert "User works at Siemens." not in facts_at(memory, now)
    assert "User works at Siemens." in facts_at(memory, datetime(2025, 1, 1, tzinfo=UTC))
    memory.delete(said, user_id="u")
    assert facts_at(memory, now) == {"User works at Siemens."}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I work at Siemens.", "I work at night."),
        ("I work at Siemens.", "I work at home most days."),
        ("I work at Siemens.", "I work for 8 hours a day."),
        ("I work for Siemens.", "I work for free."),
        ("I live in Rome.", "I live in a flat."),
        ("I live in Rome.", "I live in a small town."),
        ("I live in Rome.", "I live in sweatpants."),
        ("I live in Rome.", "I moved to Linux."),
        ("I live in Rome.", "I moved to a new team."),
        ("I'm from Rome.", "I come from a big family."),
        ("I'm a nurse.", "I work as hard as I can."),
        ("I'm married to Anna.", "I'm married to my job."),
    ],
)
def test_what_is_said_beside_it_ends_nothing(memory, known, said):
    before, after = held(memory, known, said)
    assert before <= after


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I work at Siemens.", "I work at Home Depot."),
        ("I work at Siemens.", "I work for Night Owl Studios."),
        ("I live in Rome.", "I live in a flat in Oslo."),
        ("I live in Rome.", "I moved to a small town."),
    ],
)
def test_another_employer_or_home_ends_the_one_before(memory, known, said):
    before, after = held(memory, known, said)
    assert before.isdisjoint(after)


def test_what_only_ends_is_nothing_where_nothing_is_known(memory):
    tell(memory, "I left Siemens.", LATER)
    assert not memory.get_all(user_id="u", kinds=["fact"])


def test_what_only_ends_is_kept_when_somebody_asks_for_it(memory):
    memory.remember("I left Siemens.", user_id="u")
    assert [one.content for one in memory.get_all(user_id="u", kinds=["fact"])] == ["User left Siemens."]


def test_a_couple_is_found_among_much_else(memory):
    tell(memory, "I'm dating Anna.", THEN)
    for number in range(60):
        tell(memory, f"I like hobby{number}. I have a broken thing{number}.", THEN, session=f"s{number}")
    tell(memory, "We broke up.", LATER)
    assert "User is dating Anna." not in facts_at(memory, LATER)
    assert "User broke up with their partner." in facts_at(memory, LATER)


def test_what_is_told_late_ended_when_it_did(memory):
    tell(memory, "My dog died.", LATER)
    tell(memory, "I have a dog named Rex.", THEN)
    (known,) = [one for one in memory.get_all(user_id="u", kinds=["fact"]) if "Rex" in one.content]
    assert known.times.valid_until == LATER
    assert not memory.facts.conflicts(user_id="u")


def test_a_new_one_after_the_old_one_is_no_contradiction(memory):
    tell(memory, "I have a dog named Rex.", BEFORE)
    tell(memory, "My dog Rex died.", THEN)
    tell(memory, "I have a dog named Max.", LATER)
    assert "User has a dog named Max." in facts_at(memory, LATER)
    assert not memory.facts.conflicts(user_id="u")


def test_a_person_can_decide_about_what_may_have_ended(memory):
    tell(memory, "I live in Berlin.", THEN)
    tell(memory, "I left Berlin.", LATER)
    (conflict,) = memory.facts.conflicts(user_id="u")
    assert conflict.known.times.valid_until is None
    memory.facts.resolve(conflict.new.id, conflict.known.id, user_id="u")
    assert "User lives in Berlin." not in facts_at(memory, LATER)


@pytest.mark.parametrize("drops", ["known", "new", None])
def test_a_decision_is_taken_back_and_the_conflict_waits_again(memory, drops):
    tell(memory, "I live in Berlin.", THEN)
    tell(memory, "I left Berlin.", LATER)
    (conflict,) = memory.facts.conflicts(user_id="u")
    ids = [conflict.known.id, conflict.new.id]
    keep, drop = ids if drops == "new" else ids[::-1]
    memory.facts.resolve(keep, drop if drops else None, user_id="u")
    assert not memory.facts.conflicts(user_id="u")
    assert memory.facts.reopen(ids, user_id="u") >= 1
    (again,) = memory.facts.conflicts(user_id="u")
    assert [again.known.id, again.new.id] == ids
    assert [again.known.times.valid_until, again.new.times.valid_until] == [
        conflict.known.times.valid_until,
        conflict.new.times.valid_until,
    ]
    assert memory.history(ids[1], user_id="u")[-1].reason == "the decision was taken back"


@table(
    "text, relation, object",
    [
        ("I left Siemens last year.", "left", "Siemens"),
        ("I've finally left Deutsche Bahn for a startup.", "left", "Deutsche Bahn"),
        ("I left the chess club.", "left", "the chess club"),
        ("We broke up.", "broke up with", None),
        ("Sadly, Anna and I have broken up.", "broke up with", "Anna"),
        ("My boyfriend and I broke up last week.", "broke up with", "boyfriend"),
        ("I graduated!", "graduated", None),
        ("I graduated from MIT in 2024.", "graduated from", "MIT"),
    ],
)
def test_endings_are_read(text, relation, object):  # noqa: A002 - as facts have it
    (fact,) = extract_facts([Turn(text=text)])
    assert (fact.relation, fact.object) == (relation, object)
    assert fact.only_ends == (relation == "left")


@table(
    "text",
    [
        "I left Siemens at noon.",
        "I left Siemens yesterday evening and took the train.",
        "I left Siemens when it began to rain.",
        "I left my keys at home.",
        "I left the door open.",
        "I left early.",
        "We broke up the party.",
        "We nearly broke up.",
        "I almost left Siemens.",
        "Did Anna and I break up?",
        "If we broke up, I would cry.",
        "My phone died.",
        "My dog died in the film.",
    ],
)
def test_moments_and_things_are_no_endings(text):
    assert extract_facts([Turn(text=text)]) == []


WORDS = st.lists(
    st.sampled_from(
        ["at", "for", "in", "of", "the", "MIT", "Rex", "named", "student", "dog", "dogs", "car", "and"]
    ),
    max_size=5,
).map(" ".join)
RELATIONS = st.sampled_from(
    [
        *(
            "left",
            "broke up with",
            "died",
            "graduated",
            "graduated from",
            "has",
            "owns",
            "works at",
            "works as",
        ),
        *("studies", "goes to", "is", "is named", "is dating", "has marital status", "lives in", None),
    ]
)


@st.composite
def statements(draw, *, known):
    subject = draw(st.sampled_from(["User", "User's dog", "User's girlfriend", "User's sister", "'s "]))
    relation, said = draw(RELATIONS), draw(WORDS)
    verb = draw(st.sampled_from([relation or "does", "sold their", "broke up with", ""]))
    return Statement(
        id="known" if known else None,
        subject=subject,
        relation=relation,
        object=said or None,
        text=f"{subject} {verb} {said}.",
        at=draw(st.sampled_from([BEFORE, THEN, LATER])),
        negated=draw(st.booleans()),
        changed=not known and draw(st.booleans()),
    )


@given(statements(known=False), statements(known=True))
def test_anything_can_be_compared_and_what_ends_was_there_before(new, known):
    decision = reconcile(new, [known], analyser=ANALYSER)
    if decision.action == "supersede":
        assert known.begins <= new.at
        assert decision.ended_at >= known.last_said


@table(
    "said, until",
    [
        ("I handed in my notice, my last day is 24 June", datetime(2026, 6, 25, tzinfo=UTC)),
        ("I've handed my notice in. last day is 24 June", datetime(2026, 6, 25, tzinfo=UTC)),
        ("I gave notice today. I finish on 24 June", datetime(2026, 6, 25, tzinfo=UTC)),
        ("I've quit, my wedding is on 24 June", LATER),
        ("I don't work at Arup any more, Tom's last day there is 24 June", LATER),
    ],
)
def test_who_leaves_a_job_has_it_until_the_last_day_they_name(memory, said, until):
    tell(memory, "I work at Arup", THEN)
    tell(memory, said, LATER)
    (job,) = [
        one for one in memory.get_all(user_id="u", kinds=["fact"]) if one.content == "User works at Arup."
    ]
    assert job.times.valid_until == until


@table(
    "known, said",
    [
        ("I smoke.", "I quit smoking. I leave on 24 April for Rome."),
        ("I'm vegan.", "I quit being vegan. I finish on 24 April with my course."),
    ],
)
def test_the_day_of_a_journey_or_a_course_puts_off_no_other_end(known, said):
    clock = FakeClock()
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        memory.add(known, user_id="u")
        clock.tick(86_400)
        memory.jobs.drain()
        memory.add(said, user_id="u")
        clock.tick(86_400)
        memory.jobs.drain()
        (ended,) = [one for one in memory.get_all(user_id="u", kinds=["fact"]) if one.times.valid_until]
        assert ended.times.valid_until < clock()


@table(
    "said",
    [
        "50% off vegan cheese today!",
        "I showed off the vegan cake I made.",
        "I took a day off vegan baking class.",
    ],
)
def test_vegan_things_end_no_diet(said):
    assert "User is vegan." in left("I'm vegan.", said)[0]

"""A change that was kept as it stands reads as a fact, of the relation of what it replaces."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.learning.living import left
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.reconcile.statements import CHANGED, SAID
from recollect.learning.rewording import REPLACED, in_plain_words
from recollect.testing import FakeClock

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def memory():
    clock = FakeClock(THEN + timedelta(days=200))
    with Memory(":memory:", embedder="hashing", clock=clock) as opened:
        yield opened


def learned_last(memory, *messages):
    """The facts learned of the last message."""
    for place, text in enumerate(messages):
        (added,) = memory.add(text, user_id="u", timestamp=THEN + timedelta(days=30 * place))
        memory.jobs.drain()
    facts = memory.get_all(user_id="u", kinds=["fact"])
    return [one for one in facts if one.origin.sources == (added.id,)]


@pytest.mark.parametrize(
    ("before", "after", "fact"),
    [
        (
            "I take 50 mg of sertraline every morning.",
            "They've bumped my sertraline up to 100 mg.",
            "User takes 100 mg sertraline every morning.",
        ),
        (
            "I take 100 micrograms of levothyroxine.",
            "They put me up to 125 micrograms.",
            "User takes 125 micrograms levothyroxine.",
        ),
        (
            "I take 20 units of Lantus at night",
            "we lowered my Lantus to 16 units",
            "User takes 16 units of Lantus at night.",
        ),
        (
            "Our broadband is with Virgin.",
            "We ditched Virgin, the fibre's with Zen now",
            "User's broadband is with Zen.",
        ),
        ("I make 42k a year.", "I negotiated hard and I'm on 48k since April.", "User makes 48k a year."),
        (
            "I pay 900 a month in rent.",
            "Landlord put the rent up to 980, wonderful.",
            "User pays 980 a month in rent.",
        ),
        (
            "You can note my number: 555-0142.",
            "I have a new number, it's 555-0187.",
            "User's phone number is 555-0187.",
        ),
    ],
)
def test_a_new_value_takes_the_place_of_the_old_one(memory, before, after, fact):
    (found,) = learned_last(memory, before, after)
    assert (found.content, found.worth.confidence) == (fact, REPLACED)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I've got a Pixel 6, if that matters.", "Traded in my phone, I'm on an iPhone 15 as of today."),
        ("my address is 14 Alder Close, Bristol", "New address for you: 9 Quarry Road, Bath."),
        ("I'm renting a studio in Queens.", "I gave up the studio and bought a little place out in Yonkers!"),
        (
            "I'm on the data team at Lumitek.",
            "Lumitek let half of us go, me included, so I need help with my CV.",
        ),
        ("Ich rauche leider immer noch.", "Ich hab vor acht Wochen mit dem Rauchen aufgeh\u00f6rt!"),
        ("I'm on keto, under 20g of carbs a day.", "Keto's over, I missed bread too much."),
    ],
)
def test_a_value_is_not_guessed_and_no_fact_is_a_quotation(memory, before, after):
    found = [one.content for one in learned_last(memory, before, after)]
    assert found
    assert all("User" in one for one in found)
    assert not any(
        wrong in one for one in found for wrong in ('"', "Pixel 15", "9 Alder", "studio in Yonkers", "at CV")
    )


@pytest.mark.parametrize(
    ("before", "after", "fact"),
    [
        ("I work at Company2.", "I no longer work at Company1.", "User no longer works at Company1."),
        (
            "I have a gym membership.",
            "I never go to the gym any more.",
            "User never goes to the gym any more.",
        ),
    ],
)
def test_the_verb_after_an_adverb_is_that_of_one_person(memory, before, after, fact):
    assert fact in [one.content for one in learned_last(memory, before, after)]


def test_the_core_shows_the_new_dose(memory):
    learned_last(memory, "I take 100 micrograms of levothyroxine.", "They put me up to 125 micrograms.")
    core = memory.context("what should I pack?", user_id="u").text.partition("[Always known]")[2]
    assert "125 micrograms levothyroxine" in core
    assert "- User takes 100 micrograms" not in core


def test_a_later_change_ends_the_reworded_fact(memory):
    (found,) = learned_last(
        memory,
        "I take 50 mg of sertraline every morning.",
        "They've bumped my sertraline up to 100 mg.",
        "My sertraline went up to 150 mg.",
    )
    held = [
        one.content for one in memory.get_all(user_id="u", kinds=["fact"]) if one.times.valid_until is None
    ]
    assert held == [found.content] == ["User takes 150 mg sertraline every morning."]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I told the gym I'm done", "User told the gym they are done."),
        ("We both sold our bikes", "User both sold their bikes."),
        ("I shut the bakery in May", "User shut the bakery in May."),
        ("I let the flat to a student", "User let the flat to a student."),
    ],
)
def test_a_past_stays_a_past(said, text):
    fact = Fact(
        text="",
        category="context",
        confidence=EXPLICIT,
        subject="User",
        relation=CHANGED,
        object=said,
        source="a",
        quote=said,
    )
    assert in_plain_words(fact, [], said_at=THEN).text == text


def test_an_adverb_before_the_verb_is_not_the_verb():
    said = "I already call her at noon, she says she took it"
    fact = Fact(
        text=f'User {CHANGED}: "{said}"',
        category="context",
        confidence=EXPLICIT,
        subject="User",
        relation=CHANGED,
        object=said,
        change="begun",
        source="a",
        quote=said,
    )
    assert in_plain_words(fact, [], said_at=THEN).text.startswith("User already calls her at noon")


@table(
    "known, said, fact",
    [
        (
            "My physio is with Mr Lund every tuesday at 2pm.",
            "My physio is with Aisha now, thursdays at 4pm.",
            "User's physio is with Aisha every thursday at 4pm.",
        ),
        (
            "My physio is with Mr Lund every tuesday at 2pm.",
            "physio's changed, Mr Lund has left. new one's called Aisha, thursdays 4pm same clinic",
            "User's physio is with Aisha every thursday at 4pm.",
        ),
    ],
)
def test_a_new_person_has_the_times_of_the_message(known, said, fact):
    assert fact in left(known, said)[0]


def test_a_new_person_keeps_no_time_that_two_others_replace():
    after, _ = left(
        "My physio is with Mr Lund every tuesday.", "My physio is with Aisha now, mondays and thursdays."
    )
    assert not any("tuesday" in one and "Aisha" in one for one in after)


def test_a_day_on_which_the_old_one_left_is_no_time_of_the_new_one():
    after, _ = left(
        "My therapist appointments with Dr Lee are every Tuesday at 2pm.",
        "Dr Lee left on Friday, now it's with Dr Kim.",
    )
    assert not any("Friday" in one and "Dr Kim" in one for one in after)


def test_a_quotation_has_the_date_that_its_words_tell():
    said = datetime(2025, 8, 14, 10, tzinfo=UTC)
    fact = Fact(
        text="",
        category="context",
        confidence=EXPLICIT,
        subject="User",
        relation=SAID,
        object="Starts tuesday",
        source="1",
        quote="Starts tuesday",
    )
    assert in_plain_words(fact, [], said_at=said).text == 'User said: "Starts on 19 August 2025"'


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I dont borrow for tools", "User does not borrow for tools."),
        ("I usually dont work on fridays", "User usually doesn't work on fridays."),
        ("I havent slept since the move", "User hasn't slept since the move."),
        ("we wont be at the lake in May", "User won't be at the lake in May."),
        ("I arent the owner", "User isn't the owner."),
        ("I cant stand the smell of eggs", "User can't stand the smell of eggs."),
        ("Im off sugar and ive lost a stone", "User is off sugar and they have lost a stone."),
        ("We were late for the ferry", "User was late for the ferry."),
        ("I never want to move", "User never wants to move."),
    ],
)
def test_verbs_without_apostrophes_are_put_into_the_third_person(said, text):
    fact = Fact(
        text="",
        category="context",
        confidence=EXPLICIT,
        subject="User",
        relation=CHANGED,
        object=said,
        source="1",
        quote=said,
    )
    assert in_plain_words(fact, [], said_at=THEN).text == text

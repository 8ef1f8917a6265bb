"""What a message leaves of what was said before it."""

from datetime import UTC, datetime

import pytest
from tests.learning.living import learned

from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.stated import statements_of
from recollect.learning.rewording import in_plain_words

AGES = "zosias 9 and leo is 6 so zosia can do most of it herself, leo needs chasing"
CHECK_UP = "midwife booking appt is 15th october at 2.10 at the health centre"
DENTIST = "dentist is mr patel on otley road, next appt is 12 november 4.15"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (AGES, "zosia's gone veggie since the summer, her own idea"),
        ("bens 7 and ottilie is 4 so ottilie needs help with shoes", "ottilie's gone vegan since easter"),
        (CHECK_UP, "booking went fine. im on folic acid 400 and vit d, and they want me off the ibuprofen"),
        (DENTIST, "dentist rang, moved me to the 19th at 3.30"),
        ("im on ramipril 5mg and my knees are bad", "my back is fine"),
        ("im on ramipril 5mg and my knees are bad", "knees are fine now"),
    ],
)
def test_what_a_message_leaves_as_it_is_neither_ends_nor_is_asked_about(before, after):
    _, ended, conflicts = learned(before, after)
    assert (ended, conflicts) == (set(), 0)


def test_a_quotation_that_ends_in_a_part_stays_beside_the_newer_message():
    holding, ended, conflicts = learned(DENTIST, "dentist rang, moved me to the 19th at 3.30")
    assert any("mr patel" in one for one in holding)
    assert any("19th" in one for one in holding)
    assert (ended, conflicts) == (set(), 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("boilers on the blink again, landlord wont answer", "boiler is fixed now"),
        ("my shoulder is bad again, cant swim", "shoulders fine now"),
        ("been on sertraline 50mg since the divorce", "stopped the sertraline btw. tapered off with the gp"),
    ],
)
def test_what_is_well_again_or_stopped_ends_without_a_question(before, after):
    _, ended, conflicts = learned(before, after)
    assert ended
    assert conflicts == 0


def test_who_has_gone_still_ends():
    _, ended, conflicts = learned("My boss is called Karen.", "Karen's gone, she left last week.")
    assert ended or conflicts


@pytest.mark.parametrize(
    "text",
    [
        "zosia's gone veggie since the summer. id be veggie too if it wasnt for bacon",
        "I would have moved in with him if he had asked",
        "I'd go vegan if cheese didn't exist, but I'm off milk now",
        "we could sell the car unless the bank says yes",
    ],
)
def test_what_would_be_so_is_never_stated_without_its_condition(text):
    stated = " ".join(statements_of(text))
    assert not any(word in stated for word in ("veggie too", "moved in", "go vegan", "sell the car"))


def test_what_would_rather_be_so_is_stated():
    assert list(statements_of("I would rather sit by the window, if possible")) != []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "booking went fine, im on folic acid and they want me off it",
            'User said: "booking went fine, I\'m on folic acid and they want me off it"',
        ),
        ("they stopped my naproxen and id be glad", 'User said: "they stopped my naproxen and id be glad"'),
    ],
)
def test_a_message_is_put_into_the_third_person_as_a_whole_or_not_at_all(said, text):
    at = datetime(2026, 3, 2, tzinfo=UTC)
    fact = Fact(
        text=said,
        category="context",
        confidence=1.0,
        subject="User",
        relation="says now",
        object=said,
        quote=said,
        source="t",
    )
    assert in_plain_words(fact, [], said_at=at).text == text

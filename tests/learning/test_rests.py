"""What a message leaves of what was said before it."""

import pytest
from tests.learning.living import learned

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

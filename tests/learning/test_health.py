"""Whose health a message and a known statement are about."""

import pytest
from tests.learning.living import learned

KEPT = [
    (
        "leo cant have peanuts hes properly allergic we carry an epipen",
        "im not allergic, gp tested me and its fine",
    ),
    ("theo is allergic to kiwi we found out the hard way", "im not allergic to anything btw the doctor said"),
    ("sam has a bee sting allergy, carries an epipen", "i got tested and im not allergic to bees"),
    ("ivy cant have strawberries she comes out in hives", "jonah outgrew his strawberry allergy"),
    ("leo is allergic to peanuts", "zosia isnt allergic to peanuts, they tested her"),
    ("mums allergic to penicillin", "im not allergic to penicillin, they tested me"),
    ("dads on warfarin since the clot", "i came off the warfarin last week"),
    ("i cant have shellfish, allergic", "my sister outgrew her shellfish allergy"),
    ("My brother is lactose intolerant.", "Turns out I'm not lactose intolerant."),
    ("My husband takes sertraline.", "I've stopped taking sertraline."),
    ("My sister doesn't drink.", "I've started drinking again."),
]
ASKED = [
    ("My daughter has a nut allergy.", "shes not allergic any more, they tested her"),
    ("My son has a nut allergy.", "hes not allergic any more, they tested him"),
]
ENDED = [
    ("My husband takes sertraline.", "My husband came off the sertraline."),
    ("My daughter is allergic to eggs", "she has outgrown the egg allergy"),
    ("I smoke about ten a day.", "I quit smoking in January."),
]


@pytest.mark.parametrize(("before", "after"), KEPT)
def test_what_one_person_says_of_themselves_ends_nothing_of_another_and_asks_nothing(before, after):
    alone, *_ = learned(before)
    holding, ended, conflicts = learned(before, after)
    assert alone <= holding
    assert (ended, conflicts) == (set(), 0)


@pytest.mark.parametrize(("before", "after"), ASKED)
def test_where_nobody_is_named_a_person_is_asked(before, after):
    _, ended, conflicts = learned(before, after)
    assert not ended
    assert conflicts


@pytest.mark.parametrize(("before", "after"), ENDED)
def test_health_that_is_named_with_its_person_ends(before, after):
    _, ended, _ = learned(before, after)
    assert ended

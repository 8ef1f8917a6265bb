"""A fact of a model is supported only by words of the turns that it cites."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.learning.by_model.support import Cited, told_by, unsupported
from recollect.learning.extraction import Fact, Turn
from recollect.text.analyse import Analyser

ANALYSER = Analyser()
SAID = "I live in Berlin, I work at Siemens as a data scientist, and I have two cats called Tom and Kim."


def fact(text, obj):
    return Fact(
        text=text,
        category="general",
        confidence=0.9,
        subject="User",
        relation="has",
        object=obj,
        source="t",
        quote="",
    )


@given(st.text(alphabet="qxzwvk", min_size=4, max_size=12), st.sampled_from(["likes", "has", "lives in"]))
def test_an_object_that_nobody_named_is_never_supported(thing, relation):
    cited = Cited((Turn(text=SAID, id="t"),), ANALYSER)
    assert unsupported(fact(f"User {relation} {thing}.", thing), cited) is not None


@given(st.integers(3, 10_000))
def test_a_number_that_nobody_named_is_never_supported(number):
    cited = Cited((Turn(text=SAID, id="t"),), ANALYSER)
    assert unsupported(fact(f"User has {number} cats.", f"{number} cats"), cited) is not None


@given(st.text(max_size=300), st.text(max_size=80))
def test_any_turn_and_any_fact_can_be_compared(said, claimed):
    cited = Cited((Turn(text=said, id="t"),), ANALYSER)
    reason = unsupported(fact(f"User {claimed}", claimed), cited)
    assert reason != ""
    assert reason is not None or cited.statements


def test_half_of_the_words_of_a_fact_are_enough_if_its_names_are_there():
    cited = Cited((Turn(text=SAID, id="t"),), ANALYSER)
    assert (
        unsupported(
            fact("User is employed as a data scientist at Siemens.", "data scientist at Siemens"), cited
        )
        is None
    )
    assert (
        unsupported(fact("User is employed as a data scientist at Bosch.", "data scientist at Bosch"), cited)
        is not None
    )


def related(said, text, relation, thing, **more):
    """Why a fact with a relation is refused."""
    made = replace(fact(text, thing), relation=relation, **more)
    return unsupported(made, Cited((Turn(text=said, id="t"),), ANALYSER))


@pytest.mark.parametrize(
    ("said", "text", "relation", "thing"),
    [
        ("I love tea.", "User hates tea.", "hates", "tea"),
        ("I love tea.", "User hates tea.", "likes", "tea"),
        ("I hate tea.", "User loves tea.", "loves", "tea"),
        ("I love peanuts.", "User is allergic to peanuts.", "is allergic to", "peanuts"),
        ("I love peanuts.", "User is allergic to peanuts.", "", "peanuts"),
        ("I adore Rome.", "User lives in Rome.", "lives in", "Rome"),
        ("I adore Rome.", "User is from Rome.", "is from", "Rome"),
        ("I live in Oslo and I adore Rome.", "User lives in Rome.", "lives in", "Rome"),
        ("I love tea, but I hate coffee.", "User hates tea.", "hates", "tea"),
        ("I admire Siemens.", "User works at Siemens.", "works at", "Siemens"),
        ("I sold my guitar.", "User plays the guitar.", "plays", "the guitar"),
    ],
)
def test_a_relation_that_nobody_said_is_not_supported(said, text, relation, thing):
    assert related(said, text, relation, thing) == "its turns do not say its relation"


@pytest.mark.parametrize(
    ("said", "text", "relation", "thing"),
    [
        ("I love tea.", "User likes tea.", "likes", "tea"),
        ("I'm a big fan of tea.", "User loves tea.", "loves", "tea"),
        ("I moved to Rome in May.", "User lives in Rome.", "lives in", "Rome"),
        ("I live and work in Rome.", "User lives in Rome.", "lives in", "Rome"),
        ("Ich wohne in Berlin.", "User lives in Berlin.", "lives in", "Berlin"),
        ("I joined Siemens last year.", "User works at Siemens.", "works at", "Siemens"),
        ("I'm a nurse.", "User works as a nurse.", "works as", "nurse"),
        ("My peanut allergy is bad.", "User is allergic to peanuts.", "is allergic to", "peanuts"),
        ("I play the guitar.", "User plays the guitar.", "plays", "the guitar"),
        ("My favorite color is blue.", "User has favorite color blue.", "has favorite color", "blue"),
        ("I'm Ada.", "User is named Ada.", "is named", "Ada"),
        ("I am from Rome.", "User is from Rome.", "is from", "Rome"),
        ("I have two cats.", "User has two cats.", "has", "two cats"),
    ],
)
def test_a_relation_may_be_said_in_words_that_mean_the_same(said, text, relation, thing):
    assert related(said, text, relation, thing) is None


def test_a_denied_liking_may_be_said_as_hating():
    assert related("I hate tea.", "User does not like tea.", "likes", "tea", negated=True) is None


@pytest.mark.parametrize(
    ("said", "summary", "told"),
    [
        ("I finished the report.", "User did not finish the report", False),
        ("I did not finish the report.", "User finished the report", False),
        ("I finished the report.", "User finished the report", True),
        ("I did not finish the report.", "User did not finish the report", True),
        ("I failed to send it. I never finished the report.", "User never finished the report", True),
    ],
)
def test_an_episode_denies_what_its_turns_deny(said, summary, told):
    assert told_by(summary, [Turn(text=said, id="t")], ANALYSER) is told


def test_not_just_is_no_denial():
    said = Cited((Turn(text="I don't just fancy tea, I adore it. We not only sail.", id="t"),), Analyser())
    assert unsupported(replace(fact("User fancies tea.", "tea"), relation="fancies"), said) is None
    denied = replace(fact("User does not fancy tea.", "tea"), relation="fancies", negated=True)
    assert unsupported(denied, said) == "its turns do not deny it as it does"

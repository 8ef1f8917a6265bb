"""A fact of a model is supported only by words of the turns that it cites."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.learning.by_model.support import Cited, told_by, unsupported
from recollect.learning.extraction.facts import Fact, Turn
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


@table(
    "said, text, relation, thing",
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


@table(
    "said, text, relation, thing",
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


@table(
    "said, summary, told",
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


def whether_named(said, who, name):
    """Why a fact that names somebody of the speaker's is refused."""
    return related(said, f"User has a {who} named {name}.", "has", f"{who} named {name}")


@table(
    "said, who, name",
    [
        ("I saw my friend Friday evening.", "friend", "Friday"),
        ("I called my boss Monday.", "boss", "Monday"),
        ("I planned my partner Oslo trip.", "partner", "Oslo"),
        ("I taught my son German.", "son", "German"),
        ("I met my sister Anna's friend Bob.", "sister", "Bob"),
        ("My neighbour's dog Rex barks.", "dog", "Rex"),
        ("His wife Anna called me.", "wife", "Anna"),
        ("My ex-wife Anna called me.", "wife", "Anna"),
        ("My brother, Anna and I went home.", "brother", "Anna"),
        ("I have no friend. Bob is my boss.", "friend", "Bob"),
        ("My friend has a dog called Rex.", "dog", "Rex"),
        ("I told my sister I'm Ada.", "sister", "Ada"),
        ("Should I get a dog called Rex, or a cat?", "dog", "Rex"),
    ],
)
def test_a_name_of_another_or_of_nobody_is_not_supported(said, who, name):
    assert whether_named(said, who, name) is not None


@table(
    "said, who, name",
    [
        ("My partner Jessica and I went to Rome.", "partner", "Jessica"),
        ("My best friend Tom called.", "best friend", "Tom"),
        ("My pastor Tom helped me.", "pastor", "Tom"),
        ("I met my friend, Bob, on Friday.", "friend", "Bob"),
        ("I have a dog. His name is Max.", "dog", "Max"),
        ("I adopted a dog and named him Max.", "dog", "Max"),
        ("I have two cats called Tom and Kim.", "cats", "Kim"),
        ("Max, my dog, is sick.", "dog", "Max"),
    ],
)
def test_a_name_is_said_behind_whom_it_names(said, who, name):
    assert whether_named(said, who, name) is None


@table(
    "said",
    [
        "Say I lived in Rome, where would I swim?",
        "Ann says I live in Rome, is that true?",
        "You think I live in Rome, so where would I swim?",
        "Once I live in Rome, where should I swim?",
        "When I lived in Rome, where did I swim?",
        "I might move to Rome, so where should I swim?",
        "I am thinking of moving to Rome, so where could I swim?",
        "Provided I lived in Rome, where would I swim?",
        "Translate this: I live in Rome.",
        "I hope we can move to Rome.",
        "We're going to move to Rome.",
        "I lived in Rome.",
        "I feel like I live in Rome.",
        "I practically live in Rome.",
        "It feels as though I live in Rome.",
        "I was living in Rome back then.",
        "Anna moved to Rome last year.",
        "My friend wrote that she lives in Rome, can I visit?",
        "I rented a car in Rome.",
        "Ann sagt, ich wohne in Rome, stimmt das?",
        "Je n'habite pas \u00e0 Rome.",
        "Mi hermana vive en Rome.",
    ],
)
def test_what_is_asked_supposed_over_or_of_others_is_no_home(said):
    assert related(said, "User lives in Rome.", "lives in", "Rome") is not None


@table(
    "said",
    [
        "I live in Rome, so where can I swim?",
        "I've lived in Rome since 2010.",
        "When I moved to Rome in 2019, I knew nobody.",
        "Just relocated to Rome for work, so what should I see?",
        "My husband and I live in Rome.",
        "Living in Rome is great, but I hate the heat.",
        "As someone who lives in Rome, I walk a lot.",
        "My apartment in Rome is tiny.",
        "J'habite \u00e0 Rome depuis 2010.",
    ],
)
def test_a_home_may_be_said_in_many_ways(said):
    assert related(said, "User lives in Rome.", "lives in", "Rome") is None


@table(
    "said, group",
    [
        ("I was in the army museum.", "the army"),
        ("I sang in the choir's church.", "the choir"),
        ("I met Ann in the chess club.", "the chess club"),
        ("I am interested in the army.", "the army"),
        ("I love a man in the army.", "the army"),
        ("My son is in the school band.", "the school band"),
        ("This book belongs to the library.", "the library"),
        ("I saw him join the choir.", "the choir"),
        ("I want to join a gym.", "a gym"),
        ("My father was part of the union.", "the union"),
        ("I was in the army.", "the army"),
    ],
)
def test_who_is_somewhere_does_not_belong_to_it(said, group):
    assert related(said, f"User belongs to {group}.", "belongs to", group) is not None


@table(
    "said, group",
    [
        ("I sing in a choir, so how do I warm up?", "a choir"),
        ("I'm in a band called Blue.", "a band"),
        ("I'm on the swim team at school.", "the swim team"),
        ("I play bass in my band.", "a band"),
        ("I'm part of the debate team.", "the debate team"),
        ("I joined a gym last week.", "a gym"),
    ],
)
def test_who_is_in_a_group_belongs_to_it(said, group):
    assert related(said, f"User belongs to {group}.", "belongs to", group) is None


@pytest.mark.parametrize("row", ["-" * 2_000, "a-" * 1_000, "a---------- " * 100])
def test_a_row_of_hyphens_behind_somebody_is_looked_through_at_once(row):
    assert whether_named(f"My dog is sweet {row} and I know a Rex.", "dog", "Rex") is not None


def test_what_the_rules_read_bears_out_no_other_words():
    assert related("I like tea.", "User hates tea.", "likes", "tea") == "its turns do not say its relation"
    assert related("I want to learn Greek.", "User wants to learn Greek.", "wants to learn", "Greek") is None
    assert related("I want to learn Greek.", "User learns Greek.", "learns", "Greek") is not None

"""What people text in passing: notes without a verb, everyday instructions, times with a point."""

import pytest

from recollect import Memory
from recollect.learning.extraction.extract import extract_new
from recollect.learning.extraction.facts import Turn


def found(text):
    return [fact for fact in extract_new([Turn(text=text, id="1")], known=0) if fact.relation != "says now"]


def instructions(text):
    return [fact.text for fact in found(text) if fact.category == "instruction" and fact.relation != "said"]


@pytest.mark.parametrize(
    ("said", "learned"),
    [
        ("Please stop putting hashtags in everything", "put hashtags in everything"),
        ("pls stop putting puns in every answer it drives me mad", "put puns in every answer"),
        ("stop giving me five choices, just pick one", "give them five choices"),
        ("stop sending me links to blogs", "send them links to blogs"),
        ("quit adding disclaimers", "add disclaimers"),
        ("leave out the have a nice day rubbish", "use have a nice day"),
        (
            "do not suggest refurbished phones off gumtree, got stung",
            "suggest refurbished phones off gumtree",
        ),
        ("don't send me voice notes, i can't stand them", "send them voice notes"),
    ],
)
def test_an_everyday_order_about_how_to_behave_is_an_instruction(said, learned):
    assert instructions(said) == [f"User asks never to {learned}."]


@pytest.mark.parametrize(
    "said",
    [
        "stop, thats wrong",
        "stop there",
        "give me three options",
        "stop giving me that",
        "don't put the price in this one",
        "don't suggest pasta for tonight",
        "don't send me pictures of spiders today",
        "leave out the second paragraph",
        "i need to stop giving away money",
        "she said stop calling me",
        "tell him to stop sending letters",
        "how do i stop putting on weight",
        "don't give me that",
    ],
)
def test_a_request_of_the_moment_is_none(said):
    assert instructions(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "vet for the dog is thursday 17th at 4.30, mr lowe",
        "my sister karen is a midwife in hull now, works nights",
        "ollie starts at st cuthberts in september, year 4",
    ],
)
def test_what_ends_nothing_is_kept_although_it_sounds_like_a_change(said):
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add(said, user_id="u", session_id="s")
        memory.jobs.drain()
        assert memory.get_all(user_id="u", kinds=["fact"])

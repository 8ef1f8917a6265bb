"""The trained judge tells which earlier statement a message makes out of date."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect import Memory
from recollect.learning.reconcile.judge import outdates, sounds_like_a_change


@table(
    "change, look_alike, said",
    [
        ("me and Jess broke up", "Jess got a new job!", "my girlfriend Jess is a nurse"),
        ("Had to give up tennis, my knee hurts. I swim now", "tennis was great fun today", "I play tennis"),
        ("I'm off the antibiotics", "what are antibiotics made of?", "I take antibiotics twice a day"),
        ("They moved my flight to Sunday", "My brother's flight was late", "My flight home is on Friday"),
    ],
)
def test_a_change_is_likelier_than_what_only_looks_like_one(change, look_alike, said):
    (likely,), (unlikely,) = outdates(change, [said]), outdates(look_alike, [said])
    assert likely > unlikely
    assert likely > 0.33
    assert sounds_like_a_change(change)


def test_the_statement_that_is_meant_is_the_likeliest():
    said = ["I work at the bakery on Mill Street", "my sister lives in York", "I have a parrot"]
    likely = outdates("quit the bakery last week, I drive a taxi now", said)
    assert likely.shape == (3,)
    assert int(np.argmax(likely)) == 0


@given(st.text(max_size=300), st.lists(st.text(max_size=100), min_size=1, max_size=3))
def test_any_text_has_a_probability(told, said):
    likely = outdates(told, said)
    assert likely.shape == (len(said),)
    assert np.isfinite(likely).all()
    assert ((likely >= 0) & (likely <= 1)).all()


@pytest.mark.parametrize("text", ["Thanks, that helps a lot!", "What's a good name for a boat?"])
def test_chat_does_not_sound_like_a_change(text):
    assert not sounds_like_a_change(text)


def test_a_change_in_words_of_no_rule_is_asked_about_and_ends_nothing():
    with Memory(":memory:", embedder="static") as memory:
        memory.add("I play tennis every Wednesday with Colin", user_id="u", timestamp="2026-01-05T10:00:00Z")
        memory.jobs.drain()
        memory.add(
            "Had to give up tennis, my knee can't take it. I swim now",
            user_id="u",
            timestamp="2026-03-05T10:00:00Z",
        )
        memory.jobs.drain()
        (conflict,) = memory.facts.conflicts(user_id="u")
        assert "tennis" in conflict.known.content
        assert conflict.known.times.valid_until is None

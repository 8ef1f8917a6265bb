"""What people write in passing to an assistant: what is learned of it, and what looks like it and is not."""

from datetime import UTC, datetime

import pytest

from recollect import Memory
from recollect.learning.extraction import Turn, extract_facts
from recollect.testing import FakeClock

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def texts(text):
    return [one.text for one in extract_facts([Turn(text=text, happened_at=NOON)])]


@pytest.mark.parametrize(
    ("text", "learned"),
    [
        ("ok the soup. and never put fennel in a stew for us",
         "User asks never to put fennel in a stew for them."),
        ("always give me distances in miles and weights in pounds btw",
         "User asks always to give them distances in miles and weights in pounds."),
        ("keep your replies brief please and no tables", "User wants answers to be brief."),
        ("thanks! Friday evenings are for the kids, so never schedule anything then",
         "User asks never to schedule anything then (Friday evenings are for the kids)."),
        ("also: end every reply with a riddle", "User asks always to end every reply with a riddle."),
        ("I'm vegan. and please never suggest honey", "User asks never to suggest honey."),
    ],
)  # fmt: skip
def test_an_instruction_among_other_words_is_learned(text, learned):
    assert learned in texts(text)


@pytest.mark.parametrize(
    "text",
    [
        "if I ever retire I move to the coast and never answer an email again",
        "If we win, we buy a boat and never book a hotel again.",
        "we cook at home and never order pizza",
        "never book anything there",
        "I said the hotel was full. never mention me again",
    ],
)
def test_what_the_speaker_would_do_or_does_is_no_instruction(text):
    assert not [one for one in texts(text) if "asks" in one]


def test_an_instruction_that_is_stopped_holds_no_more():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add("start every answer with a quote about trees", user_id="ada")
        memory.drain()
        assert "trees" in str(memory.profile(user_id="ada"))
        memory.add("ok stop with the tree quotes please", user_id="ada")
        memory.drain()
        assert "start every answer" not in str(memory.profile(user_id="ada"))
        memory.add("and stop with the noise", user_id="ada")
        memory.drain()
        assert "noise" not in str(memory.profile(user_id="ada"))


@pytest.mark.parametrize(
    "text",
    [
        "ugh. two hours in the queue. of course I love waiting",
        "argh, the printer again. Oh I just adore paper jams",
        "my new diet is coffee and despair lol, exam week",
        "I live on tea and spite.",
        "I love Monday meetings /s",
    ],
)
def test_irony_of_a_bad_mood_is_not_learned(text):
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "learned"),
    [
        ("of course I love my dog", "User loves their dog."),
        ("My diet is mostly fish and rice.", "User's diet is mostly fish and rice."),
        ("Ugh, rain. I love sunshine.", "User loves sunshine."),
    ],
)
def test_what_only_looks_like_irony_is_learned(text, learned):
    assert texts(text) == [learned]


def test_a_likeness_is_no_part_of_a_fact():
    assert texts("i take my iron pill at noon like a good girl") == ["User takes their iron pill at noon."]

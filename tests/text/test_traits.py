import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import table

from recollect.text import traits
from recollect.text.traits import Trait, is_name, pack_traits, telling_of, traits_of, wish_of


@table(
    "question",
    [
        "What did you suggest for the garden?",
        "Remind me what you recommended",
        "What was your advice on the visa?",
        "Summarize our talks about the garden",
        "Can you give me a comprehensive summary of my plans?",
        "Please recap what happened with the project",
    ],
)
def test_a_question_about_what_was_said_asks_for_the_assistant(question):
    assert wish_of(question).assistant


@table(
    "question",
    [
        "What did I suggest for the garden?",
        "Have you ever been to Rome?",
        "What are the costs in the executive summary of the project?",
        "Which summaries did Ada write?",
        "Who wrote the recap?",
    ],
)
def test_other_questions_do_not(question):
    assert not wish_of(question).assistant


def test_a_question_wants_a_time_a_number_or_a_name():
    assert wish_of("When did Ada move?").traits == Trait.TIME
    assert wish_of("How many cats has she?").traits == Trait.NUMBER
    assert wish_of("Who came to dinner?").traits == Trait.NAME
    assert wish_of("Does she like tea?").traits == Trait(0)


def test_a_text_shows_its_traits():
    assert traits_of("See you next Monday, Ada?") == Trait.TIME | Trait.ASKS | Trait.NAME
    assert traits_of("two of them") == Trait.NUMBER
    assert traits_of("just words") == Trait(0)


@table(
    "text",
    [
        "Always include the price when I ask about hotels.",
        "ok. never suggest pork!",
        "Please always answer in German.",
        "From now on, keep it short.",
        "When I ask for recipes, use grams.",
        "I prefer e-books.",
        "I'd rather walk.",
        "I\u2019d really prefer tea",
        "User prefers Python for data analysis.",
        "Thanks!\nDon't ever call me Bob.",
    ],
)
def test_instructions_and_preferences_are_wishes(text):
    assert Trait.WISHES in traits_of(text)


@table(
    "text",
    ["I always forget names.", "No, I never eat there.", "He prefers tea.", "It was always so.",
     "Never mind.", "I asked when the shop opens.", "Is it rather late?", "I'd love to go.", ""],
)  # fmt: skip
def test_other_words_are_no_wishes(text):
    assert Trait.WISHES not in traits_of(text)


def test_the_count_of_words_stands_between_the_traits():
    packed = pack_traits(Trait.WISHES | Trait.TIME, 20_000)
    assert telling_of(packed) == 20_000
    assert Trait(packed & ~(20_000 << 4)) == Trait.WISHES | Trait.TIME
    assert telling_of(np.array([packed], np.int32)).tolist() == [20_000]


def test_roles_are_no_names():
    assert not any(map(is_name, ("", "user", "Assistant", " AI ")))
    assert is_name("Ada")


_WORDS = re.findall("[a-z]+", traits._TIME_WORD.pattern + traits._NUMBER_WORD.pattern)
_PIECES = [
    *sorted(traits._TIME_CUES | traits._NUMBER_CUES | traits._WISH_CUES), *_WORDS, "I", "I'm",
    "if", "from", "on", "May", "Sundays", "weekday", "sixty", "plain",
    "in", "3", "2nd", "2019", "pm", "\u017funday", "wee\u212a", "_", " ", ",", "\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join))
@settings(max_examples=400, deadline=None)
def test_looking_for_cues_first_changes_nothing(text):
    found = traits_of(text)
    assert (Trait.TIME in found) == bool(traits._TIME_WORD.search(text))
    assert (Trait.NUMBER in found) == bool(traits._NUMBER_WORD.search(text))
    assert (Trait.WISHES in found) == bool(traits._WISH.search(text))


@table("word", sorted({*_WORDS, *(f"{word}day" for word in _WORDS)}))
def test_every_word_of_the_patterns_is_a_cue(word):
    for text in (word, f"{word} then", f"in {word}", word.rstrip("s")):
        assert (Trait.TIME in traits_of(text)) == bool(traits._TIME_WORD.search(text))
        assert (Trait.NUMBER in traits_of(text)) == bool(traits._NUMBER_WORD.search(text))


def test_every_cue_is_a_word_of_the_patterns():
    for cue in traits._TIME_CUES | traits._NUMBER_CUES:
        told = {"last": "last week", "next": "next week", "this": "this week", "may": "in may"}.get(cue, cue)
        assert traits_of(told) & (Trait.TIME | Trait.NUMBER)

"""What is not so, or not yet: conditions, times to come, arguments, jokes, invented speakers."""

import pytest
from tests.tables import table

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn


def texts(text):
    return [found.text for found in extract_facts([Turn(text=text)])]


@table(
    "text",
    [
        "As soon as I live in Oslo I'll call.",
        "As long as I live in Oslo, I'll call.",
        "By the time I live in Oslo I'll call.",
        "Next year I live in Kyoto.",
        "I live in Kyoto next year.",
        "From May I live in Kyoto.",
        "For the sake of argument, I am a Buddhist.",
        "For argument's sake, I work at NASA.",
        "In theory I am a vegetarian.",
        "Write a poem in the first person. I live in a castle.",
        "I like tea, said no one ever.",
        "I like tea - not!",
    ],
)
def test_what_is_not_so_or_not_yet_teaches_nothing(text):
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live next to Rome.", "User lives next to Rome."),
        ("I like cats, not dogs.", "User likes cats."),
        ("From May to June I live in Kyoto.", "User lives in Kyoto."),
        ("I'm from Kyoto.", "User is from Kyoto."),
    ],
)
def test_words_that_look_like_it_are_read(text, expected):
    assert texts(text) == [expected]

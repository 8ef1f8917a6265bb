"""Questions for a time: which are, what they ask of, and which only look so."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.temporal_questions import read_temporal_question

NOW = datetime(2026, 5, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "kind", "about", "other"),
    [
        ("Since when have I lived in Porto?", "since", "I lived in Porto", ""),
        ("Hi! How long did I live in Lisbon?", "length", "I live in Lisbon", ""),
        ("how long ago was my last shot", "ago", "my shot", ""),
        ("How long has it been since I quit the band?", "ago", "I quit the band", ""),
        ("How long after the offer did we move?", "between", "the offer", "we move"),
        ("How long between my N5 and N4 exams?", "between", "my N5 exams", "N4 exams"),
        (
            "How many months between the births of Leo and Mia?",
            "between",
            "the births of Leo",
            "the births of Mia",
        ),
        ("How often have we won the regatta?", "often", "we won the regatta", ""),
        ("How many gigs did we play?", "often", "gigs did we play", ""),
        ("When did I first beat Viktor?", "when", "I beat Viktor", ""),
        ("Which came first, the dog or the move?", "order", "the dog", "the move"),
        ("When was the last time I saw Tom?", "when", "I saw Tom", ""),
        ("For how long did I have the Golf?", "length", "I have the Golf", ""),
        ("In which year did we buy the house?", "when", "we buy the house", ""),
        ("Who is older, Leo or Mia?", "order", "birth of Leo", "birth of Mia"),
        ("Did we hire Noor before or after the round?", "yes", "we hire Noor", "the round"),
        ("What did I read after Dune?", "next", "did I read", "Dune"),
        ("Who was treasurer before Malik?", "prior", "was treasurer", "Malik"),
        ("Where did I live in 2022?", "at", "did I live", ""),
        ("How often do I go to the gym?", "rate", "I go to the gym", ""),
    ],
)
def test_a_question_for_a_time_is_read(message, kind, about, other):
    found = read_temporal_question(message, now=NOW)
    assert found is not None
    assert (found.kind, found.about, found.other) == (kind, about, other)


@pytest.mark.parametrize(
    "message",
    [
        "How long does paint take to dry?",
        "How often should I water it?",
        "How long is the flight to Iceland?",
        "When does the museum open?",
        "When is the next regatta?",
        "How long do cats live?",
        "Where do I live?",
        "What happened on the way home",
        "I lived in Lisbon for two years.",
        "In 2022 I was often ill, and before that, too.",
        "",
    ],
)
def test_what_only_looks_so_is_none(message):
    assert read_temporal_question(message, now=NOW) is None


def test_a_question_says_which_of_several_it_means_and_of_which_time():
    last = read_temporal_question("When was my last migraine?", now=NOW)
    second = read_temporal_question("How long was the lift broken the second time?", now=NOW)
    march = read_temporal_question("How often did I sleep badly in March?", now=NOW)
    assert last is not None
    assert second is not None
    assert march is not None
    assert (last.nth, last.about) == (-1, "my migraine")
    assert (second.nth, second.about) == (1, "the lift broken")
    assert march.period is not None
    assert (march.about, march.period.start.month) == ("I sleep badly", 3)


@given(st.text(max_size=400))
def test_any_text_is_read(text):
    found = read_temporal_question(f"How long did {text}", now=NOW)
    assert found is None or found.kind


def test_a_long_message_costs_no_more_than_its_end():
    assert read_temporal_question("a" * 100_000 + ". When did I move?", now=NOW) is not None

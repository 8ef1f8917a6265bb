"""The labelled lines: what they are made of, and how well they are read."""

from collections import Counter

import pytest
from benchmarks.extraction import (
    ABROAD,
    SILENT,
    Expected,
    Line,
    judge,
    learned_from_silence,
    load_lines,
    run_extraction,
    speed,
)

from recollect.learning.extraction.facts import Turn

HELD_BACK = {"music", "health", "gardening", "transport", "studies"}
PRECISION, RECALL = 0.90, 0.70
"""What is promised."""


@pytest.fixture(scope="module")
def lines():
    return load_lines()


@pytest.fixture(scope="module")
def result():
    return run_extraction()


def test_the_lines_are_many_and_about_many_things(lines):
    assert len(lines) >= 450
    assert len({line.topic for line in lines}) >= 20
    assert {line.topic for line in lines if line.held_back} - set(ABROAD) == HELD_BACK
    assert len({line.text for line in lines}) == len(lines)


def test_of_many_lines_nothing_is_to_be_learned(lines):
    share = sum(not line.facts for line in lines) / len(lines)
    assert 0.4 <= share <= 0.6


def test_every_trap_has_lines_that_were_held_back(lines):
    tuned = Counter(line.trap for line in lines if not line.held_back)
    held_back = Counter(line.trap for line in lines if line.held_back)
    assert set(held_back) == set(tuned)
    assert min(held_back.values()) >= 4


def test_lines_that_must_teach_nothing_are_labelled_so(lines):
    assert all(not line.facts for line in lines if line.trap in SILENT)


def test_nothing_is_learned_from_questions_hypotheticals_and_the_assistant(lines):
    assert sum(line.trap in SILENT for line in lines) >= 150
    assert learned_from_silence(lines) == 0


@pytest.mark.parametrize(
    ("part", "language", "precision", "recall"),
    [
        ("tuned", "english", 0.99, 0.97),
        ("tuned", "other_languages", 0.99, 0.99),
        ("held_back", "english", 0.94, 0.87),
        ("held_back", "other_languages", 0.99, 0.88),
    ],
)
def test_lines_are_read_as_well_as_measured(result, part, language, precision, recall):
    figures = result["results"][part][language]
    assert figures["precision"] >= precision >= PRECISION
    assert figures["recall"] >= recall >= RECALL


def test_most_facts_are_of_the_expected_kind(result):
    assert result["results"]["tuned"]["english"]["category"] >= 0.92
    assert result["results"]["held_back"]["english"]["category"] >= 0.86


def test_figures_are_given_for_every_trap_and_topic(result, lines):
    for part, held_back in (("tuned", False), ("held_back", True)):
        figures = result["results"][part]
        among = [line for line in lines if line.held_back == held_back]
        assert set(figures["by_topic"]) == {line.topic for line in among}
        assert set(figures["by_trap"]) == {line.trap for line in among if line.topic not in ABROAD}


def line(text, *expected, **rest):
    return Line(text=text, topic="made up", trap="plain", facts=expected, **rest)


def test_a_fact_is_right_when_subject_denial_and_words_are():
    judged = judge(line("My sister hates jazz", Expected(subject="user's sister", words="hates jazz")))
    assert (len(judged.pairs), judged.wrong, judged.missed) == (1, (), ())


@pytest.mark.parametrize(
    "wrong",
    [
        Expected(subject="user", words="hates jazz"),
        Expected(subject="user's sister", words="loves jazz"),
        Expected(subject="user's sister", words="hates jazz", negated=True),
        Expected(subject="user's sister", words="hates jazz", past=True),
    ],
)
def test_a_fact_with_another_subject_word_denial_or_time_is_wrong(wrong):
    judged = judge(line("My sister hates jazz", wrong))
    assert (len(judged.pairs), len(judged.wrong), len(judged.missed)) == (0, 1, 1)


def test_the_speaker_s_name_stands_for_the_user():
    assert judge(line("I hate jazz", Expected(subject="user", words="jazz"), speaker="Ada")).pairs


def test_an_optional_fact_is_neither_missed_nor_wrong():
    optional = Expected(subject="user", words="jazz", optional=True)
    assert judge(line("I hate jazz", optional)).wrong == ()
    assert judge(line("Jazz it is", optional)).missed == ()


def test_a_fact_that_takes_in_the_whole_sentence_is_wrong():
    words = "I collect old green stamps with kings, queens, ships, trains, planes, birds and flowers"
    assert judge(line(words, Expected(subject="user", words="stamps"))).wrong


def test_an_expected_fact_counts_once():
    judged = judge(line("I hate jazz. I loathe jazz.", Expected(subject="user", words="jazz")))
    assert (len(judged.pairs), len(judged.wrong)) == (1, 1)


def test_speed_is_measured_over_all_turns():
    measured = speed([Turn(text="I live in Rome"), Turn(text="Hello")])
    assert (measured["turns"], measured["facts"]) == (2, 1)
    assert measured["per_second"] > 0

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.learning.extraction.episodes import MOST_CHARACTERS, TOPICS, summarise_episode
from recollect.learning.extraction.facts import Turn
from recollect.lifecycle.importance import calculate_importance
from recollect.text.analyse import Analyser

ANALYSER = Analyser()


def rate(text, tags):
    return calculate_importance(text, tags=tags, source="chat").score


def summarise(*said, **rules):
    turns = [one if isinstance(one, Turn) else Turn(text=one, speaker="Ada") for one in said]
    return summarise_episode(turns, rate=rules.get("rate", rate), analyser=ANALYSER)


def test_an_episode_is_told_in_one_line_of_its_speaker():
    told = summarise(
        "Hi there!",
        Turn(text="Hello! How can I help?", role="assistant"),
        "We finished the greenhouse today. The greenhouse has a heated floor.",
        "Anyway.",
    )
    assert told.summary.startswith("Ada: ")
    assert "greenhouse" in told.summary
    assert "\n" not in told.summary
    assert "greenhouse" in " ".join(told.topics)
    assert told.context.split(", ")[0] == told.topics[0]


def test_a_sentence_with_a_fact_comes_before_a_question_about_the_same():
    told = summarise("Should I repot my orchid today?", "I grow orchids.")
    assert told.summary == "Ada: I grow orchids."


def test_an_episode_is_as_important_as_its_most_important_turn():
    texts = ["ok", "My sister Ines gets married on 3 October in Porto", "thanks"]
    told = summarise(*texts, rate=lambda text, tags: len(text) / 100)
    assert told.importance == len(texts[1]) / 100


def test_small_talk_matters_less_than_a_decision():
    small = summarise("Hey! How are you?", "haha ok")
    big = summarise("Hey!", "I decided to move to Lisbon in May with my sister and our two dogs")
    assert small.importance < big.importance


def test_a_sentence_that_points_back_is_read_with_the_one_before_it():
    told = summarise(
        "I want to tell you about our honeymoon.",
        "We went to Paris in 1961 and stayed in a small hotel by the river.",
        "It rained all week.",
    )
    assert told.summary == (
        "Ada: I want to tell you about our honeymoon. "
        "We went to Paris in 1961 and stayed in a small hotel by the river."
    )


def test_a_sentence_is_not_read_with_one_of_another_speaker():
    told = summarise(
        Turn(text="How was the honeymoon?", speaker="Bo"),
        Turn(text="We went to Paris and stayed in a small hotel by the river.", speaker="Ada"),
    )
    assert told.summary == "Ada: We went to Paris and stayed in a small hotel by the river."


def test_an_episode_names_its_turns():
    told = summarise(
        Turn(text="I grow orchids", id="a"), Turn(text="Lovely!", role="assistant", id="b"), "bye"
    )
    assert told.sources == ("a", "b", "2")


@pytest.mark.parametrize("turns", [[], [Turn(text="I can help", role="assistant")], [Turn(text=" ... ")]])
def test_without_a_user_s_word_there_is_no_episode(turns):
    assert summarise(*turns) is None


def test_what_was_only_quoted_is_not_the_summary():
    told = summarise("> I won the marathon in Rome\nThat was in the paper.")
    assert told.summary == "Ada: That was in the paper."


def test_a_secret_is_not_in_the_summary():
    told = summarise("my password is hunter2! please keep it")
    assert told is None or "hunter2" not in told.summary


def test_a_long_sentence_is_cut():
    told = summarise("We planted tulips and " * 40)
    assert len(told.summary) <= MOST_CHARACTERS
    assert told.summary.endswith("…")


@given(st.lists(st.text(max_size=80), max_size=5))
def test_any_turns_can_be_summed_up(texts):
    told = summarise(*texts)
    if told is not None:
        assert told == summarise(*texts)
        assert 0 <= told.importance <= 1
        assert len(told.topics) <= TOPICS
        assert len(told.summary.splitlines()) == 1

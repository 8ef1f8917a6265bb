"""Whether a message asks what is remembered, or why: by rows whose author had not seen the rules."""

import pytest
from benchmarks.memory_questions import load_rows, measure_questions, read_kind
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.memory_questions import MemoryQuestion, read_memory_question

ROWS = load_rows()


@pytest.mark.parametrize(
    ("message", "kind", "about"),
    [
        ("What do you know about me?", "everything", None),
        ("what have you remembered so far", "everything", None),
        ("Was weißt du eigentlich alles über mich?", "everything", None),
        ("qu'est-ce que tu sais sur moi au juste ?", "everything", None),
        ("a ver, qué sabes de mí?", "everything", None),
        ("What have I told you about the boiler so far?", "about", "the boiler"),
        ("was weißt du über meine schwester", "about", "meine schwester"),
        ("Recuérdame lo que te conté de la caldera, que viene el técnico.", "about", "la caldera"),
        ("Why do you think I'm vegetarian?", "why", "I'm vegetarian"),
        ("wieso denkst du dass ich vegetarier bin", "why", "ich vegetarier bin"),
        ("por qué crees que soy vegetariano??", "why", "soy vegetariano"),
        ("Where did you get that from?", "why", None),
        ("d'où tu sors ça ?", "why", None),
    ],
)
def test_a_question_about_the_memory_is_read_with_what_it_names(message, kind, about):
    found = read_memory_question(message)

    assert (found.kind, found.about, found.sure) == (kind, about, True)


@pytest.mark.parametrize(
    "message",
    [
        "What do you know about volcanoes?",
        "what does my boss know about me",
        'translate "what do you know about me" into italian',
        "forget what I told you about the divorce",
        "Recommend me a film, based on what you know about me.",
        "why do you think my tomatoes keep splitting?",
        "Warum glaubst du, dass mein Hund nachts bellt?",
        "pourquoi tu crois que mon chien aboie ?",
        "where did you find that necklace? it is lovely",
        "Remember that I'm off dairy from now on.",
        "I live in Lisbon.",
        "",
    ],
)
def test_a_message_that_only_sounds_like_one_is_none(message):
    assert read_memory_question(message) is None


def test_a_name_after_know_is_left_to_what_memory_knows():
    assert read_memory_question("What do you know about Marcus?") == MemoryQuestion(
        kind="about", about="Marcus", sure=False
    )


def test_a_given_name_in_small_letters_is_one_and_any_other_word_is_none() -> None:
    asked = read_memory_question("what do you know about kerry?")
    assert asked == MemoryQuestion(kind="about", about="kerry", sure=False)
    for other in ("volcanoes", "java", "paris"):
        assert read_memory_question(f"what do you know about {other}?") is None


def test_a_question_that_points_back_keeps_what_it_points_to():
    found = read_memory_question("I only told my wife about the surgery. So how do you know about it?")

    assert (found.kind, found.about) == ("why", None)
    assert found.before == "I only told my wife about the surgery. So"


def test_the_labelled_rows_are_read_right_in_both_halves():
    tuned, held = (measure_questions(row for row in ROWS if row.part == part) for part in ("tune", "held"))

    assert (tuned["asking"], tuned["others"], held["asking"], held["others"]) == (68, 52, 82, 38)
    assert (tuned["right"], tuned["taken"], held["taken"]) == (68, 0, 0)
    assert held["right_share"] >= 0.85


@given(st.text(max_size=2_000))
def test_any_text_can_be_read(text):
    found = read_memory_question(text)

    assert found is None or found.kind in {"everything", "about", "why"}


@given(st.sampled_from([row for row in ROWS if row.part == "tune"]))
def test_capitals_do_not_count(row):
    assert read_kind(row.text.upper()) == row.kind

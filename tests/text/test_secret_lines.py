"""The labelled lines about secrets: how much of them is masked, and that nothing else is."""

import pytest
from benchmarks.secret_lines import SecretLine, by_rules, load_secret_lines, secret_figures

LINES = load_secret_lines()
PARTS = sorted({line.part for line in LINES})
SIX = {"en", "de", "fr", "es", "sv", "pt"}
LANGUAGES = {
    "tune": SIX,
    "second": SIX,
    "third": SIX,
    "fourth": SIX | {"it", "nl"},
    "fifth": {"en", "de", "fr", "es", "it", "nl"},
    "sixth": {"en", "de", "fr", "es", "it", "nl"},
    "seventh": SIX | {"it", "nl"},
    "eighth": {"en", "de", "fr", "es", "it", "nl"},
    "ninth": {"en", "de", "fr", "es", "it", "nl"},
    "tenth": {"en", "de", "fr", "es", "it", "nl"},
    "eleventh": {"en", "de", "fr", "es", "it", "nl"},
    "twelfth": {"en", "de", "fr", "es", "it", "nl"},
    "thirteenth": {"en"},
}

LEAST_RECALL = {
    "tune": 0.96,
    "second": 0.94,
    "third": 0.97,
    "fourth": 0.97,
    "fifth": 0.97,
    "sixth": 0.95,
    "seventh": 0.97,
    "eighth": 0.93,
    "ninth": 0.95,
    "tenth": 0.95,
    "eleventh": 0.94,
    "twelfth": 0.94,
    "thirteenth": 0.92,
}
"""What is kept of the lines that the networks are trained on, and of the thirteenth, which they never saw."""
SIZES = {
    "tune": 200,
    "second": 200,
    "third": 240,
    "fourth": 240,
    "fifth": 308,
    "sixth": 178,
    "seventh": 1110,
    "eighth": 233,
    "ninth": 118,
    "tenth": 592,
    "eleventh": 600,
    "twelfth": 243,
    "thirteenth": 328,
}
MOST_FALSE_ALARMS = 0.01


def part(name: str) -> list[SecretLine]:
    return [line for line in LINES if line.part == name]


@pytest.mark.parametrize("name", PARTS)
def test_every_part_has_both_kinds_of_lines_in_all_languages(name):
    assert {line.language for line in part(name) if line.secrets} == LANGUAGES[name]
    assert {line.language for line in part(name) if not line.secrets} == LANGUAGES[name]
    assert len(part(name)) == SIZES[name]


@pytest.mark.parametrize("name", PARTS)
def test_secrets_are_masked_wholly_and_harmless_lines_stay(name):
    measured = secret_figures(part(name))
    assert measured["recall"] >= LEAST_RECALL[name]
    assert measured["false_alarm_share"] <= MOST_FALSE_ALARMS


@pytest.mark.parametrize("name", PARTS)
def test_words_around_a_secret_stay(name):
    assert secret_figures(part(name))["cut"] <= 0.04 * len(part(name))


def test_half_a_secret_is_a_miss_and_a_word_beside_it_is_a_cut():
    line = SecretLine(part="tune", language="en", text="pin is 4711", secrets=((7, 11),))
    assert secret_figures([line], lambda _: ((7, 10),))["masked"] == 0
    assert secret_figures([line], lambda _: ((4, 11),))["cut"] == 1


def test_anything_masked_in_a_harmless_line_is_a_false_alarm():
    line = SecretLine(part="tune", language="en", text="zip code 4711", secrets=())
    assert secret_figures([line], lambda _: ((9, 13),))["false_alarms"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "mum takes metformin 500mg",
        "shes on metformin still plus gliclazide 40mg in the mornings now",
        "the fiesta failed its mot, needs 680 quid of welding, its a 2012. scrap it or fix it?",
        "scrapped the car in the end got 240 for it. bus for now, the 27 goes past school",
        "the front door sticks in this weather. he wants 450 for it",
        "forgot the alarm code again lol. its 145 for the pair",
        "they gave me 300 for the old phone",
        "cleaned out the shed, it was 420 in the sale",
        "lost my bank card and the show is at 1930",
    ],
)
def test_a_number_that_something_else_governs_stays(text):
    assert by_rules(text) == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("the gate, it's 4411", "4411"),
        ("I used to have 1122 as pin, I switched to 3344 last week", "3344"),
        ("no wait, it's 7730 not 7703, the gate code", "7730"),
        ("they gave me 4411 for the gate", "4411"),
        ("keybox 0852 on the left of the porch", "0852"),
        ("buzz 32 then key in 4410", "4410"),
    ],
)
def test_a_code_that_another_clause_names_is_masked(text, code):
    start = text.index(code)
    assert (start, start + len(code)) in by_rules(text)

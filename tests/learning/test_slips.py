"""What somebody takes back in the same breath."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.learning.extraction.extract import extract_facts, extract_new
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.slips import without_slips


def texts(text):
    return [found.text for found in extract_facts([Turn(text=text)])]


@table(
    "text, learned",
    [
        (
            "my sister Anna, sorry, I mean Berta, lives in Leeds",
            ["User's sister is named Berta.", "User's sister Berta lives in Leeds."],
        ),
        (
            "my sister anna sorry i mean lena is a nurse",
            ["User's sister is named Lena.", "User's sister Lena is a nurse."],
        ),
        ("I live in a flat, no sorry, a bungalow.", ["User lives in a bungalow."]),
        ("I drive a Volvo, no wait, a Skoda.", ["User drives a Skoda."]),
        ("We live in a house, sorry about that.", ["User lives in a house."]),
        ("my boss Anna - no, sorry, Berta - is lovely", ["User's boss is named Berta."]),
        (
            "my boss Morwenna - no sorry thats the boat - my boss is called Hedra, she's lovely",
            ["User's boss is called Hedra."],
        ),
        ("I live in Falmouth. Sorry, I meant Penryn", ["User lives in Penryn."]),
        ("I work at Siemens, sorry, I mean Bosch, as an engineer", ["User works at Bosch as an engineer."]),
        ("I take 50, sorry, 100 mg of sertraline", ["User takes 100 mg sertraline."]),
        ("I'm 38, no, 39", ["User is 39."]),
        ("I'm allergic to kiwi, sorry, I meant strawberries", ["User is allergic to strawberries."]),
        ("I'm allergic to kiwi. Scratch that.", []),
        ("I'm allergic to nuts, no wait, that's my sister", []),
        ("I live in Leeds. I love it, I mean really", ["User lives in Leeds."]),
        ("I live in Leeds, I mean business there", ["User lives in Leeds."]),
        ("I live in Leeds. I mean, London is great too", ["User lives in Leeds."]),
        ("No sorry, I work at Siemens", ["User works at Siemens."]),
        ("I go to London, no to Paris", ["User goes to London."]),
        ("I take iron on Monday, no Wednesday dose", ["User takes iron on Monday."]),
        ("I have asthma. No, hang on the line, I'll be back", ["User has asthma."]),
        ("My dad has a dog, no, cats", ["User's dad has a dog."]),
        ("I have asthma and um I'm allergic to nuts", ["User has asthma.", "User is allergic to nuts."]),
        ("I'm em allergic to penicillin", ["User is allergic to penicillin."]),
        ("I'm allergic to penicillin, no, sulfa.", ["User is allergic to sulfa."]),
        ("I'm allergic to penicillin, no wait, to sulfa.", ["User is allergic to sulfa."]),
        ("I'm allergic to penicillin no to sulfa", ["User is allergic to sulfa."]),
        ("I take ramipril, no, losartan.", ["User takes losartan."]),
        ("My sister lives in Sligo, no, Ballina.", ["User's sister lives in Ballina."]),
        ("My sister lives in Sligo, sorry, in Ballina.", ["User's sister lives in Ballina."]),
        ("My son works in Dunnes, no, in Tesco.", ["User's son works in Tesco."]),
        ("My sister is Anne, no, Attracta.", ["User's sister is Attracta."]),
        ("My wife is a nurse, no, a midwife.", ["User's wife is a midwife."]),
        ("I'm allergic to nuts, no doubt about it.", ["User is allergic to nuts."]),
        ("I'm allergic to nuts, no, really.", ["User is allergic to nuts."]),
        ("I live in Cork, no, honestly, I do!", ["User lives in Cork."]),
        ("My brother works in Boots, no wonder he's tired.", ["User's brother works in Boots."]),
        ("I drink coffee, no milk.", ["User drinks coffee."]),
        ("I work in Dublin, no, in a good way I love it.", ["User works in Dublin."]),
        ("My sister lives in Sligo, sorry, in a hurry.", ["User's sister lives in Sligo."]),
    ],
)
def test_what_is_taken_back_is_not_learned_and_what_takes_its_place_is(text, learned):
    assert sorted(texts(text)) == sorted(learned)


def test_a_sound_of_hesitation_is_no_word_of_another_language():
    for text in ("Um 8 Uhr bin ich da", "Ja, um 9", "Em Lisboa", "vivo em casa"):
        assert without_slips(text) == text


@table(
    "text, read",
    [
        ("on the third no hang on the fourth sorry the tenth of April", "on the tenth of April"),
        ("On 10 April, no, 17 April we fly", "On 17 April we fly"),
        ("on Tuesday, no, on Wednesday at ten", "on Wednesday at ten"),
        ("Yes to tea, no to coffee.", "Yes to tea, no to coffee."),
        ("I said no to Tom, no to Ben.", "I said no to Tom, no to Ben."),
    ],
)
def test_a_day_takes_the_place_of_a_day_and_two_answers_stay_two(text, read):
    assert " ".join(without_slips(text).split()) == read


def test_what_was_taken_back_is_learned_once():
    found = extract_new([Turn(text="I take ramipril, no, losartan.", id="x")], known=0)
    assert [fact.text for fact in found] == ["User takes losartan."]


def test_a_fact_quotes_the_words_as_they_stand():
    text = "I live in Falmouth, sorry, I mean Penryn."
    (fact,) = extract_facts([Turn(text=text)])
    assert fact.quote in text
    assert fact.object == "Penryn"


_PIECES = [
    "Anna",
    "kiwi",
    "12",
    "Monday",
    ", ",
    ". ",
    " - ",
    "sorry",
    "i mean",
    "scratch that",
    "no",
    " ",
    "it's",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_places_stay_and_nothing_is_put_in(text):
    read = without_slips(text)
    assert len(read) == len(text)
    assert all(new in {old, " "} for old, new in zip(text, read, strict=True))


@table(
    "text, read",
    [
        (
            "I'll ring thursday. no wait, friday, thursday is the holiday",
            "I'll ring friday, thursday is the holiday",
        ),
        ("the meeting moved to tuesday. sorry, wednesday", "the meeting moved to wednesday"),
        ("I start on Monday. No, Tuesday.", "I start on Tuesday."),
        ("We close on Monday. No Tuesday lunch", "We close on Monday. No Tuesday lunch"),
        ("I can't do Monday. Wait, Tuesday works", "I can't do Monday. Wait, Tuesday works"),
    ],
)
def test_a_day_is_taken_back_in_the_next_sentence(text, read):
    assert " ".join(without_slips(text).split()) == read


def test_a_moved_meeting_that_was_corrected_reads_plainly():
    turn = Turn(
        text="meeting moved to tuesday. sorry, wednesday", happened_at=datetime(2025, 8, 14, tzinfo=UTC)
    )
    (found,) = extract_facts([turn])
    assert found.text == "User's meeting was moved to 20 August 2025."

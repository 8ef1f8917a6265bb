"""Corrections of what was said before: what ends, what takes its place, and what is of something else."""

import pytest
from tests.learning.living import left
from tests.tables import table

from recollect import Memory
from recollect.learning.reconcile.corrections import Correction, corrected_words, correction_in


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing") as made:
        yield made


def told(memory, *said, days=(5, 5), minute=0):
    for place, (day, text) in enumerate(zip(days, said, strict=False), start=minute):
        memory.add(
            text, user_id="ada", session_id=f"day {day}", timestamp=f"2026-11-{day:02}T10:0{place}:00Z"
        )
    memory.jobs.drain()


def holding(memory):
    facts = memory.get_all(user_id="ada", kinds=["fact"])
    return {one.content for one in facts if one.times.valid_until is None}


@table(
    "said, corrected, fact",
    [
        ("I live in Falmouth", "sorry I meant Penryn, not Falmouth", "User lives in Penryn."),
        (
            "I'm allergic to kiwi",
            "scratch that, its strawberries im allergic to not kiwi",
            "User is allergic to strawberries.",
        ),
        (
            "I'm allergic to kiwi",
            "Actually I'm allergic to strawberries, not kiwi",
            "User is allergic to strawberries.",
        ),
        (
            "I have a dentist appointment on 12 November at 3.40pm",
            "correction, the dentist is 3.20 not 3.40, i misheard",
            "User has a dentist appointment on 12 November 2026 at 15:20.",
        ),
        (
            "my dog Biscuit is a lurcher",
            "Actually Biscuit's a whippet cross, vet says, not a lurcher.",
            "User's dog Biscuit is a whippet cross.",
        ),
        ("My sister is called Anna", "sorry, it's Berta, not Anna", "User's sister is called Berta."),
        (
            "Dentist for Joel on Thursday 26 November at 4pm",
            "Correction: Joel's dentist is on Friday the 27th, not Thursday",
            "User has a dentist appointment for Joel on 27 November 2026 at 16:00.",
        ),
    ],
)
@pytest.mark.parametrize("days", [(5, 5), (5, 19)])
def test_the_corrected_value_takes_the_place_of_the_old_one(said, corrected, fact, days):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, said, days=(5,))
        before = holding(memory)
        told(memory, corrected, days=days[1:])
        assert fact in holding(memory)
        assert len(before - holding(memory)) == 1
        assert memory.facts.conflicts(user_id="ada") == []


@table(
    "said, other",
    [
        ("I live in Falmouth", "sorry, the boat is in Penryn, not Falmouth"),
        ("I live in Falmouth", "Actually I like Penryn, not Falmouth"),
        ("I live in Falmouth", "actually I'm not sure, it is not Falmouth"),
        ("I live in Falmouth", "did I say Penryn, sorry, not Falmouth?"),
        ("I'm allergic to kiwi", "my sister is allergic to strawberries, sorry, not kiwi"),
        ("my meeting is on 9 November at 10.40", "sorry, the bin lorry comes at 10.20, not 10.40"),
        ("my dog Biscuit is a lurcher", "Rex is a whippet, not a lurcher"),
    ],
)
def test_a_correction_of_something_else_ends_nothing(said, other):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, said, days=(5,))
        before = holding(memory)
        told(memory, other, days=(5,))
        assert before <= holding(memory)


@table(
    "said, corrected, fact",
    [
        (
            "lunch with my sister Ngozi on Friday",
            "scratch that, it's Saturday, her flight got moved",
            "User has a lunch with their sister Ngozi on 7 November 2026.",
        ),
        (
            "I have a dentist appointment on Thursday at 3pm",
            "sorry, it's 4pm",
            "User has a dentist appointment on 5 November 2026 at 16:00.",
        ),
        ("We're flying to Rome on 3 May", "oops, 5 May", "User is flying to Rome on 5 May 2027."),
        (
            "I have a dentist appointment on Thursday at 3pm",
            "I meant Friday",
            "User has a dentist appointment on 6 November 2026 at 15:00.",
        ),
        (
            "I have a dentist appointment on Thursday at 3pm",
            "sorry, it's Friday, I misread the card",
            "User has a dentist appointment on 6 November 2026 at 15:00.",
        ),
    ],
)
def test_a_day_or_a_time_alone_corrects_the_plan_that_was_told_just_before(said, corrected, fact):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, "I have a meeting on 9 November at 10am", said, days=(5, 5))
        before = holding(memory)
        told(memory, corrected, days=(5,), minute=5)
        assert fact in holding(memory)
        assert len(before - holding(memory)) == 1
        assert memory.facts.conflicts(user_id="ada") == []


@table(
    "said, other, days",
    [
        ("I have a dentist appointment on Thursday at 3pm", "scratch that, it's Saturday", (5, 9)),
        ("I live in Falmouth", "sorry, it's Saturday", (5, 5)),
        ("I have a meeting on 9 November", "sorry, it's Friday today so I can't", (5, 5)),
        ("I have a meeting on 9 November", "sorry, it's 4pm", (5, 5)),
        ("I have a meeting on 9 November at 3pm", "sorry, it's 4pm, I need to run", (5, 5)),
        ("I have a meeting on 9 November at 3pm", "Oops, it's 10am, I overslept", (5, 5)),
        ("I have a meeting on 9 November at 3pm", "actually it's Tuesday, I'll do the laundry", (5, 5)),
        ("I have a meeting on 9 November at 3pm", "oops, Friday as well is Ben's recital", (5, 5)),
    ],
)
def test_a_day_alone_corrects_nothing_of_another_day_or_without_a_date(said, other, days):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, said, days=days[:1])
        before = holding(memory)
        told(memory, other, days=days[1:], minute=5)
        assert before <= holding(memory)


@table(
    "said, corrected, fact",
    [
        ("My sister Ines is 24.", "No wait, she's 22.", "User's sister Ines is 22."),
        ("My sister Ines is 24.", "actually i got that wrong shes 22", "User's sister Ines is 22."),
        ("My rent is 850 a month.", "no wait, 580", "User's rent is 580 a month."),
        ("I earn 8,500.", "no wait i meant 8,050", "User earns 8,050."),
        ("We have two cats.", "sorry, three", "User has three cats."),
        ("I work at Tesco.", "sorry i meant Aldi", "User works at Aldi."),
        ("I live in a flat.", "no sorry, a bungalow", "User lives in a bungalow."),
        (
            "My dentist appointment is on 12 June at 3pm.",
            "no wait, 4",
            "User's dentist appointment is on 12 June 2027 at 16:00.",
        ),
        (
            "My dentist appointment is on 12 June at 3pm.",
            "no sorry 13th",
            "User's dentist appointment is on 13 June 2027 at 15:00.",
        ),
        (
            "I bought a lawnmower for 650 euro.",
            "Sorry, 560 not 650.",
            "User bought a lawnmower for 560 euro.",
        ),
        ("My rent is 740.", "It's 720 not 740, sorry.", "User's rent is 720."),
        ("I take sertraline 50 mg.", "Sorry, 100 not 50.", "User takes sertraline 100 mg."),
        ("I live in Leeds.", "no, in York not Leeds", "User lives in York."),
        ("My sister is 34.", "no, 35.", "User's sister is 35."),
        (
            "I earn 7,500.",
            "no wait, I meant 8,500. 7,500 was their first offer",
            "User earns 8,500.",
        ),
        (
            "My dentist appointment is on 12 June.",
            "no, the 17th!",
            "User's dentist appointment is on 17 June 2027.",
        ),
        (
            "My dentist appointment is on Tuesday 10 November.",
            "sorry, Thursday not Tuesday. The 12th",
            "User's dentist appointment is on 12 November 2026.",
        ),
    ],
)
def test_a_value_alone_corrects_the_last_one_of_its_kind(said, corrected, fact):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, said, days=(5,))
        told(memory, corrected, days=(5,), minute=3)
        held = holding(memory)
        assert fact in held
        assert not any("wait" in one.lower() or "sorry" in one.lower() for one in held)
        assert memory.facts.conflicts(user_id="ada") == []


@table(
    "said, other",
    [
        ("My sister Ines is 24.", "No wait, she's a nurse."),
        ("My sister Ines is 24.", "Actually, I'm 22."),
        ("My rent is 850 a month.", "No wait, what time is it?"),
        ("My rent is 850 a month.", "no, 20 people came"),
        ("We have two cats.", "No, thanks"),
        ("I live in York.", "Sorry, I have to go."),
        ("I work at Tesco.", "no wait, my brother works at Aldi"),
        ("My dentist appointment is on 12 June.", "No, the 17th is my birthday."),
        ("My dentist appointment is on 12 June.", "No, 17 years ago I had one."),
        ("I bought a lawnmower for 650 euro.", "Sorry, 560 not 650 people came."),
        ("I have three cats.", "No, two dogs."),
    ],
)
def test_a_value_of_another_kind_or_of_somebody_else_corrects_nothing(said, other):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, said, days=(5,))
        before = holding(memory)
        told(memory, other, days=(5,), minute=3)
        assert before <= holding(memory)


def test_a_value_alone_corrects_nothing_that_was_said_on_another_day(memory):
    told(memory, "My rent is 850 a month.", "no wait, 580", days=(5, 6))
    assert "User's rent is 850 a month." in holding(memory)


def test_of_several_facts_with_the_old_value_the_last_one_is_corrected(memory):
    told(
        memory,
        "I work in Falmouth",
        "I live in Falmouth",
        "sorry I meant Penryn, not Falmouth",
        days=(5, 5, 5),
    )
    assert holding(memory) == {"User works in Falmouth.", "User lives in Penryn."}


def test_the_corrected_fact_goes_with_the_words_that_it_took_from_the_first_message(memory):
    told(memory, "I have a dentist appointment on 12 November at 3.40pm", "sorry, dentist is 3.20, not 3.40")
    assert [one for one in holding(memory) if "15:20" in one]
    (said,) = [
        one for one in memory.get_all(user_id="ada", kinds=["message"]) if "appointment" in one.content
    ]
    memory.delete(said.id, user_id="ada")
    memory.jobs.drain()
    assert not [one for one in memory.get_all(user_id="ada", kinds=["fact"]) if "November" in one.content]
    memory.undelete(said.id, user_id="ada")
    memory.jobs.drain()
    assert [one for one in holding(memory) if "15:20" in one]


def test_deleting_a_correction_lets_the_first_value_hold_again(memory):
    told(memory, "I live in Falmouth", "sorry I meant Penryn, not Falmouth")
    (said,) = [one for one in memory.get_all(user_id="ada", kinds=["message"]) if "Penryn" in one.content]
    memory.delete(said.id, user_id="ada")
    memory.jobs.drain()
    assert holding(memory) == {"User lives in Falmouth."}


@table(
    "text",
    [
        "I like tea, not coffee",
        "sorry I'm not sure",
        "Actually it's good, not bad",
        "sorry, I'm in Leeds, not able to come",
        "no, that is fine, not a problem",
        "Actually my van is red, not that it matters",
    ],
)
def test_what_takes_nothing_back_or_names_no_values_is_no_correction(text):
    assert correction_in(text) is None


def test_a_time_is_corrected_in_the_half_of_the_day_in_which_it_is_known():
    correction = Correction("3.20", "3.40", "")
    assert corrected_words("on 12 November at 15:40", correction) == "on 12 November at 15:20"
    assert corrected_words("at 3.40 and again at 3.40", correction) is None


@table(
    "said, corrected, fact",
    [
        ("Ich wohne in Leipzig.", "Quatsch, in Halle, nicht in Leipzig.", "User lives in Halle."),
        ("Ich bin 34 Jahre alt.", "Quatsch, 35.", "User is 35."),
        ("Ich arbeite bei Siemens.", "Ich meinte Bosch, nicht Siemens.", "User works at Bosch."),
        ("Meine Schwester heißt Wiebke.", "Sorry, vertippt: Wibke.", "User's sister is named Wibke."),
        (
            "Termin beim Zahnarzt am Donnerstag, 12. November um 9:30 Uhr.",
            "nee, Freitag, nicht Donnerstag. Also am 13.11.",
            "User has an appointment (Termin beim Zahnarzt) on 13 November 2026 at 09:30.",
        ),
        (
            "Mein Zahnarzttermin ist am 14. November um 15 Uhr.",
            "nee, doch erst am 15. November.",
            "User has an appointment (Zahnarzttermin) on 15 November 2026 at 15:00.",
        ),
        (
            "I have a dentist appointment on 22 November at 9.30",
            "sorry, I meant the 23rd, not the 22nd",
            "User has a dentist appointment on 23 November 2026 at 9.30.",
        ),
        ("J'habite à Paris.", "Non pardon, je voulais dire à Lyon, pas à Paris.", "User lives in Lyon."),
        ("Vivo en Cádiz.", "No, perdón, quise decir en Sevilla, no en Cádiz.", "User lives in Sevilla."),
    ],
)
def test_corrections_in_other_languages_and_of_a_day_are_heard(said, corrected, fact):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, said, corrected)
        assert holding(memory) == {fact}


@table(
    "said, other",
    [
        ("Ich mag Pilze.", "Nein danke."),
        ("Ich wohne in Leipzig.", "Nein, ich wohne nicht in Halle."),
        ("Ich bin 34 Jahre alt.", "Nein, 20 Leute kamen."),
    ],
)
def test_a_german_no_that_names_no_value_corrects_nothing(said, other):
    with Memory(":memory:", embedder="hashing") as memory:
        told(memory, said)
        before = holding(memory)
        told(memory, other, minute=1)
        assert before <= holding(memory)


@table(
    "said",
    [
        "Actually Frida's allergy is to walnuts, not hazelnuts.",
        "Actually Frida is allergic to walnuts, not hazelnuts.",
        "Frida is allergic to walnuts, not hazelnuts.",
    ],
)
def test_a_corrected_allergy_of_a_known_child_leaves_one(said):
    kids = "We have two kids, Emil and Frida."
    after, asked = left(kids, "Frida is allergic to hazelnuts.", said)
    assert {one for one in after if "allerg" in one} == {"Frida is allergic to walnuts."}
    assert asked == 0


@pytest.mark.parametrize(
    ("before", "corrected", "holds"),
    [
        ("dentist is friday 6th at 3.15", "no wait, monday the 9th at 4", "9 November 2026 at 4."),
        ("I have a haircut on Friday at 11am", "no wait, saturday 2pm", "7 November 2026 at 2pm."),
        ("physio is 14 november at 9.30", "sorry, the 15th at 10.15", "15 November 2026 at 10.15."),
        ("physio is 14 november at 9.30", "no wait, the 15th", "15 November 2026 at 9.30."),
        (
            "scan is 16th november 11.20",
            "correction, the scans the 19th not the 16th",
            "19 November 2026 11.20.",
        ),
    ],
)
def test_a_new_day_takes_its_time_along(memory, before, corrected, holds):
    told(memory, before, corrected)
    (current,) = holding(memory)
    assert current.endswith(holds)

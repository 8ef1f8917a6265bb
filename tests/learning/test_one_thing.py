"""A message ends, or is asked about, only what it is about: one thing of one person."""

import pytest
from tests.learning.living import left

from recollect.learning.reconcile.doubts import name_others
from recollect.learning.reconcile.told import parts_of


@pytest.mark.parametrize(
    ("before", "fact", "after"),
    [
        (
            "My mate is Faisal",
            "User's mate is Faisal.",
            "faisal's passed his registration exam! he's a pharmacist now",
        ),
        (
            "My girlfriend is Iona.",
            "User's girlfriend is Iona.",
            "iona wants a new password and i want a divorce",
        ),
        (
            "I freelance illustration, mostly kids books and beer labels",
            "User freelances illustration, mostly kids books and beer labels.",
            "I've stopped drinking",
        ),
        ("I drink wine at the weekend", "User drinks wine at the weekend.", "I stopped drinking coffee"),
    ],
)
def test_news_of_somebody_or_of_another_drink_ends_nothing(before, fact, after):
    assert fact in left(before, after)[0]


@pytest.mark.parametrize(
    ("before", "fact", "after"),
    [
        ("My mate is Faisal", "User's mate is Faisal.", "Faisal passed away last night"),
        ("I'm applying for the band 6", "User is applying for the band 6.", "GOT THE JOB"),
        (
            "signed up for the Edinburgh half",
            "User signed up for the Edinburgh half.",
            "Not doing Edinburgh though, i've deferred to 2027",
        ),
    ],
)
def test_what_the_words_plainly_end_ends(before, fact, after):
    assert fact in left(before)[0]
    assert fact not in left(before, after)[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("signed up for the Edinburgh half", "Not doing London though"),
        ("My sister is applying for a job at Arup", "got the job!"),
        ("I've stopped drinking btw", "Forget the keep it short thing btw. I'm on the laptop now"),
        ("I hate olives. it's a long story btw", "we moved the sofa btw, it's upstairs now"),
        ("A friend of mine says she's pregnant, mum knows", "mum's visit went fine"),
        ("draft a text to iona about the hoover", "Iona's moved in"),
        ("translate to spanish for my class: where is the library", "quit the spanish"),
        ("My friend Anna is vegan", "from Anna's email: the meeting was moved"),
        ("My brother is Ewan.", "Ewan's back in Glasgow now."),
        ("Ewan's birthday is 3 May. My brother Ewan lives in Aberdeen.", "ewan just got engaged to Morag"),
        ("mom's neurology appointment is on March 12 at 2", "mom's pills changed, she takes 3 now"),
    ],
)
def test_a_filler_a_request_or_somebody_alone_makes_no_conflict(before, after):
    facts, conflicts = left(before, after)
    assert conflicts == 0
    assert left(before)[0] <= facts


@pytest.mark.parametrize(
    ("text", "told"), [("quit drinking for good", True), ("quit drinking coffee", False)]
)
def test_who_quits_one_drink_need_not_quit_alcohol(text, told):
    assert any("alcohol" in part.slots for part in parts_of(text)) is told


def test_two_people_who_are_known_are_two():
    people = {"otis": "son", "juniper": "daughter"}
    assert name_others("it's not cashews with Juniper", "otis is allergic to penicillin", people)
    assert not name_others("otis is allergic to nuts", "Otis's allergic to penicillin", people)
    assert not name_others("new boss: Beatriz", "my boss is Otis", people)


def test_somebody_who_moves_away_stays_who_they_are():
    facts, _ = left("my mate Dazza is getting married in June", "dazza moved to Spain")
    assert "User's mate is named Dazza." in facts

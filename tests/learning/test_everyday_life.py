"""Deaths, cures, names and other turns of an everyday life, as people tell them."""

import pytest
from tests.learning.living import DAY_S, learned, told

from recollect import Memory
from recollect.testing.fakes import FakeClock

_PENICILLIN = "User is allergic to penicillin."
_SERTRALINE = "User takes 50 mg sertraline."


def contested(*messages):
    """The older facts of the conflicts that wait."""
    with told(*messages) as memory:
        return [one.known.content for one in memory.facts.conflicts(user_id="u")]


@pytest.mark.parametrize(
    ("before", "after", "gone", "new"),
    [
        ("I have a dog called Rex", "Rex died last week", "User has a dog called Rex.", "Rex died."),
        ("I have a dog called Rex", "we had to put Rex down", "User has a dog called Rex.", "Rex died."),
        ("My nan Ilse lives in Kiel", "Ilse died", "User's nan Ilse lives in Kiel.", "Ilse died."),
        (
            "I'm allergic to peanuts",
            "my allergist says I'm not allergic any more",
            "User is allergic to peanuts.",
            "User's allergist says they are not allergic any more.",
        ),
        (
            "I'm allergic to peanuts",
            "the allergist told me my peanut allergy is gone",
            "User is allergic to peanuts.",
            "The allergist told User their peanut allergy is gone.",
        ),
        ("Call me Nono", "please don't call me Nono", "User wants to be called Nono.", "asks not to be"),
        ("My friends call me Nono", "I hate being called Nono", "User is called Nono.", "asks not to be"),
        ("don't call me Nono", "you can call me Nono", "User asks not to be called Nono.", "wants to be"),
        ("My boss is Karen", "New boss since Monday: Pieter", "User's boss is Karen.", "boss is Pieter."),
        (
            "My daughter is allergic to eggs",
            "she has outgrown the egg allergy",
            "User's daughter is allergic to eggs.",
            "User's daughter has outgrown the egg allergy.",
        ),
        (
            "I'm allergic to penicillin",
            "The penicillin test came back clear, I'm not allergic after all",
            "User is allergic to penicillin.",
            "User is not allergic after all.",
        ),
        ("I take 50 mg of sertraline", "I came off sertraline", _SERTRALINE, "User came off sertraline."),
        ("I take 50 mg of sertraline", "I'm done with sertraline", _SERTRALINE, "is done with sertraline."),
        ("I take 50 mg of sertraline", "I've stopped taking sertraline", _SERTRALINE, "stopped taking"),
        ("I take 50 mg of sertraline", "My GP took me off sertraline", _SERTRALINE, "GP took them off"),
        ("I take 50 mg of sertraline", "I don't need sertraline any more", _SERTRALINE, "does not need"),
        (
            "I take vitamin D",
            "I've finished the vitamin D",
            "User takes vitamin D.",
            "finished the vitamin D.",
        ),
        (
            "I drive an old Skoda",
            "Traded the Skoda in for a Yaris",
            "User drives an old Skoda.",
            "drives a Yaris.",
        ),
        (
            "I have a dentist appointment on 3 December at 9:30",
            "Had to reschedule the dentist to 10 December at 14:00",
            "User has a dentist appointment on 3 December 2026 at 09:30.",
            "had to reschedule the dentist to 10 December 2026",
        ),
        ("I vape", "Not vaping any more", "User vapes.", "Not vaping any more."),
        (
            "I subscribe to the Guardian",
            "I let my Guardian subscription lapse",
            "User subscribes to the Guardian.",
            "Guardian subscription lapse.",
        ),
        (
            "I go swimming every Tuesday",
            "I've packed in the swimming",
            "User goes swimming every Tuesday.",
            "User has packed in the swimming.",
        ),
        (
            "choir practice is Tuesday evenings",
            "Choir practice is on Thursdays now",
            "User's choir practice is Tuesday evenings.",
            "User's choir practice is on Thursdays.",
        ),
        ("I keep Biscuit the cat indoors", "Biscuit died", "User keeps Biscuit the cat indoors.", "died."),
    ],
)
def test_what_is_over_ends_and_what_is_new_reads_as_a_plain_fact(before, after, gone, new):
    holding, ended, _ = learned(before, after)
    assert gone in ended
    assert any(new in one for one in holding)


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        ("I'm allergic to nuts", "My sister says I'm not allergic", "User is allergic to nuts."),
        ("I'm allergic to nuts", "my allergist says my son isn't allergic", "User is allergic to nuts."),
        ("I have a dog called Rex", "in the film Rex died", "User has a dog called Rex."),
        ("My friends call me Nono", "don't call me lazy", "User is called Nono."),
        ("I use Revit at work", "I've given notice at Hallam Studio", "User uses Revit at work."),
        ("I usually cycle to work", "I've handed in my notice", "User usually cycles to work."),
        ("I live in Leeds", "Tom is home now", "User lives in Leeds."),
        ("I'm allergic to shellfish", "Nell can eat peanuts now", "User is allergic to shellfish."),
        ("I'm allergic to peanuts", "Nell outgrew her peanut allergy", "User is allergic to peanuts."),
        ("I'm allergic to shellfish", "I can eat eggs again", "User is allergic to shellfish."),
        ("I take 50 mg of sertraline", "My mum came off sertraline", _SERTRALINE),
        ("I take 50 mg of sertraline", "I don't want to stop taking sertraline", _SERTRALINE),
    ],
)
def test_what_others_say_and_what_is_played_ends_nothing(before, after, stays):
    assert stays in learned(before, after)[0]


@pytest.mark.parametrize("parting", ["Callum and I are done", "Callum and I broke up", "Callum moved out"])
@pytest.mark.parametrize("home", ["I live in Leeds with Callum", "I live with my boyfriend Callum in Leeds"])
def test_a_parting_ends_the_couple_and_leaves_the_home(home, parting):
    holding, ended, _ = learned(home, parting)
    assert "User lives in Leeds." in holding
    assert any("lives with" in one for one in ended)


def test_where_a_former_partner_moves_is_not_where_the_user_lives():
    holding, _, _ = learned("I live in Leeds with my partner Tom", "Tom and I split up, he's moving to York")
    assert "User lives in Leeds." in holding
    assert not any(one.startswith("User lives") and "York" in one for one in holding)


@pytest.mark.parametrize(
    ("said", "left", "conflicts"),
    [
        ("The penicillin test was clear, I'm not allergic after all", {"User is allergic to walnuts."}, 0),
        ("Turns out I'm not allergic after all", {_PENICILLIN, "User is allergic to walnuts."}, 1),
    ],
)
def test_of_two_allergies_the_named_one_ends_and_without_a_name_a_person_decides(said, left, conflicts):
    holding, _, asked = learned("I'm allergic to penicillin", "I'm allergic to walnuts", said)
    assert {one for one in holding if "is allergic to" in one} == left
    assert asked == conflicts


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("We're flying to Japan in May 2027", "The Japan trip is off", "is flying to Japan"),
        ("We're getting married on 12 June 2027", "we called off the wedding", "is getting married"),
        ("I have a dentist appointment on 14 March 2027", "cancelled the dentist", "dentist appointment"),
        ("I'm moving to Oslo in September", "We're not moving to Oslo after all", "is moving to Oslo"),
        ("We're going to Greece in August", "We're not going to Greece any more", "is going to Greece"),
        (
            "My sister is getting married on 4 July 2027",
            "my sister called off her wedding",
            "sister is getting",
        ),
        ("I'm pregnant, due in August", "Our baby was born on Friday!", "User is pregnant."),
        ("My wife is pregnant", "Our daughter Ella was born last night", "wife is pregnant."),
        ("My flight to Rome is on 3 May 2027", "My flight to Rome is on 5 May 2027", "Rome is on 3 May"),
    ],
)
def test_a_plan_ends_when_it_is_called_off_or_has_come_true(before, after, gone):
    holding, ended, conflicts = learned(before, after)
    assert any(gone in one for one in ended)
    assert holding
    assert conflicts == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We're flying to Japan in May 2027", "The Rome trip is off"),
        ("I have an exam on 5 May 2027", "the concert was cancelled"),
        ("My wedding is on 5 May 2027", "My brother cancelled his wedding"),
        ("I'm pregnant", "My sister's baby was born today"),
        ("My flight to Rome is on 3 May 2027", "My flight to Oslo is on 5 May 2027"),
    ],
)
def test_another_plan_and_another_birth_end_nothing(before, after):
    assert learned(before, after)[1] == set()


def test_a_dated_move_is_a_plan_and_no_conflict_with_the_home():
    holding, ended, conflicts = learned("I live in Leeds", "I found a flat in Chorlton, moving on 11 August")
    assert any(one.startswith("User is moving on 11 August") for one in holding)
    assert "User lives in Leeds." in holding
    assert (ended, conflicts) == (set(), 0)


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("oh great, I just LOVE cleaning cat sick", set()),
        ("Oh brilliant! I love waiting on hold.", set()),
        ("Great, I just love waiting on hold for an hour.", set()),
        ("Great, I love cooking.", {"User loves cooking."}),
        ("Oh, great question. I love jazz.", {"User loves jazz."}),
        ("I just love sourdough bread", {"User loves sourdough bread."}),
    ],
)
def test_a_sarcastic_welcome_teaches_no_taste(said, facts):
    assert learned(said)[0] == facts


def test_of_two_pets_a_person_decides_which_one_is_meant():
    holding, ended, conflicts = learned("We have two cats, Mia and Tom", "Tom died last month")
    assert "User has two cats, Mia and Tom." in holding
    assert (ended, conflicts) == (set(), 1)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("We got a dog last year, a whippet called Pico", "User's whippet is named Pico."),
        ("my daughter (Emma) started school", "User's daughter is named Emma."),
        ("My two kids, Ana and Ben, love lego", "User's kids are named Ana and Ben."),
        ("Our son, Leo, he's 4", "User's son is named Leo."),
        ("Grandma lives in Kiel", "User's grandma lives in Kiel."),
        ("Peanuts send me to hospital, so I carry an EpiPen", "User reacts badly to peanuts (hospital)."),
        ("Peanuts send me to hospital, so I carry an EpiPen", "User carries an EpiPen."),
        ("Asha is coeliac", "Asha is coeliac."),
        ("Nell is allergic to peanuts, we always carry an EpiPen", "Nell is allergic to peanuts."),
        ("je suis allergique aux noix", "User is allergic to noix."),
        ("j'ai une allergie aux arachides", "User is allergic to arachides."),
        ("Ich bin gegen Nüsse allergisch", "User is allergic to Nüsse."),
        ("Ich habe eine Haselnussallergie", "User is allergic to Haselnuss."),
        ("Meine Tochter ist allergisch gegen Soja", "User's daughter is allergic to Soja."),
        ("mi hija es alérgica a los cacahuetes", "User's daughter is allergic to cacahuetes."),
        ("Ich bin Vegetarierin", "User is Vegetarierin."),
        ("Je suis végétarien", "User is végétarien."),
        ("my new work number is 0170 123 4567", "User's work phone number is 0170 123 4567."),
    ],
)
def test_what_is_told_in_passing_is_learned(said, fact):
    assert fact in learned(said)[0]


@pytest.mark.parametrize(
    "said",
    [
        "I use hunter22!x as my password for the router",
        "Remember that my wifi password is hunter22!x.",
        "we switched the wifi password to hunter22!x",
    ],
)
def test_no_fact_is_made_of_a_value_that_was_removed(said):
    holding, _, _ = learned("I live in Rome", "our wifi password is tuba-3-elk", said)
    assert not any("removed" in one and "removed]" not in one for one in holding)
    assert not any("User uses" in one or "User asks" in one for one in holding)


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("I live in Leeds", "any good routes in Bristol? moved here 2 weeks ago", "in Leeds", "to Bristol"),
        ("I use vim", "how do I get two cursors in VS Code? switched over in May", "vim", "VS Code"),
        ("I use Slack at work", "ugh they killed Slack last month, everything's on Teams", "Slack", "Teams"),
        ("I bank with ING", "went with ASN this year", "ING", "ASN"),
        ("My girlfriend Hannah loves thai food", "Hannah and I broke up", "loves thai", "broke up"),
        ("rent is 950 a month", "landlord put it up to 1100 from next month", "950", "1100"),
        ("I run 5k three times a week", "haven't run since April, I only swim", "runs 5k", "April"),
        ("We're launching the app in April", "The launch slipped to July", "April", "July"),
        ("I'm based in Dubai", "Back in Ireland since June", "Dubai", "Ireland"),
        ("Ik zit op tennis", "tennis heb ik opgezegd, ik ga nu naar yoga", "tennis", "yoga"),
    ],
)
def test_a_change_told_beside_a_question_or_by_other_words_is_noticed(before, after, old, new):
    holding, ended, conflicts = learned(before, after)
    assert conflicts or any(old in one for one in ended)
    assert any(new in one for one in holding)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I drive a Honda", "what colour suits a Kia? my neighbour just got one"),
        ("I'm allergic to penicillin", "turns out I'm allergic to cats on top of the penicillin"),
        ("my wife Elena is a dentist", "Elena's brother got divorced"),
        ("I use Slack at work", "how do I mute Discord? my son uses it now"),
    ],
)
def test_what_only_comes_beside_or_is_of_another_ends_nothing(before, after):
    assert learned(before, after)[1] == set()


def test_the_same_words_said_again_contradict_nothing():
    said = ["I prefer Python for data analysis", "My sister Ines gets married on 3 October"]
    once = learned(*said)
    assert (learned(*said, *said)[0], learned(*said, *said)[2]) == (once[0], 0)


def test_a_new_number_at_work_leaves_the_own_number():
    holding, _, conflicts = learned("my number is 0170 999 4567", "my new work number is 0170 123 4567")
    assert {"User's phone number is 0170 999 4567.", "User's work phone number is 0170 123 4567."} == holding
    assert conflicts == 0


@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [
        (["I work at Arup as an engineer."], "Where do I work?", "Arup"),
        (["My partner is called Callum."], "Who is my partner?", "Callum"),
        (["I can't have shellfish, I get hives."], "What am I allergic to?", "shellfish"),
        (["I'm a nurse at the infirmary."], "What is my job?", "nurse"),
        (["I live in Leeds.", "Leeds is history, Chorlton is home now."], "Where do I live?", "Chorlton"),
        (["I drive a Skoda.", "Swapped the Skoda for a Yaris."], "What car do I have?", "Yaris"),
    ],
)
def test_a_plain_question_a_week_later_finds_the_answer_before_what_was_asked_before(said, asked, answer):
    clock = FakeClock()
    besides = ["Work was busy.", "My friend Priya is allergic to cats.", "My sister lives in York.", "Bye!"]
    with Memory(":memory:", clock=clock) as memory:
        for session, message in enumerate([*said, *besides, asked.replace("?", " again?")]):
            memory.add(message, user_id="u", session_id=str(session))
            clock.tick(DAY_S)
        memory.jobs.drain()
        found = [hit.memory.content for hit in memory.search(asked, user_id="u", top_k=10)]
    place = next(at for at, content in enumerate(found) if answer in content)
    assert place < 3
    assert not any("again?" in content for content in found[:place])


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        (
            "I moved to Utrecht in March and work as a landscape architect at Groenwerk",
            ["User moved to Utrecht in March 2026.", "User works as a landscape architect at Groenwerk."],
        ),
        ("I came here in May and teach chemistry", ["User teaches chemistry."]),
        ("I studied law and now work as a baker", ["User works as a baker."]),
        ("I want to move and work less", []),
        ("keto over here, need lunch ideas", ["User is keto."]),
    ],
)
def test_a_second_verb_needs_no_second_subject(said, facts):
    assert learned(said)[0] == set(facts)


def test_who_turned_eight_is_still_called_so():
    holding, ended, conflicts = learned("My daughter Mia is 7 and in second grade", "Mia just turned eight")
    assert holding >= {"User's daughter is named Mia.", "Mia turned eight."}
    assert (ended, conflicts) == ({"User's daughter Mia is 7."}, 0)


def test_where_somebody_goes_on_to_ends_what_they_left():
    left = learned("I work at Groenwerk", "I left Groenwerk for Shell")
    assert left == ({"User left Groenwerk for Shell."}, {"User works at Groenwerk."}, 0)
    assert learned("I work at Groenwerk", "I left Groenwerk for lunch")[1] == set()


def test_a_day_that_somebody_has_is_no_date():
    holding, _, _ = learned(
        "I have the NYT on paper every Sunday", "my Sunday feels empty, I cancelled the NYT"
    )
    assert "User's Sunday feels empty, they cancelled the NYT." in holding


def test_a_job_that_is_left_and_the_next_one_are_learned_from_one_message():
    holding, ended, conflicts = learned("I work at Groenwerk", "I left Groenwerk, I'm at Shell now")
    assert (holding, ended, conflicts) == ({"User works at Shell."}, {"User works at Groenwerk."}, 0)


def test_a_shop_that_moves_is_no_home():
    holding, ended, _ = learned(
        "I'm living in Leeds", "we decided to move the shop to York, got the keys for it"
    )
    assert "User is living in Leeds." in holding
    assert ended == set()


def test_two_of_a_kind_are_two_people():
    holding, ended, conflicts = learned(
        "My kids are Mia (7) and Jonas (4)", "Jonas is 5 now", "Mia plays the oboe"
    )
    assert holding >= {"Mia is 7.", "Jonas is 5.", "Mia plays the oboe."}
    assert (ended, conflicts) == ({"Jonas is 4."}, 0)


def test_a_name_told_of_somebody_elses_boyfriend_is_nobodys_new_name():
    holding, _, _ = learned("My sister Sofie sings", "Sofie has a boyfriend now! His name is Anders")
    assert not any("Sofie is named" in one for one in holding)


def test_what_is_learned_and_asked_about_is_one_fact():
    said = "I've raised my rate to 0.16 since January."
    before = (
        "I'm a freelance translator, working from Kraków. "
        "I charge 0.14 EUR a word and I don't take medical texts."
    )
    with told(before, said) as memory:
        facts = [one.content for one in memory.get_all(user_id="u", kinds=["fact"])]
        (conflict,) = memory.facts.conflicts(user_id="u")
        assert len(facts) == len(set(facts))
        assert conflict.new.content == "User has raised their rate to 0.16 since January 2026."


@pytest.mark.parametrize(
    ("messages", "facts"),
    [
        (
            ["my bestie noor is in the same program", "noor hates pink"],
            {"User's bestie is named Noor.", "Noor hates pink."},
        ),
        (
            ["I'm seeing someone, his name is Jonas, he studies law", "jonas is allergic to cats"],
            {"User's partner is named Jonas.", "User's partner studies law.", "Jonas is allergic to cats."},
        ),
        (
            ["We adopted a daughter! Zuzia, she's two and a half."],
            {"User's daughter is named Zuzia.", "User's daughter is two and a half."},
        ),
        (
            ["My friend Noor and I study together.", "I need a gift for Noor, her birthday is 3 February"],
            {"Noor's birthday is on 3 February."},
        ),
    ],
)
def test_who_was_spoken_of_is_known_by_her_and_by_name(messages, facts):
    assert learned(*messages)[0] >= facts


def test_one_message_asks_once_about_one_fact():
    before = "we have two rabbits, Biscuit and Gravy"
    assert contested(before, "Gravy passed away last night. we're gutted") == [
        "User has two rabbits, Biscuit and Gravy."
    ]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Dentist for Joel on Thursday 26 November at 4pm, Dr Whitlock on Otley Road", "dentist"),
        ("Plumber on Friday 27 November at 9am, Pete from Aqua", "plumber"),
        ("Optician for Amara on Monday 30 November at 9, Specsavers", "optician"),
    ],
)
def test_whom_one_sees_on_a_day_is_an_appointment_and_no_trade(said, kind):
    holding, _, _ = learned(said)
    assert [f"{kind} appointment" in one for one in holding] == [True]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Dentist in Leeds, two kids", "User is a dentist in Leeds."),
        ("baker at 3 in the morning most days, dad of two", "User is a baker at 3 in the morning most days."),
        ("head nurse on ward 5 at St Thomas, 41", "User is a head nurse on ward 5 at St Thomas."),
    ],
)
def test_what_one_is_is_still_read_without_a_verb(said, fact):
    assert fact in learned(said)[0]


@pytest.mark.parametrize("when", ["next week", "tomorrow", "on Friday", "after Christmas"])
def test_a_notice_that_will_be_handed_in_ends_no_job_yet(when):
    assert "User works at Arup." in learned("I work at Arup", f"I'm handing in my notice {when}")[0]


def test_a_new_job_ends_no_standing_instruction():
    holding, ended, _ = learned("Stop suggesting things for work on Fridays.", "I got the Morrisons job!!!")
    assert "User asks never to suggest things for work on Fridays." in holding
    assert not ended

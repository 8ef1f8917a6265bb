"""What one person changes ends nothing of another: relatives and what people do, in both directions."""

import pytest
from tests.tables import table

from recollect import Memory
from recollect.testing.fakes import FakeClock

_MONTH_S = 30 * 86_400
_RELATIVES = (
    "dad", "mum", "wife Pauline", "husband", "son Alfie", "daughter", "brother Rob", "sister", "nan", "uncle",
    "friend Dan", "flatmate", "boss", "neighbour", "girlfriend",
)  # fmt: skip
_DOINGS = (
    ("takes warfarin", "I take warfarin", "came off warfarin"),
    ("smokes", "I smoke", "quit smoking"),
    ("is vegan", "I'm vegan", "stopped being vegan"),
    ("plays football", "I play football", "gave up football"),
    ("drives a Skoda", "I drive a Skoda", "sold the Skoda"),
    ("works at Aldi", "I work at Aldi", "left Aldi"),
    ("goes to the gym on Mondays", "I go to the gym on Mondays", "cancelled the gym"),
    ("lives in Derby", "I live in Derby", "moved out of Derby"),
    ("has a cat called Misty", "I have a cat called Misty", "gave Misty away"),
    ("is allergic to cats", "I'm allergic to cats", "outgrew the cat allergy"),
    ("drinks a lot of coffee", "I drink a lot of coffee", "has no coffee any more"),
    ("studies law", "I study law", "dropped out of law"),
)
_DENIED = (
    ("doesn't drink beer", "I don't drink beer", "drinks beer again", "I drink beer again"),
    ("doesn't eat fish", "I don't eat fish", "eats fish again", "I eat fish again"),
)


def changed(known, said):
    """What ended of what was known, and which of it is asked about."""
    clock, told = FakeClock(), []
    with Memory(":memory:", embedder="hashing", clock=clock) as memory:
        for messages in (known, said):
            told.append([memory.add(message, user_id="u")[0].id for message in messages])
            memory.jobs.drain()
            clock.tick(_MONTH_S)
        memory.jobs.drain()
        facts = memory.get_all(user_id="u", kinds=["fact"])
        first = [one for one in facts if not set(told[0]).isdisjoint(one.origin.sources)]
        asked = {(one.known.id, one.known.content) for one in memory.facts.conflicts(user_id="u")}
    assert first
    ended = {one.content for one in first if one.times.valid_until is not None}
    return ended, {words for id_, words in asked if id_ in {one.id for one in first}}


@pytest.mark.parametrize("who", _RELATIVES)
def test_what_the_user_changes_ends_nothing_of_a_relative(who):
    known = [f"My {who} {does}." for does, _, _ in _DOINGS] + [f"My {who} {does}." for does, *_ in _DENIED]
    said = [f"I {change}.".replace("I has", "I have") for *_, change in _DOINGS] + [
        row[-1] for row in _DENIED
    ]
    ended, asked = changed(known, said)
    assert (ended, asked) == (set(), set())


@pytest.mark.parametrize("who", _RELATIVES)
def test_what_a_relative_changes_ends_nothing_of_the_user(who):
    known = [own for _, own, _ in _DOINGS] + [own for _, own, *_ in _DENIED]
    said = [f"My {who} {change}." for *_, change in _DOINGS] + [f"My {who} {row[2]}." for row in _DENIED]
    ended, asked = changed(known, said)
    assert (ended, asked) == (set(), set())


@table(
    "known, said",
    [
        ("My dad smokes.", "Dad quit smoking."),
        ("My brother Rob takes warfarin.", "Rob came off warfarin."),
        ("My wife Pauline takes warfarin.", "They've taken my wife off the warfarin."),
        ("I take naproxen, 250 twice a day.", "hes stopped the naproxen and put me on co-codamol"),
        ("My friend Bob takes warfarin.", "My friend Bob came off warfarin."),
        ("I smoke.", "I quit smoking."),
        ("My wife smokes.", "My wife is thrilled. She quit smoking."),
    ],
)
def test_a_change_of_the_same_person_ends_what_is_known(known, said):
    ended, asked = changed([known], [said])
    assert ended or asked


@table(
    "known, said",
    [
        ("alfie wont eat anything green", "im going vegan from monday"),
        (
            "alfie wont eat anything green and hes got asthma, blue inhaler. put that in the food plan",
            "going vegetarian. no im not. but less red meat, pauline says twice a week max",
        ),
        ("My friend Bob takes warfarin.", "My friend Jim came off warfarin."),
        ("I take naproxen.", "He's off the naproxen, his doctor stopped it."),
        ("My partner Joris is a nurse.", "Rita did it!! She quit the bank."),
    ],
)
def test_of_somebody_else_nothing_ends_and_nothing_is_asked(known, said):
    assert changed([known], [said]) == (set(), set())


_OF_OTHERS_IN_GERMAN = {
    "Ich arbeite bei Siemens.": (
        "Svenja hat gekündigt.",
        "Opa hat gekündigt.",
        "Papa wurde heute aus dem Krankenhaus entlassen.",
        "Ich wurde gestern aus dem Krankenhaus entlassen.",
        "Ich hab Netflix gekündigt.",
        "Hab das Fitnessstudio gekündigt.",
        "Uns wurde die Wohnung gekündigt.",
    ),
    "Ich wohne in Leipzig.": (
        "Svenja wohnt jetzt in Halle.",
        "Der Bäcker unten ist umgezogen.",
        "Unser Büro ist umgezogen.",
        "Jetzt wohnt auch Svenja in Leipzig.",
        "Wir sind den ganzen Tag durch die Altstadt gezogen.",
    ),
    "Ich esse kein Fleisch.": ("Svenja isst jetzt wieder Fleisch.",),
    "Mein Chef heißt Bernd.": ("Der Verein hat einen neuen Chef.",),
    "Ich trinke morgens Tee.": ("Das Training morgen wurde abgesagt.",),
    "Termin beim Zahnarzt am 22. November um 9:30 Uhr.": ("Der Termin beim Friseur wurde abgesagt.",),
}


@pytest.mark.parametrize("known", _OF_OTHERS_IN_GERMAN)
def test_what_others_and_things_do_in_german_ends_nothing_of_the_user(known):
    ended, _ = changed([known], list(_OF_OTHERS_IN_GERMAN[known]))
    assert ended == set()


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ich arbeite bei Siemens.", "Hab heute bei Siemens gekündigt."),
        ("Ich arbeite bei Siemens.", "Mir wurde gekündigt."),
        ("Ich wohne in Leipzig.", "Bin umgezogen! Wohne jetzt in Halle."),
        ("Ich wohne in Leipzig.", "Seit Juli wohne ich in Hamburg."),
        ("Ich esse kein Fleisch.", "Ich esse jetzt wieder Fleisch."),
        ("Ich esse gern Fisch.", "Ich esse keinen Fisch mehr."),
        ("Mein Chef heißt Bernd.", "Ich habe einen neuen Chef, Olaf Petersen."),
        ("Termin beim Zahnarzt am 22. November um 9:30 Uhr.", "Der Termin beim Zahnarzt wurde abgesagt."),
    ],
)
def test_what_the_user_does_in_german_ends_what_is_known(known, said):
    ended, _ = changed([known], [said])
    assert ended

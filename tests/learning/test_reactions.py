"""What somebody's body does not stand is learned, and carried in the core."""

from datetime import UTC, datetime

from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.testing import FakeClock

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def reactions(text):
    facts = extract_facts([Turn(text=text, happened_at=NOON)])
    return [one.text for one in facts if "reacts badly" in one.text or "EpiPen" in one.text]


@table(
    "text, learned",
    [
        ("Peanuts send me to hospital", "User reacts badly to peanuts (hospital)."),
        ("peanuts put me in the hospital last year", "User reacts badly to peanuts (hospital)."),
        ("Bee stings land me in hospital", "User reacts badly to bee stings (hospital)."),
        ("One cashew and I'm in the ER", "User reacts badly to cashew (hospital)."),
        ("if I eat peanuts I end up in hospital", "User reacts badly to peanuts (hospital)."),
        ("the last time I took penicillin my face swelled up", "User reacts badly to penicillin (swelling)."),
        ("last time I ate prawns my throat closed up", "User reacts badly to prawns (swelling)."),
        ("I carry an EpiPen for bees", "User carries an EpiPen for bees."),
        ("I always carry an EpiPen because of nuts", "User carries an EpiPen for nuts."),
        ("I carry an EpiPen for my nut allergy", "User carries an EpiPen for their nut allergy."),
        ("I have to carry an epipen everywhere", "User carries an EpiPen."),
        ("My son carries an EpiPen for peanuts", "User's son carries an EpiPen for peanuts."),
        ("I can't eat shrimp, I swell up", "User reacts badly to shrimp (swelling)."),
        ("I can't eat walnuts, my throat closes", "User reacts badly to walnuts (swelling)."),
        ("I can't have dairy, it makes me sick", "User reacts badly to dairy (sickness)."),
        ("cant eat strawberries they give me hives", "User reacts badly to strawberries (hives)."),
        ("I can't drink milk without getting sick", "User reacts badly to milk (sickness)."),
        ("Mushrooms make me ill", "User reacts badly to mushrooms (sickness)."),
        ("Kiwi makes my mouth itch", "User reacts badly to kiwi (itching)."),
        ("Penicillin makes me break out in hives", "User reacts badly to penicillin (hives)."),
        ("I go into shock if I eat sesame", "User reacts badly to sesame (shock)."),
        (
            "I go into anaphylactic shock if a wasp stings me",
            "User reacts badly to wasp stings (anaphylactic shock).",
        ),
        ("I swell up like a balloon if I eat nuts", "User reacts badly to nuts (swelling)."),
        ("If I touch latex I break out in a rash", "User reacts badly to latex (a rash)."),
        ("I nearly died from eating a prawn once", "User reacts badly to prawn (danger to life)."),
        ("Nuts are deadly for me", "User reacts badly to nuts (danger to life)."),
        ("eggs don't agree with me", "User reacts badly to eggs (sickness)."),
        ("my body can't handle gluten", "User reacts badly to gluten (sickness)."),
        ("Peanuts send my brother to hospital", "User's brother reacts badly to peanuts (hospital)."),
    ],
)
def test_a_reaction_is_learned_in_whatever_order_it_is_told(text, learned):
    assert reactions(text) == [learned]


@table(
    "text",
    [
        "Meetings make me sick",
        "The news makes me ill",
        "My boss sends me to hospital visits as part of my job",
        "They sent me to hospital for a scan",
        "I can't eat this late, I get nightmares",
        "I can't have another meeting, I get sick of it",
        "I carry an umbrella for rain",
        "I carry an EpiPen for my son",
        "I go into shock if I see the prices",
        "I swell up when I fly",
        "The price of peanuts makes me sick",
        "the nuts send me to the hospital shop",
        "Cheese makes me so sick of France",
        "Peanuts used to send me to hospital, but I grew out of it",
        "If peanuts send me to hospital, what should I do?",
        "Do peanuts make you sick?",
        "Too much coffee makes me sick",
        "Eating too many cherries made me sick yesterday",
        "I react badly to criticism",
        "I almost died from shame when I ate the cake",
        "if I have time I end up at the hospital canteen",
        "every time I have kids over I break out in a rash",
        "I don't eat meat, it's dangerous for the planet",
        "In the novel, peanuts send me to hospital",
        "she said, peanuts make me sick",
    ],
)
def test_what_only_sounds_like_a_reaction_is_not_learned(text):
    assert reactions(text) == []


@table(
    "text, core",
    [
        ("I can't take penicillin it swells me up", "User reacts badly to penicillin (swelling)."),
        ("I can't take ibuprofen, it brings me out in a rash.", "User reacts badly to ibuprofen (a rash)."),
        ("Penicillin swells me up.", "User reacts badly to penicillin (swelling)."),
        ("I can't take penicillin.", "User cannot take penicillin."),
    ],
)
def test_a_medicine_that_somebody_cannot_take_is_in_the_core(text, core):
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        memory.add(text, user_id="ada")
        memory.jobs.drain()
        told = memory.context("what should I cook tonight?", user_id="ada").text
    assert f"- {core}" in told.partition("[Always known]")[2].partition("\n[")[0]


@table("text", ["I can't take any more of this.", "I can't take the bus, it's too slow."])
def test_what_is_no_medicine_is_no_health(text):
    assert not any("cannot take" in fact.text for fact in extract_facts([Turn(text=text)]))


def test_reactions_of_the_user_and_of_the_family_are_in_the_core():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as memory:
        said = ["Peanuts send me to hospital", "I carry an EpiPen for bees", "I can't tolerate lactose"]
        said += ["My daughter can't eat walnuts, she swells up"]
        memory.add(said, user_id="ada")
        memory.jobs.drain()
        core = memory.context("what should I cook tonight?", user_id="ada").text
    for words in ("peanuts (hospital)", "EpiPen for bees", "lactose", "daughter cannot eat walnuts"):
        assert words in core.partition("[Sun")[0]


@table("said", ["note for emergencies: allergic to penicillin", "for the record: allergic to penicillin"])
def test_an_allergy_under_a_heading_is_learned(said):
    facts = extract_facts([Turn(text=said, happened_at=NOON)])
    assert "User is allergic to penicillin." in [one.text for one in facts]


@table(
    "said",
    [
        "Note for Tim: allergic to bees.",
        "Profile of my cat: allergic to beef.",
        "Important for my wife: allergic to nuts.",
    ],
)
def test_an_allergy_under_the_name_of_another_is_not_the_users(said):
    facts = extract_facts([Turn(text=said, happened_at=NOON)])
    assert not any(one.text.startswith("User is allergic") for one in facts)


@table("said", ["the last time I took the train my face lit up", "last time I ate prawns was in May"])
def test_a_last_time_without_a_reaction_is_none(said):
    assert reactions(said) == []

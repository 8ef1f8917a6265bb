"""The user with and without a name is one person; two who speak by name are two."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn

THEN = datetime(2026, 1, 10, 10, tzinfo=UTC)
PEOPLE = {"Caitlin": "partner", "Biscuit": "rabbit", "Temi": "sister"}


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing") as made:
        yield made


def say(memory, number, text, name=None, *, learn=True):
    said = {"role": "user", "content": text, "timestamp": THEN + timedelta(days=number)}
    memory.add([said | ({"name": name} if name else {})], user_id="ada-1", session_id=str(number))
    if learn:
        learn_all(memory, [number])


def learn_all(memory, numbers):
    for number in numbers:
        memory.sessions.end(str(number), user_id="ada-1")
        memory.jobs.drain()


def homes(memory):
    facts = memory.get_all(user_id="ada-1", kinds=["fact"])
    return sorted(one.content for one in facts if one.times.valid_until is None)


def ends(memory):
    """When each fact ended, or None."""
    facts = memory.get_all(user_id="ada-1", kinds=["fact"])
    return {one.content: one.times.valid_until for one in facts}


@pytest.mark.parametrize("name", ["Ada", "the user", "User", "me", "ada-1", "ADA-1", None])
def test_a_move_told_without_a_name_ends_the_home_told_with_one(memory, name):
    say(memory, 1, "I live in Berlin.", name)
    say(memory, 2, "I moved to Lisbon.")
    assert homes(memory) == ["User moved to Lisbon."]


def test_a_move_told_with_a_name_ends_the_home_told_without_one(memory):
    say(memory, 1, "I live in Berlin.")
    say(memory, 2, "I moved to Lisbon.", "Ada")
    assert homes(memory) == ["Ada moved to Lisbon."]


def test_what_is_of_the_user_is_of_them_by_name_too(memory):
    say(memory, 1, "My boss is Priya.", "Ada")
    say(memory, 2, "My boss is not Priya any more, we have a new boss, Lars.")
    assert not any("is named Priya" in one or "boss is Priya" in one for one in homes(memory))


def test_two_people_of_one_chat_stay_two(memory):
    for number, (name, town) in enumerate([("Ada", "Berlin"), ("Bob", "Rome"), ("Ada", "Lisbon")]):
        say(memory, number, f"I live in {town}." if number < 2 else f"I moved to {town}.", name)
    assert homes(memory) == ["Ada moved to Lisbon.", "Bob lives in Rome."]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_beside_two_names_the_nameless_is_nobody_elses_in_any_order(memory, order):
    said = [("I live in Berlin.", "Ada"), ("I live in Rome.", "Bob"), ("I moved to Lisbon.", None)]
    for number, (text, name) in enumerate(said):
        say(memory, number, text, name, learn=False)
    learn_all(memory, order)
    assert homes(memory) == ["Ada lives in Berlin.", "Bob lives in Rome.", "User moved to Lisbon."]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_one_name_and_none_are_one_person_in_any_order(memory, order):
    say(memory, 0, "I live in Berlin.", "Ada", learn=False)
    say(memory, 1, "I moved to Lisbon.", learn=False)
    learn_all(memory, order)
    assert homes(memory) == ["User moved to Lisbon."]


def test_the_id_is_the_user_among_others(memory):
    say(memory, 0, "I live in Berlin.", "ada-1")
    say(memory, 1, "I live in Rome.", "Bob")
    say(memory, 2, "I moved to Lisbon.")
    assert homes(memory) == ["Bob lives in Rome.", "User moved to Lisbon."]


def test_another_speakers_message_is_not_ended(memory):
    say(memory, 0, "Our broadband is with Virgin.", "Bob")
    say(memory, 1, "We ditched Virgin, the fibre's with Zen now.", "Ada")
    assert "Bob's broadband is with Virgin." in homes(memory)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Caitlin hates olives", ["Caitlin hates olives."]),
        ("caitlin works at Shell now", ["Caitlin works at Shell."]),
        ("I'm a baker and Caitlin teaches maths", ["User is a baker.", "Caitlin teaches maths."]),
        (
            "Caitlin's birthday is 2 August, she's a nurse",
            ["Caitlin's birthday is 2 August.", "Caitlin is a nurse."],
        ),
        ("Caitlin's a nurse", ["Caitlin is a nurse."]),
        ("Biscuit is 3", ["Biscuit is 3."]),
        ("Caitlin and I moved to Leeds", ["User moved to Leeds."]),
        ("Caitlin's mum lives in Cork", []),
        ("Does Caitlin like olives?", []),
        ("Caitlin said she hates olives", []),
        ("If Caitlin worked at Shell I'd know", []),
        ("biscuit is 3 pounds a pack", []),
        ("Ines hates olives", []),
    ],
)
def test_who_was_told_of_by_name_is_known_by_it(text, facts):
    assert [fact.text for fact in extract_facts([Turn(text=text, people=PEOPLE)])] == facts


@pytest.mark.parametrize(
    "named",
    [
        "My partner Caitlin and I love the sea.",
        "Caitlin (my partner) loves the sea.",
        "I have a partner called Caitlin.",
        "My partner is called Caitlin.",
        "I have two kids, Caitlin and Jonas.",
        "We have two granddaughters, Caitlin and Vera.",
    ],
)
def test_a_name_of_an_earlier_conversation_is_known_in_later_ones(memory, named):
    say(memory, 0, named)
    say(memory, 1, "Caitlin works at Shell.")
    say(memory, 2, "Caitlin works at Bosch now.")
    facts = ends(memory)
    assert facts["Caitlin works at Shell."] is not None
    assert facts["Caitlin works at Bosch."] is None
    assert memory.facts.conflicts(user_id="ada-1") == []


def test_somebody_is_one_by_name_and_by_what_they_are(memory):
    say(memory, 0, "My partner Caitlin and I love the sea.")
    say(memory, 1, "My partner lives in Rome.")
    say(memory, 2, "Caitlin moved to Porto.")
    facts = ends(memory)
    assert facts["User's partner lives in Rome."] is not None
    assert facts["User's partner is named Caitlin."] is None


def test_a_fact_by_name_says_no_word_of_the_turn_that_told_who_it_is(memory):
    (named,) = memory.add("My wife Caitlin sings.", user_id="ada-1", session_id="one")
    memory.jobs.drain()
    say(memory, 1, "Caitlin hates olives.")
    memory.delete(named.id, user_id="ada-1")
    memory.jobs.drain()
    left = " ".join(str(one.to_dict()) for one in memory.get_all(user_id="ada-1"))
    assert "Caitlin hates olives." in left
    assert "wife" not in left


def test_what_could_harm_somebody_close_is_always_known(memory):
    say(memory, 0, "My partner Caitlin and I love the sea.")
    say(memory, 1, "Caitlin is coeliac.")
    assert "Caitlin is coeliac." in memory.context("a menu", user_id="ada-1").text.partition("[Sat")[0]


@pytest.mark.parametrize(
    ("before", "text", "fact"),
    [
        ("My daughter Roos is nine.", "she's coeliac so no normal cake", "User's daughter is coeliac."),
        ("I have a dog.", "And he's scared of fireworks", "User's dog is scared of fireworks."),
        ("My son is four.", "his name is Max", "User's son is named Max."),
        ("My son is four.", "she's coeliac", None),
        ("I have two kids, Mia and Jonas. Mia is vegan.", "she hates peas", "Mia hates peas."),
        ("I have two kids, Mia and Jo. Mia is vegan and Jo is tall.", "she hates peas", None),
        ("My mum and my sister Ann live in Leeds.", "she's a nurse", None),
        ("My mum is a nurse. My sister Ann is a vet.", "she lives in Leeds", None),
        ("We had cake.", "she's coeliac", None),
    ],
)
def test_she_is_the_one_person_whom_the_turn_before_told_of(before, text, fact):
    turns = [Turn(text=before, id="a", happened_at=THEN), Turn(text=text, id="b", happened_at=THEN)]
    told = [one for one in extract_facts(turns) if one.source == "b"]
    assert [(one.text, one.also) for one in told] == ([(fact, ("a",))] if fact else [])


def test_after_the_pause_and_to_somebody_else_she_is_nobody():
    first = Turn(text="My daughter Roos is nine.", id="a", happened_at=THEN)
    later = Turn(text="she's coeliac", id="b", happened_at=THEN + timedelta(minutes=30))
    other = Turn(text="she's coeliac", id="b", speaker="Bob", happened_at=THEN)
    assert not [one for turn in (later, other) for one in extract_facts([first, turn]) if one.source == "b"]


def test_what_she_is_goes_with_the_turn_that_told_who_she_is(memory):
    said = ["My daughter is nine.", "she's coeliac so no normal cake"]
    first, _ = memory.add(
        [{"role": "user", "content": one, "timestamp": THEN} for one in said],
        user_id="ada-1",
        session_id="1",
    )
    learn_all(memory, [1])
    assert "User's daughter is coeliac." in homes(memory)
    memory.delete(first.id, user_id="ada-1")
    learn_all(memory, [1])
    assert homes(memory) == []


def test_somebody_close_is_called_as_they_wish(memory):
    say(memory, 1, "My daughter Roos is nine.")
    say(memory, 2, "Roos wants to be called Ro now lol")
    say(memory, 3, "Roos's party is on Sunday 19 April at Blok")
    told = {"Roos wants to be called Ro.", "Roos's party is on 19 April 2026 at Blok."}
    assert told <= set(homes(memory))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("my accountant Mrs. De Wael is great", "User's accountant is named Mrs. De Wael."),
        ("can you always give prices incl. VAT", "User asks always to give prices incl. VAT."),
    ],
)
def test_names_and_abbreviations_are_whole(text, fact):
    assert [one.text for one in extract_facts([Turn(text=text)])] == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I'm reading with my partner, Douglas, and I like it", "User's partner is named Douglas."),
        ("I worry about my parents, Amy and Kyle, who are old", "User's parents are named Amy and Kyle."),
        ("I play with my cat, Spook.", "User's cat is named Spook."),
        ("I work fewer hours for my spouse Alexis's shop", "User's spouse is named Alexis."),
        ("I went with my partner, James and I", None),
        ("Thanks to my friend, Tom", None),
        ("I washed my brother's car", None),
    ],
)
def test_names_beside_somebody_are_theirs(text, fact):
    told = [one.text for one in extract_facts([Turn(text=text)]) if one.relation == "is named"]
    assert told == ([fact] if fact else [])


def test_an_age_contradicts_nobody(memory):
    say(memory, 1, "We have two grandsons, Ondra and Vojta.")
    say(memory, 20, "Vojta is 4, he turned 4 last Saturday")
    assert memory.facts.conflicts(user_id="ada-1") == []
    assert "Vojta is 4." in homes(memory)


def test_an_operation_that_is_postponed_is_on_one_day(memory):
    say(memory, 1, "The operation is on 20 March.")
    say(memory, 9, "Operation postponed to 8 April, no beds.")
    assert homes(memory) == ["User's operation was postponed to 8 April 2026."]


@table(
    "text, named",
    [
        ("two kids: Osian (7) and Nell (4)", "User's kids are named Osian and Nell."),
        ("married to Priya, two boys (Arjun 8, Dev 5)", "User's boys are named Arjun and Dev."),
        ("Hi I'm Tom. 2 dogs: Rex and Max. Nurse.", "User's dogs are named Rex and Max."),
        ("my sister has two kids, Ann (3) and Bo (5)", None),
        ("my sister has kids: Ann (3) and Bo (5)", None),
        ("She has twins: Ann and Bo", None),
        ("he's got two dogs: Rex and Max", None),
    ],
)
def test_listed_children_and_animals_are_the_speakers_unless_somebody_else_has_them(text, named):
    told = [one.text for one in extract_facts([Turn(text=text)]) if " are named " in one.text]
    assert told == ([named] if named else [])


def test_whom_one_is_married_to_is_known_by_name(memory):
    say(memory, 1, "I'm married to Tom.")
    say(memory, 2, "Tom works at the council. tom is allergic to penicillin")
    assert {"Tom works at the council.", "Tom is allergic to penicillin."} <= set(homes(memory))

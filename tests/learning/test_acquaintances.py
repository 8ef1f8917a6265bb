"""People whom nobody introduced, and relations told in passing."""

import pytest
from tests.tables import table

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn


def texts(*messages):
    turns = [Turn(text=text, id=str(place)) for place, text in enumerate(messages)]
    return [fact.text for fact in extract_facts(turns)]


@table(
    "text, fact",
    [
        ("hannahs a paramedic in Stoke, works nights mostly", "Hannah is a paramedic in Stoke."),
        ("marcus has moved in with us for now", "Marcus has moved in with User."),
        ("jakes birthday is the 3rd of march", "Jake's birthday is the 3rd of march."),
        ("heather doesnt eat pork", "Heather does not eat pork."),
        ("elsie is 5 and arthur is 3", "Arthur is 3."),
        ("zosias 9 and leo is 6 so she can help", "Zosia is 9."),
        ("zosia turned 10 today", "Zosia turned 10 today."),
        ("zosia says she hates dinosaurs", "Zosia hates dinosaurs."),
        ("Duncan has left the choir.", "Duncan has left the choir."),
        ("Greta came over. She's a physio and she lives in Leith.", "Greta is a physio."),
        ("Anna's boyfriend Josh is a vegetarian", "Josh is a vegetarian."),
        ("Breda moved in.", "Breda moved in."),
    ],
)
def test_who_is_told_of_as_people_are_is_known_by_name(text, fact):
    assert fact in texts(text)


@table(
    "text, fact",
    [
        ("what can i cook, got my friend priya round at 7", "User's friend is named Priya."),
        ("my landlord mr begum still hasnt fixed the shower", "User's landlord is named Mr Begum."),
        ("the head mrs lyle wants me to redo the rota", "User's head is named Mrs Lyle."),
        ("the builder tadeusz starts on monday", "User's builder is named Tadeusz."),
        ("gerard the ex wants the kids over easter", "User's ex is named Gerard."),
        ("write a text to Callum my apprentice telling him", "User's apprentice is named Callum."),
        ("Siobhan (that's the wife) wants a new bathroom", "User's wife is named Siobhan."),
        ("Sean the middle one is 24", "Sean is 24."),
        ("aunt vera broke her hip", "User's aunt is named Vera."),
        ("went to see leo and met his mum angela", "Leo's mum is named Angela."),
        ("my gran is 88. her cat is called Smudge", "User's gran's cat is named Smudge."),
    ],
)
def test_a_relation_beside_a_name_is_learned_in_passing(text, fact):
    assert fact in texts(text)


@pytest.mark.parametrize(
    ("messages", "fact"),
    [
        (("mum rang from the surgery", "her new GP is Dr Okonkwo"), "User's mum's GP is named Dr Okonkwo."),
        (("dad is coming over", "hes sober and doesnt drink"), "User's dad does not drink."),
        (("my son is called albie", "albie loves trains"), "Albie loves trains."),
        (("mum is ill, they started her on a new drug. shes 67",), "User's mum is 67."),
    ],
)
def test_a_pronoun_means_the_one_who_was_spoken_of(messages, fact):
    assert fact in texts(*messages)


@table(
    "text",
    [
        "Tom has 5 apples and gives 2 to Anna. How many does he have left?",
        "Write a short story: Priya is a midwife who lives in Leeds and hates cats.",
        "Mary is 30 and twice as old as Ben was.",
        "In the film Jack loves Rose and she lives in New York.",
        "If Tom moves in with me, how do we split the rent?",
        "maybe sophie is allergic to nuts",
        "ada is a programming language",
        "Austin is 35 miles away",
        "Shakespeare lives on in every school",
        "Let Alice be 12 and Bob be 15.",
        "the head of lettuce is brown",
        "the doctor who special is on tonight",
        "his mum jokes are old",
        "my boss monday morning was awful",
        "tell Sarah the boss is here",
        "mark is a good grade and will is a strong word",
        "she's 67 and lives in Wakefield",
        "mum and my aunt argued. she is moving to Spain",
        "mum saw the nurse. she is 40",
        "We're called The Saltmarsh Four",
    ],
)
def test_nobody_is_known_by_what_only_looks_so(text):
    assert texts(text) == []


@table("said", ["Sue the landlord!", "pat the dog", "rob the neighbour, take his tv", "jack the dog up"])
def test_what_is_done_to_somebody_names_nobody(said):
    assert not any("is named" in fact.text for fact in extract_facts([Turn(text=said)]))


def test_a_name_that_may_be_done_is_one_before_a_verb():
    facts = extract_facts([Turn(text="Pat the dog is lovely")])
    assert [fact.object for fact in facts if fact.relation == "is named"] == ["Pat"]

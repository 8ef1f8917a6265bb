"""What no rule reads is kept as it stands, where it lasts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.learning.core_facts import part_of
from recollect.learning.extraction.extract import extract_new
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.heard import sentences_in
from recollect.learning.extraction.lasting import lasting


def heard(*texts, speakers=None):
    names = speakers or [None] * len(texts)
    turns = [
        Turn(text=text, id=str(n), speaker=name)
        for n, (text, name) in enumerate(zip(texts, names, strict=True))
    ]
    return [fact for fact in extract_new(turns, known=0) if fact.relation == "said"]


def learned(*messages):
    with Memory(":memory:", embedder="hashing") as memory:
        for number, message in enumerate(messages):
            memory.add(message, user_id="u", session_id=str(number))
            memory.jobs.drain()
        return memory.get_all(user_id="u", kinds=["fact"])


@pytest.mark.parametrize(
    "said",
    [
        "Arthritis in both thumbs so no recipes with loads of chopping",
        "Every Thursday night it's poker with the lads from the depot",
        "Mum's Alzheimer's is getting worse and my brother does nothing",
        "Chronic migraines, bright screens kill me, dark mode please",
        "Je suis boulanger à Nantes, je me lève à 2h",
        "Il mio cane Briciola ha 13 anni e non sente più",
    ],
)
def test_what_lasts_is_kept_in_its_own_words(said):
    (fact,) = learned(said)
    assert fact.content == f'User said: "{said}"'
    assert fact.worth.confidence == 0.6
    assert fact.metadata["quote"] == said


@pytest.mark.parametrize(
    "said",
    [
        "my head is splitting",
        "I'm in the van",
        "we're stuck on the train",
        "Write a cover letter template with blanks for the name",
        "Congrats on the promotion!",
        "I ran the migration and it failed",
        "that's what I was looking for, thanks",
        "My guy, I'm back",
        "The client in this case study, a baker from Ohio, wants to retire. What should he do?",
        "If my knee were titanium, could I ski?",
    ],
)
def test_what_does_not_last_is_not_kept(said):
    assert heard(said) == []


@pytest.mark.parametrize(
    "said",
    ["shes told her mum about darren now so you can stop tiptoeing", "its a bosch series 4, 60 wide 59 deep"],
)
def test_what_only_other_words_name_is_not_kept(said):
    assert heard(said) == []


def test_how_long_it_has_been_is_kept():
    assert heard("It's been two years since chemo, cancer free")


def test_what_stands_before_a_question_is_kept_and_the_question_is_not():
    (fact,) = learned("Our Tilly turns three on Halloween, bat costume or pumpkin?")
    assert fact.content == "User's Tilly turns three on Halloween."


def test_what_was_taken_back_in_the_same_breath_is_not_heard():
    assert all(
        "Anna" not in one for one in sentences_in("my sister Anna, sorry, I mean Berta, lives in Leeds")
    )


def test_what_a_rule_reads_is_not_kept_twice():
    facts = learned("I live in Leeds")
    assert [fact.content for fact in facts] == ["User lives in Leeds."]


def test_people_who_talk_to_each_other_are_not_heard():
    said = ("Arthritis in both thumbs so no chopping", "Oh no! Chronic migraines here")
    assert heard(*said, speakers=["Ann", "Bob"]) == []
    assert len(heard(*said, speakers=["Ann", "Ann"])) == 2


def test_long_pasted_text_is_not_heard():
    assert (
        heard("Arthritis in both thumbs so no chopping. " + "The parties agree to the terms below. " * 20)
        == []
    )


def test_a_wish_for_answers_is_an_instruction_of_the_core():
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("dammi sempre le ricette in grammi", user_id="u")
        memory.jobs.drain()
        assert "ricette in grammi" in memory.context("a cake", user_id="u", budget_tokens=200).text


def test_a_home_that_was_heard_of_somebody_is_not_the_users():
    facts = learned(
        "she lives in Aberystwyth on her own since dad died in 2021", "nut allergy here, so no pesto"
    )
    assert {part_of(fact) for fact in facts if fact.metadata["relation"] == "said"} == {None, "health"}


def test_a_change_ends_what_was_heard_and_a_deletion_removes_it():
    with Memory(":memory:", embedder="hashing") as memory:
        (said,) = memory.add("Every Thursday night it's poker with the lads", user_id="u", session_id="a")
        memory.jobs.drain()
        (fact,) = memory.get_all(user_id="u", kinds=["fact"])
        assert said.id in fact.origin.sources
        memory.delete(said.id, user_id="u")
        assert memory.get_all(user_id="u", kinds=["fact"]) == []
        assert memory.search("poker", user_id="u") == []


def test_a_change_is_not_kept_a_second_time():
    facts = learned("I go to the gym on Mondays", "I quit the gym in May")
    assert len([fact for fact in facts if "quit" in fact.content]) == 1


@given(st.text(max_size=700))
def test_any_text_is_heard_without_an_error(text):
    found = sentences_in(text)
    assert all(one in " ".join(text.split()) or one for one in found)
    for likely, kind in lasting(found):
        assert np.isfinite(likely)
        assert 0 <= likely <= 1
        assert kind in {"state", "instruction", "plan"}


def test_no_sentence_ends_within_a_number_or_with_what_leads_to_a_question():
    said = sentences_in("I approved 3,500 for ads, but I rejected a $5,000 offer, is that fine?")
    assert not [one for one in said if one.endswith("$5")]
    said = sentences_in("I met Kelly at the book club in Leeds, and now I was wondering if she reads sci-fi.")
    assert "I met Kelly at the book club in Leeds" in said


@pytest.mark.parametrize(
    "said",
    [
        "got my rota! weds to sun 7 til 3",
        "choir again. thursdays 7.30 at the methodist church",
        "new job sorted. mon to thurs 9 til 5",
    ],
)
def test_a_note_of_when_keeps_what_it_is_of(said):
    (fact,) = learned(said)
    assert fact.metadata["quote"] == said


@pytest.mark.parametrize(
    "said", ["can you make that fit? 8 til 4 mon to fri", "write a poem. 8 til 4 mon to fri"]
)
def test_what_is_asked_before_a_note_is_no_part_of_it(said):
    assert [fact.quote for fact in heard(said)] == ["8 til 4 mon to fri"]


@pytest.mark.parametrize(
    "said",
    [
        "varicose veins in both legs now",
        "cant have gluten, tummy goes mad",
        "left handed and dyslexic, always have been",
        "no dairy since march, tummy is better for it",
        "bad back, slipped a disc years ago",
        "mother in law lives with us",
    ],
)
def test_a_note_as_people_text_it_is_kept(said):
    assert heard(said)


@pytest.mark.parametrize(
    "said",
    [
        "no the blue one",
        "theres a wasp in here",
        "stop, go back a bit",
        "tea was nice thanks",
        "lost at darts",
    ],
)
def test_a_text_of_the_moment_is_not(said):
    assert heard(said) == []

"""Lines about homes, work, names and feelings: what is told of them, and what is only likened to them."""

import pytest
from tests.tables import table

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn

LINES = """
I moved to Google. =>
I moved to Microsoft last year. =>
I moved to Lisbon. => lives in | Lisbon
I moved to Munich for work. => lives in | Munich
I moved to Siemens in Munich. =>
I moved to Portugal in May. => lives in | Portugal
I moved to the marketing team. =>
I moved to a new job. =>
I moved to a smaller flat. => lives in | a smaller flat
I moved to my parents' house. => lives in | their parents' house
I moved to Austin, Texas. => lives in | Austin, Texas
I moved to St. Gallen. => lives in | St. Gallen
I moved to Acme Corp. =>
I moved to Rome from Berlin. => lives in | Rome; past lives in | Berlin
I just moved to Tallinn with my wife. => lives in | Tallinn
We moved to Galway. => lives in | Galway
I have moved to Bristol. => lives in | Bristol
I relocated to Denver. => lives in | Denver
I relocated to Oracle. =>
I moved to Spotify as a data engineer. =>
I moved to Sweden as a student. => lives in | Sweden
I moved to management. =>
I moved to the countryside. => lives in | the countryside
I moved to Brooklyn in 2019. => lives in | Brooklyn
I moved to Queenstown. => lives in | Queenstown
I moved to Amazon. =>
I moved to Reading. => lives in | Reading
I moved to 12 Elm Street. => lives in | 12 Elm Street
I work at a bank. => works at | a bank
I work at Siemens. => works at | Siemens
I work for a startup. => works at | a startup
I work for a bank in Frankfurt. => works at | a bank in Frankfurt
I work at the hospital. => works at | the hospital
I work at Lidl. => works at | Lidl
I work from home. => works | from home
I work in a bakery. => works in | a bakery
I work in finance. => works in | finance
I work as a nurse. => works as | nurse
I work at a school in Leeds. => works at | a school in Leeds
I now work at a bank. => works at | a bank
I work at a different bank now. => works at | a different bank
I work at night. => works at | night
I no longer work at Siemens. => not works at | Siemens
I started working at a law firm. => works at | a law firm
I used to work at a bank. => past works at | a bank
I work at my uncle's shop. => works at | their uncle's shop
My name is mud. =>
My name is Rose. => is named | Rose
My name is Anna. => is named | Anna
My name is anna. => is named | anna
my name is tom => is named | tom
My name is Mary Jane. => is named | Mary Jane
My name is on the list. =>
My name is hard to spell. =>
My name is spelled with a K. =>
My name is legion. =>
My name is Jean-Luc. => is named | Jean-Luc
My name is not Bob. => not is named | Bob
My name is common. =>
My name is Max and I am 30. => is named | Max; is aged | 30
my name is li wei => is named | li wei
My name is dirt in this office. =>
My full name is Peter Parker. => is named | Peter Parker
My name's Olga. => is named | Olga
Call me Izzy. => is called | Izzy
My dog's name is Biscuit. => is named | Biscuit
My daughter's name is rain. =>
I feel like I live at the office. =>
I feel like I work at a zoo. =>
I feel like I live in a bubble. =>
I feel like I like tea. => likes | tea
I feel like pizza tonight. =>
I feel as if I live in Rome. =>
It feels like I live in the car. =>
I feel like I am 100 years old. =>
I feel like I prefer coffee these days. => prefers | coffee
I feel like my name is mud. =>
I practically live at the gym. =>
I feel that I should sleep more. =>
I feel happy in Vienna. =>
I feel like I moved to the moon. =>
I live in Vienna and I feel like dancing. => lives in | Vienna
I live in Oslo, and it feels like home. => lives in | Oslo
It seems I live in Rome. => lives in | Rome
I feel sick when I eat shrimp. => reacts badly to | shrimp
I feel like a stranger in Paris. =>
It's like I live in an airport. =>
I feel like I have two jobs. =>
It feels as though I have a second job. =>
I live near the office. => lives near | the office
I feel I love my job. => loves | their job
I live in Bern but I feel like I live in Zurich. => lives in | Bern
My name is van der Berg. => is named | van der Berg
my name is jean-luc => is named | jean-luc
Hi! my name is zorblax => is named | zorblax
my name is rain =>
My dog's name is biscuit. => is named | biscuit
My sister's name is Joy. => is named | Joy
my full name is anna maria schmidt => is named | anna maria schmidt
My name is ana. => is named | ana
I almost always work from home. => works | from home
I can practically speak French. => can speak | French
I almost live in Rome. =>
I have almost moved to Rome. =>
I nearly married Tom. =>
I practically hate opera. => hates | opera
I feel like I'm good at chess. => is good at | chess
I feel like I'm an introvert. => is a | introvert
I feel like my biggest fear is failure. => biggest fear | failure
I feel like my favourite food is pizza. => favourite food | pizza
I don't feel like I live in Rome. =>
I feel like I live at the office and work at a zoo. =>
I work as if I owned the place. =>
As if I lived in Rome. =>
I live in Rome, as though I loved it. => lives in | Rome
I talk as though I live in Rome. =>
I live in Rome as if nothing happened. => lives in | Rome
i moved to google =>
I moved to Denver, CO. => lives in | Denver, CO
I moved to the Amazon. => lives in | the Amazon
I moved from Google to Meta. =>
I moved from Siemens to Rome. => lives in | Rome
I moved from Rome to Siemens. =>
I moved to Frankfurt for Siemens. => lives in | Frankfurt
I moved to Amazon Street. => lives in | Amazon Street
I moved to Siemens GmbH. =>
I've moved to Paris, Texas. => lives in | Paris, Texas
I have moved to a flat near Google. => lives in | a flat
I moved to Tesla. =>
"""
"""Lines, each with the relations and objects that are read in it."""


def told(text):
    found = extract_facts([Turn(text=text)])
    return [f"{'not ' * one.negated}{'past ' * one.past}{one.relation} | {one.object}" for one in found]


@table("line", LINES.strip().splitlines())
def test_what_is_so_is_told_and_what_it_is_like_is_not(line):
    text, _, facts = line.partition(" =>")
    assert "; ".join(told(text)) == facts.strip()


@table(
    "text, single",
    [
        ("I moved to a smaller flat.", False),
        ("We moved into our new home last week.", False),
        ("I moved to my parents' house.", False),
        ("I moved into a studio in 2020.", False),
        ("I moved to a house in Rome.", True),
        ("I moved to a small town.", True),
        ("I moved to House Springs.", True),
        ("I moved to Rome.", True),
    ],
)
def test_another_house_is_no_other_town(text, single):
    (home,) = extract_facts([Turn(text=text)])
    assert (home.relation, home.single_valued, home.change) == ("lives in", single, "begun")


@pytest.mark.parametrize("name", ["李雷", "van der Berg", "Mud"])
def test_a_name_without_small_letters_alone_is_a_name(name):
    assert told(f"My name is {name}.") == [f"is named | {name}"]


def test_how_much_another_likes_something_is_no_taste_of_the_speakers():
    said = "he loves the outdoors about as much as I love tax returns"
    assert extract_facts([Turn(text=said)]) == []

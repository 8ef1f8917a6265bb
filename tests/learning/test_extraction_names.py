"""A name behind whom it names, and a capital letter there that begins something else."""

from tests.tables import table

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn


def names(text):
    return [one.object for one in extract_facts([Turn(text=text)]) if one.relation == "is named"]


@table(
    "text",
    [
        "I saw my friend Friday evening.",
        "I called my boss Monday.",
        "I visit my aunt Easter Sunday.",
        "I planned my partner Oslo trip.",
        "I made my wife Italian food.",
        "I love my wife Italian food and all.",
        "I taught my son German.",
        "I teach my daughter English every day.",
        "I gave my dog Whiskas today.",
        "My girlfriend Summer dress is red.",
        "My boss Steve Jobs biography is great.",
    ],
)
def test_what_begins_something_else_names_nobody(text):
    assert names(text) == []


@table(
    "text, name",
    [
        ("I saw my friend Bob Friday.", "Bob"),
        ("My colleague Dr. Weber helped me.", "Dr. Weber"),
        ("My brother Mark Miller called.", "Mark Miller"),
        ("My sister Anna yells a lot.", "Anna"),
        ("My cat Luna & I moved.", "Luna"),
        ("My son Max, 12, plays chess.", "Max"),
        ("I helped my son Max learn chess.", "Max"),
        ("I gave my dog Max a bath.", "Max"),
        ("I showed my friend Tom how to cook.", "Tom"),
        ("I asked my friend Bob to help.", "Bob"),
        ("I visited my sister Ines.", "Ines"),
    ],
)
def test_a_name_stands_where_no_noun_follows(text, name):
    assert names(text) == [name]


@table(
    "text, name",
    [
        ("our hens are called Dolly, Tina and Cher", "Dolly, Tina and Cher"),
        ("My cats are named Miso, Ramen, and Soba", "Miso, Ramen, and Soba"),
        ("My sisters are called Ann and Berta, they live in Rome", "Ann and Berta"),
        ("My sister is called Ann, Berta and Tom are friends", "Ann"),
        ("My cats are called Mia and Tom, Berlin is home", "Mia and Tom"),
    ],
)
def test_several_names_are_told_together(text, name):
    assert name in names(text)


@table(
    "text, name",
    [
        ("Kai is my little brother", "Kai"),
        ("kai is my brother", "Kai"),
        ("Kai's my brother and he's 9", "Kai"),
        ("Shaz is my manager", "Shaz"),
        ("the dog is Biscuit, mini dachshund", "Biscuit"),
        ("our dog is Rex", "Rex"),
        ("our kerry (thats my daughter) says so", "Kerry"),
    ],
)
def test_somebody_may_be_presented_by_name(text, name):
    assert names(text) == [name]


@table(
    "text",
    [
        "the dog is asleep",
        "The cat is Persian",
        "the cat is Siamese",
        "In the book, Sam is my brother and he dies",
        "Coffee is my friend",
        "Google is my friend",
        "This is my brother",
        "the list (thats my daughter talking) is done",
        "The dog is Monday's problem",
    ],
)
def test_what_is_no_name_presents_nobody(text):
    assert names(text) == []


@table(
    "text, told",
    [
        ("my little brother kai is 9 and autistic", "User's little brother Kai is autistic."),
        ("I'm 34 and single", "User is single."),
        ("My neighbour Pat is 80 and coeliac", "User's neighbour Pat is coeliac."),
    ],
)
def test_what_stands_behind_an_age_is_told_too(text, told):
    facts = [one.text for one in extract_facts([Turn(text=text)])]
    assert told in facts
    assert any(fact.endswith((" 9.", " 34.", " 80.")) for fact in facts)


def test_a_name_is_quoted_as_it_stands_whatever_letters_stand_before_it():
    text = "\u0130\u0130\u0130\u0130 my brother kai. then some more words of mine stand here"
    assert all(one.quote in text and "then" not in one.quote for one in extract_facts([Turn(text=text)]))


@table(
    "text, told",
    [
        ("My son is 9 and a half", ["User's son is 9 and a half."]),
        ("I've not eaten meat since I was twelve", ["User has not eaten meat since they were twelve."]),
    ],
)
def test_what_behind_an_age_or_since_is_told_in_whole(text, told):
    assert [one.text for one in extract_facts([Turn(text=text)])] == told

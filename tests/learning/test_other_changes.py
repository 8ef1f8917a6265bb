"""Messages that sound like a change of something known and end nothing of it."""

import pytest
from tests.learning.living import left
from tests.tables import table

from recollect import Memory


def test_the_dose_of_one_drug_ends_that_of_no_other():
    omeprazole, levothyroxine = "User takes 20 mg omeprazole.", "User takes 75 micrograms levothyroxine."
    said = ("I take 20 mg omeprazole.", "I take 75 micrograms of levothyroxine.")
    assert {omeprazole, levothyroxine} <= left(*said)[0]
    after, asked = left(*said, "Doctor doubled the omeprazole, it's 40 mg now.")
    assert levothyroxine in after
    assert omeprazole not in after
    assert asked == 0


def test_two_drugs_do_not_contradict_each_other():
    assert left("I take 5 mg ramipril.", "I take 500 mg metformin.")[1] == 0


@table(
    "known, fact, said",
    [
        (
            "My boss is Mr. Haverkort.",
            "User's boss is Mr. Haverkort.",
            "Ida is the new boss at Ann's school.",
        ),
        (
            "I do the school run on Tuesdays.",
            "User does the school run on Tuesdays.",
            "Physio said no running for six weeks so I've stopped the canal runs",
        ),
        (
            "I do the shopping run on Mondays.",
            "User does the shopping run on Mondays.",
            "I've stopped the morning runs",
        ),
        ("My manager is Rob Delgado", "User's manager is Rob Delgado.", "Rob got a new boss today."),
        (
            "I'm married to Sofia.",
            "User is married to Sofia.",
            "In my D&D campaign my character got divorced.",
        ),
        ("My dog's name is Scout", "User's dog is named Scout.", "Scout died laughing when I fell."),
        (
            "I prefer planes to trains.",
            "User prefers planes to trains.",
            "The night train was cancelled twice.",
        ),
        (
            "Keep your answers short.",
            "User wants answers to be short.",
            "For just this one question give me the long version.",
        ),
    ],
)
def test_what_is_said_of_others_of_games_and_of_this_once_ends_nothing(known, fact, said):
    assert fact in left(known, said)[0]
    assert left(known, said)[1] == 0


_HOME = "User lives in Ghent."


@table(
    "known, fact, said",
    [
        (
            "My partner Elias is a nurse.",
            "User's partner is named Elias.",
            "Elias and I got engaged! The wedding is in Ghent.",
        ),
        ("My wife is called Sonja.", "User's wife is called Sonja.", "We got married in Lisbon."),
        ("My wife is called Sonja.", "User's wife is called Sonja.", "We got married on a beach."),
        ("My wife is called Sonja.", "User's wife is called Sonja.", "When we got married, it rained."),
        ("My wife is called Sonja.", "User's wife is called Sonja.", "We got engaged in Rome."),
        ("My partner's name is Elias.", "User's partner is named Elias.", "We just got engaged!"),
    ],
)
def test_an_engagement_or_a_marriage_keeps_the_name_of_the_partner(known, fact, said):
    after, _ = left(known, said)
    assert fact in after
    assert not [one for one in after if "Ghent." in one and "named" in one]
    assert not [one for one in after if "justs" in one]


def test_a_divorce_still_ends_a_marriage_and_a_marriage_an_engagement():
    assert "User's wife is called Sonja." not in left("My wife is called Sonja.", "We got divorced.")[0]
    assert "User is engaged to Tom." not in left("I am engaged to Tom.", "We got married.")[0]


@table(
    "said",
    [
        "In 2012 I moved to Berlin for my studies.",
        "I moved to Berlin when I was a student.",
        "We moved to Berlin in 2012 and came back in 2014.",
        "I relocated to Berlin for six months in 2012.",
        "I grew up in Bruges, then we moved to Brussels when I was ten.",
    ],
)
def test_a_move_of_long_ago_keeps_the_present_home(said):
    after, asked = left("I live in Ghent.", said)
    assert _HOME in after
    assert asked == 0


@pytest.mark.parametrize(
    "said",
    [
        "I bought a flat in Lisbon as an investment.",
        "We bought a holiday house in Crete.",
        "My landlord bought a flat in Lisbon.",
        "My company bought a flat in Lisbon.",
    ],
)
def test_a_purchase_without_a_move_keeps_the_home(said):
    after, asked = left("I live in Ghent.", said)
    assert _HOME in after
    assert asked == 0


@pytest.mark.parametrize(
    "said",
    [
        "I moved to Berlin.",
        "I moved to Berlin last month.",
        "We bought our first home in Bruges.",
        "We bought a house in Bruges and moved in last week.",
    ],
)
def test_a_move_and_a_first_home_end_the_home(said):
    assert _HOME not in left("I live in Ghent.", said)[0]


def test_a_request_for_one_text_keeps_a_standing_instruction():
    short = "User wants answers to be short."
    assert short in left("Keep your answers short.", "Write a long essay about Rome.")[0]
    kept, asked = left("Answer in German.", "Write the email in English please.")
    assert asked == 0
    assert not any("English" in one for one in kept)
    assert any("English" in one for one in left("Answer in German.", "Answer in English please.")[0])


@pytest.mark.parametrize(
    ("known", "fact", "said"),
    [
        ("I work at Arcadis.", "User works at Arcadis.", "I started a side job at Deliveroo."),
        (
            "My phone number is 0470 12 34 56.",
            "User's phone number is 0470 12 34 56.",
            "My new work number is 02 555 12 12.",
        ),
        ("I have a dog called Rex.", "User has a dog called Rex.", "My first dog died when I was ten."),
        ("I smoke.", "User smokes.", "I quit smoking in 2012 but started again."),
    ],
)
def test_what_stands_beside_or_before_the_known_keeps_it(known, fact, said):
    assert fact in left(known, said)[0]


def test_words_of_a_novel_teach_nothing_of_the_user():
    assert left("For my novel: my name is Gregor and I live in Prague.")[0] == set()


@table(
    "said, other, held",
    [
        ("I study law in Uppsala", "mate of mine dropped out of law, says she loves it",
         "User studies law in Uppsala."),
        ("I'm a smoker",
         "went the entire flight without a smoke, eleven hours, lit one right outside arrivals",
         "User is a smoker."),
    ],
)  # fmt: skip
def test_words_of_a_change_that_the_judge_doubts_end_nothing(said, other, held):
    assert held in left(said, other)[0]


@table(
    "known, news, gone",
    [
        (
            "I don't drink coffee anymore",
            "back on coffee. one cup. don't judge me",
            "User does not drink coffee.",
        ),
        ("I don't drink coffee", "I drink coffee again", "User does not drink coffee."),
        ("I don't eat meat", "I eat meat every day now", "User does not eat meat."),
        (
            "always use European Portuguese with me",
            "Actually ignore what I said about European only, I want to hear both",
            "User asks always to use European Portuguese.",
        ),
        (
            "always use European Portuguese with me",
            "You don't need to use only European Portuguese anymore",
            "User asks always to use European Portuguese.",
        ),
        ("Never use emojis", "forget the no emojis rule", "User asks never to use emojis."),
        ("use British spelling for me", "forget about the British spelling", "User wants British spelling."),
        (
            "Please keep your answers short.",
            "Forget the keep it short thing btw. I'm on the laptop now",
            "User wants answers to be short.",
        ),
        (
            "The kitchen budget is $38,000",
            "I'm bumping the kitchen budget to 44 thousand total",
            "User's budget for kitchen is $38,000.",
        ),
    ],
)
def test_what_is_taken_up_again_taken_back_or_raised_ends_what_was_said(known, news, gone):
    assert gone in left(known)[0]
    after, asked = left(known, news)
    assert gone not in after
    assert asked == 0


@table(
    "known, fact, said",
    [
        ("I don't drink coffee", "User does not drink coffee.", "Ana drinks coffee again"),
        ("I don't drink coffee", "User does not drink coffee.", "I drink tea every day now"),
        ("I don't drink coffee", "User does not drink coffee.", "back on Monday with coffee for all"),
        ("I don't drink coffee", "User does not drink coffee.", "we're back to the coffee shop"),
        ("I don't drink tea", "User does not drink tea.", "I'm back on the team"),
        ("I don't eat meat", "User does not eat meat.", "I take meat to the shelter every week"),
        ("I don't eat meat", "User does not eat meat.", "I have meat in the freezer now for the dog"),
        ("Never use emojis", "User asks never to use emojis.", "forget the emoji movie, what else is on?"),
        ("Please keep your answers short.", "User wants answers to be short.", "forget the short story"),
        ("Never use emojis", "User asks never to use emojis.", "forget the milk"),
        (
            "Always give prices in euros",
            "User asks always to give prices in euros.",
            "forget the euros on the desk",
        ),
        (
            "Always give prices in euros",
            "User asks always to give prices in euros.",
            "forget the prices, what a view!",
        ),
        (
            "My phone number is 715-555-0110",
            "User's phone number is 715-555-0110.",
            "Hank's number changed, it's 715-555-0999 now",
        ),
        (
            "My mom Darlene has Parkinson's",
            "User's mom is named Darlene.",
            "Mom fell, I'm getting her a home aide. her name is Lorraine from Bright Path",
        ),
    ],
)
def test_news_of_something_else_takes_nothing_back(known, fact, said):
    assert fact in left(known)[0]
    assert fact in left(known, said)[0]


@table("said", ["yeah right", "as if", "it's a joke", "that is a joke, 30 pounds for parking", "not kidding"])
def test_an_answer_that_doubts_or_scolds_takes_nothing_back(said):
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("I live in Leeds", user_id="u")
        memory.add(said, user_id="u")
        memory.jobs.drain()
        assert "User lives in Leeds." in {one.content for one in memory.get_all(user_id="u", kinds=["fact"])}


@table("said", ["april fools lol", "just kidding", "haha I was joking"])
def test_a_message_that_was_a_joke_teaches_nothing(said):
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("I live in Leeds", user_id="u")
        memory.add("I'm moving to Antarctica to paint penguins full time", user_id="u")
        memory.add(said, user_id="u")
        memory.jobs.drain()
        assert [one.content for one in memory.get_all(user_id="u", kinds=["fact"])] == [
            "User lives in Leeds."
        ]

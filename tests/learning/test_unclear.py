"""What is not learned because nobody could use it, irony, and how sure the rest is."""

from tests.tables import table

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import EXPLICIT, HEDGED, SHARED, Turn
from recollect.learning.extraction.telling import LEAST, STEPS, sureness


def texts(text):
    return [one.text for one in extract_facts([Turn(text=text)])]


@table(
    "text",
    [
        "I keep my scripts in `~/bin`.",
        'We used to rock a song by Tupac and Dr. Dre called "California Love".',
        "We usually watch movies, hike, and have game nights.",
        "I still haven\u2019t gotten a dog",
        "I have my **CAC Certificate** ready here.",
        "I'm passionate about creating a safe, inviting place for people to thrive.",
    ],
)
def test_a_broken_sentence_is_not_learned(text):
    assert texts(text) == []


@table(
    "text",
    [
        "I use a certain method.",
        "I've been working on a big project.",
        "Games are my go-to.",
        "My favorite is a park with a forest trail.",
        "I like option 2.",
        "I like the WhatsApp tracking idea.",
        "I have the whole collection.",
        "I've never tried borrowing one.",
        "I'm still a newbie.",
        "I love stories that tackle important issues.",
        "My mom prefers Kevin.",
        "As a product manager for Zillow, I want to see all bookings.",
    ],
)
def test_what_names_nothing_by_itself_is_not_learned(text):
    assert texts(text) == []


@table(
    "text",
    [
        "I love all the yellow leaves.",
        "I love the dark sky and green scenery.",
        "I can't speak right now, sorry.",
        "I have told my friends about it.",
        "During Thanksgiving, we usually watch a few movies.",
        "We are named way before we have any idea of our personality.",
    ],
)
def test_what_is_so_for_a_moment_is_not_learned(text):
    assert texts(text) == []


@table(
    "text, learned",
    [
        ("I like also cheese pizza.", "User likes cheese pizza."),
        ("We love painting together.", "User loves painting."),
        ("My uncle moved in.", "User's uncle moved in."),
        ("I never lie to my friends.", "User never lies to their friends."),
        ("I use the Pomodoro technique.", "User uses the Pomodoro technique."),
        ("I'm an assistant manager.", "User is an assistant manager."),
    ],
)
def test_what_can_be_read_is_learned(text, learned):
    assert texts(text) == ([] if learned is None else [learned])


@table(
    "text",
    [
        "I love packing, my favourite thing ever \U0001f644",
        "I love packing. \U0001f644",
        "I just love Mondays. Not!",
        "I love Mondays - not",
        "I like rain, said no one ever",
        "I'm great at cooking, yeah right",
        "I love my new job lol",
        "I live in Berlin. Just kidding!",
        "I love rain /s",
        "I like olives, as if",
    ],
)
def test_irony_with_a_marker_teaches_nothing(text):
    assert texts(text) == []


@table(
    "text, learned",
    [
        ("I'm afraid of wasps lol", "User is afraid of wasps."),
        ("I like tea, I'm not kidding", "User likes tea."),
        ("Yeah, I live in Berlin", "User lives in Berlin."),
        ("I love my dog \U0001f602", "User loves their dog."),
        ("I do not like tea", "User does not like tea."),
    ],
)
def test_what_only_looks_like_irony_is_learned(text, learned):
    assert texts(text) == [learned]


@table(
    "text, least, most",
    [
        ("I'm left-handed", EXPLICIT, EXPLICIT),
        ("My sister lives in Rome", 0.9, 0.94),
        ("I love going on long road trips with friends and family", LEAST, 0.85),
        ("I collect stamps", 0.85, 0.9),
        ("We live in Rome", SHARED, SHARED),
        ("I think I prefer tea", HEDGED, HEDGED),
    ],
)
def test_confidence_falls_with_each_reason_to_doubt(text, least, most):
    (fact,) = extract_facts([Turn(text=text)])
    assert least <= fact.confidence <= most


def test_no_doubts_take_a_statement_below_what_ends_a_known_fact():
    assert sureness(*STEPS) == LEAST
    assert all(LEAST <= sureness(one) < sureness() for one in STEPS)

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.text.priority import Priority, find_priority

HIGH = [
    ("This is crucial and urgent", ("crucial", "urgent")),
    ("URGENT: the server is down", ("URGENT",)),
    ("Please answer ASAP", ("ASAP",)),
    ("we need it a.s.a.p.", ("a.s.a.p.",)),
    ("Send it as soon as possible.", ("as soon as possible",)),
    ("This is important", ("important",)),
    ("an important meeting with the bank", ("important",)),
    ("The login bug is critical", ("critical",)),
    ("It's vital that she knows", ("vital",)),
    ("It is essential that we leave at six", ("essential that",)),
    ("It is imperative to call her", ("imperative to",)),
    ("This is our top priority", ("top priority",)),
    ("high-priority ticket", ("high-priority",)),
    ("priority: high", ("priority: high",)),
    ("Health is a priority this year", ("a priority",)),
    ("P1: fix the login", ("P1",)),
    ("Call me immediately", ("immediately",)),
    ("Do it right away!", ("right away",)),
    ("Answer without delay", ("without delay",)),
    ("drop everything and come", ("drop everything",)),
    ("This can't wait", ("This can't wait",)),
    ("The invoice cannot wait", ("The invoice cannot wait",)),
    ("It must be done by Friday", ("must be done",)),
    ("The report is due today", ("due today",)),
    ("deadline tomorrow", ("deadline tomorrow",)),
    ("I need it by EOD", ("by EOD",)),
    ("the rent is overdue", ("overdue",)),
    ("This is an emergency", ("emergency",)),
    ("It's time-sensitive", ("time-sensitive",)),
    ("a matter of life or death", ("life or death",)),
    ("a pressing deadline", ("pressing deadline",)),
    ("This needs immediate attention", ("immediate attention",)),
    ("immediate action required", ("immediate action",)),
    ("This bug is a blocker", ("blocker",)),
    ("It is blocking the release", ("blocking the release",)),
    ("The bug is blocking us", ("blocking us",)),
    ("It was urgent", ("urgent",)),
    ("urgent? Yes!", ("urgent",)),
    ("It was important to call, urgent now", ("important", "urgent")),
    ("hurry up!", ("hurry up",)),
    ("not just important but vital", ("important", "vital")),
    ("it's not only urgent", ("urgent",)),
    ("nothing is more important than family", ("important",)),
    ("It couldn't be more urgent", ("urgent",)),
    ("important but not urgent", ("important",)),
    ("not urgent, but important", ("important",)),
    ("urgent, no rush", ("urgent",)),
    ("No, it's urgent", ("urgent",)),
    ("No it's urgent", ("urgent",)),
    ("Don't forget: this is important", ("important",)),
    ("You know how important this is", ("important",)),
    ("urgent, urgent, URGENT", ("urgent", "URGENT")),
    ("It’s “nice”, and it’s urgent", ("urgent",)),  # noqa: RUF001
    ("İstanbul trip: urgent", ("urgent",)),
    ("Das ist dringend", ("dringend",)),
    ("eine sehr wichtige Sache", ("wichtige",)),
    ("Bitte sofort anrufen", ("sofort",)),
    ("c'est prioritaire", ("prioritaire",)),
    ("Réponds dès que possible", ("dès que possible",)),
    ("es urgente", ("urgente",)),
    ("es muy importante", ("importante",)),
    ("lo antes posible", ("lo antes posible",)),
    ("这个很紧急", ("紧急",)),
    ("重要的会议", ("重要",)),
    ("这不仅重要", ("重要",)),
]
MEDIUM = [
    ("medium priority", ("medium priority",)),
    ("Priority: normal", ("Priority: normal",)),
    ("P2 bug", ("P2",)),
    ("It's somewhat important", ("somewhat important",)),
    ("that is kind of urgent", ("kind of urgent",)),
    ("moderately important", ("moderately important",)),
    ("Please send it soon", ("soon",)),
    ("The roof should be done", ("should be done",)),
    ("sooner rather than later", ("sooner rather than later",)),
    ("at your earliest convenience", ("at your earliest convenience",)),
    ("not unimportant", ("not unimportant",)),
    ("it's not low priority", ("not low priority",)),
    ("it's not far from urgent", ("not far from urgent",)),
    ("That isn't a low-priority task", ("isn't a low-priority",)),
    ("I can't say it's not important", ("can't say it's not important",)),
    ("nicht unwichtig", ("nicht unwichtig",)),
    ("不是不重要", ("不是不重要",)),
]
LOW = [
    ("not urgent", ("not urgent",)),
    ("It isn't critical", ("isn't critical",)),
    ("it isn't really all that urgent", ("isn't really all that urgent",)),
    ("it isn’t urgent", ("isn’t urgent",)),  # noqa: RUF001
    ("never urgent", ("never urgent",)),
    ("not-urgent", ("not-urgent",)),
    ("non-urgent request", ("non-urgent",)),
    ("nothing urgent", ("nothing urgent",)),
    ("less important", ("less important",)),
    ("I don't think it's important", ("don't think it's important",)),
    ("This does not need to be done", ("not need to be done",)),
    ("You don't have to do it right away", ("don't have to do it right away",)),
    ("neither urgent nor important", ("neither urgent", "nor important")),
    ("not urgent or important", ("not urgent", "not urgent or important")),
    ("That's not a priority", ("not a priority",)),
    ("low priority", ("low priority",)),
    ("prio: low", ("prio: low",)),
    ("P4", ("P4",)),
    ("no need to rush", ("no need to rush",)),
    ("No rush!", ("No rush",)),
    ("there's no hurry", ("no hurry",)),
    ("unimportant", ("unimportant",)),
    ("a nice-to-have", ("nice-to-have",)),
    ("Whenever you can", ("Whenever you can",)),
    ("Answer whenever.", ("whenever",)),
    ("when you get a chance", ("when you get a chance",)),
    ("if you have time", ("if you have time",)),
    ("It can wait", ("It can wait",)),
    ("take your time", ("take your time",)),
    ("I'd love to see Japan someday", ("someday",)),
    ("put it on the back burner", ("back burner",)),
    ("nobody thinks it is urgent", ("nobody thinks it is urgent",)),
    ("I wouldn't call it urgent", ("wouldn't call it urgent",)),
    ("she never said it's urgent", ("never said it's urgent",)),
    ("it's far from urgent", ("far from urgent",)),
    ("it's anything but urgent", ("anything but urgent",)),
    ("it's the opposite of urgent", ("the opposite of urgent",)),
    ("it is no longer urgent", ("no longer urgent",)),
    ("not a blocker", ("not a blocker",)),
    ("it's lower priority", ("lower priority",)),
    ("nicht so dringend", ("nicht so dringend",)),
    ("keine Eile", ("keine Eile",)),
    ("ce n'est pas très urgent", ("pas très urgent",)),
    ("quand tu peux", ("quand tu peux",)),
    ("sin prisa", ("sin prisa",)),
    ("no es urgente", ("no es urgente",)),
    ("no es nada urgente", ("nada urgente",)),
    ("这个不急", ("不急",)),
    ("不太重要", ("不太重要",)),
]
NOTHING = [
    "",
    " ",
    "the and of to",
    "🚨🚨🚨",
    "שלום עולם",
    "مرحبا بالعالم",
    "\ud800",
    "I went to the beach with my sister",
    "critical thinking is a skill",
    "a self-important man",
    "The film won critical acclaim",
    "go to urgent care",
    "important figures in history",
    "She played an important role",
    "a critic wrote it",
    "the emergency room",
    "I can't wait to see you!",
    "Ada can't wait for the trip",
    "Can't wait!",
    "The kids can't wait!",
    "See you soon",
    "It should rain tomorrow",
    "She moves soon",
    "he immediately laughed",
    "immediately after lunch",
    "Is it urgent?",
    "urgent? no.",
    "Urgent? Not at all",
    "it was urgent last week",
    "Last year it was important to me",
    "it used to be urgent",
    "Is it low priority?",
    "my immediate family",
    "no blockers today",
    "she takes beta blockers",
    "a tree is blocking the sun",
    "If it's urgent, call me",
    "Let me know if this is important",
    "How important is it?",
    "I can't do it right away",
    "It was nice to have them here",
    "We paint whenever it rains",
    "long overdue",
    'He said "this is urgent"',
    "He said 'it isn't urgent'",
    "“Urgent!” she wrote",
    "‘urgent’ is a word",  # noqa: RUF001
    "«urgent» est un mot",
    "„dringend“ ist ein Wort",
    "the `critical` level",
    "> this is urgent",
    "```\nurgent = True\n```",
    "「紧急」",
    "insurgents and importers",
]


@table(
    "text, level, words",
    [
        *((text, "high", words) for text, words in HIGH),
        *((text, "medium", words) for text, words in MEDIUM),
        *((text, "low", words) for text, words in LOW),
    ],
)
def test_words_tell_the_priority(text, level, words):
    assert find_priority(text) == Priority(level=level, words=words)


@table("text", NOTHING)
def test_other_texts_say_nothing_of_priority(text):
    assert find_priority(text) is None


@pytest.mark.parametrize("text", [None, 5, b"urgent", ["urgent"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InvalidInputError, match="text must be a string"):
        find_priority(text)


def test_what_stands_beyond_the_glance_is_not_read():
    assert find_priority("x" * 19_990 + " urgent") is not None
    assert find_priority("x" * 20_000 + " urgent") is None


@table("piece", ["urgent ", "not ", "'", "“", "> ", "no need to ", "`", "as soon as ", "不是"])
def test_a_long_text_of_one_piece_does_no_harm(piece):
    found = find_priority(piece * (1_000_000 // len(piece)))
    assert found is None or len(found.words) <= 2


cue_words = st.sampled_from(
    [
        "urgent",
        "not",
        "isn't",
        "important",
        "no rush",
        '"',
        "'",
        "“",
        "”",
        ">",
        "if",
        "it's",
        "ASAP",
        ",",
        ".",
        "?",
        "\n",
        "can't wait",
        "İ",
        "ß",
        "紧急",
        "不",
        "soon",
        "please",
        "nothing",
        "somewhat",
        "is it",
        "\ud800",
    ]
)


@given(st.one_of(st.text(), st.lists(cue_words).map(" ".join)))
def test_the_words_stand_in_the_text_in_its_order(text):
    found = find_priority(text)
    position = 0
    for word in found.words if found else ():
        position = text.index(word, position)
    assert found is None or found.words

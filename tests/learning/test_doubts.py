"""A message that sounds like a change of something said before ends nothing, and a person is asked."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.tables import table

from recollect import Memory
from recollect.learning.reconcile.cues import cues_of, shared_words, telling_words
from recollect.learning.reconcile.doubts import may_change
from recollect.learning.reconcile.statements import Statement
from recollect.learning.reconcile.topics import topics_of

THEN = datetime(2026, 1, 10, 10, tzinfo=UTC)
DECIDING = (
    "I've got to decide about the agency, and since Petra raised concerns about its price on Tuesday, I want"
    " to weigh the options first."
)
SORTED = (
    "I've sorted all the invoices you asked for, here they are, and I want to see how the money moves in the"
    " shop, week by week."
)


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing") as made:
        yield made


def tell(memory, *messages):
    for number, text in enumerate(messages):
        said = {"role": "user", "content": text, "timestamp": THEN + timedelta(days=30 * number)}
        memory.add([said], user_id="u", session_id=str(number))
        memory.sessions.end(str(number), user_id="u")
        memory.jobs.drain()


def statement(text, *, subject="User"):
    return Statement(subject=subject, object=text, text=text, at=THEN)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My scripts are all in Perl.", "I've rewritten everything in Python."),
        ("no pets here, my landlord is strict", "We've got a kitten now!"),
        ("The report is at 40 pages.", "The report went up to 55 pages."),
        ("Na empresa usamos PHP para tudo.", "A empresa trocou o PHP por Go."),
        ("Ich trainiere bei McFit", "Bei McFit habe ich gekündigt."),
        ("Toco violão todo domingo na igreja.", "Parei de tocar violão na igreja."),
    ],
)
def test_a_change_of_what_taught_no_fact_is_asked_about(memory, before, after):
    tell(memory, before, after)
    (conflict,) = memory.facts.conflicts(user_id="u")
    assert conflict.known.times.happened_at == THEN
    assert conflict.known.times.valid_until is None
    assert conflict.new.worth.confidence <= 0.5


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I work at Nokia.", "My best friend quit Nokia and went to Google."),
        ("I live in Oslo.", "We almost moved to Bergen but stayed put."),
        ("I drive a Golf.", "The Golf broke down again."),
        ("We use Jira.", "I closed the Jira ticket."),
        ("I use a MacBook.", "My MacBook was dead this morning."),
        ("My rabbit is called Clover.", "Got a second rabbit today, Thistle."),
        ("I play the piano.", "I've picked up the cello as well, piano's still my main thing."),
        ("I bike to work.", "My bike's at the repair shop, so it's the bus till Thursday."),
        ("I have Netflix.", "Netflix cancelled my favourite show."),
        ("My girlfriend is called Noor.", "My best friend just broke up with his girlfriend."),
        ("Absolutely, Jon.", "Bye Jon, you've got this."),
        ("Jag bor i Uppsala.", "I spelet har jag flyttat till en öde ö."),
        (DECIDING, "I'm worried about what Petra said in our meeting: it takes away the personal touch."),
        (SORTED, "You have all the invoices now, just show me the breakdown."),
        ("I want to see how my money moves.", "Now show me how my money moved, no more waiting."),
    ],
)
def test_what_only_looks_like_a_change_is_not_asked_about(memory, before, after):
    tell(memory, before, after)
    assert memory.facts.conflicts(user_id="u") == []
    assert all(one.times.valid_until is None for one in memory.get_all(user_id="u", kinds=["fact"]))


def test_what_a_change_ended_is_not_asked_about_again(memory):
    tell(memory, "I live in Berlin.", "I moved to Lisbon.")
    assert memory.facts.conflicts(user_id="u") == []


def two_doubted(memory):
    tell(memory, "I use Jira and I like Jira.", "Jira's read-only since we migrated to Linear.")
    return memory.facts.conflicts(user_id="u")


def test_one_change_may_contradict_several_facts_of_a_message(memory):
    found = two_doubted(memory)
    assert len(found) > 1
    assert len({one.new.id for one in found}) == 1
    assert len({one.known.id for one in found}) == len(found)


def test_a_page_of_conflicts_does_not_part_those_of_one_fact(memory):
    found = two_doubted(memory)
    assert memory.facts.conflicts(user_id="u", limit=1) == found
    assert memory.facts.conflicts(user_id="u", after=found[0].new.id) == []


def test_deciding_one_of_several_conflicts_leaves_the_others(memory):
    first, *others = two_doubted(memory)
    memory.facts.resolve(first.new.id, first.known.id, user_id="u")
    assert [one.known.id for one in memory.facts.conflicts(user_id="u")] == [one.known.id for one in others]
    memory.facts.resolve(first.new.id, user_id="u")
    assert memory.facts.conflicts(user_id="u") == []


def test_words_tell_by_how_rare_they_are():
    told = telling_words("I take metformin with Ada and the cat at 7")
    assert told == (frozenset({"ada"}), frozenset({"metformin"}), frozenset({"cat"}))
    assert shared_words(["groceries", "dog"], ["grocery", "dot"]) == {"groceries"}


@table("text", ["", " ", "?!", "now " * 5_000, "x" * 20_000, "\x00 new new new"])
def test_odd_texts_have_no_topic_and_break_nothing(text):
    assert topics_of(text) == {}
    assert may_change(text) in {True, False}
    assert isinstance(dict(cues_of(text)), dict)

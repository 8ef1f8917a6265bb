"""What is kept of a message as it stands is the sentence that states the change."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect import Memory
from recollect.learning.stating import is_understood, stating
from recollect.testing import FakeClock

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(THEN + timedelta(days=200))) as opened:
        yield opened


def facts_of(memory, *messages):
    for place, text in enumerate(messages):
        memory.add(text, user_id="u", session_id=str(place), timestamp=THEN + timedelta(days=30 * place))
        memory.jobs.drain()
    return memory.get_all(user_id="u", kinds=["fact"])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Paid the crèche 740. I quit the gym today. The cat sleeps at the fire.", "I quit the gym today"),
        ("Great weather. We cancelled Lisbon this morning. Mum laughed.", "We cancelled Lisbon this morning"),
        ("Rosa did it! She left the bank. The cake was good.", "Rosa did it! She left the bank"),
        ("I quit the gym today.", "I quit the gym today."),
        ("I've got a new number. It's 555-0187. See you.", "I've got a new number. It's 555-0187"),
    ],
)
def test_the_sentence_of_a_change_is_kept_without_the_others(said, kept):
    assert stating(said) == kept


@pytest.mark.parametrize(
    ("said", "known", "kept"),
    [
        (
            "I stopped smoking. The swimming lessons are cancelled.",
            "User goes to swimming lessons.",
            "The swimming lessons are cancelled",
        ),
        ("I stopped smoking. The swimming lessons are cancelled.", "User smokes.", "I stopped smoking"),
    ],
)
def test_of_two_changes_the_one_of_what_is_known_is_kept(said, known, kept):
    assert stating(said, [known]) == kept


@pytest.mark.parametrize(
    ("said", "clear"),
    [
        ("I let Kevin go today", True),
        ("I left my husband, he drank", True),
        ("I told them that we move", False),
        ("They moved my desk to their floor", False),
        ("She calls me Dimitri with an extra i", False),
        ("She said, , and I fell off the chair", False),
    ],
)
def test_only_clear_pronouns_are_reworded(said, clear):
    assert is_understood(said) is clear


def test_a_change_within_a_long_message_is_no_lump(memory):
    said = (
        "The insurer paid 740 for the holiday. We cancelled the Lisbon trip this morning. She calls me"
        " Dimitri with an extra i. The dog sleeps at her feet, the traitor."
    )
    facts = facts_of(memory, "We booked a trip to Lisbon for October.", said)
    held = [one.content for one in facts if one.times.valid_until is None]
    assert held == ["User cancelled the Lisbon trip on the morning of 31 March 2026."]


def test_a_quotation_stays_where_they_means_others(memory):
    facts = facts_of(
        memory, "My gym is Titan.", "I left the Titan gym, they put my fee up and they kept my deposit."
    )
    assert not [one.content for one in facts if "their deposit" in one.content]


def test_what_stands_beside_a_change_is_learned_as_if_alone(memory):
    said = "I quit the gym in May. I do 20 minutes on the bike every morning instead."
    facts = facts_of(memory, "I go to the gym.", said)
    held = {one.content for one in facts if one.times.valid_until is None}
    assert "User does 20 minutes on the bike every morning instead." in held

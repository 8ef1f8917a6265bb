"""A context that has little to say says why: nothing fits, no room, an unknown user."""

from collections.abc import Iterator

import pytest

from recollect import Memory
from recollect.context.excerpts import Excerpts
from recollect.retrieval.search import LEAST_SCORE
from recollect.testing import FakeClock

SAID = [
    "I'm allergic to peanuts.",
    "We went to the beach with the neighbours on Sunday.",
    "My bike has a flat tyre again.",
    "The choir sings Brahms this spring.",
    "I bought new curtains for the bedroom.",
    "Our landlord repainted the stairs.",
    "There is a new bakery at the corner.",
    "My cousin rings every other week.",
    "The tomatoes on the balcony are still green.",
    "I lost my umbrella in the tram.",
    "We watched an old western last night.",
    "The kitchen tap drips.",
]


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", clock=FakeClock()) as opened:
        opened.add(SAID, user_id="ada")
        opened.jobs.drain()
        yield opened


@pytest.mark.parametrize(
    "query",
    [
        "How do transformers in machine learning work?",
        "Summarise the plot of Hamlet",
        "How tall is Mount Everest?",
    ],
)
def test_where_nothing_fits_the_core_stands_alone_and_says_so(memory: Memory, query: str) -> None:
    made = memory.context(query, user_id="ada")
    assert "allergic to peanuts" in made.text
    assert not any(other in made.text for other in ("beach", "bike", "choir", "curtains", "stairs"))
    assert made.notes == ("nothing stored fits the question; this is the core alone",)
    assert made.left_out


def test_what_fits_brings_what_stands_near_it_and_no_note(memory: Memory) -> None:
    made = memory.context("What is wrong with my bike?", user_id="ada")
    assert "flat tyre" in made.text
    assert made.notes == ()


def test_a_threshold_of_nought_takes_whatever_was_found(memory: Memory) -> None:
    best = max(hit.score for hit in memory.search("Summarise the plot of Hamlet", user_id="ada"))
    assert best < LEAST_SCORE
    assert memory.context("Summarise the plot of Hamlet", user_id="ada", threshold=0).included


def test_among_a_few_memories_everything_fits() -> None:
    with Memory(":memory:") as small:
        small.add("My sister Ines gets married on 3 October", user_id="ada")
        made = small.context("When is the wedding?", user_id="ada")
    assert "Ines gets married" in made.text
    assert made.notes == ()


def test_a_core_without_room_is_named(memory: Memory) -> None:
    made = memory.context("What is wrong with my bike?", user_id="ada", budget_tokens=50)
    assert "allergic" not in made.text
    assert made.notes == ("no room for the core (1 memories): raise budget_tokens or core_share",)
    assert made.to_dict()["notes"] == list(made.notes)


def test_an_unknown_user_is_named(memory: Memory) -> None:
    made = memory.context("What is wrong with my bike?", user_id="bob")
    assert (made.text, made.notes) == ("", ("no memories of the user 'bob'",))


def test_a_budget_without_room_for_a_memory_is_named() -> None:
    with Memory(":memory:") as small:
        small.add("My bike has a flat tyre again and a bent wheel and no bell at all.", user_id="ada")
        made = small.context("What is wrong with my bike?", user_id="ada", budget_tokens=8)
    assert made.notes == ("no memory fits into 8 tokens: raise budget_tokens",)


@pytest.mark.parametrize(
    ("body", "excerpt"),
    [("/s", ""), ("Ok.", ""), ("I love it.", "I love it. \u2026"), ("At 10:45.", "At 10:45. \u2026")],
)
def test_an_excerpt_holds_words_worth_reading(body: str, excerpt: str) -> None:
    excerpts = Excerpts(frozenset(), terms_of=str.split, count_tokens=lambda text: len(text) // 4)
    assert excerpts.of(f"{body}\n{'w' * 900}", 12) == excerpt

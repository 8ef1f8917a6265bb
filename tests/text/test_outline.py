from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.testing.fakes import make_entry
from recollect.text.analyse import Analyser
from recollect.text.outline import MAX_STEMS, outline_of, summary_numbers, topic_numbers
from recollect.text.summary import SHORT_ENOUGH, summarise
from recollect.types import SUMMARY_CHARACTERS, MemoryLabels, Tag

ANALYSER = Analyser()
FILLER = "We talked for a while about nothing in particular. " * 10


def numbers(record):
    return np.frombuffer(outline_of(record, ANALYSER), "<u4").tolist()


def labelled(**labels):
    return replace(make_entry("tea").record, labels=MemoryLabels(**labels))


def test_topics_are_even_and_the_summary_odd():
    record = replace(labelled(tags=(Tag(text="dogs"),)), summary="A dog barks")
    found = numbers(record)
    assert found == [*topic_numbers(["dog"], ANALYSER), *summary_numbers(ANALYSER.query_terms("dogs bark"))]
    assert [number % 2 for number in found] == [0, 1, 1]


def test_tags_concepts_and_entities_count_by_their_stems_and_once():
    many = labelled(tags=(Tag(text="garden tools"),), concepts=("gardens",), entities=("Ada", "the garden"))
    assert numbers(many) == topic_numbers(["garden tool", "ada"], ANALYSER)


def test_a_label_of_function_words_alone_keeps_them():
    assert set(numbers(labelled(entities=("The Who", "tea")))) == {
        *topic_numbers(["the who"], ANALYSER),
        *topic_numbers(["tea"], ANALYSER),
    }
    assert len(topic_numbers(["the who"], ANALYSER)) == 2


def test_a_memory_without_labels_has_no_outline():
    assert outline_of(labelled(), ANALYSER) == b""


def test_an_outline_has_a_limit():
    assert len(numbers(labelled(concepts=tuple(f"word{n}" for n in range(1_000))))) == MAX_STEMS


def test_a_short_text_needs_no_summary():
    assert summarise("x" * SHORT_ENOUGH, [Tag(text="x")]) is None


def test_a_summary_holds_the_sentences_that_the_tags_stand_in():
    text = f"Nothing happened. {FILLER}Our greenhouse needs new glass. {FILLER}Bye."
    assert summarise(text, [Tag(text="greenhouse"), Tag(text="glass")]) == (
        "Nothing happened. … Our greenhouse needs new glass."
    )


def test_a_summary_says_nothing_twice():
    text = "I went to the market on Monday. " * 20 + "My bike is red."
    tags = [Tag(text="market"), Tag(text="bike")]
    assert summarise(text, tags) == "I went to the market on Monday. My bike is red."


def test_a_text_that_is_one_long_sentence_is_cut_between_words():
    short = summarise("word " * 200, [])
    assert short is not None
    assert short.endswith("word …")
    assert len(short) <= SUMMARY_CHARACTERS


def test_a_text_without_any_letter_is_cut():
    assert summarise("=" * 1_000, []) == "=" * (SUMMARY_CHARACTERS - 2) + " …"


@given(st.text(max_size=2_000), st.lists(st.text(min_size=1, max_size=8), max_size=4))
def test_a_summary_is_short_and_made_of_the_text_in_its_order(text, tags):
    short = summarise(text, [Tag(text=tag) for tag in tags])
    if len(text) <= SHORT_ENOUGH:
        assert short is None
        return
    assert short is not None
    assert len(short) <= SUMMARY_CHARACTERS
    plain = " ".join(text.split())
    places = [plain.find(part) for part in short.split(" … ") if part.strip(" …")]
    assert "…" in plain or all(place >= 0 for place in places)

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInputError
from recollect.text.blocks import blocks_of
from recollect.text.chunks import CHUNK_BY, FEWEST_TOKENS, chunks_of
from recollect.text.tokens import estimate_tokens

LINES = st.sampled_from(
    [
        "# Garden", "## Roses", "Title", "=====", "---", "", "   ", "- red ones", "  - deep red", "1. first",
        "2. second", "| a | b |", "|---|---|", "| 1 | 2 |", "```python", "```", "~~~", "x = {1: 2}",
        "\tindented", "Roses are red. Violets are blue! Are they? Yes.", "word " * 40, "x" * 70, "\r", "…",
        "Dr. Who met Mr. T. in the U.S. today.", "玫瑰是红色的。紫罗兰是蓝色的\uff01是吗\uff1f是的",
        "バラは赤い。スミレは青い。", "장미는 빨갛다.", "\U0001f600\U0001f469\u200d\U0001f467 e\u0301",
    ]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=25).map("\n".join) | st.text(max_size=300)
BY = st.sampled_from(CHUNK_BY)
LIMITS = st.integers(FEWEST_TOKENS, 60)


def letters(text):
    return len(text)


def texts(chunks):
    return [chunk.text for chunk in chunks]


@given(TEXTS, BY, LIMITS)
def test_the_chunks_give_back_the_text(text, by, limit):
    chunks = chunks_of(text, by=by, max_tokens=limit)
    assert "".join(texts(chunks)) == text
    assert [chunk.text for chunk in chunks] == [text[start:end] for start, end in (c.place for c in chunks)]
    assert [(chunk.number, chunk.count) for chunk in chunks] == [(i, len(chunks)) for i in range(len(chunks))]


@given(TEXTS, BY, LIMITS, st.sampled_from([estimate_tokens, letters]))
def test_no_chunk_has_more_tokens_than_the_limit(text, by, limit, count):
    chunks = chunks_of(text, by=by, max_tokens=limit, count_tokens=count)
    assert all(count(chunk.text.strip()) <= limit for chunk in chunks)


@given(TEXTS, BY, LIMITS)
def test_no_chunk_is_blank_unless_the_text_is(text, by, limit):
    chunks = chunks_of(text, by=by, max_tokens=limit)
    if text.strip():
        assert all(chunk.text.strip() for chunk in chunks)


@given(TEXTS)
def test_blocks_give_back_the_text(text):
    blocks = blocks_of(text)
    assert all(one.end == other.start for one, other in pairwise(blocks))
    assert (blocks[0].start, blocks[-1].end) == (0, len(text)) if text else not blocks


def test_a_counter_that_counts_more_together_than_apart_is_obeyed():
    def jealous(text):
        return len(text.split()) ** 2

    chunks = chunks_of(
        "one two three four five six seven eight nine ten", max_tokens=20, count_tokens=jealous
    )
    assert [len(text.split()) for text in texts(chunks)] == [4, 4, 2]


def test_a_turn_that_fits_is_one_chunk_and_names_its_speaker():
    (chunk,) = chunks_of("# Hello\n\nTwo paragraphs.", by="turn", speaker="Ada")
    assert (chunk.text, chunk.speaker) == ("# Hello\n\nTwo paragraphs.", "Ada")


def test_a_long_turn_is_cut_between_sentences_and_every_part_names_its_speaker():
    turn = "We talked about the weather for a long while that day. " * 12
    chunks = chunks_of(turn, by="turn", max_tokens=50, speaker="Ada")
    assert len(chunks) > 2
    assert all(text.rstrip().endswith("day.") for text in texts(chunks))
    assert {chunk.speaker for chunk in chunks} == {"Ada"}


def test_a_story_has_a_chunk_for_each_paragraph_however_short():
    assert texts(chunks_of("I was born in Ulm.\n\nThen we moved.\n\n\nThe end.", by="story")) == [
        "I was born in Ulm.\n\n",
        "Then we moved.\n\n\n",
        "The end.",
    ]


def test_a_heading_stays_with_the_paragraph_under_it():
    chunks = chunks_of("# My life\n\n## Youth\n\nUlm.\n\nMunich.", by="story")
    assert texts(chunks) == ["# My life\n\n## Youth\n\nUlm.\n\n", "Munich."]
    assert [chunk.headings for chunk in chunks] == [("My life", "Youth")] * 2


def test_facts_are_single_statements():
    text = "Ada likes tea. Dr. Hill, of the U.S. army, knows e.g. J. R. Smith.\n- has a dog\n- is 41\n"
    assert texts(chunks_of(text, by="fact")) == [
        "Ada likes tea. ",
        "Dr. Hill, of the U.S. army, knows e.g. J. R. Smith.\n",
        "- has a dog\n",
        "- is 41\n",
    ]


def test_the_number_of_an_item_is_no_sentence():
    assert texts(chunks_of("1. Boil water.\n2. Wait.", by="fact")) == ["1. Boil water.\n", "2. Wait."]


def test_sentences_of_chinese_and_japanese_are_told_apart():
    chunks = chunks_of("我住在北京。我喜欢喝茶\uff01「真的吗\uff1f」是的。", by="fact")
    assert texts(chunks) == ["我住在北京。", "我喜欢喝茶\uff01", "「真的吗\uff1f」", "是的。"]


def test_text_without_blanks_is_cut_between_its_sentences():
    chunks = chunks_of("我昨天去了北京的故宫博物院。" * 8, max_tokens=50)
    assert len(chunks) > 1
    assert all(text.endswith("。") for text in texts(chunks))


def test_a_document_keeps_short_sections_together_and_begins_long_ones_anew():
    words = "Some words about this very subject here. " * 8
    text = f"# Tea\n\n{words}\n\n## Green\n\nShort.\n\n## Black\n\n{words}\n"
    chunks = chunks_of(text, max_tokens=120)
    assert [chunk.headings for chunk in chunks] == [("Tea",), ("Tea", "Green")]
    assert "## Black" in chunks[1].text


def test_code_is_cut_between_lines_and_says_what_it_is():
    code = "".join(f"value_{i} = compute({i})\n" for i in range(40))
    chunks = chunks_of(f"Look:\n\n```python\n{code}```\n\nDone.", max_tokens=80)
    assert all(text.endswith("\n") for text in texts(chunks)[:-1])
    assert {chunk.lead for chunk in chunks[1:-1]} == {"```python"}
    assert chunks[0].lead == ""


def test_a_heading_inside_code_is_code():
    assert [block.kind for block in blocks_of("```\n# not a heading\n\n- nor a list\n```\n\ntext")] == [
        "code",
        "paragraph",
    ]


def test_a_long_table_is_cut_between_rows_and_keeps_its_head():
    rows = "".join(f"| item {i} | {i * i} |\n" for i in range(40))
    chunks = chunks_of(f"| name | square |\n|---|---|\n{rows}", max_tokens=60)
    assert all(text.startswith("|") and text.endswith("|\n") for text in texts(chunks))
    assert {chunk.lead for chunk in chunks[1:]} == {"| name | square |\n|---|---|"}


def test_a_long_list_is_cut_between_items_and_inner_ones_stay_with_theirs():
    items = "".join(f"- item number {i}\n  - with a detail\n\n  and a paragraph\n" for i in range(20))
    chunks = chunks_of(items, max_tokens=60)
    assert all(text.startswith("- item") for text in texts(chunks))


def test_a_word_that_is_too_long_is_cut_and_no_character_written_with_several_is_parted():
    chunks = chunks_of("e\u0301" * 100, max_tokens=20)
    assert len(chunks) > 1
    assert all(len(text) % 2 == 0 for text in texts(chunks))


def test_headings_are_those_in_force():
    text = "Intro\n=====\n\nWords.\n\nPart\n----\n\nMore.\n\n# Other\n\nEnd."
    chunks = chunks_of(text, by="story")
    assert [chunk.headings for chunk in chunks] == [("Intro",), ("Intro", "Part"), ("Other",)]


@pytest.mark.parametrize("bad", [{"max_tokens": FEWEST_TOKENS - 1}, {"max_tokens": -5}, {"by": "page"}])
def test_bad_arguments_are_refused(bad):
    with pytest.raises(InvalidInputError, match=next(iter(bad))):
        chunks_of("text", **bad)


def test_an_empty_text_has_no_chunk():
    assert chunks_of("") == []

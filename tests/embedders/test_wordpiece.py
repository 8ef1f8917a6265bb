# ruff: noqa: RUF001 - look-alike characters are what is tested
"""The tokenizer against the ``tokenizers`` package, which it stands in for."""

import sys
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import table
from tokenizers import Tokenizer
from tokenizers.models import WordPiece as ReferenceModel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

import recollect.embedders
from recollect.embedders import wordpiece
from recollect.embedders.wordpiece import WordPiece

VOCABULARY = Path(recollect.embedders.__file__).with_name("data") / "static-v1.txt"

TEXTS = [
    "",
    " ",
    "\n\t\r\n",
    "Where does Ana live?",
    "I can't BELIEVE it's not butter!!! :-)",
    "unaffable untranslatability antidisestablishmentarianism",
    "e-mail: ana.lopez+tag@example.co.uk, tel. +34-600-123-456, €1,234.56 (10%)",
    "https://example.com/a/b?c=d&e=%20#f",
    "def f(x: int) -> str:\n\treturn f'{x!r:>10}'  # done",
    "Ünïcödé àccénts: naïve café, Łódź, Ærøskøbing, straße, ﬁne, ǅ",
    "ΟΔΥΣΣΕΥΣ και Σίσυφος ΑΣ",
    "İstanbul Iğdır ılık",
    "Привет, как дела? ЙОГУРТ ёлка",
    "東京都に住んでいます。私はアナです！ カタカナ ｶﾞ",
    "我住在北京，喜欢吃苹果。",
    "한국어 텍스트입니다 각",
    "مرحبا بالعالم، كيف حالك؟",
    "नमस्ते दुनिया। कैसे हैं?",
    "สวัสดีชาวโลก",
    "שָׁלוֹם עוֹלָם",
    "🙂 hello 👩‍👩‍👧‍👦 world🎉party 🇪🇸",
    "zero\u200bwidth soft\u00adhyphen bom\ufeff non\u00a0breaking thin\u2009space ideographic\u3000space",
    "form\x0cfeed vertical\x0btab unit\x1fseparator next\x85line nul\x00byte bad\ufffdchar",
    "[PAD] [UNK] [CLS] [SEP] [MASK] [unused1] ##ing",
    "a" * 99 + " " + "b" * 100 + " " + "c" * 101,
    "ab" * 50 + "!" + "ab" * 51,
    "«guillemets» “quotes” ‘single’ — dash… ¿qué? ¡sí! ‰ † №",
    "x² + y₂ = ½ ± ∞ ≠ √2 → ∑ $ ^ ` ~ | <tag>",
    "private\ue000use unassigned\u0378letter e\u0301 combining\u0300",
]


@cache
def vocabulary():
    return VOCABULARY.read_text(encoding="utf-8").split("\n")[:-1]


@cache
def pieces():
    return WordPiece(vocabulary())


@cache
def reference():
    rows = {token: row for row, token in enumerate([*vocabulary(), "[UNK]"])}
    tokenizer = Tokenizer(ReferenceModel(rows, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
    )
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def known(ids):
    return [row for row in ids if row < len(vocabulary())]


def expected(text):
    return known(reference().encode(text).ids)


@cache
def differing_characters():
    """Characters that the two sides classify differently, found by trying every assigned one."""
    codes = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) not in {"Cn", "Co", "Cs"}
    ]
    encodings = reference().encode_batch([f"a{code}b" for code in codes])
    return {
        code: encoding.ids
        for code, encoding in zip(codes, encodings, strict=True)
        if known(encoding.ids) != list(pieces().sequence(f"a{code}b"))
    }


@table("text", TEXTS)
def test_ids_are_those_of_the_reference_tokenizer(text):
    assert list(pieces().sequence(text)) == expected(text)


def test_ids_of_every_token_of_the_vocabulary_are_those_of_the_reference():
    text = " ".join(vocabulary())
    assert list(pieces().sequence(text)) == expected(text)


def test_characters_classified_differently_are_few_and_unknown_to_the_reference():
    unknown = len(vocabulary())
    differing = differing_characters()
    assert len(differing) < 2_000
    assert {code for code, ids in differing.items() if unknown not in ids} <= {"\u1734", "\u166d"}


@settings(deadline=None, max_examples=500)
@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_ids_of_any_text_are_those_of_the_reference(text):
    text = "".join(code for code in text if code not in differing_characters())
    assert list(pieces().sequence(text)) == expected(text)


@settings(deadline=None, max_examples=200)
@given(
    words=st.lists(
        st.sampled_from(["the", "The", "é", "ﬀ", "!", "\x00", "\n", "\u3000", "中", "s", "'", "Σ"])
    )
)
def test_ids_of_any_mixture_of_awkward_parts_are_those_of_the_reference(words):
    assert list(pieces().sequence("".join(words))) == expected("".join(words))


def test_the_rows_of_a_text_are_its_distinct_ids():
    assert pieces().rows("the cat and the dog") == set(expected("the cat and the dog"))


def test_a_long_text_has_the_ids_of_its_parts():
    text = "Ana lives in Łódź. " * 10_000
    assert list(pieces().sequence(text)) == expected("Ana lives in Łódź. ") * 10_000


def test_one_chunk_of_a_hundred_thousand_characters_is_split_at_its_punctuation():
    assert list(pieces().sequence("x," * 50_000)) == expected("x,") * 50_000


def test_a_lone_surrogate_is_dropped():
    assert list(pieces().sequence("ca\ud800t")) == expected("cat")


def test_special_tokens_in_a_text_are_ordinary_words():
    assert list(pieces().sequence("[PAD]")) == expected("[ pad ]")


def test_full_caches_are_emptied_and_the_ids_stay_the_same(monkeypatch):
    monkeypatch.setattr(wordpiece, "_CACHE_SIZE", 3)
    monkeypatch.setattr(wordpiece, "_CHARACTER_CACHE_SIZE", 3)
    small = WordPiece(vocabulary())
    for text in TEXTS:
        assert list(small.sequence(text)) == expected(text)
        assert len(small._chunks) <= 3


def test_the_vocabulary_has_no_duplicates():
    ordered = sorted(vocabulary())
    assert all(left != right for left, right in pairwise(ordered))


def test_an_empty_vocabulary_knows_nothing():
    assert WordPiece([]).rows("anything at all") == set()

"""BERT's uncased WordPiece in plain Python: the vocabulary rows that a text's words fall into.

The rules are those of the original model (Devlin et al. 2018, BERT): clean, split CJK characters,
strip accents, lower case, split off punctuation, then the longest known piece first. They give the
ids of the ``tokenizers`` package without its 34 MB, with three deliberate differences: a word that
cannot be pieced together yields nothing rather than an "unknown" row, special tokens such as
``[PAD]`` written in a text are ordinary words, and characters are classified by Python's own,
newer Unicode tables.
"""

import unicodedata
from collections.abc import Iterable
from itertools import chain

from recollect.types.regex import lazy_regex

# The model's own limit (``max_input_chars_per_word``): longer words are unknown as a whole.
_LONGEST_WORD = 100

# Chunks longer than this are rarely seen twice (chosen by hand); they are not remembered.
_LONGEST_CACHED = 32

# About 10 MB when full; chosen by hand, well above the 30,000 distinct chunks of a long history.
_CACHE_SIZE = 50_000

# A longer text's chunks are found one by one, so that their list does not outweigh it.
_LONG_TEXT = 100_000

# Characters remembered at most, about 2 MB; chosen by hand, more than any one language uses.
_CHARACTER_CACHE_SIZE = 20_000

# Unicode's White_Space without the control characters, which BERT removes instead of splitting at.
_CHUNKS = lazy_regex("[^ \\t\\n\\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")

# Control characters that ``str.split``, which is three times as fast, takes for white space, too.
_SPLIT_TOO = lazy_regex("[\x0b\x0c\x1c-\x1f]")

# Control, format, private use and surrogate characters; the unassigned ones (Cn) count as letters.
_REMOVED = frozenset({"Cc", "Cf", "Co", "Cs"})

# The blocks BERT calls CJK: every character is a word of its own.
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """Finds the vocabulary rows of texts. Safe to share between threads.

    Args:
        vocabulary: One token per row; a token that continues a word starts with ``##``.

    Example:
        >>> pieces = WordPiece(["play", "##ing", "chess", "!"])
        >>> sorted(pieces.rows("Playing CHESS, playing!"))
        [0, 1, 2, 3]
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._chunks = _ChunkCache(vocabulary)

    def rows(self, text: str) -> set[int]:
        """The distinct rows of a text's tokens."""
        return set(self.sequence(text))

    def sequence(self, text: str) -> Iterable[int]:
        """The rows of a text's tokens in the order of the text; words that are not known are skipped."""
        return chain.from_iterable(map(self._chunks.__getitem__, _chunks(text)))


def _chunks(text: str) -> Iterable[str]:
    """What stands between white space."""
    if len(text) < _LONG_TEXT:
        is_plain = text.isascii() and _SPLIT_TOO.search(text) is None
        return text.split() if is_plain else _CHUNKS.findall(text)
    return (found.group() for found in _CHUNKS.finditer(text))


class _ChunkCache(dict[str, tuple[int, ...]]):
    """Rows by chunk (what stands between spaces), found when first asked for.

    A thread that clears the full cache takes nothing from another but time.
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._starts: dict[str, int] = {}
        self._continuations: dict[str, int] = {}
        for row, token in enumerate(vocabulary):
            if token.startswith("##") and len(token) > len("##"):
                self._continuations[token.removeprefix("##")] = row
            else:
                self._starts[token] = row
        self._longest = max(map(len, chain(self._starts, self._continuations)), default=0)

    def __missing__(self, chunk: str) -> tuple[int, ...]:
        rows = tuple(chain.from_iterable(map(self._pieces, chunk.translate(_CHARACTERS).split(" "))))
        if len(chunk) <= _LONGEST_CACHED:
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[chunk] = rows
        return rows

    def _pieces(self, word: str) -> list[int]:
        """The rows of one normalised word, longest piece first; empty when some part is not known."""
        rows: list[int] = []
        if len(word) > _LONGEST_WORD:
            return rows
        known, start = self._starts, 0
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                row = known.get(word[start:end])
                if row is not None:
                    break
            else:
                return []
            rows.append(row)
            known, start = self._continuations, end
        return rows


class _CharacterTable(dict[int, str]):
    """What each character becomes, for ``str.translate``: words come out separated by plain spaces."""

    def __missing__(self, code: int) -> str:
        if len(self) >= _CHARACTER_CACHE_SIZE:
            self.clear()
        self[code] = replacement = _replacement(chr(code))
        return replacement


def _replacement(character: str) -> str:
    """The normalised form of one character: nothing, a space, or letters with spaces where words end."""
    if character in "\t\n\r":
        return " "
    if _is_removed(character):
        return ""
    if character.isspace():
        return " "
    decomposed = unicodedata.normalize("NFD", character)
    plain = "".join(part.lower() for part in decomposed if unicodedata.category(part) != "Mn")
    if any(first <= ord(character) <= last for first, last in _CJK):
        return f" {plain} "
    return "".join(f" {part} " if _is_punctuation(part) else part for part in plain)


def _is_removed(character: str) -> bool:
    """Whether BERT drops it: it does not show, or stands for a decoding error."""
    return character == "\ufffd" or unicodedata.category(character) in _REMOVED


def _is_punctuation(character: str) -> bool:
    """Unicode's punctuation and, as in BERT, every other ASCII symbol."""
    if character.isascii():
        return not character.isalnum()
    return unicodedata.category(character).startswith("P")


_CHARACTERS = _CharacterTable()

r"""Splits long texts into chunks that are found by themselves: turns, stories, facts, documents.

The chunks joined are the text. None has more tokens than the limit, white space around it not counted. A text
is cut at the best place there is: between blocks (see ``blocks``), list items, table rows or lines of code,
sentences (Chinese and Japanese ones, too), words, characters.

The limits are Recall's: "per-turn, with speaker attribution", "paragraph-level, max 500 tokens",
"fact-level, single statements".
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from recollect.errors import InvalidInputError, as_given
from recollect.text.blocks import Block, BlockKind, blocks_of
from recollect.text.tokens import estimate_tokens
from recollect.types.regex import lazy_regex

MAX_TOKENS: Final = 500
"""Tokens that a chunk may have; Recall's."""
FEWEST_TOKENS: Final = 16
"""The least limit that may be asked for: any one character of any tokenizer fits. Chosen by hand."""
NEW_SECTION: Final = 0.25
"""The share of the limit that a chunk of a document must have before a heading ends it: shorter sections
stay together. Chosen by hand."""

ChunkBy = Literal["turn", "story", "fact", "document"]
"""What a text is, which says how it is cut."""
CHUNK_BY: Final[tuple[ChunkBy, ...]] = ("turn", "story", "fact", "document")

Counter = Callable[[str], int]
"""Counts the tokens of a text."""
_Span = tuple[int, int]
_Cuts = Callable[[str], Iterable[int]]

_ABBREVIATED: Final = lazy_regex(
    r"""(?:
        (?m:^[ \t]*\d{1,9})
        | \b(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|fig|approx|e\.g|i\.e|cf|al|inc|ltd|co|u\.s)
        | (?<![^\W_])(?-i:[A-Z])
    )\.$""",
    re.IGNORECASE | re.VERBOSE,
)
"""A full stop that ends no sentence: the number of an item, an abbreviation, an initial."""
_SENTENCE_END: Final = lazy_regex(
    "(?<![.!?\u2026])[.!?\u2026]++[\"'\u201d\u2019)\\]]*\\s+"
    "|[\u3002\uff01\uff1f\uff61]+[\"'\u300d\u300f\u201d\u2019)\uff09\\]]*\\s*"
    r"|\n[ \t]*\r?\n\s*"
)
_LINE_END: Final = lazy_regex(r"\n")
_STATEMENT_END: Final = lazy_regex(r"\n\s*")
_ITEM_START: Final = lazy_regex(r"(?m)^([ \t]*)(?:[-*+\u2022]|\d{1,9}[.)])[ \t]+\S")
_WORD_END: Final = lazy_regex(r"\s+")
_JOINED: Final = frozenset("\u200d\ufe0e\ufe0f")
_LONGEST_CLUSTER: Final = 8
"""Characters looked back for the start of one that is written with several. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A part of a text.

    Attributes:
        text: Its words, as they stand; white space behind them included.
        headings: The titles it stands under, outermost first.
        lead: What it goes on with, if it begins inside: the head of a table, the opening of a fence.
    """

    text: str
    place: tuple[int, int]
    number: int
    count: int
    headings: tuple[str, ...] = ()
    lead: str = ""
    speaker: str | None = None


def chunks_of(
    text: str,
    *,
    by: ChunkBy = "document",
    max_tokens: int = MAX_TOKENS,
    count_tokens: Counter = estimate_tokens,
    speaker: str | None = None,
) -> list[Chunk]:
    r"""A text in chunks; joined they give the text.

    Args:
        text: Any text; Markdown is read as such.
        by: ``turn``: one chunk, if it fits, else as a document. ``story``: one for each paragraph (a list, a
            table or a stretch of code is one, too), with the heading above it. ``fact``: one for each
            statement: a sentence, a line or an item of a list. ``document``: as many blocks together as fit,
            and a new chunk at a heading.
        max_tokens: The most tokens of a chunk, at least ``FEWEST_TOKENS``.
        count_tokens: Counts the tokens of a text.
        speaker: Who said it; every chunk names them.

    Returns:
        The chunks in their order; none of an empty text, and one of a blank one.

    Raises:
        InvalidInputError: The limit is too low, or there is no such way to cut.

    >>> [chunk.text for chunk in chunks_of("Ada likes tea. She is from Ulm.", by="fact")]
    ['Ada likes tea. ', 'She is from Ulm.']
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"text must be a text, not {type(text).__name__}")
    if max_tokens < FEWEST_TOKENS:
        raise InvalidInputError(f"max_tokens must be {FEWEST_TOKENS} or more, not {as_given(max_tokens)}")
    if by not in CHUNK_BY:
        raise InvalidInputError(f"by must be one of {', '.join(CHUNK_BY)}, not {as_given(by)}")
    size = _Size(text, max_tokens, count_tokens)
    blocks = blocks_of(text)
    spans = _spans(size, blocks, by)
    return [
        Chunk(
            text=text[start:end],
            place=(start, end),
            number=number,
            count=len(spans),
            headings=headings,
            lead=lead,
            speaker=speaker,
        )
        for number, ((start, end), (headings, lead)) in enumerate(
            zip(spans, _above(blocks, spans), strict=True)
        )
    ]


class _Size:
    """Whether parts of a text fit; white space around a part does not count, for it need not be shown."""

    def __init__(self, text: str, most: int, count: Counter) -> None:
        self.text = text
        self.most = most
        self._count = count

    def of(self, span: _Span) -> int:
        """The tokens of a part."""
        words = self.text[span[0] : span[1]].strip()
        return self._count(words) if words else 0

    def rough(self, span: _Span) -> int:
        """The same with the white space around it, which counts when more follows."""
        return self._count(self.text[span[0] : span[1]])

    def fits(self, span: _Span) -> bool:
        """Whether a part has no more tokens than it may have."""
        return self.of(span) <= self.most


def _spans(size: _Size, blocks: Sequence[Block], by: ChunkBy) -> list[_Span]:
    whole = (0, len(size.text))
    if not blocks:
        return []
    if by == "fact":
        return [
            one for part in _parts(size.text, whole, _at_statements) for one in _split(size, part, _PROSE)
        ]
    if by == "turn" and size.fits(whole):
        return [whole]
    units = list(_units(blocks))
    cut = [_split(size, unit.span, _CUTS.get(unit.kind, _PROSE)) for unit in units]
    if by == "story":
        return [span for parts in cut for span in parts]
    headed = frozenset(unit.span[0] for unit in units if unit.headed)
    return list(_joined(size, [span for parts in cut for span in parts], headed))


@dataclass(frozen=True, slots=True)
class _Unit:
    """A block with the headings right above it: kept together if they fit."""

    kind: BlockKind
    span: _Span
    headed: bool


def _units(blocks: Sequence[Block]) -> Iterator[_Unit]:
    start, headed = blocks[0].start, False
    for place, block in enumerate(blocks):
        headed = headed or block.kind == "heading"
        if block.kind == "heading" and place + 1 < len(blocks):
            continue
        yield _Unit(block.kind, (start, block.end), headed)
        start, headed = block.end, False


def _split(size: _Size, span: _Span, cuts: Sequence[_Cuts]) -> list[_Span]:
    """A part of the text in as few parts as fit, by the first cuts that do."""
    if size.fits(span):
        return [span]
    if not cuts:
        return list(_by_characters(size, span))
    parts = _parts(size.text, span, cuts[0])
    return list(_joined(size, [one for part in parts for one in _split(size, part, cuts[1:])]))


def _parts(text: str, span: _Span, cuts: _Cuts) -> list[_Span]:
    """A part of the text, cut; nothing blank is cut off."""
    start, end = span
    inside = [start + cut for cut in cuts(text[start:end])]
    while inside and not text[start : inside[0]].strip():
        del inside[0]
    places = [start, *(place for place in inside if start < place < end), end]
    return list(pairwise(places))


def _joined(size: _Size, parts: Sequence[_Span], headed: frozenset[int] = frozenset()) -> Iterator[_Span]:
    """Neighbours together, as many as fit; one that a heading begins, only behind what is short."""
    costs = [size.rough(part) for part in parts]
    first = 0
    while first < len(parts):
        after = _reach(size, parts, costs, first, headed)
        yield parts[first][0], parts[after - 1][1]
        first = after


def _reach(
    size: _Size, parts: Sequence[_Span], costs: Sequence[int], first: int, headed: frozenset[int]
) -> int:
    """How far parts fit together from the first on.

    They are counted apart, and together only where that is too much or all is taken: either may be more.
    """
    start, used, after = parts[first][0], costs[first], first + 1
    while after < len(parts):
        if parts[after][0] in headed and used >= size.most * NEW_SECTION:
            break
        used += costs[after]
        if used > size.most and (used := size.of((start, parts[after][1]))) > size.most:
            break
        after += 1
    if size.fits((start, parts[after - 1][1])):
        return after
    low = first + 1
    while low < after - 1:
        middle = (low + after) // 2
        low, after = (middle, after) if size.fits((start, parts[middle - 1][1])) else (low, middle)
    return low


def _by_characters(size: _Size, span: _Span) -> Iterator[_Span]:
    """A run without any other place to cut, in the longest pieces that fit."""
    start, end = span
    while start < end:
        cut = _longest(size, start, end)
        yield start, cut
        start = cut


def _longest(size: _Size, start: int, end: int) -> int:
    """How far a piece may go on that begins at a character."""
    low, high = start + 1, min(end, start + size.most)
    while size.fits((start, high)):
        if high == end:
            return end
        low, high = high, min(end, start + 2 * (high - start))
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if size.fits((start, middle)) else (low, middle)
    cut = _between_characters(size.text, low, start)
    return cut if size.fits((start, cut)) else low


def _between_characters(text: str, cut: int, start: int) -> int:
    """The cut, or one a little before it that parts no character written with several."""
    for place in range(cut, max(start, cut - _LONGEST_CLUSTER), -1):
        after = text[place]
        joined = after in _JOINED or text[place - 1] == "\u200d" or unicodedata.combining(after)
        if not joined and text[place - 1 : place + 1] != "\r\n":
            return place
    return cut


def _above(blocks: Sequence[Block], spans: Sequence[_Span]) -> Iterator[tuple[tuple[str, ...], str]]:
    """For each part the headings it stands under, its own first ones included, and what it goes on with."""
    starts = [block.start for block in blocks]
    paths = list(_paths(blocks))
    for start, end in spans:
        place = bisect_right(starts, start) - 1
        while blocks[place].kind == "heading" and place + 1 < len(blocks) and starts[place + 1] < end:
            place += 1
        block = blocks[place]
        yield paths[place], block.lead if block.start < start else ""


def _paths(blocks: Sequence[Block]) -> Iterator[tuple[str, ...]]:
    path: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind == "heading":
            path = [*(one for one in path if one[0] < block.level), (block.level, block.title)]
        yield tuple(title for _, title in path if title)


def _at_sentences(text: str) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(text):
        ending = text[max(0, match.start() - 12) : match.start() + 1]
        if "\n" in match.group() or not _ABBREVIATED.search(ending):
            yield match.end()


def _at_lines(text: str) -> Iterator[int]:
    return (match.end() for match in _LINE_END.finditer(text))


def _at_statements(text: str) -> Iterator[int]:
    lines = (match.end() for match in _STATEMENT_END.finditer(text))
    return iter(sorted({*_at_sentences(text), *lines}))


def _at_items(text: str) -> Iterator[int]:
    """Before each item of the outermost list; items inside items stay with them."""
    items = list(_ITEM_START.finditer(text))
    least = min((len(item.group(1)) for item in items), default=0)
    return (item.start() for item in items if len(item.group(1)) == least)


def _at_any_item(text: str) -> Iterator[int]:
    return (item.start() for item in _ITEM_START.finditer(text))


def _at_words(text: str) -> Iterator[int]:
    return (match.end() for match in _WORD_END.finditer(text))


_PROSE: Final[tuple[_Cuts, ...]] = (_at_sentences, _at_words)
_ROWS: Final[tuple[_Cuts, ...]] = (_at_lines, _at_words)
_CUTS: Final[Mapping[BlockKind, tuple[_Cuts, ...]]] = {
    "list": (_at_items, _at_any_item, *_PROSE),
    "table": _ROWS,
    "code": _ROWS,
}
"""Where a block is cut when it is too long, best places first."""

"""The blocks that a text is built of: paragraphs, and in Markdown headings, fenced code, lists, tables."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from recollect.types.regex import lazy_regex

BlockKind = Literal["paragraph", "heading", "code", "list", "table"]
"""What a block is."""

_LINE: Final = lazy_regex(r"[^\n]*\n|[^\n]+\Z")
_HEADING: Final = lazy_regex(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE: Final = lazy_regex(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE: Final = lazy_regex(r"\s*(`{3,}|~{3,})(.*)$")
_ITEM: Final = lazy_regex(r"[ \t]*(?:[-*+\u2022]|\d{1,9}[.)])[ \t]+\S")
_ROW: Final = lazy_regex(r"[ \t]*\|")
_RULE: Final = lazy_regex(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a text, with the blank lines behind it.

    Attributes:
        end: Where it ends, exclusive: where the next one begins.
        level: Of a heading, 1 to 6; else 0.
        title: The words of a heading; else empty.
        lead: What a part of it needs to be read alone: the head of a table, the opening of a fence.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    lead: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line, without its line break."""

    text: str
    start: int
    end: int

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def blocks_of(text: str) -> list[Block]:
    r"""The blocks of a text in order; each begins where the one before it ends, and all give the text.

    Blank lines belong to the block before them; those at the start to the first block. A fence that is
    never closed goes on to the end, as in CommonMark. A blank text is one paragraph, an empty one none.

    >>> [(block.kind, block.title) for block in blocks_of("# Tea\n\nGreen.\n\n- hot\n- cold\n")]
    [('heading', 'Tea'), ('paragraph', ''), ('list', '')]
    """
    lines = [_Line(match.group().rstrip("\r\n"), *match.span()) for match in _LINE.finditer(text)]
    found = list(_blocks(lines))
    if not found:
        return [Block(kind="paragraph", start=0, end=len(text))] if text else []
    ends = [block.start for block in found[1:]] + [len(text)]
    starts = [0, *ends[:-1]]
    return [replace(one, start=start, end=end) for one, start, end in zip(found, starts, ends, strict=True)]


def _blocks(lines: Sequence[_Line]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        if lines[at].blank:
            at += 1
            continue
        block, after = _block(lines, at)
        yield block
        at = after


def _block(lines: Sequence[_Line], at: int) -> tuple[Block, int]:
    """The block that begins at a line, and the line after it."""
    first = lines[at]
    if heading := _HEADING.match(first.text):
        return _heading(lines, at, at + 1, len(heading.group(1)), heading.group(2))
    if _is_underlined(lines, at):
        return _heading(lines, at, at + 2, 1 if "=" in lines[at + 1].text else 2, first.text)
    if fence := _FENCE.match(first.text):
        return _made("code", lines, at, _fence_end(lines, at, fence.group(1)), lead=1)
    if _is_table(lines, at):
        after = _run(lines, at, lambda line: "|" in line.text)
        ruled = after > at + 1 and _RULE.match(lines[at + 1].text)
        return _made("table", lines, at, after, lead=2 if ruled else 0)
    if _ITEM.match(first.text):
        return _made("list", lines, at, _list_end(lines, at))
    return _made("paragraph", lines, at, _paragraph_end(lines, at))


def _heading(lines: Sequence[_Line], at: int, after: int, level: int, title: str | None) -> tuple[Block, int]:
    block, _ = _made("heading", lines, at, after)
    return replace(block, level=level, title=(title or "").strip()), after


def _made(
    kind: BlockKind, lines: Sequence[_Line], at: int, after: int, *, lead: int = 0
) -> tuple[Block, int]:
    head = "\n".join(line.text for line in lines[at : at + lead])
    return Block(kind=kind, start=lines[at].start, end=lines[after - 1].end, lead=head), after


def _run(lines: Sequence[_Line], at: int, belongs: Callable[[_Line], bool]) -> int:
    after = at + 1
    while after < len(lines) and not lines[after].blank and belongs(lines[after]):
        after += 1
    return after


def _fence_end(lines: Sequence[_Line], at: int, opening: str) -> int:
    for after in range(at + 1, len(lines)):
        mark = lines[after].text.strip()
        if len(mark) >= len(opening) and not mark.strip(opening[0]):
            return after + 1
    return len(lines)


def _list_end(lines: Sequence[_Line], at: int) -> int:
    """A list goes on over indented lines, and over a blank line before an item or an indented line."""
    after = at + 1
    while after < len(lines):
        line = lines[after]
        behind_blank = lines[after - 1].blank
        if line.blank:
            after += 1
        elif _ITEM.match(line.text) or line.text[0] in " \t" or not (behind_blank or _begins(lines, after)):
            after = _past_fence(lines, after)
        else:
            break
    while lines[after - 1].blank:
        after -= 1
    return after


def _past_fence(lines: Sequence[_Line], at: int) -> int:
    """The line after this one, or after the fenced code that begins here."""
    fence = _FENCE.match(lines[at].text)
    return _fence_end(lines, at, fence.group(1)) if fence else at + 1


def _paragraph_end(lines: Sequence[_Line], at: int) -> int:
    after = at + 1
    while after < len(lines) and not lines[after].blank and not _begins(lines, after):
        after += 1
    return after


def _begins(lines: Sequence[_Line], at: int) -> bool:
    """Whether something other than a paragraph begins at a line."""
    text = lines[at].text
    return bool(
        _HEADING.match(text) or _FENCE.match(text) or _ITEM.match(text) or _is_table(lines, at)
    ) or _is_underlined(lines, at)


def _is_table(lines: Sequence[_Line], at: int) -> bool:
    text = lines[at].text
    if _ROW.match(text):
        return True
    below = lines[at + 1].text if at + 1 < len(lines) else ""
    return "|" in text and "|" in below and bool(_RULE.match(below))


def _is_underlined(lines: Sequence[_Line], at: int) -> bool:
    """Whether a line is a heading by the line under it, as in Setext; it stands behind a blank line."""
    if at + 1 >= len(lines) or (at and not lines[at - 1].blank) or "|" in lines[at].text:
        return False
    return bool(_UNDERLINE.match(lines[at + 1].text)) and not _ITEM.match(lines[at].text)

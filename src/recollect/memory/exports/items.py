"""A memory as an item of a Markdown list, and back.

::

    - 11:10 **Ada**: We adopted a greyhound. ^019a7c1e-52a3-7c3e-8d59-0f6d1f8f2a11
    - 11:12 **Ada**: ^019a7c1e-6b10-7d02-93a1-2f6d1f8f2a11
      Two lines
      of words
    - User's dog is named Pixel. ^019a7c1f-1111-7aaa-8bbb-2f6d1f8f2a11
      ↳ since March 2026; said on [14 March 2026](../months/2026-03.md#^019a7c1e-52a3-7c3e-8d59-0f6d1f8f2a11)

What stands behind ``^`` is the id, a block id of Obsidian. Lines of words that begin with an arrow or a
backslash get a backslash before them.
"""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final
from urllib.parse import quote, unquote

NOTE: Final = "\u21b3 "
"""Begins a line about an item that is not part of its words."""
_ITEM: Final = re.compile(r"[-*+] (?P<said>.*)", re.DOTALL)
_ID: Final = re.compile(r"(?:^|\s)\^(?P<id>\S+)\s*$")
_PREFIX: Final = re.compile(r"(?:\d\d:\d\d )?(?:\*\*.*?\*\*|\*\w+\*):(?: |$)|\d\d:\d\d ")
_ESCAPED: Final = ("\\", NOTE[0])
_RULE: Final = "---"
_DIGEST_BYTES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PageItem:
    """An item as it stands on a page.

    Attributes:
        line: Where it begins, from 1.
        heading: The heading of the second level above it; "" without one.
        id: The memory it is; None for one that a person wrote.
        first: The rest of its first line, without its bullet and id.
        more: The lines below it that are words.
    """

    line: int
    heading: str
    id: str | None
    first: str
    more: tuple[str, ...]

    def words(self, prefix: str | None) -> str:
        """Its words without time and speaker.

        Args:
            prefix: How those were written; "" where none were. Others, or where None is known, are told by
                their looks.
        """
        if prefix is not None and self.first.startswith(prefix.rstrip()):
            said = self.first[len(prefix.rstrip()) :]
        else:
            said = _PREFIX.sub("", self.first, count=1)
        return normal("\n".join([said.strip(), *self.more] if said.strip() else self.more))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A line of a page that is neither an item nor a heading; ``id`` is what an item's id would be."""

    line: int
    text: str
    id: str | None


def written(memory_id: str, words: str, *, prefix: str = "", notes: Iterable[str] = ()) -> str:
    """The item of a memory, with its line break."""
    first, *more = normal(words).split("\n")
    if more:
        first, more = "", [first, *more]
    head = " ".join(filter(None, ["-", prefix.rstrip(), first, mark_of(memory_id)]))
    lines = [head, *(f"  {_escaped(line)}".rstrip() for line in more), *(f"  {NOTE}{note}" for note in notes)]
    return "\n".join(lines) + "\n"


def mark_of(memory_id: str) -> str:
    """What stands at the end of the first line of a memory's item."""
    return f"^{quote(memory_id, safe='')}"


def read(text: str, known: Container[str] = ()) -> Iterator[PageItem | Stray]:
    """What stands on a page behind its front matter, from the top.

    An item whose id stands on a line below its first, since a line was broken there, has it if it is one of
    the ``known`` ids; lines up to it belong to the item, indented or not.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    place = _behind_front_matter(lines)
    heading = ""
    while place < len(lines):
        line = lines[place]
        found = _ITEM.fullmatch(line)
        if found:
            said, below = found["said"], place + 1
            if _id_in(said) is None and (below := _below_id(lines, place + 1, known)) > place + 1:
                said = f"{said} {_take_id(lines, below - 1)}"
            end = _end_of_item(lines, below)
            yield _item(said, lines[place + 1 : end], line=place + 1, heading=heading)
            place = end
            continue
        if line.startswith("#"):
            heading = line.removeprefix("## ").strip() if line.startswith("## ") else heading
        elif line.strip():
            yield Stray(line=place + 1, text=line.strip(), id=_id_in(line))
        place += 1


def broken_front_matter(text: str) -> int:
    r"""How many lines a page's front matter has, where it does not stand between two lines ``---``; else 0.

    >>> broken_front_matter('---\nrecollect: "month"\n\n# March'), broken_front_matter("# March\n- words")
    (3, 0)
    """
    lines = text.removeprefix("\ufeff").split("\n")
    if _behind_front_matter([line.rstrip() for line in lines]):
        return 0
    before = next((place for place, line in enumerate(lines) if line.startswith(("#", "- "))), len(lines))
    return before if any(line.strip() for line in lines[:before]) else 0


def normal(words: str) -> str:
    r"""Words as they survive an editor: one kind of line breaks, none around them, no blanks at line ends.

    >>> normal(" two \r\nlines\n")
    'two\nlines'
    """
    lines = words.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()


def digest_of(words: str) -> str:
    """Sixteen characters that are equal for words that are the same to an editor."""
    return blake2b(normal(words).encode(), digest_size=_DIGEST_BYTES).hexdigest()


def _behind_front_matter(lines: list[str]) -> int:
    if lines[0].rstrip() != _RULE:
        return 0
    ends = (place for place, line in enumerate(lines[1:], 1) if line.rstrip() == _RULE)
    return next(ends, -1) + 1


def _end_of_item(lines: list[str], start: int) -> int:
    """Where the item ends whose first line is before ``start``: it holds indented and blank lines."""
    end = start
    for place in range(start, len(lines)):
        if lines[place].startswith(("  ", "\t")) and lines[place].strip():
            end = place + 1
        elif lines[place].strip():
            break
    return end


def _below_id(lines: list[str], start: int, known: Container[str]) -> int:
    """Below which line a known id ends a line of the item before ``start``; ``start`` where none does."""
    for place in range(start, len(lines)):
        line = lines[place]
        if _ITEM.fullmatch(line) or _PREFIX.match(line) or line.startswith("#"):
            break
        if _id_in(line) in known:
            return place + 1
    return start


def _id_in(line: str) -> str | None:
    """The id at the end of a line."""
    named = _ID.search(line)
    return unquote(named["id"]) if named else None


def _take_id(lines: list[str], place: int) -> str:
    """The mark at the end of a line, which is cut off there."""
    line = lines[place]
    lines[place] = line[: line.rindex("^")].rstrip()
    return line[line.rindex("^") :]


def _item(said: str, below: list[str], *, line: int, heading: str) -> PageItem:
    named = _ID.search(said)
    lines = [one.removeprefix("\t") if one.startswith("\t") else one.removeprefix("  ") for one in below]
    return PageItem(
        line=line,
        heading=heading,
        id=_id_in(said),
        first=said[: named.start()] if named else said,
        more=tuple(_plain(one) for one in lines if not one.startswith(NOTE)),
    )


def _escaped(line: str) -> str:
    return f"\\{line}" if line.startswith(_ESCAPED) else line


def _plain(line: str) -> str:
    return line[1:] if line.startswith(tuple(f"\\{one}" for one in _ESCAPED)) else line

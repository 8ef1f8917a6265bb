"""The activities in ``MyActivity.html``, the page that Google Takeout writes unless it is asked for JSON.

Each is a cell: what it is about, then lines with what was attached, a line with its time, and the answer.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles, reading
from recollect.ingest.sources.html_text import words_of_html
from recollect.ingest.sources.json_records import MAX_RECORD_BYTES
from recollect.ingest.sources.takeout_dates import TakeoutStamp, stamp_of

_CELL: Final = re.compile(r'<div class="outer-cell\b')
_HEADER: Final = re.compile(r'<p class="mdl-typography--title">([^<]{0,200})')
_CONTENT: Final = re.compile(r'<div class="content-cell\b[^<>]{0,200}>')
_BREAK: Final = re.compile(r"<br ?/?>|(?=<(?:p|div|pre|ul|ol|table|blockquote|h[1-6])\b)|\Z")
_ATTACHED: Final = re.compile(r"-(?:\s|&nbsp;)*<a\b")
_MADE: Final = re.compile(r"\d+ generated (?:image|video|audio)s?\.")
_GEMINI: Final = re.compile(rb'<p class="mdl-typography--title">[^<]{0,100}(?:Gemini|Bard)')
_CLOCK: Final = re.compile(r"\d[:.]\d\d[:.]\d\d")
_LONGEST_TIME: Final = 200
"""Characters of HTML. Chosen by hand: times have fifty."""
_OVERLAP: Final = 200
_PIECE: Final = 1 << 20


class HtmlActivity(NamedTuple):
    """An activity of a page, the newest first.

    Attributes:
        where: Its place, for people.
        product: Of which product it is.
        title: What it says before its time.
        attached: How many files the title lists, which are no part of it.
        stamp: When; None where no line is a time.
        answer: The words behind the time.
    """

    where: str
    product: str
    title: str
    attached: int
    stamp: TakeoutStamp | None
    answer: str


def is_gemini_page(files: SourceFiles, name: str) -> bool:
    """Whether a file is such a page, with an activity of Gemini; its beginning may be nothing but styles."""
    if b"<html" not in files.beginning(name)[:200].lower():
        return False
    try:
        with reading(name), files.open(name) as stream:
            before = b""
            for piece in iter(lambda: stream.read(_PIECE), b""):
                if _GEMINI.search(before + piece):
                    return True
                before = piece[-_OVERLAP:]
    except InvalidInputError:
        return False
    return False


def html_activities(files: SourceFiles, name: str) -> Iterator[HtmlActivity]:
    """The activities of a page; the last is one without a time where the page breaks off.

    Raises:
        InvalidInputError: It cannot be read, is too large, no UTF-8, or another page.
    """
    try:
        page = files.read(name, most=MAX_RECORD_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError(f"{name} is not UTF-8 text") from None
    starts = [found.start() for found in _CELL.finditer(page)]
    if not starts:
        raise InvalidInputError(f"{name} is no page of activities")
    whole = page.rstrip().endswith("</html>")
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(page)], strict=True), start=1):
        read = _activity(page[start:end], f"{name}, activity {number}")
        yield read if whole or end < len(page) else read._replace(stamp=None)


def _activity(cell: str, where: str) -> HtmlActivity:
    header = _HEADER.search(cell)
    product = words_of_html(header[1]) if header else ""
    parts = _CONTENT.split(cell, maxsplit=2)
    body = parts[1] if len(parts) > 1 else ""
    lines: list[str] = []
    start = 0
    for found in _BREAK.finditer(body):
        line = body[start : found.start()]
        start = found.end()
        stamp = stamp_of(words_of_html(line)) if lines and _is_like_a_time(line) else None
        if stamp is not None:
            title, attached = _title(lines)
            return HtmlActivity(where, product, title, attached, stamp, words_of_html(body[start:]))
        lines.append(line)
    return HtmlActivity(where, product, *_title(lines), None, "")


def _is_like_a_time(line: str) -> bool:
    return len(line) < _LONGEST_TIME and _CLOCK.search(line) is not None


def _title(lines: list[str]) -> tuple[str, int]:
    """The words before the time, without the list of what was attached or made, and how many that are."""
    words = lines
    while words[1:] and _ATTACHED.match(words[-1].strip()):
        words = words[:-1]
    attached = len(lines) - len(words)
    if attached and words[1:] and str(attached) in words_of_html(words[-1]):
        words = words[:-1]
    else:
        words, attached = lines, 0  # a list of links that is part of the prompt
    while words[1:] and _MADE.fullmatch(words_of_html(words[-1])):
        words = words[:-1]
    return "\n".join(map(words_of_html, words)).strip(), attached

"""HTML as Markdown-like text: headings, lists, tables and code keep their form; scripts are left out."""

import re
from html.parser import HTMLParser
from typing import Final

_DROPPED: Final = frozenset(["script", "style", "noscript", "template", "svg", "head", "iframe", "object"])
_BLOCKS: Final = frozenset([
    "address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hr", "html", "main", "nav", "ol", "p", "section",
    "summary", "table", "tbody", "thead", "tfoot", "ul",
])  # fmt: skip
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_CELLS: Final = frozenset(["td", "th"])
_SPACES: Final = re.compile(r"\s+")
_BLANK_LINES: Final = re.compile(r"\n[ \t]*\n\s*\n")
_TITLE_CHARACTERS: Final = 200


def html_text(source: str) -> tuple[str, str | None]:
    r"""The words of a page, and its title; it takes any text, as browsers do.

    >>> html_text("<title>Tea</title><h2>Green</h2><ul><li>hot<li>cold</ul><script>x()</script>")
    ('## Green\n\n- hot\n- cold', 'Tea')
    """
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return reader.text(), reader.title()


class _Reader(HTMLParser):
    """Writes down what a page shows."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out: list[str] = []
        self._title: list[str] = []
        self._first_heading: list[str] = []
        self._dropped = 0
        self._pre = 0
        self._in: str | None = None
        self._cells = 0

    def text(self) -> str:
        lines = "".join(self._out).split("\n")
        return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip()

    def title(self) -> str | None:
        words = _SPACES.sub(" ", "".join(self._title or self._first_heading)).strip()
        return words[:_TITLE_CHARACTERS] or None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag == "title":
            self._in = tag
        elif tag in _DROPPED:
            self._dropped += tag != "head"
        elif tag in _HEADINGS:
            self._break()
            self._out.append(f"{_HEADINGS[tag]} ")
            self._in = "h1" if tag == "h1" and not self._first_heading else None
        elif tag == "pre":
            self._break()
            self._out.append("```\n")
            self._pre += 1
        elif tag == "li":
            self._line()
            self._out.append("- ")
        elif tag == "br":
            self._out.append("\n")
        elif tag == "tr":
            self._line()
            self._cells = 0
        elif tag in _CELLS:
            self._out.append("| " if not self._cells else " | ")
            self._cells += 1
        elif tag in _BLOCKS:
            self._break()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("title", "h1"):
            self._in = None
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - (tag != "head"))
        elif tag == "pre" and self._pre:
            self._pre -= 1
            self._line()
            self._out.append("```\n\n")
        elif tag == "tr":
            self._out.append(" |\n" if self._cells else "\n")
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._break()

    def handle_data(self, data: str) -> None:
        if self._in == "title":
            self._title.append(data)
        elif not self._dropped:
            if self._in == "h1":
                self._first_heading.append(data)
            self._words(data)

    def _words(self, data: str) -> None:
        if self._pre:
            self._out.append(data)
            return
        words = _SPACES.sub(" ", data)
        begins = not self._out or self._out[-1].endswith(("\n", " "))
        self._out.append(words.lstrip() if begins else words)

    def _line(self) -> None:
        if self._out and not self._out[-1].endswith("\n"):
            self._out.append("\n")

    def _break(self) -> None:
        """Begin a paragraph; inside an item or a cell only what is there goes on."""
        if self._out and self._out[-1] not in ("- ", "| ", " | "):
            self._line()
            self._out.append("\n")

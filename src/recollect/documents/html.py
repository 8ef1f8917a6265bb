"""HTML to Markdown-like text: keeps headings, lists, tables and code; leaves out hidden text."""

from typing import Final

from recollect.documents.elements import Element, OpenElements
from recollect.text.html import HtmlReader
from recollect.types.regex import lazy_regex

_BLOCKS: Final = frozenset([
    "address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hr", "html", "main", "nav", "ol", "p", "section",
    "summary", "table", "tbody", "thead", "tfoot", "ul",
])  # fmt: skip
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_CELLS: Final = frozenset(["td", "th"])
_SPACES: Final = lazy_regex(r"\s+")
_BLANK_LINES: Final = lazy_regex(r"\n[ \t]*\n\s*\n")
_TITLE_CHARACTERS: Final = 200
_XML: Final = "<?xml"


def html_text(source: str) -> tuple[str, str | None]:
    r"""Extract the visible text and the title of a page; accepts invalid HTML, as browsers do.

    >>> html_text("<title>Tea</title><h2>Green</h2><ul><li>hot<li hidden>cold</ul><script>x()</script>")
    ('## Green\n\n- hot', 'Tea')
    """
    reader = _Reader(is_xml=source.lstrip("\ufeff \t\r\n").startswith(_XML))
    reader.feed(source)
    reader.close()
    return reader.text(), reader.title()


class _Reader(HtmlReader):
    """Collects the visible text of a page; in XHTML ``<p/>`` closes itself."""

    def __init__(self, *, is_xml: bool) -> None:
        super().__init__()
        self._is_xml = is_xml
        self._open = OpenElements()
        self._out: list[str] = []
        self._title: list[str] = []
        self._titling: Element | None = None
        self._first_heading: list[str] = []
        self._heading: Element | None = None
        self._cells = 0

    def text(self) -> str:
        lines = "".join(self._out).split("\n")
        return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip()

    def title(self) -> str | None:
        words = _SPACES.sub(" ", "".join(self._title or self._first_heading)).strip()
        return words[:_TITLE_CHARACTERS] or None

    def close(self) -> None:
        super().close()
        for element in self._open.close_all():
            self._end(element)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for ended in self._open.make_way(tag):
            self._end(ended)
        around = self._open.top
        element = self._open.open(tag, dict(reversed(attrs)))  # of two attributes the first counts
        if (
            tag == "title"
            and not self._title
            and (around is None or around.tag == "head" or around.sight.shown)
        ):
            self._titling = element
        elif element.sight.shown:
            self._begin(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        whole = self._is_xml or tag in {"svg", "math"} or self._open.holds("svg") or self._open.holds("math")
        self.handle_starttag(tag, attrs)
        if whole:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        for ended in self._open.close(tag):
            self._end(ended)

    def handle_data(self, data: str) -> None:
        if self._titling is not None and self._open.top is self._titling:
            self._title.append(data)
        elif self._open.sight.shown:
            words = " " if self._open.sight.decoration and not any(map(str.isalnum, data)) else data
            if self._heading is not None:
                self._first_heading.append(words)
            self._words(words)

    def _begin(self, element: Element) -> None:
        tag = element.tag
        if tag in _HEADINGS:
            self._break()
            self._out.append(f"{_HEADINGS[tag]} ")
            if tag == "h1" and not self._first_heading:
                self._heading = element
        elif tag == "pre":
            self._break()
            self._out.append("```\n")
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

    def _end(self, element: Element) -> None:
        if element is self._heading:
            self._heading = None
        if not element.sight.shown:
            return
        if element.tag == "pre":
            self._line()
            self._out.append("```\n\n")
        elif element.tag == "tr":
            self._out.append(" |\n" if self._cells else "\n")
        elif element.tag in _HEADINGS or element.tag in _BLOCKS:
            self._break()

    def _words(self, data: str) -> None:
        if self._open.holds("pre"):
            self._out.append(data)
            return
        words = _SPACES.sub(" ", data)
        begins = not self._out or self._out[-1].endswith(("\n", " "))
        self._out.append(words.lstrip() if begins else words)

    def _line(self) -> None:
        if self._out and not self._out[-1].endswith("\n"):
            self._out.append("\n")

    def _break(self) -> None:
        """Begin a paragraph, except at the start of a list item or cell."""
        if self._out and self._out[-1] not in ("- ", "| ", " | "):
            self._line()
            self._out.append("\n")

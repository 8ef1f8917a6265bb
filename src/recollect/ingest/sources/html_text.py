"""The words of a piece of HTML."""

import re
from typing import Final

from recollect.text.html import HtmlReader

_BREAKS: Final = frozenset(
    [
        "p",
        "br",
        "div",
        "li",
        "tr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "pre",
        "ul",
        "ol",
        "table",
        "blockquote",
    ]
)
_HIDDEN: Final = frozenset(["script", "style", "head", "template"])
_LINES: Final = re.compile(r"[ \t]*\n[ \t\n]*")


def words_of_html(html: str) -> str:
    r"""The words of a piece of HTML, a line for each block.

    >>> words_of_html("<p>Tea &amp; <b>milk</b></p><ul><li>one<li>two</ul><style>p {}</style>")
    'Tea & milk\none\ntwo'
    """
    reader = _Words()
    reader.feed(html)
    reader.close()
    return _LINES.sub("\n", "".join(reader.parts)).strip()


class _Words(HtmlReader):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - its signature
        self._hidden += tag in _HIDDEN
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)

    def _break(self, tag: str) -> None:
        if tag in _BREAKS:
            self.parts.append("\n")

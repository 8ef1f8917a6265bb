"""The stack of open HTML elements, with the implied end tags of browsers."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from recollect.documents.unseen import IN_SIGHT, Sight, sight_of

_EMPTY: Final = frozenset([
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
])  # fmt: skip
"""Void elements, which are never open."""
_WHOLE_PAGE: Final = frozenset(["html", "body"])
"""Elements that stay open to the end and are never hidden: scripts often reveal a hidden page later."""
_HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_ROWS: Final = frozenset(["tbody", "thead", "tfoot"])
_END_PARAGRAPHS: Final = _HEADINGS | frozenset([
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "li", "main",
    "menu", "nav", "ol", "p", "pre", "search", "section", "summary", "table", "ul",
])  # fmt: skip
_BLOCKS: Final = (
    _END_PARAGRAPHS
    | _ROWS
    | frozenset([
        "button", "caption", "colgroup", "iframe", "noembed", "noframes", "noscript", "object", "script",
        "select", "style", "td", "template", "textarea", "th", "title", "tr",
])
)  # fmt: skip
"""Elements that the end tag of an inline element does not cross (HTML's "special")."""
_AROUND_ITEMS: Final = _BLOCKS - {"address", "div", "p"}
"""Elements that a new list item does not cross to close the previous one."""
_SCOPES: Final = frozenset(["caption", "object", "table", "td", "template", "th"])
"""Elements that the end tag of a block does not cross (HTML's "scope")."""
_TABLE: Final = frozenset(["table", "template"])
_IN_TABLES: Final[Mapping[str, Collection[str]]] = {
    **dict.fromkeys(["caption", "colgroup", *_ROWS], _TABLE),
    "tr": _TABLE | _ROWS,
    **dict.fromkeys(["td", "th"], _TABLE | _ROWS | {"tr"}),
}
"""The parents of each part of a table: everything open inside them is closed before it."""
_ITEMS: Final[Mapping[str, Collection[str]]] = {"li": ["li"], "dd": ["dd", "dt"], "dt": ["dd", "dt"]}
_NOT_IN_ITSELF: Final = frozenset(["a", "button", "nobr", "option"])
_IN_HEAD: Final = frozenset([
    "base", "basefont", "bgsound", "head", "link", "meta", "noframes", "noscript", "script", "style",
    "template", "title",
])  # fmt: skip
_DEEPEST: Final = 512
"""Maximum depth, as in browsers; deeper elements become children of the last one."""


@dataclass(slots=True, kw_only=True, eq=False)
class Element:
    """An open element."""

    tag: str
    sight: Sight


class OpenElements:
    """The stack of open elements: a reduced form of tree construction in the HTML standard."""

    def __init__(self) -> None:
        self._stack: list[Element] = []
        self._count: Counter[str] = Counter()

    @property
    def top(self) -> Element | None:
        """The innermost element, or None."""
        return self._stack[-1] if self._stack else None

    @property
    def sight(self) -> Sight:
        """The visibility of text at this point."""
        return self._stack[-1].sight if self._stack else IN_SIGHT

    def holds(self, tag: str) -> bool:
        """Whether such an element is open."""
        return self._count[tag] > 0

    def make_way(self, tag: str) -> list[Element]:
        """Close the elements that a new element ends implicitly; return them, innermost first."""
        closed = self._pop_to(["head"], until=_BLOCKS) if self._ends_head(tag) else []
        if tag in _IN_TABLES and self.holds("table"):
            return closed + self._pop_above(_IN_TABLES[tag])
        if tag in _ITEMS:
            closed += self._pop_to(_ITEMS[tag], until=_AROUND_ITEMS)
        elif tag in _NOT_IN_ITSELF:
            closed += self._pop_to([tag], until=_BLOCKS)
        if tag in _END_PARAGRAPHS:
            closed += self._pop_to(["p"], until=_SCOPES | {"button"})
        return closed

    def open(self, tag: str, attributes: Mapping[str, str | None]) -> Element:
        """Open an element; void elements do not stay open."""
        if tag in _WHOLE_PAGE:
            return Element(tag=tag, sight=self.sight)
        element = Element(tag=tag, sight=sight_of(tag, attributes, self.sight))
        if tag in _EMPTY:
            return element
        if len(self._stack) < _DEEPEST:
            self._stack.append(element)
            self._count[tag] += 1
        elif not element.sight.shown:
            self._stack[-1].sight = element.sight
        return element

    def close(self, tag: str) -> list[Element]:
        """Close the elements that an end tag ends; return them, innermost first. Ignore stray end tags."""
        if tag == "form":
            return self._take_out(tag)
        if tag in _IN_TABLES or tag == "table":
            return self._pop_to([tag], until=_TABLE)
        if tag in _HEADINGS:
            return self._pop_to(_HEADINGS, until=_SCOPES)
        return self._pop_to([tag], until=_SCOPES if tag in _BLOCKS else _BLOCKS)

    def close_all(self) -> list[Element]:
        """Close all elements; return them, innermost first."""
        return self._cut(0)

    def _ends_head(self, tag: str) -> bool:
        return tag not in _IN_HEAD and self.top is not None and self.top.tag == "head"

    def _pop_to(self, tags: Collection[str], *, until: Collection[str]) -> list[Element]:
        """Close the innermost of ``tags`` with its content, unless an element of ``until`` is inside it."""
        if not any(map(self.holds, tags)):
            return []
        at = self._last(lambda tag: tag in tags or tag in until)
        return self._cut(at) if at >= 0 and self._stack[at].tag in tags else []

    def _pop_above(self, tags: Collection[str]) -> list[Element]:
        return self._cut(self._last(lambda tag: tag in tags) + 1)

    def _take_out(self, tag: str) -> list[Element]:
        """Close an element but leave its children open, as browsers do with forms."""
        at = self._last(lambda one: one == tag) if self.holds(tag) else -1
        if at < 0:
            return []
        self._count[tag] -= 1
        return [self._stack.pop(at)]

    def _last(self, is_it: Callable[[str], bool]) -> int:
        return next((at for at in reversed(range(len(self._stack))) if is_it(self._stack[at].tag)), -1)

    def _cut(self, at: int) -> list[Element]:
        closed = self._stack[at:][::-1]
        del self._stack[at:]
        self._count.subtract(element.tag for element in closed)
        return closed

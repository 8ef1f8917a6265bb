"""The stack of open HTML elements, with the implied end tags of browsers, and what of them is visible."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from recollect.types.regex import lazy_regex

_NEVER_SHOWN: Final = frozenset([
    "annotation", "annotation-xml", "audio", "canvas", "datalist", "head", "iframe", "noembed", "noframes",
    "noscript", "object", "script", "style", "svg", "template", "title", "video",
])  # fmt: skip
"""Elements that browsers never show as text, or only as a fallback."""
_COMMENT: Final = lazy_regex(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = lazy_regex(r"\\([0-9a-f]{1,6})\s?", re.IGNORECASE)
_LENGTH: Final = lazy_regex(r"([+-]?\d*\.?\d+)(px|pt|pc|cm|mm|in|q|r?em|ex|ch|%|v[wh])?(?![\w.])")
_PIXELS: Final = {
    None: 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "cm": 37.8, "mm": 3.78, "in": 96.0, "q": 0.945,
    "rem": 16.0,
}  # fmt: skip
"""Pixels per absolute unit (CSS Values, with a root font of 16 pixels)."""
_SMALLEST: Final = 1.0
"""Font size in pixels that is unreadable. Chosen by hand."""
_FAR: Final = -999.0
"""Offset at which an element counts as off the page; -9999px is usual. Chosen by hand."""
_MOVES: Final = frozenset(["left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top"])
_SIZES: Final = frozenset(["width", "height", "max-width", "max-height"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The visibility of an element.

    Attributes:
        invisible: Not visible, but children may be visible again.
        tiny: Its font is too small to read, but children may have another size.
        decoration: Hidden from screen readers.
    """

    gone: bool = False
    invisible: bool = False
    tiny: bool = False
    decoration: bool = False

    @property
    def shown(self) -> bool:
        """Whether its text is visible."""
        return not (self.gone or self.invisible or self.tiny)


IN_SIGHT: Final = Sight()
"""Fully visible."""


def sight_of(tag: str, attributes: Mapping[str, str | None], around: Sight) -> Sight:
    """Return the visibility of an element inside another.

    >>> sight_of("p", {"style": "Display: none"}, IN_SIGHT).shown
    False
    """
    style = _declarations(attributes.get("style") or "")
    return Sight(
        gone=around.gone or _is_gone(tag, attributes) or any(map(_hides, style)) or _is_cut_away(style),
        invisible=_is_invisible(style, around=around.invisible),
        tiny=_is_tiny(style, around=around.tiny),
        decoration=around.decoration or (attributes.get("aria-hidden") or "").strip().lower() == "true",
    )


def _is_gone(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether HTML alone hides it; ``hidden="until-found"`` counts as visible."""
    if tag in _NEVER_SHOWN or "popover" in attributes or (tag == "dialog" and "open" not in attributes):
        return True
    return "hidden" in attributes and (attributes["hidden"] or "").strip().lower() != "until-found"


def _declarations(style: str) -> list[tuple[str, str]]:
    """Parse names and values in lower case; keep repeated names, since browsers skip unknown values."""
    plain = _ESCAPE.sub(_character, _COMMENT.sub("", style)).lower()
    pairs = (part.partition(":") for part in plain.split(";"))
    return [(name.strip(), value.replace("!important", "").strip()) for name, _, value in pairs]


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code <= 0x10FFFF else ""  # noqa: PLR2004 - the last character there is


def _hides(declaration: tuple[str, str]) -> bool:
    name, value = declaration
    if name in {"display", "content-visibility"}:
        return value == ("none" if name == "display" else "hidden")
    if name == "opacity":
        return _is_at_most(value, 0.0)
    return name in _MOVES and _is_at_most(value, _FAR)


def _is_cut_away(style: list[tuple[str, str]]) -> bool:
    """Whether overflow is hidden and the element has no size."""
    cut = any(name.startswith("overflow") and value in {"hidden", "clip"} for name, value in style)
    return cut and any(name in _SIZES and _is_at_most(value, _SMALLEST) for name, value in style)


def _is_at_most(value: str, most: float) -> bool:
    found = _LENGTH.fullmatch(value)
    return found is not None and float(found[1]) <= most


def _is_invisible(style: list[tuple[str, str]], *, around: bool) -> bool:
    said = [value for name, value in style if name == "visibility"]
    if any(value in {"hidden", "collapse"} for value in said):
        return True
    return around and "visible" not in said


def _is_tiny(style: list[tuple[str, str]], *, around: bool) -> bool:
    """Whether the font is tiny; a relative size inside a tiny font is tiny, too."""
    sizes = [value for name, value in style if name == "font-size"]
    sizes += [size for name, value in style if name == "font" and (size := _size_in(value))]
    lengths = [found for size in sizes if (found := _LENGTH.fullmatch(size))]
    if any(float(found[1]) * _PIXELS.get(found[2], 16.0) <= _SMALLEST for found in lengths):
        return True
    return around and not any(found[2] in _PIXELS for found in lengths)


def _size_in(font: str) -> str:
    """Find the size in a ``font`` value such as "bold 12px/1.5 serif"; the weight 700 is no size."""
    sizes = (part.partition("/")[0] for part in font.split())
    return next((one for one in sizes if (at := _LENGTH.fullmatch(one)) and (at[2] or not float(at[1]))), "")


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

"""Visibility of HTML elements, by tag, attributes and inline styles.

Style sheets and scripts are not read, so their effect on visibility is unknown.
"""

import re
from collections.abc import Mapping
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
        gone: Hidden with all its children.
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

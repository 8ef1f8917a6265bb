"""E-mail addresses: those found as details of a text, without what is only written like one."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.parameters.addresses import addresses
from recollect.text.pii.spans import SURE, PiiSpan, span
from recollect.types.regex import lazy_regex


def emails(text: str) -> Iterator[PiiSpan]:
    """E-mail addresses in a folded text."""
    if "@" not in text:
        return
    for piece in _PIECE.finditer(text):
        if "@" in piece.group():
            for start, end in _in_piece(piece.group()):
                place = (piece.start() + start, piece.start() + end)
                yield span("email", text, place, confidence=SURE, rule="e-mail address")


def _in_piece(piece: str) -> Iterator[tuple[int, int]]:
    for found in addresses(piece):
        if found.kind != "email":
            return  # they come first
        start, end = _without_neighbours(found.text, found.place[0])
        if apostrophe := _BEFORE_APOSTROPHE.search(piece[max(0, start - _NAME) : start]):
            start -= len(apostrophe.group())
        if not _is_part_of_more(piece[max(0, start - _REACH) : start]) and not _PICTURE.search(found.text):
            yield start, end


def _without_neighbours(address: str, start: int) -> tuple[int, int]:
    """Its place without words of scripts that put no blank between an address and them."""
    core = _ASCII_CORE.search(address)
    if core is None or not _UNSPACED.search(address):
        return start, start + len(address)
    return start + core.start(), start + core.end()


def _is_part_of_more(before: str) -> bool:
    """Whether it is who a URL logs in ("https://ada:pw@example.com") or a handle ("@ada@example.com")."""
    return before.endswith("@") or ("://" in before and "/" not in before.rpartition("://")[2])


_PIECE: Final = lazy_regex(r"\S+")
_ASCII_CORE: Final = lazy_regex(r"[\w.%+-]+@[\w.-]+\.[A-Za-z]{2,24}", re.ASCII)
_UNSPACED: Final = lazy_regex(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""Thai, Lao, Burmese, Khmer, kana, Han and Hangul."""
_REACH: Final = 100
"""Characters of a URL before its host. Chosen by hand."""
_NAME: Final = 12
_BEFORE_APOSTROPHE: Final = lazy_regex(r"(?<![\w.'])[A-Za-z]{1,10}'\Z")
"""What names such as O'Brien begin with, which the details of a text leave out."""
_PICTURE: Final = lazy_regex(r"\.(?:png|jpe?g|gif|svg|webp|avif|heic|bmp|ico)\Z", re.IGNORECASE)
"""Names of pictures for dense screens ("logo@2x.png")."""

"""What stands around a number: the words before and after it, and what shows that it is something else."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from recollect.types.regex import lazy_regex

BEFORE: Final = 45
"""Characters before a number that may say what it is, about eight words. Chosen by hand, as is the next."""
AFTER: Final = 30

NUMBER_START: Final = (
    r"(?<![A-Za-z0-9_#$\u20ac\u00a3\u00a5=&%~])(?<![0-9][-./:,+])(?<![A-Za-z][-/])(?<![0-9]\))(?<![0-9]\) )"
)
"""A number begins here, and not within another one, a word, a price or a number sign's."""
NUMBER_END: Final = r"(?![A-Za-z0-9_%\u20ac\u00b0])(?![-./:,][0-9])(?!-[A-Za-z])"
"""A number ends here."""


def group_starts(text: str, clusters: re.Pattern[str]) -> Iterator[int]:
    """Where groups of letters and digits begin in each stretch of a folded text that ``clusters`` finds.

    A pattern that begins with a digit is searched for several times as fast as one that looks back first.
    """
    for cluster in clusters.finditer(text):
        for group in _GROUP.finditer(text, *cluster.span()):
            if _BEGINS.match(text, group.start()):
                yield group.start()


def holds_any(text: str, fragments: Iterable[str]) -> bool:
    """Whether one of the fragments is in a text."""
    for fragment in fragments:  # noqa: SIM110 - any() with a generator takes twice as long
        if fragment in text:
            return True
    return False


def words(listed: str) -> re.Pattern[str]:
    """Any of the words (an alternation), none of them within a longer one; letters of any case."""
    return lazy_regex(rf"(?<![A-Za-z])(?:{listed})(?![A-Za-z])", re.IGNORECASE)


def before(text: str, start: int) -> str:
    """What stands before a place, within its line, and behind what was masked in it."""
    return text[max(0, start - BEFORE) : start].rpartition("\n")[2].rpartition(" removed]")[2]


def after(text: str, end: int) -> str:
    """What stands behind a place, within its line and up to a full stop, a comma or the like."""
    return _STOP.split(text[end : end + AFTER], maxsplit=1)[0]


def is_named_otherwise(text: str, start: int) -> bool:
    """Whether the words just before a number say that it is an order's, a book's or another thing's."""
    near = before(text, start)
    return _OTHER_NUMBER.search(near) is not None


def is_in_address(text: str, start: int) -> bool:
    """Whether a place is inside of a web address."""
    piece = text[max(0, start - _ADDRESS_REACH) : start].split()[-1:]
    return bool(piece) and not text[start - 1].isspace() and ("://" in piece[0] or "www." in piece[0])


_GROUP: Final = lazy_regex(r"[A-Za-z0-9]+")
_BEGINS: Final = lazy_regex(NUMBER_START)
_STOP: Final = lazy_regex(r"[.,;!?\[\n]")
_ADDRESS_REACH: Final = 200
"""Characters of a web address looked back over. Chosen by hand."""
_OTHER_NUMBER: Final = lazy_regex(
    r"(?<![A-Za-z])(?:orders?|po|invoice|receipt|tracking|parcel|shipment|serial|s/n|isbn(?:-1[03])?|issn|ean"
    r"|upc|sku|imei|ref|reference|ticket|case|claim|contract|customer|client|student|library|booking|confirmation"
    r"|reservation|part|model|item|product|article|version|build|doi|arxiv|rfc|policy|account|acct"
    r"|transaction|barcode|coordinates|population|bestellung|bestellnummer|rechnung|rechnungsnummer|auftrag|kundennummer"
    r"|aktenzeichen|commande|facture|pedido|factura|ordine|fattura|bestelling|factuur)"
    r"(?:[ -]?(?:number|numbers|no|nr|num|id|code|card|n\u00ba|n\u00b0))?\.?"
    r"[ :#=-]{0,3}(?:(?:is|was|ist|est|es|\u00e8) )?[ #(]{0,2}\Z"
    r"|[\u8ba2\u55ae\u5355]\u53f7?[:\uff1a ]?\Z|#[ ]?\Z",
    re.IGNORECASE,
)
"""Names of numbers that tell of no person. Chosen by hand."""

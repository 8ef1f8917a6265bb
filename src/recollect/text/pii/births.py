"""Days of birth, where a text says that they are: "born on 3 May 1990", "DOB: 1990-05-03"."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from recollect.text.dates import find_dates
from recollect.text.pii.context import holds_any
from recollect.text.pii.spans import SURE, PiiSpan, span
from recollect.types.regex import lazy_regex


def births(text: str) -> Iterator[PiiSpan]:
    """Days of birth in a folded text.

    Not a year alone, a day without a year after "born", or a day before 1900.
    """
    if not holds_any(text.lower(), _PARTS):
        return
    for match in _CUE.finditer(text):
        place = _behind(text, match)
        if place is None and match.lastgroup == "either":
            place = _ahead(text, match.start())
        if place is not None:
            yield span("date_of_birth", text, place, confidence=SURE, rule=match.group().strip().lower())


def _behind(text: str, cue: re.Match[str]) -> tuple[int, int] | None:
    begin = cue.end()
    near = text[begin : begin + _REACH]
    return _place(near, begin, needs_year=cue.lastgroup not in {"day", "unspaced_day"})


def _ahead(text: str, end: int) -> tuple[int, int] | None:
    """The day before a "geboren" that ends its sentence."""
    match = _LAST_WORDS.search(text, max(0, end - _REACH_BACK), end)
    return _place(match.group(), match.start(), needs_year=True) if match else None


def _place(near: str, offset: int, *, needs_year: bool) -> tuple[int, int] | None:
    """Where the day stands that begins a piece of text."""
    lead = _LEAD.match(near)
    begin = lead.end() if lead else 0
    if (written := _DAY_WORD_YEAR.match(near, begin)) and written["year"] >= _OLDEST:
        return offset + begin, offset + written.end()
    for found in find_dates(near[begin:], now=_NOW, prefer="past"):
        day = _LEAD.sub("", found.text, count=1)
        start = begin + found.place[1] - len(day)
        if found.grain != "day" or start > begin + 1 or not any(map(str.isdigit, day)):
            return None
        year = _YEAR.search(day)
        if (needs_year and not year) or (year and year.group() < _OLDEST):
            return None
        return offset + start, offset + start + len(day)
    return None


_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Days of birth are written out, so that it matters little when they are read; no clock is asked."""
_REACH: Final = 60
_REACH_BACK: Final = 32
"""Characters that hold a written day and what links it to the word. Chosen by hand."""
_OLDEST: Final = "1900"
_YEAR: Final = lazy_regex(r"(?:1[0-9]|20)[0-9]{2}(?![0-9])|(?<=[0-9][./-])[0-9]{2}\Z")
_DAY_WORD_YEAR: Final = lazy_regex(
    r"[0-3]?[0-9](?:st|nd|rd|th|er|[.\u00ba\u00aa])? (?:of |de |di |d')?[^\W\d_]{3,11}\.?,? (?:de |del |di )?"
    r"(?P<year>(?:1[0-9]|20)[0-9]{2})(?![0-9])"
)
"""A day, a word and a year are a date in any language, where a word for a birth stands before them."""
_LAST_WORDS: Final = lazy_regex(r"(?<=am )[0-9][^,;:!?\n]{6,30} \Z")
_LEAD: Final = lazy_regex(
    r"\A[ :,]{0,3}"
    r"(?:(?:is|was|ist|war|es|est|\u00e8|on|the|am|den|der|le|el|il|em|op|de|d\.|dnia)[ :]{1,2}){0,3}",
    re.IGNORECASE,
)
"""What links the word to the day: "is on the"."""

_DAY_WORDS: Final = (
    r"d\.?o\.?b\.?", "date of birth", "birth ?date", "birthday", "b-?day", "geburtsdatum", "geburtstag",
    "date de naissance", "anniversaire", "fecha de nacimiento", "cumplea\u00f1os", "data di nascita",
    "compleanno", "data de nascimento", "geboortedatum", "verjaardag", "data urodzenia", "f\u00f6delsedatum",
    "f\u00f8dselsdato",
)  # fmt: skip
_VERBS: Final = (
    "born", "n\u00e9e?", "nac(?:\u00ed|i\u00f3|id[oa])", "nat[oa](?= il)", "nascid[oa]", "nasci",
    "urodzon[ya]", "f\u00f6dd", "f\u00f8dt",
)  # fmt: skip
_UNSPACED_DAY_WORDS: Final = (
    "\u51fa\u751f\u65e5\u671f", "\u751f\u65e5\u662f?", "\u751f\u5e74\u6708\u65e5",
    "\u0434\u0430\u0442\u0430 \u0440\u043e\u0436\u0434\u0435\u043d\u0438\u044f",
)  # fmt: skip
_UNSPACED_VERBS: Final = (
    "\u51fa\u751f[\u4e8e\u65bc]?",
    "\u0440\u043e\u0434\u0438\u043b(?:\u0441\u044f|\u0430\u0441\u044c)",
)
_CUE: Final = lazy_regex(
    rf"(?<![a-z])(?:(?P<day>{'|'.join(_DAY_WORDS)})|(?P<either>geboren|geb\.)|{'|'.join(_VERBS)})(?![a-z])"
    rf"|(?P<unspaced_day>{'|'.join(_UNSPACED_DAY_WORDS)})|{'|'.join(_UNSPACED_VERBS)}",
    re.IGNORECASE,
)
"""Words that tell of a birth, in a dozen languages. Chosen by hand."""
_PARTS: Final = (
    "born", "birth", "b-day", "bday", "dob", "o.b", "gebo", "gebur", "geb.", "naiss", "anniversaire",
    "n\u00e9", "nac\u00ed", "naci\u00f3", "nacid", "nacim", "cumple", "nato ", "nata ", "nasci",
    "compleanno", "verjaardag", "urod", "f\u00f6d", "f\u00f8d", "\u51fa\u751f", "\u751f\u65e5",
    "\u751f\u5e74", "\u0440\u043e\u0434\u0438\u043b", "\u0440\u043e\u0436\u0434\u0435",
)  # fmt: skip
"""In small letters; every word of these holds one."""

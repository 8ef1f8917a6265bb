"""Amounts with digits: quantities, money and durations."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.parameters.units import CODES, SCALES, SIGNS, SMALLER, UNITS, Unit, unit_at
from recollect.types import Parameter
from recollect.types.regex import lazy_regex


def amounts(text: str) -> Iterator[Parameter]:
    """Quantities, money and durations with digits."""
    position = 0
    while digit := _DIGIT.search(text, position):
        number = _NUMBER.match(text, digit.start())
        found = _amount(text, number) if number else None
        position = max(digit.end(), number.end() if number else 0)
        if found is not None:
            position = found.place[1]
            yield found


def _amount(text: str, number: re.Match[str]) -> Parameter | None:
    start, sign, factor = _before(text, number.start())
    if _joins_on(text, start):
        return None
    scale, end = _scale(text, number.end(), glued=bool(sign))
    if sign:
        unit: Unit | None = UNITS[sign]
    else:
        unit, end = unit_at(text, end)
    if unit is None:
        return None
    value = _number(number.group(), money=unit.kind == "money") * scale * factor
    if unit.kind == "duration":
        return _duration(text, number, end, value, unit)
    return Parameter(kind=unit.kind, text=text[start:end], place=(start, end), value=value, unit=unit.name)


def _before(text: str, start: int) -> tuple[int, str, int]:
    """Where an amount begins with the sign of its currency or its minus, that sign, and 1 or -1."""
    last_two = text[max(0, start - 2) : start].rstrip()
    if not last_two or not (last_two[-1].isupper() or last_two[-1] in _BEFORE):
        return start, "", 1
    match = _BEFORE_NUMBER.search(text, max(0, start - _REACH_BACK), start)
    if match is None:
        return start, "", 1
    return match.start(), match["sign"] or "", -1 if match["minus"] else 1


def _joins_on(text: str, start: int) -> bool:
    """Whether what stands before shows a number to be part of something else: v3.11, 1/2, 10:30, B-52."""
    last, last_but_one = text[start - 1 : start], text[max(0, start - 2) : start - 1]
    if last.isascii() and last.isalnum():
        return True
    if last in {",", ":"}:
        return last_but_one.isdigit()
    return last in {".", "/", "_", "#", "$", "\\\\"} or (last in {"-", "\u2013"} and last_but_one.isalpha())


def _scale(text: str, end: int, *, glued: bool) -> tuple[float, int]:
    """What a word such as "million" multiplies by, and where it ends; ``glued`` also a letter ("$3k")."""
    match = _SCALE.match(text, end)
    if match is None:
        return 1, end
    if match["letter"] and not glued and not _MONEY_AFTER.match(text, match.end()):
        return 1, end
    return SCALES[(match["letter"] or match["word"]).lower().rstrip(".")], match.end()


def _duration(text: str, number: re.Match[str], end: int, value: float, unit: Unit) -> Parameter | None:
    """A duration, none being negative, with the smaller ones that follow it ("1h 30m")."""
    start, seconds, last = number.start(), abs(value) * unit.seconds, unit.seconds
    if _is_decade(text, start, end):
        return None
    while more := _MORE.match(text, end):
        smaller = SMALLER.get(more[2].lower(), last)
        if smaller >= last:
            break
        seconds, last, end = seconds + float(more[1]) * smaller, smaller, more.end()
    if last == _HOUR and text[end - 1] == "h" and (minutes := _GLUED_MINUTES.match(text, end)):
        seconds, end = seconds + int(minutes[0]) * 60, minutes.end()
    return Parameter(kind="duration", text=text[start:end], place=(start, end), value=seconds, unit="s")


def _is_decade(text: str, start: int, end: int) -> bool:
    """Whether "30s" are years: "the 30s", "in her 30s", "the 1930s"."""
    if text[end - 1] != "s" or not text[end - 2].isdigit():
        return False
    return end - start > _DECADE or _OF_A_DECADE.search(text, max(0, start - _REACH_BACK), start) is not None


def _number(digits: str, *, money: bool) -> float:
    """The value of digits with separators, by the rule in the module's docstring."""
    marks = [c for c in digits if not c.isdigit()]
    if not marks:
        return float(digits)
    whole, _, rest = digits.rpartition(marks[-1])
    parts_thousands = (
        marks.count(marks[-1]) > 1
        or marks[-1] not in ".,"
        or (len(marks) == 1 and len(rest) == _GROUP and whole != "0" and (marks[-1] == "," or money))
    )
    bare = "".join(c for c in (digits if parts_thousands else whole) if c.isdigit())
    return float(bare if parts_thousands else f"{bare}.{rest}")


_DIGIT: Final = lazy_regex(r"[0-9]")
_NUMBER: Final = lazy_regex(
    r"[0-9]{1,3}([,.' \u00a0\u202f\u2019])[0-9]{3}(?:\1[0-9]{3}){0,4}(?:(?!\1)[.,][0-9]{1,15})?(?![0-9])"
    r"|[0-9]{1,2}(?:,[0-9]{2}){1,5},[0-9]{3}(?:\.[0-9]{1,15})?(?![0-9])"  # 1,00,000 in India
    r"|[0-9]{1,15}(?:[.,][0-9]{1,15})?(?![0-9])"
)
_GROUP: Final = 3
_REACH_BACK: Final = 8
"""Characters before a number that may hold its sign: "-US$ " and some. Chosen by hand."""
_BEFORE: Final = frozenset(f"${SIGNS}-\u2212")
_BEFORE_NUMBER: Final = lazy_regex(
    r"(?P<minus>(?<![\w)\]])[-\u2212])?"
    rf"(?:(?P<sign>(?<![A-Za-z])(?:US|AU?|CA?|NZ|HK|S|R)?\$|[{SIGNS}]|(?<![A-Za-z])(?:{CODES}))"
    r"[ \t\u00a0]?)?\Z"
)
_SCALE: Final = lazy_regex(
    r"(?:(?P<letter>k|mn?|bn?)"
    r"|[ \t\u00a0-]?(?P<word>hundred|thousand|million|billion|trillion|millionen|milliarden|(?:mio|mrd)\.?))"
    r"(?!\w)",
    re.IGNORECASE,
)
_MONEY_AFTER: Final = lazy_regex(
    rf"[ \t\u00a0]?(?:[{SIGNS}$](?![0-9])|(?:{CODES}|(?i:euros?|dollars?|bucks|us dollars))(?!\w))"
)
_HOUR: Final = 3600.0
_MORE: Final = lazy_regex(
    r"(?:,?[ \t]+(?:and[ \t]+)?)?([0-9]{1,4}(?:\.[0-9]{1,3})?)[ \t]?([^\W\d_]{1,12})(?![^\W\d_])"
)
_GLUED_MINUTES: Final = lazy_regex(r"[0-5][0-9](?!\w)")
_DECADE: Final = 4
"""Digits and an "s" longer than this are years: "1990s"."""
_OF_A_DECADE: Final = lazy_regex(
    r"(?:\b(?:the|her|his|my|your|our|their|early|mid|late)[ -]|['\u2019])\Z", re.IGNORECASE
)

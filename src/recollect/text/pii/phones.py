"""Telephone numbers by the plans of the world and the forms of some countries.

A number with "+" counts where its country code exists and its length fits. A national one counts alone where
its form is a telephone's ("(212) 555-0147", "0171 3920055"), and otherwise beside a word such as "call" or in
a country that is told. Dates, prices, and what is named as an order, a part or a book are left out; numbers
of six digits or fewer (911) are ignored.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from recollect.text.pii import phone_plans as plans
from recollect.text.pii.context import (
    NUMBER_END,
    NUMBER_START,
    after,
    before,
    group_starts,
    is_in_address,
    is_named_otherwise,
)
from recollect.text.pii.spans import LIKELY, PLAUSIBLE, SURE, PiiSpan, span
from recollect.types.regex import lazy_regex

Plan = Callable[[str], bool]
"""Whether a number as it is written exists in the country that is told."""
_Found = tuple[int, float, str]
"""Where a number ends, how sure it is, and what it was found by."""


def phones(text: str, *, region: str | None, plan: Plan | None = None) -> Iterator[PiiSpan]:
    """Telephone numbers in a folded text; where it is open how far one goes, every reading."""
    plan = plan or _form_of(region)
    for start in _candidates(text):
        international = _international(text, start)
        for end, confidence, rule in [international] if international else _national(text, start, plan):
            yield span("phone", text, (start, end), confidence=confidence, rule=rule)


def _candidates(text: str) -> Iterator[int]:
    """Where a number of seven digits or more may begin, with its "+" or bracket.

    None begins inside of another one, a word, or a web address.
    """
    for digit in group_starts(text, _CLUSTER):
        if not is_in_address(text, digit):
            yield digit
            sign = _SIGN.search(text, max(0, digit - 2), digit)
            if sign and _START.match(text, sign.start()):
                yield sign.start()


def _international(text: str, start: int) -> _Found | None:
    """A number with its country code: the most groups of digits whose count fits."""
    match = _INTERNATIONAL.match(text, start)
    if match is None:
        return None
    end = match.end()
    while end > start:
        digits = "".join(filter(str.isdigit, text[match.end(1) : end].replace("(0)", "")))
        if _fits_a_country(digits) and _END.match(text, end):
            return end, SURE if match[1] == "+" else LIKELY, "country code and length"
        end = _without_last_group(text, start, end)
    return None


def _without_last_group(text: str, start: int, end: int) -> int:
    group = _LAST_GROUP.search(text, start, end)
    return group.start() if group else start


def _fits_a_country(digits: str) -> bool:
    """Whether a country code and as many digits as its plan has; North America's in the right ranges.

    >>> _fits_a_country("442079460321"), _fits_a_country("44207"), _fits_a_country("11235550101")
    (True, False, False)
    """
    for size in (1, 2):
        if digits[:size] in plans.LENGTHS:
            least, most = plans.LENGTHS[digits[:size]]
            in_range = digits[0] != "1" or (digits[1:2] >= "2" and digits[4:5] >= "2")
            return least <= len(digits) - size <= most and in_range
    least, most = plans.LONG_CODE_LENGTHS
    return digits[:3] in plans.LONG_CODES and least <= len(digits) - 3 <= most


def _form_of(region: str | None) -> Plan:
    form = plans.REGIONAL.get(region or "")
    return lambda written: form is not None and form.fullmatch(written) is not None


def _national(text: str, start: int, plan: Plan) -> Iterator[_Found]:
    """Readings without a country code."""
    written = _any_form(text, start)
    if written is None or plans.DATE.match(text, start):
        return
    called, named_otherwise = _is_called(text, start), is_named_otherwise(text, start)
    formed = None if named_otherwise and not called else _formed(text, start)
    if formed and (called or not _may_go_on(text, start, formed[0])):
        end, rule = formed
        yield end, SURE if called else LIKELY, rule
    elif not named_otherwise:
        yield from _of_country(text, written, plan)
        yield from _beside_words(text, written, called=called)


def _is_called(text: str, start: int) -> bool:
    near = before(text, start)
    return _LETTER.search(near) is not None and plans.CALLED_BEFORE.search(near) is not None


def _formed(text: str, start: int) -> tuple[int, str] | None:
    """Where a number of a telephone's form ends, and the form's name."""
    for form, rule, least in _FORMS:
        if match := form.match(text, start):
            end = _national_end(text, match, least)
            if end:
                return end, rule
    return None


def _national_end(text: str, match: re.Match[str], least: int) -> int:
    """Where a number ends that has as many digits as one may have; 0 if it has not.

    Groups of digits that are too many are another number's, save behind pairs: those are a lottery's.
    """
    start, end = match.span()
    while end > start:
        if _PAIRS.fullmatch(text, start, end):
            fits = _count(text[start:end]) == _FRENCH and not _GROUP_AFTER.match(text, end)
        else:
            fits = least <= _count(text[start:end]) <= _MOST_TRUNK
        if fits and _END.match(text, end) and not plans.NO_TELEPHONE.fullmatch(text, start, end):
            return end
        end = _without_last_group(text, start, end)
    return 0


def _of_country(text: str, written: re.Match[str], plan: Plan) -> Iterator[_Found]:
    """A number in groups, not in one, that the country's plan has."""
    end = written.end()
    grouped = _SEPARATOR.search(written.group()) and not _follows_digits(text, written.start())
    fits = _fits(text, written.start(), end) and not _GROUP_AFTER.match(text, end)
    if grouped and fits and plan(written.group()):
        yield end, LIKELY, "number plan"


def _beside_words(text: str, written: re.Match[str], *, called: bool) -> Iterator[_Found]:
    """As many of the groups as a number may have, and every fewer."""
    start, end = written.span()
    while end > start:
        if _fits(text, start, end) and (called or plans.CALLED_AFTER.match(after(text, end))):
            yield end, PLAUSIBLE, "word beside it"
        end = _without_last_group(text, start, end)


def _any_form(text: str, start: int) -> re.Match[str] | None:
    """Digits in any groups, enough of them."""
    match = plans.ANY_FORM.match(text, start)
    if match is None or _count(match.group()) < _LEAST_DIGITS or plans.NO_TELEPHONE.match(text, start):
        return None
    return match


def _fits(text: str, start: int, end: int) -> bool:
    return _LEAST_DIGITS <= _count(text[start:end]) <= _MOST_TRUNK and _END.match(text, end) is not None


def _may_go_on(text: str, start: int, end: int) -> bool:
    """Whether blanks part the groups, and digits before them may belong to these."""
    return text[start] != "(" and " " in text[start:end] and _follows_digits(text, start)


def _follows_digits(text: str, start: int) -> bool:
    """Whether digits and a blank stand before: this may be the rest of a longer number."""
    return _GROUP_BEFORE.search(text, max(0, start - 2), start) is not None


def _count(written: str) -> int:
    return sum(map(str.isdigit, written))


_CLUSTER: Final = lazy_regex(r"[0-9](?:[ ./()-]{0,3}[0-9]){6,}")
_SIGN: Final = lazy_regex(r"(?:\+ ?|\()\Z")
_START: Final = lazy_regex(NUMBER_START)
_END: Final = lazy_regex(rf"(?=[xX][0-9]{{1,6}}(?![A-Za-z0-9]))|{NUMBER_END}")
"""A number ends here, or its extension follows ("x12"), which is no part of it."""
_INTERNATIONAL: Final = lazy_regex(
    r"(\+|(?<![0-9] )00)(?! ?0) ?[0-9]{1,15}(?:[ ./-]{0,3}(?:\(0?[0-9]{0,5}\)|[0-9]{1,12})){0,8}"
)
_LAST_GROUP: Final = lazy_regex(r"[^0-9]{1,4}[0-9]+\)?\Z")
_SEPARATOR: Final = lazy_regex(r"[0-9)][ ./-]")
_LETTER: Final = lazy_regex(r"[^\W\d_]")
_LEAST_DIGITS: Final = 7
"""A local number of North America."""
_LEAST_TRUNK: Final = 9
_MOST_TRUNK: Final = 12
"""Digits of a national number with its trunk prefix (ITU national numbering plans)."""
_FORMS: Final = (
    (plans.NORTH_AMERICAN, "North American form", _LEAST_TRUNK),
    (plans.FICTIONAL, "exchange of fiction", _LEAST_DIGITS),
    (plans.TRUNK_ZERO, "trunk zero", _LEAST_TRUNK),
    (plans.TRUNK_EIGHT, "trunk eight", _LEAST_TRUNK),
    (plans.AREA_IN_BRACKETS, "area in brackets", _LEAST_TRUNK),
)
"""Forms with their names, and the fewest digits of each."""
_GROUP_BEFORE: Final = lazy_regex(r"[0-9] \Z")
_GROUP_AFTER: Final = lazy_regex(" [0-9]")
_PAIRS: Final = lazy_regex(r"[0-9]{2}(?:[ .-][0-9]{2}){3,}")
_FRENCH: Final = 10
"""Digits of a number in pairs; more or fewer are a lottery's."""

"""Numbers that states give to persons, by their forms, their check digits and the words around them.

A number whose form any number may have (nine digits) counts only beside words that name it ("BSN 854395854")
or where its country is told; one with a form of its own counts alone.
"""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.pii.context import (
    after,
    before,
    group_starts,
    is_in_address,
    is_named_otherwise,
    words,
)
from recollect.text.pii.national_rules import RULES, NumberRule
from recollect.text.pii.spans import LIKELY, SURE, PiiSpan, span
from recollect.types.regex import lazy_regex


def national_ids(text: str, *, region: str | None) -> Iterator[PiiSpan]:
    """National numbers in a folded text."""
    for start in _starts(text):
        digits = sum(map(str.isdigit, text[start : start + _MOST_SIGNS]))
        for rule in RULES:
            if digits >= rule.digits and (match := rule.form.match(text, start)):
                yield from _found(text, match, rule, region)


def _starts(text: str) -> Iterator[int]:
    """Where a number may begin: with its digits, or with the letters before them."""
    for cluster in _CLUSTER.finditer(text):
        letters = _LETTERS_BEFORE.search(text, max(0, cluster.start() - _MOST_LETTERS), cluster.start())
        if letters:
            yield letters.start()
    yield from group_starts(text, _CLUSTER)


def _found(text: str, match: re.Match[str], rule: NumberRule, region: str | None) -> Iterator[PiiSpan]:
    number = "".join(filter(str.isalnum, match.group())).upper()
    if rule.check(number) and not is_in_address(text, match.start()):
        confidence = _confidence(text, match, rule, region)
        if confidence:
            yield span("national_id", text, match.span(), confidence=confidence, rule=rule.name)


def _confidence(text: str, match: re.Match[str], rule: NumberRule, region: str | None) -> float:
    """How sure a number of the right form is; 0 without enough evidence."""
    start, end = match.span()
    around = (before(text, start), after(text, end))
    if any(rule.named.search(near) for near in around):
        return SURE
    if any(_ANY_NAME.search(near) for near in around):
        return LIKELY
    number = match.group()
    if is_named_otherwise(text, start) or (number != number.upper() and len(number) < _LONG):
        return 0
    special = rule.alone == "*" or any(sign in number for sign in rule.alone)
    return LIKELY if special or region == rule.name[:2] else 0


_ANY_NAME: Final = words(
    r"id (?:card|number|no)|identity (?:card|number)|national (?:id|identity|number)|identification number"
    r"|personal (?:id|identity|identification) (?:number|code)|ausweisnummer|personnummer"
)
"""Words for a national number of any country."""
_LONG: Final = 15
"""Signs of a number that is special enough to count in small letters, too. Chosen by hand."""
_CLUSTER: Final = lazy_regex(r"[0-9](?:[A-Za-z]{0,3}[ ./+-]?[0-9]){3,}")
_LETTERS_BEFORE: Final = lazy_regex(r"(?<![A-Za-z0-9])[A-Za-z]{1,6}[ -]?\Z")
_MOST_LETTERS: Final = 8
"""More than any number has before its digits, and what parts them."""
_MOST_SIGNS: Final = 24
"""The longest number, with its blanks, is a French one."""

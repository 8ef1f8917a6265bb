"""Numbers that are no codes, because something else governs them: amounts, doses, prices, years, times.

==================================================== ==========================================
text                                                 why its number is none
==================================================== ==========================================
she is on aspirin 500mg, needs 680 quid of welding   a unit stands behind it
they gave me 240 for it, it cost 3200                a word of paying stands before it
the gate opens at 1830                               a time stands behind "at"
the car got 240                                      nothing names a code, or says to enter it
==================================================== ==========================================
"""

from typing import Final

from recollect.text.secrets.words import NAMES, group_of
from recollect.types.regex import lazy_regex

BACK: Final = 120
"""Characters before a number that may name it. Chosen by hand."""
NAMING_CODES: Final = frozenset({"code", "bare", "cvc", "lock in compounds", "code in compounds"})
"""Parts of the list whose words name a code; a place or a lock only has one."""
NAMING: Final = NAMING_CODES | {"password", "short password", "phrase", "spoken", "wifi key", "answer", "key"}
"""The same with words for passwords."""
_GIVEN: Final = frozenset({"sent"})
"""What names a number that may be a sum as well as a code: that somebody gave it."""
_SOLD: Final = _GIVEN | {"account", "place"}
"""The same of numbers that are no usual PIN, with what is sold."""
USUAL_PIN: Final = 4
"""Digits of the usual PIN."""
_OPENED: Final = frozenset({"lock", "place"})
_AHEAD: Final = 60
"""Characters behind a number that may say to enter it. Chosen by hand."""
_UNIT: Final = (
    r"(?:ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|[kmgt]i?b|bytes?|bits?|px|rpm|[kmg]?hz|tokens?|rows?"
    r"|lines?|requests?|users?|items?|percent|%|kms?|kmh|kph|mph|kgs?|kilos?|mgs?|mcg|[\u00b5\u03bcu]g|mls?|cl|dl"
    r"|lit(?:re|er)s?|iu|units?|puffs?|watts?|kwh?|volts?|amps?|m?ah|mm|cms?|met(?:re|er)s?|sqm|ft|feet|g|grams?"
    r"|oz|lbs?|st|stones?|miles?|degrees|ohms?|words|pages?|people|guests|kids|steps|points|lengths|reps|euros?"
    r"|eur|dollars?|pounds?|quid|bucks|grand|pence|pcm|pa|kr|z\u0142|zloty|days?|weeks?|months?|years?|yrs?|yo"
    r"|k?cal(?:orie)?s?|am|pm|uhr|st\u00fcck|tage?n?|jahren?|jours?|ans|mois|heures?|d\u00edas|a\u00f1os|giorni|anni"
    r"|dagen|jaar|dagar|dias|anos)"
)
_MEASURED: Final = lazy_regex(rf" ?{_UNIT}(?![\w-])")
"""Behind a number: it is an amount."""
_BEGINS_MORE: Final = lazy_regex(
    r" (?:am|pm|st|pa|people|guests|kids|steps|points|lengths|reps|s|h|g|oz|kr|ans|feet|stones?)(?![\w-])"
)
"""What is no unit where a code is named: "the door code is 4411 pm me if you are stuck"."""
_WITH_UNIT: Final = lazy_regex(rf"\A\d+(?:[.,]\d+)? ?(?:{_UNIT}|k|[kl])\Z")
"""An amount with its unit: "500mg"."""
_WITH_WORD: Final = lazy_regex(r"\A\d+(?:[.,]\d+)?[a-z]{2,6}\Z")
"""A number with letters that are some unit where nothing names a secret: "1600bar"."""
_PLAIN: Final = lazy_regex(r"\A\d{1,5}(?:[.,]\d{1,2})?\Z")
"""A number that may be an amount; longer ones are rather codes sent to a phone."""
_FILE: Final = lazy_regex(
    r"\b[\w-]+\.(?:toml|ya?ml|json|ini|cfg|conf|xml|md|sql|sh|py|js|ts|go|rs|java|rb|cpp|lock)\b"
)
"""A file of a program, in which a number without a name is no code that opens something."""
_PRICED: Final = lazy_regex(
    r"\b(?:upped|raised|cut|lowered|reduced|increased|changed|dropped|put|pushed|moved)"
    r" (?:\w+ ){0,3}(?:budget|rent|salary|wages?|pension|mortgage|price|deposit|allowance|fee)s?"
    r"(?: up| down)? to \Z"
)
"""Tells a new amount, in front of a number: "upped the food budget to 450"."""
_PAID: Final = lazy_regex(
    r"\b(?:paid|pay(?:s|ing)?|costs?|costing|charg(?:ed?|es|ing)|quoted?|spent|spend(?:ing)?|owed?s?|lent|borrowed"
    r"|earn(?:s|ed)?|worth|(?:sold|bought)(?: \w+){1,4}? for"
    r"|(?:price|bill|rent|deposit|salary|quote|fee|bonus|refund)s?"
    r"(?:'s|\u2019s|s| is| was| went| came| up| to)*)"
    r"(?: (?:about|around|over|under|nearly|almost|only|just|back|me|us|him|her|them|you|an?|the|extra"
    r"|another)){0,3} \Z"
)
"""A word of paying in front of a number."""
_SUM_FOR: Final = lazy_regex(
    r"\b(?:got|gave (?:me|us|him|her)|offered(?: (?:me|us|him|her))?|wants?|asked(?: for)?|asking)"
    r"(?: (?:about|around|over|only|just)){0,2} \Z"
)
"""What stands before a sum and before a code: "gave me 240 for it"."""
_FOR: Final = lazy_regex(r" for (?:it|them|that|the lot|(?:the|my|our|his|her|an?|that) )")
_SUM_BEHIND: Final = lazy_regex(
    r" (?:(?:a|per|each|every) (?:day|week|month|year|night|hour|head)|each|all in|fitted|off|in the sale"
    r"|for (?:the pair|two|both|the lot))\b"
)
"""Behind a sum."""
_LEFT_OVER: Final = lazy_regex(
    r" left\b(?!,? +(?:\d|of\b))"
    r"|(?: \w+)? in (?:the|my|our|an?) (?:overdraft|savings|isa|kitty|bank|pension pot)\b"
)
"""Behind a number of its own: what is left of a sum ("3200 left on the loan"), or where it lies; the turns
of a lock come in rows."""
_BY_CLOCK: Final = lazy_regex(r"\b(?:at|by|till?|until|before|after|from|doors) \Z")
_TIME: Final = lazy_regex(r"\A(?:[01]?\d|2[0-3])[.:]?[0-5]\d\Z")
_IN_YEAR: Final = lazy_regex(r"\b(?:in|since|from|until|till?|of|an?) \Z")
_YEAR: Final = lazy_regex(r"\A(?:19|20)\d\d\Z")
_ENTERED: Final = lazy_regex(
    r"\b(?:typ(?:e(?! [12]\b)|ing)|punch(?:ing)?|press(?:e[ds]|ing)?|put|pick(?:s|ed)?|chose|turn|hold"
    r"|normal one|set (?:it |them )?to|keys?(?:ing|ed)? (?:it |that |them )?in|enter(?:ing)?|dial|spin|tap"
    r"|disarm|burglar|beeps?|push|hash|unlock|hit|opens?"
    r"|dr\u00fcck\w*|tipp\w*|eingeb\w*|gib|gebt?|stell\w*|dreh\w*|w\u00e4hl\w*"
    r"|tape[rsz]?|fais|compose[rz]?|d\u00e9sarm\w*|valide[rz]?"
    r"|mar(?:c[ao]|que)\w*|tecl[ae]\w*|puls[ae]\w*|digit[aio]\w*|prem[ie]\w*"
    r"|toets\w*|tik|druk\w*|hoekjes|knappa\w*|tryck\w*|sl\u00e5r?)\b"
)
"""Says to enter a number, or what asks for one, in eight languages."""
_CUT: Final = lazy_regex(r"[.!?;:]+\s|\n|, | [\u2013-] | (?:and|but|so|und|et|y|e|och|en|aber|mais|pero) ")
"""Where a clause ends."""
_FEW: Final = 2
"""Words of a clause that says little beside its number. Chosen by hand."""
_ANSWERED: Final = 4
"""Digits of the shortest number that is a code by itself in an answer: "it's 7302". Chosen by hand."""
_ANSWER: Final = lazy_regex(
    r"\b(?:it|that|this|mine|yours|ones?)(?:['\u2019]?s| is| was) \Z"
    r"|\b(?:ist|war|lautet|c['\u2019]\u00e9tait|c['\u2019]est|est|es|era|\u00e8|\u00e9|\u00e4r|var|heet|het)"
    r" \Z|\b(?:with|w/|mit|avec|con|com|med|met|dann|luego|puis|poi|sedan) \Z|[:=>] ?\Z"
)
"""Before a number that answers a question of which nothing else is said: "it's 7302"."""


def is_measured(low: str, last: int, *, is_named: bool = False) -> bool:
    """Whether a unit stands behind a number that ends at a place of a lower-case text.

    With ``is_named`` a code is named, and more may begin with what looks like a unit.

    >>> is_measured("aspirin 500 mg", 11), is_measured("alarm 2580 then enter", 10)
    (True, False)
    >>> is_measured("the code is 4411 pm me", 16, is_named=True), is_measured("at 1130 pm", 7)
    (False, True)
    """
    measured = _MEASURED.match(low, last) is not None
    return measured and not (is_named and _BEGINS_MORE.match(low, last))


def is_amount(low: str, part: tuple[int, int], place: tuple[int, int]) -> bool:
    """Whether a number that looks like a code is governed by something else.

    Only a name in its own clause governs a number: "forgot the code again. it cost 145 for the pair". What is
    named elsewhere may be told in a clause that says little else: "the gate, it's 4411".

    Args:
        low: The text in lower case.
        part: Where the part begins and ends that tells it, in characters.
        place: Where the number begins and ends.
    """
    shown = low[slice(*place)]
    first, last = _clause(low, part, place)
    names = {group_of(name[0]) for name in NAMES.finditer(low, first, last)}
    if shown.isdigit() and is_measured(low, place[1], is_named=bool(names) and len(shown) >= USUAL_PIN):
        return True
    if not names.isdisjoint(NAMING):
        return False
    if _PLAIN.match(shown) is None:
        return (_WITH_WORD if not names else _WITH_UNIT).match(shown) is not None
    before = low[max(part[0], place[0] - BACK) : place[0]]
    is_year = names.isdisjoint(_OPENED) and _YEAR.match(shown) is not None
    return (
        _is_sum(low, place[1], before, is_given=names <= (_GIVEN if len(shown) == USUAL_PIN else _SOLD))
        or (_TIME.match(shown) is not None and _BY_CLOCK.search(before) is not None)
        or (is_year and _IN_YEAR.search(before) is not None)
        or (not names and not _is_told_apart(low, part, place, words=len(low[first:last].split())))
    )


def _clause(low: str, part: tuple[int, int], place: tuple[int, int]) -> tuple[int, int]:
    """Where the clause begins and ends that a number stands in."""
    begin, end = max(part[0], place[0] - BACK), min(part[1], place[1] + BACK)
    cut = _CUT.search(low, place[1], end)
    first = max((cut.end() for cut in _CUT.finditer(low, begin, place[0])), default=begin)
    return first, cut.start() if cut else end


def _is_sum(low: str, last: int, before: str, *, is_given: bool) -> bool:
    """Whether a number is money, or stands unnamed behind its file or behind what has an amount."""
    if _PAID.search(before) or _SUM_BEHIND.match(low, last):
        return True
    if not is_given:
        return False
    is_sum = _SUM_FOR.search(before) is not None and _FOR.match(low, last) is not None
    is_left = _LEFT_OVER.match(low, last) is not None
    return is_sum or is_left or any(one.search(before) is not None for one in (_FILE, _PRICED))


def _is_told_apart(low: str, part: tuple[int, int], place: tuple[int, int], *, words: int) -> bool:
    """Whether a clause without a name tells a code: says to enter it, answers with it, or is nothing else."""
    begin, end = max(part[0], place[0] - BACK), min(part[1], place[1] + _AHEAD)
    if _ENTERED.search(low, begin, end):
        return True
    is_long = place[1] - place[0] >= _ANSWERED and _YEAR.match(low[slice(*place)]) is None
    if is_long and _ANSWER.search(low, begin, place[0]):
        return True
    names = {group_of(name[0]) for name in NAMES.finditer(low, *part)}
    return (is_long and not names.isdisjoint(NAMING)) or (bool(names) and words <= _FEW)

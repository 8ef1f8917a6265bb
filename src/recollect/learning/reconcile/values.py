"""Values that somebody names alone to correct what they have just said: "no wait, 580", "I meant Aldi". Pure.

=============================== ============================ ===============================
known                           said                         holds
=============================== ============================ ===============================
User's rent is 850 a month.     "no wait, 580"               User's rent is 580 a month.
User's sister Ines is 24.       "actually she's 22"          User's sister Ines is 22.
User has two cats.              "sorry, three"               User has three cats.
User works at Tesco.            "sorry I meant Aldi"         User works at Aldi.
User lives in a flat.           "no sorry, a bungalow"       User lives in a bungalow.
=============================== ============================ ===============================

A number takes the place of a number, a name of a name, and a noun of a noun. What says more than the value
corrects nothing: "no, 20 people came".
"""

import re
from typing import Final, NamedTuple

from recollect.learning.extraction.forms import third
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import DAY, MONTH, either, listed
from recollect.learning.reconcile.corrections_abroad import in_english
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

_COUNTS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT: Final = either(_COUNTS)
_WEAK: Final = r"(?:oh|ah|er|um|no|nope|wait|well|actually|hang on|hold on|sorry|oops|whoops|yeah no)"
_STRONG: Final = (
    r"(?:no,? sorry|sorry,? no|no,? wait|wait,? no|(?:sorry,? |no,? )?(?:i|we) meant?(?: to (?:say|write))?"
    r"|correction|scratch that|strike that|make (?:that|it)|typo|(?:it|that) should (?:be|say)|should be"
    r"|i (?:got|had) (?:that|it) wrong|i was wrong|my (?:bad|mistake))"
)
_SIGN: Final = r"(?:[,.:;!\u2014\u2013-]* ?)"
_LEAD: Final = rf"(?P<lead>(?:(?:{_STRONG}|{_WEAK})\b{_SIGN})+)"
_WRONG: Final = (
    r"(?P<wrong>,? (?:sorry|oops|my (?:bad|mistake)|i (?:got|had) (?:that|it) wrong|i was wrong"
    r"|i mis(?:spoke|typed|read|remembered)))"
)
_UNIT: Final = (
    r"(?:mg|mcg|ml|k|grand|%|percent|quid|pounds?|euros?|dollars?|kg|stone|km|miles?|hours?|minutes?|days?"
    r"|weeks?|months?|years?)"
)
_NUMBER: Final = (
    rf"(?:[$\u20ac\u00a3]?\d+(?:[.,]\d+)*(?: ?{_UNIT})?(?: old| o'?clock|(?: (?:a|per) (?:hour|day|night|week"
    rf"|month|year)))?|{_COUNT})"
)
_NAME: Final = r"(?-i:[A-Z][\w'\u2019&-]*(?: (?:[A-Z][\w'\u2019&-]*|\d[\w.]*)){0,3})"
_NOUN: Final = r"(?:(?:an?|the) )?[^\W\d_][\w'\u2019-]*(?: [^\W\d_][\w'\u2019-]*)?"
_WHO: Final = (
    r"(?:(?P<who>he|she|it|that|they|i|(?-i:[A-Z])[\w-]+)"
    r"(?:['\u2019]?s| is|['\u2019]?re| are|['\u2019]?m| am)(?: (?:called|named))? "
    r"|(?:i|we) (?P<verb>[a-z]+) )?"
)
_ALONE: Final = lazy_regex(
    rf"{_LEAD}?{_WHO}(?P<new>{_NUMBER}|{_NAME}|{_NOUN})(?:{_WRONG}|(?: (?:now|instead|then)))?[.! ]*$",
    re.IGNORECASE,
)
_IS_STRONG: Final = lazy_regex(_STRONG, re.IGNORECASE)
_SAYS_SORRY: Final = lazy_regex(r"\b(?:sorry|oops|whoops|actually|wait)\b", re.IGNORECASE)
_IS_NUMBER: Final = lazy_regex(rf"{_NUMBER}$", re.IGNORECASE)
_DATES: Final = lazy_regex(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}(?: \d{{4}})?\b|\b{MONTH}(?: \d{{4}})?\b|\b\d{{1,2}}:\d\d\b"
    r"|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_IN_WORDS: Final = lazy_regex(
    r"(?<![\w:./-])(?P<sign>[$\u20ac\u00a3]?)(?P<digits>\d+(?:[.,]\d+)*)(?! ?[ap]m\b)"
    rf"(?: ?(?P<unit>{_UNIT})\b)?(?![\w:/])|\b(?P<count>{_COUNT})\b(?! of\b)",
    re.IGNORECASE,
)
_CLOCK: Final = lazy_regex(r"\b(?P<hour>\d{2}):\d{2}\b")
_HOUR: Final = lazy_regex(r"(?P<hour>\d{1,2})(?: o'?clock)?$", re.IGNORECASE)
_LAST_NAME: Final = lazy_regex(r"(?P<old>[A-Z][\w'&-]*(?: (?:[A-Z][\w'&-]*|\d[\w.]*\w|\d)){0,3})(?=\.?$)")
_LAST_NOUN: Final = lazy_regex(r"\b(?P<old>(?:an?|the) [a-z][\w'-]*(?: [a-z][\w'-]*)?)(?=\.?$)")
_NOT_NAMED: Final = lazy_regex(rf"(?:{DAY}|{MONTH}|User)\b", re.IGNORECASE)
_NO_VALUE: Final = listed(
    """
    i me my it that this these those they them he him she her we us you your yes no not ok okay
    thanks thank sorry please what who how when where why which nothing never mind so well really true right
    wrong fine good bad great all done here there now today tomorrow later again bye hello hi
    oops wait yeah nope sure too late and or but if the
    """
)
_MOST_TIMES: Final = 20
"""How many times the old number a new one may be, and the other way round. Chosen by hand."""


class Value(NamedTuple):
    """A value named alone, and of whom or what: a pronoun, a name, a verb of the speaker's, or nothing."""

    new: str
    who: str = ""
    verb: str = ""


def value_alone(text: str) -> Value | None:
    """The value that a message names to correct what was said before; None where it does something else.

    >>> value_alone("no wait, 580"), value_alone("No wait, she's 22.")
    (Value(new='580', who='', verb=''), Value(new='22', who='she', verb=''))
    >>> value_alone("no, 20 people came"), value_alone("Sorry, thanks")
    (None, None)
    """
    found = _ALONE.match(" ".join(in_english(text).split()))
    if found is None or not (found["lead"] or found["wrong"]):
        return None
    new, lead = found["new"].strip(), found["lead"] or ""
    strong = found["wrong"] is not None or _IS_STRONG.search(lead) is not None
    if not (strong or _SAYS_SORRY.search(lead) or _IS_NUMBER.match(new)):
        return None
    if _IS_NUMBER.match(new) is None and not _may_be_a_name(new, strong=strong):
        return None
    return Value(new, (found["who"] or "").lower(), found["verb"] or "")


def _may_be_a_name(new: str, *, strong: bool) -> bool:
    words = new.lower().replace("\u2019", "'").split()
    if not _NO_VALUE.isdisjoint(words[1:] if words[0] in {"a", "an", "the"} else words):
        return False
    if new[:1].isupper() and not new.lower().startswith(("a ", "an ", "the ")):
        return kind_of(new.split(maxsplit=1)[0]) >= Kind.BOTH
    return strong and KNOWN.isdisjoint(words) and not any("'" in word for word in words)


def is_of(value: Value, *, subject: str, relation: str, text: str, speaker: str) -> bool:
    """Whether a value may be of what is known: "she's 22" is of the age of somebody else."""
    if value.verb:
        return relation.partition(" ")[0] == third(value.verb)
    match value.who:
        case "":
            return True
        case "i":
            return subject == speaker
        case "it" | "that" | "they":
            return relation != "is aged"
        case "he" | "she":
            return subject != speaker and (relation in {"is aged", "is named"} or not value.new[:1].isdigit())
        case name:
            return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None


def with_value(words: str, new: str) -> str | None:
    """Words with a new value in the place of the one of its kind; None where there is none, or several.

    >>> with_value("User's rent is 850 a month.", "580"), with_value("User has two cats.", "three")
    ("User's rent is 580 a month.", 'User has three cats.')
    >>> with_value("User lives in a flat.", "a bungalow"), with_value("User works at Tesco.", "Aldi")
    ('User lives in a bungalow.', 'User works at Aldi.')
    """
    if _IS_NUMBER.match(new):
        return _with_hour(words, new) or _with_number(words, new)
    return _with_name(words, new)


def _with_hour(words: str, new: str) -> str | None:
    """Words with another hour, in that half of the day which is nearer to the old one."""
    named, clocks = _HOUR.match(new), list(_CLOCK.finditer(words))
    if named is None or len(clocks) != 1 or not 1 <= int(named["hour"]) <= 12:  # noqa: PLR2004 - hours
        return None
    old, hour = int(clocks[0]["hour"]), int(named["hour"]) % 12
    nearer = min(hour, hour + 12, key=lambda one: abs(one - old))
    start, end = clocks[0].span()
    return f"{words[:start]}{nearer:02}:00{words[end:]}" if nearer != old else None


def _with_number(words: str, new: str) -> str | None:
    dates = [date.span() for date in _DATES.finditer(words)]
    found = [
        one
        for one in _IN_WORDS.finditer(words)
        if not any(first <= one.start() < last for first, last in dates)
    ]
    told = _IN_WORDS.match(new)
    if len(found) != 1 or told is None or not _alike(found[0], told):
        return None
    (old,) = found
    if old["count"]:
        shown = told["count"] or told["digits"]
    else:
        blank = " " if old.group().count(" ") else ""
        unit = told["unit"] or old["unit"]
        shown = (told["sign"] or old["sign"] or "") + (told["digits"] or told["count"])
        shown += f"{blank if old['unit'] else ' ' if len(unit) > 1 else ''}{unit}" if unit else ""
    if shown.lower() == old.group().lower():
        return None
    return words[: old.start()] + shown + words[old.end() :]


def _alike(old: re.Match[str], new: re.Match[str]) -> bool:
    units = {unit.lower().removesuffix("s") for unit in (old["unit"], new["unit"]) if unit}
    signs = {sign for sign in (old["sign"], new["sign"]) if sign}
    one, other = _size(old), _size(new)
    return len(units) < 2 and len(signs) < 2 and one <= other * _MOST_TIMES and other <= one * _MOST_TIMES  # noqa: PLR2004 - not two


def _size(found: re.Match[str]) -> float:
    if found["count"]:
        return _COUNTS.index(found["count"].lower()) + 1
    digits = re.sub(r"[.,](?=\d{3}\b)", "", found["digits"]).replace(",", ".")
    return float(digits) if digits.count(".") < 2 else 0.0  # noqa: PLR2004 - a number


def _with_name(words: str, new: str) -> str | None:
    article = re.match("(?:an?|the) ", new, re.IGNORECASE) is not None
    name = None if article else _LAST_NAME.search(words)
    old = name or _LAST_NOUN.search(words)
    if old is None or old["old"].lower() == new.lower() or (name and _is_no_name(name, words)):
        return None
    before = re.search(r"\ban? $", words[: old.start()]) if name else None
    shown = f"{'an' if new[:1].lower() in 'aeiou' else 'a'} {new}" if before or not (name or article) else new
    return words[: before.start() if before else old.start()] + shown + words[old.end() :]


def _is_no_name(name: re.Match[str], words: str) -> bool:
    return _NOT_NAMED.match(name["old"]) is not None or (name.start() == 0 and " " in words)

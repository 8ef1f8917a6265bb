"""What somebody takes back in the same breath: "my sister Anna, sorry, I mean Berta, lives in Leeds".

========================================================= =================================================
said                                                      read, with blanks for the rest
========================================================= =================================================
"my sister Anna, sorry, I mean Berta, lives in Leeds"     "my sister Berta lives in Leeds"
"I live in Falmouth. Sorry, I meant Penryn"               "I live in Penryn"
"I live in a flat, no sorry, a bungalow"                  "I live in a bungalow"
"I'm allergic to penicillin, no, sulfa"                   "I'm allergic to sulfa"
"she lives in Sligo, sorry, in Ballina"                   "she lives in Ballina"
"on the third no hang on the fourth of April"             "on the fourth of April"
"my boss Anna - no sorry, that's the cat - is Berta"      "that's the cat - is Berta"
"I'm allergic to kiwi. Scratch that."                     nothing
"I have asthma and um I'm allergic to kiwi"               "I have asthma and I'm allergic to kiwi"
"Sorry, I mean it"; "I love it, I mean really"            as it stands
========================================================= =================================================

A value is taken back where another of its kind follows: a name, a number, a day, or after "sorry" and its
like a noun. The same preposition again, or a "no" between commas, says so of any value. What is broken off
and denied ("no wait, that's ...") is taken back from the beginning of its sentence.
"""

import re
from typing import Final

from recollect.learning.extraction.clauses import ADVERBS
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import DATED_MONTH, DAY, listed
from recollect.text.entities.kinds import Kind, kind_of
from recollect.types.regex import lazy_regex

_OOPS: Final = r"(?:no|nope|oh|er|erm|uh|um|wait|sorry|oops|whoops|ah|well|hang on|hold on)"
_MEANT: Final = (
    r"(?:(?:i|we) mean(?:t)?(?: to (?:say|write))?|scratch that|strike that|make that|correction|or rather"
    r"|i should (?:say|have said)|my mistake|my bad|typo)"
)
_STOP: Final = r"(?:no,? sorry|sorry,? no|no,? wait|wait,? no|no no|scratch that|strike that)"
_HOLD: Final = r"(?:no,? (?:hang|hold) on|(?:hang|hold) on,? no)"
_EDIT: Final = rf"(?:(?:{_OOPS}[,.!]{{0,3}} ){{0,3}}{_MEANT}|{_STOP}|{_HOLD})"
_ORDINAL: Final = (
    "(?:(?:twenty|thirty)[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
    "|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|thirtieth)"
)
_VALUE: Final = (
    rf"(?:(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})(?: of)? {DATED_MONTH}\b|{_ORDINAL}\b"
    rf"|(?:{DAY}|{DATED_MONTH})\b(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?"
    r"|[$\u20ac\u00a3]?\d[\w.:,%/-]{0,20}(?<![.,:])(?: (?:mg|mcg|ml|[ap]m|k|kg|percent))?"
    rf"|(?-i:[A-Z])[\w'\u2019-]{{1,30}}(?: (?-i:[A-Z])[\w'\u2019-]{{1,30}})?|[^\W\d_][\w'\u2019-]{{1,30}})"
)
_REPLACED: Final = lazy_regex(
    rf"(?<![\w'\u2019])(?P<old>{_VALUE})(?P<sign> ?[,.;!(\u2013\u2014-]{{0,3}}[ \n]{{0,2}})"
    rf"(?P<edit>{_EDIT}|sorry|no|wait)(?P<pause>[,:]?) {{1,2}}(?:on )?(?:the )?"
    rf"(?P<new>{_VALUE})(?P<behind> ?[,)\u2013\u2014-]{{0,2}}(?= ?[\w.!?\n]|$))",
    re.IGNORECASE,
)
_AGAIN: Final = lazy_regex(
    rf"\b(?P<prep>in|to|on|at|with|from|for|by) (?P<old>(?:the |my |an? )?{_VALUE}(?: [^\W\d_]{{2,20}})?)"
    rf"(?P<sign> ?[,.;!(\u2013\u2014-]{{0,3}}[ \n]{{0,2}})(?P<edit>{_EDIT}|sorry|no|wait|oops)"
    rf"(?P<pause>[,:]?) {{1,2}}(?P=prep) (?P<new>(?:the |my |an? )?{_VALUE})(?= ?(?:[\w.!?,;)\n]|$))",
    re.IGNORECASE,
)
"""A value behind a preposition, and the one that is meant behind the same one: "in Sligo, no, in Ballina"."""
_YES: Final = lazy_regex(r"\b(?:yes|yeah|ok|okay|no)(?: \w+)? $", re.IGNORECASE)
"""Before what is granted or refused, one after the other: "yes to tea, no to coffee"."""
_NOUN: Final = r"[^\W\d_][\w'\u2019-]{1,30}(?: [^\W\d_][\w'\u2019-]{1,30})?"
_OTHER_NOUN: Final = lazy_regex(
    rf"\b(?:an?|the|my|our) (?P<old>{_NOUN}) ?[,.;(\u2013\u2014-]{{0,3}} ?(?P<edit>{_EDIT}|sorry|no(?=,))"
    rf"[,:]? (?P<new>(?P<article>an?|the|my|our)? ?{_NOUN})(?= ?(?:[.!?,;)\n]|$))",
    re.IGNORECASE,
)
"""A noun of one or two words with its article, and the one that is meant."""
_BROKEN_OFF: Final = lazy_regex(
    rf"(?:[,;(\u2013\u2014-]|\.\.|\u2026) ?{_STOP}[,.!]{{0,3}} ?"
    r"(?=(?:that(?:'s|\u2019s|s| is| was)|it(?:'s|\u2019s|s| is| was)|i mean|my|our)\b)",
    re.IGNORECASE,
)
_WITHDRAWN: Final = lazy_regex(
    r"[.!?\n] {0,2}(?:(?:actually|no|oh|wait|sorry)[, ]{1,2}){0,3}(?:scratch|strike|forget) that\b",
    re.IGNORECASE,
)
_HINT: Final = lazy_regex(
    r"\b(?:mean|meant|scratch|strike|forget|sorry|wait|correction|or rather|make that"
    r"|should say|should have said|mistake|my bad|typo|no\b|(?:hang|hold) on)",
    re.IGNORECASE,
)
_UM: Final = r"(?:um+|uh+|uhm+|erm+|em)\b,?"
_FILLER: Final = lazy_regex(
    r"(?:(?<=\band)|(?<=\bbut)|(?<=\bwell)|(?<=\bi'm)|(?<=\bi\u2019m)|(?<=\bi am)|(?<=\bto)|(?<=\bthe)"
    rf"|(?<=\bmy)|(?<=\bwith)),? {_UM}(?= )|(?:^|(?<=[.!?,;] )){_UM}(?= (?:i|i'm|i\u2019m|my|we|the|so)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""A sound of hesitation; not German's "um" or Portuguese's "em", which stand behind other words."""
_SORRY: Final = lazy_regex(
    r"\b(?:sorry|no|wait|oops|whoops|scratch|strike|correction|typo|mistake|bad|meant)\b"
)
_EDITS: Final = lazy_regex(_EDIT, re.IGNORECASE)
_HOLDS: Final = lazy_regex(_HOLD, re.IGNORECASE)
_ENDS: Final = lazy_regex(r"[.!\n]")
_ENDING: Final = frozenset(("", ".", "!", ",", "\n"))
_ARTICLE: Final = lazy_regex("^(?:the|my|an?) ", re.IGNORECASE)
_NEAR: Final = 20
"""Characters around two values that are looked at. Chosen by hand."""
_MOST: Final = 3
"""Values that are taken back one after the other."""
_ORDINALS: Final = lazy_regex(rf"{_ORDINAL}\b", re.IGNORECASE)
_ONE: Final = lazy_regex(r"\ban? $", re.IGNORECASE)
"""An article of one thing right before a value: "a dog, no, cats"."""
_COUNTS: Final = listed("one two three four five six seven eight nine ten both")
_DATE: Final = lazy_regex(rf"(?:{DAY}|{DATED_MONTH})\b", re.IGNORECASE)
_NO_VALUE: Final = listed(
    """
    i me my it that this these those they them he she him her we us you the a an not no yes so what who how
    when where why if is are was were be been am have has had do did to in on at of for with by and or but
    something someone anything nothing everything all really like as there here now just time thanks thank
    please problem problems worries idea way joke kidding doubt wonder wait stop ok okay sure well seriously
    honestly honest promise wrong right matter chance need offence
    """
)


def without_slips(text: str) -> str:
    """The text with blanks for what it takes back; its length stays.

    >>> " ".join(without_slips("my sister Anna, sorry, I mean Berta, lives in Leeds").split())
    'my sister Berta lives in Leeds'
    >>> without_slips("Sorry, I mean it. I live in Leeds, I mean well.")
    'Sorry, I mean it. I live in Leeds, I mean well.'
    """
    text = _FILLER.sub(lambda found: " " * len(found.group()), text)
    if _HINT.search(text) is None:
        return text
    for _ in range(_MOST):
        text, read = _REPLACED.sub(_with_new, _AGAIN.sub(_with_the_second, text)), text
        if text == read:
            break
    text = _OTHER_NOUN.sub(_with_other_noun, text)
    for pattern in (_BROKEN_OFF, _WITHDRAWN):
        for found in pattern.finditer(text):
            said = text[: found.start()].rstrip(".!?\n")
            start = max(map(said.rfind, ".!?\n")) + 1
            text = text[:start] + " " * (found.end() - start) + text[found.end() :]
    return text


def _with_the_second(found: re.Match[str]) -> str:
    """The preposition with the value behind the second one, where both values are of a kind."""
    old, new = (_ARTICLE.sub("", found[one]) for one in ("old", "new"))
    kinds = {_kind(old), _kind(new)}
    alike = len(kinds) == 1 or (old + new).islower()
    refused = found["edit"].lower() == "no" and found["sign"].strip() != "" and found["pause"] == ""
    if (
        refused
        or "" in kinds
        or not alike
        or _YES.search(found.string[max(0, found.start() - _NEAR) : found.start()])
    ):
        return found.group()
    if kinds != {"day"} and _follows(found) not in _ENDING:
        return found.group()
    return found["prep"].ljust(len(found.group()) - len(found["new"])) + found["new"]


def _follows(found: re.Match[str]) -> str:
    """The sign behind a new value; empty at the end of the text."""
    return found.string[found.end("new") : found.end("new") + _NEAR].lstrip(" ")[:1]


def _with_new(found: re.Match[str]) -> str:
    old, new = _kind(found["old"]), _kind(found["new"])
    if "word" in {old, new} and (found["old"] + found["new"]).islower():
        old = new = "word" if old and new else ""
    if not old or old != new or not _is_meant(found, old):
        return found.group()
    # before a clause the comma stays: "friday, thursday is the holiday"
    behind = found["behind"] if old == "day" and found["behind"].strip() == "," else ""
    told = found["new"] + behind.ljust(len(found["behind"]))
    return " " * (len(found.group()) - len(told)) + told


def _with_other_noun(found: re.Match[str]) -> str:
    old, new = found["old"].lower().split(), found["new"].lower().split()
    named = new[1:] if found["article"] else new
    if found["edit"].lower() == "no" and not found["article"]:
        return found.group()
    several = len(old) > 1 or len(named) > 1 or found["article"]
    words = (*old, *named)
    nouns = _NO_VALUE.isdisjoint(words) if found["article"] else all(map(_kind, words))
    if not several or not nouns:
        return found.group()
    return " " * (len(found.group()) - len(found["new"])) + found["new"]


def _is_meant(found: re.Match[str], kind: str) -> bool:
    """Whether words between two values of a kind say that the second is right."""
    ends = found["behind"].strip() != "" or _follows(found) in _ENDING
    apart = _ENDS.search(found["sign"]) is not None
    if _EDITS.fullmatch(found["edit"]) is None:  # a mere "sorry" or "no"
        between = found["sign"].strip() != "" and not apart
        several = found["new"].endswith("s") and _ONE.search(found.string[: found.start()]) is not None
        alone = found["pause"] != "" and ends and found["edit"].lower() != "wait" and not several
        plain = found["pause"] != "" or ends or found["edit"].lower() != "no"
        if apart and kind == "day":  # "on Monday. No, Tuesday"
            return found["pause"] != "" and ends and found["edit"].lower() != "wait"
        return kind == "ordinal" or (between and ((kind in {"day", "number"} and plain) or alone))
    sorry = _SORRY.search(found["edit"].lower()) is not None
    if kind == "word":
        return ends and sorry and _HOLDS.fullmatch(found["edit"]) is None
    return (ends or not apart) and (sorry or not found["new"].islower())


def _kind(value: str) -> str:
    """What a value is: a day, a number, a name, or any word; empty for none."""
    low = value.lower().replace("\u2019", "'")
    if _DATE.match(value):
        return "day"
    if _ORDINALS.match(value):
        return "ordinal"
    if any(map(str.isdigit, value[:2])):
        return "number"
    if low in _NO_VALUE or low in ADVERBS or "'" in low:
        return ""
    if value[:1].isupper():
        return "name" if kind_of(value.split(maxsplit=1)[0]) >= Kind.BOTH else ""
    if kind_of(value.title()) in {Kind.KNOWN, Kind.UNKNOWN} and not low.endswith("ly"):
        return "name"
    return "word" if low not in KNOWN and low not in _COUNTS else ""

"""What somebody takes back in the same breath: "my sister Anna, sorry, I mean Berta, lives in Leeds".

========================================================= =================================================
said                                                      read, with blanks for the rest
========================================================= =================================================
"my sister Anna, sorry, I mean Berta, lives in Leeds"     "my sister Berta lives in Leeds"
"I live in Falmouth. Sorry, I meant Penryn"               "I live in Penryn"
"I live in a flat, no sorry, a bungalow"                  "I live in a bungalow"
"my boss Anna - no sorry, that's the cat - is Berta"      "that's the cat - is Berta"
"I'm allergic to kiwi. Scratch that."                     nothing
"I have asthma and um I'm allergic to kiwi"               "I have asthma and I'm allergic to kiwi"
"Sorry, I mean it"; "I love it, I mean really"            as it stands
========================================================= =================================================

A value is taken back where another of its kind follows: a name, a number, a day, or after "sorry" and its
like a noun. What is broken off and denied ("no wait, that's ...") is taken back from the beginning of its
sentence.
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
_EDIT: Final = rf"(?:(?:{_OOPS}[,.!]{{0,3}} ){{0,3}}{_MEANT}|{_STOP})"
_VALUE: Final = (
    rf"(?:(?:{DAY}|{DATED_MONTH})\b(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?"
    r"|[$\u20ac\u00a3]?\d[\w.:,%/-]{0,20}(?<![.,:])(?: (?:mg|mcg|ml|[ap]m|k|kg|percent))?"
    rf"|(?-i:[A-Z])[\w'\u2019-]{{1,30}}(?: (?-i:[A-Z])[\w'\u2019-]{{1,30}})?|[^\W\d_][\w'\u2019-]{{1,30}})"
)
_REPLACED: Final = lazy_regex(
    rf"(?<![\w'\u2019])(?P<old>{_VALUE})(?P<sign> ?[,.;!(\u2013\u2014-]{{0,3}}[ \n]{{0,2}})"
    rf"(?P<edit>{_EDIT}|sorry|no|wait)[,:]? {{1,2}}"
    rf"(?P<new>{_VALUE})(?P<behind> ?[,)\u2013\u2014-]{{0,2}}(?= ?[\w.!?\n]|$))",
    re.IGNORECASE,
)
_NOUN: Final = r"[^\W\d_][\w'\u2019-]{1,30}(?: [^\W\d_][\w'\u2019-]{1,30})?"
_OTHER_NOUN: Final = lazy_regex(
    rf"\b(?:an?|the|my|our) (?P<old>{_NOUN}) ?[,.;(\u2013\u2014-]{{0,3}} ?(?:{_EDIT}|sorry)[,:]? "
    rf"(?P<new>(?P<article>an?|the|my|our)? ?{_NOUN})(?= ?(?:[.!?,;)\n]|$))",
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
    r"|should say|should have said|mistake|my bad|typo|no,? (?:no\b|\d))",
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
_ENDS: Final = lazy_regex(r"[.!\n]")
_COUNTS: Final = listed("one two three four five six seven eight nine ten both")
_DATE: Final = lazy_regex(rf"(?:{DAY}|{DATED_MONTH})\b", re.IGNORECASE)
_NO_VALUE: Final = listed(
    """
    i me my it that this these those they them he she him her we us you the a an not no yes so what who how
    when where why if is are was were be been am have has had do did to in on at of for with by and or but
    something someone anything nothing everything all really like as there here now just time
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
    text = _OTHER_NOUN.sub(_with_other_noun, _REPLACED.sub(_with_new, text))
    for pattern in (_BROKEN_OFF, _WITHDRAWN):
        for found in pattern.finditer(text):
            said = text[: found.start()].rstrip(".!?\n")
            start = max(map(said.rfind, ".!?\n")) + 1
            text = text[:start] + " " * (found.end() - start) + text[found.end() :]
    return text


def _with_new(found: re.Match[str]) -> str:
    old, new = _kind(found["old"]), _kind(found["new"])
    if "word" in {old, new} and (found["old"] + found["new"]).islower():
        old = new = "word" if old and new else ""
    if not old or old != new or not _is_meant(found, old):
        return found.group()
    told = found["new"] + " " * len(found["behind"])
    return " " * (len(found.group()) - len(told)) + told


def _with_other_noun(found: re.Match[str]) -> str:
    old, new = found["old"].lower().split(), found["new"].lower().split()
    named = new[1:] if found["article"] else new
    several = len(old) > 1 or len(named) > 1 or found["article"]
    if not several or not all(map(_kind, (*old, *named))):
        return found.group()
    return " " * (len(found.group()) - len(found["new"])) + found["new"]


def _is_meant(found: re.Match[str], kind: str) -> bool:
    """Whether words between two values of a kind say that the second is right."""
    behind = found.string[found.end("new") :].lstrip(" ")[:1]
    ends = found["behind"].strip() != "" or behind in {"", ".", "!", "\n"}
    apart = _ENDS.search(found["sign"]) is not None
    if _EDITS.fullmatch(found["edit"]) is None:  # a mere "sorry" or "no" between signs
        return kind in {"day", "number"} and found["sign"].strip() != "" and not apart
    sorry = _SORRY.search(found["edit"].lower()) is not None
    if kind == "word":
        return ends and sorry
    return (ends or not apart) and (sorry or not found["new"].islower())


def _kind(value: str) -> str:
    """What a value is: a day, a number, a name, or any word; empty for none."""
    low = value.lower().replace("\u2019", "'")
    if _DATE.match(value):
        return "day"
    if any(map(str.isdigit, value[:2])):
        return "number"
    if low in _NO_VALUE or low in ADVERBS or "'" in low:
        return ""
    if value[:1].isupper():
        return "name" if kind_of(value.split(maxsplit=1)[0]) >= Kind.BOTH else ""
    if kind_of(value.title()) in {Kind.KNOWN, Kind.UNKNOWN} and not low.endswith("ly"):
        return "name"
    return "word" if low not in KNOWN and low not in _COUNTS else ""

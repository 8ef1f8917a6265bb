"""The "I" that chats leave out.

========================== ================================ ====================================
begins a sentence          is read as                       left alone
========================== ================================ ====================================
"moved to Berlin in May"   "I moved to Berlin in May"       "made in Italy", "cut the onions"
"training for a triathlon" "I am training for a triathlon"  "training for one takes time"
"vegetarian since 2010"    "I am vegetarian since 2010"     "vegetarian recipes for six"
"nurse at UCH, 41, no      "I am nurse at UCH", "I am 41",  "great teacher", "41", "no kids"
kids"                      "I have no kids"
"timezone is CET"          "my timezone is CET"             "address is wrong"
========================== ================================ ====================================

The words were chosen by hand. Verbs whose past is their plain form are no part of them, since "cut the
onions" is an order; of a question nothing is read.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.forms import PASTS, THIRDS, base_of_third
from recollect.learning.extraction.leads import lead_of
from recollect.learning.extraction.people import RELATIVES, is_identity
from recollect.learning.extraction.tokens import WordToken
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import either, listed
from recollect.types.regex import lazy_regex

_DONE: Final = listed(
    """
    moved switched signed got started joined bought sold adopted became began finished passed graduated
    married divorced stopped turned hired booked broke relocated converted upgraded enrolled
    """
)
_LEFT: Final = listed("quit left")
"""Read so where a name or something of the speaker's follows: "left side" is none."""
_DOING: Final = lazy_regex(
    r"(?:living|based) (?:in|near|with|alone|outside)|working (?:at|as|for|from)|moving to|starting (?:at|as)"
    r"|training for (?:an?|the|my)|expecting (?:an?|our|my|twins)|saving (?:up )?for (?:an?|the|my|our)"
)
_BEING: Final = listed(
    """
    single married divorced widowed engaged retired pregnant vegan vegetarian pescatarian coeliac celiac
    diabetic dyslexic autistic unemployed left-handed
    """
)
_BEHIND_STATE: Final = listed("with to since for but and now at")
_BY_LABEL: Final = listed("pronouns rent salary timezone birthday name")
_IS: Final = listed("is are 's")
_FINITE: Final = listed("is are was were has have had can could will would may might should must do does did")
_AMOUNTS: Final = listed("no a one two three four five six")
_BEFORE_PLACE: Final = listed("at for in from with on")
_OWN: Final = listed("my our i we")
_PLACED: Final = frozenset(["based", "living"])
_LINKS: Final = frozenset(["", ",", "and", "-", "\u2013", "\u2014", "(", ")"])
_YOUNGEST, _OLDEST = 12, 99
"""Ages that a lone number may be."""
_LONGEST_TRADE: Final = 4
"""Words of what somebody is, before a place: "senior backend engineer at". Chosen by hand."""
_ING: Final = listed("living based working moving starting training expecting saving")
_WORDS: Final = either(_DONE | _LEFT | _ING | _BEING | _BY_LABEL)
_MAY: Final = lazy_regex(rf"\b(?:{_WORDS})\b|, \d\d(?:[,.]|$)")


def may_leave_out(text: str) -> bool:
    """Whether a text may say something of its speaker without "I" or "my"."""
    return _MAY.search(text.lower()) is not None


def with_subjects(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses of a sentence with the subjects that are left out, up to the first that has its own."""
    introduces = _introduces(clauses)
    found: list[Clause] = []
    for clause in clauses:
        if clause.link not in _LINKS or clause.words[0] in _OWN:
            break
        start = lead_of(clause).start
        if clause.words[start : start + 1] and clause.words[start] in _OWN:
            break
        missing = _left_out(clause, start, introduces=introduces, several=len(clauses) > 1)
        if missing:
            found.append(_with(clause, start, missing))
        elif start < len(clause.words) and clause.link != "(":
            break
        else:
            found.append(clause)
    return [*found, *clauses[len(found) :]]


def _with(clause: Clause, start: int, words: str) -> Clause:
    """A clause with words before a place, where nothing stands in the text."""
    place = clause.tokens[start].start
    more = [WordToken(word, place, place) for word in words.split()]
    return replace(clause, tokens=[*clause.tokens[:start], *more, *clause.tokens[start:]])


def _introduces(clauses: Sequence[Clause]) -> bool:
    """Whether a sentence without "I" tells who somebody is: "nurse at UCH, 41, two kids"."""
    if not any(word in _PLACED or word.isdecimal() for clause in clauses for word in clause.words):
        return False
    parts = [clause.words[lead_of(clause).start :] for clause in clauses if clause.link in _LINKS]
    plain = len(parts) > 1 and all(_OWN.isdisjoint(part) for part in parts)
    return plain and any(_is_age(part) or part[:2] in (["based", "in"], ["living", "in"]) for part in parts)


def _is_age(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0].isdecimal() and _YOUNGEST <= int(words[0]) <= _OLDEST


def _left_out(clause: Clause, start: int, *, introduces: bool, several: bool) -> str:
    """The words that stand for themselves before a place; none where nothing is left out."""
    words = clause.words[start:]
    first, after = (*words, "", "")[:2]
    told = _of_introduction(words) if introduces else ""
    if told:
        return told
    if first in _BEING and (after in _BEHIND_STATE or (not after and several)):
        return "i am"
    if first in _DONE and after not in {"", "by"}:
        return "i"
    if first in _LEFT and (after in _OWN or clause.raw(start + 1, start + 2)[:1].isupper()):
        return "i"
    if _DOING.match(" ".join(words)) and not any(_is_finite(word) for word in words[1:]):
        return "i am"
    return "my" if first in _BY_LABEL and after in _IS else ""


def _of_introduction(words: Sequence[str]) -> str:
    """What is left out where somebody tells who they are."""
    if _is_age(words):
        return "i am"
    if words[:1] and words[0] in _AMOUNTS and words[-1] in RELATIVES:
        return "i have"
    end = next((place for place, word in enumerate(words) if word in _BEFORE_PLACE), len(words))
    trade = 0 < end <= _LONGEST_TRADE and is_identity(words[end - 1])
    return "i am a" if trade and not any(_is_finite(word) for word in words if word not in _BEING) else ""


def _is_finite(word: str) -> bool:
    return word in _FINITE or word in PASTS or word in THIRDS or base_of_third(word) in KNOWN

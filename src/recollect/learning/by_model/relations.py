"""Which words of a turn say the relation of a fact: its own, or those of a small table."""

import re
from dataclasses import dataclass
from typing import Final

from recollect.learning.extraction.phrases import GROUPS
from recollect.types.regex import lazy_regex


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedRelation:
    """A relation that is worded in several ways."""

    named: re.Pattern[str]
    said: re.Pattern[str]
    denied: re.Pattern[str] | None = None


def _words(pattern: str) -> re.Pattern[str]:
    return lazy_regex(rf"\b(?:{pattern})\b", re.IGNORECASE)


def _relation(named: str, more: str, *, denied: str | None = None, unspaced: str = "") -> WordedRelation:
    said = rf"\b(?:{named}|{more})\b" + (f"|{unspaced}" if unspaced else "")
    return WordedRelation(
        named=_words(named),
        said=lazy_regex(said, re.IGNORECASE),
        denied=None if denied is None else _words(denied),
    )


_LIKES: Final = (
    r"likes?|liked|liking|lov(?:e|es|ed|ing)|enjoy\w*|prefer\w*|ador(?:e|es|ed|ing)|fond|fan|keen"
    r"|favou?rites?"
)
_HATES: Final = r"hat(?:e|es|ed|ing)|dislik\w+|detest\w*|loath\w+|despis\w+|can'?t stand|cannot stand"
_I_AM: Final = r"i['\u2019]?m|i am|this is|ich bin|je suis|soy"
_IN_A_GROUP: Final = (
    r"(?:i['\u2019]?m|i am|we are|we['\u2019]re|(?:i|we)(?:['\u2019]ve| have) been)"
    r"(?: (?:also|both|still|now|just))? (?:in|on) (?:an?|the|my|our) (?:[\w-]+ ){0,3}?GROUP"
    r"|(?:i|we) (?:\w+ )?(?:play|sing|serve|perform|dance|act|row|drum|compete)(?: \w+)? (?:in|on)"
    r" (?:an?|the|my|our) (?:[\w-]+ ){0,3}?GROUP"
)
"""Says that somebody belongs to a group: "I sing in a choir", not "I met her in the club"."""
_ENDS: Final = (
    r"(?=\W*$|[.,;:!?)]| (?:and|or|but|with|for|at|on|in|since|called|named|where|which|who|that|as|to"
    r"|from|of|near|every|each|here|now|too)\b)"
)
"""Ends the group's name: "the army museum" is no army."""
_BELONGS: Final = _IN_A_GROUP.replace("GROUP", GROUPS["GROUP"] + _ENDS)

RELATIONS: Final = (
    _relation(
        _LIKES,
        r"into|crazy about|obsessed|mag|liebe|bevorzug\w*|aime|pr\u00e9f\u00e8re|gusta\w*|encanta\w*"
        r"|prefier\w*",
        denied=_HATES,
        unspaced="\u559c\u6b22|\u504f\u597d|\u7231",
    ),
    _relation(_HATES, r"hasse|d\u00e9teste|odio", unspaced="\u8ba8\u538c"),
    _relation(r"allerg\w+|intoleran\w+", r"anaphyla\w+", unspaced="\u8fc7\u654f"),
    _relation(
        r"liv(?:e|es|ed|ing)|resid\w+",
        r"mov(?:e|es|ed|ing)|relocat\w+|based|settl\w+|(?:my|our|his|her|their) (?:\w+ )?home|home is"
        r"|apartment|flat|rent\w* (?:an?|the|my|our) (?:\w+ ){0,2}?(?:room|house|place|studio|home)|stay\w*"
        r"|wohn\w*|leb\w*|zog|gezogen"
        r"|habit\w*|viv\w*",
        unspaced="\u4f4f|\u642c",
    ),
    _relation(
        r"work(?:s|ed|ing)?|employed|job",
        rf"(?:{_I_AM}|as) (?:an?|the)|{_I_AM}|join\w*|hired|position|career|company|start(?:s|ed|ing)?"
        r"|arbeite\w*|travaill\w*|trabaj\w*",
        unspaced="\u5de5\u4f5c|\u4e0a\u73ed",
    ),
    _relation(r"married|marri\w+", r"husband|wife|spouse|wedding|verheiratet|mari\u00e9e?|casad[oa]"),
    _relation(r"dating|dates", r"seeing (?!an?\b|the\b|my\b)|girlfriend|boyfriend|partner|together"),
    _relation(r"belongs? to|members?", rf"join(?:s|ed|ing)?|part of|{_BELONGS}"),
    _relation(r"named|name|called", rf"{_I_AM}|call|hei\u00dfe|name|appelle|llamo", unspaced="\u53eb"),
    _relation(r"aged?|years? old", rf"{_I_AM}|turn(?:s|ed|ing)?|birthday|alt|ans|a\u00f1os"),
    _relation(r"from|born", r"birth\w*|native|grew up|raised|hail\w*|aus|geboren|n\u00e9e?|naci\w*|de"),
    _relation(r"majors?|majoring", r"study|studies|studied|studying|degree"),
    _relation(r"weighs?", r"weight|kilos?|kg|pounds|lbs"),
    _relation(r"owns?|owned", r"ha(?:ve|s|d)|got|bought|my|our"),
    _relation(r"uses?|used|using", r"work with|switched to|with|on|my"),
    _relation(r"speaks?|spoke", r"fluent\w*|native|languages?|know|learn\w*"),
)
"""Checked by hand on turns of our own; a relation that is not here must be said in its own words."""

CLAUSE: Final = lazy_regex(
    r"(?:[,;:]|\s[-\u2013\u2014]\s|\b(?:and|but|while|whereas|though|although|because|so|when|where)\b)"
    r"\s*(?=(?:and |but )?(?:i|i'\w+|he|she|we|they|you|it|my|our|his|her|their)\b)",
    re.IGNORECASE,
)
"""Where a sentence goes on with a subject of its own."""
LIGHT: Final = frozenset(
    """
    a an the is are was were am be been being has have had having do does did not no longer never used
    to in at on of for with by as from about into also currently now still really often can will would
    """.split()  # noqa: SIM905 - words read better than fifty strings
)
"""Words of a relation that need not be said."""

"""Facts that nobody could use later: broken off, about nothing named, or of the moment. They are not learned.

Each is refused for a reason. A sentence that was cut at a title, a path or an adjective is broken; "uses a
certain method" names nothing; "loves all the yellow leaves" was said of a picture. The words were chosen by
hand.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.forms import PASTS
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import MONTH, any_of, either, listed
from recollect.types.regex import lazy_regex

Reason = Literal["broken", "vague", "moment"]
"""Why a fact is of no use: its sentence is none; it names nothing; it was so for a moment."""

_LEFT_HANGING: Final = listed(
    """
    a an the my our their his her its your and or but nor with from of for at by into onto than as to in on
    about between called named titled entitled is are was were be that which who whose very really some
    such including like via per both
    """
)
"""Words that end no sentence."""
_ADJECTIVES: Final = listed(
    """
    safe sleek soft warm cozy cosy nice good great bright calm quiet modern clean simple healthy strong
    positive new old small big large tall tiny creative quick fast slow easy deep rich fresh light dark bold
    wide little long short high low busy peaceful lovely gentle friendly happy smooth solid steady fun cool
    local real full relaxed relaxing balanced structured supportive inviting welcoming delicious
    """
)
"""Adjectives that often stand before another one, at which a comma cuts."""
_CUT: Final = lazy_regex(
    rf"(?:\b(?:an?|some|my|their|the)|with) (?:\w+ly )?{either(_ADJECTIVES)}\.$|\bput on some \w+\.$"
)
_DENIED_TWICE: Final = lazy_regex(r"\b(?:has|have|is|does|do|did) \w+n['\u2019]t\b|\bhas (?:\w+ )?has\b")
_HALF: Final = lazy_regex(
    r"\band (?:talking|having|making|doing|getting|taking|giving|using|seeing|finding)\.$|\bboth \S+ like\b"
)
"""A list whose last item lost its object, or whose second half is gone."""
_BARE_VERBS: Final = lazy_regex(
    r"\bs?, (?:hike|swim|cook|bake|read|run|draw|paint|ski|surf|camp|dance|sing)\.$"
)
_AND_A_NAME: Final = lazy_regex(r"\b(?:\d{4}|\d{1,2}), and [A-Z]\w+\.$")
_MARKS: Final = lazy_regex(r"\*\*|[{}<>|\\]|\w\.(?:csv|json|txt|pdf|xlsx?|docx?|py|js|ts)\b")
"""Signs of markup, and files: words of a task."""

_HOLLOW: Final = any_of(
    r"""
    methods? | projects? | things? | stuff | systems? | courses? | ideas? | options? | approach | way | ways
    | people | persons? | someone | others | everyone | collection | experience | experiences | techniques?
    | strateg(?:y|ies) | process | plan | plans | tools? | topics? | activities | tasks? | events? | issues?
    | items? | parts? | outcomes? | pairs? | results? | progress | ones? | business to run | group | groups
    | newbie | rookie | beginner | bundle of joy
    | friend | close friends? like \S+ | vibe | vibes | moments? | places? | problems?
    | questions? | class | classes | content | details? | information | messages? | something | product
    | products | mentor | look at .+ | secretary | bit | bits | mess | team | data | examples? | shots?
    """
)
_FILLING: Final = any_of(
    r"""
    an? | the | some | any | these | this | that | certain | new | big | huge | great | whole | same | small
    | few | two | three | four | five | several | good | nice | old | own | basic | different | various
    | particular | special | little | raw | other | another | many | more | their | its | super | cool | such
    | similar | interesting | amazing | real | \d+ | multiple | lots of | a lot of | all | close | much
    | current
    | latest | outdated | creative | important | best | better | of | specific | balanced | own
    """
)
_EMPTY: Final = lazy_regex(
    rf"(?:(?:working|to|for|on|with|in|at|of|just|doing|having|making|being|around|out|up) )*(?:{_FILLING} )*"
    rf"(?:{_HOLLOW})(?: (?:in particular|right|ready|again|together|here|there|itself))*$",
    re.IGNORECASE,
)
_NO_NOUN_RELATIONS: Final = lazy_regex(r"(?:favou?rite|preferred|go-to|fav)(?: (?:ones?|things?)(?: .+)?)?$")
"""A favourite of no kind: "their favourite is the sundae"."""
_POINTS_BACK: Final = lazy_regex(
    r"\b(?:similar|the same|the other|the above|the following|the former|the latter|the recommended"
    r"|(?:use|using) the (?:app|tool|site|file|link)|(?:in|on|to|at|of"
    r"|from|with|borrowing|having|getting|using|trying) one\b(?! (?:another|of)))\b"
    r"|\ball the (?!time|way)|\b(?<!little )ones?\.$|\boption \d"
)
_MEANT_HERE: Final = lazy_regex(r"the (?:\S+ )*(?:idea|plan|approach|suggestion|option|version)$")
"""What was just spoken of."""
_OF_A_PICTURE: Final = lazy_regex(
    r"the \S+ (?:sky|view|scenery|leaves|vibe|background|photo|picture|colou?rs|lights)"
)
_READY: Final = lazy_regex(
    r"\b(?:ready|set|sent over|all sorted|right now)\.$|^(?:has|have) (?:sent|told|asked|shared)\b"
)
_NAMES_NOBODY: Final = listed("way before after here there now back later soon well just so always never")
_WHEN_BORN: Final = lazy_regex(r"in (?:an?|two|three|four|five|six|\d{1,2}) \w+|in (?:20[3-9]|2[1-9]\d)\d")
_DATE_OF_BIRTH: Final = lazy_regex(rf"(?i:{MONTH}).*\b(?:19|20)\d\d\b|\d[./-]\d{{1,2}}[./-](?:19|20)?\d\d\b")
"""A day that somebody was born on has its year; without one nobody knows which is meant."""
_ILL_TODAY: Final = lazy_regex(r"can(?:not|'t) (?:speak|sleep|eat|work|read|handle any more .+)$")


def unclear(fact: Fact) -> Reason | None:
    """Why a fact is of no use to a reader who has not heard the conversation; None when it is.

    >>> from recollect.learning.extraction.facts import EXPLICIT
    >>> def using(thing):
    ...     return Fact(text=f"User uses {thing}.", category="knowledge", confidence=EXPLICIT, subject="User",
    ...                 relation="uses", object=thing, source="", quote="")
    >>> unclear(using("a certain method")), unclear(using("the Pomodoro technique"))
    ('vague', None)
    >>> unclear(using("a song by Tupac called"))
    'broken'
    """
    if fact.category == "instruction" and fact.confidence == 1:
        return None
    if _is_broken(fact):
        return "broken"
    if _is_vague(fact):
        return "vague"
    return "moment" if _is_of_the_moment(fact) else None


def _is_broken(fact: Fact) -> bool:
    words = fact.text.rstrip(".").split()
    if words and fact.relation != "is named" and _hangs(words):
        return True
    patterns = (_CUT, _HALF, _DENIED_TWICE, _BARE_VERBS, _AND_A_NAME, _MARKS)
    return any(pattern.search(fact.text) for pattern in patterns)


def _hangs(words: Sequence[str]) -> bool:
    """Whether the last word needs another one: "keeps their scripts in", and not "the fox got in"."""
    last = words[-1].lower().strip("\"'")
    if last in {"in", "on", "about", "by"}:
        return len(words) > 1 and words[-2] not in PASTS and words[-2] not in KNOWN
    return last in _LEFT_HANGING


def _is_vague(fact: Fact) -> bool:
    if fact.category in {"instruction", "plan"} or fact.relation == "is aged":
        return False
    if _NO_NOUN_RELATIONS.match(fact.relation):
        return True
    if fact.relation == "is named":
        return (fact.object or "").lower() in _NAMES_NOBODY
    said = (fact.object or "").lower()
    if fact.relation == "prefers" and "'s " in fact.subject and " " not in said:
        return True
    return _MEANT_HERE.match(said) is not None or (
        said != "" and (_EMPTY.match(said) is not None or _POINTS_BACK.search(fact.text) is not None)
    )


_AGE_OF_A_BODY: Final = lazy_regex(
    r"'s (?:knees?|back|hips?|joints?|feet|legs|bones|body|brain|eyes|hands|shoulders?)"
    r" (?:is|are) \d+(?: years old)?\.$"
)
"""A figure of speech: "my knees are 90 years old"."""


def _is_of_the_moment(fact: Fact) -> bool:
    said = fact.text.removeprefix(f"{fact.subject} ")
    if fact.relation == "was born in" and _WHEN_BORN.match(f"in {fact.object}"):
        return True
    if fact.relation == "was born on" and not _DATE_OF_BIRTH.search(fact.object or ""):
        return True
    if _AGE_OF_A_BODY.search(fact.text):
        return True
    if fact.category == "preference" and _OF_A_PICTURE.match((fact.object or "").lower()):
        return True
    return _READY.search(said) is not None or _ILL_TODAY.match(said.rstrip(".")) is not None

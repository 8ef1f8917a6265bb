"""What ends that somebody named is what they are to the speaker: a death, a parting, leaving that role.

============================== ===================================== ======================================
known                          message                               what comes of it
============================== ===================================== ======================================
"a brother called Stan"        "Stan quit his job", "Stan moved"     nothing: he stays a brother
"a brother called Stan"        "Stan died"                           ends
"a flatmate called Olu"        "Olu moved out"                       ends: that is what a flatmate does
"a boss called Rita"           "Rita quit smoking"                   nothing
"a boss called Rita"           "Rita retired"                        ends
"a boss called Rita"           "Rita moved to Leeds"                 a person is asked
"two cats, Mia and Tom"        "Tom died"                            a person is asked: Mia is still there
"lunch with Dave on Friday"    "Dave moved to Spain"                 a person is asked
============================== ===================================== ======================================

The words were chosen by hand.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from recollect.learning.extraction.naming import NAMING, names_of
from recollect.learning.extraction.people import PEOPLE, PETS, PLURAL
from recollect.learning.listing import any_of, listed
from recollect.learning.reconcile.phrases import plain
from recollect.learning.reconcile.statements import CHANGED, SAID, Statement
from recollect.learning.reconcile.told import DEATHS, GONE, Part, Piece, is_over
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.types.regex import lazy_regex

End = Literal["opposite", "partly"]


class Tie(NamedTuple):
    """What somebody named is to the speaker.

    Attributes:
        kind: A key of ``_LEAVING``; "kin" also for whom a statement is about: a death alone ends it.
        naming: Whether the known statement says that they are that, or is about them.
        alone: Whether it names nobody else.
        by_name: Whether the word for them is their name, and no noun such as "dog".
    """

    kind: str
    naming: bool
    alone: bool
    by_name: bool = True


_PARTNERS: Final = listed(
    """
    wife husband spouse partner girlfriend boyfriend fiance fianc\u00e9 fiancee fianc\u00e9e hubby missus
    wifey lad lass fella guy woman man
    """
)
_HOUSEMATES: Final = listed(
    "flatmate flatmates housemate housemates roommate roommates lodger tenant tenants landlord landlady"
)
_NEIGHBOURS: Final = listed("neighbour neighbours neighbor neighbors")
_FRIENDS: Final = listed("friend friends mate bestie buddy pal penfriend penpal")
_WORK: Final = listed(
    """
    accountant adviser advisor assistant babysitter bandmate bandmates boss carer cleaner client co-founder
    cofounder co-worker co-workers coworker coworkers coach colleague colleagues dentist deputy doctor
    electrician employee employees gaffer gp hairdresser instructor intern lawyer lead manager mentor midwife
    nanny nurse physio physiotherapist plumber pm professor psychiatrist psychologist secretary supervisor
    supplier teacher teammate teammates therapist trainer tutor vet
    """
)
_HAVING: Final = frozenset(("has", "lives with", "got", "adopted", "is dating", "is seeing", SAID))
"""Relations whose values tell whom the speaker has."""
_HAS: Final = lazy_regex(r"\b(?:have|got|called|named)\b")
_TITLE: Final = lazy_regex(r"\b(?:dr|mrs?|ms|miss|prof|professor|doctor|sister|father)\.? $", re.IGNORECASE)
_NOUN: Final = lazy_regex(
    r"([\w-]+),?:?(?: (?:is|are|was))?(?: (?:called|named))? (?:(?:dr|mrs?|ms|miss|prof)\.? )?$",
    re.IGNORECASE,
)
_WITH: Final = lazy_regex(r"\b(?:with|beside|next to|married to|engaged to|dating|visits?|sees|meets) $")
"""Before a name that is somebody's: "swims with Noor"."""
_CONTRACT: Final = lazy_regex(
    r"\b(?:banks?|banking|account|insur\w+|contract|broadband|internet|phone|mobile|energy|electricity|gas"
    r"|mortgage|pension|subscri\w+|saves?|invest\w*|loan|card|cover\w*|(?:is|are|was|were) with)\b"
)
"""What one has with a firm."""
_AWAY: Final = rf"moved (?:away|abroad|on|back|to|in with)|emigrated|went to live|{GONE}(?: to live| abroad)?"
_OF_US: Final = (
    r"(?:my|our|the (?!same)|(?:together|friends|in touch|speaking|talking|here|there|around)\b"
    r"|work\w* (?:here|there|with|for|at)\b|liv\w+ (?:here|there|with)\b)"
)
"""What somebody is or does to the speaker, and not by themselves: "isn't my boss any more"."""
_NO_MORE: Final = (
    rf"history|out of (?:the picture|my life)|no longer (?:\w+ )?{_OF_US}|no more(?= ?$)"
    r"|(?:and|&) i (?:are|have|has)?(?: now| just| all| both)* ?(?:through|over|done|finished|split"
    r"|broken? up|broke up|separated|called it|parted ways|divorced|not together|no longer"
    r"|(?:aren't|are not) (?:speaking|together))"
    rf"|(?:not|isn't|doesn't|don't) (?:\w+ )?{_OF_US}.{{0,30}}\bany ?(?:more|longer)"
)
_LEFT_WORK: Final = (
    rf"{_AWAY}|retired|resigned|stepped down|fired|sacked|dismissed|let go|promoted|transferred|replaced"
    r"|succeeded|poached|made redundant|redundant|laid (?:\w+ )?off|the (?:axe|boot|chop|sack|push)"
    r"|on (?:\w+ )?leave|hung up (?:his|her|their)"
    r"|(?:quit|left)(?: (?:(?:his|her|their|the) (?:job|post|role|company|firm|team|school|practice|clinic"
    r"|surgery|hospital|office|agency|band|gym|salon)|us|last|in|this|for good|yesterday)\b|$)"
    r"|closed (?:his|her|their) (?:practice|clinic|surgery|salon|office)"
)
_GIVEN_AWAY: Final = (
    r"rehomed|sold|(?:gave|given) (?:\w+ )?(?:away|back)|got rid of|returned|no longer have|buried|lost"
    r"|(?:put|putting) (?:\w+ )?(?:down|to sleep)|goodbye to"
)
_RUN_AWAY: Final = (
    rf"(?:ran|run|flew|flown) (?:off|away)|stolen|went to live|{GONE}(?: to live)?|crossed the rainbow\w*"
    r"|put (?:down|to sleep)|found (?:a|his|her|their|its) new|rehomed"
)
_NOTHING: Final = "(?!)"
_AND_SO: Final = (
    r"(?: (?:has|have|had|is|are|was|were|been|got|gets|just|now|finally|sadly|already|recently|all|both"
    r"|suddenly|has to|had to|be|being|officially|then))*"
)
"""Words between a name and what its bearer did."""
_DEAD: Final = rf"{DEATHS}|dead"
_WHOSE: Final = (
    r"(?!'s (?!(?:been|gone|left|moved|got|had|just|now|finally|already|retired|hung|dead|emigrated|quit"
    r"|no|not|history|on|out)\b)\w)(?:'s)?"
)
"""Behind a name that is not of what its bearer has: "Rita's secretary"."""
_LEAVING: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "kin": ("buried|lost", _NOTHING),
        "pet": (_GIVEN_AWAY, _RUN_AWAY),
        "partner": (
            "",
            rf"{_NO_MORE}|moved out|(?:dumped|left) me|broke up with me|called (?:it )?off|{GONE}|ended it",
        ),
        "friend": ("", _NO_MORE),
        "housemate": (
            "",
            rf"{_NO_MORE}|{_AWAY}|moved out|left|found|evicted|(?:his|her|their) own (?:place|flat)",
        ),
        "neighbour": ("", rf"{_NO_MORE}|{_AWAY}|moved out"),
        "work": ("", rf"{_NO_MORE}|{_LEFT_WORK}"),
        "other": ("", rf"{_NO_MORE}|{_LEFT_WORK}|moved out"),
    }
)
"""Of each tie what ends it where it stands before the name, and where it stands behind; "" for whatever says
that something is over."""
_ELSEWHERE: Final = lazy_regex(r"\bmoved (?:to|on|back|abroad)\b|promoted|transferred")
"""What somebody at work does, and may stay what they are."""
_OF_BOTH: Final = lazy_regex(r" (?:and|&) i\b")
"""What two did: "Callum and I are done"."""
_OWN: Final = lazy_regex(
    any_of("(?:dropped|picked|took|taken) .*(?:off|up|at) | (?:off|from|over) (?:his|her|their|the|its)")
)
"""Behind words that look like an end: what is done for somebody, or taken from them."""


def ties_in(known: Statement, names: Iterable[str]) -> dict[str, Tie]:
    """The people and animals that a known statement speaks of, by name or by noun, each with what it is."""
    ties = {name: tie for name in names if (tie := tie_of(name, known)) is not None}
    words = plain(known.object or "") if known.relation in _HAVING else ()
    nouns = [word for word in words if word in PEOPLE or word in PETS or word in _WORK]
    has = known.relation != SAID
    return {word.removesuffix("s"): tie_of_noun(word)._replace(naming=has) for word in nouns} | ties


def tie_of_noun(noun: str) -> Tie:
    """What a noun says that somebody is."""
    return Tie(_kind_of(noun), naming=True, alone=noun not in PLURAL, by_name=False)


def tie_of(name: str, known: Statement) -> Tie | None:
    """What somebody by a name in small letters is in a known statement; None for what is nobody's name."""
    whole = known.relation in {SAID, CHANGED}
    text = known.object or "" if whole else known.text
    relation, value = ("", "") if whole else (known.relation or "", known.object or "")
    return _tie_of(name, known.subject, relation, value, text)


@lru_cache(maxsize=8192)
def _tie_of(name: str, subject: str, relation: str, value: str, text: str) -> Tie | None:
    told = names_of(subject, relation, value) if relation in NAMING else []
    noun = next((noun for one, noun in told if name in one.lower().split()), "")
    if noun:
        return Tie(_kind_of(noun), naming=True, alone=len(told) == 1)
    found = re.search(rf"(?<![\w'-])(?i:{re.escape(name)})\b", text)
    if found is None:
        return None
    before = _NOUN.search(text[: found.start()])
    word = before[1].lower() if before else ""
    if word in PEOPLE or word in PETS or word in _WORK | _PARTNERS:
        if text[: found.start()].rstrip() == subject:
            return Tie("pet" if word in PETS else "kin", naming=True, alone=True)
        return Tie(_kind_of(word), naming=relation in _HAVING or _HAS.search(text) is not None, alone=True)
    if before and re.search(r" (?:called|named) $", before.group()):
        return None
    head = subject.rpartition(" ")[2].lower()
    if relation in {"is named", "is called"} and (head in PEOPLE or head in PETS or head in _WORK):
        return Tie(_kind_of(head), naming=True, alone=True)
    titled = _TITLE.search(text[: found.start()]) is not None
    with_them = _WITH.search(text[: found.start()]) is not None and _CONTRACT.search(text) is None
    beside = with_them and kind_of(name.title()) is Kind.UNKNOWN
    return Tie("other", naming=False, alone=True) if titled or given_name(name) or beside else None


def _kind_of(noun: str) -> str:
    if noun in PETS:
        return "pet"
    tables = {"partner": _PARTNERS, "housemate": _HOUSEMATES, "neighbour": _NEIGHBOURS}
    tables |= {"friend": _FRIENDS, "work": _WORK}
    return next((kind for kind, nouns in tables.items() if noun in nouns), "kin")


def parting_of(part: Part | Piece, name: str, tie: Tie) -> End | None:
    """Whether a part of a message says that somebody by a name is no more what they are to the speaker."""
    low = part.low
    if name not in low:
        return None
    word = rf"\b{re.escape(name)}s?{_WHOSE}"
    if tie.by_name and re.search(rf"{word}{_AND_SO} (?:{_DEAD})(?!\w)", low):
        return "opposite" if tie.alone else "partly"
    before, behind = _LEAVING[tie.kind]
    start = "" if tie.by_name else r"^(?:(?:so|and|but|well|sadly|my|our|the) )*"
    left = re.search(rf"{start}{word}{_AND_SO} (?:{behind})(?!\w)", low)
    if left is None and not _is_left(part, before, name):
        return None
    did = left.group() if left else ""
    sure = tie.alone and not _ELSEWHERE.search(did) and (tie.naming or _OF_BOTH.search(did))
    return "opposite" if sure else "partly"


def _is_left(part: Part | Piece, before: str, name: str) -> bool:
    """Whether words before a name say that its bearer was left."""
    word = rf"{re.escape(name)}s?(?!\w|'s \w)"
    if re.search(rf"\blet {word} go\b", part.low):
        return True
    if before:
        return re.search(rf"\b(?:{before})\b (?:[\w']+ ){{0,2}}?{word}", part.low) is not None
    return is_over(part, name, named=True, given_up=True) and not _OWN.search(part.low)

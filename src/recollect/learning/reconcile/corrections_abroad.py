"""Corrections in German, French and Spanish, in the English words by which they are read.

"Quatsch, in Halle, nicht in Leipzig" is read like "sorry I meant Halle, not Leipzig", and "nee, 35" like
"no, 35". Values stay as they were said, but for days and months.
"""

import re
from typing import Final

from recollect.learning.listing import divided, either
from recollect.types.regex import lazy_regex

LONGEST: Final = 240
"""Characters of a message that is a correction; bounds the time. Chosen by hand."""
_SIGN: Final = r"[ ,.:;!\u2013\u2014-]+"
_SORRY: Final = (
    r"(?:(?:ach|oh|ah|\u00e4h|moment|stopp|sorry|ups|hoppla|entschuldigung|pardon|perd\u00f3n|warte)"
    rf"{_SIGN})*"
)
_MEANT: Final = (
    r"(?:quatsch|bl\u00f6dsinn|unsinn|falsch|vertippt|verschrieben|korrektur|ich meinte?(?: nat\u00fcrlich)?"
    r"|je voulais dire|je me suis tromp\u00e9e?|quise decir|me equivoqu\u00e9|quer\u00eda decir)"
)
_NO: Final = r"(?:nee|nein|n\u00f6|non|no(?=, (?:perd\u00f3n|el|en)\b))"
_LEAD: Final = lazy_regex(
    rf"\W*{_SORRY}(?:(?P<meant>(?:{_NO}{_SIGN}{_SORRY})?{_MEANT})|{_NO})\b{_SIGN}"
    rf"(?:(?:{_MEANT}|{_NO}){_SIGN})*"
    r"(?:(?:(?P<still>doch|erst)|es ist|es sind|das ist|ich bin|ich meinte?) )*",
    re.IGNORECASE,
)
_NOT: Final = lazy_regex(r", ?(?:(?:und|aber|et|y) )?(?:nicht|pas|no)\b| statt\b", re.IGNORECASE)
_NEXT: Final = lazy_regex(r"(?<=[^\d][.!?]) ")
"""Before the next sentence, which says more of it."""
_AT: Final = lazy_regex(
    r"(?P<before>(?:^|, not |i meant |no, ?))"
    r"(?:in|im|am|an|bei|beim|den|der|die|das|\u00e0|en|chez|el|la|le) ",
    re.IGNORECASE,
)
_ENGLISH: Final = dict(
    pair.split()
    for pair in divided(
        """
        montag Monday | dienstag Tuesday | mittwoch Wednesday | donnerstag Thursday | freitag Friday
        | samstag Saturday | sonnabend Saturday | sonntag Sunday | lundi Monday | mardi Tuesday
        | mercredi Wednesday | jeudi Thursday | vendredi Friday | samedi Saturday | dimanche Sunday
        | lunes Monday | martes Tuesday | miércoles Wednesday | jueves Thursday | viernes Friday
        | sábado Saturday | domingo Sunday | januar January | jänner January | februar February
        | märz March | mai May | juni June | juli July | oktober October | dezember December
        """
    )
)
_DAY: Final = lazy_regex(rf"\b{either(_ENGLISH)}\b", re.IGNORECASE)
_ORDINAL: Final = lazy_regex(r"\b(\d{1,2})\.(?= [A-Z])")
_NUMBERED: Final = lazy_regex(r"\b(?:am|den|der|le|el) (\d{1,2})(?:\.|er)?(?=[,.]|\s*$)", re.IGNORECASE)


def in_english(text: str) -> str:
    """A correction in one of these languages as English has it; any other text as it is.

    >>> in_english("Quatsch, in Halle, nicht in Leipzig.")
    'sorry I meant Halle, not Leipzig.'
    >>> in_english("nee, Mittwoch, nicht Dienstag"), in_english("no wait, 580")
    ('sorry I meant Wednesday, not Tuesday', 'no wait, 580')
    """
    lead = _LEAD.match(text) if len(text) <= LONGEST else None
    if lead is None:
        return text
    rest, contrasts = _NOT.subn(", not", text[lead.end() :], count=1)
    rest = _NEXT.split(rest, maxsplit=1)[0] if contrasts else rest
    meant = lead["meant"] or lead["still"] or contrasts
    told = f"{'sorry I meant ' if meant else 'no, '}{_NUMBERED.sub(_the, rest)}"
    told = _ORDINAL.sub(r"\1", _AT.sub(r"\g<before>", told))
    return _DAY.sub(lambda found: _ENGLISH[found.group().lower()], told)


def _the(found: re.Match[str]) -> str:
    return f"the {found[1]}th"

"""Appointments in German, French, Spanish and Portuguese: "consulta de endocrinologia a 14 de outubro".

The sentence made of one is English, with what it is for as it was said and the date in English.
"""

import re
from collections.abc import Iterator
from typing import Final

from recollect.learning.extraction.facts import PLANNED, Fact
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.types.regex import lazy_regex

_MONTHS: Final = (
    ("January", "janeiro|enero|janvier|januar|jänner"),
    ("February", "fevereiro|febrero|février|februar"),
    ("March", "março|marzo|mars|märz"),
    ("April", "abril|avril|april"),
    ("May", "maio|mayo|mai"),
    ("June", "junho|junio|juin|juni"),
    ("July", "julho|julio|juillet|juli"),
    ("August", "agosto|août|august"),
    ("September", "setembro|septiembre|septembre|september"),
    ("October", "outubro|octubre|octobre|oktober"),
    ("November", "novembro|noviembre|novembre|november"),
    ("December", "dezembro|diciembre|décembre|dezember"),
)
"""The months, in English and in these languages."""
_MONTH: Final = "|".join(names for _, names in _MONTHS)
_EVENT: Final = "consulta|marcação|reunião|cita|reunión|rendez-vous|(?:arzt|zahnarzt)?termin"
_EVENTS: Final = ("consulta", "marcação", "reuni", "cita", "rendez-vous", "termin")
_OF: Final = "de|do|da|no|na|com|com o|com a|con|con el|con la|del|chez le|chez la|chez|avec|beim|bei|mit"
_SAID: Final = lazy_regex(
    rf"\b(?P<what>(?:{_EVENT})(?: (?:{_OF}) (?!dia\b|día\b)[^\d\W][^\d,.!?:]{{1,40}}?)?)"
    r"(?P<set>,? (?:está |fica |ficou |é |ist |est )?(?:marcad[ao]|agendad[ao]|confirmad[ao]|fijada))?"
    r" ?(?:para |no |a |em |el |le |am |den )?(?:o )?(?:dia |día )?"
    rf"(?P<day>\d{{1,2}})\.? (?:de )?(?P<month>{_MONTH})\b(?: (?:de )?(?P<year>20\d\d))?"
    r"(?:,? (?:às|as|a las|à|um|pelas) (?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d))?)?",
    re.IGNORECASE,
)
_ASIDE: Final = lazy_regex(
    r"\?|\b(?:se|si|wenn|falls|não|no hay|nicht|keinen?|pas|cancelad[ao]|desmarcad[ao]|abgesagt|annulé)\b",
    re.IGNORECASE,
)
"""Makes a condition, a question or a denial of a sentence."""
_SENTENCE: Final = lazy_regex(r"[^.!?\n]+(?:(?:\.(?=\w)|(?<=\d)\.(?= \w))[^.!?\n]+)*[.!?]*")


def may_plan_abroad(text: str) -> bool:
    """Whether a word for an appointment in one of these languages is in a text.

    >>> may_plan_abroad("consulta a 14 de outubro"), may_plan_abroad("a dentist in October")
    (True, False)
    """
    lowered = text.lower()
    return any(event in lowered for event in _EVENTS) and _SAID.search(text) is not None


def plans_abroad(masked: str, speaker: str) -> Iterator[Fact]:
    """The appointments that a text tells of in one of these languages.

    >>> [fact.text for fact in plans_abroad("Termin beim Zahnarzt am 3. Mai um 9:30", "Ada")]
    ['Ada has an appointment (Termin beim Zahnarzt) on 3 May at 9:30.']
    """
    for sentence in _SENTENCE.finditer(masked):
        match = _SAID.search(sentence.group())
        if match is None or _ASIDE.search(sentence.group()):
            continue
        if " " not in match["what"] and not match["set"]:
            continue  # whose, and for what, nobody knows
        when = _english(match)
        said = SaidWords(
            relation="has an appointment",
            object=f"({match['what'].strip()}) {when}",
            said=f"has an appointment ({match['what'].strip()}) {when}",
            category="plan",
            confidence=PLANNED,
            quote=match.group(),
        )
        yield fact_of(speaker, SELF, said)


def _english(match: re.Match[str]) -> str:
    """The date in English."""
    named = match["month"].lower()
    month = next(month for month, names in _MONTHS if named in names.split("|"))
    year = f" {match['year']}" if match["year"] else ""
    hour = f" at {match['hour']}:{match['minute'] or '00'}" if match["hour"] else ""
    return f"on {match['day']} {month}{year}{hour}"

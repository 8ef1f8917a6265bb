"""Appointments in German, French, Spanish and Portuguese: "consulta de endocrinologia a 14 de outubro".

The sentence made of one is English, with what it is for as it was said and the date in English.
"""

import re
from collections.abc import Iterator
from typing import Final

from recollect.learning.extraction.facts import PLANNED, Fact
from recollect.learning.extraction.foreign_reading import SENTENCE
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
GERMAN_DAY: Final = lazy_regex(
    rf"(?<![\d.])(?P<day>\d{{1,2}})\. ?(?:(?P<month>{_MONTH})\b|(?P<number>\d{{1,2}})\.)"
    r"(?: ?(?P<year>20\d\d))?(?:,? (?:um |ab |gegen )?(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?"
    r"(?= uhr\b|$|[,.!]| (?:einen?|beim|bei|mit)\b))?",
    re.IGNORECASE,
)
"""A day in German, with the time of day: "22. September um 9:30 Uhr", "22.9., 11 Uhr"."""
_GERMAN_EVENT: Final = lazy_regex(
    r"\b(?P<what>termin (?:beim|bei der|bei|mit|im|in der|zur|zum) [^\W\d](?:[^,.!?:\d]|(?<=\bdr)\.){1,40}?"
    r"(?=\s*(?:$|(?<!\bdr)\.|[,!?:]| (?:am|ist|um|den|der|für|wurde|und|jetzt|auf)\b))"
    r"|\w+(?:termin|gespräch|untersuchung|prüfung|impfung|abnahme|besichtigung|übergabe|operation)"
    r"|übergabe|untersuchung|prüfung|klausur|impfung|besichtigung|operation|elternabend|hochzeit|beerdigung|taufe"
    r"|einschulung|meeting|besprechung|(?-i:OP|Umzug|Flug))\b",
    re.IGNORECASE,
)
_OF_THE_SPEAKER: Final = lazy_regex(
    r"\b(?:ich|wir|mir|uns)\b|^\W*(?:hab|habe|haben)\b"
    r"|^\W*(?:(?:also|so|und|der|die|das|meine?|unsere?|nächster?|neuer?|noch)[ ,:]+)*(?:\w*termin"
    r"|\w*gespräch|\w*untersuchung|\w*prüfung|\w*impfung|\w*abnahme|\w*besichtigung|\w*übergabe|\w*operation|klausur|op"
    r"|elternabend|hochzeit|beerdigung|taufe|einschulung|meeting|besprechung|umzug|flug)\b",
    re.IGNORECASE,
)
"""A sentence of what the speaker is to do, rather than somebody else."""
_ASIDE: Final = lazy_regex(
    r"\?|\b(?:se|si|wenn|falls|não|no hay|nicht|keinen?|pas|cancelad[ao]|desmarcad[ao]|abgesagt|annulé"
    r"|war|waren|hatte|hatten|lief|bestanden|geschafft|gewesen|gelaufen)\b",
    re.IGNORECASE,
)
"""Makes a condition, a question or a denial of a sentence, or tells of what is over."""


_MOVED: Final = lazy_regex(
    r"^(?!.*\b(?:wenn|falls|nicht|keinen?)\b)[^?]*\b(?:abgesagt|verschoben|verlegt)\b"
    r".{0,20}\bneuer termin\b[^?]*$",
    re.IGNORECASE,
)
"""Tells of another day for what was called off."""


def may_plan_abroad(text: str) -> bool:
    """Whether a word for an appointment in one of these languages is in a text.

    >>> may_plan_abroad("consulta a 14 de outubro"), may_plan_abroad("a dentist in October")
    (True, False)
    """
    lowered = text.lower()
    if any(event in lowered for event in _EVENTS) and _SAID.search(text) is not None:
        return True
    return GERMAN_DAY.search(text) is not None and _GERMAN_EVENT.search(text) is not None


def plans_abroad(masked: str, speaker: str) -> Iterator[Fact]:
    """The appointments that a text tells of in one of these languages.

    >>> [fact.text for fact in plans_abroad("Termin beim Zahnarzt am 3. Mai um 9:30", "Ada")]
    ['Ada has an appointment (Termin beim Zahnarzt) on 3 May at 9:30.']
    """
    for sentence in SENTENCE.finditer(masked):
        said = sentence.group()
        if _ASIDE.search(said) and not _MOVED.search(said):
            continue
        german = _german(said)
        match = german or _SAID.search(said)
        if match is None or (german is None and " " not in match["what"] and not match["set"]):
            continue  # whose, and for what, nobody knows
        what = (_GERMAN_EVENT.search(said) or match)["what"].strip() if german else match["what"].strip()
        yield _planned(what, match, said.strip() if german else match.group(), speaker)


def _german(said: str) -> re.Match[str] | None:
    """The one day of a German sentence that tells of something the speaker is to do."""
    days = list(GERMAN_DAY.finditer(said))
    own = _GERMAN_EVENT.search(said) is not None and _OF_THE_SPEAKER.search(said) is not None
    return days[0] if len(days) == 1 and own else None


def _planned(what: str, day: re.Match[str], quote: str, speaker: str) -> Fact:
    when = english_day(day)
    said = SaidWords(
        relation="has an appointment",
        object=f"({what}) {when}",
        said=f"has an appointment ({what}) {when}",
        category="plan",
        confidence=PLANNED,
        quote=quote,
    )
    return fact_of(speaker, SELF, said)


def english_day(match: re.Match[str]) -> str:
    """The day of a match in English, with its time."""
    named = (match["month"] or "").lower()
    number = match.groupdict().get("number")
    months = [month for month, names in _MONTHS if named in names.split("|")]
    month = months[0] if named else _MONTHS[min(int(number or 1), 12) - 1][0]
    year = f" {match['year']}" if match["year"] else ""
    hour = f" at {match['hour']}:{match['minute'] or '00'}" if match["hour"] else ""
    return f"on {match['day']} {month}{year}{hour}"

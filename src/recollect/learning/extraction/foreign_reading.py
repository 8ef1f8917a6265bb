"""A sentence of another language as the rules read it: without what only stands between.

"Bin leider auch gegen Nüsse allergisch" is read as "ich bin gegen Nüsse allergisch", and "Seit Mai wohne ich
in Graz" as "ich wohne in Graz". Places of the sentence as it was said are kept beside its words.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from recollect.learning.extraction.foreign_kin import NOUN, noun_abroad
from recollect.learning.extraction.tables import patterns_of
from recollect.types.regex import lazy_regex

_MONTHS: Final = (
    "jan(?:uar|ner)?|jänner|feb(?:ruar)?|märz|apr(?:il)?|mai|juni?|juli?|aug(?:ust)?|sept?(?:ember)?"
    "|okt(?:ober)?|nov(?:ember)?|dez(?:ember)?"
)
ORDINAL_BEHIND: Final = lazy_regex(
    rf" (?:{_MONTHS}|bis|und \d|um \d|klasse|monat|stock|etage|semester|geburtstag|woche"
    r"|schwangerschaftswoche|advent|weihnachtstag|lebensjahr|ist\b|habe?\b)",
    re.IGNORECASE,
)
"""Behind a number and a full stop: "22. September" is one sentence."""
SENTENCE: Final = lazy_regex(
    "[^.!?\u3002\uff01\uff1f\n]+(?:(?:\\.(?=\\w)"
    r"|(?<=\bDr)\.|(?<=\bProf)\."
    rf"|(?<=\d)\.(?={ORDINAL_BEHIND.pattern}))[^.!?\u3002\uff01\uff1f\n]+)*[.!?\u3002\uff01\uff1f]*",
    re.IGNORECASE,
)
"""A sentence in any of the languages; a full stop within "z.B." or behind an ordinal ends none."""
OF_OTHERS: Final = "(?:ist|hat|wohnt|lebt|arbeitet|isst|trinkt|mag|studiert|verträgt)"
"""German verbs of somebody else."""


class SentenceRead(NamedTuple):
    """Words as they are read, and for each character its place in the sentence as it was said."""

    words: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where characters of the reading stand in the sentence, from the first to behind the last."""
        return self.places[start], self.places[max(start, end - 1)] + 1


_FILLERS: Final = {
    language: lazy_regex(rf"(?<!\w)(?:(?:{words})(?!\w) ?)+", re.IGNORECASE)
    for language, words in patterns_of("foreign_fillers").items()
}
_VERBS: Final = (
    r"(?:bin|habe?|wohne?|lebe?|heiße?|heisse|arbeite?|esse?|trinke?|nehme?|mag|liebe|hasse|vertrage?|kann"
    r"|spreche?|lerne|studiere?|komme|stamme|verdiene|ernähre|sind|wohnen|haben|leben)"
)
"""German verbs of the speaker, also as they are spoken."""
_NOT_SELF: Final = (
    r"(?!(?:ich|wir|du|er|sie|es|ihr|man|mal|bitte|sich|wohl|dich|mich|uns|euch|gut|nur|hoch|and|the|is|day|bag"
    r"|men|lorry|collection|was)\b)"
)
_TURNED: Final = lazy_regex(rf"(?P<verb>\b{_VERBS}) (?P<who>ich|wir)\b", re.IGNORECASE)
_LEFT_OUT: Final = lazy_regex(
    rf"(?P<verb>\b(?!sind|wohnen|haben|leben|kann|mag){_VERBS}) {_NOT_SELF}", re.IGNORECASE
)
_HEAD: Final = lazy_regex(
    r"(?:^|[,;:\u2013]| (?=(?:und|aber|denn|oder)\b)) *(?:(?:und|aber|denn|oder|also|ja|nein|hallo|hi) )*",
    re.IGNORECASE,
)
"""Where a clause begins."""
_SPOKEN_START: Final = lazy_regex(
    r"(?:^|[.!?\n,:]|\bund\b) *(?:(?:also|ja|hallo|so|und) )?"
    rf"(?:habe?|wohne?|esse?|trinke?|nehme?|heiße?|arbeite|vertrage?|bin) {_NOT_SELF}(?=\w)",
    re.IGNORECASE,
)


_MY_KIN: Final = lazy_regex(
    rf"(?:^|, )(?P<who>(?:meine?|unsere?) (?:\w+ ){{1,3}}?)(?={OF_OTHERS}\b)(?!.*\b(?:ich|wir)\b)",
    re.IGNORECASE,
)
_IS_KIN: Final = lazy_regex(
    rf"\W*(?P<what>(?P<name>\w+) ist (?P<who>(?:meine?) (?:beste )?{NOUN})), (?:und )?(?:sie|er) "
    rf"(?={OF_OTHERS}\b)",
    re.IGNORECASE,
)
"""Tells who somebody is, and goes on with "sie": "Svenja ist meine Freundin, sie arbeitet bei Bosch"."""
_AND_DOES: Final = lazy_regex(rf" und (?={OF_OTHERS}\b)", re.IGNORECASE)
_WHO: Final = lazy_regex(rf"(?P<name>\w+)(?= {OF_OTHERS}\b)")


def leaves_out_the_speaker(text: str) -> bool:
    """Whether a German text may leave out "ich".

    >>> leaves_out_the_speaker("Bin allergisch"), leaves_out_the_speaker("Bin day is Monday")
    (True, False)
    """
    return _SPOKEN_START.search(text) is not None


_SMALL_NAME: Final = lazy_regex(
    rf"\b(?:meine?|unsere?) {NOUN} (?!(?:und|oder|aber|auch|selbst|dagegen|jedoch)\b)"
    rf"(?P<name>[^\W\d_]{{3,}})(?= {OF_OTHERS}\b)"
)
_CAPITAL: Final = lazy_regex(r"[^\W\d_a-z\u00df-\u00ff]")


def with_names(text: str) -> str:
    """A text of the same length, with a capital for each German name beside a noun where it has none at all.

    >>> with_names("meine schwester wiebke hat frei")
    'meine schwester Wiebke hat frei'
    """
    if _CAPITAL.search(text):
        return text
    for match in _SMALL_NAME.finditer(text):
        start = match.start("name")
        text = text[:start] + text[start].upper() + text[start + 1 :]
    return text


def read_abroad(sentence: str, language: str, people: Mapping[str, str] | None = None) -> SentenceRead:
    """A sentence as the rules of its language read it.

    ``people``: names told before, which are read with what each is to the speaker.

    >>> read_abroad("Seit Mai wohne ich in Graz", "de").words
    'ich wohne in Graz'
    """
    reading = SentenceRead(sentence, tuple(range(len(sentence))))
    if language in _FILLERS:
        for match in reversed(list(_FILLERS[language].finditer(sentence))):
            reading = _replaced(reading, match, "")
    return _with_kin(_with_speaker(reading), people or {}) if language == "de" else reading


def _with_speaker(reading: SentenceRead) -> SentenceRead:
    """A German reading with "ich" before the verb of each clause that turns or leaves it out."""
    places = [head.end() for head in _HEAD.finditer(reading.words)]
    for place in reversed(places):
        for pattern, put in ((_TURNED, r"\g<who> \g<verb>"), (_LEFT_OUT, r"ich \g<verb> ")):
            match = pattern.match(reading.words, place)
            if match is not None:
                reading = _replaced(reading, match, match.expand(put))
                break
    return reading


def _with_kin(reading: SentenceRead, people: Mapping[str, str]) -> SentenceRead:
    """A German reading with "meine" and what somebody known is before their name and a verb."""
    for head in reversed(list(_HEAD.finditer(reading.words))):
        named = _WHO.match(reading.words, head.end())
        noun = noun_abroad(people.get(named["name"], "")) if named is not None else ""
        if named is not None and noun:
            reading = _replaced(reading, named, f"meine {noun} {named['name']}")
    told = _IS_KIN.match(reading.words)
    if told is not None:
        reading = _replaced(reading, told, f"{told['what']}, {told['who']} {told['name']} ")
    first = _MY_KIN.search(reading.words)
    if first is not None:
        for link in reversed(list(_AND_DOES.finditer(reading.words, first.end()))):
            reading = _replaced(reading, link, f" und {first['who'].strip()} ")
    return reading


def _replaced(reading: SentenceRead, match: re.Match[str], put: str) -> SentenceRead:
    words, places = reading
    start, end = match.span()
    stand = places[start : start + 1] * len(put)
    return SentenceRead(words[:start] + put + words[end:], places[:start] + stand + places[end:])

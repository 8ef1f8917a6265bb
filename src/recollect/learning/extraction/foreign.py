"""The plainest statements of German, French, Spanish and Chinese.

Read are name, age, home, origin, work, tastes, diet, allergies, languages, family and pets, in the first
person (Spanish may leave it out), and "my favourite ... is". Questions, conditions, suppositions, what
somebody says or thinks, and statements about others are left alone. The sentence made of one is English,
with the object in its own language: "Ada likes Pilze."
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from recollect.learning.extraction.facts import EXPLICIT, SHARED, Category, Change, Fact
from recollect.learning.extraction.foreign_kin import NOUN
from recollect.learning.extraction.foreign_people import kin_of
from recollect.learning.extraction.foreign_plans import GERMAN_DAY, english_day
from recollect.learning.extraction.foreign_reading import (
    OF_OTHERS,
    SENTENCE,
    SentenceRead,
    leaves_out_the_speaker,
    read_abroad,
    with_names,
)
from recollect.learning.extraction.foreign_sense import (
    asks_or_reports,
    is_felt_abroad,
    is_given,
    is_ironic,
    is_of_the_moment,
    makes_sense,
    opens_a_text,
)
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.tables import RULES, patterns_of
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.types.regex import lazy_regex


class _Saying(NamedTuple):
    """What a beginning says: the relation, as it is shown, and shown denied; its kind."""

    relation: str
    said: str
    denied: str
    category: Category
    single: bool = False
    change: Change | None = None


_SAYINGS: Final[Mapping[str, _Saying]] = {
    "name": _Saying("is named", "is named", "is not named", "context", single=True),
    "given": _Saying("is named", "is named", "is not named", "context", single=True),
    "moved": _Saying("lives in", "moved to", "did not move to", "context", single=True, change="begun"),
    "job": _Saying("works as", "is", "is not", "context", single=True),
    "studies": _Saying("studies", "studies", "does not study", "context"),
    "tolerate": _Saying("tolerates", "tolerates", "does not tolerate", "context"),
    "ill": _Saying("suffers from", "has", "does not have", "context"),
    "intolerant": _Saying("is", "is", "is not", "context"),
    "marital": _Saying("has marital status", "is", "is not", "context", single=True),
    "turned": _Saying("is aged", "turned", "did not turn", "context", single=True, change="begun"),
    "dose": _Saying("takes", "takes", "does not take", "context", single=True),
    "birthday": _Saying("birthday", "has a birthday", "has no birthday", "context", single=True),
    "earn": _Saying("earns", "earns", "does not earn", "context", single=True),
    "home": _Saying("lives in", "lives in", "does not live in", "context", single=True),
    "origin": _Saying("comes from", "is from", "is not from", "context", single=True),
    "at": _Saying("works at", "works at", "does not work at", "context", single=True),
    "as": _Saying("works as", "works as", "does not work as", "context", single=True),
    "like": _Saying("likes", "likes", "does not like", "preference"),
    "love": _Saying("loves", "loves", "does not love", "preference"),
    "prefer": _Saying("prefers", "prefers", "does not prefer", "preference"),
    "hate": _Saying("hates", "hates", "does not hate", "preference"),
    "eat": _Saying("eats", "eats", "does not eat", "preference"),
    "drink": _Saying("drinks", "drinks", "does not drink", "preference"),
    "allergy": _Saying("is allergic to", "is allergic to", "is not allergic to", "context"),
    "diet": _Saying("has diet", "is", "is not", "preference", single=True),
    "speak": _Saying("speaks", "speaks", "does not speak", "skill"),
    "learn": _Saying("is learning", "is learning", "is not learning", "context"),
    "have": _Saying("has", "has", "does not have", "context"),
    "age": _Saying("is aged", "is", "is not", "context", single=True),
}
_BEGINNINGS: Final = RULES["foreign"]
"""In each line a language, what is said, and how a statement of it begins; the object follows."""

_SIGNS: Final = r",;:.!?()\uff0c\u3002\uff1b\uff1a\uff01\uff1f\u3001"
_ZH: Final = rf"[^\s{_SIGNS}]"
_MACROS: Final = {
    "<my_kin>": r"(?:meine?|unsere?) (?:(?:(?P<best>beste)|kleine|gro\u00dfe|\u00e4ltere)r? )?<kin>"
    r"(?: (?P<named>(?-i:[A-Z\u00c4\u00d6\u00dc])[\w'-]+))?",
    "<kin>": NOUN,
    "<some>": f"{_ZH}{{1,12}}",
    **{f"<{name}>": pattern for name, pattern in patterns_of("foreign_words").items()},
}
_AND_I: Final = {
    "de": r" (?:und|aber|weil|denn|seit|oder) (?:ich|wir|er|sie|es|meine?|wohne|arbeite|spreche|komme|habe"
    r"|bin|ist|hat|wohnt|lebt|arbeitet|isst|trinkt|mag|kommt|geht|macht|darf|muss|will|kann|fährt|spielt)\b",
    "fr": r" (?:et|mais|car|parce|depuis) (?:je\b|j'|nous\b|que\b|il\b|elle\b)| depuis ",
    "es": r" (?:y|pero|porque|desde|aunque|así que) ",
    "zh": "(?!)",
}
"""Where an object ends, beside at a sign: another statement, or since when."""
_BEFORE: Final = {
    "de": r"(?:\bund|\baber|\bdenn|\bhallo|\bhi|\balso|\bja|\bnein|\bübrigens)[ ,]+",
    "fr": r"(?:\bet|\bmais|\bbonjour|\bsalut|\bmoi|\boui|\bnon)[ ,]+",
    "es": r"(?:\by|\bpero|\bhola|\bsí|\bno,|\byo)[ ,]+",
    "zh": "你好",
}
"""What may stand before a statement, beside a sign."""
_SELF_SAID: Final = {
    "de": lazy_regex(r"\b(?:ich|wir|mein\w*|unsere?)\b", re.IGNORECASE),
    "fr": lazy_regex(r"\b(?:je|nous|mon|ma)\b|\bj['\u2019]", re.IGNORECASE),
    "es": lazy_regex(
        r"\b(?:me (?:llamo|gusta|encanta)|mi (?:nombre|\w+ (?:favorit|preferid))|soy|viv(?:o|imos)|trabajo"
        r"|mi \w+ es alérgic|hablo|tengo|prefiero|odio|no (?:como|bebo)|estoy)",
        re.IGNORECASE,
    ),
    "zh": lazy_regex("我"),
}
"""What a text in the language holds when it says something of its speaker."""
_FAVOURITES: Final = {
    "de": r"\bmeine? (?P<what>lieblings\w+) (?:ist|sind) ",
    "fr": r"\b(?:mon|ma) (?P<what>\w+) préférée? est (?:(?:le|la|les) |l')?",
    "es": r"\bmi (?P<what>\w+) (?:favorit|preferid)[oa] es (?:(?:el|la|los|las) )?",
    "zh": rf"我最喜欢的(?P<what>(?:(?!是){_ZH}){{1,8}})是",
}
_MOST: Final = 400
"""Characters of a sentence that are looked at; longer ones are no plain statements. Chosen by hand."""


def _object(language: str) -> str:
    most = 20 if language == "zh" else 80
    return rf"(?P<o>[^{_SIGNS}]{{1,{most}}}?)(?={_AND_I[language]}|[{_SIGNS}]|\s*$)"


def _compiled(language: str, beginning: str) -> re.Pattern[str]:
    for name, pattern in _MACROS.items():
        beginning = beginning.replace(name, pattern)
    before = rf"(?:^\s*|[{_SIGNS}]\s*|{_BEFORE[language]})"
    if "(?P<o>" in beginning:
        return lazy_regex(rf"{before}(?:{beginning})", re.IGNORECASE)
    joint = "" if language == "zh" else r"(?: |(?<= )|(?<='))"
    return lazy_regex(f"{before}(?:{beginning}){joint}{_object(language)}", re.IGNORECASE)


def _rows() -> Mapping[str, list[tuple[re.Pattern[str], _Saying, str]]]:
    found: dict[str, list[tuple[re.Pattern[str], _Saying, str]]] = {language: [] for language in _SELF_SAID}
    for line in _BEGINNINGS.strip().replace("\n ", "").splitlines():
        head, _, beginning = line.partition(": ")
        language, _, name = head.partition(" ")
        for one in beginning.split("|我") if language == "zh" else [beginning]:
            whole = one if one.startswith("我") or language != "zh" else f"我{one}"
            found[language].append((_compiled(language, whole), _SAYINGS[name], name))
    return found


_ROWS: Final = _rows()
_DOES: Final = lazy_regex(rf"(\w+)(?= {OF_OTHERS}\b)")
_FAVOURITE: Final = {
    language: lazy_regex(pattern + _object(language), re.IGNORECASE)
    for language, pattern in _FAVOURITES.items()
}


_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


def languages_of(text: str, people: Mapping[str, str] = _NOBODY) -> list[str]:
    """The languages, of those read here, in which a text may speak of its speaker.

    ``people``: names told before, of whom German may tell without "my".

    >>> languages_of("Ich mag Pilze"), languages_of("I like mushrooms"), languages_of("Wohne in Halle")
    (['de'], [], ['de'])
    """
    found = [language for language, said in _SELF_SAID.items() if said.search(text)]
    of_others = any(name in people for name in _DOES.findall(text))
    return found if "de" in found or not (of_others or leaves_out_the_speaker(text)) else ["de", *found]


def is_unsaid(sentence: str) -> bool:
    """Whether a sentence in one of the languages asks, supposes, or says what somebody says or thinks.

    >>> is_unsaid("Ann sagt, ich wohne in Rom"), is_unsaid("Ich wohne in Rom"), is_unsaid("Ann says hi")
    (True, False, False)
    """
    return bool(languages_of(sentence)) and asks_or_reports(sentence)


def foreign_facts(masked: str, text: str, speaker: str, people: Mapping[str, str]) -> list[Fact]:
    """The facts that plain statements in the other languages make; empty for a text in none of them.

    ``people``: names told before, and what each is to the speaker.
    """
    languages = languages_of(text, people)
    found: list[Fact] = []
    before = ""
    for match in SENTENCE.finditer(with_names(masked.replace("\u2019", "'"))) if languages else ():
        said = match.group()
        if opens_a_text(said):
            break
        if len(said) <= _MOST and not asks_or_reports(said):
            for language in languages:
                found += _of_sentence(_Sentence(match, before, language, text, speaker, people))
        before = said
    return list(dict.fromkeys(found))


class _Sentence(NamedTuple):
    """A sentence, and what is known of it."""

    match: re.Match[str]
    before: str
    language: str
    text: str
    speaker: str
    people: Mapping[str, str]


def _of_sentence(sentence: _Sentence) -> Iterator[Fact]:
    said = sentence.match.group().rstrip(" .!?\u3002\uff01\uff1f")
    reading = read_abroad(said, sentence.language, sentence.people)
    favourite = _FAVOURITE[sentence.language].search(sentence.match.group())
    if favourite is not None:
        yield _favourite(favourite, sentence)
        return
    for pattern, saying, name in _ROWS[sentence.language]:
        match = pattern.search(reading.words)
        if match is not None and match["o"].strip() and (name != "given" or is_given(match["o"])):
            yield from _fact(saying, match, reading, sentence)


_ADVERBS: Final = lazy_regex(
    r"(?:(?:gerade|grad|seit kurzem|ya) )+(?:l'|le |la |les |el )?(?=\S)", re.IGNORECASE
)
"""Stand before an object and say nothing of it: "ich lerne gerade Spanisch"."""
_ALLERGIC: Final = lazy_regex(" allergisch$|-?allergie$", re.IGNORECASE)
"""Stands behind what somebody is allergic to: "Nussallergie"."""
_NOT_BEHIND: Final = lazy_regex(
    r" (?:(?:ganz und gar|überhaupt|gar|absolut|wirklich|so) )*nicht(?: mehr)?"
    r"(?: (?:so |besonders |unbedingt )?(?:gerne?|besonders|so|leiden))?$",
    re.IGNORECASE,
)
"""Denies what stands before it: "Pilze gar nicht"."""
_NO_MORE: Final = lazy_regex(r" (?:nicht )?mehr$", re.IGNORECASE)
_US: Final = lazy_regex(r"\b(?:wir|nous|\w+imos)\b", re.IGNORECASE)
_ENGLISH: Final = {
    "verheiratet": "married",
    "geschieden": "divorced",
    "verwitwet": "widowed",
    "verlobt": "engaged",
}


class _Value(NamedTuple):
    """What a statement says of its relation: the words, and whether it is denied, or is so no more."""

    words: str
    negated: bool
    gone: bool


def _value(saying: _Saying, match: re.Match[str], words: str) -> _Value:
    groups = match.groupdict()
    value = match["o"].strip() + (_more(match, words) if saying.relation in _LISTS else "")
    value = _ADVERBS.sub("", value).removesuffix("工作").removesuffix("过敏")
    value = _ALLERGIC.sub("", value)
    negated = groups.get("no") is not None or groups.get("not") is not None
    if behind := _NOT_BEHIND.search(value):
        value, negated = value[: behind.start()], True
    if saying.relation == "birthday" and (day := GERMAN_DAY.match(value)):
        value = english_day(day)
    gone = negated and _NO_MORE.search(match.group()) is not None
    value = _NO_MORE.sub("", value) if gone else value
    return _Value(_ENGLISH.get(value.lower(), value), negated, gone)


def _fact(
    saying: _Saying, match: re.Match[str], reading: SentenceRead, sentence: _Sentence
) -> Iterator[Fact]:
    value = _value(saying, match, reading.words)
    last = reading.span(*match.span("o"))[1]
    start, end = reading.span(*match.span())
    said = sentence.match.group()
    clause = said[max(said.rfind(sign, 0, start) for sign in ",;:") + 1 : last]
    ironic = is_felt_abroad(saying.relation) and is_ironic(said, sentence.before)
    unloved = saying.relation == "loves" and value.negated
    which = _WHICH.match(reading.words, match.end("o")) is not None
    if ironic or unloved or which or not value.words or is_of_the_moment(saying.relation, clause):
        return
    if makes_sense(saying.relation, value.words, sentence.language, said):
        offset = sentence.match.start()
        quote = sentence.text[offset + start : offset + max(last, end)]
        yield _told(saying, value, match, quote.strip(_TRIMMED), sentence.speaker)


_WHICH: Final = lazy_regex(r", (?:die|der|das|den|dem|denen|deren|welche\w*|qui|que|dont) ", re.IGNORECASE)
"""Tells which of a kind is meant, so that the kind alone is not: "keine Leute, die lügen"."""
_TRIMMED: Final = " ,;:.!\uff0c\u3002\uff1b"


def _told(saying: _Saying, value: _Value, match: re.Match[str], quote: str, speaker: str) -> Fact:
    groups = match.groupdict()
    dose = groups.get("dose")
    said = SaidWords(
        relation=f"{saying.relation} {value.words.lower()}" if dose else saying.relation,
        object=dose or value.words,
        said=f"{saying.denied if value.negated else saying.said} {f'{dose} ' if dose else ''}{value.words}",
        category=saying.category,
        confidence=SHARED if _US.search(match.group()) else EXPLICIT,
        quote=quote,
        single=saying.single,
        negated=value.negated,
        change="ended" if value.gone else saying.change,
    )
    if not groups.get("noun"):
        return fact_of(speaker, SELF, said)
    best = groups.get("best") is not None
    return fact_of(speaker, kin_of(groups["noun"], groups.get("named") or "", best=best), said)


_LISTS: Final = frozenset(("is allergic to", "likes", "eats", "drinks", "tolerates"))
_ITEM: Final = (
    r"(?!(?:ich|wir|er|sie|es|das|die|der|bin|ist|habe?|also|aber|je|il|elle|mais|yo|pero|no)\b)"
    r"[^\W\d_][\w-]*"
)
_MORE: Final = lazy_regex(
    rf"(?:, ?{_ITEM})*,? (?:und|oder|sowie|et|ou|y|e|o) {_ITEM}(?=\s*$|[,;:.!?()]| allergisch$)"
)


def _more(match: re.Match[str], words: str) -> str:
    """What else a list names behind its first thing: ", Katzen und Pollen"."""
    more = _MORE.match(words, match.end("o"))
    return more.group() if more is not None else ""


def _favourite(match: re.Match[str], sentence: _Sentence) -> Fact:
    offset, text = sentence.match.start(), sentence.text
    value = text[offset + match.start("o") : offset + match.end("o")].strip()
    what = text[offset + match.start("what") : offset + match.end("what")]
    said = SaidWords(
        relation=f"favourite {what}",
        object=value,
        said="",
        category="preference",
        confidence=EXPLICIT,
        quote=text[offset + match.start() : offset + match.end("o")].strip(),
        single=True,
        whole=f"{sentence.speaker}'s favourite {what} is {value}",
    )
    return fact_of(sentence.speaker, SELF, said)

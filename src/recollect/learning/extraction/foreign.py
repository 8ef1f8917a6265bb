"""The plainest statements of German, French, Spanish and Chinese.

Read are name, age, home, origin, work, tastes, diet, allergies, languages, family and pets, in the first
person (Spanish may leave it out), and "my favourite ... is". Questions, conditions, suppositions, what
somebody says or thinks, and statements about others are left alone. The sentence made of one is English,
with the object in its own language: "Ada likes Pilze."
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from recollect.learning.extraction.facts import EXPLICIT, SHARED, Category, Fact
from recollect.learning.extraction.foreign_people import NOUN, kin_of
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.tables import RULES
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.text.entities.vocabulary import PLACES
from recollect.types.regex import lazy_regex


class _Saying(NamedTuple):
    """What a beginning says: the relation, as it is shown, and shown denied; its kind."""

    relation: str
    said: str
    denied: str
    category: Category
    single: bool = False


_SAYINGS: Final[Mapping[str, _Saying]] = {
    "name": _Saying("is named", "is named", "is not named", "context", single=True),
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
    "<no>": "(?P<no>keine?[nmrs]?)",
    "<the>": "(?:(?:le|la|les|el|los|las) |l')",
    "<kin>": NOUN,
    "<some>": f"{_ZH}{{1,12}}",
    "<adverb>": r"(?!(?:nicht|nie|nur|bald|beinahe|fast|früher|damals)\b)\w+ ",
}
_AND_I: Final = {
    "de": r" (?:und|aber|weil|denn|seit|oder) (?:ich|wir|er|sie|es|wohne|arbeite|spreche|komme|habe|bin)\b",
    "fr": r" (?:et|mais|car|parce|depuis) (?:je\b|j'|nous\b|que\b|il\b|elle\b)| depuis ",
    "es": r" (?:y|pero|porque|desde|aunque) ",
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
    "de": lazy_regex(r"\b(?:ich|wir|meine?)\b", re.IGNORECASE),
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
_NOT_SAID: Final = lazy_regex(
    "[?\uff1f\u00bf]|吗|呢|什么|哪|谁|如果|要是|假如"
    r"|\b(?:wenn|falls|ob|würde|wäre|hätte|könnte|wann|warum|weißt|glaube|denke|soll|was|wo|wer|wie"
    r"|stell dir|si|est-ce|quoi|où|quand|pourquoi|aimerais|voudrais|serais|imagine[zs]?|qué|dónde|cuándo"
    r"|cómo|quién|viviera|gustaría|ojalá|creo que|sabes|imagina)\b",
    re.IGNORECASE,
)
"""Asks, or makes a condition."""
_REPORTED: Final = lazy_regex(
    r"\b(?:sag(?:e|t|ten?|st|en)|gesagt|meint(?:en?|est)?|meinst|gemeint|behaupt\w*|erzähl\w*"
    r"|frag(?:e|st|te?n?)|glaub\w*|denk\w*|dacht\w*|gehört|schrieb(?:en)?|geschrieben|schreib[et]?"
    r"|übersetz\w*|vermut\w*|es heißt|heißt es|laut|zufolge|angeblich|angenommen|annahme|vorausgesetzt"
    r"|nehmen wir an|nimm an|gesetzt den|stell\w* (?:dir|euch|sie sich|wir uns)|als (?:ob|wäre|hätte)"
    r"|tu[en]? \w+ so|geträumt|träum\w*|vielleicht|womöglich"
    r"|(?:im|in einem|dem) (?:roman|film|buch|spiel|text|lied|gedicht|traum|rollenspiel|scherz|spaß)"
    r"|beispielsatz|ironisch|haha\w*|hihi\w*|lol)\b|, nicht\W*\Z"
    r"|\b(?:dit|dis(?:ent|ait|aient)?|affirm\w*|prétend\w*|racont\w*|pens(?:e|es|ent|ait)|croi(?:t|ent|s)"
    r"|selon|d'après|suppos\w*|admettons|imagin\w*|paraît|écri[st]|tradui[st]|rêv\w*|blague|mdr)\b"
    r"|\b(?:dicen?|dij\w+|decía\w*|digo|digamos|afirma\w*|contó|piensan?|creen?|según|supon\w*"
    r"|supuest\w*|imagin\w*|parece|soñ\w*|sueñ\w*|escribe|traduce|broma|ja(?:ja)+)\b"
    r"|[他她它]们?[^\W\d_]{0,4}[说讲]|据说|听说|有人说|想象|假设|假装|开玩笑",
    re.IGNORECASE,
)
"""Says that somebody says, thinks, dreams, plays or supposes it. A sentence with such a word teaches
nothing: in these languages too little is read to tell whose words are whose."""
_SENTENCE: Final = lazy_regex("[^.!?\u3002\uff01\uff1f\n]+[.!?\u3002\uff01\uff1f]*")
_MOST: Final = 400
"""Characters of a sentence that are looked at; longer ones are no plain statements. Chosen by hand."""


def _object(language: str) -> str:
    most = 20 if language == "zh" else 80
    return rf"(?P<o>[^{_SIGNS}]{{1,{most}}}?)(?={_AND_I[language]}|[{_SIGNS}]|\s*$)"


def _compiled(language: str, beginning: str) -> re.Pattern[str]:
    for name, pattern in _MACROS.items():
        beginning = beginning.replace(name, pattern)
    before = rf"(?:^|[{_SIGNS}]\s*|{_BEFORE[language]})"
    joint = "" if language == "zh" else r"(?: |(?<= )|(?<='))"
    return lazy_regex(f"{before}(?:{beginning}){joint}{_object(language)}", re.IGNORECASE)


def _rows() -> Mapping[str, list[tuple[re.Pattern[str], _Saying]]]:
    found: dict[str, list[tuple[re.Pattern[str], _Saying]]] = {language: [] for language in _SELF_SAID}
    for line in _BEGINNINGS.strip().replace("\n ", "").splitlines():
        head, _, beginning = line.partition(": ")
        language, _, name = head.partition(" ")
        for one in beginning.split("|我") if language == "zh" else [beginning]:
            whole = one if one.startswith("我") or language != "zh" else f"我{one}"
            found[language].append((_compiled(language, whole), _SAYINGS[name]))
    return found


_ROWS: Final = _rows()
_FAVOURITE: Final = {
    language: lazy_regex(pattern + _object(language), re.IGNORECASE)
    for language, pattern in _FAVOURITES.items()
}


def languages_of(text: str) -> list[str]:
    """The languages, of those read here, in which a text may speak of its speaker.

    >>> languages_of("Ich mag Pilze"), languages_of("I like mushrooms")
    (['de'], [])
    """
    return [language for language, said in _SELF_SAID.items() if said.search(text)]


def is_unsaid(sentence: str) -> bool:
    """Whether a sentence in one of the languages asks, supposes, or says what somebody says or thinks.

    >>> is_unsaid("Ann sagt, ich wohne in Rom"), is_unsaid("Ich wohne in Rom"), is_unsaid("Ann says hi")
    (True, False, False)
    """
    return bool(languages_of(sentence)) and _is_unsaid(sentence)


def _is_unsaid(sentence: str) -> bool:
    return _NOT_SAID.search(sentence) is not None or _REPORTED.search(sentence) is not None


def foreign_facts(masked: str, text: str, speaker: str) -> list[Fact]:
    """The facts that plain statements in the other languages make; empty for a text in none of them."""
    languages = languages_of(text)
    found: list[Fact] = []
    for match in _SENTENCE.finditer(masked.replace("\u2019", "'")) if languages else ():
        if len(match.group()) > _MOST or _is_unsaid(match.group()):
            continue
        for language in languages:
            found += _of_sentence(language, match, text, speaker)
    return list(dict.fromkeys(found))


def _of_sentence(language: str, sentence: re.Match[str], text: str, speaker: str) -> Iterator[Fact]:
    said = sentence.group()
    favourite = _FAVOURITE[language].search(said)
    if favourite is not None:
        yield _favourite(favourite, sentence.start(), text, speaker)
        return
    for pattern, saying in _ROWS[language]:
        match = pattern.search(said)
        if (
            match is not None
            and match["o"].strip()
            and (saying.relation != "comes from" or _is_place(match["o"]))
        ):
            yield _fact(saying, match, sentence.start(), text, speaker)


def _is_place(value: str) -> bool:
    """Whether somebody may come from there: no other time, and no good family."""
    words = _THE.sub("", value.strip())
    return not words[:1].islower() or words.title() in PLACES


_THE: Final = lazy_regex(r"(?:l'|(?:der|dem|den|die|la|le|les|el|los|las) )", re.IGNORECASE)
_ADVERBS: Final = lazy_regex(
    r"(?:(?:übrigens|auch|jetzt|gerade|schon|noch|zurzeit|derzeit|seit kurzem|aussi|maintenant|actuellement"
    r"|toujours|encore|d'ailleurs|también|ahora|ya|todavía|aún) )+(?:l'|le |la |les |el )?(?=\S)",
    re.IGNORECASE,
)
"""Stand before an object and say nothing of it: "ich lerne übrigens Spanisch"."""
_ALLERGIC: Final = lazy_regex(" allergisch$|allergie$")
"""Stands behind what somebody is allergic to: "Nussallergie"."""
_US: Final = lazy_regex(r"\b(?:wir|nous|\w+imos)\b", re.IGNORECASE)


def _fact(saying: _Saying, match: re.Match[str], offset: int, text: str, speaker: str) -> Fact:
    first, last = (offset + place for place in match.span("o"))
    value = _ADVERBS.sub("", text[first:last].strip()).removesuffix("工作").removesuffix("过敏")
    value = _ALLERGIC.sub("", value)
    groups = match.groupdict()
    negated = bool(groups.get("no") or groups.get("not"))
    said = SaidWords(
        relation=saying.relation,
        object=value,
        said=f"{saying.denied if negated else saying.said} {value}",
        category=saying.category,
        confidence=SHARED if _US.search(match.group()) else EXPLICIT,
        quote=text[offset + match.start() : last].strip(" ,;:.!\uff0c\u3002\uff1b"),
        single=saying.single,
        negated=negated,
    )
    return fact_of(speaker, kin_of(groups["noun"]) if groups.get("noun") else SELF, said)


def _favourite(match: re.Match[str], offset: int, text: str, speaker: str) -> Fact:
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
        whole=f"{speaker}'s favourite {what} is {value}",
    )
    return fact_of(speaker, SELF, said)

"""Names of family and animals in German, French, Spanish and Portuguese: "a Bolacha (a minha gata)".

Read are a name beside "my" and a noun, and somebody new with a name: "adotámos uma gata chamada Mel". That
somebody known by name died is read in English, too.
"""

import re
from collections.abc import Iterator
from typing import Final

from recollect.learning.extraction.facts import EXPLICIT, SHARED, Fact
from recollect.learning.extraction.foreign_kin import BEST_FRIEND, NOUN, NOUNS
from recollect.learning.extraction.foreign_reading import SENTENCE, with_names
from recollect.learning.extraction.subjects import SELF, Subject, kind_of
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import listed
from recollect.learning.reconcile.endings import MOURNS
from recollect.types.regex import lazy_regex

_WORD: Final = lazy_regex(r"\w+")
_TELLING: Final = NOUNS.keys() | listed(
    "morreu faleceu murió muerto mort morte gestorben died passed sleep put rainbow"
)
"""Words without one of which nothing is told here."""
_MY: Final = r"(?:(?:[ao] )?(?:minha|meu)|(?:meine?|unsere?)[mnr]?|ma|mon|mi)(?P<new> neuer?)?"
_NAME: Final = r"(?P<name>[A-ZÀ-Ý][\w'\u2019-]+)"
_FULL: Final = r"(?P<name>(?:(?:Frau|Herr|Dr\.) )?[A-ZÀ-Ý][\w'\u2019-]+(?: [A-ZÀ-Ý][\w'\u2019-]+)?)"
_NOBODY: Final = (
    r"(?!(?i:der|die|den|dem|eine?r?|meine?|unsere?|keine?r?|so|nur|auch|das|dies\w*|er|sie|es|hier|wer|da|dort|heute|jetzt|morgen|ce|c|esta|este|esa|ese|esto|ella|elle|il"
    r"|é|isto)\b)"
)
"""Before what is no name."""
_CALLED: Final = (
    r"(?:chamad[oa]|llamad[oa]|de nome|namens|que se llama|qui s['\u2019]appelle|nommée?|appelée?)"
)
_HAVE: Final = lazy_regex(
    r"\b(?:adot[aá]mos|adoptámos|adotei|adoptei|tenho|temos|comprámos|adopté|adoptamos|tengo|tenemos|ich habe"
    r"|wir haben|j['\u2019]ai|nous avons|on a)\b",
    re.IGNORECASE,
)
_SAID: Final = (
    lazy_regex(rf"{_NAME} ?[(,] ?(?i:{_MY} {NOUN})(?=[,)])"),
    lazy_regex(
        rf"\b(?i:{_MY} {NOUN}),? (?i:chama-se|se chama|se llama|s['\u2019]appelle|heißt|heisst) {_FULL}"
    ),
    lazy_regex(
        rf"\b(?i:{_MY} {NOUN}) (?i:ist) (?!Frau )(?P<name>[A-ZÀ-Ý][\w'-]+ [A-ZÀ-Ý][\w'-]+)(?=[,.!]|$)"
    ),
    lazy_regex(
        rf"\b(?i:{_MY} {NOUN}) (?!(?i:frau|herr|doktor|dr)\b){_NAME}"
        r"(?=[,.!)]|$| (?:und|aber|ist|hat|war|wohnt|lebt|arbeitet|kommt|geht|wird|mag|isst|trinkt|kann|will"
        r"|macht|studiert|feiert|fährt|bekommt|kriegt|zieht|et|est|a|y|es|tiene|vive|e|é|tem|vit|habite|mora)\b)"
    ),
    lazy_regex(
        rf"(?:^\W*|[,;:] ?|\b(?:und|aber|also|denn) ){_NOBODY}{_FULL} (?i:ist|est|es|é) "
        rf"(?i:{_MY}(?: (?P<best>beste)r?)? {NOUN})(?=[,.!]|$| und )"
    ),
    lazy_regex(rf"(?i:\bist) {_NOBODY}{_FULL} (?i:{_MY}(?: (?P<best>beste)r?)? {NOUN})(?=[,.!]|$| und )"),
)
_NEW: Final = lazy_regex(rf"\b(?i:uma?|une?|una|eine?n?) (?i:{NOUN}) (?i:{_CALLED}) {_NAME}")
_DIED: Final = lazy_regex(
    rf"(?:^|[,;:] ?|(?i:\b(?:[ao]|el|la|und|and|e|et|y|que)) ){_NAME} (?i:(?:já |sadly |has |just )?"
    r"(?:morreu|faleceu|murió|ha muerto|est morte?|ist (?:heute |gestern )?gestorben|passed away"
    r"|died(?! laughing| of (?:laughter|boredom|shame)| inside)|was put (?:to sleep|down)"
    r"|(?:had|needed) to be put (?:to sleep|down)|crossed the rainbow bridge))\b"
)
"""Says that somebody named died, in English too."""
_PUT_DOWN: Final = lazy_regex(
    rf"(?<![\w'])(?i:(?:(?:had|have) to |we |i |the vet )(?:just )?(?:put|have|had)) {_NAME}"
    r"(?i: (?:down|to sleep|put (?:down|to sleep))\b)"
)
"""The same of an animal: "we had to put Rex down"."""
_ASIDE: Final = lazy_regex(
    r"\?|\b(?:se|si|wenn|falls|história|historia|filme|livro|libro|film|buch|roman|livre)\b", re.IGNORECASE
)
"""Makes a condition, a question or a story of a sentence."""


def may_name_abroad(text: str) -> bool:
    """Whether a noun of family or an animal in one of these languages, or a word of a death is in a text.

    >>> may_name_abroad("a minha gata dorme"), may_name_abroad("my cat sleeps")
    (True, False)
    """
    return not _TELLING.isdisjoint(_WORD.findall(text.lower()))


def people_abroad(masked: str, speaker: str) -> Iterator[Fact]:
    """The names of family and animals that a text tells in one of these languages.

    >>> [fact.text for fact in people_abroad("a Bolacha (a minha gata, 16 anos) dorme", "Ada")]
    ["Ada's cat is named Bolacha."]
    """
    has = _HAVE.search(masked) is not None
    for sentence in SENTENCE.finditer(with_names(masked)):
        said = sentence.group()
        if _ASIDE.search(said):
            continue
        for pattern in (*_SAID, *([_NEW] if has else [])):
            for match in pattern.finditer(said):
                first, last = (sentence.start() + place for place in match.span())
                sure = SHARED if pattern is _NEW else EXPLICIT
                yield _named(match, speaker, masked[first:last], sure=sure)
        for pattern in (_DIED, _PUT_DOWN):
            yield from (_mourned(match, speaker) for match in pattern.finditer(said))


def _mourned(match: re.Match[str], speaker: str) -> Fact:
    """Who died; it is kept only where somebody of that name is known."""
    said = SaidWords(
        relation=MOURNS,
        object=match["name"],
        said="",
        whole=f"{match['name']} died",
        category="context",
        confidence=EXPLICIT,
        quote=match.group().strip(" ,;:"),
        change="begun",
        only_ends=True,
    )
    return fact_of(speaker, SELF, said)


def kin_of(noun: str, name: str = "", *, best: bool = False) -> Subject:
    """Somebody of the speaker's by a noun of one of these languages."""
    english = NOUNS[noun.lower()]
    if best and english in {"girlfriend", "boyfriend"}:
        english = BEST_FRIEND
    return Subject(english, kind_of(english), name, 0, 0)


def _named(match: re.Match[str], speaker: str, quote: str, *, sure: float) -> Fact:
    said = SaidWords(
        relation="is named",
        object=match["name"],
        said=f"is named {match['name']}",
        category="context",
        confidence=sure,
        quote=quote,
        single=True,
        change="begun" if match.groupdict().get("new") else None,
    )
    best = match.groupdict().get("best") is not None
    return fact_of(speaker, kin_of(match["noun"], best=best), said)

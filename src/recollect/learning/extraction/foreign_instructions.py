"""The plainest standing instructions of German, French, Spanish, Portuguese and Swedish.

Read are the language and the length of answers, a name to be called by, what shall never be suggested or
mentioned, and what shall be remembered. The sentence made of one is English, its object as it was said.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.foreign_reading import SENTENCE
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.tables import RULES
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import divided
from recollect.types.regex import lazy_regex

_HINTS: Final = tuple(
    divided(
        """
        immer | duz | siez | sag | kurz | knapp | ausführlich | kein | nicht | nichts | nix | frag mich
        | rede | sprich | ab jetzt | ab sofort | jetzt an | künftig | zukunft | nie | nenn | antwort | merk
        | toujours | désormais | maintenant | jamais
        | appelle-moi | réponses | souviens | siempre | ahora | adelante | nunca | llámame | respuestas
        | recuerda | sempre | agora | diante
        | me chame | chama-me | respostas | lembre | alltid | med nu | hädanefter | aldrig | kalla
        | svar | kom ihåg
        """
    )
)
"""Without one of these words nobody instructs in these languages."""


class _Order(NamedTuple):
    """A way to instruct: what it looks like, and what it says."""

    pattern: re.Pattern[str]
    relation: str
    said: str
    single: bool = False


_LANGUAGES: Final = dict(
    pair.split()
    for pair in divided(
        """
        deutsch German | englisch English | französisch French | spanisch Spanish | schwedisch Swedish
        | italienisch Italian | portugiesisch Portuguese | niederländisch Dutch | holländisch Dutch
        | polnisch Polish | türkisch Turkish | russisch Russian | anglais English | français French
        | allemand German | espagnol Spanish | néerlandais Dutch | italien Italian | portugais Portuguese
        | suédois Swedish | polonais Polish | turc Turkish | russe Russian | inglés English | español
        Spanish | alemán German | francés French | italiano Italian | neerlandés Dutch | holandés Dutch
        | portugués Portuguese | sueco Swedish | polaco Polish | turco Turkish | ruso Russian | inglês
        English | português Portuguese | espanhol Spanish | alemão German | francês French | holandês
        Dutch | neerlandês Dutch | svenska Swedish | engelska English | tyska German | nederländska
        Dutch | holländska Dutch | franska French | spanska Spanish | danska Danish | norska Norwegian
        """
    )
)
_ROWS: Final = RULES["foreign_instructions"]
_SAID: Final = {
    "answer language": "wants answers in {o}",
    "answer length": "wants answers to be {o}",
    "is called": "wants to be called {o}",
    "form of address": "wants to be addressed with {o}",
    "asks to keep secret": "asks to keep to oneself: {o}",
    "asked to remember": "asked to remember: {o}",
}
_NAME_ENDS: Final = r"(?=\s*[,.!]|\s*$| (?:und|et|y|e|och) )"
_ASIDE: Final = lazy_regex(
    r"\b(?:ich|je|yo|eu|jag|er|sie|il|elle|han|hon) |^\W*(?:meine?|ma|mon|mis?|minha|meu|min|mitt)\b",
    re.IGNORECASE,
)
"""Stands before what somebody does, rather than before an order."""
_DEPENDS: Final = lazy_regex(
    r"(?<!auch )\b(?:wenn|falls|si|se|om|(?:schreibt|sagt|meint|schrieb|sagte) \w+)\b|\?", re.IGNORECASE
)
"""Makes a condition or a question of a sentence."""
_PLEASE: Final = lazy_regex(
    r"\W*(?:bitte )?(?:kannst|könntest|würdest|peux|pourrais|puedes|podrías|pode|podes|poderia|kan|kunde)\b",
    re.IGNORECASE,
)
"""Begins a question that is a polite order."""


def _orders() -> tuple[_Order, ...]:
    named = "|".join(sorted(_LANGUAGES))
    found = []
    for row in _ROWS.strip().replace("\n ", "").splitlines():
        relation, _, pattern = (part.strip() for part in row.partition(" | "))
        flags = re.IGNORECASE if relation != "is called" else re.NOFLAG
        begins = "(?i:" if flags is re.NOFLAG else "(?:"
        head, cut, rest = pattern.partition(" (?P<o>[A-Z") if flags is re.NOFLAG else (pattern, "", "")
        whole = rf"\b{begins}{head.replace('<language>', f'(?P<o>{named})')}){cut}{rest}".replace(
            "<end>", _NAME_ENDS
        )
        said = _SAID.get(relation, f"{relation} {{o}}")
        single = relation in {"answer language", "answer length", "is called", "form of address"}
        found.append(_Order(lazy_regex(whole, flags), relation, said, single))
    return tuple(found)


_ORDERS: Final = _orders()


def may_instruct_abroad(text: str) -> bool:
    """Whether words of a standing instruction in one of these languages are in a text."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def foreign_instructions(masked: str, speaker: str) -> Iterator[Fact]:
    """The standing instructions in the other languages; of each sentence the first of each relation.

    >>> [fact.text for fact in foreign_instructions("Bitte antworte immer auf Deutsch.", "Ada")]
    ['Ada wants answers in German.']
    """
    for sentence in SENTENCE.finditer(masked):
        said = sentence.group()
        said = said.rstrip("? ") if _PLEASE.match(said) else said
        found: dict[str, Fact] = {}
        for order in _ORDERS if _DEPENDS.search(said) is None else ():
            if order.relation not in found and (match := order.pattern.search(said)) and _is_order(match):
                whole = masked[: sentence.end()] if order.relation == _KEPT else said
                found[order.relation] = _fact(order, match, whole.strip(), speaker)
        yield from found.values()


def only_instructs_abroad(text: str) -> bool:
    """Whether each sentence of a text is a standing instruction in one of these languages.

    >>> only_instructs_abroad("Nenn mich bitte Rike."), only_instructs_abroad("Nenn mich Rike. Ich ziehe um.")
    (True, False)
    """
    sentences = [found.group() for found in SENTENCE.finditer(text) if found.group().strip()]
    return len(text) <= _LONGEST and all(map(_instructs, sentences)) and sentences != []


def _instructs(sentence: str) -> bool:
    found = (order.pattern.search(sentence) for order in _ORDERS)
    return any(match is not None and _is_order(match) for match in found)


_TOLD_BY: Final = lazy_regex(
    r"\b(?:sagt|sagte|meint|meinte|schreibt|schrieb|sagen|findet),|\b(?:dit|dice|diz|säger) (?:que|att)\b",
    re.IGNORECASE,
)
"""Tells what somebody else says."""
_KEPT: Final = "asks to keep secret"
_LONGEST: Final = 300
"""Characters of what shall be kept to oneself. Chosen by hand."""


def _is_order(match: re.Match[str]) -> bool:
    """Whether nobody is told of in the clause of an order, before what it is about."""
    before = match.string[: match.start()]
    if _TOLD_BY.search(match.string, 0, match.start("o")):
        return False
    clause = match.string[max(before.rfind(sign) for sign in ",;:") + 1 : match.start("o")]
    return _ASIDE.search(clause) is None


def _fact(order: _Order, match: re.Match[str], quote: str, speaker: str) -> Fact:
    value = match["o"].strip()
    value = _LANGUAGES.get(value.casefold(), value)
    if order.relation == "form of address":
        polite = value.lower().startswith(("siez", "sie")) and "nicht" not in value
        value = "Sie" if polite else "du"
    if order.relation == _KEPT:
        value = " ".join(quote.split())[-_LONGEST:].rstrip(" .!")
    told = SaidWords(
        relation=order.relation,
        object=value,
        said=order.said.format(o=value),
        category="instruction",
        confidence=EXPLICIT,
        quote=quote,
        single=order.single,
        change="begun" if order.single else None,
    )
    return fact_of(speaker, SELF, told)

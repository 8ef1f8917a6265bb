"""Several people told by name, age and place: "my kids are Mia (7) and Jonas (4)".

"I have two boys: Tom is 5 and Ben just turned 3" names both and tells their ages; "my sister has" names hers.
Every part of the list must be a name or an age, and one an age unless "are", a colon or a bracket stands
before it: "my sons, Tom, call me" lists nobody.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.people import PEOPLE, PETS, PLURAL
from recollect.learning.extraction.subjects import Subject, kind_of
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import either
from recollect.text.entities.vocabulary import PLACES
from recollect.types.regex import lazy_regex

_SEVERAL: Final = either(PLURAL - {"they"})
_LIST: Final = lazy_regex(
    r"(?:\b(?i:my|our|(?:i|we|i've|we've|who) (?:have|got)|have got|i['\u2019]ve|we['\u2019]ve) "
    r"|(?P<head>^(?:.*, )?(?:two|three|four|[2-6]) )|^[Tt]he (?=twins|triplets|kids|children|grandkids))"
    rf"(?:(?!ha[sd]\b)[\w-]+ ){{0,2}}?(?P<noun>{_SEVERAL})(?P<are> are|:|,| -| \()+ ?"
    r"(?P<list>[A-Z].{3,120})$"
)
_BESIDE: Final = lazy_regex(
    rf"\ban? (?:[\w-]+ ){{0,2}}?(?P<noun>{either((PEOPLE | PETS) - PLURAL)}|\d{{1,2}}-year-old)"
    r", (?P<name>[A-Z][\w'-]+)(?=[,.!?;]| and | who|$)"
)
"""One who is named beside what they are: "I have a husband, Pieter, and an 8-year-old, Milo"."""
_WORDS: Final = (
    *("one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
"""Ages that people write as words."""
_AGE: Final = rf"(?:\d{{1,2}}|{either(_WORDS)})"
_PART: Final = lazy_regex(
    r"(?:(?:little|baby|our|my) )?(?P<name>[A-Z][\w-]+)(?: (?:is|(?:just |who )?turned|who(?: i|['\u2019]?)s"
    rf"|aged))?(?: ?\(?(?P<age>{_AGE})\)?(?: years? old)?)?(?: in (?P<place>[A-Z][\w-]+(?: [A-Z][\w-]+)?))?$"
    rf"|(?:who(?:'s|\u2019s| is) |aged |just )*(?P<behind>{_AGE})(?: years? old)?$"
)
_BETWEEN: Final = lazy_regex(r",? and |, | & ")
_LISTS: Final = frozenset([" are", ":", " ("])
"""Behind one of these stand names, with ages or without."""
_LEAST: Final = 2
"""Names of a list."""


def names_and_ages(clauses: Sequence[Clause], speaker: str) -> Iterator[Fact]:
    """The names and the ages that a sentence lists; nothing where it lists none."""
    if not clauses:
        return
    yield from _named_beside(clauses, speaker)
    first, last = clauses[0].tokens[0].start, clauses[-1].tokens[-1].end
    text = clauses[0].text[first:last].rstrip(" )")
    text += ")" * (text.count("(") > text.count(")"))
    match = _LIST.search(text)
    told = {} if match is None else _told(match["list"])
    if match is None or not (any(map(any, told.values())) or (told and match["are"] in _LISTS)):
        return
    if match["head"] and match["are"] not in {":", " ("}:
        return
    noun = match["noun"].lower()
    names = list(told)
    whole = f"{', '.join(names[:-1])} and {names[-1]}"
    yield _fact(speaker, Subject(noun, kind_of(noun), whole, 0, 0, plural=True), "is named", whole, text)
    for name, (age, place) in told.items():
        one = Subject(name, kind_of(noun), "", 0, 0)
        if age:
            years = str(_WORDS.index(age) + 1) if age in _WORDS else age
            yield _fact(speaker, one, "is aged", years, text)
        if place in PLACES and one.kind == "person":
            yield _fact(speaker, one, "lives in", place, text)


def _named_beside(clauses: Sequence[Clause], speaker: str) -> Iterator[Fact]:
    """Whom the speaker has, named beside what they are."""
    if not _HAS.match(clauses[0].read):
        return
    text = clauses[0].text[clauses[0].tokens[0].start : clauses[-1].tokens[-1].end]
    for match in _BESIDE.finditer(text):
        age, _, child = match["noun"].partition("-year")
        noun = "child" if child else age.lower()
        subject = Subject(noun, kind_of(noun), match["name"], 0, 0)
        yield _fact(speaker, subject, "is named", match["name"], match.group())
        if child:
            yield _fact(speaker, Subject(match["name"], "person", "", 0, 0), "is aged", age, match.group())


_HAS: Final = lazy_regex(r"(?:\w+ ){0,3}?(?:i|we) (?:have|live with|got|adopted)\b")


def _told(words: str) -> dict[str, tuple[str, str]]:
    """Age and place of each of several names, empty where none is told; nothing where it is no such list."""
    told: dict[str, tuple[str, str]] = {}
    for part in _BETWEEN.split(words):
        match = _PART.match(part)
        if match is None:
            return {}
        if match["behind"]:
            if not told or any(told[list(told)[-1]]):
                return {}
            told[list(told)[-1]] = (match["behind"], "")
        else:
            told[match["name"]] = (match["age"] or "", match["place"] or "")
    return told if len(told) >= _LEAST else {}


_SAID: Final = {"is named": "{} named {}", "is aged": "{} {}", "lives in": "lives in {1}"}


def _fact(speaker: str, subject: Subject, relation: str, value: str, quote: str) -> Fact:
    said = SaidWords(
        relation=relation,
        object=value,
        said=_SAID[relation].format("are" if subject.plural else "is", value),
        category="context",
        confidence=EXPLICIT,
        quote=quote,
        single=not subject.plural,
    )
    return fact_of(speaker, subject, said)

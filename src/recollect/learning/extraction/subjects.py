"""Whom a clause is about: what stands before its verb."""

from typing import Final, NamedTuple

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.naming import has_capitals, name_behind
from recollect.learning.extraction.people import FEMALE, MALE, PETS, PLURAL, RELATIVES
from recollect.learning.extraction.states import Kind
from recollect.learning.extraction.things import THINGS
from recollect.learning.listing import listed
from recollect.text.entities.kinds import Kind as WordKind
from recollect.text.entities.kinds import given_name
from recollect.text.entities.kinds import kind_of as kind_of_word
from recollect.types.regex import lazy_regex

_QUALIFIERS: Final = listed(
    """
    older younger big little elder eldest oldest youngest twin late best close good old dear new former
    current future own first second third middle only great adopted rescue biological maternal paternal
    foster step baby ex deceased estranged furry senior teenage grown adult identical closest oldest
    lifelong immediate line swimming tennis guitar piano singing dance driving yoga violin spanish
    french english german maths math physics chemistry history art music riding football running boxing
    personal voice tech team product project line childhood college school university upstairs downstairs
    next-door dearest golden    border great- romantic business sweet beloved two three four five
    """
)
_EMPTY: Final = listed("new dear dearest sweet beloved own good great current lovely two three four five")
"""Qualifiers that do not tell one from another."""
_AGED: Final = lazy_regex(r".+-year-old$|.+-month-old$")
BARE: Final = listed("mum mom dad mama papa grandma grandpa granny grandad granddad nan nana")
"""Kin of the speaker's without "my": "Grandma lives in Kiel"."""
_MOST_QUALIFIERS: Final = 4
"""Words between "my" and its noun. Chosen by hand."""


def may_tell_of_a_name(text: str) -> bool:
    """Whether a text may tell of the school or the lessons of somebody known by name alone."""
    return _NEAR.search(text) is not None


class Subject(NamedTuple):
    """Whom a clause is about.

    Attributes:
        noun: "" for the speaker; "sister" for the speaker's sister; "Ines" for somebody told of by name.
        kind: What it is.
        name: The name that follows: "Ines" in "my sister Ines"; empty without one.
        start: The place of its first word.
        behind: The place behind its last word.
        plural: Whether it takes "live" rather than "lives".
        shared: Whether it is "we".
        pronoun: "she", when it is somebody spoken of before.
    """

    noun: str
    kind: Kind
    name: str
    start: int
    behind: int
    plural: bool = False
    shared: bool = False
    pronoun: str = ""


SELF: Final = Subject("", "self", "", 0, 0)
"""The speaker, whatever words say so."""


def subject_of(clause: Clause, start: int) -> Subject | None:
    """Whom the words from ``start`` on are about; None when they are not about the speaker or theirs."""
    words = clause.words
    word = words[start] if start < len(words) else ""
    if word in {"i", "we"}:
        behind = start + 1 + (word == "we" and words[start + 1 : start + 2] in (["both"], ["all"]))
        return Subject("", "self", "", start, behind, shared=word == "we")
    if word == "me" and words[start + 1 : start + 3] == ["and", "my"]:
        other = _owned(clause, start + 2)
        return None if other is None else Subject("", "self", "", start, other.behind, shared=True)
    if (pair := _pair(clause, start)) is not None:
        return pair
    if word in {"my", "our"}:
        return _owned(clause, start) or _of_the_family(clause, start)
    if word in BARE and words[start + 1 : start + 2] != ["i"]:
        behind, name = name_behind(clause, start, start + 1)
        alone = behind == len(words)
        return Subject(word, "person", "" if alone else name, start, start + 1 if alone else behind)
    if word in {"he", "she", "they"}:
        return Subject("", "person", "", start, start + 1, plural=word == "they", pronoun=word)
    known, behind = named_at(clause, start)
    if known:
        return _known(clause, known, start, behind)
    name = clause.raw(start, start + 1).removesuffix("'s").removesuffix("\u2019s")
    if name.islower() and not has_capitals(clause.text):
        name = given_name(word) or name
    if (
        (_HAS_HEALTH.match(said := " ".join(words[start + 1 :])) or _IS_NEAR.match(said))
        and name.istitle()
        and kind_of_word(name) >= WordKind.BOTH
    ):
        return Subject(name, "person", "", start, start + 1)
    return None


def _of_the_family(clause: Clause, start: int) -> Subject | None:
    """Somebody called as people call their family: "our Kerry lives in Leeds"."""
    word = clause.words[start + 1] if start + 2 < len(clause.words) and clause.words[start] == "our" else ""
    name = given_name(word)
    return Subject(name, "person", "", start, start + 2) if name else None


_SCHOOL: Final = (
    "(?:school|nursery|primary|infants|juniors|kindergarten|preschool|academy|college|uni|university"
    "|daycare|beavers|cubs|scouts|brownies|guides|reception|ballet|karate|judo|gymnastics)"
)
_IS_NEAR: Final = lazy_regex(
    rf"goes to (?:\S+ ){{0,4}}?{_SCHOOL}\b|(?:is|starts|started) (?:in|at) (?:\S+ ){{0,4}}?{_SCHOOL}\b"
    rf"|(?:is )?in (?:year|grade) \w+|starts (?:\S+ )?{_SCHOOL}\b"
    r"|has (?:a |his |her )?(?:\S+ )?(?:lessons?|nanny|childminder|tutor|packed lunch|swimming)\b"
    r"|takes (?:a |his |her )packed lunch|does (?:her|his|ballet|gcses|a[- ]levels)\b"
    r"|plays (?:\S+ )?(?:for the under|under|in goal)\b|gives me a lift|teaches me\b"
)
"""What is said of one's own children and neighbours: a school, lessons."""
_NEAR: Final = lazy_regex(
    rf"[A-Z].* (?:{_SCHOOL}|(?:year|grade) \w+|lessons?|nanny|childminder|teacher|packed lunch|plays|lift)\b"
)
_HAS_HEALTH: Final = lazy_regex(
    r"(?:(?:is|has been) (?:\w+ly |also |very |a )*(?:allergic|coeliac|celiac|diabetic|(?:\w+ )?intolerant)"
    r"|has (?:an? )?(?:\w+ ){0,2}(?:allergy|allergies|intolerance)|(?:can ?not|can't) eat)\b"
)
"""What is learned of somebody known by name alone: what could harm them."""


def named_at(clause: Clause, start: int) -> tuple[str, int]:
    """Somebody told of before, by name, and the place behind the name; an empty name without one.

    In small letters it must be a given name, or a person's: "gravy" may be the speaker's rabbit, or a sauce.
    """
    for size in (2, 1) if clause.people else ():
        words = clause.words[start : start + size]
        said = " ".join(words).removesuffix("'s") if len(words) == size else ""
        written = clause.raw(start, start + 1)[:1].isupper()
        for name, noun in clause.people.items():
            if name.casefold() == said and (written or _is_person(name, noun)):
                return name, start + size
    return "", start


def _is_person(name: str, noun: str) -> bool:
    """Whether a name in small letters is somebody's, and no other word: "will" and "may" are none."""
    kind = kind_of_word(name)
    return kind is WordKind.KNOWN or (kind is WordKind.UNKNOWN and kind_of(noun) == "person")


def _known(clause: Clause, name: str, start: int, behind: int) -> Subject | None:
    """Somebody told of before as a subject; None for what is theirs, and for two people."""
    after = clause.words[behind] if behind < len(clause.words) else ""
    if after == "and" or clause.words[behind - 1].endswith("'s"):
        return None
    return Subject(name, kind_of(clause.people[name]), "", start, behind)


def fits(pronoun: str, noun: str) -> bool:
    """Whether "she" may be the speaker's sister.

    >>> fits("she", "sister"), fits("he", "sister"), fits("they", "parents")
    (True, False, True)
    """
    last = noun.rsplit(maxsplit=1)[-1]
    if pronoun == "they":
        return last in PLURAL
    return last not in PLURAL and last not in (MALE if pronoun == "she" else FEMALE)


def kind_of(noun: str) -> Kind:
    """Whether somebody of the speaker's is a person or an animal."""
    return "pet" if noun.rsplit(maxsplit=1)[-1] in PETS or noun == "guinea pig" else "person"


def _pair(clause: Clause, start: int) -> Subject | None:
    """The speaker with somebody else: "me and Lotte", "my brother and I", "Josh and I"."""
    words = clause.words
    if start >= len(words):
        return None
    if words[start] == "me" and words[start + 1 : start + 2] in (["and"], ["&"]):
        named = clause.raw(start + 2, start + 3)[:1].isupper()
        return Subject("", "self", "", start, start + 3, shared=True) if named else None
    owned = words[start] in {"my", "our"}
    other = _owned(clause, start) if owned else None
    behind = start + 1 if other is None else other.behind
    named = other is not None if owned else clause.raw(start, start + 1)[:1].isupper() and words[start] != "i"
    if named and words[behind : behind + 2] == ["and", "i"]:
        return Subject("", "self", "", start, behind + 2, shared=True)
    return None


def _owned(clause: Clause, start: int) -> Subject | None:
    """Somebody or something of the speaker's: "my older sister Ines", "my car"."""
    words = clause.words
    place = _behind_qualifiers(words, start + 1)
    if place >= len(words):
        return None
    noun, behind = _noun(words, place)
    if not noun:
        return None
    thing = noun.split()[0] in THINGS and noun not in RELATIVES
    kind: Kind = "thing" if thing else kind_of(noun)
    last = words[behind - 1]
    if last.endswith("'s"):
        return None
    plural = noun.split()[-1] in PLURAL
    shown = " ".join([*(word for word in words[start + 1 : place] if word not in _EMPTY), noun])
    behind, name = (behind, "") if thing or plural else name_behind(clause, start, behind)
    return Subject(shown, kind, name, start, behind, plural)


def _behind_qualifiers(words: list[str], place: int) -> int:
    last = place + _MOST_QUALIFIERS
    while place < min(len(words), last) and (words[place] in _QUALIFIERS or _AGED.match(words[place])):
        if words[place] in RELATIVES and words[place + 1 : place + 2] and words[place + 1] not in RELATIVES:
            return place
        place += 1
    return place


_OF_THINGS: Final = frozenset(["insurance", "contract", "account", "loan", "lease", "rate", "plan"])
"""Behind a thing, what is one of its own: "our car insurance"."""


def _noun(words: list[str], place: int) -> tuple[str, int]:
    """The noun at a place, and the place behind it; an empty one when it is nobody's and nothing kept."""
    noun = words[place].removesuffix("'s")
    after = words[place + 1].removesuffix("'s") if place + 1 < len(words) else ""
    if noun == "guinea" and after in {"pig", "pigs"}:
        return f"guinea {after}", place + 2
    if noun in THINGS and after in _OF_THINGS:
        return f"{noun} {after}", place + 2
    if noun in RELATIVES and after in RELATIVES and not words[place].endswith("'s"):
        return f"{noun} {after}", place + 2
    return (noun, place + 1) if noun in RELATIVES or noun in THINGS else ("", place)

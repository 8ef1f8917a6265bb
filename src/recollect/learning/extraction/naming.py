"""The name that stands right behind whom it names: "my sister Ines".

A word with a capital letter behind a noun may be the first of something else: "my friend Friday evening", "my
wife Italian food", "my partner Oslo trip". It is a name where a noun cannot follow: at the end of a clause,
and before a verb or a small word. A name too few does less harm than a wrong one. The words were chosen by
hand.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from recollect.learning.extraction.clauses import ADVERBS, Clause
from recollect.learning.extraction.facts import Fact
from recollect.learning.extraction.forms import PASTS, THIRDS
from recollect.learning.extraction.people import PEOPLE, PETS, PLURAL
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import DAY, listed
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.types.regex import lazy_regex

_NAME: Final = lazy_regex(r"[^\W\d_a-z][\w'\u2019-]*$")
_SEVERAL: Final = lazy_regex(r", (?:and )?| and | & ")
NAMING: Final = ("is named", "is called", "has", "lives with", "has marital status", "is dating")
"""Relations of facts that may tell a name: "has two kids, Mia and Jonas"."""
_HAD: Final = lazy_regex(
    r"(?:[\w'-]+ ){0,3}?(?P<noun>\w+)(?:,? (?:called|named)|,|:) (?P<names>[^\W\d_a-z].*)$"
)
_LIVED_WITH: Final = lazy_regex(r"(?P<noun>\w+)(?: called| named|,) (?P<names>[^\W\d_a-z].*)$")
_WED: Final = lazy_regex(r"(?:(?P<wed>married|engaged) to )?(?P<names>[^\W\d_a-z][\w'-]+)$")
_SHORTEST: Final = 3
"""Letters of a name in small letters."""
_BEHIND_NAME: Final = listed("is was has and")
_CAPITAL: Final = lazy_regex(r"\b[A-Z][a-z]")


@lru_cache(maxsize=16)
def has_capitals(text: str) -> bool:
    """Whether a text writes names with capitals, so that other words are none; "MS" and "I" tell nothing."""
    return _CAPITAL.search(text) is not None


_MOST_NAMES: Final = 2
"""Words of a name, besides titles and particles."""
_BEFORE_NAME: Final = listed("mr mrs ms dr prof st de van von der den la le di da del dos el al ter ten")
_LONGEST_INITIALS: Final = 3
"""Capitals of initials such as "JP"; more of them are shouting."""
_DAYS: Final = lazy_regex(
    rf"(?:{DAY}|christmas|easter|thanksgiving|halloween|hanukkah|ramadan"
    r"|diwali)s?$"
)
"""When it was, though it has a capital letter."""
_SMALL: Final = listed(
    """
    a an the my our your his her its their this that these those some any every each all both last next
    i we you he she it they me us him them who whom which what how why if
    and or but so because than as while when where after before since until till though although
    in on at to of for with from by about into over under near around during without like through across
    against between behind off out up down back away along home
    am is are was were be been being have has had do does did can could will would shall should may might
    must not no today yesterday tonight tomorrow again too here there ago now once
    """
)
"""Words that no noun phrase ends with, and that may follow a name."""
_GIVES: Final = lazy_regex(
    r"(?:g[ai]v(?:e|es|en|ing)|show(?:s|ed|n|ing)?|teach(?:es|ing)?|taught|feed(?:s|ing)?|fed|sen[dt](?:s|ing)?"
    r"|buy(?:s|ing)?|bought|mak(?:e|es|ing)|made|br(?:ing|ings|inging|ought)|offer(?:s|ed|ing)?"
    r"|len[dt](?:s|ing)?|cook(?:s|ed|ing)?|bak(?:e|es|ed|ing)|read(?:s|ing)?|order(?:s|ed|ing)?"
    r"|book(?:s|ed|ing)?|serv(?:e|es|ed|ing)|s(?:ell|ells|elling|old)|pour(?:s|ed|ing)?|hand(?:s|ed|ing)?)$"
)
"""Behind these stands whom something is given, and then what: "I taught my son German"."""
_GIVEN: Final = listed("a an the my our his her its their this that these those some to how")
"""Begins what is given, so that what stands before it is a name: "I gave my dog Max a bath"."""


def name_behind(clause: Clause, start: int, place: int) -> tuple[int, str]:
    """The place behind a name, and the name; the place as it was and nothing where none stands there.

    Args:
        clause: Where; without capitals there are no names.
        start: The place of "my".
        place: The place behind the noun.
    """
    behind, names = place, 0
    while behind < len(clause.words) and names < _MOST_NAMES and is_name_at(clause, behind):
        names += clause.words[behind] not in _BEFORE_NAME
        behind += 1
    if behind == place:
        return given_or_titled(clause, place)
    if not _ends(clause, start, behind):
        return place, ""
    return behind, clause.raw(place, behind)


def owner_named(clause: Clause, place: int) -> str:
    """The name of who has what follows: "my spouse Alexis's shop"; empty without one."""
    raw = clause.raw(place, place + 1)
    name = raw[:-2] if raw.endswith(("'s", "\u2019s")) else ""
    kind = kind_of(name) if _NAME.match(name) else Kind.FUNCTION
    return name if kind in {Kind.KNOWN, Kind.BOTH, Kind.UNKNOWN} else ""


def given_or_titled(clause: Clause, place: int) -> tuple[int, str]:
    """The place behind a name, and the name, however it is written: "priya", "mr hussain"."""
    word, after, more = (*clause.words[place : place + 3], "", "", "")[:3]
    if word in TITLES:
        if not after or not _may_be_surname(clause, place + 1):
            return place, ""
        written = clause.raw(place, place + 2)
        return place + 2, written if written.istitle() else f"{word.title()} {_shown(clause, place + 1)}"
    if (name := given_name(word)) and word != "said":
        raw = clause.raw(place, place + 1)
        if raw.islower() or not more or not _is_surname(clause, place + 1):
            return place + 1, name if raw.islower() else raw
        return place + 2, f"{raw} {clause.raw(place + 1, place + 2)}"
    plain = word.isalpha() and len(word) >= _SHORTEST and word not in PEOPLE
    if not plain or has_capitals(clause.text) or after not in _BEHIND_NAME:
        return place, ""
    return (place + 1, word.title()) if kind_of(word.title()) in {Kind.KNOWN, Kind.UNKNOWN} else (place, "")


TITLES: Final = listed("mr mrs ms miss dr prof")


def _may_be_surname(clause: Clause, place: int) -> bool:
    """Whether a word may be a name behind a title: "mr hussain", and not "dr who"."""
    word, raw = clause.words[place], clause.raw(place, place + 1)
    kind = kind_of(word.title())
    return (
        word.isalpha()
        and len(word) > 1
        and (kind >= Kind.BOTH or (raw.istitle() and kind is not Kind.FUNCTION))
    )


def _shown(clause: Clause, place: int) -> str:
    raw = clause.raw(place, place + 1)
    return raw.title() if raw.islower() else raw


def _is_surname(clause: Clause, place: int) -> bool:
    """Whether another name follows on a given one: "Maeve Lucas"."""
    raw = clause.raw(place, place + 1)
    return raw.istitle() and is_name_at(clause, place) and kind_of(raw) >= Kind.BOTH


def people_in(facts: Iterable[Fact]) -> dict[str, str]:
    """The names that facts tell of the speaker's people and animals, and what each is: "partner"."""
    told = (fact for fact in facts if fact.relation in NAMING and fact.object and not fact.negated)
    return {
        name: noun for fact in told for name, noun in names_of(fact.subject, fact.relation, fact.object or "")
    }


def names_of(subject: str, relation: str, value: str) -> list[tuple[str, str]]:
    """The names that one fact tells, each with what it is.

    >>> names_of("Ada's rabbits", "is named", "Biscuit and Gravy")
    [('Biscuit', 'rabbit'), ('Gravy', 'rabbit')]
    >>> names_of("Ada", "has", "two kids, Mia and Jonas"), names_of("Ada", "has", "a dog called Rex")
    ([('Mia', 'kid'), ('Jonas', 'kid')], [('Rex', 'dog')])
    >>> names_of("Ada", "has marital status", "married to Tom"), names_of("Ada", "has", "a nurse")
    ([('Tom', 'spouse')], [])
    >>> names_of("Ada", "is named", "Ada"), names_of("Ada's firm", "is named", "Arup")
    ([], [])
    """
    noun = subject.partition("'s ")[2].rpartition(" ")[2]
    if relation in {"is named", "is called"} and value.islower() and value.isalpha():
        value = value.title()
    had = _HAD.match(value) if relation == "has" and not noun else None
    wed = _WED.match(value) if relation in {"has marital status", "is dating"} and not noun else None
    if wed is not None:
        noun, value = _PARTNERS[wed["wed"]], wed["names"]
    had = _LIVED_WITH.search(value) if relation == "lives with" and not noun else had
    if had is not None:
        noun, value = had["noun"].lower(), had["names"]
    elif wed is None and relation in {"has", "lives with", "has marital status", "is dating"}:
        return []
    if noun not in PETS and noun.removesuffix("s") in PETS:
        noun = noun.removesuffix("s")
    known = noun in PEOPLE or noun in PETS
    noun = _one_of(noun)
    return [(name, noun) for name in _SEVERAL.split(value) if known and _NAME.match(name.partition(" ")[0])]


_PARTNERS: Final = {"married": "spouse", "engaged": "fiance", None: "partner"}
"""What somebody is to whom one is married or engaged to, or dates."""


def _one_of(noun: str) -> str:
    """What each of several is: "kid" of "kids"."""
    if noun not in PLURAL:
        return noun
    ones = (noun.removesuffix("ren"), f"{noun.removesuffix('ies')}y", noun.removesuffix("s"))
    return next((one for one in ones if one != noun and (one in PEOPLE or one in PETS)), noun)


def names_someone(text: str, people: Iterable[str]) -> bool:
    """Whether a text may speak of one of these people by name."""
    read = text.casefold()
    return any(name.casefold() in read for name in people)


def is_name_at(clause: Clause, place: int) -> bool:
    """Whether a word is written as a name."""
    raw, word = clause.raw(place, place + 1), clause.words[place]
    shouts = raw.isupper() and len(raw) > _LONGEST_INITIALS
    plain = not raw.endswith(("'s", "\u2019s")) and word != "i" and not _DAYS.match(word)
    return plain and not shouts and _NAME.match(raw) is not None


def _ends(clause: Clause, start: int, place: int) -> bool:
    """Whether the name ends before a place, and is no part of what follows."""
    before = clause.words[start - 1] if start else ""
    word = clause.words[place] if place < len(clause.words) else ""
    if _GIVES.match(before):
        return word in _GIVEN
    if word in _SMALL or not word.isalpha() or clause.raw(place, place + 1).istitle():
        return True
    if word in ADVERBS or word in THIRDS or word in PASTS or word.endswith(("ed", "ing", "ly")):
        return True
    return word in KNOWN if before else word.endswith("s") and not word.endswith("ss")

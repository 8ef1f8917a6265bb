"""Facts in the words of others, read by the rules that read what a user says: as if the user said them.

============================== ================================
a fact                         is read as
============================== ================================
User lives in Porto            I live in Porto
Lives in Porto                 the same
User's sister is Ines          My sister is Ines
Wife is Ana                    My wife is Ana
Bob moved to Rome              as it is, of somebody named Bob
I moved to Faro                as it is
============================== ================================
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Fact, Turn
from recollect.learning.extraction.forms import THIRDS, base_of_third
from recollect.learning.extraction.people import PEOPLE, PETS
from recollect.learning.listing import either, listed
from recollect.text.traits import is_name
from recollect.types.regex import lazy_regex

LONGEST: Final = 300
"""Characters of a fact that is read, as of one that a model words."""
_USER: Final = r"(?:[Tt]he |[Dd]efault[ _])?[Uu]sers?"
_NAMED: Final = lazy_regex(
    rf"(?P<who>{_USER}|[^\W\d_a-z][\w-]*(?: [^\W\d_a-z][\w-]*){{0,2}})(?P<own>['\u2019]s)? (?P<said>.+)"
)
"""Begins with whom it is about: the user, or up to three words with capital letters."""
_VERB: Final = lazy_regex(
    r"(?P<before>(?:(?:no longer|currently|now|also|still|always|never|often|usually|really|recently|just"
    r"|mostly|mainly|generally|typically|primarily|sometimes) )*)(?P<verb>[a-z]+)(?P<behind>n['\u2019]t)?\b",
    re.IGNORECASE,
)
_NEXT_VERB: Final = lazy_regex(r"(?<= and )[a-z]+\b")
_THEIR: Final = lazy_regex(r"\b(?:their|his|her)(?= \w)")
_MINE: Final = lazy_regex(
    rf"(?:{either(PEOPLE | PETS)}|favou?rite(?: \w+){{1,3}}) (?:is|are)\b", re.IGNORECASE
)
_FIRST: Final = {"is": "am", "has": "have", "does": "do", "goes": "go"}
_PRONOUNS: Final = listed("he her his i it its my our she that the their there these they this we you your")
_LEFT: Final = lazy_regex(r"[^\W\d_]+")
_MAY_BE_LEFT: Final = listed("as at by currently from in now nowadays of on since still the to today until")
"""Words that a reading may leave out, beside dates. Chosen by hand."""


class _Reading(NamedTuple):
    """A fact as the user would say it, and whom it calls by name."""

    said: str
    names: tuple[str, ...] = ()


def read_fact(
    text: str,
    *,
    is_user: Callable[[str], bool],
    people: Mapping[str, str],
    at: datetime,
    about: str | None = None,
) -> Fact | None:
    """What a fact in somebody's words says; None where no rule reads it, or it says several things.

    Args:
        text: One sentence.
        is_user: Whether a name means the user.
        people: Names told before, and what each is to the user.
        at: When it was said.
        about: Whom it is about, where its words need not say so.

    >>> from datetime import UTC
    >>> def read(text):
    ...     said = datetime(2026, 1, 1, tzinfo=UTC)
    ...     fact = read_fact(text, is_user=lambda name: name == "Ada", people={}, at=said)
    ...     return fact and (fact.subject, fact.relation, fact.object)
    >>> read("User lives in Porto"), read("Works at Bosch"), read("Ada is allergic to nuts")
    (('User', 'lives in', 'Porto'), ('User', 'works at', 'Bosch'), ('User', 'is allergic to', 'nuts'))
    >>> read("Bob lives in Rome"), read("Porto is lovely in May")
    (("User's Bob", 'lives in', 'Rome'), None)
    """
    plain = " ".join(text.split()).rstrip(".")
    if not plain or len(text) > LONGEST:
        return None
    for reading in _readings(plain, about, is_user):
        known = {**{name: name for name in reading.names}, **people}
        found = extract_facts([Turn(text=reading.said, happened_at=at, people=known)])
        if found:
            return found[0] if len(found) == 1 and _is_whole(found[0], reading.said) else None
    return None


def _readings(text: str, about: str | None, is_user: Callable[[str], bool]) -> Iterator[_Reading]:
    """How it may be said, the likeliest first."""
    text = text.removeprefix(f"{about}: ") if about else text
    named = _NAMED.fullmatch(text)
    who = named["who"] if named else ""
    if named and (_is_the_user(who) or is_user(who)):
        yield _Reading(f"My {named['said']}" if named["own"] else _in_first_person(named["said"]))
    elif about and not (_is_the_user(about) or is_user(about)):
        told = text if who == about else f"{about} {text[:1].lower()}{text[1:]}"
        yield _Reading(told, (about,))
    else:
        yield _Reading(_in_first_person(text)) if _has_no_subject(text) else _Reading(text)
        if _MINE.match(text):
            yield _Reading(f"My {text[:1].lower()}{text[1:]}")
        if named and is_name(who) and who.lower() not in _PRONOUNS and not named["own"]:
            yield _Reading(text, (who,))


def _is_the_user(name: str) -> bool:
    return re.fullmatch(_USER, name) is not None


def _has_no_subject(text: str) -> bool:
    verb = _VERB.match(text)
    return verb is not None and (verb["verb"].lower() in _FIRST or verb["verb"].lower() in THIRDS)


def _in_first_person(said: str) -> str:
    """What is said of a user without its subject, as the user says it: "is from Ulm", "I am from Ulm"."""
    verb = _VERB.match(said)
    if verb is None:
        return f"I {said}"
    form = _first(verb["verb"].lower(), guess=True)
    denied = " not" if verb["behind"] else ""
    rest = _NEXT_VERB.sub(lambda one: _first(one[0], guess=False), said[verb.end() :])
    return f"I {verb['before'].lower()}{form}{denied}{_THEIR.sub('my', rest)}"


def _first(verb: str, *, guess: bool) -> str:
    if verb in _FIRST or verb in THIRDS:
        return _FIRST.get(verb) or THIRDS[verb]
    return base_of_third(verb) if guess and verb.endswith("s") and verb != "was" else verb


def _is_whole(fact: Fact, said: str) -> bool:
    """Whether a fact says all that was said, but for words that name no thing."""
    left = said.replace(fact.quote, " ").casefold()
    return all(word in _MAY_BE_LEFT for word in _LEFT.findall(left))

"""Whom the words before spoke of, so that "she" and "his" mean somebody.

One who may be meant is somebody of the speaker's ("my mum", "mum"), or somebody known by name. Others of
whom a sentence tells ("the nurse", "mum's doctor", "a sister", "Wiktoria") may be meant as well, so that
"she" tells of nobody behind "mum saw the nurse".
"""

from collections.abc import Iterator, Mapping
from typing import Final

from recollect.learning.extraction.clauses import Clause, Sentence, sentences_of
from recollect.learning.extraction.naming import has_capitals, is_name_at
from recollect.learning.extraction.people import OCCUPATIONS, PEOPLE, PETS, PLURAL
from recollect.learning.extraction.subjects import BARE, fits, subject_of
from recollect.learning.extraction.tokens import tokens_of
from recollect.learning.listing import listed
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.text.entities.vocabulary import MADE, PLACES

ROLES: Final = (
    (PEOPLE | OCCUPATIONS | PETS | {"aide"}) - PLURAL - listed("baby girl boy lad lass fella family kid")
)
"""What one person is to another, or does."""
MOST_WORDS: Final = 60
"""Words of a sentence that are read."""
_MINE: Final = listed("my our")
_ARTICLES: Final = listed("the a an another this")
_OWNED: Final = _MINE | _ARTICLES | listed("her his their your")
_IS: Final = listed("is are was were am be been become became as called named")
_NO_NAMES: Final = frozenset([Kind.FUNCTION, Kind.EVERYDAY, Kind.TITLE, Kind.KIN, Kind.PEOPLE, Kind.CAPITALS])
_BEFORE_PLACE: Final = listed("in at to from near of outside via on for")


def whole(sentence: Sentence, text: str, people: Mapping[str, str]) -> Clause:
    """A sentence as one clause, signs and all."""
    return Clause(sentence.tokens[:MOST_WORDS], "", text, people)


def told_of(flat: Clause, end: int | None = None) -> list[str]:
    """Those whom the words before a place name: "mum"; a blank begins who is not known: " nurse"."""
    return list(dict.fromkeys(_each(flat, len(flat.words) if end is None else end)))


def last_told(text: str, people: Mapping[str, str]) -> list[str]:
    """Whom the last sentence of a text that names anybody tells of."""
    known = frozenset(name.casefold() for name in people)
    sentences = sentences_of(tokens_of(text[-_LAST:], known))
    told = (told_of(whole(one, text[-_LAST:], people)) for one in reversed(sentences))
    return next((names for names in told if names), [])


_LAST: Final = 1_000
"""Characters of a turn's end in which somebody is looked for whom the next turn means."""


def meant_by(pronoun: str, told: list[str], mentioned: str, people: Mapping[str, str]) -> str:
    """Whom a pronoun means of those told of; empty where several may be meant, or none that is known.

    >>> meant_by("she", ["mum", "brother"], "", {}), meant_by("he", [" nurse"], "", {})
    ('mum', '')
    >>> meant_by("she", ["mum", " nurse"], "", {}), meant_by("she", [], "aunt", {})
    ('', 'aunt')
    """
    feminine = "she" if pronoun in {"she", "her"} else "he"
    fitting = [who for who in told if fits(feminine, people.get(who, who))]
    named = {people[who] for who in fitting if who in people}
    ones = [who for who in fitting if who.strip() not in named]
    if not ones:
        return mentioned
    if len(ones) > 1:
        return ""
    who = ones[0]
    if who.startswith(" "):
        return mentioned if who.rpartition(" ")[2] == mentioned.rpartition(" ")[2] else ""
    return who


def _each(flat: Clause, end: int) -> Iterator[str]:
    place = 0
    while place < end:
        who, place = who_at(flat, place)
        if who:
            yield who


def who_at(flat: Clause, place: int) -> tuple[str, int]:
    """Who is named at a place, and the place behind; empty where nobody is."""
    word = flat.words[place]
    before = flat.words[place - 1] if place else ""
    bare = word.removesuffix("'s")
    if word in _MINE and (who := subject_of(flat, place)) is not None:
        if who.start == place and who.noun and who.kind in {"person", "pet"}:
            return who.noun, max(who.behind, place + 1)
        return "", place + 1
    if bare in BARE and before not in _OWNED:
        return _or_theirs(flat, bare, place)
    if word in _ARTICLES and before not in _IS:
        return _unknown(flat, place)
    name = next((one for one in flat.people if one.casefold() == bare), "") if flat.people else ""
    raw = flat.raw(place, place + 1)
    if name and (raw[:1].isupper() or given_name(bare) or not has_capitals(flat.text)):
        return _or_theirs(flat, name, place)
    if before in _IS or before in _BEFORE_PLACE:
        return "", place + 1
    capital = place > 0 and before.isalpha() and is_name_at(flat, place) and raw not in PLACES | MADE
    if given_name(bare) or (capital and kind_of(raw) not in _NO_NAMES):
        return f" {bare}", place + 1
    return "", place + 1


def _or_theirs(flat: Clause, who: str, place: int) -> tuple[str, int]:
    """Somebody, or another who is somebody's: "mum's doctor"."""
    after = flat.words[place + 1] if place + 1 < len(flat.words) else ""
    if flat.words[place].endswith("'s"):
        return (f" {after}", place + 2) if after in ROLES else ("", place + 1)
    return who, place + 1


def _unknown(flat: Clause, place: int) -> tuple[str, int]:
    """Somebody without a name who is not the speaker's: "the nurse", "a new carer"."""
    if place and flat.words[place - 1] == "about":
        return f" {(*flat.words[place + 1 : place + 2], 'other')[0]}", place + 1
    for at in (place + 1, place + 2):
        noun = flat.words[at] if at < len(flat.words) else ""
        if noun in ROLES:
            return f" {noun}", at + 1
    return "", place + 1

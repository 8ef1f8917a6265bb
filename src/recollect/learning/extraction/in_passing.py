"""Relations told in passing, beside a name: "his mum sheila", "the head mrs lyle".

====================================== ================================================================
said                                   learned
====================================== ================================================================
"the head mrs lyle", "the vet Dr Singh" what they are to the speaker
"Rita the neighbour", "gerard the ex"  the same
"text Callum my apprentice"            the same
"Ana (thats the wife, ...)"            the same
"aunt vera broke her hip"              the same
"met leo and his mum sheila"           what she is to Leo, where one person may be meant
"her neighbour jean", after "mum"      the same, of the speaker's mum
"mum's GP is Dr Finch"                 the same
====================================== ================================================================

Nothing else of such a sentence is learned here. The words were chosen by hand.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from recollect.learning.extraction.acquaintances import PERSON
from recollect.learning.extraction.clauses import Clause, Sentence
from recollect.learning.extraction.facts import EXPLICIT, SHARED, Fact
from recollect.learning.extraction.forms import PASTS, THIRDS
from recollect.learning.extraction.naming import given_or_titled, has_capitals, name_behind, people_in
from recollect.learning.extraction.people import RELATIVES
from recollect.learning.extraction.spoken import ROLES, meant_by, told_of, whole
from recollect.learning.extraction.subjects import BARE, Subject, kind_of, subject_of
from recollect.learning.extraction.turn_read import TurnRead
from recollect.learning.extraction.wording import SaidWords, fact_of, shown_owner
from recollect.learning.listing import listed
from recollect.text.entities.kinds import Kind, given_name
from recollect.text.entities.kinds import kind_of as kind_of_word

_THE: Final = listed(
    """
    head headteacher vet builder plumber electrician landlord landlady neighbour neighbor dentist gp doctor
    solicitor accountant gardener cleaner childminder nanny midwife physio surgeon consultant boss manager
    apprentice joiner roofer plasterer architect
    """
)
"""Roles that one person has for the speaker: "the vet"."""
_THE_OWN: Final = listed(
    """
    wife husband missus ex neighbour neighbor landlord landlady apprentice dog cat boss eldest youngest
    boyfriend girlfriend fella daughter son plumber builder electrician vet gardener cleaner
    childminder lodger
    """
)
"""Behind a name and "the", who is the speaker's: "gerard the ex"."""
_BEFORE: Final = listed(
    "new old current other own poor lovely elderly downstairs upstairs next-door late dear"
)
_AUNTS: Final = listed("aunt auntie aunty uncle cousin nan nana gran granny grandma grandad granddad grandpa")
_DONE: Final = listed(
    "pat sue rob nick jack bill mark chase grant chip peg skip bob josh pip frank hope rose drew"
)
"""Names that may be what is done: "pat the dog", "sue the landlord!"."""
_SHOWN: Final = frozenset((("that", "is"), ("this", "is"), ("she", "is"), ("he", "is"), ("who", "is")))
_OPEN: Final = frozenset("(,-\u2013\u2014")
_ADDRESSED: Final = listed("friend mate pal buddy bestie boss coach doctor child")
_FINITE: Final = listed("is was has will would can could does did are were had must should")
_OWNERS: Final = listed("her his")
_GOES_ON: Final = listed("of at from")


class Passed(NamedTuple):
    """A relation told in passing.

    Attributes:
        fact: The fact that tells it; None where only a name becomes known.
        aside: The places of its words without the name, up to the last (exclusive).
    """

    fact: Fact | None
    aside: tuple[int, int]


def told_in_passing(sentence: Sentence, text: str, turn: TurnRead) -> tuple[list[Fact], Sentence]:
    """The relations that a sentence tells beside names, and the sentence without their words.

    "Anna's boyfriend Josh is a vegetarian" is then read as "Josh is a vegetarian", and "Zosia says she hates
    dinosaurs" as "Zosia hates dinosaurs". Names whose relation is nobody's become known in the turn.
    """
    flat = whole(sentence, text, turn.people)
    passed = [one for place in range(len(flat.words)) for one in _at(flat, place, turn)]
    facts = [one.fact for one in passed if one.fact is not None]
    turn.people.update(people_in(facts))
    asides = [one.aside for one in passed] + list(_reported(flat, turn))
    kept = [
        token
        for place, token in enumerate(sentence.tokens)
        if not any(start <= place < end for start, end in asides)
    ]
    return facts, sentence._replace(tokens=kept)


def _at(flat: Clause, place: int, turn: TurnRead) -> Iterator[Passed]:
    word = flat.words[place]
    if word == "the":
        yield from _by_role(flat, place, turn.speaker)
    elif word in _MINE:
        yield from _of_mine(flat, place, turn.speaker)
    elif word in _AUNTS:
        yield from _aunt(flat, place, turn.speaker)
    elif word in _OWNERS or word.endswith("'s"):
        yield from _of_another(flat, place, turn)
    yield from _beside(flat, place, turn.speaker)


_MINE: Final = frozenset(["my", "our"])


def _of_mine(flat: Clause, place: int, speaker: str) -> Iterator[Passed]:
    """Somebody of the speaker's with a name, wherever it stands: "got my friend priya round"."""
    who = subject_of(flat, place)
    if who is not None and who.name and who.kind in {"person", "pet"} and not who.plural:
        yield Passed(_named(flat, who.noun, who.name, (place, who.behind), speaker), (place, place))


def _reported(flat: Clause, turn: TurnRead) -> Iterator[tuple[int, int]]:
    """What stands between somebody known and what they say of themselves: "zosia says she hates"."""
    for place, word in enumerate(flat.words[:-3]):
        end = place + 2 + (flat.words[place + 2] == "that")
        own = (
            place == 0 or not flat.words[place - 1].isalpha() or flat.words[place - 1] in {"and", "but", "so"}
        )
        told = flat.words[place + 1] == "says" and flat.words[end] in {"she", "he"}
        if told and own and any(name.casefold() == word for name in turn.people):
            yield place + 1, end + 1


def _by_role(flat: Clause, place: int, speaker: str) -> Iterator[Passed]:
    """Who has a role for the speaker: "the head mrs lyle"."""
    at = place + 1
    while flat.words[at : at + 1] and flat.words[at] in _BEFORE:
        at += 1
    noun = flat.words[at] if at < len(flat.words) else ""
    if noun not in _THE:
        return
    behind, name = _name_at(flat, at + 1)
    if name:
        yield Passed(_named(flat, noun, name, (place, behind), speaker), (place, at + 1))


def _name_at(flat: Clause, place: int) -> tuple[int, str]:
    """A name beside a relation, and the place behind it; one that is no other word before a verb, too."""
    behind, name = given_or_titled(flat, place)
    after = flat.words[place + 1] if place + 1 < len(flat.words) else ""
    if name or after not in _FINITE | THIRDS.keys() | PASTS.keys():
        return behind, name
    return _new_name(flat, place)


def _new_name(flat: Clause, place: int) -> tuple[int, str]:
    """A word that is none of the language, written as a name may be, and the place behind it."""
    raw = flat.raw(place, place + 1)
    plain = (
        raw.isalpha()
        and not raw.isupper()
        and len(raw) > len("Al")
        and (raw.istitle() or not has_capitals(flat.text))
    )
    return (place + 1, raw.title()) if plain and kind_of_word(raw.title()) is Kind.UNKNOWN else (place, "")


def _aunt(flat: Clause, place: int, speaker: str) -> Iterator[Passed]:
    """Kin that people name by what they are: "aunt vera"."""
    before = flat.words[place - 1] if place else ""
    if before in {"my", "our", "her", "his", "their", "your", "the", "a", "an"} or before.endswith("'s"):
        return
    behind, name = given_or_titled(flat, place + 1)
    if name:
        fact = _named(flat, flat.words[place], name, (place, behind), speaker)
        yield Passed(fact, (place, place + 1))


def _of_another(flat: Clause, place: int, turn: TurnRead) -> Iterator[Passed]:
    """What somebody is to another whom the speaker knows: "his mum sheila"."""
    at, words = place + 1, flat.words
    while words[at : at + 1] and words[at] in _BEFORE:
        at += 1
    noun = words[at] if at < len(words) else ""
    if noun not in ROLES:
        return
    named = words[at + 1 : at + 2] == ["is"]
    start = at + 1 + named + (named and words[at + 2 : at + 3] in (["called"], ["named"]))
    behind, name = given_or_titled(flat, start)
    if not name and not named:
        behind, name = name_behind(flat, place, start)
    elif not name and start == at + 3 and start < len(words) and flat.raw(start, start + 1).istitle():
        behind, name = start + 1, flat.raw(start, start + 1)
    if not name or (
        named
        and start == at + 2
        and not name.startswith(_TITLED)
        and behind < len(words)
        and words[behind].isalpha()
    ):
        return
    owner = _owner(flat, place, turn.spoken)
    turn.people.setdefault(name, PERSON)
    fact = None
    if owner:
        whose = Subject(owner, kind_of(turn.noun(owner)), "", place, behind)
        fact = _fact(turn.speaker, whose, flat.raw(at, at + 1), name, flat.raw(place, behind))
    mine = place > 0 and words[place - 1] in _MINE
    yield Passed(fact, (place, place) if named else (place - mine, at + 1))


_TITLED: Final = ("Mr ", "Mrs ", "Ms ", "Miss ", "Dr ", "Prof ")


def _owner(flat: Clause, place: int, before: Sequence[str]) -> str:
    """Whose somebody is: by name or kin, or by "her" where one person may be meant."""
    word = flat.words[place]
    if word in _OWNERS:
        told = [given_name(who.strip()) or who for who in told_of(flat, place)]
        return meant_by(word, told or list(before), "", flat.people)
    bare = word.removesuffix("'s")
    if place and flat.words[place - 1] in {"my", "our"}:
        return bare if bare in RELATIVES else ""
    if bare in BARE:
        return bare
    return next((one for one in flat.people if one.casefold() == bare), "")


def _beside(flat: Clause, place: int, speaker: str) -> Iterator[Passed]:
    """Who is named before what they are: "Rita the neighbour", "Ana (thats the wife, ...)"."""
    words = flat.words
    behind, name = given_or_titled(flat, place)
    if (
        not name
        and (place == 0 or flat.raw(place, place + 1).istitle())
        and words[place + 1 : place + 2] == ["the"]
    ):
        behind, name = _new_name(flat, place)
    if not name or (place and words[place - 1] in {"my", "our", "her", "his", "the"}):
        return
    at = behind
    bracket = words[at : at + 1] == ["("]
    sign = at < len(words) and words[at] in _OPEN
    at += sign
    shown = tuple(words[at : at + 2]) in _SHOWN
    at += 2 * shown
    if words[at : at + 1] not in (["my"], ["our"], ["the"]) or (sign and not (bracket or shown)):
        return
    own = words[at] != "the"
    last = at + 1
    while (
        words[last + 1 : last + 2] and words[last] in _BEFORE | _AGES and words[last + 1] in ROLES | {"one"}
    ):
        last += 1
    noun = words[last] if last < len(words) else ""
    told = noun in (ROLES if own else _THE_OWN) and (noun not in _ADDRESSED or bracket or shown)
    if not (told or (noun == "one" and words[last - 1] in _AGES)):
        return
    if not (bracket or shown) and not _is_apart(flat, place, last + 1, own=own):
        return
    after = words[last + 1] if last + 1 < len(words) else ""
    if name.lower() in _DONE and not (own or bracket or shown or _is_verb(after)):
        return
    noun = noun if told else "child"
    fact = _named(flat, noun, name, (place, last + 1), speaker)
    yield Passed(fact, (behind, behind if bracket or shown else last + 1))


def _is_verb(word: str) -> bool:
    return word in _FINITE or word in THIRDS or word in PASTS


def _is_apart(flat: Clause, start: int, end: int, *, own: bool) -> bool:
    """Whether a name and a relation right behind it go together: not in "tell Sarah the boss is here"."""
    after = flat.words[end] if end < len(flat.words) else ""
    first = start == 0 or not flat.words[start - 1].isalpha() or flat.words[start - 1] in {"and", "but", "so"}
    if _is_verb(after):
        return first and not own
    if not after.isalpha() or own or first:
        return not after.isalpha() or not given_or_titled(flat, end)[1]
    return kind_of_word(after) not in {Kind.WORD, Kind.EVERYDAY}


_AGES: Final = listed("eldest oldest youngest middle younger older big little best")


def _named(flat: Clause, noun: str, name: str, at: tuple[int, int], speaker: str) -> Fact:
    """The fact that somebody of the speaker's has a name."""
    subject = Subject(noun, kind_of(noun), name, *at)
    said = SaidWords(
        relation="is named",
        object=name,
        said=f"is named {name}",
        category="context",
        confidence=EXPLICIT,
        quote=flat.raw(*at),
        single=True,
    )
    return fact_of(speaker, subject, said)


def _fact(speaker: str, owner: Subject, noun: str, name: str, quote: str) -> Fact:
    """The fact that somebody of another's has a name: "Leo's mum is named Sheila"."""
    said = SaidWords(
        relation=noun.lower(),
        object=name,
        said="",
        category="context",
        confidence=SHARED,
        quote=quote,
        single=True,
        whole=f"{shown_owner(speaker, owner)}'s {noun} is named {name}",
    )
    return fact_of(speaker, owner, said)

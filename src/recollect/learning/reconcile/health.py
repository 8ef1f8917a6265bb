"""Whose health a message and a statement are about: what one person can eat ends nothing that another cannot.

===================================== ============================== =======================================
message                               statement                      about the same person?
===================================== ============================== =======================================
"im not allergic, they tested me"     "leo cant have peanuts, hes    no: the speaker is not Leo
                                      allergic"
"dad came off the warfarin"           "mums on warfarin"             no
"leo isnt allergic any more"          the first                      yes, by name
"not allergic after all"              the first                      nobody knows: a person is asked
"shes not allergic any more"          "my daughter has a nut         nobody knows: she is not named
                                      allergy"
===================================== ============================== =======================================

The subject of a clause that people text is the last one told before the word for the condition, the food or
the medicine, with or without an apostrophe or a capital.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from recollect.learning.extraction.people import PEOPLE, PETS
from recollect.learning.listing import DRUG, listed
from recollect.learning.reconcile.slots import BY_NAME
from recollect.learning.reconcile.told import Part, Piece
from recollect.learning.reconcile.whose import called, whom_of_words
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.types.regex import lazy_regex

_SLOTS: Final = ("allergy", "medication", "dose", "diet", "pregnancy", "smoking", "alcohol")
"""Slots of what is true of a person's body."""
_CONDITION: Final = lazy_regex(
    rf"\b(?:allerg\w*|intoleran\w*|c(?:o?e)liac|diabet\w*|asthma\w*|epilep\w*|insulin|inhaler|epipen|hives|{DRUG})\b"
)
"""A word of health without which a slot may tell one."""
_DRUG: Final = lazy_regex(DRUG)
_ME: Final = listed("i im i'm ive i've id i'd ill i'll we we're weve we've me us myself")
_MINE: Final = frozenset(("my", "our"))
_THEY: Final = listed(
    """he she they hes shes theyre he's she's they're theyve they've hed shed he'd she'd theyd they'd
    him her his their them"""
)
_UNNAMED: Final = frozenset(("they",))
_DOCTORS: Final = listed(
    "gp doctor dentist midwife nurse physio physiotherapist psychiatrist psychologist therapist"
)
"""Who speaks of the health of others: "the gp tested me"."""
_DOES: Final = lazy_regex(
    r"(?:is|isnt|isn't|was|wasnt|has|hasnt|hasn't|had|can|cant|can't|cannot|takes|needs|gets|reacts|eats|drinks|smokes"
    r"|outgrew|came|went|gave|wont|won't|doesnt|doesn't|never|\w{2,}ed)\Z"
)
_SLIP: Final = lazy_regex(r"\b(ca|do|does|did|is|are|was|has|have|wo)nt\b")
"""A denial without its apostrophe."""
_WORD: Final = lazy_regex(r"[^\W_][\w'-]*")
Persons = frozenset[str]
"""The words for one person, in small letters: none for the speaker, "they" for one who is not named."""


def concerns(piece: Piece | Part, message: str, said: str, who: Persons | None = None) -> bool | None:
    """Whether a piece of a message and a statement are about one person's health; None where nobody knows.

    What is about nobody's health is about the same person, as far as this module knows.

    Args:
        piece: The piece, and whom it is about.
        message: The whole message, which may name somebody.
        said: The statement.
        who: Whom a fact is about; None for a statement as it stands, which tells it itself.
    """
    low, told = _low(said), _low(piece.low)
    told_at, said_at = _places(told, low)
    if told_at is None or said_at is None:
        return True
    ours = subject_before(told, told_at)
    if ours is None and piece.of not in {"", "you"}:
        ours = called(piece.of)
    if ours == _UNNAMED and frozenset() in _subjects(told, len(told)):
        ours = frozenset()  # "they put me up to 125 micrograms"
    if ours == _UNNAMED and who and _same_matter(told, low):
        return True
    theirs = subject_before(low, said_at) if who is None else who
    return _are_same(ours, whom_of_words(said) if theirs is None else theirs, _low(message))


def _are_same(ours: Persons | None, theirs: Persons, message: str) -> bool | None:
    if not theirs:
        return not ours
    if ours is None:
        return None
    if not ours:
        return False
    if not ours.isdisjoint(theirs - _UNNAMED):
        return True
    named = {word.removesuffix("'s") for word in _WORD.findall(message)}
    if not named.isdisjoint(theirs - _UNNAMED):
        return True
    unsure = _UNNAMED & (ours | theirs) or _is_kin(ours) != _is_kin(theirs)
    return None if unsure else False


def _is_kin(persons: Persons) -> bool:
    return not persons.isdisjoint(PEOPLE | PETS)


def _same_matter(told: str, said: str) -> bool:
    """Whether both name the same food or medicine."""
    ours, theirs = (
        {word.removesuffix("s") for word in _WORD.findall(text) if _is_matter(word)} for text in (told, said)
    )
    return not ours.isdisjoint(theirs)


def _is_matter(word: str) -> bool:
    is_thing = kind_of(word.removesuffix("'s")) in {Kind.WORD, Kind.UNKNOWN}
    return is_thing and not _noun(word) and (_CONDITION.match(word) is None or _DRUG.match(word) is not None)


def _places(told: str, said: str) -> tuple[int | None, int | None]:
    """Where both speak of the same matter of health: the word itself, else what fills or turns its slot."""
    shared = {word[0] for word in _CONDITION.finditer(told)} & {word[0] for word in _CONDITION.finditer(said)}
    for word in sorted(shared):
        return told.index(word), said.index(word)
    for name in _SLOTS:
        slot = BY_NAME[name]
        ours = slot.turns.search(told) or slot.holds.search(told)
        theirs = slot.holds.search(said)
        if ours and theirs:
            return ours.start(), theirs.start()
    return None, None


@lru_cache(maxsize=4096)
def subject_before(low: str, place: int) -> Persons | None:
    """The last subject told before a place of a text in small letters; None where none is.

    A pronoun means the one told before it.

    >>> sorted(subject_before("leo cant have peanuts hes allergic", 29)), subject_before("aspirin", 0)
    (['leo'], None)
    """
    last: Persons | None = None
    for one in _subjects(low, place):
        known = last if last and last != _UNNAMED else None
        last = (known or one) if one == _UNNAMED else one
    return last


def _subjects(low: str, place: int) -> Iterator[Persons]:
    """Whom the words name that begin before a place, in order."""
    words = list(_WORD.finditer(low))
    for at, found in enumerate(words):
        if found.start() >= place:
            return
        word, behind = found[0], [one[0] for one in words[at + 1 : at + 2]]
        if word in _ME or (word in _MINE and not (behind and _noun(behind[0]))):
            yield frozenset()
        elif word in _THEY:
            yield _UNNAMED
        elif noun := _noun(word):
            yield called(noun, given_name(behind[0]).lower() if behind else "")
        elif at and _noun(words[at - 1][0]) and given_name(word):
            continue
        elif name := given_name(word.removesuffix("'s")) or given_name(word.removesuffix("s")):
            yield frozenset((name.lower(),))
        elif _is_name(word, behind):
            yield frozenset((word.removesuffix("'s"),))


def _is_name(word: str, behind: list[str]) -> bool:
    """Whether a word that is no other known one stands as somebody who does something: "jonah outgrew"."""
    unknown = word.isalpha() and kind_of(word.title()) is Kind.UNKNOWN and not _CONDITION.search(word)
    return unknown and bool(behind) and _DOES.match(behind[0]) is not None


def _noun(word: str) -> str:
    """The word for somebody of the speaker's, also with an ending that should have an apostrophe: "mums"."""
    bare = word.removesuffix("'s")
    nouns = (one for one in (bare, bare.removesuffix("s")) if one in PEOPLE or one in PETS)
    return next((one for one in nouns if one not in _DOCTORS), "")


def _low(text: str) -> str:
    return _SLIP.sub(r"\1n't", " ".join(text.replace("\u2019", "'").lower().split()))

"""Whom words are about: what one person changes ends nothing that is known of another.

================================ ========================== ==============================================
message                          known                      the same person?
================================ ========================== ==============================================
"I came off warfarin"            "My dad takes warfarin"    no: the speaker is not their dad
"My wife quit smoking"           "User smokes"              no
"Dad's off the warfarin"         "My dad takes warfarin"    yes, by what he is to the speaker
"They bumped him to 10 mg"       "My dad takes warfarin"    may be: "him" is somebody spoken of before
"He's stopped my naproxen"       "User takes naproxen"      yes: "my"
"My friend Jim came off it"      "My friend Bob takes it"   no, by their names
================================ ========================== ==============================================

That somebody has a name is a fact about the speaker, too: "User's boss is named Rita" (``ties``).
"""

import re
from functools import lru_cache
from typing import Final

from recollect.learning.extraction.foreign_kin import NOUNS
from recollect.learning.extraction.people import PEOPLE, PETS
from recollect.learning.listing import listed
from recollect.learning.reconcile.phrases import plain
from recollect.learning.reconcile.relations import ONLY_ONES
from recollect.learning.reconcile.statements import CHANGED, SAID, Statement
from recollect.learning.reconcile.told import Piece, whose_of
from recollect.text.entities.kinds import Kind, given_name, kind_of
from recollect.types.regex import lazy_regex

_OF_ME: Final = lazy_regex(r"\b(?:i|i'm|im|i've|ive|me|my|mine|we|we're|we've|us|our|ours)\b")
_OF_THEM: Final = lazy_regex(
    r"\b(?:s?he|him|her|his|they|them|er|sie|ihn|il|elle|la|lo|ele|ela|han|hon|son|daughter|kids?|hij[oa]"
    r"|filh[oa])(?:'s)?\b"
)
_PREDICATE: Final = lazy_regex(
    r"(?:hates|loves|likes|eats|drinks|smokes|plays|lives|studies"
    r"|(?:wont|won't|cant|can't|cannot|doesnt|doesn't) (?:eat|drink|like|have|touch|stand|smoke|do|go))\b"
)
"""What stands behind the name of somebody, also of one that is no common name: "alfie wont eat greens"."""
_IS: Final = lazy_regex(
    r"(?:is|was|has|had|got|takes|goes|works|needs|wants|does|isnt|isn't|hasnt|hasn't|wont|won't|\w+ed)\b"
)
"""The same behind a common name of people."""
_CONDITION: Final = lazy_regex(
    r"(?:(?:is|a|an|severely|very|also) )*(?:allergic|vegan|vegetarian|veggie|coeliac|celiac|diabetic"
    r"|asthmatic|autistic|dyslexic|pregnant|lactose|intolerant|deaf|blind)\b"
)
"""What only somebody is: "Alun's coeliac"."""
_OWNING: Final = lazy_regex(r"(?:'s|\u2019s)$")
_ME: Final = lazy_regex(r"\b(?:me|my|mine|us|our|ours)\b")
_NAMING: Final = frozenset(("is named", "is called"))
_TELLS_NAME: Final = lazy_regex(
    r"(?:[\w'-]+ ){1,3}?(?:[\w-]+'s|[\w-]+ (?i:is|are)) (?:(?i:called|named) |[A-Z][\w-]+\W*$)"
)
"""How a statement begins that tells whom the speaker has: "My boss is Rita"."""
_SYNONYMS: Final = (
    frozenset(("mother", "mom", "mum", "mam", "mama", "mummy")),
    frozenset(("father", "dad", "daddy", "papa", "pop")),
    frozenset(("wife", "missus", "wifey")),
    frozenset(("husband", "hubby")),
    frozenset(("grandmother", "grandma", "gran", "granny", "nan", "nana", "nanna")),
    frozenset(("grandfather", "grandpa", "grandad", "granddad", "gramps")),
    frozenset(("kid", "kids", "child", "children")),
)
"""Words for the same person."""


_CALLED: Final = listed(
    """
    son daughter child kid stepson stepdaughter grandson granddaughter niece nephew brother sister cousin
    friend partner girlfriend boyfriend husband wife dog cat rabbit horse
    """
)
"""Who is called by a name, rather than by this word."""


def whom(known: Statement) -> frozenset[str]:
    """The words for the one whom a known statement is about, in small letters; empty for the speaker."""
    if known.relation in {SAID, CHANGED}:
        return whom_of_words(known.object or "")
    return _whom_of_fact(known.subject, known.relation or "", known.text)


@lru_cache(maxsize=4096)
def _whom_of_fact(subject: str, relation: str, text: str) -> frozenset[str]:
    owner, _, who = subject.replace("\u2019", "'").rpartition("'s ")
    noun = who.rpartition(" ")[2]
    known = noun in PEOPLE or noun in PETS or noun[:1].isupper()
    if not owner or not known or relation in _NAMING:
        return frozenset()
    behind = text.removeprefix(subject).split(maxsplit=1)[:1]
    return called(noun.lower(), behind[0].strip(".,").lower() if behind and behind[0][:1].isupper() else "")


_FULL_NAME: Final = lazy_regex(
    r"(?:(?:Dr|Mrs?|Ms|Miss|Prof)\.? )?[^\W\d_a-z][\w-]*(?: [^\W\d_a-z][\w-]*)*(?![\w'])"
)


def name_of(subject: str, text: str) -> str:
    """The name of the one whom a fact is about, in small letters; empty for the speaker and without a name.

    >>> name_of("User's brother", "User's brother Tom lives in Leeds."), name_of("User's Tom", "Tom moved.")
    ('tom', 'tom')
    >>> name_of("User's brother", "User's brother lives in Leeds.")
    ''
    """
    owner, _, who = subject.replace("\u2019", "'").rpartition("'s ")
    if not owner:
        return ""
    found = _FULL_NAME.match(who if who[:1].isupper() else text.removeprefix(subject).strip())
    return found.group().lower() if found else ""


def are_one(new: Statement, known: Statement) -> bool:
    """Whether two statements are about the same subject: one brother is not another, by their names."""
    ours, theirs = name_of(new.subject, new.text), name_of(known.subject, known.text)
    if plain(new.subject) == plain(known.subject):
        only = not ONLY_ONES.isdisjoint(plain(new.subject)[-1:])
        return only or not (ours and theirs) or _is_same_name(ours, theirs)
    return is_by_name(new) != is_by_name(known) and _is_same_name(ours, theirs)


def is_by_name(statement: Statement) -> bool:
    """Whether a statement calls its subject by a name alone: "Tom moved", not "my brother Tom moved"."""
    return statement.subject.replace("\u2019", "'").rpartition("'s ")[2][:1].isupper()


def _is_same_name(one: str, other: str) -> bool:
    """Whether two names may be of the same: "Tom" is of "Tom Smith", and "Tom Jones" is not."""
    ours, theirs = one.split(), other.split()
    return bool(ours and theirs) and (
        ours == theirs or (1 in {len(ours), len(theirs)} and ours[0] == theirs[0])
    )


@lru_cache(maxsize=4096)
def whom_of_words(text: str) -> frozenset[str]:
    """The same of a statement as it stands."""
    low, of = " ".join(text.replace("\u2019", "'").lower().split()), whose_of(text)
    if _TELLS_NAME.match(text):
        return frozenset()
    if of in {"", "you"}:
        return _by_small_name(low)
    return called(of, _name_behind(of, text)) if of != "they" else frozenset((of,))


def _by_small_name(low: str) -> frozenset[str]:
    """Whom a statement is about that begins with a name, however spelt, and is not of its speaker."""
    first, _, rest = low.partition(" ")
    name = first.removesuffix("'s")
    kind = kind_of(name.title()) if name.isalpha() else Kind.FUNCTION
    if kind not in {Kind.KNOWN, Kind.UNKNOWN}:
        return frozenset()
    is_one = given_name(name) and (first != name or _IS.match(rest)) and not _OF_ME.search(low)
    return frozenset((name,)) if is_one or _PREDICATE.match(rest) or _CONDITION.match(rest) else frozenset()


def called(noun: str, name: str = "") -> frozenset[str]:
    """The words for somebody by what they are to the speaker, and by a name in small letters if there is one.

    >>> sorted(called("son", "leo")), sorted(called("wife"))
    (['leo', 'son'], ['missus', 'wife', 'wifey'])
    """
    noun = NOUNS.get(noun, noun)
    alike = next((words for words in _SYNONYMS if noun in words), frozenset((noun,)))
    return alike | {name} if name else alike


def is_about(
    piece: Piece, said: str, who: frozenset[str], *, of_me: bool = False, strangers: bool = False
) -> bool:
    """Whether a piece of a message may be about the one whom a statement is about.

    Args:
        piece: The piece, and whom it is about.
        said: The statement.
        who: Whom it is about; see ``whom``.
        of_me: Whether the message tells elsewhere that what is done there is done to its speaker.
        strangers: Whether somebody by an unknown name may be a child or a friend whose name is not known.
    """
    if piece.of == "you":
        return True
    if not who:
        return _is_of_the_speaker(piece, said, of_me=of_me)
    if not piece.of:
        named = not who.isdisjoint(_words(piece.low)) or (strangers and who <= _CALLED and _is_named(piece))
        return named or _OF_THEM.search(piece.low) is not None
    of = NOUNS.get(piece.of, piece.of)
    return "they" in {of, *who} or (of in who and not _is_namesake(piece, who))


def _is_named(piece: Piece) -> bool:
    """Whether a piece begins with a name that nobody is known by."""
    first = piece.raw.partition(" ")[0]
    return first[:1].isupper() and kind_of(first) is Kind.UNKNOWN


def _is_of_the_speaker(piece: Piece, said: str, *, of_me: bool) -> bool:
    """Whether a piece may be about the speaker, or about somebody whom a statement of theirs names."""
    low = " ".join(said.replace("\u2019", "'").lower().split())
    if piece.of == "they":
        return of_me or _ME.search(piece.low) is not None or not _words(low).isdisjoint(PEOPLE | PETS)
    of = NOUNS.get(piece.of, piece.of)
    return not of or re.search(rf"\b{re.escape(of)}", low) is not None


def _is_namesake(piece: Piece, who: frozenset[str]) -> bool:
    """Whether a piece is of somebody else who is the same to the speaker: another friend, by the name."""
    name, named = _name_behind(piece.of, piece.raw), {word for word in who if word not in PEOPLE | PETS}
    return bool(name and named) and name not in named


def _name_behind(noun: str, text: str) -> str:
    found = re.search(rf"\b(?i:{re.escape(noun)}),? ([A-Z][\w-]+)", text)
    return _OWNING.sub("", found[1]).lower() if found and kind_of(found[1]) >= Kind.BOTH else ""


def _words(low: str) -> set[str]:
    return {word.removesuffix("'s") for word in re.findall(r"[\w'-]+", low)}

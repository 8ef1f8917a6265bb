"""Where a run of capitalised words is cut: "Thanks Ada" greets, "Anna's BMW" has two names."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from recollect.text.entities.kinds import Kind
from recollect.text.entities.pieces import EntityPiece
from recollect.text.entities.vocabulary import DAYS, GIVEN, MADE, PLACES


@dataclass(slots=True)
class EntityStretch:
    """Pieces of a run that may make a name.

    Attributes:
        opening: Whether its first capital says nothing.
        sure: Whether what stood before or behind says that it is a name: a title, "Inc.", an inner "The".
    """

    pieces: list[EntityPiece]
    opening: bool
    sure: bool = False


def stretches(pieces: Sequence[EntityPiece], *, opening: bool) -> Iterator[EntityStretch]:
    """The parts of a run between words that are in no name."""
    stretch = EntityStretch([], opening)
    for at, piece in enumerate(pieces):
        following = pieces[at + 1] if at + 1 < len(pieces) else None
        titles = _titles(piece, following)
        if titles or _cuts(piece, stretch.pieces):
            if stretch.pieces:
                yield stretch
            stretch = EntityStretch([], opening=_ends_sentence(stretch.pieces, piece), sure=titles)
        if titles or _is_left_out(piece, following, stretch.pieces):
            stretch.sure = stretch.sure or (piece.word == "The" and not stretch.opening)
            stretch.opening = False
            continue
        stretch.pieces.append(piece)
        if piece.possessive and following is not None and not _is_in_name(piece, pieces[at + 1 :]):
            yield stretch
            stretch = EntityStretch([], opening=False)
    if stretch.pieces:
        yield stretch


def leave_out_days(pieces: Sequence[EntityPiece]) -> None:
    """Makes holidays words of grammar: "Black Friday", "Christmas Eve", "Valentine's Day", "New Year"."""
    for before, piece in itertools.pairwise(pieces):
        if before.word.lower() in DAYS or piece.word.lower() in DAYS:
            for each in (before, piece):
                if each.kind < Kind.BOTH or each.word in _OF_DAYS:
                    each.kind = Kind.FUNCTION
        elif piece.word in _OF_DAYS and (before.possessive or before.word in _HOLIDAYS):
            before.kind = piece.kind = Kind.FUNCTION


def _titles(piece: EntityPiece, following: EntityPiece | None) -> bool:
    """Whether a piece is the title of what follows it."""
    if piece.kind is not Kind.TITLE or following is None or following.link != " ":
        return False
    return following.kind >= Kind.INITIAL or following.kind is Kind.TITLE


def _cuts(piece: EntityPiece, before: Sequence[EntityPiece]) -> bool:
    """Whether a name ends before this piece."""
    if not before:
        return False
    last = before[-1]
    if _ends_sentence(before, piece):
        return True
    if not piece.link or (piece.link in _FROM and last.word in GIVEN and _begins_place(piece.word)):
        return True
    if "&" in piece.link and last.word in GIVEN and piece.word in GIVEN:
        return True
    if piece.kind is not Kind.FUNCTION or (piece.word == "I" and last.word == "War"):
        return False
    return len(piece.word) > 1 or piece.word in "AIO"


def _ends_sentence(before: Sequence[EntityPiece], piece: EntityPiece) -> bool:
    """Whether a letter ends a sentence: "Vitamin D. Doctors know it", but not "John F. Kennedy"."""
    if len(before) < len("ab") or before[-1].kind is not Kind.INITIAL:
        return False
    return before[-2].kind is Kind.WORD and piece.kind <= Kind.VERB and piece.kind is not Kind.INITIAL


def _begins_place(word: str) -> bool:
    return word in PLACES or word in _BEGIN_PLACES


def _is_left_out(piece: EntityPiece, following: EntityPiece | None, before: Sequence[EntityPiece]) -> bool:
    """Whether a piece stands in no name here."""
    if piece.kind is Kind.FUNCTION:
        return not before
    if before or piece.kind not in {Kind.KIN, Kind.EVERYDAY, Kind.TITLE}:
        return False
    return following is None or " of" not in following.link


def _is_in_name(owner: EntityPiece, pieces: Sequence[EntityPiece]) -> bool:
    """Whether a possessive and what follows are one name: "Joe's Pizza", but not "Anna's BMW"."""
    if owner.word in PLACES:
        return False
    ahead = []
    for piece in pieces:
        if piece.kind is Kind.FUNCTION:
            break
        ahead.append(piece.kind)
    return bool(ahead) and not pieces[0].numeric and {Kind.WORD, Kind.VERB}.issuperset(ahead)


def begins_loosely(pieces: Sequence[EntityPiece]) -> bool:
    """Whether the first word of a sentence stands before a name instead of in it: "Visit Paris"."""
    if len(pieces) == 1:
        return False
    first, second = pieces[0], pieces[1]
    if first.kind is Kind.INITIAL:
        return second.kind < Kind.BOTH and second.kind is not Kind.INITIAL
    if " of" in second.link:
        return first.kind in {Kind.WORD, Kind.VERB} and first.word not in _OF_SOMETHING
    if second.link != " ":
        return False
    if first.kind is Kind.VERB:
        return second.kind > Kind.VERB or second.kind is Kind.PEOPLE
    if first.kind not in {Kind.WORD, Kind.PEOPLE} or first.word in _BEFORE_PERSONS:
        return False
    return second.word in GIVEN or (first.word in _OF_PERSONS and len(pieces) == len("ab"))


def names_something(pieces: Sequence[EntityPiece]) -> bool:
    """Whether any of the pieces is more than a common word."""
    return any(piece.kind > Kind.BOTH or (piece.kind is Kind.BOTH and piece.word in MADE) for piece in pieces)


def is_shouted(pieces: Sequence[EntityPiece]) -> bool:
    """Whether words of grammar are in capitals, too: then capitals make no acronym."""
    return any(
        piece.kind is Kind.FUNCTION and len(piece.word) > 1 and piece.word.isupper() for piece in pieces
    )


_OF_DAYS: Final = frozenset({"Day", "Eve", "Year", "Years"})
_HOLIDAYS: Final = frozenset(
    """
    Bastille Boxing Columbus Election Groundhog Independence Labor Labour Memorial New Veterans
    """.split()  # noqa: SIM905 - words read better than many strings
)
_FROM: Final = frozenset({" de ", " da ", " von "})
"""Words that part a person from a place ("Ana de Madrid"), and stand inside names ("Ana de Armas")."""
_BEGIN_PLACES: Final = frozenset({"Buenos", "Ciudad", "Nueva", "Rio", "Río", "San", "Santa", "São"})
_OF_PERSONS: Final = frozenset(
    {"Little", "Old", "Poor", "Young", "Sweet", "Lovely", "Happy", "Good", "Great"}
)
"""What is said of persons; "Little Rock" is rare at the start of a sentence."""
_BEFORE_PERSONS: Final = frozenset(
    """
    Bay Cafe Camp Cape Church College Fort Hospital Hotel House Lake Mount Mountain Port River Saint San
    School Studio Villa
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Words that make of a person's name that of a place."""
_OF_SOMETHING: Final = frozenset(
    """
    Academy Age Bank Battle Bay Board Book Call Cape Church City College Council Court Department Doctors
    Duke Empire Faculty Fall Game Gulf Heart House Institute Isle Isles King Kingdom League Legend
    Ministry Museum Office Order Palace Peace Port Prince Queen Republic School Sea Sons State States
    Statue Strait Tales Temple Tower Treaty Union University Valley War Wizard World
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""Words that begin a name with "of": "Bank of America", but not "Photo of Ada"."""

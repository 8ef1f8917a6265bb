"""From a run of capitalised words to the names in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from recollect.text.entities.german import is_german_name, of_german, part_at_von
from recollect.text.entities.kinds import Kind, kind_of
from recollect.text.entities.pieces import EntityPiece, pieces_of
from recollect.text.entities.places import Place, place_of
from recollect.text.entities.runs import Patterns
from recollect.text.entities.stretches import (
    EntityStretch,
    begins_loosely,
    is_shouted,
    leave_out_days,
    names_something,
    stretches,
)
from recollect.text.entities.surroundings import AskedText
from recollect.text.entities.vocabulary import GIVEN
from recollect.types.regex import lazy_regex


@dataclass(slots=True)
class Reader:
    """Reads the runs of one text."""

    around: AskedText
    patterns: Patterns

    def names(self, run: re.Match[str]) -> Sequence[str]:
        """The names in a run."""
        start, end = run.span()
        word, place = run.group(), place_of(self.around.text, start)
        if place is Place.ATTACHED:
            return self._of_mixed_case(start, end)
        if self.around.is_of_code(end):
            return ()
        if word.isalpha() and self.around.language == "en":
            kind, inside = kind_of(word), place is Place.INSIDE
            if kind < (Kind.WORD if inside else Kind.BOTH):
                return ()
            if kind is Kind.KNOWN or (kind is Kind.UNKNOWN and inside and not self.around.marked):
                return (word,)
        opening = place is Place.OPENING
        if opening and self.around.language == "en" and self.around.is_in_heading(start) and _is_common(word):
            return ()
        return self._of_run(start, end, opening=opening)

    def _of_run(self, start: int, end: int, *, opening: bool) -> list[str]:
        matches = self.patterns.piece.finditer(self.around.text, start, end)
        pieces = pieces_of(matches, language=self.around.language, opening=opening)
        leave_out_days(pieces)
        if self.around.language == "de":
            part_at_von(pieces)
        if is_shouted(pieces):
            pieces = [piece for piece in pieces if piece.kind is not Kind.CAPITALS]
        found = []
        for stretch in stretches(pieces, opening=opening):
            self._trim(stretch)
            if stretch.pieces and self._is_name(stretch):
                found.append(self._spelt(stretch.pieces))
        return found

    def _of_mixed_case(self, start: int, end: int) -> list[str]:
        """A word such as "iPhone", of which the run has but a part."""
        text = self.around.text
        small = _SMALL.search(text[max(0, start - _LONGEST_SMALL) : start])
        if small is None or not _IS_MIXED.match(small[1] + text[start : start + 3]):
            return []
        pieces = pieces_of(self.patterns.piece.finditer(text, start, end), language="en", opening=False)
        pieces[0].start -= len(small[1])
        pieces[0].kind = Kind.ODD
        stretch = next(stretches(pieces, opening=False))
        self._trim(stretch)
        return [self._spelt(stretch.pieces)]

    def _trim(self, stretch: EntityStretch) -> None:
        """Takes off a stretch what does not belong to the name."""
        pieces = stretch.pieces
        while pieces and self._ends_loosely(pieces):
            stretch.sure = stretch.sure or pieces[-1].word.lower() in LEGAL_FORMS
            pieces.pop()
        while pieces and (pieces[0].numeric or (stretch.opening and begins_loosely(pieces))):
            stretch.opening = stretch.opening and pieces[0].kind is Kind.INITIAL
            del pieces[0]
            if len(pieces) == 1 and not names_something(pieces):
                pieces.clear()
        if self.around.language == "de":
            of_german(pieces)
        if pieces and self.around.is_in_heading(pieces[0].start):
            self._trim_in_heading(pieces)

    def _trim_in_heading(self, pieces: list[EntityPiece]) -> None:
        """Takes common words off both ends of a name in a heading, where they are capitalised anyhow."""
        for piece in pieces:
            if piece.kind is Kind.UNKNOWN and self.around.holds_in_lower_case(piece.word):
                piece.kind = Kind.WORD
        common = sum([Kind.WORD <= piece.kind <= Kind.VERB for piece in pieces])
        if not names_something(pieces) or self.around.line(pieces[0].start).title_words <= common:
            return
        while pieces[0].kind <= Kind.VERB:
            del pieces[0]
        while not names_something(pieces[-1:]) and not pieces[-1].numeric:
            pieces.pop()

    def _ends_loosely(self, pieces: Sequence[EntityPiece]) -> bool:
        """Whether the last piece is in no name."""
        last = pieces[-1]
        lower = last.word.lower()
        if len(pieces) == 1:
            return last.kind in {Kind.INITIAL, Kind.KIN, Kind.TITLE, Kind.EVERYDAY}
        if last.numeric:
            return not self.around.counts(pieces[-2], last)
        if lower in LEGAL_FORMS:
            return "&" not in last.link
        if last.kind is Kind.EVERYDAY:
            return lower not in _KEPT_AT_END
        if last.kind is Kind.INITIAL:
            return pieces[-2].kind is not Kind.WORD
        shortened = "." in self.around.text[last.end - 1 : last.end + 1]
        return last.kind in {Kind.KIN, Kind.TITLE} and (shortened or pieces[0].kind is Kind.KNOWN)

    def _is_name(self, stretch: EntityStretch) -> bool:
        pieces = stretch.pieces
        if stretch.sure:
            return pieces[-1].kind > Kind.INITIAL
        if len(pieces) == 1 and pieces[0].kind is Kind.UNKNOWN and self.around.signs(pieces[0]):
            return True
        if self.around.language == "de":
            return is_german_name(self.around.text, pieces)
        if len(pieces) == 1:
            return self._is_name_alone(pieces[0], opening=stretch.opening)
        return names_something(pieces) or self._is_name_of_words(pieces, opening=stretch.opening)

    def _is_name_of_words(self, pieces: Sequence[EntityPiece], *, opening: bool) -> bool:
        """Whether common words make a name: "Red Cross"."""
        if all(piece.kind < Kind.WORD or piece.numeric for piece in pieces) or pieces[1].numeric:
            return False
        if opening and pieces[0].kind is Kind.VERB and pieces[1].link == " ":
            return False
        line = self.around.line(pieces[0].start)
        if opening and (line.listed or self.around.ends_line(pieces[-1])):
            return False
        return not (line.title_words or self.around.is_owned(pieces))

    def _is_name_alone(self, piece: EntityPiece, *, opening: bool) -> bool:
        kind = piece.kind
        if kind < Kind.WORD or piece.numeric:
            return False
        if kind >= Kind.CAPITALS:
            return kind is not Kind.CAPITALS or not self.around.is_shouted()
        if opening:
            return kind >= Kind.BOTH and self.around.tells(piece)
        return kind is Kind.UNKNOWN or self._is_name_and_word(piece)

    def _is_name_and_word(self, piece: EntityPiece) -> bool:
        """Whether a common word inside a sentence is a name: "our dog is called Shadow"."""
        line = self.around.line(piece.start)
        if piece.kind is Kind.BOTH:
            return piece.word not in GIVEN or not (line.title_words or self.around.has_article(piece))
        if line.title_words or line.listed or self.around.is_a_thing(piece):
            return False
        return piece.kind is Kind.WORD or not self.around.goes_on_as_verb(piece)

    def _spelt(self, pieces: Sequence[EntityPiece]) -> str:
        name = " ".join("".join(self._parts(pieces)).replace("\u2019", "'").split())
        return _CLOSE_INITIALS.sub(". ", name)

    def _parts(self, pieces: Sequence[EntityPiece]) -> Iterator[str]:
        for piece in pieces:
            if piece is not pieces[0]:
                yield piece.link
            last = piece is pieces[-1]
            if piece.kind is Kind.CAPITALS or (last and piece.kind is Kind.INITIAL):
                yield piece.word.removesuffix(".")
            else:
                yield self.around.text[piece.start : piece.end]
            if piece.possessive and not last:
                yield "'s"


def _is_common(run: str) -> bool:
    """Whether all words of a run are nouns, adjectives or verbs: a heading made of them names nothing."""
    words = run.split(" ")
    return all(
        word.isalpha() and Kind.WORD <= kind_of(word) <= Kind.VERB and word.lower() not in LEGAL_FORMS
        for word in words
    )


_SMALL: Final = lazy_regex(r"(?<![\w@#./\\-])([a-z]{1,5})$")
_LONGEST_SMALL: Final = 7
"""Characters looked back at."""
_IS_MIXED: Final = lazy_regex(r"[a-z]{1,2}[A-Z][a-z]|[a-z]{1,5}OS(?![A-Z])")
"""A short beginning in lower case, as in "eBay"; longer ones are names in code."""
_CLOSE_INITIALS: Final = lazy_regex(r"\.(?=[A-Z]\.)|(?<=[A-Z])\.(?=[A-Z][a-z])")
LEGAL_FORMS: Final = frozenset(["ag", "bv", "co", "corp", "gmbh", "inc", "kg", "llc", "ltd", "plc", "sa"])
_KEPT_AT_END: Final = frozenset(["fc", "ii", "iii", "iv", "ix", "tv", "vi", "vii", "viii", "vr", "xi", "xii"])
"""What stands at the end of names: "Henry VIII", "Apple TV"."""

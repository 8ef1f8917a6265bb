"""Names of people, places, organisations and things, by their capitals and without a model.

A name is a capitalised word or a run of them with linking words: "San Francisco", "University of Oxford",
"Vincent van Gogh", "iPhone 15 Pro". Its form, position and neighbours decide, with short word lists:

* **At the beginning of a sentence**, line or quotation, a word is a name if it is a known name ("Caroline")
  and no common word, has capitals inside ("PostgreSQL", "NASA"), continues ("Golden Gate Bridge"), or is
  unknown and followed by a verb, a comma or "'s" ("Kofi left"). Words of grammar, greetings and verbs in
  front of a name are removed ("Thanks Ada", "Visit Paris").
* **Inside a sentence** capitals make a name, also of common words ("Red Cross"), unless they follow an
  article or possessive ("my Team", "a Senior Engineer").
* **No names**: "I", days, months, holidays; nationalities and languages alone ("English"; "French Open" is
  one); "Mom"; acronyms of common nouns ("TV", "CEO"); text in capitals; handles, addresses, code; common
  words in headings and lists in Title Case.
* **Removed**: titles ("Dr. Chen" is "Chen"), "The", "'s", legal forms ("Apple Inc."), the dots of "U.S.".
* **Titles** of books, films and songs are kept whole when quoted and in Title Case, or in 《》.
* **Scripts without capitals**: only names in Latin letters, and 《》.
* **German** capitalises every noun. Kept are known names, acronyms, mixed case, words after "Herr" or "Dr.",
  runs of words that are no known nouns ("Novo Nordisk"), and single words after "mit", "bei", "von", "in",
  "aus", "nach", "namens" and greetings. Other single names in no list are lost ("bei der Telekom").
* **Other languages**: words of grammar come from stopwords-iso. At the beginning of a sentence a word is a
  name if it is known or stands before one of a few verbs ("Paula dice").

Lost: names in lower case, unquoted titles with small words ("Pride and Prejudice"), firms with "and", names
with a leading digit or a slash ("3M", "AC/DC"), an unknown name alone ("Kofi!"). Kept by mistake: capitalised
common words ("in the Main Hall"). Two spellings are two names: "UN", "United Nations".
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from recollect.errors import InvalidInputError
from recollect.text.analyse import READ_CHARACTERS
from recollect.text.entities.kinds import Kind, kind_of
from recollect.text.entities.languages import language_of
from recollect.text.entities.quoted import Title, quoted_titles
from recollect.text.entities.reading import Reader
from recollect.text.entities.runs import patterns, without_code
from recollect.text.entities.surroundings import AskedText
from recollect.text.entities.vocabulary import FUNCTION, GIVEN, MADE

__all__ = ["MAX_ENTITIES", "find_entities"]

MAX_ENTITIES: Final = 10
"""Names given of one text. Chosen by hand: the fullest turn of LoCoMo has 6; more would make of a long
document a neighbour of everything."""


def find_entities(text: str, *, words: Sequence[str] | None = None, language: str = "en") -> tuple[str, ...]:
    """The names in a text, in the order of first mention, each once in whatever case, at most 10.

    Args:
        text: Its first 20,000 characters are read.
        words: What ``ascii_words`` cuts from these, if they are ASCII and that is known already.
        language: ISO 639-1: what the text is in, unless its words of grammar are plainly German, French,
            Spanish, Italian, Portuguese, Dutch or English ones. Any other code is read by capitals alone.

    >>> find_entities("Caroline went to San Francisco with Dr. Maria Gonzalez-Ruiz")
    ('Caroline', 'San Francisco', 'Maria Gonzalez-Ruiz')
    >>> find_entities("Thanks Mel! However, I read The New York Times on my iPhone 15 Pro.")
    ('Mel', 'New York Times', 'iPhone 15 Pro')
    >>> find_entities("Der Termin bei Frau Yilmaz in Wien ist am Montag", language="de")
    ('Yilmaz', 'Wien')
    >>> find_entities("Yesterday we had Italian food. TV was boring.")
    ()

    Raises:
        InvalidInputError: The text is not a string.
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"text must be a string, not {type(text).__name__}")
    seen = text[:READ_CHARACTERS]
    if words and seen[1:].islower() and kind_of(words[0].capitalize()) < Kind.BOTH:
        return ()
    seen = without_code(seen if seen.isascii() else unicodedata.normalize("NFC", seen))
    found, titles = _by_capitals(seen, words, language), quoted_titles(seen)
    return _first(_merged(titles, found) if titles else (name for _, name in found))


def _by_capitals(text: str, words: Sequence[str] | None, language: str) -> Iterator[tuple[int, str]]:
    """The names with where the runs they are in begin, in order."""
    found = patterns(ascii_only=text.isascii())
    reader: Reader | None = None
    for run in found.run.finditer(text):
        if run.group() in _PASSED:
            continue
        if reader is None:
            marked = "#" in text or "**" in text
            around = AskedText(text, language_of(text, words, language), marked=marked)
            reader = Reader(around, found)
        for name in reader.names(run):
            yield run.start(), name


def _merged(titles: Sequence[Title], others: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Titles, and the names outside of them, in order."""
    ends = [title.end for title in titles]
    found = [(title.start, title.name) for title in titles]
    for start, name in others:
        at = bisect_left(ends, start + 1)
        if at == len(titles) or start < titles[at].start:
            found.append((start, name))
    return (name for _, name in sorted(found, key=_place))


def _place(found: tuple[int, str]) -> int:
    return found[0]


def _first(names: Iterable[str]) -> tuple[str, ...]:
    """The first names, each once."""
    kept: dict[str, str] = {}
    for name in names:
        bare = name.removeprefix("The ")
        if bare != name and kind_of(bare) is Kind.FUNCTION:
            bare = name
        kept.setdefault(bare.casefold(), bare)
        if len(kept) == MAX_ENTITIES:
            break
    return tuple(kept.values())


_PASSED: Final = frozenset(
    word + ending
    for word in {word.capitalize() for word in FUNCTION} - GIVEN - MADE
    for ending in ("", "'s", "'m", "'re", "'ve", "'ll", "'d", "n't", "'t")
)
"""Words of grammar at the start of a sentence, as most of those that begin one are."""

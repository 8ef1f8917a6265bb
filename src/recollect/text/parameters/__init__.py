r"""Details in a text that a program can use: addresses, amounts, paths, ``key: value`` pairs, names.

* **Number**: of two kinds of separators the last is the decimal one ("1,200.50", "1.200,50"). One that
  repeats, or a blank, separates thousands, and so does a single comma before three digits ("1,200"). A single
  full stop is decimal ("1.200 kg" is 1.2), except before three digits of money ("1.200 EUR").
* **Quantity**: needs a unit of measure, so "3 cats" is none. "5 m" is metres; minutes are "30 min", or "m"
  after hours ("1h 30m"). "pounds" alone are a weight.
* **Money**: "$" is US dollars, the yen sign yen; "kr" and "pesos" name no currency. Nothing is converted.
* **Duration**: needs a number: "half an hour", not "a week". A month has 30 days, a year 365.
* **Path**: starts with "/", "~/", "./", "C:\" or a server, or ends in a known extension ("notes.pdf"). A
  single name after a slash ("/start") counts only in a directory of Unix.
* **Pair**: begins a line, follows another pair, or is ``key=value``. The key has up to three words, no
  pronoun or verb of saying ("he said: ..."); the value is no sentence.
* **Person**: capitalised words after "with", "for" or "to". Days, months, languages, countries and some towns
  and firms are excluded by lists; others ("to Ghent") are taken for persons.

Of overlapping details the longest is kept, then the first in this order: e-mail, URL, money, duration,
quantity, path, person. A pair gives way to a detail in its value; a detail that fills the value ("budget:
$500") gets the key as its ``name``. Colour codes of terminals are skipped. At most 100 details are returned.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from recollect.errors import InvalidInputError
from recollect.text.analyse import READ_CHARACTERS
from recollect.text.parameters.addresses import addresses
from recollect.text.parameters.amounts import amounts
from recollect.text.parameters.pairs import with_pairs
from recollect.text.parameters.persons import persons
from recollect.text.parameters.places import apart, rank
from recollect.text.parameters.worded import worded_amounts
from recollect.types import Parameter
from recollect.types.regex import lazy_regex


def find_parameters(text: str, *, words: Sequence[str] | None = None) -> tuple[Parameter, ...]:
    """The parameters of a text, in its order, the first 100; none overlaps another.

    Args:
        text: Its first 20,000 characters are read.
        words: What ``ascii_words`` cuts from these, if they are ASCII and that is known already.

    >>> for found in find_parameters("Mail ada@example.com: the 2,5 kg parcel costs $1,200, lunch with Bob"):
    ...     print(found.kind, repr(found.text), found.value, found.unit)
    email 'ada@example.com' None None
    quantity '2,5 kg' 2.5 kg
    money '$1,200' 1200.0 USD
    person 'Bob' None None
    >>> find_parameters("budget: 40 euros")[0].name
    'budget'

    Raises:
        InvalidInputError: The text is not a string.
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"text must be a string, not {type(text).__name__}")
    seen = text[:READ_CHARACTERS]
    if "[" in seen and (plain := _COLOUR_CODE.sub(_blanks, seen)) != seen:
        found = _found(plain, None)
        return tuple(replace(one, text=seen[slice(*one.place)]) for one in found[:MAX_PARAMETERS])
    return tuple(_found(seen, words)[:MAX_PARAMETERS])


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _found(text: str, words: Sequence[str] | None) -> list[Parameter]:
    typed = apart(sorted(_typed(text, words), key=rank))
    if ": " not in text and ":\t" not in text and "=" not in text:
        return typed
    return with_pairs(typed, text)


def _typed(text: str, words: Sequence[str] | None) -> Iterator[Parameter]:
    """Everything but pairs; each search is made only where one look says that it may succeed."""
    yield from addresses(text)
    yield from amounts(text)
    yield from worded_amounts(text, words)
    yield from persons(text)


MAX_PARAMETERS: Final = 100
"""Given of one text; a longer list is a table or data, and would only fill the store. Chosen by hand: of the
turns of LoCoMo the fullest has fewer."""
_COLOUR_CODE: Final = lazy_regex(r"(?:\x1b|\\(?:x1[bB]|033|e|u001[bB]))\[[0-9;?]{0,20}[A-Za-z]")
"""What makes a terminal change its colours (ECMA-48, CSI), or its spelling in source code."""

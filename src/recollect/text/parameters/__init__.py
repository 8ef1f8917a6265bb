r"""What a text holds that a machine can use: addresses, amounts, paths, ``key: value``, names.

Everything is found by its form, and what a form cannot tell apart is left out or named here.

* **Numbers.** With two kinds of separator the last one is the decimal one ("1,200.50", "1.200,50"). A
  separator that repeats separates thousands, and so does a blank. A single comma before exactly three digits
  separates thousands ("1,200"), any other comma is decimal ("3,5"). A single full stop is decimal ("1.200 kg"
  is 1.2), except before exactly three digits of money ("1.200 EUR" is 1200), which has no third decimal.
* **Quantities** need a unit of measure: "3 cats" and "version 3.11" are none. "5 m" is metres and "30m"
  too; minutes are "30 min", and "m" behind hours ("1h 30m"). "pounds" alone are a weight.
* **Money.** "$" is US dollars and the yen sign is yen, as the commonest of their kinds; "kr" and "pesos"
  tell no currency. Amounts are not converted.
* **Durations** need a number: "half an hour" has one, "an hour" and "a week" have none. A month counts
  30 days, a year 365.
* **Paths** start at "/", "~/", "./", "C:\" or a server, or end in a well-known ending ("notes.pdf").
  One name behind a slash ("/start") may be a command, and is a path only below a directory of Unix.
* **Pairs** begin a line, follow another pair on it, or are written ``key=value``. The key has up to three
  words, none a pronoun, a verb of saying or another word of talk ("he said: ..."); the value is no sentence.
* **Persons** are capitalised words after "with", "for" or "to" ("with Ada and Bob" has two). Days, months,
  languages, countries, some towns and firms are known by short lists; any other place or firm ("to Ghent")
  looks like a name and is taken for one.

Colour codes of terminals are skipped. At most 100 parameters of a text are given, the first ones.

Of things that overlap the longest one is kept, and of equals the first in this order: e-mail, URL, money,
duration, quantity, path, person. A pair gives way to what is found in its value; when that is all of the
value ("budget: $500") it carries the key as its ``name``.
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

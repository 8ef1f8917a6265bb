"""People, animals, and what someone can be: kin, trades, origins.

Chosen by hand, of plain words in common use.
"""

from typing import Final

from recollect.learning.extraction.tables import WORDS
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

PEOPLE: Final = WORDS["people"]
PETS: Final = WORDS["pets"]
"""Animals, and the kinds of dogs, cats and birds that people name."""
GROUPS: Final = listed("team company startup band employer school shop")
RELATIVES: Final = PEOPLE | PETS | GROUPS
"""What "my" stands before to make somebody, or a group, of whom something can be said."""
PLURAL: Final = WORDS["plural"]
"""Those that "live" rather than "lives"."""
FEMALE: Final = WORDS["female"]
MALE: Final = WORDS["male"]
OCCUPATIONS: Final = WORDS["occupations"]
"""Work that people name when they say what they are; the head of "a senior test engineer"."""
IDENTITIES: Final = WORDS["identities"]
"""Other things that people are, in the sense of this package: they last."""
_NOBODY: Final = WORDS["nobody"]
"""Nouns that end like those of people, or are said in praise and blame."""
_OF_PEOPLE: Final = lazy_regex(
    r"(?:ists?|ians?|eer|ers?|ors?|ess|man|woman|person|maker|aholic|phile|ologist|ster|nik|ette)$"
)
_SHORTEST: Final = 5
"""Letters of a noun that is taken for a person by its ending: "her" and "for" are none. Chosen by hand."""


def is_identity(head: str) -> bool:
    """Whether "I'm a ..." with this head says who someone is, rather than how they are.

    >>> [is_identity(head) for head in ("nurse", "taxidermist", "introvert", "mess", "table")]
    [True, True, True, False, False]
    """
    if head in OCCUPATIONS or head in IDENTITIES:
        return True
    return head not in _NOBODY and len(head) >= _SHORTEST and _OF_PEOPLE.search(head) is not None


LANGUAGES: Final = WORDS["languages"]
_OTHER_NATIONS: Final = WORDS["other_nations"]
NATIONALITIES: Final = _OTHER_NATIONS | (
    LANGUAGES - listed("esperanto latin mandarin cantonese bsl asl sign yiddish farsi hindi urdu")
)

"""The word lists and the rules of this folder, read from ``words.txt`` and ``rules.txt``."""

from pathlib import Path
from typing import Final

from recollect.learning.listing import listed
from recollect.text.lists import read_lists

_HERE: Final = Path(__file__).parent
WORDS: Final = {name: listed(words) for name, words in read_lists(_HERE / "words.txt").items()}
RULES: Final = read_lists(_HERE / "rules.txt")


def patterns_of(part: str) -> dict[str, str]:
    """The patterns of a part of ``rules.txt`` whose lines are "name: pattern".

    A line that begins with a blank goes on from the one before, without that blank.
    """
    rows = (row.partition(": ") for row in RULES[part].strip().replace("\n ", "").splitlines())
    return {name: pattern for name, _, pattern in rows}

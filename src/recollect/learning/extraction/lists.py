"""Lists that commas cut into clauses: "hiking, camping and long baths"."""

from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.listing import listed

_MOST_ITEMS: Final = 6
"""Items behind the first; chosen by hand."""
_ITEM_WORDS: Final = 6
"""Words of an item; a longer one is something else. Chosen by hand."""
_YEAR: Final = 4
"""Digits of a year."""
_NO_ITEM: Final = listed(
    """
    i we you he she it they is are am was do please my not have which so too especially though right has
    will can would should because
    """
)
_NO_FIRST: Final = listed("and but because since as for in at to with when if")


def end_of_list(clause: Clause, until: int, rest: Sequence[Clause], *, of_theirs: bool = False) -> int:
    """Where the words before ``until`` end in the text, with the items that the clauses behind add to them.

    Args:
        clause: The clause with the first item.
        until: The place behind it.
        rest: The clauses behind.
        of_theirs: Whether an item may begin with "my": "my ex, my job or my weight".
    """
    end = clause.tokens[max(until, 1) - 1].end
    if until < len(clause.words):
        return end
    joined = end
    for following in rest[:_MOST_ITEMS]:
        last = following.tokens[-1].end
        if following.link in {"and", "or"} and joined != end:
            return last if _is_item(following, of_theirs=of_theirs) else joined
        if following.link != "," or not _is_item(following, of_theirs=of_theirs):
            return joined if _is_year(rest[0]) else end
        joined = last
        if "and" in following.words or "or" in following.words:
            return joined
    return joined if joined != end and _is_year(rest[0]) else end


_COUNTS: Final = listed("two three four five six seven eight nine ten")
"""Begin something of their own: "she's a teacher, two boys"."""


def _is_item(clause: Clause, *, of_theirs: bool = False) -> bool:
    if clause.words[0] in _COUNTS:
        return False
    short = len(clause.words) <= _ITEM_WORDS
    refused = _NO_ITEM - {"my"} if of_theirs else _NO_ITEM
    return short and refused.isdisjoint(clause.words) and clause.words[0] not in _NO_FIRST


def _is_year(clause: Clause) -> bool:
    """Whether a clause goes on with a date: "July 4, 1990"."""
    return clause.words[0].isdigit() and len(clause.words[0]) == _YEAR

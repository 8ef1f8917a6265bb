"""What "have" says: children, pets, a car, asthma, a degree; not questions or headaches."""

from collections.abc import Sequence
from typing import Final

from recollect.learning.extraction.clauses import Clause
from recollect.learning.extraction.facts import Category
from recollect.learning.extraction.forms import INGS
from recollect.learning.extraction.guards import NOW
from recollect.learning.extraction.idioms import is_idiom
from recollect.learning.extraction.objects import points, says_something
from recollect.learning.extraction.people import PEOPLE, PETS
from recollect.learning.extraction.rules import Reading, read
from recollect.learning.extraction.things import COUNTS, FLEETING, STANDING, is_condition, lasts
from recollect.learning.extraction.verb_rules import HAVING
from recollect.learning.listing import listed

_HEAD_ENDS: Final = listed(
    """
    with in on at from for of named called that who which and or but to as behind under since because
    near by next about into living aged who's whose plus downstairs upstairs outside anyway
    """
)
"""Words that begin a detail of a noun."""
_ARTICLES: Final = listed("a an the my our one some")
_LOOKS: Final = listed("blue red green black white grey silver yellow old new little big small used vintage")
"""Before a brand: "a blue Trek hybrid"."""
_LOOSE_KIN: Final = listed("friends family boss friend")
"""People that everybody has; worth keeping only with more than that."""


def having(clause: Clause, start: int, end: int, *, any_noun: bool = False) -> Reading | None:
    """What "have" says with the words from ``start`` to ``end``; None when it is of the moment.

    ``any_noun``: whether whatever one has lasted: "used to have".
    """
    words = clause.words
    said = " ".join(words[start:end])
    if start >= end or is_idiom("have", said) or NOW.search(said):
        return None
    ruled = read(HAVING, words, start, end)
    if ruled is not None or points(words[start + (words[start] == "one") : end]):
        return ruled
    head, stop = _head(words, start, end)
    if not head or not _is_kept(clause, start, stop, head, any_noun=any_noun):
        return None
    return Reading(relation="has", start=start, end=end, until=end, category=_kind(head))


def _head(words: Sequence[str], start: int, end: int) -> tuple[str, int]:
    """The noun that a phrase is about, and the place where its details begin."""
    stop = start
    while stop < end and words[stop] not in _HEAD_ENDS and not (stop > start and words[stop] in INGS):
        stop += 1
    nouns = words[start:stop]
    lasting = [noun for noun in nouns if lasts(noun) or lasts(noun.removesuffix("'s"))]
    if lasting and (nouns[-1] == lasting[-1] or nouns[-1] not in FLEETING):
        return lasting[-1], stop
    return (nouns[-1] if nouns else ""), stop


def _is_kept(clause: Clause, start: int, stop: int, head: str, *, any_noun: bool) -> bool:
    """Whether who has this has it for long: by the noun, by a count of things, or by a brand."""
    nouns = clause.words[start:stop]
    if head in _LOOSE_KIN and len(nouns) <= 1 + (nouns[0] in _ARTICLES):
        return False
    if lasts(head) or lasts(head.removesuffix("'s")):
        return True
    if not FLEETING.isdisjoint(nouns):
        return False
    if any_noun:
        return says_something(nouns)
    if (
        clause.words[stop : stop + 1] in (["called"], ["named"])
        and clause.raw(stop + 1, stop + 2)[:1].isupper()
    ):
        return True
    counted = (nouns[0] in COUNTS or nouns[0].isdigit()) and head.endswith("s") and len(nouns) > 1
    return counted or _is_brand(clause, start, stop)


def _is_brand(clause: Clause, start: int, stop: int) -> bool:
    """Whether a thing has a name or a number: "an iPhone 13", "a Singer"."""
    first = start + (clause.words[start] in _ARTICLES or clause.words[start] in COUNTS)
    first += start < first < stop and (clause.words[first].isdigit() or clause.words[first] in _LOOKS)
    named = [clause.raw(place, place + 1) for place in range(first, stop)]
    if first == start or not named or any("'" in name or "\u2019" in name for name in named):
        return False
    return named[0][:1].isupper() or any(_mixes(name) for name in named)


def _mixes(name: str) -> bool:
    return any(c.isdigit() for c in name) and any(c.isalpha() for c in name) and "-" not in name


def _kind(head: str) -> Category:
    standing = head in PEOPLE or head in PETS or head in STANDING or is_condition(head)
    return "context" if standing else "general"

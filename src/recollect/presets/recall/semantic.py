"""Recall's fields of a fact: a category of five, and an importance from 1 to 5."""

import math
import re
from typing import Final, Literal, get_args

from recollect.checks import check_one_of
from recollect.errors import InvalidInputError, as_given
from recollect.types import MemoryRecord
from recollect.types.regex import lazy_regex

SemanticCategory = Literal["PERSON", "PLACE", "EVENT", "PREFERENCE", "BIOGRAPHY"]
"""Recall's kinds of facts."""
SEMANTIC_CATEGORIES: Final[tuple[SemanticCategory, ...]] = get_args(SemanticCategory)
LEVELS: Final = 5
"""Recall's importance goes from 1 to 5."""

_PLACES: Final = ("live", "stay", "move", "come", "grew", "grow", "born", "based", "reside", "from")
_EVENTS: Final = ("went", "visit", "travel", "attend", "marr", "met", "celebrat", "graduat", "plan", "happen")
"""What words of a relation begin with. Chosen by hand."""


_OCCASION: Final = lazy_regex(
    r"""\b(?:wedding|honeymoon|party|parties|surgery|operation|funeral|graduation|concert|trip|holiday|vacation
    |cruise|anniversary|christening|baptism|appointment|exam|interview|reunion|festival|ceremony|retirement)
    (?=[.,!]|$|\ (?:was|is|were|in|on|at|last|next|this|today|tomorrow|yesterday|took|went|starts|began
    |happened|with|to|for)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
"""An occasion that is told of, and not "a wedding planner". Chosen by hand."""


def importance_of_level(level: int) -> float:
    """Recall's importance as a share: a fifth for each level.

    >>> [importance_of_level(level) for level in (1, 2, 3, 4, 5)]
    [0.2, 0.4, 0.6, 0.8, 1.0]

    Raises:
        InvalidInputError: The level is not 1 to 5.
    """
    if not isinstance(level, int) or isinstance(level, bool) or not 1 <= level <= LEVELS:
        raise InvalidInputError(f"importance must be 1 to {LEVELS}, not {as_given(level)}")
    return level / LEVELS


def level_of_importance(importance: float) -> int:
    """Recall's importance of a share, the nearest; every level comes back as it was given.

    >>> [level_of_importance(share) for share in (0, 0.2, 0.32, 0.5, 1)]
    [1, 1, 2, 3, 5]
    """
    return min(max(math.floor(importance * LEVELS + 0.5), 1), LEVELS)


def check_semantic_category(value: object) -> SemanticCategory:
    """One of Recall's categories.

    Raises:
        InvalidInputError: It is none.
    """
    return check_one_of("category", value, SEMANTIC_CATEGORIES)


def semantic_category(record: MemoryRecord) -> SemanticCategory:
    """Recall's category of a fact: the one it was given, else what its subject and its relation tell.

    Tastes and instructions are a PREFERENCE; plans are an EVENT; a fact about somebody else is about a
    PERSON; where someone lives or comes from is a PLACE; what happened once, and an occasion such as a
    wedding, is an EVENT; all else is BIOGRAPHY.
    """
    given = record.labels.category
    for known in SEMANTIC_CATEGORIES:
        if given == known:
            return known
    subject = str(record.metadata.get("subject") or "").lower()
    relation = str(record.metadata.get("relation") or "").lower()
    if given == "plan":
        return "EVENT"
    if given in {"preference", "instruction"} or "favourite" in relation or "favorite" in relation:
        return "PREFERENCE"
    if "'s " in subject or "\u2019s " in subject:
        return "PERSON"
    words = relation.split()
    if any(word.startswith(_PLACES) for word in words):
        return "PLACE"
    happened = any(word.startswith(_EVENTS) for word in words) or _OCCASION.search(record.content)
    return "EVENT" if happened else "BIOGRAPHY"

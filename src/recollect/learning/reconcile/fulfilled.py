"""Plans that came true: "User moved to Bremen" ends "User is thinking about moving to Bremen"."""

import re
from typing import Final

from recollect.learning.extraction.forms import INGS, PASTS, THIRDS
from recollect.learning.listing import MONTH, listed
from recollect.learning.reconcile.statements import CHANGED, SAID, Statement
from recollect.text.analyse import Analyser
from recollect.types.regex import lazy_regex

_INTENDS: Final = lazy_regex(
    r"\b(?:thinking (?:about|of)|plan(?:s|ning)? (?:to|on)|wants? to|hop(?:e|es|ing) to|intend(?:s|ing)? to"
    r"|considering|would like to|is going to|might)\b",
    re.IGNORECASE,
)
"""What somebody has in mind; what it is follows."""
_MORE: Final = lazy_regex(
    rf",? (?:in the week of|on \d|in (?:{MONTH}|\d{{4}})|since|named|called|last|yesterday|today)\b.*",
    re.IGNORECASE,
)
"""When something was done, and what it is called: what a plan does not say."""
_FILLS: Final = listed("now finally just be have that it they their for to i im ive we")
_LEAST: Final = 2
"""Words in which both must agree: what is done, and what with."""


def came_true(new: Statement, known: Statement, analyser: Analyser) -> bool:
    """Whether a statement tells that what was planned is done: all that it says, the plan says, too.

    >>> from datetime import UTC, datetime
    >>> said = dict(subject="User", at=datetime(2026, 1, 1, tzinfo=UTC))
    >>> plan = Statement(text="User is thinking about moving to Bremen.", planned=True, **said)
    >>> later = said | {"at": datetime(2026, 2, 1, tzinfo=UTC)}
    >>> done = ("User moved to Bremen.", "User moved to Kiel.", "User plans to move to Bremen.")
    >>> [came_true(Statement(text=one, **later), plan, Analyser()) for one in done]
    [True, False, False]
    """
    told, planned = _said_of(new), _said_of(known)
    intends = _INTENDS.search(planned)
    if intends is None or new.planned or new.negated or new.past or new.subject != known.subject:
        return False
    meant = known.planned or known.relation == SAID  # and no instruction: "wants to be called Nono"
    if not meant or known.negated or known.at >= new.at or _INTENDS.search(told):
        return False
    done = _words(_MORE.sub("", told), analyser)
    return len(done) >= _LEAST and done <= _words(planned[intends.end() :], analyser)


def _said_of(one: Statement) -> str:
    """What is said of a subject; of a message that was kept as it stands its words."""
    return (one.object or "") if one.relation in {SAID, CHANGED} else one.text.removeprefix(one.subject)


def _words(text: str, analyser: Analyser) -> set[str]:
    """The stems of a text, of verbs those of their bases: "got", "getting" and "gets" are of "get"."""
    bases = [_base(word) for word in re.findall(r"[^\W_][\w'-]*", text.lower())]
    return set(analyser.query_stems(" ".join(bases))) - _FILLS


def _base(word: str) -> str:
    return PASTS.get(word) or INGS.get(word) or THIRDS.get(word) or word

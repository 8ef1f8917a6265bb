"""What a message leaves of a quotation that it changes: one that says more than that does not end whole.

====================================================== ============================== ====================
quotation                                              message                        what it leaves
====================================================== ============================== ====================
"dentist is mr patel on otley road, next appt 12 nov"  "dentist moved me to the 19th" who the dentist is
"my boss is karen and the office is on hill street"    "karen left"                   where the office is
"week 2 of couch to 5k and my knees gone"              "knees fine now"               nothing that lasts
====================================================== ============================== ====================
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from recollect.learning.listing import DAY, MONTH
from recollect.learning.reconcile.slots import SLOTS, Slot
from recollect.learning.reconcile.told import WELL, Part
from recollect.text.analyse import Analyser
from recollect.types.regex import lazy_regex

_CLAUSE: Final = lazy_regex(r"\s*(?:[;.!?\n]+(?=\s|$)|,(?!\d)| and | but | so | because )\s*")
_FEWEST: Final = 4
"""Words of a clause that says something by itself. Chosen by hand."""
_STATES: Final = lazy_regex(
    r"\b(?:is|are|am|i'?m|\w+'s|has|have|had|was|were|got|works?|working|lives?|living|takes?|taking|goes|go|starts?"
    r"|likes?|needs?|uses?|pays?|earns?|can'?t|does|don'?t|loves?|hates?|plays?|drives?|wants?)\b"
)
"""What states something: a name of a week alone does not."""
_LASTS: Final = 0.5
"""Probability from which what is left is worth keeping; see ``lasting``."""
_WHEN: Final = lazy_regex(
    rf"\b(?:{DAY}s?|{MONTH}|\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}[.:]\d\d|\d{{1,2}} ?[ap]m|tomorrow|next week)\b"
)
_COMPLAINS: Final = (
    r"(?:gone|bad|sore|hurts?|hurting|aching|aches?|killing|injured|swollen|stiff|strained|sprained|torn|twisted"
    r"|dodgy|knackered|in bits|giving me|playing up|acting up|broken|bust|broke|leaking|leaks|not working"
    r"|conked out|packed up|on the blink|on its last legs|blocked|flat|dead|down)"
)


@lru_cache(maxsize=1024)
def recovers(low: str, said: str) -> bool:
    """Whether a part in small letters says that what a statement complains of is well again.

    >>> recovers("knees fine now", "couch to 5k and my knees gone"), recovers("tea is fine", "no tea")
    (True, False)
    """
    found = WELL.search(low)
    if found is None or re.search(r"\b(?:not|never|isnt|arent)\b|n't\b", found.group()):
        return False
    noun = rf"\b{re.escape(found['noun'])}s?"
    complaint = rf"{noun}(?:'s| is| are| has| have| been)*(?: \w+)? {_COMPLAINS}\b"
    return re.search(complaint, said) is not None


def leaves_more(parts: Sequence[Part], message: str, said: str, analyser: Analyser) -> bool:
    """Whether a quotation in small letters says something lasting that a message leaves as it is.

    Args:
        parts: The parts of the message that tell of the change.
        message: The whole message.
        said: The quotation.
        analyser: Cuts words into stems.
    """
    clauses = [one for one in _CLAUSE.split(said) if len(one.split()) >= _FEWEST and _STATES.search(one)]
    dated = _WHEN.search(message.lower()) is not None and _WHEN.search(said) is not None
    turned = [slot for slot in SLOTS if any(slot.name in part.slots for part in parts)]
    ours = set(analyser.query_stems(message))
    if dated:
        left = [one for one in clauses if not _WHEN.search(one)]
    else:
        left = [one for one in clauses if not _is_touched(one, ours, turned, analyser)]
    if not left:
        return False
    from recollect.learning.extraction.lasting import lasting

    return any(likely >= _LASTS for likely, _ in lasting(left))


def _is_touched(clause: str, ours: set[str], turned: Sequence[Slot], analyser: Analyser) -> bool:
    """Whether a message is about a clause, by its words or by what it tells to change."""
    shared = not ours.isdisjoint(analyser.query_stems(clause))
    return shared or any(slot.holds.search(clause) for slot in turned)

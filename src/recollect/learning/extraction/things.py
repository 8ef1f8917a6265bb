"""Things: what one can have that lasts, and what passes.

Chosen by hand, of plain words in common use.
"""

from typing import Final

from recollect.learning.extraction.people import PEOPLE, PETS
from recollect.learning.extraction.tables import WORDS
from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

THINGS: Final = WORDS["things"]
"""Things of one's own that a sentence may say something lasting of: "My car is a diesel"."""
_LASTING: Final = WORDS["lasting"]
LASTING: Final = _LASTING | PEOPLE | PETS
"""What one can have for long. Of other things the talk is of the moment: "I have a question"."""
_CONDITION: Final = lazy_regex(
    r"(?:itis|osis|emia|aemia|algia|opathy|phobia|plegia|plasia|phasia|trophy|oma|ectomy)$"
)
_NO_CONDITIONS: Final = listed("diploma aroma coma trophy purpose")
FLEETING: Final = WORDS["fleeting"]
"""What one has for the moment, or in too many senses."""
COUNTS: Final = WORDS["counts"]
HEALTH: Final = WORDS["health"]
STANDING: Final = WORDS["standing"]
"""What says who someone is, as health does, rather than what they own."""
INSTRUMENTS: Final = WORDS["instruments"]


def is_condition(head: str) -> bool:
    """Whether a noun names a state of health: a known one, or by its Greek ending.

    >>> is_condition("asthma"), is_condition("arthritis"), is_condition("car")
    (True, True, False)
    """
    return head in HEALTH or (head not in _NO_CONDITIONS and _CONDITION.search(head) is not None)


def lasts(head: str) -> bool:
    """Whether who has this has it for long.

    >>> lasts("bike"), lasts("arthritis"), lasts("headache")
    (True, True, False)
    """
    return head in LASTING or is_condition(head)

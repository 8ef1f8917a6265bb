"""What verbs say, by rules for the words behind them: habits, trades, possessions, events, "to be"."""

from collections.abc import Mapping
from typing import Final

from recollect.learning.extraction.facts import Category
from recollect.learning.extraction.phrases import GROUPS
from recollect.learning.extraction.rules import rules_of
from recollect.learning.extraction.tables import RULES, WORDS
from recollect.learning.extraction.verbs import TASTES

HABITS: Final = rules_of(RULES["habits"], GROUPS)
"""By verbs. A verb without a rule here, or of which none fits, is read with what stands behind it."""
ONLY_BY_RULE: Final = WORDS["only_by_rule"]
"""Verbs that are read by their rules alone."""

IN_PROGRESS: Final = rules_of(RULES["in_progress"], GROUPS)
"""What "is learning" and its like say; lasting verbs without a rule here are read like habits."""

HAVING: Final = rules_of(RULES["having"], GROUPS)["have"]
"""What one can have, told by more than a noun."""

KINDS: Final[Mapping[str, Category]] = {
    **dict.fromkeys(TASTES, "preference"),
    **dict.fromkeys(("eat", "drink", "watch", "read", "stream"), "preference"),
    **dict.fromkeys(
        WORDS["kinds"],
        "context",
    ),
    **dict.fromkeys(("speak", "sing", "draw", "code", "program", "juggle", "paint"), "skill"),
}
"""The category of what is said by a verb without a rule; other verbs are general."""
THE_IS_FINE: Final = WORDS["the_is_fine"]
"""Verbs whose object may begin with "the": "plays the cello", "takes the bus"."""

EVENTS: Final = rules_of(RULES["events"], GROUPS)
"""By verbs."""
PLANS: Final = rules_of(RULES["plans"], GROUPS)
"""What is intended, behind "am planning" and its like."""

STATES: Final = rules_of(RULES["states"], GROUPS)["be"]
"""In the order in which they are tried."""

THINGS_ARE: Final = rules_of(RULES["things_are"], GROUPS)["be"]
"""What is said of a car, a thesis or a house."""

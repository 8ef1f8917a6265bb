"""Verbs, by what they say: tastes, habits and trades, skills, and talk that says nothing lasting.

The simple present of an English verb of action tells of a habit ("I bake bread"), so the list of such
verbs is long, and what they say is general. Chosen by hand, of plain words in common use.
"""

from typing import Final

from recollect.learning.extraction.tables import WORDS
from recollect.learning.listing import listed

TASTES: Final = WORDS["tastes"]
"""What they say is a preference."""

ACTIVITIES: Final = WORDS["activities"]
"""Verbs whose simple present tells of a habit, a trade or a state."""

SINGLE_DEEDS: Final = WORDS["single_deeds"]
"""Verbs that are said of single deeds as well, so that "a", "my" or "the" behind them makes one."""

TALK: Final = WORDS["talk"]
"""Verbs that, in the first person, tell of the moment or of the talk itself."""
CHARACTER: Final = WORDS["character"]
"""Verbs that tell of a character when "never" denies them."""

LASTING: Final = WORDS["lasting_verbs"]
"""Verbs whose progressive may tell of months ("I'm learning Greek") rather than of now."""

ABLE: Final = WORDS["able"]
"""What one can do or not, in general."""
UNABLE: Final = ABLE | WORDS["unable"]
"""What "I can't" makes a fact of: beside skills, what a body does not bear."""
CANNOT: Final = listed("stand bear abide stomach tolerate resist handle function")
"""What one cannot do out of dislike: a taste, and no denial."""

BARE: Final = WORDS["bare"]
"""Verbs that say enough without an object."""

EVENTS: Final = WORDS["events"]
"""Other verbs whose forms must be known."""
KNOWN: Final = TASTES | ACTIVITIES | LASTING | UNABLE | CANNOT | EVENTS | CHARACTER
"""Every verb that is known."""

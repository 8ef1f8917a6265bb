"""Chloe: dates, priorities, tags, intents that are learned, and hybrid retrieval."""

from recollect.presets.chloe.chloe import *  # noqa: F403

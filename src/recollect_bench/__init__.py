"""Runs any memory on any data set and says how well it finds what was said: ``recollect bench``.

A system is one file in ``systems/`` with ``add``, ``search`` and ``close``; a data set is one in
``datasets/``. Every system runs in a process of its own, and those of others in an environment of their own.
"""

from typing import Final

OUT: Final = "bench-results"
"""The folder of results, unless another is named."""
CALL_S: Final = 300.0
"""Seconds that one call of a system may take, unless others are named. Chosen by hand."""
LEAST_MESSAGES: Final = 150
"""Of a made-up year; below, what must be told may not fit."""
PRICE: Final = 1.0
"""US dollars for a million tokens that a model is given: a round number, to be scaled in the head."""

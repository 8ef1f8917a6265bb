"""For testing your own store against the reference: the contract, a state machine, fakes.

Needs pytest and Hypothesis; nothing else of Recollect imports this package.
"""

import pytest

pytest.register_assert_rewrite("recollect.testing.contract", "recollect.testing.machine")

from recollect.testing.contract import StoreContract  # noqa: E402 (its asserts are rewritten first)
from recollect.testing.fakes import (  # noqa: E402
    ADA,
    BOB,
    NOON,
    FakeClock,
    entry_of,
    make_entry,
    make_features,
    next_id,
)
from recollect.testing.machine import store_machine  # noqa: E402
from recollect.testing.strategies import filters_strategy  # noqa: E402

__all__ = [
    "ADA",
    "BOB",
    "NOON",
    "FakeClock",
    "StoreContract",
    "entry_of",
    "filters_strategy",
    "make_entry",
    "make_features",
    "next_id",
    "store_machine",
]

"""What ``close`` promises: every later call of any method raises ``ClosedError``."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from recollect.errors import ClosedError
from recollect.protocols import (
    CandidateSearch,
    Copying,
    Features,
    Maintenance,
    Store,
    TextSearch,
    VectorMaintenance,
    VectorSearch,
)
from recollect.testing.contract.fixtures import StoreFixtures
from recollect.testing.fakes import ADA
from recollect.types import MemoryRecord
from recollect.types.filters import EVERYTHING

_VECTOR: Final = np.ones(8, np.float32)
_KEYS: Final = np.empty(0, np.int64)
_NOWHERE: Final = Path("never-written")


def _never(record: MemoryRecord) -> Any:
    pytest.fail(record.id)


def _no_features(_: Sequence[MemoryRecord]) -> list[Features]:
    return []


CALLS: Final[dict[str, Callable[[Store], object]]] = {
    "add": lambda store: store.add(ADA, []),
    "get": lambda store: store.get(ADA, []),
    "summaries": lambda store: store.summaries(ADA, []),
    "find": lambda store: store.find(ADA, EVERYTHING),
    "moments": lambda store: store.moments(ADA, EVERYTHING),
    "sketches": lambda store: store.sketches(ADA, EVERYTHING),
    "match": lambda store: store.match(ADA, EVERYTHING),
    "update": lambda store: store.update(ADA, ["x"], _never),
    "delete": lambda store: store.delete(ADA, EVERYTHING),
    "purge": lambda store: store.purge(ADA),
    "history": lambda store: store.history(ADA, "x"),
    "shadow": lambda store: store.shadow(ADA, 0),
    "shadow_version": lambda store: store.shadow_version(ADA),
    "count": lambda store: store.count(ADA),
    "census": lambda store: store.census(None),
    "statistics": lambda store: store.statistics(ADA, []),
    "user_ids": lambda store: store.user_ids(),
    "setting": lambda store: store.setting("x"),
    "put_setting": lambda store: store.put_setting("x", "y"),
    "deleted": lambda store: store.deleted(ADA, EVERYTHING),
    "recover": lambda store: store.recover(ADA, ["x"], _never),
    "link": lambda store: store.link(ADA, []),
    "links": lambda store: store.links(ADA, "x"),
    "claim_jobs": lambda store: store.claim_jobs(limit=1, lease_s=0),
    "finish_job": lambda store: store.finish_job(1),
    "fail_job": lambda store: store.fail_job(1, "x", retry_in_s=None),
    "postpone_job": lambda store: store.postpone_job(1, delay_s=0),
    "jobs": lambda store: store.jobs(),
    "count_jobs": lambda store: store.count_jobs(),
    "state": lambda store: store.state(ADA, "x"),
    "states": lambda store: store.states(ADA),
    "change_state": lambda store: store.change_state(ADA, "x", lambda _: "y"),
    "view": lambda store: store.view(ADA).__enter__() or store.count(ADA),
    "residue": lambda store: store.residue(),
    "known_users": lambda store: store.known_users(),
}
"""Every method of a store but ``close``."""

NEEDS_NOTHING: Final = frozenset({"deleted", "recover", "residue"})
"""Methods whose default looks at nothing."""

POWER_CALLS: Final[dict[str, tuple[type, Callable[[Any], object]]]] = {
    "search_text": (TextSearch, lambda store: store.search_text(ADA, ["tea"], limit=1)),
    "shadow_of": (TextSearch, lambda store: store.shadow_of(ADA, _KEYS, around=1)),
    "search_vector": (VectorSearch, lambda store: store.search_vector(ADA, _VECTOR, limit=1)),
    "search_candidates": (
        CandidateSearch,
        lambda store: store.search_candidates(ADA, ["tea"], _VECTOR, limit=1, around=1),
    ),
    "unstaged": (VectorMaintenance, lambda store: store.unstaged("e", limit=1)),
    "stage_vectors": (VectorMaintenance, lambda store: store.stage_vectors("e", [])),
    "promote_vectors": (VectorMaintenance, lambda store: store.promote_vectors("e", dim=1)),
    "vector_progress": (VectorMaintenance, lambda store: store.vector_progress("e")),
    "check": (Maintenance, lambda store: store.check()),
    "rebuild": (Maintenance, lambda store: store.rebuild(_no_features)),
    "compact": (Maintenance, lambda store: store.compact()),
    "backup": (Maintenance, lambda store: store.backup(_NOWHERE)),
    "dump": (Copying, lambda store: store.dump(ADA, after=0, limit=1)),
    "restore": (Copying, lambda store: store.restore(ADA, [])),
}
"""Every method of an optional power, with the power."""


class ClosingContract(StoreFixtures):
    """Tests of ``close``."""

    def test_a_closed_store_says_so(self, store: Store) -> None:
        asked = {name for name in CALLS if name not in NEEDS_NOTHING or overrides(store, name)}
        store.close()
        assert {name for name in asked if refuses(store, CALLS[name])} == asked

    def test_a_closed_store_has_no_powers_left(self, store: Store) -> None:
        asked = {name for name, (power, _) in POWER_CALLS.items() if isinstance(store, power)}
        store.close()
        assert {name for name in asked if refuses(store, POWER_CALLS[name][1])} == asked

    def test_closing_twice_does_nothing(self, store: Store) -> None:
        store.close()
        store.close()


def overrides(store: Store, method: str) -> bool:
    """Whether the store has its own version of a method that ``Store`` already has."""
    return getattr(type(store), method) is not getattr(Store, method)


def refuses(store: Store, call: Callable[[Any], object]) -> bool:
    """Whether the call raises ``ClosedError``."""
    try:
        call(store)
    except ClosedError:
        return True
    return False

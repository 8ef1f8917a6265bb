"""Every kind of write, and a client that fails in the middle of it: for stores on services of points."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from recollect.codec import record_to_json
from recollect.filters import EVERYTHING
from recollect.protocols import Copied
from recollect.stores.memory import InMemoryStore
from recollect.stores.points.store import PointStore
from recollect.testing import ADA, BOB, FakeClock, entry_of, make_entry
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import put, remove, with_words
from recollect.testing.contract.shadowing import rows_by_key
from recollect.types import Job, Link, MemoryRecord, Scope


class DiedError(Exception):
    """What a client raises from one call on."""


class Mortal:
    """A client whose calls fail from one on: whether that one still happens is chosen.

    Args:
        client: Does the work.
        calls: How many calls succeed.
        last_happens: Whether the call that fails is done all the same.
    """

    def __init__(self, client: Any, calls: int, *, last_happens: bool = False) -> None:
        self.left = calls
        self._client = client
        self._last_happens = last_happens

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        if name == "close" or not callable(method):
            return method

        def call(*args: Any, **options: Any) -> Any:
            if self.left <= 0:
                if self.left == 0 and self._last_happens:
                    method(*args, **options)
                self.left = -1
                raise DiedError
            self.left -= 1
            return method(*args, **options)

        return call


def everything_in(store: PointStore) -> object:
    """All that a store shows."""
    users = [Scope(user_id=user) for user in ("ada", "bob")]
    memories = [record_to_json(record) for scope in users for record in store.find(scope, EVERYTHING)]
    ids = [f"id-{n}" for n in range(10)]
    return (
        memories,
        [store.history(ADA, memory_id) for memory_id in ids],
        [store.links(ADA, memory_id) for memory_id in ids],
        [rows_by_key(store.shadow(scope, 0).rows) for scope in users],
        [store.shadow(scope, 1).removed.tolist() for scope in users],
        [store.search_text(scope, ["tea", "milk", "TEA"], limit=9).tolist() for scope in users],
        [store.statistics(scope, []).documents for scope in users],
        [store.states(scope) for scope in users],
        (store.jobs(), store.user_ids(), store.setting("embedder"), store.vector_progress("new")),
        store.shadow_version(ADA),
    )


def kinds_entries(first: int) -> list[Any]:
    """An entry of every kind, so that all collections are written."""
    return [
        entry_of(replace_kind(make_entry(f"tea {n}", memory_id=f"id-{first + n}", thread="t").record, kind))
        for n, kind in enumerate(["message", "fact", "document", "task"])
    ]


def replace_kind(record: MemoryRecord, kind: Any) -> MemoryRecord:
    return replace(record, kind=kind)


def copies_to_take() -> list[Copied]:
    """Memories of another store, with their histories."""
    other = InMemoryStore(clock=FakeClock())
    other.add(ADA, kinds_entries(4))
    other.update(ADA, ["id-4"], upper)
    return other.dump(ADA, after=0, limit=9)


WRITES: dict[str, Callable[[PointStore], object]] = {
    "add": lambda s: s.add(ADA, kinds_entries(4), jobs=[Job(task="t", scope=ADA)]),
    "update": lambda s: s.update(ADA, ["id-0", "id-1"], lambda r: entry_of(with_words(r, "milk"))),
    "move": lambda s: s.update(ADA, ["id-0", "id-1"], lambda r: entry_of(replace_kind(r, "task"))),
    "delete": lambda s: s.delete(ADA, EVERYTHING),
    "purge": lambda s: s.purge(ADA),
    "link": lambda s: s.link(ADA, [Link(source_id="id-0", target_id="id-1", type="related")]),
    "state": lambda s: s.change_state(ADA, "intents", lambda _: "learned"),
    "claim": lambda s: s.claim_jobs(limit=2, lease_s=60),
    "finish": lambda s: s.finish_job(1),
    "fail": lambda s: s.fail_job(1, "no use", retry_in_s=None),
    "setting": lambda s: s.put_setting("embedder", "new"),
    "stage": lambda s: s.stage_vectors("new", [(key, b"abc") for key, _ in s.unstaged("new", limit=2)]),
    "restore": lambda s: s.restore(ADA, copies_to_take()),
    "promote": lambda s: s.promote_vectors("newer", dim=3),
}
"""Every kind of write."""


def prepare(store: PointStore, write: str) -> None:
    """Give a store something to change by a write."""
    store.add(ADA, kinds_entries(0), jobs=[Job(task=task, scope=ADA) for task in "ab"])
    put(store, make_entry("tea", scope=BOB, memory_id="his"))
    store.change_state(ADA, "thresholds", lambda _: "1")
    if write == "purge":
        store.link(ADA, [Link(source_id="id-2", target_id="id-1", type="related")])
        remove(store, "id-1", "id-3")
    if write == "promote":
        store.stage_vectors("newer", [(key, b"abc") for key, _ in store.unstaged("newer", limit=9)])

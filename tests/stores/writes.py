"""Every kind of write, and a client that fails in the middle of it: for stores on services of points."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from recollect.errors import StoreError
from recollect.protocols import Copied
from recollect.stores.points.store import PointStore
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import ADA, BOB, FakeClock, entry_of, make_entry
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import put, remove, with_words
from recollect.testing.contract.shadowing import rows_by_key
from recollect.types import Job, Link, MemoryRecord, Scope
from recollect.types.codec import record_to_json
from recollect.types.filters import EVERYTHING


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
        self.client = client
        self._last_happens = last_happens

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.client, name)
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


@contextmanager
def failing(store: PointStore, client: str, calls: int, *, last_happens: bool) -> Iterator[Mortal]:
    """A store whose client, so named by its connection, fails after some calls."""
    connection = store._ledger.connection
    mortal = Mortal(getattr(connection, client), calls, last_happens=last_happens)
    setattr(connection, client, mortal)
    try:
        yield mortal
    finally:
        setattr(connection, client, mortal.client)


def cut_everywhere(
    write: str,
    prepared: Callable[[], PointStore],
    left_of: Callable[[PointStore], PointStore],
    *,
    client: str,
    last_happens: bool,
) -> None:
    """Do a write with a client that fails at every call, and look at what is left.

    Args:
        write: Which of ``WRITES``.
        prepared: Opens a store with something to change, the same every time.
        left_of: Where to look after the write was cut off: in that store, or in one opened anew.
        client: The name of the client in the store's connection.
        last_happens: Whether the call that fails is done all the same.
    """
    before, after = before_and_after(prepared(), write)
    seen: list[bool] = []
    acknowledged = False
    while not acknowledged:
        store = prepared()
        with failing(store, client, len(seen), last_happens=last_happens) as mortal:
            acknowledged = happens(store, write)
        assert acknowledged or mortal.left < 0
        left = everything_in(left_of(store))
        assert left in (before, after)
        seen.append(left == after)
    check_cuts(seen)


def happens(store: PointStore, write: str) -> bool:
    """Whether a write is acknowledged."""
    try:
        WRITES[write](store)
    except StoreError:
        return False
    return True


def check_cuts(seen: Sequence[bool]) -> None:
    """Whether a write happened, by the calls it was cut off after: once its journal is there, it does."""
    assert list(seen) == sorted(seen)
    assert (seen[0], seen[-1]) == (False, True)
    assert len(seen) > 2


def before_and_after(store: PointStore, write: str) -> tuple[object, object]:
    """What a store shows before and after a write; it is closed then."""
    before = everything_in(store)
    WRITES[write](store)
    after = everything_in(store)
    store.close()
    assert before != after
    return before, after


def added_until_killed(worker: str, place: str, meanwhile: Callable[[], object] = lambda: None) -> int:
    """How many adds were acknowledged by a process that is killed after the fifth.

    Args:
        worker: Its program, which prints ``stored`` after each.
        place: Its argument.
        meanwhile: Done before the kill.
    """
    command = [sys.executable, "-c", worker, place]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 (ours)
        assert process.stdout is not None
        stored = sum(process.stdout.readline() == b"stored\n" for _ in range(5))
        meanwhile()
        process.kill()
        return stored + process.stdout.read().count(b"stored")


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
    "postpone": lambda s: s.postpone_job(1, delay_s=60),
    "setting": lambda s: s.put_setting("embedder", "new"),
    "stage": lambda s: s.stage_vectors(
        "new", [(key, words, b"abc") for key, words in s.unstaged("new", limit=2)]
    ),
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
    if write == "postpone":
        store.claim_jobs(limit=1, lease_s=60)
    if write == "promote":
        store.stage_vectors(
            "newer", [(key, words, b"abc") for key, words in store.unstaged("newer", limit=9)]
        )

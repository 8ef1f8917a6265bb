"""What several threads may do at once."""

# ruff: noqa: D102, S101  (a test's name is its sentence, and it asserts)

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from recollect.protocols import Store
from recollect.testing.contract.changing import praised
from recollect.testing.contract.fixtures import StoreFixtures, only, put
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.fakes import ADA, make_entry
from recollect.types import Job
from recollect.types.filters import EVERYTHING

WORKERS = 4
TIMES = 10


def at_once(step: Callable[[int], object]) -> None:
    """Call ``step`` with 0, 1, … from several threads; an error in any of them is raised here."""
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(step, range(WORKERS * TIMES)))


class ThreadContract(StoreFixtures):
    """Tests with several threads."""

    def test_threads_that_add_at_once_lose_nothing_and_share_no_turn(self, store: Store) -> None:
        at_once(lambda n: put(store, make_entry(str(n), thread="t")))
        records = store.find(ADA, EVERYTHING)
        assert sorted(int(record.content) for record in records) == list(range(WORKERS * TIMES))
        assert sorted(record.origin.turn for record in records) == list(range(WORKERS * TIMES))

    def test_threads_that_update_at_once_lose_no_update(self, store: Store) -> None:
        ids = put(store, make_entry())
        at_once(lambda _: store.update(ADA, ids, praised))
        assert only(store).use.useful_count == WORKERS * TIMES
        assert len(store.history(ADA, ids[0])) == WORKERS * TIMES + 1

    def test_threads_that_send_one_idempotency_key_store_one_memory(self, store: Store) -> None:
        at_once(lambda n: put(store, make_entry(str(n), idempotency_key="k")))
        assert store.count(ADA) == 1

    def test_a_reader_among_writers_always_sees_whole_calls(self, store: Store) -> None:
        def step(n: int) -> None:
            if n % 2:
                put(store, make_entry("one"), make_entry("two"))
            else:
                assert store.count(ADA) % 2 == 0
                assert len(store.find(ADA, EVERYTHING)) % 2 == 0

        at_once(step)

    def test_a_receiver_among_writers_misses_nothing(self, store: Store) -> None:
        receiver, lock = Receiver(), Lock()

        def step(n: int) -> None:
            put(store, make_entry(str(n)))
            with lock:
                receiver.refresh(store)

        at_once(step)
        assert receiver.ids == sorted(record.id for record in store.find(ADA, EVERYTHING))

    def test_threads_that_claim_at_once_never_share_a_job(self, store: Store) -> None:
        store.add(ADA, [], jobs=[Job(task=str(n), scope=ADA) for n in range(WORKERS * TIMES)])
        claimed: list[str] = []
        at_once(lambda _: claimed.extend(job.task for job in store.claim_jobs(limit=1, lease_s=3600)))
        assert sorted(map(int, claimed)) == list(range(WORKERS * TIMES))

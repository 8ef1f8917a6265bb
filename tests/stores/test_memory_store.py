from collections.abc import Iterator

import pytest
from hypothesis import settings

from recollect.stores.reference.store import InMemoryStore
from recollect.testing import ADA, FakeClock, StoreContract, make_entry, store_machine
from recollect.types import Job


class TestInMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> Iterator[InMemoryStore]:
        store = InMemoryStore()
        yield store
        store.close()


TestInMemoryStoreMachine = store_machine(InMemoryStore).TestCase
TestInMemoryStoreMachine.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)


def test_a_lease_runs_out_by_the_clock_given() -> None:
    clock = FakeClock()
    store = InMemoryStore(clock=clock)
    store.add(ADA, [], jobs=[Job(task="t", scope=ADA)])
    assert len(store.claim_jobs(limit=1, lease_s=60)) == 1
    clock.tick(59)
    assert store.claim_jobs(limit=1, lease_s=60) == []
    clock.tick(1)
    assert len(store.claim_jobs(limit=1, lease_s=60)) == 1


def test_the_change_log_is_dated_by_the_clock_given() -> None:
    clock = FakeClock()
    store = InMemoryStore(clock=clock)
    [memory_id] = store.add(ADA, [make_entry()])
    assert [change.at for change in store.history(ADA, memory_id)] == [clock.now]

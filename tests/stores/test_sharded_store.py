from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.stores.memory import InMemoryStore
from recollect.stores.sharded import ShardedStore
from recollect.testing import ADA, BOB, StoreContract, make_entry, store_machine
from recollect.testing.contract.fixtures import contents, put
from recollect.types import Job, Scope

NAMES = ("north", "south", "west")


def sharded(names: tuple[str, ...] = NAMES) -> ShardedStore:
    return ShardedStore({name: InMemoryStore() for name in names})


class TestShardedStore(StoreContract):
    @pytest.fixture
    def store(self) -> Iterator[ShardedStore]:
        store = sharded()
        yield store
        store.close()


TestShardedStoreMachine = store_machine(sharded).TestCase
TestShardedStoreMachine.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)


def test_users_spread_evenly_and_a_new_shard_moves_only_its_share() -> None:
    users = [f"user-{number}" for number in range(3_000)]
    before, after = sharded(), sharded((*NAMES, "east"))
    counted = Counter(map(before.shard_of, users))
    assert all(800 < counted[name] < 1_200 for name in NAMES)
    moved = [user for user in users if before.shard_of(user) != after.shard_of(user)]
    assert {after.shard_of(user) for user in moved} == {"east"}
    assert 600 < len(moved) < 900


def test_the_order_in_which_shards_are_given_does_not_matter() -> None:
    users = [f"user-{number}" for number in range(100)]
    backwards = sharded(tuple(reversed(NAMES)))
    assert [sharded().shard_of(user) for user in users] == [backwards.shard_of(user) for user in users]


def test_a_shard_that_is_down_fails_its_own_users_alone() -> None:
    shards = {name: InMemoryStore() for name in NAMES}
    store = ShardedStore(shards)
    other = next(user for user in map(str, range(99)) if store.shard_of(user) != store.shard_of("ada"))
    put(store, make_entry("tea"))
    put(store, make_entry("milk", scope=Scope(user_id=other)))
    shards[store.shard_of("ada")].close()
    assert contents(store, scope=Scope(user_id=other)) == ["milk"]
    with pytest.raises(Exception, match="closed"):
        store.count(ADA)


def test_workers_get_jobs_of_every_shard_and_finish_the_right_ones() -> None:
    store = sharded()
    scopes = [Scope(user_id=f"user-{number}") for number in range(12)]
    for scope in scopes:
        store.add(scope, [], jobs=[Job(task=scope.user_id, scope=scope)])
    claimed = store.claim_jobs(limit=6, lease_s=60)
    assert len({store.shard_of(job.scope.user_id) for job in claimed}) == len(NAMES)
    for job in claimed:
        store.finish_job(job.id)
    left = {job.task for job in store.jobs()}
    assert left == {scope.user_id for scope in scopes} - {job.task for job in claimed}


def test_a_memory_on_shards_answers_like_one_on_a_single_store() -> None:
    said = {"ada": ["Ada likes tea", "Ada lives in Oslo"], "bob": ["Bob likes milk"]}
    found = []
    for store in (sharded(), InMemoryStore()):
        with Memory(store) as memory:
            for user, words in said.items():
                memory.add(words, user_id=user)
            found.append([hit.memory.content for hit in memory.search("who likes what?", user_id="ada")])
            assert store.user_ids() == ["ada", "bob"]
    assert found[0] == found[1]


def test_shards_must_be_able_to_be_one() -> None:
    with pytest.raises(InvalidInputError, match="at least one"):
        ShardedStore({})
    with pytest.raises(InvalidInputError, match="north"):
        ShardedStore({"north": object()})
    assert put(sharded(), make_entry("tea", scope=BOB))

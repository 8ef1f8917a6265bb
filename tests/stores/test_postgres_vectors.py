"""The index over vectors on a real server: made, dropped and searched while others are in the way."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from threading import Event
from time import monotonic, sleep

import numpy as np
import pytest
from tests.stores.missing import missing

from recollect.errors import StoreBusyError, StoreError
from recollect.memory.maintenance import make_vector_index
from recollect.testing import ADA, BOB, make_entry, make_features
from recollect.testing.contract.fixtures import contents, put, remove
from recollect.testing.contract.nearest import EAST, WEST, pointing
from recollect.types import MemoryRecord, Scope
from recollect.types.filters import EVERYTHING

if why := missing("psycopg"):
    pytest.skip(why, allow_module_level=True)

import psycopg
from tests.stores.recording import recorded
from tests.stores.servers import ROLE, database

from recollect.stores.postgres import PostgresStore, making
from recollect.stores.postgres.nearest import NEAR, literal, look_far
from recollect.stores.postgres.sql import tenant_of
from recollect.stores.postgres.where import narrowed
from recollect.stores.sharded.store import ShardedStore

PATIENCE_S = 60
"""How long a test waits for another thread before it gives up."""
RARE = Scope(user_id="ada", session_id="rare")
ASKED = np.array(EAST, np.float32)


@pytest.fixture
def superuser(postgres_server: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_server, autocommit=True) as db:
        yield db


@pytest.fixture
def url(postgres_url: str, superuser: psycopg.Connection) -> str:
    """The URL of an empty schema, from which pgvector is seen."""
    superuser.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    return f"{postgres_url},public"


@pytest.fixture
def by_hand(url: str) -> Iterator[psycopg.Connection]:
    """A connection of the application's own role that sees every user."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("SET recollect.everyone = 'on'")
        yield db


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as store:
        yield store


def make(records: list[MemoryRecord]) -> list:
    return [make_features(record.content) for record in records]


def wait_for(db: psycopg.Connection, condition: str) -> int:
    """Wait until a server process is at something; returns its id."""
    end = monotonic() + PATIENCE_S
    while not (found := db.execute(f"SELECT pid FROM pg_stat_activity WHERE {condition}").fetchone()):
        assert monotonic() < end, f"nobody is at it: {condition}"
        sleep(0.01)
    return found[0]


# A filter does not starve a search


@pytest.fixture
def narrow(url: str) -> str:
    """The URL by which a scan of the graph ends after the 400 nearest."""
    return f"{url}%20-chnsw.max_scan_tuples%3D1%20-cenable_sort%3Doff"


@pytest.fixture
def starved(narrow: str) -> Iterator[PostgresStore]:
    """A store whose 400 nearest are none of those that are asked for."""
    rng = np.random.default_rng(3)
    with closing(PostgresStore(narrow)) as store:
        store.put_setting("dimensions", "8")
        put(store, *(pointing(f"n{n}", (100, *rng.integers(-9, 9, 7))) for n in range(1_500)))
        far = [pointing(f"far {n}", (-100, *rng.integers(-40, 40, 7)), scope=RARE) for n in range(20)]
        store.add(RARE, far)
        put(store, pointing("of another", WEST, scope=BOB))
        store.make_vector_index()
        yield store


def exact(store: PostgresStore, scope: Scope, limit: int) -> list[int]:
    """The nearest keys of a scope, worked out here."""
    rows = store.shadow(scope, 0).rows
    mine = set(store.match(scope, EVERYTHING).tolist())
    vectors = rows.vectors / np.linalg.norm(rows.vectors.astype(np.float32), axis=1, keepdims=True)
    order = np.argsort(-(vectors @ (ASKED / 100)), kind="stable")
    return [key for key in rows.keys[order].tolist() if key in mine][:limit]


def test_the_graph_alone_would_starve(starved: PostgresStore, narrow: str) -> None:
    joined, bound = narrowed("v", RARE, EVERYTHING)
    graph = NEAR.format(inside=joined).partition(", near AS")[0]
    with database(narrow) as asked, asked.read(RARE) as db:
        look_far(db, 10)
        values = {**bound, "vector": literal(ASKED), "limit": 10}
        assert db.execute(f"WITH {graph} SELECT count(*) FROM graph", values).fetchone() == (0,)


def test_a_filter_does_not_starve_a_search_by_vector(starved: PostgresStore) -> None:
    assert starved.search_vector(RARE, ASKED, limit=10).tolist() == exact(starved, RARE, 10)
    assert len(starved.search_vector(RARE, ASKED, limit=50)) == 20


def test_a_filter_does_not_starve_the_candidates(starved: PostgresStore) -> None:
    found = starved.search_candidates(RARE, ["unheard"], ASKED, limit=10, around=0)
    assert sorted(found.keys.tolist()) == sorted(exact(starved, RARE, 10))


def test_a_shard_proposes_candidates_in_one_trip(starved: PostgresStore, monkeypatch) -> None:
    store = ShardedStore({"only": starved})
    with monkeypatch.context() as patch:
        statements = recorded(patch)
        found = store.search_candidates(RARE, ["unheard"], ASKED, limit=10, around=0)
    assert sum("vectors AS v" in text for text, _ in statements) == 1
    assert sorted(found.keys.tolist()) == sorted(exact(starved, RARE, 10))


def test_vectors_of_others_do_not_starve_a_user(starved: PostgresStore) -> None:
    assert len(starved.search_vector(BOB, ASKED, limit=5)) == 1


def test_where_the_graph_gives_enough_nothing_else_is_read(starved: PostgresStore, narrow: str) -> None:
    assert len(starved.search_vector(ADA, ASKED, limit=10)) == 10
    with database(narrow) as asked, asked.read(ADA) as db:
        look_far(db, 10)
        values = {"tenant": tenant_of("ada"), "vector": literal(ASKED), "limit": 10}
        sql = f"EXPLAIN ANALYZE WITH {NEAR.format(inside='')} SELECT key FROM near"
        plan = [line for (line,) in db.execute(sql, values).fetchall()]
    scans = [line for line in plan if " on vectors v" in line]
    assert len(scans) == 2
    assert "vectors_nearest" in scans[0]
    assert "never executed" in scans[1]


# Making it


@pytest.fixture
def old_transaction(url: str) -> Iterator[psycopg.Connection]:
    """One that has seen something: an index made meanwhile waits for its end."""
    with psycopg.connect(url) as db:
        db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        db.execute("SELECT pg_current_xact_id()")
        yield db


BUILDING = "query LIKE '%CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()"


def test_an_index_left_half_made_is_made_anew(store, old_transaction, superuser, by_hand) -> None:
    put(store, make_entry("tea"))
    with ThreadPoolExecutor(1) as pool:
        making_it = pool.submit(store.make_vector_index)
        superuser.execute("SELECT pg_cancel_backend(%s)", (wait_for(superuser, BUILDING),))
        with pytest.raises(StoreBusyError):
            making_it.result(PATIENCE_S)
    assert by_hand.execute(making.VALID).fetchone() == (False,)
    assert store.setting("vector_index") == "filling"
    problems = " ".join(store.check().problems)
    assert "vectors_nearest is invalid" in problems
    assert "recollect migrate --vector-index" in problems
    old_transaction.rollback()
    assert store.make_vector_index() == 0
    assert by_hand.execute(making.VALID).fetchone() == (True,)
    assert store.check().problems == ()


def test_two_may_make_it_at_once(url: str, store, old_transaction, superuser, by_hand) -> None:
    put(store, make_entry("tea"), make_entry("milk"))
    with closing(PostgresStore(url, pool_size=1)) as other, ThreadPoolExecutor(2) as pool:
        first = pool.submit(store.make_vector_index)
        wait_for(superuser, BUILDING)
        second = pool.submit(other.make_vector_index)
        wait_for(superuser, "query LIKE 'SELECT pg_try_advisory_lock%' AND pid <> pg_backend_pid()")
        old_transaction.rollback()
        assert first.result(PATIENCE_S) + second.result(PATIENCE_S) == 2
    assert by_hand.execute(making.VALID).fetchone() == (True,)
    assert store.check().problems == ()


def test_who_begins_at_the_same_moment_makes_one_table(url: str, store) -> None:
    put(store, make_entry("tea"))
    with ExitStack() as stack, ThreadPoolExecutor(4) as pool:
        stores = [stack.enter_context(closing(PostgresStore(url))) for _ in range(4)]
        runs = [pool.submit(one.make_vector_index) for one in stores]
        assert sum(run.result(PATIENCE_S) for run in runs) == 1
    assert store.check().problems == ()


def test_it_is_not_dropped_while_somebody_builds_it(
    store, url: str, old_transaction, superuser, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, make_entry("tea"))
    monkeypatch.setattr(making, "_PATIENCE_S", 0.0)
    with ThreadPoolExecutor(1) as pool, closing(PostgresStore(url)) as other:
        making_it = pool.submit(store.make_vector_index)
        wait_for(superuser, BUILDING)
        with pytest.raises(StoreBusyError, match="another process is making"):
            other.drop_vector_index()
        old_transaction.rollback()
        assert making_it.result(PATIENCE_S) == 1
        other.drop_vector_index()
    assert store.setting("vector_index") is None


def test_a_store_in_another_schema_does_not_wait_for_it(
    store, superuser, new_postgres, monkeypatch: pytest.MonkeyPatch, request
) -> None:
    put(store, make_entry("tea"))
    monkeypatch.setattr(making, "_PATIENCE_S", 0.0)
    with ThreadPoolExecutor(1) as pool, closing(PostgresStore(f"{new_postgres()},public")) as other:
        put(other, make_entry("milk"))
        assert other.make_vector_index() == 1
        old_transaction = request.getfixturevalue("old_transaction")
        making_it = pool.submit(store.make_vector_index)
        wait_for(superuser, BUILDING)
        try:
            other.drop_vector_index()
        finally:
            old_transaction.rollback()
        assert making_it.result(PATIENCE_S) == 1
    assert store.check().problems == ()


@pytest.mark.parametrize("made_anew", [False, True])
def test_one_dropped_while_it_is_filled_says_so(
    store, monkeypatch: pytest.MonkeyPatch, made_anew: bool
) -> None:
    put(store, make_entry("tea"))
    put(store, make_entry("tea", scope=BOB))
    entering, calls = making.enter, []

    def dropped(db, tenant, vectors):
        calls.append(tenant)
        entering(db, tenant, vectors)

    monkeypatch.setattr(making, "enter", dropped)
    fill = making.VectorIndex._fill

    def fill_and_drop(self, scope, table):
        entered = fill(self, scope, table)
        if len(calls) == 1:
            self.drop_vector_index()
            if made_anew:
                making._begin(self._db)
        return entered

    monkeypatch.setattr(making.VectorIndex, "_fill", fill_and_drop)
    with pytest.raises(StoreError, match="make it again"):
        store.make_vector_index()
    assert store.setting("vector_index") == ("filling" if made_anew else None)
    assert store.make_vector_index() == 2


def test_two_who_make_it_after_an_exchange_keep_one_table(store, by_hand, monkeypatch) -> None:
    put(store, make_entry("tea"))
    store.make_vector_index()
    store.stage_vectors("other", [(*of, bytes([1, 2, 3, 4])) for of in store.unstaged("other", limit=9)])
    monkeypatch.setattr(making, "_PATIENCE_S", 0.0)
    with by_hand.transaction():
        by_hand.execute("SELECT 1 FROM vectors")
        assert store.promote_vectors("other", dim=4)
    assert store.setting("vector_index") == "outdated"
    first, second = making._begin(store._db), making._begin(store._db)
    assert first is not None
    assert second == first
    assert store.make_vector_index() == 1
    assert store.check().problems == ()


def test_a_url_from_which_pgvector_is_not_seen_says_so_and_nothing_is_lost(store, postgres_url: str) -> None:
    put(store, make_entry("tea"))
    store.make_vector_index()
    with closing(PostgresStore(postgres_url)) as blind:
        with pytest.raises(StoreError, match=r"halfvec.*add it to its search_path"):
            put(blind, make_entry("milk"))
        assert contents(blind) == ["tea"]
    put(store, make_entry("milk"))
    assert store.check().problems == ()


def test_a_table_that_is_not_ours_is_not_dropped(store, by_hand) -> None:
    put(store, make_entry("tea"))
    by_hand.execute("CREATE TABLE vectors AS SELECT 1 AS theirs")
    with pytest.raises(StoreError, match="already exists"):
        store.make_vector_index()
    assert by_hand.execute("SELECT theirs FROM vectors").fetchone() == (1,)


def test_vectors_of_zeros_are_passed_over_once(store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "_BATCH", 2)
    store.put_setting("dimensions", "8")
    put(store, *(pointing(f"blank {n}", (0,) * 8) for n in range(5)), pointing("east", EAST))
    store.make_vector_index()
    assert len(store.search_vector(ADA, ASKED, limit=9)) == 1
    assert store.check().problems == ()


# Dropping it


def test_it_is_dropped_and_made_while_others_read_and_write(url: str, store) -> None:
    put(store, make_entry("tea"))
    done = Event()

    def write(user: str) -> int:
        scope, count = Scope(user_id=user), 0
        while not done.is_set():
            ids = put(store, make_entry(f"tea {count}", scope=scope), make_entry("gone", scope=scope))
            remove(store, ids[1], scope=scope)
            count += 1
        return count

    def read(_: int) -> int:
        count, asked = 0, np.arange(1, 9, dtype=np.float32)
        while not done.is_set():
            store.search_vector(ADA, asked, limit=5)
            store.search_candidates(ADA, ["tea"], asked, limit=5, around=1)
            store.search_vector(Scope(user_id="ada", agent_id="a"), asked, limit=5)
            count += 1
        return count

    with ThreadPoolExecutor(6) as pool, closing(PostgresStore(url)) as other:
        at_work = [*(pool.submit(write, user) for user in "abcd"), *(pool.submit(read, n) for n in range(2))]
        try:
            for _ in range(3):
                other.make_vector_index()
                other.drop_vector_index()
            other.make_vector_index()
        finally:
            done.set()
        counts = [work.result(PATIENCE_S) for work in at_work]
    assert all(counts)
    for user, count in zip("abcd", counts, strict=False):
        assert store.count(Scope(user_id=user)) == count
    assert store.check().problems == ()


def test_what_belonged_to_another_embedder_goes_when_readers_let_it(
    store, by_hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, make_entry("tea"))
    store.make_vector_index()
    store.stage_vectors(
        "other", [(key, words, bytes([1, 2, 3, 4])) for key, words in store.unstaged("other", limit=9)]
    )
    monkeypatch.setattr(making, "_PATIENCE_S", 0.0)
    with by_hand.transaction():
        by_hand.execute("SELECT 1 FROM vectors")
        assert store.promote_vectors("other", dim=4)
        assert store.setting("vector_index") == "outdated"
        assert len(store.search_vector(ADA, ASKED, limit=5)) == 0
        [problem] = [problem for problem in store.check().problems if "embedder" in problem]
        assert "recollect migrate --vector-index" in problem
    assert store.make_vector_index() == 1
    assert store.check().problems == ()


# The doctor


@pytest.fixture
def indexed(store: PostgresStore) -> PostgresStore:
    ids = put(store, make_entry("tea"), make_entry("milk"), make_entry("gone"))
    remove(store, ids[2])
    store.make_vector_index()
    assert store.check().problems == ()
    return store


UNGUARDED = {
    "switched off": "ALTER TABLE vectors DISABLE ROW LEVEL SECURITY",
    "not forced": "ALTER TABLE vectors NO FORCE ROW LEVEL SECURITY",
    "another policy": "CREATE POLICY everyone ON vectors USING (true)",
}
MENDED = {
    "1 memories missing from the index over vectors": (
        "DELETE FROM vectors WHERE key = (SELECT min(key) FROM vectors)"
    ),
    "1 vectors in the index that no memory holds": (
        "INSERT INTO vectors SELECT m.tenant, m.key, v.embedding FROM memories AS m CROSS JOIN vectors AS v "
        "WHERE m.deleted_at IS NOT NULL LIMIT 1"
    ),
}


@pytest.mark.parametrize("how", UNGUARDED)
def test_unguarded_vectors_are_a_problem(how: str, indexed, by_hand) -> None:
    by_hand.execute(UNGUARDED[how])
    [problem] = indexed.check().problems
    assert "does not guard the table vectors:" in problem


@pytest.mark.parametrize("what", MENDED)
def test_vectors_that_disagree_are_found_and_mended(what: str, indexed, by_hand) -> None:
    by_hand.execute(MENDED[what])
    [problem] = indexed.check().problems
    assert problem == f"{what}; run 'recollect doctor --rebuild'"
    indexed.rebuild(make)
    assert indexed.check().problems == ()


def test_a_missing_index_is_a_problem_and_made_again(indexed, by_hand, url: str) -> None:
    by_hand.execute("DROP INDEX vectors_nearest")
    [problem] = indexed.check().problems
    assert "the table vectors has no index" in problem
    assert make_vector_index(url) == 0
    assert indexed.check().problems == ()


def test_a_missing_table_is_a_problem_and_dropped(indexed, by_hand) -> None:
    by_hand.execute("DROP TABLE vectors")
    assert any("vectors" in problem for problem in indexed.check().problems)
    indexed.drop_vector_index()
    assert indexed.check().problems == ()


def test_the_size_counts_the_index(indexed) -> None:
    with_index = indexed.check().bytes
    indexed.compact()
    indexed.drop_vector_index()
    assert indexed.check().bytes < with_index


# Maintenance takes its time


@pytest.fixture
def hurried(url: str) -> Callable[[], PostgresStore]:
    """A store that gives no statement more than a second."""
    return lambda: PostgresStore(url, statement_timeout_s=1)


SLOW = """
CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.4); RETURN NEW; END';
CREATE TRIGGER slow BEFORE UPDATE ON features FOR EACH ROW EXECUTE FUNCTION slow();
"""


def test_a_large_user_gets_other_vectors_in_spite_of_the_time_out(hurried, by_hand, url) -> None:
    with closing(hurried()) as store:
        put(store, *(make_entry(f"tea {n}") for n in range(4)))
        store.stage_vectors(
            "other", [(key, words, bytes([1, 2])) for key, words in store.unstaged("other", limit=9)]
        )
        by_hand.execute(SLOW)
        with (
            database(url, statement_timeout_s=1) as asked,
            pytest.raises(StoreBusyError, match="did not finish"),
            asked.write(ADA) as db,
        ):
            db.execute("UPDATE features SET traits = 0")
        assert store.promote_vectors("other", dim=2)
        assert store.shadow(ADA, 0).rows.vectors.tolist() == [[1, 2]] * 4


def test_a_check_takes_its_time_to_the_end(store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, make_entry("tea"))
    sent = recorded(monkeypatch)
    store.check()
    texts = [sql for sql, _ in sent]
    counted = next(place for place, sql in enumerate(texts) if "count(deleted_at)" in sql)
    begun = max(place for place, sql in enumerate(texts[:counted]) if sql.startswith("BEGIN"))
    assert "SET LOCAL statement_timeout = 0" in texts[begun:counted]


def test_the_role_is_no_superuser(by_hand) -> None:
    assert by_hand.execute("SELECT current_user::text").fetchone() == (ROLE,)

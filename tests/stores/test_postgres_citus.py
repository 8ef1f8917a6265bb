"""What can be known of a store on Citus without Citus: what is sent, and that nothing of it is refused.

With ``RECOLLECT_TEST_CITUS``, the URL of a superuser to a real coordinator with pgvector, it runs there; the
role ``recollect_app`` must then be let in by every server, and by the servers among each other.
"""

import itertools
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.stores.missing import missing
from typer.testing import CliRunner

from recollect.cli import app
from recollect.errors import InvalidInputError, StoreError, StoreFormatError
from recollect.memory.maintenance import distribute, make_vector_index, migrate
from recollect.testing import ADA, BOB, StoreContract, make_entry, make_features
from recollect.testing.contract.fixtures import contents, put
from recollect.types import Job
from recollect.types.filters import EVERYTHING

if why := missing("psycopg", "pglast"):
    pytest.skip(why, allow_module_level=True)

import psycopg
from tests.stores.citus_rules import RefusedError, check
from tests.stores.citus_stand_in import install
from tests.stores.recording import recorded
from tests.stores.servers import ROLE, cleared

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.schema import TENANT_TABLES

CLUSTER = os.environ.get("RECOLLECT_TEST_CITUS", "")
"""The URL of a superuser to the coordinator of a cluster, for a run on it in place of the stand-in."""
TENANT = UUID(int=7)
NEITHER = ("SET ", "BEGIN", "COMMIT", "ROLLBACK")


@pytest.fixture(scope="session")
def citus_server(postgres_server: str) -> str:
    """The URL of a superuser to a coordinator, or to a database that takes itself for one."""
    if CLUSTER:
        with psycopg.connect(CLUSTER, autocommit=True) as db:
            if not db.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone():
                db.execute(f"CREATE ROLE {ROLE} LOGIN")
        return CLUSTER
    with psycopg.connect(postgres_server, autocommit=True) as db:
        db.execute("CREATE DATABASE cluster")
    url = postgres_server.replace("/postgres?", "/cluster?")
    with tempfile.TemporaryDirectory() as folder, psycopg.connect(url, autocommit=True) as db:
        install(db, Path(folder))
        db.execute("CREATE EXTENSION vector SCHEMA public")
    return url


_NUMBERS = itertools.count(1)


@pytest.fixture
def coordinator(citus_server: str) -> Iterator[str]:
    """The URL of an empty schema there."""
    yield from in_a_schema(citus_server)


def in_a_schema(citus_server: str) -> Iterator[str]:
    """The URL of an empty schema, which is dropped afterwards."""
    schema = f"c{next(_NUMBERS)}"
    with psycopg.connect(citus_server, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {ROLE}")
    url = re.sub("//[^@/]*@", f"//{ROLE}@", citus_server)
    mark = "&" if "?" in url else "?"
    yield f"{url}{mark}options=-ccitus.shard_count%3D4%20-csearch_path%3D{schema},public"
    with psycopg.connect(citus_server, autocommit=True) as db:
        db.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Every statement that is sent from now on, with what is bound."""
    return recorded(monkeypatch)


@pytest.fixture(scope="session")
def volatile(postgres_server: str) -> frozenset[str]:
    with psycopg.connect(postgres_server) as db:
        return frozenset(
            name for (name,) in db.execute("SELECT DISTINCT proname FROM pg_proc WHERE provolatile = 'v'")
        )


@pytest.fixture(scope="module")
def shared_coordinator(citus_server: str) -> Iterator[str]:
    """The URL of distributed tables that tests use one after another."""
    for url in in_a_schema(citus_server):
        distribute(url)
        yield url


class TestPostgresStoreOnCitus(StoreContract):
    """The whole contract in a database that has Citus; each statement is held against its rules."""

    @pytest.fixture(autouse=True)
    def _refuse(self, sent: list[tuple[str, Any]], volatile: frozenset[str]) -> Iterator[None]:
        yield
        for sql, values in sent:
            try:
                check(sql, values, volatile=volatile)
            except RefusedError as error:
                pytest.fail(f"{error}: {sql}")

    @pytest.fixture
    def store(self, shared_coordinator: str, sent: list[tuple[str, Any]]) -> Iterator[PostgresStore]:
        self.url = cleared(shared_coordinator)
        sent.clear()
        with closing(PostgresStore(self.url)) as store:
            yield store

    def reopen(self, store: PostgresStore) -> PostgresStore:
        store.close()
        return PostgresStore(self.url)

    @pytest.fixture
    def nearest_store(self, coordinator: str, sent: list[tuple[str, Any]]) -> Iterator[PostgresStore]:
        distribute(coordinator)
        with closing(PostgresStore(coordinator)) as store:
            store.put_setting("dimensions", "8")
            store.make_vector_index()
            sent.clear()
            yield store


def test_terms_are_counted_in_rows_that_name_their_tenant(coordinator: str, sent, volatile) -> None:
    distribute(coordinator)
    with closing(PostgresStore(coordinator)) as store:
        sent.clear()
        put(store, make_entry("tea milk"), make_entry("tea"))
        assert store.check().problems == ()
    [(sql, values)] = [one for one in sent if one[0].lstrip().startswith("INSERT INTO frequencies")]
    assert "VALUES (" in sql
    assert check(sql, values, volatile=volatile)


def test_what_is_about_everybody_may_run_on_all_servers(coordinator: str, sent, volatile) -> None:
    distribute(coordinator)
    with closing(PostgresStore(coordinator)) as store:
        put(store, make_entry("tea milk"), make_entry("gone"))
        put(store, make_entry("tea", scope=BOB))
        store.add(ADA, [], jobs=[Job(task="t", scope=BOB)])
        sent.clear()
        assert store.check().problems == ()
        assert store.claim_jobs(limit=5, lease_s=1)[0].task == "t"
        store.stage_vectors(
            "e", [(key, words, bytes([1, 2])) for key, words in store.unstaged("e", limit=10)]
        )
        assert store.promote_vectors("e", dim=2)
        store.compact()
        assert store.known_users() == ["ada", "bob"]
    questions = [one for one in sent if not one[0].startswith(NEITHER) and "pg_" not in one[0]]
    alone = [check(*one, volatile=volatile) for one in questions]
    assert len(alone) > 40
    assert 0 < alone.count(False) < len(alone)


# The rules themselves


GOOD = [
    "SELECT f.key FROM memories AS m JOIN features AS f ON f.tenant = m.tenant WHERE m.tenant = %s",
    "WITH w AS (SELECT key FROM postings WHERE tenant = %s) SELECT key FROM w ORDER BY key",
    "DELETE FROM postings AS p USING features AS f WHERE p.tenant = f.tenant AND f.tenant = %s",
    "INSERT INTO postings (tenant, key) SELECT f.tenant, f.key FROM features AS f WHERE f.tenant = %s",
    "INSERT INTO frequencies (tenant, term, documents) VALUES (%(t)s, 1, 2), (%(t)s, 3, -4)",
]
BAD = {
    "locks rows everywhere": "SELECT id FROM jobs FOR UPDATE SKIP LOCKED",
    "locks within": "SELECT 1 FROM jobs WHERE tenant = %s AND id IN (SELECT id FROM jobs FOR UPDATE)",
    "joins by the key": "SELECT 1 FROM memories AS m JOIN features AS f ON f.key = m.key",
    "half a tenant": "SELECT 1 FROM memories AS m JOIN links AS l ON l.source = m.key WHERE m.tenant = %s",
    "a tenant or another": "SELECT 1 FROM memories WHERE tenant = %s OR tenant = %s FOR UPDATE",
    "a loose subquery": "SELECT 1 FROM memories m WHERE EXISTS (SELECT FROM staged s WHERE s.key = m.key)",
    "a subquery in a change": "DELETE FROM states WHERE tenant = %s AND EXISTS (SELECT 1 FROM settings)",
    "a function in a change": "DELETE FROM postings AS p USING unnest('{1}'::int[]) AS s WHERE p.tenant = %s",
    "rows of no table": "INSERT INTO staged (tenant, key) SELECT %s::uuid, k FROM unnest('{1}'::int[]) AS k",
    "rows without a tenant": "INSERT INTO jobs (id) VALUES (1)",
    "a moved row": "UPDATE memories SET tenant = %s",
    "a setting by function": "SELECT set_config('recollect.tenant', 'x', true)",
    "a setting in company": "BEGIN; SET LOCAL recollect.everyone = 'on'",
    "a set operation": "SELECT tenant FROM tenants UNION SELECT tenant FROM frequencies",
    "a window": "SELECT rank() OVER w FROM memories WINDOW w AS (ORDER BY key)",
    "a change of no rows": "UPDATE memories SET deleted_at = 1 WHERE tenant = %s AND (false)",
    "copying": "COPY memories FROM STDIN",
    "what nobody looked up": "MERGE INTO states USING jobs ON false WHEN NOT MATCHED THEN DO NOTHING",
    "a prepared statement": "PREPARE p AS SELECT 1 FROM memories",
    "a function of ours": "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS ''",
    "emptying": "TRUNCATE memories",
    "a cursor": "DECLARE c CURSOR WITH HOLD FOR SELECT 1 FROM memories",
    "a number beside rows": "SELECT nextval('memory_keys') FROM memories WHERE tenant = %s",
    "a conflict elsewhere": "INSERT INTO states (tenant, name) VALUES (%s, '') ON CONFLICT (name) DO NOTHING",
}


@pytest.mark.parametrize("sql", GOOD)
def test_a_statement_that_names_its_tenant_goes_to_one_server(sql: str) -> None:
    assert check(sql, {"t": TENANT} if "%(t)s" in sql else (TENANT,))


@pytest.mark.parametrize("sql", BAD.values(), ids=BAD)
def test_what_citus_refuses_is_refused(sql: str, volatile) -> None:
    with pytest.raises(RefusedError):
        check(sql, (TENANT,) * sql.count("%s"), volatile=volatile)


def test_two_tenants_in_one_statement_are_refused() -> None:
    with pytest.raises(RefusedError, match="two tenants"):
        check(
            "SELECT 1 FROM memories AS m, features AS f WHERE m.tenant = %s AND f.tenant = %s",
            (TENANT, uuid4()),
        )


# Spreading a store


def calls(citus_server: str, url: str) -> list[tuple[str, bool, str | None, str | None]]:
    with psycopg.connect(citus_server, autocommit=True) as db:
        rows = db.execute("SELECT call, guarded, mode, forwarded FROM citus_calls ORDER BY number").fetchall()
        db.execute("DELETE FROM citus_calls")
    schema = url.rpartition("%3D")[2].split(",")[0]
    return [(call.removeprefix(f"{schema}."), *rest) for call, *rest in rows]


@pytest.fixture
def heard(citus_server: str, coordinator: str) -> Callable[[], list[Any]]:
    if CLUSTER:
        pytest.skip("a real cluster does not write down what it is asked")
    calls(citus_server, coordinator)
    return lambda: calls(citus_server, coordinator)


def tables_of(url: str) -> list[str]:
    with psycopg.connect(url) as db:
        sql = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
        return [table for (table,) in db.execute(sql).fetchall()]


def test_every_table_is_spread_by_tenant_beside_the_first(coordinator: str, heard) -> None:
    assert distribute(coordinator) == [*TENANT_TABLES, "settings", "recollect_migrations"]
    told = heard()
    assert [call for call, *_ in told] == [
        "tenants by tenant beside none",
        *(f"{table} by tenant beside tenants" for table in TENANT_TABLES[1:]),
        "settings everywhere",
        "recollect_migrations everywhere",
    ]
    assert {tuple(rest) for _, *rest in told} == {(False, "sequential", "local")}


def test_spreading_again_does_nothing(coordinator: str, heard) -> None:
    distribute(coordinator)
    heard()
    assert distribute(coordinator) == []
    assert heard() == []


def test_a_spread_store_is_guarded_again_and_sound(coordinator: str) -> None:
    distribute(coordinator)
    with closing(PostgresStore(coordinator)) as store:
        put(store, make_entry("tea"))
        found = store.check()
    assert (found.problems, found.memories) == ((), 1)
    assert found.bytes > 0
    with psycopg.connect(coordinator) as db:
        assert db.execute("SELECT count(*) FROM memories").fetchone() == (0,)


def test_what_is_there_moves_along_and_leaves_the_coordinator(coordinator: str, heard) -> None:
    with closing(PostgresStore(coordinator)) as store:
        put(store, make_entry("tea"))
    distribute(coordinator)
    assert emptied(heard()) == list(TENANT_TABLES)
    with closing(PostgresStore(coordinator)) as store:
        assert contents(store) == ["tea"]


def emptied(told: list[Any]) -> list[str]:
    """The tables that were emptied on the coordinator."""
    return [call.removesuffix(" emptied") for call, *_ in told if call.endswith("emptied")]


def test_jobs_of_nobody_known_leave_the_coordinator_too(coordinator: str, heard) -> None:
    with closing(PostgresStore(coordinator)) as store:
        store.add(ADA, [], jobs=[Job(task="t", scope=BOB)])
    with psycopg.connect(coordinator) as db:
        db.execute("SET LOCAL recollect.everyone = 'on'")
        assert db.execute("SELECT count(*) FROM tenants").fetchone() == (0,)
    distribute(coordinator)
    assert emptied(heard()) == list(TENANT_TABLES)


def test_what_is_done_with_jobs_of_one_user_goes_to_one_server(coordinator: str, sent, volatile) -> None:
    distribute(coordinator)
    with closing(PostgresStore(coordinator)) as store:
        store.add(ADA, [], jobs=[Job(task=task, scope=ADA) for task in ("done", "failed", "later")])
        done, failed, later = store.claim_jobs(limit=3, lease_s=60)
        sent.clear()
        store.finish_job(done.id)
        store.fail_job(failed.id, "no", retry_in_s=None)
        store.postpone_job(later.id, delay_s=60)
        assert store.count_jobs(user_id=ADA.user_id) == 1
        assert [job.id for job in store.jobs(user_id=ADA.user_id, failed=True)] == [failed.id]
    about_jobs = [(sql, values) for sql, values in sent if "jobs" in sql]
    assert len(about_jobs) == 5
    assert all(check(sql, values, volatile=volatile) for sql, values in about_jobs)


def test_what_was_never_filled_is_not_emptied(coordinator: str, heard) -> None:
    distribute(coordinator)
    assert emptied(heard()) == []


def test_an_index_over_vectors_is_made_and_dropped_server_by_server(coordinator: str, sent, volatile) -> None:
    distribute(coordinator)
    with closing(PostgresStore(coordinator)) as store:
        put(store, make_entry("tea"))
        store.make_vector_index()
        sent.clear()
        store.drop_vector_index()
        store.stage_vectors(
            "e", [(key, words, bytes([1, 2])) for key, words in store.unstaged("e", limit=10)]
        )
        assert store.promote_vectors("e", dim=2)
        assert store.make_vector_index() == 1
        assert store.check().problems == ()
    texts = [sql for sql, _ in sent]
    for change in ("DROP TABLE", "UPDATE features", "ALTER TABLE vectors"):
        amid = next(place for place, sql in enumerate(texts) if change in sql)
        begun = max(place for place, sql in enumerate(texts[:amid]) if sql.startswith("BEGIN"))
        assert any("'sequential'" in sql for sql in texts[begun:amid]), change
    for sql, values in sent:
        if "pg_" not in sql and "EXTENSION" not in sql and "create_distributed_table" not in sql:
            check(sql, values, volatile=volatile)


def test_an_index_over_vectors_is_spread_whether_made_before_or_after(coordinator: str, heard, sent) -> None:
    with closing(PostgresStore(coordinator)) as store:
        put(store, make_entry("tea"))
    make_vector_index(coordinator)
    assert "vectors" in distribute(coordinator)
    with closing(PostgresStore(coordinator)) as store:
        store.drop_vector_index()
        heard()
        assert store.make_vector_index() == 1
        assert heard() == [("vectors by tenant beside tenants", False, "sequential", "local")]
        vector = store.shadow(ADA, 0).rows.vectors[0].astype("float32")
        assert len(store.search_vector(ADA, vector, limit=5)) == 1
    assert not [sql for sql, _ in sent if "CREATE EXTENSION" in sql]  # Citus lets only its owner say it


def test_a_spread_store_is_rebuilt_and_its_vectors_are_exchanged(coordinator: str) -> None:
    distribute(coordinator)
    with closing(PostgresStore(coordinator)) as store:
        put(store, make_entry("tea"), make_entry("milk"))
        assert store.rebuild(lambda records: [make_features(record.content) for record in records]) == 2
        assert store.check().problems == ()
        assert len(store.find(ADA, EVERYTHING)) == 2


def test_a_server_without_citus_says_so_and_makes_nothing(postgres_url: str) -> None:
    with pytest.raises(StoreError, match="CREATE EXTENSION citus"):
        distribute(postgres_url)
    assert tables_of(postgres_url) == []


def test_when_a_table_cannot_be_spread_nothing_is_made(coordinator: str) -> None:
    with psycopg.connect(coordinator, autocommit=True) as db:
        db.execute("CREATE TABLE links (of text)")
    with pytest.raises(StoreFormatError, match="another program"):
        distribute(coordinator)
    assert tables_of(coordinator) == ["links"]


def test_when_the_cluster_fails_amid_it_everything_is_as_before(coordinator: str, heard) -> None:
    schema = coordinator.rpartition("%3D")[2].split(",")[0]
    with psycopg.connect(coordinator, autocommit=True) as db:
        db.execute(
            f"CREATE FUNCTION {schema}.create_reference_table(regclass) RETURNS void LANGUAGE plpgsql "
            "AS 'BEGIN RAISE ''no worker nodes are available''; END'"
        )
    with pytest.raises(StoreError, match="no worker nodes"):
        distribute(coordinator)
    assert tables_of(coordinator) == []
    with psycopg.connect(coordinator) as db:
        left = "SELECT count(*) FROM pg_dist_partition WHERE logicalrelid::text LIKE %s"
        assert db.execute(left, (f"{schema}.%",)).fetchone() == (0,)


def test_a_spread_store_has_no_replica(coordinator: str) -> None:
    distribute(coordinator)
    with pytest.raises(InvalidInputError, match="leave replica_url out"):
        PostgresStore(coordinator, replica_url=coordinator)


def test_only_a_postgresql_store_is_spread(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="only a PostgreSQL store"):
        distribute(str(tmp_path / "brain.db"))


def test_the_command_spreads_a_store(coordinator: str, postgres_url: str) -> None:
    run = CliRunner()
    looked = run.invoke(app, ["migrate", coordinator, "--distributed", "--check"])
    assert (looked.exit_code, looked.output.startswith("to spread over the cluster: tenants")) == (1, True)
    assert tables_of(coordinator) == []
    done = run.invoke(app, ["migrate", coordinator, "--distributed"])
    assert (done.exit_code, done.output.startswith("spread over the cluster: tenants, memories")) == (0, True)
    assert run.invoke(app, ["migrate", coordinator, "--distributed", "--check"]).exit_code == 0
    again = run.invoke(app, ["migrate", coordinator, "--distributed", "--json"])
    assert '"distributed": []' in again.output
    assert migrate(coordinator).needed is False
    refused = run.invoke(app, ["migrate", postgres_url, "--distributed"])
    assert (refused.exit_code, "CREATE EXTENSION citus" in refused.output) == (1, True)

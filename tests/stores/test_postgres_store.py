import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray
from tests.stores.missing import missing
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.embedders.hashing import HashingEmbedder
from recollect.errors import (
    EmbedderError,
    EmbedderMismatchError,
    InvalidInputError,
    MissingExtraError,
    StoreBusyError,
    StoreError,
    StoreFormatError,
    StoreReadOnlyError,
)
from recollect.memory.maintenance import make_vector_index, reembed
from recollect.protocols import Entry
from recollect.stores import open_store
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import ADA, BOB, FakeClock, StoreContract, entry_of, make_entry, store_machine
from recollect.testing.contract.changing import praised, upper
from recollect.testing.contract.fixtures import contents, only, put, remove, with_words
from recollect.testing.contract.nearest import pointing
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.contract.statistics import check_counts
from recollect.types import Job, Link, MemoryRecord, Scope, Within
from recollect.types.filters import EVERYTHING, Test

if why := missing("psycopg"):
    pytest.skip(why, allow_module_level=True)

import psycopg
from tests.stores.recording import recorded
from tests.stores.servers import ROLE, cleared

from recollect.stores.postgres import PostgresStore, schema
from recollect.stores.postgres.schema import TENANT_TABLES
from recollect.stores.postgres.sql import OWN_LOCK, tenant_of

STATEMENTS = 7
"""That a search of a user too large for a shadow may ask: the user's version and size, the embedder's name,
whether there is an index, the candidates, the records that are shown, and which turns repeat
what was corrected."""
ADD_STATEMENTS = 19
"""That an ``add`` of one may send: five to read, fourteen to write, of which a few are waited for. One queues
the learning of what the conversation has left."""
PATIENCE_S = 60
"""How long a test waits for another thread before it gives up."""


@pytest.fixture(scope="module")
def shared_url(new_postgres: Callable[[], str]) -> str:
    """The URL of a schema that tests use one after another."""
    return new_postgres()


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def store(self, shared_url: str) -> Iterator[PostgresStore]:
        self.url = cleared(shared_url)
        store = PostgresStore(self.url)
        yield store
        store.close()

    def reopen(self, store: PostgresStore) -> PostgresStore:
        store.close()
        return PostgresStore(self.url)

    @pytest.fixture
    def nearest_store(self, with_pgvector: str) -> Iterator[PostgresStore]:
        with closing(PostgresStore(with_pgvector)) as store:
            store.put_setting("dimensions", "8")
            store.make_vector_index()
            yield store


def test_the_server_store_answers_like_the_reference(new_postgres: Callable[[], str]) -> None:
    machine = store_machine(lambda: PostgresStore(new_postgres()))
    machine.TestCase.settings = settings(
        max_examples=15, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
    )
    machine.TestCase().runTest()


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_url)
    yield store
    store.close()


@pytest.fixture
def with_pgvector(postgres_url: str, superuser) -> str:
    """The URL of an empty schema, from which pgvector is seen."""
    superuser.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    return f"{postgres_url},public"


@pytest.fixture
def by_hand(postgres_url: str) -> Iterator[psycopg.Connection]:
    """A connection of the application's own role, without the store."""
    with psycopg.connect(postgres_url) as db:
        yield db


@pytest.fixture
def superuser(postgres_server: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_server, autocommit=True) as db:
        yield db


def fill_every_table(store: PostgresStore) -> None:
    for user in ("ada", "bob"):
        scope = Scope(user_id=user)
        ids = store.add(
            scope,
            [make_entry(f"{user} said", scope=scope), make_entry("more", scope=scope)],
            jobs=[Job(task="t", scope=scope)],
        )
        store.link(scope, [Link(source_id=ids[0], target_id=ids[1], type="related")])
        store.change_state(scope, "intents", lambda _: "learned")
    store.stage_vectors("e", [(key, words, b"v") for key, words in store.unstaged("e", limit=10)])


def rows_of(db: psycopg.Connection, table: str) -> int:
    return db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


# Older formats


FIRST_FORMAT = """
SET recollect.everyone = 'on';
DROP TABLE frequencies, states;
ALTER TABLE tenants DROP vector_sum;
ALTER TABLE memories DROP dates, DROP parameters, DROP factors, DROP usage_count, DROP reinforced_count,
    DROP reinforcements, DROP packed;
ALTER TABLE jobs ALTER id DROP DEFAULT, ALTER id ADD GENERATED ALWAYS AS IDENTITY;
DROP SEQUENCE job_numbers;
DELETE FROM recollect_migrations WHERE version > 1;
"""


def test_a_database_of_the_first_format_is_brought_up_to_date(postgres_url: str) -> None:
    with closing(PostgresStore(postgres_url)) as store:
        put(store, make_entry("tea milk"), make_entry("tea"))
        put(store, make_entry("tea", scope=BOB))
    with psycopg.connect(postgres_url) as db:
        db.execute(FIRST_FORMAT)
    with closing(PostgresStore(postgres_url)) as store:
        check_counts(store, make_entry("tea milk"), make_entry("tea"))
        check_counts(store, make_entry("tea", scope=BOB), scope=BOB)
        assert contents(store) == ["tea", "tea milk"]


# One tenant never sees another


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_a_query_that_names_no_user_sees_nothing(store, by_hand, table: str) -> None:
    fill_every_table(store)
    assert rows_of(by_hand, table) == 0
    by_hand.execute("SET LOCAL recollect.everyone = 'on'")
    everything = rows_of(by_hand, table)
    assert everything > 0
    by_hand.rollback()
    by_hand.execute(f"SET LOCAL recollect.tenant = '{tenant_of('ada')}'")
    assert 0 < rows_of(by_hand, table) == everything / 2


def test_what_a_transaction_was_allowed_ends_with_it(store, by_hand) -> None:
    fill_every_table(store)
    by_hand.execute(f"SET LOCAL recollect.tenant = '{tenant_of('ada')}'")
    by_hand.commit()
    assert rows_of(by_hand, "memories") == 0


@pytest.mark.parametrize("user", [ADA, BOB])
def test_a_write_sees_everyone_only_for_jobs_about_others(store, user: Scope, monkeypatch) -> None:
    sent = recorded(monkeypatch)
    store.add(ADA, [make_entry()], jobs=[Job(task="learn", scope=user)])
    said = [sql for sql, _ in sent]
    assert any("INSERT INTO jobs" in sql for sql in said)
    assert any("recollect.everyone" in sql for sql in said) == (user == BOB)
    assert store.count_jobs(user_id=user.user_id) == 1


def test_the_memories_of_everyone_are_counted_in_one_question(store, monkeypatch) -> None:
    for number in range(5):
        put(store, make_entry(scope=Scope(user_id=f"user-{number}")))
    sent = recorded(monkeypatch)
    with Memory(store) as memory:
        assert memory.stats().users == 5
    assert sum("FROM memories" in sql for sql, _ in sent) == 1


def test_a_user_cannot_write_among_anothers_rows(store, by_hand) -> None:
    fill_every_table(store)
    by_hand.execute(f"SET LOCAL recollect.tenant = '{tenant_of('ada')}'")
    bob = tenant_of("bob")
    assert by_hand.execute("DELETE FROM memories WHERE tenant = %s", (bob,)).rowcount == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        by_hand.execute("UPDATE memories SET tenant = %s", (bob,))


def test_every_table_with_a_tenant_is_guarded_and_has_it_first_in_its_key(store, by_hand) -> None:
    with_tenant = by_hand.execute(
        "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, i.indkey[0] = a.attnum "
        "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant' "
        "JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary "
        "WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace"
    ).fetchall()
    assert sorted(with_tenant) == sorted((table, True, True) for table in TENANT_TABLES)


@pytest.mark.parametrize("user", ["'", '"; DROP TABLE memories; --', "a\nb", "x" * 256, "🦊", "%s", "ada "])
def test_a_user_may_be_called_anything(store, user: str) -> None:
    scope = Scope(user_id=user)
    put(store, make_entry("mine", scope=scope))
    put(store, make_entry("hers"))
    assert contents(store, scope=scope) == ["mine"]
    assert store.user_ids() == sorted(["ada", user])


# Several processes at once


def test_a_reader_misses_no_change_of_a_writer_that_finishes_late(store, postgres_url, superuser) -> None:
    other = PostgresStore(postgres_url)
    receiver, inside, leave = Receiver(), Event(), Event()
    [slow] = put(store, make_entry("slow"))
    receiver.refresh(store)

    def change(record: MemoryRecord) -> Entry:
        inside.set()
        assert leave.wait(PATIENCE_S)
        return praised(record)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(store.update, ADA, [slow], change)
        assert inside.wait(PATIENCE_S)
        second = pool.submit(put, other, make_entry("quick"))
        wait_until_one_waits(superuser)
        put(other, make_entry("another user does not wait", scope=BOB))
        assert receiver.refresh(other).rows.ids == []
        leave.set()
        first.result(PATIENCE_S)
        second.result(PATIENCE_S)
    assert len(receiver.refresh(store).rows.ids) == 2
    assert receiver.ids == sorted(record.id for record in store.find(ADA, EVERYTHING))
    other.close()


def wait_until_one_waits(db: psycopg.Connection) -> None:
    end = monotonic() + PATIENCE_S
    while not db.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone():
        assert monotonic() < end, "nobody waits for a lock"
        sleep(0.01)


def test_servers_that_start_at_once_make_the_tables_once(postgres_url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(PostgresStore, [postgres_url] * 6))
    for number, store in enumerate(stores):
        put(store, make_entry(str(number)))
    assert contents(stores[0]) == list("012345")
    for store in stores:
        store.close()


def test_a_killed_workers_job_is_taken_up_again_when_its_lease_is_over(postgres_url: str) -> None:
    clock = FakeClock()
    store = PostgresStore(postgres_url, clock=clock)
    store.add(ADA, [], jobs=[Job(task="extract", scope=ADA)])
    worker = (
        "import os, signal, sys\n"
        "from recollect.stores.postgres import PostgresStore\n"
        "from recollect.testing.fakes import FakeClock\n"
        "store = PostgresStore(sys.argv[1], clock=FakeClock())\n"
        "assert len(store.claim_jobs(limit=1, lease_s=60)) == 1\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", worker, postgres_url], check=False)  # noqa: S603 (ours)
    assert ended.returncode == -signal.SIGKILL
    assert store.claim_jobs(limit=1, lease_s=60) == []
    clock.tick(60)
    [job] = store.claim_jobs(limit=1, lease_s=60)
    assert (job.task, job.attempts) == ("extract", 2)
    store.close()


def test_a_worker_takes_the_next_job_while_another_is_taking_the_first(store, by_hand) -> None:
    store.add(ADA, [], jobs=[Job(task=task, scope=ADA) for task in "ab"])
    by_hand.execute("SET LOCAL recollect.everyone = 'on'")
    by_hand.execute("SELECT 1 FROM jobs WHERE task = 'a' FOR UPDATE")
    assert [job.task for job in store.claim_jobs(limit=5, lease_s=60)] == ["b"]
    by_hand.rollback()
    assert [job.task for job in store.claim_jobs(limit=5, lease_s=60)] == ["a"]


# What goes wrong


def cut_connections(superuser: psycopg.Connection) -> None:
    superuser.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'recollect_app'"
    )


def test_a_store_whose_connections_were_cut_opens_new_ones(store, superuser) -> None:
    put(store, make_entry("before"))
    cut_connections(superuser)
    put(store, make_entry("after"))
    assert contents(store) == ["after", "before"]


def test_a_connection_cut_amid_a_change_leaves_everything_as_it_was(store, superuser) -> None:
    ids = put(store, make_entry("one"))

    def change(record: MemoryRecord) -> Entry:
        cut_connections(superuser)
        return upper(record)

    with pytest.raises(StoreError, match="connection was lost"):
        store.update(ADA, ids, change)
    assert contents(store) == ["one"]
    store.update(ADA, ids, upper)
    assert contents(store) == ["ONE"]


def test_a_pool_that_is_used_up_says_so(postgres_url: str) -> None:
    store = PostgresStore(postgres_url, pool_size=1, busy_timeout_s=2)
    ids = put(store, make_entry("one"))

    def asks_about_everybody(record: MemoryRecord) -> Entry:
        store.user_ids()
        return praised(record)

    with pytest.raises(StoreBusyError, match="pool_size"):
        store.update(ADA, ids, asks_about_everybody)
    assert only(store).use.useful_count == 0
    store.close()


def test_what_a_change_reads_of_its_user_needs_no_second_connection(postgres_url: str) -> None:
    store = PostgresStore(postgres_url, pool_size=1, busy_timeout_s=2)
    ids = put(store, make_entry("one"))
    store.update(ADA, ids, lambda record: praised(only(store)))
    assert only(store).use.useful_count == 1
    store.close()


def test_waiting_for_another_writer_ends(postgres_url: str, by_hand) -> None:
    store = PostgresStore(postgres_url, busy_timeout_s=2)
    put(store, make_entry("one"))
    by_hand.execute(f"SET LOCAL recollect.tenant = '{tenant_of('ada')}'")
    by_hand.execute("SELECT 1 FROM tenants FOR UPDATE")
    with pytest.raises(StoreBusyError, match="nothing was written"):
        put(store, make_entry("two"))
    by_hand.rollback()
    assert contents(store) == ["one"]
    store.close()


def test_a_newer_format_is_refused(postgres_url: str, by_hand) -> None:
    PostgresStore(postgres_url).close()
    by_hand.execute("INSERT INTO recollect_migrations (version) VALUES (999)")
    by_hand.commit()
    with pytest.raises(StoreFormatError, match="newer Recollect"):
        PostgresStore(postgres_url)


def test_tables_of_another_program_are_left_alone(postgres_url: str, by_hand) -> None:
    by_hand.execute("CREATE TABLE memories (of text)")
    by_hand.commit()
    with pytest.raises(StoreFormatError, match="another program"):
        PostgresStore(postgres_url)
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    assert by_hand.execute(tables).fetchall() == [("memories",)]


@pytest.mark.parametrize("right", ["USAGE", "CREATE"])
def test_a_role_that_may_not_make_tables_is_told_so(postgres_url: str, superuser, right: str) -> None:
    schema = postgres_url.rpartition("%3D")[2]
    superuser.execute(f"ALTER SCHEMA {schema} OWNER TO postgres")
    superuser.execute(f"GRANT {right} ON SCHEMA {schema} TO recollect_app")
    with pytest.raises(StoreReadOnlyError, match="right to use and create"):
        PostgresStore(postgres_url)
    made = superuser.execute("SELECT count(*) FROM pg_class WHERE relnamespace = %s::regnamespace", (schema,))
    assert made.fetchone() == (0,)


@pytest.fixture
def before_another(postgres_url: str, new_postgres: Callable[[], str]) -> str:
    """A URL of an empty schema, with that of ``postgres_url`` and pgvector's behind it."""
    return f"{new_postgres()},{schema_of(postgres_url)},public"


def schema_of(url: str) -> str:
    """The first schema that a URL names."""
    return url.rpartition("%3D")[2].partition(",")[0]


def test_a_store_lives_in_the_first_schema_and_none_behind_it_is_taken_for_it(
    store, postgres_url: str, before_another: str
) -> None:
    put(store, make_entry("ours"))
    with closing(PostgresStore(before_another)) as theirs:
        assert contents(theirs) == []
        assert theirs.check().problems == ()
        put(theirs, make_entry("theirs"))
        assert contents(theirs) == ["theirs"]
    assert contents(store) == ["ours"]


def test_an_index_over_vectors_of_another_schema_is_not_taken_for_ours(
    store, postgres_url: str, with_pgvector: str, before_another: str, by_hand
) -> None:
    put(store, make_entry("ours"))
    with closing(PostgresStore(with_pgvector)) as first:
        first.make_vector_index()
    made = "SELECT count(*) FROM pg_indexes WHERE schemaname = %s AND indexname = 'vectors_nearest'"
    with closing(PostgresStore(before_another)) as second:
        put(second, make_entry("theirs"))
        assert second.make_vector_index() == 1
        assert by_hand.execute(made, (schema_of(before_another),)).fetchone() == (1,)
        by_hand.rollback()
        second.drop_vector_index()
        assert by_hand.execute(made, (schema_of(postgres_url),)).fetchone() == (1,)


def test_a_table_of_another_schema_does_not_stand_in_for_a_missing_one(
    store, before_another: str, superuser
) -> None:
    with closing(PostgresStore(before_another)) as second:
        superuser.execute(f"ALTER TABLE {schema_of(before_another)}.postings RENAME TO away")
        assert any("postings" in problem for problem in second.check().problems)


@pytest.mark.parametrize("named", ["nowhere", '"No Where, or ""here"""', "Team-C"])
def test_a_first_schema_that_does_not_exist_is_refused(store, postgres_url: str, named: str) -> None:
    here = schema_of(postgres_url)
    url = postgres_url.replace(here, f"{quote(named).replace('%20', '%5C%20')},{here}")
    with pytest.raises(InvalidInputError, match=r"CREATE SCHEMA .* AUTHORIZATION recollect_app") as caught:
        PostgresStore(url)
    assert (named if '"' in named else named.lower()) in str(caught.value)


@pytest.mark.parametrize("written", ["{}", '"{}"', " {} ", "{upper}"])
def test_a_schema_may_be_written_as_postgresql_takes_it(store, postgres_url: str, written: str) -> None:
    put(store, make_entry("tea"))
    here = schema_of(postgres_url)
    named = quote(written.format(here, upper=here.upper())).replace("%20", "%5C%20")
    with closing(PostgresStore(postgres_url.replace(here, f"{named},public"))) as again:
        assert contents(again) == ["tea"]


def test_a_first_schema_that_may_not_be_used_is_not_passed_over(
    postgres_url: str, before_another: str, superuser
) -> None:
    superuser.execute(f"ALTER SCHEMA {schema_of(before_another)} OWNER TO postgres")
    with pytest.raises(StoreReadOnlyError, match="right to use and create"):
        PostgresStore(before_another)
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = %s"
    assert superuser.execute(tables, (schema_of(postgres_url),)).fetchone() == (0,)


def test_a_wrong_password_gives_one_error_that_does_not_repeat_it(postgres_url: str, superuser) -> None:
    ((file,),) = superuser.execute("SHOW hba_file").fetchall()
    rules = Path(file).read_text()
    Path(file).write_text(f"local all locked scram-sha-256\n{rules}")
    superuser.execute("SELECT pg_reload_conf()")
    superuser.execute("CREATE ROLE locked LOGIN PASSWORD 'swordfish'")
    url = postgres_url.replace(f"//{ROLE}@", "//locked:hunter2@")
    with pytest.raises(StoreError, match="password authentication failed") as caught:
        PostgresStore(url)
    assert "hunter2" not in str(caught.value)
    shown = CliRunner().invoke(app, ["stats", "--db", url])
    assert (shown.exit_code, shown.output.count("password authentication failed")) == (1, 1)
    assert "hunter2" not in shown.output


def test_an_embedder_of_another_size_is_refused_and_nothing_is_stored(postgres_url: str) -> None:
    with Memory(postgres_url, embedder="hashing") as memory:
        memory.add("tea", user_id="ada")

    class Wider(HashingEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.hstack([super().embed_documents(texts)] * 2)

    with Memory(postgres_url, embedder=Wider()) as memory:
        with pytest.raises(EmbedderError, match="gave 768 dimensions, the store holds 384"):
            memory.add("milk", user_id="ada")
        assert memory.stats().memories == 1


def test_a_database_that_does_not_hold_utf_8_is_refused(postgres_server: str, superuser) -> None:
    superuser.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreFormatError, match="UTF-8"):
        PostgresStore(postgres_server.replace("/postgres?", "/latin?"))


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("postgresql://ada:hunter2@localhost:1/db", StoreError),
        ("postgresql://ada:hunter2@localhost:port/db", StoreError),
        ("postgresql://ada:hunter2@[::1/db", InvalidInputError),
        ("postgresql://ada:hunter2@localhost/db?unheard=of", InvalidInputError),
    ],
)
def test_a_url_that_leads_nowhere_gives_one_error_without_the_password(url: str, error) -> None:
    with pytest.raises(error) as caught:
        open_store(url, clock=FakeClock())
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "place", ["ada:hun@ter2@127.0.0.1:1/db", "ada:hun/ter2@127.0.0.1:1/db", "ada:hunter2@h/a@b"]
)
def test_an_odd_character_in_a_password_is_refused_and_none_of_it_said(place: str) -> None:
    with pytest.raises(InvalidInputError, match="percent-encoded, such as %40") as caught:
        PostgresStore(f"postgresql://{place}")
    assert "hun" not in str(caught.value)
    assert "ter2" not in str(caught.value)


@pytest.mark.parametrize("url", [None, 5, "", " ", b"postgresql://localhost/db"])
@pytest.mark.parametrize("argument", ["url", "replica_url"])
def test_what_is_no_url_is_refused(postgres_url: str, argument: str, url) -> None:
    if (argument, url) == ("replica_url", None):
        return  # there is none
    with pytest.raises(InvalidInputError, match=f"^{argument} must be a URL of PostgreSQL"):
        PostgresStore(**{"url": postgres_url, argument: url})


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("ada:p%40ss@127.0.0.1:1/db", "postgresql://127.0.0.1:1/db"),
        (
            "ada@127.0.0.1:1/db?options=-csearch_path%3Dteam,public",
            "postgresql://127.0.0.1:1/db (schema team)",
        ),
        ("ada:hunter2@127.0.0.1:1,127.0.0.1:2/db", "postgresql://127.0.0.1:1,127.0.0.1:2/db"),
        ("/db?host=/nowhere&port=3", "postgresql:///nowhere:3/db"),
    ],
)
def test_stores_on_one_host_are_told_apart(place: str, shown: str) -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore(f"postgresql://{place}")
    assert str(caught.value).startswith(f"{shown} cannot be reached")


def test_who_waits_for_another_to_make_the_tables_says_for_whom(
    postgres_url: str, caplog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "_PATIENCE_S", 0.2)
    with psycopg.connect(postgres_url) as holder, ThreadPoolExecutor(1) as pool:
        pid = holder.info.backend_pid
        holder.execute(f"SELECT pg_advisory_xact_lock({OWN_LOCK})", (schema.MIGRATION_LOCK,))
        opening = pool.submit(PostgresStore, postgres_url)
        try:
            end = monotonic() + PATIENCE_S
            while "waiting for another process" not in caplog.text:
                assert monotonic() < end
                sleep(0.02)
            assert f"(pid) is {pid}" in caplog.text
            assert not opening.done()
        finally:
            holder.rollback()
        opening.result(PATIENCE_S).close()
    assert caplog.text.count("waiting for another process") == 1


def test_who_makes_the_tables_of_another_schema_is_not_waited_for(postgres_url: str, new_postgres) -> None:
    with ThreadPoolExecutor(1) as pool, psycopg.connect(postgres_url) as holder:
        holder.execute(f"SELECT pg_advisory_xact_lock({OWN_LOCK})", (schema.MIGRATION_LOCK,))
        pool.submit(PostgresStore, new_postgres()).result(PATIENCE_S).close()


def test_a_missing_driver_gives_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("recollect.stores.postgres")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'recollect\[postgres\]'"):
        open_store("postgresql://localhost/db", clock=FakeClock())


# What PostgreSQL could lose or order otherwise


@pytest.mark.parametrize(
    "number", [-0.0, 0.0, 1.0, 1, 2**53 + 1, 2.0**62, 1e16, 1e22, 1e300, 5e-324, 0.1, -1e16, True], ids=repr
)
def test_a_number_keeps_its_type_and_value(store, number: float) -> None:
    put(store, make_entry(metadata={"n": number, "text": "-0.0 1e+16"}))
    assert repr(only(store).metadata["n"]) == repr(number)
    assert only(store).metadata["text"] == "-0.0 1e+16"
    assert store.count(ADA, Test("n", in_metadata=True, operator="eq", value=number)) == 1


def test_a_filter_may_list_more_values_than_a_statement_binds(store) -> None:
    put(store, make_entry("a", metadata={"n": 7}), make_entry("b"))
    many = list(range(70_000))
    assert contents(store, {"n": {"in": many}}) == ["a"]
    assert contents(store, {"n": {"nin": [*many, None]}}) == []
    assert contents(store, {"turn": {"in": [0.5, *many]}}) == ["a", "b"]
    assert contents(store, {"content": {"in": [f"{n}" for n in many]}}) == []


@pytest.mark.parametrize("stems", [["tea"], ["tea", "milk", "w3"], ["w1", "w2", "w30", "none"], ["tea"] * 3])
def test_text_search_ranks_like_the_reference(store, stems: list[str]) -> None:
    reference = InMemoryStore()
    random = np.random.default_rng(9)
    words = ["tea", "milk", *(f"w{n}" for n in range(40))]
    entries = [make_entry(" ".join(random.choice(words, random.integers(1, 12)))) for _ in range(120)]
    for each in (store, reference):
        ids = put(each, *entries)
        each.update(ADA, ids[:20], lambda record: entry_of(with_words(record, "tea " + record.content)))
        remove(each, *ids[40:60])
    assert found(store, stems) == found(reference, stems)
    assert found(store, stems)


def found(store, stems: list[str]) -> list[str]:
    rows = store.shadow(ADA, 0).rows
    ids = dict(zip(rows.keys.tolist(), rows.ids, strict=True))
    return [ids[key] for key in store.search_text(ADA, stems, limit=1_000).tolist()]


def test_what_a_user_has_is_counted_right_whatever_was_done(store, by_hand) -> None:
    ids = put(store, make_entry("one two"), make_entry("three"), make_entry("four five six"))
    store.update(ADA, ids[:2], lambda record: entry_of(with_words(record, "a b c d")))
    remove(store, ids[2])
    store.purge(ADA)
    store.update(ADA, ids[:1], praised)
    by_hand.execute("SET LOCAL recollect.everyone = 'on'")
    counted = by_hand.execute("SELECT live, words FROM tenants").fetchall()
    assert counted == [(2, 8)]
    assert by_hand.execute("SELECT sum(count) FROM postings").fetchone() == (8,)


# Nearest vectors


def searched(store: PostgresStore, vector: list[float], *, limit: int = 5) -> list[int]:
    return store.search_vector(ADA, np.array(vector, np.float32), limit=limit).tolist()


def test_an_index_is_made_of_what_is_there_and_kept_by_what_comes(with_pgvector: str) -> None:
    with closing(PostgresStore(with_pgvector)) as store:
        ids = put(store, make_entry("tea"), make_entry("milk"))
        tea, milk = store.shadow(ADA, 0).rows.vectors.astype(np.float32)
        assert searched(store, tea.tolist()) == []
        assert store.make_vector_index() == 2
        assert store.make_vector_index() == 0
        first = searched(store, tea.tolist())
        put(store, make_entry("tea"))
        put(store, make_entry("tea", scope=BOB))
        assert len(searched(store, tea.tolist())) == len(first) + 1
        store.update(ADA, ids[1:], lambda record: entry_of(with_words(record, "tea")))
        store.delete(ADA, Test("id", False, "eq", ids[0]))
        assert len(searched(store, tea.tolist())) == 2
        assert searched(store, milk.tolist(), limit=1) == searched(store, tea.tolist(), limit=1)
        store.drop_vector_index()
        assert searched(store, tea.tolist()) == []
        assert store.make_vector_index() == 3


def test_the_index_is_used_under_row_level_security(with_pgvector: str) -> None:
    rng = np.random.default_rng(1)
    with closing(PostgresStore(with_pgvector)) as store:
        put(store, *(pointing(f"n{n}", rng.integers(-99, 99, 8)) for n in range(600)))
        put(store, *(pointing(f"b{n}", rng.integers(-99, 99, 8), scope=BOB) for n in range(600)))
        store.make_vector_index()
        rows = store.shadow(ADA, 0).rows
        asked = rng.normal(size=8).astype(np.float32)
        vectors = rows.vectors / np.linalg.norm(rows.vectors.astype(np.float32), axis=1, keepdims=True)
        exact = rows.keys[np.argsort(-(vectors @ asked))[:20]]
        assert len(set(searched(store, asked.tolist(), limit=20)) & set(exact.tolist())) >= 19
        with psycopg.connect(with_pgvector) as db:
            db.execute(f"SET LOCAL recollect.tenant = '{tenant_of('ada')}'")
            db.execute("SET LOCAL enable_sort = off")
            plan = db.execute(
                "EXPLAIN SELECT key FROM vectors WHERE tenant = %s "
                "ORDER BY embedding <=> %s::halfvec LIMIT 20",
                (tenant_of("ada"), str(asked.tolist())),
            ).fetchall()
            assert any("vectors_nearest" in line for (line,) in plan)
            db.execute("SET LOCAL recollect.tenant = ''")
            assert rows_of(db, "vectors") == 0


def test_vectors_of_another_embedder_leave_no_index_of_the_old(with_pgvector: str) -> None:
    with closing(PostgresStore(with_pgvector)) as store:
        put(store, make_entry("tea"))
        store.make_vector_index()
        store.stage_vectors(
            "other", [(key, words, bytes([1, 2, 3, 4])) for key, words in store.unstaged("other", limit=9)]
        )
        assert store.promote_vectors("other", dim=4)
        assert searched(store, [1, 2, 3, 4]) == []
        assert store.make_vector_index() == 1
        assert len(searched(store, [1, 2, 3, 4])) == 1


def hold_no_shadow(memory: Memory) -> None:
    """Let every user be too large for a shadow."""
    memory.parts.recall._shadows.limit_bytes = 0


def test_a_user_too_large_for_a_shadow_is_searched_by_meaning(with_pgvector: str) -> None:
    with Memory(PostgresStore(with_pgvector)) as memory:
        hold_no_shadow(memory)
        memory.add(
            ["The canine barked all night", "Tea is served at five", "We paid the invoice"], user_id="ada"
        )
        assert memory.search("dog", user_id="ada") == []
        assert make_vector_index(with_pgvector) == 3
        assert memory.search("dog", user_id="ada")[0].memory.content == "The canine barked all night"


def test_one_statement_finds_the_candidates_of_a_search_and_their_neighbours(
    with_pgvector: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(PostgresStore(with_pgvector)) as memory:
        hold_no_shadow(memory)
        memory.add(["The canine barked all night", "Tea is served", "We paid"], user_id="ada", session_id="s")
        make_vector_index(with_pgvector)
        memory.search("dog", user_id="ada")
        sent = recorded(monkeypatch)
        found = memory.search("dog", user_id="ada", within=Within(since=datetime(2020, 1, 1, tzinfo=UTC)))
    assert found[0].memory.content == "The canine barked all night"
    asked = [sql for sql, _ in sent if not sql.startswith(("BEGIN", "COMMIT", "SET"))]
    assert [sql for sql in asked if "postings" in sql] == [sql for sql in asked if "vectors" in sql]
    assert len([sql for sql in asked if "postings" in sql]) == 1
    assert len(asked) <= STATEMENTS, asked


def test_an_add_waits_for_the_server_a_few_times_only(postgres_url: str, monkeypatch) -> None:
    """The store was told who we are by the first; the second sends what it writes together.

    Of one connection: on a busy machine a larger pool opens another meanwhile, and configures it.
    """
    with Memory(PostgresStore(postgres_url, pool_size=1)) as memory:
        memory.add("I drink tea", user_id="ada", session_id="s")
        sent = recorded(monkeypatch)
        memory.add("I drink coffee", user_id="ada", session_id="s")
        monkeypatch.undo()
        assert memory.search("coffee", user_id="ada")[0].memory.origin.turn == 1
    begun = [sql for sql, _ in sent if sql.startswith("BEGIN")]
    assert len(begun) == 2, "a view of what is rare and how many there are in the session, and the write"
    assert len(sent) <= ADD_STATEMENTS, [sql for sql, _ in sent]


def test_a_view_is_of_one_moment_one_user_and_one_thread(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    put(store, make_entry("tea"))
    with store.view(ADA):
        assert store.count(ADA) == 1
        with ThreadPoolExecutor(1) as pool:
            pool.submit(put, store, make_entry("milk")).result()
            assert pool.submit(store.count, ADA).result() == 2
        with store.view(BOB):
            assert store.count(BOB) == 0
            assert store.count(ADA) == 2, "the view that is open is of somebody else"
        assert store.count(ADA) == 1
    assert store.count(ADA) == 2
    with pytest.raises(ZeroDivisionError), store.view(ADA):
        raise ZeroDivisionError
    put(store, make_entry("juice"))
    assert store.count(ADA) == 3
    store.close()


def test_an_id_that_is_taken_is_refused_and_nothing_of_the_call_is_stored(store) -> None:
    put(store, make_entry("tea", memory_id="a"))
    with pytest.raises(InvalidInputError, match="in use already"):
        put(store, make_entry("milk", memory_id="b"), make_entry("tea again", memory_id="a"))
    assert contents(store) == ["tea"]
    put(store, make_entry("milk", memory_id="b"))
    assert contents(store) == ["milk", "tea"]


def test_a_server_without_pgvector_says_so_and_makes_nothing(store, postgres_url: str, by_hand) -> None:
    """The extension may be there for other tests; from this schema it is not seen, and not made."""
    with pytest.raises(InvalidInputError, match="store a memory"):
        store.make_vector_index()
    put(store, make_entry("tea"))
    with pytest.raises(StoreError, match="pgvector"):
        store.make_vector_index()
    assert by_hand.execute("SELECT to_regclass('vectors')").fetchone() == (None,)
    put(store, make_entry("milk"))
    assert contents(store) == ["milk", "tea"]


def test_a_server_on_which_pgvector_is_not_installed_says_so(postgres_server: str, superuser) -> None:
    superuser.execute(f"CREATE DATABASE bare OWNER {ROLE}")
    superuser.execute(f"ALTER ROLE {ROLE} IN DATABASE bare SET extension_control_path = '/nowhere'")
    url = postgres_server.replace("//postgres@", f"//{ROLE}@").replace("/postgres?", "/bare?")
    with closing(PostgresStore(url)) as store:
        put(store, make_entry("tea"))
        with pytest.raises(StoreError, match="the server has no pgvector: install it"):
            store.make_vector_index()
        assert store.setting("vector_index") is None
        put(store, make_entry("milk"))
        assert contents(store) == ["milk", "tea"]


# The whole of it


def test_a_memory_lives_on_a_server(postgres_url: str) -> None:
    with Memory(postgres_url, embedder="hashing") as memory:
        said = memory.add(
            ["Ada likes green tea", "Bob's train leaves at nine"], user_id="ada", session_id="s"
        )
        memory.add("Bob's secret", user_id="bob")
        assert memory.search("what tea?", user_id="ada")[0].memory.content == "Ada likes green tea"
        assert "nine" in memory.context("when does the train leave?", user_id="ada").text
        assert memory.use(said[0].id or "", user_id="ada", useful=True)[0].use.useful_count == 1
        memory.delete(said[1].id or "", user_id="ada")
        assert memory.purge(user_id="ada") == 1
    with Memory(postgres_url, embedder="hashing") as memory:
        assert [found.memory.content for found in memory.search("train or tea", user_id="ada")] == [
            "Ada likes green tea"
        ]
        assert memory.stats().memories == 2
        assert "postgresql://" in memory.stats().store


def test_memories_move_from_a_file_to_a_server_and_back(new_postgres: Callable[[], str]) -> None:
    exported = []
    source = Memory(":memory:", embedder="hashing")
    source.add(["tea", "milk"], user_id="ada", session_id="s", metadata={"n": -0.0, "big": 1e22})
    for target in (new_postgres(), ":memory:"):
        lines = StringIO()
        assert source.export(lines) == 2
        source.close()
        exported.append(lines.getvalue())
        lines.seek(0)
        source = Memory(target, embedder="hashing")
        assert source.load(lines).stored == 2
    lines = StringIO()
    source.export(lines)
    source.close()
    assert exported[0] == exported[1] == lines.getvalue()


def test_vectors_are_made_anew_on_a_server(postgres_url: str) -> None:
    with Memory(postgres_url, embedder="hashing") as memory:
        memory.add(["Ada likes green tea", "Bob takes the train"], user_id="ada")
    store = open_store(postgres_url, clock=FakeClock())
    reembed(store, embedder="static")
    store.close()
    with pytest.raises(EmbedderMismatchError):
        Memory(postgres_url, embedder="hashing").search("tea", user_id="ada")
    with Memory(postgres_url, embedder="static") as memory:
        assert memory.search("green tea", user_id="ada")[0].memory.content == "Ada likes green tea"

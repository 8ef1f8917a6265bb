"""A database is checked, mended, backed up, copied and migrated; from Python and from the shell."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
from tests.stores.missing import missing
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.errors import (
    EmbedderMismatchError,
    InvalidInputError,
    StoreBusyError,
    StoreError,
    StoreFormatError,
    StoreReadOnlyError,
)
from recollect.memory.maintenance import copy_store, migrate, reembed, restore
from recollect.protocols import Features, Maintenance
from recollect.stores.copy import moving
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import ADA, BOB, make_entry, make_features
from recollect.testing.contract.changing import praised
from recollect.testing.contract.copying import all_of, fill, shadow_of
from recollect.testing.contract.fixtures import contents, put, remove
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.contract.statistics import check_counts
from recollect.types import Job, Link, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING

if why := missing("psycopg"):
    pytest.skip(why, allow_module_level=True)

import psycopg
from tests.stores.recording import recorded
from tests.stores.servers import database

from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.schema import TENANT_TABLES

PATIENCE_S = 60
"""How long a test waits for another thread before it gives up."""

READ = """
SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables
WHERE relname IN ('memories', 'staged') AND schemaname = current_schema()
"""
"""How many rows this connection has read of them."""


class StoppedError(Exception):
    """What is raised in the middle of something."""


ODD = Scope(user_id='o\'hara\n"%s"; DROP TABLE memories; --')

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


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(postgres_url)
    yield store
    store.close()


@pytest.fixture
def by_hand(postgres_url: str) -> Iterator[psycopg.Connection]:
    """A connection of the application's own role that sees every user."""
    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("SET recollect.everyone = 'on'")
        yield db


@pytest.fixture
def superuser(postgres_server: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_server, autocommit=True) as db:
        yield db


def fill_all(store: Any) -> None:
    fill(store)
    ids = put(store, *(make_entry(f"word {n}", scope=ODD, thread="t") for n in range(5)))
    store.link(ODD, [Link(source_id=ids[4], target_id=ids[0], type="derived-from")])
    store.change_state(ADA, "a", lambda _: "learned")
    store.add(ADA, [], jobs=[Job(task="extract", scope=ODD)])


def make(records: list[MemoryRecord]) -> list[Features]:
    return [make_features(record.content) for record in records]


def facts(store: Any) -> list[object]:
    """What indexes are for, with the words of all tests."""
    counted = store.statistics(ADA, [])
    found = [
        store.search_text(ADA, stems, limit=10).tolist()
        for stems in (["tea"], ["milk", "sugar"], ["gone"], ["unheard"])
    ]
    return [shadow_of(store), counted.documents, counted.vector_sum.tolist(), found]


# Check


def test_a_sound_database_has_no_problems(store) -> None:
    empty = store.check()
    fill_all(store)
    found = store.check()
    assert isinstance(store, Maintenance)
    assert (found.problems, found.memories, found.deleted) == ((), 10, 1)
    assert found.bytes > empty.bytes > 0


DAMAGE = {
    "without features": "DELETE FROM features WHERE key = (SELECT max(key) FROM features)",
    "missing from the text index": "DELETE FROM postings WHERE key = (SELECT max(key) FROM features)",
    "that no memory holds": "INSERT INTO postings SELECT tenant, 7, key, 1, 1 FROM memories LIMIT 1",
    "memories or words are miscounted": "UPDATE tenants SET live = live + 1 WHERE live = 1",
    "terms or vectors are miscounted": "UPDATE frequencies SET documents = documents + 1 WHERE documents = 1",
    "of another size": "INSERT INTO settings VALUES ('dimensions', '9')",
}
MISCOUNTED = {
    "words": "UPDATE tenants SET words = 0",
    "vectors": "UPDATE tenants SET vector_sum = ''",
    "a term too many": "INSERT INTO frequencies SELECT tenant, 7, 1 FROM tenants",
    "a term too few": "DELETE FROM frequencies WHERE ctid = (SELECT max(ctid) FROM frequencies)",
    "terms of nobody": "INSERT INTO frequencies VALUES (gen_random_uuid(), 7, 1)",
    "a count in the index": "UPDATE postings SET count = count + 1",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_what_disagrees_is_found_and_mended(what: str, store, by_hand) -> None:
    fill_all(store)
    expected = facts(store)
    by_hand.execute(DAMAGE[what])
    problems = store.check().problems
    assert any(what in problem and "doctor --rebuild" in problem for problem in problems)
    by_hand.execute("DELETE FROM settings")
    assert store.rebuild(make) == 11
    assert store.check().problems == ()
    assert facts(store) == expected


@pytest.mark.parametrize("what", MISCOUNTED)
def test_whatever_is_miscounted_is_found(what: str, store, by_hand) -> None:
    fill_all(store)
    by_hand.execute(MISCOUNTED[what])
    assert any("doctor --rebuild" in problem for problem in store.check().problems)


def test_memories_of_nobody_are_found(store, by_hand) -> None:
    fill_all(store)
    by_hand.execute("DELETE FROM tenants WHERE user_id = 'bob'")
    assert any("not listed" in problem for problem in store.check().problems)


@pytest.mark.parametrize("table", TENANT_TABLES)
@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE {} DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE {} NO FORCE ROW LEVEL SECURITY",
        "CREATE POLICY everyone ON {} USING (true)",
    ],
    ids=["switched off", "not forced", "another policy"],
)
def test_a_table_that_is_not_guarded_is_a_problem(table: str, change: str, store, by_hand) -> None:
    by_hand.execute(change.format(table))
    [problem] = store.check().problems
    assert f"does not guard the table {table}:" in problem


def test_a_dropped_policy_is_a_problem(store, by_hand) -> None:
    by_hand.execute("DROP POLICY own_tenant ON memories")
    assert any("guard the table memories" in problem for problem in store.check().problems)


def test_a_role_above_row_level_security_is_a_problem(postgres_server: str, postgres_url: str) -> None:
    schema = postgres_url.rpartition("%3D")[2]
    with closing(PostgresStore(f"{postgres_server}&options=-csearch_path%3D{schema}")) as store:
        put(store, make_entry())
        [problem] = store.check().problems
        assert "role postgres" in problem
        assert "superuser" in problem


def test_a_role_that_may_bypass_it_is_a_problem(store, superuser) -> None:
    superuser.execute("ALTER ROLE recollect_app BYPASSRLS")
    try:
        [problem] = store.check().problems
    finally:
        superuser.execute("ALTER ROLE recollect_app NOBYPASSRLS")
    assert "role recollect_app" in problem


def test_an_invalid_index_is_a_problem(store, superuser, postgres_url: str) -> None:
    schema = postgres_url.rpartition("%3D")[2]
    superuser.execute(
        f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{schema}.memories_by_thread'::regclass"
    )
    [problem] = store.check().problems
    assert "memories_by_thread is invalid" in problem
    assert "REINDEX" in problem


def test_a_format_changed_meanwhile_is_a_problem(store, by_hand) -> None:
    by_hand.execute("INSERT INTO recollect_migrations (version) VALUES (999)")
    assert any("newer Recollect" in problem for problem in store.check().problems)
    by_hand.execute("DELETE FROM recollect_migrations WHERE version > 1")
    assert any("recollect migrate" in problem for problem in store.check().problems)


def test_a_missing_table_is_a_problem_and_not_the_end(store, by_hand) -> None:
    by_hand.execute("DROP TABLE frequencies")
    problems = " ".join(store.check().problems)
    assert "frequencies" in problems


def test_a_check_changes_nothing(store, by_hand) -> None:
    fill_all(store)
    before = by_hand.execute("SELECT * FROM tenants ORDER BY tenant").fetchall()
    store.check()
    assert by_hand.execute("SELECT * FROM tenants ORDER BY tenant").fetchall() == before


# Rebuild


def test_a_rebuild_makes_everything_anew_and_tells_every_shadow(store) -> None:
    fill_all(store)
    receivers = [Receiver(scope) for scope in (ADA, BOB)]
    for receiver in receivers:
        receiver.refresh(store)
    expected = facts(store)
    store.rebuild(lambda records: [make_features(f"{record.content} extra") for record in records])
    assert store.check().problems == ()
    assert len(store.search_text(ADA, ["extra"], limit=10)) == 4
    for receiver in receivers:
        assert receiver.refresh(store).reset is True
        assert receiver.refresh(store).reset is False
    store.rebuild(make)
    assert facts(store) == expected
    assert len(store.history(ADA, all_of(store)[0].record.id)) == 1


def test_the_deleted_are_indexed_for_nobody(store) -> None:
    [kept, gone] = put(store, make_entry("tea"), make_entry("tea milk"))
    remove(store, gone)
    store.rebuild(make)
    check_counts(store, make_entry("tea"))
    assert store.search_text(ADA, ["milk"], limit=5).tolist() == []
    assert store.purge(ADA) == 1
    assert store.check().problems == ()
    assert store.get(ADA, [kept]) != [None]


def test_thousands_are_rebuilt_in_batches(store) -> None:
    put(store, *(make_entry(f"word {n}") for n in range(2_100)))
    sizes: list[int] = []

    def watched(records: list[MemoryRecord]) -> list[Features]:
        sizes.append(len(records))
        return make(records)

    assert store.rebuild(watched) == 2_100
    assert sizes == [1_000, 1_000, 100]
    assert store.check().problems == ()


def test_a_rebuild_that_fails_leaves_the_rest_as_it_was(store) -> None:
    put(store, make_entry("tea"))
    put(store, make_entry("milk", scope=BOB))

    def failing(records: list[MemoryRecord]) -> list[Features]:
        if records[0].scope.user_id == "bob":
            raise StoppedError
        return [make_features("changed") for _ in records]

    with pytest.raises(StoppedError):
        store.rebuild(failing)
    assert len(store.search_text(ADA, ["changed"], limit=5)) == 1
    assert len(store.search_text(BOB, ["milk"], limit=5)) == 1
    assert store.check().problems == ()


def test_a_batch_of_new_vectors_reads_none_of_those_before(postgres_url: str, monkeypatch) -> None:
    url = f"{postgres_url}%20-cenable_sort%3Doff"
    with closing(PostgresStore(url)) as store:
        put(store, *(make_entry(f"word {n}") for n in range(1_000)))
        store.compact()
        done = store.unstaged("new", limit=900)
        store.stage_vectors("new", [(key, words, b"abc") for key, words in done])
        with monkeypatch.context() as patch:
            statements = recorded(patch)
            batch = store.unstaged("new", limit=20, after=done[-1][0])
            store.stage_vectors("new", [(key, words, b"abc") for key, words in batch])
        assert [content for _, content in batch] == [f"word {n}" for n in range(900, 920)]
        with database(url) as asked, asked.write_everyone() as db:
            before = db.execute(READ).fetchone()[0]
            for sql, values in statements:
                if "memories" in sql or "staged" in sql:
                    db.execute(sql, values)
            assert 20 <= db.execute(READ).fetchone()[0] - before <= 200


def test_new_vectors_do_not_wait_for_a_writer_nor_go_by_old_words(store, postgres_url: str) -> None:
    put(store, make_entry("tea"), make_entry("milk"))
    missing = store.unstaged("new", limit=9)
    with psycopg.connect(postgres_url) as writing:
        writing.execute("SET LOCAL recollect.everyone = 'on'")
        writing.execute("UPDATE memories SET content = 'coffee' WHERE content = 'tea'")
        store.stage_vectors("new", [(key, words, b"abc") for key, words in missing])
    assert [words for _, words in store.unstaged("new", limit=9)] == ["coffee"]


def test_vectors_of_two_sizes_staged_at_one_moment_are_made_again(store, by_hand) -> None:
    put(store, make_entry("tea"), make_entry("milk"))
    store.stage_vectors("new", [(key, words, b"abc") for key, words in store.unstaged("new", limit=9)])
    by_hand.execute("UPDATE staged SET vector = 'ab' WHERE key = (SELECT max(key) FROM staged)")
    assert not store.promote_vectors("new", dim=3)
    [(key, content)] = store.unstaged("new", limit=9)
    assert content == "milk"
    store.stage_vectors("new", [(key, content, b"abc")])
    assert store.promote_vectors("new", dim=3)


def test_vectors_by_another_embedder_are_refused(store) -> None:
    put(store, make_entry("tea"))
    store.put_setting("dimensions", "8")
    with pytest.raises(EmbedderMismatchError):
        store.rebuild(lambda records: [make_features(record.content, dim=3) for record in records])
    assert store.check().problems == ()


def test_others_write_and_read_while_one_user_is_rebuilt(postgres_url: str, store) -> None:
    other = PostgresStore(postgres_url, busy_timeout_s=2)
    put(store, make_entry("tea"))
    inside, leave = Event(), Event()

    def waiting(records: list[MemoryRecord]) -> list[Features]:
        inside.set()
        assert leave.wait(PATIENCE_S)
        return make(records)

    with ThreadPoolExecutor(1) as pool:
        rebuilt = pool.submit(store.rebuild, waiting)
        assert inside.wait(PATIENCE_S)
        put(other, make_entry("milk", scope=BOB))
        assert len(other.search_text(ADA, ["tea"], limit=5)) == 1
        with pytest.raises(StoreBusyError):
            put(other, make_entry("she waits"))
        leave.set()
        assert rebuilt.result(PATIENCE_S) == 1
    put(other, make_entry("now"))
    other.close()
    assert store.check().problems == ()


# Backup


def test_a_backup_is_a_file_that_can_be_opened(postgres_url: str, tmp_path: Path) -> None:
    with Memory(postgres_url, embedder="hashing") as memory:
        memory.add(["Ada likes green tea", "Bob's train leaves at nine"], user_id="ada", session_id="s")
        expected = memory.search("what tea?", user_id="ada")
        memory.maintenance.backup(tmp_path / "saved.db")
    with Memory(tmp_path / "saved.db", embedder="hashing") as memory:
        assert memory.search("what tea?", user_id="ada") == expected
        assert memory.maintenance.doctor().problems == ()
    assert restore(tmp_path / "saved.db", tmp_path / "back.db").memories == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["back.db", "saved.db"]


def test_a_backup_goes_back_into_a_database(store, tmp_path: Path, new_postgres) -> None:
    fill_all(store)
    store.backup(tmp_path / "saved.db")
    url = new_postgres()
    done = copy_store(tmp_path / "saved.db", url)
    with closing(PostgresStore(url)) as again:
        assert shadow_of(again) == shadow_of(store)
        assert again.check().problems == ()
    assert (done.memories, done.jobs) == (10, 1)


def test_a_backup_is_of_one_moment_whatever_others_write(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_all(store)
    monkeypatch.setattr(moving, "PAGE", 2)
    expected = [copied.record for copied in all_of(store)]
    taken = SQLiteStore.restore

    def interfering(self, scope, copies):
        store.update(ADA, [record.id for record in expected], praised)
        put(store, make_entry("late", scope=scope))
        return taken(self, scope, copies)

    monkeypatch.setattr(SQLiteStore, "restore", interfering)
    store.backup(tmp_path / "saved.db")
    with closing(SQLiteStore(tmp_path / "saved.db")) as saved:
        assert [copied.record for copied in all_of(saved)] == expected


def test_a_backup_replaces_no_file_and_leaves_none_behind(store, tmp_path: Path, monkeypatch) -> None:
    fill_all(store)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidInputError, match="exists"):
        store.backup(tmp_path / "mine.txt")
    with pytest.raises(StoreError, match="folder"):
        store.backup(tmp_path / "none" / "saved.db")

    def full(self, scope, copies):
        raise StoreError("no space")

    monkeypatch.setattr(SQLiteStore, "restore", full)
    with pytest.raises(StoreError, match="no space"):
        store.backup(tmp_path / "saved.db")
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


# Copy


@pytest.fixture
def source() -> Iterator[InMemoryStore]:
    store = InMemoryStore()
    fill_all(store)
    yield store
    store.close()


def digests(*pairs: tuple[Any, Any]) -> list[str]:
    return [copy_store(*pair).digest for pair in pairs]


def test_everything_goes_from_file_to_server_to_server_to_file(
    source, new_postgres: Callable[[], str], tmp_path: Path
) -> None:
    first, second = new_postgres(), new_postgres()
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    assert len(set(digests((source, one), (one, first), (first, second), (second, two)))) == 1
    for place in (one, first, second, two):
        with closing(PostgresStore(place) if isinstance(place, str) else SQLiteStore(place)) as store:
            assert store.known_users() == source.known_users()
            for user in source.known_users():
                scope = Scope(user_id=user)
                assert store.find(scope, EVERYTHING) == source.find(scope, EVERYTHING)
                for record in source.find(scope, EVERYTHING):
                    assert store.history(scope, record.id) == source.history(scope, record.id)
                    assert store.links(scope, record.id) == source.links(scope, record.id)
                assert store.states(scope) == source.states(scope)
            assert shadow_of(store) == shadow_of(source)
            assert [(job.task, job.scope) for job in store.jobs()] == [("extract", ODD)]
            assert store.check().problems == ()


def test_a_copy_cut_off_from_its_server_goes_on(
    source, postgres_url: str, superuser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "PAGE", 2)
    interrupted = 0

    def cut(done: int, total: int) -> None:
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'recollect_app'"
        )
        if done >= 2 * (interrupted + 1):
            raise KeyboardInterrupt

    with closing(PostgresStore(postgres_url)) as store:
        while interrupted < 5:
            with pytest.raises(KeyboardInterrupt):
                copy_store(source, store, progress=cut)
            interrupted += 1
        done = copy_store(source, store)
        assert done.copied < done.memories == 10
        assert shadow_of(store) == shadow_of(source)
        assert store.check().problems == ()


def test_two_copies_at_once_store_nothing_twice(source, postgres_url: str, monkeypatch) -> None:
    monkeypatch.setattr(moving, "PAGE", 1)
    PostgresStore(postgres_url).close()
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(copy_store, source, postgres_url) for _ in range(2)]
        done = [run.exception(PATIENCE_S) for run in runs]
    assert all(error is None or isinstance(error, StoreError) for error in done)
    assert copy_store(source, postgres_url).copied == 0


def test_a_copied_memory_answers_like_its_source(postgres_url: str, tmp_path: Path) -> None:
    with Memory(tmp_path / "one.db", embedder="hashing") as memory:
        memory.add(
            [{"content": text, "name": "Grace"} for text in ("green tea", "the train leaves at nine")],
            user_id="ada",
            session_id="s",
        )
        expected = memory.search("what does Grace say of the train?", user_id="ada")
    copy_store(tmp_path / "one.db", postgres_url)
    with Memory(postgres_url, embedder="hashing") as memory:
        assert memory.search("what does Grace say of the train?", user_id="ada") == expected
        assert memory.maintenance.doctor().problems == ()
    with closing(PostgresStore(postgres_url)) as store:
        assert len(store.search_text(ADA, ["grace"], limit=5)) == 2
    reembed(postgres_url, embedder="static")
    with pytest.raises(EmbedderMismatchError):
        copy_store(tmp_path / "one.db", postgres_url)


def test_a_database_of_the_first_format_is_copied(store, postgres_url: str, by_hand, tmp_path: Path) -> None:
    put(store, make_entry("tea"), make_entry("milk"))
    store.close()
    by_hand.execute(FIRST_FORMAT)
    copy_store(postgres_url, tmp_path / "copy.db")
    with closing(SQLiteStore(tmp_path / "copy.db")) as copied:
        assert contents(copied) == ["milk", "tea"]


def test_a_database_copied_into_itself_stays_as_it_is(store, postgres_url: str) -> None:
    fill_all(store)
    before = shadow_of(store), store.shadow_version(ADA), len(store.jobs())
    assert copy_store(postgres_url, f"{postgres_url}&application_name=other").copied == 0
    assert (shadow_of(store), store.shadow_version(ADA), len(store.jobs())) == before


# Migrate


def test_a_database_is_migrated_and_told_so(store, postgres_url: str, by_hand) -> None:
    put(store, make_entry("tea"))
    store.close()
    by_hand.execute(FIRST_FORMAT)
    looked = migrate(postgres_url, check=True)
    assert (looked.before, looked.needed, looked.after) == (1, True, 1)
    assert by_hand.execute("SELECT max(version) FROM recollect_migrations").fetchone() == (1,)
    done = migrate(postgres_url)
    assert (done.before, done.after) == (1, done.newest)
    assert not migrate(postgres_url).needed
    with closing(PostgresStore(postgres_url)) as again:
        check_counts(again, make_entry("tea"))


def test_an_empty_database_is_only_looked_at(postgres_url: str, by_hand) -> None:
    assert migrate(postgres_url, check=True).before == 0
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    assert by_hand.execute(tables).fetchone() == (0,)
    assert migrate(postgres_url).after > 0


def test_a_newer_format_is_refused(store, postgres_url: str, by_hand) -> None:
    store.close()
    by_hand.execute("INSERT INTO recollect_migrations (version) VALUES (999)")
    for step in (migrate, lambda url: migrate(url, check=True), lambda url: copy_store(url, "new.db")):
        with pytest.raises(StoreFormatError, match="newer Recollect"):
            step(postgres_url)


@pytest.mark.parametrize("check", [False, True])
def test_a_role_that_may_make_no_tables_can_look_but_not_migrate(
    postgres_url: str, superuser, check: bool
) -> None:
    schema = postgres_url.rpartition("%3D")[2]
    superuser.execute(f"ALTER SCHEMA {schema} OWNER TO postgres")
    superuser.execute(f"GRANT USAGE ON SCHEMA {schema} TO recollect_app")
    if check:
        assert migrate(postgres_url, check=True).needed
        return
    with pytest.raises(StoreReadOnlyError, match="right to use and create"):
        migrate(postgres_url)
    with pytest.raises(StoreReadOnlyError, match="right to use and create"):
        copy_store(InMemoryStore(), postgres_url)


# From the shell


class Done:
    """How a command ended."""

    def __init__(self, *words: object) -> None:
        done = CliRunner().invoke(app, [str(word) for word in words])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        self.code, self.out, self.err = done.exit_code, done.stdout, done.stderr

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("RECOLLECT_DB", "RECOLLECT_EMBEDDER", "RECOLLECT_USER_ID"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_command_copies_to_a_server_and_back(postgres_url: str) -> None:
    for text in ("we met in Oslo", "green tea"):
        assert Done("add", text, "--db", "brain.db", "--embedder", "hashing").code == 0
    there = Done("copy", "brain.db", postgres_url, "--json")
    assert (there.code, there.json["memories"], there.json["copied"]) == (0, 2, 2)
    back = Done("copy", postgres_url, "sqlite:///back.db")
    assert back.code == 0
    assert back.out.count(there.json["digest"][:12]) == 2
    assert "2 memories of 1 user" in back.out
    again = Done("copy", "brain.db", postgres_url)
    assert "2 memories were there already" in again.out
    found = Done("search", "where did we meet", "--db", postgres_url, "--json").json
    assert found == Done("search", "where did we meet", "--db", "back.db", "--json").json
    assert found[0]["memory"]["content"] == "we met in Oslo"


def test_the_doctor_looks_after_a_server(postgres_url: str, by_hand) -> None:
    Done("add", "we met in Oslo", "--db", postgres_url, "--embedder", "hashing")
    assert Done("doctor", "--db", postgres_url, "--json").json["ok"] is True
    by_hand.execute("DELETE FROM postings")
    sick = Done("doctor", "--db", postgres_url)
    assert (sick.code, "missing from the text index" in sick.out) == (1, True)
    assert Done("doctor", "--rebuild", "--db", postgres_url, "--json").json["rebuilt"] == 1
    assert Done("doctor", "--rebuild", "--language", "de", "--db", postgres_url).code == 0
    assert Done("search", "Oslo", "--db", postgres_url).code == 0


def test_the_command_backs_up_a_server(postgres_url: str) -> None:
    Done("add", "we met in Oslo", "--db", postgres_url, "--embedder", "hashing")
    assert Done("backup", "saved.db", "--db", postgres_url, "--json").json["bytes"] > 0
    assert "Oslo" in Done("list", "--db", "saved.db").out


def test_the_command_migrates_a_server(store, postgres_url: str, by_hand) -> None:
    store.close()
    assert Done("migrate", postgres_url).out.startswith("nothing to do")
    by_hand.execute(FIRST_FORMAT)
    looked = Done("migrate", postgres_url, "--check")
    assert (looked.code, "from format 1 to" in looked.out) == (1, True)
    assert Done("migrate", postgres_url, "--check", "--json").json["needed"] is True
    assert Done("migrate", postgres_url).out.startswith("brought from format 1")
    assert Done("migrate", postgres_url, "--check").code == 0


def test_the_command_makes_the_index_over_vectors(store, postgres_url: str, superuser) -> None:
    superuser.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    put(store, make_entry("tea"))
    refused = Done("migrate", postgres_url, "--vector-index")
    assert (refused.code, "search_path" in refused.err) == (1, True)
    made = Done("migrate", f"{postgres_url},public", "--vector-index", "--json")
    assert (made.code, made.json["indexed"]) == (0, 1)


def test_a_file_has_no_index_over_vectors_to_make() -> None:
    Done("init", "--db", "brain.db")
    refused = Done("migrate", "brain.db", "--vector-index")
    assert (refused.code, "PostgreSQL" in refused.err) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        ("copy", "postgresql://ada:hunter2@localhost:1/db", "new.db"),
        ("copy", "postgresql://ada:hunter2@localhost/db?unheard=of", "new.db"),
        ("migrate", "postgresql://ada:hunter2@localhost:1/db"),
        ("migrate", "postgresql://ada:hunter2@localhost:1/db", "--check"),
        ("migrate", "postgresql://ada:hunter2@[::1/db"),
        ("migrate", "carrier-pigeon://brain"),
    ],
    ids=" ".join,
)
def test_a_url_that_leads_nowhere_is_one_line_without_the_password(words) -> None:
    done = Done(*words)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("Error: ")
    assert "hunter2" not in done.err
    assert not Path("new.db").exists()


def test_a_server_is_not_copied_into_itself(postgres_url: str) -> None:
    PostgresStore(postgres_url).close()
    done = Done("copy", postgres_url, postgres_url)
    assert (done.code, "same store" in done.err) == (1, True)


def _is_refused(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return True
    return False


def test_a_wrong_password_is_one_line(postgres_server: str, superuser) -> None:
    superuser.execute("CREATE ROLE kept_out LOGIN PASSWORD 'right'")
    ((rules,),) = superuser.execute("SHOW hba_file").fetchall()
    before = Path(rules).read_text()
    Path(rules).write_text(f"local all kept_out scram-sha-256\nhost all kept_out all scram-sha-256\n{before}")
    superuser.execute("SELECT pg_reload_conf()")
    end = monotonic() + PATIENCE_S
    while not _is_refused(postgres_server.replace("//postgres@", "//kept_out@")):
        assert monotonic() < end, "the rules are not read"
        sleep(0.02)
    wrong = postgres_server.replace("//postgres@", "//kept_out:hunter2@")
    for words in (("migrate", wrong), ("copy", wrong, "new.db"), ("doctor", "--db", wrong)):
        done = Done(*words)
        assert (done.code, "hunter2" in done.out + done.err) == (1, False)
        assert "password authentication failed" in done.out + done.err
    assert not Path("new.db").exists()

"""Store files that are damaged, foreign, locked, not ours to write, or on a full disk."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest

from recollect import Memory
from recollect.embedders import open_embedder
from recollect.errors import (
    InvalidInputError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
)
from recollect.memory.maintenance import reindex
from recollect.stores.sqlite import SQLiteStore
from recollect.stores.sqlite.pages import _number
from recollect.stores.sqlite.schema import APPLICATION_ID, MIGRATIONS, migrate
from recollect.text.analyse import hash_term
from recollect.types import Scope
from recollect.types.filters import parse_filter

TALK = [f"Ada saw heron number {count} by the river" for count in range(60)]
PAGE = 4_096
ADA = Scope(user_id="ada")


def opened(file: Path, *, busy_timeout_s: float = 30) -> Memory:
    return Memory(SQLiteStore(file, busy_timeout_s=busy_timeout_s), embedder="hashing")


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    file = tmp_path / "brain.db"
    with opened(file) as memory:
        memory.add(TALK, user_id="ada", session_id="walk")
        memory.delete(memory.get_all(user_id="ada")[-1].id, user_id="ada")
    return file


def contents(memory: Memory, user_id: str = "ada") -> list[str]:
    return [record.content for record in memory.get_all(user_id=user_id)]


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start Python code in a process of its own, talking over its pipes."""
    return subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def told(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def finish(process: subprocess.Popen[str]) -> str:
    """Close its input, and everything it says until it ends."""
    said, _ = process.communicate()
    assert process.returncode == 0
    return said


# What is no store


@pytest.mark.parametrize(
    "size", [2, 15, 16, 23, 24, 60, 99, 100, 512, 1_000, PAGE - 1, PAGE, PAGE + 1, 0.5, -PAGE]
)
def test_a_truncated_file_is_named_and_left_as_it_is(brain: Path, size: float) -> None:
    data = brain.read_bytes()
    cut = len(data) // 2 if size == 0.5 else len(data) + int(size) if size < 0 else int(size)
    brain.write_bytes(data[:cut])
    with pytest.raises((StoreCorruptError, StoreFormatError), match=r"brain\.db"):
        opened(brain)
    assert brain.read_bytes() == data[:cut]


@pytest.mark.parametrize(
    "garbage", [b"dear diary", bytes(range(256)) * 64, b"\0" * 10_000, b"SQLite format 3\0"]
)
def test_a_file_of_something_else_is_named_and_left_as_it_is(tmp_path: Path, garbage: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(garbage)
    with pytest.raises((StoreFormatError, StoreCorruptError), match=r"notes\.txt"):
        opened(file)
    assert file.read_bytes() == garbage


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "brain.db").touch()
    with opened(tmp_path / "brain.db") as memory:
        memory.add(TALK, user_id="ada")
        assert memory.maintenance.doctor().problems == ()


@pytest.mark.parametrize("pragma", ["", "PRAGMA user_version = 1", "PRAGMA application_id = 7"])
def test_another_programs_database_is_named_and_left_as_it_is(tmp_path: Path, pragma: str) -> None:
    file = tmp_path / "cats.db"
    db = sqlite3.connect(file)
    db.executescript(f"CREATE TABLE cats (name); INSERT INTO cats VALUES ('Miso'); {pragma}")
    db.close()
    before = file.read_bytes()
    with pytest.raises(StoreFormatError, match="another program"):
        opened(file)
    assert file.read_bytes() == before


def test_a_file_of_a_newer_version_says_how_to_upgrade(brain: Path) -> None:
    db = sqlite3.connect(brain)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreFormatError, match=r"newer Recollect .*; upgrade this one"):
        opened(brain)
    assert sqlite3.connect(brain).execute("SELECT count(*) FROM memories").fetchone() == (60,)


def as_first_version(file: Path) -> None:
    """Take from a file what later formats added to the first."""
    db = apsw.Connection(str(file))
    for table in ("corpora", "frequencies", "states"):
        db.execute(f"DROP TABLE {table}")
    db.execute("DROP INDEX jobs_by_user")
    for column in (
        "dates",
        "parameters",
        "factors",
        "usage_count",
        "reinforced_count",
        "reinforcements",
        "packed",
        "checksum",
    ):
        db.execute(f"ALTER TABLE memories DROP COLUMN {column}")
    for table in ("changes", "jobs", "settings"):
        db.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
    db.pragma("user_version", 1)
    db.close()


def test_a_file_of_the_first_format_is_brought_up_to_date(brain: Path) -> None:
    ada, terms = Scope(user_id="ada"), [hash_term(word) for word in ("heron", "7", "unheard")]
    with closing(SQLiteStore(brain)) as store:
        before = store.statistics(ada, terms)
    as_first_version(brain)
    with closing(SQLiteStore(brain)) as store:
        after = store.statistics(ada, terms)
    assert after.frequencies == before.frequencies == {terms[0]: 59, terms[1]: 1}
    assert after.documents == before.documents == 59
    assert after.vector_sum.tolist() == before.vector_sum.tolist()
    with opened(brain) as memory:
        assert contents(memory) == TALK[:-1]
        assert memory.maintenance.doctor().problems == ()


def test_miscounted_memories_are_found_and_counted_anew(brain: Path) -> None:
    db = sqlite3.connect(brain)
    db.executescript("UPDATE corpora SET documents = 7; DELETE FROM frequencies")
    db.close()
    with opened(brain) as memory:
        assert memory.maintenance.doctor().problems == (
            "1 users whose memories are miscounted; run 'recollect doctor --rebuild'",
        )
        assert memory.maintenance.doctor(rebuild=True).problems == ()
    with closing(SQLiteStore(brain)) as store:
        found = store.statistics(Scope(user_id="ada"), [hash_term("heron")])
    assert (found.documents, list(found.frequencies.values())) == (59, [59])


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreFormatError, match="is a folder; name a file"):
        opened(tmp_path)


def test_a_missing_folder_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no folder .*none; make it"):
        opened(tmp_path / "none" / "brain.db")
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_lost_its_write_ahead_mode_gets_it_back(brain: Path) -> None:
    db = sqlite3.connect(brain)
    assert db.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    db.close()
    with opened(brain) as memory:
        assert len(contents(memory)) == 59
    db = sqlite3.connect(brain)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


# What may not be written

AS_NOBODY = """
import os, sys
from recollect import Memory
from recollect.errors import RecollectError

def use(store):
    with Memory(store, embedder="hashing") as memory:
        print(len(memory.get_all(user_id="ada")), len(memory.search("heron", user_id="ada", top_k=3)))
        print(memory.maintenance.doctor().problems if store != ":memory:" else "")
        memory.add("one more", user_id="ada")

use(":memory:")  # what it needs is loaded while it may be
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    use(sys.argv[1])
except RecollectError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def shared(brain: Path) -> Iterator[Path]:
    """A store in a folder that everyone can reach, since root may write whatever its mode."""
    if os.name != "posix":
        pytest.skip("permissions are tested where POSIX permissions are")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "brain.db"
        shutil.copy(brain, file)
        yield file
        file.parent.chmod(0o777)


def refusal(file: Path) -> list[str]:
    """What somebody who is not root is told when using a store."""
    return finish(run(AS_NOBODY, file)).splitlines()[2:]


def test_a_file_that_may_only_be_read_is_searched_and_says_why_it_takes_nothing(shared: Path) -> None:
    shared.parent.chmod(0o777)
    shared.chmod(0o444)
    found, problems, refused = refusal(shared)
    assert found == "59 3"
    assert "permissions" in problems
    assert refused.startswith("StoreReadOnlyError")
    assert "permissions" in refused


@pytest.mark.parametrize("name", ["brain.db", "new.db"])
def test_a_folder_that_may_only_be_read_is_named(shared: Path, name: str) -> None:
    shared.parent.chmod(0o555)
    (refused,) = refusal(shared.with_name(name))
    assert refused.startswith("StoreReadOnlyError")
    assert "permissions" in refused
    with opened(shared) as memory:
        assert len(contents(memory)) == 59


@pytest.mark.parametrize("closed", ["file", "folder"])
def test_a_file_that_may_not_even_be_read_is_named(shared: Path, closed: str) -> None:
    shared.parent.chmod(0o000 if closed == "folder" else 0o777)
    shared.chmod(0o000)
    (refused,) = refusal(shared)
    assert refused.startswith("StoreReadOnlyError")
    assert str(shared) in refused


# What others hold

HOLD = """
import sys, apsw
db = apsw.Connection(sys.argv[1])
db.execute(sys.argv[2]).fetchall()
print("held", flush=True)
sys.stdin.readline()
db.execute("ROLLBACK")
"""


@contextmanager
def held(file: Path, lock: str) -> Iterator[Callable[[], object]]:
    """Another process holds a lock until the function is called, or the block ends."""
    with run(HOLD, file, lock) as process:
        assert told(process) == "held"
        yield lambda: finish(process)


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_locked_file_is_read_meanwhile_and_written_when_it_is_free(brain: Path, lock: str) -> None:
    with held(brain, lock) as release, opened(brain, busy_timeout_s=0.05) as memory:
        assert len(memory.search("heron", user_id="ada", top_k=5)) == 5
        for write in (
            lambda: memory.add("while locked", user_id="ada"),
            lambda: memory.delete_all(user_id="ada"),
            lambda: memory.purge(user_id="ada"),
        ):
            with pytest.raises(StoreBusyError, match="try again"):
                write()
        assert len(contents(memory)) == 59
        release()
        assert memory.add("when free", user_id="ada")[0].status == "stored"
        assert contents(memory)[-1] == "when free"


def test_a_writer_waits_for_another_and_then_writes(brain: Path) -> None:
    lock = held(brain, "BEGIN IMMEDIATE")
    with lock as release, opened(brain) as memory, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(memory.add, "patient", user_id="ada")
        release()
        assert waiting.result()[0].status == "stored"


def test_a_file_held_alone_by_another_program_is_busy(brain: Path) -> None:
    alone = "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE"
    with held(brain, alone), pytest.raises(StoreBusyError, match="held"):
        opened(brain, busy_timeout_s=0.05)
    with opened(brain) as memory:
        assert len(contents(memory)) == 59


def test_two_stores_on_one_file_see_each_others_writes_at_once(brain: Path) -> None:
    with opened(brain) as one, opened(brain) as two:
        for turn in range(20):
            writer, reader = (one, two) if turn % 2 else (two, one)
            (result,) = writer.add(f"egret {turn}", user_id="ada", session_id="walk")
            assert reader.get(result.id, user_id="ada").origin.turn == 60 + turn
            assert reader.search(f"egret {turn}", user_id="ada", top_k=1)[0].memory.id == result.id


OPEN_AT_ONCE = """
import sys
from recollect import Memory
print("ready", flush=True)
sys.stdin.readline()
with Memory(sys.argv[1], embedder="hashing") as memory:
    print(memory.add(sys.argv[2], user_id="ada")[0].status)
"""


def test_a_new_file_may_be_opened_first_by_many_processes_at_once(tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    processes = [run(OPEN_AT_ONCE, file, f"from {number}") for number in range(6)]
    assert [told(process) for process in processes] == ["ready"] * 6
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [finish(process).strip() for process in processes] == ["stored"] * 6
    with opened(file) as memory:
        assert sorted(contents(memory)) == [f"from {number}" for number in range(6)]
        assert memory.maintenance.doctor().problems == ()


@pytest.mark.parametrize("prepared", [False, True], ids=["new", "in write-ahead mode"])
def test_a_new_file_may_be_opened_first_by_many_threads_at_once(tmp_path: Path, prepared: bool) -> None:
    for attempt in range(10):
        file = tmp_path / f"{attempt}.db"
        if prepared:
            db = apsw.Connection(str(file))
            db.pragma("journal_mode", "wal")
            db.close()
        with ThreadPoolExecutor(8) as pool:
            stores = list(pool.map(lambda _, file=file: SQLiteStore(file), range(8)))
        for store in stores:
            store.close()
        db = apsw.Connection(str(file))
        assert (db.pragma("application_id"), db.pragma("journal_mode")) == (APPLICATION_ID, "wal")
        db.close()


# Disks that are full


def fill_until_full(memory: Memory) -> list[str]:
    """Add until the disk is full; the ids of what was acknowledged."""
    acknowledged: list[str] = []
    with pytest.raises(StoreFullError, match="nothing was lost"):  # noqa: PT012 - any of them may fail
        for count in range(10_000):
            (result,) = memory.add(f"egret {count} " + "by the sea " * 40, user_id="ada")
            acknowledged.append(str(result.id))
    return acknowledged


def test_a_full_disk_loses_nothing_and_adding_works_again_when_there_is_space(brain: Path) -> None:
    store = SQLiteStore(brain)
    with Memory(store, embedder="hashing") as memory:
        writer = store._db._writer
        writer.pragma("max_page_count", brain.stat().st_size // PAGE + 40)
        acknowledged = fill_until_full(memory)
        assert acknowledged
        assert [record.id for record in memory.get_all(user_id="ada")][59:] == acknowledged
        assert memory.search("egret by the sea", user_id="ada", top_k=1)[0].memory.id in acknowledged
        assert memory.maintenance.doctor().problems == ()
        writer.pragma("max_page_count", 1_000_000)
        assert memory.add("space again", user_id="ada")[0].status == "stored"
    with opened(brain) as memory:
        assert len(contents(memory)) == 59 + len(acknowledged) + 1
        assert memory.maintenance.doctor().problems == ()


WITH_QUOTA = """
import resource, signal, sys
from pathlib import Path
from recollect import Memory
from recollect.errors import StoreFullError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = Path(sys.argv[1]).stat().st_size + 200_000
with Memory(sys.argv[1], embedder="hashing") as memory:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    stored = 0
    try:
        while stored < 10_000:
            memory.add(f"egret {stored} " + "by the sea " * 40, user_id="ada")
            stored += 1
    except StoreFullError:
        assert len(memory.get_all(user_id="ada")) == 59 + stored
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert memory.add("space again", user_id="ada")[0].status == "stored"
    assert memory.maintenance.doctor().problems == ()
print(stored)
"""


def test_a_quota_is_a_full_disk_too(brain: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("file size limits are POSIX")
    stored = int(finish(run(WITH_QUOTA, brain)))
    assert 0 < stored < 10_000
    with opened(brain) as memory:
        assert len(contents(memory)) == 59 + stored + 1


FORKING = """
import os, sys
from recollect import Memory
from recollect.errors import StoreError
first = Memory(sys.argv[1], embedder="hashing")
if (child := os.fork()) == 0:
    refused = []
    for use in (lambda: first.add("lost", user_id="ada"), lambda: Memory(sys.argv[1], embedder="hashing")):
        try:
            use()
        except StoreError as error:
            refused.append("fork" in str(error))
    first.close()
    os._exit(0 if refused == [True, True] else 1)
assert os.waitpid(child, 0)[1] == 0
first.add("kept", user_id="ada", session_id="walk")
first.close()
if (child := os.fork()) == 0:
    with Memory(sys.argv[1], embedder="hashing") as memory:
        memory.add("kept, too", user_id="ada", session_id="walk")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def test_a_file_that_was_open_at_a_fork_is_refused_in_the_child_and_nothing_is_lost(brain: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("forks are POSIX")
    finish(run(FORKING, brain))
    with opened(brain) as memory:
        assert contents(memory)[-2:] == ["kept", "kept, too"]
        assert memory.maintenance.doctor().problems == ()


# Damage inside


def pages_of(file: Path, *names: str) -> list[int]:
    """The numbers of the pages that hold these tables and indexes."""
    db = apsw.Connection(str(file))
    try:
        return [page for name, page in db.execute("SELECT name, pageno FROM dbstat") if name in names]
    finally:
        db.close()


def flip(file: Path, page: int, *, seed: int = 0) -> None:
    """Turn over random bytes of a page, its header among them."""
    data = bytearray(file.read_bytes())
    start = (page - 1) * PAGE
    for offset in [0, 3, *random.Random(seed).sample(range(PAGE), 400)]:  # noqa: S311
        data[start + offset] ^= 0xFF
    file.write_bytes(data)


INDEXES = ["memories_by_user", "memories_by_id", "memories_by_thread", "changes_by_user", "changes_by_key"]
DERIVED = ["features", "words_data", "words_idx", "words_docsize", "words_config", "staged"]


@pytest.mark.parametrize("name", [*INDEXES, *DERIVED])
def test_doctor_reports_a_damaged_index_and_rebuilding_mends_it(brain: Path, name: str) -> None:
    flip(brain, pages_of(brain, name)[-1])
    with opened(brain) as memory:
        assert memory.maintenance.doctor().problems
        health = memory.maintenance.doctor(rebuild=True)
        assert (health.problems, health.memories, health.deleted) == ((), 59, 1)
        assert contents(memory) == TALK[:-1]
        assert memory.search("heron number 7", user_id="ada", top_k=1)[0].memory.content == TALK[7]
        (result,) = memory.add("egret", user_id="ada", session_id="walk")
        assert memory.get(result.id, user_id="ada").origin.turn == 60
    with opened(brain) as memory:
        assert memory.maintenance.doctor().problems == ()


@pytest.mark.parametrize("name", ["memories", "users", "changes", "sqlite_schema"])
def test_a_rebuild_saves_what_can_be_read_and_names_what_cannot(brain: Path, name: str) -> None:
    with opened(brain) as memory:
        before = {one.id: one.content for one in memory.get_all(user_id="ada")}
    flip(brain, pages_of(brain, name)[-1])
    damaged = brain.read_bytes()
    with suppress(StoreError), opened(brain) as memory:
        assert memory.maintenance.doctor().problems
    reindex(brain, embedder=open_embedder("hashing"), language="en")
    with opened(brain) as memory:
        after = {one.id: one.content for one in memory.get_all(user_id="ada")}
        health = memory.maintenance.doctor()
        *lost, kept = health.lost or [""]
        (result,) = memory.add("egret", user_id="ada")
        assert memory.search("egret", user_id="ada", top_k=1)[0].memory.id == result.id
    assert health.problems == ()
    assert 40 < len(after) <= len(before)
    assert after.items() <= before.items()
    assert all(any(memory_id in line for line in lost) for memory_id in before.keys() - after.keys())
    if lost:
        assert brain.with_name("brain.db.damaged").read_bytes() == damaged
        assert "brain.db.damaged" in kept


def test_what_was_lost_is_named_until_the_damaged_file_is_deleted(brain: Path) -> None:
    db = apsw.Connection(str(brain))
    db.execute("UPDATE memories SET content = 'Ada saw an egret' WHERE key = 8")
    db.close()
    with opened(brain) as memory:
        (problem,) = memory.maintenance.doctor().problems
        assert problem.startswith("the memory of row 8 is damaged; run")
        lost = memory.maintenance.doctor(rebuild=True).lost
        assert lost[0].endswith("of user 'ada'")
        assert len(memory.get_all(user_id="ada")) == 58
        brain.with_name("brain.db.damaged").unlink()
        assert memory.maintenance.doctor().lost == ()


def test_a_file_of_which_nothing_can_be_read_stays_as_it_is(brain: Path) -> None:
    damaged = bytes(len(brain.read_bytes()))
    brain.write_bytes(damaged)
    with pytest.raises(StoreError):
        reindex(brain, embedder=open_embedder("hashing"), language="en")
    assert brain.read_bytes() == damaged
    assert [file.name for file in brain.parent.iterdir()] == ["brain.db"]


def test_a_process_that_has_a_rebuilt_file_open_is_told_at_its_next_write(brain: Path) -> None:
    with opened(brain) as other, opened(brain) as memory:
        db = apsw.Connection(str(brain))
        db.execute("UPDATE memories SET content = 'Ada saw an egret' WHERE key = 8")
        db.close()
        memory.maintenance.doctor(rebuild=True)
        memory.add("heron", user_id="ada")
        with pytest.raises(StoreError, match="open it again"):
            other.add("egret", user_id="ada")


def test_a_text_index_without_its_entries_is_reported_and_mended(brain: Path) -> None:
    db = apsw.Connection(str(brain))
    db.execute("INSERT INTO words (words) VALUES ('delete-all')")
    db.close()
    with opened(brain) as memory:
        assert any(
            "missing from the text index" in problem for problem in memory.maintenance.doctor().problems
        )
        assert memory.maintenance.doctor(rebuild=True).problems == ()
        assert memory.parts.store.search_text(memory.parts.scope("ada"), ["heron"], limit=99).size == 59


def test_a_memory_without_features_is_reported_and_mended(brain: Path) -> None:
    db = apsw.Connection(str(brain))
    db.execute("DELETE FROM features WHERE key = 8")
    db.close()
    with opened(brain) as memory:
        assert any("without features" in problem for problem in memory.maintenance.doctor().problems)
        assert memory.maintenance.doctor(rebuild=True).problems == ()
        assert memory.search("heron number 7", user_id="ada", top_k=1)[0].memory.content == TALK[7]


def test_random_damage_never_ends_in_an_error_of_the_driver(brain: Path) -> None:
    sound = brain.read_bytes()
    for seed in range(40):
        flip(brain, random.Random(seed).randint(1, len(sound) // PAGE), seed=seed)  # noqa: S311
        with suppress(StoreError), opened(brain) as memory:
            memory.maintenance.doctor()
            for use in (memory.get_all, partial(memory.search, "heron"), partial(memory.add, "egret")):
                with suppress(StoreError):
                    use(user_id="ada")
        for suffix in ("-wal", "-shm"):
            brain.with_name(brain.name + suffix).unlink(missing_ok=True)
        brain.write_bytes(sound)


def test_a_new_file_is_for_its_owner_alone_and_a_pipe_is_refused(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        memory.add("egret", user_id="ada")
        assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreFormatError, match="is no file"):
        Memory(tmp_path / "pipe", embedder="hashing")


@pytest.mark.parametrize("change", ["deleted", "replaced"])
def test_nothing_is_stored_in_a_file_that_was_deleted_or_replaced(brain: Path, change: str) -> None:
    with opened(brain) as memory:
        for file in brain.parent.glob("brain.db*"):
            file.rename(file.with_name(f"moved-{file.name}"))
        if change == "replaced":
            opened(brain).close()
        with pytest.raises(StoreError, match="was deleted or replaced"):
            memory.add("egret", user_id="ada")
        assert "egret" not in contents(memory)


DAMAGE = [
    ("content", "CAST(x'e9e9' AS TEXT)"),
    ("tags", "'[{'"),
    ("metadata", "'{\"a\": '"),
    ("created_at", "9000000000000000000"),
    ("tags", """'[{"colour": "red"}]'"""),
]


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_record_is_one_error_and_the_doctor_names_it(brain: Path, column: str, value: str) -> None:
    db = apsw.Connection(str(brain))
    db.execute(f"UPDATE memories SET {column} = {value} WHERE key = 8")
    db.close()
    with opened(brain) as memory:
        problem = memory.maintenance.doctor().problems[0]
        assert "restore" in problem
        for use in (memory.get_all, partial(memory.search, "heron number 7")):
            with pytest.raises(StoreCorruptError, match="restore"):
                use(user_id="ada")


@pytest.mark.parametrize("also", ["", ", tags = '[{'"], ids=["alone", "with other damage"])
@pytest.mark.parametrize("key", [8, 60], ids=["in the middle", "the last"])
def test_the_doctor_names_a_record_of_no_user(brain: Path, key: int, also: str) -> None:
    db = apsw.Connection(str(brain))
    db.execute(f"UPDATE memories SET user = 4711{also} WHERE key = {key}")
    db.close()
    with opened(brain) as memory:
        problems = memory.maintenance.doctor().problems
    assert [one for one in problems if f"row {key} belongs to no user" in one]


SILENT = [
    ("UPDATE changes SET after = replace(after, 'egret', 'raven')", "change 62 of the history"),
    ("UPDATE changes SET action = 'add' WHERE version = 62", "change 62 of the history"),
    ("UPDATE jobs SET session_id = 'sea'", "job 1"),
    ("UPDATE states SET value = 'Ravens'", "row 1 of the states"),
]
LINKS = ["UPDATE links SET target = 4711", "UPDATE links SET type = 'relatee'"]


@pytest.mark.parametrize("damage", LINKS)
def test_a_link_that_no_call_can_have_made_is_found_and_left_out(brain: Path, damage: str) -> None:
    with opened(brain) as memory:
        one, two, *_ = memory.get_all(user_id="ada")
        memory.graph.link(one.id, two.id, type="related", user_id="ada")
        assert memory.maintenance.doctor().problems == ()
    db = apsw.Connection(str(brain))
    db.execute(damage)
    db.close()
    with opened(brain) as memory:
        assert memory.maintenance.doctor().problems[0].startswith("1 links are damaged")
        assert memory.maintenance.doctor(rebuild=True).problems == ()
        assert memory.graph.links(one.id, user_id="ada") == []


@pytest.mark.parametrize(("damage", "named"), SILENT)
def test_words_beside_the_memories_that_are_not_as_they_were_written_are_found(
    brain: Path, damage: str, named: str
) -> None:
    with opened(brain) as memory:
        (one, *_) = memory.get_all(user_id="ada")
        memory.update(one.id, user_id="ada", content="An egret")
        memory.parts.store.change_state(Scope(user_id="ada"), "about", lambda _: "Herons")
        assert memory.maintenance.doctor().problems == ()
    db = apsw.Connection(str(brain))
    db.execute(damage)
    db.close()
    with opened(brain) as memory:
        problems = memory.maintenance.doctor().problems
        health = memory.maintenance.doctor(rebuild=True)
        assert len(memory.get_all(user_id="ada")) == 59
    assert f"{named} is damaged" in problems[0]
    assert health.problems == ()
    assert health.lost[0].split()[0] in ("change", "job", "the")


SETTINGS = {
    "analyser": "UPDATE settings SET value = replace(value, 'e', 'd') WHERE name = 'analyser'",
    "embedder": "UPDATE settings SET value = value || 'x' WHERE name = 'embedder'",
    "dimensions": "UPDATE settings SET value = '2x6' WHERE name = 'dimensions'",
    "promoted_at_version": "UPDATE settings SET value = 'x' WHERE name = 'promoted_at_version'",
    "purging": "UPDATE settings SET value = 'lug' WHERE name = 'purging'",
    "lost": "UPDATE settings SET value = '{' WHERE name = 'lost'",
    "a name": "UPDATE settings SET name = 'analyzer' WHERE name = 'analyser'",
    "no text": "UPDATE settings SET value = CAST(x'e9e9' AS TEXT) WHERE name = 'analyser'",
}


def makers(memory: Memory) -> dict[str, str | None]:
    """What a store knows of who made its features."""
    return {name: memory.parts.store.setting(name) for name in ("analyser", "embedder", "dimensions")}


@pytest.mark.parametrize("damage", SETTINGS.values(), ids=SETTINGS)
def test_a_damaged_setting_is_called_damage_and_a_rebuild_sets_it_again(brain: Path, damage: str) -> None:
    with opened(brain) as memory:
        for name in ("promoted_at_version", "purging", "lost"):
            memory.parts.store.put_setting(name, "[null]" if name == "lost" else "0")
        before = (contents(memory), makers(memory))
    db = apsw.Connection(str(brain))
    db.execute(damage)
    db.close()
    with suppress(StoreCorruptError), opened(brain) as memory:  # those that are read at once
        problems = memory.maintenance.doctor().problems
        assert "damaged" in " ".join(problems)
        assert "doctor --rebuild" in problems[0]
    reindex(brain, embedder=open_embedder("hashing"), language="en")
    with opened(brain) as memory:
        assert memory.maintenance.doctor().problems == ()
        assert (contents(memory), makers(memory)) == before
    with pytest.raises(InvalidInputError, match="language"):
        Memory(brain, embedder="hashing", language="de")


def test_a_new_file_is_what_all_migrations_make_of_an_empty_one() -> None:
    at_once, stepwise = apsw.Connection(":memory:"), apsw.Connection(":memory:")
    migrate(at_once)
    for migration in MIGRATIONS:
        stepwise.execute(migration) if isinstance(migration, str) else migration(stepwise)
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    made = at_once.execute(schema).fetchall()
    assert made == stepwise.execute(schema).fetchall()
    tables = [name for kind, name, *_ in made if kind == "table"]
    for rows in (f"SELECT * FROM {name}" for name in tables):
        assert at_once.execute(rows).fetchall() == stepwise.execute(rows).fetchall()
    assert at_once.pragma("user_version") == len(MIGRATIONS)
    assert at_once.pragma("application_id") == APPLICATION_ID


def test_a_damaged_file_of_an_earlier_format_keeps_its_jobs_states_and_history(brain: Path) -> None:
    with opened(brain) as memory:
        (one, *_, last) = memory.get_all(user_id="ada")
        memory.update(one.id, user_id="ada", content="An egret")
        memory.update(last.id, user_id="ada", content="A stork", reason="seen")
        memory.parts.store.change_state(ADA, "about", lambda _: "Herons")
        waiting = memory.stats(user_id="ada").waiting
    db = apsw.Connection(str(brain))
    db.execute("DROP INDEX changes_with_words")
    for table in ("changes", "jobs", "states", "settings"):
        db.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
    db.execute("UPDATE changes SET reason = CAST(x'ff' AS TEXT) WHERE reason = 'seen'")
    db.pragma("user_version", len(MIGRATIONS) - 3)
    db.close()
    with pytest.raises(StoreCorruptError, match="doctor --rebuild"):
        opened(brain)
    reindex(brain, embedder=open_embedder("hashing"), language="en")
    with opened(brain) as memory:
        assert memory.maintenance.doctor().problems == ()
        assert memory.stats(user_id="ada").waiting == waiting > 0
        assert memory.parts.store.state(ADA, "about") == "Herons"
        changed = [change for change in memory.history(one.id, user_id="ada") if change.before is not None]
        assert [change.action for change in changed].count("update") == 1


# Backups, logs


def test_a_backup_made_while_others_write_is_sound_and_of_one_moment(brain: Path, tmp_path: Path) -> None:
    with opened(brain) as memory, ThreadPoolExecutor(2) as pool:

        def write(number: int) -> None:
            memory.add([f"pair {number}", f"pair {number}"], user_id="bob")

        writing = [pool.submit(write, number) for number in range(60)]
        for number in range(3):
            memory.maintenance.backup(tmp_path / f"{number}.backup")
        for done in writing:
            done.result()
        memory.maintenance.backup(tmp_path / "last.backup")
    sizes = []
    for name in ("0", "1", "2", "last"):
        with opened(tmp_path / f"{name}.backup") as saved:
            assert saved.maintenance.doctor().problems == ()
            assert contents(saved) == TALK[:-1]
            pairs = contents(saved, "bob")
            assert set(Counter(pairs).values()) <= {2}
            sizes.append(len(pairs))
    assert sizes == sorted(sizes)
    assert sizes[-1] == 120


@pytest.mark.parametrize("target", ["none/a.backup", "brain.db"])
def test_a_backup_that_cannot_be_made_is_named_and_leaves_nothing(brain: Path, target: str) -> None:
    with opened(brain) as memory:
        with pytest.raises((StoreError, InvalidInputError), match=target):
            memory.maintenance.backup(brain.parent / target)
        assert len(contents(memory)) == 59
    assert [file.name for file in brain.parent.iterdir()] == ["brain.db"]


def test_a_closed_store_is_one_file(brain: Path) -> None:
    assert [file.name for file in brain.parent.iterdir()] == ["brain.db"]


def test_a_log_left_behind_by_a_clean_close_may_be_deleted(brain: Path) -> None:
    log = brain.with_name("brain.db-wal")
    log.touch()
    log.unlink()
    with opened(brain) as memory:
        assert len(contents(memory)) == 59


def test_a_check_after_every_write_finds_no_damage_where_there_is_none(tmp_path):
    """Segments of the text index are merged now and then, by another connection than the checking one."""
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        for number in range(40):
            (added,) = memory.add(f"word{number} and word{number + 1}", user_id="ada")
            if number % 3 == 0:
                memory.update(added.id, user_id="ada", content=f"other{number}")
            assert memory.maintenance.doctor().problems == ()


FILTERED = {
    "search": lambda memory, many: memory.search("heron", user_id="ada", filters=many),
    "get_all": lambda memory, many: memory.get_all(user_id="ada", filters=many),
    "delete_all": lambda memory, many: memory.delete_all(user_id="ada", filters=many),
    "purge": lambda memory, many: memory.parts.store.purge(ADA, parse_filter(many)),
    "count": lambda memory, many: memory.parts.store.count(ADA, parse_filter(many)),
    "deleted": lambda memory, many: memory.parts.store.deleted(ADA, parse_filter(many)),
}


@pytest.mark.parametrize("verb", FILTERED)
def test_a_filter_that_takes_too_long_ends_and_changes_nothing(
    brain: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    many = {"or": [{f"key{count}": {"contains": "x"}} for count in range(1_000)]}
    with opened(brain) as memory:
        before = contents(memory), memory.deleted(user_id="ada")
        with monkeypatch.context() as patch:
            patch.setattr("recollect.stores.sqlite.where.FILTER_S", -1)
            with pytest.raises(StoreBusyError, match="fewer conditions"):
                FILTERED[verb](memory, many)
        assert (contents(memory), memory.deleted(user_id="ada")) == before
        FILTERED[verb](memory, many)
        memory.add("Ada saw no heron", user_id="ada")
        assert len(contents(memory)) == len(before[0]) + 1


def renumber(file: Path, key: int, other: int) -> None:
    """Write another key, below 128 like the first, over that of a memory, in its page."""
    data = bytearray(file.read_bytes())
    for page in pages_of(file, "memories"):
        start = (page - 1) * PAGE
        for pointer in range(start + 8, start + 8 + 2 * data[start + 4] if data[start] == 13 else 0, 2):
            cell = start + int.from_bytes(data[pointer : pointer + 2], "big")
            _, at = _number(bytes(data[cell : cell + 9]), 0)
            if data[cell + at] == key:
                data[cell + at] = other
                file.write_bytes(data)
                return
    raise AssertionError(key)


def test_a_check_of_memories_that_are_out_of_order_comes_to_an_end(brain: Path) -> None:
    renumber(brain, 59, 100)
    with opened(brain) as memory:
        assert memory.maintenance.doctor().problems
        health = memory.maintenance.doctor(rebuild=True)
        assert health.problems == ()
        assert len(health.lost) == 2
        assert contents(memory) == TALK[:-2]


def test_closing_a_store_whose_disk_fails_is_an_error_of_ours(
    brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SQLiteStore(brain)

    def fail() -> None:
        raise apsw.IOError("no power")

    monkeypatch.setattr(store._db, "_close_all", fail)
    with pytest.raises(StoreError, match="no power"):
        store.close()

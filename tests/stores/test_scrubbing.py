"""What SQLite leaves of moved rows in the free space of pages is wiped, and nothing else."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from recollect.errors import StoreError
from recollect.stores.sqlite import scrubbing
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.scrubbing import can_be_scrubbed, scrub

PAGE = 4_096
TABLE = (
    "CREATE TABLE said (key INTEGER PRIMARY KEY, session TEXT, words TEXT); CREATE INDEX s ON said (session)"
)
SEEDS = range(8)


def word(number: int) -> str:
    return f"zq{number:05}qz"


def live(database: SQLiteDatabase, chance: random.Random) -> set[str]:
    """Write, change and delete rows so that pages are split and merged; returns the words that are gone."""
    there: dict[int, str] = {}
    gone: set[str] = set()
    with database.write() as db:
        db.execute(TABLE)
    for number in range(120):
        with database.write() as db:
            for key in chance.sample(range(1, 4_000), 8):
                said = word(10_000 + 10 * number + key % 10)
                verb = chance.random()
                if verb < 0.7:
                    row = (key, f"{said} {chance.random()}", f"{said} " * chance.randint(1, 90))
                    db.execute("INSERT OR REPLACE INTO said VALUES (?, ?, ?)", row)
                    gone.update([there[key]] if key in there else [])
                    there[key] = said
                elif there:
                    one = chance.choice(list(there))
                    db.execute("DELETE FROM said WHERE key = ?", (one,))
                    gone.add(there.pop(one))
    return gone - {*there.values()}


def words_in(file: Path, words: set[str]) -> list[str]:
    data = file.read_bytes()
    return [one for one in words if one.encode() in data]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


@pytest.fixture
def database(file: Path) -> Iterator[SQLiteDatabase]:
    with closing(SQLiteDatabase(file, busy_timeout_s=5)) as database:
        yield database


def noted(db: apsw.Connection) -> None:
    db.execute("INSERT INTO settings (name, value) VALUES ('noted', '')")


def test_copies_of_deleted_rows_are_left_by_sqlite_and_wiped(tmp_path: Path) -> None:
    left = []
    for seed in SEEDS:
        file = tmp_path / f"{seed}.db"
        with closing(SQLiteDatabase(file, busy_timeout_s=5)) as database:
            gone = live(database, random.Random(seed))  # noqa: S311
            with database.read() as db:
                rows = db.execute("SELECT * FROM said ORDER BY key").fetchall()
            database.empty_log(wait_s=1)
            left += words_in(file, gone)
            assert database.rewrite(scrub, noted, wait_s=1)
            assert words_in(file, gone) == []
            assert words_in(file.with_name(f"{seed}.db-wal"), gone) == []
            with database.read() as db:
                assert db.execute("SELECT * FROM said ORDER BY key").fetchall() == rows
                assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert left  # or there is nothing that this test could notice


def test_no_connection_writes_back_what_was_wiped(database: SQLiteDatabase, file: Path) -> None:
    with closing(SQLiteDatabase(file, busy_timeout_s=5)) as other:
        gone = live(database, random.Random(1))  # noqa: S311
        for one in (database, other):
            with one.write() as db:  # its pages are in this connection's cache from here on
                db.execute("UPDATE said SET words = words || '.' WHERE key % 3 = 0")
        assert database.rewrite(scrub, noted, wait_s=1)
        for one in (other, database):
            with one.write() as db:
                db.execute("UPDATE said SET words = words || '.'")
            assert words_in(file.with_name("m.db-wal"), gone) == []
        database.empty_log(wait_s=1)
        assert words_in(file, gone) == []
        with other.read() as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_nothing_is_wiped_while_somebody_needs_the_log(database: SQLiteDatabase, file: Path) -> None:
    live(database, random.Random(2))  # noqa: S311
    wiped: list[apsw.VFSFile] = []
    with database.read() as db:
        db.execute("SELECT count(*) FROM said").fetchall()
        with closing(SQLiteDatabase(file, busy_timeout_s=5)) as other, other.write() as writer:
            writer.execute("UPDATE said SET words = words || '.'")
        assert not database.rewrite(wiped.append, noted, wait_s=0)
    assert wiped == []
    assert database.rewrite(wiped.append, noted, wait_s=1)
    assert len(wiped) == 1


@pytest.mark.parametrize("name", ["m.db", "link.db"])
def test_nothing_is_wiped_when_somebody_wrote_meanwhile(
    database: SQLiteDatabase, file: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(database, random.Random(6))  # noqa: S311
    file.with_name("link.db").symlink_to(file)
    wiped: list[apsw.VFSFile] = []
    with closing(SQLiteDatabase(file.with_name(name), busy_timeout_s=5)) as ours:

        def emptied_too_early(*, wait_s: float) -> bool:
            assert database.empty_log(wait_s=wait_s)
            with database.write() as db:
                db.execute("DELETE FROM said WHERE key % 2")
            return True

        monkeypatch.setattr(ours, "empty_log", emptied_too_early)
        assert not ours.rewrite(wiped.append, noted, wait_s=1)
        assert wiped == []
        monkeypatch.undo()
        assert ours.rewrite(wiped.append, noted, wait_s=1)


def test_what_fails_halfway_leaves_a_sound_file_and_no_note(database: SQLiteDatabase, file: Path) -> None:
    live(database, random.Random(3))  # noqa: S311

    def failing(opened: apsw.VFSFile) -> None:
        scrub(opened)
        raise apsw.FullError("no space")

    with pytest.raises(StoreError):
        database.rewrite(failing, noted, wait_s=1)
    with database.write() as db:
        assert db.execute("SELECT 1 FROM settings WHERE name = 'noted'").fetchall() == []
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_page_whose_header_is_damaged_is_left_alone(database: SQLiteDatabase, file: Path) -> None:
    live(database, random.Random(4))  # noqa: S311
    database.empty_log(wait_s=1)
    data = file.read_bytes()
    pages = [data[start : start + PAGE] for start in range(PAGE, len(data), PAGE)]
    leaves = [page for page in pages if page[0] == 13]
    assert leaves
    for page in leaves:
        damaged = page[:5] + b"\x0f\xf0" + page[7:]  # the cells begin at the page's end
        assert list(scrubbing._stale(damaged, 0)) == []
    assert list(scrubbing._stale(bytes([7]) + leaves[0][1:], 0)) == []


def test_a_file_with_pages_of_pointers_is_written_anew_instead(database: SQLiteDatabase) -> None:
    live(database, random.Random(6))  # noqa: S311
    with database.alone() as db:
        db.execute("PRAGMA auto_vacuum = 2; VACUUM")
        assert not can_be_scrubbed(db)


def test_a_file_that_is_mostly_free_is_made_smaller_instead(database: SQLiteDatabase) -> None:
    live(database, random.Random(5))  # noqa: S311
    with database.alone() as db:
        assert can_be_scrubbed(db)
    with database.write() as db:
        db.execute("DELETE FROM said")
    with database.alone() as db:
        assert not can_be_scrubbed(db)

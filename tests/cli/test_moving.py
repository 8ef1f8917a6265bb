"""``recollect copy`` and ``recollect migrate`` on files; tests/stores/ has them on a server."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from recollect.cli import app
from recollect.cli.opening import keyed
from recollect.memory.maintenance import migrate
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import make_entry
from recollect.testing.contract.fixtures import contents, put
from recollect.testing.contract.statistics import check_counts

FIRST_FORMAT = """
DROP TABLE states;
DROP TABLE frequencies;
DROP TABLE corpora;
DROP INDEX jobs_by_user;
ALTER TABLE memories DROP COLUMN dates;
ALTER TABLE memories DROP COLUMN parameters;
ALTER TABLE memories DROP COLUMN factors;
ALTER TABLE memories DROP COLUMN usage_count;
ALTER TABLE memories DROP COLUMN reinforced_count;
ALTER TABLE memories DROP COLUMN reinforcements;
ALTER TABLE memories DROP COLUMN packed;
ALTER TABLE memories DROP COLUMN checksum;
ALTER TABLE changes DROP COLUMN checksum;
ALTER TABLE jobs DROP COLUMN checksum;
ALTER TABLE settings DROP COLUMN checksum;
PRAGMA user_version = 1;
"""


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
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("RECOLLECT_DB", "RECOLLECT_EMBEDDER", "RECOLLECT_USER_ID"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def brain(folder: Path) -> Path:
    """A file with two memories."""
    for text in ("we met in Oslo", "green tea"):
        assert Done("add", text, "--db", "brain.db", "--embedder", "hashing").code == 0
    return folder / "brain.db"


@pytest.fixture
def old(folder: Path) -> Path:
    """A file of the first format."""
    store = SQLiteStore(folder / "old.db")
    put(store, make_entry("tea milk"), make_entry("tea"))
    store.close()
    with sqlite3.connect(folder / "old.db") as db:
        db.executescript(FIRST_FORMAT)
    db.close()
    return folder / "old.db"


# Copy


def test_a_file_is_copied_and_both_digests_are_shown(brain: Path) -> None:
    done = Done("copy", "brain.db", "copy.db")
    assert (done.code, done.err) == (0, "")
    assert "2 memories of 1 user, 0 links, 0 states, 1 job" in done.out
    found = Done("copy", "brain.db", "copy.db", "--json").json
    assert set(found) == {"users", "memories", "copied", "links", "states", "jobs", "digest"}
    assert (found["memories"], found["copied"]) == (2, 0)
    assert done.out.count(found["digest"][:12]) == 2
    assert Done("list", "--db", "copy.db").out == Done("list", "--db", "brain.db").out
    assert Done("doctor", "--db", "copy.db").code == 0


def test_copying_again_says_what_was_there(brain: Path) -> None:
    Done("copy", "brain.db", "sqlite:///copy.db")
    Done("add", "a third", "--db", "brain.db")
    assert "2 memories were there already" in Done("copy", "brain.db", "copy.db").out
    assert "a third" in Done("list", "--db", "copy.db").out


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("none.db", "new.db", "recollect init"),
        ("brain.db", "brain.db", "same store"),
        ("brain.db", "./brain.db", "same store"),
        ("brain.db", "sqlite:///brain.db", "same store"),
        ("brain.db", "none/new.db", "no folder"),
        ("brain.db", ".", "is a folder"),
        ("brain.db", ":memory:", "lost at once"),
        ("brain.db", "carrier-pigeon://brain", "no store has the scheme"),
        ("carrier-pigeon://brain", "new.db", "no store has the scheme"),
        ("mine.txt", "new.db", "not a database"),
        ("brain.db", "mine.txt", "not a database"),
        ("brain.db", "other.db", "nothing was copied"),
        ("newer.db", "new.db", "newer Recollect"),
        ("brain.db", "newer.db", "newer Recollect"),
        (" ", "new.db", "blank"),
    ],
)
def test_what_cannot_be_copied_is_one_line(source: str, target: str, said: str, brain: Path) -> None:
    Path("mine.txt").write_text("mine, and no database at all\n" * 40)
    Done("add", "another store", "--db", "other.db", "--embedder", "hashing")
    SQLiteStore("newer.db").close()
    with sqlite3.connect("newer.db") as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    done = Done("copy", source, target)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("Error: ")
    assert said in done.err
    assert not Path("new.db").exists()
    told = Done("copy", source, target, "--json")
    assert set(json.loads(told.err)) == {"error", "message"}


def test_another_embedder_is_refused_with_what_to_do(brain: Path) -> None:
    Done("init", "--db", "other.db", "--embedder", "static")
    done = Done("copy", "brain.db", "other.db")
    assert (done.code, "recollect reembed" in done.err) == (1, True)
    assert Done("list", "--db", "other.db").out == ""


def test_a_file_of_an_older_format_is_copied(old: Path) -> None:
    assert Done("copy", "old.db", "copy.db").code == 0
    store = SQLiteStore("copy.db")
    assert contents(store) == ["tea", "tea milk"]
    store.close()


@pytest.mark.parametrize(
    "words", [("copy",), ("copy", "brain.db"), ("migrate", "a", "b"), ("copy", "a", "b", "c")]
)
def test_a_line_that_cannot_be_understood_ends_with_2(words: tuple[str, ...]) -> None:
    assert Done(*words).code == 2


# Migrate


def test_a_file_is_migrated_and_told_so(old: Path) -> None:
    before = old.read_bytes()
    looked = Done("migrate", "old.db", "--check")
    assert (looked.code, "from format 1 to" in looked.out) == (1, True)
    assert Done("migrate", "old.db", "--check", "--json").json["before"] == 1
    assert old.read_bytes() == before
    done = Done("migrate", "old.db", "--json").json
    assert (done["before"], done["after"], done["needed"]) == (1, done["newest"], True)
    assert Done("migrate", "old.db").out == f"nothing to do: format {done['newest']} is today's\n"
    assert Done("migrate", "sqlite:///old.db", "--check").code == 0
    store = SQLiteStore("old.db")
    check_counts(store, make_entry("tea milk"), make_entry("tea"))
    store.close()


def test_the_store_may_be_named_by_the_environment(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_DB", "old.db")
    assert Done("migrate").out.startswith("brought from format 1")


@pytest.mark.parametrize("check", [(), ("--check",)])
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("none.db", "recollect init"),
        ("empty.db", "recollect init"),
        ("mine.txt", "not a database"),
        ("foreign.db", "another program"),
        ("newer.db", "newer Recollect"),
        (".", "is a folder"),
        (":memory:", "no format"),
        (" ", "blank"),
        ("carrier-pigeon://brain", "no format"),
    ],
)
def test_what_cannot_be_migrated_is_one_line_and_stays_as_it_is(
    place: str, said: str, check: tuple[str, ...], folder: Path
) -> None:
    Path("empty.db").touch()
    Path("mine.txt").write_text("mine, and no database at all\n" * 40)
    for name in ("foreign.db", "newer.db"):
        if name == "newer.db":
            SQLiteStore(name).close()
        with sqlite3.connect(name) as db:
            db.execute("CREATE TABLE IF NOT EXISTS of_others (a)")
            db.execute("PRAGMA user_version = 999")
        db.close()
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    done = Done("migrate", place, *check)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert said in done.err
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--vector-index",), "only a PostgreSQL store has an index over vectors"),
        (("--distributed",), "only a PostgreSQL store can be spread"),
        (("--check", "--vector-index"), "recollect doctor"),
        (("--check", "--distributed", "--vector-index"), "recollect doctor"),
    ],
)
def test_what_only_a_server_has_is_not_made_in_a_file(
    options: tuple[str, ...], said: str, brain: Path
) -> None:
    before = brain.read_bytes()
    done = Done("migrate", "brain.db", *options)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert said in done.err
    assert brain.read_bytes() == before


def test_a_file_in_use_is_looked_at(old: Path) -> None:
    with closing(sqlite3.connect(old)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert migrate(old, check=True).before == 1


def test_a_copy_goes_to_pinecone_and_back(brain: Path, pinecone_url: str) -> None:
    there = Done("copy", brain, pinecone_url, "--json")
    assert there.code == 0, there.err
    back = Done("copy", pinecone_url, "back.db", "--json")
    assert (back.json["memories"], back.json["digest"]) == (2, there.json["digest"])


def test_the_key_for_pinecone_comes_from_the_environment_and_goes_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, pinecone_url: str
) -> None:
    elsewhere = pinecone_url.replace(":pc-key@", "")
    monkeypatch.delenv("PINECONE_API_KEY", raising=False)
    for place in ("pinecone://brain", elsewhere):
        listed = Done("list", "--db", place)
        assert (listed.code, "PINECONE_API_KEY" in listed.err) == (1, True)
    monkeypatch.setenv("PINECONE_API_KEY", "a/key")
    assert keyed("pinecone://brain?prefix=team") == "pinecone://:a%2Fkey@brain?prefix=team"
    for place in ("pinecone://:own@brain", elsewhere, "brain.db", "qdrant:///brain"):
        assert keyed(place) == place


# Sync


def test_two_stores_are_synced(tmp_path: Path) -> None:
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    Done("add", "Tea at five", "--db", here)
    Done("add", "Coffee at ten", "--db", there)
    done = Done("sync", there, "--db", here)
    assert done.out.splitlines() == [
        "here: 1 added, 0 changed, 0 deleted",
        "there: 1 added, 0 changed, 0 deleted",
        "both have 2 memories of 1 user",
    ]
    again = Done("sync", there, "--db", here, "--json").json
    assert again["one"] == again["other"] == {"added": 0, "changed": 0, "deleted": 0}


@pytest.mark.parametrize("other", ["json:///{}/brain.json", "oxigraph:///{}/brain"])
def test_a_file_is_synced_with_another_kind_of_store(other: str, tmp_path: Path) -> None:
    check_sync(tmp_path / "here.db", other.format(tmp_path))


def test_a_file_is_synced_with_a_database(tmp_path: Path, postgres_url: str) -> None:
    check_sync(tmp_path / "here.db", postgres_url)


def test_two_databases_are_synced(new_postgres: Callable[[], str]) -> None:
    check_sync(new_postgres(), new_postgres())


def check_sync(here: Path | str, there: str) -> None:
    """Sync with a store that is made by that, and again after it was used."""
    kept = Done("add", "Tea at five", "--db", here, "--json").json["id"]
    assert Done("sync", there, "--db", here).code == 0
    Done("add", "Coffee at ten", "--db", there)
    Done("delete", kept, "--db", there)
    assert Done("sync", there, "--db", here).out.startswith("here: 1 added, 0 changed, 1 deleted\n")
    for place in (here, there):
        assert "Coffee" in Done("list", "--db", place).out
        assert "Tea" not in Done("list", "--db", place).out


def test_a_sync_with_what_is_no_store_says_so(tmp_path: Path) -> None:
    Done("add", "Tea at five", "--db", tmp_path / "here.db")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n" * 100)
    for other in ("photo.png", "none/there.db", "here.db"):
        done = Done("sync", tmp_path / other, "--db", tmp_path / "here.db")
        assert (done.code, done.err.count("\n"), done.err.startswith("Error: ")) == (1, 1, True)
    assert Done("sync", tmp_path / "b.db", "--db", tmp_path / "a.db").code == 1
    assert not (tmp_path / "a.db").exists()

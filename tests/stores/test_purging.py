"""What was purged is in no byte of a store's files, also when somebody was reading them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from recollect import Memory
from recollect.stores.sqlite import SQLiteStore

WORD = "zqxwvkjq"
STORES = {
    "sqlite": "{folder}/m.db",
    "json": "json:///{folder}/m.json",
    "oxigraph": "oxigraph:///{folder}/graph",
    "qdrant": "qdrant:///{folder}/points",
}
NEEDED = {"oxigraph": "pyoxigraph", "qdrant": "qdrant_client"}


def opened(kind: str, folder: Path) -> Memory:
    if kind in NEEDED:
        pytest.importorskip(NEEDED[kind])
    return Memory(STORES[kind].format(folder=folder), embedder="hashing")


def files_with_the_word(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and has_the_word(path)]


def has_the_word(path: Path) -> bool:
    try:
        return WORD.encode() in path.read_bytes().lower()
    except FileNotFoundError:  # a store that tidies up in a thread of its own
        return False


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Somebody reads the file: what stood in it when they began must stay for them."""
    with closing(apsw.Connection(str(path))) as db:
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM memories").fetchall()
        yield


def say_and_take_back(memory: Memory) -> None:
    """Say a word in turns that are learned, corrected and deleted."""
    texts = [f"My sister {WORD} lives in Berlin.", f"I like {WORD} tea.", "I like coffee.", f"{WORD}?"]
    ids = [str(one.id) for one in memory.add(texts, user_id="ada", session_id="s")]
    memory.jobs.drain()
    memory.sessions.entitle("s", user_id="ada")
    memory.delete(ids[0], user_id="ada")
    memory.update(ids[1], user_id="ada", content=f"I like {WORD}s.")
    memory.update(ids[1], user_id="ada", content="I like green tea.")
    memory.jobs.drain()
    memory.delete(ids[3], user_id="ada")


@pytest.mark.parametrize("kind", STORES)
def test_words_that_were_deleted_or_replaced_are_in_no_file_after_a_purge(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as memory:
        say_and_take_back(memory)
        assert files_with_the_word(tmp_path)
        memory.purge(user_id="ada")
        assert files_with_the_word(tmp_path) == []
        assert memory.search("green tea", user_id="ada")
    assert files_with_the_word(tmp_path) == []


@pytest.mark.parametrize("kind", STORES)
def test_a_purge_of_a_session_takes_what_was_learned_from_it(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as memory:
        say_and_take_back(memory)
        (other,) = memory.add("I like rain.", user_id="ada")
        memory.delete(str(other.id), user_id="ada")
        memory.purge(user_id="ada", session_id="s")
        assert files_with_the_word(tmp_path) == []
        assert [one.content for one in memory.deleted(user_id="ada")] == ["I like rain."]


def test_a_purge_of_a_session_is_one_purge_of_the_file(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        say_and_take_back(memory)
        store, said = memory.parts.store, []
        assert isinstance(store, SQLiteStore)
        with store._db.alone() as db:
            db.set_profile(lambda sql, _: said.append(sql))
        assert memory.purge(user_id="ada", session_id="s")
        assert memory.purge(user_id="ada", session_id="s") == 0
        assert len([sql for sql in said if "optimize" in sql]) == 1


def test_no_name_or_key_is_left_among_the_samples_of_the_query_planner(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        memory.add("I like rain.", user_id="ada", session_id="s")
        for number in range(20):
            said = {"content": "I like tea.", "idempotency_key": f"{WORD} {number}"}
            memory.add(said, user_id="ada", session_id=f"{WORD} {number}")
        with closing(apsw.Connection(str(tmp_path / "m.db"))) as db:
            db.execute("ANALYZE")
            assert db.execute("SELECT 1 FROM sqlite_stat4 WHERE instr(sample, ?)", (WORD,)).fetchone()
        for number in range(20):
            memory.delete_all(user_id="ada", session_id=f"{WORD} {number}")
        memory.purge(user_id="ada")
        assert files_with_the_word(tmp_path) == []


def test_a_purge_beside_a_reader_says_what_is_left_and_finishes_it_later(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        say_and_take_back(memory)
        with reading(tmp_path / "m.db"):
            memory.purge(user_id="ada")
            assert files_with_the_word(tmp_path)
            assert "still stand in" in str(memory.maintenance.residue())
            assert memory.maintenance.doctor().problems == (memory.maintenance.residue(),)
        assert memory.maintenance.residue() is None
        assert files_with_the_word(tmp_path) == []
        assert memory.maintenance.doctor().problems == ()


def test_a_worker_finishes_a_purge_when_the_reader_has_ended(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        say_and_take_back(memory)
        with reading(tmp_path / "m.db"):
            memory.purge(user_id="ada")
        assert files_with_the_word(tmp_path)
        memory.jobs.drain()
        assert files_with_the_word(tmp_path) == []


def test_whoever_opens_the_file_next_finishes_a_purge_that_was_cut_off(tmp_path: Path) -> None:
    first = Memory(tmp_path / "m.db", embedder="hashing")
    say_and_take_back(first)
    with reading(tmp_path / "m.db"):
        first.purge(user_id="ada")
        first.close()
        assert files_with_the_word(tmp_path)
        with Memory(tmp_path / "m.db", embedder="hashing") as beside:
            assert beside.maintenance.residue()
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        assert files_with_the_word(tmp_path) == []
        assert memory.maintenance.residue() is None

"""Exchanging vectors, rebuilding indexes, restoring backups: interrupted, in use, and on bad files."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.tables import table

from recollect import Memory
from recollect.embedders import open_embedder
from recollect.errors import (
    EmbedderError,
    EmbedderMismatchError,
    InvalidInputError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.memory.maintenance import reembed, reindex, restore, store_file
from recollect.stores.reference.store import InMemoryStore
from recollect.types import Scope

TALK = [f"Ada saw {count} herons by the river" for count in range(50)]


class Telling:
    """An embedder that notes what it embeds, and may fail at a certain call."""

    def __init__(self, *, name: str = "telling", fail_at: int | None = None) -> None:
        self.name = name
        self.texts: list[str] = []
        self._calls = 0
        self._fail_at = fail_at
        self._inner = open_embedder("hashing")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._calls += 1
        if self._calls == self._fail_at:
            raise EmbedderError("the service is down")
        self.texts += texts
        return self._inner.embed_documents(texts)[:, :64] if len(texts) else np.zeros((0, 64), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._inner.embed_query(text)[:64]


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    file = tmp_path / "brain.db"
    with Memory(file, embedder="hashing") as memory:
        memory.add(TALK, user_id="ada")
        memory.add("Bob likes tea", user_id="bob")
    return file


def contents(file: Path, *, embedder: object = "hashing", user_id: str = "ada") -> list[str]:
    with Memory(file, embedder=embedder) as memory:
        return [record.content for record in memory.get_all(user_id=user_id)]


def stop_at(memories: int) -> object:
    def stop(done: int, total: int) -> None:
        if done >= memories:
            raise KeyboardInterrupt

    return stop


# Reembed


def test_reembedding_gives_every_memory_a_vector_of_the_new_embedder(brain: Path) -> None:
    new = Telling()
    done = reembed(brain, embedder=new)
    assert (done.embedder, done.dimensions, done.memories, done.resumed) == ("telling", 64, 51, 0)
    with Memory(brain, embedder=new) as memory:
        assert memory.stats().dimensions == 64
        assert memory.search("herons by the river", user_id="ada", top_k=3)
        assert memory.maintenance.doctor().problems == ()


def test_reembedding_takes_the_name_of_an_embedder(brain: Path) -> None:
    assert reembed(brain, embedder="static").embedder == "recollect-static-v2"
    with Memory(brain) as memory:
        assert memory.search("tea", user_id="bob")[0].memory.content == "Bob likes tea"


def test_progress_starts_at_what_is_done_and_ends_at_all(brain: Path) -> None:
    told: list[tuple[int, int]] = []
    reembed(brain, embedder=Telling(), batch_size=20, on_progress=lambda *step: told.append(step))
    assert told == [(0, 51), (20, 51), (40, 51), (51, 51)]


def test_each_batch_goes_on_after_the_last_one() -> None:
    class Asked(InMemoryStore):
        def unstaged(self, name: str, *, limit: int, after: int = 0) -> list[tuple[int, str]]:
            asked.append(after)
            return super().unstaged(name, limit=limit, after=after)

    asked: list[int] = []
    store = Asked()
    with Memory(store, embedder="hashing") as memory:
        memory.add(TALK, user_id="ada")
        reembed(store, embedder=Telling(), batch_size=20)
        keys = [0, *store.shadow(Scope(user_id="ada"), 0).rows.keys.tolist()]
    assert asked == [keys[0], keys[20], keys[40], keys[50]]


def test_a_reembedding_stopped_halfway_leaves_the_store_as_it_was(brain: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        reembed(brain, embedder=Telling(), batch_size=10, on_progress=stop_at(20))
    with Memory(brain, embedder="hashing") as memory:
        assert memory.stats().embedder == "mock-semantic-model-v1"
        assert memory.search("herons", user_id="ada")
        assert memory.maintenance.doctor().problems == ()


def test_a_reembedding_started_again_makes_only_what_is_missing(brain: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        reembed(brain, embedder=Telling(), batch_size=10, on_progress=stop_at(20))
    again = Telling()
    done = reembed(brain, embedder=again, batch_size=10)
    assert (done.resumed, done.memories) == (20, 51)
    assert len([text for text in again.texts if text in TALK or "tea" in text]) == 31


def test_a_failing_embedder_loses_only_its_batch(brain: Path) -> None:
    with pytest.raises(EmbedderError, match="down"):
        reembed(brain, embedder=Telling(fail_at=4), batch_size=10)
    assert reembed(brain, embedder=Telling(), batch_size=10).resumed == 20


def test_vectors_of_a_third_embedder_are_made_from_the_start(brain: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        reembed(brain, embedder=Telling(), batch_size=10, on_progress=stop_at(20))
    done = reembed(brain, embedder=Telling(name="third"))
    assert (done.embedder, done.resumed, done.memories) == ("third", 0, 51)


def test_memories_added_meanwhile_are_embedded_too(brain: Path) -> None:
    late = ["a late heron", "a later heron"]
    with Memory(brain, embedder="hashing") as memory:

        def add_one(done: int, total: int) -> None:
            if late and done >= 20:
                memory.add(late.pop(), user_id="ada")

        done = reembed(brain, embedder=Telling(), batch_size=10, on_progress=add_one)
        assert done.memories == 53
        with pytest.raises(EmbedderMismatchError, match="telling"):
            memory.add("too late", user_id="ada")
    assert "a late heron" in contents(brain, embedder=Telling())


def test_a_memory_changed_meanwhile_is_embedded_with_its_new_words(brain: Path) -> None:
    with Memory(brain, embedder="hashing") as memory:
        first = memory.get_all(user_id="ada", limit=1)[0]

        def change(done: int, total: int) -> None:
            if done == 20:
                memory.update(first.id, user_id="ada", content="an egret after all")

        new = Telling()
        reembed(brain, embedder=new, batch_size=10, on_progress=change)
    assert new.texts.count("an egret after all") == 1


def test_a_memory_changed_while_its_words_are_embedded_is_embedded_again(brain: Path) -> None:
    class Slow(Telling):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if first.content in texts:
                memory.update(first.id, user_id="ada", content="an egret after all")
            return super().embed_documents(texts)

    with Memory(brain, embedder="hashing") as memory:
        first = memory.get_all(user_id="ada", limit=1)[0]
        new = Slow()
        reembed(brain, embedder=new, batch_size=10)
    assert new.texts.count("an egret after all") == 1


def test_deleted_memories_do_not_stop_a_reembedding(brain: Path) -> None:
    with Memory(brain, embedder="hashing") as memory:
        memory.delete_all(user_id="bob")
    assert reembed(brain, embedder=Telling()).memories == 50


def test_two_reembeddings_to_one_embedder_do_the_work_once(brain: Path) -> None:
    first = Telling()
    finished = []

    def another_finishes(done: int, total: int) -> None:
        if done == 10:
            finished.append(reembed(brain, embedder=Telling()))

    done = reembed(brain, embedder=first, batch_size=10, on_progress=another_finishes)
    assert finished[0].memories == done.memories == 51
    assert len(first.texts) < 51


def test_two_reembeddings_to_different_embedders_end_with_an_error(brain: Path) -> None:
    def another_steps(done: int, total: int) -> None:
        with pytest.raises(KeyboardInterrupt):
            reembed(brain, embedder=Telling(name="other"), batch_size=5, on_progress=stop_at(5))

    with pytest.raises(StoreBusyError, match="another reembed"):
        reembed(brain, embedder=Telling(), batch_size=10, on_progress=another_steps)
    assert len(contents(brain)) == 50


def test_an_empty_store_takes_another_embedder(tmp_path: Path) -> None:
    file = tmp_path / "empty.db"
    Memory(file, embedder="hashing").close()
    assert reembed(file, embedder=Telling()).memories == 0
    with Memory(file, embedder=Telling()) as memory:
        assert memory.add("hello", user_id="ada")[0].status == "stored"


def test_a_store_object_can_be_reembedded_and_stays_open() -> None:
    store = InMemoryStore()
    memory = Memory(store, embedder="hashing")
    memory.add(TALK, user_id="ada")
    assert reembed(store, embedder=Telling()).memories == 50
    assert store.setting("embedder") == "telling"
    memory.close()


def test_a_store_that_cannot_exchange_vectors_says_so() -> None:
    class Plain(InMemoryStore):
        unstaged = None  # type: ignore[assignment]

    with pytest.raises(StoreError, match="export"):
        reembed(Plain(), embedder="hashing")


def test_reembedding_makes_no_store(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="no file"):
        reembed(tmp_path / "none.db", embedder="hashing")
    assert list(tmp_path.iterdir()) == []


def test_reembedding_in_batches_of_nothing_is_refused(brain: Path) -> None:
    with pytest.raises(InvalidInputError, match="batch_size"):
        reembed(brain, embedder="hashing", batch_size=0)


def test_an_embedder_that_changes_its_mind_about_dimensions_is_refused(brain: Path) -> None:
    class Fickle(Telling):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return super().embed_documents(texts)[:, : 64 - len(self.texts) % 7]

    with pytest.raises(EmbedderError, match="dimensions"):
        reembed(brain, embedder=Fickle(), batch_size=10)


# Reindex


def test_a_store_can_be_indexed_for_another_language(brain: Path) -> None:
    assert reindex(brain, embedder=open_embedder("hashing"), language="de") == 51
    with Memory(brain, embedder="hashing", language="de") as memory:
        assert memory.search("herons", user_id="ada")
        assert memory.maintenance.doctor().problems == ()


def test_a_failed_indexing_leaves_the_language_as_it_was(brain: Path) -> None:
    broken = Telling(name="mock-semantic-model-v1", fail_at=1)
    with pytest.raises(EmbedderError):
        reindex(brain, embedder=broken, language="de")
    assert len(contents(brain)) == 50


def test_indexing_with_another_embedder_is_refused(brain: Path) -> None:
    with pytest.raises(EmbedderMismatchError):
        reindex(brain, embedder=Telling(), language="en")


def test_a_store_without_indexes_says_so() -> None:
    with pytest.raises(StoreError, match="rebuild"):
        reindex(InMemoryStore(), embedder=Telling(), language="en")


# Restore


@pytest.fixture
def saved(brain: Path, tmp_path: Path) -> Path:
    file = tmp_path / "saved.backup"
    with Memory(brain, embedder="hashing") as memory:
        memory.maintenance.backup(file)
    return file


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_restored_backup_holds_what_was_backed_up(saved: Path, tmp_path: Path) -> None:
    health = restore(saved, tmp_path / "back.db")
    assert (health.memories, health.problems) == (51, ())
    assert contents(tmp_path / "back.db") == TALK


def test_restoring_leaves_the_backup_untouched_and_nothing_else_behind(saved: Path, tmp_path: Path) -> None:
    before = saved.read_bytes()
    restore(saved, tmp_path / "back.db")
    assert saved.read_bytes() == before
    assert names(tmp_path) == ["back.db", "brain.db", "saved.backup"]


def test_a_store_that_is_there_is_not_replaced_unasked(saved: Path, brain: Path) -> None:
    before = brain.read_bytes()
    with pytest.raises(InvalidInputError, match="exists"):
        restore(saved, brain)
    assert brain.read_bytes() == before


def test_a_store_that_is_there_is_replaced_when_asked(saved: Path, brain: Path) -> None:
    with Memory(brain, embedder="hashing") as memory:
        memory.delete_all(user_id="ada")
    restore(saved, brain, overwrite=True)
    assert contents(brain) == TALK


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_a_replaced_store_keeps_its_permissions(saved: Path, brain: Path) -> None:
    brain.chmod(0o600)
    restore(saved, brain, overwrite=True)
    assert brain.stat().st_mode & 0o777 == 0o600


def test_the_log_of_a_crashed_store_is_not_played_into_the_restored_one(saved: Path, tmp_path: Path) -> None:
    crashed = tmp_path / "crashed.db"
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add("written just before the crash", user_id="ada")
        for suffix in ("", "-wal"):
            shutil.copy(f"{tmp_path / 'brain.db'}{suffix}", f"{crashed}{suffix}")
    restore(saved, crashed, overwrite=True)
    assert contents(crashed) == TALK
    assert names(tmp_path) == ["brain.db", "crashed.db", "saved.backup"]


def test_a_store_that_somebody_has_open_is_not_replaced(saved: Path, brain: Path) -> None:
    with Memory(brain, embedder="hashing") as memory:
        with pytest.raises(StoreBusyError, match="open"):
            restore(saved, brain, overwrite=True)
        memory.add("still here", user_id="ada")
    assert "still here" in contents(brain)


def test_a_damaged_store_can_be_replaced(saved: Path, brain: Path) -> None:
    brain.write_bytes(b"SQLite format 3\0" + b"\xff" * 8_000)
    restore(saved, brain, overwrite=True)
    assert contents(brain) == TALK


def test_a_copied_folder_with_its_log_is_a_backup_too(brain: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied.db"
    with Memory(brain, embedder="hashing") as memory:
        memory.add("only in the log", user_id="ada")
        for suffix in ("", "-wal"):
            shutil.copy(f"{brain}{suffix}", f"{copied}{suffix}")
    restore(copied, tmp_path / "back.db")
    assert contents(tmp_path / "back.db")[-1] == "only in the log"


def foreign(file: Path) -> None:
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE cats (name)")
    db.commit()
    db.close()


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def scribbled(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[20_000:60_000] = b"\xa5" * 40_000
    file.write_bytes(data)


BAD = {
    "a text": (lambda file: file.write_text("dear diary"), StoreFormatError),
    "an empty file": (lambda file: file.write_bytes(b""), StoreFormatError),
    "another program's database": (lambda file: (file.unlink(), foreign(file)), StoreFormatError),
    "a truncated backup": (truncated, StoreCorruptError),
    "a scribbled backup": (scribbled, StoreCorruptError),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_is_no_sound_backup_is_not_restored(bad: str, saved: Path, brain: Path, tmp_path: Path) -> None:
    spoil, error = BAD[bad]
    spoil(saved)
    with pytest.raises(error, match=r"saved\.backup"):
        restore(saved, brain, overwrite=True)
    assert contents(brain) == TALK
    assert names(tmp_path) == ["brain.db", "saved.backup"]


@pytest.mark.parametrize("backup", ["none.backup", "folder", ":memory:"])
def test_a_backup_that_is_not_a_file_is_refused(backup: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    source = backup if backup == ":memory:" else tmp_path / backup
    with pytest.raises(InvalidInputError):
        restore(source, tmp_path / "back.db")
    assert names(tmp_path) == ["folder"]


@pytest.mark.parametrize("target", ["folder", "none/back.db", "postgres://host/db"])
def test_a_target_that_cannot_be_a_file_is_refused(target: str, saved: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidInputError):
        restore(saved, target if "://" in target else tmp_path / target, overwrite=True)


def test_a_backup_is_not_restored_onto_itself(saved: Path) -> None:
    with pytest.raises(InvalidInputError, match="both source and target"):
        restore(saved, saved, overwrite=True)


@pytest.mark.parametrize(
    ("number", "error"),
    [(errno.ENOSPC, StoreFullError), (errno.EACCES, StoreReadOnlyError), (errno.EIO, StoreError)],
)
def test_a_copy_that_cannot_be_written_leaves_nothing_behind(
    number: int, error: type, saved: Path, brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: Path, copy: Path) -> None:
        copy.write_bytes(b"half")
        raise OSError(number, os.strerror(number), str(copy))

    monkeypatch.setattr(shutil, "copyfile", fail)
    with pytest.raises(error):
        restore(saved, brain, overwrite=True)
    assert contents(brain) == TALK
    assert names(saved.parent) == ["brain.db", "saved.backup"]


@table(
    "target, file",
    [
        ("brain.db", "brain.db"),
        ("sqlite:///brain.db", "brain.db"),
        ("SQLite:///Brain.db", "Brain.db"),
        ("sqlite:////data/brain.db", "/data/brain.db"),
        (":memory:", None),
        ("memory://", None),
        ("postgres://host/db", None),
    ],
)
def test_the_file_of_a_store_is_known_from_its_url(target: str, file: str | None) -> None:
    assert store_file(target) == (None if file is None else Path(file))

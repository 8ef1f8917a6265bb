"""Copying a whole store: everything kept, interrupted at every step, into the wrong place."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from recollect import Memory
from recollect.errors import (
    EmbedderMismatchError,
    InvalidInputError,
    StoreError,
    StoreFormatError,
)
from recollect.memory.maintenance import copy_store
from recollect.protocols import Store
from recollect.stores.copy import moving
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import ADA, BOB, make_entry
from recollect.testing.contract.changing import praised, upper
from recollect.testing.contract.copying import all_of, fill, shadow_of
from recollect.testing.contract.fixtures import put, remove
from recollect.types import Job, Link, Scope
from recollect.types.filters import EVERYTHING

EVE = Scope(user_id='eve \'the\n"quiet"')
"""Of whom nothing but a state is known."""
WRITES = ("restore", "link", "change_state", "add", "put_setting")
READS = ("dump", "states", "jobs", "known_users", "setting", "count")


def fill_all(store: Any) -> None:
    """Something of everything that is copied, and of everything that is not."""
    fill(store)
    odd = Scope(user_id='o\'hara\n"%s"')
    put(store, *(make_entry(f"word {n}", scope=odd, thread="t") for n in range(7)))
    ids = [copied.record.id for copied in all_of(store, odd)]
    store.link(odd, [Link(source_id=ids[6], target_id=ids[0], type="derived-from")])
    store.link(odd, [Link(source_id=ids[0], target_id=ids[6], type="related")])
    for scope in (ADA, EVE):
        store.change_state(scope, "a", lambda _: '{"ü": 1}')
        store.change_state(scope, "b'\n", lambda _: "")
    job = Job(task="extract", scope=odd, payload={"ids": ids[:2], "n": 1.0})
    store.add(ADA, [], jobs=[Job(task="extract", scope=ADA), job, job])
    store.add(ADA, [], jobs=[Job(task="given up", scope=ADA)])
    for held in store.claim_jobs(limit=10, lease_s=3600):
        if held.task == "given up":
            store.fail_job(held.id, "no use", retry_in_s=None)


def everything_in(store: Any) -> dict[str, Any]:
    """All that two stores can be compared by."""
    found: dict[str, Any] = {"jobs": sorted(map(moving._job_key, store.jobs()))}
    for user in store.known_users():
        scope = Scope(user_id=user)
        records = store.find(scope, EVERYTHING)
        found[user] = {
            "records": records,
            "shadow": shadow_of(store) if user == "ada" else len(records),
            "history": [store.history(scope, record.id) for record in records],
            "links": [store.links(scope, record.id) for record in records],
            "states": store.states(scope),
            "counted": store.statistics(scope, []).documents,
            "sum": [n for n in store.statistics(scope, []).vector_sum.tolist() if n],
        }
    return found


@pytest.fixture
def source() -> Iterator[InMemoryStore]:
    store = InMemoryStore()
    fill_all(store)
    yield store
    store.close()


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "PAGE", 3)


@pytest.fixture
def target(tmp_path: Path) -> Iterator[SQLiteStore]:
    store = SQLiteStore(tmp_path / "target.db")
    yield store
    store.close()


# All of it


def test_a_copy_holds_everything(source, target) -> None:
    done = copy_store(source, target)
    assert everything_in(target) == everything_in(source)
    assert (done.users, done.memories, done.copied) == (4, 12, 12)
    assert (done.links, done.states, done.jobs) == (4, 4, 3)
    assert len(done.digest) == 64
    assert target.check().problems == ()


def test_a_copy_of_a_copy_in_memory_is_equal_again(source, target) -> None:
    copy_store(source, target)
    with closing(InMemoryStore()) as back:
        assert copy_store(target, back).digest == copy_store(source, InMemoryStore()).digest
        assert everything_in(back) == everything_in(source)


def test_what_was_deleted_stays_behind_with_its_history(source, target) -> None:
    gone = source.deleted(ADA, EVERYTHING)[0]
    copy_store(source, target)
    assert target.history(ADA, gone.id) == []
    assert target.jobs(failed=True) == []
    assert [job.attempts for job in target.jobs()] == [0, 0, 0]


def test_an_empty_store_is_copied(target) -> None:
    done = copy_store(InMemoryStore(), target)
    assert (done.users, done.memories, done.jobs) == (0, 0, 0)


def test_copying_again_copies_nothing_and_gives_the_same_digest(source, target) -> None:
    first = copy_store(source, target)
    again = copy_store(source, target)
    assert (again.copied, again.jobs, again.digest) == (0, 0, first.digest)
    assert everything_in(target) == everything_in(source)


def test_what_came_since_is_added_by_copying_again(source, target) -> None:
    copy_store(source, target)
    [new] = put(source, make_entry("new", thread="talk"))
    old = all_of(source)[0].record.id
    source.link(ADA, [Link(source_id=old, target_id=new, type="related")])
    source.change_state(BOB, "late", lambda _: "learned")
    source.add(BOB, [], jobs=[Job(task="late", scope=BOB)])
    done = copy_store(source, target)
    assert (done.copied, done.jobs) == (1, 1)
    assert everything_in(target) == everything_in(source)


def test_users_whom_only_the_target_knows_are_left_alone(source, target) -> None:
    other = Scope(user_id="zoe")
    put(target, make_entry("hers", scope=other))
    target.change_state(other, "a", lambda _: "hers")
    before = all_of(target, other)
    copy_store(source, target)
    assert all_of(target, other) == before


def test_progress_counts_every_memory_twice_and_never_goes_back(source, target) -> None:
    told: list[tuple[int, int]] = []
    copy_store(source, target, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 24)
    assert told[-1] == (24, 24)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_paths_and_urls_are_opened_and_closed(tmp_path: Path, source) -> None:
    first, second = tmp_path / "one.db", tmp_path / "two.db"
    copy_store(source, first)
    copy_store(f"sqlite:///{first}", str(second))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.db", "two.db"]
    with closing(SQLiteStore(second)) as store:
        assert everything_in(store) == everything_in(source)


def test_a_copied_memory_answers_like_its_source(tmp_path: Path) -> None:
    said = ["Ada likes green tea", "Bob's train leaves at nine", "They met in Oslo"]
    with Memory(tmp_path / "one.db", embedder="hashing") as memory:
        memory.add([{"content": text, "name": "Grace"} for text in said], user_id="ada", session_id="s")
        memory.add("Ich trinke Tee", user_id="bob")
    copy_store(tmp_path / "one.db", tmp_path / "two.db")
    answers = []
    for file in ("one.db", "two.db"):
        with Memory(tmp_path / file, embedder="hashing") as memory:
            assert memory.maintenance.doctor().problems == ()
            found = memory.search("what does Grace say of the train?", user_id="ada")
            answers.append([(hit.memory, hit.score) for hit in found])
        with closing(SQLiteStore(tmp_path / file)) as store:
            answers[-1].append(store.search_text(ADA, ["grace", "train", "tea"], limit=5).tolist())
            answers[-1].append([store.setting(name) for name in ("embedder", "dimensions", "analyser")])
    assert answers[0] == answers[1]
    assert len(answers[0][-2]) == 3


# Interrupted at every step


class BrokenError(Exception):
    """What an interrupted step raises."""


def breaking(store: Store, step: int, names: tuple[str, ...], *, after: bool) -> Callable[[], int]:
    """Have the store fail at its ``step``-th call, before or after it did what it was asked."""
    calls = [0]

    def wrapped(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            calls[0] += 1
            if calls[0] == step and not after:
                raise BrokenError
            found = method(*args, **kwargs)
            if calls[0] == step:
                raise BrokenError
            return found

        return call

    for name in names:
        setattr(store, name, wrapped(getattr(store, name)))
    return lambda: calls[0]


def mended(store: Store, names: tuple[str, ...]) -> None:
    for name in names:
        delattr(store, name)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("side", ["source", "target"])
def test_a_copy_stopped_at_any_step_is_finished_by_the_next(
    side: str, after: bool, source, tmp_path: Path
) -> None:
    names = READS if side == "source" else (*WRITES, *READS)
    expected = everything_in(source)
    step = 0
    while True:
        step += 1
        with closing(SQLiteStore(tmp_path / f"{step}.db")) as target:
            broken = source if side == "source" else target
            calls = breaking(broken, step, names, after=after)
            try:
                copy_store(source, target)
            except BrokenError:
                mended(broken, names)
            else:
                mended(broken, names)
                break
            copy_store(source, target)
            assert everything_in(target) == expected, f"step {step}"
            assert target.check().problems == ()
    assert step == calls() + 1
    assert step > 20


def test_a_copy_stopped_again_and_again_gets_there(source, target) -> None:
    for _ in range(100):
        calls = breaking(target, 2, ("restore",), after=True)
        try:
            copy_store(source, target)
        except BrokenError:
            continue
        finally:
            mended(target, ("restore",))
        break
    assert calls() <= 1
    assert everything_in(target) == everything_in(source)


def test_stopping_by_the_progress_keeps_what_was_copied(source, target) -> None:
    def stop(done: int, total: int) -> None:
        if done > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_store(source, target, progress=stop)
    assert 0 < sum(target.count(Scope(user_id=user)) for user in target.user_ids()) < 12
    assert copy_store(source, target).copied < 12
    assert everything_in(target) == everything_in(source)


def test_a_killed_copy_is_finished_by_the_next(source, tmp_path: Path) -> None:
    copy_store(source, tmp_path / "one.db")
    killed = (
        "import os, signal, sys\n"
        "from recollect.memory.maintenance import copy_store\n"
        "from recollect.stores.copy import moving\n"
        "moving.PAGE = 2\n"
        "def kill(done, total):\n"
        "    if done > 4:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "copy_store(sys.argv[1], sys.argv[2], progress=kill)\n"
    )
    places = [str(tmp_path / name) for name in ("one.db", "two.db")]
    ended = subprocess.run([sys.executable, "-c", killed, *places], check=False)  # noqa: S603 (ours)
    assert ended.returncode == -signal.SIGKILL
    done = copy_store(*places)
    assert 0 < done.copied < done.memories
    with closing(SQLiteStore(places[1])) as store:
        assert everything_in(store) == everything_in(source)
        assert store.check().problems == ()


# Both in use


def on_first(store: Any, name: str, act: Callable[[], object]) -> None:
    """Do something right after the store's first call of a method."""
    method = getattr(store, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        setattr(store, name, method)
        found = method(*args, **kwargs)
        act()
        return found

    setattr(store, name, call)


def test_a_change_of_the_source_meanwhile_is_told(source, target) -> None:
    changed = all_of(source)[0].record.id
    on_first(target, "restore", lambda: source.update(ADA, [changed], praised))
    with pytest.raises(StoreError, match=r"'ada'.*Copy again"):
        copy_store(source, target)
    with pytest.raises(InvalidInputError, match="'ada'"):
        copy_store(source, target)
    target.delete(ADA, EVERYTHING)
    target.purge(ADA)
    copy_store(source, target)
    assert everything_in(target) == everything_in(source)


def test_a_user_who_comes_meanwhile_is_told_and_copied_by_the_next_run(source, target) -> None:
    new = Scope(user_id="new")
    on_first(target, "restore", lambda: put(source, make_entry("hello", scope=new)))
    with pytest.raises(StoreError, match="'new'"):
        copy_store(source, target)
    copy_store(source, target)
    assert everything_in(target) == everything_in(source)


def test_a_link_to_a_memory_that_comes_meanwhile_is_copied_by_the_next_run(source, target) -> None:
    def more() -> None:
        [new] = put(source, make_entry("late", scope=BOB))
        source.link(BOB, [Link(source_id=all_of(source, BOB)[0].record.id, target_id=new, type="related")])

    on_first(target, "add", more)
    with pytest.raises(StoreError, match="'bob'"):
        copy_store(source, target)
    copy_store(source, target)
    assert everything_in(target) == everything_in(source)


def test_a_memory_changed_in_the_target_is_told_and_not_overwritten(source, target) -> None:
    def change() -> None:
        target.update(ADA, [all_of(target)[0].record.id], upper)

    on_first(target, "restore", change)
    with pytest.raises(StoreError, match="'ada'"):
        copy_store(source, target)
    assert len(all_of(target)[0].history) == 2


def test_a_source_embedded_anew_meanwhile_is_refused(source, target) -> None:
    source.put_setting("embedder", "old")
    on_first(target, "restore", lambda: source.put_setting("embedder", "new"))
    with pytest.raises(EmbedderMismatchError):
        copy_store(source, target)


# The wrong place


def refused(source, target, error: type[Exception], match: str) -> None:
    before = everything_in(target)
    with pytest.raises(error, match=match):
        copy_store(source, target)
    assert everything_in(target) == before


def test_other_memories_of_the_same_user_are_refused_before_anything_is_written(source, target) -> None:
    put(target, make_entry("another", scope=BOB))
    refused(source, target, InvalidInputError, "'bob'.*nothing was copied")


def test_a_part_of_the_source_in_another_order_is_refused(source, target) -> None:
    copies = all_of(source)
    target.restore(ADA, copies[1:2])
    refused(source, target, InvalidInputError, copies[1].record.id)


def test_the_same_memory_with_another_history_is_refused(source, target) -> None:
    copies = all_of(source)
    target.restore(ADA, copies)
    target.update(ADA, [copies[0].record.id], praised)
    refused(source, target, InvalidInputError, copies[0].record.id)


def test_a_copy_that_was_deleted_in_the_target_is_not_brought_back(source, target) -> None:
    copy_store(source, target)
    remove(target, all_of(target)[0].record.id)
    refused(source, target, InvalidInputError, "'ada'")


def test_the_last_memory_deleted_in_the_target_is_told_at_the_end(source, target) -> None:
    copy_store(source, target)
    remove(target, all_of(target)[-1].record.id)
    with pytest.raises(StoreError, match="'ada'"):
        copy_store(source, target)
    assert target.count(ADA) == source.count(ADA) - 1


def test_other_things_learned_about_a_user_are_refused(source, target) -> None:
    target.change_state(ADA, "a", lambda _: "otherwise")
    refused(source, target, InvalidInputError, "learned as 'a'")


@pytest.mark.parametrize(("name", "ours", "theirs"), [("embedder", "x", "y"), ("dimensions", "8", "9")])
def test_another_embedder_is_refused_before_anything_is_written(
    name: str, ours: str, theirs: str, source, target
) -> None:
    target.put_setting(name, theirs)
    refused(source, target, EmbedderMismatchError, "nothing was copied")
    source.put_setting(name, ours)
    refused(source, target, EmbedderMismatchError, "nothing was copied")
    target.put_setting(name, ours)
    copy_store(source, target)


def test_words_indexed_for_another_language_are_refused(source, target) -> None:
    source.put_setting("analyser", "snowball-en-1")
    target.put_setting("analyser", "snowball-de-1")
    refused(source, target, InvalidInputError, "snowball-de-1")


@pytest.mark.parametrize("name", ["snowball-en-999", "mine", "a-de-b", "snowball-xx-1"])
def test_words_indexed_by_something_else_are_refused(name: str, source, target) -> None:
    source.put_setting("analyser", name)
    refused(source, target, InvalidInputError, "rebuild|no stemmer")


def test_whole_numbers_are_no_difference(target) -> None:
    source = InMemoryStore()
    entry = make_entry("tea")
    worth = replace(entry.record.worth, importance=1)
    put(source, replace(entry, record=replace(entry.record, worth=worth)))
    assert copy_store(source, target).copied == 1


def test_memories_without_features_are_not_left_out_in_silence(tmp_path: Path, source, target) -> None:
    copy_store(source, target)
    with closing(apsw.Connection(str(tmp_path / "target.db"))) as db:
        db.execute("DELETE FROM features WHERE key = 2")
    with pytest.raises(StoreError, match="doctor --rebuild"):
        copy_store(target, InMemoryStore())


def test_source_and_target_must_differ(tmp_path: Path, source, target) -> None:
    with pytest.raises(InvalidInputError, match="same store"):
        copy_store(source, source)
    for other in (str(target.path), f"sqlite:///{target.path}", tmp_path / "." / "target.db"):
        with pytest.raises(InvalidInputError, match="same store"):
            copy_store(target.path, other)
        with pytest.raises(InvalidInputError, match="same store"):
            copy_store(target, other)
    (tmp_path / "link.db").symlink_to(target.path)
    with pytest.raises(InvalidInputError, match="same store"):
        copy_store(target.path, tmp_path / "link.db")


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("none.db", InvalidInputError),
        ("empty.db", InvalidInputError),
        ("text.db", StoreFormatError),
        (".", InvalidInputError),
        ("carrier-pigeon://brain", InvalidInputError),
        (" ", InvalidInputError),
    ],
)
def test_a_source_that_is_none_makes_no_target(place: str, error, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.db").touch()
    Path("text.db").write_text(json.dumps({"not": "a database"}) * 100)
    with pytest.raises(error):
        copy_store(place, "new.db")
    assert not Path("new.db").exists()
    assert not Path("none.db").exists()
    assert Path("empty.db").stat().st_size == 0


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("none/new.db", StoreError),
        ("text.db", StoreFormatError),
        (":memory:", InvalidInputError),
        ("carrier-pigeon://brain", InvalidInputError),
    ],
)
def test_a_target_that_cannot_be_is_one_error(place: str, error, tmp_path, monkeypatch, source) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.db").write_text(json.dumps({"not": "a database"}) * 100)
    with pytest.raises(error):
        copy_store(source, place)


class PlainStore(InMemoryStore):
    """A store without the power."""

    dump = None  # type: ignore[assignment]
    restore = None  # type: ignore[assignment]


@pytest.mark.parametrize("plain_first", [False, True])
def test_a_store_without_the_power_is_told_of_export(plain_first: bool, source) -> None:
    pair = (PlainStore(), source) if plain_first else (source, PlainStore())
    with pytest.raises(StoreError, match="export"):
        copy_store(*pair)

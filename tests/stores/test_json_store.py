import gc
import itertools
import json
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis.stateful import rule

from recollect import Memory
from recollect.errors import (
    ClosedError,
    InvalidInputError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.memory.maintenance import copy_store, reembed
from recollect.protocols import Entry
from recollect.stores.json import JSONStore
from recollect.stores.json import lines as lines_module
from recollect.stores.json import log as log_module
from recollect.stores.json.document import number_of
from recollect.stores.json.lock import FileLock
from recollect.stores.json.log import FileLog
from recollect.stores.logged.store import NOTHING
from recollect.testing import ADA, StoreContract, make_entry
from recollect.testing.contract.changing import praised, upper
from recollect.testing.contract.copying import all_of, fill
from recollect.testing.contract.fixtures import contents, put, remove
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.machine import StorePairMachine
from recollect.testing.strategies import USERS
from recollect.types import Job, Labels, Link, MemoryRecord, Scope
from recollect.types.filters import EVERYTHING


class TestJSONStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[JSONStore]:
        store = JSONStore(tmp_path / "brain.json")
        yield store
        store.close()

    def reopen(self, store: JSONStore) -> JSONStore:
        store.close()
        return JSONStore(store.path)


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    return tmp_path / "brain.json"


@pytest.fixture
def few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes are folded into the file after a few of them."""
    monkeypatch.setattr(log_module, "FOLD_BYTES", 3_000)


def log_of(brain: Path) -> Path:
    return brain.with_name(f"{brain.name}-log")


def everything_in(store: Any) -> Any:
    """All that is kept, but for the numbers of keys."""
    users = store.known_users()
    scopes = [Scope(user_id=user) for user in users]
    return [
        users,
        [
            (copied.record, copied.features, copied.history, copied.links, copied.outline)
            for scope in scopes
            for copied in all_of(store, scope)
        ],
        [store.states(scope) for scope in scopes],
        store.jobs(),
        store.jobs(failed=True),
        [store.setting(name) for name in ("embedder", "dimensions", "analyser")],
        [store.history(scope, "gone") for scope in scopes],
    ]


def read(brain: Path) -> Any:
    with closing(JSONStore(brain)) as store:
        return everything_in(store)


# The comparison with the reference, closed and opened again, and by two at once


class LastingMachine(StorePairMachine):
    """The rules, and one more: who goes on, and whether the process was started anew."""

    files: ClassVar[Iterator[Path]]

    def __init__(self) -> None:
        self.make_stores = (lambda: JSONStore(next(self.files)), StorePairMachine.make_stores[1])  # type: ignore[misc]
        super().__init__()
        self.other = JSONStore(self.pair[0].path)  # type: ignore[attr-defined]

    @rule()
    def go_on_in_another_process(self) -> None:
        self.other, self.pair = self.pair[0], (self.other, self.pair[1])  # type: ignore[assignment]

    @rule()
    def start_the_process_anew(self) -> None:
        self.pair[0].close()
        self.pair = (JSONStore(self.other.path), self.pair[1])
        self.receivers[0] = {user: Receiver(Scope(user_id=user)) for user in USERS}
        self.receivers[1] = {user: Receiver(Scope(user_id=user)) for user in USERS}

    def teardown(self) -> None:
        super().teardown()
        self.other.close()


@pytest.mark.usefixtures("few_bytes")
def test_two_processes_that_come_and_go_answer_like_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    numbers = itertools.count()
    LastingMachine.files = (tmp_path / f"{number}.json" for number in numbers)
    case = LastingMachine.TestCase
    case.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
    case().runTest()


# What stands in the file


def test_the_file_has_two_lists_sorted_by_tier(brain: Path) -> None:
    with Memory(f"json:///{brain}", embedder="hashing") as memory:
        ids = [result.id for result in memory.add(["a tea", "a cake", "a walk", "a nap"], user_id="ada")]
        for memory_id, tier in zip(ids, ("short-term", "working", "long-term", "archived"), strict=True):
            memory.update(memory_id, user_id="ada", labels=Labels(tier=tier))
        memory.delete(ids[3], user_id="ada")
        memory.add("a thought", user_id="ada")
    document = json.loads(brain.read_text(encoding="utf-8"))
    assert [item["content"] for item in document["shortTermMemory"]] == ["a tea", "a cake"]
    assert [item["content"] for item in document["longTermMemory"]] == ["a walk", "a thought"]
    assert [item["content"] for item in document["deleted"]] == ["a nap"]


def test_a_file_may_be_written_in_another_layout(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        fill(store)
        known = everything_in(store)
    brain.write_text(json.dumps(json.loads(brain.read_text("utf-8")), indent=4, sort_keys=True))
    assert read(brain) == known


def version_of(path: Path) -> tuple[int, int]:
    """What changes when a file is written or replaced."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns


def test_a_write_does_not_write_the_file_anew(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, *(make_entry(f"memory {number}") for number in range(500)))
    before = version_of(brain)
    with closing(JSONStore(brain)) as store:
        [memory_id] = put(store, make_entry("one more"))
        one = (log_of(brain) / "writes").stat().st_size
        for _ in range(20):
            store.update(ADA, [memory_id], praised)
        assert (log_of(brain) / "writes").stat().st_size < one * 20
        assert version_of(brain) == before
    assert version_of(brain) != before
    assert not (log_of(brain) / "writes").exists()


@pytest.mark.usefixtures("few_bytes")
def test_many_writes_are_folded_into_the_file_while_it_is_open(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        for number in range(50):
            put(store, make_entry(f"memory {number}"))
            assert (not (log_of(brain) / "writes").exists()) or (
                log_of(brain) / "writes"
            ).stat().st_size < 3_000 + brain.stat().st_size
        assert len(json.loads(brain.read_text("utf-8"))["longTermMemory"]) > 10
        assert store.count(ADA) == 50


def test_looking_writes_nothing(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        fill(store)
    files = (brain, *log_of(brain).iterdir())
    before = [path.stat() for path in files]
    read(brain)
    assert [path.stat().st_mtime_ns for path in files] == [stat.st_mtime_ns for stat in before]
    assert {*log_of(brain).iterdir()} <= {*files}


# Killed


KILLED = """
import sys
from pathlib import Path
from recollect.protocols import Entry, Features
from recollect.stores.json import JSONStore, log
from recollect.types.clock import utc_now
from recollect.types import MemoryRecord, Origin, Scope, Times

log.FOLD_BYTES = 4_000
ada, now = Scope(user_id="ada"), utc_now()
features = Features(vector=b"abcd", terms=b"", counts=b"", stems="tea")
store = JSONStore(sys.argv[1])
start = int(sys.argv[2])

def entry(number):
    record = MemoryRecord(
        id=f"{number:06}", scope=ada, content=f"words {number}", origin=Origin(thread="t"),
        times=Times(created_at=now, happened_at=now, updated_at=now),
    )
    return Entry(record=record, features=features)

number = start
while True:
    batch = 1 + number % 3
    for memory_id in store.add(ada, [entry(number + part) for part in range(batch)]):
        print(memory_id, flush=True)
    if number % 5 == 0:
        again = lambda record: Entry(record=record, features=None)
        store.update(ada, [f"{number:06}"], again, reason="again")
        print(f"{number:06}!", flush=True)
    number += batch
"""


def acknowledged_until_killed(brain: Path, start: int, chance: random.Random) -> list[str]:
    """What a process said it had done, until it was killed at some moment."""
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", KILLED, str(brain), str(start)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(chance.randint(1, 15))]
        time.sleep(chance.uniform(0, 0.01))
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    return [line.strip() for line in lines if line.endswith("\n")]


def test_what_was_acknowledged_survives_twenty_kills(brain: Path) -> None:
    chance = random.Random(5)  # noqa: S311
    said: list[str] = []
    for life in range(20):
        said += acknowledged_until_killed(brain, life * 1_000, chance)
        if life % 7 == 3:
            with brain.open("r+b") as file:  # a kill, and a disk that lost the end of the file
                file.truncate(chance.randrange(brain.stat().st_size))
    with closing(JSONStore(brain)) as store:
        records = store.find(ADA, EVERYTHING)
        assert {line for line in said if "!" not in line} <= {record.id for record in records}
        assert sorted(record.origin.turn for record in records) == list(range(len(records)))
        for line in said:
            if "!" in line:
                assert [change.reason for change in store.history(ADA, line[:-1])] == [None, "again"]
        assert store.statistics(ADA, []).documents == len(records)


class DiedError(BaseException):
    """The process ends here."""


ON_THE_DISK: list[tuple[Any, str]] = [
    (os, "fsync"), (Path, "replace"), (Path, "unlink"), (Path, "open"), (log_module.shutil, "copyfileobj"),
]  # fmt: skip


def dying(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let the process end before its next step on the disk but ``after``."""
    left = itertools.count(after, -1)

    def mortal(step: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if next(left) <= 0:
                raise DiedError
            return step(*args, **kwargs)

        return call

    for owner, name in ON_THE_DISK:
        monkeypatch.setattr(owner, name, mortal(getattr(owner, name)))


def cut_off(act: Callable[[], object], after: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Do something; returns whether it was cut off before its step on the disk but ``after``."""
    with monkeypatch.context() as patch:
        dying(patch, after)
        try:
            act()
        except DiedError:
            return True
    return False


def test_a_fold_may_be_cut_off_at_every_step(brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(JSONStore(brain)) as store:
        fill(store)
    known = read(brain)

    def add_and_close(store: JSONStore) -> None:
        put(store, make_entry("more"))
        store.close()

    for after in itertools.count():
        if not cut_off(partial(add_and_close, JSONStore(brain)), after, monkeypatch):
            break
        whole = read_copy(brain, damaged=False)
        assert whole == read_copy(brain, damaged=True)
        assert [memory for memory in whole[1] if memory in known[1]] == known[1]
        assert len(whole[1]) - len(known[1]) in (0, 1)
        known = whole
    assert after > 6


def read_copy(brain: Path, *, damaged: bool) -> Any:
    """What a copy of the files holds, also when the file itself is damaged."""
    copy = brain.with_name(f"copy-{damaged}") / brain.name
    log_module.shutil.rmtree(copy.parent, ignore_errors=True)
    copy.parent.mkdir()
    log_module.shutil.copytree(log_of(brain), log_of(copy))
    data = brain.read_bytes()
    copy.write_bytes(data[: len(data) // 2] if damaged else data)
    return read(copy)


def test_purged_words_are_gone_from_every_file(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("kept"))
        [secret] = put(store, make_entry("sesame"))
        store.close()
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("more"))
        store.update(ADA, [secret], upper)
        remove(store, secret)
        assert files_with(brain, "sesame")
        assert store.purge(ADA) == 1
        assert not files_with(brain, "sesame")
        assert not files_with(brain, "SESAME")
    assert sorted(record.content for record in read_records(brain)) == ["kept", "more"]
    brain.write_bytes(b"")
    assert sorted(record.content for record in read_records(brain)) == ["kept", "more"]


def test_a_purge_cut_off_at_any_step_goes_on_when_the_file_is_opened_next(
    brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for after in itertools.count():
        with closing(JSONStore(brain)) as store:
            _, memory_id = put(store, make_entry(f"kept {after}"), make_entry("sesame"))
            remove(store, memory_id)
        if not cut_off(partial(JSONStore(brain).purge, ADA), after, monkeypatch):
            break
        purged = not any(row.deleted for row in open_rows(brain))
        assert not (purged and files_with(brain, "sesame"))
        with closing(JSONStore(brain)) as store:
            store.purge(ADA)
        assert not files_with(brain, "sesame")
    assert after > 6


def open_rows(brain: Path) -> list[Any]:
    with closing(JSONStore(brain)) as store:
        return list(store._tables.kept.memories.values())


def files_with(brain: Path, words: str) -> list[str]:
    files = [brain, *log_of(brain).iterdir()]
    return [path.name for path in files if words.encode() in path.read_bytes()]


def read_records(brain: Path) -> list[Any]:
    with closing(JSONStore(brain)) as store:
        return store.find(ADA, EVERYTHING)


# Damaged


@pytest.mark.parametrize("part", [0, 1, 0.1, 0.5, 0.9, -3])
def test_a_truncated_file_is_restored_whole_and_said_loudly(
    part: float, brain: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(JSONStore(brain)) as store:
        fill(store)
        store.change_state(ADA, "a", lambda _: "learned")
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("after the first fold"))
        known = everything_in(store)
    data = brain.read_bytes()
    cut = data[: int(part)] if isinstance(part, int) else data[: int(len(data) * part)]
    brain.write_bytes(cut)
    with caplog.at_level(logging.ERROR):
        assert read(brain) == known
    [record] = caplog.records
    assert record.levelname == "ERROR"
    assert "damaged" in record.message
    assert "nothing was lost" in record.message
    [aside] = brain.parent.glob("brain.json.damaged-*")
    assert aside.read_bytes() == cut
    caplog.clear()
    assert read(brain) == known
    assert not caplog.records


def first(document: Any) -> Any:
    return document["longTermMemory"][0]


WRONG: list[tuple[str, Callable[[Any], object]]] = [
    ("no format", lambda it: it.update(recollect="x")),
    ("number null", lambda it: it.update(number=None)),
    ("number text", lambda it: it.update(number="x")),
    ("number lower", lambda it: it.update(number=-1)),
    ("store", lambda it: it.update(store=5)),
    ("list null", lambda it: it.update(shortTermMemory=None)),
    ("links null", lambda it: it.update(links=None)),
    ("links", lambda it: it["links"].append([[1, "x", "related"], True])),
    ("numbers", lambda it: it.update(numbers=[["a"]])),
    ("numbers gone", lambda it: it.update(numbers=[])),
    ("settings", lambda it: it.update(settings=[5])),
    ("settings object", lambda it: it.update(settings={"ab": 1})),
    ("settings value", lambda it: it.update(settings=[["embedder", 5]])),
    ("states", lambda it: it["states"].append([["ada", 1], "x"])),
    ("staged", lambda it: it.update(staged=[[["x", 1], "%%%"]])),
    ("jobs", lambda it: it.update(jobs=[[1, {"task": 5}]])),
    ("job gone", lambda it: it.update(jobs=[[1, None]])),
    ("no features", lambda it: first(it).pop("features")),
    ("features empty", lambda it: first(it).update(features={})),
    ("vector short", lambda it: first(it)["features"].update(vector="AAAA")),
    ("vector no base64", lambda it: first(it)["features"].update(vector="!!!!")),
    ("terms short", lambda it: first(it)["features"].update(terms="AAAA")),
    ("counts", lambda it: first(it)["features"].update(counts=None)),
    ("stems", lambda it: first(it)["features"].update(stems=5)),
    ("traits", lambda it: first(it)["features"].update(traits=2**31)),
    ("outline", lambda it: first(it).update(outline="AA==")),
    ("no content", lambda it: first(it).pop("content")),
    ("content", lambda it: first(it).update(content=5)),
    ("tier", lambda it: first(it).update(tier="nonsense")),
    ("kind", lambda it: first(it).update(kind="nonsense")),
    ("scope", lambda it: first(it).update(scope="x")),
    ("user", lambda it: first(it).update(scope={"user_id": None})),
    ("users", lambda it: first(it).update(scope={"user_id": ["ada"]})),
    ("times", lambda it: first(it).update(times={})),
    ("moment", lambda it: first(it)["times"].update(created_at="0001-01-01T00:00:00+23:00")),
    ("labels", lambda it: first(it).update(labels=[])),
    ("tag", lambda it: first(it).update(labels={"tags": [{"text": 5}]})),
    ("tags", lambda it: first(it).update(labels={"tags": "tea"})),
    ("concept", lambda it: first(it).update(labels={"concepts": [5]})),
    ("concepts", lambda it: first(it).update(labels={"concepts": "tea"})),
    ("one of many summaries", lambda it: it["longTermMemory"][2].update(summary=5)),
    ("use", lambda it: first(it).update(use={"access_count": 2**70})),
    ("worth", lambda it: first(it).update(worth={"importance": "x"})),
    ("metadata", lambda it: first(it).update(metadata="x")),
    ("key", lambda it: first(it).update(key=None)),
    ("version", lambda it: first(it).update(version="x")),
    ("deleted", lambda it: first(it).update(deleted=5)),
    ("history", lambda it: first(it).update(history=[5])),
    ("action", lambda it: first(it)["history"][0].update(action="nonsense")),
    ("text for a memory", lambda it: it["longTermMemory"].append("x")),
    ("a memory twice", lambda it: it["longTermMemory"].append(dict(first(it)))),
    ("an id twice", lambda it: it["longTermMemory"].append(first(it) | {"key": 0})),
]


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in WRONG])
def test_a_file_with_a_damaged_part_is_restored_whole_and_said_loudly(
    change: Callable[[Any], object], brain: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("tea milk"), make_entry("cake"), make_entry("bread"))
        store.change_state(ADA, "a", lambda _: "learned")
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("after the first fold"))
        known = everything_in(store)
    document = json.loads(brain.read_text(encoding="utf-8"))
    change(document)
    brain.write_text(json.dumps(document), encoding="utf-8")
    damaged = brain.read_bytes()
    assert read(brain) == known
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "damaged" in record.message
    [aside] = brain.parent.glob("brain.json.damaged-*")
    assert aside.read_bytes() == damaged
    caplog.clear()
    assert read(brain) == known
    assert not caplog.records


def test_a_damaged_part_in_both_files_is_one_error(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("one"))
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("two"))
    for path in (brain, log_of(brain) / "previous.json"):
        path.write_bytes(path.read_bytes().replace(b'"content":"one"', b'"content":5'))
    before = brain.read_bytes()
    with pytest.raises(StoreCorruptError, match="cannot be restored"):
        JSONStore(brain)
    assert brain.read_bytes() == before


def test_a_damaged_file_without_the_one_before_says_what_is_missing(brain: Path, tmp_path: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("one"))
    alone = tmp_path / "alone.json"
    alone.write_bytes(brain.read_bytes()[:-10])
    with pytest.raises(StoreCorruptError, match=r"cannot be restored: there is no .*previous\.json"):
        JSONStore(alone)
    assert not log_of(alone).exists()


def test_a_write_that_was_damaged_at_the_end_is_said_loudly_once(
    brain: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = JSONStore(brain)
    for words in ("one", "two"):
        put(store, make_entry(words))
    writes = log_of(brain) / "writes"
    damaged = writes.read_bytes().replace(b"two", b"twx")
    writes.write_bytes(damaged)
    assert [record.content for record in read_records(brain)] == ["one"]
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "WAS LOST" in record.message
    [aside] = brain.parent.glob("brain.json.damaged-*")
    assert aside.read_bytes() == damaged
    caplog.clear()
    assert [record.content for record in read_records(brain)] == ["one"]
    assert not caplog.records
    for _ in range(2):
        with pytest.raises(StoreError, match="one of its writes was lost; open it again"):
            store.count(ADA)


@pytest.mark.parametrize("is_full", [True, False])
def test_who_has_read_a_write_that_was_lost_is_told_and_destroys_nothing(
    is_full: bool, brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    knows = JSONStore(brain)
    put(knows, make_entry("one"))
    put(knows, make_entry("lost"))
    writes = log_of(brain) / "writes"
    writes.write_bytes(writes.read_bytes().replace(b"lost", b"lots"))
    with monkeypatch.context() as patch:
        if is_full:
            patch.setattr(FileLog, "_replace", full)
        goes_on = JSONStore(brain)
        put(goes_on, make_entry("acknowledged " * 50))
        put(goes_on, make_entry("two"))
    for _ in range(2):
        with pytest.raises(StoreError, match="was lost; open"):
            contents(knows)
        with pytest.raises(StoreError, match="was lost; open"):
            put(knows, make_entry("three"))
    known = contents(goes_on)
    assert [words.split()[0] for words in known] == ["acknowledged", "one", "two"]
    knows.close()
    goes_on.close()
    assert sorted(record.content for record in read_records(brain)) == known


def test_a_file_damaged_while_it_is_open_is_restored_too(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("one"))
        with brain.open("r+b") as file:
            file.truncate(20)
        assert contents(store) == ["one"]
        put(store, make_entry("two"))
    assert [record.content for record in read_records(brain)] == ["one", "two"]


def test_what_cannot_be_restored_says_how_much_was_lost(
    brain: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        with closing(JSONStore(brain)) as store:
            put(store, make_entry(f"memory {number}"))
    (log_of(brain) / "previous-writes").unlink()
    data = brain.read_bytes()
    assert number_of(data) == 3
    brain.write_bytes(data[:-10])
    with caplog.at_level(logging.ERROR):
        assert len(read_records(brain)) == 2
    assert "1 WERE LOST" in caplog.text


def test_a_file_and_its_predecessor_damaged_are_left_as_they_are(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("one"))
    for path in (brain, log_of(brain) / "previous.json"):
        path.write_bytes(path.read_bytes()[:-10])
    before = brain.read_bytes()
    with pytest.raises(StoreCorruptError, match="cannot be restored"):
        JSONStore(brain)
    assert brain.read_bytes() == before


def test_the_end_of_a_write_that_was_never_acknowledged_is_no_damage(brain: Path) -> None:
    store = JSONStore(brain)
    put(store, make_entry("one"))
    put(store, make_entry("two"))
    writes = log_of(brain) / "writes"
    data = writes.read_bytes()
    first = data.index(b"\n") + 1
    for end in range(first, len(data) - 1, 7):
        writes.write_bytes(data[:end])
        copy = JSONStore(brain)
        assert contents(copy) == ["one"]
    put(copy, make_entry("three"))
    assert [record.content for record in read_records(brain)] == ["one", "three"]


@pytest.mark.parametrize("change", [b"X", b"\n", b" "])
def test_a_damaged_write_before_others_is_told(change: bytes, brain: Path) -> None:
    store = JSONStore(brain)
    put(store, make_entry("one"))
    put(store, make_entry("two"))
    writes = log_of(brain) / "writes"
    data = writes.read_bytes()
    writes.write_bytes(data[:30] + change + data[31:])
    with pytest.raises(StoreCorruptError, match="writes is damaged"):
        JSONStore(brain)


def test_a_missing_write_is_told(brain: Path) -> None:
    store = JSONStore(brain)
    for words in ("one", "two"):
        put(store, make_entry(words))
    writes = log_of(brain) / "writes"
    writes.write_bytes(writes.read_bytes().partition(b"\n")[2])
    with pytest.raises(StoreCorruptError, match="write 1 is missing"):
        JSONStore(brain)


def test_a_file_that_is_gone_is_not_begun_anew_in_silence(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("one"))
        store.close()
    brain.unlink()
    with pytest.raises(StoreCorruptError, match="is gone"):
        JSONStore(brain)
    assert not brain.exists()


def test_a_file_copied_elsewhere_is_whole_by_itself(brain: Path, tmp_path: Path) -> None:
    with closing(JSONStore(brain)) as store:
        fill(store)
        known = everything_in(store)
    other = tmp_path / "other.json"
    other.write_bytes(brain.read_bytes())
    assert read(other) == known
    other.write_bytes(other.read_bytes()[:-20])
    assert read(other) == known


def test_an_earlier_state_put_back_under_an_open_store_is_told(brain: Path) -> None:
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("one"))
    earlier = brain.read_bytes()
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("two"))
        (log_of(brain) / "writes").unlink()
        brain.write_bytes(earlier)
        for _ in range(2):
            with pytest.raises(StoreError, match="earlier state"):
                store.count(ADA)
    assert not read_records(brain)[1:]


def test_another_store_put_in_the_place_of_an_open_one_is_told(brain: Path, tmp_path: Path) -> None:
    with closing(JSONStore(tmp_path / "other.json")) as other:
        put(other, make_entry("theirs"), make_entry("theirs too"))
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("mine"))
        brain.write_bytes((tmp_path / "other.json").read_bytes())
        with pytest.raises(StoreError, match="another store"):
            store.count(ADA)


# What cannot be opened or written


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"name": "package", "version": "1"}', StoreFormatError),
        ("[1, 2]", StoreFormatError),
        ('"text"', StoreFormatError),
        ('{"recollect": 2, "store": "x"}', StoreFormatError),
        ('{"recollect": 1, "store": "x"}', StoreCorruptError),
        ("not JSON", StoreCorruptError),
        ("[" * 100_000, StoreCorruptError),
    ],
)
def test_a_file_of_somebody_else_is_refused_and_left_alone(text: str, error: Any, brain: Path) -> None:
    brain.write_text(text)
    with pytest.raises(error):
        JSONStore(brain)
    assert brain.read_text() == text
    assert [path.name for path in brain.parent.iterdir()] == ["brain.json"]


@pytest.mark.parametrize("is_locked", [True, False])
def test_who_fails_to_open_removes_nothing_of_who_was_first(is_locked: bool, brain: Path) -> None:
    late = FileLog(brain, busy_timeout_s=0.01)
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("acknowledged"))
        other = brain.read_bytes()
        with ExitStack() as stack:
            if is_locked:
                stack.enter_context(FileLog(brain, busy_timeout_s=1).alone())
            else:
                brain.write_text("[1, 2]")
            with pytest.raises(StoreBusyError if is_locked else StoreFormatError):
                late.news(NOTHING)
        brain.write_bytes(other)
        assert contents(store) == ["acknowledged"]
        put(store, make_entry("more"))
    assert sorted(record.content for record in read_records(brain)) == ["acknowledged", "more"]


def test_a_lock_that_was_removed_meanwhile_keeps_nobody_out(brain: Path) -> None:
    """Who opened the file of a lock before it was removed would be in beside who locks the new one."""
    place = brain.with_name("lock")
    first, second = (FileLock(place, timeout_s=60) for _ in range(2))
    went_in: list[bool] = []

    def wait() -> None:
        with second.held():
            went_in.append(os.path.samestat(place.stat(), os.fstat(second._locked().fileno())))  # type: ignore[misc, union-attr]

    with first.held():
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.05)
        first.remove()
    thread.join()
    assert went_in == [True]


def test_an_empty_file_becomes_a_store(brain: Path) -> None:
    brain.touch()
    with closing(JSONStore(brain)) as store:
        put(store, make_entry("one"))
    assert len(read_records(brain)) == 1


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("none/brain.json", StoreError),
        ("folder.json", StoreError),
        (".", InvalidInputError),
        ("", InvalidInputError),
        ("a\0b", InvalidInputError),
    ],
)
def test_a_place_where_no_file_can_be_is_one_error(
    place: str, error: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(error):
        JSONStore(place)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


def test_statistics_asked_for_within_a_write_that_fails_count_nothing_of_it(brain: Path) -> None:
    def change(before: MemoryRecord) -> Entry:
        store.put_setting("within", "the same write")
        remove(store, other.record.id)
        assert store.statistics(ADA, []).documents == 1
        if fails:
            raise RuntimeError
        return Entry(record=before, features=None)

    entry, other = make_entry("tea"), make_entry("cake")
    with closing(JSONStore(brain)) as store:
        put(store, entry, other)
        fails = True
        with pytest.raises(RuntimeError):
            store.update(ADA, [entry.record.id], change)
        assert store.statistics(ADA, []).documents == 2
        fails = False
        store.update(ADA, [entry.record.id], change)
        assert store.statistics(ADA, []).documents == 1


@pytest.mark.parametrize(
    ("number", "error"), [(28, StoreFullError), (13, StoreReadOnlyError), (5, StoreError)]
)
@pytest.mark.parametrize("step", ["fsync", "open"])
def test_a_disk_that_takes_nothing_leaves_nothing_half_written(
    number: int, error: Any, step: str, brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    with closing(JSONStore(brain)) as store:
        put(store, make_entry("before"))
        with monkeypatch.context() as patch:
            patch.setattr(*((lines_module.os, "fsync") if step == "fsync" else (Path, "open")), fail)
            with pytest.raises(error):
                put(store, make_entry("lost"))
        assert contents(store) == ["before"]
        put(store, make_entry("after"))
        assert contents(store) == ["after", "before"]
    assert [record.origin.turn for record in read_records(brain)] == [0, 0]
    assert {record.content for record in read_records(brain)} == {"before", "after"}


def test_a_fold_that_finds_no_space_loses_nothing(
    brain: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    store = JSONStore(brain)
    put(store, make_entry("one"))
    with monkeypatch.context() as patch:
        patch.setattr(log_module.os, "fsync", full)
        store.close()
    assert "no space is left" in caplog.text
    assert len(read_records(brain)) == 1


@pytest.mark.usefixtures("few_bytes")
@pytest.mark.parametrize("failures", [1, 2, 1_000])
def test_two_at_once_agree_whatever_fails_on_the_disk(
    failures: int, brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(JSONStore(brain)) as store, closing(JSONStore(brain)) as other:
        for after in itertools.count():
            _, doomed = put(other, make_entry("x " * 500), make_entry(f"sesame {after}"))
            remove(store, doomed)
            with monkeypatch.context() as patch:
                steps = failing(patch, after, failures)
                acknowledged = (
                    [f"words {after}"] if succeeds(put, store, make_entry(f"words {after}")) else []
                )
                succeeds(store.purge, ADA)
            put(other, make_entry(f"next {after}"))
            known = contents(store)
            assert {*acknowledged, f"next {after}"} <= {*known}
            assert contents(other) == known
            assert sorted(record.content for record in read_records(brain)) == known
            if next(steps) <= after:
                break
    assert after > 6


def failing(patch: pytest.MonkeyPatch, after: int, failures: int) -> Iterator[int]:
    """Let so many steps on the disk fail after so many others; returns the number of each."""
    steps = itertools.count()

    def fallible(step: Callable[..., Any]) -> Callable[..., Any]:
        def act(*args: Any, **kwargs: Any) -> Any:
            if after <= next(steps) < after + failures:
                raise OSError(28, "No space left on device")
            return step(*args, **kwargs)

        return act

    for owner, name in ON_THE_DISK:
        patch.setattr(owner, name, fallible(getattr(owner, name)))
    return steps


def succeeds(act: Callable[..., object], *args: Any) -> bool:
    try:
        act(*args)
    except StoreError:
        return False
    return True


def test_a_purge_that_cannot_reach_the_files_is_told(brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with closing(JSONStore(brain)) as store:
        [memory_id] = put(store, make_entry("sesame"))
        remove(store, memory_id)
        with monkeypatch.context() as patch:
            patch.setattr(log_module.FileLog, "_copy", full)
            with pytest.raises(StoreFullError, match="what was purged still stands"):
                store.purge(ADA)
        put(store, make_entry("next"))
        assert not files_with(brain, "sesame")


def test_a_closed_store_says_so(brain: Path) -> None:
    store = JSONStore(brain)
    store.close()
    store.close()
    with pytest.raises(ClosedError):
        store.count(ADA)


# Several processes


def test_two_at_once_see_what_the_other_wrote(brain: Path) -> None:
    with closing(JSONStore(brain)) as one, closing(JSONStore(brain)) as two:
        [memory_id] = put(one, make_entry("tea", thread="t"))
        assert contents(two) == ["tea"]
        put(two, make_entry("cake", thread="t"))
        two.update(ADA, [memory_id], upper)
        assert contents(one) == ["TEA", "cake"]
        assert sorted(record.origin.turn for record in one.find(ADA, EVERYTHING)) == [0, 1]
        one.close()
        put(two, make_entry("late"))
        assert contents(two) == ["TEA", "cake", "late"]
    assert len(read_records(brain)) == 3


def test_a_process_that_keeps_the_file_locked_is_named(brain: Path) -> None:
    with closing(JSONStore(brain)) as one, closing(JSONStore(brain, busy_timeout_s=0.05)) as two:
        put(two, make_entry("before"))
        with FileLog(brain, busy_timeout_s=1).alone(), pytest.raises(StoreBusyError, match="locked"):
            put(two, make_entry("lost"))
        put(two, make_entry("after"))
        assert contents(one) == ["after", "before"]


ADD_TOGETHER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from recollect import Memory
process = sys.argv[2]
with Memory(f"json:///{sys.argv[1]}", embedder="hashing", secrets="keep") as memory:
    print("ready", flush=True)
    sys.stdin.readline()

    def work(thread):
        for turn in range(5):
            words = f"process{process} thread{thread} turn{turn}"
            (result,) = memory.add(words, user_id="ada", session_id="shared")
            assert memory.get(result.id, user_id="ada").content == words
            (hit,) = memory.search(words, user_id="ada", top_k=1)
            assert hit.memory.content == words, (hit.memory.content, words)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
"""


def test_many_processes_and_threads_lose_nothing(brain: Path) -> None:
    with ExitStack() as stack:
        workers = [
            stack.enter_context(
                subprocess.Popen(  # noqa: S603 - our own code
                    [sys.executable, "-c", ADD_TOGETHER, str(brain), str(number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(3)
        ]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        for worker in workers:
            worker.communicate("\n")
        assert [worker.returncode for worker in workers] == [0] * 3
    records = read_records(brain)
    assert len({record.content for record in records}) == 30
    assert sorted(record.origin.turn for record in records) == list(range(30))


# As a user meets it


def test_a_memory_lives_in_a_json_file(brain: Path) -> None:
    url = f"json:///{brain}"
    with Memory(url, embedder="hashing") as memory:
        [tea, cake] = memory.add(["Ada likes tea", "Ada likes cake"], user_id="ada", session_id="s")
        memory.graph.link(tea.id, cake.id, type="related", user_id="ada")
        memory.use(tea.id, useful=True, user_id="ada")
        assert "json" in memory.stats().store.lower()
    reembed(url, embedder="static")
    with Memory(url) as memory:
        assert memory.search("tea", user_id="ada", top_k=1)[0].memory.id == tea.id
        assert len(memory.graph.links(tea.id, user_id="ada")) == 1
        assert [change.action for change in memory.history(tea.id, user_id="ada")] == ["add", "feedback"]


def test_everything_is_copied_to_a_json_file_and_back(brain: Path, tmp_path: Path) -> None:
    with closing(JSONStore(brain)) as store:
        fill(store)
        [memory_id, *_] = [copied.record.id for copied in all_of(store)]
        store.link(ADA, [Link(source_id=memory_id, target_id=memory_id, type="related")])
        store.change_state(ADA, "a", lambda _: "learned")
        store.add(ADA, [], jobs=[Job(task="t", scope=ADA)])
    file, again = tmp_path / "brain.db", tmp_path / "again.json"
    there = copy_store(f"json:///{brain}", file)
    back = copy_store(file, f"json:///{again}")
    assert there.digest == back.digest
    with closing(JSONStore(again)) as store, closing(JSONStore(brain)) as first:
        assert [copied.record for copied in all_of(store)] == [copied.record for copied in all_of(first)]
    with pytest.raises(InvalidInputError, match="same store"):
        copy_store(f"json:///{brain}", JSONStore(brain))
    with pytest.raises(InvalidInputError, match="no memories"):
        copy_store("json:////nowhere/none.json", file)


@pytest.mark.parametrize("url", ["json://brain.json", "json:///", "json:/// "])
def test_a_url_that_names_no_file_is_refused(url: str) -> None:
    with pytest.raises(InvalidInputError, match="json:///brain"):
        Memory(url)


# Interrupted


def interrupted(act: Callable[[], object], after_s: float) -> bool:
    """Do something, and press a key after some time; returns whether that came before the end."""
    armed = [True]

    def press(*_: object) -> None:
        if armed[0]:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, after_s)
            act()
        finally:
            armed[0] = False
    except KeyboardInterrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


def test_opening_leaves_the_garbage_collector_as_it_was(brain: Path) -> None:
    JSONStore(brain).close()
    assert gc.isenabled()
    assert not gc.get_freeze_count()
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        JSONStore(brain).close()
        assert gc.get_freeze_count() > frozen // 2, "what the program froze is thawed"
    finally:
        gc.unfreeze()
    gc.disable()
    try:
        JSONStore(brain).close()
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_an_interrupt_at_any_moment_leaves_memory_and_files_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    chance, cut = random.Random(7), 0  # noqa: S311
    with closing(JSONStore(tmp_path / "a.json")) as store, closing(JSONStore(tmp_path / "a.json")) as other:
        for number in range(80):
            put(other, make_entry(f"other {number}"))
            cut += interrupted(
                partial(put, store, make_entry(f"words {number}")), chance.uniform(0.0001, 0.004)
            )
            put(store, make_entry(f"next {number}"))
            known = contents(store)
            assert {f"other {number}", f"next {number}"} <= {*known}
            assert contents(other) == known
            assert {one.statistics(ADA, []).documents for one in (store, other)} == {len(known)}
    assert sorted(record.content for record in read_records(tmp_path / "a.json")) == known
    assert cut > 0


def test_new_files_are_for_their_owner_alone_and_a_mode_that_was_set_stays(tmp_path: Path) -> None:
    file = tmp_path / "brain.json"
    with closing(JSONStore(file)) as store:
        put(store, make_entry("tea"))
        folder = tmp_path / "brain.json-log"
        assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
        file.chmod(0o640)
        store.purge(ADA)
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_refused_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreFormatError, match="is no file"):
        JSONStore(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()

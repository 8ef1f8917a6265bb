"""What is acknowledged stays: through kill -9, and with many processes and threads on one file."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from recollect import Memory
from recollect.embedders import open_embedder
from recollect.errors import EmbedderMismatchError
from recollect.memory.maintenance import reembed

PROCESSES = 4
THREADS = 4
TURNS = 12

ADD_FOR_EVER = """
import itertools, sys
from recollect import Memory
start, batch = int(sys.argv[2]), int(sys.argv[3])
with Memory(sys.argv[1], embedder="hashing") as memory:
    for number in itertools.count(start):
        words = [f"memory marker{number:06}x{part}" for part in range(batch)]
        for result in memory.add(words, user_id="ada", session_id="s"):
            print(number, result.id, flush=True)
"""

ADD_AND_SEARCH = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from recollect import Memory
process, threads, turns = map(int, sys.argv[2:5])
print("ready", flush=True)
sys.stdin.readline()
with Memory(sys.argv[1], embedder="hashing", secrets="keep") as memory:

    def work(thread):
        own = []
        for turn in range(turns):
            words = f"process{process} thread{thread} turn{turn}"
            (result,) = memory.add(words, user_id="ada", session_id="shared")
            own.append((result.id, words))
            assert memory.get(result.id, user_id="ada").content == words
            found = [hit.memory.id for hit in memory.search(words, user_id="ada", top_k=10)]
            assert result.id in found, (words, found)
        return own

    with ThreadPoolExecutor(threads) as pool:
        print(json.dumps([pair for own in pool.map(work, range(threads)) for pair in own]))
"""


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start Python code in a process of its own, talking over its pipes."""
    return subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def acknowledged_until_killed(file: Path, *, start: int, batch: int, after: int) -> list[tuple[int, str]]:
    """What a process said it had stored, when it was killed once it had said so ``after`` times."""
    with run(ADD_FOR_EVER, file, start, batch) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    whole = [line.split() for line in lines if line.endswith("\n")]
    return [(int(number), memory_id) for number, memory_id in whole]


@pytest.mark.parametrize("batch", [1, 50])
def test_what_was_acknowledged_survives_being_killed_again_and_again(tmp_path: Path, batch: int) -> None:
    file, chance = tmp_path / "brain.db", random.Random(batch)  # noqa: S311
    acknowledged: dict[str, int] = {}
    for life in range(4):
        said = acknowledged_until_killed(
            file, start=life * 1_000, batch=batch, after=chance.randint(1, 40 * min(batch, 10))
        )
        acknowledged |= {memory_id: number for number, memory_id in said}
    with Memory(file, embedder="hashing") as memory:
        assert memory.maintenance.doctor().problems == ()
        records = memory.get_all(user_id="ada")
        assert acknowledged.keys() <= {record.id for record in records}
        assert len(records) % batch == 0
        assert sorted(record.origin.turn for record in records) == list(range(len(records)))
        for memory_id, number in list(acknowledged.items())[:: max(1, len(acknowledged) // 25)]:
            found = memory.search(f"marker{number:06}x0", user_id="ada", top_k=1)
            assert f"marker{number:06}" in found[0].memory.content
            assert memory.get(memory_id, user_id="ada").content in {record.content for record in records}


def test_many_processes_and_threads_lose_nothing_and_see_what_they_wrote_at_once(tmp_path: Path) -> None:
    file = tmp_path / "brain.db"
    with ExitStack() as stack:
        workers = [
            stack.enter_context(run(ADD_AND_SEARCH, file, number, THREADS, TURNS))
            for number in range(PROCESSES)
        ]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        with ThreadPoolExecutor(PROCESSES) as pool:
            said = list(pool.map(lambda worker: worker.communicate("\n")[0], workers))
        assert [worker.returncode for worker in workers] == [0] * PROCESSES
    stored = {memory_id: words for output in said for memory_id, words in json.loads(output)}
    assert len(stored) == PROCESSES * THREADS * TURNS
    with Memory(file, embedder="hashing") as memory:
        records = memory.get_all(user_id="ada", session_id="shared")
        assert {record.id: record.content for record in records} == stored
        assert sorted(record.origin.turn for record in records) == list(range(len(stored)))
        assert memory.maintenance.doctor().problems == ()


# What one process holds in memory follows what the others do


OTHER = """
import json, sys
from operator import attrgetter
from recollect import Memory
from recollect.memory.maintenance import reembed
with Memory(sys.argv[1], embedder="hashing") as memory:
    print("ready", flush=True)
    for line in sys.stdin:
        method, arguments = json.loads(line)
        if method == "reembed":
            reembed(sys.argv[1], **arguments)
        else:
            attrgetter(method)(memory)(**arguments)
        print("done", flush=True)
"""


class Other:
    """Another process that has the same file open and does what it is told."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._wait_for("ready")

    def do(self, method: str, **arguments: object) -> None:
        """Have it call a method, and wait until it has."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([method, arguments]) + "\n")
        self._process.stdin.flush()
        self._wait_for("done")

    def _wait_for(self, word: str) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == f"{word}\n"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add(["Ada likes tea", "Ada likes jazz"], user_id="ada", session_id="s")
        yield memory


@pytest.fixture
def other(tmp_path: Path, memory: Memory) -> Iterator[Other]:
    with run(OTHER, tmp_path / "brain.db") as process:
        yield Other(process)


def likes(memory: Memory) -> list[str]:
    """All that a search finds, by what it holds in memory."""
    return sorted(hit.memory.content for hit in memory.search("what does Ada like", user_id="ada"))


def test_a_search_follows_every_change_that_another_process_makes(memory: Memory, other: Other) -> None:
    tea, jazz = (record.id for record in memory.get_all(user_id="ada"))
    assert likes(memory) == ["Ada likes jazz", "Ada likes tea"]
    other.do("add", messages="Ada likes herons", user_id="ada", session_id="s")
    assert likes(memory) == ["Ada likes herons", "Ada likes jazz", "Ada likes tea"]
    other.do("update", memory_id=tea, user_id="ada", content="Ada likes coffee")
    assert likes(memory) == ["Ada likes coffee", "Ada likes herons", "Ada likes jazz"]
    assert memory.search("coffee", user_id="ada", top_k=1)[0].memory.id == tea
    other.do("delete", memory_id=jazz, user_id="ada")
    assert likes(memory) == ["Ada likes coffee", "Ada likes herons"]
    other.do("purge", user_id="ada")
    assert likes(memory) == ["Ada likes coffee", "Ada likes herons"]
    other.do("update", memory_id=tea, user_id="ada", valid_until="2020-01-01")
    assert likes(memory) == ["Ada likes herons"]
    other.do("delete_all", user_id="ada")
    other.do("purge", user_id="ada")
    assert likes(memory) == []
    other.do("add", messages="Ada likes rain", user_id="ada")
    assert likes(memory) == ["Ada likes rain"]


def test_feedback_in_another_process_moves_what_is_found_here(memory: Memory, other: Other) -> None:
    memory.add(["Ada likes chess"] * 2, user_id="bob")

    def found() -> list[str]:
        return [hit.memory.id for hit in memory.search("chess", user_id="bob", collapse=False)]

    first, second = found()
    other.do("use", memory_id=second, user_id="bob", useful=True)
    assert found() == [second, first]


def test_a_rebuild_in_another_process_is_seen(memory: Memory, other: Other) -> None:
    assert len(likes(memory)) == 2
    other.do("maintenance.doctor", rebuild=True)
    assert likes(memory) == ["Ada likes jazz", "Ada likes tea"]
    assert memory.maintenance.doctor().problems == ()


def test_new_vectors_from_another_process_are_named_rather_than_compared_with_old_ones(
    memory: Memory, other: Other, tmp_path: Path
) -> None:
    assert len(likes(memory)) == 2
    other.do("reembed", embedder="static")
    for use in (likes, lambda memory: memory.add("late", user_id="ada")):
        with pytest.raises(EmbedderMismatchError, match="recollect-static-v2"):
            use(memory)
    assert len(memory.get_all(user_id="ada")) == 2
    with Memory(tmp_path / "brain.db") as renewed:
        assert likes(renewed) == ["Ada likes jazz", "Ada likes tea"]


def test_vectors_made_anew_by_the_same_embedder_are_taken_up(memory: Memory, tmp_path: Path) -> None:
    assert len(likes(memory)) == 2
    before = memory.search("tea", user_id="ada")
    reembed(tmp_path / "brain.db", embedder="static")
    reembed(tmp_path / "brain.db", embedder=open_embedder("hashing"))
    assert memory.search("tea", user_id="ada") == before
    memory.add("Ada likes rain", user_id="ada")
    assert len(likes(memory)) == 3


def test_words_embedded_before_others_exchanged_the_vectors_are_not_stored(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_now = memory.parts.store.add

    def add_too_late(*arguments: object, **named: object) -> list[str]:
        reembed(tmp_path / "brain.db", embedder="static")
        return store_now(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(memory.parts.store, "add", add_too_late)
    with pytest.raises(EmbedderMismatchError, match="recollect-static-v2"):
        memory.add("late", user_id="ada")
    with Memory(tmp_path / "brain.db") as renewed:
        assert likes(renewed) == ["Ada likes jazz", "Ada likes tea"]
        assert renewed.maintenance.doctor().problems == ()

"""Processes that write to one store and are killed: nothing acknowledged is lost or doubled."""

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from tempfile import TemporaryFile

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory

_USERS = ("ada", "bob")
_WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from random import Random
from recollect import Memory
place, seed = sys.argv[1], int(sys.argv[2])
chance, mine = Random(seed), []
away = [timedelta(days=chance.choice((0, 0, -400, -1, 30)))]
def clock():
    if chance.random() < 0.001:
        away[0] = timedelta(days=chance.uniform(-400, 30))
    return datetime.now(UTC) + away[0]
with Memory(place, embedder="hashing", clock=clock) as memory:
    for number in range(10**9):
        user = chance.choice(("ada", "bob"))
        verb = chance.random()
        if verb < 0.6 or not mine:
            batch = [f"w{seed}n{number}x{part} likes tea" for part in range(chance.choice((1, 1, 1, 20)))]
            results = memory.add(batch, user_id=user, session_id=f"s{seed}")
            for result, text in zip(results, batch):
                print("add", user, result.id, text, sep="\\t", flush=True)
                mine.append((user, result.id))
        elif verb < 0.75:
            user, one = chance.choice(mine)
            text = f"w{seed}n{number}x0 likes coffee"
            print("may", user, one, text, sep="\\t", flush=True)
            memory.update(one, user_id=user, content=text)
            print("add", user, one, text, sep="\\t", flush=True)
        elif verb < 0.9:
            user, one = mine.pop(chance.randrange(len(mine)))
            print("may", user, one, "", sep="\\t", flush=True)
            memory.delete(one, user_id=user)
            print("del", user, one, "", sep="\\t", flush=True)
        elif verb < 0.93:
            memory.purge(user_id=user)
        else:
            memory.jobs.drain()
"""


def _later() -> datetime:
    """When the leases of killed processes have run out, by the clock that is furthest ahead."""
    return datetime.now(UTC) + timedelta(days=60)


class _Said:
    """What processes acknowledged, line by line: the words of a memory that may be there, and must be."""

    def __init__(self) -> None:
        self.must: dict[tuple[str, str], str | None] = {}
        self.may: dict[tuple[str, str], str] = {}

    def heard(self, line: str) -> None:
        parts = line.removesuffix("\n").split("\t")
        if len(parts) != 4 or not line.endswith("\n"):
            return
        verb, user, memory_id, text = parts
        if verb == "may":
            self.may[user, memory_id] = text
            return
        self.may.pop((user, memory_id), None)
        self.must[user, memory_id] = text if verb == "add" else None


def killed_writers(ground: Ground, chance: Random) -> Figures:
    """Let processes, whose clocks differ and jump, add, change, delete, purge and learn, and kill each."""
    figures = Figures(name="killed writers")
    place = ground.new_store()
    with Memory(place, embedder="hashing"):
        pass
    said = _Said()
    for _ in range(2):
        threads = [
            threading.Thread(target=_run, args=(place, seed, chance.uniform(0.5, 2), said, figures))
            for seed in (chance.getrandbits(30) for _ in range(chance.randint(2, 5)))
        ]
        before = len(said.must)
        for thread in threads:
            thread.start()
        if place.startswith("postgresql:"):
            while len(said.must) == before and any(thread.is_alive() for thread in threads):
                time.sleep(0.01)  # the processes take a second to start
            time.sleep(chance.uniform(0, 0.3))
            figures.counts["connections ended"] += end_connections(place)
        for thread in threads:
            thread.join()
        figures.counts["kills"] += len(threads)
    _compare(place, said, figures)
    return figures


def end_connections(place: str) -> int:
    """Have PostgreSQL end every connection of the role; returns how many there were."""
    import psycopg

    with psycopg.connect(place, autocommit=True) as db:
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user"
        return len(db.execute(f"{ended} AND pid <> pg_backend_pid()".encode()).fetchall())


def _run(place: str, seed: int, for_s: float, said: _Said, figures: Figures) -> None:
    command = [sys.executable, "-c", _WRITER, place, str(seed)]
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,  # noqa: S603 - our own code
    ):
        assert process.stdout is not None
        said.heard(process.stdout.readline())
        threading.Timer(for_s, process.kill).start()
        for line in process.stdout:
            said.heard(line)
        was_killed = process.wait() == -signal.SIGKILL
        errors.seek(0)
        *_, last = errors.read().splitlines() or [""]
        is_cut = place.startswith("postgresql:") and last.startswith("recollect.errors.Store")
        figures.check(was_killed or is_cut, f"a writer ended by itself: {last}")


def _compare(place: str, said: _Said, figures: Figures) -> None:
    figures.counts["acknowledged"] += len(said.must)
    with Memory(place, embedder="hashing", clock=_later) as memory:
        memory.jobs.drain()
        problems = memory.maintenance.doctor().problems
        figures.check(problems == (), problems)
        for user in _USERS:
            every = memory.get_all(user_id=user, kinds=["message"])
            found = {one.id: one.content for one in every}
            doubled = [text for text, times in Counter(found.values()).items() if times > 1]
            figures.check(not doubled, f"stored twice: {doubled[:3]}")
            wrong = [key for key, text in _expected(said, user) if found.get(key) not in text]
            figures.check(not wrong, f"lost, or not as acknowledged: {wrong[:3]}")


def _expected(said: _Said, user: str) -> list[tuple[str, set[str | None]]]:
    """For each memory the words it may have now; None stands for deleted."""
    return [
        (key[1], {text} | ({said.may[key] or None} if key in said.may else set()))
        for key, text in said.must.items()
        if key[0] == user
    ]

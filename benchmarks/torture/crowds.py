"""Crowds: forks, more threads than connections, and what many adds take."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.torture.figures import Figures, Ground
from benchmarks.torture.processes import end_connections
from recollect import Memory
from recollect.errors import StoreError

_FORKS: Final = 6
_ADDS: Final = 15
_THREADS: Final = 24
"""More than the connections of a pool."""
_CROWD_S: Final = 3.0
_GROWING: Final = """
import json, sys, time
from pathlib import Path
from recollect import Memory
place, adds, seed = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
started = time.monotonic()
with Memory(place, embedder="hashing") as memory:
    for number in range(adds):
        said = [f"turn {seed} {number} {part} about rain, tea and Rome" for part in range(100)]
        memory.add(said, user_id=f"user{number % 100}", session_id=f"s{number}")
        if number + 1 in (adds // 2, adds):
            memory.search("tea in Rome", user_id="user7")
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            took_s, started = time.monotonic() - started, time.monotonic()
            print(json.dumps({"file": place.stat().st_size, "held": pages * 4096, "s": took_s}), flush=True)
"""
_BATCHES: Final = 100
"""Adds of a hundred turns in a round of ``growth``; a round of ``million`` has a hundred times as many."""
_MOST_GROWN: Final = 40_000_000
"""Bytes that a process may hold more after the second half of its adds: the caches take 16 MB."""


_FORKING: Final = """
import os, sys
from recollect import Memory
from recollect.errors import StoreError
REFUSED = 7
place, forks, adds, is_held = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "held"
memory = Memory(place, embedder="hashing")
memory.add("before", user_id="ada")
if not is_held:
    memory.close()

def add(child):
    with Memory(place, embedder="hashing") as memory:
        for number in range(adds):
            memory.add(f"child {child} says {number}", user_id="ada")

children = []
for child in range(forks):
    if (pid := os.fork()) == 0:
        try:
            add(child)
        except StoreError as error:
            os._exit(REFUSED if "forked" in str(error) else 1)
        os._exit(0)
    children.append(pid)
if is_held:
    memory.add("beside", user_id="ada")
    memory.close()
add(forks)
print(*(os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in children))
"""
_REFUSED: Final = 7
"""The exit code of a child that was told to open no file that its parent has open."""


def forks(ground: Ground, chance: Random) -> Figures:
    """Fork a process that used a store, or uses it still; it and its children add: all words are there once.

    A child is refused a file that its parent has open, and nothing of it is lost by that.
    """
    figures = Figures(name="forks")
    place, number = ground.new_store(), chance.randint(2, _FORKS)
    is_held = chance.random() < 0.5
    how = "held" if is_held else "closed"
    command = [sys.executable, "-c", _FORKING, place, str(number), str(_ADDS), how]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    codes = [int(one) for one in done.stdout.split()]
    wanted = _REFUSED if is_held and "://" not in place else 0
    figures.check(codes == [wanted] * number, f"a fork ended with {codes}: {done.stderr[-500:]}")
    figures.counts["forks"] += number
    figures.counts["refused"] += codes.count(_REFUSED)
    adding = [*(child for child, code in enumerate(codes) if code == 0), number]
    expected = ["before", *["beside"] * is_held]
    expected += [f"child {one} says {n}" for one in adding for n in range(_ADDS)]
    with Memory(place, embedder="hashing") as memory:
        found = [one.content for one in memory.get_all(user_id="ada", kinds=["message"])]
        figures.check(memory.maintenance.doctor().problems == (), "damage after forks")
    figures.counts["acknowledged"] += len(expected)
    figures.check(sorted(found) == sorted(expected), "lost or doubled beside forks")
    return figures


def _write(memory: Memory, who: str, done: list[str], is_over: Callable[[], bool]) -> None:
    number = 0
    while not is_over():
        number += 1
        try:
            memory.add(f"{who} says {number}", user_id="ada")
        except StoreError:
            continue
        done.append(f"{who} says {number}")


def full_pool(ground: Ground, chance: Random) -> Figures:
    """Call from more threads than there are connections while these are ended, and go on."""
    figures = Figures(name="full pool, ended connections")
    place = ground.new_store()
    said: list[str] = []
    with Memory(place, embedder="hashing") as memory, ThreadPoolExecutor(_THREADS) as pool:
        until = time.monotonic() + _CROWD_S
        writers = [
            pool.submit(_write, memory, f"thread {one}", said, lambda: time.monotonic() > until)
            for one in range(_THREADS)
        ]
        while time.monotonic() < until:
            time.sleep(chance.uniform(0.05, 0.5))
            figures.counts["connections ended"] += end_connections(place)
        for writer in writers:
            writer.result()
        memory.add("the last", user_id="ada")
        seen = set(pool.map(lambda _: len(memory.get_all(user_id="ada")), range(_THREADS)))
        found = [one.content for one in memory.get_all(user_id="ada", kinds=["message"])]
    figures.counts["acknowledged"] += len(said)
    figures.check(len(seen) == 1, f"connections see {seen}")
    figures.check(set(found).issuperset([*said, "the last"]), "lost in a full pool")
    return figures


def growth(ground: Ground, chance: Random) -> Figures:
    """Add ten thousand turns: a turn takes no more of the file in the second half, and nothing is held."""
    return _grown(Figures(name="memory and file size over adds"), ground, chance, _BATCHES)


def million(ground: Ground, chance: Random) -> Figures:
    """The same with a million turns of a hundred users in one file: some minutes."""
    return _grown(Figures(name="memory and file size over a million adds"), ground, chance, 100 * _BATCHES)


def _grown(figures: Figures, ground: Ground, chance: Random, batches: int) -> Figures:
    place = Path(ground.folder, "grown.db")
    command = [sys.executable, "-c", _GROWING, str(place), str(batches), str(chance.getrandbits(20))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    half, whole = map(json.loads, done.stdout.splitlines())
    figures.counts["adds"] += 100 * batches
    figures.counts["bytes of files"] += whole["file"]
    figures.counts["bytes held more"] += max(0, whole["held"] - half["held"])
    figures.counts["seconds of the first half"] += round(half["s"])
    figures.counts["seconds of the second"] += round(whole["s"])
    figures.check(whole["file"] < 2.5 * half["file"], f"the file grew: {half}, {whole}")
    figures.check(whole["held"] < half["held"] + _MOST_GROWN, f"more is held: {half}, {whole}")
    return figures

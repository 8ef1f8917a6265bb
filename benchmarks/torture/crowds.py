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
import json, sys
from pathlib import Path
from recollect import Memory
place, adds, seed = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with Memory(place, embedder="hashing") as memory:
    for number in range(adds):
        said = [f"turn {seed} {number} {part} about rain, tea and Rome" for part in range(100)]
        memory.add(said, user_id="ada", session_id=f"s{number}")
        if number + 1 in (adds // 2, adds):
            memory.search("tea in Rome", user_id="ada")
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            print(json.dumps({"file": place.stat().st_size, "held": pages * 4096}), flush=True)
"""
_BATCHES: Final = 100
"""Adds of a hundred turns in a round: 60 rounds are more than half a million."""
_MOST_GROWN: Final = 40_000_000
"""Bytes that a process may hold more after the second half of its adds: shadow and caches take 16 MB."""


_FORKING: Final = """
import os, sys
from recollect import Memory
place, forks, adds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with Memory(place, embedder="hashing") as memory:
    memory.add("before", user_id="ada")
children = []
for child in range(forks):
    if (pid := os.fork()) == 0:
        with Memory(place, embedder="hashing") as memory:
            for number in range(adds):
                memory.add(f"child {child} says {number}", user_id="ada")
        os._exit(0)
    children.append(pid)
with Memory(place, embedder="hashing") as memory:
    for number in range(adds):
        memory.add(f"child {forks} says {number}", user_id="ada")
sys.exit(any(os.waitpid(one, 0)[1] for one in children))
"""


def forks(ground: Ground, chance: Random) -> Figures:
    """Fork a process that used a store; it and its children open it and add: all words are there once."""
    figures = Figures(name="forks")
    place, number = ground.new_store(), chance.randint(2, _FORKS)
    command = [sys.executable, "-c", _FORKING, place, str(number), str(_ADDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    figures.check(done.returncode == 0, f"a fork failed: {done.stderr[-500:]}")
    figures.counts["forks"] += number
    expected = ["before", *(f"child {one} says {n}" for one in range(number + 1) for n in range(_ADDS))]
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
    figures = Figures(name="memory and file size over adds")
    place = Path(ground.folder, "grown.db")
    command = [sys.executable, "-c", _GROWING, str(place), str(_BATCHES), str(chance.getrandbits(20))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    half, whole = map(json.loads, done.stdout.splitlines())
    figures.counts["adds"] += 100 * _BATCHES
    figures.counts["bytes of files"] += whole["file"]
    figures.counts["bytes held more"] += max(0, whole["held"] - half["held"])
    figures.check(whole["file"] < 2.5 * half["file"], f"the file grew: {half}, {whole}")
    figures.check(whole["held"] < half["held"] + _MOST_GROWN, f"more is held: {half}, {whole}")
    return figures

"""How fast, how small: Recollect on generated texts, next to floors measured in the same run.

Every part runs in a fresh process, on one thread. See ``generate`` for the texts.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.generate import questions, texts
from recollect_bench.provenance import provenance

QUESTIONS: Final = 500
"""New questions per size."""
ABOUT: Final = 20_000
"""Questions are about the first so many texts; where a text stands does not matter to a search."""
USERS: Final = 100
MEMORIES_PER_USER: Final = 1_000
SINGLE_ADDS: Final = 300
SINGLE_ADDS_AT: Final = 10_000
LARGEST_CALL: Final = 100_000
PROCESSES: Final = 9

HOW: Final = (
    "Seeded texts of about 20 words in sessions of 20 turns by two named people (benchmarks/generate.py)."
    " Every part in a process of its own, on one thread. Search: top 10, default settings but the static "
    "embedder, every question new, embedding and reading the records included, after the first search; "
    "the first search is timed from opening the file, which the system has in its cache. Memory is the "
    "process's peak, with Python and NumPy. Adding is durable: every add is flushed to the disk before it"
    " returns. Floors: a float32 NumPy product with the ten largest, and bm25s, over the same texts and "
    "questions."
)

_WITHOUT_BYTECODE: Final = "PYTHONDONTWRITEBYTECODE"
"""Many containers set it. Every process would then compile all modules again, which no installation does."""
_ONE_THREAD: Final = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}


def run_speed(sizes: Sequence[int], *, with_profile: bool = False) -> dict[str, object]:
    """Measure every size, and what does not depend on it.

    Args:
        sizes: Memories of one user.
        with_profile: Whether to profile the searches too.

    Returns:
        What the JSON file holds.
    """
    made = provenance()
    with tempfile.TemporaryDirectory() as folder:
        runner = _Runner(Path(folder))
        result = {
            "sizes": {str(size): runner.size(size, with_profile=with_profile) for size in sizes},
            "users": runner.users(),
            "ingest": runner.ingest(min(max(sizes), LARGEST_CALL)),
            "starts": starts(),
        }
    return {"benchmark": "speed", "made": made, "how": HOW, **result, "growth": growth(result["sizes"])}


def growth(sizes: Mapping[str, Any]) -> dict[str, float]:
    """How much longer the median search takes from each size to the next.

    >>> growth({"1000": {"search": {"p50_ms": 1.0}}, "10000": {"search": {"p50_ms": 2.5}}})
    {'1000 to 10000': 2.5}
    """
    steps = zip(list(sizes), list(sizes)[1:], strict=False)
    return {
        f"{small} to {large}": round(sizes[large]["search"]["p50_ms"] / sizes[small]["search"]["p50_ms"], 2)
        for small, large in steps
    }


class _Runner:
    """Runs the stages in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def size(self, size: int, *, with_profile: bool) -> dict[str, Any]:
        """One user with so many memories; the file is removed afterwards."""
        db = self._folder / f"{size}.db"
        asked = self._questions(size)
        measured: dict[str, Any] = {
            "write": stage("write_sessions", db=str(db), size=size, users=1),
            "search": stage("search", db=str(db), questions=str(asked)),
            "floors": run_module("benchmarks.floors", json.dumps({"size": size, "questions": str(asked)})),
        }
        if with_profile:
            measured["profile"] = stage("profile", db=str(db), questions=str(asked), statements=25)
        if size == SINGLE_ADDS_AT:
            measured["single_add"] = stage("add_singly", db=str(db), count=SINGLE_ADDS)
            measured["flush"] = stage("flush", folder=str(self._folder), count=SINGLE_ADDS)
        self._remove(db)
        _say(f"{size:>9,} memories: {json.dumps(measured)}")
        return measured

    def users(self) -> dict[str, Any]:
        """Many users in one file."""
        db = self._folder / "users.db"
        size = USERS * MEMORIES_PER_USER
        measured = {
            "write": stage("write_sessions", db=str(db), size=size, users=USERS),
            "search": stage(
                "search_users", db=str(db), questions=str(self._questions(MEMORIES_PER_USER)), users=USERS
            ),
        }
        self._remove(db)
        _say(f"{USERS} users x {MEMORIES_PER_USER:,}: {json.dumps(measured)}")
        return measured

    def ingest(self, size: int) -> dict[str, Any]:
        """Adding in batches of 1,000, and all in one call."""
        measured: dict[str, Any] = {"size": size}
        for name, batch in (("batches_of_1000", 1_000), ("one_call", size)):
            db = self._folder / "ingest.db"
            measured[name] = stage("write_batches", db=str(db), size=size, batch=batch)
            self._remove(db)
        _say(f"ingest of {size:,}: {json.dumps(measured)}")
        return measured

    def _questions(self, size: int) -> Path:
        path = self._folder / f"questions-{size}.json"
        asked = questions(QUESTIONS + 1, about=texts(min(size, ABOUT), seed=0), seed=1)
        path.write_text(json.dumps(asked), encoding="utf-8")
        return path

    def _remove(self, db: Path) -> None:
        for path in self._folder.glob(f"{db.name}*"):
            path.unlink()


def starts() -> dict[str, float | None]:
    """Medians over fresh processes: importing Recollect, its command's help, and Python alone."""
    return {
        "import_s": _import_time("import recollect"),
        "import_memory_s": _import_time("from recollect import Memory"),
        "python_s": _median([_wall([sys.executable, "-c", "pass"]) for _ in range(PROCESSES)]),
        "cli_help_s": _cli_help(),
    }


def _import_time(statement: str) -> float:
    program = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    return _median([float(_output([sys.executable, "-c", program])) for _ in range(PROCESSES)])


def _cli_help() -> float | None:
    command = Path(sys.executable).with_name("recollect")
    if not command.exists() or _done([str(command), "--help"]).returncode:
        return None
    return _median([_wall([str(command), "--help"]) for _ in range(PROCESSES)])


def stage(name: str, **arguments: object) -> dict[str, Any]:
    """Run a part in a process of its own."""
    return run_module("benchmarks.stages", name, json.dumps(arguments))


def run_module(module: str, *arguments: str) -> dict[str, Any]:
    measured: dict[str, Any] = json.loads(_output([sys.executable, "-m", module, *arguments]))
    return measured


def _output(command: list[str]) -> str:
    done = _done(command)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} failed:\n{done.stderr}")
    return done.stdout


def _done(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if name != _WITHOUT_BYTECODE
    } | _ONE_THREAD
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603


def _wall(command: list[str]) -> float:
    started = time.perf_counter()
    _done(command)
    return time.perf_counter() - started


def _median(seconds: Sequence[float]) -> float:
    return round(statistics.median(seconds), 4)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

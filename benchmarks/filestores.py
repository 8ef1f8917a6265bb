"""The stores that hold everything in the memory of the process, a JSON file and RDF, beside a SQLite file."""

import gc
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.generate import questions, sessions, texts
from benchmarks.measuring import time_calls
from recollect import Memory
from recollect.memory.maintenance import copy_store
from recollect.stores import open_store
from recollect.types.clock import utc_now
from recollect_bench.provenance import provenance

STORES: Final = {
    "SQLite file": "sqlite:///{}/brain.db",
    "JSON file": "json:///{}/brain.json",
    "RDF in a folder": "oxigraph:///{}/brain",
}
OPENINGS: Final = 7
SEARCHES: Final = 100
WRITES: Final = 50

HOW: Final = (
    "One user's memories, texts and questions as in the speed benchmark; a SQLite file is filled and copied "
    f"into the others with `recollect copy`. Opened: the median of {OPENINGS} openings of a closed store in "
    "a running process, all memories read where the store holds them in memory. "
    f"{SEARCHES} searches; {WRITES} durable `add` and `feedback` of one memory each. Closed: after these "
    "writes. Processor: the process's own time, which leaves out what other programs took."
)


def run_filestores(*, size: int = 10_000) -> dict[str, object]:
    """Measure each store with ``size`` memories; returns what the JSON file holds."""
    made = provenance()
    with tempfile.TemporaryDirectory() as folder:
        places = {name: url.format(folder) for name, url in STORES.items()}
        first = places["SQLite file"]
        with Memory(first, embedder="static") as memory:
            for session in sessions(size // 20, seed=1):
                memory.add(session.messages, user_id="me", session_id=session.id)
        found = {name: _measured(place, first, Path(folder), size) for name, place in places.items()}
    return {"benchmark": "filestores", "made": made, "how": HOW, "size": size, "stores": found}


def _measured(place: str, first: str, folder: Path, size: int) -> dict[str, Any]:
    if place != first:
        copy_store(first, place)
    openings = [_timed(lambda: open_store(place, clock=utc_now).close()) for _ in range(OPENINGS)]
    found: dict[str, Any] = {"open": _medians(openings), "bytes_per_memory": _bytes(place, folder) / size}
    asked = questions(SEARCHES, about=texts(size, seed=1), seed=2)
    with closing(Memory(place)) as memory:
        found["first_search"] = _timed(lambda: memory.search(asked[0], user_id="me"))
        found["search"] = time_calls(lambda question: memory.search(question, user_id="me"), asked)
        ids = [record.id for record in memory.get_all(user_id="me", limit=WRITES)]
        said = [f"something new {number}" for number in range(WRITES)]
        found["add"] = time_calls(lambda words: memory.add(words, user_id="me"), said)
        found["use"] = time_calls(lambda memory_id: memory.use(memory_id, useful=True, user_id="me")[0], ids)
        found["close"] = _timed(memory.close)
    return found


def _timed(call: Callable[[], object]) -> dict[str, float]:
    gc.collect()
    worked, started = time.process_time(), time.perf_counter()
    call()
    return {"s": time.perf_counter() - started, "cpu_s": time.process_time() - worked}


def _medians(times: list[dict[str, float]]) -> dict[str, float]:
    return {name: median(one[name] for one in times) for name in times[0]}


def _bytes(place: str, folder: Path) -> int:
    """What a closed store takes on the disk, with what lies beside it."""
    name = Path(place.partition(":///")[2]).name
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files if _belongs(path.relative_to(folder), name))


def _belongs(path: Path, name: str) -> bool:
    return path.parts[0] in (name, f"{name}-log")

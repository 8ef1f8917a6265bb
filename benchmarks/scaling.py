"""What one operation and one memory cost, measured for ``scale``: processor time and bytes, not waiting.

With the default embedder, as a new installation has it. Processor times include what the process does beside
the operation; they grow when other work shares the caches, which the load average tells.
"""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import psycopg

from benchmarks.client import serving_store
from benchmarks.generate import questions, texts
from benchmarks.load.drive import drive
from benchmarks.load.outcome import figures
from benchmarks.load.people import Person
from benchmarks.load.plan import OPERATIONS, Plan
from benchmarks.load.target import Target
from benchmarks.postgres import running_postgres
from recollect import Memory
from recollect_bench.provenance import provenance

USERS, EACH = 5, 1_000
SECONDS: Final = 10
ADDS: Final = 200
ROUNDS: Final = 10
"""How often each user's shadow is read."""
_T = TypeVar("_T")
_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")

HOW: Final = (
    "Five users of 1,000 memories, the default embedder. HTTP: one client asks `recollect serve --no-worker` "
    "for one operation after the other; the process's processor time by what it did. PostgreSQL 18 on "
    "the same machine: processor times of the client and of all processes of the server for single adds, and "
    "for searches that read the shadow first; bytes of tables and indexes."
)


def run_scaling(
    *, users: int = USERS, each: int = EACH, seconds: float = SECONDS, adds: int = ADDS
) -> dict[str, object]:
    """Measure the costs; returns what the JSON file holds."""
    made = provenance()
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "m.db"
        people = _filled(str(db), users, each)
        with serving_store(db) as server:
            http = {name: _cost(Target(url=server.url), people, name, seconds) for name in OPERATIONS}
    return {
        "benchmark": "scaling",
        "made": made,
        "how": HOW,
        "users": users,
        "each": each,
        "http": http,
        "postgres": _postgres(users, each, adds),
    }


def _filled(store: str, users: int, each: int) -> list[Person]:
    said, people = texts(users * each, seed=3), []
    with Memory(store) as memory:
        for number in range(users):
            own, user_id = said[number * each : (number + 1) * each], f"user-{number}"
            memory.add(own, user_id=user_id, session_id="s0")
            people.append(Person(user_id=user_id, questions=questions(50, about=own, seed=number)))
    return people


def _cost(target: Target, people: list[Person], operation: str, seconds: float) -> dict[str, float]:
    plan = Plan(mix={operation: 1}, clients=1, seconds=seconds, warm_up_s=seconds / 5)
    found = figures(drive(target, plan, people))
    times = found["operations"][operation]
    cpu_ms = 1_000 * found["server"]["cores"] / times["per_second"]
    return {"cpu_ms": round(cpu_ms, 3), "process_mb": found["server"]["first_mb"]}


def _postgres(users: int, each: int, adds: int) -> dict[str, Any]:
    with running_postgres() as server:
        url = server.new("scaling")
        people = _filled(url, users, each)
        with psycopg.connect(server.url, autocommit=True) as db:
            (size,) = db.execute(_SIZE).fetchone() or (0,)
        with Memory(url) as memory:

            def search_anew(one: Person) -> None:
                memory.parts.recall.forget()
                memory.search(one.questions[0], user_id=one.user_id)

            def add(text: str) -> None:
                memory.add(text, user_id="user-0")

            loaded = _spent(server.folder, search_anew, people * ROUNDS)
            added = _spent(server.folder, add, texts(adds, seed=4))
    return {"bytes_per_memory": round(float(size) / (users * each), 1), "first_search": loaded, "add": added}


_SIZE: Final = """
SELECT sum(pg_total_relation_size(c.oid))::float8 FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = 'scaling' AND c.relkind = 'r'
"""


def _spent(folder: Path, call: Callable[[_T], object], arguments: Sequence[_T]) -> dict[str, float]:
    """The processor time of a call here and in the server, in milliseconds, after a first one."""
    call(arguments[0])
    here, there = time.process_time(), _cpu_s(folder)
    for argument in arguments:
        call(argument)
    time.sleep(1)  # the server writes its files behind
    spent = {"client_cpu_ms": time.process_time() - here, "server_cpu_ms": _cpu_s(folder) - there}
    return {name: round(1_000 * seconds / len(arguments), 3) for name, seconds in spent.items()}


def _cpu_s(folder: Path) -> float:
    """The processor time of a PostgreSQL server: all its processes, those that ended included."""
    first = int((folder / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
    spent = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended meanwhile
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
            own, ended = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
            spent += own + ended if path.parent.name == str(first) else own if int(fields[1]) == first else 0
    return spent * _TICK_S

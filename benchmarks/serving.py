"""The server over loopback: searches at two rates, a crowd, streams of answers, and memory over time.

Only 127.0.0.1 is asked, a bounded number of times.
"""

import http.client
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from benchmarks.client import COMMAND, Client, serving_store
from benchmarks.generate import questions, texts
from benchmarks.load.drive import drive
from benchmarks.load.outcome import figures
from benchmarks.load.people import Person
from benchmarks.load.plan import Plan
from benchmarks.load.target import Target
from benchmarks.measuring import milliseconds, time_calls
from benchmarks.streams import AT_ONCE, run_streams
from benchmarks.targets import BUSY_RATE
from recollect import Memory
from recollect_bench.provenance import provenance

RATE: Final = 50
"""Searches a second of a server with time to spare."""
SECONDS: Final = 20
CLIENTS: Final = 8
BUSY_CLIENTS: Final = 32
SOAK_S: Final = 60
MEMORY_S: Final = 900
MIX: Final = {"search": 8, "context": 1, "turn": 1}
"""While its memory is watched, at ``RATE``: five memories are added a second."""
QUESTIONS: Final = 500
ABOUT: Final = 20_000
USERS, EACH = 100, 1_000
SHAKES: Final = 5
_USER: Final = "speed"

HOW: Final = (
    "`recollect serve --no-worker` in a process of its own, asked over loopback by a process on the same "
    "machine, on connections that stay open. Search: a steady number of new questions a second, top 10, each "
    "timed from the moment it was due, so that waiting counts: of the one large user, and of many users. "
    "Beside it the same questions asked of `Memory` in process. The crowd: eight clients of four users, each "
    "adding a turn and searching by turns; at the end everything that was acknowledged is looked for. "
    "Streams: 64 users chat at once with a made-up model that says 20 words a second. Memory: what "
    "`/metrics` tells while all users search and chat; the slope is of a straight line. MCP: from starting "
    "the process to the answered handshake."
)


def run_serving(
    *,
    size: int = 100_000,
    users: int = USERS,
    each: int = EACH,
    seconds: float = SECONDS,
    soak_s: float = SOAK_S,
    memory_s: float = MEMORY_S,
    at_once: int = AT_ONCE,
) -> dict[str, object]:
    """Measure the server.

    Args:
        size: Memories of the large user who is searched.
        users: Other users.
        each: Memories of each of them.
        seconds: How long searches come at a steady rate.
        soak_s: How long the crowd works.
        memory_s: How long its memory is watched.
        at_once: Answers that are streamed at once.

    Returns:
        What the JSON file holds.
    """
    made = provenance()
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "m.db"
        large, many = _fill(db, size, users, each)
        with Memory(db, embedder="static") as memory:
            memory.search(large.questions[0], user_id=_USER)
            library = time_calls(lambda one: memory.search(one, user_id=_USER), large.questions)
        found: dict[str, Any] = {"size": size, "rate": RATE, "library": library}
        found["users"] = {"users": users, "each": each}
        with serving_store(db) as server:
            target = Target(url=server.url)
            found["http"] = _searches(target, [large], RATE, seconds)
            found["busy"] = _searches(target, [large], BUSY_RATE, seconds)
            found["users"]["busy"] = _searches(target, many, BUSY_RATE, seconds)
            found["crowd"] = _crowd(server.url, large.questions, soak_s)
        found["streams"] = run_streams(db, many[0], at_once=at_once)
        with serving_store(db) as server:
            found["memory"] = _watched(Target(url=server.url), [large, *many], memory_s)
        found["mcp"] = {"handshake_s": round(min(_handshake(Path(folder)) for _ in range(SHAKES)), 3)}
    return {"benchmark": "serving", "made": made, "how": HOW, **found}


def _fill(db: Path, size: int, users: int, each: int) -> tuple[Person, list[Person]]:
    """Store what is searched; returns the large user and the others, with their questions."""
    said = texts(max(size, users * each), seed=1)
    large = Person(user_id=_USER, questions=questions(QUESTIONS, about=said[: min(size, ABOUT)], seed=2))
    many = []
    with Memory(db, embedder="static") as memory:
        for start in range(0, size, 1_000):
            memory.add(said[start : min(start + 1_000, size)], user_id=_USER, session_id=f"s{start}")
        for number in range(users):
            own, user_id = said[number * each : (number + 1) * each], f"user-{number}"
            memory.add(own, user_id=user_id, session_id="s0")
            many.append(Person(user_id=user_id, questions=questions(20, about=own, seed=number)))
    return large, many


def _searches(target: Target, people: Sequence[Person], rate: float, seconds: float) -> dict[str, Any]:
    """Searches at a steady rate, after one of each user."""
    with target.connect() as client:
        for one in people:
            client.search(one.questions[0], user_id=one.user_id)
    clients = BUSY_CLIENTS if rate == BUSY_RATE else CLIENTS
    plan = Plan(mix={"search": 1}, clients=clients, rate=rate, seconds=seconds, warm_up_s=1)
    found = figures(drive(target, plan, people))
    times = found["operations"].get("search", {})
    return {
        **{name: found[name] for name in ("requests", "errors", "unsent", "per_second")},
        "cores": found["server"]["cores"],
        **{share: times.get(share) for share in ("p50_ms", "p95_ms", "p99_ms")},
    }


def _watched(target: Target, people: Sequence[Person], seconds: float) -> dict[str, Any]:
    """The server's memory while everybody searches and chats without a model."""
    plan = Plan(mix=MIX, clients=CLIENTS, rate=RATE, seconds=seconds, warm_up_s=seconds / 5)
    found = figures(drive(target, plan, people))
    added = found["operations"].get("turn", {}).get("count", 0)
    kept = ("seconds", "requests", "errors", "unsent", "per_second", "errors_by_kind", "server")
    return {"added": added, **{name: found[name] for name in kept}}


def _crowd(url: str, asked: Sequence[str], seconds: float) -> dict[str, Any]:
    """Clients that add and search at once; what they were told is stored must be there."""
    until = time.perf_counter() + seconds

    def work(number: int) -> tuple[list[str], int, list[float], list[float]]:
        ids: list[str] = []
        added: list[float] = []
        searched: list[float] = []
        errors = turn = 0
        user = f"crowd-{number % 4}"
        with Client(url) as client:
            while (start := time.perf_counter()) < until:
                words = f"Client {number} says {asked[turn % len(asked)]}"
                told = client.ask("POST", "/memories", {"messages": words, "user_id": user})
                middle = time.perf_counter()
                errors += told.status != http.client.CREATED
                ids += [one["id"] for one in told.body.get("results", [])]
                found = client.search(words, user_id=user)
                errors += found.status != http.client.OK or not found.body["results"]
                added.append(middle - start)
                searched.append(time.perf_counter() - middle)
                turn += 1
        return ids, errors, added, searched

    with ThreadPoolExecutor(CLIENTS) as pool:
        done = list(pool.map(work, range(CLIENTS)))
    kept = {memory_id for number in range(4) for memory_id in _ids(url, f"crowd-{number}")}
    ids = [memory_id for each in done for memory_id in each[0]]
    return {
        "clients": CLIENTS,
        "seconds": seconds,
        "added": len(ids),
        "errors": sum(each[1] for each in done),
        "lost": len(set(ids) - kept),
        "doubled": len(kept) - len(set(ids)),
        "add": milliseconds([one for each in done for one in each[2]]),
        "search": milliseconds([one for each in done for one in each[3]]),
    }


def _ids(url: str, user: str) -> Iterator[str]:
    """Every memory of a user, page by page."""
    cursor: str | None = ""
    with Client(url) as client:
        while cursor is not None:
            more = f"&cursor={cursor}" if cursor else ""
            page = client.ask("GET", f"/memories?kind=message&user_id={user}&limit=1000{more}").body
            yield from (one["id"] for one in page["items"])
            cursor = page["next_cursor"]


def _handshake(folder: Path) -> float:
    """Seconds from starting the MCP server to its answered handshake."""
    wants = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": wants}
    command = [COMMAND, "mcp", "--db", str(folder / "mcp.db")]
    start = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(hello).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        took = time.perf_counter() - start
        process.stdin.close()
    return took

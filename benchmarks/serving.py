"""The server over loopback: search at a steady rate, and clients that add and search at once.

Only 127.0.0.1 is asked, a bounded number of times.
"""

import http.client
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from benchmarks.generate import questions, texts
from benchmarks.measuring import milliseconds, time_calls
from recollect import Memory
from recollect_bench.provenance import provenance

RATE: Final = 50
"""Searches a second; the issue of a steady load, not of a burst."""
SECONDS: Final = 20
CLIENTS: Final = 8
SOAK_S: Final = 60
QUESTIONS: Final = 500
ABOUT: Final = 20_000
SHAKES: Final = 5
_USER: Final = "speed"
_COMMAND: Final = str(Path(sys.executable).with_name("recollect"))

HOW: Final = (
    "`recollect serve --no-worker` in a process of its own, asked over loopback by a process on the same "
    "machine, on "
    "connections that stay open. Search: a steady number of new questions a second, top 10, each timed from "
    "the moment it was due, so that waiting counts. Beside it the same questions asked of `Memory` in "
    "process. The crowd: eight clients of four users, each adding a turn and searching by turns; at the end "
    "everything that was acknowledged is looked for. MCP: from starting the process to the answered "
    "handshake."
)


def run_serving(
    *, size: int = 100_000, seconds: float = SECONDS, soak_s: float = SOAK_S
) -> dict[str, object]:
    """Measure the server.

    Args:
        size: Memories of the user who is searched.
        seconds: How long searches come at the steady rate.
        soak_s: How long the crowd works.

    Returns:
        What the JSON file holds.
    """
    made = provenance()
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "m.db"
        asked = _fill(db, size)
        with Memory(db, embedder="static") as memory:
            memory.search(asked[0], user_id=_USER)
            library = time_calls(lambda one: memory.search(one, user_id=_USER), asked)
        with serving_store(db) as server:
            steady = _steady(server.port, asked, seconds)
            crowd = _crowd(server.port, asked, soak_s)
        return {
            "benchmark": "serving",
            "made": made,
            "how": HOW,
            "size": size,
            "rate": RATE,
            "library": library,
            "http": steady,
            "crowd": crowd,
            "mcp": {"handshake_s": round(min(_handshake(Path(folder)) for _ in range(SHAKES)), 3)},
        }


def _fill(db: Path, size: int) -> list[str]:
    said = texts(size, seed=1)
    with Memory(db, embedder="static") as memory:
        for start in range(0, size, 1_000):
            memory.add(said[start : start + 1_000], user_id=_USER, session_id=f"s{start}")
    return questions(QUESTIONS, about=said[:ABOUT], seed=2)


class Served(NamedTuple):
    """A server that is ready."""

    port: int
    process: "subprocess.Popen[bytes]"


@contextmanager
def serving_store(db: Path) -> Iterator[Served]:
    """Serve a store in a process of its own."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    command = [
        _COMMAND,
        "serve",
        "--no-worker",
        "--db",
        str(db),
        "--port",
        str(port),
        "--log-level",
        "warning",
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own command
        try:
            while not _is_ready(port):
                if process.poll() is not None:
                    raise RuntimeError("the server did not start")
                time.sleep(0.05)
            yield Served(port, process)
        finally:
            process.terminate()


def _is_ready(port: int) -> bool:
    try:
        with LocalClient(port) as client:
            return client.ask("GET", "/ready")[0] == http.client.OK
    except OSError:
        return False


class LocalClient:
    """One connection to the server."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status of an answer, and its JSON."""
        headers = {"Content-Type": "application/json"}
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        return answer.status, json.loads(answer.read())

    def search(self, query: str, *, user_id: str = _USER) -> tuple[int, Any]:
        """Search over the server."""
        return self.ask("POST", "/search", {"query": query, "user_id": user_id})


def _steady(port: int, asked: Sequence[str], seconds: float) -> dict[str, Any]:
    """Searches at a steady rate; each waits for its time, and for a free client."""
    with LocalClient(port) as first:
        first.search(asked[0])
    begun = time.perf_counter() + 0.1

    def work(number: int) -> list[tuple[float, bool]]:
        done = []
        with LocalClient(port) as client:
            for turn in range(number, int(RATE * seconds), CLIENTS):
                due = begun + turn / RATE
                time.sleep(max(0.0, due - time.perf_counter()))
                status, _ = client.search(asked[turn % len(asked)])
                done.append((time.perf_counter() - due, status == http.client.OK))
        return done

    with ThreadPoolExecutor(CLIENTS) as pool:
        took = [one for done in pool.map(work, range(CLIENTS)) for one in done]
    errors = sum(not fine for _, fine in took)
    return {"requests": len(took), "errors": errors, **milliseconds([one for one, _ in took])}


def _crowd(port: int, asked: Sequence[str], seconds: float) -> dict[str, Any]:
    """Clients that add and search at once; what they were told is stored must be there."""
    until = time.perf_counter() + seconds

    def work(number: int) -> tuple[list[str], int, list[float], list[float]]:
        ids: list[str] = []
        added: list[float] = []
        searched: list[float] = []
        errors = turn = 0
        user = f"crowd-{number % 4}"
        with LocalClient(port) as client:
            while (start := time.perf_counter()) < until:
                words = f"Client {number} says {asked[turn % len(asked)]}"
                status, told = client.ask("POST", "/memories", {"messages": words, "user_id": user})
                middle = time.perf_counter()
                errors += status != http.client.CREATED
                ids += [one["id"] for one in told.get("results", [])]
                status, found = client.search(words, user_id=user)
                errors += status != http.client.OK or not found["results"]
                added.append(middle - start)
                searched.append(time.perf_counter() - middle)
                turn += 1
        return ids, errors, added, searched

    with ThreadPoolExecutor(CLIENTS) as pool:
        done = list(pool.map(work, range(CLIENTS)))
    kept = {memory_id for number in range(4) for memory_id in _ids(port, f"crowd-{number}")}
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


def _ids(port: int, user: str) -> Iterator[str]:
    """Every memory of a user, page by page."""
    cursor: str | None = ""
    with LocalClient(port) as client:
        while cursor is not None:
            more = f"&cursor={cursor}" if cursor else ""
            page = client.ask("GET", f"/memories?kind=message&user_id={user}&limit=1000{more}")[1]
            yield from (one["id"] for one in page["items"])
            cursor = page["next_cursor"]


def _handshake(folder: Path) -> float:
    """Seconds from starting the MCP server to its answered handshake."""
    wants = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": wants}
    command = [_COMMAND, "mcp", "--db", str(folder / "mcp.db")]
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

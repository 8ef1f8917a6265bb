"""Recollect beside the least that does its work: FTS5 and a NumPy product, on the same texts, in one run.

The floor keeps words in SQLite and FTS5, vectors by the same embedder in one ``float32`` array a user, and
adds up two rank scores. It labels nothing, keeps no history and checks nothing. Every measure runs in a
process of its own, on one thread: ``python -m benchmarks.floor '{"system": "floor", "size": 1000, ...}'``.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import apsw
import numpy as np

from benchmarks.generate import questions, texts
from benchmarks.measuring import Stopwatch, milliseconds, time_calls
from benchmarks.speed import run_module, starts
from recollect import Memory
from recollect.embedders import open_embedder
from recollect.text.analyse import Analyser
from recollect_bench.provenance import provenance

BATCH: Final = 1_000
TURNS: Final = 200
"""New questions, turns and single adds a size."""
LONG: Final = 300
"""Long messages, of 23 texts in lines, one in four of them an item of a list: some 2,800 characters."""
SHAPES: Final = ((1_000, 1), (10_000, 1), (100_000, 1), (100_000, 100))
"""Memories in all, and users."""
HOW: Final = (
    "The floor: SQLite with FTS5, a float32 NumPy product over vectors by the same embedder, the sum of two "
    "rank scores; no labels, no history, no checks. Seeded texts of about 20 words, in batches of 1,000; "
    "every call is durable. A turn is a search and then an add, after a first search of every user. Long "
    "messages have some 2,800 characters. Both in the same run, each in a process of its own, one thread."
)


class System(Protocol):
    """What is compared."""

    def add(self, words: Sequence[str], user: str) -> object:
        """Store texts durably, in one call."""

    def search(self, question: str, user: str) -> object:
        """Find the ten best."""


class Floor:
    """FTS5 and NumPy."""

    def __init__(self, path: str) -> None:
        self._db = apsw.Connection(path)
        self._db.execute("PRAGMA journal_mode = wal")
        self._db.execute("PRAGMA synchronous = full")
        self._db.execute(
            "CREATE TABLE memories (key INTEGER PRIMARY KEY, user TEXT, words TEXT, vector BLOB)"
        )
        self._db.execute("CREATE VIRTUAL TABLE indexed USING fts5 (user, stems)")
        self._embedder, self._analyser = open_embedder("static"), Analyser()
        self._keys: dict[str, list[int]] = {}
        self._vectors: dict[str, np.ndarray[Any, Any]] = {}
        self._key = 0

    def add(self, words: Sequence[str], user: str) -> object:
        """See ``System.add``."""
        vectors = self._embedder.embed_documents(words)
        keys = range(self._key + 1, self._key + 1 + len(words))
        self._key += len(words)
        self._db.execute("BEGIN IMMEDIATE")
        rows = zip(keys, words, vectors, strict=True)
        self._db.executemany(
            "INSERT INTO memories VALUES (?, ?, ?, ?)", [(k, user, w, v.tobytes()) for k, w, v in rows]
        )
        stems = [
            (key, user, " ".join(self._analyser.stems(one))) for key, one in zip(keys, words, strict=True)
        ]
        self._db.executemany("INSERT INTO indexed (rowid, user, stems) VALUES (?, ?, ?)", stems)
        self._db.execute("COMMIT")
        known = self._vectors.get(user)
        self._vectors[user] = vectors if known is None else np.concatenate([known, vectors])
        self._keys.setdefault(user, []).extend(keys)
        return keys

    def search(self, question: str, user: str) -> object:
        """See ``System.search``."""
        cosine = self._vectors[user] @ self._embedder.embed_query(question)
        near = np.argsort(-cosine)[:50].tolist()
        asked = " OR ".join(f'"{stem}"' for stem in self._analyser.query_stems(question))
        sql = "SELECT rowid FROM indexed WHERE indexed MATCH ? ORDER BY rank LIMIT 50"
        worded = [key for (key,) in self._db.execute(sql, (f'user : "{user}" AND stems : ({asked})',))]
        scores: dict[int, float] = {}
        for ranked in (worded, [self._keys[user][place] for place in near]):
            for rank, key in enumerate(ranked):
                scores[key] = scores.get(key, 0) + 1 / (60 + rank)
        best = sorted(scores, key=lambda key: -scores[key])[:10]
        marks = ", ".join("?" * len(best))
        return self._db.execute(f"SELECT key, words FROM memories WHERE key IN ({marks})", best).fetchall()


class Recollect:
    """The product, with the static vectors."""

    def __init__(self, path: str) -> None:
        self._memory = Memory(path, embedder="static")

    def add(self, words: Sequence[str], user: str) -> object:
        """See ``System.add``."""
        return self._memory.add(words if len(words) > 1 else words[0], user_id=user)

    def search(self, question: str, user: str) -> object:
        """See ``System.search``."""
        return self._memory.search(question, user_id=user, top_k=10)


SYSTEMS: Final[dict[str, Callable[[str], System]]] = {"floor": Floor, "recollect": Recollect}


def measure(system: str, size: int, users: int) -> dict[str, float]:
    """Fill a store and ask it, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        made = SYSTEMS[system](str(Path(folder) / "store.db"))
        said = texts(size + 2 * TURNS, seed=0)
        names = [f"user-{number}" for number in range(users)]
        clock, each = Stopwatch(), min(BATCH, size // users)
        for place in range(0, size, each):
            with clock:
                made.add(said[place : place + each], names[place * users // size])
        asked = questions(2 * TURNS + 1, about=said[:20_000], seed=1)
        for name in names:
            made.search(asked[-1], name)
        drawn = [names[place % users] for place in range(0, 7 * TURNS, 7)]
        searched = time_calls(lambda pair: made.search(*pair), list(zip(asked[:TURNS], drawn, strict=True)))
        turns = list(zip(asked[TURNS:], said[size : size + TURNS], drawn, strict=False))
        spent = []
        for question, words, name in turns:
            started = time.perf_counter()
            made.search(question, name)
            made.add([words], name)
            spent.append(time.perf_counter() - started)
        singly = time_calls(lambda words: made.add([words], names[0]), said[size + TURNS :])
        long = ["\n".join(lines_of(said[place : place + 23])) for place in range(LONG)]
        with (slow := Stopwatch()):
            made.add(long, "long")
        return {
            "batches, /s": clock.rates(size)["per_second"],
            "search, ms": searched["p50_ms"],
            "search and add, ms": milliseconds(spent)["p50_ms"],
            "one add, ms": singly["p50_ms"],
            "long messages, /s": slow.rates(LONG)["per_second"],
        }


def lines_of(said: Sequence[str]) -> list[str]:
    """Texts as lines of an answer, every fourth an item of a list."""
    return [f"{place // 4 + 1}. **{one}" if place % 4 == 0 else one for place, one in enumerate(said)]


def run_floor() -> dict[str, object]:
    """Measure both at every size; returns what the JSON file holds."""
    made, rows = provenance(), []
    for size, users in SHAPES:
        both = {
            system: run_module(
                "benchmarks.floor", json.dumps({"system": system, "size": size, "users": users})
            )
            for system in SYSTEMS
        }
        rows.append({"size": size, "users": users, **both})
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return {"benchmark": "floor", "made": made, "how": HOW, "rows": rows, "starts": starts()}


if __name__ == "__main__":
    print(json.dumps(measure(**json.loads(sys.argv[1]))))

"""The parts of the speed benchmark that run in a process of their own.

``python -m benchmarks.stages NAME '{"argument": ...}'`` prints one line of JSON. A fresh process shows
what a first search costs, and its peak memory is that of one part alone.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.floors import numpy_floor
from benchmarks.generate import TURNS_PER_SESSION, sessions, texts
from benchmarks.measuring import Stopwatch, milliseconds, peak_memory_mb, time_calls
from recollect import Memory
from recollect.presets.shadow import MemoryAugmentedAgent, ShadowMemorySystem, ShadowMemorySystemConfig

LONG: Final = 2_000
"""Characters of a long memory."""


def write_sessions(db: str, size: int, users: int) -> dict[str, float]:
    """Fill a store: sessions of 20 turns, one durable ``add`` each, one user after the other."""
    each = size // users
    clock = Stopwatch()
    with Memory(db, embedder="static") as memory:
        for user in range(users):
            for session in sessions(each // TURNS_PER_SESSION, seed=user):
                with clock:
                    memory.add(session.messages, user_id=f"user-{user}", session_id=session.id)
    return {**clock.rates(size), **_cost(db, size)}


def write_batches(db: str, size: int, batch: int) -> dict[str, float]:
    """Fill a store: ``batch`` messages per ``add``, for one user."""
    clock = Stopwatch()
    made = sessions(-(-size // TURNS_PER_SESSION), seed=0)
    messages = islice((message for session in made for message in session.messages), size)
    with Memory(db, embedder="static") as memory:
        for number, chunk in enumerate(_chunks(messages, batch)):
            with clock:
                memory.add(chunk, user_id="user-0", session_id=f"batch-{number}")
    return {**clock.rates(size), **_cost(db, size)}


def add_singly(db: str, count: int) -> dict[str, float]:
    """Add memories one by one, each durable before the next, to a store that exists."""
    made = sessions(-(-(count + 1) // TURNS_PER_SESSION), seed=99)
    first, *rest = islice((message for session in made for message in session.messages), count + 1)
    with Memory(db, embedder="static") as memory:
        memory.add([first], user_id="user-0", session_id="later")
        spent = []
        for message in rest:
            started = time.perf_counter()
            memory.add([message], user_id="user-0", session_id="later")
            spent.append(time.perf_counter() - started)
    return milliseconds(spent)


def flush(folder: str, count: int) -> dict[str, float]:
    """What the disk alone asks for: write 4 KiB to the end of a file and flush it, ``count`` times."""
    spent = []
    path = Path(folder) / "flushed"
    with path.open("wb", buffering=0) as file:
        for _ in range(count):
            started = time.perf_counter()
            file.write(bytes(4_096))
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - started)
    path.unlink()
    return milliseconds(spent)


def search(db: str, questions: str) -> dict[str, Any]:
    """Open a store and ask one user's questions; the first is reported by itself."""
    first, *rest = json.loads(Path(questions).read_text(encoding="utf-8"))
    started = time.perf_counter()
    memory = Memory(db, embedder="static")
    opened = time.perf_counter()
    hits = memory.search(first, user_id="user-0")
    answered = time.perf_counter()
    assert hits
    after_first = peak_memory_mb()
    searched = time_calls(lambda question: memory.search(question, user_id="user-0", top_k=10), rest)
    memory.close()
    return {
        **searched,
        "questions": len(rest),
        "open_s": opened - started,
        "open_and_first_search_s": answered - started,
        "peak_memory_mb": peak_memory_mb(),
        "peak_memory_first_mb": after_first,
    }


def search_users(db: str, questions: str, users: int) -> dict[str, Any]:
    """Ask every user one question, which is counted apart, then the rest of users drawn at random."""
    asked = json.loads(Path(questions).read_text(encoding="utf-8"))
    drawn = np.random.default_rng(7).integers(users, size=len(asked) - users).tolist()
    pairs = list(zip([*range(users), *drawn], asked, strict=True))
    with Memory(db, embedder="static") as memory:

        def ask(pair: tuple[int, str]) -> object:
            return memory.search(pair[1], user_id=f"user-{pair[0]}", top_k=10)

        memory.search("Is anybody there?", user_id="nobody")
        first = time_calls(ask, pairs[:users])
        later = time_calls(ask, pairs[users:])
    return {
        **later,
        "questions": len(drawn),
        "first_of_a_user": first,
        "peak_memory_mb": peak_memory_mb(),
    }


def write_long(db: str, size: int) -> dict[str, float]:
    """Fill a store with memories of 2,000 characters for one user."""
    made = sessions(-(-size // TURNS_PER_SESSION), seed=0)
    clock = Stopwatch()
    with Memory(db, embedder="static") as memory:
        for session in made:
            long = [{**one, "content": (f"{one['content']} " * 30)[:LONG]} for one in session.messages]
            with clock:
                memory.add(long, user_id="user-0", session_id=session.id)
    return {**clock.rates(size), **_cost(db, size)}


def aware(db: str, asked: list[str]) -> dict[str, Any]:
    """Ask Shadow Memory for all candidates, for what is activated, and for answers without a model."""
    config = ShadowMemorySystemConfig(max_memories=None, retention_days=None, archival_threshold=None)
    with ShadowMemorySystem(db, user_id="user-0", config=config) as system:
        total = len(system.get_all_candidate_memories(asked[0]))
        loaded = peak_memory_mb()
        candidates = time_calls(system.get_all_candidate_memories, asked)
        awareness = time_calls(system.get_memory_awareness, asked)
        agent = MemoryAugmentedAgent(system)
        answered = time_calls(agent.chat, asked)
    return {
        "memories": total,
        "candidates": candidates,
        "awareness": awareness,
        "agent": answered,
        "peak_memory_loaded_mb": loaded,
        "peak_memory_mb": peak_memory_mb(),
    }


def product(size: int, asked: list[str]) -> dict[str, float]:
    """What comparing a question with as many vectors takes NumPy, in ``float32``."""
    return numpy_floor(texts(size, seed=0), asked)


def profile(db: str, questions: str, statements: int) -> dict[str, Any]:
    """Where the time of a search goes: the functions with the most time of their own."""
    import cProfile
    import pstats

    first, *rest = json.loads(Path(questions).read_text(encoding="utf-8"))
    with Memory(db, embedder="static") as memory:
        memory.search(first, user_id="user-0")
        profiler = cProfile.Profile()
        profiler.enable()
        for question in rest:
            memory.search(question, user_id="user-0")
        profiler.disable()
    stats = pstats.Stats(profiler).get_stats_profile()
    own = sorted(stats.func_profiles.items(), key=lambda entry: -entry[1].tottime)[:statements]
    return {
        "ms_per_search": {
            f"{name} ({Path(entry.file_name).name}:{entry.line_number})": {
                "own": round(1_000 * entry.tottime / len(rest), 3),
                "with_called": round(1_000 * entry.cumtime / len(rest), 3),
            }
            for name, entry in own
        }
    }


def _cost(db: str, size: int) -> dict[str, float]:
    if "://" in db:
        return {"peak_memory_mb": peak_memory_mb()}
    written = sum(path.stat().st_size for path in Path(db).parent.glob(f"{Path(db).name}*"))
    return {"bytes_per_memory": written / size, "peak_memory_mb": peak_memory_mb()}


def _chunks(items: Iterable[dict[str, object]], size: int) -> Iterator[list[dict[str, object]]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


STAGES: Final[Mapping[str, Callable[..., dict[str, Any]]]] = {
    stage.__name__: stage
    for stage in (
        write_sessions,
        write_batches,
        write_long,
        add_singly,
        flush,
        search,
        search_users,
        aware,
        product,
        profile,
    )
}


def main(arguments: Sequence[str]) -> None:
    """Run one stage and print what it measured."""
    name, given = arguments
    print(json.dumps(STAGES[name](**json.loads(given))))


if __name__ == "__main__":
    main(sys.argv[1:])

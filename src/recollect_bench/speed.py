"""A quick speed test of Recollect on generated words; ``benchmarks/`` measures thoroughly."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from recollect.memory.memory import Memory

_USER: Final = "bench"
_BATCH: Final = 1_000
_SINGLES: Final = 50
_QUESTIONS: Final = 200
_VOCABULARY: Final = 20_000
"""Words, as many as a talkative person uses. Chosen by hand."""
Report = Callable[[int, int], None]
"""Called with the amount done and the total."""
_SYLLABLES: Final = tuple(consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou")


def measure(memories: int, *, seed: int, embedder: str, report: Report) -> dict[str, int | float | str]:
    """Time adding generated memories of one user and searching them.

    Returns:
        Milliseconds, rates and bytes by name.
    """
    talk = _Talk(seed)
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        file = Path(folder) / "bench.db"
        with Memory(file, embedder=embedder) as memory:
            took_s = _timed_s(lambda: _fill(memory, talk, memories, report))
            adds = [_timed_s(lambda: _add(memory, [talk.sentence()])) for _ in range(_SINGLES)]
        first_s = _timed_s(lambda: _open_and_ask(file, embedder, talk.question()))
        with Memory(file, embedder=embedder) as memory:
            _ask(memory, talk.question())
            asks = sorted(_timed_s(lambda: _ask(memory, talk.question())) for _ in range(_QUESTIONS))
            size = memory.maintenance.doctor().bytes
    return {
        "embedder": embedder,
        "memories": memories,
        "ingest_per_s": round(memories / took_s),
        "add_p50_ms": _ms(sorted(adds)[len(adds) // 2]),
        "open_first_search_ms": _ms(first_s),
        "search_p50_ms": _ms(asks[len(asks) // 2]),
        "search_p95_ms": _ms(asks[len(asks) * 95 // 100]),
        "bytes_per_memory": round(size / memories),
    }


class _Talk:
    """Sentences of made-up words, some of them far commoner than others, as in any language."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - words, not keys
        self._words = ["".join(self._random.choices(_SYLLABLES, k=3)) for _ in range(_VOCABULARY)]

    def sentence(self) -> str:
        """Generate a sentence of 8 to 20 words."""
        return " ".join(self._some(self._random.randint(8, 20)))

    def question(self) -> str:
        """Generate a query of 3 to 6 words."""
        return " ".join(self._some(self._random.randint(3, 6)))

    def _some(self, count: int) -> Iterator[str]:
        """Draw words by Zipf's law: the n-th commonest about 1/n as often as the first."""
        for _ in range(count):
            yield self._words[int(_VOCABULARY ** self._random.random()) - 1]


def _fill(memory: Memory, talk: _Talk, memories: int, report: Report) -> None:
    for start in range(0, memories, _BATCH):
        count = min(_BATCH, memories - start)
        _add(memory, [talk.sentence() for _ in range(count)])
        report(start + count, memories)


def _add(memory: Memory, sentences: list[str]) -> None:
    memory.add(sentences, user_id=_USER)


def _ask(memory: Memory, question: str) -> None:
    memory.search(question, user_id=_USER)


def _open_and_ask(file: Path, embedder: str, question: str) -> None:
    with Memory(file, embedder=embedder) as memory:
        _ask(memory, question)


def _timed_s(action: Callable[[], None]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)

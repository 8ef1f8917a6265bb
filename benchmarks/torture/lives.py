"""Words that were taken back while a worker learned, under a clock that jumps: they are found nowhere."""

import io
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory
from recollect.types.codec import change_to_json, record_to_json

_USER = "ada"
_SHAPES = (
    "I live in {}.",
    "I moved to {} last month.",
    "I work at {} as a nurse.",
    "My sister is called {}.",
    "I really like {}.",
    "I no longer work at {}.",
    "I think I like {}.",
)
_LETTERS = "bdfgklmnprstvz"


class _JumpingClock:
    """A clock that jumps up to a year ahead or back at times."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._offset = timedelta()

    def __call__(self) -> datetime:
        if self._chance.random() < 0.02:
            self._offset = timedelta(days=self._chance.uniform(-365, 365))
        return datetime.now(UTC) + self._offset


def taken_back(ground: Ground, chance: Random) -> Figures:
    """Say things, delete or change some within 30 ms while a worker learns, purge, and look everywhere."""
    figures = Figures(name="taken back while learning")
    place = ground.new_store()
    clock = _JumpingClock(Random(chance.random()))
    gone: set[str] = set()
    kept: set[str] = set()
    with Memory(place, embedder="hashing", clock=clock) as memory:
        with memory.jobs.worker(poll_s=0.05):
            for number in range(30):
                _say(memory, chance, number, gone, kept)
                if chance.random() < 0.1:
                    memory.purge(user_id=_USER)
        memory.purge(user_id=_USER)
        memory.jobs.drain()
        shown = " ".join(_everything(memory)).casefold()
        problems = memory.maintenance.doctor().problems
    figures.counts["words taken back"] += len(gone)
    figures.counts["words kept"] += len(kept)
    figures.check(problems == (), problems)
    figures.check(not (left := [one for one in gone if one.casefold() in shown]), f"still shown: {left}")
    figures.check(all(one.casefold() in shown for one in kept), "words that nobody took back are gone")
    if "://" not in place:
        data = b"".join(file.read_bytes().lower() for file in Path(place).parent.glob(Path(place).name + "*"))
        figures.check(not [one for one in gone if one.lower().encode() in data], "still in the file")
    return figures


def _say(memory: Memory, chance: Random, number: int, gone: set[str], kept: set[str]) -> None:
    word, session = _rare_word(chance), f"s{number % 3}"
    (added,) = memory.add(chance.choice(_SHAPES).format(word), user_id=_USER, session_id=session)
    time.sleep(chance.uniform(0, 0.03))
    verb = chance.random()
    if verb < 0.4:
        memory.delete(str(added.id), user_id=_USER)
        gone.add(word)
    elif verb < 0.6:
        other = _rare_word(chance)
        memory.update(str(added.id), user_id=_USER, content=chance.choice(_SHAPES).format(other))
        gone.add(word)
        kept.add(other)
    else:
        kept.add(word)


def _rare_word(chance: Random) -> str:
    return "Qo" + "".join(f"{chance.choice(_LETTERS)}u" for _ in range(6)) + "xq"


def _everything(memory: Memory) -> Iterator[str]:
    """What every way of reading shows of the user."""
    for one in memory.get_all(user_id=_USER):
        yield str(record_to_json(one))
        yield str([change_to_json(change) for change in memory.history(one.id, user_id=_USER)])
    for question in ("Where do I live?", "What do I like?", "sister work"):
        yield str(memory.search(question, user_id=_USER, top_k=100, kinds=["message", "fact", "episode"]))
        yield memory.context(question, user_id=_USER, budget_tokens=4_000).text
    yield str(memory.sessions.list(user_id=_USER))
    yield str([memory.profile(user_id=_USER), memory.timeline(user_id=_USER)])
    yield str([memory.jobs.list(), memory.jobs.list(failed=True), memory.facts.decisions(user_id=_USER)])
    yield str(memory.parts.store.states(memory.parts.scope(_USER)))
    exported = io.StringIO()
    memory.export(exported, user_id=_USER)
    yield exported.getvalue()

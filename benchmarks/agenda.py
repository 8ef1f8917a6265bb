"""Is brought up what a person would want to be reminded of, and nothing else?

``benchmarks/data/agenda_open.txt`` and ``agenda_held.txt`` hold short lives: a few messages with their days,
the present, and what is to be brought up. The second was written before the first rule and only counted; so
were 63 of the 92 lives of the first, with which the rules were made. Precision is the share of what is
brought up that is wanted; recall the share of what is wanted that is brought up.

``python -m benchmarks agenda`` counts; ``python -m benchmarks.agenda`` prints what was missed, too.
"""

import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.generate import texts
from recollect import Memory
from recollect.learning.agenda.items import AgendaItem
from recollect_bench.provenance import provenance

DATA: Final = Path(__file__).parent / "data"
HALVES: Final = {"open": DATA / "agenda_open.txt", "held back": DATA / "agenda_held.txt"}
_ALL: Final = 1_000
SIZES: Final = (1_000, 10_000)
ROUNDS: Final = 5
HOW: Final = (
    "Lives of a few messages with their days, the present, and what is to be brought up. right: items of the "
    "wanted kind with the wanted words; wrong: other items; those that may be brought up count as neither. "
    f"Milliseconds of CPU: median of {ROUNDS} agendas of a user whose messages are of the last 30 days, "
    "in a file of SQLite; nothing was learned of them."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Something to bring up: of one of these kinds, with all of the words, each one of several."""

    kinds: frozenset[str]
    words: tuple[tuple[str, ...], ...]

    def fits(self, item: AgendaItem) -> bool:
        """Whether an item is it."""
        text = item.text.lower()
        return item.kind in self.kinds and all(any(one in text for one in some) for some in self.words)


@dataclass(slots=True, kw_only=True)
class Life:
    """A short life: what was said, what was used since, the present, what is wanted and what may be."""

    messages: list[tuple[datetime, str, str]]
    used: list[tuple[int, str]]
    wants: list[Wish]
    mays: list[Wish]
    now: datetime


def read_lives(path: Path) -> list[Life]:
    """The cases of a file; its first lines tell its form."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [_read(block) for block in blocks if "\nnow " in block]


def _read(block: str) -> Life:
    life = Life(messages=[], used=[], wants=[], mays=[], now=datetime.max.replace(tzinfo=UTC))
    for line in block.splitlines():
        head, _, rest = line.partition(" ")
        if head == "now":
            life.now = _moment(rest)
        elif head in {"want", "may"}:
            (life.wants if head == "want" else life.mays).append(_wish(rest))
        elif head == "used":
            count, _, words = rest.partition(": ")
            life.used.append((int(count), words))
        elif head[:1].isdigit():
            clock, _, more = rest.partition(" ")
            at, said = (f"{head} {clock}", more) if clock[:1].isdigit() else (head, rest)
            who, _, text = said.partition(": ")
            same_day = sum(moment.date() == _moment(at).date() for moment, _, _ in life.messages)
            life.messages.append((_moment(at) + timedelta(minutes=same_day), who, text))
    return life


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text if " " in text else f"{text} 10:00").replace(tzinfo=UTC)


def _wish(text: str) -> Wish:
    kinds, _, words = text.partition(": ")
    parts = (tuple(one.strip().lower().split("|")) for one in words.split(","))
    return Wish(kinds=frozenset(kinds.split("|")), words=tuple(parts))


def brought_up(life: Life) -> list[AgendaItem]:
    """What a memory of this life brings up, without a limit."""
    moment = [life.now]
    with Memory(":memory:", embedder="hashing", clock=lambda: moment[0]) as memory:
        for at, who, text in life.messages:
            moment[0] = at
            role, name = ("assistant", {}) if who == "A" else ("user", {} if who == "U" else {"name": who})
            memory.add(
                {"role": role, "content": text, "timestamp": at.isoformat(), **name},
                user_id="ada",
                session_id=f"{at:%Y-%m-%d}",
            )
        memory.jobs.drain()
        for count, words in life.used:
            for one in memory.get_all(user_id="ada", kinds=["fact", "message"]):
                for _ in range(count if words.lower() in one.content.lower() else 0):
                    memory.use(one.id, user_id="ada")
        moment[0] = life.now
        return memory.agenda.items(user_id="ada", limit=_ALL)


def judge(life: Life, items: Iterable[AgendaItem]) -> tuple[int, list[AgendaItem], list[Wish]]:
    """How many wanted items there are, which ones nobody wants, and which wishes are unmet."""
    left, wrong, right = list(life.wants), [], 0
    for item in items:
        met = next((wish for wish in left if wish.fits(item)), None)
        if met is not None:
            left.remove(met)
            right += 1
        elif not any(wish.fits(item) for wish in life.mays):
            wrong.append(item)
    return right, wrong, left


def measure(lives: Sequence[Life]) -> dict[str, float]:
    """Counts, precision and recall."""
    counts: Counter[str] = Counter()
    for life in lives:
        right, wrong, missed = judge(life, brought_up(life))
        counts.update(right=right, wrong=len(wrong), missed=len(missed), silent=not life.wants and not wrong)
    quiet = sum(not life.wants for life in lives)
    return {
        "cases": len(lives),
        "wanted": counts["right"] + counts["missed"],
        "right": counts["right"],
        "wrong": counts["wrong"],
        "precision": round(counts["right"] / max(counts["right"] + counts["wrong"], 1), 3),
        "recall": round(counts["right"] / max(counts["right"] + counts["missed"], 1), 3),
        "nothing_to_say": quiet,
        "nothing_said": counts["silent"],
    }


def run_agenda() -> dict[str, Any]:
    """Measure both halves, and how long it takes among many messages."""
    return {
        "benchmark": "agenda",
        "made": provenance(),
        "how": HOW,
        "results": {name: measure(read_lives(path)) for name, path in HALVES.items()},
        "milliseconds": {str(count): time_agenda(count) for count in SIZES},
    }


def time_agenda(count: int) -> float:
    """Milliseconds of CPU of an agenda among so many messages, made up but for those of the open half."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "m.db", embedder="hashing") as memory,
    ):
        begin = datetime.now(UTC) - timedelta(days=30)
        said = [text for life in read_lives(HALVES["open"]) for _, who, text in life.messages if who == "U"]
        said = [*texts(count - len(said), seed=2026), *said]
        for start in range(0, len(said), 20):
            memory.add(said[start : start + 20], user_id="ada", session_id=str(start), timestamp=begin)
        spent = []
        for _ in range(ROUNDS):
            started = time.process_time()
            memory.agenda.items(user_id="ada")
            spent.append(time.process_time() - started)
        return round(1e3 * statistics.median(spent), 1)


def _told(path: Path) -> Iterator[str]:
    for life in read_lives(path):
        items = brought_up(life)
        _, wrong, missed = judge(life, items)
        if wrong or missed:
            yield "\n".join(f"{at:%Y-%m-%d %H:%M} {who}: {text}" for at, who, text in life.messages)
            yield f"now {life.now:%Y-%m-%d}"
            yield from (f"  WRONG {one.kind}: {one.text} ({one.reason})" for one in wrong)
            yield from (f"  MISSED {sorted(one.kinds)}: {one.words}" for one in missed)
            yield ""


if __name__ == "__main__":
    if sys.argv[1:]:
        print("\n".join(_told(Path(sys.argv[1]))))
        print(json.dumps(measure(read_lives(Path(sys.argv[1]))), indent=1))
    else:
        print(json.dumps(run_agenda(), indent=1))

"""Is a change noticed, and is nothing else taken for one? Pairs of everyday messages, months apart.

Each line of ``tests/learning/change_pairs.jsonl`` holds two messages of one person. In a ``change`` the
second makes a value of the first out of date; in a ``same`` pair it only looks so. Their author had not read
the rules; the part ``held`` was not looked at while they were made, the part ``own`` was written with them.

========== =================================================================================================
noticed    no fact with the old value holds alone: each ended or is contested; where none has the old value,
           no fact of the first message holds; and the new value, if there is one, is in a fact
unlearned  the first message taught no fact, and was not superseded
unended    such a fact still holds, and nobody is asked
unnamed    the old value ended, and no fact holds the new one
ended      of a ``same`` pair: a fact of the first message ended
asked      of a ``same`` pair: a person is asked in vain
========== =================================================================================================
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from recollect import Memory
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord

PAIRS: Final = Path(__file__).parent.parent / "tests" / "learning" / "change_pairs.jsonl"
_BEFORE: Final = datetime(2025, 9, 10, 10, tzinfo=UTC)
_AFTER: Final = datetime(2026, 3, 10, 10, tzinfo=UTC)
_ANALYSER: Final = Analyser()
_SHARE: Final = 0.5
"""Share of the telling stems of a value that a fact must hold to have it. Chosen by hand."""
Result = Literal["noticed", "unlearned", "unended", "unnamed", "kept", "ended", "asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two messages of one person.

    Attributes:
        id: Its name.
        kind: Whether the second changes what the first says.
        topic: What it is about.
        before: The first message.
        after: The second.
        old: The value that the first gives.
        new: The value that the second gives; None when it only ends the old one.
        part: ``tune`` or ``held``.
    """

    id: str
    kind: Literal["change", "same"]
    topic: str
    before: str
    after: str
    old: str
    new: str | None
    part: str


def load_pairs(path: Path = PAIRS) -> list[Pair]:
    """The pairs of a file."""
    return [Pair(**json.loads(row)) for row in path.read_text(encoding="utf-8").splitlines() if row]


def result_of(pair: Pair) -> Result:
    """What becomes of a pair; see the text of the module."""
    with Memory(":memory:", embedder="hashing") as memory:
        before, after = (
            _told(memory, text, at) for text, at in ((pair.before, _BEFORE), (pair.after, _AFTER))
        )
        facts = memory.get_all(user_id="u", kinds=["fact"])
        contested = {one.id for pair in memory.facts.conflicts(user_id="u") for one in (pair.known, pair.new)}
    taught = [one for one in facts if one.origin.sources[0] == before]
    old = [one for one in taught if _names(one, pair.old)] or taught
    ended = [one for one in old if one.times.valid_until is not None]
    if pair.kind == "same":
        return "ended" if ended else "asked" if contested else "kept"
    if not old:
        return "unlearned"
    if any(one not in ended and one.id not in contested for one in old):
        return "unended"
    new = [one for one in facts if after in one.origin.sources]
    named = pair.new is None or any(_names(one, pair.new) for one in new)
    return "noticed" if named else "unnamed"


def _told(memory: Memory, text: str, at: datetime) -> str:
    said = {"role": "user", "content": text, "timestamp": at}
    (added,) = memory.add([said], user_id="u", session_id=at.isoformat())
    memory.sessions.end(at.isoformat(), user_id="u")
    memory.jobs.drain()
    return str(added.id)


def _names(fact: MemoryRecord, value: str) -> bool:
    """Whether a fact holds a value: at least half of its telling stems."""
    stems = set(_ANALYSER.query_stems(value))
    held = stems & set(_ANALYSER.stems(fact.content))
    return len(held) >= max(1, _SHARE * len(stems))


def results_of(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Result]]:
    """Each pair with what becomes of it."""
    yield from ((pair, result_of(pair)) for pair in pairs)


def measure_changes(found: Iterable[tuple[Pair, Result]]) -> Mapping[str, float]:
    """How many changes were noticed, and how much else was taken for one."""
    counts = Counter((pair.kind, result) for pair, result in found)
    changes = sum(count for (kind, _), count in counts.items() if kind == "change")
    others = counts.total() - changes
    noticed = counts["change", "noticed"]
    missed = {name: counts["change", name] for name in ("unlearned", "unended", "unnamed")}
    ended, asked = counts["same", "ended"], counts["same", "asked"]
    return {
        "changes": changes,
        "noticed": noticed,
        "noticed_share": round(noticed / changes, 3) if changes else 1.0,
        **missed,
        "same": others,
        "ended": ended,
        "ended_share": round(ended / others, 3) if others else 0.0,
        "asked": asked,
        "asked_share": round(asked / others, 3) if others else 0.0,
    }

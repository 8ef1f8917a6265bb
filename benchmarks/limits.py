"""Does as much go with a question as it needs: all of what an answer cannot do without, and little else?

``benchmarks/data/limits_open.txt`` and ``limits_held.txt`` hold the facts, episodes and passages of one
user's memory, and questions with those that an answer needs: from one ("Where do I work?") to eleven
("How has the renovation gone?"). Both were written before the rule; its two numbers were chosen on the
first, alone and in a crowd, and the second was counted once.

``python -m benchmarks limits`` counts.
"""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.generate import texts
from recollect import Memory
from recollect.presets.second_brain import SecondBrain, SecondBrainConfig
from recollect.presets.second_brain.limits import DESIGNED
from recollect.text.tokens import estimate_tokens
from recollect.types import Kind
from recollect_bench.provenance import provenance

DATA: Final = Path(__file__).parent / "data"
HALVES: Final = {"open": DATA / "limits_open.txt", "held back": DATA / "limits_held.txt"}
KINDS: Final[Mapping[str, Kind]] = {"F": "fact", "E": "episode", "D": "document"}
CROWD: Final = 1_800
MANY: Final = 3
"""A question that needs so many asks for a list or a course of events."""
HOW: Final = (
    "Questions with the facts, episodes and passages that an answer needs. found: share of what is needed, "
    f"mean over questions; found_many: of those that need {MANY} or more; complete: share of questions with "
    "all of it; tokens: of the three sections without the core, mean; milliseconds: of CPU for a question, "
    f"mean. crowd: among {CROWD:,} made-up memories, a third of each kind."
)
WAYS: Final = {
    "10/5/5": SecondBrainConfig(
        max_semantic=DESIGNED["fact"], max_episodic=DESIGNED["episode"], max_documents=DESIGNED["document"]
    ),
    "as needed": SecondBrainConfig(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """What one user's memory holds, by names, and questions with the names of what they need."""

    items: Mapping[str, str]
    questions: Sequence[tuple[str, frozenset[str]]]


def read_mind(path: Path) -> Mind:
    """What a file holds; ``limits_held.txt`` tells its form."""
    items: dict[str, str] = {}
    questions: list[tuple[str, frozenset[str]]] = []
    asked = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, text = line.partition(" ")
        if name == "?":
            asked = text
        elif name == "need":
            questions.append((asked, frozenset(text.split())))
        elif name[:1] in KINDS and name[1:].isdigit():
            items[name] = text
    return Mind(items=items, questions=questions)


def filled(memory: Memory, mind: Mind, *, crowd: int = 0) -> dict[str, str]:
    """Store what a mind holds; returns the names by the ids. Others of the crowd have no name."""
    names = {}
    for name, text in mind.items.items():
        kind, more, words = KINDS[name[0]], {}, text
        if kind == "episode":
            day, _, words = text.partition(" ")
            more = {"timestamp": day, "importance": 0.6}
        elif kind == "document":
            title, _, words = text.partition(" | ")
            more = {"metadata": {"title": title}}
        (added,) = memory.add([{"role": "user", "content": words, **more}], user_id="ada", kind=kind)
        names[str(added.id)] = name
    others = texts(crowd, seed=2026)
    for place, kind in enumerate(KINDS.values()):
        part = [{"role": "user", "content": one, "importance": 0.6} for one in others[place :: len(KINDS)]]
        if part:
            memory.add(part, user_id="ada", kind=kind, metadata={"title": "Notes"})
    return names


def measure(mind: Mind, config: SecondBrainConfig, *, crowd: int = 0) -> dict[str, float]:
    """How much of what is needed goes with the questions, and how much text."""
    shares, spent, tokens = [], [], []
    with Memory(":memory:") as memory:
        names = filled(memory, mind, crowd=crowd)
        brain = SecondBrain.over(memory, config=config)
        brain.search("ada", "What is there?", core=0)
        for question, needs in mind.questions:
            started = time.process_time()
            found = brain.search("ada", question, core=0)
            spent.append(time.process_time() - started)
            there = {names.get(hit.memory.id) for hit in found.hits}
            shares.append(len(needs & there) / len(needs))
            tokens.append(estimate_tokens(found.summary))
    wide = [share for share, (_, needs) in zip(shares, mind.questions, strict=True) if len(needs) >= MANY]
    return {
        "found": round(statistics.fmean(shares), 3),
        "found_many": round(statistics.fmean(wide), 3),
        "complete": round(statistics.fmean(share == 1 for share in shares), 3),
        "tokens": round(statistics.fmean(tokens)),
        "milliseconds": round(1e3 * statistics.fmean(spent), 1),
    }


def run_limits() -> dict[str, Any]:
    """Measure both halves, alone and in a crowd, with the design's numbers and as needed."""
    results = []
    for name, path in HALVES.items():
        mind = read_mind(path)
        for crowd in (0, CROWD):
            ways = {way: measure(mind, config, crowd=crowd) for way, config in WAYS.items()}
            results.append({"half": name, "questions": len(mind.questions), "crowd": crowd, "ways": ways})
    return {"benchmark": "limits", "made": provenance(), "how": HOW, "results": results}

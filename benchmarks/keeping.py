"""What is kept of conversations, and what comparing costs: ``python -m benchmarks.keeping --locomo FILE``."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from benchmarks.judging import judged, unjudged
from benchmarks.retrieval import DayAfter, remember
from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.learning.reconcile.decide import reconcile
from recollect.learning.recording import new_statement, statement_of
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord
from recollect_bench.datasets import LOADERS, Conversation, Dataset
from recollect_bench.metrics import recall_at_k
from recollect_bench.provenance import provenance

KNOWN: Final = 10_000
"""Facts of one user that a new one is compared among."""
ASKED: Final = 200
"""New facts that are compared."""
_ANALYSER: Final = Analyser()

HOW: Final = (
    "Whole conversations are added and learned by rules. duplicates: facts that hold and say of the same "
    "subject what another one that holds says, by their stems, in percent of those that hold. "
    "judged: facts that were read one by one, by the same hand as the rules, each with its turn: junk are "
    "sentences that are broken, name nothing, tell of a moment or say what the turn does not; true_percent "
    "are the others, by their confidence. reconcile_ms: a new fact compared with what is known "
    f"of a user of {KNOWN:,} facts in a SQLite file: found, read and decided, nothing written; the time that "
    "the process was at work. beside: R@10 of the turns that hold the answers, in percent, before anything "
    "is learned and with what was learned of all turns beside them; for how many questions it rose, and fell."
)


def kept(dataset: Dataset) -> dict[str, float]:
    """What is learned from all conversations of a data set, and how much of it is doubled."""
    facts = holding = doubled = 0
    for conversation in dataset.conversations:
        with Memory(":memory:", embedder="static") as memory:
            for turn in conversation.turns:
                said = {"role": turn.role, "content": turn.text, "timestamp": turn.time}
                named = said | ({"name": turn.speaker} if turn.speaker else {})
                memory.add([named], user_id="u", session_id=turn.session)
            for session in dict.fromkeys(turn.session for turn in conversation.turns):
                memory.sessions.end(session, user_id="u")
            memory.jobs.drain()
            found = memory.get_all(user_id="u", kinds=["fact"])
            valid = [one for one in found if one.times.valid_until is None]
            marks = Counter(_mark(one) for one in valid)
            facts += len(found)
            holding += len(valid)
            doubled += sum(count - 1 for count in marks.values())
    return {
        "facts": facts,
        "hold": holding,
        "duplicates_percent": round(100 * doubled / max(holding, 1), 2),
    }


def _mark(record: MemoryRecord) -> tuple[str, ...]:
    subject = str(record.metadata.get("subject"))
    words = record.content.removeprefix(subject)
    return (subject, str(record.metadata.get("negated")), *sorted(set(_ANALYSER.query_stems(words))))


def beside(dataset: Dataset) -> dict[str, float]:
    """R@10 of turns before anything is learned of them, and beside what was."""
    clock = DayAfter()
    before: list[float] = []
    after: list[float] = []
    with Memory(":memory:", embedder="static", clock=clock) as memory:
        for conversation in dataset.conversations:
            clock.follow(conversation)
            turn_of = remember(memory, conversation)
            before += _recalls(memory, conversation, turn_of)
            for session, _ in conversation.sessions():
                memory.sessions.end(session, user_id=conversation.id)
            memory.jobs.drain()
            after += _recalls(memory, conversation, turn_of)
        learned = memory.stats().kinds
    pairs = list(zip(before, after, strict=True))
    return {
        "facts": learned.get("fact", 0),
        "episodes": learned.get("episode", 0),
        "questions": len(pairs),
        "before": round(100 * fmean(before), 2),
        "after": round(100 * fmean(after), 2),
        "rose": sum(one < other for one, other in pairs),
        "fell": sum(one > other for one, other in pairs),
    }


def _recalls(memory: Memory, conversation: Conversation, turn_of: Mapping[str, str]) -> Iterator[float]:
    """R@10 of each question that names its turns."""
    for question in conversation.questions:
        if question.gold:
            hits = memory.search(question.text, user_id=conversation.id, top_k=10)
            yield recall_at_k([turn_of.get(hit.memory.id, "") for hit in hits], question.gold, 10)


def reconciling() -> dict[str, float]:
    """Milliseconds to compare a new fact with what is known of a user with many."""
    with TemporaryDirectory() as folder, Memory(Path(folder) / "facts.db", embedder="static") as memory:
        for start in range(0, KNOWN, 500):
            memory.add([_known(number) for number in range(start, start + 500)], user_id="u", kind="fact")
        (turn,) = memory.add("Hello.", user_id="u")
        source = memory.get(str(turn.id), user_id="u")
        keeper, scope = memory.parts.learner.keeper, source.scope
        spent = []
        for number in range(ASKED):
            told = Turn(text=f"I like {_thing(number * 37)} and I moved to Town{number}.")
            for fact in extract_facts([told]):
                begun = time.process_time()
                known = [statement_of(one) for one in keeper._related(scope, fact, source)]  # noqa: SLF001
                reconcile(new_statement(fact, source), known, analyser=_ANALYSER)
                spent.append(1_000 * (time.process_time() - begun))
    return {
        "known": KNOWN,
        "asked": len(spent),
        "median": round(float(np.median(spent[10:])), 2),
        "p95": round(float(np.percentile(spent[10:], 95)), 2),
    }


def _thing(number: int) -> str:
    return f"{('green', 'old', 'loud', 'small', 'sweet')[number % 5]} hobby{number % KNOWN}"


def _known(number: int) -> dict[str, Any]:
    thing = _thing(number)
    said = {"subject": "User", "relation": "likes", "object": thing}
    return {"content": f"User likes {thing}.", "metadata": said}


def run_keeping(datasets: Sequence[Dataset]) -> dict[str, object]:
    """Measure everything; returns what the JSON file holds."""
    asked = [dataset for dataset in datasets if dataset.names_turns]
    return {
        "benchmark": "keeping",
        "made": provenance(),
        "how": HOW,
        "kept": {dataset.name: kept(dataset) for dataset in datasets},
        "judged": judged(datasets),
        "beside": {dataset.name: beside(dataset) for dataset in asked},
        "reconcile_ms": reconciling(),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keeping", description=__doc__)
    for name in LOADERS:
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=f"the {name} file")
    parser.add_argument("--unjudged", action="store_true", help="list the facts that wait for a verdict")
    given = vars(parser.parse_args(arguments))
    list_them = given.pop("unjudged")
    datasets = [LOADERS[name](path) for name, path in given.items() if path]
    print("\n".join(unjudged(datasets)) if list_them else json.dumps(run_keeping(datasets), indent=1))


if __name__ == "__main__":
    main()

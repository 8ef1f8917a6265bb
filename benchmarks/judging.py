"""Facts that were read one by one, each with the turn that says it, and the verdicts.

``benchmarks/data/judged_facts.jsonl`` holds no words of the data sets: a row is a data set, a turn, a digest
of the fact's words, and the verdict. The facts are made again from the files, and compared.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Fact, Turn
from recollect_bench.datasets import Dataset

VERDICTS: Final = Path(__file__).parent / "data" / "judged_facts.jsonl"
JUNK: Final = ("broken", "vague", "moment", "wrong")
"""Verdicts besides ``true``: no sentence; names nothing that could be used later; so for a moment only; not
what the turn says."""
BANDS: Final = (0.9, 0.8, 0.7, 0.0)
"""Where bands of confidence begin."""


def digest_of(text: str) -> str:
    """What stands for the words of a fact in the file of verdicts.

    >>> digest_of("Ada likes tea.")
    'ab299347db112aee'
    """
    return blake2b(text.encode(), digest_size=8).hexdigest()


def learned(dataset: Dataset) -> Iterator[tuple[str, Fact]]:
    """Each fact that is kept of a data set, with the name of its turn."""
    for conversation in dataset.conversations:
        for turn in conversation.turns:
            said = Turn(
                text=turn.text, role=turn.role, speaker=turn.speaker, id=turn.id, happened_at=turn.time
            )
            for fact in extract_facts([said]):
                if not fact.only_ends:
                    yield f"{conversation.id}/{turn.id}", fact


def load_verdicts(path: Path = VERDICTS) -> dict[tuple[str, str, str], str]:
    """The verdicts by data set, turn and digest."""
    rows = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
    return {(row["dataset"], row["turn"], row["digest"]): row["verdict"] for row in rows}


def judged(datasets: Sequence[Dataset]) -> dict[str, object]:
    """How many of the facts that are learned today were judged, and how: all, and by bands of confidence."""
    verdicts = load_verdicts()
    facts = [(dataset.name, turn, fact) for dataset in datasets for turn, fact in learned(dataset)]
    found = [(fact, verdicts.get((name, turn, digest_of(fact.text)))) for name, turn, fact in facts]
    known = [(fact, verdict) for fact, verdict in found if verdict is not None]
    reasons = Counter(verdict for _, verdict in known)
    return {
        "facts": len(found),
        "judged": len(known),
        "new_and_unjudged": len(found) - len(known),
        "junk": {reason: reasons[reason] for reason in JUNK},
        "junk_percent": round(100 * sum(reasons[reason] for reason in JUNK) / max(len(known), 1), 2),
        "by_confidence": {f"{band:.1f}": _band(known, place) for place, band in enumerate(BANDS)},
    }


def _band(known: Sequence[tuple[Fact, str]], place: int) -> dict[str, float]:
    """The facts whose confidence lies in a band, and how many of them are true."""
    top = BANDS[place - 1] if place else 2.0
    within = [verdict for fact, verdict in known if BANDS[place] <= fact.confidence < top]
    true = sum(verdict == "true" for verdict in within)
    return {"judged": len(within), "true_percent": round(100 * true / max(len(within), 1), 1)}


def unjudged(datasets: Sequence[Dataset]) -> Iterator[str]:
    """The facts that wait for a verdict, a line each, with their turns' names."""
    verdicts = load_verdicts()
    for dataset in datasets:
        for turn, fact in learned(dataset):
            if (dataset.name, turn, digest_of(fact.text)) not in verdicts:
                yield f"{dataset.name} {turn} {digest_of(fact.text)} {fact.confidence} {fact.text}"

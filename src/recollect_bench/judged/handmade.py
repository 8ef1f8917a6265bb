"""Two hundred verdicts made by hand, with which a judge's are compared.

One author wrote the questions, the gold answers, the answers and the verdicts, all of them invented: no line
is from a data set. A verdict follows the rules that the judges are told.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from recollect_bench.datasets.shapes import sha256_of

FILE: Final = Path(__file__).with_name("handmade.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandMade:
    """An answer that somebody judged.

    Attributes:
        kind: What it is about: ``paraphrase``, ``date form``, ``partial list`` and others.
        verdict: ``right`` or ``wrong``.
        why: The author's reason, in a few words; no judge sees it.
    """

    kind: str
    question: str
    gold: str
    answer: str
    verdict: str
    why: str


def hand_made() -> list[HandMade]:
    """All of them, in the order of the file."""
    return [HandMade(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines()]


def hand_made_digest() -> str:
    """What tells one version of the file from another."""
    return sha256_of(FILE)[:12]

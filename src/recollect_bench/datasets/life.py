"""Made-up years, as ``recollect bench life`` writes them, and what a memory should know after them."""

import json
import shlex
from pathlib import Path
from typing import Any, Final

from recollect_bench.datasets.everyday import lived
from recollect_bench.datasets.shapes import Dataset

TITLE: Final = "Life: made-up years, with changes, corrections, deletions and several languages"
SOURCE: Final = "recollect bench life"
FILES: Final = "a file that recollect bench life wrote"
KNOWN: Final[dict[str, str]] = {}
LOOKED_AT: Final = "Recollect's rules were not looked at by who wrote the phrasings, and not mended by them."


def load(path: Path) -> Dataset:
    """A conversation for each person."""
    lives: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(lives, list) or not lives:
        raise ValueError("it holds no lives")
    messages = sum(step["do"] == "say" for step in lives[0]["steps"])
    return Dataset(
        name="life",
        conversations=tuple(lived(f"life-{life['person']['seed']}", life) for life in lives),
        made_by=(
            f"recollect bench life --seed {lives[0]['person']['seed']} --people {len(lives)} "
            f"--messages {messages} --out {shlex.quote(str(path))}"
        ),
    )

"""Results as JSON files: one per data set, and one for speed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parent / "results"


def write_result(result: Mapping[str, object], folder: Path) -> Path:
    """Write a result to ``folder``, named by its data set, or else by its benchmark: whole, or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result_name(result)}.json"
    new = path.with_suffix(".new")
    new.write_text(json.dumps(_rounded(result), indent=1) + "\n", encoding="utf-8")
    return new.replace(path)


def result_name(result: Mapping[str, object]) -> str:
    """What a result is called: its data set, or else its benchmark."""
    return str(result.get("dataset", result["benchmark"]))


def read_results(folder: Path) -> list[dict[str, Any]]:
    """The results in a folder, by file name."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def _rounded(value: object) -> object:
    """Numbers with no more digits than mean something."""
    if isinstance(value, float):
        return round(value, 6) if abs(value) < 100 else round(value, 1)
    if isinstance(value, Mapping):
        return {key: _rounded(part) for key, part in value.items()}
    return value

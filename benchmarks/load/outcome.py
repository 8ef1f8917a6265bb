"""What a load showed: figures for a result file, and a table for the terminal."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.load.drive import Driven
from benchmarks.load.plan import OPERATIONS
from benchmarks.markdown import table
from benchmarks.measuring import milliseconds
from benchmarks.targets import number

_BUSY_CORES: Final = 0.8
"""Clients that keep one core so busy measure themselves: Python runs one thread at a time. By hand."""


def figures(driven: Driven) -> dict[str, Any]:
    """Figures of each operation, of all, and of the server's process; times in milliseconds."""
    seconds = max(driven.seconds, 1e-9)
    errors = Counter(one.failed.kind for one in driven.done if one.failed)
    return {
        "seconds": round(driven.seconds, 1),
        "requests": len(driven.done),
        "per_second": round((len(driven.done) - errors.total()) / seconds, 1),
        "errors": errors.total(),
        "errors_by_kind": dict(errors.most_common()),
        "details": {one.failed.kind: one.failed.detail for one in reversed(driven.done) if one.failed},
        "unsent": driven.unsent,
        "operations": {name: found for name in OPERATIONS if (found := _operation(driven, name, seconds))},
        "server": driven.server,
        "own_cores": round(driven.own_cores, 2),
        "stopped": driven.stopped,
    }


def _operation(driven: Driven, name: str, seconds: float) -> dict[str, float]:
    """Percentiles of those that succeeded, from when they were due; nothing where none was done."""
    took = [one for one in driven.done if one.operation == name]
    fine = [one.seconds for one in took if one.failed is None]
    if not took:
        return {}
    counts = {
        "count": len(fine),
        "failed": len(took) - len(fine),
        "per_second": round(len(fine) / seconds, 1),
    }
    return {**counts, **(milliseconds(fine) if fine else {})}


def told(found: Mapping[str, Any]) -> str:
    """The figures for people, as Markdown."""
    header = ["", "a second", "p50 ms", "p95 ms", "p99 ms", "failed"]
    return "\n".join([table(header, _rows(found)), *_notes(found)])


def _rows(found: Mapping[str, Any]) -> Iterator[list[str]]:
    for name, one in found["operations"].items():
        times = [number(one[share]) if share in one else "" for share in ("p50_ms", "p95_ms", "p99_ms")]
        yield [name, f"{one['per_second']:,}", *times, f"{one['failed']:,}"]


def _notes(found: Mapping[str, Any]) -> Iterator[str]:
    rate = f"{found['per_second']:,} succeeded a second"
    yield f"{found['requests']:,} operations in {found['seconds']:g} s; {rate}."
    for kind, count in found["errors_by_kind"].items():
        detail = found["details"][kind]
        yield f"Failed: {count:,} x {kind}{f' ({detail})' if detail else ''}"
    if found["unsent"]:
        yield f"{found['unsent']:,} more were due and not begun: server or clients are slower than the rate."
    yield _server(found["server"])
    if found["own_cores"] > _BUSY_CORES:
        yield (
            f"The clients kept {found['own_cores']:g} of a core busy: part of the times is theirs. Ask from "
            "another machine, or less."
        )
    if found["stopped"]:
        yield f"It ended early: {found['stopped']}."


def _server(found: Mapping[str, float] | None) -> str:
    if found is None:
        return "The server told nothing of its process: /metrics needs a key with the role admin, and Linux."
    slope = f", a slope of {found['mb_an_hour']:+,.1f} MB an hour" if "mb_an_hour" in found else ""
    return (
        f"The server kept {found['cores']:.2f} cores busy. Its memory: {found['first_mb']:,.0f} MB at the "
        f"beginning, {found['last_mb']:,.0f} at the end, {found['most_mb']:,.0f} at most{slope}."
    )

"""The page's sections on Semem: its retrieval and concept graph, and clusters."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.datasets import title
from benchmarks.markdown import busy, made, table, target_table
from benchmarks.targets import Result, Target, number

_GRAPHS: Final = {"arrays": "**arrays**", "networkx": "networkx", "rustworkx": "rustworkx"}
_ADD_US: Final = 100
_SPREAD_MS: Final = 10


def semem_section(result: Result) -> str:
    """What Semem's retrieval finds, and what it and its graph cost."""
    parts = [f"## Semem\n\n{result['how']} {made(result)}\n"]
    for name, systems in result["quality"].items():
        parts += [f"### Semem on {title(name)}\n", _quality(systems)]
    parts += ["### What a retrieval writes\n", busy(result), _writes(result["writes"])]
    if result["graph"]:
        parts += ["### The concept graph's speed\n", busy(result), *_graph(result["graph"])]
    return "\n".join(parts)


def _quality(systems: Mapping[str, Result]) -> str:
    first = next(iter(systems.values()))
    names = ["all", *first["categories"]]
    found = {name: {"all": one["overall"]["all"], **one["categories"]} for name, one in systems.items()}
    rows = (
        [
            name.replace("_", " "),
            f"{found[next(iter(found))][name]['questions']:,}",
            *(f"{100 * one[name]['recall_at_10']:.1f}" for one in found.values()),
        ]
        for name in names
    )
    return table(["R@10", "questions", *found], rows)


def _writes(found: Mapping[str, Mapping[str, float]]) -> str:
    header = ["memories", "memories written", "states written", "search, p50 ms", "counting, p50 ms"]
    rows = (
        [
            f"{int(size):,}",
            *(f"{row[name]:,}" for name in ("memories_written", "states_written")),
            *(number(row[name]) for name in ("search_p50_ms", "count_p50_ms")),
        ]
        for size, row in found.items()
    )
    return table(header, rows)


def _graph(found: Result) -> Iterator[str]:
    arrays = found["arrays"]
    yield target_table(
        [
            Target("adding a memory's concepts, mean", arrays["add"]["mean_us"], _ADD_US, "µs"),
            Target("spreading activation, p50", arrays["spread"]["p50_ms"], _SPREAD_MS, "ms"),
            Target("spreading activation, p95", arrays["spread"]["p95_ms"], _SPREAD_MS, "ms"),
        ]
    )
    yield (
        f"{found['memories']:,} memories, {found['concepts']:,} concepts; the arrays take "
        f"{number(arrays['megabytes'])} MB and also say how active each memory is, which is in their time.\n"
    )
    less = found["compared"]
    yield f"Beside graphs of objects, {less['memories']:,} memories, {less['concepts']:,} concepts:\n"
    header = ["", "fill, µs each", "add one, mean µs", "p95 µs", "spread, p50 ms", "p95 ms"]
    yield table(header, (_graph_row(label, less[name]) for name, label in _GRAPHS.items()))


def _graph_row(label: str, row: Result) -> list[str]:
    figures = (
        row["fill_us_each"],
        row["add"]["mean_us"],
        row["add"]["p95_us"],
        row["spread"]["p50_ms"],
        row["spread"]["p95_ms"],
    )
    return [label, *map(number, figures)]


def clusters_section(result: Result) -> str:
    """Search by near clusters beside the default index."""
    rows = [["exact", *_search(result["exact"])], ["**default index**", *_search(result["default"])]]
    rows += [[f"{probes} clusters", *_search(found)] for probes, found in result["by_probes"].items()]
    counted = (
        f"{result['size']:,} vectors, {result['clusters']:,} clusters, made in {number(result['train_s'])} "
        f"s; a new vector gets its cluster in {number(result['assign_us_each'])} µs. The process had "
        f"{number(result['peak_memory_mb'])} MB at its peak, with both indexes. Nothing was written "
        "between the searches; [Semem](../use/presets/semem.md#clusters) says what one after a write costs.\n"
    )
    heading = f"## Clusters\n\n{result['how']} {made(result)}\n"
    return "\n".join([heading, busy(result), counted, table(["", "recall@10", "p50 ms", "p95 ms"], rows)])


def _search(found: Mapping[str, float]) -> list[str]:
    return [f"{100 * found['recall_at_10']:.1f}", number(found["p50_ms"]), number(found["p95_ms"])]

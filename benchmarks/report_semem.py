"""The page's sections on Semem: its retrieval and concept graph, and clusters."""

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks.markdown import table, target_table
from benchmarks.targets import Result, Target, number
from recollect_bench.datasets import short_title

_GRAPHS: Final = {"arrays": "arrays", "networkx": "networkx", "rustworkx": "rustworkx"}
_PROBES: Final = ("8", "16", "64")
"""How many clusters are looked into on the page; the results have more."""
_ADD_US: Final = 100
_SPREAD_MS: Final = 10


def semem_section(result: Result) -> str:
    """What Semem's retrieval finds, and what it and its graph cost."""
    quality: Mapping[str, Mapping[str, Result]] = result["quality"]
    systems = next(iter(quality.values()))
    parts = [_HOW, table(["R@10", "questions", *systems], _quality(quality))]
    parts += [_writes(result["writes"])]
    if result["graph"]:
        parts += _graph(result["graph"])
    return "\n".join(parts)


_HOW: Final = """\
## Semem

All turns are equally old and none was retrieved before, so meaning decides. Concepts spread activation.
"""


def _quality(quality: Mapping[str, Mapping[str, Result]]) -> Iterator[list[str]]:
    for name, systems in quality.items():
        overall = [one["overall"]["all"] for one in systems.values()]
        shares = (f"{100 * one['recall_at_10']:.1f}" for one in overall)
        yield [short_title(name), f"{overall[0]['questions']:,}", *shares]


def _writes(found: Mapping[str, Mapping[str, float]]) -> str:
    size, row = list(found.items())[-1]
    return (
        f"Among {int(size):,} memories a retrieval writes {row['memories_written']:,} memories and "
        f"{row['states_written']:,} state: search {number(row['search_p50_ms'])} ms, counting "
        f"{number(row['count_p50_ms'])} ms.\n"
    )


def _graph(found: Result) -> Iterator[str]:
    arrays = found["arrays"]
    yield target_table(
        [
            Target("adding a memory's concepts, mean", arrays["add"]["mean_us"], _ADD_US, "µs"),
            Target("spreading activation, p95", arrays["spread"]["p95_ms"], _SPREAD_MS, "ms"),
        ]
    )
    yield (
        f"The concept graph of {found['memories']:,} memories and {found['concepts']:,} concepts takes "
        f"{number(arrays['megabytes'])} MB.\n"
    )
    less = found["compared"]
    rows = "; ".join(f"{label} {_added_and_spread(less[name])}" for name, label in _GRAPHS.items())
    yield f"With {less['memories']:,} memories, adding one and spreading: {rows}.\n"


def _added_and_spread(row: Result) -> str:
    return f"{number(row['add']['mean_us'])} µs and {number(row['spread']['p50_ms'])} ms"


def clusters_section(result: Result) -> str:
    """Search by near clusters beside the default index."""
    rows = [["exact", *_search(result["exact"])], ["**default index**", *_search(result["default"])]]
    rows += [
        [f"{probes} clusters", *_search(found)]
        for probes, found in result["by_probes"].items()
        if probes in _PROBES
    ]
    counted = (
        f"{result['size']:,} vectors; {result['clusters']:,} clusters are made in "
        f"{number(result['train_s'])} s; peak {number(result['peak_memory_mb'])} MB with both indexes. "
        "Recall@10: how many of the ten nearest by exact search are found. After a write: "
        "[Semem](../use/presets/semem.md#clusters).\n"
    )
    return "\n".join(["## Clusters\n", counted, table(["", "recall@10", "p50 ms", "p95 ms"], rows)])


def _search(found: Mapping[str, float]) -> list[str]:
    return [f"{100 * found['recall_at_10']:.1f}", number(found["p50_ms"]), number(found["p95_ms"])]

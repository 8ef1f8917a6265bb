"""What was to be reached, beside what was measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from recollect_bench.datasets import short_title

Result = Mapping[str, Any]
"""What a result file holds."""

METRICS: Final = {
    "recall_at_5": "R@5", "recall_at_10": "R@10", "any_at_10": "any@10", "all_at_10": "all@10", "mrr": "MRR",
}  # fmt: skip
"""The metrics of a ranking as tables call them."""

RECALL_TARGETS: Final[Mapping[str, Mapping[str, float]]] = {
    "locomo": {"recall_at_10": 0.76, "recall_at_5": 0.66, "mrr": 0.52},
    "beam": {"recall_at_10": 0.52},
}
"""What version 0.1 was to reach, set before it was written."""


SHADOW_BYTES: Final = 700
"""What a memory takes in a shadow, measured at 100,000; see ``recollect.retrieval.search``."""
PROPOSED: Final = "PostgreSQL, one user, proposed by its indexes"
"""What a search is called that ranks only what the server proposes."""


@dataclass(frozen=True, slots=True)
class Target:
    """A figure and what it was to be.

    Attributes:
        what: What was measured.
        found: The figure; None when it was not measured.
        bound: What it was to be.
        unit: Of both.
        at_least: Whether more is better.
    """

    what: str
    found: float | None
    bound: float
    unit: str
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """Met or not, in words."""
        if self.found is None:
            return "not measured"
        met = self.found >= self.bound if self.at_least else self.found <= self.bound
        return "met" if met else "**not met**"

    def row(self) -> list[str]:
        """As a row of a table; a target that is met needs no verdict."""
        found = "" if self.found is None else f"{number(self.found)} {self.unit}".strip()
        bound = f"{'≥' if self.at_least else '≤'} {number(self.bound)} {self.unit}".strip()
        return [self.what, found, bound if self.verdict == "met" else f"{bound}: {self.verdict}"]


def activation_targets(result: Result) -> list[Target]:
    """What Shadow Memory's awareness was to reach."""
    found = result["speed"]
    if not found:
        return []
    asked, size = found["asked"], f"{found['size']:,}"
    return [
        Target(f"all candidates of {size} memories, p50", asked["candidates"]["p50_ms"], 25, "ms"),
        Target(f"an agent's turn without a model at {size}, p50", asked["agent"]["p50_ms"], 15, "ms"),
    ]


def prompt_targets(result: Result) -> list[Target]:
    """What composing a prompt was to take."""
    found = result["prompt"]["8000"]
    return [
        Target("a prompt of 8,000 tokens, p50", found["p50_ms"], 10, "ms"),
    ]


def recall_targets(result: Result) -> list[Target]:
    """What a data set's default ranking was to reach."""
    wanted = RECALL_TARGETS.get(result["dataset"], {})
    found = result["results"]["default"]["overall"]["all"]
    return [
        Target(
            f"{short_title(result['dataset'])} {METRICS[name]}",
            share(name, found[name]),
            share(name, bound),
            "",
            at_least=True,
        )
        for name, bound in wanted.items()
    ]


LABEL_US: Final = 250
"""What labelling a turn may take in the median, in microseconds."""


def labels_targets(result: Result) -> list[Target]:
    """What reading the words was to cost, on each data set."""
    return [
        Target(
            f"labelling a turn, p50, {short_title(name)}", found["turn"]["whole"]["p50_us"], LABEL_US, "µs"
        )
        for name, found in result["datasets"].items()
    ]


def speed_targets(result: Result) -> list[Target]:
    """What speed and size were to be."""
    sizes, ingest = result["sizes"], result["ingest"]
    hundred, many = sizes.get("100000", {}), ingest["size"] >= 100_000
    return [
        Target(
            "adding, batches of 1,000", ingest["batches_of_1000"]["per_second"], 5_000, "/s", at_least=True
        ),
        Target(
            f"adding {ingest['size']:,} in one call",
            ingest["one_call"]["per_second"],
            5_000,
            "/s",
            at_least=True,
        ),
        Target("one durable `add`, p50", _at(sizes, "10000", "single_add", "p50_ms"), 3, "ms"),
        *(
            Target(f"search at {int(size):,}, p50", _at(sizes, size, "search", "p50_ms"), bound, "ms")
            for size, bound in (("10000", 3), ("100000", 15), ("1000000", 60))
        ),
        Target("search, 100 users with 1,000 each, p50", result["users"]["search"]["p50_ms"], 3, "ms"),
        Target("memory of a search at 100,000, peak", _at(hundred, "search", "peak_memory_mb"), 250, "MB"),
        Target(
            "memory of adding 100,000 in batches, peak",
            ingest["batches_of_1000"]["peak_memory_mb"] if many else None,
            250,
            "MB",
        ),
        Target(
            "memory of adding 100,000 in one call, peak",
            ingest["one_call"]["peak_memory_mb"] if many else None,
            250,
            "MB",
        ),
        Target("open 100,000 and answer", _at(hundred, "search", "open_and_first_search_s"), 0.5, "s"),
        Target("`import recollect`", result["starts"]["import_s"], 0.2, "s"),
        Target("`recollect --help`", result["starts"]["cli_help_s"], 0.3, "s"),
    ]


def postgres_targets(result: Result) -> list[Target]:
    """What speed on a server was to be."""
    users, crowd = result["users"], result["crowd"]
    return [
        Target(f"search at {result['size']:,}, p50", result["search"]["p50_ms"], 15, "ms"),
        Target(f"search at {result['size']:,}, p99", result["search"]["p99_ms"], 60, "ms"),
        Target(
            f"search, {users['users']:,} users with {users['each']:,} each, p50",
            users["search"]["p50_ms"],
            8,
            "ms",
        ),
        Target(
            "adding in batches, vectors known",
            result["ingest_known_vectors"]["per_second"],
            2_000,
            "/s",
            at_least=True,
        ),
        Target("one `add`, p50", result["single_add"]["p50_ms"], 5, "ms"),
        _crowd(crowd),
        *(
            Target(
                f"R@10 of {short_title(name)}, below SQLite's at the most",
                100 * max(found["SQLite"] - found["PostgreSQL"], found["SQLite, one user"] - found[PROPOSED]),
                1.5,
                "points",
            )
            for name, found in result["recall_at_10"].items()
        ),
    ]


def filestores_targets(result: Result) -> list[Target]:
    """What opening a JSON file was to take."""
    found = result["stores"]["JSON file"]["open"]["s"]
    return [Target(f"open a JSON file of {result['size']:,} memories", found, 0.5, "s")]


def importing_targets(result: Result) -> list[Target]:
    """What an import was to take: five minutes on two cores for 50,000 messages, so much less for fewer."""
    largest = result["imports"][-1]
    what = f"import {largest['messages']:,} messages on {result['cores']} cores"
    return [Target(what, largest["seconds"], 300 * largest["messages"] / 50_000, "s")]


MEMORY_SLOPE: Final = 10.0
"""Megabytes an hour beyond what added memories take, that count as flat: 240 MB a day. Chosen by hand."""


def serving_targets(result: Result) -> list[Target]:
    """What the server was to reach."""
    size, rate, busy_rate = f"{result['size']:,} memories of one user", result["rate"], BUSY_RATE
    users = result.get("users", {})
    many = f"{users.get('users', 100):,} users of {users.get('each', 1_000):,}"
    return [
        Target(f"search over HTTP, {size}, {rate}/s, p50", _at(result, "http", "p50_ms"), 10, "ms"),
        Target(f"the same, {rate}/s, p99", _at(result, "http", "p99_ms"), 50, "ms"),
        Target(f"the same, {busy_rate}/s, p99", _in_time(result.get("busy")), 50, "ms"),
        Target(f"search over HTTP, {many}, {busy_rate}/s, p99", _in_time(users.get("busy")), 50, "ms"),
        Target("errors of the searches", result["http"]["errors"], 0, ""),
        _crowd(result["crowd"]),
        Target("64 streams at once: failed", _at(result, "streams", "errors"), 0, ""),
        Target(
            "words of streams after the model's, p99", _at(result, "streams", "late", "p99_ms"), 500, "ms"
        ),
        Target("memory, slope beyond what is added", own_slope(result), MEMORY_SLOPE, "MB an hour"),
        Target("MCP handshake, the quickest", result["mcp"]["handshake_s"], 1, "s"),
    ]


BUSY_RATE: Final = 200
"""Searches a second of a busy server."""


def _in_time(load: Result | None) -> float | None:
    """The p99 of searches at a rate; infinite where some of them failed or were not even begun."""
    if load is None:
        return None
    return inf if load["errors"] + load["unsent"] else float(load["p99_ms"])


def own_slope(result: Result) -> float | None:
    """The slope of a server's memory, in megabytes an hour, without what the added memories take."""
    slope = _at(result, "memory", "server", "mb_an_hour")
    if slope is None:
        return None
    memory = result["memory"]
    added_an_hour = float(memory["added"] / memory["seconds"]) * 3_600
    return slope - added_an_hour * SHADOW_BYTES / 1e6


def _crowd(crowd: Result) -> Target:
    wrong = sum(crowd[what] for what in ("errors", "lost", "doubled"))
    return Target("the crowd: errors, lost or doubled memories", wrong, 0, "")


def _at(found: Mapping[str, Any], *path: str) -> float | None:
    value: Any = found
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return None if value is None else float(value)


def share(name: str, value: float) -> float:
    """Shares in percent, the reciprocal rank as it is."""
    return value if name == "mrr" else 100 * value


def number(value: float) -> str:
    """Three digits that mean something.

    >>> [number(value) for value in (0.5824, 3.049, 80.04, 5347.7)]
    ['0.582', '3.05', '80.0', '5,348']
    """
    for bound, layout in ((1, ".3f" if value else ".0f"), (10, ".2f"), (100, ".1f")):
        if abs(value) < bound:
            return format(value, layout)
    return f"{value:,.0f}"

"""``docs/inside/benchmarks.md``, made from the results: figures beside their targets, met or not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from benchmarks.datasets import short_title, title
from benchmarks.markdown import busy, made, table, target_table
from benchmarks.report_everyday import everyday_section
from benchmarks.report_filestores import filestores_section
from benchmarks.report_learning import extraction_section, keeping_section
from benchmarks.report_pii import pii_section
from benchmarks.report_postgres import postgres_section
from benchmarks.report_recall import recall_section
from benchmarks.report_semem import clusters_section, semem_section
from benchmarks.report_serving import serving_section
from benchmarks.report_shadow import activation_section, thresholds_section
from benchmarks.report_words import importance_section, intents_section, labels_section
from benchmarks.targets import (
    METRICS,
    Result,
    number,
    recall_targets,
    share,
    speed_targets,
)

SYSTEMS: Final = {"bm25": "BM25", "vectors": "vectors", "default": "**Recollect**"}


def render(results: Sequence[Result]) -> str:
    """The whole page."""
    parts = [_OPENING]
    for benchmark, section in SECTIONS.items():
        found = [result for result in results if result["benchmark"] == benchmark]
        if found and benchmark == "retrieval":
            parts += ["## Does a search find the answer?\n", found[0]["how"] + "\n"]
        parts += [section(result) for result in found]
    return "\n".join([*parts, _CLOSING])


def summary(result: Result) -> str:
    """One result's tables, for the terminal."""
    return SECTIONS[result["benchmark"]](result)


def _recall(result: Result) -> str:
    counts = result["counts"]
    return "\n".join(
        [
            f"### {title(result['dataset'])}\n",
            _counted(counts) + f" {made(result)}\n",
            table(["", *METRICS.values()], _system_rows(result)),
            target_table(recall_targets(result)),
            "By category, R@10:\n",
            table(["", "questions", *SYSTEMS.values()], _category_rows(result)),
            _contexts(result),
        ]
    )


def _counted(counts: Mapping[str, int]) -> str:
    return (
        f"{counts['conversations']:,} conversations, {counts['turns']:,} turns, "
        f"{counts['with_evidence']:,} of {counts['questions']:,} questions have evidence."
    )


def _system_rows(result: Result) -> Iterator[list[str]]:
    for system, label in SYSTEMS.items():
        found = result["results"][system]["overall"]["all"]
        yield [label, *(number(share(name, found[name])) for name in METRICS)]


def _category_rows(result: Result) -> Iterator[list[str]]:
    found = {system: result["results"][system]["categories"] for system in SYSTEMS}
    for category, metrics in found["default"].items():
        shares = (f"{100 * found[system][category]['recall_at_10']:.1f}" for system in SYSTEMS)
        yield [category.replace("_", " "), f"{metrics['questions']:,}", *shares]


def _contexts(result: Result) -> str:
    found = result["context"]
    if not found:
        return ""
    budgets = list(found["default"])
    asked = found["default"][budgets[0]]["questions"]
    left_out = result["counts"]["with_evidence_without_answer"]
    rows = [
        [
            label,
            *(
                f"{100 * held['content']:.1f} ({100 * held['answer']:.1f}, {100 * held['words']:.1f})"
                for held in (found[system][budget] for budget in budgets)
            ),
        ]
        for system, label in SYSTEMS.items()
        if system in found
    ]
    return (
        f"Answer in context, {asked:,} questions ({left_out:,} have no answer in words and are left out): "
        "all content words of the answer; in brackets all of its words as they stand, and the mean share of "
        "those:\n\n" + table(["", *(f"{int(budget):,} tokens" for budget in budgets)], rows)
    )


def _ablation(result: Result) -> str:
    rows: Mapping[str, Mapping[str, Mapping[str, float]]] = result["rows"]
    metrics = ("recall_at_5", "recall_at_10", "mrr")
    sets = list(next(iter(rows.values())))
    header = [
        "",
        *(f"{short_title(name)} {METRICS[metric]}" for name in sets for metric in metrics),
    ]
    body = (
        [name, *(number(share(metric, found[data][metric])) for data in sets for metric in metrics)]
        for name, found in rows.items()
    )
    parts = ["## What is each part worth?\n", f"{result['how']} {made(result)}\n", table(header, body)]
    return "\n".join([*parts, *_dates(result.get("dates", {}))])


def _dates(dates: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    if dates:
        yield _DATES
    for name, categories in dates.items():
        yield table([short_title(name), *_DATE_COLUMNS], map(_date_row, categories, categories.values()))


_DATES: Final = (
    "### Dates in questions\n\n"
    "What preferring memories of the time that a question names (`time_match`) does to R@10: the score as "
    "shipped beside the same without that signal, in the same run. Better and worse count questions.\n"
)
_DATE_COLUMNS: Final = ["questions", "naming a date", "without", "as shipped", "better", "worse"]


def _date_row(category: str, found: Mapping[str, float]) -> list[str]:
    shares = (f"{100 * found[name]:.1f}" for name in ("dateless", "shipped"))
    counts = [f"{found[name]:,}" for name in ("questions", "with_a_date", "better", "worse")]
    return [category.replace("_", " "), *counts[:2], *shares, *counts[2:]]


def _speed(result: Result) -> str:
    return "\n".join(
        [
            "## How fast, how small?\n",
            f"{result['how']} {made(result)}\n",
            busy(result, aside="; the floors suffered from it in the same way"),
            target_table(speed_targets(result)),
            _SIZES,
            table(_SIZE_COLUMNS, (_size_row(size, found) for size, found in result["sizes"].items())),
            _growth(result),
            "Opening, memory and disk:\n",
            table(_COST_COLUMNS, (_cost_row(size, found) for size, found in result["sizes"].items())),
            _others(result),
        ]
    )


_SIZES: Final = (
    "Search by the number of one user's memories, milliseconds. Processor: the median of the process's own "
    "time, which leaves out what other programs took.\n"
)
_SIZE_COLUMNS: Final = [
    "memories",
    "p50",
    "p95",
    "processor",
    "NumPy p50",
    "processor",
    "bm25s p50",
    "processor",
]
_COST_COLUMNS: Final = [
    "memories", "open, s", "open and first search, s", "peak MB after it", "peak MB after 500",
    "bytes a memory on disk", "added /s in sessions of 20",
]  # fmt: skip


def _size_row(size: str, found: Result) -> list[str]:
    search, floors = found["search"], found["floors"]
    figures = [search["p50_ms"], search["p95_ms"], search["cpu_p50_ms"]]
    for floor in ("numpy", "bm25s"):
        figures += [floors[floor]["p50_ms"], floors[floor]["cpu_p50_ms"]]
    return [f"{int(size):,}", *map(number, figures)]


def _cost_row(size: str, found: Result) -> list[str]:
    search, write = found["search"], found["write"]
    figures = [
        search["open_s"], search["open_and_first_search_s"], search["peak_memory_first_mb"],
        search["peak_memory_mb"], write["bytes_per_memory"], write["per_second"],
    ]  # fmt: skip
    return [f"{int(size):,}", *map(number, figures)]


def _growth(result: Result) -> str:
    grown = "; ".join(f"{by} times from {step}" for step, by in result["growth"].items())
    return f"The median grows {grown}.\n" if grown else ""


def _others(result: Result) -> str:
    lines = [_many_users(result["users"]["search"]), _adding(result["ingest"])]
    if "single_add" in result["sizes"].get("10000", {}):
        lines.append(_single_add(result["sizes"]["10000"]))
    lines.append(_starting(result["starts"]))
    return "".join(f"- {line}\n" for line in lines)


def _starting(found: Result) -> str:
    memory, python = number(found["import_memory_s"]), number(found["python_s"])
    return (
        "`import recollect` loads its parts when they are first used; `from recollect import Memory` takes "
        f"{memory} s. A bare Python process takes {python} s to start."
    )


def _many_users(found: Result) -> str:
    p50, p95, peak = (number(found[name]) for name in ("p50_ms", "p95_ms", "peak_memory_mb"))
    return (
        "100 users with 1,000 memories each in one file: a user's first search takes "
        f"{number(found['first_of_a_user']['p50_ms'])} ms in the median (the columns of that user are read), "
        f"every later one {p50} ms (p95 {p95}); the process peaks at {peak} MB with all users in memory."
    )


def _adding(found: Result) -> str:
    batches, whole = found["batches_of_1000"], found["one_call"]
    return (
        f"Adding {found['size']:,} in batches of 1,000: {_rates(batches)}; in one call: {_rates(whole)}, "
        "with the messages that are handed over."
    )


def _rates(found: Result) -> str:
    return (
        f"{number(found['per_second'])} a second ({number(found['per_cpu_second'])} for a second of the "
        f"processor), peak {number(found['peak_memory_mb'])} MB"
    )


def _single_add(found: Result) -> str:
    single, flush = found["single_add"], found["flush"]
    return (
        f"One durable `add` to 10,000 memories: p50 {number(single['p50_ms'])} ms, p95 "
        f"{number(single['p95_ms'])} ms; writing and flushing 4 KiB to the same disk alone takes "
        f"{number(flush['p50_ms'])} ms, p95 {number(flush['p95_ms'])} ms."
    )


SECTIONS: Final[Mapping[str, Callable[[Result], str]]] = {
    "retrieval": _recall,
    "ablation": _ablation,
    "importance": importance_section,
    "intents": intents_section,
    "labels": labels_section,
    "extraction": extraction_section,
    "keeping": keeping_section,
    "everyday": everyday_section,
    "pii": pii_section,
    "activation": activation_section,
    "thresholds": thresholds_section,
    "semem": semem_section,
    "clusters": clusters_section,
    "recall": recall_section,
    "speed": _speed,
    "postgres": postgres_section,
    "filestores": filestores_section,
    "serving": serving_section,
}
"""What shows a result of each benchmark, in the order of the page."""

_OPENING: Final = """\
# Benchmarks

This page is made by `python -m benchmarks report` from `benchmarks/results/`; do not edit it by hand.
The data sets are others' and not part of this project.
"""

_CLOSING: Final = """\
## Run it again

```sh
pip install -e . bm25s           # dateparser too, to compare with it
python -m benchmarks retrieval --locomo locomo10.json --beam beam.json   # minutes; --longmemeval FILE too
python -m benchmarks intents     # two minutes, no data set
python -m benchmarks speed       # 1,000, 10,000 and 100,000 memories; --million for more
python -m benchmarks report      # this page
```

`ablation`, `importance`, `labels` and `activation` take the same data sets as `retrieval`.
`python -m benchmarks all` does everything, one after the other; a data set without a path is skipped.
LoCoMo is at [snap-research/locomo](https://github.com/snap-research/locomo) (CC BY-NC 4.0), LongMemEval at
[xiaowu0162/LongMemEval](https://github.com/xiaowu0162/LongMemEval), BEAM at
[mohammadtavakoli78/BEAM](https://github.com/mohammadtavakoli78/BEAM); what a BEAM file looks like is said
in `benchmarks/datasets.py`.

## What these figures do not say

- The constants of the default score were chosen while looking at LoCoMo and at these BEAM chats. They are
  round numbers on wide plateaus rather than fitted ones, but only data nobody looked at can show that;
  expect less there. The weights of importance were chosen while looking at both, too.
- Finding the turns is not answering the question: no language model reads them here. A question whose
  answer must be counted, compared or ordered from many turns is hardly won by ten of them.
- "Answer in context" wants every content word of the gold answer; long answers in free words, as BEAM's,
  rarely pass even when the right turns are there. A word may also stand in the context by chance.
- Evidence of some question stands in for what matters: importance may be right about turns that nobody
  asked about. The utterances that intents are learned from were written by one model in one sitting.
- The texts of the speed benchmark are made up. Real ones differ in how common a question's words are, and
  that is what the time of a search depends on most after the number of memories.
- The floors do less: one compares vectors, the other words; neither knows users, sessions or filters, or
  reads a record.
"""

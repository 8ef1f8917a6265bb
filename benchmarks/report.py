"""``docs/inside/benchmarks.md``, made from the results: figures beside their targets, met or not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from benchmarks.datasets import short_title, title
from benchmarks.markdown import made_table, table, target_table
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
    ordered = [one for name in SECTIONS for one in results if one["benchmark"] == name]
    found = [_FOUND] if ordered and ordered[0]["benchmark"] == "retrieval" else []
    sections = [_OPENING, *found, *map(summary, ordered)]
    return "\n".join([*sections, "## Where it was measured\n", made_table(ordered), _CLOSING])


def summary(result: Result) -> str:
    """One result's tables, for the terminal."""
    return SECTIONS[result["benchmark"]](result)


def _recall(result: Result) -> str:
    counts = result["counts"]
    return "\n".join(
        [
            f"### {title(result['dataset'])}\n",
            _counted(counts) + "\n",
            table(["", *METRICS.values()], _system_rows(result)),
            target_table(recall_targets(result)),
            table(["", "questions", *(f"R@10 {name}" for name in SYSTEMS.values())], _category_rows(result)),
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
            *(f"{100 * found[system][budget]['content']:.1f}" for budget in budgets),
        ]
        for system, label in SYSTEMS.items()
        if system in found
    ]
    return (
        f"All content words of the answer are in the context, % of {asked:,} questions ({left_out:,} have no "
        "answer in words):\n\n" + table(["", *(f"{int(budget):,} tokens" for budget in budgets)], rows)
    )


def _ablation(result: Result) -> str:
    rows: Mapping[str, Mapping[str, Mapping[str, float]]] = result["rows"]
    metrics = ("recall_at_10", "mrr")
    sets = list(next(iter(rows.values())))
    header = [
        "",
        *(f"{short_title(name)} {METRICS[metric]}" for name in sets for metric in metrics),
    ]
    body = (
        [name, *(number(share(metric, found[data][metric])) for data in sets for metric in metrics)]
        for name, found in rows.items()
    )
    parts = [_PARTS, table(header, body)]
    return "\n".join([*parts, *_dates(result.get("dates", {}))])


def _dates(dates: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    if dates:
        rows = (_date_row(name, found["all"]) for name, found in dates.items())
        yield _DATES + table(["", *_DATE_COLUMNS], rows)


_PARTS: Final = """\
## What is each part worth?

One thing changed at a time; where two values are given, they are about half and double of what is shipped.
"""
_DATES: Final = """\
### Dates in questions

R@10 with and without `time_match`, which prefers memories of the time that a question names. Better and worse
count questions.

"""
_DATE_COLUMNS: Final = ["questions", "naming a date", "without", "as shipped", "better", "worse"]


def _date_row(name: str, found: Mapping[str, float]) -> list[str]:
    shares = (f"{100 * found[name]:.1f}" for name in ("dateless", "shipped"))
    counts = [f"{found[name]:,}" for name in ("questions", "with_a_date", "better", "worse")]
    return [short_title(name), *counts[:2], *shares, *counts[2:]]


def _speed(result: Result) -> str:
    return "\n".join(
        [
            _SPEED,
            target_table(speed_targets(result)),
            _SIZES,
            table(_SIZE_COLUMNS, (_size_row(size, found) for size, found in result["sizes"].items())),
            table(_COST_COLUMNS, (_cost_row(size, found) for size, found in result["sizes"].items())),
            _others(result),
        ]
    )


_SPEED: Final = """\
## How fast, how small?

Made-up texts of 20 words, one thread, top 10, every question new, embedding and reading included. Every `add`
is flushed to the disk. NumPy and bm25s are floors: they only compare vectors, or words.
"""
_SIZES: Final = "Search by the number of one user's memories, milliseconds:\n"
_SIZE_COLUMNS: Final = [
    "memories",
    "p50",
    "p95",
    "NumPy p50",
    "bm25s p50",
]
_COST_COLUMNS: Final = [
    "memories", "open, s", "open and first search, s", "peak MB after it", "peak MB after 500",
    "bytes a memory on disk", "added /s in sessions of 20",
]  # fmt: skip


def _size_row(size: str, found: Result) -> list[str]:
    search, floors = found["search"], found["floors"]
    figures = [search["p50_ms"], search["p95_ms"], floors["numpy"]["p50_ms"], floors["bm25s"]["p50_ms"]]
    return [f"{int(size):,}", *map(number, figures)]


def _cost_row(size: str, found: Result) -> list[str]:
    search, write = found["search"], found["write"]
    figures = [
        search["open_s"], search["open_and_first_search_s"], search["peak_memory_first_mb"],
        search["peak_memory_mb"], write["bytes_per_memory"], write["per_second"],
    ]  # fmt: skip
    return [f"{int(size):,}", *map(number, figures)]


def _others(result: Result) -> str:
    users, single = result["users"]["search"], result["sizes"].get("10000", {})
    rows = [
        ["100 users with 1,000 memories each: the first search of a user", _ms(users["first_of_a_user"])],
        ["the same, every later search", _ms(users)],
    ]
    if "single_add" in single:
        rows += [
            ["one durable `add` to 10,000 memories", _ms(single["single_add"])],
            ["writing and flushing 4 KiB to the same disk", _ms(single["flush"])],
        ]
    rows += [["`from recollect import Memory`", f"{number(result['starts']['import_memory_s'])} s"]]
    return table(["", "p50 (p95)"], rows)


def _ms(found: Result) -> str:
    return f"{number(found['p50_ms'])} ({number(found['p95_ms'])}) ms"


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

This page is made by `python -m benchmarks report` from `benchmarks/results/`, which holds more figures
and says how each was measured. The data sets are others' and not part of this project.
"""

_FOUND: Final = """\
## Does a search find the answer?

Default settings, no language model, every question that names the turns with its answer. R@k: the share of
these turns among the first k; any, all: one or all of them among the first 10; MRR: of the first one. BM25
and vectors alone stand beside it, over the same stems and embedder.
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
`python -m benchmarks all` runs everything; a data set without a path is skipped.
Data sets: [LoCoMo](https://github.com/snap-research/locomo) (CC BY-NC 4.0),
[LongMemEval](https://github.com/xiaowu0162/LongMemEval),
[BEAM](https://github.com/mohammadtavakoli78/BEAM); `benchmarks/datasets.py` describes the BEAM file.

## What these figures do not say

- The constants of the score and of importance were chosen while looking at LoCoMo and these BEAM chats. They
  are round numbers on wide plateaus, but expect less on data nobody looked at.
- Finding the turns is not answering the question. A question whose answer must be counted or compared from
  many turns is hardly won by ten of them.
- Long answers in free words, as BEAM's, rarely have every content word in a context, even when the right
  turns are there. A word may also be there by chance.
- Importance may be right about turns that nobody asked about. One model wrote the utterances for intents.
- Real texts differ in how common a question's words are; after the number of memories, that decides the time
  of a search.
"""

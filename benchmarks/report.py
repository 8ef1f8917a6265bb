"""``docs/inside/benchmarks.md``, made from the results: figures beside their targets, met or not."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from benchmarks.markdown import made_list, table, target_table
from benchmarks.report_everyday import everyday_section
from benchmarks.report_filestores import filestores_section
from benchmarks.report_floor import floor_section
from benchmarks.report_importing import importing_section
from benchmarks.report_learning import extraction_section, keeping_section
from benchmarks.report_pii import pii_section
from benchmarks.report_postgres import postgres_section
from benchmarks.report_recall import recall_section
from benchmarks.report_scale import scaling_section
from benchmarks.report_semem import clusters_section, semem_section
from benchmarks.report_serving import serving_section
from benchmarks.report_shadow import activation_section, thresholds_section
from benchmarks.report_words import (
    ageing_section,
    agenda_section,
    importance_section,
    intents_section,
    labels_section,
    limits_section,
    memory_questions_section,
    temporal_section,
)
from benchmarks.targets import (
    METRICS,
    Result,
    number,
    recall_targets,
    share,
    speed_targets,
)
from recollect_bench.datasets import short_title, title

SYSTEMS: Final = {"bm25": "BM25", "vectors": "vectors", "default": "**Recollect**"}


def render(results: Sequence[Result]) -> str:
    """The whole page."""
    ordered = [one for name in SECTIONS for one in results if one["benchmark"] == name]
    found = [one for one in ordered if one["benchmark"] == "retrieval"]
    others = [summary(one) for one in ordered if one["benchmark"] != "retrieval"]
    sections = [_OPENING, *([_recall(found)] if found else []), *others]
    return "\n".join([*sections, "## Where it was measured\n", made_list(ordered), _CLOSING])


def summary(result: Result) -> str:
    """One result's tables, for the terminal."""
    return SECTIONS[result["benchmark"]](result)


def _recall(results: Sequence[Result]) -> str:
    """What a search finds in every data set, one table for each question."""
    header = ["R@10", "questions", SYSTEMS["bm25"], SYSTEMS["default"]]
    return "\n".join(
        [
            _FOUND,
            "".join(map(_counted, results)),
            table(["", *METRICS.values()], [row for one in results for row in _system_rows(one)]),
            target_table([target for one in results for target in recall_targets(one)]),
            table(header, [row for one in results for row in _category_rows(one)]),
            _contexts([one for one in results if one["context"]]),
        ]
    )


def _counted(result: Result) -> str:
    counts = result["counts"]
    return (
        f"- {title(result['dataset'])}; {counts['conversations']:,} conversations, "
        f"{counts['turns']:,} turns, {counts['with_evidence']:,} of {counts['questions']:,} questions "
        "have evidence\n"
    )


def _system_rows(result: Result) -> Iterator[list[str]]:
    for system, label in SYSTEMS.items():
        found = result["results"][system]["overall"]["all"]
        name = f"{short_title(result['dataset'])}, {label}"
        yield [name, *(number(share(metric, found[metric])) for metric in METRICS)]


def _category_rows(result: Result) -> Iterator[list[str]]:
    found = {system: result["results"][system]["categories"] for system in ("bm25", "default")}
    for category, metrics in found["default"].items():
        shares = (f"{100 * one[category]['recall_at_10']:.1f}" for one in found.values())
        name = f"{short_title(result['dataset'])}, {category.replace('_', ' ')}"
        yield [name, f"{metrics['questions']:,}", *shares]


def _contexts(results: Sequence[Result]) -> str:
    if not results:
        return ""
    budgets = list(results[0]["context"]["default"])
    header = ["", "questions", *(f"{int(budget):,} tokens" for budget in budgets)]
    return _IN_CONTEXT + table(header, [row for one in results for row in _context_rows(one, budgets)])


def _context_rows(result: Result, budgets: Sequence[str]) -> Iterator[list[str]]:
    found = result["context"]
    for system, label in SYSTEMS.items():
        if system in found:
            shares = (f"{100 * found[system][budget]['content']:.1f}" for budget in budgets)
            asked = f"{found[system][budgets[0]]['questions']:,}"
            yield [f"{short_title(result['dataset'])}, {label}", asked, *shares]


def _ablation(result: Result) -> str:
    rows: Mapping[str, Mapping[str, Mapping[str, float]]] = result["rows"]
    sets = list(next(iter(rows.values())))
    shipped = next(iter(rows.values()))
    tried = {name: found for name, found in rows.items() if not _CONSTANT.search(name)}
    body = ([name, *(_at_10(found[data]) for data in sets)] for name, found in tried.items())
    parts = [_PARTS, table(["R@10", *map(short_title, sets)], body)]
    constants = [found for name, found in rows.items() if name not in tried]
    if constants:
        changes = " and ".join(_changed(data, shipped, constants) for data in sets)
        parts.append(f"Half or double the value of one constant changes R@10 by {changes} points.\n")
    parts += [_dated(name, found["all"]) for name, found in result.get("dates", {}).items()]
    return "\n".join(parts)


def _dated(name: str, found: Mapping[str, float]) -> str:
    return (
        f"{short_title(name)}: of {found['with_a_date']:,} questions that name a date, `time_match` makes "
        f"{found['better']:,} better and {found['worse']:,} worse.\n"
    )


def _at_10(found: Mapping[str, float]) -> str:
    return number(share("recall_at_10", found["recall_at_10"]))


def _changed(data: str, shipped: Result, constants: Sequence[Result]) -> str:
    """The smallest and the largest change of R@10, in points."""
    before = shipped[data]["recall_at_10"]
    changes = [100 * (found[data]["recall_at_10"] - before) for found in constants]
    return f"{min(changes):+.1f} to {max(changes):+.1f} ({short_title(data)})"


_CONSTANT: Final = re.compile(r" [\d.]+(?: : [\d.]+|, [\d.]+)?$")
"""How the name of a row ends in which a constant has another value."""

_PARTS: Final = """\
## What is each part worth?

One thing is changed at a time, with `embedder="static"`.
"""


def _speed(result: Result) -> str:
    return "\n".join(
        [
            _SPEED,
            target_table(speed_targets(result)),
            table(_SIZE_COLUMNS, (_size_row(size, found) for size, found in result["sizes"].items())),
            _others(result),
        ]
    )


_SPEED: Final = """\
## How fast, how small?

Made-up texts of 20 words, `embedder="static"`, one thread, top 10, new questions, every `add` flushed to the
disk. [The default embedder](../use/embedders.md#which-one) adds 2 ms a question and 2 to 6 ms a message.
NumPy and bm25s only compare vectors, or words.
"""
_SIZE_COLUMNS: Final = [
    "memories", "search p50, ms", "p95", "NumPy", "bm25s", "open and search, s", "peak MB", "bytes each",
]  # fmt: skip


def _size_row(size: str, found: Result) -> list[str]:
    search, floors = found["search"], found["floors"]
    figures = [
        search["p50_ms"], search["p95_ms"], floors["numpy"]["p50_ms"], floors["bm25s"]["p50_ms"],
        search["open_and_first_search_s"], search["peak_memory_mb"], found["write"]["bytes_per_memory"],
    ]  # fmt: skip
    return [f"{int(size):,}", *map(number, figures)]


def _others(result: Result) -> str:
    first, single = result["users"]["search"]["first_of_a_user"], result["sizes"].get("10000", {})
    times = [f"the first search of a user with 1,000 memories takes {_ms(first)}"]
    if "flush" in single:
        times += [f"flushing 4 KiB to the same disk {_ms(single['flush'])}"]
    times += [f"`from recollect import Memory` {number(result['starts']['import_memory_s'])} s"]
    return f"At p50, {', '.join(times)}.\n"


def _ms(found: Result) -> str:
    return f"{number(found['p50_ms'])} ms"


SECTIONS: Final[Mapping[str, Callable[[Result], str]]] = {
    "retrieval": lambda result: _recall([result]),
    "ablation": _ablation,
    "importance": importance_section,
    "intents": intents_section,
    "memory_questions": memory_questions_section,
    "agenda": agenda_section,
    "ageing": ageing_section,
    "limits": limits_section,
    "temporal": temporal_section,
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
    "floor": floor_section,
    "postgres": postgres_section,
    "filestores": filestores_section,
    "importing": importing_section,
    "serving": serving_section,
    "scaling": scaling_section,
}
"""What shows a result of each benchmark, in the order of the page."""

_OPENING: Final = """\
# Benchmarks

`python -m benchmarks report` writes this page from `benchmarks/results/`, which has more figures, versions of
packages, and how each was measured. Targets are met unless the table says otherwise.
"""

_FOUND: Final = """\
## Does a search find the answer?

Default settings, no language model, every question that names the turns with its answer. R@k: percent of
these turns among the first k; any, all: one or all of them among the first 10; MRR: of the first one. BM25
and vectors use the same stems and embedder.
"""

_IN_CONTEXT: Final = """\
Percent of questions whose context has every content word of the answer, among those with an answer in words:

"""

_CLOSING: Final = """\
## Run it again

```sh
pip install -e . bm25s           # dateparser too, to compare with it
python -m benchmarks retrieval --locomo locomo10.json --beam beam.json   # minutes; --longmemeval FILE too
python -m benchmarks intents     # two minutes; memory_questions: a second
python -m benchmarks temporal    # a minute, like agenda, ageing and limits
python -m benchmarks speed       # 1,000, 10,000 and 100,000 memories; --million for more
python -m benchmarks floor       # beside FTS5 and NumPy, five minutes
python -m benchmarks importing --beam beam.json --realmem realmem.json   # five minutes, nothing beside it
python -m benchmarks serving     # twenty-five minutes, nothing beside it
python -m benchmarks scaling     # what an operation costs the processor, two minutes
python -m benchmarks changed     # what became faster or slower since the committed figures
python -m benchmarks report      # this page, and scale.md
```

`all` runs everything and skips a data set without a path. The data sets belong to others:
[LoCoMo](https://github.com/snap-research/locomo) (CC BY-NC 4.0),
[LongMemEval](https://github.com/xiaowu0162/LongMemEval),
[BEAM](https://github.com/mohammadtavakoli78/BEAM) (`src/recollect_bench/datasets/beam.py` describes
the file).

## What these figures do not say

- The constants of the score and of importance were chosen while looking at LoCoMo and these BEAM chats;
  expect less on other data.
- Finding turns is not answering: an answer may count or compare more than ten turns.
- A long answer seldom has all its words in a context; a word may be there by chance.
"""

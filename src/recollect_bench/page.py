"""The page of results, made from the JSON files that runs wrote: what was found, what was lost, and how."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from recollect.errors import InvalidInputError
from recollect_bench import OUT, PRICE
from recollect_bench.folder import read_all
from recollect_bench.judged.tables import judged_section
from recollect_bench.plot import plot
from recollect_bench.provenance import told
from recollect_bench.results import GIVEN
from recollect_bench.table import (
    COLUMNS,
    FAULTS,
    Result,
    cell,
    chief_rows,
    golds_of,
    joined,
    kind_rows,
    markdown,
    milliseconds,
    omitted,
    verdict,
)


def read_results(folder: Path) -> list[Result]:
    """The results in a folder, those of most questions first; runs on the same files are one result.

    Raises:
        InvalidInputError: There are none, or some cannot be read.
    """
    found = read_all(folder, "compared", show=lambda one: (render([one], picture=""), plot([one])))
    if not found:
        raise InvalidInputError(f"{folder} holds no results of recollect bench run")
    runs: dict[tuple[object, ...], list[Result]] = {}
    for one in found:
        runs.setdefault((one["dataset"], *sorted(one["files"].items())), []).append(one)
    return sorted(map(_joined, runs.values()), key=lambda one: -one["counts"]["questions"])


def _joined(runs: Sequence[Result]) -> Result:
    """The run of most systems, with what others have besides; differences are known of its own alone."""
    first, *others = sorted(runs, key=lambda one: -len(one["systems"]))
    rows = {name: row for other in reversed(others) for name, row in other["systems"].items()}
    return {**first, "systems": {**rows, **first["systems"]}, "other_runs": others}


def write_page(
    results: Sequence[Result],
    page: Path,
    *,
    folder: Path,
    price: float = PRICE,
    judged: Sequence[Result] = (),
) -> None:
    """Write the page, with what judges said, and its plot beside it.

    Args:
        results: What ``read_results`` read.
        page: The file.
        folder: Where the results lie.
        price: That of a million tokens, in US dollars.
        judged: What ``read_judged`` read.

    Raises:
        InvalidInputError: The page would lie where its plot does.
    """
    picture = page.with_suffix(".svg")
    if picture == page:
        raise InvalidInputError(f"{page} is where the plot of the page goes: give the page another ending")
    page.parent.mkdir(parents=True, exist_ok=True)
    guided = (page.parent / _GUIDE).is_file()
    text = render(results, picture=picture.name, folder=folder, price=price, judged=judged, guided=guided)
    page.write_text(text, encoding="utf-8")
    picture.write_text(plot(results), encoding="utf-8")


def render(
    results: Sequence[Result],
    *,
    picture: str,
    folder: Path = Path(OUT),
    price: float = PRICE,
    judged: Sequence[Result] = (),
    guided: bool = False,
) -> str:
    """The page as ``write_page`` writes it; ``guided`` where the guide lies beside it, with links to that."""
    parts = [
        _OPENING.format(how=_guide("How it is measured", guided=guided), folder=folder),
        markdown(_overview(results)) or _NO_FIGURES,
        f"![What each system finds against the time of a search]({picture})\n",
        _READING,
        "## Where Recollect is not ahead\n",
        "".join(f"- {line}\n" for line in _losses(results)) or _no_losses(results),
        _clean(results),
        _MONEY,
        *(_data_set(result, price) for result in results),
        judged_section(judged, how=_guide("Answers and judges", guided=guided)),
        "## The systems\n",
        "".join(_systems(results)),
        "## Run it again\n",
        _commands(results),
    ]
    return "\n".join(parts)


def _guide(section: str, *, guided: bool) -> str:
    """Where a section of the guide is: a link beside it, else in words, which hold wherever the page lies.

    >>> _guide("How it is measured", guided=True)
    '[how it is measured](add-a-system.md#how-it-is-measured)'
    >>> _guide("How it is measured", guided=False)
    '"How it is measured" in `docs/inside/add-a-system.md` of Recollect'
    """
    if not guided:
        return f'"{section}" in `docs/inside/{_GUIDE}` of Recollect'
    return f"[{section[0].lower()}{section[1:]}]({_GUIDE}#{section.lower().replace(' ', '-')})"


def _overview(results: Sequence[Result]) -> Iterator[list[str]]:
    """A row for systems that found the same, a column for each gold, and the time of a search.

    Data sets on which no system has figures have no column.
    """
    columns = [(result, gold) for result in results for gold in golds_of(result)]
    if not columns:
        return
    yield ["", *(_column(result, gold) for result, gold in columns), "search, ms of CPU"]
    first = columns[0][0]
    names = list(dict.fromkeys(name for result in results for name in result["systems"]))
    names.sort(key=lambda name: -_mean(first, golds_of(first)[0], name))
    rows = []
    for name in names:
        row = first["systems"].get(name, {})
        spent = milliseconds(row["time"]["search_cpu_ms"]) if "time" in row else ""
        shown = f"**{name}**" if name == "recollect" else name
        rows.append([shown, *(_of(*one, name) for one in columns), spent])
    yield from joined(rows, {0, 1 + len(columns)})


def _column(result: Result, gold: str) -> str:
    measure = COLUMNS[result["chief"]][result["chief"]]
    name = result["title"].partition(":")[0]
    return f"{name}, {measure}" + (", corrected" if gold == "corrected" else "")


def _of(result: Result, gold: str, name: str) -> str:
    row = result["systems"].get(name)
    if row is None:
        return ""
    return cell(row["golds"][gold]["measures"][result["chief"]]) if "golds" in row else "failed"


def _mean(result: Result, gold: str, name: str) -> float:
    row = result["systems"].get(name, {})
    return float(row["golds"][gold]["measures"][result["chief"]]["mean"]) if "golds" in row else -1.0


def _losses(results: Sequence[Result]) -> Iterator[str]:
    """Every figure of the tables, time too, by which another system is at least as good as Recollect."""
    for result in results:
        ours = _ours(result)
        if ours is None:
            continue
        own = result["systems"][ours]
        name, gold = result["title"].partition(":")[0], golds_of(result)[0]
        others = {
            other: row
            for other, row in result["systems"].items()
            if "golds" in row and not other.startswith("recollect")
        }
        for measure, label in COLUMNS[result["chief"]].items():
            mine = own["golds"][gold]["measures"].get(measure)
            sign = -1 if measure in FAULTS else 1
            ahead: dict[str, list[str]] = {}
            for other, row in others.items():
                theirs = row["golds"][gold]["measures"].get(measure)
                if mine and theirs and sign * theirs["mean"] >= sign * mine["mean"]:
                    ahead.setdefault(cell(theirs), []).append(other)
            yield from (
                f"{name}, {label}: {', '.join(those)} {found}, {ours} {cell(mine)}"
                for found, those in ahead.items()
            )
        if result["chief"] == "context_right":
            yield from _lost_kinds(name, ours, own["golds"][gold]["categories"], others, gold)
        quicker = [other for other, row in others.items() if _ms(row) < _ms(own)]
        if quicker:
            yield (
                f"{name}, time of a search ({milliseconds(_ms(own))} ms): quicker are "
                + ", ".join(f"{other} ({milliseconds(_ms(others[other]))})" for other in quicker)
            )
        yield from (
            f"{name}: no difference from {other} can be shown"
            for other, found in result["compared"].get("golds", {}).get(gold, {}).items()
            if other in others and verdict(found) == "none"
        )


def _no_losses(results: Sequence[Result]) -> str:
    return (
        "Nowhere in these tables.\n" if any(map(_ours, results)) else "Recollect is in none of these runs.\n"
    )


def _ours(result: Result) -> str | None:
    """Which variant of Recollect has figures, the default one first; None without any."""
    names = [
        name for name, row in result["systems"].items() if name.startswith("recollect") and "golds" in row
    ]
    return min(names, key=len, default=None)


def _lost_kinds(
    name: str, ours: str, own: Mapping[str, Result], others: Mapping[str, Result], gold: str
) -> Iterator[str]:
    """The kinds of questions of which others get more right."""
    for kind, mine in own.items():
        more = {
            other: row["golds"][gold]["categories"][kind]["mean"]
            for other, row in others.items()
            if row["golds"][gold]["categories"].get(kind, mine)["mean"] > mine["mean"]
        }
        if more:
            found = ", ".join(f"{other} {100 * mean:.0f}" for other, mean in more.items())
            yield f"{name}, {kind}: {found}, {ours} {100 * mine['mean']:.0f}"


def _ms(row: Result) -> float:
    return float(row["time"]["search_cpu_ms"])


def _data_set(result: Result, price: float) -> str:
    size = ", ".join(f"{count:,} {what}" for what, count in result["counts"].items())
    said = " ".join(part for part in (f"{size}.", omitted(result), result["looked_at"]) if part)
    parts = [f"## {result['title']}\n", f"{said}\n"]
    for gold in golds_of(result):
        whose = "" if gold == "own" else f"By the gold as corrected by {result['corrections']}:\n"
        parts += [whose, markdown(chief_rows(result, gold, brief=gold != "own"))]
    if result["chief"] == "context_right" and golds_of(result):
        parts.append("Right by kind of question:\n")
        parts.append(markdown(kind_rows(result)))
    parts.append(markdown(_more(result, price)))
    parts += [f"- {name} has no figures: {row['failed']}\n" for name, row in _failed(result)]
    return "\n".join(part for part in parts if part)


def _more(result: Result, price: float) -> Iterator[list[str]]:
    """What is not about finding: tokens, money, time, and what must not come back, where something did."""
    rows = {name: row for name, row in result["systems"].items() if "golds" in row}
    if not rows:
        return
    columns: dict[str, Callable[[Result], str]] = {**_MORE}
    columns |= {f"1,000 questions at ${price:g} per million tokens": partial(_money, price=price)}
    shown = [label for label, of in columns.items() if any(of(row) not in {"", "0"} for row in rows.values())]
    yield ["", *shown]
    for name, row in rows.items():
        yield [name, *(columns[label](row) for label in shown)]


def _until(row: Result) -> str:
    """Tokens until the first answer; empty where that was not measured."""
    measures = _measures(row)
    if "tokens_until_gold" not in measures:
        return ""
    until = measures["tokens_until_gold"].get("median")
    return f"{until:,.0f}" if until else "never"


def _given(row: Result) -> str:
    """Tokens given to a model for an answer; empty in a result of before these were counted."""
    given = _measures(row).get(GIVEN)
    return f"{given['mean']:,.0f}" if given else ""


def _money(row: Result, *, price: float) -> str:
    """What 1,000 answers cost in tokens given."""
    given = _measures(row).get(GIVEN)
    return f"${given['mean'] * 1_000 * price / 1_000_000:.2f}" if given else ""


def _apart(row: Result) -> str:
    return "" if row["tells_apart"] is None else f"{row['tells_apart']:.2f}"


def _clean(results: Sequence[Result]) -> str:
    """That nothing came back that must not, where that is so of every system and data set."""
    rows = [row for result in results for row in result["systems"].values() if "golds" in row]
    named = {"gone": "a deleted or replaced turn", "foreign": "a turn of another user"}
    never = [what for key, what in named.items() if not any(row[key] for row in rows)]
    return f"No system found {' or '.join(never)}.\n" if never else ""


def _measures(row: Result) -> Result:
    measures: Result = next(iter(row["golds"].values()))["measures"] if "golds" in row else {}
    return measures


def _failed(result: Result) -> list[tuple[str, Result]]:
    return [(name, row) for name, row in result["systems"].items() if "failed" in row]


def _systems(results: Sequence[Result]) -> Iterator[str]:
    """What each system is, with the choices made in its favour, and its versions."""
    rows = {name: row for result in results for name, row in result["systems"].items()}
    for name, row in rows.items():
        versions = ", ".join(f"{package} {version}" for package, version in row.get("packages", {}).items())
        about = " ".join(row["about"].split())
        yield f"- **{name}**: {about}" + (f" Versions: {versions}." if versions else "") + "\n"


def _commands(results: Sequence[Result]) -> str:
    runs = [run for result in results for run in (result, *result.get("other_runs", ()))]
    typed = [command for run in runs for command in (run.get("made_by"), run["command"]) if command]
    folders = dict.fromkeys(run.get("out", OUT) for run in runs)
    typed += [shlex.join(["recollect", "bench", "report", folder]) for folder in folders]
    lines = "\n".join(f"$ {command}" for command in typed)
    made = "".join(
        [_made(result, "") for result in results]
        + [
            _made(run, f" ({', '.join(run['systems'])})")
            for result in results
            for run in result.get("other_runs", ())
        ]
    )
    return f"```console\n{lines}\n```\n\n{made}"


def _made(run: Result, systems: str) -> str:
    made, name = run["made"], run["title"].partition(":")[0]
    files = "".join(f", {name} `{digest[:12]}`" for name, digest in run["files"].items())
    return (
        f"- {name}{systems}: {made['date']}, {told(run['library_commit'], made)}, Python "
        f"{made['python']}, {made['cores']} cores, load {made['load_average']}, vectors by "
        f"{run['vectors']}{files}\n"
    )


_MORE: Final[Mapping[str, Callable[[Result], str]]] = {
    "tokens until the first answer, median": _until,
    "tokens given for an answer": _given,
    "adding a turn, ms of CPU": lambda row: milliseconds(row["time"]["add_cpu_ms_per_turn"]),
    "a search by the clock, ms": lambda row: milliseconds(row["time"]["search_wall_ms"]),
    "score tells strangers' questions apart (AUROC)": _apart,
    "deleted or replaced turns found": lambda row: f"{row['gone']:,}",
    "turns of other users found": lambda row: f"{row['foreign']:,}",
}
"""What a data set's second table shows of a system."""

_GUIDE: Final = "add-a-system.md"
"""The page of the documentation that says how all this is measured."""

_OPENING: Final = """\
# Memories compared

How much of the answer each memory finds, without a language model, in percent, with 95% intervals in
brackets: {how}. `recollect bench report` wrote this page
from `{folder}`, which has the intervals of all figures.
"""

_NO_FIGURES: Final = "No system has figures: each section says why.\n"

_MONEY: Final = """\
No system is handed a key from the environment, so that none pays for a language model by it; what a system
spends on a model of its own is not counted. Answering costs the tokens that a model is given: the context
that is judged, or the first ten turns.
"""

_READING: Final = """\
Each section says whether its data set was looked at while Recollect was tuned: where it was, expect less of
Recollect on others. A system that takes vectors gets those of Recollect's bundled embedder; a larger model,
which it would download or pay for, may find more. Times are CPU time, on the machines of the last section:
under load a factor of two means little. A difference is named only where a paired test shows it. An empty
cell was not run, or not together.
"""

"""The commands ``recollect bench``: compare memories with each other, and time this one."""

from pathlib import Path
from typing import Annotated, Final

import typer

from recollect.cli.command import FAILED, Group, command
from recollect.cli.judging import judge
from recollect.cli.options import Json
from recollect.cli.output import progress, show
from recollect_bench import CALL_S, LEAST_MESSAGES, OUT, PRICE

_MOST: Final = 1_000_000
"""Dollars for as many tokens: whoever types more has slipped."""


@command(
    "run",
    example="""\
recollect bench run --systems recollect,bm25,langgraph --data locomo=locomo10.json
recollect bench run --systems recollect,./mine.py --data beam=beam.json --out results""",
)
def run(
    *,
    systems: Annotated[str, typer.Option(metavar="NAME,...", help="Systems by name, or .py files.")],
    data: Annotated[
        list[str], typer.Option(metavar="NAME=PATH,...", help="A data set and its files; may be repeated.")
    ],
    out: Annotated[Path, typer.Option(help="The folder of the results.")] = Path(OUT),
    timeout_s: Annotated[float, typer.Option(help="Seconds that one call may take.", min=1)] = CALL_S,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew; else a stopped run goes on.")] = False,
    as_json: Json = False,
) -> None:
    """Run systems on data sets and compare what they find. No language model is used.

    Other systems are installed into environments of their own, under the user's cache folder. A stopped run
    goes on when it is started again.
    """
    from recollect_bench.catalogue import find_all_data, find_systems
    from recollect_bench.environments import cache_folder
    from recollect_bench.run import Bench
    from recollect_bench.table import summary

    chosen, given = find_systems(systems), find_all_data(data)
    bench = Bench(
        out=out,
        cache=cache_folder(),
        timeout_s=timeout_s,
        fresh=fresh,
        report=lambda line: typer.echo(line, err=True),
    )
    results = bench.run(chosen, given)
    show(results, lines="\n".join(map(summary, results)), as_json=as_json)
    if not any("failed" not in row for one in results for row in one["systems"].values()):
        raise typer.Exit(FAILED)


@command("report", example="recollect bench report bench-results --out compared.md")
def report(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where bench run wrote its results.")
    ] = Path(OUT),
    *,
    out: Annotated[Path, typer.Option(help="The page; its plot lies beside it.")] = Path("compared.md"),
    price_in: Annotated[
        float, typer.Option(metavar="DOLLARS", help="Of a million tokens given to a model.", min=0, max=_MOST)
    ] = PRICE,
    as_json: Json = False,
) -> None:
    """Write a page with a table, a plot and the losses from the results of runs."""
    from recollect_bench.judged.tables import read_judged
    from recollect_bench.page import read_results, write_page

    results = read_results(folder)
    write_page(results, out, folder=folder, price=price_in, judged=read_judged(folder))
    names = [one["dataset"] for one in results]
    told = {"page": str(out), "plot": str(out.with_suffix(".svg")), "data": names}
    show(told, lines=f"{out}: {', '.join(names)}", as_json=as_json)


@command("list", example="recollect bench list")
def list_(*, as_json: Json = False) -> None:
    """List the systems and the data sets that can be named."""
    from recollect_bench.catalogue import data_sets, systems

    found = systems()
    sets = data_sets()
    value = {
        "systems": {one.name: {"about": one.about, "requirements": one.requirements} for one in found},
        "data": {name: {"title": module.TITLE, "files": module.FILES} for name, module in sets},
    }
    width = max(len(name) for name in (*(one.name for one in found), *(name for name, _ in sets))) + 2
    lines = [f"{one.name:<{width}}{one.about.splitlines()[0]}" for one in found]
    lines += ["", *(f"{name:<{width}}{module.TITLE} ({module.FILES})" for name, module in sets)]
    show(value, lines="\n".join(lines), as_json=as_json)


@command("life", example="recollect bench life --seed 7 --messages 400 --out life.json")
def life(
    *,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("life.json"),
    seed: Annotated[
        int, typer.Option(help="The first person's; the same seed gives the same bytes.", min=0)
    ] = 1,
    people: Annotated[int, typer.Option(help="How many, each with the next seed.", min=1, max=1_000)] = 1,
    messages: Annotated[
        int,
        typer.Option(help=f"That each year has, {LEAST_MESSAGES} at least.", min=LEAST_MESSAGES, max=20_000),
    ] = 400,
    as_json: Json = False,
) -> None:
    """Make up people's years, for ``bench run --data life=FILE``.

    A year has changes, corrections, deletions, standing instructions, several languages, irony and noise, and
    questions whose answers are known.
    """
    from recollect_bench.life.year import make_lives

    out.write_text(make_lives(seed=seed, people=people, messages=messages), encoding="utf-8")
    show({"file": str(out), "people": people}, lines=f"{out}: {people} people", as_json=as_json)


@command("speed", example="recollect bench speed --memories 50000")
def speed(
    *,
    memories: Annotated[int, typer.Option(help="How many to generate.", min=100, max=1_000_000)] = 10_000,
    seed: Annotated[int, typer.Option(help="The seed of the generated words.")] = 1,
    embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which embedder; by default a new store's.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure speed on this machine. Uses generated words in a temporary folder."""
    from recollect.embedders import DEFAULT_EMBEDDER
    from recollect_bench.speed import measure

    named = embedder or DEFAULT_EMBEDDER
    with progress("adding", as_json=as_json) as report:
        found = measure(memories, seed=seed, embedder=named, report=report)
    lines = "\n".join(f"{name:<26}{value:>12,}" for name, value in found.items() if value != named)
    show(found, lines=lines, as_json=as_json)


bench: Final = Group(
    name="bench",
    about="Compare memories on known questions, or time this one.",
    example="""\
recollect bench run --systems recollect,bm25,langgraph --data locomo=locomo10.json
recollect bench speed --json""",
    commands=(run, judge, report, list_, life, speed),
)

"""``python -m benchmarks.torture``: attack until the time is up, and report a figure a row."""

import argparse
import json
import logging
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.measuring import milliseconds
from benchmarks.torture.crowds import forks, full_pool, growth, million
from benchmarks.torture.damage import flipped_bytes
from benchmarks.torture.disk import failing_writes, power_cut
from benchmarks.torture.figures import Attack, Figures, Ground
from benchmarks.torture.fuzz import http_routes, mcp_tools
from benchmarks.torture.lives import taken_back
from benchmarks.torture.models import hostile_models
from benchmarks.torture.processes import killed_writers
from benchmarks.torture.renames import ended_at_renames
from benchmarks.torture.scopes import scope_probes
from benchmarks.torture.server import hostile_neighbours, killed_server
from benchmarks.torture.texts import hostile_rows

SQLITE, POSTGRES, CITUS = "SQLite", "PostgreSQL", "Citus"
ON_FILES: tuple[Attack, ...] = (
    flipped_bytes, power_cut, failing_writes, ended_at_renames, killed_writers, taken_back, scope_probes,
    http_routes, mcp_tools, killed_server, hostile_neighbours, forks, growth, hostile_models, hostile_rows,
)  # fmt: skip
ON_POSTGRES: tuple[Attack, ...] = (
    killed_writers, taken_back, scope_probes, http_routes, mcp_tools, forks, full_pool, hostile_models,
)  # fmt: skip
MEASURED: tuple[Attack, ...] = (hostile_neighbours, hostile_rows, growth)
"""What compares times or sizes, which other work on a machine may change: left out with ``--quick``."""
LONG = 60
"""Minutes of a campaign that begins with a million adds. Chosen by hand: these take about ten."""
OFTEN: dict[Attack, int] = {scope_probes: 10}
"""Rounds for each round of the others in a long campaign: a million probes in an hour."""
SEEDS = Path("torture-seeds.txt")


class Round(NamedTuple):
    """One round of an attack; its words repeat it."""

    where: str
    attack: Attack
    seed: int

    def __str__(self) -> str:
        return f"{self.where} {self.attack.__name__} {self.seed}"


class Report:
    """The figures of all rounds, a row for each attack and place."""

    def __init__(self) -> None:
        self.rows: dict[str, Figures] = {}
        self.rounds: dict[str, int] = {}
        self.failed: list[str] = []

    def add(self, done: Round, figures: Figures) -> None:
        """Add a round; its seed is kept when something did not hold."""
        name = f"{done.where}: {figures.name}"
        row = self.rows.setdefault(name, Figures(name=name))
        self.rounds[name] = self.rounds.get(name, 0) + 1
        row.counts.update(figures.counts)
        row.times_s.extend(figures.times_s)
        row.alone_s.extend(figures.alone_s)
        row.failures.extend(figures.failures)
        if figures.failures:
            self.failed.append(f"{done}  # {' '.join(figures.failures[0].split())[:300]}")

    def lines(self) -> Iterator[str]:
        """The report, as a table in Markdown."""
        yield "| attack | rounds | figures | did not hold |"
        yield "|---|---|---|---|"
        for name, row in sorted(self.rows.items()):
            counts = ", ".join(f"{number:,} {what}" for what, number in row.counts.items())
            yield f"| {name} | {self.rounds[name]:,} | {counts}{_times(row)} | {len(row.failures):,} |"


def _times(row: Figures) -> str:
    if not row.times_s:
        return ""
    beside, alone = (json.dumps(milliseconds(times)) for times in (row.times_s, row.alone_s))
    return f"; others' searches {beside}, alone {alone}"


def main() -> int:
    """Do what the command line asks for; returns 1 when something did not hold."""
    options = _parser().parse_args()
    logging.disable(logging.CRITICAL)  # the servers' own words on what they refuse
    report = Report()
    until = time.monotonic() + 60 * options.minutes
    with ExitStack() as stack:
        stores = _stores(stack, postgres=not options.no_postgres, citus=options.citus)
        for one in _rounds(options, stores):
            if time.monotonic() > until and not options.replay:
                break
            report.add(one, run(one, stores[one.where]))
    print(f"seed {options.seed}, {options.minutes:g} minutes", *report.lines(), sep="\n")
    if report.failed:
        with SEEDS.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in report.failed)
        print(f"\ndid not hold; kept in {SEEDS}, run again with --replay {SEEDS}:", *report.failed, sep="\n")
    return 1 if report.failed else 0


def run(one: Round, new_store: Callable[[Path], str]) -> Figures:
    """Do one round in a folder of its own; an error that nothing expects is a failure."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        ground = Ground(folder=folder, new_store=partial(new_store, folder))
        try:
            return one.attack(ground, Random(one.seed))
        except Exception as error:  # noqa: BLE001 - what is looked for
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
            return Figures(name=one.attack.__name__, failures=[said])


def _rounds(options: argparse.Namespace, stores: dict[str, Callable[[Path], str]]) -> Iterator[Round]:
    known = [(SQLITE, one) for one in ON_FILES if not options.quick or one not in MEASURED]
    known += [(where, one) for where in (POSTGRES, CITUS) if where in stores for one in ON_POSTGRES]
    if options.replay:
        wanted = {(where, one.__name__): one for where, one in [*known, (SQLITE, million)]}
        for line in options.replay.read_text(encoding="utf-8").splitlines():
            where, name, seed = line.split("#")[0].split()
            yield Round(where, wanted[where, name], int(seed))
        return
    seeds = Random(options.seed)
    is_long = options.minutes >= LONG
    if is_long and not options.quick:
        yield Round(SQLITE, million, seeds.getrandbits(32))
    for _ in count():
        seeds.shuffle(known)  # a short campaign ends amid a turn
        for where, attack in known:
            for _ in range(OFTEN.get(attack, 1) if is_long else 1):
                yield Round(where, attack, seeds.getrandbits(32))


def _stores(stack: ExitStack, *, postgres: bool, citus: str | None) -> dict[str, Callable[[Path], str]]:
    numbers = count()
    stores = {SQLITE: lambda folder: str(folder / f"m{next(numbers)}.db")}
    if postgres:
        new = stack.enter_context(_schemas())
        stores[POSTGRES] = lambda _folder: new(f"t{next(numbers)}")
    if citus is not None:
        import psycopg

        from benchmarks.postgres import new_in_cluster

        try:
            psycopg.connect(citus, connect_timeout=10).close()
        except psycopg.Error as error:
            raise SystemExit(f"--citus: no connection: {error}") from error
        stores[CITUS] = lambda _folder: new_in_cluster(citus, f"torture_{os.getpid()}_{next(numbers)}")
    return stores


@contextmanager
def _schemas() -> Iterator[Callable[[str], str]]:
    """A PostgreSQL server of our own; makes URLs of empty schemas."""
    from benchmarks.postgres import running_postgres

    with running_postgres() as server:
        yield server.new


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5, help="how long (5)")
    parser.add_argument("--seed", type=int, default=1, help="of the rounds' seeds (1)")
    parser.add_argument("--quick", action="store_true", help="compare no times and sizes, for a busy machine")
    parser.add_argument("--no-postgres", action="store_true", help="start no PostgreSQL")
    parser.add_argument(
        "--citus", metavar="URL", help="of a superuser at the coordinator of a Citus cluster, to attack, too"
    )
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="only the rounds that did not hold before"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())

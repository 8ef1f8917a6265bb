"""``python -m benchmarks``: run the benchmarks, and make the page that shows them."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.ablation import run_ablation
from benchmarks.datasets import LOADERS
from benchmarks.report import render, summary
from benchmarks.results import RESULTS, read_results, write_result
from benchmarks.retrieval import run_retrieval
from benchmarks.speed import run_speed

PAGE: Final = Path(__file__).parent.parent / "docs" / "benchmarks.md"
MILLION: Final = 1_000_000


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line asks for."""
    options = _parser().parse_args(arguments)
    if options.command in ("all", "retrieval"):
        for name in LOADERS:
            _retrieval(name, getattr(options, name), options)
    if options.command in ("all", "ablation"):
        _ablation(options)
    if options.command in ("all", "speed"):
        sizes = [*options.sizes, *([MILLION] if options.million else [])]
        _keep(run_speed(sizes, with_profile=options.profile), options.results)
    if options.command in ("all", "report"):
        options.page.parent.mkdir(parents=True, exist_ok=True)
        options.page.write_text(render(read_results(options.results)), encoding="utf-8")
        print(f"wrote {options.page}")


def _retrieval(name: str, path: str, options: argparse.Namespace) -> None:
    if not path or not Path(path).exists():
        reason = f"no file at {path}" if path else "no path was given"
        print(f"{name}: skipped, {reason} (--{name} PATH)")
        return
    _keep(run_retrieval(LOADERS[name](Path(path)), with_context=not options.no_context), options.results)


def _ablation(options: argparse.Namespace) -> None:
    given = {name: getattr(options, name) for name in LOADERS}
    found = {name: Path(path) for name, path in given.items() if path and Path(path).exists()}
    if not found:
        print("ablation: skipped, no data set was given")
        return
    _keep(run_ablation([LOADERS[name](path) for name, path in found.items()]), options.results)


def _keep(result: dict[str, object], folder: Path) -> None:
    print(summary(result))
    print(f"wrote {write_result(result, folder)}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("command", choices=("all", "retrieval", "ablation", "speed", "report"))
    for name in LOADERS:
        parser.add_argument(
            f"--{name}", default="", metavar="PATH", help=f"the {name} file; without it, skipped"
        )
    parser.add_argument("--no-context", action="store_true", help="leave out answers in contexts (faster)")
    parser.add_argument("--sizes", type=_sizes, default=[1_000, 10_000, 100_000], help="such as 1000,10000")
    parser.add_argument("--million", action="store_true", help="a million memories too (half an hour)")
    parser.add_argument("--profile", action="store_true", help="profile the searches too")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of the results")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page made of them")
    return parser


def _sizes(text: str) -> list[int]:
    return sorted(int(size) for size in text.split(","))


if __name__ == "__main__":
    main()

"""``python -m benchmarks``: run the benchmarks, and make the page that shows them."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.ablation import run_ablation
from benchmarks.activation import run_activation
from benchmarks.ageing import run_ageing
from benchmarks.agenda import run_agenda
from benchmarks.changed import compare_with_committed
from benchmarks.clusters import run_clusters
from benchmarks.everyday import run_everyday
from benchmarks.extraction import run_extraction
from benchmarks.filestores import run_filestores
from benchmarks.floor import run_floor
from benchmarks.importance import run_importance
from benchmarks.importing import assistant_turns, run_importing
from benchmarks.intents import run_intents
from benchmarks.keeping import run_keeping
from benchmarks.labels import run_labels
from benchmarks.limits import run_limits
from benchmarks.memory_questions import run_memory_questions
from benchmarks.pii import run_pii
from benchmarks.postgres import run_postgres
from benchmarks.recall import run_recall
from benchmarks.report import render, summary
from benchmarks.report_readme import with_figures
from benchmarks.report_scale import NEEDED, render_scale
from benchmarks.results import RESULTS, read_results, result_name, write_result
from benchmarks.retrieval import run_retrieval
from benchmarks.scaling import run_scaling
from benchmarks.serving import run_serving
from benchmarks.speed import run_speed
from benchmarks.temporal import run_temporal
from benchmarks.thresholds import run_thresholds
from recollect_bench.datasets import LOADERS, Dataset

PAGE: Final = Path(__file__).parent.parent / "docs" / "inside" / "benchmarks.md"
README: Final = PAGE.parents[2] / "README.md"
MILLION: Final = 1_000_000


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line asks for."""
    options = _parser().parse_args(arguments)
    for name in ALL if options.command == "all" else (options.command,):
        COMMANDS[name](options)


def _retrieval(options: argparse.Namespace) -> None:
    for name in LOADERS:
        path = getattr(options, name)
        if path and Path(path).exists():
            dataset = LOADERS[name](Path(path))
            if not dataset.names_turns:
                print(f"{name}: skipped, its questions name no turns")
                continue
            _keep(run_retrieval(dataset, with_context=not options.no_context), options.results)
        else:
            reason = f"no file at {path}" if path else "no path was given"
            print(f"{name}: skipped, {reason} (--{name} PATH)")


def _ablation(options: argparse.Namespace) -> None:
    _on_datasets(run_ablation, options)


def _importance(options: argparse.Namespace) -> None:
    _on_datasets(run_importance, options)


def _intents(options: argparse.Namespace) -> None:
    _keep(run_intents(), options.results)


def _memory_questions(options: argparse.Namespace) -> None:
    _keep(run_memory_questions(_datasets(options, asked=False)), options.results)


def _agenda(options: argparse.Namespace) -> None:
    _keep(run_agenda(), options.results)


def _ageing(options: argparse.Namespace) -> None:
    _keep(run_ageing(), options.results)


def _limits(options: argparse.Namespace) -> None:
    _keep(run_limits(), options.results)


def _temporal(options: argparse.Namespace) -> None:
    _keep(run_temporal(), options.results)


def _labels(options: argparse.Namespace) -> None:
    datasets = _datasets(options)
    if not datasets:
        print("labels: dates alone, no data set was given")
    _keep(run_labels(datasets), options.results)


def _extraction(options: argparse.Namespace) -> None:
    _keep(run_extraction(_datasets(options, asked=False)), options.results)


def _keeping(options: argparse.Namespace) -> None:
    _keep(run_keeping(_datasets(options, asked=False)), options.results)


def _everyday(options: argparse.Namespace) -> None:
    _keep(run_everyday(), options.results)


def _pii(options: argparse.Namespace) -> None:
    _keep(run_pii(_datasets(options)), options.results)


def _activation(options: argparse.Namespace) -> None:
    _on_datasets(run_activation, options)


def _semem(options: argparse.Namespace) -> None:
    from benchmarks.semem import run_semem

    _keep(run_semem(_datasets(options)), options.results)


def _clusters(options: argparse.Namespace) -> None:
    _keep(run_clusters(), options.results)


def _recall(options: argparse.Namespace) -> None:
    _keep(run_recall(_datasets(options)), options.results)


def _thresholds(options: argparse.Namespace) -> None:
    _keep(run_thresholds(), options.results)


def _speed(options: argparse.Namespace) -> None:
    sizes = [*options.sizes, *([MILLION] if options.million else [])]
    _keep(run_speed(sizes, with_profile=options.profile), options.results)


def _floor(options: argparse.Namespace) -> None:
    _keep(run_floor(), options.results)


def _postgres(options: argparse.Namespace) -> None:
    made = run_postgres(
        _datasets(options), size=max(options.sizes), crowd_s=options.crowd_s, users=options.users
    )
    _keep(made, options.results)


def _serving(options: argparse.Namespace) -> None:
    _keep(run_serving(), options.results)


def _scaling(options: argparse.Namespace) -> None:
    _keep(run_scaling(), options.results)


def _importing(options: argparse.Namespace) -> None:
    datasets = _datasets(options, asked=False)
    if any(assistant_turns(datasets)):
        _keep(run_importing(datasets), options.results)
    else:
        print("importing: skipped, no data set of a person and an assistant was given")


def _filestores(options: argparse.Namespace) -> None:
    _keep(run_filestores(), options.results)


def _changed(options: argparse.Namespace) -> None:
    print(compare_with_committed(options.results))


def _report(options: argparse.Namespace) -> None:
    options.page.parent.mkdir(parents=True, exist_ok=True)
    results = read_results(options.results)
    pages = {options.page: render(results)}
    if set(NEEDED) <= set(map(result_name, results)):
        pages[options.page.with_name("scale.md")] = render_scale(results)
    for page, text in pages.items():
        page.write_text(text, encoding="utf-8")
        print(f"wrote {page}")
    if options.readme.exists():
        readme = options.readme.read_text(encoding="utf-8")
        options.readme.write_text(with_figures(readme, results), encoding="utf-8")
        print(f"wrote {options.readme}")


COMMANDS: Final[Mapping[str, Callable[[argparse.Namespace], None]]] = {
    "retrieval": _retrieval,
    "ablation": _ablation,
    "importance": _importance,
    "intents": _intents,
    "memory_questions": _memory_questions,
    "agenda": _agenda,
    "ageing": _ageing,
    "limits": _limits,
    "temporal": _temporal,
    "labels": _labels,
    "extraction": _extraction,
    "keeping": _keeping,
    "everyday": _everyday,
    "pii": _pii,
    "activation": _activation,
    "thresholds": _thresholds,
    "semem": _semem,
    "clusters": _clusters,
    "recall": _recall,
    "speed": _speed,
    "floor": _floor,
    "postgres": _postgres,
    "filestores": _filestores,
    "importing": _importing,
    "serving": _serving,
    "scaling": _scaling,
    "report": _report,
    "changed": _changed,
}
"""What can be run."""
ALL: Final = tuple(name for name in COMMANDS if name not in ("postgres", "scaling"))
"""What ``all`` runs, in this order: not what takes a server of PostgreSQL."""


def _on_datasets(run: Callable[[Sequence[Dataset]], dict[str, object]], options: argparse.Namespace) -> None:
    datasets = _datasets(options)
    if datasets:
        _keep(run(datasets), options.results)
    else:
        print(f"{run.__name__.removeprefix('run_')}: skipped, no data set was given")


def _datasets(options: argparse.Namespace, *, asked: bool = True) -> list[Dataset]:
    """Those whose files are there; with ``asked`` those with questions alone."""
    given = {name: getattr(options, name) for name in LOADERS}
    found = [LOADERS[name](Path(path)) for name, path in given.items() if path and Path(path).exists()]
    return [one for one in found if not asked or one.names_turns]


def _keep(result: dict[str, object], folder: Path) -> None:
    print(summary(result))
    print(f"wrote {write_result(result, folder)}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("command", choices=("all", *COMMANDS))
    for name in LOADERS:
        parser.add_argument(
            f"--{name}", default="", metavar="PATH", help=f"the {name} file; without it, skipped"
        )
    parser.add_argument("--no-context", action="store_true", help="leave out answers in contexts (faster)")
    parser.add_argument("--sizes", type=_sizes, default=[1_000, 10_000, 100_000], help="such as 1000,10000")
    parser.add_argument("--million", action="store_true", help="a million memories too (half an hour)")
    parser.add_argument("--users", type=int, default=1_000, help="users on PostgreSQL, of 1,000 each")
    parser.add_argument("--crowd-s", type=float, default=180, help="seconds of many clients at once")
    parser.add_argument("--profile", action="store_true", help="profile the searches too")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of the results")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page made of them")
    parser.add_argument("--readme", type=Path, default=README, help="where the chief figures stand as well")
    return parser


def _sizes(text: str) -> list[int]:
    return sorted(int(size) for size in text.split(","))


if __name__ == "__main__":
    main()

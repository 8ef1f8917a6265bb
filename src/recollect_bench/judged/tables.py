"""What judges said, as tables for the terminal and the page."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from recollect_bench.folder import read_all
from recollect_bench.provenance import told
from recollect_bench.table import Result, aligned, cell, markdown, verdict

_NONE: Final = (
    "None: no result of judges lies beside these. `recollect bench judge` has a model answer and judges "
    "decide: {how}.\n"
)


def read_judged(folder: Path) -> list[Result]:
    """The results of ``bench judge`` in a folder; there may be none.

    Raises:
        InvalidInputError: Some cannot be read.
    """
    return read_all(folder, "judged", show=_data_set)


def judged_section(results: Sequence[Result], *, how: str) -> str:
    """The part of the page that shows what judges said; ``how`` names where that is described."""
    told = map(_data_set, results) if results else [_NONE.format(how=how)]
    return "\n".join(["## Answers judged by models\n", *told])


def judged_summary(result: Result) -> str:
    """A result for the terminal."""
    rows, judges = list(_systems(result)), list(_judges(result))
    return "\n".join([_told(result), "", aligned(rows), "", aligned(judges), *_warnings(result)])


def _data_set(result: Result) -> str:
    warned = "".join(f"- {line}\n" for line in _warnings(result))
    parts = [
        f"### {result['title']}\n",
        f"{_told(result)}\n",
        markdown(_systems(result)),
        markdown(_judges(result)),
        warned,
        f"{_made(result)}\n",
    ]
    return "\n".join(part for part in parts if part)


def _told(result: Result) -> str:
    drawn, answers = result["questions"], result["answers"]
    gold = (
        "the data set's own gold" if result["gold"] == "own" else f"the gold as corrected by {result['gold']}"
    )
    return (
        f"{drawn['drawn']:,} of {drawn['of']:,} questions, answered by {answers['model']} from the first "
        f"{result['context_tokens']:,} tokens of turns that each system found, judged by {gold}. Right, in "
        "percent of the answers with a verdict, with 95% intervals. A difference is named only where a "
        "paired test on the same questions shows it."
    )


def _systems(result: Result) -> Iterator[list[str]]:
    compared = result.get("compared", {})
    base, tested = compared.get("with"), len(result["systems"]) > 1 and bool(compared)
    heads = [
        [
            f"right by {name}" + (" (not to be trusted)" if judge["doubts"] else ""),
            "unread",
            *([f"{base} is better by"] if tested else []),
        ]
        for name, judge in result["judges"].items()
    ]
    yield ["", *(head for one in heads for head in one)]
    for system, figures in result["systems"].items():
        yield [
            system,
            *(
                text
                for judge, one in figures.items()
                for text in (
                    cell(one) if "mean" in one else "",
                    f"{one['unread']:,}",
                    *([_better(compared["judges"][judge].get(system))] if tested else []),
                )
            ),
        ]


def _better(compared: Result | None) -> str:
    """What the paired test says; nothing of the system itself, or where no question has both verdicts."""
    return verdict(compared) if compared and "p_holm" in compared else ""


def _judges(result: Result) -> Iterator[list[str]]:
    yield ["", "vague answers passed", "wrong answers passed", "as judged by hand", "kappa", "unread"]
    for name, judge in result["judges"].items():
        hand, kappa = judge["hand_made"], judge["hand_made"]["kappa"]
        yield [
            name,
            *(f"{one['passed']} of {one['of']}" for one in judge["traps"].values()),
            f"{hand['agreed']} of {hand['of']}",
            "" if kappa is None else f"{kappa:.2f}",
            f"{judge['unread']:,} of {judge['calls']:,}",
        ]


def _warnings(result: Result) -> Iterator[str]:
    for name, judge in result["judges"].items():
        if judge["doubts"]:
            yield f"{name} is not to be trusted, and its figures say little: {', '.join(judge['doubts'])}"
    agreement = result["agreement"]
    if agreement:
        alpha = "none can be computed" if agreement["alpha"] is None else f"{agreement['alpha']:.2f}"
        yield (
            f"the judges differ on {agreement['differing']:,} of {agreement['answers']:,} answers; "
            f"Krippendorff's alpha: {alpha}"
        )
    if result["answers"]["unread"]:
        yield (
            f"{result['answers']['unread']:,} of {result['answers']['calls']:,} answers of "
            f"{result['answers']['model']} could not be read and have no verdict"
        )


def _made(result: Result) -> str:
    prompts = ", ".join(f"{name} `{digest}`" for name, digest in result["prompts"].items())
    asked = {one["model"]: one for one in (*result["judges"].values(), result["answers"])}
    models = "; ".join(
        f"{name} at {one['server']}, {' to '.join(dict.fromkeys(one['days']))}" for name, one in asked.items()
    )
    found = ", ".join(f"{name} `{commit}`" for name, commit in result["found_at"].items() if commit)
    hand = result["hand_made"]
    return (
        f"`{result['command']}`: prompts {prompts}; {models}; {hand['lines']} verdicts made by hand "
        f"`{hand['file']}`; {result['made']['date']}, {told(result['made']['commit'], result['made'])}"
        + (f", what was found by {found}." if found else ".")
    )

"""Fit the weights by which secrets are found: ``python -m benchmarks.secret_weights --locomo FILE …``.

Logistic regression over the candidates of ``recollect.text.secrets.evidence``: those of the labelled lines,
and those of chats, in which nothing is a secret. Each labelled secret counts again, little, with values of
other shapes in its place, so that a sentence weighs more than the value that happened to stand in it.
``--folds`` prints what is found on the fifth of the lines that was held back, instead of writing the weights.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.datasets import LOADERS
from benchmarks.secret_lines import SecretLine, load_secret_lines, secret_figures
from recollect.text.secrets import evidence
from recollect.text.secrets import weights as fitted
from recollect.text.secrets.cues import cues_of_all
from recollect.text.secrets.evidence import Candidate, candidates
from recollect.text.secrets.stretches import Stretch, has_digits, stretches
from recollect.text.secrets.tokens import lowered, tokens_of

Floats = npt.NDArray[np.float64]

PLAIN: Final = ("mandarin", "Regnskog", "blau-mond", "Tulpe77", "Fork!lift9", "sandpiper", "Copper_4")
ODD: Final = ("Tulpe77", "Fork!lift9", "Copper_4")
NUMBERS: Final = ("4826", "75310", "590317")
"""Values put into the place of others."""
LINE, HARMLESS, CHAT, VARIANT = 1.0, 1.3, 0.5, 0.15
"""What a candidate counts: a secret of a line, another of a line, one of a chat, a varied secret.

This and the next were chosen by five folds of the labelled lines."""
RIDGE, LEAST, STRICTER = 0.3, 0.3, 0.4
"""Half the penalty of a squared weight, the least weight that is kept, and what the bias is lowered by."""


class Examples:
    """Rows of features, whether each is a secret, what it counts, and the line it came from (-1: a chat)."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []
        self.secret: list[bool] = []
        self.counts: list[float] = []
        self.line: list[int] = []

    def add(self, candidate: Candidate, line: int, counts: float, *, secret: bool) -> None:
        """Add a row."""
        self.rows.append(candidate.features)
        self.secret.append(secret)
        self.counts.append(counts)
        self.line.append(line)


def examples_of(lines: Sequence[SecretLine], chats: Sequence[str]) -> Examples:
    """What is learned from."""
    examples = Examples()
    for number, line in enumerate(lines):
        for stretch, candidate in _whole(line.text):
            start, end = _place(stretch, candidate)
            place = next((span for span in line.secrets if span[0] <= start < span[1]), None)
            if place is None:
                examples.add(candidate, number, HARMLESS, secret=False)
            elif start <= place[0] + 1:
                examples.add(candidate, number, LINE, secret=True)
                for value in _others(candidate) if end >= place[1] - 1 else ():
                    _add_variant(examples, number, line.text[:start] + value + line.text[end:], start)
    for text in chats:
        low, digits = lowered(text), has_digits(text)
        for stretch in stretches(text, low, digits=digits):
            for candidate in candidates(stretch, cues_of_all(stretch.tokens)):
                examples.add(candidate, -1, CHAT, secret=False)
    return examples


def _add_variant(examples: Examples, number: int, text: str, start: int) -> None:
    for stretch, candidate in _whole(text):
        if _place(stretch, candidate)[0] == start:
            examples.add(candidate, number, VARIANT, secret=True)


def _whole(text: str) -> Iterator[tuple[Stretch, Candidate]]:
    low = lowered(text)
    if tokens := tuple(tokens_of(text, low, 0, len(text))):
        stretch = Stretch(text=text, low=low, tokens=tokens)
        yield from ((stretch, candidate) for candidate in candidates(stretch, cues_of_all(tokens)))


def _place(stretch: Stretch, candidate: Candidate) -> tuple[int, int]:
    return stretch.tokens[candidate.first].start, stretch.tokens[candidate.last].end


def _others(candidate: Candidate) -> tuple[str, ...]:
    """Values that could stand in a secret's place."""
    group = candidate.shape[0]
    if group == "N":
        return NUMBERS if candidate.shape in {"N.4", "N.5-8", "N.clock", "N.year"} else ()
    is_named = any(part in feature for feature in candidate.features for part in (".password@", ".pass@"))
    return PLAIN if is_named and group in "POH" else ODD if group == "O" else ()


def fit(examples: Examples, rows: npt.NDArray[np.intp]) -> tuple[float, dict[str, float]]:
    """The bias and the weights, fitted with all features of some rows, then with those that matter."""
    seen = Counter(feature for row in rows for feature in set(examples.rows[row]))
    names = sorted(feature for feature, count in seen.items() if count >= 3)
    bias, weights = _regress(examples, rows, names)
    bias, weights = _regress(examples, rows, [name for name in names if abs(weights[name]) >= LEAST])
    return round(bias - STRICTER, 2), {
        name: round(weight, 1) for name, weight in weights.items() if round(weight, 1)
    }


def _regress(
    examples: Examples, rows: npt.NDArray[np.intp], names: Sequence[str]
) -> tuple[float, dict[str, float]]:
    """Newton's method, on a matrix of one row a candidate and one column a feature, the last one of ones."""
    columns = {name: column for column, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names) + 1))
    matrix[:, -1] = 1
    for at, row in enumerate(rows):
        matrix[at, [columns[name] for name in examples.rows[row] if name in columns]] = 1
    secret = np.array(examples.secret, float)[rows]
    counts = np.array(examples.counts)[rows]
    ridge = np.full(len(names) + 1, RIDGE)
    ridge[-1] = 1e-6
    weights = np.zeros(len(names) + 1)
    for _ in range(15):
        chance = 1 / (1 + np.exp(-np.clip(matrix @ weights, -30, 30)))
        slope = matrix.T @ (counts * (chance - secret)) + ridge * weights
        bend = (matrix * (counts * chance * (1 - chance) + 1e-6)[:, None]).T @ matrix + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    return float(weights[-1]), dict(zip(names, map(float, weights), strict=False))


def held_back(
    lines: Sequence[SecretLine], examples: Examples, folds: int = 5
) -> Iterator[tuple[str, object]]:
    """The figures of each part, each line searched with weights that were fitted without it."""
    fold = np.array([line * 7919 % folds if line >= 0 else -1 for line in examples.line])
    told: dict[str, list[dict[str, int]]] = {}
    for number in range(folds):
        _use(*fit(examples, np.flatnonzero(fold != number)))
        kept = [line for place, line in enumerate(lines) if place * 7919 % folds == number]
        for part in dict.fromkeys(line.part for line in lines):
            told.setdefault(part, []).append(secret_figures([line for line in kept if line.part == part]))
    for part, figures in told.items():
        yield (
            part,
            {
                name: sum(one[name] for one in figures)
                for name in ("secrets", "masked", "harmless", "false_alarms", "cut")
            },
        )


def _use(bias: float, weights: dict[str, float]) -> None:
    for name, value in (("BIAS", bias), ("WEIGHTS", weights)):
        setattr(evidence, name, value)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, and write the weights or print the folds' figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("locomo", "beam", "realmem"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--folds", action="store_true")
    options = parser.parse_args(arguments)
    chats = [
        turn.text
        for name in ("locomo", "beam", "realmem")
        for conversation in LOADERS[name](getattr(options, name)).conversations
        for _, turns in conversation.sessions()
        for turn in turns
    ]
    lines = load_secret_lines()
    examples = examples_of(lines, chats)
    if options.folds:
        for part, figures in held_back(lines, examples):
            print(part, figures)
        return
    bias, weights = fit(examples, np.arange(len(examples.rows)))
    path = Path(fitted.__file__).with_suffix(".json")
    path.write_text(
        json.dumps({"bias": bias, "weights": weights}, indent=0, ensure_ascii=False) + "\n", "utf-8"
    )
    print(f"{len(weights)} weights")


if __name__ == "__main__":
    main()

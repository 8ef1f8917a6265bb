"""Train the model that tells which sentences state something lasting (``extraction/lasting.npz``).

    python -m scripts.build_lasting LINES [--check]

LINES is a gzip file of public dialogue, a JSON list ``[source, dialogue, turn, role, text]`` a line
(Schema-Guided Dialogue CC BY-SA 4.0, Topical-Chat CDLA-Sharing 1.0, Taskmaster-4 and Synthetic-Persona-Chat
CC BY 4.0, CLINC OOS CC BY 3.0). ``scripts/lasting_lines.jsonl`` holds sentences that several authors wrote
for this in eight languages, each with its kind: ``state``, ``instruction``, ``plan``, or ``passing`` for what
does not last. Lines of author 3 are of the public dialogue, named by their digest. The statements of
``judge_pairs.jsonl`` last, too. Of the dialogue, the profiles of Persona-Chat and what the rules learn from
last; the rest does not, except what a first model takes for lasting in talk between people, which is left
out. Needs scikit-learn; takes five minutes on one core.
"""

import argparse
import gzip
import hashlib
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from recollect.embedders.contextual import ContextualEmbedder
from recollect.learning.extraction import lasting
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.heard import sentences_in
from recollect.learning.reconcile import judge

WRITTEN: Final = Path(__file__).with_name("lasting_lines.jsonl")
PAIRS: Final = Path(__file__).with_name("judge_pairs.jsonl")
SEED: Final = 1
LEAST: Final = 3
"""Sentences that a feature must stand in."""
PENALTY: Final = 1.0
"""The inverse of the L2 penalty."""
VECTOR: Final = 0.1
"""The standard deviation of vectors; with ``PENALTY`` chosen on lines of one author that were left out."""
PICKED: Final = {
    "persona-chat": 7000,
    "topical": 5000,
    "sgd": 1500,
    "clinc": 1500,
    "taskmaster": 1500,
    "persona": 2000,
}
"""Lines of each source."""
BETWEEN_PEOPLE: Final = ("persona-chat", "topical")
DOUBTED: Final = 0.5
"""Probability from which the first model takes a line of talk for lasting."""
SMALLEST: Final = 0.02
"""A weight below which a feature of words is left out of the file. These are chosen by hand."""
EQUAL: Final = 0.02
"""By which the weights of two runs may differ."""
Array = np.ndarray[Any, Any]


class Line(NamedTuple):
    """A sentence, what it states (``passing`` for nothing lasting), how much it counts, and whence it is."""

    text: str
    kind: str
    weight: float
    source: str


def main() -> None:
    """Train, and write or compare the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lines", type=Path)
    parser.add_argument("--check", action="store_true", help="compare with the shipped file instead")
    given = parser.parse_args()
    arrays = trained(lines_of(given.lines))
    if given.check:
        with np.load(lasting.FILE, allow_pickle=False) as shipped:
            apart = max(float(np.abs(shipped[name] - arrays[name]).max()) for name in ("vector", "bias"))
        raise SystemExit(f"the shipped file differs by {apart:.6f}" if apart > EQUAL else 0)
    np.savez_compressed(lasting.FILE, allow_pickle=False, **arrays)


def lines_of(dialogue: Path) -> list[Line]:
    """All lines that it learns from."""
    rows = [json.loads(row) for row in WRITTEN.read_text(encoding="utf-8").splitlines()]
    labelled = {row["digest"]: row["kind"] for row in rows if "digest" in row}
    found = [Line(row["text"], row["kind"], 1.5, "written") for row in rows if "text" in row]
    said = {json.loads(row)["before"] for row in PAIRS.read_text(encoding="utf-8").splitlines()}
    found += [Line(one, "state", 1.0, "pairs") for text in sorted(said) for one in sentences_in(text)]
    return found + spoken(dialogue, labelled)


def spoken(path: Path, labelled: dict[str, str]) -> list[Line]:
    """Sentences of public dialogue."""
    by_source: dict[str, list[str]] = {}
    known: list[Line] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            source, _, _, role, text = json.loads(line)
            if role not in {"system", "assistant"}:
                by_source.setdefault(source, []).append(text)
    picked = random.Random(SEED)
    found: list[Line] = []
    for source, count in PICKED.items():
        texts = by_source[source]
        if source != "persona":
            known += [one for text in texts for one in _labelled(text, labelled)]
        for text in picked.sample(texts, min(count, len(texts))):
            found += _spoken(source, text)
    unique = {one.text: one for one in known}
    return [*unique.values(), *(one for one in found if one.text not in unique)]


def _labelled(text: str, labelled: dict[str, str]) -> list[Line]:
    parts = [text, *(part.strip() for part in text.replace("?", ".").replace("!", ".").split("."))]
    kinds = [
        (part, labelled.get(hashlib.blake2b(part.encode(), digest_size=8).hexdigest())) for part in parts
    ]
    return [Line(part, kind, 1.5, "labelled") for part, kind in kinds if kind]


def _spoken(source: str, text: str) -> list[Line]:
    quotes = [fact.quote for fact in extract_facts([Turn(text=text)])]
    found = []
    for one in sentences_in(text):
        learned = any(quote in one or one in quote for quote in quotes)
        lasts = learned or source == "persona"
        weight = 0.4 if lasts or source in BETWEEN_PEOPLE else 0.8
        if not (learned and source not in {*BETWEEN_PEOPLE, "persona"}):
            found.append(Line(one, "state" if lasts else "passing", weight, source))
    return found


def trained(lines: Sequence[Line]) -> dict[str, Array]:
    """The arrays of the file."""
    vectors = dict.fromkeys(line.text for line in lines)
    vectors = dict(zip(vectors, ContextualEmbedder().embed_documents(list(vectors)), strict=True))
    first = fitted(lines, vectors, lambda line: line.kind != "passing")
    likely = first.chances([line.text for line in lines])
    doubtful = [line.source in BETWEEN_PEOPLE and line.kind == "passing" for line in lines]
    kept = [
        line
        for line, chance, doubt in zip(lines, likely, doubtful, strict=True)
        if not (doubt and chance > DOUBTED)
    ]
    lasts = fitted(kept, vectors, lambda line: line.kind != "passing")
    stated = [line for line in kept if line.kind != "passing" and line.source == "written"]
    kinds = [
        fitted(stated, vectors, lambda line, kind=kind: line.kind == kind, lasts)
        for kind in lasting.KINDS[1:]
    ]
    parts = [lasts, *kinds]
    words = np.stack([part.words for part in parts])
    heavy = np.abs(words).max(axis=0) > SMALLEST
    names = [name for name, keep in zip(lasts.idf, heavy, strict=True) if keep]
    return {
        "features": np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        "idf": np.array([lasts.idf[name] for name in names], np.float16),
        "words": words[:, heavy].astype(np.float16),
        "vector": np.stack([part.vector for part in parts]).astype(np.float32),
        "bias": np.array([part.bias for part in parts], np.float32),
    }


class Fitted(NamedTuple):
    """A regression: the weights of words, of the vector, and the bias."""

    idf: dict[str, float]
    vectors: dict[str, Array]
    words: Array
    vector: Array
    bias: float

    def chances(self, texts: Sequence[str]) -> Array:
        """The probability of each text."""
        odds = rows_of(texts, self.idf) @ self.words
        odds += np.stack([self.vectors[text] for text in texts]) @ self.vector + self.bias
        chances: Array = 1 / (1 + np.exp(-odds))
        return chances


def fitted(
    lines: Sequence[Line], vectors: dict[str, Array], is_it: Any, like: Fitted | None = None
) -> Fitted:
    """A regression that tells the lines for which something holds; with the features of another one."""
    texts = [line.text for line in lines]
    idf = like.idf if like else document_frequencies(texts)
    dense = np.stack([vectors[text] for text in texts])
    scaler = StandardScaler().fit(dense)
    columns = hstack([rows_of(texts, idf), csr_matrix(scaler.transform(dense) * VECTOR)]).tocsr()
    model = LogisticRegression(C=PENALTY, max_iter=3000)
    model.fit(columns, [is_it(line) for line in lines], sample_weight=[line.weight for line in lines])
    vector = model.coef_[0][len(idf) :] / (scaler.scale_ / VECTOR)
    return Fitted(
        idf, vectors, model.coef_[0][: len(idf)], vector, float(model.intercept_[0] - scaler.mean_ @ vector)
    )


def rows_of(texts: Sequence[str], idf: dict[str, float]) -> Any:
    """The rows of TF-IDF weights."""
    place = {name: at for at, name in enumerate(idf)}
    cells = [
        (row, place[name], weight)
        for row, text in enumerate(texts)
        for name, weight in judge.tf_idf(lasting.features(text), idf).items()
    ]
    rows, columns, values = zip(*cells, strict=True)
    return csr_matrix((values, (rows, columns)), shape=(len(texts), len(idf)))


def document_frequencies(texts: Sequence[str]) -> dict[str, float]:
    """The inverse document frequency of each feature of at least ``LEAST`` texts."""
    counts = Counter(name for text in texts for name in lasting.features(text))
    return {
        name: float(np.log((1 + len(texts)) / (1 + count)) + 1)
        for name, count in sorted(counts.items())
        if count >= LEAST
    }


if __name__ == "__main__":
    main()

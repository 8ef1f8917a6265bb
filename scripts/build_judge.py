"""Train the model that tells which earlier statement a message makes out of date (``reconcile/judge.npz``).

    python -m scripts.build_judge LINES [--check]

LINES is a gzip file of public dialogue, a JSON list ``[source, dialogue, turn, role, text]`` a line
(Schema-Guided Dialogue CC BY-SA 4.0, Topical-Chat CDLA-Sharing 1.0, Taskmaster-4 and Synthetic-Persona-Chat
CC BY 4.0): what people say that changes nothing. ``scripts/judge_pairs.jsonl`` holds pairs of a statement and
a later message, ``judge_lives.jsonl`` people with two dozen statements each and what they say later; both
were written for this by several authors. Needs scikit-learn; takes three minutes on one core.

With ``--authors`` it trains without one author at a time and prints what it finds of theirs.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from recollect.embedders.contextual import ContextualEmbedder
from recollect.learning.extraction.changing import SHORT, units_in
from recollect.learning.extraction.masking import own_words
from recollect.learning.extraction.reading import as_read
from recollect.learning.reconcile import judge

PAIRS: Final = Path(__file__).with_name("judge_pairs.jsonl")
LIVES: Final = Path(__file__).with_name("judge_lives.jsonl")
SEED: Final = 1
LEAST: Final = 3
"""Messages that a word or word pair must stand in."""
PENALTY: Final = 0.4
"""The inverse of the L2 penalty."""
VECTOR: Final = 0.1
"""The standard deviation of vectors; with ``PENALTY`` chosen by training without one author at a time."""
BESIDE: Final = (0, 3, 10, 20, 30)
"""Other statements of the same author that stand beside the one which a message is about."""
WITHOUT: Final = 0.3
"""Share of the messages whose statement is left out, so that none ends."""
TALK: Final = 1.0
"""Weight of all lines of dialogue beside that of all written messages."""
FOLDS: Final = 5
ORDINARY: Final = 150
"""Statements kept as ordinary ones. These five are chosen by hand."""
DIALOGUES: Final = {"persona-chat": 2000, "topical": 800, "sgd": 300, "taskmaster": 100}
"""Dialogues of each source."""
EQUAL: Final = 1e-3
"""By which the weights of two runs may differ."""
LINES: Final = 4
"""Of one speaker, at least."""
CONTEXTUAL: Final = 256
LIMITS: Final = (0.2, 0.3, 0.4, 0.5, 0.6)
"""Probabilities for which ``--authors`` prints what is found."""
Array = np.ndarray[Any, Any]
Dialogue = list[str]
VECTORS: Final[dict[str, Array]] = {}
"""Of each text that was embedded."""


class Message(NamedTuple):
    """What somebody says later, about the statement at a place, which it may end."""

    text: str
    about: int
    ends: bool
    topic: str = ""


class Life(NamedTuple):
    """Statements, and what is said later: of one person, or of an author's pairs, whose persons are many."""

    author: str
    said: Sequence[str]
    topics: Sequence[str]
    messages: Sequence[Message]


def main() -> None:
    """Train, and write or compare the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lines", type=Path)
    parser.add_argument("--check", action="store_true", help="compare with the shipped file instead")
    parser.add_argument("--authors", action="store_true", help="judge each author's pairs without theirs")
    given = parser.parse_args()
    lives, chat = [*of_pairs(PAIRS), *of_persons(LIVES)], dialogues(given.lines)
    if given.authors:
        for author in sorted({life.author for life in lives}):
            show(author, lives, chat)
        return
    arrays = trained(lives, chat)
    if given.check:
        with np.load(judge.FILE, allow_pickle=False) as shipped:
            apart = max(float(np.abs(shipped[name] - one).max()) for name, one in arrays.items())
        raise SystemExit(f"the shipped file differs by {apart:.6f}" if apart > EQUAL else 0)
    np.savez_compressed(judge.FILE, allow_pickle=False, **arrays)


def of_pairs(path: Path) -> Iterator[Life]:
    """The pairs of each author."""
    rows = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
    for author in sorted({row["author"] for row in rows}):
        own = [row for row in rows if row["author"] == author]
        messages = [
            Message(row["after"], place, row["kind"] == "change", row["topic"])
            for place, row in enumerate(own)
        ]
        yield Life(author, [row["before"] for row in own], [row["topic"] for row in own], messages)


def of_persons(path: Path) -> Iterator[Life]:
    """The persons of a file."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        place = {said["id"]: at for at, said in enumerate(row["says"])}
        messages = [
            Message(one["text"], place[(one["ends"] or [one["like"]])[0]], bool(one["ends"]))
            for one in row["later"]
            if one["ends"] or one.get("like")
        ]
        yield Life(row["author"], [said["text"] for said in row["says"]], [], messages)


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


def trained(lives: Sequence[Life], chat: Sequence[Dialogue]) -> dict[str, Array]:
    """The arrays of the file."""
    picked = random.Random(SEED)
    messages = [message for life in lives for message in life.messages]
    idf = document_frequencies([one.text for one in messages])
    talk = [
        unit for dialogue in chat for line in dialogue[2:4] + dialogue[-1:] for unit in messages_in(line)[:1]
    ]
    talk += [said for life in lives for said in life.said]
    words, message, bias = change_model(messages, talk, idf)
    said = sorted({one for life in lives for one in life.said})
    vectors = judge.unit_rows(np.stack([vectors_of(said)[one][:CONTEXTUAL] for one in said]))
    mean = vectors.mean(0)
    ordinary = judge.unit_rows(vectors - mean)[sorted(picked.sample(range(len(said)), ORDINARY))]
    arrays = {
        "grams": np.frombuffer("\n".join(idf).encode(), dtype=np.uint8),
        "idf": np.array(list(idf.values()), np.float32),
        "weight": words,
        "message": message,
        "bias": bias,
        "mean": mean,
        "ordinary": np.rint(ordinary * 127 / np.abs(ordinary).max()).astype(np.int8),
        "pair": np.zeros(1, np.float32),
    }
    return arrays | calibrated(lives, talk, arrays, picked)


def change_model(
    messages: Sequence[Message], talk: Sequence[str], idf: Mapping[str, float]
) -> tuple[Array, Array, np.float32]:
    """The weights of words, of the sentence vector, and the bias: which messages tell of a change."""
    texts = [one.text for one in messages] + list(talk)
    labels = [one.ends for one in messages] + [False] * len(talk)
    dense = np.stack([vectors_of(texts)[one] for one in texts])
    scaler = StandardScaler().fit(dense)
    words = sparse([judge.grams(one) for one in texts], idf)
    columns = hstack([words, csr_matrix(scaler.transform(dense) * VECTOR)]).tocsr()
    weights = np.r_[np.ones(len(messages)), np.full(len(talk), TALK * len(messages) / len(talk))]
    model = LogisticRegression(C=PENALTY, max_iter=3000).fit(columns, labels, sample_weight=weights)
    vector = model.coef_[0][len(idf) :] / (scaler.scale_ / VECTOR)
    bias = np.float32(model.intercept_[0] - scaler.mean_ @ vector)
    return model.coef_[0][: len(idf)].astype(np.float32), vector.astype(np.float32), bias


def calibrated(
    lives: Sequence[Life], talk: Sequence[str], arrays: Mapping[str, Array], picked: random.Random
) -> dict[str, Array]:
    """The change model with the slope of its odds for other authors, and the model of what is meant."""
    shipped = judge.read_judge(arrays)
    unseen = list(unseen_odds(lives, talk, shipped))
    slope = LogisticRegression(C=1e6).fit([[odds] for *_, odds in unseen], [one.ends for _, one, _ in unseen])
    scale, shift = np.float32(slope.coef_[0, 0]), np.float32(slope.intercept_[0])
    changed = {
        "weight": arrays["weight"] * scale,
        "message": arrays["message"] * scale,
        "bias": arrays["bias"] * scale + shift,
    }
    return changed | {"pair": pair_model(lives, shipped, picked)}


def pair_model(lives: Sequence[Life], shipped: judge.Judge, picked: random.Random) -> Array:
    """The weights of ``judge.pair_features``: which statement a change is about."""
    rows, labels = [], []
    for life in lives:
        for message in life.messages:
            for said, ends in settings(life, message, picked) if message.ends else ():
                rows.append(judge.pair_features(message.text, said, shipped))
                labels += [place == ends for place in range(len(said))]
    columns = np.concatenate(rows)
    scaler = StandardScaler().fit(columns)
    model = LogisticRegression(C=10, max_iter=3000).fit(scaler.transform(columns), labels)
    weights = model.coef_[0] / scaler.scale_
    return np.r_[weights, model.intercept_[0] - scaler.mean_ @ weights].astype(np.float32)


def unseen_odds(
    lives: Sequence[Life], talk: Sequence[str], shipped: judge.Judge
) -> Iterator[tuple[Life, Message, float]]:
    """Each message with the odds that a model gives which did not learn from its author's messages."""
    authors = sorted({life.author for life in lives})
    for fold in range(FOLDS):
        held = {author for place, author in enumerate(authors) if place % FOLDS == fold}
        others = [message for life in lives if life.author not in held for message in life.messages]
        words, message, bias = change_model(others, talk, shipped.idf)
        grams = {
            gram: (idf, float(weight)) for (gram, idf), weight in zip(shipped.idf.items(), words, strict=True)
        }
        without = shipped._replace(words=grams, message=message, bias=float(bias))
        for life in lives:
            if life.author in held:
                yield from ((life, one, judge.change_odds(one.text, without)) for one in life.messages)


def settings(life: Life, message: Message, picked: random.Random) -> Iterator[tuple[list[str], int | None]]:
    """Statements that a message may stand beside, and the place of the one that ends, if any."""
    if not life.topics:
        yield list(life.said), message.about if message.ends else None
        return
    for _ in range(2):
        others = [place for place, topic in enumerate(life.topics) if topic != message.topic]
        is_left_out = bool(others) and picked.random() < WITHOUT
        beside = picked.sample(others, min(max(picked.choice(BESIDE), is_left_out), len(others)))
        said = [life.said[place] for place in ([] if is_left_out else [message.about]) + beside]
        yield said, 0 if message.ends and not is_left_out else None


def messages_in(line: str) -> list[str]:
    """What is judged of a line: a short one whole, else its statements."""
    return [line] if len(line) <= SHORT else units_in(own_words(as_read(line), speaker="User"))


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


def show(author: str, lives: Sequence[Life], chat: Sequence[Dialogue]) -> None:
    """Print what is found of an author's messages after training without them.

    Of the changes: how many are found, and for how many another statement is taken. Of the others: for how
    many one is.
    """
    unseen = judge.read_judge(trained([life for life in lives if life.author != author], chat))
    picked, found = random.Random(SEED), []
    for life in lives:
        for message in life.messages if life.author == author else ():
            said, ends = next(settings(life, message, picked))
            likely = judge.outdates(message.text, said, judge=unseen)
            found.append((ends, int(likely.argmax()), float(likely.max())))
    cells = []
    for limit in LIMITS:
        changes = [best == ends for ends, best, sure in found if ends is not None and sure > limit]
        asked = [ends for ends, _, sure in found if ends is None and sure > limit]
        count = sum(ends is not None for ends, _, _ in found)
        shares = changes.count(True) / count, changes.count(False) / count, len(asked) / (len(found) - count)
        cells.append(f"{limit}: " + " ".join(f"{share:.2f}" for share in shares))
    print(author, len(found), " | ".join(cells), flush=True)


if __name__ == "__main__":
    main()

"""Train the network that tells which words of a message are secrets (``text/secrets/tagger.npz``).

    python -m scripts.build_secrets LINES --locomo FILE --beam FILE --realmem FILE [--authors AUTHOR ...]

LINES is a gzip file of public dialogue, a JSON list ``[source, dialogue, turn, role, text]`` a line. Like the
data sets it holds no secrets. Further lines to train on:

================================== ============================================================
file                               what
================================== ============================================================
``tests/text/secret_lines.jsonl``  lines by several authors, half of them with secrets
``tests/text/pii_lines.jsonl``     other personal data
``scripts/secret_cases.jsonl``     short cases
``scripts/secret_frames.txt``      sentences with gaps for made-up values
``docs``                           lines without secrets
================================== ============================================================

Needs ``torch``; takes five minutes on one core, and gives the same weights for the same files and versions.
Both shipped networks have the first seed; the second was trained without the twelfth set of lines.

With ``--authors`` it trains without one of them at a time and prints what is masked of theirs.
"""

import argparse
import gzip
import json
import random
import re
import string
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from benchmarks.secret_lines import SecretLine, load_secret_lines, secret_figures
from torch import Tensor, nn
from torch.nn import functional

from recollect.text.secrets import find_secrets, tagger
from recollect.text.secrets.tokens import lowered, tokens_of
from recollect.text.secrets.words import listed, parts_of
from recollect_bench.datasets import LOADERS

FRAMES: Final = Path(__file__).with_name("secret_frames.txt")
CASES: Final = Path(__file__).with_name("secret_cases.jsonl")
PERSONAL: Final = Path("tests/text/pii_lines.jsonl")
SEEDS: Final = (1, 2)
"""One for each network of which the tagger takes the mean: it has half the false alarms of one."""
WIDTH, HIDDEN = 16, 32
ROUNDS, RATE, FASTEST_AT_LEAST, BATCH = 20, 4e-3, 1e-4, 64
FEATURES_LEFT_OUT, LEFT_OUT = 0.3, 0.2
"""Shares of features and of values within the network that are left out while training. These and the numbers
below were chosen by training without one author at a time."""
HARMLESS_A_ROUND, FRAMED_A_ROUND, FILLINGS = 12_000, 12_000, 10
VARIANTS: Final = 5
"""Copies of a line with other values."""
PLAIN_WORDS: Final = slice(800, 8_000)
"""The words that may be made-up passwords, by how frequent they are in dialogue."""
LONGEST: Final = 80
"""Tokens of a line that are trained on."""
HELD_OUT, PLAIN, TELLING_LINES, TURNS = 20_000, 15_000, 24_000, 20_000
"""Lines of dialogue that are only counted, that are trained on as they come, and for a telling word; parts of
the turns of data sets."""
SIZES: Final = range(20, 400)
"""Characters of a part of a turn."""
TELLING: Final = re.compile(r"(?i)\d{2}|pass|code|pin\b|lock|wifi|key|account|login|alarm|door")
"""What makes a harmless line worth training on."""


class Sample(NamedTuple):
    """The features of each token of a line, and which are parts of secrets."""

    features: list[list[int]]
    labels: list[bool]


class Harmless(NamedTuple):
    """Text without secrets.

    Attributes:
        kept: Dialogue that is only counted.
        samples: Lines to train on.
        words: Words of the dialogue that are neither frequent nor rare.
    """

    kept: list[str]
    samples: list[Sample]
    words: list[str]


Labelled = tuple[str, Sequence[str]]
"""A text, and its secrets in order."""


def main() -> None:
    """Train, and write the file or print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lines", type=Path)
    parser.add_argument("--authors", nargs="*", help="judge these authors' lines without them")
    for name in LOADERS:
        parser.add_argument(f"--{name}", type=Path, metavar="FILE")
    given = vars(parser.parse_args())
    written = load_secret_lines()
    harmless = harmless_lines(given["lines"], [(name, given[name]) for name in LOADERS if given[name]])
    for author in given["authors"] or []:
        with tempfile.TemporaryDirectory() as folder:
            train([line for line in written if line.part != author], harmless, Path(folder, "tagger.npz"))
            show(author, [line for line in written if line.part == author], harmless.kept)
    if given["authors"] is None:
        train(written, harmless, tagger.FILE)
        show("all", written, harmless.kept)


def show(author: str, lines: Sequence[SecretLine], kept: Sequence[str]) -> None:
    """Print what is masked of an author's lines, and of dialogue that was held out."""
    alarms = [
        (text, [text[one.start : one.end] for one in found]) for text in kept if (found := find_secrets(text))
    ]
    print(author, json.dumps(secret_figures(lines)), len(alarms), "in dialogue", alarms[:20], flush=True)


def harmless_lines(path: Path, files: Sequence[tuple[str, Path]]) -> Harmless:
    """Dialogue to be counted, lines to train on, and plain words."""
    picked = random.Random(SEEDS[0])
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        dialogue = [json.loads(line)[4] for line in lines]
    picked.shuffle(dialogue)
    kept, rest = dialogue[:HELD_OUT], dialogue[HELD_OUT:]
    plain = [*rest[:PLAIN], *islice(filter(TELLING.search, rest[PLAIN:]), TELLING_LINES)]
    turns = [
        part
        for name, file in files
        for conversation in LOADERS[name](file).conversations
        for turn in conversation.turns
        for part in turn.text.split("\n")
        if len(part) in SIZES and TELLING.search(part)
    ]
    docs = [
        line for file in sorted(Path("docs").rglob("*.md")) for line in file.read_text("utf-8").split("\n")
    ]
    plain += picked.sample(turns, min(len(turns), TURNS)) + [line for line in docs if len(line) in SIZES]
    counted = Counter(word for text in rest for word in re.findall(r"\b[a-z]{4,10}\b", text))
    words = [word for word, _ in counted.most_common()][PLAIN_WORDS]
    return Harmless(kept, [Sample(features_of(text), []) for text in plain if text.strip()], sorted(words))


def features_of(text: str) -> list[list[int]]:
    """The features of each token of a text."""
    tokens = list(tokens_of(text, 0, len(text)))[:LONGEST]
    if not tokens:
        return []
    found = [[*tagger.own_features(token.text)] for token in tokens]
    for place, feature in [
        *enumerate(tagger.edge_features(text, tokens)),
        *tagger.name_features(lowered(text), tokens),
    ]:
        found[place].append(feature)
    return found


def sample_of(line: Labelled) -> Sample:
    """A labelled line as the network sees it."""
    text, secrets = line
    places, end = [], 0
    for secret in secrets:
        start = text.index(secret, end)
        end = start + len(secret)
        places.append((start, end))
    tokens = list(tokens_of(text, 0, len(text)))[:LONGEST]
    labels = [any(token.start < end and token.end > start for start, end in places) for token in tokens]
    return Sample(features_of(text), labels)


_SPOKEN: Final = 3
"""Words of the shortest line that a made-up phrase is taken from."""


class Values:
    """Made-up secrets: those of the lines, and words, digits and signs put together as people do."""

    def __init__(self, lines: Sequence[SecretLine], plain: Sequence[str], seed: int) -> None:
        self.picked = random.Random(seed)
        self.written = [line.text[start:end] for line in lines for start, end in line.secrets]
        words = sorted(
            {word for line in lines for word in re.findall(r"[^\W\d_]{4,9}", line.text)} | {*plain}
        )
        self.words = [word for word in words if not parts_of(word.lower())]
        self.lines = [re.findall(r"[^\W\d_]+", line.text) for line in lines if not line.secrets]
        self.lines = [said for said in self.lines if len(said) > _SPOKEN]
        self.said = sorted(word for word in listed("word: speaks about") if word.isalpha())

    def is_so(self, share: float) -> bool:
        """True in this share of calls."""
        return self.picked.random() < share

    def word(self) -> str:
        """A plain word."""
        word = self.picked.choice(self.words)
        return word.title() if self.is_so(0.5) else word.lower()

    def either(self) -> str:
        """A password that may be a plain word."""
        return self.word() if self.is_so(0.4) else self.password()

    def about(self) -> str:
        """What is said about a password."""
        return self.picked.choice(self.said)

    def name(self) -> str:
        """A name of a person, a pet or a place."""
        first, last = (self.picked.choice(self.words).title() for _ in range(2))
        forms = (
            "{}",
            "{}",
            "{}",
            "{} {}",
            "{} {}",
            "{}-{}",
            "Mr {}",
            "Don {}",
            "Van {}",
            "{} Lane",
            "{} Primary",
        )
        return self.picked.choice(forms).format(first, last)

    def phrase(self) -> str:
        """Three to six words, apart or as somebody said them."""
        count = self.picked.randint(3, 6)
        if self.is_so(0.5):
            return " ".join(self.picked.choice(self.words).lower() for _ in range(count))
        said = self.picked.choice(self.lines)
        begin = self.picked.randrange(max(1, len(said) - count))
        return " ".join(said[begin : begin + count]).lower()

    def user(self) -> str:
        """A name to log in with."""
        first, last = (self.picked.choice(self.words).lower() for _ in range(2))
        forms = ("{}", "{}_{}", "{}.{}", "{}{}", "{}@{}.test", "{}" + self.digits(2))
        return self.picked.choice(forms).format(first, last)

    def dials(self) -> str:
        """What one turns a lock to, as people tell it."""
        first, second, third = (self.digits(self.picked.choice((1, 2))) for _ in range(3))
        letters = "".join(self.picked.choices(string.ascii_uppercase, k=2))
        forms = (
            f"{first} left, {second} right, {third} left",
            f"left to {first}, right to {second}, left again to {third}",
            f"{first} then {second} then {third}",
            f"{letters[0]}{first[0]} then {letters[1]}{second[0]}",
            f"{first} - {second} - {third}",
            "-".join([letters[0], *self.digits(3)]),
            "-".join(self.digits(self.picked.choice((3, 4)))),
        )
        return self.picked.choice(forms)

    def seed(self) -> str:
        """The words of a wallet."""
        return " ".join(self.picked.choice(self.words).lower() for _ in range(12))

    def password(self) -> str:
        """One that was written by an author, or words with digits and signs."""
        pick = self.picked
        odd = [
            value
            for value in self.written
            if " " not in value and not value.isalpha() and not value.isdigit()
        ]
        if self.is_so(0.5):
            return pick.choice(odd)
        number = self.digits(pick.choice((1, 2, 2, 3, 4)))
        sign = pick.choice(("", "", *"!#$&*+-.=?@_"))
        made = (
            f"{self.word()}{sign}{self.word()}{pick.choice(('', number))}",
            f"{self.word()}{sign}{number}{pick.choice(('', '', '!', '#'))}",
            pick.choice("-._").join([self.word(), self.word(), pick.choice((self.word(), number))]),
            self.word().translate(str.maketrans("aeio", "4310")) + pick.choice(("", "!", number)),
            "".join(pick.choices(string.ascii_letters + string.digits, k=pick.randint(6, 14))),
        )
        return pick.choice(made)

    def code(self) -> str:
        """Digits, at once or in groups, some with a letter or a sign."""
        pick = self.picked
        made = {
            self.digits(4): 50,
            self.digits(6): 12,
            self.digits(3): 8,
            self.digits(pick.choice((5, 8))): 5,
            " ".join(self.digits(3) for _ in range(2)): 5,
            " ".join(self.digits(2) for _ in range(3)): 3,
            pick.choice(" -").join(self.digits(pick.choice((3, 4, 4)))): 6,
            "-".join(self.digits(2) for _ in range(3)): 5,
            pick.choice(("{}#", "{}*", "#{}", "A{}", "{}B", "*{}#", "A-{}-B", "LX-{}-C")).format(
                self.digits(4)
            ): 6,
            pick.choice(("{}{}", "{}{}", "{0}{1}{0}")).format(
                pick.choice(string.ascii_uppercase), self.digits(pick.choice((3, 4, 5)))
            ): 4,
            " ".join(self.digits(4) for _ in range(2)): 2,
            "-".join(self.digits(3) for _ in range(2)): 3,
            pick.choice(("19", "20")) + self.digits(2): 4,
        }
        return pick.choices([*made], [*made.values()])[0]

    def telephone(self) -> str:
        """A telephone number, or as many digits in groups."""
        sign, digits = self.picked.choice(" -./"), self.digits
        made = (
            f"{digits(3)}{sign}{digits(3)}{sign}{digits(4)}",
            f"({digits(3)}) {digits(3)}-{digits(4)}",
            f"+{digits(2)} {digits(3)} {digits(7)}",
            f"0{digits(3)}{sign}{digits(6)}",
            sign.join(["0" + digits(1), *(digits(2) for _ in range(4))]),
            f"+{digits(1)}{digits(10)}",
        )
        return self.picked.choice(made)

    def digits(self, count: int) -> str:
        """So many digits."""
        return "".join(self.picked.choices(string.digits, k=count))

    def like(self, value: str) -> str:
        """Another value for one that was written."""
        if not any(map(str.isalpha, value)):
            return re.sub(r"\d", lambda _: self.digits(1), value)
        if " " in value:
            return value if self.is_so(0.5) else self.phrase()
        return self.word() if value.isalpha() else self.password()


def variant_of(line: SecretLine, values: Values) -> Labelled:
    """A line with other values in place of its secrets, or with other numbers where it has none."""
    if not line.secrets:
        return re.sub(r"\d+", lambda match: values.digits(len(match[0])), line.text), ()
    parts, secrets, end = [], [], 0
    for start, stop in line.secrets:
        secrets.append(values.like(line.text[start:stop]))
        parts += [line.text[end:start], secrets[-1]]
        end = stop
    return "".join([*parts, line.text[end:]]), secrets


def personal() -> Iterator[Labelled]:
    """Lines with telephone numbers, addresses and other numbers of people, save those kept to judge with."""
    for row in map(json.loads, PERSONAL.read_text(encoding="utf-8").splitlines()):
        if row["part"] != "unseen":
            yield row["text"], [words for kind, words in row["pii"] if kind in {"secret", "card"}]


def masked(line: SecretLine) -> str:
    """A line whose secrets were masked before."""
    text = line.text
    for start, end in reversed(line.secrets):
        kind = "code" if text[start:end].isdigit() else "password"
        text = f"{text[:start]}[{kind} removed]{text[end:]}"
    return text


def framed(values: Values) -> Iterator[Labelled]:
    """The sentences of ``secret_frames.txt``, each filled some times."""
    gaps: dict[str, Callable[[], str]] = {"t": values.telephone}
    gaps |= {"v": values.password, "n": values.code, "w": values.word, "m": values.name}
    gaps |= {"r": values.dials, "p": values.phrase, "s": values.seed, "x": values.either, "k": values.about}
    lists: dict[str, list[str]] = {}
    for row in FRAMES.read_text(encoding="utf-8").splitlines():
        if row[:3] in {"a: ", "l: ", "d: "}:
            lists[row[0]] = row[3:].split("|")
        elif row and row[0] not in "#[":
            yield from (filled(row, gaps, lists, values) for _ in range(FILLINGS))


def filled(row: str, gaps: Any, lists: Any, values: Values) -> Labelled:
    """A sentence with values in its gaps; it holds no secret where it begins with "- "."""
    secrets: list[str] = []

    def value(match: re.Match[str]) -> str:
        if match[1] == "u":
            return values.user()
        if match[1] == "d":
            count, sign = values.picked.choice((3, 4, 4, 5)), values.picked.choice((" ", " ", ", ", "-"))
            secrets.append(sign.join(values.picked.choices(lists["d"], k=count)))
            return secrets[-1]
        if match[1] in lists:
            return str(values.picked.choice(lists[match[1]]))
        secrets.append(gaps[match[1]]())
        return secrets[-1]

    text = re.sub(r"\{(\w)\}", value, row.removeprefix("- "))
    text = text[0].upper() + text[1:] if values.is_so(0.3) and not row.startswith("{") else text
    return text, () if row.startswith("- ") else secrets


class Network(nn.Module):
    """What ``tagger.py`` computes, for training."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.EmbeddingBag(tagger.BUCKETS, WIDTH, mode="sum")
        nn.init.normal_(self.tokens.weight, 0, 0.1)
        reach, step = tagger.REACH, tagger.STEP
        self.near = nn.Conv1d(WIDTH, HIDDEN, reach, padding=reach // 2)
        self.wide = nn.Conv1d(HIDDEN, HIDDEN, reach, padding=reach // 2 * step, dilation=step)
        self.whole = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.mixed = nn.Linear(WIDTH + 2 * HIDDEN, HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)

    def forward(self, ids: Tensor, offsets: Tensor, mask: Tensor) -> Tensor:
        """Log odds of shape ``(lines, tokens)``, as the mask."""
        vectors = torch.zeros(mask.numel(), WIDTH).index_put(
            (mask.view(-1).nonzero()[:, 0],), self.tokens(ids, offsets)
        )
        drop = nn.Dropout(LEFT_OUT) if self.training else nn.Identity()
        x, is_token = drop(vectors.view(*mask.shape, WIDTH)), mask[:, None, :]
        near = drop(functional.relu(self.near(x.transpose(1, 2))) * is_token)
        wide = functional.relu(self.wide(near)) * is_token
        every = drop(torch.cat([x, near.transpose(1, 2), wide.transpose(1, 2)], 2))
        mixed = functional.relu(self.mixed(every) + self.whole(wide.amax(2))[:, None, :])
        odds: Tensor = self.last(mixed)[..., 0]
        return odds


def train(lines: Sequence[SecretLine], harmless: Harmless, file: Path) -> None:
    """Train on labelled and harmless lines, write a file, and use it from now on."""
    torch.set_num_threads(1)
    write([trained(lines, harmless, seed) for seed in SEEDS], file)


def trained(lines: Sequence[SecretLine], harmless: Harmless, seed: int) -> Network:
    """One network."""
    torch.manual_seed(seed)
    picked, values = random.Random(seed), Values(lines, harmless.words, seed)
    own = [
        [sample_of((line.text, [line.text[a:b] for a, b in line.secrets]))]
        + [sample_of(variant_of(line, values)) for _ in range(VARIANTS)]
        for line in lines
    ]
    frames = [sample_of(line) for line in framed(values)]
    frames += [Sample(features_of(masked(line)), []) for line in lines if line.secrets]
    cases = [json.loads(row) for row in CASES.read_text(encoding="utf-8").splitlines()]
    own += [[sample_of((case["text"], case["secret"]))] for case in cases]
    own += [[sample_of(line)] for line in personal()]
    network = Network()
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-4)
    for at in range(ROUNDS):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 + np.cos(np.pi * at / ROUNDS)) / 2 + FASTEST_AT_LEAST
        samples = [picked.choice(every) if values.is_so(0.5) else every[0] for every in own * 2]
        samples += picked.sample(harmless.samples, min(HARMLESS_A_ROUND, len(harmless.samples)))
        samples += picked.sample(frames, min(FRAMED_A_ROUND, len(frames)))
        for batch in batches([one for one in samples if one.features], picked):
            step(network, optimiser, batch, picked)
    return network


def batches(samples: list[Sample], picked: random.Random) -> list[list[Sample]]:
    """Samples in groups of like length, in no order."""
    picked.shuffle(samples)
    found = []
    for at in range(0, len(samples), 2_000):
        some = sorted(samples[at : at + 2_000], key=lambda one: len(one.features))
        found += [some[place : place + BATCH] for place in range(0, len(some), BATCH)]
    picked.shuffle(found)
    return found


def step(
    network: Network, optimiser: torch.optim.Optimizer, batch: list[Sample], picked: random.Random
) -> None:
    """Learn from one batch."""
    longest = max(len(one.features) for one in batch)
    mask, labels = torch.zeros(len(batch), longest), torch.zeros(len(batch), longest)
    ids, offsets = [], []
    for row, one in enumerate(batch):
        mask[row, : len(one.features)] = 1
        labels[row, : len(one.labels)] = torch.tensor(one.labels, dtype=torch.float)
        for features in one.features:
            offsets.append(len(ids))
            ids += [feature for feature in features if picked.random() > FEATURES_LEFT_OUT]
    odds = network(torch.tensor(ids), torch.tensor(offsets), mask)
    loss = functional.binary_cross_entropy_with_logits(odds, labels, reduction="none")
    optimiser.zero_grad()
    ((loss * mask).sum() / len(batch)).backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def write(networks: Sequence[Network], file: Path) -> None:
    """Write the file of trained networks, and let the tagger read it."""
    with torch.no_grad():
        each = [arrays_of(network) for network in networks]
    stacked = [np.stack([arrays[name] for arrays in each]) for name in tagger.Weights._fields]
    scales = np.array([np.abs(arrays).max((1, 2)) / 127 for arrays in stacked], np.float32)
    stored = {
        name: np.round(arrays / scale[:, None, None]).astype(np.int8)
        for name, arrays, scale in zip(tagger.Weights._fields, stacked, scales, strict=True)
    }
    np.savez_compressed(file, allow_pickle=False, scales=scales, **stored)
    tagger.FILE = file
    tagger.shipped.cache_clear()
    tagger._vector.cache_clear()  # noqa: SLF001 - vectors of the weights before


def arrays_of(network: Network) -> dict[str, np.ndarray[Any, Any]]:
    """The weights of a network as the tagger multiplies with them."""
    return {
        # Features that were left out while training all count now: less by that share.
        "tokens": network.tokens.weight.numpy() * (1 - FEATURES_LEFT_OUT),
        "near": convolution(network.near),
        "wide": convolution(network.wide),
        "whole": network.whole.weight.numpy().T,
        "mixed": layer(network.mixed),
        "last": layer(network.last),
    }


def convolution(part: nn.Conv1d) -> np.ndarray[Any, Any]:
    """A convolution as one matrix, its bias in the last row."""
    weights = part.weight.permute(2, 1, 0).reshape(-1, part.out_channels)
    return torch.vstack([weights, part.bias[None]]).numpy()


def layer(part: nn.Linear) -> np.ndarray[Any, Any]:
    """A layer as one matrix, its bias in the last row."""
    return torch.vstack([part.weight.T, part.bias[None]]).numpy()


if __name__ == "__main__":
    main()

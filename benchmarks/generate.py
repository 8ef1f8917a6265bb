"""Seeded chat-like texts and questions about them, for measuring speed. Nobody said any of it.

Words are drawn from the 6,000 commonest whole words in the bundled embedder's vocabulary, which is
ordered by how common they are, with the probabilities of Zipf's law as Mandelbrot put it in 1953,
``1 / (rank + 2.7)`` (the usual constant for English). A text has about 20 words (10 to 30). A session has
20 turns by two speakers and a topic: 30 rarer words from which it takes every fifth word, so that turns of
a session share words as real ones do. One text in two names somebody, one in four holds a number.

A question asks about one text: it takes four to eight of its words that are not among the 30 commonest, at
random, so common ones come up as in speech. What decides how long a search takes is how many memories hold
a question's words: all its words together are found in 7% of the memories in the median and in 12% in the
90th percentile; in LoCoMo, speakers' names left out, it is 8% and 18%.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import numpy as np

TURNS_PER_SESSION: Final = 20
SESSION_GAP_S: Final = 7_200
FIRST_MOMENT: Final = 1_700_000_000
"""14 November 2023; every session begins two hours after the one before it, turns are a minute apart."""

_NAMES: Final = (
    "Ada", "Ben", "Carla", "David", "Elena", "Felix", "Grace", "Hugo", "Ines", "Jonas", "Kira", "Leo",
    "Mara", "Nils", "Olga", "Paul", "Rosa", "Sven", "Tara", "Viktor",
)  # fmt: skip
_VOCABULARY: Final = 6_000
_SHIFT: Final = 2.7
_COMMONEST: Final = 30
_TOPIC_WORDS: Final = 30
_TOPIC_FROM: Final = 500
_FRAMES: Final = (
    "What did we say about {}?",
    "Do you remember {}?",
    "When did we talk about {}?",
    "Who mentioned {}?",
    "How was that with {}?",
)
_BLOCK: Final = 64
"""Sessions drawn at once; part of what a seed means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A made-up conversation.

    Attributes:
        id: Its name.
        messages: As ``Memory.add`` takes them.
    """

    id: str
    messages: list[dict[str, object]]


def sessions(count: int, *, seed: int) -> Iterator[Session]:
    """Sessions of 20 turns, in order; the same for the same seed, and a prefix of a longer run.

    Args:
        count: How many.
        seed: Chooses the words.
    """
    words = _vocabulary()
    chances = _chances(len(words))
    for start in range(0, count, _BLOCK):
        random = np.random.default_rng((seed, start))
        for number in range(start, start + _BLOCK):
            session = _session(random, number, words, chances)
            if number < count:
                yield session


def texts(count: int, *, seed: int) -> list[str]:
    """The words of the first ``count`` turns."""
    found: list[str] = []
    for session in sessions(-(-count // TURNS_PER_SESSION), seed=seed):
        found += [str(message["content"]) for message in session.messages]
    return found[:count]


def questions(count: int, *, about: list[str], seed: int) -> list[str]:
    """Questions about texts, drawn at random; no two are the same unless the texts allow no other.

    Args:
        count: How many.
        about: The texts they are about.
        seed: Chooses the texts and the words.
    """
    random = np.random.default_rng((seed, 1))
    common = frozenset(_vocabulary()[:_COMMONEST])
    asked: dict[str, None] = {}
    for _ in range(50 * count):
        asked.setdefault(_question(random, about[int(random.integers(len(about)))], common))
        if len(asked) == count:
            break
    return list(asked)


def _session(
    random: np.random.Generator,
    number: int,
    words: list[str],
    chances: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> Session:
    lengths = random.integers(10, 31, TURNS_PER_SESSION)
    total = int(lengths.sum())
    drawn = np.searchsorted(chances, random.random(total))
    topic = random.integers(_TOPIC_FROM, len(words), _TOPIC_WORDS)
    on_topic = random.random(total) < 0.2
    drawn = np.where(on_topic, topic[random.integers(0, _TOPIC_WORDS, total)], drawn)
    speakers = [_NAMES[place] for place in random.choice(len(_NAMES), 2, replace=False)]
    begun = FIRST_MOMENT + number * SESSION_GAP_S
    messages: list[dict[str, object]] = []
    for turn, chosen in enumerate(np.split(drawn, np.cumsum(lengths)[:-1])):
        said = [words[place] for place in chosen]
        _name_somebody(random, said)
        _hold_a_number(random, said)
        messages.append(
            {
                "role": "user",
                "name": speakers[turn % 2],
                "content": " ".join(said).capitalize() + ".",
                "timestamp": begun + 60 * turn,
            }
        )
    return Session(id=f"s{number}", messages=messages)


def _name_somebody(random: np.random.Generator, said: list[str]) -> None:
    place, name, chance = (
        int(random.integers(1, len(said))),
        int(random.integers(len(_NAMES))),
        random.random(),
    )
    if chance < 0.5:
        said[place] = _NAMES[name]


def _hold_a_number(random: np.random.Generator, said: list[str]) -> None:
    place, number, chance = (
        int(random.integers(1, len(said))),
        int(random.integers(2, 2_030)),
        random.random(),
    )
    if chance < 0.25:
        said[place] = str(number)


def _question(random: np.random.Generator, text: str, common: frozenset[str]) -> str:
    telling = [word for word in text.rstrip(".").lower().split() if word not in common]
    chosen = random.permutation(len(telling))[: random.integers(4, 9)]
    frame = _FRAMES[int(random.integers(len(_FRAMES)))]
    return frame.format(" ".join(telling[place] for place in sorted(chosen)))


def _vocabulary() -> list[str]:
    """The whole words of the bundled embedder's vocabulary, commonest first."""
    listed = (files("recollect.embedders") / "data" / "static-v1.txt").read_text(encoding="utf-8").split("\n")
    plain = [token for token in listed if len(token) > 1 and token.isascii() and token.isalpha()]
    return plain[:_VOCABULARY]


def _chances(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The cumulative probability of each word, by rank."""
    weights = 1 / (np.arange(1, count + 1) + _SHIFT)
    total: np.ndarray[tuple[int], np.dtype[np.float64]] = np.cumsum(weights / weights.sum())
    return total

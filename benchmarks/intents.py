"""Does learning intents work: more examples, more right answers, and what fits nothing left unanswered?

``data/intents.json`` holds utterances to an assistant, half of them (drawn with a seed) for development: the
rules and the threshold were chosen there. The results and the speed are of the other half; the streams of
feedback are of both, because 300 utterances are needed.
"""

import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from unittest.mock import patch

import numpy as np

from recollect.embedders import open_embedder
from recollect.learning.intents import THRESHOLD
from recollect.learning.intents.intents import STATE, UNKNOWN, IntentMatch, IntentPattern, Intents
from recollect.learning.intents.matching import Matcher
from recollect.learning.intents.patterns import write_patterns
from recollect.text.analyse import Analyser
from recollect.types import Scope
from recollect.types.clock import utc_now
from recollect_bench.provenance import provenance

DATA: Final = Path(__file__).parent / "data" / "intents.json"
EXAMPLES: Final = (1, 5, 20)
"""Examples per intent."""
SPLITS: Final = 20
STREAMS: Final = 5
"""Seeded streams of feedback."""
TESTED: Final = 10
"""Utterances per intent tested in a split; the others of both halves may be examples."""
THRESHOLDS: Final = (0.3, 0.35, 0.4, 0.45, 0.5)
STREAM: Final = 300
"""Utterances that come one after the other when feedback is measured, after 2 examples per intent."""
JUDGED: Final = 150
"""Utterances judged after some examples were mislabelled."""
_SEED: Final = 2026
_ME: Final = Scope(user_id="me")
_EMBEDDER: Final = open_embedder("static")
_ANALYSER: Final = Analyser()

HOW: Final = (
    "Utterances written for this project by a language model: 14 intents with 34 each, and some that are "
    f"out of scope. Means over {SPLITS} seeded splits: {TESTED} utterances per intent of the held-out half "
    "are tested, the examples are drawn from all others, so no test text is ever an example. accuracy: the "
    "answer is right, unknown counts as wrong; best_guess: the best scoring intent is right, whatever the "
    "threshold; precision: right among the answered; coverage: answered; out_of_scope_detected: held-out "
    "out-of-scope utterances answered with unknown. words only and meaning only are Recollect's own rules "
    "with one signal; nearest neighbour is the intent of the example with the highest cosine of the bundled "
    "embedder; best three is the mean of Recollect's likeness to the three most alike examples of each "
    f"intent. Feedback: 2 examples per intent, then {STREAM} other utterances, each classified and then "
    "judged with its true intent; by thirds of the stream. Mislabelled: 8 examples per intent, 2 of them "
    f"wrong, then {JUDGED} others, either only learned or given as feedback, which also weakens what misled."
)

Labelled = tuple[str, str]
"""A text and its intent."""
Told = Callable[[Intents, str, str, str], None]
"""What is done with a text, the answer given and the true one."""
Guess = Callable[[str], str]
Numbers = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterances:
    """What is said to an assistant.

    Attributes:
        intents: The texts of each intent.
        out_of_scope: Texts that are of none.
    """

    intents: Mapping[str, Sequence[str]]
    out_of_scope: Sequence[str]

    def labelled(self) -> list[Labelled]:
        """Every text with its intent."""
        return [(text, intent) for intent, texts in self.intents.items() for text in texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Examples to learn from, and what is asked then."""

    examples: Sequence[Labelled]
    tests: Sequence[Labelled]
    out_of_scope: Sequence[str]


class Notes:
    """The smallest ``StateStore``: one user's texts in a dictionary."""

    def __init__(self, **kept: str) -> None:
        self._kept = kept

    def state(self, scope: Scope, name: str) -> str | None:
        """What is kept under a name."""
        del scope
        return self._kept.get(name)

    def states(self, scope: Scope) -> dict[str, str]:
        """All that is kept."""
        del scope
        return dict(self._kept)

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        """Replace what is kept."""
        changed = change(self.state(scope, name))
        self._kept = {**self._kept, name: changed} if changed else {}


def load_utterances(path: Path = DATA) -> Utterances:
    """The utterances of a file."""
    read = json.loads(path.read_text(encoding="utf-8"))
    return Utterances(intents=read["intents"], out_of_scope=read["out_of_scope"])


def halves(utterances: Utterances) -> tuple[Utterances, Utterances]:
    """The development half and the held-out half: of every intent, and of what is out of scope."""
    rng = random.Random(_SEED)
    first, second = {}, {}
    for intent, texts in utterances.intents.items():
        first[intent], second[intent] = _halves(texts, rng)
    development, held_out = _halves(utterances.out_of_scope, rng)
    return (
        Utterances(intents=first, out_of_scope=development),
        Utterances(intents=second, out_of_scope=held_out),
    )


def run_intents() -> dict[str, object]:
    """Measure everything; returns what the JSON file holds."""
    started = time.perf_counter()
    utterances = load_utterances()
    development, held_out = halves(utterances)
    return {
        "benchmark": "intents",
        "made": provenance(),
        "how": HOW,
        "counts": {
            "intents": len(utterances.intents),
            "utterances": len(utterances.labelled()),
            "out_of_scope": len(utterances.out_of_scope),
        },
        "threshold": THRESHOLD,
        "results": {str(count): by_system(development, held_out, count) for count in EXAMPLES},
        "thresholds_on_development": {str(count): by_threshold(development, count) for count in (5, 12)},
        "feedback": feedback(utterances),
        "mislabelled": mislabelled(utterances),
        "speed": speed(development, held_out),
        "seconds": round(time.perf_counter() - started, 1),
    }


def by_system(development: Utterances, held_out: Utterances, count: int) -> dict[str, dict[str, Numbers]]:
    """Mean and standard deviation of each system's numbers with ``count`` examples per intent."""
    splits = [_split(development, held_out, count, seed) for seed in range(SPLITS)]
    measured: dict[str, list[Numbers]] = {"recollect": [_judged(split) for split in splits]}
    for name, share in (("words only", 0.0), ("meaning only", 1.0)):
        with patch("recollect.learning.intents.matching.MEANING_WEIGHT", share):
            measured[name] = [{"best_guess": _judged(split)["best_guess"]} for split in splits]
    measured["nearest neighbour"] = [{"best_guess": _right(_nearest(split), split)} for split in splits]
    measured["best three"] = [{"best_guess": _right(_best_three(split), split)} for split in splits]
    return {name: _spread(numbers) for name, numbers in measured.items()}


def by_threshold(development: Utterances, count: int) -> dict[str, dict[str, Numbers]]:
    """What each threshold would do, on the development half alone: what the default was chosen from."""
    splits = [_split_of_half(development, count, seed) for seed in range(SPLITS)]
    return {
        str(threshold): _spread([_judged(split, threshold=threshold) for split in splits])
        for threshold in THRESHOLDS
    }


def feedback(utterances: Utterances) -> dict[str, dict[str, Numbers]]:
    """Accuracy in each third of a stream, with feedback and without, over seeded streams."""
    arms = {"with feedback": True, "without feedback": False}
    return {
        name: _spread([_stream(utterances, seed, told=told) for seed in range(STREAMS)])
        for name, told in arms.items()
    }


def mislabelled(utterances: Utterances) -> dict[str, dict[str, Numbers]]:
    """Accuracy when a quarter of 8 examples per intent is wrong, before and after more is learned."""
    return {
        name: _spread([_mislabelled(utterances, seed, told) for seed in range(STREAMS)])
        for name, told in (("as it is", None), ("right ones learned", _teach), ("feedback", _tell))
    }


def speed(development: Utterances, held_out: Utterances) -> Numbers:
    """Microseconds per ``classify`` with the most examples; the first, which embeds them, is apart."""
    split = _split(development, held_out, max(EXAMPLES), 0)
    intents = _learned(split.examples)
    first = _microseconds(lambda: intents.classify("what is this?"))
    spent = [_microseconds(partial(intents.classify, text)) for text, _ in split.tests]
    return {
        "patterns": len(split.examples),
        "first_us": round(first),
        "p50_us": round(float(np.median(spent))),
    }


def _split(development: Utterances, held_out: Utterances, count: int, seed: int) -> Split:
    rng = random.Random(seed)
    examples: list[Labelled] = []
    tests: list[Labelled] = []
    for intent, texts in held_out.intents.items():
        tested = rng.sample(list(texts), TESTED)
        others = [*development.intents[intent], *(text for text in texts if text not in tested)]
        examples += [(text, intent) for text in rng.sample(others, count)]
        tests += [(text, intent) for text in tested]
    return Split(examples=examples, tests=tests, out_of_scope=held_out.out_of_scope)


def _split_of_half(half: Utterances, count: int, seed: int) -> Split:
    rng = random.Random(seed)
    shuffled = {intent: rng.sample(list(texts), len(texts)) for intent, texts in half.intents.items()}
    return Split(
        examples=[(text, intent) for intent, texts in shuffled.items() for text in texts[:count]],
        tests=[(text, intent) for intent, texts in shuffled.items() for text in texts[count:]],
        out_of_scope=half.out_of_scope,
    )


def _learned(examples: Sequence[Labelled], threshold: float = THRESHOLD) -> Intents:
    """What has learned these examples, written at once rather than one by one."""
    kept = write_patterns(_patterns(examples)) or ""
    return Intents(Notes(**{STATE: kept}), _ME, embedder=_EMBEDDER, analyser=_ANALYSER, threshold=threshold)


def _patterns(examples: Sequence[Labelled]) -> list[IntentPattern]:
    return [
        IntentPattern(id=str(place), text=text, intent=intent, learned_at=utc_now())
        for place, (text, intent) in enumerate(examples)
    ]


def _judged(split: Split, *, threshold: float = THRESHOLD) -> dict[str, float]:
    intents = _learned(split.examples, threshold)
    found = [(intents.classify(text), intent) for text, intent in split.tests]
    outside = [intents.classify(text).intent for text in split.out_of_scope]
    answered = [(match, intent) for match, intent in found if match.intent != UNKNOWN]
    right = sum(match.intent == intent for match, intent in answered)
    return {
        "accuracy": right / len(found),
        "best_guess": _share([_guess(match) == intent for match, intent in found]),
        "precision": right / max(len(answered), 1),
        "coverage": len(answered) / len(found),
        "unknown": 1 - len(answered) / len(found),
        "out_of_scope_detected": _share([intent == UNKNOWN for intent in outside]),
    }


def _guess(match: IntentMatch) -> str:
    return next(iter(match.scores))


def _right(guess: Guess, split: Split) -> float:
    return _share([guess(text) == intent for text, intent in split.tests])


def _nearest(split: Split) -> Guess:
    vectors = _EMBEDDER.embed_documents([text for text, _ in split.examples])
    return lambda text: split.examples[int(np.argmax(vectors @ _EMBEDDER.embed_query(text)))][1]


def _best_three(split: Split) -> Guess:
    matcher = Matcher(_patterns(split.examples), embedder=_EMBEDDER, analyser=_ANALYSER, known={})

    def guess(text: str) -> str:
        likeness: dict[str, list[float]] = {}
        for (_, intent), alike in zip(split.examples, matcher.fit(text).likeness.tolist(), strict=True):
            likeness.setdefault(intent, []).append(alike)
        means = {intent: sum(sorted(alike)[-3:]) / len(alike[:3]) for intent, alike in likeness.items()}
        return max(means, key=lambda intent: means[intent])

    return guess


def _stream(utterances: Utterances, seed: int, *, told: bool) -> dict[str, float]:
    rng = random.Random(seed)
    shuffled = {i: rng.sample(list(texts), len(texts)) for i, texts in utterances.intents.items()}
    intents = _learned([(text, intent) for intent, texts in shuffled.items() for text in texts[:2]])
    rest = [(text, intent) for intent, texts in shuffled.items() for text in texts[2:]]
    right, guessed = [], []
    for text, intent in rng.sample(rest, STREAM):
        match = intents.classify(text)
        right.append(match.intent == intent)
        guessed.append(_guess(match) == intent)
        if told:
            _tell(intents, text, match.intent, intent)
    return {**_thirds("accuracy", right), **_thirds("best_guess", guessed)}


def _mislabelled(utterances: Utterances, seed: int, told: Told | None) -> dict[str, float]:
    rng = random.Random(seed)
    shuffled = {i: rng.sample(list(texts), len(texts)) for i, texts in utterances.intents.items()}
    wrong = [
        (text, rng.choice([other for other in shuffled if other != intent]))
        for intent, texts in shuffled.items()
        for text in texts[:2]
    ]
    right = [(text, intent) for intent, texts in shuffled.items() for text in texts[2:8]]
    intents = _learned([*wrong, *right])
    coming = [(text, intent) for intent, texts in shuffled.items() for text in texts[8:-TESTED]]
    if told is not None:
        for text, intent in rng.sample(coming, JUDGED):
            told(intents, text, intents.classify(text).intent, intent)
    tests = [(text, intent) for intent, texts in shuffled.items() for text in texts[-TESTED:]]
    return {"best_guess": _share([_guess(intents.classify(text)) == intent for text, intent in tests])}


def _teach(intents: Intents, text: str, answered: str, actual: str) -> None:
    del answered
    intents.learn(text, actual)


def _tell(intents: Intents, text: str, answered: str, actual: str) -> None:
    if answered == actual:
        intents.feedback(text, answered, correct=True)
    else:
        intents.feedback(text, answered, correct=False, actual=actual)


def _thirds(name: str, right: Sequence[bool]) -> dict[str, float]:
    size = len(right) // 3
    return {f"{name}_{third + 1}": _share(right[third * size : (third + 1) * size]) for third in range(3)}


def _spread(numbers: Sequence[Numbers]) -> dict[str, Numbers]:
    return {
        name: {
            "mean": round(float(np.mean([one[name] for one in numbers])), 3),
            "sd": round(float(np.std([one[name] for one in numbers])), 3),
        }
        for name in numbers[0]
    }


def _share(right: Sequence[bool]) -> float:
    return sum(right) / len(right)


def _halves(texts: Sequence[str], rng: random.Random) -> tuple[list[str], list[str]]:
    shuffled = rng.sample(list(texts), len(texts))
    return shuffled[: len(texts) // 2], shuffled[len(texts) // 2 :]


def _microseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1e6


if __name__ == "__main__":
    print(json.dumps(run_intents(), indent=1))

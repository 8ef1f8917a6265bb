"""Are the right facts learned, and none from what states none? ``python -m benchmarks.extraction``.

The lines of ``tests/learning/extraction_lines.jsonl`` were written for this project; those of the topics
held back were written before any rule and never looked at while rules were made.
"""

import argparse
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.endings import run_endings
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Fact, Turn
from recollect.text.analyse import Analyser
from recollect_bench.datasets import LOADERS, Dataset
from recollect_bench.provenance import provenance

LINES: Final = Path(__file__).parent.parent / "tests" / "learning" / "extraction_lines.jsonl"
SILENT: Final = ("question", "hypothetical", "assistant")
"""Traps from which nothing may be learned, ever."""
MOST_OTHER_WORDS: Final = 6
"""Telling words of a fact that its label does not name; with more it says something else. Chosen by hand."""
ABROAD: Final = ("german", "french", "spanish", "chinese")
"""Topics that are lines of other languages; their figures are apart from the English ones."""
ROUNDS: Final = 3
"""Times that all turns are read; the fastest counts."""

HOW: Final = (
    "Lines of chats written for this project, each by itself, with the facts expected of it or none. A fact "
    "learned is right when an expected one has its subject, is denied or over as it is, and all of its words "
    f"stand in the fact's text or relation (by stems), and the fact has at most {MOST_OTHER_WORDS} other "
    f"telling words; each "
    "expected fact counts once. Optional facts count neither as missing nor, when learned, as wrong. "
    "precision: "
    "right among the learned; recall: learned among the expected; category: of the right ones, those of the "
    "expected kind. wrong_lines counts lines of which anything wrong was learned. Held-back topics were "
    "written "
    "first and never looked at while the rules were made; by the same hand, so that they show what the rules "
    "do on other subjects, not on other people. endings: something is told, and a year and a half later "
    "something that ends it, may end it, or has nothing to do with it; precision: of what ended, what "
    "should; recall: of what should end, what did; asked counts what is left to a person."
)

_ANALYSER: Final = Analyser()
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A fact that a line should teach.

    Attributes:
        subject: ``user``, or ``user's sister``.
        words: What its text must hold, besides function words.
        category: Its kind; None when it does not matter.
        negated: Whether it says that something is not so.
        past: Whether it says that something is over.
        optional: Whether it may be missing.
    """

    subject: str
    words: str
    category: str | None = None
    negated: bool = False
    past: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something said, with what should be learned of it."""

    text: str
    topic: str
    trap: str
    facts: tuple[Expected, ...]
    role: str = "user"
    speaker: str | None = None
    held_back: bool = False

    def learned(self) -> list[Fact]:
        """What is learned of it where nothing is known that it may end."""
        return [fact for fact in self.read() if not fact.only_ends]

    def read(self) -> list[Fact]:
        """All that is read in it."""
        return extract_facts([Turn(text=self.text, role=self.role, speaker=self.speaker)])


@dataclass(slots=True)
class Count:
    """What became of some lines."""

    lines: int = 0
    expected: int = 0
    learned: int = 0
    right: int = 0
    found: int = 0
    kinds: int = 0
    kinds_right: int = 0
    wrong_lines: int = 0

    def figures(self) -> dict[str, float]:
        """The counts and their quotients; a quotient of nothing is 1."""
        return {
            "lines": self.lines,
            "expected": self.expected,
            "learned": self.learned,
            "precision": round(self.right / self.learned, 3) if self.learned else 1.0,
            "recall": round(self.found / self.expected, 3) if self.expected else 1.0,
            "category": round(self.kinds_right / self.kinds, 3) if self.kinds else 1.0,
            "wrong_lines": self.wrong_lines,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A line with what was learned of it, right and wrong, and what was missed."""

    line: Line
    pairs: tuple[tuple[Fact, Expected], ...]
    wrong: tuple[Fact, ...]
    missed: tuple[Expected, ...]


def load_lines(path: Path = LINES) -> list[Line]:
    """The labelled lines of a file."""
    rows = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
    return [Line(**{**row, "facts": tuple(Expected(**fact) for fact in row["facts"])}) for row in rows]


def judge(line: Line, learned: Sequence[Fact] | None = None) -> Judged:
    """Compare what is learned of a line with what is expected of it."""
    left = list(line.facts)
    pairs, wrong = [], []
    for fact in line.learned() if learned is None else learned:
        match = next((one for one in left if _is(fact, one, line.speaker)), None)
        if match is None:
            wrong.append(fact)
        else:
            left.remove(match)
            pairs.append((fact, match))
    missed = tuple(one for one in left if not one.optional)
    return Judged(line=line, pairs=tuple(pairs), wrong=tuple(wrong), missed=missed)


def _is(fact: Fact, expected: Expected, speaker: str | None) -> bool:
    """The rule of ``HOW``."""
    if (fact.negated, fact.past) != (expected.negated, expected.past):
        return False
    if _subject(fact.subject, speaker) != expected.subject:
        return False
    wanted, text = set(_stems(expected.words)), f"{fact.text} {fact.relation}"
    found = set(_stems(text))
    if _UNSPACED.search(expected.words):
        return all(word in text for word in expected.words.split() if _UNSPACED.search(word))
    return wanted <= found and len(found - wanted - set(_stems(fact.subject))) <= MOST_OTHER_WORDS


def _subject(subject: str, speaker: str | None) -> str:
    """A subject with "user" for the speaker's name, and without what qualifies a relation."""
    name = speaker or "User"
    rest = subject.removeprefix(name)
    return f"user{rest}".lower() if rest == "" or rest.startswith("'s ") else subject.lower()


def _stems(text: str) -> list[str]:
    (analysis,) = _ANALYSER.analyse([text.replace("'s", "")])
    return [stem for stem in analysis.stems.split() if stem not in _FUNCTION]


_FUNCTION: Final = frozenset(
    _ANALYSER.stems(
        """a an the and or of to in on at by for with as is are was be has have had do does did not no
        they their them it that this user from s can cannot can't"""
    )
)
"""Stems that a label may hold and a fact need not: whether both are denied is compared by itself."""


def counted(judged: Sequence[Judged]) -> Count:
    """The sums over some lines."""
    count = Count(lines=len(judged))
    for one in judged:
        required = [(fact, label) for fact, label in one.pairs if not label.optional]
        count.expected += len(required) + len(one.missed)
        count.found += len(required)
        count.right += len(one.pairs)
        count.learned += len(one.pairs) + len(one.wrong)
        kinds = [fact.category == label.category for fact, label in one.pairs if label.category]
        count.kinds += len(kinds)
        count.kinds_right += sum(kinds)
        count.wrong_lines += bool(one.wrong)
    return count


def by(judged: Sequence[Judged], attribute: str) -> dict[str, dict[str, float]]:
    """Figures by trap or by topic, in the order of the file."""
    names = dict.fromkeys(getattr(one.line, attribute) for one in judged)
    return {
        str(name): counted([one for one in judged if getattr(one.line, attribute) == name]).figures()
        for name in names
    }


def measure(lines: Sequence[Line]) -> dict[str, Any]:
    """Figures of the tuned and of the held-back lines, English and other, whole, by trap and by topic."""
    judged = [judge(line) for line in lines]
    found: dict[str, Any] = {}
    for name, held_back in (("tuned", False), ("held_back", True)):
        part = [one for one in judged if one.line.held_back == held_back]
        english = [one for one in part if one.line.topic not in ABROAD]
        found[name] = {
            "english": counted(english).figures(),
            "other_languages": counted([one for one in part if one.line.topic in ABROAD]).figures(),
            "by_trap": by(english, "trap"),
            "by_topic": by(part, "topic"),
        }
    return found


def learned_from_silence(lines: Sequence[Line]) -> int:
    """Facts learned from questions, hypotheticals and the assistant's turns; must be 0."""
    return sum(len(line.read()) for line in lines if line.trap in SILENT)


def speed(turns: Sequence[Turn]) -> Mapping[str, float]:
    """Turns a second, the best of several rounds."""
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        facts = len(extract_facts(turns))
        spent.append(time.perf_counter() - started)
    return {"turns": len(turns), "facts": facts, "per_second": round(len(turns) / min(spent))}


def turns_of(dataset: Dataset) -> list[Turn]:
    """All that was said in a data set."""
    return [
        Turn(text=turn.text, role=turn.role, speaker=turn.speaker, id=turn.id, happened_at=turn.time)
        for conversation in dataset.conversations
        for turn in conversation.turns
    ]


def run_extraction(datasets: Sequence[Dataset] = ()) -> dict[str, object]:
    """Measure everything; returns what the JSON file holds."""
    lines = load_lines()
    return {
        "benchmark": "extraction",
        "made": provenance(),
        "how": HOW,
        "counts": {
            "lines": len(lines),
            "nothing_expected": sum(not line.facts for line in lines),
            "optional_facts": sum(fact.optional for line in lines for fact in line.facts),
        },
        "results": measure(lines),
        "learned_from_silence": learned_from_silence(lines),
        "endings": run_endings(),
        "speed": {dataset.name: speed(turns_of(dataset)) for dataset in datasets},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.extraction", description=__doc__)
    for name in LOADERS:
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=f"the {name} file, for the speed")
    given = vars(parser.parse_args(arguments))
    datasets = [LOADERS[name](path) for name, path in given.items() if path]
    print(json.dumps(run_extraction(datasets), indent=1))


if __name__ == "__main__":
    main()

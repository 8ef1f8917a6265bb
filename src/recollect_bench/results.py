"""From what was found to figures: one JSON file for each data set, each figure with its interval."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

from recollect.text.analyse import Analyser
from recollect.text.tokens import estimate_tokens
from recollect_bench.asking import CONTEXT_TOKENS
from recollect_bench.catalogue import DataFile
from recollect_bench.datasets.shapes import Dataset, Question, Turn, sha256_of
from recollect_bench.folder import FORMAT
from recollect_bench.left_out import left_out
from recollect_bench.metrics import (
    all_at_k,
    any_at_k,
    context_faults,
    ndcg_at_k,
    recall_at_k,
    reciprocal_rank,
)
from recollect_bench.provenance import library_commit, provenance
from recollect_bench.statistics import auroc, groups_of, holm, interval, paired

BUDGETS: Final = (500, 1_000, 2_000)
"""Tokens of the contexts that are looked at."""
CHIEF: Final = ("recall_at_10", "session_recall_at_5", "context_right")
"""The measures by which systems are compared: the first that a data set has."""

TOKENS: Final = "tokens_until_gold"
"""Tokens of what was found until the first gold turn; no share, so its median is kept."""
GIVEN: Final = "tokens_given"
"""Tokens that a model would be given to answer: the context that is judged, else the first ten turns.
No share either; its mean is kept, which is what answers cost."""
GIVEN_TURNS: Final = 10

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with what a system found for it.

    Attributes:
        conversation: Where it belongs.
        question: What was asked.
        found: Ids of turns, best first.
        context: The context that the system composed; None when it composes none.
    """

    conversation: str
    question: Question
    found: Sequence[str]
    context: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a system's answer to one question is worth by one measure."""

    conversation: str
    category: str
    value: float


Scored = Mapping[str, Sequence[Score]]
"""Scores by measure, in the order of the questions it applies to."""


def system_result(dataset: Dataset, done: Mapping[str, Row]) -> dict[str, Any]:
    """One system's figures on a data set, with what each question scored (for pairing; not written)."""
    asked = list(asked_of(dataset, done))
    texts = Texts(dataset)
    golds = {"own": _scored(asked, texts, lambda one: (one.gold, one.answer))}
    if dataset.corrections:
        golds["corrected"] = _scored(asked, texts, _corrected)
    return {
        "golds": {name: _figures(found) for name, found in golds.items()},
        "foreign": sum(name.startswith("!") for one in asked for name in one.found),
        "gone": sum(name.startswith("~") for one in asked for name in one.found),
        "tells_apart": _tells_apart(done),
        "time": _times(done),
        "scored": golds,
    }


def data_result(
    data: DataFile, dataset: Dataset, rows: Mapping[str, dict[str, Any]], *, vectors: str, command: str
) -> dict[str, Any]:
    """A data set's result: all rows, and each compared with the first that has figures.

    ``command`` is what makes it again.
    """
    scored = {name: row.pop("scored") for name, row in rows.items() if "scored" in row}
    measured: Scored = next((found["own"] for found in scored.values()), {})
    chief = next((name for name in CHIEF if name in measured), CHIEF[0])
    return {
        "benchmark": "compared",
        "format": FORMAT,
        "dataset": data.name,
        "title": data.title,
        "command": command,
        "made_by": dataset.made_by,
        "files": {path.name: sha256_of(path) for path in data.paths},
        "looked_at": data.looked_at,
        "corrections": dataset.corrections,
        "made": provenance(),
        "library_commit": library_commit(),
        "vectors": vectors,
        "counts": {
            "conversations": len(dataset.conversations),
            "turns": sum(len(one.turns) for one in dataset.conversations),
            "questions": sum(len(one.questions) for one in dataset.conversations),
        },
        "left_out": left_out(dataset),
        "chief": chief,
        "compared": _compared(scored, chief),
        "systems": dict(rows),
    }


def write_result(result: Mapping[str, object], path: Path) -> None:
    """Write a result whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(_rounded(result), indent=1) + "\n", encoding="utf-8")
    new.replace(path)


def asked_of(dataset: Dataset, done: Mapping[str, Row]) -> Iterator[Asked]:
    """Every question with what was found for it, as journals keep it."""
    for conversation in dataset.conversations:
        for row in done[conversation.id]["asked"]:
            yield Asked(
                conversation=conversation.id,
                question=conversation.questions[row["number"]],
                found=[name for name, _ in row["found"]],
                context=row.get("context"),
            )


def _corrected(question: Question) -> tuple[tuple[str, ...], str | None]:
    gold = question.gold if question.corrected is None else question.corrected
    return gold, question.corrected_answer or question.answer


class Texts:
    """The turns of a data set as contexts show them: tokens and stems of each, made once."""

    def __init__(self, dataset: Dataset) -> None:
        self._analyser = Analyser()
        self._turns = {
            (conversation.id, turn.id): turn
            for conversation in dataset.conversations
            for turn in conversation.turns
        }
        self._known: dict[tuple[str, str], tuple[int, frozenset[str]]] = {}

    def session(self, conversation: str, turn: str) -> str:
        """The session of a turn; one of another conversation is a session of its own."""
        return turn if turn.startswith("!") else self._turns[conversation, turn.removeprefix("~")].session

    def read(self, conversation: str, turn: str) -> tuple[int, frozenset[str]]:
        """About how many tokens a turn has, and its stems."""
        key = (conversation, turn)
        if key not in self._known:
            line = self.turn(conversation, turn).line
            self._known[key] = estimate_tokens(line) + 1, frozenset(self._analyser.stems(line))
        return self._known[key]

    def turn(self, conversation: str, name: str) -> Turn:
        """The turn that was found under a name."""
        key = _elsewhere(name) if name.startswith("!") else (conversation, name.removeprefix("~"))
        return self._turns[key]

    def holds(self, one: Asked, answer: str) -> dict[str, float]:
        """Whether the first turns, as many as a budget takes, have all content words of an answer."""
        wanted = set(self._analyser.query_stems(answer))
        read = [self.read(one.conversation, turn) for turn in one.found]
        ends = list(accumulate(tokens for tokens, _ in read))
        found = {}
        for budget in BUDGETS:
            held = [stems for (_, stems), end in zip(read, ends, strict=True) if end <= budget]
            found[f"answer_in_{budget}"] = float(wanted <= frozenset().union(*held))
        return found

    def first(self, one: Asked, tokens: int) -> list[Turn]:
        """The first turns that were found, as many as fit into so many tokens."""
        turns, spent = [], 0
        for name in one.found:
            spent += self.read(one.conversation, name)[0]
            if spent > tokens:
                break
            turns.append(self.turn(one.conversation, name))
        return turns

    def tokens_given(self, one: Asked) -> float:
        """Tokens of the first turns, as many as R@10 looks at."""
        return sum(self.read(one.conversation, turn)[0] for turn in one.found[:GIVEN_TURNS])

    def tokens_until(self, one: Asked, gold: Sequence[str]) -> float:
        """Tokens of the turns found until the first gold one, that included; infinite when there is none."""
        spent = 0
        for turn in one.found:
            spent += self.read(one.conversation, turn)[0]
            if turn in gold:
                return spent
        return float("inf")


def _elsewhere(turn: str) -> tuple[str, str]:
    conversation, _, name = turn.removeprefix("!").partition("/")
    return conversation, name


def _scored(
    asked: Sequence[Asked],
    texts: Texts,
    gold_of: Callable[[Question], tuple[tuple[str, ...], str | None]],
) -> Scored:
    scored: dict[str, list[Score]] = {}
    for one in asked:
        gold, answer = gold_of(one.question)
        for name, value in _values(one, gold, answer, texts):
            score = Score(conversation=one.conversation, category=one.question.category, value=value)
            scored.setdefault(name, []).append(score)
    return scored


def _values(
    one: Asked, gold: tuple[str, ...], answer: str | None, texts: Texts
) -> Iterator[tuple[str, float]]:
    sessions = list(dict.fromkeys(texts.session(one.conversation, turn) for turn in one.found))
    gold_sessions = {texts.session(one.conversation, turn) for turn in gold} | set(one.question.gold_sessions)
    if gold:
        yield "recall_at_5", recall_at_k(one.found, gold, 5)
        yield "recall_at_10", recall_at_k(one.found, gold, 10)
        yield "any_at_10", any_at_k(one.found, gold, 10)
        yield "all_at_10", all_at_k(one.found, gold, 10)
        yield "mrr", reciprocal_rank(one.found, gold)
        yield "ndcg_at_10", ndcg_at_k(one.found, gold, 10)
        yield TOKENS, texts.tokens_until(one, gold)
    if gold_sessions:
        yield "session_recall_at_1", recall_at_k(sessions, gold_sessions, 1)
        yield "session_recall_at_5", recall_at_k(sessions, gold_sessions, 5)
        yield "session_all_at_5", all_at_k(sessions, gold_sessions, 5)
        yield "session_mrr", reciprocal_rank(sessions, gold_sessions)
        yield "session_ndcg_at_5", ndcg_at_k(sessions, gold_sessions, 5)
    if gold and answer:
        yield from texts.holds(one, answer).items()
    if one.question.judges_context:
        context = one.context
        if context is None:
            context = "\n".join(turn.line for turn in texts.first(one, CONTEXT_TOKENS))
        yield from _judged(one.question, context)
        yield GIVEN, estimate_tokens(context)
    elif gold_sessions:
        yield GIVEN, texts.tokens_given(one)


def _judged(question: Question, context: str) -> Iterator[tuple[str, float]]:
    """Whether a context is right, has all it must, and has what is gone or is not to be brought up."""
    faults = context_faults(
        context,
        must=question.must,
        must_not=question.must_not,
        order=question.order,
        quoted=question.quoted,
    )
    yield "context_right", float(not faults)
    if question.must:
        yield "context_has_all", float(not context_faults(context, must=question.must))
    unwanted = [words for words in question.must_not if words not in question.gone]
    for name, words in (("context_has_gone", question.gone), ("context_has_unwanted", unwanted)):
        if words:
            yield name, float(bool(context_faults(context, must_not=words)))


def _figures(scored: Scored) -> dict[str, Any]:
    """Each measure's mean with its interval, and the chief one by category."""
    categories: dict[str, list[float]] = {}
    for score in next((scored[name] for name in CHIEF if name in scored), ()):
        categories.setdefault(score.category, []).append(score.value)
    return {
        "measures": {name: _figure(name, scores) for name, scores in scored.items()},
        "categories": {
            name: {"questions": len(values), "mean": sum(values) / len(values)}
            for name, values in sorted(categories.items())
        },
    }


def _figure(name: str, scores: Sequence[Score]) -> dict[str, Any]:
    values = np.array([score.value for score in scores])
    if name == TOKENS:
        middle = float(np.median(values))
        return {"median": middle if isfinite(middle) else None, "questions": len(values)}
    if name == GIVEN:
        return {"mean": float(values.mean()), "questions": len(values)}
    groups, unit = groups_of([score.conversation for score in scores])
    low, high = interval(values, groups)
    return {
        "mean": float(values.mean()),
        "low": low,
        "high": high,
        "questions": len(values),
        "resampled": unit,
    }


def _compared(scored: Mapping[str, Any], chief: str) -> dict[str, Any]:
    """Every system against the first, question by question, on each gold."""
    if len(scored) < 2:  # noqa: PLR2004 - a comparison takes two
        return {}
    base, *others = scored
    made: dict[str, Any] = {"with": base, "golds": {}}
    for gold, found in scored[base].items():
        groups, unit = groups_of([score.conversation for score in found[chief]])
        first = np.array([score.value for score in found[chief]])
        rows = {
            name: paired(first, np.array([score.value for score in scored[name][gold][chief]]), groups)
            for name in others
        }
        adjusted = holm([row["p"] for row in rows.values()])
        made["golds"][gold] = {
            name: {**row, "p_holm": p, "resampled": unit}
            for (name, row), p in zip(rows.items(), adjusted, strict=True)
        }
    return made


def _tells_apart(done: Mapping[str, Row]) -> float | None:
    """How well the best score tells a question about this conversation from one about another (AUROC)."""

    def best(rows: Sequence[Row]) -> list[float]:
        return [row["found"][0][1] if row["found"] else float("-inf") for row in rows]

    own = [score for row in done.values() for score in best(row["asked"])]
    strange = [score for row in done.values() for score in best(row["strange"])]
    return auroc(own, strange) if own and strange else None


def _times(done: Mapping[str, Row]) -> dict[str, float]:
    asked = [one for row in done.values() for one in (*row["asked"], *row["strange"])]
    turns = sum(row["added"]["turns"] for row in done.values())
    return {
        "search_cpu_ms": 1_000 * median(one["cpu_s"] for one in asked),
        "search_wall_ms": 1_000 * median(one["wall_s"] for one in asked),
        "add_cpu_ms_per_turn": 1_000 * sum(row["added"]["cpu_s"] for row in done.values()) / max(turns, 1),
    }


def _rounded(value: object) -> object:
    """Numbers with no more digits than mean something."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Mapping):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list) else value

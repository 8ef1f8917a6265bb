"""Does a search return the turns that hold the answer?

A data set is remembered as a user would: one user per conversation, one ``add`` per session, with
names, roles and times. Every question that has evidence is searched with the default settings.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from benchmarks.baselines import BM25, Vectors
from recollect import Memory
from recollect.context.compose import compose
from recollect.embedders import open_embedder
from recollect.text.analyse import Analyser
from recollect.text.tokens import estimate_tokens
from recollect.types import MemoryRecord, Recollection
from recollect.types.clock import utc_now
from recollect_bench.datasets import Conversation, Dataset, Question, Turn
from recollect_bench.metrics import MRR_DEPTH, answer_in_context, by_category, mean, measure
from recollect_bench.provenance import provenance

BUDGETS: Final = (500, 1_000, 2_000)
"""Tokens of the contexts looked at."""
_TOKENS_PER_HIT: Final = 25
"""``Memory.context`` offers its composer one hit for every 25 tokens; the baseline does the same."""

HOW: Final = (
    "One user per conversation, one add per session with names, roles and times, default settings, the "
    "bundled embedder, no language model, asked the day after a conversation's last turn. Every question "
    "with evidence is searched. R@k is the share of a question's gold turns among the first k, averaged over "
    "questions; any and all say whether one or every gold turn is among the first 10; MRR is of the first "
    f"gold turn among the first {MRR_DEPTH}. BM25 is Okapi (k1 1.2, b 0.75) over the same stems, without "
    "function words in the query; vectors is the cosine of the bundled embedder. Answer in context: the "
    "share of questions all of whose answer's content words (stems, no function words) stand in "
    "Memory.context; answer: all of its words as they stand (lower case, no punctuation, no articles); "
    "words: the mean share of those."
)

Metrics = Mapping[str, float]
Contexts = dict[tuple[str, int], list[Metrics]]


def run_retrieval(dataset: Dataset, *, with_context: bool = True) -> dict[str, object]:
    """Measure one data set.

    Args:
        dataset: What is remembered and asked.
        with_context: Whether to compose contexts too, which takes most of the time.

    Returns:
        What the JSON file holds.
    """
    started = time.perf_counter()
    found: dict[str, list[tuple[str, Metrics]]] = {}
    contexts: Contexts = {}
    clock = DayAfter()
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "m.db", clock=clock) as memory:
        for conversation in dataset.conversations:
            clock.follow(conversation)
            asked = _Asked(memory, conversation)
            for question in conversation.questions:
                _rank(asked, question, found)
                if with_context and question.answer and question.gold:
                    _compose(asked, question, contexts)
    return {
        "benchmark": "retrieval",
        "dataset": dataset.name,
        "made": provenance(),
        "how": HOW,
        "counts": _counts(dataset),
        "results": {system: by_category(measured) for system, measured in found.items()},
        "context": _context_means(contexts),
        "seconds": round(time.perf_counter() - started, 1),
    }


def _rank(asked: "_Asked", question: Question, found: dict[str, list[tuple[str, Metrics]]]) -> None:
    if not question.gold:
        return
    for system, search in asked.systems.items():
        ranking = search(question.text)
        found.setdefault(system, []).append((question.category, measure(ranking, question.gold)))


def _compose(asked: "_Asked", question: Question, contexts: Contexts) -> None:
    for budget in BUDGETS:
        for system, text in asked.contexts(question.text, budget):
            contexts.setdefault((system, budget), []).append(answer_in_context(question.answer or "", text))


def _context_means(contexts: Contexts) -> dict[str, dict[str, dict[str, float]]]:
    means: dict[str, dict[str, dict[str, float]]] = {}
    for (system, budget), measured in contexts.items():
        means.setdefault(system, {})[str(budget)] = mean(measured)
    return means


def _counts(dataset: Dataset) -> dict[str, int]:
    questions = [question for conversation in dataset.conversations for question in conversation.questions]
    return {
        "conversations": len(dataset.conversations),
        "turns": sum(len(conversation.turns) for conversation in dataset.conversations),
        "questions": len(questions),
        "with_evidence": sum(bool(question.gold) for question in questions),
        "with_evidence_without_answer": sum(bool(q.gold) and not q.answer for q in questions),
    }


@dataclass(frozen=True, slots=True)
class _Remembered:
    """What was stored of a conversation: turns and records, in the same order."""

    turns: Sequence[Turn]
    records: Sequence[MemoryRecord]


class _Asked:
    """A conversation, remembered, and the systems that can be asked about it."""

    def __init__(self, memory: Memory, conversation: Conversation) -> None:
        self._memory = memory
        self._user = conversation.id
        self._turn_of = remember(memory, conversation)
        turns = {turn.id: turn for turn in conversation.turns}
        records = memory.get_all(user_id=self._user)
        self._kept = _Remembered([turns[self._turn_of[record.id]] for record in records], records)
        texts = [turn.text for turn in self._kept.turns]
        self._analyser = Analyser()
        self._bm25 = BM25(texts, self._analyser)
        vectors = Vectors(texts, open_embedder())
        self.systems: dict[str, Callable[[str], list[str]]] = {
            "bm25": lambda query: self._ids(self._bm25.rank(query, MRR_DEPTH)),
            "vectors": lambda query: self._ids(vectors.rank(query, MRR_DEPTH)),
            "default": self._default,
        }

    def contexts(self, query: str, budget: int) -> Iterator[tuple[str, str]]:
        """The text each system would put into a prompt."""
        hits = [self._hit(row) for row in self._bm25.rank(query, budget // _TOKENS_PER_HIT)]
        composed = compose(
            hits,
            budget_tokens=budget,
            count_tokens=estimate_tokens,
            query_terms=self._analyser.query_stems(query),
            terms_of=self._analyser.stems,
        )
        yield "bm25", composed.text
        yield "default", self._memory.context(query, user_id=self._user, budget_tokens=budget).text

    def _default(self, query: str) -> list[str]:
        hits = self._memory.search(query, user_id=self._user, top_k=MRR_DEPTH)
        return [self._turn_of[hit.memory.id] for hit in hits]

    def _ids(self, rows: Sequence[int]) -> list[str]:
        return [self._kept.turns[row].id for row in rows]

    def _hit(self, row: int) -> Recollection:
        return Recollection(memory=self._kept.records[row], score=0.0, signals={}, terms={})


class DayAfter:
    """A clock that shows the day after a conversation's last turn: when its questions are asked."""

    def __init__(self) -> None:
        self._now = utc_now()

    def follow(self, conversation: Conversation) -> None:
        """Set it for the questions about a conversation; one without times leaves it as it is."""
        times = [turn.time for turn in conversation.turns if turn.time is not None]
        self._now = max(times) + timedelta(days=1) if times else self._now

    def __call__(self) -> datetime:
        """What it shows."""
        return self._now


def remember(memory: Memory, conversation: Conversation, *, user_id: str | None = None) -> dict[str, str]:
    """Add a conversation, session by session; returns the turn of each memory. Blank turns have none.

    Args:
        memory: Where.
        conversation: What was said.
        user_id: Who had it, and others; None for a user of its own.
    """
    turn_of: dict[str, str] = {}
    for session, turns in conversation.sessions():
        results = memory.add(
            [as_message(turn) for turn in turns],
            user_id=user_id or conversation.id,
            session_id=f"{conversation.id} {session}" if user_id else session,
        )
        for turn, result in zip(turns, results, strict=True):
            if result.id is not None:
                turn_of[result.id] = turn.id
    return turn_of


def as_message(turn: Turn) -> dict[str, object]:
    """A turn as ``Memory.add`` takes it, with what is known of it."""
    optional = {"name": turn.speaker, "timestamp": turn.time}
    given = {key: value for key, value in optional.items() if value is not None}
    return {"role": turn.role, "content": turn.text, **given}

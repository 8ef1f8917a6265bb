"""What does it cost to compose a prompt, and what does Recall's retrieval find, and leave alone?"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from statistics import fmean
from typing import Final

from benchmarks.generate import texts
from benchmarks.measuring import time_calls
from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.presets.recall.prompt.budget import ContextBudget
from recollect.presets.recall.prompt.build import ContextBudgetManager, PromptSources
from recollect.presets.recall.prompt.history import HistoryTurn
from recollect.presets.recall.prompt.injection import time_lines
from recollect.presets.recall.rerank import TOP_K, RecallScoring, similarity_calibration
from recollect.presets.recall.task_state import Observation, TaskState
from recollect.retrieval.calibration import Calibration
from recollect.retrieval.scoring import Retrieval
from recollect.text.tokens import estimate_tokens
from recollect_bench.datasets import Conversation, Dataset
from recollect_bench.provenance import provenance

TURNS: Final = 200
MEMORIES: Final = 50
OBSERVATIONS: Final = 10
ROUNDS: Final = 60
BUDGETS: Final = (2_000, 8_000, 32_000)
_NOON: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)

HOW: Final = (
    f"A prompt is composed of {TURNS} turns, {MEMORIES} memories, a plan and {OBSERVATIONS} outputs of tools "
    "with 1,400 characters each, of made-up texts, for budgets of several sizes; `counting` is what the "
    "estimate takes to count all of these words once, in the same run. Retrieval: the facts that rules find "
    "in a conversation are stored, and every question with evidence is asked. `answered` is the share of the "
    "questions whose gold turns teach a fact for which it is among the five; `silent` of the others "
    "those that are answered with nothing; `off_topic` asks the next conversation of the data set, where "
    "nothing is right, and counts the questions that find anything. `as it stands` compares the similarity "
    "with 0.7 without calibration."
)


def run_recall(datasets: Sequence[Dataset]) -> dict[str, object]:
    """Time composing, and measure retrieval on the data sets given."""
    return {
        "benchmark": "recall",
        "how": HOW,
        "made": provenance(),
        "prompt": {str(total): _composing(total) for total in BUDGETS},
        "counting": _counting(),
        "retrieval": {dataset.name: _retrieval(dataset) for dataset in datasets},
    }


def _words() -> list[str]:
    return texts(TURNS + MEMORIES, seed=1)


def _observations() -> tuple[Observation, ...]:
    long = " ".join(_words())
    return tuple(
        Observation(text=long[1_400 * place : 1_400 * (place + 1)], tool="search")
        for place in range(OBSERVATIONS)
    )


def _sources() -> PromptSources:
    said = _words()
    with Memory(":memory:", embedder="static") as memory:
        memory.add(said[TURNS:], user_id="ada", timestamp=_NOON)
        found = memory.search(" ".join(said[TURNS : TURNS + 3]), user_id="ada", top_k=MEMORIES)
    return PromptSources(
        blueprint="You are a kind companion. " * 20,
        boundaries=["Give no medical advice."],
        injected=time_lines(_NOON),
        memories=found,
        history=[
            HistoryTurn(content=text, role="assistant" if place % 2 else "user")
            for place, text in enumerate(said[:TURNS])
        ],
        task_state=TaskState(plan=["look", "compare", "book"], observations=_observations()),
        message="What did we talk about?",
    )


def _composing(total: int) -> dict[str, object]:
    sources, manager = _sources(), ContextBudgetManager(ContextBudget.of(total))
    made = manager.compose(sources)
    timed = time_calls(lambda _: manager.compose(sources), range(ROUNDS))
    return {**timed, "tokens": made.tokens, "turns_shown": len(made.messages) - 2}


def _counting() -> dict[str, float]:
    everything = "\n".join([*_words(), *(one.text for one in _observations())])
    return time_calls(lambda _: estimate_tokens(everything), range(ROUNDS))


def _retrieval(dataset: Dataset) -> dict[str, object]:
    found: dict[str, object] = {}
    for label, calibration in (
        ("as it stands", None),
        ("calibrated", similarity_calibration("recollect-contextual-v2")),
    ):
        found[label] = _asked(dataset, calibration)
    return found


def _asked(dataset: Dataset, calibration: Calibration | None) -> dict[str, float]:
    answered: list[float] = []
    silent: list[float] = []
    off_topic: list[float] = []
    clock = _NOON + timedelta(days=60)
    with Memory(
        ":memory:",
        retrieval=Retrieval(scoring=RecallScoring(calibration=calibration)),
        clock=lambda: clock,
    ) as memory:
        taught = [_taught(memory, conversation) for conversation in dataset.conversations]
        for place, conversation in enumerate(dataset.conversations):
            other = dataset.conversations[(place + 1) % len(dataset.conversations)].id
            for question in conversation.questions:
                if not question.gold:
                    continue
                hits = memory.search(question.text, user_id=conversation.id, top_k=TOP_K)
                sources = {str(hit.memory.metadata["turn"]) for hit in hits}
                if taught[place].isdisjoint(question.gold):
                    silent.append(float(not hits))
                else:
                    answered.append(float(not sources.isdisjoint(question.gold)))
                away = memory.search(question.text, user_id=other, top_k=TOP_K)
                off_topic.append(float(bool(away)))
    return {
        "turns_with_a_fact": sum(map(len, taught)),
        "questions_with_a_fact": len(answered),
        "answered": fmean(answered),
        "silent": fmean(silent),
        "off_topic": fmean(off_topic),
    }


def _taught(memory: Memory, conversation: Conversation) -> frozenset[str]:
    """Store the facts of a conversation; returns the turns that teach one."""
    facts = extract_facts(
        [
            Turn(text=turn.text, role=turn.role, speaker=turn.speaker, id=turn.id)
            for turn in conversation.turns
        ]
    )
    messages = [{"content": fact.text, "metadata": {"turn": fact.source}} for fact in facts]
    if messages:
        memory.add(messages, user_id=conversation.id, kind="fact", timestamp=_NOON)
    return frozenset(fact.source for fact in facts)

"""The retrieval benchmark from end to end, on a made-up conversation."""

from datetime import UTC, datetime

import pytest
from benchmarks.retrieval import BUDGETS, remember, run_retrieval

from recollect import Memory
from recollect_bench.datasets import Conversation, Dataset, Question, Turn


def turn(place, text, *, session="s1"):
    return Turn(
        id=f"t{place}",
        session=session,
        speaker="Ana" if place % 2 else "Ben",
        role="user",
        text=text,
        time=datetime(2024, 5, 1, 10, place, tzinfo=UTC),
    )


CONVERSATION = Conversation(
    id="c1",
    turns=(
        turn(0, "We adopted a puppy called Rex on Friday."),
        turn(1, "Lovely! Our kitchen is being painted green."),
        turn(2, "   "),
        turn(3, "My flight to Lisbon leaves in October.", session="s2"),
    ),
    questions=(
        Question(text="What is the puppy called?", gold=("t0",), category="plain", answer="Rex"),
        Question(text="Where does the flight go?", gold=("t3",), category="plain", answer=None),
        Question(text="Which colour is the kitchen?", gold=("t1",), category="colour", answer="Mauve"),
        Question(text="Who is the mayor?", gold=(), category="colour", answer="nobody"),
    ),
)


@pytest.fixture(scope="module")
def result():
    return run_retrieval(Dataset(name="made-up", conversations=(CONVERSATION,)))


def test_a_conversation_is_remembered_as_a_user_would(tmp_path):
    with Memory(tmp_path / "m.db") as memory:
        turn_of = remember(memory, CONVERSATION)
        records = memory.get_all(user_id="c1")
    assert [turn_of[record.id] for record in records] == ["t0", "t1", "t3"]
    assert [record.origin.speaker for record in records] == ["Ben", "Ana", "Ana"]
    assert [record.scope.session_id for record in records] == ["s1", "s1", "s2"]
    assert records[0].times.happened_at == CONVERSATION.turns[0].time


def test_questions_without_evidence_are_counted_and_not_asked(result):
    assert result["counts"] == {
        "conversations": 1,
        "turns": 4,
        "questions": 4,
        "with_evidence": 3,
        "with_evidence_without_answer": 1,
    }
    assert result["results"]["default"]["overall"]["all"]["questions"] == 3


def test_every_system_finds_every_turn_of_so_small_a_conversation(result):
    assert result["results"]["default"]["overall"]["all"]["recall_at_10"] == 1
    assert result["results"]["vectors"]["overall"]["all"]["recall_at_10"] == 1
    assert result["results"]["bm25"]["categories"]["plain"]["mrr"] == 1


def test_answers_are_looked_for_in_contexts_of_every_budget(result):
    for system in ("bm25", "default"):
        for budget in BUDGETS:
            assert result["context"][system][str(budget)] == {
                "questions": 2,
                "content": 0.5,
                "answer": 0.5,
                "words": 0.5,
            }


def test_a_result_says_where_it_was_made(result):
    assert {"date", "commit", "python", "packages", "cores"} <= set(result["made"])
    assert result["how"]

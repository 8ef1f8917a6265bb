"""The sample conversation, and what the demo finds in it."""

from collections.abc import Iterator

import pytest

from recollect import Memory
from recollect.cli.demo import (
    CONTEXT_QUESTION,
    CONTEXT_TOKENS,
    QUESTIONS,
    USER,
    main,
    read_sample,
    remember_sample,
)


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory(":memory:") as memory:
        remember_sample(memory)
        yield memory


def test_the_sample_is_six_sessions_in_order_of_time() -> None:
    sessions = dict(read_sample())
    times = [str(message["timestamp"]) for messages in sessions.values() for message in messages]
    assert len(sessions) == 6
    assert times == sorted(times)
    assert times[0] > "2026"


@pytest.mark.parametrize(("question", "answer"), QUESTIONS.items())
def test_the_turn_that_answers_comes_first(memory: Memory, question: str, answer: str) -> None:
    best, *_ = memory.search(question, user_id=USER)
    assert answer in best.memory.content


def test_the_context_holds_the_old_fact_and_the_new_one_with_their_dates(memory: Memory) -> None:
    context = memory.context(CONTEXT_QUESTION, user_id=USER, budget_tokens=CONTEXT_TOKENS)
    assert context.text.index("14 March 2026") < context.text.index("Doctor Sequeira")
    assert context.text.index("28 June 2026") < context.text.index("Doctor Amaral")
    assert context.tokens <= CONTEXT_TOKENS


def test_the_demo_prints_the_answers_their_terms_and_a_context(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main()
    printed = " ".join(capsys.readouterr().out.split())
    for expected in (*QUESTIONS, "named Pixel", "score words meaning", "<memories>", "recollect add"):
        assert expected in printed

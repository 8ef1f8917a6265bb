"""CrewAI: the memory in a crew with a fake model."""

from datetime import UTC, datetime
from typing import Any

import pytest

pytest.importorskip("crewai", reason="crewai is not installed; run: make frameworks-apart")

from crewai import Agent, BaseLLM, Crew, Task

from recollect import Memory
from recollect.integrations.crewai import RecollectCrewMemory


class FakeLLM(BaseLLM):
    """Answers "Noted.", and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(model="fake")

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        SEEN.append(str(messages))
        return "Thought: I know.\nFinal Answer: Noted."


SEEN: list[str] = []


def run_crew(memory: RecollectCrewMemory, text: str) -> None:
    agent = Agent(role="Waiter", goal="Serve", backstory="A waiter.", llm=FakeLLM())
    task = Task(description=text, expected_output="An answer", agent=agent)
    Crew(agents=[agent], tasks=[task], memory=memory).kickoff()


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREWAI_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    SEEN.clear()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of CrewAI's own fields
def test_a_crew_recalls_what_an_earlier_one_did(memory: Memory) -> None:
    run_crew(RecollectCrewMemory(memory, user_id="ada"), "Note that Ada is allergic to nuts")
    run_crew(RecollectCrewMemory(memory, user_id="ada"), "What must Ada not eat?")
    before, after = SEEN[0], SEEN[-1]
    assert "allergic to nuts" in after
    assert "What must Ada not eat?" not in before
    SEEN.clear()
    run_crew(RecollectCrewMemory(memory, user_id="bob"), "What must Ada not eat?")
    assert "nuts" not in SEEN[-1]


def test_records_come_back_and_are_ranked_by_meaning(memory: Memory) -> None:
    crew = RecollectCrewMemory(memory, user_id="ada")
    made = crew.remember("My password is hunter2!", "/a", categories=["x"], metadata={"n": 1}, importance=0.9)
    crew.remember_many(["Ada plays the cello", "The printer is old"], "/a/b")
    assert made is not None
    (found,) = [one for one in crew.list_records() if one.id == made.id]
    assert (found.content, found.scope, found.categories, found.metadata, found.importance) == (
        "My password is hunter2!", "/a", ["x"], {"n": 1}, 0.9,
    )  # fmt: skip
    best = crew.recall("Who plays the cello?", limit=1)
    assert [match.record.content for match in best] == ["Ada plays the cello"]
    assert crew.recall("cello", scope="/other") == crew.recall(" ") == []
    assert [match.record.id for match in crew.recall("password", categories=["x"])] == [made.id]


def test_private_records_are_for_their_source(memory: Memory) -> None:
    crew = RecollectCrewMemory(memory, user_id="ada")
    crew.remember("Ada plays the cello", source="s1", private=True)
    assert crew.recall("cello") == crew.recall("cello", source="s2") == []
    assert len(crew.recall("cello", source="s1")) == len(crew.recall("cello", include_private=True)) == 1


def test_an_option_that_would_be_ignored_is_refused(memory: Memory) -> None:
    crew = RecollectCrewMemory(memory, user_id="ada")
    crew.remember("Ada plays the cello")
    with pytest.raises(TypeError, match=r"recall\(\) has no argument 'top_k'; use limit"):
        crew.recall("cello", top_k=1)
    with pytest.raises(TypeError, match=r"remember_many\(\) has no argument 'user_id'"):
        crew.remember("Ada plays the cello", user_id="bob")


def test_scopes_are_listed_counted_and_forgotten(memory: Memory) -> None:
    crew = RecollectCrewMemory(memory, user_id="ada")
    for scope in ("/a", "/a/b", "/a/b/c", "/ab", "/d"):
        crew.remember(f"in {scope}", scope, categories=[scope.strip("/")[0]])
    assert crew.list_scopes("/") == ["/a", "/ab", "/d"]
    assert crew.list_scopes("/a") == ["/a/b"]
    assert crew.info("/a").record_count == 3
    assert crew.list_categories() == {"a": 4, "d": 1}
    assert crew.forget(scope="/a/b") == 2
    assert crew.forget(older_than=datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)) == 0
    crew.reset("/d")
    assert sorted(one.scope for one in crew.list_records()) == ["/a", "/ab"]


def test_a_record_is_changed_unless_the_memory_is_read_only(memory: Memory) -> None:
    crew = RecollectCrewMemory(memory, user_id="ada", root_scope="/crew")
    made = crew.remember("Ada plays the cello")
    assert made is not None
    assert made.scope == "/crew"
    assert crew.update(made.id, content="Ada plays the violin").content == "Ada plays the violin"
    frozen = RecollectCrewMemory(memory, user_id="ada", read_only=True)
    assert frozen.remember("more") is None
    assert frozen.update(made.id, content="no").content == "Ada plays the violin"
    assert [one.content for one in frozen.list_records()] == ["Ada plays the violin"]
    with pytest.raises(ValueError, match="not found"):
        RecollectCrewMemory(memory, user_id="bob").update(made.id, content="stolen")

"""Chat over HTTP, in the shapes of Shadow Memory's design."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import LOCAL, SETTINGS, echoing, said

from recollect import Memory
from recollect.checks import CONTEXT_THRESHOLD
from recollect.server import ServerSettings, create_app
from recollect.server.models import ModelDesk
from recollect.text.pii import PiiPolicy


@pytest.fixture
def talking(tmp_path: Path) -> Iterator[TestClient]:
    """A client of a server whose models repeat what is said."""
    with Memory(tmp_path / "m.db") as memory:
        app = create_app(memory, settings=ServerSettings(learn=False), models=ModelDesk(make=echoing))
        with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as client:
            yield client


def test_without_a_model_memories_are_quoted(client: TestClient) -> None:
    said(client, "The spare key hangs behind the blue door.")
    told = client.post("/api/chat", json={"message": "Where is the spare key?"}).json()
    assert told["model"] is None
    assert "blue door" in told["content"]
    assert told["answerMemoryId"] is None


def test_the_response_has_what_the_design_says_and_the_terms_of_each_score(talking: TestClient) -> None:
    (memory_id,) = said(talking, "The spare key hangs behind the blue door.")
    talking.post("/api/config/apikey", json={"apiKey": "k"})
    told = talking.post(
        "/api/chat", json={"message": "Where does the spare key hang, behind which door?"}
    ).json()
    context = told["memoryContext"]
    considered = [*context["activatedMemories"], *context["candidateMemories"]]
    (one,) = [memory for memory in considered if memory["memoryId"] == memory_id]
    assert one["activationScore"] == pytest.approx(sum(one["terms"].values()), abs=1e-5)
    assert one["activated"] == (one["activationScore"] >= one["threshold"])
    assert (context["totalMemories"], context["threshold"], context["contextType"]) == (
        1,
        CONTEXT_THRESHOLD,
        None,
    )
    assert (told["model"], told["preset"]) == ("openai:gpt-4o-mini", "default")
    assert talking.get(f"/memories/{told['storedMemoryId']}").json()["content"].startswith("Where does")
    assert talking.get(f"/memories/{told['answerMemoryId']}").json()["origin"]["role"] == "assistant"


def test_a_chat_stores_no_control_characters(talking: TestClient) -> None:
    told = talking.post("/api/chat", json={"message": "Te\x07a \x1b[31mat five", "apiKey": "k"}).json()
    for memory_id, words in (
        (told["storedMemoryId"], "Tea at five"),
        (told["answerMemoryId"], "Yousaid:Teaatfive"),
    ):
        assert talking.get(f"/memories/{memory_id}").json()["content"] == words


def events(text: str) -> list[tuple[str, object]]:
    """The events of a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_stream_gives_pieces_and_then_the_whole(talking: TestClient) -> None:
    answer = talking.post("/api/chat", json={"message": "Tea at five", "apiKey": "k", "stream": True})
    assert answer.headers["content-type"].startswith("text/event-stream")
    *tokens, (last, whole) = events(answer.text)
    assert {name for name, _ in tokens} == {"token"}
    assert len(tokens) > 1
    assert last == "done"
    assert "".join(str(piece) for _, piece in tokens) == whole["content"]


def test_a_stream_that_fails_ends_with_a_problem(talking: TestClient) -> None:
    answer = talking.post("/api/chat", json={"message": " ", "stream": True})
    ((name, told),) = events(answer.text)
    assert (name, told["type"], told["status"]) == ("error", "urn:recollect:InvalidInputError", 422)


def test_a_key_of_one_message_is_used_for_that_alone(talking: TestClient) -> None:
    told = [
        talking.post("/api/chat", json={"message": "Tea?", "sessionId": "s"} | extra).json()["model"]
        for extra in ({}, {"apiKey": "k"}, {})
    ]
    assert told == [None, "openai:gpt-4o-mini", None]


def test_a_message_goes_on_with_the_last_conversation_or_the_one_it_names(client: TestClient) -> None:
    first, second = (client.post("/api/chat", json={"message": "Tea?"}).json()["sessionId"] for _ in "ab")
    named = client.post("/api/chat", json={"message": "Tea?", "sessionId": "mine"}).json()["sessionId"]
    assert (first == second, named) == (True, "mine")
    other = client.post("/api/chat", json={"message": "Tea?", "userId": "bo"}).json()["sessionId"]
    assert other not in {first, named}


def test_another_model_does_a_task_from_now_on(talking: TestClient) -> None:
    body = {"task": "chat", "model_name": "llama3.1:70b"}
    told = talking.post("/api/chat/models/override", json=body).json()
    assert (told["models"]["chat"], told["task"]) == ("llama3.1:70b", "chat")
    assert talking.post("/api/chat", json={"message": "Tea?"}).json()["model"] == "openai:llama3.1:70b"
    for wrong in ({"task": "dance", "model_name": "x"}, {"task": "chat", "model_name": " "}):
        assert talking.post("/api/chat/models/override", json=wrong).status_code == 422


def test_stats_count_memories_and_what_was_activated(client: TestClient) -> None:
    said(client, "The spare key hangs behind the blue door.")
    client.post("/api/chat", json={"message": "Where does the spare key hang, behind which door?"})
    told = client.get("/api/stats").json()
    assert (told["totalMemories"], told["retrievals"], told["hasApiKey"]) == (2, 1, False)
    assert 0 <= told["averageActivationScore"] <= 1
    assert told["thresholds"]["conversation"] == 0.3


def test_the_profile_shows_facts_by_category_with_their_sources(client: TestClient) -> None:
    (turn,) = said(client, "I live in Oslo.", session_id="s", user_id="ada")
    client.post("/sessions/s/end", json={"user_id": "ada"})
    client.app.state.service.memory.jobs.drain()
    told = client.get("/api/chat/memory/profile/ada").json()
    (fact,) = [one for facts in told["facts"].values() for one in facts if "Oslo" in one["fact"]]
    assert (fact["sources"], fact["valid_until"]) == ([turn], None)
    assert 0 < fact["confidence_now"] <= fact["confidence"] <= 1
    assert "home: half is left after 8 years" in fact["confidence_reason"]
    why = client.get(f"/memories/{fact['fact_id']}/why?user_id=ada").json()
    assert why["confidence"]["reason"] == fact["confidence_reason"]
    assert client.get(f"/memories/{turn}/why?user_id=ada").json()["confidence"] is None
    client.delete(f"/memories/{fact['fact_id']}?user_id=ada")
    assert all(
        "Oslo" not in str(one) for one in client.get("/api/chat/memory/profile/ada").json()["facts"].values()
    )


def test_health_is_what_the_design_says(client: TestClient) -> None:
    told = client.get("/api/health").json()
    assert set(told) == {"status", "hasApiKey", "timestamp"}
    assert (told["status"], told["hasApiKey"]) == ("ok", False)


def test_ready_looks_at_the_store_and_the_queue(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(memory, settings=ServerSettings(learn=False, max_queue=1))
    client = TestClient(app, base_url=LOCAL)
    assert client.get("/ready").json() == {"status": "ready", "store": True, "queue": 0, "worker": True}
    for session in "ab":
        memory.add("Tea.", user_id="ada", session_id=session)
        memory.sessions.end(session, user_id="ada")
    assert client.get("/ready").status_code == 503
    monkeypatch.setattr(memory.parts.store, "jobs", None)  # nobody reads the queue to count it
    assert client.get("/ready").json()["queue"] == 2
    told = client.get("/api/stats", params={"user_id": "ada"}).json()
    assert (told["waitingJobs"], told["failedJobs"]) == (2, 0)
    assert 'recollect_jobs{state="waiting"} 2.0' in client.get("/metrics").text
    memory.close()
    assert client.get("/ready").json()["store"] is False


@pytest.mark.parametrize("stream", [False, True])
def test_a_chat_keeps_to_the_policies_of_the_memory(tmp_path: Path, stream: bool) -> None:
    policy = PiiPolicy(default="mask", phone="refuse")
    with Memory(tmp_path / "m.db", embedder="hashing", pii=policy) as memory:
        app = create_app(memory, settings=SETTINGS, models=ModelDesk(api_key="k", make=echoing))
        client = TestClient(app, base_url=LOCAL, raise_server_exceptions=False)
        sent = {"message": "Write to ada@example.org, will you?", "stream": stream}
        assert "ada@example.org" not in client.post("/api/chat", json=sent).text
        refused = client.post("/api/chat", json={"message": "Call +1 415-555-0132.", "stream": stream})
        assert "personal data (phone)" in refused.text
        assert "555-0132" not in refused.text
        assert refused.status_code == (200 if stream else 422)
        assert "ada@example.org" not in client.get("/export").text
        assert client.post("/search", json={"query": "write to"}).json()["results"]


def test_a_chat_refuses_secrets_where_the_memory_does_and_knows_its_days(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder="hashing", secrets="refuse", timezone="Asia/Tokyo") as memory:
        app = create_app(memory, settings=SETTINGS)
        client = TestClient(app, base_url=LOCAL, raise_server_exceptions=False)
        assert client.post("/api/chat", json={"message": "My password is hunter2!x"}).status_code == 422
        told = client.post("/api/chat", json={"message": "I see the vet tomorrow."}).json()
        (date,) = client.get(f"/memories/{told['storedMemoryId']}").json()["labels"]["dates"]
        assert date["start"].endswith("T15:00:00+00:00")


def test_an_answer_names_its_sources_and_a_deleted_document_is_not_found(talking: TestClient) -> None:
    sent = {"text": "The boiler of the house is in the cellar.", "source": "house.md", "title": "House"}
    document_id = talking.post("/documents", json=sent).json()["document_id"]
    asked = {"message": "Where is the boiler of the house?", "apiKey": "k"}
    told = talking.post("/api/chat", json=asked).json()
    (source,) = told["sources"]
    assert (source["number"], source["title"], source["page"]) == (1, "House", None)
    assert source["documentId"] == document_id
    assert talking.get(f"/documents/{document_id}").status_code == 200
    (kept,) = talking.get(f"/memories/{told['answerMemoryId']}").json()["metadata"]["sources"]
    assert (kept["document_id"], kept["memory_id"]) == (document_id, source["memoryId"])
    talking.delete(f"/documents/{document_id}")
    gone = talking.get(f"/documents/{document_id}")
    assert (gone.status_code, gone.json()["type"]) == (404, "urn:recollect:NotFoundError")
    (marked,) = talking.get(f"/sessions/{told['sessionId']}/turns").json()["turns"][1]["sources"]
    assert (marked["title"], marked["memory_id"], marked["deleted"]) == ("House", source["memoryId"], True)
    assert talking.post("/api/chat", json=asked).json()["sources"] == []


def test_feedback_on_a_question_reaches_the_preset_that_answered(talking: TestClient) -> None:
    (memory_id,) = said(talking, "My dog is called Pixel.")
    asked = {"memory_id": memory_id, "useful": False, "query": "What is my dog called?", "preset": "shadow"}
    before = talking.get("/api/stats").json()["thresholds"]["conversation"]
    for _ in range(30):
        assert talking.post("/feedback", json=asked).status_code == 200
    assert talking.get("/api/stats").json()["thresholds"]["conversation"] > before
    found = talking.post("/search", json={"query": "What is my dog called?"}).json()["results"]
    talking.post("/feedback", json={**asked, "preset": "default"})
    again = talking.post("/search", json={"query": "What is my dog called?"}).json()["results"]
    assert again[0]["memory"]["use"]["unhelpful_count"] == 31
    assert again[0]["score"] <= found[0]["score"]

"""``recollect serve``: its preset, its models and its settings for learning hold in the chat."""

import json
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.models.server import breaks_off, says, serving, streams
from tests.server.conftest import LOCAL, SETTINGS, EchoModel
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.models.chat import ChatMessage
from recollect.models.routing import ModelRouter, ModelTask
from recollect.server import ServerSettings, create_app, running
from recollect.server.models import ModelDesk
from recollect.types.clock import utc_now

TASKS = [task.value for task in ModelTask]
VARIABLES = {
    "chat": "CHAT_MODEL",
    "memory_extraction": "MEMORY_EXTRACTION_MODEL",
    "summarization": "SUMMARIZATION_MODEL",
    "title_generation": "TITLE_GENERATION_MODEL",
}


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "RECOLLECT_PRESET", *VARIABLES.values())
    for name in (*names, "MEMORY_EXTRACTION_ENABLED", "MEMORY_EXTRACTION_THRESHOLD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "m.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hashing")


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs ``recollect serve``, with a client in the place of the socket."""

    def run(use: Callable[[TestClient], Any], *options: str) -> Any:
        seen: list[Any] = []

        class Served:
            def __init__(self, served: Any, _: ServerSettings) -> None:
                self.app = served

            def run(self) -> None:
                with TestClient(self.app, base_url=LOCAL) as client:
                    seen.append(use(client))

        monkeypatch.setattr(running, "make_server", Served)
        monkeypatch.setattr(running, "configure_logs", lambda **_: None)
        monkeypatch.setattr(running, "tune_process", lambda: None)
        done = CliRunner().invoke(app, ["serve", "--no-worker", "-u", "ada", *options])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return seen[0] if seen else done

    return run


def told(client: TestClient, message: str, **fields: Any) -> dict[str, Any]:
    return client.post("/api/chat", json={"message": message, "sessionId": "s", **fields}).json()


def learned(client: TestClient) -> list[str]:
    """The facts that a worker learned."""
    memory = client.app.state.service.memory
    memory.jobs.drain(due_only=True)
    return [one.content for one in memory.get_all(user_id="ada", kinds=["fact"])]


@pytest.mark.parametrize("preset", ["default", "shadow", "second_brain"])
@pytest.mark.parametrize(
    ("variables", "learns"),
    [
        ({}, True),
        ({"MEMORY_EXTRACTION_ENABLED": "false"}, False),
        ({"MEMORY_EXTRACTION_THRESHOLD": "50"}, False),
        ({"MEMORY_EXTRACTION_THRESHOLD": "2"}, True),
    ],
)
def test_settings_for_learning_hold_in_the_chat(
    serve: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    preset: str,
    variables: dict[str, str],
    learns: bool,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    def talk(client: TestClient) -> list[str]:
        for words in ("I live in Oslo.", "I drink tea.", "I have a dog.", "I work as a welder."):
            assert told(client, words)["preset"] == preset
        return learned(client)

    assert bool(serve(talk, "--preset", preset)) == learns


def test_where_learning_is_off_the_end_of_a_session_queues_nothing(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_EXTRACTION_ENABLED", "false")

    def talk(client: TestClient) -> tuple[bool, list[str]]:
        told(client, "I live in Oslo.")
        ended = client.post("/sessions/s/end", json={}).json()
        return ended["queued"], learned(client)

    assert serve(talk) == (False, [])


def test_the_preset_of_the_server_may_come_from_the_environment_and_a_request_outranks_it(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_PRESET", "chloe")

    def talk(client: TestClient) -> list[str]:
        return [told(client, "Tea?")["preset"], told(client, "Tea?", preset="semem")["preset"]]

    assert serve(talk) == ["chloe", "semem"]


def test_an_unknown_preset_is_one_error_that_names_the_five(
    serve: Callable[..., Any], tmp_path: Path
) -> None:
    done = serve(lambda _: None, "--preset", "shadows")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "shadow, semem, recall, second_brain, chloe" in done.stderr
    assert not (tmp_path / "m.db").exists()

    def talk(client: TestClient) -> Any:
        answers = [
            client.post("/api/chat", json={"message": "Tea?", "preset": "shadows", "stream": stream})
            for stream in (False, True)
        ]
        return answers, client.get("/memories").json()["items"]

    (plain, stream), stored = serve(talk)
    assert plain.status_code == 422
    for answer in (plain, stream):
        assert "shadow, semem, recall, second_brain, chloe" in answer.text
    assert stored == []


def answering(exchange: Any, request: dict[str, Any]) -> None:
    """A model that talks when it is streamed, and else finds one fact, which no rule would word so."""
    if request.get("stream"):
        streams("Noted.")(exchange, request)
    else:
        fact = {
            "fact": "User lives in Oslo",
            "category": "context",
            "confidence": 0.9,
            "quote": "I live in Oslo.",
        }
        says(json.dumps({"semantic": [fact], "episodic": []}))(exchange, request)


def talked(client: TestClient) -> None:
    """Something for each of the four tasks to do."""
    told(client, "I live in Oslo.")
    client.post("/sessions/s/end", json={})
    client.app.state.service.memory.jobs.drain()
    assert client.post("/sessions/s/summarise", json={}).status_code == 200


def test_each_of_the_four_tasks_asks_the_model_that_overrides_it(serve: Callable[..., Any]) -> None:
    pytest.importorskip("openai", reason="the openai extra is not installed")

    def override(client: TestClient) -> dict[str, str]:
        for task in TASKS:
            body = {"task": task, "model_name": f"the model for {task}"}
            named = client.post("/api/chat/models/override", json=body).json()["models"]
        talked(client)
        return named

    with serving(answering) as server:
        named = serve(override, "--model", "usual", "--base-url", server.url)
        assert named == {task: f"the model for {task}" for task in TASKS}
        assert {request["model"] for request in server.requests} == set(named.values())


def test_each_of_the_four_tasks_asks_the_model_of_its_variable(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai", reason="the openai extra is not installed")
    for task, variable in VARIABLES.items():
        monkeypatch.setenv(variable, f"the model for {task}")
    with serving(answering) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        serve(talked)
        assert {request["model"] for request in server.requests} == {f"the model for {t}" for t in TASKS}


def test_without_an_override_no_model_is_named_for_a_task_that_none_does(serve: Callable[..., Any]) -> None:
    named = serve(lambda client: client.get("/api/stats").json()["models"], "--model", "usual")
    assert named == {"chat": "usual", **dict.fromkeys(TASKS[1:])}


def test_a_task_that_cannot_be_done_by_a_model_is_refused(memory: Memory) -> None:
    client = TestClient(create_app(memory, settings=SETTINGS, models=ModelDesk(model="m")), base_url=LOCAL)
    refused = client.post("/api/chat/models/override", json={"task": "summarization", "model_name": "x"})
    assert refused.status_code == 422
    assert "models=ModelRouter" in refused.json()["detail"]
    assert client.get("/api/stats").json()["models"]["summarization"] is None


def test_a_key_that_is_set_later_is_used_for_the_overridden_tasks() -> None:
    keys: list[str | None] = []

    def opened(route: Any, _: Any) -> EchoModel:
        keys.append(route.api_key)
        return EchoModel()

    desk, router = ModelDesk(api_key="first"), ModelRouter(dict.fromkeys(ModelTask), open_route=opened)
    desk.give_tasks(router)
    desk.override("title_generation", "titles")
    model = router.model("title_generation")
    assert model is not None
    for key in ("first", "second"):
        desk.set_key(None, key)
        model.complete([ChatMessage(role="user", content="Tea?")])
    assert keys == ["first", "second"]


def test_a_model_that_fails_in_the_middle_of_a_stream_loses_nothing(serve: Callable[..., Any]) -> None:
    pytest.importorskip("openai", reason="the openai extra is not installed")

    def talk(client: TestClient) -> tuple[str, list[tuple[str, str]]]:
        text = client.post("/api/chat", json={"message": "Hello", "sessionId": "s", "stream": True}).text
        stored = client.get("/memories", params={"session_id": "s"}).json()["items"]
        return text, [(one["origin"]["role"], one["content"]) for one in stored]

    with serving(breaks_off("On", " Fri")) as server:
        text, stored = serve(talk, "--model", "m", "--base-url", server.url)
    name, data = text.strip().split("\n\n")[-1].split("\n")
    problem = json.loads(data.removeprefix("data: "))
    assert name == "event: error"
    assert (problem["content"], problem["sessionId"], problem["type"]) == (
        "On Fri",
        "s",
        "urn:recollect:ModelError",
    )
    assert sorted(stored) == [("assistant", "On Fri"), ("user", "Hello")]
    assert problem["answerMemoryId"] is not None


def test_an_answer_says_what_it_archived_and_one_call_brings_it_back(
    serve: Callable[..., Any], tmp_path: Path
) -> None:
    with Memory(
        tmp_path / "m.db", embedder="hashing", clock=lambda: utc_now() - timedelta(days=100)
    ) as memory:
        (old,) = memory.add("Old news", user_id="ada")

    def talk(client: TestClient) -> dict[str, Any] | None:
        tidied = told(client, "Hello there")["tidied"]
        tier = client.get(f"/memories/{old.id}").json()["tier"]
        assert tier == ("long-term" if tidied is None else "archived")
        if tidied is not None:
            assert client.post("/memories/unarchive", json={"ids": tidied["ids"]}).json()["unarchived"] == 1
            assert client.get(f"/memories/{old.id}").json()["tier"] == "long-term"
            assert client.post("/memories/unarchive", json={"ids": [old.id, "x"]}).status_code == 404
        return tidied

    assert serve(talk) is None
    tidied = serve(talk, "--lifecycle")
    assert tidied == {"archived": {"archived: not used for more than 90 days": 1}, "ids": [old.id]}


def test_a_server_with_a_model_does_not_start_without_its_extra(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    store = ("--db", str(tmp_path / "m.db"), "--embedder", "hashing")
    done = serve(lambda _: "served", *store, "--model", "llama3.2")
    assert (done.exit_code, "recollect[openai]" in done.output) == (1, True)
    assert serve(lambda _: "served", *store) == "served"

"""What is said when a model or an embedder fails: the kind to clients, codes to the log, no words."""

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from tests.server.conftest import LOCAL, SETTINGS, said

from recollect import Memory
from recollect.errors import (
    BudgetExceededError,
    EmbedderError,
    EmbedderMismatchError,
    ModelAnswerError,
    ModelError,
)
from recollect.models.routing import ModelRouter
from recollect.server import create_app
from recollect.server.mcp import Held, make_mcp
from recollect.server.models import ModelDesk
from recollect.server.running import JsonLines
from recollect.types import Scope

WORDS = "xylophone sk-live-1234 at https://secret.example"


class ProviderError(Exception):
    status_code = 401
    code = "invalid_api_key"


class FailingModel:
    """A model whose server repeats what it was sent, after a first word of a stream."""

    name = "failing"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def complete(self, messages: Any, **_: Any) -> Any:
        raise self.error from ProviderError(f"401: {WORDS}")

    def stream(self, messages: Any, **_: Any) -> Iterator[str]:
        yield "Well"
        self.complete(messages)


@contextmanager
def talking(folder: Path, error: Exception) -> Iterator[TestClient]:
    desk = ModelDesk(
        api_key="k",
        make=lambda tasks: ModelRouter(dict(tasks), open_route=lambda _route, _told: FailingModel(error)),
    )
    with Memory(folder / "m.db", embedder="hashing") as memory:
        app = create_app(memory, settings=SETTINGS, models=desk)
        with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as client:
            yield client


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (ModelError(WORDS), (502, "the language model failed, or cannot be reached")),
        (ModelError(WORDS, transient=True), (502, "it may work later")),
        (ModelAnswerError(WORDS), (502, "no answer that can be used")),
        (BudgetExceededError(WORDS), (429, "the budget for models is spent")),
        (RuntimeError(WORDS), (500, "the server failed; its log says why")),
    ],
)
def test_what_a_models_server_says_is_told_to_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, error: Exception, wanted: tuple[int, str], stream: bool
) -> None:
    status, says = wanted
    caplog.set_level(logging.DEBUG)
    with talking(tmp_path, error) as client:
        answer = client.post(
            "/api/chat", json={"message": "Tea?", "stream": stream}, headers={"X-Request-Id": "r-1"}
        )
    if stream:
        assert answer.status_code == 200
        last = answer.text.strip().split("\n\n")[-1].split("\n")
        assert last[0] == "event: error"
        told = json.loads(last[1].removeprefix("data: "))
    else:
        assert answer.status_code == status
        told = answer.json()
    assert (told["status"], told["request_id"]) == (status, "r-1")
    assert says in told["detail"]
    lines = [JsonLines().format(one) for one in caplog.records if one.name.startswith("recollect")]
    assert "xylophone" not in answer.text + "".join(lines)
    if status != 500:
        (noted,) = [json.loads(line) for line in lines if "embedder failed" in line]
        assert (noted["request_id"], noted["kind"], noted["code"]) == (
            "r-1",
            type(error).__name__,
            "invalid_api_key",
        )
        assert (noted["status"], noted["causes"]) == (401, ["ProviderError"])


@pytest.mark.parametrize("error", [EmbedderError(WORDS), EmbedderMismatchError(WORDS), ModelError(WORDS)])
def test_an_embedders_server_is_not_quoted_either(
    client: TestClient, memory: Memory, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    said(client, "Tea at five.")

    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(memory, "search", fails)
    answer = client.post("/search", json={"query": "tea"})
    assert answer.status_code in (502, 503)
    assert "xylophone" not in answer.text
    assert "embedder" in answer.json()["detail"] or "model" in answer.json()["detail"]

    async def ask() -> Any:
        async with Client(make_mcp(Held(lambda: memory, learn=False), Scope(user_id="ada"))) as tools:
            return await tools.call_tool("search", {"query": "tea"})

    result = asyncio.run(ask())
    assert result.is_error
    assert "xylophone" not in str(result)


def test_a_code_is_a_word_and_causes_end(
    client: TestClient, memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    error, cause = ModelError("x"), ProviderError("y")
    cause.code = f"said: {WORDS}"
    error.__cause__, cause.__cause__ = cause, error

    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(memory, "search", fails)
    assert client.post("/search", json={"query": "tea"}).status_code == 502
    (noted,) = [one for one in caplog.records if "embedder failed" in one.message]
    assert (vars(noted)["code"], vars(noted)["status"]) == (None, 401)


def test_the_queue_shows_the_kind_of_a_failure_alone(client: TestClient, memory: Memory) -> None:
    for session in "ab":
        said(client, "Tea at five.", session_id=session)
        memory.sessions.end(session, user_id="default")
    one, two = memory.parts.store.claim_jobs(limit=2, lease_s=60)
    memory.parts.store.fail_job(one.id, f"ModelError: {WORDS}", retry_in_s=None)
    memory.parts.store.fail_job(two.id, f"ValueError: {WORDS}", retry_in_s=60)
    told = client.get("/jobs")
    assert "xylophone" not in told.text
    assert told.json()["failed"][0]["error"] == "ModelError"
    assert told.json()["waiting"][0]["error"] == "ValueError"

"""One chat: the library, the command, HTTP, its stream and the page's request answer alike."""

import asyncio
import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.memory.agent import MemoryAgent
from recollect.presets import PRESETS, open_preset
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.types import Scope
from recollect.types.clock import utc_now

LOCAL = "http://127.0.0.1:8377"
SAID = [
    "My dog is called Pixel, he is a beagle.",
    "I'm allergic to peanuts.",
    "I work at Miller & Sons as a welder.",
    "We moved to Porto last spring.",
    "Hello there, nice to see you.",
]
QUESTIONS = ["What is my dog called?", "Where is the boiler in the house?", "Hello there"]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose memories are a hundred days old, so that any tidying would archive some."""
    path = tmp_path_factory.mktemp("one chat") / "m.db"
    with Memory(path, clock=lambda: utc_now() - timedelta(days=100)) as memory:
        memory.add(SAID, user_id="ada", session_id="before")
        memory.documents.add_text(
            "The boiler of the house is in the cellar.", source="house.md", title="House", user_id="ada"
        )
        memory.sessions.end("before", user_id="ada")
        memory.jobs.drain()
    return path


@pytest.fixture
def store(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "CHAT_MODEL", "RECOLLECT_PRESET"):
        monkeypatch.delenv(name, raising=False)
    return Path(shutil.copytree(prepared.parent, tmp_path / "copy") / prepared.name)


def by_library(path: Path, preset: str, message: str) -> dict[str, Any]:
    with Memory(path) as memory:
        agent = MemoryAgent(memory, user_id="ada", session_id="now", preset=open_preset(preset))
        return agent.chat(message).to_dict()


def by_command(path: Path, preset: str, message: str) -> dict[str, Any]:
    words = ["chat", message, "--json", "--preset", preset, "-u", "ada", "-s", "now", "--db", str(path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def posted(path: Path, body: dict[str, Any], **settings: Any) -> str:
    with Memory(path) as memory:
        served = create_app(memory, settings=ServerSettings(learn=False, **settings))
        with TestClient(served, base_url=LOCAL) as client:
            answer = client.post("/api/chat", json=body)
            assert answer.status_code == 200, answer.text
            return answer.text


def by_http(path: Path, preset: str, message: str) -> dict[str, Any]:
    body = {"message": message, "userId": "ada", "sessionId": "now", "preset": preset}
    return json.loads(posted(path, body))


def last_event(text: str) -> dict[str, Any]:
    """The data of a stream's last event, which says that the answer is done."""
    name, data = text.strip().split("\n\n")[-1].split("\n")
    assert name == "event: done"
    return json.loads(data.removeprefix("data: "))


def by_stream(path: Path, preset: str, message: str) -> dict[str, Any]:
    body = {"message": message, "userId": "ada", "sessionId": "now", "preset": preset, "stream": True}
    return last_event(posted(path, body))


def by_page(path: Path, preset: str, message: str) -> dict[str, Any]:
    """The request of ``web/src/api/chat.ts``; the preset is the server's."""
    body = {"message": message, "stream": True, "userId": "ada", "sessionId": "web-1-2-3"}
    return last_event(posted(path, body, preset=preset))


def outline(told: dict[str, Any]) -> dict[str, Any]:
    """What is the same however an answer is written down."""
    context = told.get("memoryContext")
    if context is None:
        names = ("activated", "candidates", "core")
        some = {name: told[name] for name in names}
        ids = {name: [one.get("memory_id") or one["id"] for one in found] for name, found in some.items()}
        total, score = told["total_memories"], told["average_score"]
    else:
        keys = {"activated": "activatedMemories", "candidates": "candidateMemories", "core": "coreMemories"}
        ids = {name: [one["memoryId"] for one in context[key]] for name, key in keys.items()}
        total, score = context["totalMemories"], context["avgActivationScore"]
    return {
        "content": told["content"],
        "preset": told["preset"],
        "model": told["model"],
        **ids,
        "total": total,
        "score": pytest.approx(score, abs=1e-3),
        "sources": [(one["number"], one["title"]) for one in told["sources"]],
        "tidied": told["tidied"],
    }


WAYS = {"command": by_command, "http": by_http, "stream": by_stream, "page": by_page}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_way_answers_as_the_library_does(store: Path, tmp_path: Path, preset: str, way: str) -> None:
    for number, question in enumerate(QUESTIONS):
        one, other = (Path(shutil.copytree(store.parent, tmp_path / f"{number}{n}") / "m.db") for n in "ab")
        expected = outline(by_library(one, preset, question))
        assert outline(WAYS[way](other, preset, question)) == expected
        assert expected["total"] > len(SAID)


def test_the_answers_that_are_compared_say_something(store: Path) -> None:
    told = by_library(store, "default", QUESTIONS[1])
    assert "cellar" in told["content"]
    assert [one["title"] for one in told["sources"]] == ["House"]


def exported(path: Path, tmp_path: Path, name: str) -> dict[str, Any]:
    """Every memory of a store, apart from its use counts, by its id."""
    target = tmp_path / f"{name}.jsonl"
    with Memory(path) as memory:
        memory.export(target)
    told = [json.loads(line) for line in target.read_text().splitlines()]
    records = {one["memory"]["id"]: one["memory"] for one in told if "memory" in one}
    for one in records.values():
        one.pop("use", None)
        one["times"].pop("accessed_at", None)
    return records


def by_mcp(path: Path, _: str, message: str) -> dict[str, Any]:
    async def ask() -> None:
        held = Held(lambda: Memory(path), learn=False)
        try:
            async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
                for tool in ("search", "context"):
                    assert not (await client.call_tool(tool, {"query": message})).is_error
        finally:
            held.close()

    asyncio.run(ask())
    return {}


def searched_over_http(path: Path, _: str, message: str) -> dict[str, Any]:
    with Memory(path) as memory:
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url=LOCAL) as client:
            for route in ("/search", "/context"):
                assert client.post(route, json={"query": message, "user_id": "ada"}).status_code == 200
    return {}


ASKING = {"library": by_library, **WAYS, "mcp": by_mcp, "search": searched_over_http}


@pytest.mark.parametrize("way", ASKING)
@pytest.mark.parametrize("preset", PRESETS)
def test_asking_changes_nothing_that_was_there(store: Path, tmp_path: Path, preset: str, way: str) -> None:
    if way in ("mcp", "search") and preset != "default":
        pytest.skip("it takes no preset")
    before = exported(store, tmp_path, "before")
    assert len(before) > len(SAID)
    for question in QUESTIONS:
        ASKING[way](store, preset, question)
    after = exported(store, tmp_path, "after")
    assert {name: after.get(name) for name in before} == before
    said = [one["content"] for name, one in after.items() if name not in before]
    assert said == ([] if way in ("mcp", "search") else QUESTIONS)

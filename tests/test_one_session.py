"""One new session: the library, the command, HTTP, MCP and a chat begin with the core, and say what to do."""

import asyncio
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.memory.agent import MemoryAgent
from recollect.models import ScriptedModel
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.types import Scope

QUESTION = "Is it late?"
CORE = "User is allergic to nuts."
NOTE = "no memory of this session yet: session_id searches one conversation, leave it out to search all"


def by_library(db: Path) -> str:
    with Memory(db) as memory:
        made = memory.context(QUESTION, user_id="ada", session_id="new")
        return f"{made.text}{made.notes}"


def by_command(db: Path) -> str:
    words = ["context", QUESTION, "--session-id", "new", "--user-id", "ada", "--db", str(db)]
    return CliRunner().invoke(app, words).output


def by_http(db: Path) -> str:
    with Memory(db) as memory:
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url="http://127.0.0.1:8377") as client:
            body = {"query": QUESTION, "user_id": "ada", "session_id": "new"}
            return str(client.post("/context", json=body).json())


def by_mcp(db: Path) -> str:
    async def called() -> str:
        held = Held(lambda: Memory(db), learn=False)
        async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
            answer = await client.call_tool("context", {"query": QUESTION})
            return answer.content[0].text  # type: ignore[union-attr]

    return asyncio.run(called())


@pytest.mark.parametrize("asked", [by_library, by_command, by_http])
def test_a_new_session_gets_the_core_and_the_next_step(asked, tmp_path):
    db = tmp_path / "brain.db"
    with Memory(db) as memory:
        memory.add("I am allergic to nuts.", user_id="ada", session_id="one")
        memory.jobs.drain()
    said = asked(db)
    assert CORE in said
    assert NOTE in said


def test_a_host_by_mcp_gets_the_core_in_every_session(tmp_path):
    db = tmp_path / "brain.db"
    with Memory(db) as memory:
        memory.add("I am allergic to nuts.", user_id="ada", session_id="one")
        memory.jobs.drain()
    assert CORE in by_mcp(db)


def test_a_new_chat_begins_with_the_core():
    model = ScriptedModel(["No."])
    with Memory(":memory:") as memory:
        memory.add("I am allergic to nuts.", user_id="ada", session_id="one")
        memory.jobs.drain()
        MemoryAgent(memory, user_id="ada", session_id="new", model=model).chat(QUESTION)
    assert CORE in str(model.asked)

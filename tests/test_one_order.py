"""One order: the library, the command, HTTP and MCP give the hits of a search alike, ties included."""

import asyncio
import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from typer.testing import CliRunner

from recollect import AsyncMemory, Memory
from recollect.cli import app
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.types import Scope

LOCAL = "http://127.0.0.1:8377"
HOME = "Where do I live?"
RENT = "rent"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Words that newer ones replaced, and a document that is older than what was said of the same thing."""
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        rent = "The rent is 900 euros a month."
        memory.documents.add_text(rent, source="tenancy.md", title="Tenancy", user_id="bo")
        for number in range(3):
            memory.add(f"{rent} ({number})", user_id="bo", timestamp=f"2026-02-0{number + 1}")
        memory.add("I live in Hamburg.", user_id="ada", timestamp="2026-01-01")
        memory.add("I moved to Bremen.", user_id="ada", timestamp="2026-06-01")
        memory.jobs.drain()
    return path


def by_library(path: Path, user: str, query: str, top_k: int) -> list[str]:
    with Memory(path) as memory:
        return [hit.id for hit in memory.search(query, user_id=user, top_k=top_k)]


def by_async_library(path: Path, user: str, query: str, top_k: int) -> list[str]:
    async def ask() -> list[str]:
        async with AsyncMemory(path) as memory:
            return [hit.id for hit in await memory.search(query, user_id=user, top_k=top_k)]

    return asyncio.run(ask())


def by_command(path: Path, user: str, query: str, top_k: int) -> list[str]:
    words = ["search", query, "--json", "--top-k", str(top_k), "-u", user, "--db", str(path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    return [one["memory"]["id"] for one in json.loads(done.stdout)]


def by_http(path: Path, user: str, query: str, top_k: int) -> list[str]:
    with Memory(path) as memory:
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url=LOCAL) as client:
            answer = client.post("/search", json={"query": query, "user_id": user, "top_k": top_k})
            assert answer.status_code == 200, answer.text
            return [one["memory"]["id"] for one in answer.json()["results"]]


def by_mcp(path: Path, user: str, query: str, top_k: int) -> list[str]:
    held = Held(lambda: Memory(path), learn=False)

    async def ask() -> list[str]:
        async with Client(make_mcp(held, Scope(user_id=user))) as client:
            answer = await client.call_tool("search", {"query": query, "top_k": top_k})
            return [line.split()[0] for line in answer.content[0].text.splitlines()]

    try:
        return asyncio.run(ask())
    finally:
        held.close()


WAYS = [by_async_library, by_command, by_http, by_mcp]


@pytest.mark.parametrize(("user", "query"), [("ada", HOME), ("bo", RENT)])
def test_every_way_in_gives_hits_in_the_order_of_the_library(store: Path, user: str, query: str) -> None:
    for top_k in (1, 2, 10):
        wanted = by_library(store, user, query, top_k)
        assert len(wanted) >= min(top_k, 2)
        for way in WAYS:
            found = way(store, user, query, top_k)
            assert all(full.startswith(shown) for full, shown in zip(wanted, found, strict=True)), way


def test_the_order_of_the_library_is_not_that_of_the_ids(store: Path) -> None:
    with Memory(store) as memory:
        hits = memory.search(HOME, user_id="ada")
    assert [hit.id for hit in hits] != [one.id for one in sorted(hits, key=lambda hit: (-hit.score, hit.id))]

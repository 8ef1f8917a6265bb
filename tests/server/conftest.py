"""A server over ASGI, as clients see it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from recollect import Memory
from recollect.models.chat import Completion, Usage
from recollect.models.routing import ModelRouter
from recollect.server import KeyRing, ServerSettings, create_app
from recollect.server.mcp_tools import Held

LOCAL = "http://127.0.0.1:8377"
SETTINGS = ServerSettings(learn=False)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder="hashing") as opened:
        yield opened


@pytest.fixture
def client(memory: Memory) -> Iterator[TestClient]:
    """A client of a server without keys, on a loopback address."""
    app = create_app(memory, settings=SETTINGS)
    with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
def ring(memory: Memory) -> KeyRing:
    return KeyRing(memory.parts.store)


@pytest.fixture
def guarded(memory: Memory, ring: KeyRing) -> Iterator[TestClient]:
    """A client of a server with keys, which sends none by itself."""
    app = create_app(memory, settings=SETTINGS, keys=ring)
    with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    one = Held(lambda: Memory(tmp_path / "m.db", embedder="hashing"), learn=False)
    yield one
    one.close()


class EchoModel:
    """A model that repeats the last message, word by word."""

    name = "echo"

    def complete(self, messages: Any, **_: Any) -> Completion:
        return Completion(
            text=f"You said: {messages[-1].content}", finish_reason="stop", usage=Usage(calls=1)
        )

    def stream(self, messages: Any, **_: Any) -> Iterator[str]:
        yield from self.complete(messages).text.split(" ")


def echoing(tasks: Mapping[str, Any]) -> ModelRouter:
    """A router whose models echo, whatever they are called."""
    return ModelRouter(dict(tasks), open_route=lambda _route, _told: EchoModel())


def bearer(ring: KeyRing, owner: str, role: str = "writer", **limits: Any) -> dict[str, str]:
    """The headers of a new key."""
    _, text = ring.create(owner=owner, role=role, **limits)
    return {"Authorization": f"Bearer {text}"}


def said(client: TestClient, *words: str, **fields: Any) -> list[str]:
    """Remember some words over HTTP; returns their ids."""
    answer = client.post("/memories", json={"messages": list(words), **fields})
    assert answer.status_code == 201, answer.text
    return [one["id"] for one in answer.json()["results"]]

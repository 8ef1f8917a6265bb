"""A server over ASGI, as clients see it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from recollect import Memory
from recollect.server import KeyRing, ServerSettings, create_app

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
    return KeyRing(memory._store)


@pytest.fixture
def guarded(memory: Memory, ring: KeyRing) -> Iterator[TestClient]:
    """A client of a server with keys, which sends none by itself."""
    app = create_app(memory, settings=SETTINGS, keys=ring)
    with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as opened:
        yield opened


def bearer(ring: KeyRing, owner: str, role: str = "writer", **limits: Any) -> dict[str, str]:
    """The headers of a new key."""
    _, text = ring.create(owner=owner, role=role, **limits)
    return {"Authorization": f"Bearer {text}"}


def said(client: TestClient, *words: str, **fields: Any) -> list[str]:
    """Remember some words over HTTP; returns their ids."""
    answer = client.post("/memories", json={"messages": list(words), **fields})
    assert answer.status_code == 201, answer.text
    return [one["id"] for one in answer.json()["results"]]

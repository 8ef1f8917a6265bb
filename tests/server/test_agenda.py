"""The agenda over HTTP and MCP."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fastapi.testclient import TestClient
from mcp import Client

from recollect import Memory
from recollect.server.mcp import Held, make_mcp
from recollect.types import Scope

SAID = {"role": "user", "content": "Don't let me forget to call Tom."}
EARLIER = datetime.now(UTC) - timedelta(days=5)


def test_items_are_listed_mentioned_and_dismissed_over_http(client: TestClient) -> None:
    assert client.get("/agenda").json() == {"items": []}
    for content in ("Don't let me forget to call Tom.", "I still need to cancel my gym membership."):
        message = {"content": content, "timestamp": EARLIER.isoformat()}
        assert client.post("/memories", json={"messages": [message]}).status_code == 201
    first, second = client.get("/agenda").json()["items"]
    assert {first["kind"], second["kind"]} == {"task"}
    assert len(client.get("/agenda", params={"limit": 1}).json()["items"]) == 1
    noted = client.post("/agenda/mention", json={"ids": [first["id"]]})
    assert (noted.status_code, noted.json()) == (200, {"ids": [first["id"]]})
    assert client.get("/agenda").json()["items"] == [second]
    client.post("/agenda/dismiss", json={"ids": [second["id"]]})
    assert client.get("/agenda").json()["items"] == []
    unknown = client.post("/agenda/dismiss", json={"ids": ["plan-0"]})
    assert (unknown.status_code, "no item 'plan-0'" in unknown.text) == (404, True)
    assert client.get("/agenda", params={"limit": 0}).status_code == 422


def test_an_answer_over_http_is_stored_behind_its_question(client: TestClient) -> None:
    client.post("/memories", json={"messages": [SAID | {"timestamp": EARLIER.isoformat()}]})
    (item,) = client.get("/agenda").json()["items"]
    body = {"id": item["id"], "answer": "He is on holiday."}
    assert client.post("/agenda/answer", json=body).json() == {"ids": [item["id"]]}
    assert client.get("/agenda").json()["items"] == []
    newest = client.get("/memories", params={"limit": 2}).json()["items"]
    assert {one["content"] for one in newest} == {item["text"], "He is on holiday."}


def test_the_tool_tells_the_items_of_its_user_and_notes_what_became_of_them(tmp_path: Path) -> None:
    held = Held(lambda: Memory(tmp_path / "m.db", embedder="hashing"), learn=False)
    held.get().add(SAID, user_id="ada", agent_id="one", timestamp=EARLIER)

    async def ask(scope: Scope, **given: object) -> str:
        async with Client(make_mcp(held, scope)) as client:
            return str((await client.call_tool("agenda", given)).content[0].text)

    def asked(scope: Scope, **given: object) -> str:
        return asyncio.run(ask(scope, **given))

    ada = Scope(user_id="ada")
    try:
        (line,) = asked(ada).splitlines()
        item = line.split()[0]
        assert "you said: \u201cDon't let me forget to call Tom.\u201d Is it done?" in line
        assert asked(Scope(user_id="bob")) == "nothing to bring up"
        assert asked(Scope(user_id="ada", agent_id="two")) == "nothing to bring up"
        assert "of one session" in asked(Scope(user_id="ada", session_id="s"))
        assert asked(ada, mentioned=["plan-0"]).startswith("agenda: no item 'plan-0'")
        assert asked(ada, dismissed=[item]) == "nothing to bring up"
    finally:
        held.close()

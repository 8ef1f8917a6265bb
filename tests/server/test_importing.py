"""``POST /import``: files of other programs, as they were downloaded."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.ingest.sources.exports import gpt_conversation, gpt_message, write, zipped

from recollect import Memory
from recollect.server import ServerSettings, create_app

CHAT = gpt_conversation(
    gpt_message("user", "I love tea"), gpt_message("tool", "42"), gpt_message("assistant", "Nice")
)
WHATSAPP = b"13/2/26, 10:00 - Ada: Hi\n13/2/26, 10:01 - Bob: Ho\n"


@pytest.fixture
def client() -> Iterator[TestClient]:
    with Memory(":memory:", embedder="hashing") as memory:
        app = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(app, base_url="http://127.0.0.1:8765") as opened:
            yield opened


def sent(client: TestClient, content: bytes, **options: Any) -> dict[str, Any]:
    answer = client.post("/import", params=options, content=content)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_an_archive_is_counted_and_then_imported_once(client: TestClient, tmp_path: Path) -> None:
    content = zipped(tmp_path / "x.zip", {"conversations.json": [CHAT, 17]}).read_bytes()
    shown = sent(client, content, dry_run=True)
    assert (shown["stored"], shown["report"]["messages"], shown["report"]["dry_run"]) == (0, 2, True)
    assert client.get("/memories").json()["items"] == []
    done = sent(client, content)
    assert (done["stored"], done["duplicates"]) == (2, 0)
    assert done["report"]["left_out"] == {"tool messages": 1}
    assert done["report"]["broken"] == [
        {"where": "conversations.json, record 2", "reason": "it has another shape"}
    ]
    assert sent(client, content)["duplicates"] == 2
    assert client.get("/sessions").json()["sessions"][0]["title"] == "A dog"


def test_a_chat_of_several_people_needs_the_users_name(client: TestClient) -> None:
    answer = client.post("/import", params={"name": "../WhatsApp Chat with Bob.txt"}, content=WHATSAPP)
    assert (answer.status_code, "Ada, Bob" in answer.json()["detail"]) == (422, True)
    done = sent(client, WHATSAPP, name="../WhatsApp Chat with Bob.txt", me="Ada")
    assert (done["stored"], done["report"]["format"]) == (2, "whatsapp")
    assert client.get("/sessions").json()["sessions"][0]["title"] == "Bob"


def test_a_table_is_imported_by_its_columns(client: TestClient) -> None:
    done = sent(client, b"text,day\nTea,2026-01-02\n", name="x.csv", columns="content=text,timestamp=day")
    assert (done["stored"], done["report"]["since"]) == (1, "2026-01-02T00:00:00+00:00")
    wrong = client.post("/import", params={"columns": "text"}, content=b"text\nTea\n")
    assert (wrong.status_code, "content=text" in wrong.json()["detail"]) == (422, True)


def test_a_dry_run_of_messages_stores_nothing(client: TestClient) -> None:
    shown = sent(client, b'{"content": "a"}\n{"content": "b"}\n', dry_run=True)
    assert (shown["stored"], shown["report"]["format"], shown["report"]["messages"]) == (0, "messages", 2)
    assert client.get("/memories").json()["items"] == []


@pytest.mark.parametrize("name", ["", "..", "a\0b", "x" * 200, "é" * 200, "c:\\x\\y.json"])
def test_any_name_is_taken(client: TestClient, tmp_path: Path, name: str) -> None:
    content = write(tmp_path / "c.json", [CHAT]).read_bytes()
    answer = client.post("/import", params={"name": name}, content=content)
    assert answer.status_code in (200, 422)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\0" * 100, b"SQLite format 3\0", b"[" * 9999])
def test_what_is_broken_is_refused(client: TestClient, content: bytes) -> None:
    answer = client.post("/import", content=content)
    assert answer.status_code == 422
    assert answer.json()["detail"]


def test_what_was_imported_is_in_the_audit(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="recollect.server.audit"):
        caplog.clear()
        sent(client, WHATSAPP, name="chat.txt", me="Ada")
    (written,) = [one for one in caplog.records if one.name == "recollect.server.audit"]
    assert (written.route, written.count, len(written.ids)) == ("/import", 2, 2)


def test_an_error_names_no_file_of_the_server(client: TestClient) -> None:
    answer = client.post("/import", content=b"PK\x03\x04 and no more")
    assert (answer.status_code, "the body" in answer.text, gettempdir() in answer.text) == (422, True, False)

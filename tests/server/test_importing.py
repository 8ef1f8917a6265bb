"""``POST /import``: files of other programs, as they were downloaded."""

import asyncio
import io
import json
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.types import ASGIApp
from tests.ingest.sources.exports import gpt_conversation, gpt_message, mem0_memory, write, zipped

from recollect import Memory
from recollect.ingest import message_files
from recollect.memory import importing
from recollect.memory.maintenance import transfer
from recollect.server import ServerSettings, create_app, gate, imports

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


def test_an_export_that_breaks_off_is_imported_and_refused_as_incomplete(client: TestClient) -> None:
    whole = json.dumps([CHAT, CHAT]).encode()
    shown = sent(client, whole[:-40], name="conversations.json", dry_run=True)["report"]
    answer = client.post("/import", params={"name": "conversations.json"}, content=whole[:-40])
    told = answer.json()
    assert (answer.status_code, told["type"]) == (422, "urn:recollect:IncompleteFileError")
    assert told["detail"].startswith("conversations.json cannot be read to its end")
    assert told["loaded"]["stored"] == 2
    for report in (shown, told["loaded"]["report"]):
        assert (report["incomplete"], report["messages"]) == (True, 2)
        assert report["notes"][0] == told["detail"]
    assert not sent(client, whole, name="conversations.json")["report"]["incomplete"]


def test_an_export_in_which_nothing_can_be_read_is_refused(client: TestClient) -> None:
    broken = json.dumps([{**CHAT, "mapping": 1}]).encode()
    answer = client.post("/import", params={"name": "conversations.json"}, content=broken)
    assert (answer.status_code, answer.json()["loaded"]["stored"]) == (422, 0)
    assert answer.json()["detail"].startswith("nothing in it can be read: conversations.json, record 1")


@pytest.mark.parametrize(
    ("name", "content", "stored"),
    [
        ("conversations.json", json.dumps([CHAT, CHAT]).encode()[:-40], 2),
        ("x.jsonl", b'{"content": "a"}\n{"content": "b"\n', 1),
        ("x.json", b'[{"content": "a"}, {"cont', 0),
    ],
)
def test_a_stream_of_a_file_that_breaks_off_is_refused_before_it_begins_and_ends_in_a_problem(
    client: TestClient, name: str, content: bytes, stored: int
) -> None:
    answer = client.post("/import", params={"name": name, "stream": True}, content=content)
    assert answer.headers["content-type"].startswith("text/event-stream")
    *steps, (last, problem) = events_of(answer.text)
    assert (answer.status_code, last, problem["status"]) == (422, "error", 422)
    assert {one for one, _ in steps} <= {"progress"}
    assert len(client.get("/memories").json()["items"]) == stored


def test_a_stream_of_an_export_of_ours_that_breaks_off_is_refused_before_it_begins(
    client: TestClient,
) -> None:
    answer = client.post("/import", params={"stream": True}, content=exported(3)[:-40])
    assert (answer.status_code, events_of(answer.text)[-1][0]) == (422, "error")


def test_a_chat_of_several_people_needs_the_users_name(client: TestClient) -> None:
    answer = client.post("/import", params={"name": "../WhatsApp Chat with Bob.txt"}, content=WHATSAPP)
    assert (answer.status_code, "Ada, Bob" in answer.json()["detail"]) == (422, True)
    assert answer.json()["asks"] == {"option": "me", "choices": ["Ada", "Bob"]}
    assert client.get("/memories").json()["items"] == client.get("/sessions").json()["sessions"] == []
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
        sent(client, WHATSAPP, name="chat.txt", me="Ada", dry_run=True)
        sent(client, WHATSAPP, name="chat.txt", me="Ada")
    (written,) = [one for one in caplog.records if one.name == "recollect.server.audit"]
    assert (written.route, written.count, len(written.ids)) == ("/import", 2, 2)


def test_what_is_stored_before_a_mistake_is_in_the_audit(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", logger="recollect.server.audit"):
        answer = client.post("/import", content=b'{"content": "a"}\n{"content": "b", "timestamp": "noon"}\n')
    assert (answer.status_code, "1 messages before it are stored" in answer.text) == (422, True)
    (written,) = [one for one in caplog.records if one.name == "recollect.server.audit"]
    assert (written.status, written.count, len(written.ids)) == (422, 1, 1)


def test_an_error_names_no_file_of_the_server(client: TestClient) -> None:
    answer = client.post("/import", content=b"PK\x03\x04 and no more")
    assert (answer.status_code, "the body" in answer.text, gettempdir() in answer.text) == (422, True, False)


@pytest.mark.parametrize(
    ("name", "content", "asks"),
    [
        ("chat.txt", "3/4/26, 10:00 - Ada: Hi\n", {"option": "date_order", "choices": ["dmy", "mdy"]}),
        ("x.csv", "text;day\nTea;2026-01-02\n", {"option": "columns", "choices": ["text", "day"]}),
        ("x.json", '[{"text": "Tea", "day": 1}]', {"option": "columns", "choices": ["text", "day"]}),
    ],
)
def test_what_a_file_does_not_say_is_asked_for(
    client: TestClient, name: str, content: str, asks: dict[str, Any]
) -> None:
    answer = client.post("/import", params={"name": name, "dry_run": True}, content=content.encode())
    assert (answer.status_code, answer.json()["asks"]) == (422, asks)
    assert answer.json()["type"] == "urn:recollect:UnclearFileError"


def test_what_nothing_reads_asks_for_its_format(client: TestClient) -> None:
    asked = client.post("/import", params={"name": "x.txt"}, content=b"Tea").json()["asks"]
    assert (asked["option"], "chatgpt" in asked["choices"]) == ("format", True)


def test_a_dump_of_several_users_asks_who_is_meant(client: TestClient) -> None:
    content = json.dumps([mem0_memory("m1", "Tea", user_id="a"), mem0_memory("m2", "Coffee", user_id="b")])
    shown = sent(client, content.encode(), dry_run=True)
    assert shown["report"]["owners"] == ["a", "b"]
    refused = client.post("/import", content=content.encode())
    assert refused.json()["asks"] == {"option": "owner", "choices": ["a", "b"]}
    assert sent(client, content.encode(), owner="b")["stored"] == 1


def test_a_dry_run_finds_what_is_wrong_with_messages(client: TestClient) -> None:
    answer = client.post(
        "/import",
        params={"dry_run": True},
        content=b'{"content": "a"}\n{"content": "b", "timestamp": "noon"}\n',
    )
    assert (answer.status_code, "line 2" in answer.json()["detail"]) == (422, True)


def test_times_are_read_in_the_time_zone_that_is_sent(client: TestClient) -> None:
    done = sent(client, WHATSAPP, name="chat.txt", me="Ada", timezone="Europe/Oslo")
    assert done["report"]["since"] == "2026-02-13T09:00:00+00:00"
    assert client.post("/import", params={"timezone": "Mars"}, content=WHATSAPP).status_code == 422


def events_of(text: str) -> list[tuple[str, Any]]:
    pairs = [one.split("\n") for one in text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, for one test alone."""
    (folder := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_stream_tells_how_far_it_is(
    client: TestClient, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 1)
    answer = client.post("/import", params={"name": "c.txt", "me": "Ada", "stream": True}, content=WHATSAPP)
    assert answer.headers["content-type"].startswith("text/event-stream")
    *steps, (last, done) = events_of(answer.text)
    assert steps == [("progress", {"done": number, "total": 2}) for number in (0, 1, 2)]
    assert (last, done["stored"]) == ("done", 2)
    assert list(temporary.iterdir()) == []


def test_a_stream_that_lacks_an_answer_does_not_begin_and_leaves_nothing(
    client: TestClient, temporary: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", logger="recollect.server.audit"):
        answer = client.post("/import", params={"name": "chat.txt", "stream": True}, content=WHATSAPP)
    assert [one for one in caplog.records if one.name == "recollect.server.audit"] == []
    assert (answer.status_code, answer.json()["asks"]["option"]) == (422, "me")
    assert client.get("/memories").json()["items"] == []
    assert list(temporary.iterdir()) == []


MANY = 300


async def left_early(app: ASGIApp, query: bytes, content: bytes) -> None:
    """Send a file, and hang up at the first sign that something of it was stored."""
    asked, heard = False, asyncio.Event()

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked:
            await heard.wait()
            return {"type": "http.disconnect"}
        asked = True
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if b"progress" in message.get("body", b""):
            heard.set()

    headers = [(b"host", b"127.0.0.1")]
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http"}
    scope |= {"method": "POST", "path": "/import", "raw_path": b"/import", "query_string": query}
    scope |= {"root_path": "", "headers": headers, "server": ("127.0.0.1", 8377), "state": {}}
    await app(scope, receive, send)


def exported(number: int) -> bytes:
    with Memory(":memory:", embedder="hashing") as other:
        other.add([f"Hi {one}" for one in range(number)], user_id="default")
        other.export(out := io.StringIO(), user_id="default")
    return out.getvalue().encode()


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("name=chat.txt&me=Ada", b"".join(b"13/2/26, 10:00 - Ada: Hi %d\n" % n for n in range(MANY))),
        ("name=x.jsonl", b"".join(b'{"content": "Hi %d"}\n' % n for n in range(MANY))),
        ("name=x.json", json.dumps([f"Hi {n}" for n in range(MANY)]).encode()),
        ("name=export.jsonl", exported(MANY)),
    ],
)
def test_who_stops_listening_stops_the_import_and_the_next_goes_on(
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    query: str,
    content: bytes,
) -> None:
    batches = ((importing, "BATCH"), (message_files, "BATCH"), (imports, "BATCH"), (transfer, "_PAGE"))
    for module, name in batches:
        monkeypatch.setattr(module, name, 1)
    app = create_app(memory, settings=ServerSettings(learn=False))
    with caplog.at_level("INFO", logger="recollect.server.audit"):
        asyncio.run(left_early(app, f"{query}&stream=true".encode(), content))
    some = len(memory.get_all(user_id="default"))
    assert some < MANY
    written = [one.count for one in caplog.records if one.name == "recollect.server.audit"]
    assert written == [some] * bool(some)
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        done = client.post(f"/import?{query}", content=content).json()
    assert (done["stored"], done["duplicates"]) == (MANY - some, some)


SMALL = ServerSettings(learn=False, max_body_bytes=100, max_import_bytes=5_000)


def test_a_file_to_import_may_be_larger_than_other_bodies(memory: Memory) -> None:
    app = create_app(memory, settings=SMALL)
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        lines = b"".join(b"13/2/26, 10:00 - Ada: Hi %d\n" % one for one in range(40))
        assert sent(client, lines, name="chat.txt", me="Ada")["stored"] == 40
        assert client.post("/search", json={"query": "x" * 200}).status_code == 413
        assert client.post("/import", content=b"x" * 6_000).status_code == 413
        messages = client.post("/import", content=json.dumps([{"content": "x" * 200}]).encode())
        assert (messages.status_code, "send them in parts" in messages.json()["detail"]) == (413, True)
        stats = client.get("/api/stats").json()
        assert (stats["maxBodyBytes"], stats["maxImportBytes"]) == (100, 5_000)


def test_an_export_of_ours_may_be_large_and_its_lines_may_not(memory: Memory) -> None:
    app = create_app(memory, settings=ServerSettings(learn=False, max_body_bytes=10_000))
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        for number in range(40):
            client.post("/memories", json={"messages": f"Bees {number} like thyme."})
        exported = client.get("/export").content
        assert len(exported) > 10_000
        assert sent(client, exported)["duplicates"] == 40
        assert client.post("/import", content=exported + b"x" * 20_000).status_code == 413


def test_only_some_large_files_are_taken_at_a_time(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "LARGE_AT_ONCE", 1)
    app = create_app(memory, settings=SMALL)
    large = b"13/2/26, 10:00 - Ada: Hi\n" * 10

    async def ask() -> tuple[int, int, int]:
        arrived, go_on = asyncio.Event(), asyncio.Event()

        async def slowly() -> AsyncIterator[bytes]:
            yield large
            arrived.set()
            await go_on.wait()
            yield large

        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8765"
        ) as client:
            path = "/import?me=Ada&name=c.txt"
            first = asyncio.create_task(client.post(path, content=slowly()))
            await arrived.wait()
            second = await client.post(path, content=large)
            go_on.set()
            return (
                second.status_code,
                (await first).status_code,
                (await client.post(path, content=large)).status_code,
            )

    assert asyncio.run(ask()) == (503, 200, 200)


def test_a_large_file_that_keeps_up_its_rate_has_more_time(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "LEAST_RATE", 100)
    settings = ServerSettings(learn=False, max_body_bytes=100, body_timeout_s=0.01)
    app = create_app(memory, settings=settings)

    async def ask(line: bytes) -> int:
        async def slowly() -> AsyncIterator[bytes]:
            for _ in range(5):
                yield line
                await asyncio.sleep(0.02)

        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8765"
        ) as client:
            answer = await client.post("/import?me=Ada&name=c.txt", content=slowly())
            return answer.status_code

    assert asyncio.run(ask(b"13/2/26, 10:00 - Ada: Hi %s\n" % (b"x" * 500))) == 200
    assert asyncio.run(ask(b"")) == 408


def test_a_dry_run_of_an_export_of_ours_says_what_is_new(client: TestClient) -> None:
    for words in ("Bees like thyme.", "Bees sleep in winter.", "Tea at five."):
        client.post("/memories", json={"messages": words})
    exported = client.get("/export").content
    first, second, _ = (one["id"] for one in client.get("/memories").json()["items"])
    client.delete(f"/memories/{first}")
    client.delete(f"/memories/{second}")
    client.post("/purge")
    client.delete(f"/memories/{client.get('/memories').json()['items'][0]['id']}")
    client.post("/memories", json={"messages": "Salt."})
    shown = sent(client, exported, dry_run=True)
    assert (shown["report"]["messages"], shown["report"]["expected"]) == (3, {"new": 2, "deleted": 1})
    assert sent(client, exported)["stored"] == 2
    broken = client.post("/import", params={"dry_run": True}, content=exported + b'{"memory": 1}\n')
    assert (broken.status_code, "line" in broken.json()["detail"]) == (422, True)

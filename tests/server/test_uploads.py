"""``/uploads``: a file is sent once, looked at, and then imported or applied."""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import LOCAL, bearer, said
from tests.server.test_applying import edited, pages_of, zipped

from recollect import Memory
from recollect.server import KeyRing, ServerSettings, create_app, uploads

WHATSAPP = b"13/2/26, 10:00 - Ada: Hi\n13/2/26, 10:01 - Bob: Ho\n"
CHAT = b"13/2/26, 10:00 - Ada: Hi\n"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, for one test alone."""
    (folder := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def upload(client: TestClient, content: bytes, headers: dict[str, str] | None = None, **options: Any) -> str:
    answer = client.post("/uploads", params=options, content=content, headers=headers)
    assert (answer.status_code, answer.json()["bytes"]) == (201, len(content)), answer.text
    return str(answer.json()["id"])


def test_a_file_is_sent_once_and_looked_at_and_imported(client: TestClient, temporary: Path) -> None:
    sent = upload(client, WHATSAPP, name="WhatsApp Chat with Bob.txt")
    shown = client.post("/import", params={"upload": sent, "dry_run": True}).json()
    assert (shown["stored"], shown["report"]["messages"], shown["report"]["unknown_user"]) == (0, 2, True)
    asked = client.post("/import", params={"upload": sent})
    assert (asked.status_code, asked.json()["asks"]["option"]) == (422, "me")
    done = client.post("/import", params={"upload": sent, "me": "Ada", "stream": True})
    assert (done.status_code, "event: done" in done.text) == (200, True)
    assert client.get("/sessions").json()["sessions"][0]["title"] == "Bob"
    assert client.post("/import", params={"upload": sent, "me": "Ada"}).json()["duplicates"] == 2
    assert client.delete(f"/uploads/{sent}").json() == {"deleted": 1}
    assert list(temporary.iterdir()) == []


def test_messages_and_exports_of_ours_are_imported_from_it(client: TestClient) -> None:
    messages = upload(client, b'{"content": "I love tea"}\n', name="x.jsonl")
    assert client.post("/import", params={"upload": messages, "session_id": "s"}).json()["stored"] == 1
    exported = upload(client, client.get("/export").content)
    assert client.post("/import", params={"upload": exported}).json()["duplicates"] == 1


def test_edits_are_shown_and_applied_from_it(client: TestClient) -> None:
    said(client, "I love green tea.", session_id="s")
    sent = upload(client, zipped(edited(pages_of(client), lambda text: text.replace("green", "black"))))
    for dry_run in (True, False):
        applied = client.post("/apply", params={"upload": sent, "dry_run": dry_run})
        assert applied.json()["counts"] == {"changed": 1}
    (one,) = client.get("/memories").json()["items"]
    assert one["content"] == "I love black tea."


@pytest.mark.parametrize("path", ["/import", "/apply"])
def test_what_was_not_sent_is_not_found_and_a_body_beside_it_is_refused(
    client: TestClient, path: str
) -> None:
    gone = client.post(path, params={"upload": "nothing"})
    assert (gone.status_code, "send it again" in gone.json()["detail"]) == (404, True)
    assert client.delete("/uploads/nothing").status_code == 404
    both = client.post(path, params={"upload": upload(client, CHAT)}, content=CHAT)
    assert (both.status_code, "neither a body nor a name" in both.json()["detail"]) == (422, True)


def test_a_name_goes_with_the_file_and_not_with_its_import(client: TestClient) -> None:
    answer = client.post("/import", params={"upload": upload(client, CHAT), "name": "x.txt"})
    assert (answer.status_code, "neither a body nor a name" in answer.json()["detail"]) == (422, True)


def test_only_an_admin_sends_a_file_and_no_other_key_reads_it(guarded: TestClient, ring: KeyRing) -> None:
    ada, other = bearer(ring, "ada", role="admin"), bearer(ring, "ada", role="admin")
    assert guarded.post("/uploads", content=CHAT, headers=bearer(ring, "ada")).status_code == 403
    sent = upload(guarded, CHAT, headers=ada, name="chat.txt")
    for headers in (other, bearer(ring, "bo", role="admin")):
        asked = {"params": {"upload": sent, "dry_run": True}, "headers": headers}
        assert guarded.post("/import", **asked).status_code == 404
        assert guarded.delete(f"/uploads/{sent}", headers=headers).status_code == 404
    assert guarded.post("/import", params={"upload": sent, "dry_run": True}, headers=ada).status_code == 200


@pytest.fixture
def small(memory: Memory, temporary: Path) -> Iterator[TestClient]:
    """A client of a server on which a key has room for little; its files are gone when it ends."""
    settings = ServerSettings(learn=False, max_body_bytes=10, max_import_bytes=100)
    with TestClient(create_app(memory, settings=settings), base_url=LOCAL) as opened:
        yield opened
    assert list(temporary.iterdir()) == []


def is_kept(client: TestClient, upload_id: str) -> bool:
    return client.post("/import", params={"upload": upload_id, "dry_run": True}).status_code == 200


def test_what_was_not_read_for_longest_makes_room(small: TestClient, temporary: Path) -> None:
    first, second, third = (upload(small, CHAT, name="c.txt") for _ in range(3))
    assert is_kept(small, first)
    fourth, fifth = (upload(small, CHAT, name="c.txt") for _ in range(2))
    kept = [is_kept(small, one) for one in (first, second, third, fourth, fifth)]
    assert kept == [True, False, True, True, True]
    assert len(list(temporary.iterdir())) == 4
    assert small.post("/uploads", content=b"x" * 101).status_code == 413


def test_a_key_keeps_only_some_files(small: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "FILES_AT_MOST", 2)
    sent = [upload(small, b"Ada: Hi", name=f"{number}.txt") for number in range(3)]
    gone = [small.delete(f"/uploads/{one}").status_code for one in sent]
    assert gone == [404, 200, 200]


def test_all_keys_together_have_room_for_some_files(
    guarded: TestClient, ring: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "KEYS_AT_MOST", 0)
    ada, bo = bearer(ring, "ada", role="admin"), bearer(ring, "bo", role="admin")
    first, second = upload(guarded, CHAT, headers=ada), upload(guarded, CHAT, headers=bo)
    assert guarded.delete(f"/uploads/{first}", headers=ada).status_code == 404
    assert guarded.delete(f"/uploads/{second}", headers=bo).status_code == 200


def test_a_file_is_removed_after_a_while(memory: Memory, temporary: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(uploads, "KEPT_S", 0.0)
    app = create_app(memory, settings=ServerSettings(learn=False))

    async def ask() -> int:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=LOCAL) as client:
            sent = (await client.post("/uploads", content=CHAT)).json()["id"]
            await asyncio.sleep(0)  # what is due is done first
            await asyncio.sleep(0)
            return (await client.post("/import", params={"upload": sent})).status_code

    assert asyncio.run(ask()) == 404
    assert list(temporary.iterdir()) == []


def test_a_file_that_is_read_stays_until_then(memory: Memory, temporary: Path) -> None:
    kept = uploads.Uploads(max_bytes=10)

    class Sent:
        async def stream(self) -> AsyncIterator[bytes]:
            yield CHAT

    async def ask() -> None:
        first = await kept.add(Sent(), key_id="a", name=None)  # type: ignore[arg-type]
        with kept.reading(first.id, key_id="a"):
            await kept.add(Sent(), key_id="a", name=None)  # type: ignore[arg-type]
            assert first.path.read_bytes() == CHAT
            kept.remove(first.id, key_id="a")
            assert first.path.read_bytes() == CHAT
        assert not first.path.exists()
        kept.close()

    asyncio.run(ask())
    assert list(temporary.iterdir()) == []


def test_who_hangs_up_on_an_import_leaves_the_file_to_go_on(client: TestClient, temporary: Path) -> None:
    sent = upload(client, json.dumps([f"Hi {one}" for one in range(5)]).encode(), name="x.json")
    with client.stream("POST", "/import", params={"upload": sent, "stream": True}):
        pass
    assert len(list(temporary.iterdir())) == 1
    done = client.post("/import", params={"upload": sent}).json()
    assert done["stored"] + done["duplicates"] == 5

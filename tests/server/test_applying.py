"""``POST /apply``: the edits of a folder of Markdown, as a zip archive."""

import errno
import io
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import bearer, said

from recollect import Memory
from recollect.memory.exports import archive
from recollect.server import KeyRing
from recollect.server.teams import Teams, space_named

TEA, LISBON = "I love green tea.", "I live in Lisbon."


def pages_of(client: TestClient, **headers: str) -> dict[str, str]:
    """The exported folder of a user, by path."""
    exported = client.get("/export", params={"format": "markdown"}, headers=headers)
    with zipfile.ZipFile(io.BytesIO(exported.content)) as sent:
        return {name: sent.read(name).decode() for name in sent.namelist() if not name.endswith("/")}


def zipped(pages: Mapping[str, str | bytes], *, above: str = "") -> bytes:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in pages.items():
            made.writestr(f"{above}{name}", text)
    return into.getvalue()


def edited(pages: Mapping[str, str], change: Callable[[str], str]) -> dict[str, str]:
    assert any(change(text) != text for text in pages.values())
    return {name: text if name.endswith(".jsonl") else change(text) for name, text in pages.items()}


def applied(client: TestClient, content: bytes, **options: Any) -> dict[str, Any]:
    answer = client.post("/apply", params=options, content=content)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def contents(client: TestClient) -> set[str]:
    return {one["content"] for one in client.get("/memories").json()["items"]}


@pytest.fixture
def pages(client: TestClient) -> dict[str, str]:
    said(client, TEA, LISBON, session_id="s")
    return pages_of(client)


@pytest.mark.parametrize("above", ["", "notes/", "home/my notes/", "./", "./notes//"])
def test_an_edit_is_shown_and_then_applied_once(
    client: TestClient, pages: dict[str, str], above: str
) -> None:
    content = zipped(edited(pages, lambda text: text.replace(TEA, "I love black tea.")), above=above)
    shown = applied(client, content, dry_run=True)
    assert (shown["dry_run"], shown["counts"]) == (True, {"changed": 1})
    (edit,) = shown["edits"]
    assert (edit["before"], edit["after"]) == (TEA, "I love black tea.")
    assert contents(client) == {TEA, LISBON}
    assert applied(client, content)["counts"] == {"changed": 1}
    assert contents(client) == {"I love black tea.", LISBON}
    assert applied(client, content)["counts"] == {}


def test_a_new_item_is_added_once_and_a_missing_one_deleted_if_asked_for(
    client: TestClient, pages: dict[str, str]
) -> None:
    content = zipped(
        edited(
            pages,
            lambda text: "".join(
                "- I keep bees.\n" if TEA in line else line for line in text.splitlines(keepends=True)
            ),
        )
    )
    assert applied(client, content)["counts"] == {"missing": 1, "added": 1}
    assert contents(client) == {TEA, LISBON, "I keep bees."}
    assert applied(client, content, delete_missing=True)["counts"]["deleted"] == 1
    assert contents(client) == {LISBON, "I keep bees."}


def test_one_page_with_the_list_of_the_folder_is_enough(client: TestClient, pages: dict[str, str]) -> None:
    said(client, "I joined a choir.", session_id="then", timestamp="2024-03-05T10:00:00Z")
    changed = edited(pages_of(client), lambda text: text.replace(TEA, "I love black tea."))
    some = {name: text for name, text in changed.items() if name.endswith(".jsonl") or "black tea" in text}
    assert len([name for name in changed if "months/" in name]) == 2
    assert applied(client, zipped(some))["counts"] == {"changed": 1, "missing": 1}
    assert contents(client) == {"I love black tea.", LISBON, "I joined a choir."}


def test_what_was_changed_in_the_memory_too_is_a_conflict(client: TestClient, pages: dict[str, str]) -> None:
    (memory_id,) = (one["id"] for one in client.get("/memories").json()["items"] if one["content"] == TEA)
    client.put(f"/memories/{memory_id}", json={"content": "I love white tea."})
    content = zipped(edited(pages, lambda text: text.replace(TEA, "I love black tea.")))
    told = applied(client, content)
    assert told["counts"] == {"conflict": 1}
    assert "changed in the memory" in told["edits"][0]["reason"]
    assert contents(client) == {"I love white tea.", LISBON}


@pytest.mark.parametrize(
    ("files", "said_so"),
    [
        ({"../ada/.recollect.jsonl": "{}"}, "paths out of the archive"),
        ({"/etc/x.md": "x"}, "paths out of the archive"),
        ({"notes.md": "# Mine"}, "no .recollect.jsonl"),
        ({"a/.recollect.jsonl": "{"}, "the archive/a/.recollect.jsonl, line 1, is not what was exported"),
        ({".recollect.jsonl": '{"format": "recollect-markdown", "version": 1, "user_id": "bo"}'}, "default"),
        ({".recollect.jsonl": "", "x.md": "x", "x.md/y.md": "y"}, "cannot be unpacked"),
    ],
)
def test_what_is_no_folder_of_the_user_is_refused(
    client: TestClient, files: dict[str, str], said_so: str
) -> None:
    answer = client.post("/apply", content=zipped(files))
    assert (answer.status_code, said_so in answer.json()["detail"]) == (422, True), answer.text
    assert gettempdir() not in answer.text


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"# Mine"])
def test_what_is_no_archive_is_refused(client: TestClient, content: bytes) -> None:
    answer = client.post("/apply", content=content)
    assert (answer.status_code, "the archive" in answer.json()["detail"]) == (422, True), answer.text


def test_a_full_disk_is_said_to_be_one(
    client: TestClient, pages: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_self: Path, _content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    answer = client.post("/apply", content=zipped(pages))
    assert (answer.status_code, "no space is left" in answer.json()["detail"]) == (507, True)


def test_a_bomb_is_refused(
    client: TestClient, pages: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = client.post("/apply", content=zipped({".recollect.jsonl": b"\0" * (1 << 27)}))
    assert (bomb.status_code, "times its size" in bomb.json()["detail"]) == (422, True)
    monkeypatch.setattr(archive, "MAX_BYTES", 100)
    large = client.post("/apply", content=zipped(pages))
    assert (large.status_code, "more than" in large.json()["detail"]) == (422, True)


def test_a_folder_that_was_exported_is_for_apply_and_not_for_import(
    client: TestClient, pages: dict[str, str]
) -> None:
    answer = client.post("/import", content=zipped(pages), params={"dry_run": True})
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:recollect:ExportedFolderError")
    assert "POST /apply" in answer.json()["detail"]


def test_only_an_admin_applies_edits_and_a_space_knows_by_whom(
    guarded: TestClient, ring: KeyRing, memory: Memory
) -> None:
    kitchen = space_named("kitchen")
    Teams(memory.parts.store).put(kitchen, "ada", "admin")
    headers = bearer(ring, "ada", role="admin")
    memory.add(TEA, user_id=kitchen, session_id="s", metadata={"by": "bo"})
    exported = guarded.get("/export", params={"format": "markdown", "user_id": kitchen}, headers=headers)
    with zipfile.ZipFile(io.BytesIO(exported.content)) as sent:
        pages = {name: sent.read(name).decode() for name in sent.namelist() if not name.endswith("/")}
    content = zipped(edited(pages, lambda text: text.replace(TEA, "I love black tea.")))
    assert guarded.post("/apply", content=content, headers=bearer(ring, "bo")).status_code == 403
    own = guarded.post("/apply", content=content, headers=headers)
    assert (own.status_code, "'ada'" in own.json()["detail"]) == (422, True)
    done = guarded.post("/apply", content=content, params={"user_id": kitchen}, headers=headers)
    assert done.json()["counts"] == {"changed": 1}
    (changed,) = memory.get_all(user_id=kitchen)
    assert str(memory.history(changed.id, user_id=kitchen)[-1].reason).startswith("by ada: edited in ")
    assert changed.metadata == {"by": "bo", "changed_by": "ada"}


def test_what_is_added_to_a_space_is_said_by_the_member(
    guarded: TestClient, ring: KeyRing, memory: Memory
) -> None:
    kitchen = space_named("kitchen")
    Teams(memory.parts.store).put(kitchen, "ada", "admin")
    headers = bearer(ring, "ada", role="admin")
    memory.add(TEA, user_id=kitchen, session_id="s")
    exported = guarded.get("/export", params={"format": "markdown", "user_id": kitchen}, headers=headers)
    with zipfile.ZipFile(io.BytesIO(exported.content)) as sent:
        pages = {name: sent.read(name).decode() for name in sent.namelist() if not name.endswith("/")}
    added = "- I keep bees.\n- 09:30 **Cy**: I bake.\n"
    content = zipped(edited(pages, lambda text: re.sub(rf"(?m)^(.*{TEA}.*\n)", rf"\1{added}", text)))
    done = guarded.post("/apply", content=content, params={"user_id": kitchen}, headers=headers)
    assert done.json()["counts"] == {"added": 2}
    speakers = {one.content: one.origin.speaker for one in memory.get_all(user_id=kitchen)}
    assert (speakers["I keep bees."], speakers["I bake."]) == ("ada", "Cy via ada")

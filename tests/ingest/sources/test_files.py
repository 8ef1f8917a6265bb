"""Folders and archives that lead out, do not end, or are damaged."""

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.ingest.sources.exports import gpt_conversation, gpt_message, write, zipped

from recollect.errors import InvalidInputError
from recollect.ingest.sources import files as source_files
from recollect.ingest.sources.files import files_at

CHAT = [gpt_conversation(gpt_message("user", "Hi"))]


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path, imported, said) -> None:
    outside = write(tmp_path / "outside" / "conversations.json", CHAT)
    write(tmp_path / "in" / "note.md", "A note")
    (tmp_path / "in" / "link.json").symlink_to(outside)
    (tmp_path / "in" / "folder").symlink_to(outside.parent)
    (tmp_path / "in" / "same.md").symlink_to(tmp_path / "in" / "note.md")
    (tmp_path / "in" / "none.md").symlink_to(tmp_path / "in" / "missing.md")
    os.mkfifo(tmp_path / "in" / "pipe.json")
    done = imported(tmp_path / "in")
    assert (done.format, [one.content for one in said()]) == ("markdown", ["A note", "A note"])
    assert done.left_out == {"links out of the folder": 2, "special files": 2}


@pytest.mark.parametrize(
    "name", ["../conversations.json", "/conversations.json", "..\\conversations.json", "C:/x.json"]
)
def test_paths_that_lead_out_of_an_archive_are_left_out(tmp_path: Path, imported, said, name: str) -> None:
    done = imported(zipped(tmp_path / "x.zip", {name: CHAT, "note.md": "A note"}))
    assert [one.content for one in said()] == ["A note"]
    assert done.left_out == {"paths out of the archive": 1}
    assert not (tmp_path.parent / "conversations.json").exists()


@pytest.mark.parametrize("name", [".", "./.", "\0"])
def test_a_member_without_a_name_is_passed_over(tmp_path: Path, imported, said, name: str) -> None:
    archive = zipped(tmp_path / "x.zip", {"note.md": "A note", "x" * len(name): "Nothing"})
    archive.write_bytes(archive.read_bytes().replace(b"x" * len(name), name.encode()))
    assert "note.md" in files_at(archive).names
    imported(archive)
    assert [one.content for one in said()] == ["A note"]


def test_links_in_an_archive_are_left_out(tmp_path: Path, imported) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        link = zipfile.ZipInfo("link.md")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("note.md", "A note")
    assert imported(tmp_path / "x.zip").left_out == {"links in the archive": 1}


def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, imported, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_files, "_BOMB_BYTES", 1 << 20)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.md", b"\0" * (1 << 20))
    with pytest.raises(InvalidInputError, match="over 200 times its size"):
        imported(tmp_path / "x.zip")


def test_a_member_that_is_larger_than_it_says_is_cut_and_named(tmp_path: Path, imported) -> None:
    write(tmp_path / "a.md", b"")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("note.md", b"A" * 5000)
    lying = packed.getvalue().replace((5000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    write(tmp_path / "x.zip", lying)
    done = imported(tmp_path / "x.zip")
    assert (done.messages, [one.where for one in done.broken]) == (0, ["note.md"])


def test_a_folder_with_too_many_files_is_refused(
    tmp_path: Path, imported, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_files, "MAX_FILES", 1)
    write(tmp_path / "f" / "a.md", "a")
    write(tmp_path / "f" / "b.md", "b")
    for path in (tmp_path / "f", zipped(tmp_path / "x.zip", {"a.md": "a", "b.md": "b"})):
        with pytest.raises(InvalidInputError, match="more than 1 files"):
            imported(path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2] + data[-200:],
        lambda data: data[:40] + bytes([data[40] ^ 255]) + data[41:],
        lambda data: data.replace(b"PK\x03\x04", b"PK\x09\x04", 1),
    ],
)
def test_a_damaged_archive_is_reported(
    tmp_path: Path, imported, said, damage: Callable[[bytes], bytes]
) -> None:
    whole = zipped(tmp_path / "x.zip", {"conversations.json": CHAT}).read_bytes()
    write(tmp_path / "x.zip", damage(whole))
    try:
        broken = imported(tmp_path / "x.zip", format="chatgpt").broken_count
    except InvalidInputError:
        broken = 1
    assert broken
    assert said() == []


def with_password(archive: bytes) -> bytes:
    """An archive that says its one member has a password."""
    changed = bytearray(archive)
    changed[changed.find(b"PK\x03\x04") + 6] |= 1
    changed[changed.find(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("conversations.json", with_password, r"conversations\.json \(files with a password\)"),
        (
            "conversations.json",
            lambda data: data[:60] + bytes([data[60] ^ 255]) + data[61:],
            "cannot be read: ",
        ),
        ("../conversations.json", lambda data: data, r"\(paths out of the archive\)"),
    ],
)
def test_why_nothing_in_an_archive_can_be_read_is_said(
    tmp_path: Path, imported, name: str, change: Callable[[bytes], bytes], why: str
) -> None:
    archive = zipped(tmp_path / "x.zip", {name: CHAT})
    write(archive, change(archive.read_bytes()))
    with pytest.raises(InvalidInputError, match=f"nothing that can be imported.*{why}") as error:
        imported(archive)
    assert "format" not in str(error.value)


@pytest.mark.parametrize("packed_by", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("beside", [{}, {"note.md": "A note"}])
def test_a_member_that_cannot_be_unpacked_is_named(
    tmp_path: Path, imported, packed_by: int, beside: dict[str, str]
) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", packed_by) as archive:
        archive.writestr("conversations.json", json.dumps(CHAT))
        for name, words in beside.items():
            archive.writestr(name, words)
    whole = (tmp_path / "x.zip").read_bytes()
    start = whole.find(b"conversations.json") + len("conversations.json") + 20
    write(tmp_path / "x.zip", whole[:start] + bytes(40) + whole[start + 40 :])
    if beside:
        assert any("conversations.json: cannot be read" in one for one in imported(tmp_path / "x.zip").notes)
    else:
        with pytest.raises(InvalidInputError, match=r"conversations\.json cannot be read"):
            imported(tmp_path / "x.zip")


def test_what_a_password_keeps_from_being_read_is_named_before_the_page_beside_it(
    tmp_path: Path, imported
) -> None:
    archive = zipped(tmp_path / "x.zip", {"conversations.json": CHAT, "chat.html": "<html></html>"})
    write(archive, with_password(archive.read_bytes()))
    with pytest.raises(
        InvalidInputError, match=r"not read are conversations\.json \(files with a password\)"
    ):
        imported(archive)


@pytest.mark.parametrize("name", ["conversations.json.gz", "export.tar.gz", "export.7z"])
def test_an_archive_of_another_kind_is_to_be_unpacked(tmp_path: Path, imported, name: str) -> None:
    with pytest.raises(InvalidInputError, match="unpack the archives in it"):
        imported(write(tmp_path / name, b"\x1f\x8b\x08\x00"))


def test_text_in_utf_16_is_refused_with_what_to_do(tmp_path: Path, imported) -> None:
    chat = write(tmp_path / "in" / "chat.json", json.dumps(CHAT).encode("utf-16"))
    for path in (chat, chat.parent):
        with pytest.raises(InvalidInputError, match=r"chat\.json is UTF-16 text; save it as UTF-8"):
            imported(path)
    write(tmp_path / "in" / "note.md", "A note")
    assert "not read: chat.json: UTF-16 text; save it as UTF-8" in imported(chat.parent).notes


def test_the_page_beside_chatgpts_json_is_not_asked_for_again(tmp_path: Path, imported) -> None:
    write(tmp_path / "in" / "conversations.json", CHAT)
    write(tmp_path / "in" / "chat.html", "<html></html>")
    assert imported(tmp_path / "in").notes == []


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b/2.md", "a.md", "b/1.md", "B.md"):
        write(tmp_path / "f" / name, "x")
    assert files_at(tmp_path / "f").names == ["B.md", "a.md", "b/1.md", "b/2.md"]


def test_an_archive_that_breaks_off_is_named_as_one(tmp_path: Path) -> None:
    file = tmp_path / "chats.zip"
    file.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InvalidInputError, match="is a zip archive that breaks off"):
        files_at(file)

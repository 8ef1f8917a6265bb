"""Folders and archives that lead out, do not end, or are damaged."""

import io
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
    assert done.left_out == {"links that lead out of the folder": 2, "links and devices": 2}


@pytest.mark.parametrize(
    "name", ["../conversations.json", "/conversations.json", "..\\conversations.json", "C:/x.json"]
)
def test_paths_that_lead_out_of_an_archive_are_left_out(tmp_path: Path, imported, said, name: str) -> None:
    done = imported(zipped(tmp_path / "x.zip", {name: CHAT, "note.md": "A note"}))
    assert [one.content for one in said()] == ["A note"]
    assert done.left_out == {"paths that lead out of the archive": 1}
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


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b/2.md", "a.md", "b/1.md", "B.md"):
        write(tmp_path / "f" / name, "x")
    assert files_at(tmp_path / "f").names == ["B.md", "a.md", "b/1.md", "b/2.md"]


def test_an_archive_that_breaks_off_is_named_as_one(tmp_path: Path) -> None:
    file = tmp_path / "chats.zip"
    file.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InvalidInputError, match="is a zip archive that breaks off"):
        files_at(file)

"""A folder with the exports of several programs: each is imported, and what is not read is named."""

from pathlib import Path

import pytest
from tests.ingest.sources.exports import (
    claude_conversation,
    claude_message,
    gpt_conversation,
    gpt_message,
    mail,
    slack_files,
    slack_message,
    telegram_message,
    write,
    zipped,
)

from recollect import Memory
from recollect.errors import InvalidInputError

CHATGPT = [gpt_conversation(gpt_message("user", "From ChatGPT", create_time=1.7e9))]
CLAUDE = [claude_conversation(claude_message(1, "human", "From Claude"))]
TELEGRAM = {"name": "Bob", "id": 7, "messages": [telegram_message(1, "Ada", "From Telegram")]}
WHATSAPP = "13/2/26, 10:00 - Ada: From WhatsApp\n"


def test_each_export_of_a_folder_is_imported(tmp_path: Path, memory: Memory, imported, said) -> None:
    write(tmp_path / "in" / "conversations.json", CHATGPT)
    write(tmp_path / "in" / "result.json", TELEGRAM)
    write(tmp_path / "in" / "mail.mbox", mail(1, "Ada <a@x.org>", "By mail"))
    write(tmp_path / "in" / "WhatsApp Chat with Bob.txt", WHATSAPP)
    write(tmp_path / "in" / "README.md", "# About")
    write(tmp_path / "in" / "photo.jpg", b"\xff\xd8")
    write(tmp_path / "in" / "log.csv", "a,b")
    write(tmp_path / "in" / ".git" / "config", "hidden")
    counted = imported(tmp_path / "in", me="Ada", dry_run=True)
    assert (counted.messages, counted.conversations) == (4, 4)
    done = imported(tmp_path / "in", me="Ada")
    assert done.format == "chatgpt, telegram, mbox, whatsapp"
    assert done.title == "ChatGPT export, Telegram export, mailbox, WhatsApp chat"
    assert done.notes == [
        "not read: README.md: notes; import them as the format markdown (--format markdown)",
        (
            "not read: log.csv: tables; import each alone with its columns "
            "(--columns content=text,timestamp=date)"
        ),
        "not read: photo.jpg: in no known format",
    ]
    assert {one.content: one.metadata["imported_from"] for one in said()} == {
        "From ChatGPT": "chatgpt",
        "From Telegram": "telegram",
        "By mail": "mbox",
        "From WhatsApp": "whatsapp",
    }
    assert len(memory.sessions.list(user_id="ada")) == 4
    assert imported(tmp_path / "in", me="Ada").duplicate == 4


def test_who_the_user_is_must_be_known_in_every_format(tmp_path: Path, memory: Memory, imported) -> None:
    everything = {"personal_information": {"user_id": 3}, "chats": {"list": [TELEGRAM]}}
    write(tmp_path / "in" / "result.json", everything)
    assert not imported(tmp_path / "in", dry_run=True).unknown_user
    write(tmp_path / "in" / "chat.txt", WHATSAPP)
    with pytest.raises(InvalidInputError, match="--me NAME"):
        imported(tmp_path / "in")
    assert memory.users() == []


def test_a_name_that_one_of_several_formats_does_not_have_is_noted(tmp_path: Path, imported, said) -> None:
    write(tmp_path / "in" / "chat.txt", WHATSAPP)
    write(tmp_path / "in" / "mail.mbox", mail(1, "Ada L. <a@x.org>", "By mail"))
    (note,) = imported(tmp_path / "in", me="Ada").notes
    assert note.startswith("nobody in the mailbox is called 'Ada'")
    assert {one.content: one.origin.role for one in said()} == {"From WhatsApp": "user", "By mail": "other"}
    assert imported(tmp_path / "in" / "mail.mbox", me="Ada L.").updated == 1
    assert {one.origin.role for one in said()} == {"user"}


def test_archives_in_a_folder_are_looked_into(tmp_path: Path, memory: Memory, imported, said) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    zipped(folder / "chatgpt.zip", {"conversations.json": CHATGPT, "user.json": {}})
    zipped(folder / "claude.zip", {"conversations.json": CLAUDE, "../x.json": CLAUDE})
    zipped(folder / "WhatsApp Chat - Bob.zip", {"_chat.txt": WHATSAPP})
    write(folder / "bad.zip", b"PK\x03\x04 and no more")
    write(folder / "index.md", "# About")
    done = imported(folder, me="Ada")
    assert sorted(one.content for one in said()) == ["From ChatGPT", "From Claude", "From WhatsApp"]
    assert done.left_out == {"paths out of the archive": 1}
    assert done.notes == [
        "not read: bad.zip: archives that cannot be opened",
        "not read: chatgpt.zip/user.json: in no known format",
        "not read: index.md: notes; import them as the format markdown (--format markdown)",
    ]
    assert {one.title for one in memory.sessions.list(user_id="ada")} == {"A dog", "Plants", "Bob"}


def test_an_archive_in_a_folder_that_would_unpack_to_much_is_left_out(
    tmp_path: Path, imported, said, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recollect.ingest.sources import files

    monkeypatch.setattr(files, "_BOMB_BYTES", 1 << 20)
    write(tmp_path / "in" / "conversations.json", CHATGPT)
    zipped(tmp_path / "in" / "bomb.zip", {f"{number}.md": b"\0" * (1 << 20) for number in range(4)})
    done = imported(tmp_path / "in")
    assert [one.content for one in said()] == ["From ChatGPT"]
    assert done.left_out == {"archives that cannot be unpacked": 1}


def test_lists_of_people_that_are_read_are_not_called_unread(tmp_path: Path, imported) -> None:
    done = imported(zipped(tmp_path / "s.zip", slack_files(slack_message(1, "U1", "Hi"))), me="Ada")
    assert done.notes == []

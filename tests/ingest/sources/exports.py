"""Exports of other programs, made by hand from the fields that they are known to have."""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

EPOCH = 1_700_000_000.0  # 2023-11-14T22:13:20Z


def write(path: Path, content: object) -> Path:
    """A file with JSON, text or bytes; folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return path


def zipped(path: Path, files: dict[str, object]) -> Path:
    """An archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, (str, bytes)) else json.dumps(content))
    return path


def json_lines(*records: object) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in records)


def gpt_message(role: str, *parts: object, **more: Any) -> dict[str, Any]:
    """A message of ChatGPT."""
    return {
        "id": None,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": None,
        "content": {"content_type": "text", "parts": list(parts)},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        **more,
    }


def gpt_conversation(
    *messages: dict[str, Any], name: str = "c1", title: str | None = "A dog", **more: Any
) -> dict[str, Any]:
    """A conversation of ChatGPT: one message after the other, ``name-0``, ``name-1`` and so on."""
    ids = [f"{name}-{place}" for place in range(len(messages))]
    mapping: dict[str, Any] = {
        "root": {"id": "root", "parent": None, "children": ids[:1], "message": None},
    }
    for place, (own, message) in enumerate(zip(ids, messages, strict=True)):
        parent = ids[place - 1] if place else "root"
        mapping[own] = {
            "id": own,
            "parent": parent,
            "children": ids[place + 1 : place + 2],
            "message": {**message, "id": own},
        }
    return {
        "title": title,
        "create_time": EPOCH,
        "update_time": EPOCH,
        "mapping": mapping,
        "current_node": ids[-1] if ids else "root",
        "conversation_id": name,
        "is_do_not_remember": None,
        **more,
    }


def claude_message(number: int, sender: str, words: str, **more: Any) -> dict[str, Any]:
    """A message of Claude.ai."""
    return {
        "uuid": f"m{number}",
        "text": words,
        "content": [{"type": "text", "text": words}],
        "sender": sender,
        "created_at": f"2026-03-01T10:{number:02}:00.000000Z",
        "updated_at": f"2026-03-01T10:{number:02}:00.000000Z",
        "attachments": [],
        "files": [],
        **more,
    }


def claude_conversation(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A conversation of Claude.ai."""
    return {
        "uuid": "k1",
        "name": "Plants",
        "created_at": "2026-03-01T10:00:00.000000Z",
        "updated_at": "2026-03-01T11:00:00.000000Z",
        "account": {"uuid": "a1"},
        "chat_messages": list(messages),
        **more,
    }


def claude_project(number: int, name: str, **more: Any) -> dict[str, Any]:
    """A project of Claude.ai."""
    return {
        "uuid": f"p{number}",
        "name": name,
        "description": "",
        "is_private": True,
        "is_starter_project": False,
        "prompt_template": "",
        "created_at": "2026-02-01T10:00:00.000000Z",
        "updated_at": "2026-02-01T10:00:00.000000Z",
        "creator": {"uuid": "a1", "full_name": "Ada"},
        "docs": [],
        **more,
    }


def gemini_page(*activities: tuple[str, ...], product: str = "Gemini Apps") -> str:
    """A page of Google's My Activity: of each activity its title, its time and its answer as HTML."""
    cells = (
        '<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid">'
        '<div class="header-cell mdl-cell mdl-cell--12-col">'
        f'<p class="mdl-typography--title">{product}<br></p></div>'
        '<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">'
        f"{'<br>'.join(one)}</div>"
        '<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 '
        'mdl-typography--text-right"></div>'
        '<div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>'
        f"&emsp;{product}<br></div></div></div>"
        for one in activities
    )
    style = f"<style>{'.mdl-grid{margin:0}' * 5_000}</style>"
    return (
        f'<html><head><title>My Activity History</title>{style}</head><body><div class="mdl-grid">'
        f"{''.join(cells)}</div></body></html>"
    )


def mem0_memory(number: int, words: str, **more: Any) -> dict[str, Any]:
    """A memory of mem0."""
    return {
        "id": f"u{number}",
        "memory": words,
        "hash": "0",
        "metadata": None,
        "created_at": "2026-01-02T03:04:05.678901-08:00",
        "updated_at": None,
        "user_id": "ada",
        **more,
    }


def telegram_message(number: int, who: str, words: object, **more: Any) -> dict[str, Any]:
    """A message of Telegram."""
    return {
        "id": number,
        "type": "message",
        "date": f"2026-02-01T10:{number:02}:00",
        "date_unixtime": str(1_769_940_000 + 60 * number),
        "from": who,
        "from_id": f"user{len(who)}",
        "text": words,
        **more,
    }


def discord_message(number: int, who: str, words: str, **more: Any) -> dict[str, Any]:
    """A message of DiscordChatExporter."""
    return {
        "id": f"11{number:04}",
        "type": "Default",
        "timestamp": f"2026-02-01T10:{number:02}:00.000+00:00",
        "content": words,
        "author": {"id": f"{len(who)}", "name": who.lower(), "nickname": who, "isBot": False},
        "attachments": [],
        **more,
    }


def discord_channel(*messages: dict[str, Any]) -> dict[str, Any]:
    """A channel of DiscordChatExporter."""
    return {
        "guild": {"id": "1", "name": "Garden"},
        "channel": {"id": "22", "type": "GuildTextChat", "name": "roses"},
        "messages": list(messages),
        "messageCount": len(messages),
    }


def slack_message(number: int, user: str, words: str, **more: Any) -> dict[str, Any]:
    """A message of Slack."""
    return {
        "type": "message",
        "user": user,
        "text": words,
        "ts": f"{int(EPOCH) + 60 * number}.000200",
        **more,
    }


def slack_files(*messages: dict[str, Any]) -> dict[str, object]:
    """A workspace of Slack with one channel and one day."""
    return {
        "users.json": [
            {"id": "U1", "name": "ada", "profile": {"display_name": "Ada", "real_name": "Ada L."}},
            {"id": "U2", "name": "bob", "profile": {"display_name": "", "real_name": "Bob"}},
        ],
        "channels.json": [{"id": "C9", "name": "general", "members": ["U1", "U2"]}],
        "general/2023-11-14.json": list(messages),
    }


def langgraph_store(path: Path, *rows: tuple[str, str, object]) -> Path:
    """A file of LangGraph's SqliteStore: namespace, key and value of each row."""
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "CREATE TABLE store (prefix text NOT NULL, key text NOT NULL, value text NOT NULL, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP, expires_at TIMESTAMP, "
            "ttl_minutes REAL, PRIMARY KEY (prefix, key))"
        )
        db.executemany(
            "INSERT INTO store (prefix, key, value, created_at) VALUES (?, ?, ?, '2026-01-02 03:04:05')",
            [
                (prefix, key, value if isinstance(value, str) else json.dumps(value))
                for prefix, key, value in rows
            ],
        )
        db.commit()
    return path


def mail(number: int, sender: str, words: str, *headers: str, subject: str = "Lunch") -> str:
    """A mail of a mailbox."""
    return "\n".join(
        [
            f"From {number}@xxx Mon Mar 02 10:00:00 +0000 2026",
            f"From: {sender}",
            f"Subject: {subject}",
            f"Date: Mon, 2 Mar 2026 1{number}:00:00 +0100",
            f"Message-ID: <{number}@example.org>",
            *headers,
            "Content-Type: text/plain; charset=utf-8",
            "",
            words,
            "",
            "",
        ]
    )

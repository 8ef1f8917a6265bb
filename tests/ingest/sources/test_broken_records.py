"""A broken message loses itself and nothing else, and is named with its place."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.sources.exports import (
    claude_conversation,
    claude_message,
    discord_channel,
    discord_message,
    gpt_conversation,
    gpt_message,
    json_lines,
    telegram_message,
    write,
)

from recollect.errors import InvalidInputError


def _without(key: str, message: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != key}


CLAUDE = [
    claude_message(1, "human", "One"),
    _without("uuid", claude_message(2, "assistant", "Two")),
    17,
    claude_message(4, "human", "Four"),
]
TELEGRAM = [
    telegram_message(1, "Ada", "One"), _without("id", telegram_message(2, "Ada", "Two")), None,
    telegram_message(4, "Ada", "Four"),
]  # fmt: skip
DISCORD = [
    discord_message(1, "Ada", "One"), _without("id", discord_message(2, "Ada", "Two")), 17,
    discord_message(4, "Ada", "Four"),
]  # fmt: skip
LETTA = [
    {"id": "1", "role": "user", "content": "One"}, 17, {"id": "3", "role": "user", "content": "Four"}
]  # fmt: skip
NO_OBJECT, NO_ID = "it is no object", "it has no 'id'"


@pytest.mark.parametrize(
    ("name", "export", "broken"),
    [
        (
            "conversations.json",
            [claude_conversation(*CLAUDE)],
            {"record 1, message 2": "it has no 'uuid'", "record 1, message 3": NO_OBJECT},
        ),
        (
            "result.json",
            {"personal_information": {"user_id": 3}, "chats": {"list": [{"id": 7, "messages": TELEGRAM}]}},
            {"list 1, message 2": NO_ID, "list 1, message 3": NO_OBJECT},
        ),
        (
            "result.json",
            {"name": "Bob", "id": 7, "messages": TELEGRAM},
            {"messages 2": NO_ID, "messages 3": "it has another shape"},
        ),
        (
            "roses.json",
            discord_channel(*DISCORD),
            {"messages 2": NO_ID, "messages 3": NO_OBJECT},
        ),
        (
            "a.af",
            {"agents": [{"id": "a", "messages": LETTA}, 17], "blocks": [17]},
            {"block 1": NO_OBJECT, "agent 1, message 2": NO_OBJECT, "agent 2": NO_OBJECT},
        ),
    ],
)
def test_a_broken_message_loses_only_itself(
    tmp_path: Path, imported, said, *, name: str, export: object, broken: dict[str, str]
) -> None:
    done = imported(write(tmp_path / name, export), me="Ada")
    assert [one.content for one in said()] == ["One", "Four"]
    assert {one.where: one.reason for one in done.broken} == {
        f"{name}, {place}": why for place, why in broken.items()
    }


def test_of_a_chatgpt_conversation_only_the_broken_node_is_lost(tmp_path: Path, imported, said) -> None:
    chat = gpt_conversation(*(gpt_message("user", one) for one in ("One", "Two", "Three", "Four")))
    chat["mapping"]["c1-1"] = "broken"
    chat["mapping"]["c1-2"]["message"] = ["broken"]
    done = imported(write(tmp_path / "conversations.json", [chat]))
    assert [one.content for one in said()] == ["One", "Four"]
    assert {one.where: one.reason for one in done.broken} == {
        "conversations.json, record 1, node c1-1": "it is no object",
        "conversations.json, record 1, node c1-2": "its 'message' is no object",
    }


@pytest.mark.parametrize("parent", [["c1-0"], {"id": "c1-0"}, 7, "unknown"])
def test_a_parent_that_is_no_name_loses_no_conversation_of_chatgpt(
    tmp_path: Path, imported, said, *, parent: object
) -> None:
    chat = gpt_conversation(*(gpt_message("user", one) for one in ("One", "Two", "Three")))
    chat["mapping"]["c1-1"]["parent"] = parent
    done = imported(write(tmp_path / "conversations.json", [chat]))
    assert [one.content for one in said()] == ["One", "Two", "Three"]
    assert done.broken == []


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("c.json", json.dumps([claude_conversation(chat_messages="no")]), "its 'chat_messages' is no list"),
        (
            "c.json",
            json.dumps([claude_conversation(), {"uuid": "k2"}]),
            "it has no 'chat_messages'",
        ),
        (
            "m.jsonl",
            json_lines({"type": "entity", "name": "A", "entityType": "x", "observations": "no"}),
            "its 'observations' is no list",
        ),
        (
            "result.json",
            json.dumps({"personal_information": {}, "chats": {"list": [{"messages": {"from_id": 1}}]}}),
            "its 'messages' is no list",
        ),
    ],
)
def test_a_list_that_is_none_is_said(tmp_path: Path, imported, name: str, content: str, reason: str) -> None:
    done = imported(write(tmp_path / name, content))
    assert [one.reason for one in done.broken] == [reason]


def test_where_the_users_only_message_is_broken_the_error_says_so(tmp_path: Path, imported) -> None:
    channel = discord_channel(
        _without("id", discord_message(1, "Bob", "Hi")), discord_message(2, "Ada", "Ho")
    )
    with pytest.raises(InvalidInputError, match=r"'Bob'.*Ada; broken is roses.json, messages 1: it has"):
        imported(write(tmp_path / "roses.json", channel), me="Bob")


def test_attachments_of_claude_that_are_left_out_are_counted(tmp_path: Path, imported, said) -> None:
    pasted, empty = {"extracted_content": "A long text"}, {"file_name": "cv.pdf", "extracted_content": ""}
    done = imported(
        write(
            tmp_path / "c.json",
            [
                claude_conversation(
                    claude_message(1, "human", "See this", attachments=[pasted, empty], files=[{}]),
                    claude_message(2, "human", "", content=[], attachments=[pasted, empty]),
                )
            ],
        )
    )
    assert [one.content for one in said()] == ["See this", "A long text"]
    assert done.left_out == {"attachments": 4}

"""Conversations with ChatGPT, Claude.ai and Gemini."""

from pathlib import Path
from typing import Any

import pytest
from tests.ingest.sources.exports import (
    EPOCH,
    claude_conversation,
    claude_message,
    gpt_conversation,
    gpt_message,
    write,
    zipped,
)

from recollect import Memory


def words(said: Any) -> list[tuple[str, str]]:
    return [(one.origin.role, one.content) for one in said() if one.kind == "message"]


def facts(said: Any) -> list[str]:
    return [one.content for one in said() if one.kind == "fact"]


# ChatGPT


def test_the_branch_of_the_current_node_is_taken_and_others_are_counted(
    tmp_path: Path, imported, said
) -> None:
    chat = gpt_conversation(gpt_message("user", "Hi"), gpt_message("assistant", "Hello"))
    chat["mapping"]["c1-0"]["children"].append("other")
    left = gpt_message("assistant", "Hey")
    chat["mapping"]["other"] = {"id": "other", "parent": "c1-0", "children": [], "message": left}
    done = imported(write(tmp_path / "conversations.json", [chat]))
    assert words(said) == [("user", "Hi"), ("assistant", "Hello")]
    assert done.left_out == {"messages of branches that were left": 1}
    assert (done.format, done.conversations, done.messages, done.stored) == ("chatgpt", 1, 2, 2)


def test_without_a_current_node_the_newest_leaf_is_taken(tmp_path: Path, imported, said) -> None:
    old = gpt_message("assistant", "old", create_time=EPOCH)
    chat = gpt_conversation(gpt_message("user", "Hi"), old)
    new = gpt_message("assistant", "new", create_time=EPOCH + 9)
    chat["mapping"]["b"] = {"id": "b", "parent": "c1-0", "children": [], "message": new}
    del chat["current_node"]
    imported(write(tmp_path / "conversations.json", [chat]))
    assert words(said) == [("user", "Hi"), ("assistant", "new")]


def test_a_tree_that_is_a_circle_ends(tmp_path: Path, imported, said) -> None:
    chat = gpt_conversation(gpt_message("user", "Hi"))
    chat["mapping"]["c1-0"]["parent"] = "c1-0"
    imported(write(tmp_path / "conversations.json", [chat]))
    assert words(said) == [("user", "Hi")]


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (gpt_message("system", "You are"), "system messages"),
        (gpt_message("tool", "42"), "tool messages"),
        (gpt_message("critic", "no"), "messages of unknown roles"),
        (gpt_message("assistant", "x", weight=0), "messages without weight"),
        (gpt_message("assistant", "x", recipient="python"), "messages to tools"),
        (
            gpt_message("user", "x", metadata={"is_visually_hidden_from_conversation": True}),
            "hidden messages",
        ),
        (gpt_message("user", "x", metadata={"is_user_system_message": True}), "hidden messages"),
        (gpt_message("assistant", content={"content_type": "thoughts", "thoughts": []}), "thoughts"),
        (
            gpt_message("assistant", content={"content_type": "code", "text": "1+1"}),
            "code and results of tools",
        ),
        (gpt_message("user", {"content_type": "image_asset_pointer"}), "messages without words"),
        (gpt_message("user", " "), "messages without words"),
    ],
)
def test_what_nobody_said_is_left_out(tmp_path: Path, imported, said, message: Any, reason: str) -> None:
    done = imported(
        write(tmp_path / "conversations.json", [gpt_conversation(message, gpt_message("user", "Hi"))])
    )
    assert words(said) == [("user", "Hi")]
    assert done.left_out == {reason: 1}


def test_voices_are_words_and_citations_are_not(tmp_path: Path, imported, said) -> None:
    spoken = {"content_type": "audio_transcription", "text": "Good morning"}
    cited = "It rains \ue200cite\ue202turn0search1\ue201today【3†source】."
    imported(
        write(
            tmp_path / "conversations.json",
            [gpt_conversation(gpt_message("user", spoken, "and hello"), gpt_message("assistant", cited))],
        )
    )
    assert words(said) == [("user", "Good morning\nand hello"), ("assistant", "It rains today.")]


def test_what_chatgpt_remembered_is_a_fact_from_the_message_before_it(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    chat = gpt_conversation(
        gpt_message("user", "My sister is Ines", create_time=EPOCH + 5),
        gpt_message("assistant", "Has a sister, Ines.\nForget the brother.", recipient="bio"),
    )
    done = imported(write(tmp_path / "conversations.json", [chat]))
    message, fact = said()
    assert facts(said) == ["Has a sister, Ines."]
    assert fact.times.happened_at == message.times.happened_at
    (link,) = memory.graph.links(fact.id, user_id="ada")
    assert (link.source_id, link.target_id, link.type) == (fact.id, message.id, "derived-from")
    assert done.left_out == {"requests to forget": 1}


def test_a_conversation_that_must_not_be_remembered_is_left_out(tmp_path: Path, imported, said) -> None:
    chat = gpt_conversation(gpt_message("user", "Hi"), is_do_not_remember=True)
    done = imported(write(tmp_path / "conversations.json", [chat]))
    assert (done.messages, said()) == (0, [])
    assert done.left_out == {"conversations that ChatGPT was told not to remember": 1}


def test_titles_times_and_sessions_are_kept(tmp_path: Path, memory: Memory, imported) -> None:
    chat = gpt_conversation(
        gpt_message("user", "Hi", create_time=EPOCH + 60), gpt_message("assistant", "Hello")
    )
    imported(write(tmp_path / "conversations.json", [chat]))
    (session,) = memory.sessions.list(user_id="ada")
    assert (session.id, session.title, session.message_count) == ("chatgpt-c1", "A dog", 2)
    assert session.started_at.timestamp() == session.last_activity.timestamp() == EPOCH + 60
    assert session.ended_at is not None
    assert session.ended_at.timestamp() == EPOCH + 60 + 1800


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_archive_is_read_as_it_was_downloaded(tmp_path: Path, imported, said, wrapped: bool) -> None:
    one, two = (gpt_conversation(gpt_message("user", name), name=name) for name in "ab")
    files: dict[str, object] = {
        "conversations-000.json": {"conversations": [one]} if wrapped else [one],
        "conversations-001.json": [two],
        "user.json": {"id": "u"},
        "chat.html": "<html>",
    }
    done = imported(zipped(tmp_path / "export.zip", files))
    assert (done.format, done.conversations) == ("chatgpt", 2)
    assert words(said) == [("user", "a"), ("user", "b")]


# Claude.ai


def test_a_chat_with_claude_is_read(tmp_path: Path, memory: Memory, imported, said) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Less"},
        {"type": "tool_use", "name": "artifacts", "input": {}},
        {"type": "text", "text": "water."},
    ]
    chat = claude_conversation(
        claude_message(1, "human", "How much water?"), claude_message(2, "assistant", "", content=blocks)
    )
    done = imported(zipped(tmp_path / "x.zip", {"conversations.json": [chat], "projects.json": []}))
    assert words(said) == [("user", "How much water?"), ("assistant", "Less\nwater.")]
    assert done.left_out == {"thoughts": 1, "calls of tools and artifacts": 1}
    assert done.notes == ["not read: projects.json"]
    assert said()[0].times.happened_at.isoformat() == "2026-03-01T10:01:00+00:00"
    assert [one.title for one in memory.sessions.list(user_id="ada")] == ["Plants"]


def test_words_may_stand_in_the_text_or_be_pasted(tmp_path: Path, imported, said) -> None:
    pasted = [{"file_name": "paste.txt", "extracted_content": "A long letter"}]
    chat = claude_conversation(
        claude_message(1, "human", "In the text", content=[]),
        claude_message(2, "human", "", content=[], attachments=pasted),
        claude_message(3, "human", "", content=[]),
    )
    done = imported(write(tmp_path / "conversations.json", [chat]))
    assert [text for _, text in words(said)] == ["In the text", "A long letter"]
    assert done.left_out == {"messages without words": 1}


def test_of_a_dump_with_branches_the_current_one_is_taken(tmp_path: Path, imported, said) -> None:
    root = "00000000-0000-4000-8000-000000000000"
    chat = claude_conversation(
        claude_message(1, "human", "Hi", parent_message_uuid=root),
        claude_message(2, "assistant", "left", parent_message_uuid="m1"),
        claude_message(3, "assistant", "taken", parent_message_uuid="m1"),
        current_leaf_message_uuid="m3",
    )
    done = imported(write(tmp_path / "conversations.json", [chat]))
    assert [text for _, text in words(said)] == ["Hi", "taken"]
    assert done.left_out == {"messages of branches that were left": 1}


def test_a_file_with_one_conversation_is_read(tmp_path: Path, memory: Memory, imported, said) -> None:
    chat = claude_conversation(claude_message(1, "human", "Hi"), claude_message(2, "assistant", "Ho"))
    imported(write(tmp_path / "chat.json", chat))
    assert [text for _, text in words(said)] == ["Hi", "Ho"]
    assert [(one.id, one.title) for one in memory.sessions.list(user_id="ada")] == [("claude-k1", "Plants")]


# Gemini


def test_prompts_and_answers_of_gemini_are_put_in_order_and_cut_at_pauses(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    def activity(time: str, title: str, *answers: str, product: str = "Gemini Apps") -> dict[str, object]:
        return {
            "header": product,
            "title": title,
            "time": time,
            "products": [product],
            "safeHtmlItem": [{"html": one} for one in answers],
        }

    done = imported(
        write(
            tmp_path / "Takeout" / "My Activity.json",
            [
                activity("2026-02-02T10:00:00.000Z", "Prompted And now?", "<p>Now <b>this</b>.</p>"),
                activity("2026-02-01T10:05:00.000Z", "Gave feedback: Good"),
                activity("2026-02-01T10:00:00.000Z", "Prompted What?", "<p>first</p>", "<p>second</p>"),
                activity("2026-02-01T09:00:00.000Z", "Searched", product="Search"),
            ],
        )
    )
    assert words(said) == [
        ("user", "What?"), ("assistant", "second"), ("user", "And now?"), ("assistant", "Now this."),
    ]  # fmt: skip
    assert [one.id for one in memory.sessions.list(user_id="ada")] == [
        "gemini-talk-20260202T100000", "gemini-talk-20260201T100000",
    ]  # fmt: skip
    assert done.left_out == {
        "activities that are no prompts": 1,
        "answers that were made again": 1,
        "activities of other products": 1,
    }

"""Conversations with ChatGPT, Claude.ai and Gemini."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.sources.exports import (
    EPOCH,
    claude_conversation,
    claude_message,
    claude_project,
    gemini_page,
    gpt_conversation,
    gpt_message,
    write,
    zipped,
)

from recollect import Memory
from recollect.errors import InvalidInputError, UnclearFileError


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
            "messages with code or results of tools",
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
    assert done.notes == ["not read: projects.json: in no known format"]
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


MEMORY = """\
**Work context**

Ada plans gardens.
She works alone.

**Personal context**
- Lives in Oslo
- Has a greyhound
"""


def test_what_claude_remembers_and_the_users_projects_are_facts(tmp_path: Path, imported, said) -> None:
    projects = [
        claude_project(
            1,
            "Roses",
            description="Which roses to plant",
            prompt_template="Be brief",
            docs=[{"content": " "}],
        ),
        claude_project(2, "How to use Claude", description="Tips", is_starter_project=True),
        claude_project(3, "Later"),
    ]
    memories = [
        {"conversations_memory": MEMORY, "project_memories": {"p1": "The soil is wet."}, "account_uuid": "a1"}
    ]
    chats = [claude_conversation(claude_message(1, "human", "Hi"))]
    path = zipped(
        tmp_path / "x.zip",
        {
            "memories.json": memories,
            "conversations.json": chats,
            "projects.json": projects,
            "users.json": [{}],
        },
    )
    done = imported(path)
    assert words(said) == [("user", "Hi")]
    assert sorted(facts(said)) == [
        "Ada plans gardens. She works alone.", "Has a greyhound", "Lives in Oslo",
        "Roses: The soil is wet.", "Roses: Which roses to plant",
    ]  # fmt: skip
    assert done.left_out == {
        "documents without words": 1,
        "instructions of projects": 1,
        "projects without a description": 1,
        "starter projects of Claude": 1,
    }
    assert done.notes == ["not read: users.json: in no known format"]
    about = {one.content: (one.labels.concepts, one.metadata.get("claude_project")) for one in said()}
    assert about["Lives in Oslo"] == (("Personal context",), None)
    assert about["Roses: The soil is wet."] == (("Roses",), "Roses")
    (described,) = [one for one in said() if one.content == "Roses: Which roses to plant"]
    assert described.times.happened_at.isoformat() == "2026-02-01T10:00:00+00:00"


WRITTEN = "2026-02-03T10:00:00+00:00"
SOIL = {"uuid": "d1", "filename": "soil.md", "content": "# Soil\n\nRoses like clay.", "created_at": WRITTEN}


def test_documents_of_projects_become_documents(tmp_path: Path, memory: Memory, imported) -> None:
    broken = {"filename": "no-id.txt", "content": "Words"}
    path = write(tmp_path / "projects.json", [claude_project(1, "Roses", docs=[SOIL, broken])])
    shown = imported(path, dry_run=True)
    assert (shown.documents, shown.expected) == (1, {"new": 1})
    done = imported(path)
    assert (done.documents, done.stored, done.broken_count) == (1, 1, 1)
    assert (done.broken[0].where, done.broken[0].reason) == (
        "projects.json, record 1, document 2", "it has no 'uuid'",
    )  # fmt: skip
    (document,) = memory.documents.list(user_id="ada")
    assert (document.title, document.source) == ("Roses: soil.md", "claude:d1")
    assert memory.documents.search("clay", user_id="ada")[0].snippet.endswith("Roses like clay.")
    assert memory.get_all(user_id="ada", kinds=["document"])[0].times.happened_at.isoformat() == WRITTEN


def test_a_document_of_a_project_follows_its_source_and_stays_deleted(
    tmp_path: Path, memory: Memory, imported
) -> None:
    def with_words(words: str) -> Path:
        return write(tmp_path / "projects.json", [claude_project(1, "R", docs=[{**SOIL, "content": words}])])

    imported(with_words("Roses like clay."))
    assert imported(with_words("Roses like clay."), dry_run=True).expected == {"duplicate": 1}
    assert imported(with_words("Roses like clay.")).duplicate == 1
    assert imported(with_words("Roses like sand."), dry_run=True).expected == {"updated": 1}
    assert imported(with_words("Roses like sand.")).updated == 1
    (document,) = memory.documents.list(user_id="ada")
    assert memory.documents.text(document.id, user_id="ada") == "Roses like sand."
    memory.documents.remove(document.id, user_id="ada")
    assert imported(with_words("Roses like sand."), dry_run=True).expected == {"deleted": 1}
    assert imported(with_words("Roses like sand.")).deleted == 1
    assert memory.documents.list(user_id="ada") == []


def test_a_document_with_a_secret_is_masked_or_refused(tmp_path: Path) -> None:
    secret = {**SOIL, "content": "My password is hunter2!"}
    path = write(tmp_path / "projects.json", [claude_project(1, "R", docs=[secret])])
    with Memory(":memory:", embedder="hashing") as memory:
        assert memory.import_file(path, user_id="ada").redacted == 1
        assert "hunter2" not in memory.get_all(user_id="ada")[0].content
    with Memory(":memory:", embedder="hashing", secrets="refuse") as memory:
        done = memory.import_file(path, user_id="ada")
        assert (done.refused, done.stored, done.broken[0].where) == (
            1, 0, "projects.json, record 1, document 1",
        )  # fmt: skip


def test_what_claude_remembers_otherwise_since_is_updated(tmp_path: Path, imported, said) -> None:
    def remembered(words: str) -> Path:
        return write(
            tmp_path / "memories" / "a1.json", {"conversations_memory": words, "project_memories": {}}
        )

    imported(remembered(MEMORY))
    done = imported(remembered(MEMORY.replace("Oslo", "Bergen") + "- Likes tea\n"))
    assert (done.updated, done.stored, done.duplicate) == (1, 1, 2)
    assert "Lives in Bergen" in facts(said)


def test_what_claude_remembers_of_several_accounts_is_kept_apart(tmp_path: Path, imported, said) -> None:
    memories = [
        {"conversations_memory": words, "project_memories": {"p1": f"{words}, here"}, "account_uuid": account}
        for account, words in (("a1", "Likes tea"), ("a2", "Likes rum"))
    ]
    done = imported(write(tmp_path / "memories.json", memories))
    assert (done.stored, done.updated) == (4, 0)
    assert {"Likes tea", "Likes rum"} <= set(facts(said))


def test_projects_in_files_of_their_own_are_read(tmp_path: Path, imported, said) -> None:
    for number, name in enumerate(("Roses", "Soil")):
        project = claude_project(number, name, description=f"About {name}")
        write(tmp_path / "x" / "projects" / f"p{number}.json", project)
    assert imported(tmp_path / "x").format == "claude"
    assert facts(said) == ["Roses: About Roses", "Soil: About Soil"]


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
        "activities without a prompt": 1,
        "repeated answers": 1,
        "activities of other products": 1,
    }


def test_a_page_of_geminis_activity_is_read_as_the_list_would_be(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    page = gemini_page(
        ("Prompted&nbsp;And <i>now</i>?", "Feb 2, 2026, 11:00:00\u202fAM CET", "<p>Now <b>this</b>.</p>"),
        ("Gave feedback: Good", "Feb 1, 2026, 10:05:00 AM UTC", ""),
        ("Prompted&nbsp;What &lt;is&gt;<br>this?", "Attached 2 files.", '- <a href="a.png">a.png</a>',
         '-&nbsp;<a href="b.png">b.png</a>', "1 Feb 2026, 10:00:00 UTC", "<p>A cat.</p>", "<p>Two.</p>"),
        ("Prompted&nbsp;Draw", "1 generated image.", "Feb 1, 2026, 1:00:00 AM GMT-08:30", ""),
    )  # fmt: skip
    done = imported(write(tmp_path / "in" / "MyActivity.html", page))
    assert words(said) == [
        ("user", "Draw"), ("user", "What <is>\nthis?"), ("assistant", "A cat.\nTwo."),
        ("user", "And now?"), ("assistant", "Now this."),
    ]  # fmt: skip
    assert done.left_out == {"activities without a prompt": 1, "attachments": 2}
    asked = {one.content: one.times.happened_at.isoformat() for one in said() if one.origin.role == "user"}
    assert asked == {
        "Draw": "2026-02-01T09:30:00+00:00",
        "What <is>\nthis?": "2026-02-01T10:00:00+00:00",
        "And now?": "2026-02-02T10:00:00+00:00",
    }
    assert len(memory.sessions.list(user_id="ada")) == 2


@pytest.mark.parametrize("product", ["Gemini Apps", "Applications Gemini", "Bard"])
def test_what_came_from_geminis_list_is_known_in_its_page(
    tmp_path: Path, imported, said, product: str
) -> None:
    activity = {
        "header": product,
        "title": "Prompted What?",
        "time": "2026-02-01T10:00:00.567Z",
        "safeHtmlItem": [{"html": "<p>This</p>"}],
    }
    imported(write(tmp_path / "MyActivity.json", [activity]))
    page = gemini_page(("Prompted&nbsp;What?", "1 Feb 2026, 11:00:00 CET", "<p>This</p>"), product=product)
    done = imported(write(tmp_path / "MyActivity.html", page))
    assert (done.duplicate, done.stored, len(said())) == (2, 0, 2)


@pytest.mark.parametrize(
    ("written", "options", "read"),
    [
        ("2 sept. 2026, 13:26:27 CEST", {}, "2026-09-02T11:26:27"),
        ("2 août 2026 à 13:26:27 UTC+02:00", {}, "2026-08-02T11:26:27"),
        ("02.09.2026, 13:26:27 MESZ", {}, "2026-09-02T11:26:27"),
        ("10 de mai. de 2026, 03:46:09 BRT", {}, "2026-05-10T06:46:09"),
        ("10 mag 2026, 3:46:09 p.&nbsp;m. CEST", {}, "2026-05-10T13:46:09"),
        ("18. sep. 2025 12.02.52 CEST", {}, "2025-09-18T10:02:52"),
        ("2026年9月2日 13:26:27 JST", {}, "2026-09-02T04:26:27"),
        ("2024. 10. 19. 오후 9:15:07 KST", {}, "2024-10-19T12:15:07"),
        ("2026年6月19日 下午1:23:08 [GMT+8]", {}, "2026-06-19T05:23:08"),
        ("2026/07/16 20:02:03 JST", {}, "2026-07-16T11:02:03"),
        ("3/4/2026, 10:00:00 UTC", {"date_order": "mdy"}, "2026-03-04T10:00:00"),
        ("19 Jun 2026, 12:23:08 CST", {"timezone": "America/Chicago"}, "2026-06-19T17:23:08"),
        ("19 Jun 2026, 12:23:08 CST", {"timezone": "Asia/Shanghai"}, "2026-06-19T04:23:08"),
        ("19 Jun 2026, 12:23:08 BST", {"timezone": "Asia/Dhaka"}, "2026-06-19T06:23:08"),
        ("25 Oct 2026, 02:30:00 CET", {"timezone": "Europe/Berlin"}, "2026-10-25T01:30:00"),
        ("25 Oct 2026, 02:30:00", {"timezone": "Europe/Berlin"}, "2026-10-25T00:30:00"),
    ],
)
def test_times_of_a_page_are_read_in_the_language_of_the_account(
    tmp_path: Path, *, written: str, options: dict[str, str], read: str
) -> None:
    page = write(tmp_path / "a.html", gemini_page(("Prompted&nbsp;Hi", written, "<p>Ho</p>")))
    zone = options.get("timezone", "UTC")
    with Memory(":memory:", embedder="hashing", timezone=zone) as memory:
        memory.import_file(page, user_id="ada", date_order=options.get("date_order"))
        times = {one.times.happened_at for one in memory.get_all(user_id="ada")}
    assert times == {datetime.fromisoformat(f"{read}+00:00")}


def test_the_order_of_numbers_in_a_page_is_that_in_which_it_goes_back(tmp_path: Path, imported, said) -> None:
    days = ("4/2/2026", "3/28/2026", "3/5/2026")
    activities = [(f"Prompted&nbsp;{day}", f"{day}, 10:00:00 UTC", "<p>Ho</p>") for day in days]
    imported(write(tmp_path / "a.html", gemini_page(*activities)))
    assert [f"{one.times.happened_at:%m-%d}" for one in said()][::2] == ["03-05", "03-28", "04-02"]


@pytest.mark.parametrize(
    ("written", "asked"),
    [("3/4/2026, 10:00:00 UTC", "--date-order"), ("19 Jun 2026, 12:23:08 CST", "'CST'.*--timezone")],
)
def test_what_the_times_of_a_page_leave_open_is_asked_for(
    tmp_path: Path, imported, said, *, written: str, asked: str
) -> None:
    page = gemini_page(("Prompted&nbsp;Hi", written, "<p>Ho</p>"))
    with pytest.raises(InvalidInputError, match=asked):
        imported(write(tmp_path / "a.html", page))
    assert said() == []


def test_a_zone_of_several_meanings_none_of_which_is_at_home_is_asked_for(tmp_path: Path) -> None:
    page = write(
        tmp_path / "a.html", gemini_page(("Prompted&nbsp;Hi", "19 Jun 2026, 12:23:08 CST", "<p>Ho</p>"))
    )
    with (
        Memory(":memory:", embedder="hashing", timezone="Europe/Berlin") as memory,
        pytest.raises(UnclearFileError, match="'CST'") as asked,
    ):
        memory.import_file(page, user_id="ada")
    assert asked.value.option == "timezone"
    assert asked.value.choices == ("America/Chicago", "Asia/Shanghai", "America/Havana")


def test_activities_of_a_page_whose_time_cannot_be_read_are_named(tmp_path: Path, imported, said) -> None:
    page = gemini_page(
        ("Prompted&nbsp;One", "2 wrz 2026, 12:00:00 CEST", "<p>1</p>"),
        ("Prompted&nbsp;Two", "soon", "<p>2</p>"),
        ("Prompted&nbsp;Three", "2 Sep 2026, 12:00:00 CEST", "<p>3</p>"),
    )
    done = imported(write(tmp_path / "a.html", page))
    assert [(one.where, one.reason) for one in done.broken] == [
        ("a.html, activity 1", "its time '2 wrz 2026, 12:00:00 CEST' cannot be read; ask Takeout for JSON"),
        ("a.html, activity 2", "it has no time that can be read; ask Takeout for JSON"),
    ]
    assert words(said) == [("user", "Three"), ("assistant", "3")]


def test_of_a_page_that_breaks_off_the_last_activity_is_named(tmp_path: Path, imported, said) -> None:
    page = gemini_page(
        *[(f"Prompted&nbsp;{one}", "2 Sep 2026, 12:00:00 UTC", f"<p>{one} it is</p>") for one in "ab"]
    )
    done = imported(write(tmp_path / "a.html", page[: page.index("b it is") + 1]))
    assert [one.where for one in done.broken] == ["a.html, activity 2"]
    assert words(said) == [("user", "a"), ("assistant", "a it is")]


def test_pages_of_other_products_are_not_read(tmp_path: Path, imported) -> None:
    activity = ("Searched for&nbsp;Gemini", "2 Sep 2026, 12:00:00 UTC", "")
    write(tmp_path / "in" / "Search" / "MyActivity.html", gemini_page(activity, product="Search"))
    write(tmp_path / "in" / "note.md", "Hi")
    assert imported(tmp_path / "in").notes == [
        "not read: Search/MyActivity.html: pages of HTML; export JSON instead"
    ]


def test_links_that_are_words_of_a_prompt_stay_in_it(tmp_path: Path, imported, said) -> None:
    link = '<a href="https://a.org">https://a.org</a>'
    page = gemini_page(
        ("Prompted&nbsp;Read these", f"- {link}", f"- {link}", "2 Sep 2026, 12:00:00 UTC", "<p>Ok</p>")
    )
    done = imported(write(tmp_path / "a.html", page))
    assert (said()[0].content, done.left_out) == ("Read these\n- https://a.org\n- https://a.org", {})


def test_an_offset_of_more_than_59_minutes_is_no_zone(tmp_path: Path, imported, said) -> None:
    page = gemini_page(("Prompted&nbsp;Hi", "19 Jun 2026, 12:23:08 GMT+2:99", "<p>Ho</p>"))
    with pytest.raises(InvalidInputError, match="timezone"):
        imported(write(tmp_path / "a.html", page))
    assert said() == []


@pytest.mark.parametrize("kind", ["fact", "message"])
def test_after_a_fact_or_its_message_was_deleted_the_export_is_imported_again(
    tmp_path: Path, memory: Memory, imported, said, kind: str
) -> None:
    chat = gpt_conversation(
        gpt_message("user", "I love tea"),
        gpt_message("assistant", "Loves tea", recipient="bio"),
        gpt_message("assistant", "Noted"),
    )
    path = write(tmp_path / "conversations.json", [chat])
    stored = imported(path).stored
    doomed = next(one for one in said() if one.kind == kind)
    memory.delete(doomed.id, user_id="ada")
    done = imported(path)
    assert (done.deleted >= 1, done.deleted + done.duplicate) == (True, stored)

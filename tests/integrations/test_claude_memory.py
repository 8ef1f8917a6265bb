"""The memory tool of the Claude API: the cases of Anthropic's file system tool, written anew, and ours."""

import asyncio
import inspect
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anthropic", reason="anthropic is not installed; run: make frameworks")

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

from recollect import Memory
from recollect.integrations.claude_memory import AsyncRecollectMemoryTool, RecollectMemoryTool


@pytest.fixture
def tool(memory: Memory) -> RecollectMemoryTool:
    return RecollectMemoryTool(memory, user_id="ada")


def run(tool: Any, command: str, **given: Any) -> str:
    """What the model reads; an error too."""
    try:
        answer = tool.call({"command": command, **given})
    except ToolError as error:
        return f"error: {error.content}"
    return str(answer)


SCRIPT: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories/none.md"},
    {"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\nthree\nfour\nfive\nsix\n"},
    {"command": "create", "path": "/memories/a.md", "file_text": "again"},
    {"command": "create", "path": "/memories/empty.md", "file_text": ""},
    {"command": "create", "path": "/memories/notes/deep/down/b.md", "file_text": "x" * 1536},
    {"command": "create", "path": "/memories/notes", "file_text": "a folder has this name"},
    {"command": "create", "path": "/memories/notes/c d.md", "file_text": "no newline at the end"},
    {"command": "create", "path": "/memories/.hidden", "file_text": "hidden"},
    {"command": "view", "path": "/memories/a.md"},
    {"command": "view", "path": "/memories/empty.md"},
    {"command": "view", "path": "/memories/a.md", "view_range": [2, 3]},
    {"command": "view", "path": "/memories/a.md", "view_range": [3, -1]},
    {"command": "view", "path": "/memories/a.md", "view_range": [0, 2]},
    {"command": "view", "path": "/memories/a.md", "view_range": [5, 90]},
    {"command": "view", "path": "/memories/.hidden"},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "four", "new_str": "4\n4b"},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "one", "new_str": "1"},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "absent", "new_str": ""},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "t", "new_str": "T"},
    {"command": "str_replace", "path": "/memories/a.md", "old_str": "six", "new_str": ""},
    {"command": "str_replace", "path": "/memories/none.md", "old_str": "a", "new_str": "b"},
    {"command": "str_replace", "path": "/memories/notes", "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": 0, "insert_text": "zero"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": 2, "insert_text": "middle\n"},
    {"command": "insert", "path": "/memories/notes/c d.md", "insert_line": 1, "insert_text": "last"},
    {"command": "insert", "path": "/memories/empty.md", "insert_line": 0, "insert_text": "first"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": 99, "insert_text": "far"},
    {"command": "insert", "path": "/memories/a.md", "insert_line": -1, "insert_text": "before"},
    {"command": "insert", "path": "/memories/none.md", "insert_line": 0, "insert_text": "x"},
    {"command": "insert", "path": "/memories/notes", "insert_line": 0, "insert_text": "x"},
    {"command": "view", "path": "/memories/a.md"},
    {"command": "view", "path": "/memories/notes/c d.md"},
    {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/new/a.md"},
    {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"},
    {"command": "rename", "old_path": "/memories/new/a.md", "new_path": "/memories/empty.md"},
    {"command": "rename", "old_path": "/memories/new/a.md", "new_path": "/memories/notes"},
    {"command": "rename", "old_path": "/memories", "new_path": "/memories/x"},
    {"command": "rename", "old_path": "/memories/notes/deep", "new_path": "/memories/moved"},
    {"command": "view", "path": "/memories/moved/down/b.md"},
    {"command": "view", "path": "/memories/new/../new/./a.md"},
    {"command": "delete", "path": "/memories"},
    {"command": "delete", "path": "/memories/none.md"},
    {"command": "delete", "path": "/memories/empty.md"},
    {"command": "delete", "path": "/memories/moved"},
    {"command": "view", "path": "/memories/moved/down/b.md"},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "view", "path": "/memories/../../etc/passwd"},
    {"command": "create", "path": "/memories/../x", "file_text": "out"},
    {"command": "delete", "path": "/memories/.."},
    {"command": "rename", "old_path": "/memories/new/a.md", "new_path": "/memories/../a.md"},
]  # fmt: skip


def test_every_answer_is_that_of_anthropics_own_tool(tool: RecollectMemoryTool, tmp_path: Path) -> None:
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path))
    for step in SCRIPT:
        given = {name: value for name, value in step.items() if name != "command"}
        assert run(tool, step["command"], **given) == run(theirs, step["command"], **given), step


def test_a_folder_is_listed_two_levels_deep_without_hidden_files(
    tool: RecollectMemoryTool, tmp_path: Path
) -> None:
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path))
    for step in SCRIPT[1:8]:
        for one in (tool, theirs):
            run(one, **step)
    (header, *lines), (their_header, *their_lines) = (
        run(one, "view", path="/memories").split("\n") for one in (tool, theirs)
    )
    assert header == their_header
    assert [line.split("\t")[1] for line in lines] == [line.split("\t")[1] for line in their_lines]
    files = [line for line in lines if line.endswith(".md")]
    assert files == [line for line in their_lines if line.endswith(".md")]
    assert lines[0] == "1.6K\t/memories"
    assert run(tool, "view", path="/memories/notes/").split("\n")[1:] == [
        "1.5K\t/memories/notes",
        "21B\t/memories/notes/c d.md",
        "1.5K\t/memories/notes/deep/",
        "1.5K\t/memories/notes/deep/down/",
    ]


def test_an_empty_memory_has_an_empty_root(tool: RecollectMemoryTool) -> None:
    assert run(tool, "view", path="/memories").endswith("hidden items:\n0B\t/memories")


@pytest.mark.parametrize("text", ["a\r\nb\r\n", "é\u2028x\n", "\ttabs \n\n\n", " ", "\n", "x\x1b[0m"])
def test_a_file_comes_back_as_it_was_written(tool: RecollectMemoryTool, text: str) -> None:
    run(tool, "create", path="/memories/a", file_text=text)
    numbered = "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(text.split("\n"), start=1))
    assert run(tool, "view", path="/memories/a").partition("\n")[2] == numbered


def test_a_file_below_a_file_is_refused(tool: RecollectMemoryTool) -> None:
    run(tool, "create", path="/memories/a", file_text="x")
    assert (
        run(tool, "create", path="/memories/a/b", file_text="y")
        == "error: The path /memories/a is not a directory."
    )
    run(tool, "create", path="/memories/c/d", file_text="x")
    assert "into itself" in run(tool, "rename", old_path="/memories/c", new_path="/memories/c/e")


@pytest.mark.parametrize(
    "given",
    [
        {"command": "view"},
        {"command": "view", "path": None},
        {"command": "create", "path": "/memories/a"},
        {"command": "insert", "path": "/memories/a", "insert_line": "1", "insert_text": "x"},
        {"command": "view", "path": "/memories/a\0b"},
        {"command": "view", "path": "/memoriesa"},
        {"command": "create", "path": "/memories/a", "file_text": "a\0b"},
        {"command": "create", "path": f"/memories/{'a' * 20_000}", "file_text": "x"},
        {"command": "create", "path": "/memories/a", "file_text": "x" * 1_000_001},
    ],
)
def test_a_command_that_cannot_be_read_is_an_error_for_the_model(
    tool: RecollectMemoryTool, memory: Memory, given: dict[str, Any]
) -> None:
    assert run(tool, **given).startswith("error: ")
    assert memory.get_all(user_id="ada") == []


def test_a_secret_is_masked_and_the_model_is_told(tool: RecollectMemoryTool, memory: Memory) -> None:
    answer = run(tool, "create", path="/memories/a", file_text="My password is hunter2!\nfine\n")
    assert answer.startswith(
        "File created successfully at: /memories/a\nNote: a secret was masked (password)"
    )
    assert "hunter2" not in run(tool, "view", path="/memories/a")
    run(tool, "create", path="/memories/b", file_text="fine\n")
    edited = run(tool, "str_replace", path="/memories/b", old_str="fine", new_str="My password is hunter2!")
    assert "Note: a secret was masked" in edited
    assert not any("hunter2" in str(one) for one in (edited, memory.get_all(user_id="ada")))


def test_secrets_are_kept_or_refused_as_the_memory_says() -> None:
    text = "My password is hunter2!"
    with Memory(":memory:", embedder="static", secrets="keep") as keeping:
        tool = RecollectMemoryTool(keeping, user_id="ada")
        assert (
            run(tool, "create", path="/memories/a", file_text=text)
            == "File created successfully at: /memories/a"
        )
        assert "hunter2" in run(tool, "view", path="/memories/a")
    with Memory(":memory:", embedder="static", secrets="refuse") as refusing:
        tool = RecollectMemoryTool(refusing, user_id="ada")
        assert "holds a secret" in run(tool, "create", path="/memories/a", file_text=text)
        assert "does not exist" in run(tool, "view", path="/memories/a")


def test_what_was_learned_is_a_file_that_only_the_memory_writes(
    tool: RecollectMemoryTool, memory: Memory
) -> None:
    memory.add("I am allergic to nuts", user_id="ada")
    memory.jobs.drain()
    assert "/memories/profile.md" in run(tool, "view", path="/memories")
    assert "User is allergic to nuts." in run(tool, "view", path="/memories/profile.md")
    path = {"path": "/memories/profile.md"}
    for refused in (
        run(tool, "create", **path, file_text="x"),
        run(tool, "str_replace", **path, old_str="nuts", new_str="figs"),
        run(tool, "insert", **path, insert_line=0, insert_text="x"),
        run(tool, "delete", **path),
        run(tool, "rename", old_path="/memories/profile.md", new_path="/memories/x"),
    ):
        assert refused.startswith("error: ")
    assert "User is allergic to nuts." in run(tool, "view", **path)


def test_files_are_found_like_other_memories(tool: RecollectMemoryTool, memory: Memory) -> None:
    run(tool, "create", path="/memories/food.md", file_text="The user is allergic to nuts.")
    assert "allergic to nuts" in memory.context("What can Ada not eat?", user_id="ada").text


def test_users_and_their_files_are_apart(tool: RecollectMemoryTool, memory: Memory) -> None:
    run(tool, "create", path="/memories/a", file_text="Ada's")
    other = RecollectMemoryTool(memory, user_id="bob")
    assert "does not exist" in run(other, "view", path="/memories/a")
    assert other.clear_all_memory() == "All memory cleared"
    assert "Ada's" in run(tool, "view", path="/memories/a")
    tool.clear_all_memory()
    assert "does not exist" in run(tool, "view", path="/memories/a")


def test_the_tool_is_declared_as_the_api_wants_it(tool: RecollectMemoryTool, memory: Memory) -> None:
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    cached = RecollectMemoryTool(memory, user_id="ada", cache_control={"type": "ephemeral"})
    assert cached.to_dict()["cache_control"] == {"type": "ephemeral"}


def test_everything_is_there_for_async_code(memory: Memory) -> None:
    async def use() -> None:
        tool = AsyncRecollectMemoryTool(memory, user_id="ada")
        await tool.call({"command": "create", "path": "/memories/a", "file_text": "x"})
        assert (await tool.call({"command": "view", "path": "/memories/a"})).endswith("     1\tx")
        with pytest.raises(ToolError, match="already exists"):
            await tool.call({"command": "create", "path": "/memories/a", "file_text": "x"})
        assert await tool.clear_all_memory() == "All memory cleared"

    asyncio.run(use())
    assert all(
        inspect.iscoroutinefunction(getattr(AsyncRecollectMemoryTool, name)) for name in ("view", "rename")
    )

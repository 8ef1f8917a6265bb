"""Windsurf's events and transcripts."""

import json
from pathlib import Path

import pytest
from tests.hosts.conftest import HERE, Desk

from recollect.integrations.hosts.hook import answer_to

TRAJECTORY = "4f1c7b6e-0d51-4a35-8a56-cf3b3a1de2a4"
WORDS = [
    ("user", "Where is the width of the sidebar set?"),
    ("assistant", "It is set in sidebar.css, to 240 pixels."),
    ("user", "Make it 280."),
    ("assistant", "The sidebar is 280 pixels wide now."),
]
Lines = list[str]


@pytest.fixture
def windsurf(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    done = desk.run("install", "windsurf", "--user-id", "ada", "--db", desk.db)
    assert done.exit_code == 0, done.stderr
    monkeypatch.chdir(desk.repository)
    return desk


def transcript(desk: Desk) -> Path:
    """Where Windsurf writes the transcript of a conversation."""
    path = desk.home / ".windsurf" / "transcripts" / f"{TRAJECTORY}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture
def lines() -> Lines:
    return (HERE / "windsurf" / "transcript.jsonl").read_text().splitlines(keepends=True)


def answered(desk: Desk, lines: Lines) -> None:
    """An answer of the model ended; Windsurf wrote the whole transcript anew."""
    transcript(desk).write_text("".join(lines))
    told = {
        "agent_action_name": "post_cascade_response_with_transcript",
        "trajectory_id": TRAJECTORY,
        "execution_id": "e",
        "timestamp": "2026-11-20T10:00:00Z",
        "tool_info": {"transcript_path": str(transcript(desk))},
    }
    assert answer_to(str(desk.own.with_name("windsurf")), json.dumps(told).encode()) is None


def stored(desk: Desk) -> list[tuple[str, str]]:
    with desk.memory() as memory:
        found = memory.get_all(user_id="ada", kinds=["message"], filters={"host": "windsurf"})
    assert {one.metadata["project"] for one in found} == {"github.com/acme/app"}
    assert {one.scope.session_id for one in found} == {TRAJECTORY}
    return [(one.origin.role or "", one.content) for one in found]


def test_each_answer_and_what_was_asked_are_in_the_memory_once(windsurf: Desk, lines: Lines) -> None:
    answered(windsurf, lines[:3])
    assert stored(windsurf) == WORDS[:2]
    answered(windsurf, lines)
    answered(windsurf, lines)
    assert stored(windsurf) == WORDS


def test_the_same_words_twice_in_a_conversation_are_two_messages(windsurf: Desk, lines: Lines) -> None:
    answered(windsurf, lines)
    answered(windsurf, [*lines, *lines[3:]])
    assert stored(windsurf) == [*WORDS, *WORDS[2:]]


def test_steps_that_changed_meanwhile_repeat_no_message(windsurf: Desk, lines: Lines) -> None:
    answered(windsurf, lines[:4])
    answered(windsurf, [lines[0], lines[1].replace("240px", "calc(200px + 40px)"), *lines[2:]])
    assert stored(windsurf) == WORDS


def test_half_a_line_and_lines_that_are_no_steps_wait_or_are_skipped(windsurf: Desk, lines: Lines) -> None:
    bad = ['"user_input"\n', '{"type": "user_input", "user_input": 5}\n', '{"type": ["planner_response"]}\n']
    answered(windsurf, [*bad, *lines[:3], lines[3][:40]])
    assert stored(windsurf) == WORDS[:2]
    answered(windsurf, [*bad, *lines])
    assert stored(windsurf) == WORDS


def test_transcripts_are_imported_once(windsurf: Desk, lines: Lines) -> None:
    answered(windsurf, lines[:3])
    transcript(windsurf).with_name("before.jsonl").write_text("".join(lines[3:]))
    run = ("import", "windsurf", "--user-id", "ada", "--db", windsurf.db)
    assert windsurf.run(*run).stdout == "2 stored, 2 duplicate\n"
    assert windsurf.run(*run).stdout == "nothing\n"


def test_uninstalling_removes_hooks_server_and_skill(windsurf: Desk) -> None:
    home = windsurf.home / ".codeium" / "windsurf"
    assert {one.name for one in home.iterdir()} == {"hooks.json", "mcp_config.json", "skills"}
    assert "timeout" not in (home / "hooks.json").read_text()
    assert windsurf.run("uninstall", "windsurf").exit_code == 0
    assert [one for one in windsurf.home.rglob("*") if one.is_file()] == []

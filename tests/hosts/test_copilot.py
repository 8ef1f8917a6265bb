"""Copilot's events, of its command line and of VS Code: what is captured, and what is given back."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.hosts.conftest import HERE, Desk

from recollect.integrations.hosts.entries import hook_words
from recollect.integrations.hosts.hook import answer_to

SESSION = "b8f0a9c2-6d2e-4d0b-9a4e-6d1c0f7c2e11"
WORDS = [
    ("user", "Which job sends the invoices?"),
    ("assistant", "The job send_invoices in jobs/billing.py sends them."),
    ("user", "Let it run at six in the morning."),
    ("assistant", "It runs at six now."),
]


@pytest.fixture
def copilot(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.delenv("COPILOT_HOME", raising=False)
    done = desk.run("install", "copilot", "--user-id", "ada", "--db", desk.db)
    assert done.exit_code == 0, done.stderr
    return desk


def events_path(desk: Desk, session: str = SESSION) -> Path:
    return desk.home / ".copilot" / "session-state" / session / "events.jsonl"


def events(desk: Desk) -> Path:
    """The recorded events, where Copilot would have written them on this machine."""
    path = events_path(desk)
    path.parent.mkdir(parents=True)
    path.write_text((HERE / "copilot" / "events.jsonl").read_text().replace("FOLDER", str(desk.repository)))
    return path


def play(desk: Desk, event: str, **more: object) -> Any:
    """What the hook answers to an event of the command line."""
    told = {"hook_event_name": event, "session_id": SESSION, "cwd": str(desk.repository), **more}
    return answer_to(str(desk.own.with_name("copilot")), json.dumps(told).encode())


def stored(desk: Desk) -> list[tuple[str, str]]:
    with desk.memory() as memory:
        found = memory.get_all(user_id="ada", kinds=["message"], filters={"host": "copilot"})
    assert {one.metadata["project"] for one in found} <= {"github.com/acme/app"}
    return [(one.origin.role or "", one.content) for one in found]


def test_what_people_and_models_said_is_stored_once_and_nothing_else(copilot: Desk) -> None:
    path = events(copilot)
    for event in ("Stop", "Stop", "PreCompact"):
        assert play(copilot, event, transcript_path=str(path)) is None
    play(copilot, "SessionEnd", reason="complete")
    assert stored(copilot) == WORDS


def test_what_copilot_writes_after_the_last_turn_ended_is_captured_at_the_end(copilot: Desk) -> None:
    path = events(copilot)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-2]))
    play(copilot, "Stop", transcript_path=str(path))
    path.write_text("".join(lines))
    play(copilot, "SessionEnd", reason="user_exit")
    assert stored(copilot) == WORDS


def test_the_command_line_and_vs_code_are_given_memories_in_the_field_that_each_reads(copilot: Desk) -> None:
    events(copilot)
    play(copilot, "SessionEnd", reason="complete")
    answer = play(copilot, "SessionStart", session_id="next", source="new")
    assert WORDS[3][1] in answer["additionalContext"]
    assert answer["hookSpecificOutput"] == {
        "hookEventName": "SessionStart",
        "additionalContext": answer["additionalContext"],
    }


@pytest.mark.parametrize("session", [SESSION, f"agent-host-copilotcli:/{SESSION}"])
def test_vs_code_is_captured_by_its_own_names_and_without_a_folder_in_its_transcript(
    copilot: Desk, session: str
) -> None:
    path = events(copilot)
    text = path.read_text()
    path = path.with_name("transcript.jsonl")
    path.write_text(text.replace('"context":', '"other":'))
    told = {"hookEventName": "Stop", "sessionId": session, "cwd": str(copilot.repository)}
    told["transcript_path"] = str(path)
    assert answer_to(str(copilot.own.with_name("copilot")), json.dumps(told).encode()) is None
    copilot.run("stats", "--db", copilot.db)
    assert stored(copilot) == WORDS


def test_what_was_said_after_a_move_to_another_folder_belongs_to_that_project(copilot: Desk) -> None:
    path, shop = events(copilot), copilot.clone("shop", "https://github.com/acme/shop.git")
    moved = {"type": "session.context_changed", "data": {"cwd": str(shop)}, "id": "moved"}
    with path.open("a") as file:
        file.write(json.dumps(moved) + "\n")
    play(copilot, "Stop", transcript_path=str(path))
    said = {"type": "user.message", "data": {"content": "Prices are in cents here."}, "id": "later"}
    with path.open("a") as file:
        file.write(json.dumps(said) + "\n")
    copilot.run("import", "copilot", "--user-id", "ada", "--db", copilot.db)
    with path.open("a") as file:
        file.write(json.dumps({**said, "data": {"content": "And in euros."}, "id": "last"}) + "\n")
    copilot.run("import", "copilot", "--user-id", "ada", "--db", copilot.db)
    with copilot.memory() as memory:
        found = memory.get_all(user_id="ada", kinds=["message"])
    places = {one.content: one.metadata["project"] for one in found}
    assert places["Prices are in cents here."] == places["And in euros."] == "github.com/acme/shop"
    assert places[WORDS[0][1]] == "github.com/acme/app"


def test_transcripts_are_imported_once_and_without_sessions_that_others_spawned(copilot: Desk) -> None:
    path = events(copilot)
    other = events_path(copilot, "spawned")
    other.parent.mkdir()
    other.write_text(
        path.read_text().replace('"version": 1', '"detachedFromSpawningParentSessionId": "x"', 1)
    )
    run = ("import", "copilot", "--user-id", "ada", "--db", copilot.db)
    assert copilot.run(*run).stdout == "4 stored\n"
    assert stored(copilot) == WORDS
    assert copilot.run(*run).stdout == "nothing\n"


def test_lines_that_are_no_events_are_skipped(copilot: Desk) -> None:
    path = events(copilot)
    with path.open("ab") as file:
        file.write(b'[]\n{"type": "user.message"}\n{"type": "user.message", "data": {"content": 5}}\n')
        file.write(b'{"type": "session.context_changed", "data": {"context": 5}}\n\xff"user.message"\n')
        file.write(b"[" * 5_000 + b'"user.message"\n{"type": "user.message", "data": {"content": "Half')
    play(copilot, "Stop", transcript_path=str(path))
    play(copilot, "SessionEnd", reason="complete")
    assert stored(copilot) == WORDS


@pytest.mark.parametrize("told", [b'{"hookEventName": "Stop", "sessionId": 5}', b'{"sessionId": "../../x"}'])
def test_an_event_that_cannot_be_read_stops_nothing(copilot: Desk, told: bytes) -> None:
    hook = hook_words(copilot.own.with_name("copilot"))
    done = subprocess.run(hook, input=told, capture_output=True, check=False)  # noqa: S603
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (copilot.own.with_name("copilot") / "spool").exists()

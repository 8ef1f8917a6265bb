"""Transcripts that are already on disk: imported once, and tomorrow only what is new."""

import json
from typing import Any

import pytest
from tests.hosts.conftest import Append, Desk
from tests.hosts.test_claude_code import WORDS

from recollect.integrations.hosts import transcripts


def imported(desk: Desk, *words: object) -> Any:
    done = desk.run("import", "claude-code", *words, "--user-id", "ada", "--db", desk.db, "--json")
    assert done.exit_code == 0, done.stderr
    return {name: count for name, count in json.loads(done.stdout).items() if count}


def test_a_hosts_transcripts_are_imported_and_again_only_what_is_new(installed: Desk, say: Append) -> None:
    installed.transcript()
    assert imported(installed) == {"stored": 5, "redacted": 1}
    assert imported(installed) == {}
    say("One more thing.", number=1)
    assert imported(installed) == {"stored": 1}
    assert installed.stored() == [*WORDS, "One more thing."]


def test_what_a_hook_captured_is_not_imported_again(installed: Desk) -> None:
    installed.transcript()
    installed.play("SessionEnd")
    assert imported(installed) == {"duplicate": 6}


def test_a_single_transcript_or_a_folder_of_them_is_imported(installed: Desk) -> None:
    path = installed.transcript()
    assert imported(installed, path) == {"stored": 5, "redacted": 1}
    assert imported(installed, path.parent) == {}


def test_conversations_of_sub_agents_are_not_imported(installed: Desk) -> None:
    path = installed.transcript()
    notes = path.parent / "5f0c7a54" / "subagents" / "agent-1.jsonl"
    notes.parent.mkdir(parents=True)
    notes.write_text(path.read_text().replace('"isSidechain":false', '"isSidechain":true'))
    path.unlink()
    assert imported(installed, path.parent) == {}


def test_a_transcript_larger_than_a_slice_is_read_slice_by_slice(
    installed: Desk, say: Append, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "SLICE_BYTES", 2_000)
    for number in range(50):
        say(f"Message number {number}.", number=number)
    say("x" * 5_000, number=50)
    say("The last.", number=51)
    assert imported(installed) == {"stored": 51}
    assert imported(installed) == {}


def test_a_deleted_memory_is_not_imported_again(installed: Desk, say: Append) -> None:
    say("Delete me.", number=1)
    imported(installed)
    with installed.memory() as memory:
        memory.delete_all(user_id="ada")
    path = installed.home / ".claude" / "projects" / "-app" / "session.jsonl"
    assert imported(installed, path.rename(path.with_name("moved.jsonl"))) == {"deleted": 1}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["claude-code"], "there are no transcripts of Claude Code in"),
        (["claude-code", "/nowhere"], "there are no transcripts of Claude Code in /nowhere"),
        (["claude-code", "--session-id", "x"], "each as a session of its own"),
        (["chat.jsonl", "somewhere"], "chat.jsonl is no host"),
    ],
)
def test_a_wrong_import_is_one_clear_error(desk: Desk, words: list[str], why: str) -> None:
    done = desk.run("import", *words, "--db", desk.db)
    assert done.exit_code == 1
    assert why in done.stderr

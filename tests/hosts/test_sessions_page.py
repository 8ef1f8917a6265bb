"""The page of each host: the terminal session it shows is what the commands and hooks answer now.

``RECOLLECT_UPDATE=1 .venv/bin/pytest -n 0 tests/hosts/test_sessions_page.py`` records them again.
"""

import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.hosts import test_copilot, test_windsurf
from tests.hosts.conftest import HERE, SESSION, Desk
from tests.hosts.test_other_hosts import CODEX, GEMINI, codex_transcript, gemini_transcript, play

from recollect.integrations.hosts.catalog import HOSTS
from recollect.integrations.hosts.installer import home_of

PAGES = Path(__file__).parents[2] / "docs" / "use" / "hosts"
DAY = "2026-11-23"
"""Stands for the day of the recording."""
ASKED, ANSWERED = "Keep the port in proxy.toml.", "The port is in proxy.toml now."
START = "recall session"
Event = dict[str, object]


def events_of(desk: Desk, name: str) -> list[Event]:
    """The events of a conversation, as its host tells them."""
    cwd: Event = {"cwd": str(desk.repository)}
    if name == "claude-code":
        about: Event = {**cwd, "session_id": SESSION, "transcript_path": str(desk.transcript())}
        return [{**about, "hook_event_name": "Stop"}, {**about, "hook_event_name": "SessionEnd"}]
    if name == "codex":
        about = {**cwd, "session_id": CODEX, "transcript_path": str(codex_transcript(desk))}
        return [{**about, "hook_event_name": "Stop"}]
    if name == "copilot":
        about = {**cwd, "session_id": test_copilot.SESSION, "transcript_path": str(test_copilot.events(desk))}
        return [{**about, "hook_event_name": "Stop"}, {**about, "hook_event_name": "SessionEnd"}]
    if name == "windsurf":
        path = test_windsurf.transcript(desk)
        path.write_text((HERE / "windsurf" / "transcript.jsonl").read_text())
        done = "post_cascade_response_with_transcript"
        return [
            {
                **cwd,
                "agent_action_name": done,
                "trajectory_id": test_windsurf.TRAJECTORY,
                "tool_info": {"transcript_path": str(path)},
            }
        ]
    if name == "gemini-cli":
        about = {**cwd, "session_id": GEMINI, "transcript_path": str(gemini_transcript(desk))}
        return [{**about, "hook_event_name": "AfterAgent"}, {**about, "hook_event_name": "SessionEnd"}]
    if name == "cursor":
        about = {"conversation_id": "c1", "generation_id": "g1", "workspace_roots": [str(desk.repository)]}
        return [
            {**about, "hook_event_name": "beforeSubmitPrompt", "prompt": ASKED},
            {**about, "hook_event_name": "afterAgentResponse", "text": ANSWERED},
            {**about, "hook_event_name": "sessionEnd"},
        ]
    return [
        {**cwd, "session_id": "s1", "hook_event_name": "chat.message", "prompt": ASKED, "id": "p1"},
        {**cwd, "session_id": "s1", "hook_event_name": "text.complete", "text": ANSWERED, "id": "p2"},
    ]


class Recorder:
    """Runs commands and plays hosts, and writes down what a person would see."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def run(self, line: str) -> str:
        """A command and its output."""
        done = self._desk.run(*line.split()[1:])
        assert done.exit_code == 0, done.output
        return f"$ {line}\n{self._plain(done.stdout)}"

    def given(self, name: str) -> str:
        """What the next conversation of the host in the project is given at its start."""
        start = next(event for event, action in HOSTS[name].events.items() if action == START)
        event = {
            "hook_event_name": start,
            "session_id": "next",
            "conversation_id": "next",
            "source": "startup",
        }
        answer: Any = play(
            self._desk,
            name,
            **event,
            cwd=str(self._desk.repository),
            workspace_roots=[str(self._desk.repository)],
        )
        found = answer.get("hookSpecificOutput", answer)
        return self._plain(next(text for key, text in found.items() if key != "hookEventName"))

    def _plain(self, text: str) -> str:
        for place, shown in (
            (str(self._desk.home), "/home/ada"),
            (str(self._desk.root / "data"), "/home/ada/.local/share"),
            (sys.executable, "/home/ada/.venv/bin/python"),
            (f"{datetime.now(UTC):%Y-%m-%d}", DAY),
        ):
            text = text.replace(place, shown)
        return re.sub(rf"{DAY} \d\d:\d\d", f"{DAY} 10:00", text)


def section(desk: Desk, name: str) -> str:
    """The session on the page of a host."""
    recorder, host = Recorder(desk), HOSTS[name]
    lines = ["```console"]
    lines += [recorder.run(f"recollect install {name} --user-id ada").rstrip(), "```", ""]
    if host.mcp_file:
        settings = (home_of(host, os.environ) / host.mcp_file).read_text("utf-8")
        lines += [
            f"`{host.mcp_file}` then starts a server, whose [tools](../mcp.md#tools) the model is offered:"
        ]
        lines += ["", "```json", settings.rstrip(), "```", ""]
    for event in events_of(desk, name) if host.events else []:
        play(desk, name, **event)
    if name in ("claude-code", "windsurf"):  # the same for every host
        lines += ["A conversation later:", "", "```console"]
        lines += [recorder.run("recollect projects list --user-id ada").rstrip(), "```", ""]
    if START in host.events.values():
        lines += ["The next conversation in the project begins with:", "", "```text"]
        lines += [recorder.given(name).rstrip(), "```", ""]
    uninstalled = recorder.run(f"recollect uninstall {name}").rstrip()
    if name == "claude-code":
        lines += ["```console", uninstalled, "```", ""]
    return "\n".join(lines)


@pytest.fixture
def ada(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A machine with the command on its path, the default memory and the default embedder."""
    for variable in (
        "RECOLLECT_EMBEDDER",
        "XDG_CONFIG_HOME",
        *(one.home_variable for one in HOSTS.values() if one.home_variable),
    ):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "200")
    return desk


@pytest.mark.skipif(sys.platform != "linux", reason="the paths are those of Linux")
@pytest.mark.parametrize("name", HOSTS)
def test_a_session_is_what_the_page_shows(ada: Desk, name: str) -> None:
    begin, end = "<!-- session -->\n", "<!-- /session -->\n"
    path = PAGES / f"{name}.md"
    page = path.read_text("utf-8")
    before, _, rest = page.partition(begin)
    shown, _, after = rest.partition(end)
    now = section(ada, name)
    if os.environ.get("RECOLLECT_UPDATE"):
        path.write_text(f"{before}{begin}{now}{end}{after}", "utf-8")
    else:
        assert shown == now

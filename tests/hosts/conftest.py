"""A home, a data folder and a repository of a test's own, and a host whose events are played."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.integrations.hosts.hook import answer_to

HERE = Path(__file__).parent
SESSION = "5f0c7a54-1f0e-4a57-9a3b-2f6f4c1d9e01"


class Desk:
    """A person's machine: settings of hosts, repositories, transcripts, and the memory."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.settings = self.home / ".claude" / "settings.json"
        self.db = root / "brain.db"
        self.own = root / "data" / "recollect" / "hosts" / "claude-code"
        self.repository = self.clone("app", "git@github.com:Acme/App.git")

    def clone(self, name: str, remote: str) -> Path:
        """A repository with a remote."""
        folder = self.root / name
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "config").write_text(f'[core]\n[remote "origin"]\n\turl = {remote}\n')
        return folder

    def run(self, *words: object) -> Any:
        """Run the command; its result has ``exit_code``, ``stdout`` and ``stderr``."""
        return CliRunner().invoke(app, [str(word) for word in words])

    def install(self, *words: str) -> None:
        done = self.run("install", "claude-code", "--user-id", "ada", "--db", self.db, *words)
        assert done.exit_code == 0, done.stderr

    def transcript(
        self, name: str = "session", *, session: str = SESSION, folder: Path | None = None
    ) -> Path:
        """The recorded transcript, as it would be on this machine."""
        recorded = (HERE / "claude_code" / "session.jsonl").read_text("utf-8")
        path = self.home / ".claude" / "projects" / "-app" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(recorded.replace("FOLDER", str(folder or self.repository)).replace(SESSION, session))
        return path

    def play(self, event: str, *, session: str = SESSION, folder: Path | None = None, **more: object) -> str:
        """What the model is given at an event."""
        told = {
            "session_id": session,
            "transcript_path": str(self.home / ".claude" / "projects" / "-app" / "session.jsonl"),
            "cwd": str(folder or self.repository),
            "hook_event_name": event,
            **more,
        }
        answer = answer_to(str(self.own), json.dumps(told).encode())
        if answer is None:
            return ""
        assert answer["hookSpecificOutput"]["hookEventName"] == event
        return str(answer["hookSpecificOutput"]["additionalContext"])

    def memory(self) -> Memory:
        return Memory(self.db)

    def stored(self) -> list[str]:
        """What was said, after everything spooled is in the memory."""
        self.play("SessionEnd", reason="other")
        with self.memory() as memory:
            return [one.content for one in memory.get_all(user_id="ada", kinds=["message"])]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hashing")
    for variable in ("CLAUDE_CONFIG_DIR", "RECOLLECT_DB", "RECOLLECT_USER_ID"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


@pytest.fixture
def installed(desk: Desk) -> Desk:
    desk.install()
    return desk


Append = Callable[..., None]


@pytest.fixture
def say(installed: Desk) -> Append:
    """Appends a line to a transcript, as Claude Code would."""

    def append(
        content: str,
        *,
        number: int,
        role: str = "user",
        session: str = SESSION,
        folder: Path | None = None,
        **more: object,
    ) -> None:
        path = installed.home / ".claude" / "projects" / "-app" / "session.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        line = {
            "type": role,
            "uuid": f"11111111-0000-4000-8000-{number:012d}",
            "sessionId": session,
            "cwd": str(folder or installed.repository),
            "timestamp": f"2026-11-21T10:{number % 60:02d}:00.000Z",
            "message": {"role": role, "content": content},
            **more,
        }
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    return append

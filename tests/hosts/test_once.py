"""What was said is stored once, in whatever order a host tells, repeats, resumes, forks and forgets it."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.hosts.conftest import Desk

from recollect.integrations.hosts.hook import answer_to

UNSHRUNK = [Phase.explicit, Phase.reuse, Phase.generate]
"""To shrink an example takes minutes, and the steps are few."""
CAPTURES = ["Stop", "PreCompact", "UserPromptSubmit", "SessionStart", "SessionEnd"]
STEPS = st.sampled_from(
    [
        "say",
        "say",
        "say",
        "half",
        "agent",
        "summary",
        "fork",
        "resume",
        "clean",
        "import",
        *CAPTURES,
        *CAPTURES,
    ]
)
RUN = """
import sys
from recollect.integrations.hosts.hook import main
from io import BytesIO, TextIOWrapper
for line in sys.stdin.buffer.read().splitlines():
    sys.stdin = TextIOWrapper(BytesIO(line))
    main()
"""


class Host:
    """Claude Code with some sessions on a person's machine, and what a memory should have of them."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.captured = set[str]()
        self._told = set[str]()
        self._ended = [0, 0, 0]
        self._folder = desk.home / ".claude" / "projects" / "-app"
        self._folder.mkdir(parents=True)
        self._halves = dict[int, str]()
        self._count = 0

    def name(self, session: int) -> str:
        """The host's id of a session; after a transcript was deleted, and for a copy, a new one begins."""
        return f"s{session}-{self._ended[session]}"

    def path(self, session: int) -> Path:
        return self._folder / f"{self.name(session)}.jsonl"

    def line(self, session: int, words: str, **more: object) -> str:
        """A new line of a session's transcript."""
        self._count += 1
        line = {
            "type": "user" if self._count % 2 else "assistant",
            "uuid": f"11111111-0000-4000-8000-{self._count:012d}",
            "sessionId": self.name(session),
            "cwd": str(self.desk.repository),
            "timestamp": f"2026-11-21T10:{self._count % 60:02d}:00.000Z",
            "message": {"role": "user", "content": f"{words} {self._count}."},
            **more,
        }
        return json.dumps(line) + "\n"

    def append(self, session: int, text: str) -> None:
        with self.path(session).open("a", encoding="utf-8") as file:
            file.write(self._halves.pop(session, "") + text)

    def append_half(self, session: int) -> None:
        line = self.line(session, "Half said")
        middle = len(line) // 2
        self.append(session, line[:middle])
        self._halves[session] = line[middle:]

    def copy(self, session: int, other: int, *, renamed: bool) -> None:
        """A fork, whose lines name the new session, or a resumed session, whose lines name the old one."""
        if session == other or not self.path(session).exists():
            return
        whole = "".join(
            line for line in self.path(session).read_text().splitlines(keepends=True) if line[-1] == "\n"
        )
        self._halves.pop(other, None)
        self._ended[other] += self.path(other).exists()
        self.path(other).write_text(
            whole.replace(f'"{self.name(session)}"', f'"{self.name(other)}"') if renamed else whole
        )

    def clean(self, session: int) -> None:
        """What the host does after 30 days."""
        self.path(session).unlink(missing_ok=True)
        self._halves.pop(session, None)
        self._ended[session] += 1

    def said(self, *, told: bool = False) -> set[str]:
        """What the whole lines of transcripts say, but for what nobody said; of all, or of those told of."""
        files = [one for one in self._folder.glob("*.jsonl") if not told or one.stem in self._told]
        lines = [line for one in files for line in one.read_text().splitlines(keepends=True)]
        entries = [json.loads(line) for line in lines if line[-1] == "\n"]
        return {
            one["message"]["content"]
            for one in entries
            if not one.get("isSidechain") and not one.get("isCompactSummary")
        }

    def event(self, session: int, name: str) -> bytes:
        told = {
            "hook_event_name": name,
            "session_id": self.name(session),
            "transcript_path": str(self.path(session)),
            "cwd": str(self.desk.repository),
            "source": "resume",
            "prompt": "What did I say?",
        }
        return json.dumps(told).encode()

    def tell(self, session: int, event: str) -> None:
        before, own = self._told, self.name(session)
        self._told = {own}
        self.captured |= self.said(told=True)
        self._told |= before
        if event not in ("Stop", "PreCompact"):  # who opens the memory looks at the other sessions, too
            self.captured |= self.said(told=True)
        answer_to(str(self.desk.own), self.event(session, event))

    def import_all(self) -> None:
        if any(self._folder.glob("*.jsonl")):
            self.captured |= self.said()
            self.desk.run("import", "claude-code", "--user-id", "ada", "--db", self.desk.db)

    def do(self, step: str, session: int, other: int) -> None:
        match step:
            case "say":
                self.append(session, self.line(session, "Said"))
            case "half":
                self.append_half(session)
                self.tell(session, "Stop")
            case "agent":
                self.append(session, self.line(session, "An agent said", isSidechain=True))
            case "summary":
                self.append(session, self.line(session, "So far", isCompactSummary=True))
            case "fork" | "resume":
                self.copy(session, other, renamed=step == "fork")
                self.tell(other, "SessionStart")
            case "clean":
                self.clean(session)
            case "import":
                self.import_all()
            case event:
                self.tell(session, event)

    def stored(self) -> list[str]:
        self.tell(0, "SessionEnd")
        with self.desk.memory() as memory:
            return sorted(one.content for one in memory.get_all(user_id="ada", kinds=["message"]))


@contextmanager
def host() -> Iterator[Host]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", f"{folder}/home")
        patch.setenv("XDG_DATA_HOME", f"{folder}/data")
        patch.setenv("RECOLLECT_EMBEDDER", "hashing")
        patch.delenv("CLAUDE_CONFIG_DIR", raising=False)
        desk = Desk(Path(folder))
        desk.install()
        yield Host(desk)


@settings(max_examples=25, phases=UNSHRUNK)
@given(st.lists(st.tuples(STEPS, st.integers(0, 2), st.integers(0, 2)), min_size=5, max_size=25))
def test_everything_that_was_told_is_stored_once(steps: list[tuple[str, int, int]]) -> None:
    with host() as told:
        for step, session, other in steps:
            told.do(step, session, other)
        assert told.stored() == sorted(told.captured)
        assert not (told.desk.own / "errors.log").exists()


EVENTS = st.lists(st.tuples(st.sampled_from(CAPTURES), st.integers(0, 2)), min_size=3, max_size=6)


@settings(max_examples=4, phases=UNSHRUNK)
@given(EVENTS, EVENTS)
def test_two_processes_at_once_store_everything_once(
    first: list[tuple[str, int]], second: list[tuple[str, int]]
) -> None:
    with host() as told:
        for number in range(30):
            told.append(number % 2, told.line(number % 2, "Said"))
        told.copy(0, 2, renamed=True)
        processes = [
            subprocess.Popen(  # noqa: S603
                [sys.executable, "-c", RUN, told.desk.own], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
            )
            for _ in (first, second)
        ]
        for process, events in zip(processes, (first, second), strict=True):
            assert process.stdin is not None
            process.stdin.write(b"\n".join(told.event(session, name) for name, session in events))
            process.stdin.close()
        assert [process.wait() for process in processes] == [0, 0]
        told.tell(1, "Stop")
        assert told.stored() == sorted(told.captured)

"""A system in a process of its own: calls with a time limit, and every way it can fail as one error."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from recollect_bench import worker
from recollect_bench.embedding import SharedEmbedder
from recollect_bench.errors import SystemFailedError
from recollect_bench.worker import Turn

_KEPT: Final = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")
"""What a system may see of the environment: no key of anybody's service."""
_QUIET: Final = {"ANONYMIZED_TELEMETRY": "False", "DO_NOT_TRACK": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a call gave.

    Attributes:
        value: As the system returned it.
        cpu_s: The processor's seconds, those of the shared embedder included.
        wall_s: The clock's seconds without the shared embedder's.
    """

    value: Any
    cpu_s: float
    wall_s: float


class SystemProcess:
    """Starts a system, calls it and ends it.

    Args:
        python: The interpreter of its environment.
        system_file: The system.
        folder: An empty folder of its own; also its home.
        embedder: Answers its requests for vectors.
        log: Takes whatever it prints.
        timeout_s: Seconds that a call may take.

    Raises:
        SystemFailedError: It does not start.
    """

    def __init__(
        self,
        python: Path,
        system_file: Path,
        folder: Path,
        *,
        embedder: SharedEmbedder,
        log: IO[bytes],
        timeout_s: float,
    ) -> None:
        self._embedder = embedder
        self._timeout_s = timeout_s
        self._lines: queue.Queue[str] = queue.Queue()
        command = [
            str(python),
            "-I",
            worker.__file__,
            str(system_file),
            str(folder),
            str(embedder.dimensions),
        ]
        self._process = subprocess.Popen(  # noqa: S603 - a system the user named
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={
                **{name: os.environ[name] for name in _KEPT if name in os.environ},
                **_QUIET,
                "HOME": str(folder),
            },
            cwd=folder,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()
        try:
            told = self._wait("start").value
        except SystemFailedError:
            self.kill()
            raise
        self.can = frozenset(told["can"])
        self.packages: dict[str, str] = told["packages"]

    def add(self, user: str, turns: Sequence[Turn]) -> Answer:
        """Have it remember the turns of one session."""
        return self._call("add", user, [turn.to_json() for turn in turns])

    def search(self, user: str, query: str, limit: int) -> Answer:
        """Have it search; the value is a list of pairs of an id and a score."""
        return self._call("search", user, query, limit)

    def replace(self, user: str, name: str, turn: Turn) -> Answer:
        """Have it put a turn in the place of another."""
        return self._call("replace", user, name, turn.to_json())

    def delete(self, user: str, name: str) -> Answer:
        """Have it forget a turn."""
        return self._call("delete", user, name)

    def context(self, user: str, query: str, tokens: int) -> Answer:
        """Have it compose a context of at most so many tokens; the value is a text."""
        return self._call("context", user, query, tokens)

    def close(self) -> None:
        """Have it let go of everything, then end its process."""
        try:
            self._call("close")
        finally:
            self.kill()

    def kill(self) -> None:
        """End its process and those it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _call(self, method: str, *given: object) -> Answer:
        self._send({"do": method, "with": given})
        return self._wait(method)

    def _wait(self, method: str) -> Answer:
        """Wait for the answer, and make the vectors it asks for meanwhile."""
        embedded_s = 0.0
        while True:
            message = self._next(method)
            if "embed" in message:
                vectors, spent_s = self._embedder.answer(message["embed"], message["texts"])
                embedded_s += spent_s
                self._send({"vectors": vectors})
            elif "error" in message:
                raise SystemFailedError(f"{method} failed: {message['error']}")
            else:
                cpu_s = message.get("cpu_s", 0.0) + embedded_s
                return Answer(value=message["value"], cpu_s=cpu_s, wall_s=message.get("wall_s", 0.0))

    def _next(self, method: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=self._timeout_s)
        except queue.Empty:
            raise SystemFailedError(f"{method} hung: no answer within {self._timeout_s:g} s") from None
        if not line:
            raise SystemFailedError(f"{method} crashed: the process ended with {self._process.wait()}")
        try:
            message: dict[str, Any] = json.loads(line)
        except ValueError:
            raise SystemFailedError(f"{method} wrote {line[:80]!r} among its answers") from None
        return message

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - a pipe was asked for
        with contextlib.suppress(BrokenPipeError):  # that it ended shows when its answer is awaited
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        """Put every line into the queue, and an empty one at the end."""
        assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
        with contextlib.suppress(ValueError):  # closed while it was read
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put("")

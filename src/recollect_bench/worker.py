"""Runs one system in a process of its own: calls come in as lines of JSON, and answers go out as such.

``python -I worker.py SYSTEM.py FOLDER`` runs in the system's own environment, so this file uses the standard
library alone. While it works on a call, a system may ask for vectors; the line then goes out, and the
answer comes in, before the answer to the call.
"""

import base64
import importlib.metadata
import importlib.util
import inspect
import json
import os
import sys
import threading
import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from types import ModuleType
from typing import Any, Final, Protocol, TextIO

OPTIONAL: Final = ("replace", "delete", "context")
"""What a system may offer besides ``add``, ``search`` and ``close``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Something that was said.

    Attributes:
        id: Unique in its conversation; a system is given ids that are unique among all.
        session: The session it belongs to.
        speaker: Who said it, when the data set has names.
        role: ``user`` or ``assistant``; people talking to each other are all ``user``.
        text: The words; the captions of images are part of them.
        time: When; None when the data set does not say.
    """

    id: str
    session: str
    speaker: str | None
    role: str
    text: str
    time: datetime | None

    @property
    def line(self) -> str:
        """The words with who said them, for a system that has no place for names."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    def to_json(self) -> dict[str, Any]:
        """The fields, time as ISO text."""
        return {**asdict(self), "time": self.time.isoformat() if self.time else None}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Turn":
        """The turn that ``to_json`` wrote."""
        time = datetime.fromisoformat(fields["time"]) if fields["time"] else None
        return cls(**{**fields, "time": time})


class System(Protocol):
    """What a system's file holds: a class ``System`` with these methods, and any of ``OPTIONAL``.

    ``System(folder, vectors)`` is made once for a data set; the folder is empty and its own.
    """

    def add(self, user: str, turns: Sequence[Turn]) -> None:
        """Remember the turns of one session."""

    def search(self, user: str, query: str, limit: int) -> Sequence[tuple[str, float]]:
        """Ids of turns with scores (higher is better), best first, at most ``limit``."""

    def close(self) -> None:
        """Let go of everything."""


class Vectors:
    """Vectors by the one embedder that all systems may share.

    Attributes:
        dimensions: How many numbers a vector has.
    """

    def __init__(self, calls: TextIO, answers: TextIO, dimensions: int) -> None:
        self.dimensions = dimensions
        self.waited_s = 0.0
        self._calls = calls
        self._answers = answers
        self._lock = threading.Lock()

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of unit length for each text that is stored."""
        return self._asked("documents", texts)

    def query(self, text: str) -> list[float]:
        """The vector of unit length of a text that is searched for."""
        return self._asked("query", [text])[0]

    def serve(self) -> str:
        """Answer over HTTP on this machine, for a system that asks a server; returns the base of its URL.

        The server speaks OpenAI's ``/v1/embeddings``, as long as the process runs.
        """
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        class Handler(BaseHTTPRequestHandler):
            def do_POST(handler) -> None:  # noqa: N805 - named by http.server; self is the vectors
                asked = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
                texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
                made = [{"index": at, "embedding": one} for at, one in enumerate(self.documents(texts))]
                body = json.dumps({"object": "list", "model": asked.get("model"), "data": made}).encode()
                handler.send_response(200)
                handler.send_header("Content-Type", "application/json")
                handler.send_header("Content-Length", str(len(body)))
                handler.end_headers()
                handler.wfile.write(body)

            def log_message(handler, *_: object) -> None:  # noqa: N805
                """Nothing: a line for each request would fill the log."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    def _asked(self, kind: str, texts: Sequence[str]) -> list[list[float]]:
        started = time.perf_counter()
        with self._lock:
            _send(self._answers, {"embed": kind, "texts": list(texts)})
            answer = json.loads(self._calls.readline())
        flat = array("f", base64.b64decode(answer["vectors"]))
        self.waited_s += time.perf_counter() - started
        width = self.dimensions
        return [flat[at : at + width].tolist() for at in range(0, len(flat), width)]


def main(system_file: str, folder: str, dimensions: str) -> None:
    """Answer calls until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a package prints must not stand among the answers
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    calls = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nor may a system that asks for input read the calls
    vectors = Vectors(calls, answers, int(dimensions))
    try:
        module = _load(system_file)
        if not hasattr(module, "System"):
            raise AttributeError(f"{os.path.basename(system_file)} has no class System")  # noqa: PTH119, TRY301
        system = module.System(folder, vectors)
    except Exception as error:  # noqa: BLE001 - whatever a system raises is its result
        _send(answers, {"error": _told(error)})
        return
    can = [name for name in OPTIONAL if callable(getattr(system, name, None))]
    _send(answers, {"value": {"can": can, "packages": _packages()}})
    for line in calls:
        _send(answers, _answer(system, json.loads(line), vectors))


def _load(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("system_under_test", path)
    assert spec is not None  # noqa: S101 - a .py file has one
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _answer(system: object, call: Mapping[str, Any], vectors: Vectors) -> dict[str, object]:
    given = [_argument(one) for one in call["with"]]
    vectors.waited_s = 0.0
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        value = getattr(system, call["do"])(*given)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        return {"value": _plain(value), "cpu_s": cpu, "wall_s": wall - vectors.waited_s}
    except Exception as error:  # noqa: BLE001 - whatever a system raises is its result
        return {"error": _told(error)}


def _argument(given: Any) -> Any:
    """Turns are objects, in a list or alone; anything else is as it was sent."""
    if isinstance(given, list):
        return [_argument(one) for one in given]
    return Turn.from_json(given) if isinstance(given, dict) else given


def _plain(value: Any) -> Any:
    """What was found, as JSON has it: numbers of NumPy become Python's."""
    if value is None or isinstance(value, str):
        return value
    try:
        return [[str(name), float(score)] for name, score in value]
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"it returned {repr(value)[:80]}, not pairs of an id and a score") from None


def _told(error: Exception) -> str:
    frames = inspect.trace()
    where = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""  # noqa: PTH119
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}{where}"


def _packages() -> dict[str, str]:
    """Every package of this environment with its version."""
    found = {one.metadata["Name"]: one.version for one in importlib.metadata.distributions()}
    return dict(sorted(found.items()))


def _send(to: TextIO, message: Mapping[str, object]) -> None:
    to.write(json.dumps(message) + "\n")
    to.flush()


if __name__ == "__main__":
    # A system's file imports Turn from here by its full name, also where Recollect is not installed.
    if importlib.util.find_spec("recollect_bench") is None:
        sys.modules["recollect_bench"] = ModuleType("recollect_bench")
    sys.modules["recollect_bench.worker"] = sys.modules["__main__"]
    main(*sys.argv[1:])

"""Many answers streamed at once, by a made-up model that speaks like a slow one.

``python -m benchmarks.streams`` is that model: a server of OpenAI's protocol, which prints its port and says
20 words a second.
"""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.client import Client, local_url, serving_store
from benchmarks.load.people import Person
from benchmarks.measuring import milliseconds

AT_ONCE: Final = 64
"""As many answers of all users as a server gives at a time."""
WORDS, WORD_S = 40, 0.05
"""Words of an answer, and seconds between them, as of a model on one's own machine. Chosen by hand."""
ROUNDS: Final = 5
_PAUSE_S: Final = 0.05
"""Between two searches of the user who does not chat."""


class _Streamed(NamedTuple):
    """An answer that came whole.

    Attributes:
        first_s: From the request to the first word.
        late_s: How long the whole answer took beyond the model's own time.
    """

    first_s: float
    late_s: float


def run_streams(db: Path, searching: Person, *, at_once: int, rounds: int = ROUNDS) -> dict[str, Any]:
    """Have so many users chat at once, again and again, while another one searches.

    Args:
        db: The store; the users who chat are new there.
        searching: Who searches.
        at_once: How many chat.
        rounds: How often each does.
    """
    with _slow_model() as model:
        chatting = ("--no-worker", "--model", "slow", "--base-url", f"{model}/v1")
        with serving_store(db, *chatting) as server, ThreadPoolExecutor(at_once + 1) as threads:
            over = threading.Event()
            searches = threads.submit(_search, server.url, searching, over)
            begin = threading.Barrier(at_once, timeout=120)
            chats = [threads.submit(_chat, server.url, begin, one, rounds) for one in range(at_once)]
            done = [answer for chat in chats for answer in chat.result()]
            over.set()
            searched, failed = searches.result()
    whole = [one for one in done if one is not None]
    return {
        "at_once": at_once,
        "streams": len(done),
        "errors": len(done) - len(whole) + failed,
        "first_word": milliseconds([one.first_s for one in whole]),
        "late": milliseconds([one.late_s for one in whole]),
        "search_beside": milliseconds(searched),
    }


def _chat(url: str, begin: threading.Barrier, number: int, rounds: int) -> list[_Streamed | None]:
    """The answers of one user, each begun together with those of all others; None for one that failed."""
    done = []
    for turn in range(rounds):
        begin.wait()
        body = {"message": f"What did we say before {turn}?", "userId": f"chat-{number}", "stream": True}
        with Client(url) as client:
            done.append(_answer(client, body))
    return done


def _answer(client: Client, body: object) -> _Streamed | None:
    begun, first_s, last = time.perf_counter(), 0.0, ""
    try:
        for name, _ in client.events("/api/chat", body):
            first_s, last = first_s or time.perf_counter() - begun, name
    except (OSError, http.client.HTTPException):
        return None
    if last != "done":
        return None
    return _Streamed(first_s, time.perf_counter() - begun - (WORDS - 1) * WORD_S)


def _search(url: str, person: Person, over: threading.Event) -> tuple[list[float], int]:
    """The seconds of each search meanwhile, and how many failed."""
    took: list[float] = []
    failed = 0
    with Client(url) as client:
        while not over.wait(_PAUSE_S):
            begun = time.perf_counter()
            query = person.questions[len(took) % len(person.questions)]
            failed += client.search(query, user_id=person.user_id).status != http.client.OK
            took.append(time.perf_counter() - begun)
    return took, failed


@contextmanager
def _slow_model() -> Iterator[str]:
    """The model, in a process of its own; its URL."""
    command = [sys.executable, "-m", "benchmarks.streams"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own code
        try:
            assert process.stdout is not None
            yield local_url(int(process.stdout.readline()))
        finally:
            process.terminate()


class _Speaking(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer word by word."""
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(http.client.OK)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for number in range(WORDS):
            time.sleep(WORD_S if number else 0)
            self._piece({"content": f"word{number} "})
        self._piece({}, reason="stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _piece(self, delta: dict[str, str], *, reason: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        about = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "slow"}
        self.wfile.write(f"data: {json.dumps({**about, 'choices': [choice]})}\n\n".encode())


class _Model(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = AT_ONCE


def main() -> None:
    """Speak until the process is ended."""
    model = _Model(("127.0.0.1", 0), _Speaking)
    print(model.server_port, flush=True)
    model.serve_forever()


if __name__ == "__main__":
    main()

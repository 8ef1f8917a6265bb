"""One connection to a server, for every benchmark that asks one over HTTP; and a server to ask."""

import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlsplit

COMMAND: Final = str(Path(sys.executable).with_name("recollect"))
_IDLE_S: Final = 10.0
"""A connection that was idle for longer is opened again: a server closes its own after 15 seconds."""


class Answer(NamedTuple):
    """What a server answered.

    Attributes:
        body: Its JSON; its text where it is none; None where it is empty.
        retry_after_s: How long it asks to wait; None where it does not say.
    """

    status: int
    body: Any
    retry_after_s: float | None = None


class Client:
    """One connection to a server, opened again when it was lost.

    Args:
        url: Such as ``http://127.0.0.1:8377``.
        key: Sent with every request; None for a server without keys.
        timeout_s: How long an answer is waited for.

    Raises:
        ValueError: The URL is none.
    """

    def __init__(self, url: str, *, key: str | None = None, timeout_s: float = 60) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no URL such as http://127.0.0.1:8377")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout_s)
        self._path = parts.path.rstrip("/")
        self._headers = {"Content-Type": "application/json"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._used_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        """Send a request and read its answer.

        Raises:
            OSError, http.client.HTTPException: There is none; the next request opens a new connection.
        """
        with self._exchange(method, path, body) as answer:
            text, wait = answer.read(), answer.headers.get("Retry-After", "")
        return Answer(answer.status, _read(text), float(wait) if wait.isdecimal() else None)

    def events(self, path: str, body: object) -> Iterator[tuple[str, Any]]:
        """The server-sent events of an answer as they come: name and data.

        Raises:
            OSError, http.client.HTTPException: As in ``ask``; also where the answer is no stream.
        """
        with self._exchange("POST", path, body) as answer:
            if answer.status != http.client.OK:
                raise http.client.HTTPException(f"{answer.status}: {answer.read()[:200]!r}")
            name = ""
            for line in answer:
                field, _, value = line.decode().strip().partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)

    @contextmanager
    def _exchange(self, method: str, path: str, body: object) -> Iterator[http.client.HTTPResponse]:
        """Send a request; the block reads its answer, whole."""
        if time.monotonic() - self._used_at > _IDLE_S:
            self._connection.close()
        try:
            sent = None if body is None else json.dumps(body)
            self._connection.request(method, self._path + path, sent, self._headers)
            yield self._connection.getresponse()
        except BaseException:
            self._connection.close()
            raise
        self._used_at = time.monotonic()

    def search(self, query: str, *, user_id: str) -> Answer:
        """Ask for the best ten."""
        return self.ask("POST", "/search", {"query": query, "user_id": user_id})


def _read(text: bytes) -> object:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text.decode("utf-8", "replace")


class Served(NamedTuple):
    """A server that is ready."""

    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def url(self) -> str:
        """Where it is."""
        return local_url(self.port)


def local_url(port: int) -> str:
    """The URL of a server of this machine."""
    return f"http://127.0.0.1:{port}"


@contextmanager
def serving_store(db: Path, *options: str) -> Iterator[Served]:
    """Serve a store in a process of its own, which Ctrl-C does not reach.

    Args:
        db: The store.
        options: More of ``recollect serve``; by default no worker.
    """
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    with subprocess.Popen(  # noqa: S603 - our own command
        _command(db, port, options or ("--no-worker",)), stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            while not is_ready(local_url(port)):
                if process.poll() is not None:
                    raise RuntimeError("the server did not start")
                time.sleep(0.05)
            yield Served(port, process)
        finally:
            process.terminate()


def _command(db: Path, port: int, options: Sequence[str]) -> list[str]:
    asked = ["--db", str(db), "--port", str(port), "--log-level", "warning"]
    return [COMMAND, "serve", *asked, *options]


def is_ready(url: str) -> bool:
    """Whether a server says that it can do its work."""
    try:
        with Client(url) as client:
            return client.ask("GET", "/ready").status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False

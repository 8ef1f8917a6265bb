"""The server as a process and on a socket: slow clients, stopping, what it says when it starts."""

import http.client
import io
import json
import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from tests.ports import free_port

from recollect import Memory
from recollect.models.chat import Completion, Usage
from recollect.models.routing import ModelRouter
from recollect.server import ServerSettings, create_app, running
from recollect.server.models import ModelDesk

COMMAND = str(Path(sys.executable).with_name("recollect"))


def ask(port: int, method: str, path: str, body: object = None) -> tuple[int, object]:
    headers = {"Content-Type": "application/json"}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        with connection.getresponse() as answer:
            return answer.status, json.loads(answer.read() or b"null")


def until(happens: Callable[[], bool], *, within_s: float = 90) -> None:
    end = time.monotonic() + within_s
    while not happens():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@contextmanager
def serving(folder: Path, **given: float) -> Iterator[int]:
    """A server in a thread."""
    memory = Memory(folder / "m.db", embedder="hashing")
    settings = ServerSettings(port=free_port(), poll_s=0.05, **given)
    server = running.make_server(create_app(memory, settings=settings), settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield settings.port
    finally:
        server.should_exit = True
        thread.join(60)
    assert not thread.is_alive()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with serving(tmp_path) as number:
        yield number


@pytest.fixture
def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server that waits half a second for the head of a request, and for its body."""
    monkeypatch.setattr(running, "HEADERS_S", 0.5)
    with serving(tmp_path, body_timeout_s=0.5) as number:
        yield number


def test_clients_that_drip_are_let_go_and_others_are_served(impatient: int) -> None:
    dripping = [socket.create_connection(("127.0.0.1", impatient)) for _ in range(20)]
    for each in dripping:
        each.sendall(b"GET /memories HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
    halfway = socket.create_connection(("127.0.0.1", impatient))
    halfway.sendall(b"POST /search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{")
    until(lambda: _answers(impatient))
    halfway.settimeout(60)
    assert b" 408 " in halfway.recv(4_096).split(b"\r\n")[0]
    for each in dripping:
        each.settimeout(60)
        assert each.recv(1) == b""
        each.close()
    halfway.close()


def test_a_head_that_is_too_long_is_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.settimeout(60)
        with suppress(ConnectionResetError, BrokenPipeError):  # it stopped reading before we stopped writing
            one.sendall(b"GET /?" + b"x" * 1_000_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b" 400 " in one.recv(4_096).split(b"\r\n")[0]
    assert ask(port, "GET", "/memories")[0] == 200


def test_what_was_said_is_learned_by_the_server_itself(port: int) -> None:
    ask(port, "POST", "/memories", {"messages": "I live in Oslo.", "session_id": "s"})
    ask(port, "POST", "/sessions/s/end", {})
    until(lambda: len(ask(port, "GET", "/memories?kind=fact")[1]["items"]) > 0)


def test_several_clients_at_once_lose_nothing(port: int) -> None:
    def work(number: int) -> list[str]:
        ids = []
        for turn in range(15):
            body = {"messages": f"client {number} says tea {turn}", "user_id": f"u{number % 3}"}
            status, told = ask(port, "POST", "/memories", body)
            assert status == 201
            ids.append(told["results"][0]["id"])
            status, found = ask(port, "POST", "/search", {"query": "tea", "user_id": f"u{number % 3}"})
            assert (status, bool(found["results"])) == (200, True)
        return ids

    with ThreadPoolExecutor(8) as pool:
        ids = [memory_id for done in pool.map(work, range(8)) for memory_id in done]
    kept = {
        one["id"]
        for number in range(3)
        for one in ask(port, "GET", f"/memories?user_id=u{number}&limit=1000")[1]["items"]
    }
    assert (len(set(ids)), set(ids) - kept) == (120, set())


class EndlessModel:
    """A model that says the same word until nobody listens."""

    name = "endless"

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def complete(self, messages: object, **_: object) -> Completion:
        return Completion(text="well", finish_reason="stop", usage=Usage(calls=1))

    def stream(self, messages: object, **_: object) -> Iterator[str]:
        try:
            while True:
                yield "well "
        finally:
            self.stopped.set()


def test_a_listener_that_goes_away_ends_the_answer_and_frees_the_conversation(tmp_path: Path) -> None:
    model = EndlessModel()
    desk = ModelDesk(
        api_key="k", make=lambda tasks: ModelRouter(dict(tasks), open_route=lambda _route, _told: model)
    )
    memory = Memory(tmp_path / "m.db", embedder="hashing")
    settings = ServerSettings(port=free_port(), learn=False, shutdown_s=5)
    server = running.make_server(create_app(memory, settings=settings, models=desk), settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    body = json.dumps({"message": "Tea?", "sessionId": "s", "stream": True}).encode()
    head = [
        "POST /api/chat HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    with socket.create_connection(("127.0.0.1", settings.port)) as one:
        one.sendall("\r\n".join([*head, "", ""]).encode() + body)
        assert one.recv(64)
    until(model.stopped.is_set)
    status, told = ask(settings.port, "GET", "/memories?session_id=s")
    assert (status, [item["content"] for item in told["items"]]) == (200, ["Tea?"])
    assert ask(settings.port, "GET", "/ready")[0] == 200
    server.should_exit = True
    thread.join(60)
    assert not thread.is_alive()


def test_a_server_that_is_stopped_finishes_what_it_began(tmp_path: Path) -> None:
    port, db, log = free_port(), tmp_path / "m.db", tmp_path / "log"
    command = [COMMAND, "serve", "--db", db, "--port", str(port), "--embedder", "hashing"]
    with (
        log.open("w", encoding="utf-8") as err,  # nobody reads a pipe meanwhile, and it would fill
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True) as process,  # noqa: S603
    ):
        until(lambda: _answers(port))
        stored: list[str] = []

        def work() -> None:
            while True:
                try:
                    status, told = ask(port, "POST", "/memories", {"messages": ["tea"] * 50})
                except OSError:
                    return
                assert status == 201
                stored.extend(one["id"] for one in told["results"])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        until(lambda: len(stored) >= 200)
        process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join(60)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert f"http://127.0.0.1:{port}" in out
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert {"request", "write"} <= {line["message"] for line in lines}
    with Memory(db, embedder="hashing") as memory:
        kept = {record.id for record in memory.get_all(user_id="default")}
        assert memory.maintenance.doctor().problems == ()
    assert set(stored) <= kept


def _answers(port: int) -> bool:
    try:
        return ask(port, "GET", "/ready")[0] == 200
    except OSError:
        return False


def test_without_keys_it_stays_on_this_machine(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own command
        [COMMAND, "serve", "--db", tmp_path / "m.db", "--host", "0.0.0.0", "--embedder", "hashing"],  # noqa: S104
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "recollect keys create" in done.stderr


class Screen(io.StringIO):
    """A stream that is a terminal or not."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize("terminal", [True, False])
def test_logs_are_plain_on_a_terminal_and_json_elsewhere(terminal: bool) -> None:
    kept = {name: logging.getLogger(name).handlers[:] for name in ("recollect", "uvicorn")}
    out = Screen(terminal=terminal)
    running.configure_logs(out=out)
    try:
        log = logging.getLogger("recollect.server")
        log.info("request", extra={"route": "/search", "status": 200})
        (line,) = out.getvalue().splitlines()
        if terminal:
            assert line.endswith("info request route=/search status=200")
        else:
            assert json.loads(line)["route"] == "/search"
    finally:
        for name, handlers in kept.items():
            logging.getLogger(name).handlers[:] = handlers
            logging.getLogger(name).propagate = True


@pytest.mark.parametrize(("words", "opened"), [(["--open"], 1), ([], 0)])
def test_the_page_opens_only_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], opened: int
) -> None:
    from typer.testing import CliRunner

    from recollect.cli import app, serving

    class Served:
        started = should_exit = True

        def run(self) -> None:
            for thread in threading.enumerate():
                if thread.name == serving.OPENER:
                    thread.join(60)

    shown: list[str] = []
    monkeypatch.setattr(running, "configure_logs", lambda **_: None)
    monkeypatch.setattr(running, "tune_process", lambda: None)
    monkeypatch.setattr(running, "make_server", lambda *_: Served())
    monkeypatch.setattr(serving.webbrowser, "open", shown.append)
    db = ["--db", str(tmp_path / "m.db"), "--embedder", "hashing"]
    done = CliRunner().invoke(app, ["serve", *db, *words])
    assert done.exit_code == 0
    assert "http://127.0.0.1:8377" in done.stdout
    assert shown == ["http://127.0.0.1:8377"] * opened

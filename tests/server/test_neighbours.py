"""What one user does, or a model that hangs, leaves the others served."""

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from signal import SIGTERM
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.ports import free_port
from tests.server.conftest import LOCAL, SETTINGS, bearer
from tests.server.test_running import until

from recollect import Memory
from recollect.models.chat import Completion
from recollect.models.routing import ModelRouter
from recollect.server import KeyRing, ServerSettings, chats, create_app, gate, running
from recollect.server.models import ModelDesk

CHATS = 45
"""More than the 40 threads that all other requests share."""
PATIENCE_S = 60


class HangingModel:
    """Answers nothing until it is released."""

    name = "hanging"

    def __init__(self, asked: int) -> None:
        self.asked = threading.Semaphore(0)
        self.released = threading.Event()
        self._expected = asked

    def complete(self, messages: Any, **_: Any) -> Completion:
        raise AssertionError("chats are streamed")

    def stream(self, messages: Any, **_: Any) -> Iterator[str]:
        self.asked.release()
        assert self.released.wait(PATIENCE_S)
        yield "At five."

    def wait_until_all_hang(self) -> None:
        for _ in range(self._expected):
            assert self.asked.acquire(timeout=PATIENCE_S)


@pytest.fixture
def model() -> HangingModel:
    return HangingModel(CHATS)


@pytest.fixture
def client(tmp_path: Path, model: HangingModel) -> Iterator[TestClient]:
    desk = ModelDesk(
        api_key="k", make=lambda tasks: ModelRouter(dict(tasks), open_route=lambda _route, _told: model)
    )
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        app = create_app(memory, settings=SETTINGS, models=desk)
        with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as opened:
            yield opened
            model.released.set()


def begin(client: TestClient, answers: list[Any], **fields: Any) -> threading.Thread:
    """Send a chat message from a thread of its own."""

    def ask() -> None:
        answers.append(client.post("/api/chat", json={"message": "When is tea?", **fields}))

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


def finish(model: HangingModel, threads: list[threading.Thread]) -> None:
    model.released.set()
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_a_hanging_model_leaves_everybody_else_served(client: TestClient, model: HangingModel) -> None:
    answers: list[Any] = []
    threads = [
        begin(client, answers, userId=f"user{one}", sessionId="s", stream=bool(one % 2))
        for one in range(CHATS)
    ]
    model.wait_until_all_hang()
    body = {"messages": ["tea"], "user_id": "bob"}
    assert client.post("/memories", json=body, headers={"Idempotency-Key": "k"}).status_code == 201
    assert client.get("/api/stats?user_id=bob").status_code == 200
    assert client.get("/export?user_id=bob").status_code == 200
    assert client.get("/api/health").status_code == 200
    finish(model, threads)
    assert all(answer.status_code == 200 and "At five." in answer.text for answer in answers)


def test_one_user_has_some_answers_at_a_time_and_others_have_theirs(
    client: TestClient, model: HangingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chats, "_AT_ONCE_EACH", 2)
    model._expected = 3
    answers: list[Any] = []
    threads = [begin(client, answers, userId="ada", sessionId=f"s{one}") for one in range(2)]
    threads.append(begin(client, answers, userId="bob"))
    model.wait_until_all_hang()
    refused = client.post("/api/chat", json={"message": "Tea?", "userId": "ada"})
    assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)
    streamed = client.post("/api/chat", json={"message": "Tea?", "userId": "ada", "stream": True})
    assert "event: error" in streamed.text
    assert '"status": 429' in streamed.text
    finish(model, threads)
    assert [answer.status_code for answer in answers] == [200] * 3
    assert client.post("/api/chat", json={"message": "Tea?", "userId": "ada"}).status_code == 200


@pytest.mark.parametrize("stream", [False, True])
def test_a_message_waits_so_long_for_the_one_before_it(
    client: TestClient, model: HangingModel, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    monkeypatch.setattr(chats, "_WAIT_S", 0.01)
    model._expected = 1
    answers: list[Any] = []
    thread = begin(client, answers, sessionId="s")
    model.wait_until_all_hang()
    second = client.post("/api/chat", json={"message": "And now?", "sessionId": "s", "stream": stream})
    assert "still being answered" in second.text
    assert stream or second.status_code == 409
    finish(model, [thread])
    assert client.post("/api/chat", json={"message": "And now?", "sessionId": "s"}).status_code == 200


def test_a_signal_ends_the_process_whatever_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(running.os, "_exit", lambda status: status or ended.set())
    server = running.make_server(lambda: None, ServerSettings(shutdown_s=0))
    server.handle_exit(SIGTERM, None)
    assert server.should_exit
    assert ended.wait(PATIENCE_S)


def test_a_key_that_the_store_is_slow_to_find_stops_nobody_else(
    guarded: TestClient, ring: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers, looked, released = bearer(ring, "ada"), threading.Event(), threading.Event()
    find = KeyRing.find

    def slow(self: KeyRing, text: str) -> object:
        looked.set()
        assert released.wait(PATIENCE_S)
        return find(self, text)

    monkeypatch.setattr(KeyRing, "find", slow)
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(guarded.get("/memories", headers=headers)))
    thread.start()
    assert looked.wait(PATIENCE_S)
    assert guarded.get("/api/health").status_code == 200
    released.set()
    thread.join(PATIENCE_S)
    assert [answer.status_code for answer in answers] == [200]


def test_a_client_that_never_reads_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "WRITE_S", 0.1)
    ended = threading.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            for _ in range(64):
                await send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})
            ended.set()

    settings = ServerSettings(port=free_port())
    server = running.make_server(app, settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    with socket.create_connection(("127.0.0.1", settings.port)) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert ended.wait(PATIENCE_S)
    server.should_exit = True
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


class EndlessModel:
    """Never stops speaking."""

    name = "endless"

    def __init__(self) -> None:
        self.is_stopped = False

    def complete(self, messages: Any, **_: Any) -> Completion:
        raise AssertionError("chats are streamed")

    def stream(self, messages: Any, **_: Any) -> Iterator[str]:
        try:
            while True:
                yield "and "
        finally:
            self.is_stopped = True


def test_a_client_that_leaves_an_answer_that_is_not_streamed_frees_its_thread(tmp_path: Path) -> None:
    model = EndlessModel()
    desk = ModelDesk(
        api_key="k", make=lambda tasks: ModelRouter(dict(tasks), open_route=lambda _route, _told: model)
    )
    body = {"type": "http.request", "body": b'{"message": "When is tea?"}', "more_body": False}
    events = iter([body])

    async def receive() -> dict[str, Any]:
        return next(events, {"type": "http.disconnect"})

    async def send(message: Any) -> None:
        """Nobody reads it."""

    headers = [(b"host", b"127.0.0.1:8377"), (b"content-type", b"application/json")]
    request = {
        "type": "http", "method": "POST", "path": "/api/chat", "raw_path": b"/api/chat", "query_string": b"",
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8377), "scheme": "http",
        "http_version": "1.1", "asgi": {"version": "3.0"},
    }  # fmt: skip
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        app = create_app(memory, settings=SETTINGS, models=desk)
        asyncio.run(asyncio.wait_for(app(request, receive, send), PATIENCE_S))
        assert model.is_stopped
        assert [one.content for one in memory.get_all(user_id="default")] == ["When is tea?"]


def test_one_address_has_so_many_connections_and_others_have_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_OF_AN_ADDRESS", 2)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"fine"})

    settings = ServerSettings(port=free_port())
    server = running.make_server(app, settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)

    def ask(one: socket.socket) -> bytes:
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return one.recv(12)

    address = ("127.0.0.1", settings.port)
    with socket.create_connection(address) as first, socket.create_connection(address) as second:
        assert {ask(first), ask(second)} == {b"HTTP/1.1 200"}
        with socket.create_connection(address) as third:
            assert third.recv(12) == b"HTTP/1.1 503"
        with socket.create_connection(address, source_address=("127.0.0.2", 0)) as other:
            assert ask(other) == b"HTTP/1.1 200"
    until(lambda: not running._CONNECTIONS)
    with socket.create_connection(address) as again:
        assert ask(again) == b"HTTP/1.1 200"
    server.should_exit = True
    thread.join(PATIENCE_S)


def test_a_filter_has_so_many_conditions_and_as_many_values_as_it_likes(client: TestClient) -> None:
    def search(filters: dict[str, Any]) -> int:
        return client.post("/search", json={"query": "tea", "filters": filters}).status_code

    def parts(count: int) -> list[dict[str, Any]]:
        return [{"content": {"contains": f"x{number}"}} for number in range(count)]

    assert search({"or": parts(1_000)}) == 200
    assert search({"or": parts(1_001)}) == 422
    assert search({"and": [{"or": parts(501)}, {"not": {"or": parts(500)}}]}) == 422
    assert search({"speaker": {"in": [f"x{number}" for number in range(5_000)]}}) == 200


def test_requests_of_a_crowd_begin_one_by_one_and_others_need_not_wait_for_all_of_them() -> None:
    begun: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["client"][0])

    async def arrive() -> None:
        turns = gate.Turns(app)
        crowd = ["127.0.0.2"] * 50
        await asyncio.gather(
            *(turns({"type": "http", "client": (one, 1)}, None, None) for one in [*crowd, "127.0.0.1"])
        )

    asyncio.run(arrive())
    assert begun.count("127.0.0.2") == 50
    assert begun.index("127.0.0.1") <= 1


def test_the_threads_of_a_process_that_serves_take_turns_quickly_and_seldom_stop_for_garbage() -> None:
    told = "import gc, sys; from recollect.server.running import tune_process; tune_process(); "
    told += "print(sys.getswitchinterval() < 0.001, gc.get_freeze_count() > 10_000, gc.get_threshold())"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "True True (5000, 10, 100)\n"

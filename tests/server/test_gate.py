"""What does not come in: other names, other origins, too much, too slow, broken."""

import asyncio
import json
import re
import sys

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import LOCAL, said

from recollect import Memory
from recollect.errors import (
    InvalidInputError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.server import ServerSettings, create_app

JSON = {"Content-Type": "application/json"}
LINES = {"Content-Type": "application/x-ndjson"}


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "[::2]:8377", "", "a@127.0.0.1:1@b", "[oops"]
)
def test_a_loopback_server_answers_only_under_its_own_name(client: TestClient, host: str) -> None:
    answer = client.get("/memories", headers={"Host": host})
    assert (answer.status_code, answer.headers["content-type"]) == (421, "application/problem+json")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1234", "[::1]:8377", "memory.local"])
def test_names_of_this_machine_are_fine(memory: Memory, host: str) -> None:
    app = create_app(memory, settings=ServerSettings(learn=False, allowed_hosts=("memory.local",)))
    assert TestClient(app, base_url=LOCAL).get("/memories", headers={"Host": host}).status_code == 200


def test_a_page_of_another_origin_may_not_write(client: TestClient) -> None:
    (memory_id,) = said(client, "Tea at five.")
    for origin, status in (("https://evil.example", 403), ("null", 403), (LOCAL, 200)):
        answer = client.post(f"/memories/{memory_id}/archive", json={}, headers={"Origin": origin})
        assert answer.status_code == status, origin
    assert "access-control-allow-origin" not in client.get("/memories", headers={"Origin": LOCAL}).headers
    plain = client.post("/memories", content=b'{"messages": "x"}', headers={"Content-Type": "text/plain"})
    assert plain.status_code == 422


def test_origins_that_are_named_may_ask(memory: Memory) -> None:
    page = "https://page.example"
    app = create_app(memory, settings=ServerSettings(learn=False, cors_origins=(page,)))
    client = TestClient(app, base_url=LOCAL)
    asked = {
        "Origin": page,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-api-key",
    }
    assert client.options("/memories", headers=asked).headers["access-control-allow-origin"] == page
    sent = client.post("/memories", json={"messages": "x"}, headers={"Origin": page})
    assert (sent.status_code, sent.headers["access-control-allow-origin"]) == (201, page)
    refused = client.get("/memories/nothing", headers={"Origin": page})
    assert refused.headers["access-control-allow-origin"] == page
    assert {"X-Request-Id", "Retry-After"} <= set(
        refused.headers["access-control-expose-headers"].split(", ")
    )
    assert (
        "access-control-allow-origin"
        not in client.get("/memories", headers={"Origin": "https://x.example"}).headers
    )


@pytest.mark.parametrize(
    "origin",
    ["*", "null", "", "app.example", "https://app.example/", "https://App.example", "https://*.example"],
)
def test_what_no_browser_sends_as_an_origin_is_refused_and_so_are_all_origins(origin: str) -> None:
    with pytest.raises(InvalidInputError, match=r"is no origin of pages: .* such as https://app\.example"):
        ServerSettings(cors_origins=(origin,))


@pytest.mark.parametrize(
    "origin", ["http://[::1]:3000", "http://localhost:5173", "chrome-extension://abcdef"]
)
def test_origins_of_pages_and_of_extensions_are_taken(origin: str) -> None:
    assert ServerSettings(cors_origins=(origin,)).cors_origins == (origin,)


def test_every_answer_carries_headers_that_protect(client: TestClient) -> None:
    for path in ("/memories", "/nothing", "/api/health", "/openapi.json"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["x-request-id"]


def test_an_id_that_could_forge_a_log_is_not_taken(client: TestClient) -> None:
    assert client.get("/api/health", headers={"X-Request-Id": "a-1"}).headers["x-request-id"] == "a-1"
    for forged in ("a b", "x" * 99, "ü".encode()):
        assert client.get("/api/health", headers={"X-Request-Id": forged}).headers["x-request-id"] != forged


HEADER = b'{"format": "recollect-export", "version": 1}\n'
DEEP = b'{"messages": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
BROKEN = {
    "broken JSON": ("/memories", b"{", JSON),
    "broken UTF-8": ("/memories", b'{"messages": "\xff\xfe"}', JSON),
    "deep JSON": ("/memories", DEEP, JSON),
    "deep metadata": (
        "/memories",
        b'{"messages": "x", "metadata": {"a": ' + b"[" * 500 + b"]" * 500 + b"}}",
        JSON,
    ),
    "half a surrogate": ("/memories", rb'{"messages": "\ud800"}', JSON),
    "half a surrogate in a user": ("/memories", rb'{"messages": "x", "user_id": "\ud800"}', JSON),
    "half a surrogate in an unknown field": ("/memories", rb'{"messages": "x", "\ud800": 1}', JSON),
    "NUL": ("/memories", rb'{"messages": "a\u0000b"}', JSON),
    "not a number": ("/memories", b'{"messages": {"content": "x", "importance": NaN}}', JSON),
    "a huge number": ("/search", b'{"query": "x", "top_k": 1e400}', JSON),
    "a megabyte of question": ("/search", b'{"query": "' + b"x" * 1_000_000 + b'"}', JSON),
    "a deep filter": (
        "/search",
        json.dumps({"query": "x", "filters": json.loads('{"not":' * 300 + "{}" + "}" * 300)}).encode(),
        JSON,
    ),
    "no body": ("/search", b"", JSON),
    "a list": ("/search", b"[]", JSON),
    "an export that is none": ("/import", b"not an export\n", LINES),
    "an export of broken UTF-8": ("/import", b"\xff\xfe\x00", LINES),
    "an export with a path": ("/import", b"/etc/passwd", LINES),
    "an export with a bad id": (
        "/import",
        HEADER + b'{"memory": {"id": "../../x", "scope": {"user_id": "a"}, "content": "x"}}\n',
        LINES,
    ),
    "an export that goes deep": (
        "/import",
        HEADER + b"[" * 100_000,
        LINES,
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_refused_clearly_and_the_server_stays_up(client: TestClient, what: str) -> None:
    path, content, headers = BROKEN[what]
    answer = client.post(path, content=content, headers=headers)
    if what in {"half a surrogate", "NUL"}:  # refused by themselves, as in ``add``
        assert answer.status_code in (201, 422)
        assert answer.status_code == 422 or answer.json()["results"][0]["status"] == "refused"
    else:
        assert answer.status_code in (400, 413, 422), answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert len(answer.content) < 2_000
    assert client.get("/memories").json()["items"] == []


@pytest.mark.parametrize(
    "path",
    [
        "/memories/..%2f..%2fetc%2fpasswd",
        "/assets/../../app.py",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/memories/%00",
        "/memories/%ff",
    ],
)
def test_paths_lead_nowhere_else(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (404, 422)


@pytest.mark.parametrize("cursor", ["x", "ü", "%00", "AAAA=", "gICA", "Li4vLi4v"])
def test_a_forged_cursor_opens_nothing(client: TestClient, cursor: str) -> None:
    said(client, "hers", user_id="ada")
    answer = client.get("/memories", params={"cursor": cursor})
    assert answer.status_code == 422 or answer.json()["items"] == []


def test_a_body_that_drips_is_given_up(memory: Memory) -> None:
    app = create_app(memory, settings=ServerSettings(learn=False, body_timeout_s=0.05))
    told: list[dict] = []

    async def ask() -> None:
        async def receive() -> dict:
            await asyncio.sleep(0.02)
            return {"type": "http.request", "body": b" ", "more_body": True}

        async def send(message: dict) -> None:
            told.append(message)

        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http"}
        scope |= {"method": "POST", "path": "/search", "raw_path": b"/search", "query_string": b""}
        scope |= {"root_path": "", "headers": headers, "server": ("127.0.0.1", 8377), "state": {}}
        await app(scope, receive, send)

    asyncio.run(ask())
    assert [one["status"] for one in told if one["type"] == "http.response.start"] == [408]


def test_a_failure_nobody_foresaw_tells_nothing(memory: Memory) -> None:
    app = create_app(memory, settings=ServerSettings(learn=False))

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("xylophone")

    app.state.service.calls.users = broken
    answer = TestClient(app, base_url=LOCAL, raise_server_exceptions=False).get("/users")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "xylophone" not in answer.text
    assert answer.json()["request_id"]


@pytest.mark.parametrize(
    "path", ["/memories", "/memories/deleted", "/sessions", "/timeline", "/graph", "/jobs"]
)
def test_a_misspelt_parameter_lists_nothing(client: TestClient, path: str) -> None:
    answer = client.get(path, params={"cursr": "x"})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("unknown query parameter 'cursr'; use ")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/search", {"query": "x", "top_k": "5"}),
        ("/search", {"query": "x", "top_k": True}),
        ("/search", {"query": "x", "since": True}),
        ("/memories", {"messages": "x", "timestamp": True}),
        ("/memories", {"messages": {"content": "x", "critical": "no"}}),
        ("/memories", {"messages": {"content": "x", "importance": "0.5"}}),
        ("/api/chat", {"message": "x", "stream": "no"}),
    ],
)
def test_a_value_of_another_type_is_refused(client: TestClient, path: str, body: dict) -> None:
    assert client.post(path, json=body).status_code == 422
    assert client.get("/memories").json()["items"] == []


def test_whole_numbers_do_where_there_may_be_others(client: TestClient) -> None:
    body = {"messages": {"content": "x", "importance": 1, "timestamp": 1_700_000_000}}
    assert client.post("/memories", json=body).status_code == 201


@pytest.mark.parametrize("condition", ["If-Match", "If-None-Match", "If-Unmodified-Since"])
def test_nothing_is_written_under_a_condition(client: TestClient, condition: str) -> None:
    (memory_id,) = said(client, "Tea at five.")
    headers = {condition: "*"}
    for method, path, body in (
        ("PUT", f"/memories/{memory_id}", {"content": "Rain."}),
        ("DELETE", f"/memories/{memory_id}", None),
        ("POST", "/memories", {"messages": "Rain."}),
    ):
        answer = client.request(method, path, json=body, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (412, "application/problem+json")
    (kept,) = client.get("/memories", headers=headers).json()["items"]
    assert kept["content"] == "Tea at five."


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH", "BREW"])
def test_other_methods_are_refused(client: TestClient, method: str) -> None:
    answer = client.request(method, "/memories")
    assert (answer.status_code, answer.headers["content-type"]) == (405, "application/problem+json")
    assert answer.headers["allow"] == "DELETE, GET, POST"


def test_a_method_that_is_refused_is_told_all_others_of_the_path(client: TestClient) -> None:
    told = client.app.openapi()["paths"]
    for path, known in told.items():
        answer = client.patch(path.replace("{", "").replace("}", ""))
        assert answer.status_code == 405, path
        assert {method.upper() for method in known} <= set(answer.headers["allow"].split(", ")), path
    assert client.patch("/memories/x").headers["allow"] == "DELETE, GET, PUT"
    assert client.patch("/search").headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("method", "path", "right"),
    [
        ("POST", "/add", "Not Found; use POST /memories"),
        ("POST", "/memories/search", "Method Not Allowed; use POST /search"),
        ("GET", "/search?query=x", "Method Not Allowed; use POST /search"),
        ("GET", "/v1/memories", "Not Found; use DELETE, GET, POST /memories"),
        ("GET", "/api/v1/users", "Not Found; use GET /users"),
        ("GET", "/facts", "Not Found; use GET /api/chat/memory/profile/{user_id}"),
        ("GET", "/health", "Not Found; use GET /api/health"),
        ("GET", "/docs", "Not Found; use GET /openapi.json"),
        ("PATCH", "/memories/x", "Method Not Allowed; use DELETE, GET, PUT"),
        ("GET", "/nothing", "Not Found; use a route of GET /openapi.json"),
    ],
)
def test_a_guessed_route_is_answered_with_the_right_one(
    client: TestClient, method: str, path: str, right: str
) -> None:
    assert client.request(method, path).json()["detail"] == right


def test_a_wrong_part_of_a_message_is_named_by_its_place_alone(client: TestClient) -> None:
    told = "body.messages.0.content: Field required; body.messages.0.text: unknown field; use content"
    answer = client.post("/memories", json={"messages": [{"role": "user", "text": "x"}]})
    assert (answer.status_code, answer.json()["detail"]) == (422, told)


def test_a_body_of_no_type_is_told_which_one_it_needs(client: TestClient) -> None:
    answer = client.post("/memories", content='{"messages": "x"}')
    assert answer.status_code == 422
    assert "Content-Type: application/json" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"session_id": "web"}, "give it as an option of the import: --session-id, over HTTP ?session_id="),
        ({"session": "web"}, "the unknown key 'session' beside 'messages'; leave it out"),
    ],
)
def test_what_stands_beside_imported_messages_is_refused(client: TestClient, more: dict, told: str) -> None:
    body = {"messages": [{"role": "user", "content": "Tea at five."}]}
    answer = client.post("/import", json=body | more)
    assert answer.status_code == 422
    assert told in answer.json()["detail"]
    assert client.get("/memories").json()["items"] == []
    assert client.post("/import?session_id=web", json=body).json()["stored"] == 1
    assert client.get("/memories").json()["items"][0]["scope"]["session_id"] == "web"


@pytest.mark.parametrize(
    "value",
    [
        "not json",
        "[1]",
        "null",
        "5",
        "{}",
        '{"id": 5, "started": "2026-05-01T10:00:00+00:00"}',
        '{"id": "s"}',
        '{"id": "s", "started": "soon"}',
        '{"id": "s", "started": 5}',
        '{"id": "s", "started": "2026-05-01T10:00:00"}',
        "[" * 100_000,
    ],
)
def test_an_import_breaks_no_session(client: TestClient, value: str) -> None:
    said(client, "Tea at five.", session_id="s")
    state = {"state": {"name": "session abc", "value": value}, "user_id": "x"}
    lines = HEADER + json.dumps(state).encode() + b"\n"
    assert client.post("/import", content=lines, headers=LINES).status_code in (200, 422)
    assert [one["id"] for one in client.get("/sessions").json()["sessions"]] == ["s"]
    assert client.post("/sessions/s/end", json={}).status_code == 200
    assert client.post("/sessions", json={"title": "Garden"}).status_code == 201


@pytest.mark.parametrize("value", ["not json", "[1]", "null", "{}", "[" * 100_000])
def test_an_import_breaks_no_idempotency_key(client: TestClient, value: str) -> None:
    states = [
        {"state": {"name": f"idempotency {part:x}", "value": value}, "user_id": "x"} for part in range(16)
    ]
    lines = HEADER + b"".join(json.dumps(state).encode() + b"\n" for state in states)
    assert client.post("/import", content=lines, headers=LINES).status_code == 200
    for words, status in (("Tea.", 201), ("Tea.", 200), ("Rain.", 422)):
        sent = client.post("/memories", json={"messages": words}, headers={"Idempotency-Key": "k"})
        assert sent.status_code == status
    assert len(client.get("/memories").json()["items"]) == 1


def test_no_thread_is_asked_who_is_asking(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise AssertionError("a thread was asked for what takes microseconds")

    monkeypatch.setattr("fastapi.dependencies.utils.run_in_threadpool", refused)
    (memory_id,) = said(client, "Tea at five.")
    assert client.post("/search", json={"query": "tea"}).status_code == 200
    assert client.get("/memories", params={"tag": "tea"}).status_code == 200
    assert client.get("/jobs").status_code == 200
    assert client.delete(f"/memories/{memory_id}").status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="prometheus_client reads what a process takes on Linux")
def test_the_metrics_tell_what_the_process_takes(client: TestClient) -> None:
    told = client.get("/metrics").text
    assert re.search(r"^process_resident_memory_bytes [1-9]", told, re.MULTILINE)
    assert re.search(r"^process_cpu_seconds_total [0-9.]+$", told, re.MULTILINE)


def test_metrics_count_routes_and_never_names(client: TestClient) -> None:
    (memory_id,) = said(client, "xylophone")
    client.get(f"/memories/{memory_id}")
    client.request("BREW", "/memories/xylophone")
    told = client.get("/metrics").text
    assert (
        'recollect_http_requests_total{method="GET",route="/memories/{memory_id}",status="200"} 1.0' in told
    )
    assert 'recollect_jobs{state="waiting"} 1.0' in told
    assert "xylophone" not in told
    assert memory_id not in told
    assert "BREW" not in told


def test_a_request_with_two_lengths_is_refused(client: TestClient) -> None:
    headers = {"Content-Length": "5", "Transfer-Encoding": "chunked", "Content-Type": "application/json"}
    answer = client.post("/memories", content=b'{"messages": "hi"}', headers=headers)
    assert (answer.status_code, answer.headers["connection"]) == (400, "close")
    assert "not both" in answer.json()["detail"]
    assert client.get("/memories").json()["items"] == []


@pytest.mark.parametrize(
    "kind", [StoreError, StoreBusyError, StoreFullError, StoreReadOnlyError, StoreCorruptError]
)
def test_an_error_of_the_store_names_no_path_and_the_log_does(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, kind: type
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise kind("/srv/secret/brain.db: no\nrow (the words)")

    monkeypatch.setattr(Memory, "search", fail)
    answer = client.post("/search", json={"query": "tea"})
    assert answer.status_code in {500, 503, 507}
    assert "/srv" not in answer.text
    assert [record.detail for record in caplog.records if hasattr(record, "detail")] == [
        "/srv/secret/brain.db: no"
    ]

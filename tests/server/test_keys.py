"""Keys: who may do what, and that none opens more than its own."""

import json
import logging
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.conftest import LOCAL, EchoModel, bearer, echoing, said
from tests.tables import table
from typer.testing import CliRunner

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.cli import app as command
from recollect.models.routing import ModelRouter
from recollect.server import KeyRing, ServerSettings, create_app
from recollect.server.keys import ANY_USER, owner_of
from recollect.server.models import ModelDesk
from recollect.server.settings import check_bind
from recollect.stores.reference.store import InMemoryStore

ADA, BO = "ada", "bo"


def test_a_key_is_kept_as_a_hash_and_opens_until_it_is_revoked() -> None:
    store = InMemoryStore()
    ring = KeyRing(store)
    key, text = ring.create(owner=ADA, role="writer", label="laptop")
    assert text.startswith(f"rcl_{key.id}_")
    assert text.split("_", 2)[2] not in str(store.setting("server-key-1"))
    assert KeyRing(store).find(text) == key
    ring.revoke(key.id)
    assert ring.find(text) is None
    assert [one.revoked_at is not None for one in ring.all()] == [True]
    with pytest.raises(NotFoundError):
        ring.revoke("7")


@table(
    "wrong",
    ["", "rcl", "rcl_1_", "rcl_1_x", "rcl_9_x", "rcl_-1_x", "rcl_\u0661_x", "x" * 9_999, "rcl_1_\ud800"],
)
def test_a_wrong_key_opens_nothing(wrong: str) -> None:
    ring = KeyRing(InMemoryStore())
    ring.create(owner=ADA, role="admin")
    assert ring.find(wrong) is None


def test_keys_that_are_made_at_once_all_stay() -> None:
    store = InMemoryStore()
    rings = [KeyRing(store), KeyRing(store)]
    texts = [rings[number % 2].create(owner=f"u{number}", role="reader")[1] for number in range(6)]
    assert [KeyRing(store).find(text).owner for text in texts] == [f"u{number}" for number in range(6)]


@table("label", [" ", "x" * 10_001, "a\0b", "\ud800", 5])
def test_a_label_is_a_short_text(label: Any) -> None:
    ring = KeyRing(InMemoryStore())
    with pytest.raises(InvalidInputError, match="label"):
        ring.create(owner=ADA, role="admin", label=label)
    assert ring.all() == []


def test_an_owner_is_a_user_a_space_or_anyone() -> None:
    assert owner_of(user=ADA, space=None, any_user=False) == ADA
    assert owner_of(user=None, space="kitchen", any_user=False) == "space:kitchen"
    assert owner_of(user=None, space=None, any_user=True) == "*"
    for user, space, anyone in (
        (None, None, False),
        (ADA, "kitchen", False),
        ("*", None, False),
        ("space:x", None, False),
    ):
        with pytest.raises(InvalidInputError):
            owner_of(user=user, space=space, any_user=anyone)


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",  # noqa: S104 - it is refused
        "::",
        "192.168.1.4",
        "example.org",
    ],
)
def test_a_server_that_others_reach_wants_keys(host: str) -> None:
    with pytest.raises(InvalidInputError, match="keys create"):
        check_bind(host, keys=0)
    check_bind(host, keys=1)
    check_bind("127.0.0.1", keys=0)


def test_without_a_key_only_health_is_told(guarded: TestClient) -> None:
    for method, path in (
        ("GET", "/memories"),
        ("POST", "/search"),
        ("GET", "/metrics"),
        ("POST", "/api/chat"),
        ("GET", "/nothing"),
    ):
        answer = guarded.request(method, path, json={"query": "x"} if method == "POST" else None)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), path
    assert guarded.get("/memories", headers={"Authorization": "Bearer rcl_1_x"}).status_code == 401
    for path in ("/api/health", "/ready", "/openapi.json"):
        assert guarded.get(path).status_code == 200


def test_the_icon_that_browsers_ask_for_needs_no_key(guarded: TestClient) -> None:
    answer = guarded.get("/favicon.ico", follow_redirects=False)
    assert answer.status_code in {301, 404}  # 404 where the page is not built
    assert answer.status_code == 404 or answer.headers["location"] == "/icon.svg"


def test_both_headers_carry_a_key(guarded: TestClient, ring: KeyRing) -> None:
    _, text = ring.create(owner=ADA, role="reader")
    for headers in ({"Authorization": f"bearer {text}"}, {"X-API-Key": text}):
        assert guarded.get("/memories", headers=headers).json()["items"] == []


def test_a_key_counts_where_none_is_required(client: TestClient, ring: KeyRing) -> None:
    ada, reader = bearer(ring, ADA), bearer(ring, ADA, "reader")
    stored = client.post("/memories", json={"messages": "Ada's tea."}, headers=ada)
    assert stored.status_code == 201
    assert client.get("/memories", params={"user_id": ADA}).json()["items"][0]["content"] == "Ada's tea."
    assert client.get("/memories", headers=ada, params={"user_id": BO}).status_code == 403
    assert client.post("/memories", json={"messages": "x"}, headers=reader).status_code == 403
    assert client.get("/memories").json()["items"] == []  # whoever sends none is the default user


@table(
    "wrong",
    [
        {"Authorization": "Bearer garbage"},
        {"Authorization": "Bearer"},
        {"Authorization": "rcl_1_x"},
        {"X-API-Key": "rcl_1_x"},
        {"Authorization": "Basic YTpi", "X-API-Key": "garbage"},
    ],
)
def test_a_wrong_key_is_refused_where_none_is_required(client: TestClient, wrong: dict[str, str]) -> None:
    for method, path in (("GET", "/api/stats"), ("GET", "/memories"), ("POST", "/search")):
        body = {"query": "x"} if method == "POST" else None
        answer = client.request(method, path, headers=wrong, json=body)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), path


def test_a_password_for_a_proxy_is_no_key(client: TestClient) -> None:
    assert client.get("/memories", headers={"Authorization": "Basic YTpi"}).status_code == 200


class Shelf:
    """A server that stops at once and keeps what it would have served."""

    served: list[Any]

    def __init__(self, app: Any, _: ServerSettings) -> None:
        Shelf.served = [app]

    started = should_exit = True

    def run(self) -> None:
        pass


@pytest.mark.parametrize("way", ["serve", "mcp --http"])
def test_keys_that_are_not_required_are_told_at_the_start(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("running", "mcp_http"):
        monkeypatch.setattr(f"recollect.server.{module}.make_server", Shelf)
        monkeypatch.setattr(f"recollect.server.{module}.configure_logs", lambda **_: None)
        monkeypatch.setattr(f"recollect.server.{module}.tune_process", lambda: None)
    runner = CliRunner()
    at = ["--db", str(tmp_path / "m.db")]

    def starts(*more: str) -> str:
        options = ["--port", "0", "--no-worker", "--embedder", "hashing", *at, *more]
        done = runner.invoke(command, [*way.split(), *options])
        assert done.exit_code == 0, done.output
        return done.stderr

    assert "not required" not in starts()
    for _ in range(2):
        runner.invoke(command, ["keys", "create", "--user", ADA, *at])
    assert "2 keys exist and are not required here: a request without one is let in" in starts()
    assert "not required" not in starts("--with-keys")
    runner.invoke(command, ["keys", "revoke", "1", *at])
    assert "1 key exists and is not required" in starts()
    with TestClient(Shelf.served[0], base_url=LOCAL) as asked:
        assert asked.get("/memories").status_code != 401
    starts("--with-keys")
    with TestClient(Shelf.served[0], base_url=LOCAL) as asked:
        assert asked.get("/memories").status_code == 401


def test_with_keys_of_mcp_is_for_http() -> None:
    done = CliRunner().invoke(command, ["mcp", "--with-keys"])
    assert (done.exit_code, "--with-keys is for --http" in done.output) == (2, True)


def test_a_role_does_what_it_may(guarded: TestClient, ring: KeyRing) -> None:
    reader, writer, admin = (bearer(ring, ADA, role) for role in ("reader", "writer", "admin"))
    for headers, write, run in ((reader, 403, 403), (writer, 201, 403), (admin, 201, 200)):
        assert guarded.get("/memories", headers=headers).status_code == 200
        assert guarded.post("/memories", json={"messages": "x"}, headers=headers).status_code == write
        assert guarded.get("/export", headers=headers).status_code == run


def test_a_revoked_key_is_refused(memory: Memory, ring: KeyRing) -> None:
    headers = bearer(ring, ADA)
    for revoke in (False, True):
        if revoke:
            ring.revoke("1")
        app = create_app(memory, settings=ServerSettings(learn=False), keys=ring)
        assert TestClient(app, base_url=LOCAL).get("/memories", headers=headers).status_code == (
            401 if revoke else 200
        )


def test_a_key_for_any_user_takes_the_user_from_the_request(guarded: TestClient, ring: KeyRing) -> None:
    anyone = bearer(ring, "*")
    guarded.headers.update(anyone)
    said(guarded, "hers", user_id=ADA)
    assert [one["content"] for one in guarded.get("/memories?user_id=ada").json()["items"]] == ["hers"]
    assert guarded.get("/memories?user_id=bo").json()["items"] == []


def test_a_key_for_any_user_that_names_nobody_is_refused_on_every_route(
    guarded: TestClient, ring: KeyRing, memory: Memory
) -> None:
    memory.add("The xylophone is mine.", user_id="default", session_id="s")
    (mine,) = before = memory.get_all(user_id="default")
    for method, path, body in SEND:
        if path == "/jobs":  # the queue of all users
            continue
        given = None if body is None else json.loads(json.dumps(body).replace("{id}", mine.id))
        headers = bearer(ring, ANY_USER, "admin")
        answer = guarded.request(method, path.replace("{id}", mine.id), json=given, headers=headers)
        assert (answer.status_code, "must name one" in answer.text) == (422, True), (method, path)
    for path, sent in (
        ("/memories", {"messages": "lost note"}),
        ("/documents", {"text": "a", "source": "b"}),
    ):
        assert guarded.post(path, json=sent, headers=bearer(ring, ANY_USER)).status_code == 422
    for path in ("/documents/file?source=a.md", "/import"):
        sent = {"content": b"lost note", "headers": bearer(ring, ANY_USER, "admin")}
        assert guarded.post(path, **sent).status_code == 422
    assert memory.get_all(user_id="default") == before


def test_a_space_is_shared_by_its_keys(guarded: TestClient, ring: KeyRing) -> None:
    one, other = bearer(ring, "space:kitchen"), bearer(ring, "space:kitchen", "reader")
    guarded.post("/memories", json={"messages": "The tap drips."}, headers=one)
    assert len(guarded.get("/memories", headers=other).json()["items"]) == 1
    assert guarded.get("/memories?user_id=space:attic", headers=other).status_code == 403


def test_too_many_requests_are_told_to_wait(guarded: TestClient, ring: KeyRing) -> None:
    headers = bearer(ring, ADA, rate_per_minute=3)
    answers = [guarded.get("/memories", headers=headers) for _ in range(4)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert guarded.get("/memories", headers=bearer(ring, BO)).status_code == 200


def test_a_body_that_is_too_long_for_its_key_is_refused(guarded: TestClient, ring: KeyRing) -> None:
    headers = bearer(ring, ADA, max_body_bytes=200)
    assert guarded.post("/memories", json={"messages": "x"}, headers=headers).status_code == 201
    assert guarded.post("/memories", json={"messages": "x" * 300}, headers=headers).status_code == 413

    def pieces():
        yield from (b'{"messages": "', b"x" * 150, b"x" * 150, b'"}')

    typed = headers | {"Content-Type": "application/json"}
    answer = guarded.post("/memories", content=pieces(), headers=typed)
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")


def test_every_write_is_audited_and_no_words_are_logged(
    guarded: TestClient, ring: KeyRing, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="recollect"):
        headers = bearer(ring, ADA)
        (memory_id,) = (
            one["id"]
            for one in guarded.post("/memories", json={"messages": "xylophone"}, headers=headers).json()[
                "results"
            ]
        )
        guarded.post("/search", json={"query": "xylophone?"}, headers=headers)
        guarded.get(f"/memories/{memory_id}/why", params={"query": "xylophone"}, headers=headers)
        guarded.post("/api/config/apikey", json={"apiKey": "sk-very-secret"}, headers=headers)
        guarded.post("/api/chat", json={"message": "xylophone!", "apiKey": ""}, headers=headers)
        guarded.delete(f"/memories/{memory_id}?reason=xylophone", headers=headers)
    written = [record for record in caplog.records if record.name == "recollect.server.audit"]
    assert [(one.route, one.user, one.ids, one.key) for one in written] == [
        ("/memories", ADA, [memory_id], "1"),
        ("/api/config/apikey", None, [], "1"),
        ("/memories/{memory_id}", ADA, [memory_id], "1"),
    ]
    everything = " ".join(str(vars(record)) for record in caplog.records)
    assert "xylophone" not in everything
    assert "secret" not in everything


def test_a_model_key_is_used_for_its_owner_and_told_to_nobody(guarded: TestClient, ring: KeyRing) -> None:
    ada, bo = bearer(ring, ADA), bearer(ring, BO)
    assert guarded.post("/api/config/apikey", json={"apiKey": "sk-very-secret"}, headers=ada).json() == {
        "success": True
    }
    told = [guarded.get("/api/stats", headers=headers) for headers in (ada, bo)]
    assert [one.json()["hasApiKey"] for one in told] == [True, False]
    assert guarded.get("/api/health").json()["hasApiKey"] is False
    bad = guarded.post("/api/config/apikey", json={"apiKey": "sk very secret"}, headers=ada)
    assert bad.status_code == 422
    assert all("very" not in one.text for one in (*told, bad))


def test_a_model_key_for_everyone_wants_an_admin_for_any_user(guarded: TestClient, ring: KeyRing) -> None:
    def give(owner: str, role: str) -> int:
        headers = bearer(ring, owner, role)
        return guarded.post("/api/config/apikey", json={"apiKey": "sk-1"}, headers=headers).status_code

    assert give(ANY_USER, "writer") == 403
    assert guarded.get("/api/health").json()["hasApiKey"] is False
    assert (give(ADA, "writer"), give(ANY_USER, "admin")) == (200, 200)
    assert guarded.get("/api/health").json()["hasApiKey"] is True


def test_what_a_key_used_of_the_servers_model_is_its_own(memory: Memory, ring: KeyRing) -> None:
    def counting(tasks: dict[str, Any]) -> ModelRouter:
        return ModelRouter({task: EchoModel() for task in tasks})

    models = ModelDesk(api_key="k", make=counting)
    app = create_app(memory, settings=ServerSettings(learn=False), keys=ring, models=models)
    with TestClient(app, base_url=LOCAL) as client:
        ada, bo, every = bearer(ring, ADA), bearer(ring, BO), bearer(ring, ANY_USER)
        for body in ({}, {}, {"apiKey": "mine"}):
            client.post("/api/chat", json={"message": "Tea?"} | body, headers=ada)
        client.post("/api/config/apikey", json={"apiKey": "k2"}, headers=ada)
        client.post("/api/chat", json={"message": "Tea?"}, headers=bo)
        asked = (("/api/stats", ada), ("/api/stats", bo), ("/api/stats?user_id=ada", every))
        calls = [client.get(path, headers=one).json()["usage"]["calls"] for path, one in asked]
    assert calls == [3, 1, 4]


def test_the_audit_names_what_was_written_and_nothing_that_was_read(
    guarded: TestClient, ring: KeyRing, caplog: pytest.LogCaptureFixture
) -> None:
    headers = bearer(ring, ADA, "admin")
    lines = {**headers, "Content-Type": "application/x-ndjson"}
    ids = [
        one["id"]
        for one in guarded.post(
            "/memories", json={"messages": [f"note {n}" for n in range(102)]}, headers=headers
        ).json()["results"]
    ]
    with caplog.at_level(logging.INFO, logger="recollect.server.audit"):
        caplog.clear()  # a test before it may have started a server, which logs from INFO on
        export = guarded.get("/export", headers=headers).content
        for path in ("/metrics", "/jobs"):
            assert guarded.get(path, headers=headers).status_code == 200
        assert guarded.delete("/memories?all=true", headers=headers).json() == {"deleted": 102}
        guarded.post("/purge", headers=headers)
        guarded.post("/import", content=export, headers=lines)
        guarded.post("/import", content=export, headers=lines)
    written = [one for one in caplog.records if one.name == "recollect.server.audit"]
    assert [(one.route, one.count, len(one.ids)) for one in written] == [
        ("/memories", 102, 100),
        ("/purge", 102, 100),
        ("/import", 102, 100),
        ("/import", 0, 0),
    ]
    assert all(set(one.ids) <= set(ids) for one in written)


@pytest.mark.parametrize("stream", [False, True])
def test_the_audit_names_both_turns_of_a_chat(
    memory: Memory, stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(memory, settings=ServerSettings(learn=False), models=ModelDesk(make=echoing))
    with (
        TestClient(app, base_url=LOCAL) as client,
        caplog.at_level(logging.INFO, logger="recollect.server.audit"),
    ):
        for message in (" ", "Tea?"):
            client.post("/api/chat", json={"message": message, "apiKey": "k", "stream": stream})
        kept = [one.id for one in memory.get_all(user_id="default")]
    (written,) = [one for one in caplog.records if one.name == "recollect.server.audit"]
    assert (written.route, written.ids, written.count) == ("/api/chat", kept, 2)


def test_a_key_for_one_user_sees_that_users_jobs_alone(
    guarded: TestClient, ring: KeyRing, memory: Memory
) -> None:
    for user in (BO, ADA):
        memory.add("Tea.", user_id=user, session_id="s")
        memory.sessions.end("s", user_id=user)
    for owner, seen in ((ADA, {ADA}), (BO, {BO}), (ANY_USER, {ADA, BO})):
        headers = bearer(ring, owner, "admin")
        told = guarded.get("/jobs", headers=headers).json()
        assert {one["user_id"] for one in told["waiting"]} == seen
        assert (told["failed"], told["next_cursor"]) == ([], None)


# No key reads or writes outside its scope, whatever ids, filters, cursors or headers say.

SECRET = "xylophone"


@pytest.fixture(scope="module")
def two_users(tmp_path_factory: pytest.TempPathFactory):
    """A server with the memories of Bo, and a client with a key of Ada's."""
    memory = Memory(tmp_path_factory.mktemp("scope") / "m.db", embedder="hashing")
    ring = KeyRing(memory.parts.store)
    ids = [
        str(one.id)
        for one in memory.add([f"The {SECRET} is Bo's.", f"A second {SECRET}."], user_id=BO, session_id="s")
    ]
    gone = str(memory.add(f"A {SECRET} that was deleted.", user_id=BO)[0].id)
    memory.delete(gone, user_id=BO)
    before = memory.get_all(user_id=BO)
    app = create_app(memory, settings=ServerSettings(learn=False, rate_per_minute=1_000_000), keys=ring)
    with TestClient(app, base_url=LOCAL, raise_server_exceptions=False) as client:
        yield client, memory, bearer(ring, ADA, "admin"), [*ids, gone], before


SEND: list[tuple[str, str, dict[str, Any] | None]] = [
    ("GET", "/memories", None),
    ("GET", "/memories/deleted", None),
    ("GET", "/memories/{id}", None),
    ("GET", "/memories/{id}/history", None),
    ("GET", "/memories/{id}/why", None),
    ("GET", "/memories/{id}/links", None),
    ("GET", "/timeline?kind=message", None),
    ("GET", "/graph", None),
    ("GET", "/conflicts", None),
    ("GET", "/jobs", None),
    ("GET", "/sessions", None),
    ("GET", "/sessions/s", None),
    ("GET", "/projects", None),
    ("POST", "/projects/rename", {"old": "github.com/bo/app", "new": "x"}),
    ("GET", "/documents", None),
    ("GET", "/documents/{id}", None),
    ("DELETE", "/documents/{id}", None),
    ("POST", "/documents/search", {"query": "instrument"}),
    ("GET", "/export", None),
    ("GET", "/thresholds", None),
    ("PUT", "/thresholds/task", {"threshold": 0.6}),
    ("POST", "/thresholds/reset", {}),
    ("GET", "/api/stats", None),
    ("PUT", "/memories/{id}", {"content": "changed"}),
    ("DELETE", "/memories/{id}", None),
    ("DELETE", "/memories?all=true", None),
    ("POST", "/memories/{id}/restore", {}),
    ("POST", "/memories/{id}/archive", {}),
    ("POST", "/memories/{id}/reinforce", {}),
    ("POST", "/memories/{id}/use", {}),
    ("POST", "/memories/{id}/links", {"target_id": "{id}"}),
    ("POST", "/search", {"query": "instrument"}),
    ("POST", "/context", {"query": "instrument"}),
    ("POST", "/answer", {"message": "what do you know about me?"}),
    ("POST", "/feedback", {"memory_id": "{id}", "useful": False}),
    ("POST", "/feedback", {"memory_id": "{id}", "useful": True, "query": "instrument"}),
    ("POST", "/conflicts/resolve", {"keep": "{id}"}),
    ("POST", "/sessions/s/end", {}),
    ("POST", "/purge", None),
    ("POST", "/api/chat", {"message": "which instrument?"}),
]
FILTERS = [
    {"user_id": BO},
    {"or": [{"user_id": BO}]},
    {"not": {"content": "x"}},
    {"session_id": "s"},
    {"or": []},
]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_key_reads_or_writes_outside_its_scope(two_users, data: st.DataObject) -> None:
    client, memory, headers, ids, before = two_users
    method, path, body = data.draw(st.sampled_from(SEND))
    memory_id = data.draw(st.sampled_from(ids))
    path = path.replace("{id}", memory_id)
    query: dict[str, Any] = {}
    named = data.draw(st.sampled_from([None, None, BO, "*", "bo ", ADA, "space:bo", "BO"]))
    extra = data.draw(
        st.sampled_from([{}, {"X-User-Id": BO}, {"X-Forwarded-User": BO}, {"X-API-Key": "rcl_1_x"}])
    )
    if body is None:
        query |= {"user_id": named} if named else {}
    else:
        body = json.loads(json.dumps(body).replace("{id}", memory_id))
        user_field = "userId" if path == "/api/chat" else "user_id"
        body |= {user_field: named} if named else {}
        query |= data.draw(st.sampled_from([{}, {"user_id": BO}]))
    wanted = data.draw(st.sampled_from(FILTERS))
    if path in ("/search", "/context"):
        body |= {"filters": wanted, "session_id": "s"} if data.draw(st.booleans()) else {}
    elif path == "/memories":
        query |= {"filters": json.dumps(wanted)} if data.draw(st.booleans()) else {}
        query |= (
            {"cursor": data.draw(st.sampled_from(["AAAA", "Ym8", "MDAw", "_"]))}
            if data.draw(st.booleans())
            else {}
        )
    joined = path + ("&" if "?" in path else "?") + urlencode(query)
    answer = client.request(method, joined, json=body, headers=headers | extra)
    assert answer.status_code < 500, answer.text
    assert SECRET not in answer.text
    if named not in (None, ADA) and path != "/jobs":
        assert answer.status_code in (403, 404, 422), (method, joined, answer.text)
    assert memory.get_all(user_id=BO) == before
    assert len(memory.deleted(user_id=BO)) == 1
    assert {one.scope.user_id for one in memory.get_all(user_id=ADA)} <= {ADA}
    assert not set(memory.parts.store.user_ids()) - {ADA, BO}


def test_a_key_of_a_space_in_which_nobody_is_says_so(tmp_path: Path) -> None:
    db = ("--db", str(tmp_path / "m.db"))
    make = ["keys", "create", "--space", "kitchen", *db]
    done = CliRunner().invoke(command, make)
    assert (done.exit_code, "nobody is in the space kitchen yet" in done.stderr) == (0, True)
    CliRunner().invoke(command, ["spaces", "add", "kitchen", "ada", *db])
    assert "nobody" not in CliRunner().invoke(command, make).output

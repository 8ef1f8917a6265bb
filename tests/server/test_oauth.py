"""Hosted apps sign in: with the SDK's own client, and with requests that no good client sends."""

import asyncio
import base64
import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from starlette.testclient import TestClient
from tests.server.test_mcp import served, told
from typer.testing import CliRunner

from recollect.cli import app as command
from recollect.errors import InvalidInputError
from recollect.server import KeyRing, ServerSettings
from recollect.server.mcp import Held, make_mcp
from recollect.server.mcp_http import PATH, mcp_app
from recollect.server.oauth.grants import ACCESS_S, REFRESH_S
from recollect.server.oauth.routes import SignIn, checked_url
from recollect.types import Scope

URL = "https://memory.example.org"
CALLBACK = "https://claude.example/callback"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


class Site:
    """A server that apps reach, a person's browser, and a clock."""

    def __init__(self, held: Held) -> None:
        self.held = held
        self.now = 1_800_000_000.0
        store = held.get().parts.store
        self.ring = KeyRing(store)
        self.key, self.key_text = self.ring.create(owner="ada", role="writer")
        self.sign_in = SignIn(store, self.ring, public_url=URL, path=PATH, now=lambda: self.now)
        self.app = self.started()
        self.browser = self.client()

    def started(self) -> Any:
        settings = ServerSettings(allowed_hosts=("memory.example.org",))
        server = make_mcp(self.held, Scope(user_id="nobody"))
        return mcp_app(server, settings=settings, keys=self.ring, sign_in=self.sign_in)

    def client(self) -> TestClient:
        return TestClient(self.app, base_url=URL, follow_redirects=False)

    def register(self, **more: Any) -> str:
        said = {"redirect_uris": [CALLBACK], "client_name": "Claude", **more}
        answer = self.browser.post("/register", json=said)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["client_id"])

    def authorize(self, client_id: str, **more: str | None) -> Any:
        asked: dict[str, str | None] = {
            "client_id": client_id,
            "redirect_uri": CALLBACK,
            "response_type": "code",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "s1",
            **more,
        }
        return self.browser.get(f"/authorize?{urlencode({k: v for k, v in asked.items() if v is not None})}")

    def ask(self, client_id: str, **more: str | None) -> str:
        """Open the page of consent; returns the request's name."""
        answer = self.authorize(client_id, **more)
        assert answer.status_code == 302, answer.text
        page = self.browser.get(answer.headers["location"])
        assert page.status_code == 200, page.text
        return query_of(answer.headers["location"])["request"]

    def answer(self, request: str, *, browser: TestClient | None = None, **more: str) -> Any:
        said = {"request": request, "key": self.key_text, "access": "writer", "answer": "allow", **more}
        return (browser or self.browser).post("/consent", data=said, headers={"Origin": URL})

    def code(self, client_id: str, **more: str | None) -> str:
        sent = self.answer(self.ask(client_id, **more))
        assert sent.status_code == 303, sent.text
        return query_of(sent.headers["location"])["code"]

    def tokens(self, client: str, given: str, **more: str | None) -> Any:
        said: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "client_id": client,
            "code": given,
            "code_verifier": VERIFIER,
            "redirect_uri": CALLBACK,
            **more,
        }
        return self.browser.post("/token", data={k: v for k, v in said.items() if v is not None})

    def refreshed(self, client_id: str, token: str) -> Any:
        said = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": token}
        return self.browser.post("/token", data=said)

    def opens(self, token: str) -> int:
        """The status of the answer that a token gets from a server that remembers none."""
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        with TestClient(self.started(), base_url=URL) as client:
            return client.post(PATH, json=HELLO, headers=headers).status_code


@pytest.fixture
def site(held: Held) -> Site:
    return Site(held)


def run(*words: str) -> Any:
    return CliRunner().invoke(command, words)


def query_of(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


# With the SDK's client


class Storage:
    """Keeps what a client was given."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.info: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.info

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.info = client_info


async def signed_in(url: str, key_text: str, storage: Storage) -> httpx2.AsyncClient:
    """A client of the SDK; where it leads a person, the person gives a key."""
    sent: list[str] = []

    async def lead(address: str) -> None:
        async with httpx2.AsyncClient() as browser:
            page = await browser.get(address, follow_redirects=True)
            name = query_of(str(page.url))["request"]
            said = {"request": name, "key": key_text, "access": "writer", "answer": "allow"}
            done = await browser.post(
                url.removesuffix(PATH) + "/consent", data=said, headers={"Origin": url.removesuffix(PATH)}
            )
            sent.append(done.headers["location"])

    async def back() -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**query_of(sent[-1]))

    about = OAuthClientMetadata(redirect_uris=["http://127.0.0.1:9/callback"], client_name="Test")  # type: ignore[list-item]
    auth = OAuthClientProvider(url, about, storage, redirect_handler=lead, callback_handler=back)
    return httpx2.AsyncClient(auth=auth)


def test_the_sdks_client_registers_asks_and_uses_the_memory_of_the_person(held: Held) -> None:
    store = held.get().parts.store
    ring = KeyRing(store)
    _, text = ring.create(owner="ada", role="writer")
    held.get().add("Bo has tea at six.", user_id="bo")
    storage = Storage()

    async def use() -> list[str]:
        from tests.ports import free_port

        port = free_port()
        public = f"http://127.0.0.1:{port}"
        sign_in = SignIn(store, ring, public_url=public, path=PATH)
        app = mcp_app(
            make_mcp(held, Scope(user_id="nobody")), settings=ServerSettings(), keys=ring, sign_in=sign_in
        )
        found = []
        async with served(app, port=port) as url:
            for _ in range(2):  # the second time with the tokens that it keeps
                async with (
                    await signed_in(url, text, storage) as http,
                    Client(streamable_http_client(url, http_client=http)) as client,
                ):
                    told(await client.call_tool("add", {"content": "Ada has tea at five."}))
                    found.append(told(await client.call_tool("search", {"query": "tea"})))
        return found

    for lines in asyncio.run(use()):
        assert "user: Ada has tea at five." in lines
        assert "Bo" not in lines
    assert storage.info is not None
    assert storage.info.client_secret is None
    assert storage.tokens is not None
    kept = json.dumps(store.states(Scope(user_id="ada")))
    for token in (storage.tokens.access_token, storage.tokens.refresh_token or ""):
        assert token not in kept
        assert token.split("_", 3)[3] not in kept


def test_the_whole_way_is_described_to_clients(site: Site) -> None:
    refused = site.browser.post(PATH, json=HELLO)
    assert refused.status_code == 401
    where = refused.headers["www-authenticate"].split('"')[1]
    about = site.browser.get(where).json()
    assert (about["resource"], about["authorization_servers"]) == (URL + PATH, [URL])
    server = site.browser.get("/.well-known/oauth-authorization-server").json()
    assert server["issuer"] == URL
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["token_endpoint_auth_methods_supported"] == ["none"]
    for name in ("authorization", "token", "registration", "revocation"):
        assert server[f"{name}_endpoint"].startswith(f"{URL}/")


# Registration


def test_who_registers_gets_no_secret_and_fills_no_store(site: Site) -> None:
    before = site.held.get().parts.store.states(Scope(user_id="\x1fsettings"))
    answer = site.browser.post(
        "/register",
        json={"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "client_secret_post"},
    )
    assert answer.status_code == 201
    assert answer.json().get("client_secret") is None
    assert answer.json()["token_endpoint_auth_method"] == "none"
    assert site.held.get().parts.store.states(Scope(user_id="\x1fsettings")) == before


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.example/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://claude.example/callback#part",
        "https://user:secret@claude.example/callback",
        "https://a;script-src/callback",
        "https://" + "x" * 60 + ".example/" + "y" * 2_000,
    ],
)
def test_an_address_to_which_nothing_may_be_sent_is_not_registered(site: Site, address: str) -> None:
    answer = site.browser.post("/register", json={"redirect_uris": [address]})
    assert answer.status_code == 400
    assert "client_id" not in answer.text


@pytest.mark.parametrize("said", [b"{", b"[]", b"{}", b'{"redirect_uris": []}', b'{"redirect_uris": "x"}'])
def test_a_registration_that_cannot_be_read_is_refused(site: Site, said: bytes) -> None:
    assert site.browser.post("/register", content=said).status_code == 400


def test_an_id_that_the_server_did_not_give_is_unknown(site: Site) -> None:
    own = site.register()
    payload, _, mac = own.removeprefix("rca_").rpartition(".")
    forged = base64.urlsafe_b64encode(
        json.dumps({"name": "Claude", "to": ["https://evil.example/"]}).encode()
    ).decode()
    for client_id in ("x", "rca_.", f"rca_{forged}.{mac}", f"rca_{payload}.{'0' * 64}", own + "é"):
        answer = site.authorize(client_id, redirect_uri="https://evil.example/")
        assert answer.status_code == 400
        assert "location" not in answer.headers


# Asking


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "admin"}, "invalid_scope"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
    ],
)
def test_a_wrong_request_is_told_to_the_app_and_asks_nobody(
    site: Site, wrong: dict[str, str | None], error: str
) -> None:
    answer = site.authorize(site.register(), **wrong)
    assert answer.status_code == 302
    assert answer.headers["location"].startswith(CALLBACK)
    assert query_of(answer.headers["location"])["error"] == error


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/callback",
        CALLBACK + "/more",
        CALLBACK + "?x=1",
        "https://claude.example.evil.example/callback",
        "//evil.example",
        "javascript:alert(1)",
    ],
)
@pytest.mark.parametrize("broken", [{}, {"code_challenge": None}, {"response_type": "token"}])
def test_nobody_is_sent_to_an_address_that_is_not_registered(
    site: Site, address: str, broken: dict[str, str | None]
) -> None:
    answer = site.authorize(site.register(), redirect_uri=address, **broken)
    assert answer.status_code == 400
    assert "location" not in answer.headers


def test_the_page_says_who_asks_and_cannot_be_framed_or_scripted(site: Site) -> None:
    name = "<script>alert(1)</script>\u202e"
    answer = site.authorize(site.register(client_name=name))
    page = site.browser.get(answer.headers["location"])
    assert "<script" not in page.text
    assert "\u202e" not in page.text
    assert "<strong>claude.example</strong>" in page.text
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    cookie = page.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "secure", "samesite=lax", "path=/consent"))


def test_a_person_who_denies_it_is_sent_back_and_nothing_is_allowed(site: Site) -> None:
    request = site.ask(site.register())
    sent = site.answer(request, answer="deny", key="")
    assert query_of(sent.headers["location"]) == {
        "error": "access_denied", "error_description": "the person denied it", "state": "s1", "iss": URL,
    }  # fmt: skip
    assert site.answer(request).status_code == 400


def test_a_form_that_another_site_or_browser_sends_allows_nothing(site: Site) -> None:
    request = site.ask(site.register())
    said = {"request": request, "key": site.key_text, "access": "writer", "answer": "allow"}
    foreign = site.browser.post("/consent", data=said, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    other = site.client()
    assert site.answer(request, browser=other).status_code == 400
    assert other.get(f"/consent?request={request}").status_code == 400
    other.cookies.set("recollect_consent", "guessed")
    assert site.answer(request, browser=other).status_code == 400
    assert site.answer(request).status_code == 303


def test_a_wrong_key_is_told_and_may_be_mended(site: Site) -> None:
    request = site.ask(site.register())
    _, everyone = site.ring.create(owner="*", role="admin")
    gone, revoked = site.ring.create(owner="ada", role="writer")
    site.ring.revoke(gone.id)
    for key in ("", "x", revoked, everyone, site.key_text[:-1]):
        answer = site.answer(request, key=key)
        assert answer.status_code == 403
        assert "location" not in answer.headers
    assert site.answer(request).status_code == 303


def test_a_request_is_over_after_ten_minutes(site: Site) -> None:
    request = site.ask(site.register())
    site.now += 601
    assert site.answer(request).status_code == 400
    assert site.browser.get(f"/consent?request={request}").status_code == 400


# Codes and tokens


def test_a_code_is_exchanged_once_and_its_second_use_ends_what_it_gave(site: Site) -> None:
    client = site.register()
    code = site.code(client)
    got = site.tokens(client, code).json()
    assert (got["token_type"], got["expires_in"], got["scope"]) == (
        "Bearer", ACCESS_S, "memory:read memory:write",
    )  # fmt: skip
    assert site.opens(got["access_token"]) == 200
    again = site.tokens(client, code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert site.opens(got["access_token"]) == 401
    assert site.refreshed(client, got["refresh_token"]).status_code == 400


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"code_verifier": "w" * 43}, 400),
        ({"code_verifier": None}, 400),
        ({"code_verifier": ""}, 400),
        ({"redirect_uri": "https://evil.example/callback"}, 400),
        ({"redirect_uri": None}, 400),
        ({"code": "x"}, 400),
        ({"grant_type": "password"}, 400),
        ({"grant_type": "client_credentials"}, 400),
        ({"client_id": "x"}, 401),
        ({"client_id": None}, 401),
    ],
)
def test_a_wrong_exchange_gives_nothing(site: Site, wrong: dict[str, str | None], status: int) -> None:
    client = site.register()
    answer = site.tokens(client, site.code(client), **wrong)
    assert answer.status_code == status
    assert "access_token" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_a_wrong_verifier_burns_the_code(site: Site) -> None:
    client = site.register()
    code = site.code(client)
    assert site.tokens(client, code, code_verifier="w" * 43).status_code == 400
    assert site.tokens(client, code).status_code == 400


def test_a_code_belongs_to_the_app_that_asked_and_is_over_after_a_minute(site: Site) -> None:
    client, other = site.register(), site.register(client_name="Other")
    assert site.tokens(other, site.code(client)).status_code == 400
    late = site.code(client)
    site.now += 61
    assert site.tokens(client, late).status_code == 400


def test_an_access_token_ends_and_is_renewed(site: Site) -> None:
    client = site.register()
    first = site.tokens(client, site.code(client)).json()
    site.now += ACCESS_S + 1
    assert site.opens(first["access_token"]) == 401
    second = site.refreshed(client, first["refresh_token"]).json()
    assert site.opens(second["access_token"]) == 200
    assert second["refresh_token"] != first["refresh_token"]


def test_a_spent_refresh_token_ends_all_of_its_grant(site: Site) -> None:
    client = site.register()
    first = site.tokens(client, site.code(client)).json()
    second = site.refreshed(client, first["refresh_token"]).json()
    assert site.refreshed(client, first["refresh_token"]).status_code == 400
    assert site.refreshed(client, second["refresh_token"]).status_code == 400
    assert site.opens(second["access_token"]) == 401


def test_a_refresh_token_is_of_one_app_and_ends_after_ninety_days(site: Site) -> None:
    client, other = site.register(), site.register(client_name="Other")
    got = site.tokens(client, site.code(client)).json()
    assert site.refreshed(other, got["refresh_token"]).status_code == 400
    site.now += REFRESH_S + 1
    assert site.refreshed(client, got["refresh_token"]).status_code == 400


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_an_app_gives_back_what_it_was_allowed(site: Site, kind: str) -> None:
    client, other = site.register(), site.register(client_name="Other")
    got = site.tokens(client, site.code(client)).json()
    assert site.browser.post("/revoke", data={"token": got[kind], "client_id": other}).status_code == 200
    assert site.browser.post("/revoke", data={"token": got[kind], "client_id": "x"}).status_code == 401
    assert site.browser.post("/revoke", data={"client_id": client}).status_code == 400
    assert site.sign_in.find(got["access_token"]) is not None
    assert site.browser.post("/revoke", data={"token": got[kind], "client_id": client}).status_code == 200
    assert site.browser.post("/revoke", data={"token": got[kind], "client_id": client}).status_code == 200
    assert site.opens(got["access_token"]) == 401
    assert site.refreshed(client, got["refresh_token"]).status_code == 400


def test_a_revoked_key_takes_its_apps_along(site: Site) -> None:
    client = site.register()
    got = site.tokens(client, site.code(client)).json()
    site.ring.revoke(site.key.id)
    assert site.opens(got["access_token"]) == 401
    assert site.refreshed(client, got["refresh_token"]).status_code == 400


@pytest.mark.parametrize(
    "token",
    [
        "rct_",
        "rct_1",
        "rct_1_x_y",
        "rct_x_x_x",
        "rct_99_aa_bb",
        "rcr_1_a_b",
        "",
        "\u00e9",
        "rct_1__",
        "_" * 99,
    ],
)
def test_a_token_that_nobody_gave_opens_nothing(site: Site, token: str) -> None:
    assert site.sign_in.find(token) is None


def test_a_refresh_token_opens_nothing_and_an_access_token_renews_nothing(site: Site) -> None:
    client = site.register()
    got = site.tokens(client, site.code(client)).json()
    assert site.opens(got["refresh_token"]) == 401
    assert site.refreshed(client, got["access_token"]).status_code == 400
    assert site.opens(got["access_token"]) == 200


@pytest.mark.parametrize(
    ("role", "scope", "access", "allowed"),
    [
        ("writer", None, "writer", "writer"),
        ("admin", None, "writer", "writer"),
        ("writer", None, "reader", "reader"),
        ("writer", "memory:read", "writer", "reader"),
        ("reader", None, "writer", "reader"),
        ("writer", None, "admin", "reader"),
    ],
)
def test_an_app_may_at_most_what_it_asked_the_person_chose_and_the_key_may(
    site: Site, role: Any, scope: str | None, access: str, allowed: str
) -> None:
    client = site.register()
    _, text = site.ring.create(owner="ada", role=role)
    sent = site.answer(site.ask(client, scope=scope), key=text, access=access)
    got = site.tokens(client, query_of(sent.headers["location"])["code"]).json()
    found = site.sign_in.find(got["access_token"])
    assert found is not None
    assert (found.owner, found.role, found.label) == ("ada", allowed, "Claude")
    assert ("memory:write" in got["scope"]) == (allowed == "writer")


def test_those_without_a_key_share_a_limit(held: Held) -> None:
    site = Site(held)
    settings = ServerSettings(allowed_hosts=("memory.example.org",), rate_per_minute=3)
    app = mcp_app(make_mcp(held, Scope(user_id="x")), settings=settings, keys=site.ring, sign_in=site.sign_in)
    client = TestClient(app, base_url=URL)
    codes = [client.post("/register", json={"redirect_uris": [CALLBACK]}).status_code for _ in range(4)]
    assert codes == [201, 201, 201, 429]


# The command


@pytest.mark.parametrize(
    "url",
    [
        "http://memory.example.org",
        "memory.example.org",
        "https://a.example/x",
        "ftp://a",
        "",
        "https://u:p@a.b",
    ],
)
def test_a_public_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidInputError, match="public address"):
        checked_url(url)


def test_apps_are_listed_and_revoked_with_the_keys(site: Site, tmp_path: Path) -> None:
    client = site.register()
    got = site.tokens(client, site.code(client)).json()
    db = str(tmp_path / "m.db")
    (listed,) = json.loads(run("keys", "list", "--db", db, "--json").stdout)
    (app,) = listed["apps"]
    assert (app["name"], app["access"]) == ("Claude", "writer")
    assert f"{app['id']}  Claude  writer  allowed " in run("keys", "list", "--db", db).stdout
    assert got["access_token"] not in run("keys", "list", "--db", db, "--json").stdout
    assert "revoked" in run("keys", "revoke", app["id"], "--db", db).stdout
    assert site.opens(got["access_token"]) == 401
    assert run("keys", "revoke", app["id"], "--db", db).exit_code == 1
    assert run("keys", "revoke", "1/x", "--db", db).exit_code == 1

"""Attacks on the sign-in of hosted apps and on team spaces, by requests that no good client sends."""

import asyncio
from typing import Any
from urllib.parse import urlencode

import pytest
from mcp.server.auth.provider import AuthorizationParams, TokenError
from pydantic import AnyUrl
from tests.server.test_mcp import with_key
from tests.server.test_oauth import CALLBACK, CHALLENGE, URL, Site, query_of

from recollect.server import KeyRing
from recollect.server.mcp import Held
from recollect.server.mcp_http import PATH
from recollect.server.oauth.clients import Clients
from recollect.server.oauth.grants import Grants
from recollect.server.oauth.provider import Provider
from recollect.server.teams import Teams
from recollect.types import Scope
from recollect.types.spaces import SPACE

KITCHEN = f"{SPACE}kitchen"


@pytest.fixture
def site(held: Held) -> Site:
    return Site(held)


def asked_twice(site: Site, client_id: str, name: str, values: tuple[str, str]) -> Any:
    asked = {
        "client_id": client_id,
        "redirect_uri": CALLBACK,
        "response_type": "code",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    pairs = [(one, value) for one, value in asked.items() if one != name] + [(name, one) for one in values]
    return site.browser.get(f"/authorize?{urlencode(pairs)}")


@pytest.mark.parametrize("turned", [False, True])
def test_an_address_that_is_named_twice_sends_nobody_elsewhere(site: Site, *, turned: bool) -> None:
    values = ("https://evil.example/", CALLBACK)
    answer = asked_twice(site, site.register(), "redirect_uri", values[::-1] if turned else values)
    assert "evil" not in answer.headers.get("location", "")


@pytest.mark.parametrize("turned", [False, True])
def test_a_method_that_is_named_twice_allows_no_plain_proof(site: Site, *, turned: bool) -> None:
    values = ("plain", "S256")
    client = site.register()
    answer = asked_twice(site, client, "code_challenge_method", values[::-1] if turned else values)
    if "consent" not in answer.headers.get("location", ""):
        return
    request = query_of(answer.headers["location"])["request"]
    site.browser.get(answer.headers["location"])
    code = query_of(site.answer(request).headers["location"])["code"]
    assert site.tokens(client, code, code_verifier=CHALLENGE).status_code == 400


def test_the_challenge_is_no_verifier(site: Site) -> None:
    client = site.register()
    assert site.tokens(client, site.code(client), code_verifier=CHALLENGE).status_code == 400


@pytest.mark.parametrize(
    "address",
    [
        "search-ms:query=x",
        "ms-msdt:/id",
        "intent://x#Intent;end",
        "chrome://settings",
        "tel:+4712345",
        "filesystem:https://x.example/y",
        "https://claude.example@evil.example/",
        "http://127.0.0.1.evil.example/",
        "http://evil.example/?localhost",
    ],
)
def test_an_answer_is_sent_to_no_handler_of_the_system_and_no_disguised_host(
    site: Site, address: str
) -> None:
    answer = site.browser.post("/register", json={"redirect_uris": [address]})
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize("scope", ["memory:read memory:write", "memory:write", "admin"])
def test_a_refresh_widens_nothing(site: Site, scope: str) -> None:
    client = site.register()
    sent = site.answer(site.ask(client), access="reader")
    got = site.tokens(client, query_of(sent.headers["location"])["code"]).json()
    said = {"grant_type": "refresh_token", "client_id": client, "refresh_token": got["refresh_token"]}
    answer = site.browser.post("/token", data={**said, "scope": scope})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_scope")
    found = site.sign_in.find(got["access_token"])
    assert found is not None
    assert found.role == "reader"


def test_a_code_that_is_used_again_while_its_tokens_are_made_gives_none(held: Held) -> None:
    store = held.get().parts.store
    ring = KeyRing(store)
    key, _ = ring.create(owner="ada", role="writer")
    grants, clients = Grants(store, ring), Clients(store)
    provider = Provider(clients, grants, issuer=URL, resource=URL + PATH)
    site = Site(held)
    client = clients.read(site.register())
    assert client is not None

    async def raced() -> None:
        name = query_of(await provider.authorize(client, _params()))["request"]
        code = query_of(provider.allow(name, key, "writer"))["code"]
        first = await provider.load_authorization_code(client, code)
        assert first is not None
        assert await provider.load_authorization_code(client, code) is None
        with pytest.raises(TokenError):
            await provider.exchange_authorization_code(client, first)

    asyncio.run(raced())
    assert grants.all() == []


def _params() -> AuthorizationParams:
    return AuthorizationParams(
        state=None,
        scopes=None,
        code_challenge=CHALLENGE,
        redirect_uri=AnyUrl(CALLBACK),
        redirect_uri_provided_explicitly=True,
    )


def test_a_key_that_is_revoked_before_the_code_is_used_gives_no_tokens(site: Site) -> None:
    client = site.register()
    code = site.code(client)
    site.ring.revoke(site.key.id)
    assert site.tokens(client, code).status_code == 400
    assert site.held.get().parts.store.states(Scope(user_id="ada")) == {}


def test_a_request_that_was_answered_is_answered_no_more(site: Site) -> None:
    for answer in ("allow", "deny"):
        request = site.ask(site.register())
        assert site.answer(request, answer=answer).status_code == 303
        assert site.answer(request).status_code == 400
        assert site.browser.get(f"/consent?request={request}").status_code == 400


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{URL}.evil.example"])
def test_a_form_of_another_site_allows_nothing(site: Site, origin: str) -> None:
    request = site.ask(site.register())
    said = {"request": request, "key": site.key_text, "access": "writer", "answer": "allow"}
    assert site.browser.post("/consent", data=said, headers={"Origin": origin}).status_code == 403
    assert site.browser.get(f"/consent?{urlencode(said)}").status_code == 200
    assert site.sign_in._grants.all() == []


def test_a_flood_of_requests_fills_neither_the_store_nor_the_memory(held: Held) -> None:
    store = held.get().parts.store
    clients = Clients(store)
    provider = Provider(clients, Grants(store, KeyRing(store)), issuer=URL, resource=URL + PATH)
    client = clients.read(Site(held).register())
    assert client is not None

    async def flood() -> list[str]:
        return [query_of(await provider.authorize(client, _params()))["request"] for _ in range(1_100)]

    names = asyncio.run(flood())
    assert sum(provider.waiting(name) is not None for name in names) == 1_000
    assert held.get().users() == []


def test_a_token_writes_to_a_space_only_as_long_as_its_person_may(held: Held) -> None:
    site = Site(held)
    teams = Teams(held.get().parts.store)
    teams.put(KITCHEN, "ada", "writer")
    client = site.register()
    token = site.tokens(client, site.code(client)).json()["access_token"]

    def shared(text: str) -> Any:
        call = ("add", {"content": text, "space": "kitchen"})
        return asyncio.run(with_key(held, site.sign_in, token, [call], teams=teams))[0]

    assert not shared("Tea at five.").is_error
    teams.put(KITCHEN, "ada", "reader")
    assert "may not write to the space" in shared("Tea at six.").content[0].text
    teams.remove(KITCHEN, "ada")
    assert "may not write to the space" in shared("Tea at seven.").content[0].text
    assert len(held.get().get_all(user_id=KITCHEN)) == 1


def test_a_token_to_read_writes_nowhere_though_its_person_runs_the_space(held: Held) -> None:
    site = Site(held)
    teams = Teams(held.get().parts.store)
    teams.put(KITCHEN, "ada", "admin")
    (one,) = held.get().add("Tea at five.", user_id=KITCHEN)
    client = site.register()
    sent = site.answer(site.ask(client), access="reader")
    token = site.tokens(client, query_of(sent.headers["location"])["code"]).json()["access_token"]
    calls: list[Any] = [
        ("add", {"content": "x", "space": "kitchen"}),
        ("add", {"content": "x"}),
        ("update", {"memory_id": one.id, "content": "x"}),
        ("delete", {"memory_id": one.id}),
    ]
    for answer in asyncio.run(with_key(held, site.sign_in, token, calls, teams=teams)):
        assert answer.is_error
    assert [kept.content for kept in held.get().get_all(user_id=KITCHEN)] == ["Tea at five."]
    assert held.get().get_all(user_id="ada") == []

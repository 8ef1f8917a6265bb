"""The page on which a person lets an app in, in a real browser: its form is sent, and leads to the app."""

import re
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from tests.ports import free_port
from tests.web.conftest import running

from recollect import Memory
from recollect.server import KeyRing, ServerSettings
from recollect.server.mcp import Held, make_mcp
from recollect.server.mcp_http import PATH, mcp_app
from recollect.server.oauth.routes import SignIn
from recollect.types import Scope

CALLBACK = "https://claude.example/callback"
ASKED = {
    "redirect_uri": CALLBACK,
    "response_type": "code",
    "code_challenge": "c" * 43,
    "code_challenge_method": "S256",
    "state": "s1",
}


@pytest.mark.parametrize(("answer", "said"), [("Allow", "code="), ("Deny", "error=access_denied")])
def test_a_person_allows_or_denies_and_is_led_to_the_app(
    browser: Any, tmp_path: Any, answer: str, said: str
) -> None:
    held = Held(lambda: Memory(tmp_path / "m.db", embedder="hashing"), learn=False)
    store, port = held.get().parts.store, free_port()
    ring, url = KeyRing(store), f"http://127.0.0.1:{port}"
    _, key = ring.create(owner="ada", role="writer")
    sign_in = SignIn(store, ring, public_url=url, path=PATH)
    app = mcp_app(make_mcp(held, Scope(user_id="x")), settings=ServerSettings(), keys=ring, sign_in=sign_in)
    with running(app, port=port):
        about = {"redirect_uris": [CALLBACK], "client_name": "Claude"}
        client_id = httpx2.post(f"{url}/register", json=about).json()["client_id"]
        context = browser.new_context()
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda told: wrong.append(told.text) if told.type == "error" else None)
        page.route(f"{CALLBACK}*", lambda route: route.fulfill(body="back in the app"))
        page.goto(f"{url}/authorize?{urlencode({**ASKED, 'client_id': client_id})}")
        page.get_by_label("Your key of this server").fill(key)
        page.get_by_role("button", name=answer).click()
        page.wait_for_url(re.compile(re.escape(CALLBACK)))
        assert said in page.url
        assert wrong == []
        context.close()
    held.close()

"""The page on which a person allows an app to use a memory, or denies it."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Final
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from recollect.server.keys import ANY_USER, Key, KeyRing, digest_of
from recollect.server.oauth.clients import shown_address
from recollect.server.oauth.grants import Access
from recollect.server.oauth.provider import CONSENT_S, Provider, Waiting, is_browser
from recollect.types.spaces import SPACE

COOKIE: Final = "recollect_consent"
_STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem;"
    "color-scheme:light dark}input,select,button{font:inherit;padding:.4rem .6rem;margin:.2rem 0 1rem;"
    "box-sizing:border-box}input,select{width:100%}button{margin-right:.5rem}.no{color:#b00020}"
    "@media (prefers-color-scheme:dark){.no{color:#ff8a80}}"
)
_STYLE_HASH: Final = b64encode(sha256(_STYLE.encode()).digest()).decode()
_PAGE: Final = """\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recollect</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>{style}</style></head>
<body><main><h1>{title}</h1>{body}</main></body></html>
"""
_FORM: Final = """\
<p>It calls itself <strong>{name}</strong>. Your answer is sent to <strong>{address}</strong>: allow it only
if you started this there.</p>{wrong}
<form method="post" action="/consent"><input type="hidden" name="request" value="{request}">
<label>Your key of this server<input name="key" type="password" autocomplete="off" autofocus></label>
<label>The app may<select name="access">{choices}</select></label>
<button name="answer" value="allow">Allow</button><button name="answer" value="deny">Deny</button></form>
"""
_READS: Final = '<option value="reader">read your memory</option>'
_WRITES: Final = '<option value="writer">read, add, change and delete</option>'
_OVER: Final = "This request is over, or was opened in another browser. Start again in the app."


class Consent:
    """Asks a person: the page, and what is done with its form."""

    def __init__(self, provider: Provider, ring: KeyRing, *, is_secure: bool) -> None:
        self._provider = provider
        self._ring = ring
        self._is_secure = is_secure

    async def ask(self, request: Request) -> Response:
        """The page. The first browser that opens it is the only one that may answer."""
        name, cookie = request.query_params.get("request", ""), request.cookies.get(COOKIE, "")
        asked = self._provider.waiting(name)
        if asked is None or (asked.browser is not None and not is_browser(asked, cookie)):
            return _told(_OVER)
        cookie = cookie or token_urlsafe(32)
        asked.browser = digest_of(cookie)
        page = _form(asked, name)
        page.set_cookie(
            COOKIE,
            cookie,
            max_age=int(CONSENT_S),
            path="/consent",
            secure=self._is_secure,
            httponly=True,
            samesite="lax",
        )
        return page

    async def answer(self, request: Request) -> Response:
        """What a person answered: back to the app, or the page again with what is wrong."""
        given = {name: str(value) for name, value in (await request.form(max_files=0)).items()}
        name = given.get("request", "")
        asked = self._provider.waiting(name)
        if asked is None or not is_browser(asked, request.cookies.get(COOKIE, "")):
            return _told(_OVER)
        if given.get("answer") == "deny":
            return _sent(self._provider.deny(name))
        if given.get("answer") != "allow":
            return _told(_OVER)
        key = await anyio.to_thread.run_sync(self._ring.find, given.get("key", "").strip())
        if wrong := _wrong_key(key):
            return _form(asked, name, wrong=wrong)
        if self._provider.waiting(name) is not asked or key is None:
            return _told(_OVER)
        return _sent(self._provider.allow(name, key, _access(given, asked, key)))


def _access(given: Mapping[str, str], asked: Waiting, key: Key) -> Access:
    """What is allowed: at most what the person chose, the app asked for and the key may."""
    writes = given.get("access") == "writer" and asked.wants_to_write and key.may("writer")
    return "writer" if writes else "reader"


def _wrong_key(key: Key | None) -> str:
    if key is None:
        return "This key is unknown, or was revoked."
    if key.owner == ANY_USER:
        return f"This key opens the memory of every user. Use one of a single user, or of a {SPACE}NAME."
    return ""


def _form(asked: Waiting, name: str, *, wrong: str = "") -> Response:
    address = str(asked.params.redirect_uri)
    body = _FORM.format(
        name=escape(asked.client.client_name or ""),
        address=escape(shown_address(address)),
        request=escape(name),
        choices=(_WRITES if asked.wants_to_write else "") + _READS,
        wrong=f'<p class="no" role="alert">{escape(wrong)}</p>' if wrong else "",
    )
    status = HTTPStatus.FORBIDDEN if wrong else HTTPStatus.OK
    return _page("An app asks for your memory", body, status=status, sends_to=_source_of(address))


def _told(words: str) -> Response:
    return _page("Recollect", f"<p>{escape(words)}</p>", status=HTTPStatus.BAD_REQUEST)


def _sent(address: str) -> Response:
    """On to the app, by GET, whatever the form's method was."""
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


def _source_of(address: str) -> str:
    """Where a browser may be sent behind the form, as a content security policy names it."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} else f"{parts.scheme}:"


def _page(title: str, body: str, *, status: int, sends_to: str = "") -> Response:
    policy = (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self' {sends_to}; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",  # with less, browsers send no origin with the form
    }
    return HTMLResponse(_PAGE.format(style=_STYLE, title=title, body=body), status, headers=headers)

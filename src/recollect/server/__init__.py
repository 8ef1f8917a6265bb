"""Recollect over HTTP and as an MCP server: thin handlers over one ``Memory``.

``create_app`` makes the HTTP application (the extra ``recollect[server]``), ``recollect serve`` runs it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from recollect.types.extras import optional_module

if TYPE_CHECKING:
    from fastapi import FastAPI

    from recollect.memory.memory import Memory
    from recollect.server.keys import Key, KeyRing
    from recollect.server.models import ModelDesk
    from recollect.server.settings import ServerSettings

__all__ = ["Key", "KeyRing", "ServerSettings", "create_app"]

_HOMES = {
    "Key": "recollect.server.keys",
    "KeyRing": "recollect.server.keys",
    "ServerSettings": "recollect.server.settings",
}
"""The module of each name, imported on first use to keep the MCP handshake fast."""


def create_app(
    memory: "Memory",
    *,
    settings: "ServerSettings | None" = None,
    keys: "KeyRing | None" = None,
    models: "ModelDesk | None" = None,
) -> "FastAPI":
    """Make the ASGI application that serves a memory over HTTP.

    On shutdown it finishes the requests in progress and closes the memory.

    Args:
        memory: The memory to serve.
        settings: Limits and permissions; None for the defaults.
        keys: The API keys, which requires one of each request. None requires none, and a client that sends
            none may do everything: bind the server to a loopback address. A key that is sent counts.
        models: The models that answer chats; by default none, until a client sets a key.

    Raises:
        MissingExtraError: The extra ``server`` is not installed.
    """
    optional_module("fastapi", feature="the server", extra="server")
    from recollect.server.app import make_app
    from recollect.server.settings import ServerSettings

    return make_app(memory, settings=settings or ServerSettings(), keys=keys, models=models)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

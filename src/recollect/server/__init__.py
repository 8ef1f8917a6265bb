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
"""Where each name lives; it is imported when first used, so that an MCP client's handshake is quick."""


def create_app(
    memory: "Memory",
    *,
    settings: "ServerSettings | None" = None,
    keys: "KeyRing | None" = None,
    models: "ModelDesk | None" = None,
) -> "FastAPI":
    """The HTTP application over a memory. It is an ASGI application: any ASGI server runs it.

    When the application shuts down, calls under way are finished and the memory is closed.

    Args:
        memory: What is served.
        settings: Limits, and what is allowed; None for the usual.
        keys: Who may do what. Without keys everyone who reaches the server may do everything: bind it to
            a loopback address.
        models: Who answers in chats; by default nobody does, until the server is given a key.

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

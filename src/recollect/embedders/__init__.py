"""Embedders: what turns text into vectors.

``contextual``, the default, and ``static`` are bundled and offline. The others need an extra, and are
imported when first used.
"""

import logging
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from recollect.errors import InvalidInputError, as_given
from recollect.protocols import Embedder, Store

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from recollect.embedders.adapter import (
        FastEmbedEmbedder,
        FunctionEmbedder,
        Model2VecEmbedder,
        SentenceTransformersEmbedder,
    )
    from recollect.embedders.contextual import ContextualEmbedder
    from recollect.embedders.hashing import HashingEmbedder
    from recollect.embedders.openai import OpenAIEmbedder
    from recollect.embedders.static import StaticEmbedder

__all__ = [
    "ContextualEmbedder",
    "FastEmbedEmbedder",
    "FunctionEmbedder",
    "HashingEmbedder",
    "Model2VecEmbedder",
    "OpenAIEmbedder",
    "SentenceTransformersEmbedder",
    "StaticEmbedder",
    "advice_for",
    "embedder_for",
    "embedder_of",
    "open_embedder",
]

DEFAULT_EMBEDDER = "contextual"
"""Of a new store; why, with figures: docs/use/embedders.md."""

_LOG: Final = logging.getLogger(__name__)
_GROUP = "recollect.embedders"

# What may be asked for, and the class that answers. The names stores remember are here too.
_EMBEDDERS = {
    "static": "recollect.embedders.static:StaticEmbedder",
    "recollect-static-v2": "recollect.embedders.static:StaticEmbedder",
    "contextual": "recollect.embedders.contextual:ContextualEmbedder",
    "recollect-contextual-v2": "recollect.embedders.contextual:ContextualEmbedder",
    "hashing": "recollect.embedders.hashing:HashingEmbedder",
    "mock-semantic-model-v1": "recollect.embedders.hashing:HashingEmbedder",
    "sentence-transformers:NAME": "recollect.embedders.adapter:SentenceTransformersEmbedder",
    "model2vec:NAME": "recollect.embedders.adapter:Model2VecEmbedder",
    "fastembed:NAME": "recollect.embedders.adapter:FastEmbedEmbedder",
    "openai:NAME": "recollect.embedders.openai:OpenAIEmbedder",
    "openai/NAME": "recollect.embedders.openai:OpenAIEmbedder",
}
REPLACED: Final = {"recollect-static-v1": 256}
"""Embedders that stores may remember and that are no longer shipped, with the dimensions of their vectors."""


def embedder_of(given: object) -> Embedder:
    """The embedder that is given: by its name, as it is, or as a function of texts.

    Raises:
        InvalidInputError: It is something else, or nothing has this name.
        MissingExtraError, EmbedderError: As in ``open_embedder``.
    """
    if isinstance(given, str):
        return open_embedder(given)
    if not isinstance(given, type):
        if isinstance(given, Embedder):
            return given
        if callable(given):
            from recollect.embedders.adapter import FunctionEmbedder

            return FunctionEmbedder(given)
    raise InvalidInputError(
        f"embedder must be a name, an Embedder or a function from texts to vectors, not {as_given(given)}"
    )


def embedder_for(store: Store, given: object = None) -> Embedder:
    """The embedder of a store: the one ``given``, else the one the store remembers, else the default.

    A better bundled embedder than the one a store remembers is logged, at INFO: see ``advice_for``.

    Raises:
        InvalidInputError, MissingExtraError, EmbedderError: As in ``embedder_of``.
    """
    if given is not None:
        return embedder_of(given)
    name = store.setting("embedder")
    if name is None:
        return open_embedder(DEFAULT_EMBEDDER)
    if advice := advice_for(name):
        _LOG.info("%s: %s", name, advice)
    from recollect.embedders.remembered import Remembered

    return Remembered(name)


def advice_for(name: str | None) -> str | None:
    """One line on what would find more than the embedder of this name; None if nothing bundled would."""
    if name != "recollect-static-v2" and name not in REPLACED:
        return None
    return (
        "recollect reembed gives this store the default embedder, which finds more in chats with an assistant"
    )


def open_embedder(spec: str = DEFAULT_EMBEDDER) -> Embedder:
    """The embedder a short text names.

    Another package adds its own by an entry point in the group ``recollect.embedders``; its object
    is called with what follows the colon, or with nothing.

    Args:
        spec: ``contextual``, ``static``, ``hashing``, or a kind and a model: ``sentence-transformers:NAME``,
            ``model2vec:NAME``, ``fastembed:NAME``, ``openai:NAME``. An embedder's ``name`` works too.
            ``openai/NAME`` is another spelling of ``openai:NAME``, and either may end in ``@`` and a number
            of dimensions: ``openai/text-embedding-3-small@512``.

    Raises:
        InvalidInputError: Nothing has this name; the message lists what has one.
        MissingExtraError: The package it needs is not installed.
        EmbedderError: The model cannot be loaded.

    Example:
        >>> open_embedder("hashing").name
        'mock-semantic-model-v1'
    """
    kind, _, model = _canonical(spec).partition(":")
    if kind == "function" and model:
        raise InvalidInputError(
            f"the embedder {as_given(spec)} is a function of your program; open it there with embedder="
        )
    target = _EMBEDDERS.get(f"{kind}:NAME" if model else spec)
    found = _plugin(kind, spec) if target is None else _load(target)
    factory = cast("Callable[..., Embedder]", found)
    return factory(model) if model else factory()


def check_named(spec: str) -> None:
    """Check that a text names an embedder, without loading it.

    Raises:
        InvalidInputError: Nothing has this name; the message lists what has one.
    """
    kind, _, model = _canonical(spec).partition(":")
    if (f"{kind}:NAME" if model else spec) not in _EMBEDDERS:
        _plugin_named(kind, spec)


def _canonical(spec: str) -> str:
    """The Shadow Memory specification writes ``openai/``; stores remember ``openai:``."""
    return f"openai:{spec.removeprefix('openai/')}" if spec.startswith("openai/") else spec


def _plugin(kind: str, spec: str) -> object:
    return _plugin_named(kind, spec).load()


def _plugin_named(kind: str, spec: str) -> "EntryPoint":
    from importlib.metadata import entry_points

    plugins = {plugin.name: plugin for plugin in entry_points(group=_GROUP)}
    if kind not in plugins:
        known = ", ".join([*_EMBEDDERS, *sorted(plugins)])
        raise InvalidInputError(f"no embedder is named {as_given(spec)}; known are: {known}")
    return plugins[kind]


def _load(target: str) -> object:
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def __getattr__(name: str) -> object:
    if name == "FunctionEmbedder":
        return _load("recollect.embedders.adapter:FunctionEmbedder")
    for target in _EMBEDDERS.values():
        if target.endswith(f":{name}"):
            return _load(target)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

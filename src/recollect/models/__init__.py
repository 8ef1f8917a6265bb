"""Language models: one client for every OpenAI-compatible server, and a scripted one for tests.

Nothing in Recollect needs a model; where one is given, it enriches.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.models.chat import ChatMessage, Completion, LanguageModel, Role, Usage
    from recollect.models.openai import OpenAIModel
    from recollect.models.parsing import parse_json
    from recollect.models.routing import ModelCall, ModelRouter, ModelTask, Route
    from recollect.models.scripted import ScriptedModel
    from recollect.models.usage import Costs, Price

__all__ = [
    "ChatMessage",
    "Completion",
    "Costs",
    "LanguageModel",
    "ModelCall",
    "ModelRouter",
    "ModelTask",
    "OpenAIModel",
    "Price",
    "Role",
    "Route",
    "ScriptedModel",
    "Usage",
    "parse_json",
]

_HOMES = {
    "chat": ("ChatMessage", "Completion", "LanguageModel", "Role", "Usage"),
    "openai": ("OpenAIModel",),
    "parsing": ("parse_json",),
    "routing": ("ModelCall", "ModelRouter", "ModelTask", "Route"),
    "scripted": ("ScriptedModel",),
    "usage": ("Costs", "Price"),
}
"""Where each name lives. It is imported when first used: a memory without a model needs none of them."""


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

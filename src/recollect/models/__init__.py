"""Language models: one client for every OpenAI-compatible server, and a scripted one for tests.

Nothing in Recollect needs a model; where one is given, it enriches.
"""

from recollect.models.chat import ChatMessage, Completion, LanguageModel, Role, Usage
from recollect.models.openai import OpenAIModel
from recollect.models.parsing import parse_json
from recollect.models.routing import ModelCall, ModelRouter, ModelTask, Route
from recollect.models.scripted import ScriptedModel
from recollect.models.usage import Price

__all__ = [
    "ChatMessage",
    "Completion",
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

"""What a server turned out to understand, and requests written so that it does."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from recollect.models.asking import Ask
from recollect.models.prompts.json_answer import json_answer
from recollect.types import JSON

Request: TypeAlias = dict[str, JSON]
"""The parameters of a request to ``/v1/chat/completions``."""

_WEAKER: Final[Mapping[str, Literal["mode", "words"]]] = {"schema": "mode", "mode": "words"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a server is believed to understand; everything, until it says otherwise.

    Attributes:
        json: How it can be asked for JSON: by ``schema``; by JSON ``mode``, with the schema in the
            prompt; by ``words`` alone.
        limit: What it calls the longest answer. ``max_tokens`` is what most servers know; OpenAI's
            reasoning models take only ``max_completion_tokens``.
        temperature: Whether it lets one be set; OpenAI's reasoning models do not.
        stream_options: Whether it can be asked to count a stream's tokens.
    """

    json: Literal["schema", "mode", "words"] = "schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    stream_options: bool = True

    def request(self, ask: Ask, *, model: str, temperature: float | None) -> Request:
        """The request that asks this of such a server."""
        request: Request = {"model": model, "messages": self._messages(ask)}
        if ask.max_tokens is not None:
            request[self.limit] = ask.max_tokens
        if temperature is not None and self.temperature:
            request["temperature"] = temperature
        if ask.json_schema is not None and self.json != "words":
            request["response_format"] = self._response_format(ask.json_schema)
        if ask.stream:
            request["stream"] = True
            if self.stream_options:
                request["stream_options"] = {"include_usage": True}
        return request

    def without(self, complaint: str, *, request: Request) -> "Abilities | None":
        """The abilities to assume after a server refused a request; None when nothing can be left out.

        What the complaint names is dropped first, otherwise the JSON schema.
        """
        if "max_tokens" in request and "max_completion_tokens" in complaint:
            return replace(self, limit="max_completion_tokens")
        if "temperature" in request and "temperature" in complaint:
            return replace(self, temperature=False)
        if "stream_options" in request and "stream_options" in complaint:
            return replace(self, stream_options=False)
        if "response_format" in request:
            return replace(self, json=_WEAKER[self.json])
        return None

    def _messages(self, ask: Ask) -> list[JSON]:
        messages = [(message.role, message.content) for message in ask.messages]
        if ask.json_schema is not None and self.json != "schema":
            # Below the last message, since many chat templates take a system message only first.
            role, content = messages[-1]
            messages[-1] = (role, f"{content}\n\n{json_answer(ask.json_schema)}")
        return [{"role": role, "content": content} for role, content in messages]

    def _response_format(self, schema: Mapping[str, JSON]) -> JSON:
        if self.json == "mode":
            return {"type": "json_object"}
        named: JSON = {"name": "answer", "schema": dict(schema), "strict": is_strict(schema)}
        return {"type": "json_schema", "json_schema": named}


def is_strict(schema: JSON) -> bool:
    """Whether OpenAI's strict mode takes a schema: every object is closed and must hold all it may hold.

    >>> schema = {"type": "object", "properties": {"a": {}}, "required": ["a"]}
    >>> is_strict(schema), is_strict({**schema, "additionalProperties": False})
    (False, True)
    """
    if isinstance(schema, (list, tuple)):
        return all(is_strict(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    properties, required = schema.get("properties"), schema.get("required")
    if schema.get("type") == "object" or isinstance(properties, Mapping):
        may = set(properties) if isinstance(properties, Mapping) else set()
        must = set(required) if isinstance(required, (list, tuple)) else set()
        if schema.get("additionalProperties") is not False or may != must:
            return False
    return all(is_strict(part) for part in schema.values())

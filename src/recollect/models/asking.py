"""What is asked of a model, checked before anything is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from recollect.checks import check_count, check_metadata, check_seconds, check_text
from recollect.errors import InvalidInputError, as_given
from recollect.models.chat import ChatMessage, Role
from recollect.types import JSON

_ROLES: Final = get_args(Role)
_MOST_TOKENS: Final = 10**9
"""More than any model answers. Chosen by hand."""
_MOST_RETRIES: Final = 20
"""Two minutes of waiting in all, at 8 seconds each. Chosen by hand."""
_HOTTEST: Final = 2.0
"""The highest temperature in OpenAI's API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What a caller asks for."""

    messages: tuple[ChatMessage, ...]
    max_tokens: int | None = None
    json_schema: Mapping[str, JSON] | None = None
    stream: bool = False


def check_ask(
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int | None = None,
    json_schema: Mapping[str, JSON] | None = None,
    stream: bool = False,
) -> Ask:
    """What a caller asks for, as it can be sent.

    Raises:
        InvalidInputError: An argument cannot be used.
    """
    if isinstance(messages, (str, Mapping)) or not isinstance(messages, Sequence) or not messages:
        raise InvalidInputError("messages must be a list of at least one ChatMessage")
    for place, message in enumerate(messages):
        _check_message(f"messages[{place}]", message)
    return Ask(
        messages=tuple(messages),
        max_tokens=None if max_tokens is None else check_count("max_tokens", max_tokens, most=_MOST_TOKENS),
        json_schema=None if json_schema is None else check_metadata("json_schema", json_schema),
        stream=stream,
    )


def _check_message(where: str, message: object) -> None:
    if not isinstance(message, ChatMessage) or not isinstance(message.content, str):
        raise InvalidInputError(f"{where} must be a ChatMessage(role='user', content='…')")
    if message.role not in _ROLES:
        raise InvalidInputError(
            f"{where} role must be one of {', '.join(_ROLES)}, not {as_given(message.role)}"
        )
    check_text(f"{where} content", message.content)


def check_settings(
    *, model: str, base_url: str | None, timeout_s: float, retries: int, temperature: float | None
) -> None:
    """A model's settings."""
    if not isinstance(model, str) or not model.strip():
        raise InvalidInputError("model must name a model of the server, such as 'gpt-4o-mini'")
    if base_url is not None and not str(base_url).startswith(("http://", "https://")):
        raise InvalidInputError("base_url must begin with http:// or https://, as http://localhost:11434/v1")
    if check_seconds("timeout_s", timeout_s) == 0:
        raise InvalidInputError("timeout_s must be above 0")
    if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= _MOST_RETRIES:
        raise InvalidInputError(
            f"retries must be a whole number from 0 to {_MOST_RETRIES}, not {as_given(retries)}"
        )
    if temperature is not None and check_seconds("temperature", temperature) > _HOTTEST:
        raise InvalidInputError(
            f"temperature must be a number from 0 to {_HOTTEST:g}, not {as_given(temperature)}"
        )

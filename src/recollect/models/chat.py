"""The role a language model fills, and what goes in and out of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from recollect.types import JSON

Role = Literal["system", "user", "assistant"]
"""Who speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a conversation with a model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What was used, by one call or by many.

    Attributes:
        calls: Requests that were answered, or whose answer was lost on the way.
        input_tokens: Tokens of the prompts.
        output_tokens: Tokens of the answers, a model's thinking included where the server counts it.
        estimated_calls: How many of ``calls`` the server did not count: their tokens are estimates.
        cost_usd: What that costs in US dollars; None when no price is known.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated_calls: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's answer.

    Attributes:
        text: Its words; never blank.
        finish_reason: Why it ended: ``stop``; ``length`` when it was cut at ``max_tokens``; ``""``
            when the server did not say.
        usage: What this call used.
        json: How JSON was asked for, if it was: by ``schema``, in JSON ``mode``, or in ``words`` alone.
    """

    text: str
    finish_reason: str
    usage: Usage
    json: Literal["schema", "mode", "words"] | None = None


@runtime_checkable
class LanguageModel(Protocol):
    """Answers messages. May be called from several threads at once."""

    @property
    def name(self) -> str:
        """What identifies the model: it is stored with what the model produced."""

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int | None = None,
        json_schema: Mapping[str, JSON] | None = None,
    ) -> Completion:
        """The whole answer.

        Args:
            messages: The conversation, oldest first; at least one.
            max_tokens: The longest answer wanted; the server's own limit when None.
            json_schema: What the answer shall look like as JSON. That is asked of the model as
                firmly as its server can; ``parse_json`` reads the answer.

        Raises:
            InvalidInputError: An argument cannot be used; nothing was sent.
            BudgetExceededError: The budget is spent; nothing was sent.
            ModelAnswerError: The model refused, said nothing or was not understood.
            ModelError: Anything else that kept it from answering.
        """

    def stream(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> Iterator[str]:
        """The answer in pieces, as they come; their sum is what ``complete`` would return.

        Nothing is sent before the first piece is asked for. What was used is counted when the
        stream ends, however it ends.

        Raises:
            InvalidInputError: An argument cannot be used; nothing was sent.
            BudgetExceededError: The budget is spent; nothing was sent.
            ModelAnswerError: The model refused or said nothing. Raised while iterating.
            ModelError: The stream broke; ``partial`` is what was said. Raised while iterating.
        """

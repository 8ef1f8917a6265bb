"""Any server that speaks OpenAI's ``/v1/chat/completions``, through the ``openai`` SDK."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Final, TypeVar

from recollect.checks import check_metadata
from recollect.models.abilities import Abilities, Request
from recollect.models.asking import Ask, check_ask, check_settings
from recollect.models.chat import ChatMessage, Completion, Usage
from recollect.models.client import connect
from recollect.models.failures import complaint_of
from recollect.models.reading import HeardAnswer
from recollect.models.retrying import Retrying
from recollect.models.sending import Sender
from recollect.models.usage import NO_COSTS, Costs, Metered, meter_of
from recollect.types import JSON

_COMPLAINTS: Final = frozenset({400, 422})
"""Statuses with which servers refuse a parameter."""

_Answer = TypeVar("_Answer")


class OpenAIModel(Metered):
    """A model behind an OpenAI-compatible server: OpenAI, Ollama, vLLM, LM Studio, OpenRouter and others.

    What may pass (time-outs, 408, 409, 429, 5xx, broken answers) is tried again, waiting longer each
    time or as long as the server asks; a stream only until its first words. A server that does not
    know JSON schemas is asked for JSON mode, then in words, and what it knows is remembered; so are
    the names and the settings that reasoning models do without.

    Args:
        model: The model's name at the server.
        base_url: The server, with its ``/v1``. When None, the SDK reads ``OPENAI_BASE_URL``, and it is
            OpenAI if that is not set.
        api_key: The key. When None, the SDK reads ``OPENAI_API_KEY`` if ``base_url`` is None too; a
            server named by ``base_url`` is sent no key from the environment.
        timeout_s: How long one try may take until the whole answer is there. In a stream: until the
            next piece is.
        retries: How often to try again.
        costs: What tokens cost, and how much may be spent.
        temperature: The sampling temperature; the server's default when None.
        extra_body: More fields for each request, as the server's own documentation has them.
        on_usage: Called with what each call used, streams too, in the thread of the call.
        sleep: What waits between tries; for tests.

    Raises:
        MissingExtraError: The SDK is not installed.
        ModelError: There is no key.
        InvalidInputError: A setting cannot be used.
    """

    def __init__(
        self,
        model: str = "gpt-4o-mini",
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        retries: int = 3,
        costs: Costs = NO_COSTS,
        temperature: float | None = None,
        extra_body: Mapping[str, JSON] | None = None,
        on_usage: Callable[[Usage], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        check_settings(
            model=model, base_url=base_url, timeout_s=timeout_s, retries=retries, temperature=temperature
        )
        self._model, self._temperature = model, temperature
        self._meter = meter_of(costs, on_usage=on_usage)
        self._client, self._endpoint = connect(
            self.name, model=model, base_url=base_url, api_key=api_key, timeout_s=timeout_s
        )
        self._sender = Sender(
            self._client,
            endpoint=self._endpoint,
            meter=self._meter,
            extra_body=None if extra_body is None else check_metadata("extra_body", extra_body),
        )
        self._retrying = Retrying(retries, sleep=sleep)
        self._abilities = Abilities()

    def __repr__(self) -> str:
        return f"OpenAIModel({self._model!r}, base_url={self.server!r})"

    @property
    def name(self) -> str:
        """What identifies the model: ``openai:`` and its name at the server."""
        return f"openai:{self._model}"

    @property
    def server(self) -> str:
        """The server's address, without user, password or query."""
        return self._endpoint.place

    def close(self) -> None:
        """Close the connections. Calls after that fail."""
        self._client.close()

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int | None = None,
        json_schema: Mapping[str, JSON] | None = None,
    ) -> Completion:
        """The whole answer; see ``LanguageModel.complete``."""
        ask = check_ask(messages, max_tokens=max_tokens, json_schema=json_schema)
        answer = self._asked(ask, lambda request: self._sender.answer(request, ask=ask))
        return answer if json_schema is None else replace(answer, json=self._abilities.json)

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> Generator[str, None, None]:
        """The answer in pieces, as they come; see ``LanguageModel.stream``.

        Close it to stop early (``contextlib.closing``): the connection is released at once.
        """
        ask = check_ask(messages, max_tokens=max_tokens, stream=True)
        self._meter.check()
        return self._streamed(ask)

    def _streamed(self, ask: Ask) -> Generator[str, None, None]:
        heard, first, words = self._asked(ask, lambda request: self._begun(request, ask))
        with closing(words), self._sender.failing(heard):
            yield first
            yield from words

    def _begun(self, request: Request, ask: Ask) -> tuple[HeardAnswer, str, Generator[str, None, None]]:
        """A stream whose first words have come: until then it can be tried again."""
        heard = HeardAnswer()
        words = self._sender.words(request, ask=ask, heard=heard)
        return heard, next(words), words

    def _asked(self, ask: Ask, send: Callable[[Request], _Answer]) -> _Answer:
        """What ``send`` makes of the request for ``ask``, tried as often as is allowed."""

        def attempt() -> _Answer:
            with self._sender.failing():
                return self._adapted(ask, send)

        return self._retrying(attempt)

    def _adapted(self, ask: Ask, send: Callable[[Request], _Answer]) -> _Answer:
        """The same, leaving out what the server complains of; what it took is remembered."""
        abilities = self._abilities
        while True:
            request = abilities.request(ask, model=self._model, temperature=self._temperature)
            try:
                answer = send(request)
            except Exception as error:
                if getattr(error, "status_code", None) not in _COMPLAINTS:
                    raise
                fewer = abilities.without(complaint_of(error), request=request)
                if fewer is None:
                    raise
                abilities = fewer
            else:
                self._abilities = abilities
                return answer

"""A model with scripted answers, for tests."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from recollect.errors import ModelError
from recollect.models.asking import Ask, check_ask
from recollect.models.chat import ChatMessage, Completion, Usage
from recollect.models.usage import Meter, Price
from recollect.text.tokens import estimate_tokens
from recollect.types import JSON


class ScriptedModel:
    """Gives the answers it was made with, one after the other: no network, no chance.

    Args:
        answers: What it says. An exception is raised instead of said.
        name: Its name.
        price: What tokens cost, if a test is about money.
        budget_tokens: From how many tokens on it refuses.

    Attributes:
        asked: What it was asked, oldest first: each with ``messages``, ``max_tokens``,
            ``json_schema`` and ``stream``.

    >>> model = ScriptedModel(["Tea."])
    >>> model.complete([ChatMessage(role="user", content="What does Ada drink?")]).text
    'Tea.'
    >>> model.asked[0].messages[0].content
    'What does Ada drink?'
    """

    def __init__(
        self,
        answers: Sequence[str | Exception],
        *,
        name: str = "scripted",
        price: Price | None = None,
        budget_tokens: int | None = None,
    ) -> None:
        self._name = name
        self._answers = iter(list(answers))
        self._meter = Meter(price=price, budget_usd=None, budget_tokens=budget_tokens)
        self._lock = threading.Lock()
        self.asked: list[Ask] = []

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def usage(self) -> Usage:
        """What all calls used; estimates, as there is no tokenizer."""
        return self._meter.total()

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int | None = None,
        json_schema: Mapping[str, JSON] | None = None,
    ) -> Completion:
        """The next answer, whole, whatever was asked."""
        ask = check_ask(messages, max_tokens=max_tokens, json_schema=json_schema)
        text = self._next(ask)
        return Completion(text=text, finish_reason="stop", usage=self._count(ask, text))

    def stream(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> Iterator[str]:
        """The next answer, a word at a time."""
        ask = check_ask(messages, max_tokens=max_tokens, stream=True)
        self._meter.check()
        return self._streamed(ask)

    def _streamed(self, ask: Ask) -> Iterator[str]:
        text = self._next(ask)
        said: list[str] = []
        try:
            for word in _words(text):
                said.append(word)
                yield word
        finally:
            self._count(ask, "".join(said))

    def _next(self, ask: Ask) -> str:
        self._meter.check()
        with self._lock:
            self.asked.append(ask)
            answer = next(self._answers, None)
        if answer is None:
            raise ModelError(f"{self._name} has no answer left: it was asked {len(self.asked)} times")
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _count(self, ask: Ask, text: str) -> Usage:
        prompt = sum(estimate_tokens(message.content) for message in ask.messages)
        return self._meter.count(input_tokens=prompt, output_tokens=estimate_tokens(text), estimated=True)


def _words(text: str) -> Iterator[str]:
    """Words, each but the first with the blank before it."""
    first, *others = text.split(" ")
    return chain([first], (f" {other}" for other in others))

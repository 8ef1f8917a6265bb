"""Any server that speaks OpenAI's ``/v1/embeddings``, through the ``openai`` SDK."""

from collections.abc import Iterator
from typing import Protocol

from recollect.embedders.adapter import EmbedderAdapter, loaded, optional_module
from recollect.errors import EmbedderError, InvalidInputError

__all__ = ["OpenAIEmbedder"]

# OpenAI refuses more than 300,000 tokens in a request. A token is a character at the least in
# nearly every text, so this many characters stay below it; the rest is room.
_BATCH_CHARACTERS = 200_000

# Sent to a server of one's own that asks for no key. The SDK needs one, and would otherwise send
# the key for OpenAI that it finds in the environment to whatever ``base_url`` names.
_NO_KEY = "none"


class OpenAIEmbedder(EmbedderAdapter):
    """A model behind an OpenAI-compatible server: OpenAI, Ollama, vLLM, LM Studio and others.

    Requests that time out, are refused for their rate (429) or fail in the server (5xx) are tried
    again as the SDK does, twice, waiting longer each time.

    Args:
        model: The model's name at the server.
        base_url: The server, with its ``/v1``; OpenAI's when ``None``.
        api_key: The key. When ``None``, the SDK reads ``OPENAI_API_KEY`` if ``base_url`` is ``None`` too;
            a server named by ``base_url`` is sent no key from the environment.
        timeout_s: How long one try may take.
        batch_size: Texts in one request, 2,048 at most at OpenAI.

    Raises:
        MissingExtraError: The SDK is not installed.
        EmbedderError: There is no key.
        InvalidInputError: ``batch_size`` is below 1 or ``timeout_s`` not positive.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        batch_size: int = 256,
    ) -> None:
        if batch_size < 1 or timeout_s <= 0:
            raise InvalidInputError("batch_size must be at least 1 and timeout_s above 0")
        super().__init__(f"openai:{model}")
        package = optional_module("openai", feature=self.name, extra="openai")
        key = api_key if api_key is not None or base_url is None else _NO_KEY
        self._client = loaded(
            self.name, lambda: package.OpenAI(base_url=base_url, api_key=key, timeout=timeout_s)
        )
        self._model, self._batch_size = model, batch_size

    def _encode_documents(self, texts: list[str]) -> object:
        return [vector for batch in _batches(texts, self._batch_size) for vector in self._request(batch)]

    def _request(self, texts: list[str]) -> list[list[float]]:
        answer = self._client.embeddings.create(model=self._model, input=texts, encoding_format="float")
        return _in_order(answer.data or [], len(texts), self.name)


class _Item(Protocol):
    """One vector of an answer, and which text it is for."""

    index: int
    embedding: list[float]


def _in_order(items: list[_Item], count: int, name: str) -> list[list[float]]:
    """The vectors in the order of the texts.

    Raises:
        EmbedderError: The answer's indices are not those of the texts, each once.
    """
    if sorted(item.index for item in items) != list(range(count)):
        raise EmbedderError(f"{name} returned {len(items)} vectors for {count} texts, or misnumbered them")
    return [item.embedding for item in sorted(items, key=lambda item: item.index)]


def _batches(texts: list[str], size: int) -> Iterator[list[str]]:
    """Runs of at most ``size`` texts and, but for one longer text alone, ``_BATCH_CHARACTERS``."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == size or characters + len(text) > _BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch

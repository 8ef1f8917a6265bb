"""Any server that speaks OpenAI's ``/v1/embeddings``, through the ``openai`` SDK."""

import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.checks import check_count
from recollect.embedders.adapter import EmbedderAdapter
from recollect.embedders.openai_inputs import (
    MAX_TOKENS,
    WantedModel,
    batches,
    cut_for_sure,
    prepared,
    wanted_model,
)
from recollect.embedders.openai_requests import EmbeddingRequests, RefusedError
from recollect.errors import BudgetExceededError, EmbedderError, ModelError
from recollect.models.asking import check_settings
from recollect.models.client import connect
from recollect.models.failures import Endpoint
from recollect.models.retrying import Retrying
from recollect.models.usage import NO_COSTS, Costs, Metered, meter_of

_MOST_TEXTS: Final = 100_000
"""Texts in one request; more than any server takes. Chosen by hand."""
_MOST_TOKENS: Final = 10**7
"""Tokens of one text; more than any model reads. Chosen by hand."""


class OpenAIEmbedder(Metered, EmbedderAdapter):
    """A model behind an OpenAI-compatible server: OpenAI, Ollama, vLLM, LM Studio and others.

    What may pass (time-outs, 408, 409, 429, 5xx, broken connections) is tried again, waiting longer each
    time or as long as the server asks. Texts are sent without blanks around them, and cut where they are
    too long for the model; blank ones are not sent.

    Args:
        model: The model's name at the server. A number after an ``@`` means ``dimensions``:
            ``text-embedding-3-small@512``.
        dimensions: How many dimensions the vectors shall have; the model's own number when None. They are
            part of ``name``. Only models made for it return fewer than they have, such as
            ``text-embedding-3-small`` (1 to 1,536) and ``text-embedding-3-large`` (1 to 3,072).
        base_url: The server, with its ``/v1``. When None, the SDK reads ``OPENAI_BASE_URL``, and it is
            OpenAI if that is not set.
        api_key: The key. When None, the SDK reads ``OPENAI_API_KEY`` if ``base_url`` is None too; a
            server named by ``base_url`` is sent no key from the environment.
        timeout_s: How long one try may take until the whole answer is there.
        batch_size: Texts in one request, 2,048 at most at OpenAI.
        max_tokens: How much of a text the model reads, in tokens; longer texts are cut there, by an
            estimate. Set it for models that read less than OpenAI's.
        retries: How often to try again.
        costs: What tokens cost, and how much may be spent.
        sleep: What waits between tries; for tests.

    Raises:
        MissingExtraError: The SDK is not installed.
        EmbedderError: There is no key.
        InvalidInputError: A setting cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        dimensions: int | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        batch_size: int = 256,
        max_tokens: int = MAX_TOKENS,
        retries: int = 3,
        costs: Costs = NO_COSTS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        wanted = wanted_model(model, dimensions)
        check_settings(model=model, base_url=base_url, timeout_s=timeout_s, retries=retries, temperature=None)
        super().__init__(wanted.name)
        self._wanted = wanted
        self._batch_size = check_count("batch_size", batch_size, most=_MOST_TEXTS)
        self._max_tokens = check_count("max_tokens", max_tokens, most=_MOST_TOKENS)
        self._meter = meter_of(costs)
        self._client, self._endpoint = _connected(
            wanted, base_url=base_url, api_key=api_key, timeout_s=timeout_s
        )
        self._requests = EmbeddingRequests(
            self._client, endpoint=self._endpoint, meter=self._meter, wanted=wanted
        )
        self._retrying = Retrying(retries, sleep=sleep)

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.name.removeprefix('openai:')!r}, base_url={self._endpoint.place!r})"

    def close(self) -> None:
        """Let go of the connections. Calls after that fail."""
        self._client.close()

    def _dimension(self) -> int:
        if self._dim is None and self._wanted.size is not None:
            return self._wanted.size
        return super()._dimension()

    def _encode_documents(self, texts: list[str]) -> object:
        ready = [prepared(text, max_tokens=self._max_tokens) for text in texts]
        try:
            return self._joined(map(self._vectors, batches(ready, size=self._batch_size)))
        except BudgetExceededError:
            raise
        except ModelError as error:
            raise EmbedderError(str(error)) from error

    def _vectors(self, texts: list[str]) -> NDArray[np.float32]:
        """Their vectors. When the server refuses them, whatever may be too long is found and cut harder."""
        try:
            return self._asked(texts)
        except RefusedError:
            if all(cut_for_sure(text, max_tokens=self._max_tokens) == text for text in texts):
                raise
        if len(texts) == 1:
            return self._asked([cut_for_sure(texts[0], max_tokens=self._max_tokens)])
        middle = len(texts) // 2
        return self._joined(map(self._vectors, (texts[:middle], texts[middle:])))

    def _asked(self, texts: list[str]) -> NDArray[np.float32]:
        return self._retrying(lambda: self._requests.vectors(texts))

    def _joined(self, parts: Iterable[NDArray[np.float32]]) -> NDArray[np.float32]:
        tables = list(parts)
        sizes = {table.shape[1] for table in tables}
        if len(sizes) > 1:
            raise EmbedderError(f"{self.name} returned vectors of different sizes: {sorted(sizes)}")
        return np.concatenate(tables)


def _connected(
    wanted: WantedModel, *, base_url: str | None, api_key: str | None, timeout_s: float
) -> tuple[Any, Endpoint]:
    try:
        return connect(
            wanted.name, model=wanted.model, base_url=base_url, api_key=api_key, timeout_s=timeout_s
        )
    except ModelError as error:
        raise EmbedderError(f"{error}; the embedder 'static' needs no key") from error

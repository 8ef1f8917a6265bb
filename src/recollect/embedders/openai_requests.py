"""One request to ``/v1/embeddings``: sent, timed, measured and counted, its answer read."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.openai_inputs import WantedModel
from recollect.embedders.vectors import checked_rows
from recollect.errors import EmbedderError, ModelError, RecollectError
from recollect.models.failures import Endpoint, answer_was_lost
from recollect.models.reading import BadAnswerError, json_object
from recollect.models.sending import Watch
from recollect.models.usage import Meter
from recollect.text.tokens import estimate_tokens

_REFUSED: Final = frozenset({400, 413, 422})
"""Statuses with which servers refuse texts that are too long, and other things."""
_MOST_BYTES: Final = 2**20
"""Larger answers are cut off, for each text and one more: 20,000 dimensions at 50 bytes. Chosen by hand."""


class RefusedError(ModelError):
    """The server refused a request, perhaps because a text is too long for the model."""


class EmbeddingRequests:
    """Sends requests through the SDK, each once, and counts what they use.

    The answers are not parsed by the SDK, which takes 0.74 s for 256 vectors of 1,536 dimensions, not 0.11 s.
    """

    def __init__(self, client: Any, *, endpoint: Endpoint, meter: Meter, wanted: WantedModel) -> None:
        self._client, self._endpoint, self._meter, self._wanted = client, endpoint, meter, wanted

    def vectors(self, texts: list[str]) -> NDArray[np.float32]:
        """One unit vector per text.

        Raises:
            BudgetExceededError: The budget is spent; nothing was sent.
            RefusedError: A text may be too long.
            ModelError: The server failed, or could not be reached.
            EmbedderError: It returned something else than a finite vector per text.
        """
        try:
            return self._rows(self._answer(texts), count=len(texts))
        except RecollectError:
            raise
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK; nothing is swallowed
            failure = self._endpoint.failure(error)
            if getattr(error, "status_code", None) in _REFUSED:
                failure = RefusedError(str(failure))
            raise failure from self._endpoint.cause(error)

    def _answer(self, texts: list[str]) -> dict[str, object]:
        """What the server says. Counted unless it is an error; also when it was lost on the way."""
        self._meter.check()
        try:
            answer = json_object(self._sent(texts), holds="data")
        except Exception as error:
            if answer_was_lost(error):
                self._count(texts, None)
            raise
        self._count(texts, _prompt_tokens(answer))
        return answer

    def _sent(self, texts: list[str]) -> bytes:
        wanted = self._wanted
        size = {} if wanted.dimensions is None else {"dimensions": wanted.dimensions}
        create = self._client.embeddings.with_streaming_response.create
        watch = Watch(self._endpoint.timeout_s, most_bytes=(len(texts) + 1) * _MOST_BYTES)
        with create(model=wanted.model, input=texts, encoding_format="float", **size) as response:
            return b"".join(watch.over(response.iter_bytes()))

    def _count(self, texts: list[str], tokens: int | None) -> None:
        used = sum(map(estimate_tokens, texts)) if tokens is None else tokens
        self._meter.count(input_tokens=used, output_tokens=0, estimated=tokens is None)

    def _rows(self, answer: dict[str, object], *, count: int) -> NDArray[np.float32]:
        rows = checked_rows(_embeddings(answer, count), count=count, name=self._wanted.name)
        if self._wanted.dimensions not in (None, rows.shape[1]):
            raise EmbedderError(
                f"{self._wanted.name} returned {rows.shape[1]} dimensions, not {self._wanted.dimensions}: "
                f"{self._endpoint.place} does not know how to shorten vectors; leave dimensions out"
            )
        return rows


def _embeddings(answer: dict[str, object], count: int) -> list[object]:
    """The vectors in the order of the texts, whatever they are.

    Raises:
        BadAnswerError: There are not as many as texts, or their numbers are not those of the texts.
    """
    data = answer.get("data")
    items = [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []
    numbered = {item["index"]: item.get("embedding") for item in items if type(item.get("index")) is int}
    if len(items) != count:
        raise BadAnswerError(f"the number of its vectors is {len(items)}, that of the texts {count}")
    if numbered.keys() != set(range(count)):
        raise BadAnswerError(f"its vectors are not numbered from 0 to {count - 1}")
    return [numbered[place] for place in range(count)]


def _prompt_tokens(answer: dict[str, object]) -> int | None:
    """What the server counted; None when it did not, which some say with a 0."""
    usage = answer.get("usage")
    tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return tokens if type(tokens) is int and tokens > 0 else None

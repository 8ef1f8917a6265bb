"""One request to a server: sent, timed, measured and counted, its answer read."""

import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from recollect.errors import RecollectError
from recollect.models.abilities import Request
from recollect.models.asking import Ask
from recollect.models.chat import Completion
from recollect.models.failures import Endpoint, LateError, answer_was_lost
from recollect.models.reading import BadAnswerError, HeardAnswer
from recollect.models.usage import Meter
from recollect.text.tokens import estimate_tokens
from recollect.types import JSON

_MESSAGE_TOKENS: Final = 4
"""Tokens of a message besides its words: its role and what divides it. From OpenAI's cookbook, rounded up."""
_MOST_BYTES: Final = 64 * 2**20
"""Larger answers are cut off: as a stream, 200,000 tokens at 300 bytes each. Chosen by hand."""


class Sender:
    """Sends requests through the SDK, each once, and counts what they use."""

    def __init__(
        self, client: Any, *, endpoint: Endpoint, meter: Meter, extra_body: Mapping[str, JSON] | None
    ) -> None:
        self._client, self._endpoint, self._meter = client, endpoint, meter
        self._extra_body = extra_body

    def answer(self, request: Request, *, ask: Ask) -> Completion:
        """The whole answer. Raises what the SDK and the reading raise, besides ``ModelError``."""
        heard = HeardAnswer()
        watch = Watch(self._endpoint.timeout_s, most_bytes=_MOST_BYTES)
        with self._counting(ask, heard), self._sent(request) as chunks:
            heard.read(watch.over(chunks))
        self._endpoint.check(heard)
        return Completion(text=heard.text, finish_reason=heard.finish_reason, usage=heard.usage)

    def words(self, request: Request, *, ask: Ask, heard: HeardAnswer) -> Generator[str, None, None]:
        """The answer's words as they come, noted in ``heard`` too; raises as ``answer`` does."""
        watch = Watch(self._endpoint.timeout_s, most_bytes=_MOST_BYTES)
        with self._counting(ask, heard), self._sent(request) as chunks:
            for words in heard.pieces(watch.over(chunks)):
                if words:
                    yield words
                watch.restart()
        self._endpoint.check(heard)

    @contextmanager
    def failing(self, heard: HeardAnswer | None = None) -> Iterator[None]:
        """The boundary to the SDK: whatever it raises becomes one clear ``ModelError``."""
        try:
            yield
        except RecollectError:
            raise
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK; nothing is swallowed
            partial = heard.text if heard else ""
            raise self._endpoint.failure(error, partial=partial) from self._endpoint.cause(error)

    @contextmanager
    def _sent(self, request: Request) -> Iterator[Iterable[bytes]]:
        """Send a request; the bytes of its answer. Leaving releases the connection."""
        self._meter.check()
        create = self._client.chat.completions.with_streaming_response.create
        with create(**request, extra_body=self._extra_body) as response:
            yield response.iter_bytes()

    @contextmanager
    def _counting(self, ask: Ask, heard: HeardAnswer) -> Iterator[None]:
        """Count a request in the end, unless it certainly brought no answer."""
        answered = True
        try:
            yield
        except Exception as error:
            answered = heard.begun or answer_was_lost(error)
            raise
        finally:
            if answered:
                self._count(ask, heard)

    def _count(self, ask: Ask, heard: HeardAnswer) -> None:
        prompt, answer = heard.tokens or (_prompt_tokens(ask), estimate_tokens(heard.text))
        heard.usage = self._meter.count(
            input_tokens=prompt, output_tokens=answer, estimated=heard.tokens is None
        )


class Watch:
    """Ends an answer that takes more than ``limit_s`` seconds or has more than ``most_bytes``."""

    def __init__(self, limit_s: float, *, most_bytes: int) -> None:
        self._limit_s, self._most_bytes = limit_s, most_bytes
        self.restart()

    def restart(self) -> None:
        """Allow the whole time again."""
        self._end = time.monotonic() + self._limit_s

    def over(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The same chunks, as long as they come in time.

        Raises:
            LateError: One came late; that none comes, the SDK's own time-out sees.
            BadAnswerError: They are too large together.
        """
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > self._most_bytes:
                raise BadAnswerError(f"it is larger than {self._most_bytes:,} bytes")
            if time.monotonic() > self._end:
                raise LateError
            yield chunk


def _prompt_tokens(ask: Ask) -> int:
    return sum(estimate_tokens(message.content) + _MESSAGE_TOKENS for message in ask.messages)

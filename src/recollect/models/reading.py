"""What a server's answers mean: untrusted JSON in, a few checked fields out."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from recollect.models.chat import Usage

_DONE: Final = "[DONE]"
_FILTERED: Final = "content_filter"
_FAILED: Final = "error"

Tokens = tuple[int, int]
"""Tokens of the prompt and of the answer."""


class ServerError(Exception):
    """A server reported an error inside an answer whose status was 200."""

    def __init__(self, message: str, *, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class BadAnswerError(Exception):
    """An answer is not what ``/v1/chat/completions`` answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireAnswer:
    """An answer, or a piece of one."""

    text: str = ""
    refusal: str = ""
    finish_reason: str = ""
    tokens: Tokens | None = None


def read_answer(content: str | bytes, *, part: str = "message") -> WireAnswer:
    """Read a JSON object of a server; the words are in ``message``, in a stream in ``delta``.

    Raises:
        ServerError: The object reports an error.
        BadAnswerError: It is not JSON, not an object, or has no choices where some must be.
    """
    answer = json_object(content, holds="choices")
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        if part == "delta":
            return WireAnswer(tokens=_tokens(answer.get("usage")))
        raise BadAnswerError("it has no choices")
    if choice.get("finish_reason") == _FAILED:
        raise _reported(choice.get("error") or answer.get("error"))
    return _read_choice(choice, part=part, tokens=_tokens(answer.get("usage")))


def _read_choice(choice: Mapping[str, object], *, part: str, tokens: Tokens | None) -> WireAnswer:
    said = choice.get(part)
    words: Mapping[str, object] = said if isinstance(said, dict) else {}
    reason = _string(choice.get("finish_reason"))
    refusal = _string(words.get("refusal"))
    return WireAnswer(
        text=_words(words.get("content")),
        refusal=refusal or ("its provider filtered the content" if reason == _FILTERED else ""),
        finish_reason=reason,
        tokens=tokens,
    )


class HeardAnswer:
    """An answer as it comes in, whole or in pieces, and what it amounts to so far.

    Attributes:
        refusal: Why the model will not answer; ``""`` when it does.
        finish_reason: Why it ended; ``""`` while it goes on.
        tokens: What the server counted; None until it did.
        usage: What the call used; set when it has ended.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.refusal = ""
        self.finish_reason = ""
        self.tokens: Tokens | None = None
        self.begun = False
        self.complete = False
        self.usage = Usage()

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self._texts)

    def read(self, chunks: Iterable[bytes]) -> None:
        """Read an answer that comes whole."""
        self._add(read_answer(b"".join(chunks)))
        self.complete = True

    def pieces(self, chunks: Iterable[bytes]) -> Iterator[str]:
        """Read a stream: the words of each event as it comes, ``""`` for one without words."""
        for data in event_data(chunks):
            if data.strip() == _DONE:
                self.complete = True
                return
            yield self._add(read_answer(data, part="delta"))

    def _add(self, piece: WireAnswer) -> str:
        self._texts.append(piece.text)
        self.refusal += piece.refusal
        self.finish_reason = piece.finish_reason or self.finish_reason
        self.tokens = piece.tokens or self.tokens
        self.begun = True
        self.complete = self.complete or bool(piece.finish_reason)
        return piece.text


def json_object(content: str | bytes, *, holds: str) -> dict[str, object]:
    """The JSON object that a server sent, with its answer under the name ``holds``.

    Raises:
        BadAnswerError: It is not a JSON object.
        ServerError: It reports an error instead of an answer.
    """
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadAnswerError("it is not JSON; base_url often ends in /v1") from error
    if not isinstance(answer, dict):
        raise BadAnswerError("it is not a JSON object")
    if answer.get("error") and not answer.get(holds):
        raise _reported(answer["error"])
    return answer


def _reported(error: object) -> ServerError:
    if not isinstance(error, dict):
        return ServerError(_string(error) or "it does not say what went wrong")
    code = error.get("code")
    return ServerError(
        _string(error.get("message")) or "it does not say what went wrong",
        code=code if isinstance(code, int) else 0,
    )


def _words(content: object) -> str:
    """The words of a message: a string, or with some servers a list of parts."""
    if isinstance(content, list):
        return "".join(_string(part.get("text")) for part in content if isinstance(part, dict))
    return _string(content)


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    prompt, answer = (
        count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None
        for count in counts
    )
    return None if prompt is None or answer is None else (prompt, answer)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def event_data(chunks: Iterable[bytes]) -> Iterator[str]:
    r"""The data of each event, its lines joined by line breaks; comments and other fields are left out.

    As the HTML standard has it (9.2.6), but for an event that the end of the stream cuts off, which
    is given too: some servers forget the blank line after the last one.

    >>> list(event_data([b": wait\n\ndata: {\"a\"", b": 1}\r\n\r\nevent: end\ndata: [DONE]"]))
    ['{"a": 1}', '[DONE]']
    """
    data: list[bytes] = []
    for line in _lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield _text(data)
            data = []
    if data:
        yield _text(data)


def _text(lines: list[bytes]) -> str:
    return b"\n".join(lines).decode(errors="replace")


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends. Only LF and CRLF end one, as with every server known."""
    pending: list[bytes] = []
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        pending.append(first)
        for other in others:
            yield b"".join(pending).removesuffix(b"\r")
            pending = [other]
    yield b"".join(pending).removesuffix(b"\r")

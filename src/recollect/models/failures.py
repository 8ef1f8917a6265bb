"""One clear error for whatever goes wrong between here and a model: what happened, what to do."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final
from urllib.parse import urlsplit

from recollect.errors import ModelAnswerError, ModelError
from recollect.models.reading import BadAnswerError, HeardAnswer, ServerError

_TRANSIENT: Final = frozenset({408, 409, 425, 429})
"""With every status from 500 on, those that may pass; the openai SDK's and 425, too early."""
_SERVER: Final = 500
_NO_CREDIT: Final = ("insufficient_quota", "billing_hard_limit_reached")
"""How OpenAI says 429 when waiting will not help."""
_SHOWN: Final = 300
"""Characters of a server's own message shown. Chosen by hand."""
_LONG: Final = 16
"""Keys of so many characters are hidden in part, too; the beginning of a shorter one may be any word."""
_BEGINNING: Final = 6
_END: Final = 4
"""Characters at a key's ends by which it is known. Chosen by hand: OpenAI masks all but eight and four."""
_LOST: Final = frozenset({"ReadTimeout", "ReadError", "RemoteProtocolError"})
_BROKEN: Final = frozenset({"ReadError", "RemoteProtocolError"})
_LATE: Final = frozenset({"LateError", "APITimeoutError", "TimeoutException"})
"""Errors are recognised by name: the SDK's HTTP client was httpx up to 2.x and is httpx2 since 3.0."""


class LateError(Exception):
    """The answer took longer than the time-out, though bytes kept coming."""


def answer_was_lost(error: BaseException) -> bool:
    """Whether a request may have been answered, and charged, although the answer did not arrive."""
    return isinstance(error, LateError) or bool(_names(error) & _LOST)


def complaint_of(error: BaseException) -> str:
    """What a server said of a request it refused; ``""`` when it said nothing or sent a web page.

    Most say ``{"error": {"message": …}}``, LM Studio ``{"error": …}``, FastAPI ``{"detail": …}``.
    """
    body = getattr(error, "body", None)
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail")
    said = "" if body is None else str(body)
    return "" if said.lstrip().startswith("<") else said


def _names(error: BaseException) -> set[str]:
    """The names of an error's class, of its ancestors, and of those of its cause."""
    classes = [*type(error).__mro__, *type(error.__cause__).__mro__]
    return {one.__name__ for one in classes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The server that a model is asked through; makes its errors.

    Attributes:
        key: The API key, which is in no message.
        timeout_s: How long an answer may take.
    """

    name: str
    model: str
    url: str
    key: str = field(repr=False)
    timeout_s: float

    @property
    def place(self) -> str:
        """The server's address without user, password or query."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"

    def cause(self, error: BaseException) -> BaseException | None:
        """What an error may be raised from: ``error`` itself, unless it shows the key."""
        return error if self._hidden(str(error)) == str(error) else None

    def failure(self, error: Exception, *, partial: str = "") -> ModelError:
        """The error to raise for what the SDK or the reading raised."""
        status = getattr(error, "status_code", None)
        if isinstance(status, int):
            return self._status_failure(status, error)
        if isinstance(error, ServerError):
            message = f"{self.name} failed: {self._clean(str(error))}"
            transient = error.code in _TRANSIENT or error.code >= _SERVER or not error.code
            return ModelError(message, transient=transient, partial=partial)
        if isinstance(error, BadAnswerError):
            return ModelAnswerError(
                f"{self.place} did not answer as an OpenAI-compatible server does: {error}", partial=partial
            )
        return self._connection_failure(error, partial=partial)

    def check(self, heard: HeardAnswer) -> None:
        """Refuse an answer that is cut off, refused or blank.

        Raises:
            ModelError: It ended too early.
            ModelAnswerError: It is a refusal, or blank.
        """
        text = heard.text
        if heard.refusal:
            raise ModelAnswerError(
                f"{self.name} refused to answer: {self._clean(heard.refusal)}", partial=text
            )
        if not heard.complete:
            raise self._broken(text)
        if not text.strip():
            raise self._silence(heard.finish_reason)

    def _broken(self, partial: str) -> ModelError:
        return ModelError(
            f"{self.name} broke off: the connection ended before the answer, after {len(partial)} characters",
            transient=True,
            partial=partial,
        )

    def _silence(self, finish_reason: str) -> ModelAnswerError:
        if finish_reason == "length":
            return ModelAnswerError(f"{self.name} spent max_tokens before its first word; raise it")
        why = f" (finish_reason {self._clean(finish_reason)})" if finish_reason else ""
        return ModelAnswerError(f"{self.name} answered nothing{why}")

    def _connection_failure(self, error: Exception, *, partial: str) -> ModelError:
        names = _names(error)
        if names & _LATE:
            return ModelError(
                f"{self.name} timed out: {self.place} took longer than {self.timeout_s:g} s; "
                "raise timeout_s if the model is slow",
                transient=True,
                partial=partial,
            )
        if names & _BROKEN:
            return self._broken(partial)
        said = self._clean(str(error.__cause__ or error) or type(error).__name__)
        if "APIConnectionError" in names:
            return ModelError(
                f"{self.name} cannot be reached at {self.place} ({said}); does the server run, "
                "is base_url right?",
                transient=True,
            )
        return ModelError(f"{self.name} failed: {said}", partial=partial)

    def _status_failure(self, status: int, error: Exception) -> ModelError:
        said = self._clean(complaint_of(error))
        broke = str(getattr(error, "code", "")) in _NO_CREDIT
        hint = self._hint(status, broke=broke)
        return ModelError(
            f"{self.name} failed with {status}{hint}" + (f": {said}" if said else ""),
            transient=not broke and (status in _TRANSIENT or status >= _SERVER),
            retry_after_s=_retry_after_s(error),
        )

    def _hint(self, status: int, *, broke: bool) -> str:
        hints = {
            401: f", {self.place} refuses the key; pass api_key, or set OPENAI_API_KEY for OpenAI itself",
            403: f", {self.place} does not allow this key to do that",
            404: f", {self.place} knows no model {self.model!r}, or base_url lacks its /v1",
            429: ", no credit is left at the provider" if broke else ", too many requests; try later",
        }
        return hints.get(status, ", the server is in trouble; try later" if status >= _SERVER else "")

    def _clean(self, text: str) -> str:
        """A server's words in one line, shortened, without the key."""
        line = " ".join(self._hidden(text).split())
        printable = "".join(character for character in line if character.isprintable())
        return printable if len(printable) <= _SHOWN else f"{printable[:_SHOWN]}…"

    def _hidden(self, text: str) -> str:
        """A text without the key, and without the beginning or end that a server shows of it."""
        if not self.key:
            return text
        whole, first, last = map(re.escape, (self.key, self.key[:_BEGINNING], self.key[-_END:]))
        if len(self.key) < _LONG:
            return re.sub(whole, "[key]", text)
        beginning = rf"(?<!\w){first}[\w*.…-]*[\w*…-]"
        end = rf"(?<![*.…•])[*.…•]{{2,}}{last}\b"
        return re.sub(f"{whole}|{beginning}|{end}", "[key]", text)


def _retry_after_s(error: Exception) -> float | None:
    """What the server's headers ask to wait: milliseconds, seconds or a date."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    asked_ms, asked = headers.get("retry-after-ms"), headers.get("retry-after")
    wait_s = _seconds(asked_ms, per_second=1000)
    if wait_s is None:
        wait_s = _seconds(asked)
    return _until(asked, headers) if wait_s is None else wait_s


def _seconds(value: str | None, *, per_second: float = 1) -> float | None:
    try:
        wait_s = float(value or "") / per_second
    except ValueError:
        return None
    return wait_s if isfinite(wait_s) and wait_s >= 0 else None


def _until(asked: str | None, headers: Mapping[str, str]) -> float | None:
    """Seconds to a date, by the server's own clock."""
    try:
        wait = parsedate_to_datetime(asked or "") - parsedate_to_datetime(headers.get("date") or "")
    except (TypeError, ValueError):
        return None
    return max(wait.total_seconds(), 0.0)

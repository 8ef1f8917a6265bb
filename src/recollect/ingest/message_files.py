"""Import files of messages, line by line; importing a file twice stores nothing twice.

A message's idempotency key is a hash of its session, of itself and of all messages before it in the
file. So a file that grew adds only the new messages, a corrected file continues after the stored ones,
and "Hi!" said twice in one conversation is two memories.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, Final

from recollect.errors import InvalidInputError, UnclearFileError, as_given
from recollect.ingest.messages import Defaults, Screen, read_messages
from recollect.ingest.sources.report import ImportReport
from recollect.types import JSON, AddResult

BATCH: Final = 1_000
"""Messages stored in one transaction. Chosen by hand."""
_HASH_BYTES: Final = 16
_DEFAULTS: Final = Defaults(
    kind="message", metadata={}, timestamp=None, valid_until=None, idempotency_key=None
)
_UNSCREENED: Final = Screen(secrets="keep")
"""Messages are checked before they are stored, which screens them."""

_OPTIONS: Final = ("session_id", "user_id", "agent_id")
"""What says whose messages they are."""

Numbered = Iterator[tuple[str, object]]
"""Messages, each with its position in the file."""
Add = Callable[[list[dict[str, object]]], list[AddResult]]
"""Stores messages."""


@dataclass(slots=True, kw_only=True)
class Imported:
    """The result of importing a file.

    Attributes:
        counts: How many were ``stored``, a ``duplicate``, ``deleted`` before, ``redacted`` or ``refused``.
        refusals: The position of each refused message, and the reason.
    """

    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("stored", "duplicate", "deleted", "redacted", "refused"), 0)
    )
    refusals: list[dict[str, JSON]] = field(default_factory=list)

    @property
    def kept(self) -> int:
        """The number of messages in the memory."""
        return sum(self.counts.values()) - self.counts["refused"] - self.counts["deleted"]


def is_export(first_line: str) -> bool:
    """Whether a file that begins so was written by ``export``."""
    try:
        header = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("format") == "recollect-export"


def survey_messages(lines: IO[str]) -> ImportReport:
    """Count what is in a file of messages.

    Raises:
        InvalidInputError: The file is not valid JSON, or something in it is no message; the error names it.
        UnclearFileError: Its first record has no ``content``: which of its columns is it?
    """
    messages = 0
    for messages, (where, message) in enumerate(numbered_messages(iter(lines)), start=1):
        if messages == 1 and isinstance(message, dict) and message and "content" not in message:
            raise UnclearFileError(
                f"{where} has no 'content': name its columns, as columns (--columns content=text)",
                option="columns",
                choices=message,
            )
        _checked(where, message)
    return ImportReport(format="messages", title="messages", messages=messages, dry_run=True)


def numbered_messages(lines: Iterator[str], *, strict: bool = False) -> Numbered:
    """Parse the messages of a file: one JSON document with a list, or one message per line.

    Args:
        lines: The file.
        strict: Whether nothing may stand beside the ``messages`` of a document. Files of other programs have
            a model or a title there, which are not read; whose the messages are is never passed over.

    Raises:
        InvalidInputError: The file is not valid JSON; the error names the line.
    """
    head = _until_words(lines)
    document = _parsed_or_none(head[-1])
    if isinstance(document, (str, dict)) and not _is_list_of_messages(document):
        yield from _from_lines(chain(head, lines))
    else:
        yield from _from_document([*head, *lines], strict=strict)


def _until_words(lines: Iterator[str]) -> list[str]:
    """Read the first lines, up to one that is not blank."""
    head = []
    for line in lines:
        head.append(line)
        if line.strip():
            return head
    raise InvalidInputError("the file is empty")


def _from_lines(lines: Iterator[str]) -> Numbered:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield f"line {number}", _parsed(line, f"line {number}")


def _from_document(lines: list[str], *, strict: bool) -> Numbered:
    try:
        document = _parsed("".join(lines), None)
    except InvalidInputError:
        for number, line in enumerate(lines, start=1):
            if '"content"' in line and line.lstrip().startswith("{"):
                _parsed(line, f"line {number}")
        raise
    if isinstance(document, dict) and _is_list_of_messages(document):
        _check_alone(document, strict=strict)
        document = document["messages"]
    if not isinstance(document, list):
        raise InvalidInputError("the file has no list of messages, no 'messages', and no message per line")
    for number, message in enumerate(document, start=1):
        yield f"message {number}", message


def _check_alone(document: dict[str, object], *, strict: bool) -> None:
    """Refuse what stands beside the messages and would be lost."""
    options = [key for key in document if key in _OPTIONS]
    others = [key for key in document if key != "messages"] if strict else options
    if not others:
        return
    instead = (
        f"give it as an option of the import: --{options[0].replace('_', '-')}, over HTTP ?{options[0]}="
        if options
        else "leave it out, or put it into the 'metadata' of the messages"
    )
    raise InvalidInputError(
        f"the unknown key {as_given((options or others)[0])} beside 'messages'; {instead}"
    )


def _is_list_of_messages(document: object) -> bool:
    return isinstance(document, dict) and "messages" in document and "content" not in document


def _parsed_or_none(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _parsed(text: str, where: str | None) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = where or f"line {error.lineno}"
        raise InvalidInputError(f"{place} is not JSON ({error.msg}, column {error.colno})") from None
    except RecursionError:
        raise InvalidInputError(f"{where or 'the file'} is JSON that goes too deep") from None
    except ValueError as error:  # a number of thousands of digits
        raise InvalidInputError(f"{where or 'the file'} is not JSON that can be read: {error}") from None


class Importer:
    """Stores the messages of one file in batches.

    Args:
        add: Stores messages.
        seed: Where they go: the same file for another agent or session is stored again.
    """

    def __init__(self, *, add: Add, seed: str) -> None:
        self._add = add
        self._digest = hashlib.blake2b(seed.encode(errors="surrogatepass"), digest_size=_HASH_BYTES)
        self._batch: list[tuple[str, dict[str, object]]] = []
        self._done = Imported()

    def store(self, messages: Numbered) -> Imported:
        """Store messages in order.

        Raises:
            InvalidInputError: A message is invalid; the error names it, and those before it are stored.
        """
        try:
            for where, message in messages:
                self._batch.append((where, self._keyed(where, message)))
                if len(self._batch) >= BATCH:
                    self._flush()
        except (InvalidInputError, UnicodeDecodeError) as error:
            self._flush()
            raise InvalidInputError(f"{_said(error)}; {self._so_far()}") from None
        self._flush()
        return self._done

    def _keyed(self, where: str, message: object) -> dict[str, object]:
        message = _checked(where, message)
        self._digest.update(json.dumps(message, sort_keys=True).encode())
        if message.get("idempotency_key") is None:
            return {**message, "idempotency_key": f"import-{self._digest.hexdigest()}"}
        return message

    def _flush(self) -> None:
        batch, self._batch = self._batch, []
        if batch:
            self._count(batch, self._add([message for _, message in batch]))

    def _count(self, batch: list[tuple[str, dict[str, object]]], results: list[AddResult]) -> None:
        for (where, _), result in zip(batch, results, strict=True):
            self._done.counts[result.status] += 1
            if result.status == "refused":
                reason = (result.reason or "").partition(" ")[2]
                self._done.refusals.append({"where": where, "reason": reason})

    def _so_far(self) -> str:
        kept = self._done.kept
        stored = f"{kept:,} messages before it are stored" if kept else "nothing is stored"
        return f"{stored}: mend it and import the file again"


def _checked(where: str, message: object) -> dict[str, object]:
    """A message as ``add`` takes it.

    Raises:
        InvalidInputError: It is none; the error names its place.
    """
    if isinstance(message, str):
        message = {"content": message}
    if not isinstance(message, dict):
        raise InvalidInputError(f"{where} is not a message with 'content', but {str(message)[:40]}")
    try:
        read_messages([message], _DEFAULTS, screen=_UNSCREENED)
    except InvalidInputError as error:
        raise InvalidInputError(str(error).replace("messages[0]", where)) from None
    return message


def _said(error: InvalidInputError | UnicodeDecodeError) -> str:
    return "what follows is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)

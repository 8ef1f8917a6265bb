"""WhatsApp's exported chats: ``_chat.txt`` (iOS) and ``WhatsApp Chat with X.txt`` (Android).

The phone's language decides how dates are written, so their order is inferred from the whole file: a number
over 12 is a day; where there is none, the order in which the dates do not go back.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles, reading
from recollect.ingest.sources.source import (
    BrokenRecord,
    DateOrder,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceItem,
)
from recollect.ingest.sources.values import Repeats, Talks, role_of
from recollect.types.regex import lazy_regex

_LINE: Final = lazy_regex(
    r"(?P<ios>\[)?(?P<date>\d{1,4}[./-] ?\d{1,2}[./-] ?\d{1,4})\.?,? "
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    r"(?: ?(?P<half>[AaPp])\.? ?[Mm]\.?)?(?(ios)\]| -) (?P<rest>.*)",
    re.DOTALL,
)
_SAID: Final = lazy_regex(r"(?P<name>[^:\n]{1,100}): (?P<text>.*)", re.DOTALL)
_MARKS: Final = str.maketrans({"\u200f": None, "\u202a": None, "\u202c": None, "\u202f": " ", "\xa0": " "})
_NOTICE: Final = "\u200e"
"""Before notices and media in files of iOS, in every language."""
_MEDIA: Final = lazy_regex(r"<[^<>\n]{1,60}>|\S+\.\w{2,4} \([^()\n]{1,40}\)")
_ATTACHED: Final = lazy_regex("\\s*\u200e?<(?:attached|[^<>\\n:]{1,30}): [^<>\\n]{1,200}>")
_EDITED: Final = lazy_regex("\\s*\u200e?<This message was edited>")
_DELETED: Final = frozenset({"This message was deleted", "You deleted this message", "null"})
_TITLE: Final = lazy_regex(r"WhatsApp Chat (?:with|-) (?P<with>.+)")
_COPY: Final = lazy_regex(r" ?\(\d+\)$")
_LINE_BYTES: Final = 1 << 22
_MOST_CHARACTERS: Final = 1_000_001
"""Of one message that are kept; more than a memory can have, so that it is refused with a reason."""
_NEXT: Final = 50
"""Two-digit years below this are of this century."""


class _Message(NamedTuple):
    """A message with its lines; ``numbers`` are those of its date, as written."""

    line: int
    numbers: tuple[int, int, int]
    clock: tuple[int, int, int]
    raw: str
    rest: str


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.ending(".txt") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    line = start.lstrip().partition(b"\n")[0].decode(errors="replace")
    return _LINE.match(_plain(line)) is not None


def _plain(line: str) -> str:
    return line.translate(_MARKS).removeprefix(_NOTICE)


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        reader = _Chat(_title_of(files, name), options.date_order or _order_in(files, name), options)
        for message in _messages(files, name):
            if isinstance(message, _Message):
                yield reader.read(message, f"{name}, line {message.line}")
            else:
                yield message


class _Chat:
    """Reads the messages of a chat."""

    def __init__(self, title: str, order: DateOrder, options: ReadOptions) -> None:
        self._title = title
        self._order = order
        self._options = options
        self._talks = Talks(title, title)
        self._repeats = Repeats()

    def read(self, message: _Message, where: str) -> Found:
        """What a message is."""
        at = _moment(message, self._order, self._options.timezone)
        if at is None:
            return BrokenRecord(where=where, reason=f"{message.raw} is no time in the order {self._order}")
        said = _SAID.fullmatch(message.rest)
        if said is None:
            return Skipped(reason="notices")
        name, words = said["name"].strip(_NOTICE + "~ "), _words(said["text"])
        if not words:
            return Skipped(reason="media, deleted messages and notices")
        return SourceItem(
            id=self._repeats.id_of(self._title, message.raw, name, words),
            content=words,
            where=where,
            chat=self._talks.chat_at(at),
            role=role_of(name, me=self._options.me),
            speaker=name,
            at=at,
        )


def _words(said: str) -> str:
    """The words of a message; empty where there are none."""
    words = _EDITED.sub("", _ATTACHED.sub("", said)).strip()
    if words.startswith(_NOTICE) or _MEDIA.fullmatch(words) or words.rstrip(".") in _DELETED:
        return ""
    return words.replace(_NOTICE, "")


def _title_of(files: SourceFiles, name: str) -> str:
    """Whom the chat is with, by the name of the file, else of the archive."""
    stem = PurePosixPath(name).stem
    if stem.startswith("_chat"):
        parent = PurePosixPath(name).parent.name
        stem = (parent or PurePosixPath(files.title.replace("\\", "/")).name).removesuffix(".zip")
    stem = _COPY.sub("", stem)
    found = _TITLE.fullmatch(stem)
    return found["with"] if found else stem


def _messages(files: SourceFiles, name: str) -> Iterator[_Message | BrokenRecord]:
    """The messages of a file; lines without a date belong to the one before."""
    open_one: _Message | None = None
    lines: list[str] = []
    size = 0
    for number, text in _lines(files, name):
        if isinstance(text, BrokenRecord):
            yield text
            continue
        begun = _begun(number, text)
        if begun is None:
            size += len(text) + 1
            lines += [text] if size <= _MOST_CHARACTERS else []
            continue
        if open_one is not None:
            yield open_one._replace(rest="\n".join([open_one.rest, *lines]).rstrip())
        open_one, lines, size = begun, [], len(text)
    if open_one is not None:
        yield open_one._replace(rest="\n".join([open_one.rest, *lines]).rstrip())


def _lines(files: SourceFiles, name: str) -> Iterator[tuple[int, str | BrokenRecord]]:
    try:
        with reading(name), files.open(name) as stream:
            for number, line in enumerate(iter(lambda: stream.readline(_LINE_BYTES), b""), start=1):
                try:
                    yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    yield number, BrokenRecord(where=f"{name}, line {number}", reason="it is not UTF-8 text")
    except InvalidInputError as error:
        yield 0, BrokenRecord(where=name, reason=str(error))


def _begun(number: int, text: str) -> _Message | None:
    """The message that begins with a line; None for one that goes on."""
    found = _LINE.fullmatch(_plain(text))
    if found is None:
        return None
    first, second, third = (int(one) for one in re.split(r"[./-] ?", found["date"]))
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] in "pP" else 0)
    clock = (hour, int(found["minute"]), int(found["second"] or 0))
    raw = f"{found['date']} {found['hour']}:{found['minute']}:{found['second']}{found['half'] or ''}"
    return _Message(number, (first, second, third), clock, raw, found["rest"])


def _moment(message: _Message, order: DateOrder, zone: tzinfo) -> datetime | None:
    year, month, day = _date(message.numbers, order)
    if year < 100:  # noqa: PLR2004 - two digits
        year += 2000 if year < _NEXT else 1900
    try:
        return datetime(year, month, day, *message.clock, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _date(numbers: tuple[int, int, int], order: DateOrder) -> tuple[int, int, int]:
    first, second, third = numbers
    match order:
        case "dmy":
            return third, second, first
        case "mdy":
            return third, first, second
        case "ymd":
            return first, second, third


def _order_in(files: SourceFiles, name: str) -> DateOrder:
    """How a file writes dates.

    Raises:
        InvalidInputError: It does not show.
    """
    backward = {"dmy": 0, "mdy": 0}
    before: dict[str, tuple[int, int, int]] = {}
    for message in _messages(files, name):
        if isinstance(message, BrokenRecord):
            continue
        first, second, _ = message.numbers
        if first > 31:  # noqa: PLR2004 - days of a month
            return "ymd"
        if (first > 12) != (second > 12):  # noqa: PLR2004 - months
            return "dmy" if first > second else "mdy"
        for order in ("dmy", "mdy"):
            date = _date(message.numbers, order)
            backward[order] += date < before.get(order, date)
            before[order] = date
    if backward["dmy"] == backward["mdy"]:
        raise InvalidInputError(
            f"{name} does not show whether its dates are day/month or month/day; "
            "say it with date_order (--date-order dmy or mdy)"
        )
    return "dmy" if backward["dmy"] < backward["mdy"] else "mdy"


WHATSAPP: Final = ImportSource(name="whatsapp", title="WhatsApp chat", names=_names, read=_read, several=True)

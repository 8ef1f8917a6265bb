"""WhatsApp's exported chats: ``_chat.txt`` (iOS) and ``WhatsApp Chat with X.txt`` (Android).

The phone's language decides how dates are written, so their order is inferred from the whole file. Messages
have no ids: theirs is a hash of date, name and words, of the two where two people speak, and a number where
several are equal. The lines around are no part of it: an export may hold the last messages only.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from recollect.errors import InvalidInputError
from recollect.ingest.sources.date_orders import DateOrders, WrittenDate, hour_of
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
from recollect.ingest.sources.whatsapp_words import NOTICE, chat_in, is_name, own_words
from recollect.types.regex import lazy_regex

_LINE: Final = lazy_regex(
    r"(?P<ios>\[)?(?P<date>\d{1,4}[./-] ?\d{1,2}[./-] ?\d{1,4})\.?,? "
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    r"(?: ?(?P<half>[AaPp])\.? ?[Mm]\.?)?(?(ios)\]| -) (?P<rest>.*)",
    re.DOTALL,
)
_SAID: Final = lazy_regex(r"(?P<name>[^:\n]{1,100}): (?P<text>.*)", re.DOTALL)
_MARKS: Final = str.maketrans({"\u200f": None, "\u202a": None, "\u202c": None, "\u202f": " ", "\xa0": " "})
_LINE_BYTES: Final = 1 << 22
_MOST_CHARACTERS: Final = 1_000_001
"""Of one message that are kept; more than a memory can have, so that it is refused with a reason."""
_TWO: Final = 2
"""People of a chat that is no group."""
_LONG: Final = 60
"""Characters from which on the notice at the beginning of a chat is the one on encryption. Chosen by hand."""


class _Message(NamedTuple):
    """A message with its lines; ``raw`` is its date as written."""

    line: int
    date: WrittenDate
    raw: str
    rest: str


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".txt") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    line = start.lstrip().partition(b"\n")[0].decode(errors="replace")
    return _LINE.match(_plain(line)) is not None


def _plain(line: str) -> str:
    return line.translate(_MARKS).removeprefix(NOTICE)


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        order, title = options.date_order or _order_in(files, name), _title_of(files, name)
        reader = _Chat(title, order, options, speakers=_speakers(files, name))
        for message in _messages(files, name):
            if isinstance(message, _Message):
                yield reader.read(message, f"{name}, line {message.line}")
            else:
                yield message


class _Chat:
    """Reads the messages of a chat.

    ``speakers``: who speaks in it; empty in a group.
    """

    def __init__(self, title: str, order: DateOrder, options: ReadOptions, *, speakers: set[str]) -> None:
        self._speakers = speakers
        self._title = title
        self._order = order
        self._options = options
        self._talks = Talks(title, title)
        self._repeats = Repeats()
        self._before = "", ""

    def read(self, message: _Message, where: str) -> Found:
        """What a message is."""
        said = _SAID.fullmatch(message.rest)
        name = _speaker_of(said)
        before, self._before = self._before, (message.raw, name)
        at = message.date.moment(self._order, self._options.timezone)
        if at is None:
            written = message.raw.replace("None", "").rstrip(":")
            return BrokenRecord(where=where, reason=f"{written} is no time in the order {self._order}")
        if said is None or not name:
            return Skipped(reason="notices")
        words = own_words(said["text"])
        if not words:
            return Skipped(reason="messages without words (media, deleted, notices)")
        first, *others = self._ids(message.raw, name, words)
        return SourceItem(
            id=first,
            other_ids=(*others, self._repeats.id_of(message.raw, name, words, *before)),
            content=words,
            where=where,
            chat=self._talks.chat_at(at),
            role=role_of(name, me=self._options.me),
            speaker=name,
            at=at,
        )

    def _ids(self, *said: str) -> Iterator[str]:
        """The ids of a message, its own first: by the two who speak, and by nobody where one does or many do.

        An export in which one of two is silent goes by the name of the chat for the other.
        """
        two = sorted(self._speakers | ({self._title} if len(self._speakers) == 1 else set()))
        by_two = [self._repeats.id_of(*said, *two)] if two else []
        plain = [self._repeats.id_of(*said)]
        yield from (by_two + plain if len(self._speakers) == _TWO else plain + by_two)


def _speaker_of(said: "re.Match[str] | None") -> str:
    return said["name"].strip(NOTICE + "~ ") if said and is_name(said["name"], said=said["text"]) else ""


def _speakers(files: SourceFiles, name: str) -> set[str]:
    """The one or the two who speak in a chat; none of more."""
    found: set[str] = set()
    for message in _messages(files, name):
        if isinstance(message, _Message) and (who := _speaker_of(_SAID.fullmatch(message.rest))):
            found.add(who)
            if len(found) > _TWO:
                return set()
    return found


def _title_of(files: SourceFiles, name: str) -> str:
    """Whom the chat is with: by its first notice, else by the name of the file, else of the archive."""
    first = next((one for one in _messages(files, name) if isinstance(one, _Message)), None)
    said = _SAID.fullmatch(first.rest) if first else None
    if said and said["text"].startswith(NOTICE) and len(said["text"]) > _LONG:
        return said["name"].strip(NOTICE + "~ ")
    stem = PurePosixPath(name).stem
    if stem.startswith("_chat"):
        parent = PurePosixPath(name).parent.name
        stem = (parent or PurePosixPath(files.title.replace("\\", "/")).name).removesuffix(".zip")
        stem = stem.removesuffix(".txt")
    return chat_in(stem)


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
        yield 0, BrokenRecord(where=name, reason=str(error), is_end=True)


def _begun(number: int, text: str) -> _Message | None:
    """The message that begins with a line; None for one that goes on."""
    found = _LINE.fullmatch(_plain(text))
    if found is None:
        return None
    first, second, third = (int(one) for one in re.split(r"[./-] ?", found["date"]))
    clock = (hour_of(found["hour"], found["half"]), int(found["minute"]), int(found["second"] or 0))
    raw = f"{found['date']} {found['hour']}:{found['minute']}:{found['second']}{found['half'] or ''}"
    mark = found["date"].strip("0123456789")[:1]
    return _Message(number, WrittenDate((first, second, third), mark, clock), raw, found["rest"])


def _order_in(files: SourceFiles, name: str) -> DateOrder:
    """How a file writes dates.

    Raises:
        InvalidInputError: It does not show.
    """
    dates = DateOrders()
    for message in _messages(files, name):
        if isinstance(message, _Message):
            dates.see(message.date)
        if dates.order is not None:
            return dates.order
    return dates.shown(name) if dates.count else "ymd"


WHATSAPP: Final = ImportSource(name="whatsapp", title="WhatsApp chat", names=_names, read=_read, several=True)

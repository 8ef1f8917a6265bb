"""Mailboxes in the mbox format, such as Gmail's from Google Takeout: a thread is a conversation."""

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parseaddr, parsedate_to_datetime
from typing import Any, Final, cast

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles, reading
from recollect.ingest.sources.html_text import words_of_html
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
)
from recollect.ingest.sources.values import Repeats, moment, role_of
from recollect.types.regex import lazy_regex

_BEGINS: Final = b"From "
_ESCAPED: Final = re.compile(rb">+From ")
"""A line of a mail that would begin another, as a mailbox writes it: with one more ``>``."""
_MAX_MAIL: Final = 1 << 26
_LINE: Final = 1 << 20
"""Bytes of a mail with its attachments, and of a line. Chosen by hand."""
_BOUNDARY: Final = re.compile(rb"(?i)\bboundary[*\d]*\s*=")
_MAX_BOUNDARIES: Final = 200
"""Parts that have parts in a mail. Chosen by hand: a digest of a hundred mails has a hundred."""
_MAX_HEADER: Final = 4_000
"""Characters that are read of a header. Chosen by hand: the parser's time grows with their square."""
_REPLY: Final = lazy_regex(r"(?i)(?:(?:re|aw|sv|fwd?|wg|tr|rif)\s*(?:\[\d+\])?:\s*)+")
_QUOTED: Final = lazy_regex(
    r"(?im)^(?:-{2,} ?(?:original message|urspr.ngliche nachricht|forwarded message) ?-{2,}|_{20,}|"
    r"(?:on|am|le|el|il) .{6,200}(?:wrote|schrieb.{0,80}|a écrit|escribió|ha scritto) ?:)\s*$"
)
_IDS: Final = lazy_regex(r"<[^<>\s]{1,500}>")
_LABELS: Final = lazy_regex(r"(?i)(?:^|,)\s*(?:spam|trash)\s*(?:,|$)")


def _names(files: SourceFiles) -> list[str]:
    return [
        name
        for name in files.names
        if files.beginning(name).startswith(_BEGINS) and _is_mail(files.beginning(name))
    ]


def _is_mail(start: bytes) -> bool:
    return b"\nFrom:" in start or b"\nMessage-ID:" in start or b"\nSubject:" in start


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        repeats = Repeats()
        for number, mail in enumerate(_mails(files, name), start=1):
            where = f"{name}, mail {number}"
            if isinstance(mail, BrokenRecord):
                yield mail
                continue
            try:
                yield _found(mail, where, options, repeats)
            except (RecursionError, _TooDeepError):
                yield BrokenRecord(where=where, reason="its parts are nested too deep")
            except Exception:  # noqa: BLE001 - headers that are wrong make the parser raise anything
                yield BrokenRecord(where=where, reason="its headers or parts are damaged")


def _mails(files: SourceFiles, name: str) -> Iterator[bytes | BrokenRecord]:
    """The mails of a mailbox: a line that begins with "From " after a blank one begins the next."""
    lines: list[bytes] = []
    size, blank = 0, True
    try:
        with reading(name), files.open(name) as stream:
            for line in iter(lambda: stream.readline(_LINE), b""):
                if blank and line.startswith(_BEGINS):
                    if lines:
                        yield b"".join(lines)
                    lines, size = [], 0
                else:
                    size += len(line)
                    own = line[1:] if _ESCAPED.match(line) else line
                    lines += [own] if size <= _MAX_MAIL else []
                blank = not line.strip()
            if lines:
                yield b"".join(lines)
    except InvalidInputError as error:
        yield BrokenRecord(where=name, reason=str(error), is_end=True)


class _TooDeepError(Exception):
    """A mail has so many parts in parts that the parser would not end."""


class _ShortHeaders(EmailPolicy):
    """The standard library's policy, which reads the beginning of a header."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return super().header_fetch_parse(name, value[:_MAX_HEADER])


def _found(content: bytes, where: str, options: ReadOptions, repeats: Repeats) -> Found:
    if sum(1 for _ in _BOUNDARY.finditer(content)) > _MAX_BOUNDARIES:
        raise _TooDeepError
    mail = message_from_bytes(content, policy=cast("EmailPolicy[EmailMessage]", _ShortHeaders()))
    if _LABELS.search(_header(mail, "X-Gmail-Labels")):
        return Skipped(reason="mails in spam and trash")
    words = _words(mail)
    if not words:
        return Skipped(reason="mails without words")
    subject, sender = _header(mail, "Subject"), parseaddr(_header(mail, "From"))
    own_id = _header(mail, "Message-ID") or repeats.id_of(sender, _header(mail, "Date"), words)
    name = sender[0] or sender[1] or "?"
    return SourceItem(
        id=own_id,
        content=words,
        where=where,
        chat=SourceChat(id=_thread(mail, own_id), title=_REPLY.sub("", subject, count=1).strip() or None),
        role=role_of(*sender, me=options.me),
        speaker=name,
        at=_moment(_header(mail, "Date"), options),
    )


def _header(mail: EmailMessage, name: str) -> str:
    return " ".join(str(mail.get(name) or "").split())


def _thread(mail: EmailMessage, own_id: str) -> str:
    """The id of a thread: Gmail's, else that of its first mail."""
    before = _IDS.findall(f"{_header(mail, 'References')} {_header(mail, 'In-Reply-To')}")
    return _header(mail, "X-GM-THRID") or (before[0] if before else own_id)


def _moment(date: str, options: ReadOptions) -> Any:
    try:
        told = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment(told.isoformat(), zone=options.timezone)


def _words(mail: EmailMessage) -> str:
    """What a mail says itself, without what it quotes."""
    body = mail.get_body(preferencelist=("plain", "html"))
    if body is None:
        return ""
    content = _content(body)
    if not isinstance(content, str):
        return ""
    plain = words_of_html(content) if body.get_content_type() == "text/html" else content
    found = _QUOTED.search(plain)
    own = plain[: found.start()] if found else plain
    return "\n".join(line.rstrip() for line in own.splitlines() if not line.startswith(">")).strip()


def _content(body: Any) -> Any:
    """The content of a part; with a charset that nobody knows it is UTF-8, or else Western European."""
    try:
        return body.get_content()
    except LookupError:
        raw = body.get_payload(decode=True)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


MBOX: Final = ImportSource(name="mbox", title="mailbox", names=_names, read=_read, several=True)

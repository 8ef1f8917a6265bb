"""Telegram Desktop's export: ``result.json`` of one chat, or of all."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import each_of, records_of
from recollect.ingest.sources.source import Found, ImportSource, ReadOptions, Skipped, SourceItem
from recollect.ingest.sources.values import Talks, elements, listed, moment, role_of, text

_HEAD: Final = ("name", "type", "id", "personal_information")


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    return start.lstrip()[:1] == b"{" and (
        b'"from_id"' in start
        or b'"date_unixtime"' in start
        or (b'"personal_information"' in start and b'"chats"' in start)
    )


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        yield from records_of(files, name, _File(options).read, into="chats")


class _File:
    """Reads the records of a file; what stands before the messages tells whose they are."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._head: dict[str, Any] = {}
        self._talks: Talks | None = None

    def read(self, key: str, value: Any, where: str) -> list[Found]:
        """What a record is."""
        if key in _HEAD:
            self._head[key] = value
            return []
        if key == "list":
            talks, said = _talks(value), enumerate(listed(value, "messages"), start=1)
            return list(
                each_of(said, lambda one, place: [self._message(one, talks, place)], where, noun="message")
            )
        if key != "messages":
            return []
        self._talks = self._talks or _talks(self._head)
        return [self._message(value, self._talks, where)]

    def _message(self, message: Mapping[str, Any], talks: Talks, where: str) -> Found:
        if message.get("type") != "message":
            return Skipped(reason="notices")
        words = _words(message)
        if not words.strip():
            return Skipped(reason="messages without words")
        at = moment(message.get("date_unixtime")) or moment(message.get("date"), zone=self._options.timezone)
        name = text(message, "from") or "?"
        return SourceItem(
            id=f"{talks.name}:{message['id']}",
            content=words,
            where=where,
            chat=talks.chat_at(at),
            role="user" if self._is_user(message) else role_of(name, me=self._options.me),
            speaker=name,
            at=at,
            changed_at=moment(message.get("edited_unixtime")),
        )

    def _is_user(self, message: Mapping[str, Any]) -> bool:
        told = self._head.get("personal_information")
        user = told.get("user_id") if isinstance(told, dict) else None
        return user is not None and message.get("from_id") == f"user{user}"


def _talks(chat: Mapping[str, Any]) -> Talks:
    title = text(chat, "name") or ("Saved messages" if chat.get("type") == "saved_messages" else None)
    return Talks(str(chat.get("id") or title or "chat"), title)


def _words(message: Mapping[str, Any]) -> str:
    """The words of a message: a text, or parts of which some are marked."""
    plain = text(message, "text")
    parts = elements(message, "text")
    return plain or "".join(part if isinstance(part, str) else text(part, "text") for part in parts)


TELEGRAM: Final = ImportSource(
    name="telegram", title="Telegram export", names=_names, read=_read, several=True
)

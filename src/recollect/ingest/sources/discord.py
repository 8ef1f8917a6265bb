"""JSON of DiscordChatExporter: a channel a file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import records_of
from recollect.ingest.sources.source import Found, ImportSource, ReadOptions, Skipped, SourceItem
from recollect.ingest.sources.values import ShapeError, Talks, members, moment, role_of, text

_SAID: Final = ("", "Default", "Reply")
"""Types of messages that people say; others are notices."""


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    return start.lstrip()[:1] == b"{" and all(one in start for one in (b'"guild"', b'"channel"'))


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        yield from records_of(files, name, _File(options).read)


class _File:
    """Reads the records of a file; what stands before the messages tells whose they are."""

    def __init__(self, options: ReadOptions) -> None:
        self._me = options.me
        self._head: dict[str, Any] = {}
        self._talks: Talks | None = None

    def read(self, key: str, value: Any, where: str) -> list[Found]:
        """What a record is."""
        if key in ("guild", "channel"):
            self._head[key] = value
        if key != "messages":
            return []
        self._talks = self._talks or _talks(self._head)
        return [self._message(value, self._talks, where)]

    def _message(self, message: Mapping[str, Any], talks: Talks, where: str) -> Found:
        if not isinstance(message, Mapping):
            raise ShapeError("it is no object")
        author = members(message, "author")
        if text(message, "type") not in _SAID or author.get("isBot") is True:
            return Skipped(reason="messages of bots and of Discord")
        words = text(message, "content")
        if not words:
            return Skipped(reason="messages without words")
        at = moment(message.get("timestamp"))
        name, account = text(author, "nickname", "name") or "?", text(author, "name")
        return SourceItem(
            id=str(message["id"]),
            content=words,
            where=where,
            chat=talks.chat_at(at),
            role=role_of(name, account, text(author, "id"), me=self._me),
            speaker=name,
            at=at,
            changed_at=moment(message.get("timestampEdited")),
        )


def _talks(head: Mapping[str, Any]) -> Talks:
    guild, channel = members(head, "guild"), members(head, "channel")
    title = " #".join(one for one in (text(guild, "name"), text(channel, "name")) if one)
    return Talks(text(channel, "id") or title or "channel", title or None)


DISCORD: Final = ImportSource(
    name="discord", title="DiscordChatExporter file", names=_names, read=_read, several=True
)

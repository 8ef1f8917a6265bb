"""Slack's export: a folder or an archive with ``users.json`` and a folder of days for each channel."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import MAX_RECORD_BYTES, records_of
from recollect.ingest.sources.source import (
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
)
from recollect.ingest.sources.values import Talks, elements, members, moment, objects, role_of, text
from recollect.types.regex import lazy_regex

_DAY: Final = lazy_regex(r"(?:.*/)?[^/]+/\d{4}-\d{2}-\d{2}\.json")
_LISTS: Final = ("channels.json", "groups.json", "mpims.json", "dms.json")
_SAID: Final = ("", "thread_broadcast", "me_message", "file_share")
"""Subtypes that people say; others are notices."""
_REFERENCE: Final = lazy_regex(r"<(?P<what>[@#!]?)(?P<id>[^<>|]{1,2000})(?:\|(?P<label>[^<>]{0,500}))?>")
_DEEPEST: Final = 20
"""Blocks inside blocks. Chosen by hand."""


def _names(files: SourceFiles) -> list[str]:
    days = [name for name in files.ending(".json") if _DAY.fullmatch(name)]
    return days if any(b'"ts"' in files.beginning(name) for name in days[:10]) else []


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    people = {text(one, "id"): _name_of(one) for one in _listed(files, "users.json")}
    titles = dict(_titles(files, people))
    for channel, days in groupby(names, key=lambda name: PurePosixPath(name).parent.name):
        channel_id, title = titles.get(channel, (channel, f"#{channel}"))
        talks = Talks(channel_id, title)
        for day in days:
            reader = _Day(channel_id, title, talks, people, options.me)
            found = list(records_of(files, day, reader.read))
            # A thread's messages stand together; what is said beside it comes first.
            yield from sorted(found, key=_thread_of)


def _thread_of(found: Found) -> str:
    chat = found.chat if isinstance(found, SourceItem) else None
    return chat.id if chat and "-thread-" in chat.id else ""


def _listed(files: SourceFiles, name: str) -> list[dict[str, Any]]:
    """The objects of the files of a name beside the channels; none of one that is damaged."""
    found: list[dict[str, Any]] = []
    for one in files.names:
        if PurePosixPath(one).name != name:
            continue
        try:
            read = json.loads(files.read(one, most=MAX_RECORD_BYTES))
        except (InvalidInputError, ValueError, RecursionError):
            continue
        found += [entry for entry in read if isinstance(entry, dict)] if isinstance(read, list) else []
    return found


def _name_of(user: Mapping[str, Any]) -> str:
    profile = members(user, "profile")
    return text(profile, "display_name", "real_name") or text(user, "real_name", "name", "id")


def _titles(files: SourceFiles, people: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Of each folder the id and title of its channel."""
    for name in _LISTS:
        for one in _listed(files, name):
            channel_id, called = text(one, "id"), text(one, "name")
            names = [people.get(str(member), str(member)) for member in elements(one, "members")]
            if called and name != "mpims.json":
                yield called, (channel_id or called, f"#{called}")
            elif channel_id:
                yield called or channel_id, (channel_id, ", ".join(names))


class _Day:
    """Reads the messages of one day of a channel."""

    def __init__(
        self, channel: str, title: str, talks: Talks, people: Mapping[str, str], me: str | None
    ) -> None:
        self._channel = channel
        self._title = title
        self._talks = talks
        self._people = people
        self._me = me

    def read(self, _: str, value: Any, where: str) -> list[Found]:
        """What a message is."""
        if text(value, "subtype") not in _SAID:
            return [Skipped(reason="notices of Slack and bots")]
        if value.get("bot_id") and not value.get("user"):
            return [Skipped(reason="notices of Slack and bots")]
        stamp, at = text(value, "ts"), moment(value["ts"])
        words = self._words(text(value, "text") or _in_blocks(value, 0))
        if not words.strip():
            return [Skipped(reason="messages without words")]
        user = text(value, "user")
        name = self._people.get(user) or _name_of(members(value, "user_profile")) or user or "?"
        thread = text(value, "thread_ts")
        talk = SourceChat(id=f"{self._channel}-thread-{thread}", title=self._title)
        return [
            SourceItem(
                id=f"{self._channel}:{stamp}",
                content=words,
                where=where,
                chat=talk if thread else self._talks.chat_at(at),
                role=role_of(name, user, me=self._me),
                speaker=name,
                at=at,
                changed_at=moment(members(value, "edited").get("ts")),
            )
        ]

    def _words(self, marked: str) -> str:
        return unescape(_REFERENCE.sub(self._named, marked))

    def _named(self, found: re.Match[str]) -> str:
        label = found["label"] or ""
        match found["what"]:
            case "@":
                return f"@{self._people.get(found['id']) or label or found['id']}"
            case "#":
                return f"#{label or found['id']}"
            case "!":
                return f"@{label or found['id'].partition('^')[0]}"
            case _:
                return _linked(found["id"], label)


def _linked(address: str, label: str) -> str:
    """A link in words: its label and its address, one of them where they say the same."""
    plain = (
        address.removeprefix("mailto:").removeprefix("tel:").removeprefix("https://").removeprefix("http://")
    )
    if not label or label.rstrip("/") in (address, plain.rstrip("/")):
        return label or address
    return f"{label} ({address})"


def _in_blocks(value: Mapping[str, Any], depth: int) -> str:
    """The words in a message's blocks."""
    if depth > _DEEPEST:
        return ""
    parts = [*objects(value, "blocks"), *objects(value, "elements"), members(value, "text")]
    return "".join(text(part, "text") or _in_blocks(part, depth + 1) for part in parts if part)


SLACK: Final = ImportSource(
    name="slack", title="Slack export", names=_names, read=_read, beside=("users.json", *_LISTS), several=True
)

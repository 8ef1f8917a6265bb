"""Letta's agent files, ``.af``: core memory as facts, messages as conversations, files as documents.

Their ids count from 0 in each file, so the file belongs to them.

What such a file may hold of credentials (environment variables of tools, secrets) is never read.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import DAMAGE, MAX_RECORD_BYTES, each_of
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceDocument,
    SourceItem,
)
from recollect.ingest.sources.values import elements, listed, members, moment, objects, spoken, text

_PERSONA: Final = "persona"
"""Letta's label of the block in which an agent says who it is; "human" tells of the user."""
_AGENTS: Final = re.compile(rb'\\?"agents\\?"\s*:\s*\[')
_BLOCKS: Final = re.compile(rb'\\?"blocks\\?"\s*:\s*\[')


def _names(files: SourceFiles) -> list[str]:
    return [
        name for name in files.like(".af") if name.lower().endswith(".af") or _is_ours(files.beginning(name))
    ]


def _is_ours(start: bytes) -> bool:
    """Whether a file that was given alone has the lists of one, as JSON or as a JSON text that holds JSON."""
    return bool(_AGENTS.search(start)) and bool(_BLOCKS.search(start))


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    for name in names:
        try:
            agent_file = _parsed(files.read(name, most=MAX_RECORD_BYTES))
            place = files.place(name)
            found = [
                *_blocks(agent_file, name, place),
                *_messages(agent_file, name, place),
                *_documents(agent_file, name, place),
            ]
        except InvalidInputError as error:
            yield BrokenRecord(where=name, reason=str(error))
        except DAMAGE:
            yield BrokenRecord(where=name, reason="it is no agent file")
        else:
            yield from found


def _parsed(content: bytes) -> dict[str, Any]:
    """An agent file; some are a JSON text that holds JSON."""
    read = json.loads(content.decode("utf-8-sig"))
    if isinstance(read, str):
        read = json.loads(read)
    if not isinstance(read, dict) or not isinstance(read.get("agents"), list):
        raise TypeError("no agents")
    return read


def _blocks(agent_file: Mapping[str, Any], name: str, place: str) -> Iterator[Found]:
    at = moment(agent_file.get("created_at"))
    labels: Counter[str] = Counter()

    def read(block: Mapping[str, Any], where: str) -> Iterator[Found]:
        label, words = text(block, "label") or "memory", text(block, "value")
        labels[label] += 1
        unnamed = label if labels[label] == 1 else f"{label}-{labels[label]}"
        if not words:
            yield Skipped(reason="empty blocks")
            return
        if label == _PERSONA:
            yield Skipped(reason="personas of agents")
            return
        yield SourceItem(
            id=f"{place}:{text(block, 'id') or unnamed}",
            content=words,
            where=where,
            kind="fact",
            at=at,
            changed_at=at,
            concepts=(label,),
            metadata={"block": label},
        )

    yield from each_of(enumerate(listed(agent_file, "blocks"), start=1), read, name, noun="block")


def _messages(agent_file: Mapping[str, Any], name: str, place: str) -> Iterator[Found]:
    def read(agent: Mapping[str, Any], where: str) -> Iterator[Found]:
        number = where.rpartition(" ")[2]
        agent_id = f"{place}:{text(agent, 'id') or int(number) - 1}"
        chat = SourceChat(id=agent_id, title=text(agent, "name") or None)
        said = enumerate(listed(agent, "messages"), start=1)
        yield from each_of(said, lambda one, at: _message(one, chat, at), where, noun="message")

    yield from each_of(enumerate(agent_file["agents"], start=1), read, name, noun="agent")


def _documents(agent_file: Mapping[str, Any], name: str, place: str) -> Iterator[Found]:
    """The files that agents read; one whose words are not in the export is left out."""

    def read(file: Mapping[str, Any], where: str) -> Iterator[Found]:
        called = text(file, "original_file_name") or text(file, "file_name")
        if not text(file, "content").strip():
            yield Skipped(reason="files without words")
            return
        yield SourceDocument(
            id=f"{place}:{text(file, 'id') or called or where.rpartition(' ')[2]}",
            content=text(file, "content"),
            where=where,
            name=called,
            title=called or where,
            written_at=moment(file.get("created_at")),
        )

    yield from each_of(enumerate(elements(agent_file, "files"), start=1), read, name, noun="file")


def _message(message: Mapping[str, Any], chat: SourceChat, where: str) -> Iterator[Found]:
    words, role = _words(message), text(message, "role")
    if role not in ("user", "assistant"):
        yield Skipped(reason=f"{role} messages" if role in ("system", "tool") else "other messages")
    elif not words:
        yield Skipped(reason="messages without words")
    else:
        yield SourceItem(
            id=f"{chat.id}:{text(message, 'id') or where.rpartition(' ')[2]}",
            content=words,
            where=where,
            chat=chat,
            role=role,
            speaker=text(message, "name") or None,
            at=moment(message.get("created_at")),
        )


def _words(message: Mapping[str, Any]) -> str:
    """What was said: plain, in Letta's envelope of JSON, or as the argument of ``send_message``."""
    if text(message, "role") == "assistant":
        sent = [_sent(one) for one in objects(message, "tool_calls")]
        if any(sent):
            return spoken(sent)
    words = text(message, "content") or spoken([text(one, "text") for one in objects(message, "content")])
    envelope = _object_in(words)
    if "type" not in envelope:
        return words
    return text(envelope, "message") if envelope["type"] == "user_message" else ""


def _sent(call: Mapping[str, Any]) -> str:
    function = members(call, "function")
    if text(function, "name") != "send_message":
        return ""
    return text(_object_in(text(function, "arguments")), "message")


def _object_in(words: str) -> dict[str, Any]:
    """The JSON object that a text is; an empty one for any other text."""
    try:
        read = json.loads(words) if words.lstrip()[:1] == "{" else None
    except (ValueError, RecursionError):
        read = None
    return read if isinstance(read, dict) else {}


LETTA: Final = ImportSource(name="letta", title="Letta agent file", names=_names, read=_read)

"""ChatGPT's data export: ``conversations.json``, alone, in a folder or in the archive.

A conversation is a tree; the branch that leads to ``current_node`` is what was said last. ChatGPT's memories
are messages to ``bio``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import records_of
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
)
from recollect.ingest.sources.values import elements, members, moment, spoken, text
from recollect.types.regex import lazy_regex

_MARKS: Final = lazy_regex(
    "\ue200[^\ue200\ue201]{0,2000}\ue201|[\ue000-\uf8ff]|【[^【】]{0,200}†[^【】]{0,200}】"
)
"""Citations, in characters of private use, or in brackets with a dagger."""
_FORGET: Final = lazy_regex(r"(?i)\s*(?:forget|remove|delete)\b")
_FILE: Final = re.compile(r"(?:.*/)?conversations[^/]*\.json")
_HIDDEN: Final = "hidden messages"
_SHOWN: Final = 60
"""Characters of a node's name that are shown. Chosen by hand."""


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json") if _is_ours(name, files.beginning(name))]


def _is_ours(name: str, start: bytes) -> bool:
    shaped = start.lstrip()[:1] in (b"[", b"{") and b'"mapping"' in start
    return shaped and (b'"current_node"' in start or b'"children"' in start or bool(_FILE.fullmatch(name)))


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    for name in names:
        yield from records_of(files, name, _conversation)


def _conversation(key: str, value: Any, where: str) -> list[Found]:
    if key not in ("", "conversations"):
        return []
    if not isinstance(value["mapping"], dict):
        raise TypeError("its mapping is no object")
    if value.get("is_do_not_remember") is True:
        return [Skipped(reason="conversations that ChatGPT was told not to remember")]
    nodes = {one: node for one, node in value["mapping"].items() if isinstance(node, dict)}
    branch = _branch(nodes, value.get("current_node"))
    started = moment(value.get("create_time"))
    chat = SourceChat(
        id=text(value, "conversation_id", "id") or f"{branch[0]}",
        title=text(value, "title") or None,
        started_at=started,
        changed_at=moment(value.get("update_time")),
    )
    found: list[Found] = []
    for node in branch:
        if isinstance(nodes[node].get("message"), dict):
            _message(nodes[node]["message"], node, chat, where, found)
    others = sum(1 for one, node in nodes.items() if node.get("message") and one not in set(branch))
    return [
        *found,
        *_broken(value["mapping"], where),
        *([Skipped(reason="messages of branches that were left", count=others)] if others else []),
    ]


def _broken(mapping: dict[str, Any], where: str) -> Iterator[Found]:
    """The nodes and messages of a tree that are no objects."""
    for name, node in mapping.items():
        if not isinstance(node, dict):
            yield BrokenRecord(where=f"{where}, node {name[:_SHOWN]}", reason="it is no object")
        elif not isinstance(node.get("message"), dict | None):
            yield BrokenRecord(where=f"{where}, node {name[:_SHOWN]}", reason="its 'message' is no object")


def _branch(nodes: dict[str, dict[str, Any]], current: object) -> list[str]:
    """The ids from the root to the current node; without one, to the newest leaf."""
    if not isinstance(current, str) or current not in nodes:
        current = max(nodes, key=lambda one: _age(nodes, one)) if nodes else None
    path: dict[str, None] = {}
    before = {str(child): one for one, node in nodes.items() for child in elements(node, "children")}
    while isinstance(current, str) and current in nodes and current not in path:
        path[current] = None
        parent = nodes[current].get("parent")
        known = parent is None or (isinstance(parent, str) and parent in nodes)
        # Where the parent is broken, what stands before it is found by its children.
        current = parent if known else before.get(str(parent)) or before.get(current)
    return list(path)[::-1] or ["empty"]


def _age(nodes: dict[str, dict[str, Any]], node: str) -> tuple[bool, float]:
    told = moment(members(nodes[node], "message").get("create_time"))
    return not elements(nodes[node], "children"), told.timestamp() if told else 0.0


def _message(message: dict[str, Any], node: str, chat: SourceChat, where: str, found: list[Found]) -> None:
    role, recipient = text(members(message, "author"), "role"), text(message, "recipient") or "all"
    words = _MARKS.sub("", _words(members(message, "content")))
    if recipient == "bio" and role == "assistant":
        said = [one for one in found if isinstance(one, SourceItem) and one.role == "user" and one.chat]
        fact = SourceItem(
            id=text(message, "id") or node,
            content=words,
            where=where,
            kind="fact",
            at=moment(message.get("create_time")) or (said[-1].at if said else None) or chat.started_at,
            sources=tuple(one.id for one in said[-1:]),
        )
        found.extend(_memories(fact))
    elif why := _left_out(message, role, recipient, words):
        found.append(Skipped(reason=why))
    else:
        found.append(
            SourceItem(
                id=text(message, "id") or node,
                content=words,
                where=where,
                chat=chat,
                role=role,
                at=moment(message.get("create_time")),
            )
        )


def _left_out(message: dict[str, Any], role: str, recipient: str, words: str) -> str | None:
    """Why a message is no part of what was said."""
    told, kind = members(message, "metadata"), text(members(message, "content"), "content_type")
    if role not in ("user", "assistant"):
        return f"{role} messages" if role in ("system", "tool") else "messages of unknown roles"
    if told.get("is_visually_hidden_from_conversation") is True or told.get("is_user_system_message") is True:
        return _HIDDEN
    if message.get("weight") == 0:
        return "messages without weight"
    if recipient != "all":
        return "messages to tools"
    if kind in ("thoughts", "reasoning_recap"):
        return "thoughts"
    if kind not in ("text", "multimodal_text", ""):
        return _HIDDEN if kind == "user_editable_context" else "messages with code or results of tools"
    return None if words.strip() else "messages without words"


def _words(content: dict[str, Any]) -> str:
    parts = elements(content, "parts")
    said = [part if isinstance(part, str) else _transcript(part) for part in parts]
    return spoken(said) or text(content, "text")


def _transcript(part: object) -> str:
    is_voice = isinstance(part, dict) and part.get("content_type") == "audio_transcription"
    return text(part, "text") if is_voice else ""


def _memories(fact: SourceItem) -> Iterator[Found]:
    """What ChatGPT remembered: a fact for each line, told by the user's message before it."""
    for number, line in enumerate(filter(str.strip, fact.content.splitlines())):
        if _FORGET.match(line):
            yield Skipped(reason="requests to forget")
        else:
            yield replace(fact, id=f"{fact.id}#{number}", content=line.strip())


CHATGPT: Final = ImportSource(
    name="chatgpt", title="ChatGPT export", names=_names, read=_read, beside=("chat.html",)
)

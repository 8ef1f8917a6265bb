"""The export of Claude.ai, alone, in a folder or in the archive: conversations, projects and memories."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from recollect.ingest.sources.claude_projects import MEMORIES, PROJECT, memories_found, project_found
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import each_of, records_of, whole_of
from recollect.ingest.sources.source import (
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
)
from recollect.ingest.sources.values import ShapeError, elements, listed, moment, objects, spoken, text

_ROLES: Final = {"human": "user", "assistant": "assistant"}
_BLOCKS: Final = {
    "thinking": "thoughts",
    "redacted_thinking": "thoughts",
    "tool_use": "calls of tools and artifacts",
    "tool_result": "results of tools",
}


_MEMORIES: Final = f'"{MEMORIES}"'.encode()
_PROJECT: Final = f'"{PROJECT}"'.encode()


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    is_project = _PROJECT in start and (b'"prompt_template"' in start or b'"docs"' in start)
    known = is_project or _MEMORIES in start or b'"chat_messages"' in start
    return known and start.lstrip()[:1] in (b"[", b"{")


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    projects: dict[str, str] = {}

    def record(key: str, value: Any, where: str) -> list[Found]:
        if PROJECT in value:
            projects[text(value, "uuid")] = text(value, "name")
            return list(project_found(value, where))
        if MEMORIES in value:
            return list(memories_found(value, where, projects))
        return _conversation(key, value, where)

    # Memories name projects by their ids, so those are read before.
    for name in sorted(names, key=lambda one: _MEMORIES in files.beginning(one)):
        if _is_alone(files.beginning(name)):
            yield from whole_of(files, name, record)
        else:
            yield from records_of(files, name, record)


def _is_alone(start: bytes) -> bool:
    """Whether the file is one conversation, as the page's own interface gives it."""
    return start.lstrip()[:1] == b"{" and b'"conversations"' not in start[:100]


def _conversation(key: str, value: Any, where: str) -> list[Found]:
    if key not in ("", "conversations"):
        return []
    if "chat_messages" not in value:
        raise ShapeError("it has no 'chat_messages'")
    said = list(enumerate(listed(value, "chat_messages"), start=1))
    branch = _branch(said, text(value, "current_leaf_message_uuid"))
    chat = SourceChat(
        id=text(value, "uuid") or str(value["uuid"]),
        title=text(value, "name") or None,
        started_at=moment(value.get("created_at")),
        changed_at=moment(value.get("updated_at")),
    )
    found = each_of(branch, lambda one, place: _message(one, chat, place), where, noun="message")
    left = len(said) - len(branch)
    return [*found, *([Skipped(reason="messages of branches that were left", count=left)] if left else [])]


def _branch(said: list[tuple[int, Any]], leaf: str) -> list[tuple[int, Any]]:
    """The numbered messages that lead to the leaf; all of them where there are no branches."""
    by_id = {text(one, "uuid"): (number, one) for number, one in said}
    if not leaf or leaf not in by_id:
        return said
    path: dict[str, tuple[int, Any]] = {}
    while leaf in by_id and leaf not in path:
        path[leaf] = by_id[leaf]
        leaf = text(by_id[leaf][1], "parent_message_uuid")
    return list(path.values())[::-1]


def _message(message: dict[str, Any], chat: SourceChat, where: str) -> Iterator[Found]:
    role = _ROLES.get(text(message, "sender"))
    if role is None:
        yield Skipped(reason="messages of unknown roles")
        return
    blocks = objects(message, "content")
    for block in blocks:
        if (kind := text(block, "type")) in _BLOCKS:
            yield Skipped(reason=_BLOCKS[kind])
    said = spoken([text(one, "text") for one in blocks if one.get("type") == "text"]) or text(message, "text")
    words = said or _pasted(message)
    if left := len(elements(message, "files")) + sum(
        1 for one in objects(message, "attachments") if said or not text(one, "extracted_content")
    ):
        yield Skipped(reason="attachments", count=left)
    if not words:
        yield Skipped(reason="messages without words")
        return
    yield SourceItem(
        id=text(message, "uuid") or str(message["uuid"]),
        content=words,
        where=where,
        chat=chat,
        role=role,
        at=moment(message.get("created_at")),
    )


def _pasted(message: dict[str, Any]) -> str:
    """What was pasted in place of words."""
    return spoken([text(one, "extracted_content") for one in objects(message, "attachments")])


CLAUDE: Final = ImportSource(name="claude", title="Claude.ai export", names=_names, read=_read)

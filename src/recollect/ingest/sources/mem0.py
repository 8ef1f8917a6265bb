"""mem0's memories, in four shapes.

============================================================ ==============================================
shape                                                        from
============================================================ ==============================================
``{"results": [{"id", "memory", ...}]}``                     ``get_all`` and ``search``
``{"memories": [...]}``                                      the platform's export
``{"kind": "mem0_oss_qdrant_export", "records": [...]}``     mem0's own dump of Qdrant
``[{"id", "payload": {"data", "user_id", ...}}]``            a vector store's points; also plain memories
============================================================ ==============================================

Memories are facts. Those that Recollect exported say in ``metadata["recollect"]`` what else they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from recollect.checks import check_kind
from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import documents_of
from recollect.ingest.sources.source import (
    BrokenRecord,
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceChat,
    SourceItem,
    SourceNote,
)
from recollect.ingest.sources.values import ShapeError, digest_of, elements, members, moment, text
from recollect.types.regex import lazy_regex

OURS: Final = "recollect"
"""Under it the metadata of a memory that Recollect exported keep what mem0 has no place for."""
_DEFAULT_TOP_K: Final = 20
"""Memories that mem0's ``get_all`` gives unless it is told how many."""
_OURS: Final = lazy_regex(
    r'"kind"\s*:\s*"mem0_|"payload"\s*:\s*\{[^{}]{0,4000}"data"\s*:|"memory"\s*:\s*"'
    r'|"data"\s*:\s*"[^{}]{0,4000}"hash"\s*:|"hash"\s*:\s*"[^{}]{0,4000}"data"\s*:'
)
_LISTS: Final = ("", "results", "memories", "records", "points")
_KEPT: Final = ("run_id", "actor_id", "attributed_to", "categories")


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json", ".jsonl") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    return start.lstrip()[:1] in (b"[", b"{") and _OURS.search(start.decode(errors="replace")) is not None


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    for name in names:
        count = 0
        said: set[str] = set()
        episodes: list[SourceItem] = []
        for found in documents_of(files, name, _record):
            count += isinstance(found, SourceItem)
            if isinstance(found, SourceItem) and found.kind == "episode":
                episodes.append(found)
                continue
            said.update([found.id] if isinstance(found, SourceItem) and found.kind == "message" else [])
            yield found
        for one in episodes:
            made_again = one.sources and said.issuperset(one.sources)
            yield Skipped(reason="episodes, made again from their messages") if made_again else one
        if count == _DEFAULT_TOP_K:
            yield SourceNote(
                text=f"{name} has exactly {count} memories: mem0's get_all gives no more unless told; "
                "export with a higher top_k if there are more"
            )


def _record(key: str, value: Any, where: str) -> list[Found]:
    if key == "relations":
        return [Skipped(reason="relations of mem0's graph")]
    if key not in _LISTS:
        return []
    if not isinstance(value, dict):
        raise ShapeError("it is no object")
    payload = members(value, "payload") or value
    words = text(payload, "memory", "data", "text", "content")
    if not words:
        return [Skipped(reason="memories without words")]
    told = {one: payload[one] for one in _KEPT if isinstance(payload.get(one), (str, list))}
    given = value.get("id") if value.get("id") is not None else payload.get("id")
    metadata = members(payload, "metadata")
    read = SourceItem(
        id=str(given) if isinstance(given, (str, int)) else digest_of(words),
        content=words,
        where=where,
        kind="fact",
        role=text(payload, "role") or "user",
        at=moment(payload.get("created_at")),
        changed_at=moment(payload.get("updated_at")),
        valid_until=moment(payload.get("expiration_date")),
        metadata={**metadata, **told},
        agent_id=text(payload, "agent_id") or None,
        owners=tuple(filter(None, [text(payload, "user_id")])),
    )
    own = members(metadata, OURS)
    return [_as_it_was(read, own, payload) if text(own, "kind") else read]


def _as_it_was(read: SourceItem, own: dict[str, Any], payload: Any) -> Found:
    """A memory that Recollect exported."""
    try:
        kind = check_kind("its kind", own["kind"])
    except InvalidInputError as error:
        return BrokenRecord(where=read.where, reason=str(error))
    session = text(payload, "run_id")
    kept = {name: value for name, value in members(payload, "metadata").items() if name != OURS}
    kept |= {OURS: own[OURS]} if OURS in own else {}
    sure = own.get("confidence")
    return replace(
        read,
        kind=kind,
        chat=SourceChat(id=session) if session and kind == "message" else None,
        speaker=text(payload, "actor_id") or None,
        valid_until=moment(own.get("valid_until")),
        metadata={"run_id": session, **kept} if session and kind != "message" else kept,
        category=text(own, "category") or None,
        confidence=sure if isinstance(sure, float) else None,
        sources=tuple(one for one in elements(own, "sources") if isinstance(one, str)),
    )


MEM0: Final = ImportSource(name="mem0", title="mem0 memories", names=_names, read=_read)

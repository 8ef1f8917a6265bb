"""mem0's memories, in four shapes.

============================================================ ==============================================
shape                                                        from
============================================================ ==============================================
``{"results": [{"id", "memory", ...}]}``                     ``get_all`` and ``search``
``{"memories": [...]}``                                      the platform's export
``{"kind": "mem0_oss_qdrant_export", "records": [...]}``     mem0's own dump of Qdrant
``[{"id", "payload": {"data", "user_id", ...}}]``            a vector store's points; also plain memories
============================================================ ==============================================
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import documents_of
from recollect.ingest.sources.source import (
    Found,
    ImportSource,
    ReadOptions,
    Skipped,
    SourceItem,
    SourceNote,
)
from recollect.ingest.sources.values import digest_of, members, moment, text
from recollect.types.regex import lazy_regex

_DEFAULT_TOP_K: Final = 20
"""Memories that mem0's ``get_all`` gives unless it is told how many."""
_OURS: Final = lazy_regex(
    r'"kind"\s*:\s*"mem0_|"payload"\s*:\s*\{[^{}]{0,4000}"data"\s*:|"memory"\s*:\s*"'
    r'|"data"\s*:\s*"[^{}]{0,4000}"hash"\s*:|"hash"\s*:\s*"[^{}]{0,4000}"data"\s*:'
)
_LISTS: Final = ("", "results", "memories", "records", "points")
_KEPT: Final = ("agent_id", "run_id", "actor_id", "attributed_to", "categories")


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.ending(".json", ".jsonl") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    return start.lstrip()[:1] in (b"[", b"{") and _OURS.search(start.decode(errors="replace")) is not None


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    for name in names:
        count = 0
        for found in documents_of(files, name, _record):
            count += isinstance(found, SourceItem)
            yield found
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
    payload = members(value, "payload") or value
    words = text(payload, "memory", "data", "text", "content")
    if not words:
        return [Skipped(reason="memories without words")]
    told = {one: payload[one] for one in _KEPT if isinstance(payload.get(one), (str, list))}
    given = value.get("id") if value.get("id") is not None else payload.get("id")
    return [
        SourceItem(
            id=str(given) if isinstance(given, (str, int)) else digest_of(words),
            content=words,
            where=where,
            kind="fact",
            role=text(payload, "role") or "user",
            at=moment(payload.get("created_at")),
            valid_until=moment(payload.get("expiration_date")),
            metadata={**members(payload, "metadata"), **told},
            owner=text(payload, "user_id") or None,
        )
    ]


MEM0: Final = ImportSource(name="mem0", title="mem0 memories", names=_names, read=_read)

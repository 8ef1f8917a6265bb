"""Dumps of Zep and Graphiti: episodes are messages, edges are facts with the times in which they hold.

Nodes and edges may stand in one list or in several, one a line, or under ``properties`` as Neo4j writes them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import documents_of
from recollect.ingest.sources.source import Found, ImportSource, ReadOptions, Skipped, SourceItem
from recollect.ingest.sources.values import Talks, elements, members, moment, text


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json", ".jsonl") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    fact = b'"fact"' in start and b'"source_node_uuid"' in start
    episode = b'"source_description"' in start and b'"valid_at"' in start
    return start.lstrip()[:1] in (b"[", b"{") and b'"uuid"' in start and (fact or episode)


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    for name in names:
        yield from documents_of(files, name, _File().read)


class _File:
    """Reads the records of a file; the episodes of a group are cut into conversations."""

    def __init__(self) -> None:
        self._talks: dict[str, Talks] = {}

    def read(self, _: str, value: Any, where: str) -> list[Found]:
        """What a record is."""
        if not isinstance(value, dict):
            return []
        record = members(value, "properties") or value
        if text(record, "fact"):
            return [_fact(record, where)]
        if text(record, "content"):
            return [self._episode(record, where)]
        return [Skipped(reason="entities and other records")]

    def _episode(self, record: Mapping[str, Any], where: str) -> Found:
        group = text(record, "group_id") or "group"
        at = moment(record.get("valid_at")) or moment(record.get("created_at"))
        talks = self._talks.setdefault(group, Talks(group, None))
        return SourceItem(
            id=str(record["uuid"]),
            content=text(record, "content"),
            where=where,
            chat=talks.chat_at(at),
            at=at,
            owners=_owners(record),
        )


def _fact(record: Mapping[str, Any], where: str) -> Found:
    relation = text(record, "name")
    return SourceItem(
        id=str(record["uuid"]),
        content=text(record, "fact"),
        where=where,
        kind="fact",
        at=moment(record.get("valid_at")) or moment(record.get("created_at")),
        valid_until=moment(record.get("invalid_at")) or moment(record.get("expired_at")),
        metadata={"relation_type": relation} if relation else {},
        owners=_owners(record),
        sources=tuple(one for one in elements(record, "episodes") if isinstance(one, str)),
    )


def _owners(record: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(filter(None, [text(record, "group_id")]))


ZEP: Final = ImportSource(name="zep", title="Zep or Graphiti dump", names=_names, read=_read)

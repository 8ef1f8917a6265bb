"""The file of MCP's memory server, ``memory.jsonl``: entities with observations, and relations."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import lines_of
from recollect.ingest.sources.source import Found, ImportSource, ReadOptions, Skipped, SourceItem
from recollect.ingest.sources.values import digest_of, listed, text
from recollect.types.regex import lazy_regex

_OURS: Final = lazy_regex(
    r'\s*\{(?=[^\n]*"type"\s*:\s*"(?:entity|relation)")(?=[^\n]*"(?:entityType|relationType)"\s*:)'
)


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".jsonl", ".json") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    return _OURS.match(start.decode(errors="replace")) is not None


def _read(files: SourceFiles, names: Sequence[str], _: ReadOptions) -> Iterator[Found]:
    for name in names:
        yield from lines_of(files, name, _line)


def _line(_: str, value: Any, where: str) -> list[Found]:
    match text(value, "type"):
        case "entity":
            return [_observation(value, one, where) for one in listed(value, "observations")]
        case "relation":
            return [_relation(value, where)]
        case _:
            return [Skipped(reason="lines of unknown types")]


def _observation(entity: dict[str, Any], observation: object, where: str) -> Found:
    name, kind = str(entity["name"]), text(entity, "entityType")
    if not isinstance(observation, str) or not observation.strip():
        return Skipped(reason="observations without words")
    return SourceItem(
        id=digest_of(name, observation),
        content=f"{name}: {observation}",
        where=where,
        kind="fact",
        concepts=(name,),
        metadata={"entity": name} | ({"entity_type": kind} if kind else {}),
    )


def _relation(value: dict[str, Any], where: str) -> Found:
    ends = str(value["from"]), str(value["to"])
    kind = str(value["relationType"])
    return SourceItem(
        id=digest_of(*ends, kind),
        content=f"{ends[0]} {kind.replace('_', ' ')} {ends[1]}",
        where=where,
        kind="fact",
        concepts=ends,
        metadata={"relation_type": kind},
    )


SERVER_MEMORY: Final = ImportSource(
    name="server-memory", title="memory of the MCP server", names=_names, read=_read
)

"""Dumps of Zep and Graphiti: episodes are messages, edges are facts with the times in which they hold.

Nodes and edges may stand in one list or in several, one a line, or under ``properties`` as Neo4j writes them.
An episode of the source ``message`` holds the turns of a talk, each after ``name:`` or ``name (role):``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from recollect.ingest.sources.files import SourceFiles
from recollect.ingest.sources.json_records import documents_of
from recollect.ingest.sources.source import Found, ImportSource, ReadOptions, Skipped, SourceItem
from recollect.ingest.sources.values import Talks, elements, members, moment, role_of, text
from recollect.types.regex import lazy_regex

_TURN: Final = lazy_regex(
    r"(?P<name>[^\s:()][^:()\n]{0,98}[^\s:()]|[^\s:()])?(?:\s?\((?P<role>\w{1,40})\))?:\s(?P<words>.*)"
)
_ROLES: Final = {
    **dict.fromkeys(["user", "human"], "user"),
    **dict.fromkeys(["assistant", "ai", "agent", "bot", "model"], "assistant"),
    **dict.fromkeys(["system", "tool", "function"], "system"),
}
"""What the roles of turns mean here; the words of a system are left out."""
_NAME_WORDS: Final = 4
"""Words that a name without a role has at most. Chosen by hand."""


class _Turn(NamedTuple):
    """What one says in an episode; ``name`` and ``role`` are as written, "" where there are none."""

    name: str
    role: str
    lines: list[str]


def _names(files: SourceFiles) -> list[str]:
    return [name for name in files.like(".json", ".jsonl") if _is_ours(files.beginning(name))]


def _is_ours(start: bytes) -> bool:
    fact = b'"fact"' in start and b'"source_node_uuid"' in start
    episode = b'"source_description"' in start and b'"valid_at"' in start
    return start.lstrip()[:1] in (b"[", b"{") and b'"uuid"' in start and (fact or episode)


def _read(files: SourceFiles, names: Sequence[str], options: ReadOptions) -> Iterator[Found]:
    for name in names:
        yield from documents_of(files, name, _File(options).read)


class _File:
    """Reads the records of a file; the episodes of a group are cut into conversations."""

    def __init__(self, options: ReadOptions) -> None:
        self._me = options.me
        self._talks: dict[str, Talks] = {}

    def read(self, _: str, value: Any, where: str) -> list[Found]:
        """What a record is."""
        if not isinstance(value, dict):
            return []
        record = members(value, "properties") or value
        if text(record, "fact"):
            return [_fact(record, where)]
        if text(record, "content"):
            return self._episode(record, where)
        return [Skipped(reason="records of other kinds")]

    def _episode(self, record: Mapping[str, Any], where: str) -> list[Found]:
        group = text(record, "group_id") or "group"
        at = moment(record.get("valid_at")) or moment(record.get("created_at"))
        talks = self._talks.setdefault(group, Talks(group, None))
        whole = SourceItem(
            id=str(record["uuid"]),
            content=text(record, "content"),
            where=where,
            chat=talks.chat_at(at),
            at=at,
            owners=_owners(record),
        )
        turns = _turns(whole.content) if text(record, "source") == "message" else []
        said = [self._said(turn, whole, number) for number, turn in enumerate(turns, start=1)]
        return said or [whole]

    def _said(self, turn: _Turn, episode: SourceItem, number: int) -> Found:
        """What a turn is; the first has the id of its episode, which facts name as their source."""
        told = _ROLES.get(turn.role.casefold())
        named = None if turn.name.casefold() in _ROLES and not turn.role else turn.name or None
        role = told or _ROLES.get(turn.name.casefold()) or role_of(turn.name, me=self._me)
        words = "\n".join(turn.lines).strip()
        if role == "system":
            return Skipped(reason="messages of systems and tools")
        if not words:
            return Skipped(reason="messages without words")
        if named and role_of(turn.name, me=self._me) == "user":
            role = "user"
        own_id = episode.id if number == 1 else f"{episode.id}-{number}"
        return replace(episode, id=own_id, content=words, role=role, speaker=named)


def _turns(content: str) -> list[_Turn]:
    """The turns of an episode; none where its first line says nobody's name."""
    turns: list[_Turn] = []
    for line in content.strip().split("\n"):
        begun = _TURN.fullmatch(f"{line.rstrip()} ")
        if begun and (begun["name"] or begun["role"]) and _is_speaker(begun["name"] or "", begun["role"]):
            turns.append(_Turn(begun["name"] or "", begun["role"] or "", [begun["words"].rstrip()]))
        elif turns:
            turns[-1].lines.append(line)
        else:
            return []
    return turns


def _is_speaker(name: str, role: str | None) -> bool:
    """Whether what stands before a colon is who speaks: it has a role, is one, or is written like a name."""
    words = name.split()
    is_named = 0 < len(words) <= _NAME_WORDS and all(one[0].isupper() for one in words)
    return bool(role) or name.casefold() in _ROLES or is_named


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


ZEP: Final = ImportSource(name="zep", title="Zep or Graphiti dump", names=_names, read=_read, several=True)

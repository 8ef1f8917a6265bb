"""Claude Agent SDK: a store for its sessions that also remembers what was said in them."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any
from urllib.parse import unquote

from recollect import Memory
from recollect.integrations.hosts.capture import with_projects
from recollect.integrations.hosts.drain import store_said
from recollect.integrations.hosts.transcripts.claude_code import said_in
from recollect.integrations.records import Keyed, KeyedRecords
from recollect.integrations.transcript import Transcripts, path_of
from recollect.types import MemoryRecord
from recollect.types.extras import package_of
from recollect.types.guesses import corrects_arguments

with package_of("claude-agent-sdk", "claude_agent_sdk", feature="RecollectSessionStore"):
    from claude_agent_sdk import (
        SessionKey,
        SessionListSubkeysKey,
        SessionStore,
        SessionStoreEntry,
        SessionStoreListEntry,
        SessionSummaryEntry,
        fold_session_summary,
    )


@corrects_arguments()
class RecollectSessionStore(SessionStore):
    """Pass it as ``ClaudeAgentOptions(session_store=...)``: sessions can be resumed from another machine.

    The transcript is kept whole and comes back equal, tool output and secrets in it, too; no search finds it.
    What the user and the assistant said is also stored as messages, as by Recollect's hooks for Claude Code:
    once, screened for secrets.

    Args:
        memory: Where sessions are kept.
        user_id: Whose they are.
    """

    def __init__(self, memory: Memory, *, user_id: str) -> None:
        self._memory = memory
        self._user_id = user_id
        self._transcripts = Transcripts(memory, user_id=user_id, space="claude_transcript")
        self._heads = KeyedRecords(memory, user_id=user_id, space="claude_session")
        self._lock = Lock()

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Store entries in order; of those with one ``uuid`` the first counts."""
        if entries:
            await asyncio.to_thread(self._append, key, entries)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """All entries of a transcript; None of one that was never written."""
        return await asyncio.to_thread(self._load, key)

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """The sessions of a project and when they last grew, in milliseconds since 1970."""
        heads = await asyncio.to_thread(self._main_heads, project_key)
        return [{"session_id": session, "mtime": head["mtime"]} for session, head in heads.items()]

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """What the SDK keeps in short about each session of a project."""
        heads = await asyncio.to_thread(self._main_heads, project_key)
        return [head["summary"] for head in heads.values()]

    async def delete(self, key: SessionKey) -> None:
        """Delete a session with its subpaths, or one subpath; the messages stay memories."""
        await asyncio.to_thread(self._delete, key)

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """The subpaths of a session, such as those of subagents."""
        heads = await asyncio.to_thread(self._heads.find, path_of(key["project_key"], key["session_id"]))
        paths = [self._heads.key_of(head).split("/") for head in heads]
        return [unquote(path[2]) for path in paths if path[2]]

    def _append(self, key: SessionKey, entries: Sequence[SessionStoreEntry]) -> None:
        with self._lock:
            self._transcripts.append(_place(key), [list(entries)])
            self._touch(key, entries)
        said = said_in(json.dumps(entry).encode() for entry in entries)
        if not key.get("subpath"):
            store_said(
                self._memory, with_projects(said, folder=""), host="claude-code", user_id=self._user_id
            )

    def _touch(self, key: SessionKey, entries: Sequence[SessionStoreEntry]) -> None:
        """Note when a transcript grew, and what the SDK says of it in short."""
        place = _place(key)
        before = self._heads.get([place]).get(place)
        head: dict[str, Any] = {} if before is None else dict(before.metadata)
        now = int(self._memory.parts.clock().timestamp() * 1000)
        mtime = max(now, int(head.get("mtime", 0)) + 1)
        summary = head.get("summary")
        if not key.get("subpath"):
            summary = {**fold_session_summary(summary, key, list(entries)), "mtime": mtime}
        self._heads.put([Keyed(key=place, words="", marks={"mtime": mtime, "summary": summary})])

    def _load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        batches = self._transcripts.load(_place(key)).values()
        return list(_each_once([entry for batch in batches for entry in batch])) or None

    def _main_heads(self, project_key: str) -> dict[str, Mapping[str, Any]]:
        """What is noted of each session of a project itself, by its id."""
        found: list[MemoryRecord] = self._heads.find(path_of(project_key))
        paths = [self._heads.key_of(head).split("/") for head in found]
        pairs = zip(paths, found, strict=True)
        return {unquote(path[1]): head.metadata for path, head in pairs if not path[2]}

    def _delete(self, key: SessionKey) -> None:
        main = not key.get("subpath")
        below = path_of(key["project_key"], key["session_id"]) if main else _place(key)
        with self._lock:
            self._heads.delete_all(below)
            self._transcripts.delete(below)


def _place(key: SessionKey) -> str:
    """The path of a transcript; the third name of that of a session itself is empty."""
    return path_of(key["project_key"], key["session_id"], key.get("subpath") or "")


def _each_once(entries: Sequence[SessionStoreEntry]) -> Iterator[SessionStoreEntry]:
    known: set[str] = set()
    for entry in entries:
        name = entry.get("uuid")
        if name is None or name not in known:
            yield entry
        if name is not None:
            known.add(name)

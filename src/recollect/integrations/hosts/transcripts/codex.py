"""Codex's transcripts ("rollouts"): a first line about the session, then an event a line.

==========================================  ================================================================
line                                        what becomes of it
==========================================  ================================================================
``event_msg`` with ``item_completed``       a message, of a ``UserMessage`` or ``AgentMessage``
``event_msg`` with ``user_message``         the same from older versions; left out beside the others
or ``agent_message``
``response_item``, ``compacted``, others    left out: they repeat these, and add what the host wrote
``turn_context``                            the working folder from there on
a session whose ``source`` is an object     left out: a sub-agent's conversation, or upkeep
==========================================  ================================================================

An item's id is the model's, which need not be unique, and older events have only their time; so a checksum of
the words belongs to the id.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final
from zlib import crc32

from recollect.integrations.hosts.transcripts import Format, Utterance, shortened, whole_lines

_ROLES: Final = {"UserMessage": "user", "AgentMessage": "assistant"}
_OLD_ROLES: Final = {"user_message": "user", "agent_message": "assistant"}
_LIKELY: Final = (b'"event_msg"', b'"turn_context"')
_OF_THE_HOST: Final = ("<environment_context>", "<user_instructions>")
"""How messages begin that the host writes in the user's name."""


def read(path: str, offset: int) -> tuple[list[Utterance], int]:
    """See ``Format``."""
    lines, end = whole_lines(path, offset)
    with open(path, "rb") as file:
        about = _payload(_parsed(file.readline()), "session_meta")
    session, folder = about.get("id"), about.get("cwd")
    if not isinstance(session, str) or not session or isinstance(about.get("source"), dict):
        return [], end
    found = list(_said_in(lines, session, folder if isinstance(folder, str) else None))
    is_new = any(new for new, _ in found)
    return [one for new, one in found if new == is_new], end


def _said_in(lines: Iterable[bytes], session: str, folder: str | None) -> Iterator[tuple[bool, Utterance]]:
    """What was said, each with whether an event of the new form says it."""
    for line in lines:
        if not any(word in line for word in _LIKELY):
            continue
        entry = _parsed(line)
        if isinstance(moved := _payload(entry, "turn_context").get("cwd"), str):
            folder = moved
        at, event = entry.get("timestamp"), _payload(entry, "event_msg")
        item = event.get("item") if event.get("type") == "item_completed" else None
        if isinstance(item, dict):
            role, name, words = _ROLES.get(str(item.get("type"))), item.get("id"), _words(item.get("content"))
        else:
            role, name, words = _OLD_ROLES.get(str(event.get("type"))), at, str(event.get("message") or "")
        if role is None or not words.strip() or words.startswith(_OF_THE_HOST):
            continue
        said = Utterance(
            id=f"{name}-{crc32(words.encode(errors='replace')):08x}",
            session=session,
            role=role,
            content=shortened(words.strip()),
            at=at if isinstance(at, str) else None,
            folder=folder,
        )
        yield isinstance(item, dict), said


def _words(content: object) -> str:
    """The words among an item's parts."""
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _parsed(line: bytes) -> dict[str, Any]:
    """A line's object; an empty one for anything else."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _payload(entry: dict[str, Any], kind: str) -> dict[str, Any]:
    """What an entry of a kind carries; nothing for those of other kinds."""
    payload = entry.get("payload") if entry.get("type") == kind else None
    return payload if isinstance(payload, dict) else {}


FORMAT: Final = Format(
    patterns=("sessions/*/*/*/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"), read=read
)

"""Codex's transcripts ("rollouts"): a first line about the session, then an event a line.

==========================================  ================================================================
line                                        what becomes of it
==========================================  ================================================================
``event_msg`` with ``user_message``         a user's message
``event_msg`` with ``agent_message``        an assistant's message
``response_item``, ``compacted``, others    left out: they repeat these, and add what the host wrote
``turn_context``                            the working folder from there on
a session whose ``source`` is an object     left out: a sub-agent's conversation, or upkeep
==========================================  ================================================================

Events have no ids of their own, so the id is their time and a checksum of their words.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final
from zlib import crc32

from recollect.hosts.transcripts import Format, Utterance, shortened, whole_lines

_ROLES: Final = {"user_message": "user", "agent_message": "assistant"}
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
    return list(_said_in(lines, session, folder if isinstance(folder, str) else None)), end


def _said_in(lines: Iterable[bytes], session: str, folder: str | None) -> Iterator[Utterance]:
    for line in lines:
        if not any(word in line for word in _LIKELY):
            continue
        entry = _parsed(line)
        if isinstance(moved := _payload(entry, "turn_context").get("cwd"), str):
            folder = moved
        event = _payload(entry, "event_msg")
        role, words, at = _ROLES.get(str(event.get("type"))), event.get("message"), entry.get("timestamp")
        if role is None or not isinstance(words, str) or not words.strip() or words.startswith(_OF_THE_HOST):
            continue
        yield Utterance(
            id=f"{at}-{crc32(words.encode(errors='replace')):08x}",
            session=session,
            role=role,
            content=shortened(words.strip()),
            at=at if isinstance(at, str) else None,
            folder=folder,
        )


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

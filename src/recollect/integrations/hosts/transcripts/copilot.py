"""Copilot's transcripts, of its command line and of VS Code: a JSON object a line.

==========================================  ================================================================
line                                        what becomes of it
==========================================  ================================================================
``user.message``, ``assistant.message``     a message under the line's ``id``
with a ``source`` other than ``user``,      left out: the host wrote it in the user's name
``isAutopilotContinuation``
``agentId``, ``parentToolCallId``           left out: a sub-agent's conversation
``session.start``, ``session.resume``,      the working folder from there on
``session.context_changed``
other lines: tools, reasoning, hooks        left out
a session that another one spawned          left out: upkeep
==========================================  ================================================================
"""

import json
import mmap
import os
from collections.abc import Iterable, Iterator
from typing import Any, Final

from recollect.integrations.hosts.transcripts import Format, Utterance, shortened, whole_lines

_ROLES: Final = {"user.message": "user", "assistant.message": "assistant"}
_PLACES: Final = ("session.start", "session.resume", "session.context_changed")
_OF_SESSION: Final = b'"session.'
_MOVES: Final = tuple(f'"{kind}"'.encode() for kind in _PLACES)
_LONGEST: Final = max(map(len, _MOVES))
_LIKELY: Final = tuple(f'"{kind}"'.encode() for kind in (*_ROLES, *_PLACES))
_NOT_SAID: Final = ("isAutopilotContinuation", "parentToolCallId")


def read(path: str, offset: int) -> tuple[list[Utterance], int]:
    """See ``Format``."""
    lines, end = whole_lines(path, offset)
    with open(path, "rb") as file:
        about = _data(_parsed(file.readline()))
    session = about.get("sessionId")
    if not isinstance(session, str) or not session or about.get("detachedFromSpawningParentSessionId"):
        return [], end
    return list(_said_in(lines, session, _folder_before(path, offset))), end


def _said_in(lines: Iterable[bytes], session: str, folder: str | None) -> Iterator[Utterance]:
    for line in lines:
        if not any(word in line for word in _LIKELY):
            continue
        entry = _parsed(line)
        data = _data(entry)
        folder = _folder(entry) or folder
        name, words, at = entry.get("id"), data.get("content"), entry.get("timestamp")
        role = _ROLES.get(str(entry.get("type")))
        if role is None or entry.get("agentId") or any(data.get(flag) for flag in _NOT_SAID):
            continue
        if data.get("source") not in (None, "user") or not isinstance(name, str) or not name:
            continue
        if isinstance(words, str) and words.strip():
            yield Utterance(
                id=name,
                session=session,
                role=role,
                content=shortened(words.strip()),
                at=at if isinstance(at, str) else None,
                folder=folder,
            )


def _folder_before(path: str, offset: int) -> str | None:
    """The working folder as the last line before an offset tells it."""
    if not 0 < offset <= os.path.getsize(path):
        return None
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        place = offset
        while (place := text.rfind(_OF_SESSION, 0, place)) >= 0:
            if text[place : place + _LONGEST].startswith(_MOVES):
                text.seek(text.rfind(b"\n", 0, place) + 1)
                return _folder(_parsed(text.readline()))
    return None


def _folder(entry: dict[str, Any]) -> str | None:
    """The working folder that a line tells; None where it tells none."""
    if entry.get("type") not in _PLACES:
        return None
    data = _data(entry)
    context = data.get("context", data)
    folder = context.get("cwd") if isinstance(context, dict) else None
    return folder if isinstance(folder, str) and folder else None


def _data(entry: dict[str, Any]) -> dict[str, Any]:
    data = entry.get("data")
    return data if isinstance(data, dict) else {}


def _parsed(line: bytes) -> dict[str, Any]:
    """A line's object; an empty one for anything else."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


FORMAT: Final = Format(patterns=("session-state/*/events.jsonl",), read=read)

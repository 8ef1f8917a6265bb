"""Gemini CLI's transcripts: a first line about the session, then a message a line; older ones are one object.

==============================================  ===========================================================
line                                            what becomes of it
==============================================  ===========================================================
``type`` ``user`` or ``gemini`` with an ``id``  a message under that id; of lines with one id, the last
thoughts, tool calls, other types               left out
``kind`` ``subagent`` in the first line         left out: a sub-agent's conversation
==============================================  ===========================================================

A transcript names its project by a hash of the folder; ``projects.json`` tells which folder that is.
"""

import json
import os
import re
from collections.abc import Iterable
from typing import Any, Final

from recollect.integrations.hosts.transcripts import Format, Utterance, shortened, whole_lines

_ROLES: Final = {"user": "user", "gemini": "assistant"}
_ADDED: Final = re.compile(r"<(memories|hook_context|session_context)>.*?(?:</\1>|\Z)", re.DOTALL)
"""What the host and its hooks add to a prompt."""
_LEVELS: Final = 3
"""From a transcript up to the settings folder: chats, the project, tmp."""


def read(path: str, offset: int) -> tuple[list[Utterance], int]:
    """See ``Format``."""
    if path.endswith(".json"):
        return _read_whole(path, offset)
    lines, end = whole_lines(path, offset)
    with open(path, "rb") as file:
        about = _parsed(file.readline())
    return _said_in(path, about, map(_parsed, lines)), end


def _read_whole(path: str, offset: int) -> tuple[list[Utterance], int]:
    """What was said in an older transcript, which is written anew after each message."""
    size = os.path.getsize(path)
    if size == offset:
        return [], offset
    with open(path, "rb") as file:
        about = _parsed(file.read())
    messages = about.get("messages")
    return _said_in(path, about, messages if isinstance(messages, list) else []), size


def _said_in(path: str, about: dict[str, Any], entries: Iterable[Any]) -> list[Utterance]:
    session = about.get("sessionId")
    if not isinstance(session, str) or not session or about.get("kind") == "subagent":
        return []
    folder = _folder_of(path, about.get("projectHash"))
    said: dict[str, Utterance] = {}
    for entry in entries:
        name, role = (
            (entry.get("id"), _ROLES.get(str(entry.get("type")))) if isinstance(entry, dict) else (0, None)
        )
        words = _words(entry.get("content")) if role else ""
        if role and words and isinstance(name, str):
            at = entry.get("timestamp")
            said[name] = Utterance(
                id=name,
                session=session,
                role=role,
                content=shortened(words),
                at=at if isinstance(at, str) else None,
                folder=folder,
            )
    return list(said.values())


def _words(content: object) -> str:
    """The words of a content: a text, a part, or a list of these."""
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return _ADDED.sub("", "".join(text for text in texts if isinstance(text, str))).strip()


def _folder_of(path: str, project: object) -> str | None:
    """The folder of a project, by its hash."""
    from hashlib import sha256

    home = path
    for _ in range(_LEVELS + 1):
        home = os.path.dirname(home)
    try:
        with open(os.path.join(home, "projects.json"), "rb") as file:
            known = _parsed(file.read()).get("projects")
    except OSError:
        return None
    folders = known if isinstance(known, dict) else {}
    return next((one for one in folders if sha256(one.encode()).hexdigest() == project), None)


def _parsed(text: bytes) -> dict[str, Any]:
    """An object; an empty one for anything else."""
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


FORMAT: Final = Format(patterns=("tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json"), read=read)

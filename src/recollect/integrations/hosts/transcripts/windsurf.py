"""Windsurf's transcripts, which it writes anew after each answer: a step of the conversation a line.

====================================  =================================================
line                                  what becomes of it
====================================  =================================================
``user_input``, ``planner_response``  a message
other steps: files, commands, rules   left out
====================================  =================================================

Steps have no ids and no times: a message is told by its number in the conversation and its words, the
conversation by the name of the file.
"""

import json
import os
from collections.abc import Iterator
from typing import Any, Final
from zlib import crc32

from recollect.integrations.hosts.transcripts import Format, Utterance, shortened

_WORDS: Final = {"user_input": ("user", "user_response"), "planner_response": ("assistant", "response")}
_LIKELY: Final = tuple(f'"{kind}"'.encode() for kind in _WORDS)


def read(path: str, offset: int) -> tuple[list[Utterance], int]:
    """See ``Format``; the lines before the offset are read, too, since they number those after it."""
    start = offset if offset <= os.path.getsize(path) else 0
    session = os.path.splitext(os.path.basename(path))[0]
    said, end = list[Utterance](), start
    for number, (place, role, words) in enumerate(_steps(path)):
        if place > start:
            own = f"{session}-{number}-{crc32(words.encode(errors='replace')):08x}"
            content = shortened(words.strip())
            said.append(Utterance(id=own, session=session, role=role, content=content, at=None, folder=None))
            end = place
    return said, end


def _steps(path: str) -> Iterator[tuple[int, str, str]]:
    """Where the line of each message ends, who said it, and the words."""
    with open(path, "rb") as file:
        place = 0
        for line in file:
            place += len(line)
            if not line.endswith(b"\n") or not any(word in line for word in _LIKELY):
                continue
            step = _parsed(line)
            kind = str(step.get("type"))
            role, field = _WORDS.get(kind, ("", ""))
            told = step.get(kind)
            words = told.get(field) if isinstance(told, dict) else None
            if role and isinstance(words, str) and words.strip():
                yield place, role, words


def _parsed(line: bytes) -> dict[str, Any]:
    """A line's object; an empty one for anything else."""
    try:
        step = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return step if isinstance(step, dict) else {}


FORMAT: Final = Format(patterns=("transcripts/*.jsonl",), read=read)

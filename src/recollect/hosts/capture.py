"""What was said since the last event of a conversation, from its transcript into the spool."""

import os
from typing import Any, BinaryIO, Final

from recollect.hosts import folder as places
from recollect.hosts.projects import project_of
from recollect.hosts.transcripts import claude_code

_MOST_BYTES: Final = 32 << 20
"""Of a transcript read by one hook, in 60 ms; ``recollect import`` reads all of it. Chosen by hand."""


def capture(folder: str, host: str, event: dict[str, Any]) -> None:
    """Spool what was said in a conversation since the last capture; a half-written line waits for the next.

    Args:
        folder: The host's folder.
        host: The host's name.
        event: What the host told its hook: ``session_id``, ``transcript_path``, ``cwd``.
    """
    path, session = event.get("transcript_path"), event.get("session_id")
    if not isinstance(path, str) or not isinstance(session, str):
        return
    path = os.path.expanduser(path)
    state = places.state_of(folder, session)
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        lines, offset = _new_lines(file, state.offset if state.transcript == path else 0)
    said = list(claude_code.said_in(lines))
    if said:
        here, known = str(event.get("cwd") or ""), dict[str, str]()
        for one in said:
            place = one.folder or here
            known.setdefault(place, project_of(place) if place else "")
        places.spool(folder, host, [(one, known[one.folder or here]) for one in said])
    if offset != state.offset or state.transcript != path:
        places.keep_state(folder, session, state._replace(transcript=path, offset=offset))


def _new_lines(file: BinaryIO, offset: int) -> tuple[list[bytes], int]:
    """The whole lines after ``offset``, and where they end; a shorter file is read from its beginning."""
    size = os.fstat(file.fileno()).st_size
    begin = offset if offset <= size else 0
    file.seek(max(begin, size - _MOST_BYTES))
    if size - begin > _MOST_BYTES:
        file.readline()
    start, read = file.tell(), file.read(_MOST_BYTES)
    whole = read[: read.rfind(b"\n") + 1]
    return whole.splitlines(), start + len(whole)

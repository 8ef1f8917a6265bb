"""What was said since the last event of a conversation, from its transcript into the spool."""

import os
from collections.abc import Iterable
from typing import Any

from recollect.hosts import folder as places
from recollect.hosts import transcripts
from recollect.hosts.projects import project_of
from recollect.hosts.transcripts import Utterance


def capture(folder: str, host: str, event: dict[str, Any]) -> None:
    """Spool what was said in a conversation since the last capture; a half-written line waits for the next.

    Of a transcript that grew by more than ``SLICE_BYTES`` the end is read; ``recollect import`` reads it all.

    Args:
        folder: The host's folder.
        host: The host's name.
        event: What the host told its hook: ``session_id``, ``transcript_path``, ``cwd``.
    """
    path, session = event.get("transcript_path"), event.get("session_id")
    if not isinstance(path, str) or not isinstance(session, str):
        return
    path = os.path.expanduser(path)
    if not os.path.isfile(path):
        return
    state = places.state_of(folder, session)
    known = state.offset if state.transcript == path else 0
    size = os.path.getsize(path)
    begin = max(known, size - transcripts.SLICE_BYTES) if known <= size else 0
    said, offset = transcripts.format_of(host).read(path, begin)
    if said:
        places.spool(folder, host, with_projects(said, folder=str(event.get("cwd") or "")))
    if (path, offset) != (state.transcript, state.offset):
        places.keep_state(folder, session, state._replace(transcript=path, offset=offset))


def with_projects(said: Iterable[Utterance], *, folder: str) -> list[tuple[Utterance, str]]:
    """Each with the project of its folder, or of ``folder`` where it names none; "" where there is none."""
    known: dict[str, str] = {"": ""}
    found = []
    for one in said:
        place = one.folder or folder
        if place not in known:
            known[place] = project_of(place)
        found.append((one, known[place]))
    return found

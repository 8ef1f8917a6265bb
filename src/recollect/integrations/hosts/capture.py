"""What was said since the last event of a conversation, from its transcript into the spool."""

import os
import time
from collections.abc import Iterable
from typing import Any, Final
from zlib import crc32

from recollect.integrations.hosts import folder as places
from recollect.integrations.hosts import transcripts
from recollect.integrations.hosts.catalog import Host, Spoken
from recollect.integrations.hosts.folder import State
from recollect.integrations.hosts.projects import project_of
from recollect.integrations.hosts.transcripts import Format, Utterance, shortened

_NAMES_OF_SECRETS: Final = ("pass", "pwd", "token", "user", "secret", "key")
_OPTIONS: Final = ("-a", "-p", "-u")
_CAUGHT_UP: Final = 10
"""Conversations that are looked at for what was said after their last event. Chosen by hand."""
_SHORTEST_KEY, _FEWEST_DIGITS = 16, 14
"""Characters of a key of a known format, and digits of a number of a card."""


def capture(folder: str, host: Host, event: dict[str, Any], *, masks: bool) -> None:
    """Spool what was said in a conversation since the last capture; a half-written line waits for the next.

    Of a transcript that grew by more than ``SLICE_BYTES`` the end is read; ``recollect import`` reads it all.

    Args:
        folder: The host's folder.
        host: The host.
        event: What the host told its hook: ``session_id``, ``transcript_path``, ``cwd`` and others.
        masks: Whether keys and passwords of known formats are masked. Those told in words are only masked
            when they are stored: to find them takes longer than a hook has.
    """
    session, spoken = event["session_id"], host.spoken.get(event["hook_event_name"])
    form = transcripts.format_of(host.name)
    place, before = str(event.get("cwd") or ""), places.state_of(folder, session)
    after, said = before._replace(folder=place), list[Utterance]()
    if spoken is not None:
        said = _said_by(event, spoken)
    elif form is not None:
        said, after = _said_since(after, form, event.get("transcript_path"))
    if said and masks:
        said = [one._replace(content=_masked(one.content)) for one in said]
    if said:
        places.spool(folder, host.name, with_projects(said, folder=place))
    if after != before:
        places.keep_state(folder, session, after)


def catch_up(folder: str, host: Host, *, masks: bool) -> None:
    """Spool what the latest conversations said after their last event: hosts write it down later, or stop.

    Args:
        folder: The host's folder.
        host: The host.
        masks: See ``capture``.
    """
    for session in places.latest_sessions(folder, _CAUGHT_UP):
        state = places.state_of(folder, session)
        if os.path.isfile(state.transcript) and os.path.getsize(state.transcript) > state.offset:
            event = {"hook_event_name": "", "session_id": session, "cwd": state.folder}
            capture(folder, host, {**event, "transcript_path": state.transcript}, masks=masks)


def _said_by(event: dict[str, Any], spoken: Spoken) -> list[Utterance]:
    """What an event itself says; the time is that of its capture."""
    words, name = event.get(spoken.words), event.get(spoken.id)
    if not isinstance(words, str) or not words.strip() or not isinstance(name, str):
        return []
    content = shortened(words.strip())
    own = f"{name}-{crc32(content.encode(errors='replace')):08x}" if spoken.shared else name
    session = event["session_id"]
    return [Utterance(id=own, session=session, role=spoken.role, content=content, at=_now(), folder=None)]


def _said_since(state: State, form: Format, path: object) -> tuple[list[Utterance], State]:
    """What a transcript says after what was read of it before, and how far it is read then."""
    if not isinstance(path, str):
        return [], state
    known = state.offset if state.transcript == path else 0
    if not os.path.isfile(path):
        return [], state._replace(transcript=path, offset=known)
    size = os.path.getsize(path)
    begin = max(known, size - transcripts.SLICE_BYTES) if known <= size else 0
    said, offset = form.read(path, begin)
    return said, state._replace(transcript=path, offset=offset)


def _masked(content: str) -> str:
    if not _may_hold_a_secret(content):
        return content
    from recollect.text.secrets import mask_formats

    return mask_formats(content)


def _may_hold_a_secret(content: str) -> bool:
    """Whether a text has some of what a credential of a known format has; most of what is said has none.

    Without patterns: to compile one takes longer than the rest of a capture.
    """
    lowered, words = content.lower(), content.split()
    return (
        "-----begin" in lowered
        or "://" in content
        or ("@" in content and ":" in content)
        or (any(one in lowered for one in _NAMES_OF_SECRETS) and ("=" in content or ":" in content))
        or any(one.startswith(_OPTIONS) for one in words)
        or any(len(one) >= _SHORTEST_KEY and _digits(one) for one in words)
        or _digits(content) >= _FEWEST_DIGITS
    )


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


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

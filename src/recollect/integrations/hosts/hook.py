"""What a host runs at its events: ``python -E -P -m ...hosts.hook FOLDER``, with the event on stdin.

It ends with exit code 0 whatever happens, prints only what the host reads, and starts no process. What it
could not do is in the folder's ``errors.log``, which ``recollect status`` shows. It imports the engine only
to recall: the interpreter and a capture take some 50 ms, the engine half a second.
"""

import json
import os
import sys
from typing import Any, Final

from recollect.integrations.hosts import folder as places
from recollect.integrations.hosts.capture import capture
from recollect.integrations.hosts.catalog import HOSTS, Host

_MOST_BYTES: Final = 64 << 20
"""Of an event. Chosen by hand."""


def main() -> None:
    """Do what the event on stdin asks for."""
    folder = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        answer = answer_to(folder, sys.stdin.buffer.read(_MOST_BYTES))
        if answer:
            sys.stdout.write(json.dumps(answer))
            sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 - the boundary to the host: no error of ours may stop its work
        places.note_error(folder, error)


def answer_to(folder: str, given: bytes) -> dict[str, Any] | None:
    """Capture what was said, and recall where the event asks for it; the answer as the host reads it.

    Raises:
        ValueError: The event is not JSON.
    """
    installed = places.installed_in(folder)
    told = json.loads(given)
    host = HOSTS.get(installed.get("host", "")) if installed is not None else None
    if installed is None or host is None or not isinstance(told, dict) or "agent_id" in told:
        return None
    event = _as_usual(told)
    action = host.events.get(event["hook_event_name"])
    if action is None or not places.is_plain_id(event["session_id"]):
        return None
    capture(folder, host, event, masks=installed.get("secrets") == "redact")
    if action == "capture":
        return None
    from recollect.integrations.hosts.engine import recall, store

    if action == "store":
        store(folder, installed)
        return None
    text = recall(folder, installed, event, whole=action == "recall session")
    return _answer(host, event["hook_event_name"], text) if text else None


def _as_usual(event: dict[str, Any]) -> dict[str, Any]:
    """An event with the names that most hosts give its fields."""
    roots = event.get("workspace_roots")
    return {
        **event,
        "hook_event_name": str(event.get("hook_event_name")),
        "session_id": event.get("session_id") or event.get("conversation_id"),
        "cwd": event.get("cwd") or (roots[0] if isinstance(roots, list) and roots else None),
    }


def _answer(host: Host, event: str, text: str) -> dict[str, Any]:
    """Text for the model, as a host reads it."""
    if host.answer:
        return {host.answer: text}
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


if __name__ == "__main__":
    main()
    os._exit(0)  # everything is written and closed; to take the interpreter apart takes a fifth of a capture

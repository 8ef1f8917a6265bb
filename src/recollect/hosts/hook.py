"""What a host runs at its events: ``python -P -m recollect.hosts.hook FOLDER``, the event on stdin as JSON.

It ends with exit code 0 whatever happens, prints only what the host reads, and starts no process. What it
could not do is in the folder's ``errors.log``, which ``recollect status`` shows. It imports the engine only
to recall: the interpreter and a capture take some 50 ms, the engine half a second.
"""

import json
import sys
from typing import Any, Final

from recollect.hosts import folder as places
from recollect.hosts.capture import capture
from recollect.hosts.catalog import HOSTS

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


def answer_to(folder: str, told: bytes) -> dict[str, Any] | None:
    """Capture what was said, and recall where the event asks for it; the answer as the host reads it.

    Raises:
        ValueError: The event is not JSON.
    """
    installed = places.installed_in(folder)
    event = json.loads(told)
    if installed is None or not isinstance(event, dict) or "agent_id" in event:
        return None
    host = HOSTS.get(installed.get("host", ""))
    action = host and host.events.get(str(event.get("hook_event_name")))
    if host is None or action is None or not places.is_plain_id(event.get("session_id")):
        return None
    capture(folder, host.name, event)
    if action == "capture":
        return None
    from recollect.hosts.engine import recall, store

    if action == "store":
        store(folder, installed)
        return None
    text = recall(folder, installed, event, whole=action == "recall session")
    if not text:
        return None
    return {"hookSpecificOutput": {"hookEventName": event["hook_event_name"], "additionalContext": text}}


if __name__ == "__main__":
    main()

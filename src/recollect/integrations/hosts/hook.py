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
_SESSIONS: Final = ("session_id", "sessionId", "conversation_id", "trajectory_id")


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
    capture(
        folder, host, _with_transcript(host, event, installed), masks=installed.get("secrets") == "redact"
    )
    if action == "capture":
        return None
    from recollect.integrations.hosts.engine import recall, store

    if action == "store":
        store(folder, installed)
        return None
    text = recall(folder, installed, event, whole=action == "recall session")
    return _answer(host, event["hook_event_name"], text) if text else None


def _as_usual(event: dict[str, Any]) -> dict[str, Any]:
    """An event with the names that most hosts give its fields.

    Cursor names a conversation and its folders in its own way, VS Code some fields, Windsurf all of them; the
    last runs its hooks in the folder of the project. VS Code may name a session by a URI.
    """
    roots, about = event.get("workspace_roots"), event.get("tool_info")
    name = event.get("hook_event_name") or event.get("hookEventName") or event.get("agent_action_name")
    session = next((event[key] for key in _SESSIONS if event.get(key)), None)
    folder = roots[0] if isinstance(roots, list) and roots else None
    return {
        **event,
        **(about if isinstance(about, dict) else {}),
        "hook_event_name": str(name),
        "session_id": session.rpartition(":/")[2] if isinstance(session, str) else None,
        "cwd": event.get("cwd") or folder or (os.getcwd() if "agent_action_name" in event else None),
    }


def _with_transcript(host: Host, event: dict[str, Any], installed: dict[str, Any]) -> dict[str, Any]:
    """An event with the path of its transcript, where the host has a place for each and does not tell it."""
    if not host.transcript or event.get("transcript_path"):
        return event
    path = os.path.join(str(installed.get("home")), host.transcript.format(event["session_id"]))
    return {**event, "transcript_path": path}


def _answer(host: Host, event: str, text: str) -> dict[str, Any]:
    """Text for the model, as a host reads it."""
    usual = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    own = {host.answer: text} if host.answer else {}
    return {**own, **usual} if host.answer in ("", "additionalContext") else own


if __name__ == "__main__":
    main()
    os._exit(0)  # everything is written and closed; to take the interpreter apart takes a fifth of a capture

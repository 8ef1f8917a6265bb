"""A host's folder: what was installed, what waits to be stored, what each conversation was given.

=====================  =====================================================================
name                   contents
=====================  =====================================================================
``install.json``       what ``recollect install`` wrote and with which options
``spool/``             what was said and is not stored yet, a JSON file for each hook
``refused/``           files of the spool that no memory takes
``sessions/``          for each conversation how far its transcript was read, and what was shown
``errors.log``         why hooks failed, the latest last
``captured``           an empty file of the time of the last capture
=====================  =====================================================================

Everything here is for its owner's eyes only, and written whole or not at all.
"""

import json
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from recollect.integrations.hosts.transcripts import Utterance

INSTALL: Final = "install.json"
SPOOL: Final = "spool"
REFUSED: Final = "refused"
SESSIONS: Final = "sessions"
ERRORS: Final = "errors.log"
CAPTURED: Final = "captured"
_MOST_ERRORS: Final = 64_000
"""Bytes of the log at which it begins again. Chosen by hand."""
_STALE_S: Final = 60 * 86_400
"""Seconds after which a conversation's state is removed; Claude Code keeps transcripts half as long."""
_LONGEST_ID: Final = 128
_OWN_ONLY: Final = 0o600
_RECORDED: Final = ("host", "db", "user_id", "home")
"""Texts in every record of what was installed."""


class State(NamedTuple):
    """How far a conversation has come.

    Attributes:
        transcript: The file that was read.
        offset: Bytes of it that were read.
        shown: Ids of the memories that the conversation was given.
        folder: The working folder at its last event.
    """

    transcript: str = ""
    offset: int = 0
    shown: tuple[str, ...] = ()
    folder: str = ""


def hosts_folder() -> str:
    """Where the folders of hosts are: beside the default memory."""
    from recollect.stores import default_path

    return str(default_path().parent / "hosts")


def host_folders() -> list[str]:
    """The folders of all hosts that are installed, or were."""
    try:
        return [one.path for one in os.scandir(hosts_folder()) if one.is_dir()]
    except FileNotFoundError:
        return []


def write_whole(path: str, text: str, *, lasting: bool = True) -> None:
    """Write a file so that nobody ever sees half of it.

    Args:
        path: The file; its folder is made.
        text: What stands in it.
        lasting: Whether it is on the disk when this returns, so that a power cut leaves it.
    """
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    made = f"{path}.{os.getpid()}.tmp"
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWN_ONLY)
    try:
        with open(handle, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(made, path)
    except BaseException:
        os.unlink(made)
        raise


def installed_in(folder: str) -> dict[str, Any] | None:
    """What was installed; None where nothing was, or where that is damaged."""
    read = _object_in(os.path.join(folder, INSTALL)) or {}
    whole = all(isinstance(read.get(key), str) for key in _RECORDED) and isinstance(read.get("files"), dict)
    return read if whole else None


def is_plain_id(session: object) -> bool:
    """Whether a host's id can be the name of a file here."""
    return (
        isinstance(session, str)
        and 0 < len(session) <= _LONGEST_ID
        and session[0] != "."
        and all(sign.isalnum() or sign in "-_." for sign in session)
    )


def state_of(folder: str, session: str) -> State:
    """How far a conversation has come; a new one, or one whose state is damaged, begins."""
    read = _object_in(_state_path(folder, session)) or {}
    transcript, offset, shown = read.get("transcript"), read.get("offset"), read.get("shown")
    if not (isinstance(transcript, str) and isinstance(offset, int) and isinstance(shown, list)):
        return State()
    folder_ = str(read.get("folder") or "")
    return State(transcript, offset, tuple(one for one in shown if isinstance(one, str)), folder_)


def keep_state(folder: str, session: str, state: State) -> None:
    """Write down how far a conversation has come; were it lost, what is known would be stored once more."""
    write_whole(_state_path(folder, session), json.dumps(state._asdict()), lasting=False)


def latest_sessions(folder: str, count: int) -> list[str]:
    """The conversations that were read last, the latest first."""
    kept = [(os.path.getmtime(path), path) for path in files_in(os.path.join(folder, SESSIONS))]
    return [os.path.basename(path).removesuffix(".json") for _, path in sorted(kept, reverse=True)[:count]]


def remove_stale(folder: str) -> None:
    """Remove the state of conversations that have long ended."""
    for path in files_in(os.path.join(folder, SESSIONS)):
        if abs(time.time() - os.path.getmtime(path)) > _STALE_S:
            os.unlink(path)


def spool(folder: str, host: str, said: Sequence[tuple[Utterance, str]]) -> None:
    """Write down what was said, each with its project, until a memory takes it."""
    messages = [{**one._asdict(), "project": project} for one, project in said]
    name = f"{time.time_ns():020d}-{os.getpid()}.json"
    content = {"version": 1, "host": host, "messages": messages}
    write_whole(os.path.join(folder, SPOOL, name), json.dumps(content, ensure_ascii=False))
    write_whole(os.path.join(folder, CAPTURED), "", lasting=False)


def spooled(folder: str) -> list[str]:
    """The files that wait to be stored, the oldest first."""
    return sorted(files_in(os.path.join(folder, SPOOL)))


def note_error(folder: str, error: BaseException) -> None:
    """Add an error to the log; one that cannot be written is lost."""
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {type(error).__name__}: {error}"
    path = os.path.join(folder, ERRORS)
    try:
        mode = "a" if os.path.exists(path) and os.path.getsize(path) < _MOST_ERRORS else "w"
        with open(path, mode, encoding="utf-8", errors="backslashreplace") as file:
            file.write(" ".join(line.split()) + "\n")
    except OSError:
        return


def _state_path(folder: str, session: str) -> str:
    return os.path.join(folder, SESSIONS, f"{session}.json")


def files_in(folder: str) -> Iterator[str]:
    """The JSON files in a folder, in no order; none where there is no folder."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        if name.endswith(".json"):
            yield os.path.join(folder, name)


def _object_in(path: str) -> dict[str, Any] | None:
    try:
        with open(path, encoding="utf-8", errors="surrogatepass") as file:
            read = json.load(file)
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None

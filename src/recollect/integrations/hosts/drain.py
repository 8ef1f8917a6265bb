"""What hooks spooled goes into a memory, once: the host's ids are the idempotency keys."""

import json
import os
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInputError, RecollectError
from recollect.integrations.hosts import folder as places
from recollect.integrations.hosts.capture import catch_up
from recollect.integrations.hosts.catalog import HOSTS
from recollect.integrations.hosts.transcripts import Utterance

if TYPE_CHECKING:
    from recollect.memory.memory import Memory
    from recollect.types import AddResult


def drain(memory: "Memory", folder: str, *, user_id: str) -> int:
    """Store everything in a folder's spool; a file that no memory takes is put aside.

    Returns:
        How many messages were new.

    Raises:
        StoreError: The store failed; what is not stored stays in the spool.
    """
    stored = 0
    for path in places.spooled(folder):
        try:
            with open(path, encoding="utf-8", errors="surrogatepass") as file:
                content = json.load(file)
            messages = [_read(one) for one in content["messages"]]
            results = store_said(memory, messages, host=str(content["host"]), user_id=user_id)
            stored += sum(one.status in {"stored", "redacted"} for one in results)
        except FileNotFoundError:
            continue  # another process stored it
        except (InvalidInputError, ValueError, KeyError, TypeError, AttributeError) as error:
            _put_aside(folder, path, error)
            continue
        _remove(path)
    return stored


def drain_all(memory: "Memory", place: str) -> None:
    """Store what the hooks of all hosts spooled for a memory, and what was said since they ran.

    Args:
        memory: The memory.
        place: Its path or URL, as hosts are installed with it.

    Raises:
        StoreError: The store failed; what is not stored stays in the spools.
    """
    for folder in places.host_folders():
        installed = places.installed_in(folder)
        if installed is not None and installed.get("db") == place:
            with suppress(OSError, KeyError):  # what cannot be read now is read later
                catch_up(folder, HOSTS[installed["host"]], masks=installed.get("secrets") == "redact")
            drain(memory, folder, user_id=installed["user_id"])


def store_captured(memory: "Memory", place: str) -> None:
    """The same before a command; what cannot be stored now waits for the next one."""
    with suppress(RecollectError, OSError):
        drain_all(memory, place)


def store_said(
    memory: "Memory", said: "list[tuple[Utterance, str]]", *, host: str, user_id: str
) -> "list[AddResult]":
    """Store what was said, each with its project; what is known, or was deleted, is not stored again."""
    from recollect.memory.projects import renamed

    new, results = renamed(memory.parts.store, memory.parts.scope(user_id)), list["AddResult"]()
    for session, group in groupby(said, key=lambda one: one[0].session):
        messages = [_message(one, new.get(project, project), host) for one, project in group]
        results += memory.add(messages, user_id=user_id, session_id=session)
    return results


def _read(one: dict[str, Any]) -> tuple[Utterance, str]:
    values = {name: one[name] for name in Utterance._fields}
    return Utterance(**values), str(one["project"])


def _message(said: Utterance, project: str, host: str) -> dict[str, object]:
    metadata = {"host": host} | ({"project": project} if project else {})
    made: dict[str, object] = {"role": said.role, "content": said.content, "metadata": metadata}
    if (at := _moment(said.at)) is not None:
        made["timestamp"] = at
    return made | {"idempotency_key": f"{host}:{said.id}"}


def _moment(at: str | None) -> datetime | None:
    try:
        return None if at is None else datetime.fromisoformat(at)
    except ValueError:
        return None


def _put_aside(folder: str, path: str, error: Exception) -> None:
    places.note_error(folder, error)
    refused = os.path.join(folder, places.REFUSED)
    os.makedirs(refused, mode=0o700, exist_ok=True)
    os.replace(path, os.path.join(refused, os.path.basename(path)))


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # another process stored it, too

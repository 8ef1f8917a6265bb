"""What hooks do with the engine: store what was spooled, learn from it, recall for a session or a prompt."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from recollect.errors import StoreBusyError
from recollect.integrations.hosts import folder as places
from recollect.integrations.hosts.drain import drain, drain_all
from recollect.integrations.hosts.projects import project_of
from recollect.integrations.hosts.recall import BothRoles, Briefing, Whose, for_prompt, for_session
from recollect.memory.memory import Memory
from recollect.memory.projects import renamed
from recollect.retrieval.scoring import Retrieval
from recollect.stores.sqlite import SQLiteStore
from recollect.text.pii import PiiPolicy

_FORGOTTEN_BY: Final = frozenset({"clear", "compact"})
"""The sources of a session's start after which the host's model no longer sees what it was given before."""


_LEARN_AT_START_S, _LEARN_AT_END_S = 2.0, 20.0
"""Seconds that a hook learns what waits at the start and the end of a session: some hosts have no event at
its end. What is left waits for the next one, or ``recollect worker``. Chosen by hand."""


_BUSY_S: Final = 0.5
"""Seconds that a hook waits for a process that writes; what it would store then stays in the spool. Chosen by
hand: a person waits with it."""


@contextmanager
def opened(installed: dict[str, Any]) -> Iterator[Memory]:
    """Open the memory that a host was installed for, with the options it was installed with."""
    pii, place = installed.get("pii"), installed["db"]
    with Memory(
        place if "://" in place else SQLiteStore(place, busy_timeout_s=_BUSY_S),
        timezone=installed.get("timezone"),
        secrets=installed["secrets"],
        pii=None if pii is None else PiiPolicy(**pii),
        retrieval=Retrieval(scoring=BothRoles()),
    ) as memory:
        yield memory


def store(folder: str, installed: dict[str, Any]) -> None:
    """Put what was spooled into the memory, and learn from it for a while."""
    with opened(installed) as memory:
        drain_all(memory, installed["db"])
        _learn(memory, seconds=_LEARN_AT_END_S)
    places.remove_stale(folder)


def settle(folder: str) -> None:
    """Put what waits in a folder into the memory it was captured for, before that is another or none.

    Raises:
        RecollectError: The memory cannot be opened or written; what waits stays.
    """
    installed = places.installed_in(folder)
    if installed is not None and places.spooled(folder):
        with opened(installed) as memory:
            drain(memory, folder, user_id=installed["user_id"])


def recall(folder: str, installed: dict[str, Any], event: dict[str, Any], *, whole: bool) -> str:
    """What a conversation should know and was not given yet, as text; empty when nothing fits.

    Args:
        folder: The host's folder.
        installed: What was installed.
        event: What the host told its hook.
        whole: For a session that begins, not for a prompt.
    """
    session = event["session_id"]
    state = places.state_of(folder, session)
    given = () if event.get("source") in _FORGOTTEN_BY else state.shown
    if not os.path.exists(installed["db"]) and "://" not in installed["db"] and not places.spooled(folder):
        return ""
    user_id, here = installed["user_id"], project_of(str(event.get("cwd") or os.getcwd()))
    with opened(installed) as memory:
        project = renamed(memory.parts.store, memory.parts.scope(user_id)).get(here, here)
        whose = Whose(user_id=user_id, project=project, session_id=session, given=given)
        with suppress(StoreBusyError):  # what was captured waits, and what is stored is recalled
            drain_all(memory, installed["db"])
            if whole:
                _learn(memory, seconds=_LEARN_AT_START_S)
        found = (
            for_session(memory, whose) if whole else for_prompt(memory, whose, str(event.get("prompt") or ""))
        )
    _keep_shown(folder, session, state, given, found)
    return found.text


def _learn(memory: Memory, *, seconds: float) -> None:
    """Learn what waits, for a while."""
    deadline = time.monotonic() + seconds
    memory.parts.learner.drain(stopping=lambda: time.monotonic() > deadline, early=True)


def _keep_shown(
    folder: str, session: str, state: places.State, given: tuple[str, ...], found: Briefing
) -> None:
    shown = tuple(dict.fromkeys((*given, *found.ids)))
    if shown != state.shown:
        places.keep_state(folder, session, places.state_of(folder, session)._replace(shown=shown))

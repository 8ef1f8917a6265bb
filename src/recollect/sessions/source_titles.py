"""The titles of imported conversations: they follow those in the source, unless they were changed here."""

import json
from datetime import datetime
from typing import Final

from recollect.errors import InvalidInputError
from recollect.ingest.messages import Screen
from recollect.learning.titles import ENTITLED, SESSION_STATE, session_state
from recollect.protocols import Clock, Store
from recollect.types import JSON, Scope

_TOLD: Final = "source_title"
_TOLD_AT: Final = "source_title_at"
"""What is kept with a session: the title that its source gave last, and when it was changed there."""


class SourceTitles:
    """Gives the sessions of a user the titles of their source.

    Args:
        store: Where the sessions are.
        user: Whose; what is kept of them is read once.
        screen: Masks or refuses secrets.
        clock: The time.
    """

    def __init__(self, store: Store, user: Scope, *, screen: Screen, clock: Clock) -> None:
        self._store = store
        self._user = user
        self._screen = screen
        self._clock = clock
        self._kept = {
            name: _read(text) for name, text in store.states(user).items() if name.startswith(SESSION_STATE)
        }

    def follow(self, session: Scope, title: str, *, changed_at: datetime | None) -> None:
        """Give a session the title of its source.

        It is left as it is where it was changed here, or where the source is older than one that was read.

        Raises:
            InvalidInputError: The title holds a secret, and those are refused.
        """
        name = session_state(session)
        kept = self._kept.get(name, {})
        if _is_older(changed_at, kept.get(_TOLD_AT)) or kept.get("title") not in (None, kept.get(_TOLD)):
            return
        screened = self._screen(title)
        if screened.refused:
            raise InvalidInputError(f"the title cannot be stored: {screened.refused}")
        if kept.get("title") == screened.text:
            return
        told: dict[str, JSON] = {
            "id": session.session_id, "agent": session.agent_id, "title": screened.text, ENTITLED: False,
            _TOLD: screened.text, _TOLD_AT: changed_at.isoformat() if changed_at else None,
        }  # fmt: skip
        now = self._clock().isoformat()
        self._kept[name] = kept | told
        self._store.change_state(
            self._user, name, lambda text: json.dumps({"started": now} | _read(text or "") | told)
        )


def _is_older(changed_at: datetime | None, known: JSON) -> bool:
    return changed_at is not None and isinstance(known, str) and changed_at.isoformat() < known


def _read(text: str) -> dict[str, JSON]:
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        kept = None
    return kept if isinstance(kept, dict) else {}

"""One worker at a time learns from a user: facts are compared with what is known, then changed.

Who does is kept beside the memories, so that it holds between processes as well.
"""

import json
import time
from datetime import timedelta
from secrets import token_hex
from typing import Final, Self

from recollect.errors import StoreError
from recollect.protocols import Clock, StateStore
from recollect.types import Scope

STATE: Final = "learning"
"""The name under which a store keeps who learns from a user now."""
_LOOKS, _LOOK_S = 100, 0.02
"""How often and how long a worker waits for another one that learns from the same user. Chosen by hand."""


class BusyError(StoreError):
    """Another worker learns from the same user: no failure, only later."""


class Lease:
    """Holds the user's lock for the duration of the ``with`` block, or until the lease runs out.

    Args:
        states: Where it is kept.
        scope: The user.
        clock: What time it is.
        lease_s: How long it holds, in seconds, from when it was taken or renewed.

    Raises:
        BusyError: Another worker holds it, and went on holding it for two seconds.
    """

    def __init__(self, states: StateStore, scope: Scope, *, clock: Clock, lease_s: float) -> None:
        self._states = states
        self._scope = scope
        self._clock = clock
        self._lasts = timedelta(seconds=lease_s)
        self._mine = token_hex(8)

    def __enter__(self) -> Self:
        for _ in range(_LOOKS):
            if self.renew():
                return self
            time.sleep(_LOOK_S)
        raise BusyError("another worker is learning from this user")

    def __exit__(self, *_: object) -> None:
        self._states.change_state(self._scope, STATE, lambda kept: None if self._is_mine(kept) else kept)

    def renew(self) -> bool:
        """Take or keep it from now on; whether it is ours. One that ran out is anybody's."""
        held = False

        def take(kept: str | None) -> str | None:
            nonlocal held
            now = self._clock()
            held = kept is None or self._is_mine(kept) or json.loads(kept)["until"] <= now.isoformat()
            until = (now + self._lasts).isoformat()
            return json.dumps({"by": self._mine, "until": until}) if held else kept

        self._states.change_state(self._scope, STATE, take)
        return held

    def _is_mine(self, kept: str | None) -> bool:
        return kept is not None and json.loads(kept)["by"] == self._mine

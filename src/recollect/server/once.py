"""Idempotency keys: a key stands for one request, and with another body it is refused.

The store itself keeps a memory from being stored twice under a key. What is kept here is a mark of what came
with each key, so that a key that is used for something else by mistake does not lose what came with it.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2b
from http import HTTPStatus
from typing import Final

from starlette.concurrency import run_in_threadpool

from recollect.checks import check_id, check_key
from recollect.errors import InvalidInputError
from recollect.protocols import Store
from recollect.server.problems import ProblemError
from recollect.types import Scope

KEPT: Final = 256
"""Keys that a part of a user's marks holds; older ones go. There are 16 parts. Chosen by hand."""
_STATE: Final = "idempotency"
_BYTES: Final = 8
_RETRY_S: Final = 1


class SentOnce:
    """What came with the idempotency keys of each user.

    Args:
        store: Keeps the marks beside the memories.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._running: set[tuple[str, str]] = set()

    @asynccontextmanager
    async def once(self, user: str, key: str | None, said: bytes) -> AsyncIterator[None]:
        """Do what is asked under a key, unless the key came with something else before.

        Args:
            user: Whose key; other users may have the same one.
            key: The key; None does it in any case.
            said: What is asked.

        Raises:
            InvalidInputError: The user or the key is none.
            ProblemError: 422, it came with something else; 409, the request it came with is under way.
        """
        if key is None:
            yield
            return
        check_id("user_id", user)
        check_key("idempotency_key", key)
        if (user, key) in self._running:
            raise ProblemError(
                HTTPStatus.CONFLICT,
                "a request with this idempotency key is under way; send it again when that is answered",
                headers={"Retry-After": str(_RETRY_S)},
            )
        self._running.add((user, key))
        try:
            is_new = await run_in_threadpool(self._claim, user, key, said)
            try:
                yield
            except InvalidInputError:
                if is_new:  # nothing was stored: the key is free for what is mended
                    await run_in_threadpool(self._change, user, key, None)
                raise
        finally:
            self._running.discard((user, key))

    def _claim(self, user: str, key: str, said: bytes) -> bool:
        """Keep what came with a key; returns whether it is new."""
        mark = _mark(said, secret=key)
        known = self._change(user, key, mark)
        if known not in (None, mark):
            raise ProblemError(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                "this idempotency key came with another body before: nothing was stored; "
                "send something else under a key of its own",
            )
        return known is None

    def _change(self, user: str, key: str, mark: str | None) -> str | None:
        """Keep a mark where there is none, or let it go for None; returns the one that was there."""
        name = _mark(key.encode())
        before: list[str | None] = []

        def changed(kept: str | None) -> str | None:
            marks = _read(kept)
            before[:] = [marks.get(name)]
            if mark is None:
                marks.pop(name, None)
            else:
                marks.setdefault(name, mark)
            latest = list(marks.items())[-KEPT:]
            return json.dumps(dict(latest), separators=(",", ":")) if latest else None

        self._store.change_state(Scope(user_id=user), f"{_STATE} {name[0]}", changed)
        return before[0]


def _mark(said: bytes, *, secret: str = "") -> str:
    """A text that tells one request from another, and nothing of what it says to who has not got its key."""
    return blake2b(said, digest_size=_BYTES, key=blake2b(secret.encode()).digest()).hexdigest()


def _read(kept: str | None) -> dict[str, str]:
    """The marks; none where an export brought something else."""
    try:
        marks = json.loads(kept or "{}")
    except (RecursionError, ValueError):
        return {}
    return marks if isinstance(marks, dict) else {}

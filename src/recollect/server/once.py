"""Idempotency keys: a key identifies one request; the same key with another body is refused.

The store never stores a memory twice under one key. This module keeps a digest of the request for each key,
so that a key reused by mistake is an error and does not silently drop the new request.
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
"""Keys kept in each of a user's 16 buckets; the oldest are dropped first. Chosen by hand."""
_STATE: Final = "idempotency"
_BYTES: Final = 8
_RETRY_S: Final = 1


class SentOnce:
    """The requests that came with each user's idempotency keys."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._running: set[tuple[str, str]] = set()

    @asynccontextmanager
    async def once(self, user: str, key: str | None, said: bytes) -> AsyncIterator[None]:
        """Run the ``with`` block for a key, unless the key was used for another request.

        Args:
            user: The user; each user has separate keys.
            key: The idempotency key; None runs the block without a check.
            said: The body of the request.

        Raises:
            InvalidInputError: The user id or the key is invalid.
            ProblemError: 422: the key was used with another body; 409: its request is still in progress.
        """
        if key is None:
            yield
            return
        check_id("user_id", user)
        check_key("idempotency_key", key)
        if (user, key) in self._running:
            raise ProblemError(
                HTTPStatus.CONFLICT,
                "a request with this idempotency key is still running; send it again when it has ended",
                headers={"Retry-After": str(_RETRY_S)},
            )
        self._running.add((user, key))
        try:
            is_new = await run_in_threadpool(self._claim, user, key, said)
            try:
                yield
            except InvalidInputError:
                if is_new:  # nothing was stored: the corrected request may use the key
                    await run_in_threadpool(self._change, user, key, None)
                raise
        finally:
            self._running.discard((user, key))

    def _claim(self, user: str, key: str, said: bytes) -> bool:
        """Record the request of a key; return whether the key is new."""
        mark = _mark(said, secret=key)
        known = self._change(user, key, mark)
        if known not in (None, mark):
            raise ProblemError(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                "this idempotency key was used with another body: nothing was stored; "
                "send something else under a key of its own",
            )
        return known is None

    def _change(self, user: str, key: str, mark: str | None) -> str | None:
        """Store a digest unless there is one, or remove it for None; return the previous one."""
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
    """Return a keyed digest of a request, which reveals nothing about it without the key."""
    return blake2b(said, digest_size=_BYTES, key=blake2b(secret.encode()).digest()).hexdigest()


def _read(kept: str | None) -> dict[str, str]:
    """Parse the stored digests; empty if an import left something else in their place."""
    try:
        marks = json.loads(kept or "{}")
    except (RecursionError, ValueError):
        return {}
    return marks if isinstance(marks, dict) else {}

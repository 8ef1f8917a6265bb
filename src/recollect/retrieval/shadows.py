"""Shadows of several users: read from the store when they are asked for, and kept while there is room."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from recollect.protocols import ShadowDelta
from recollect.retrieval.question import speaker_names
from recollect.retrieval.rank import Ranker
from recollect.retrieval.shadow import Shadow
from recollect.text.analyse import Analyser
from recollect.types import Scope


class ShadowSource(Protocol):
    """What shadows are read from: a store, or a part of one."""

    def shadow(self, scope: Scope, since: int) -> ShadowDelta:
        """See ``Store.shadow``."""


@dataclass(slots=True, eq=False)
class _Held:
    """A user's shadow, with what is derived from it; one search uses it at a time.

    Attributes:
        nbytes: What it took when it was last used.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    shadow: Shadow = field(default_factory=Shadow)
    ranker: Ranker | None = None
    nbytes: int = 0


class Shadows:
    """The shadows of the users asked about last, ``limit_bytes`` together; the last one always stays.

    ``check_embedder`` is called when the store's vectors were replaced; it raises if they are not ours.
    """

    def __init__(
        self,
        store: ShadowSource,
        *,
        analyser: Analyser,
        limit_bytes: int,
        check_embedder: Callable[[], None],
    ) -> None:
        self.limit_bytes = limit_bytes
        self._store = store
        self._analyser = analyser
        self._check_embedder = check_embedder
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._nbytes = 0
        self._lock = threading.Lock()

    def __contains__(self, user_id: str) -> bool:
        return user_id in self._held

    def users(self) -> list[str]:
        """The users with a shadow, the least recently asked first."""
        with self._lock:
            return list(self._held)

    @contextmanager
    def ranker(self, scope: Scope, version: int) -> Iterator[Ranker]:
        """Ranks all memories of a user, by their shadow as it is now or later.

        Args:
            scope: Whose.
            version: The store's ``shadow_version`` now.
        """
        with self._lock:
            held = self._held.setdefault(scope.user_id, _Held())
            self._held.move_to_end(scope.user_id)
        try:
            with held.lock:
                yield self._refreshed(held, scope, version)
        finally:
            self._make_room(scope.user_id, held)

    def forget(self) -> None:
        """Drop every shadow; they are read again when needed."""
        with self._lock:
            self._held.clear()
            self._nbytes = 0

    def _refreshed(self, held: _Held, scope: Scope, version: int) -> Ranker:
        if held.ranker is not None and held.shadow.version == version:
            return held.ranker
        shadow, held.shadow, held.ranker = held.shadow, Shadow(), None
        delta = self._store.shadow(scope, 0 if shadow.wants_reload else shadow.version)
        if delta.reset:
            self._check_embedder()
        if not delta.reset and shadow.has_returned(delta.rows):
            delta = replace(self._store.shadow(scope, 0), reset=True)
        if delta.reset or shadow.wants_reload:
            shadow = Shadow()
        shadow.apply(delta)
        held.ranker = ranker_of(shadow, self._analyser)
        held.shadow = shadow
        return held.ranker

    def _make_room(self, user_id: str, used: _Held) -> None:
        """Count what a shadow takes now, and drop the oldest while all take too much."""
        with self._lock:
            if self._held.get(user_id) is used:
                nbytes = used.shadow.nbytes
                self._nbytes += nbytes - used.nbytes
                used.nbytes = nbytes
            while len(self._held) > 1 and self._nbytes > self.limit_bytes:
                _, dropped = self._held.popitem(last=False)
                self._nbytes -= dropped.nbytes


def ranker_of(shadow: Shadow, analyser: Analyser, *, total: int | None = None) -> Ranker:
    """Ranks the memories of a shadow; ``total`` are the user's, if these are some of them."""
    names = speaker_names(shadow.names["speaker"].numbers, analyser)
    return Ranker(shadow, names=names, total=total)

"""The stores of shards: opened when they answer, and accepted when they belong together."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from threading import Lock
from typing import Final, Protocol, runtime_checkable

from recollect.checks import check_id
from recollect.errors import (
    ClosedError,
    EmbedderMismatchError,
    InvalidInputError,
    RecollectError,
    StoreBusyError,
    StoreError,
    StoreReadOnlyError,
)
from recollect.protocols import (
    Copying,
    Store,
    TextSearch,
)
from recollect.stores import open_store
from recollect.types.clock import utc_now

REST_S: Final = 10.0
"""A shard that failed is skipped for so long. Chosen by hand."""
_MARK: Final = "shard"
"""The setting in which a store keeps its name and those of all shards."""
_SHARED: Final = ("embedder", "dimensions", "analyser")
"""The settings that are the same on every shard."""
_LOG: Final = logging.getLogger(__name__)


@runtime_checkable
class Shard(Store, TextSearch, Copying, Protocol):
    """What a store needs to be a shard."""


Given = Store | str | PathLike[str] | Callable[[], Store]
"""A store, its path or URL, or what opens it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """A store that answered, and what it says about itself."""

    store: Shard
    settings: Mapping[str, str | None]


class Members:
    """The stores of all shards, by their places in the order of their names.

    Raises:
        InvalidInputError: A store cannot be a shard, or they are not the shards they were.
        EmbedderMismatchError: Two were made with different embedders.
        StoreError: None answers.
    """

    def __init__(
        self, shards: Mapping[str, Given], *, home: Callable[[str], int], monotonic: Callable[[], float]
    ) -> None:
        self.names: Final = tuple(sorted(shards))
        self._given: Final = tuple(shards[name] for name in self.names)
        self._home = home
        self._monotonic = monotonic
        self._stores: Final[list[Shard | None]] = [None] * len(self.names)
        self._failures: dict[int, tuple[float, RecollectError]] = {}
        self._closed = False
        self._opening = Lock()
        self._take_in(range(len(self.names)))
        if all(store is None for store in self._stores):
            _, error = self._failures[0]
            raise like(error, f"no shard can be opened; {self.names[0]!r} cannot because: {error}") from error

    def __getitem__(self, place: int) -> Shard:
        """A store; one that did not answer before is asked again after a rest, by one caller.

        Raises:
            StoreError: It could not be opened yet.
            ClosedError: All were closed before it was.
        """
        store = self._stores[place]
        return self._late(place) if store is None else store

    def close(self) -> None:
        """Close every store that was given or opened."""
        with self._opening:
            self._closed = True
        for given, store in zip(self._given, self._stores, strict=True):
            if store is not None:
                store.close()
            elif isinstance(given, Store):
                given.close()

    def _late(self, place: int) -> Shard:
        if self._opening.acquire(blocking=False):
            try:
                self._try_again(place)
            finally:
                self._opening.release()
        if self._closed:
            raise ClosedError("the store was closed; open it again")
        store = self._stores[place]
        if store is None:
            _, error = self._failures[place]
            said = f"the shard {self.names[place]!r} cannot be opened (tried every {REST_S:g} s): {error}"
            raise like(error, said) from error
        return store

    def _try_again(self, place: int) -> None:
        if self._closed or self._stores[place] is not None or self._monotonic() < self._failures[place][0]:
            return
        try:
            self._take_in([place])
        except RecollectError as error:
            self._fail(place, error)

    def _take_in(self, places: Sequence[int]) -> None:
        """Open stores, and keep those that answer, if they belong to those that are here."""
        fresh: dict[int, _Look] = {}
        try:
            for place in places:
                if (look := self._opened(place)) is not None:
                    fresh[place] = look
            if fresh:
                self._settle_together(fresh)
        except BaseException:
            for place, look in fresh.items():
                self._stores[place] = None
                self._give_back(place, look.store)
            raise

    def _settle_together(self, fresh: Mapping[int, _Look]) -> None:
        here = {place: look for place, store in enumerate(self._stores) if (look := _seen(store))}
        shared = self._agreed({**here, **fresh})
        for place, look in fresh.items():
            self._check_mark(place, look)
        for place, look in fresh.items():
            self._settle(place, look, shared)

    def _opened(self, place: int) -> _Look | None:
        name, given = self.names[place], self._given[place]
        store: Store | None = None
        try:
            store = _able(name, _open(name, given))
            return _look(store)
        except StoreError as error:
            self._fail(place, error)
            if store is not None:
                self._give_back(place, store)
            return None

    def _agreed(self, looks: Mapping[int, _Look]) -> dict[str, str]:
        """The settings that shards share, of those that have them."""
        shared: dict[str, str] = {}
        for setting in _SHARED:
            said = [(self.names[place], look.settings[setting]) for place, look in sorted(looks.items())]
            known = [(name, value) for name, value in said if value is not None]
            for name, value in known[1:]:
                if value != known[0][1]:
                    raise _differing(setting, known[0], (name, value))
            if known:
                shared[setting] = known[0][1]
        return shared

    def _check_mark(self, place: int, look: _Look) -> None:
        """Refuse a store that is another shard, or has users of other shards."""
        mark = look.settings[_MARK]
        if mark is not None:
            self._compare_mark(place, mark)
            return
        users = look.store.known_users()
        strays = sum(self._home(user) != place for user in users)
        if strays:
            raise InvalidInputError(
                f"{strays} of the {len(users)} users in the store given as the shard {self.names[place]!r} "
                f"belong to other shards; copy it into new ones: copy_store(store, ShardedStore(...))"
            )

    def _compare_mark(self, place: int, mark: str) -> None:
        if mark == self._mark(place):
            return
        before = json.loads(mark)
        raise InvalidInputError(
            f"the store given as the shard {self.names[place]!r} of {', '.join(map(repr, self.names))} is "
            f"{before['name']!r} of {', '.join(map(repr, before['names']))}: a user's place follows from the "
            "names, so give every store its own, once; for other names, or more or fewer shards, copy into "
            "new stores: copy_store(ShardedStore(old), ShardedStore(new))"
        )

    def _settle(self, place: int, look: _Look, shared: Mapping[str, str]) -> None:
        """Accept a store, mark whose shard it is, and give it the shared settings that it lacks."""
        wanted = {_MARK: self._mark(place), **shared}
        missing = {name: value for name, value in wanted.items() if look.settings[name] is None}
        try:
            with suppress(StoreReadOnlyError):
                for name, value in missing.items():
                    look.store.put_setting(name, value, unless_set=True)
            self._compare_mark(place, look.store.setting(_MARK) or self._mark(place))
        except StoreError as error:
            self._fail(place, error)
            self._give_back(place, look.store)
        else:
            self._stores[place] = look.store

    def _mark(self, place: int) -> str:
        return json.dumps({"name": self.names[place], "names": self.names}, ensure_ascii=False)

    def _fail(self, place: int, error: RecollectError) -> None:
        if str(error) != str(self._failures.get(place, (0, ""))[1]):
            _LOG.warning(
                "the shard %r cannot be opened; the others go on without it: %s", self.names[place], error
            )
        self._failures[place] = (self._monotonic() + REST_S, error)

    def _give_back(self, place: int, store: Store) -> None:
        """Close a store that was opened here; what the caller opened stays open."""
        if store is not self._given[place]:
            store.close()


def check_shards(shards: object) -> tuple[str, ...]:
    """The names in their order; every name is one, and no store has two."""
    if not isinstance(shards, Mapping) or not shards:
        raise InvalidInputError("give at least one shard, by its name: ShardedStore({'a': store})")
    known: dict[object, str] = {}
    for name, given in shards.items():
        check_id("the name of a shard", name)
        other = known.setdefault(fspath(given) if isinstance(given, (str, PathLike)) else id(given), name)
        if other != name:
            raise InvalidInputError(
                f"the shards {other!r} and {name!r} are the same store; give each its own"
            )
    return tuple(sorted(shards))


def _open(name: str, given: Given) -> object:
    if isinstance(given, (str, PathLike)):
        return open_store(given, clock=utc_now)
    if isinstance(given, Store) and not isinstance(given, type):
        return given
    if not callable(given):
        raise InvalidInputError(
            f"the shard {name!r} must be a store, its URL, or a function that opens it, not "
            f"{type(given).__name__}"
        )
    return given()


def _able(name: str, store: object) -> Shard:
    if not isinstance(store, Shard):
        raise InvalidInputError(
            f"the shard {name!r} must keep jobs, links, states and a text index, and allow copying"
        )
    return store


def like(error: RecollectError, said: str) -> StoreError:
    """Another error of a store in its place, which says more; busy if it was."""
    return StoreBusyError(said) if isinstance(error, StoreBusyError) else StoreError(said)


def _look(store: Shard) -> _Look:
    return _Look(store=store, settings={name: store.setting(name) for name in (_MARK, *_SHARED)})


def _seen(store: Shard | None) -> _Look | None:
    """What an open store answers; None if it is not open or does not answer."""
    with suppress(StoreError, ClosedError):
        return None if store is None else _look(store)
    return None


def _differing(setting: str, one: tuple[str, str], other: tuple[str, str]) -> RecollectError:
    said = f"the {setting} of the shard {one[0]!r} is {one[1]!r}, that of {other[0]!r} is {other[1]!r}"
    if setting == "analyser":
        return InvalidInputError(
            f"{said}; rebuild one of the stores by itself: recollect doctor --rebuild --language ..."
        )
    return EmbedderMismatchError(
        f"{said}; re-embed one of the stores by itself: recollect reembed --embedder ..."
    )

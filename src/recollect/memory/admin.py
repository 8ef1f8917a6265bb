"""The memories of all users as a whole: counted, exported and loaded, checked, copied."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from os import PathLike
from typing import IO, Final

from recollect.checks import NO_LIMIT, check_bool, check_count, check_limit, check_path
from recollect.errors import InvalidInputError, StoreError, as_given
from recollect.memory.parts import Opened
from recollect.protocols import Health, Maintenance
from recollect.types import KINDS, TIERS, Job, LoadResult, Stats
from recollect.types.filters import Filter, Test

GROWTH_DAYS: Final = {"day": 1, "week": 7, "month": 30}
"""How far back ``stats`` looks for what was stored lately."""


class Keeping(Opened):
    """The part of ``Memory`` that looks after the store."""

    def stats(self, *, user_id: str | None = None) -> Stats:
        """What is stored, for one user or for all."""
        users = self._store.user_ids() if user_id is None else [self._scope(user_id).user_id]
        kinds, tiers = dict.fromkeys(KINDS, 0), dict.fromkeys(TIERS, 0)
        for user in users:
            for kind in KINDS:
                kinds[kind] += self._store.count(self._scope(user), _is("kind", kind))
            for tier in TIERS:
                tiers[tier] += self._store.count(self._scope(user), _is("tier", tier))
        total = sum(kinds.values())
        now = self._clock()
        return Stats(
            memories=total,
            users=len(users) if user_id is None else int(total > 0),
            kinds={kind: count for kind, count in kinds.items() if count},
            tiers={tier: count for tier, count in tiers.items() if count},
            store=repr(self._store),
            embedder=self._store.setting("embedder"),
            dimensions=int(self._store.setting("dimensions") or 0),
            waiting=self.count_jobs(user_id=user_id),
            given_up=self.count_jobs(user_id=user_id, failed=True),
            stored_within={
                name: sum(self._store.count(self._scope(user), _created_since(now, days)) for user in users)
                for name, days in GROWTH_DAYS.items()
            },
        )

    def users(self) -> list[str]:
        """The users with memories, by name; memories that were deleted and not yet purged count, too."""
        self._check_open()
        return sorted(self._known_users())

    def jobs(
        self,
        *,
        failed: bool = False,
        user_id: str | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> list[Job]:
        """What waits to be learned, oldest first; with ``failed`` what was given up.

        Args:
            failed: Which of both.
            user_id: Only what is about this user; by default everyone's.
            after: Only what comes after the job with this ``id``: the last one of the page before.
            limit: How many at most; None for all.

        Raises:
            InvalidInputError: ``after`` or ``limit`` is no whole number above 0, or ``failed`` no bool.
        """
        self._check_open()
        given_up = check_bool("failed", failed)
        user = None if user_id is None else self._scope(user_id).user_id
        start = 0 if after is None else check_count("after", after, most=NO_LIMIT)
        most = check_limit(limit)
        return self._store.jobs(failed=given_up, user_id=user, after=start, limit=most)

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        """How many jobs wait to be learned, or with ``failed`` were given up, of one user or of all."""
        self._check_open()
        user = None if user_id is None else self._scope(user_id).user_id
        return self._store.count_jobs(user_id=user, failed=check_bool("failed", failed))

    def export(self, target: str | PathLike[str] | IO[str], *, user_id: str | None = None) -> int:
        """Write memories and their links as JSON Lines for ``load``; returns how many memories.

        Everything of a record is kept. The change log stays behind, and so do vectors, which ``load``
        makes anew.

        Args:
            target: A file to make, or one open for writing text.
            user_id: Only this user's; by default everyone's.

        Raises:
            InvalidInputError: The file exists already, or cannot be made.
        """
        from recollect.memory.maintenance.transfer import write_export

        scopes = [self._scope(user) for user in (self._known_users() if user_id is None else [user_id])]
        if not isinstance(target, (str, PathLike)):
            if not hasattr(target, "write"):
                raise InvalidInputError(f"export takes a path or an open file, not {as_given(target)}")
            return write_export(self._store, scopes, target)
        try:
            with check_path("target", target).open("x", encoding="utf-8") as out:
                return write_export(self._store, scopes, out)
        except FileExistsError:
            raise InvalidInputError(f"{target} exists; name a new file for the export") from None
        except OSError as error:
            raise InvalidInputError(f"{target} cannot be written: {error.strerror}") from error

    def load(self, source: str | PathLike[str] | IO[str], *, user_id: str | None = None) -> LoadResult:
        """Read what ``export`` wrote; ids and times are kept, what is there already stays as it is.

        Args:
            source: The file, or one open for reading text.
            user_id: Give everything to this user instead of the one it was exported from.

        Raises:
            InvalidInputError: It is no export, or a line of it is damaged.
        """
        from recollect.memory.maintenance.transfer import read_export

        target = None if user_id is None else self._scope(user_id).user_id
        self._check_open()
        if not isinstance(source, (str, PathLike)):
            if not isinstance(source, Iterable):
                raise InvalidInputError(f"load takes a path or an open file, not {as_given(source)}")
            return read_export(self._store, source, indexer=self._indexer, user_id=target)
        try:
            with check_path("source", source).open(encoding="utf-8") as lines:
                return read_export(self._store, lines, indexer=self._indexer, user_id=target)
        except OSError as error:
            raise InvalidInputError(f"{source} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise InvalidInputError(f"{source} is not UTF-8 text") from None

    def doctor(self, *, rebuild: bool = False) -> Health:
        """Check the store, and what was learned against what was deleted.

        With ``rebuild`` its indexes are made anew from the words first, and what still says deleted words is
        made anew from the turns that are left.

        Raises:
            StoreError: This kind of store cannot be checked.
        """
        store, mender = self._maintained(), self._learner.mender
        if check_bool("rebuild", rebuild):
            store.rebuild(self._indexer.features)
            self._recall.forget()
        health = store.check()
        if health.problems:
            return health
        left = self.residue()
        users = self._known_users()
        for user in users if rebuild else ():
            mender.settle(self._scope(user))
            mender.mend_all(self._scope(user))
        return replace(health, problems=(*([left] if left else []), *mender.problems(users)))

    def residue(self) -> str | None:
        """Where words that were purged may still stand and why, in one line; None when nowhere.

        Somebody who reads a file while it is purged keeps its log. Asking tries again to empty it; so do the
        next purge, the next tidying and whoever opens the file next.
        """
        self._check_open()
        return self._store.residue()

    def backup(self, path: str | PathLike[str]) -> None:
        """Copy the whole store to a new file, while it is in use.

        Raises:
            InvalidInputError: The file exists already.
            StoreError: This kind of store cannot be copied.
        """
        if not isinstance(path, (str, PathLike)):
            raise InvalidInputError(f"backup takes a path, not {as_given(path)}")
        self._maintained().backup(check_path("path", path))

    def _maintained(self) -> Maintenance:
        self._check_open()
        if not isinstance(self._store, Maintenance):
            raise StoreError(
                f"{self._store!r} has no doctor, rebuild or backup; 'recollect copy' puts it into a file, "
                "which has"
            )
        return self._store


def _created_since(now: datetime, days: int) -> Filter:
    return Test("created_at", in_metadata=False, operator="gte", value=now - timedelta(days=days))


def _is(field: str, value: str) -> Filter:
    return Test(field, in_metadata=False, operator="eq", value=value)

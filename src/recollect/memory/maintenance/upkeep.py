"""``memory.maintenance``: the store as a whole, checked and copied."""

from dataclasses import replace
from os import PathLike

from recollect.checks import check_bool, check_content, check_path
from recollect.errors import InvalidInputError, StoreError, as_given
from recollect.ingest.messages import Screened
from recollect.memory.maintenance.reindex import rebuild as rebuild_indexes
from recollect.memory.parts import Parts
from recollect.protocols import Health, Maintenance
from recollect.types.guesses import corrects_guesses


@corrects_guesses
class StoreUpkeep:
    """Looks after the store of a memory; see ``Memory.maintenance``."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def doctor(self, *, rebuild: bool = False) -> Health:
        """Check the store, and that facts of deleted memories are gone.

        With ``rebuild`` its indexes are made again from the words first, and what still says deleted words is
        made again from the turns that are left.

        Raises:
            StoreError: This kind of store cannot be checked.
        """
        store, mender = self._maintained(), self._parts.learner.mender
        if check_bool("rebuild", rebuild):
            rebuild_indexes(store, self._parts.indexer)
            self._parts.recall.forget()
        health = store.check()
        if health.problems:
            return health
        left = self.residue()
        users = self._parts.known_users()
        for user in users if rebuild else ():
            mender.settle(self._parts.scope(user))
            mender.mend_all(self._parts.scope(user))
        return replace(health, problems=(*([left] if left else []), *mender.problems(users)))

    def residue(self) -> str | None:
        """Where words that were purged may still stand and why, in one line; None when nowhere.

        Somebody who reads a file while it is purged keeps its log. Asking tries again to empty it; so do the
        next purge, the next tidying and whoever opens the file next.
        """
        self._parts.check_open()
        return self._parts.store.residue()

    def backup(self, path: str | PathLike[str]) -> None:
        """Copy the whole store to a new file, while it is in use.

        Raises:
            InvalidInputError: The file exists already.
            StoreError: This kind of store cannot be copied.
        """
        if not isinstance(path, (str, PathLike)):
            raise InvalidInputError(f"backup takes a path, not {as_given(path)}")
        self._maintained().backup(check_path("path", path))

    def screen(self, text: str) -> Screened:
        """What would be stored of a text: with secrets and, by the policy, personal data masked or refused.

        Raises:
            InvalidInputError: It is no text that can be stored.
        """
        self._parts.check_open()
        return self._parts.screen(check_content("text", text))

    def _maintained(self) -> Maintenance:
        self._parts.check_open()
        store = self._parts.store
        if not isinstance(store, Maintenance):
            raise StoreError(
                f"{store!r} has no doctor, rebuild or backup; copy it into a SQLite file: recollect copy"
            )
        return store

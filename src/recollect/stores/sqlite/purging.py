"""Finishing a purge: what SQLite leaves of the words is wiped, and the log emptied."""

from typing import Final

import apsw

from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.scrubbing import can_be_scrubbed, scrub
from recollect.stores.sqlite.writing import drop_setting, put_setting, setting

PURGE_WAIT_S: Final = 1.0
"""How long a purge waits for readers of the log to end. Chosen by hand."""
_SETTING: Final = "purging"
"""What is still to be done for the last purge: ``file``, then ``log``; not there when nothing is."""
_FILE: Final = "file"
_LOG: Final = "log"


class Purging:
    """The part of the store that finishes a purge.

    The log is emptied and the free space of pages wiped; where much of the file is free it is rewritten, and
    smaller, and the log emptied then. The remaining steps are kept in the file, so that the next process to
    open it continues.
    """

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def residue(self) -> str | None:
        if self.finish(wait_s=0):
            return None
        return (
            f"purged words still stand in {self._db.path} or its log, because somebody is reading it; a "
            "worker, or the next purge, tidying or start, removes them when the reader has ended"
        )

    def finish(self, *, wait_s: float) -> bool:
        """Do what is still to be done; return whether all is."""
        with self._db.read() as db:
            step = setting(db, _SETTING)
        if step is None:
            return True
        if step == _FILE:
            with self._db.alone() as db:
                is_kept = can_be_scrubbed(db)
                if not is_kept:
                    db.execute("VACUUM")
            if is_kept:
                return self._db.rewrite(scrub, lambda db: set_step(db, None), wait_s=wait_s)
            with self._db.write() as db:
                set_step(db, _LOG)
        if not self._db.empty_log(wait_s=wait_s):
            return False
        with self._db.write() as db:
            set_step(db, None)
        return True


def set_step(db: apsw.Connection, step: str | None) -> None:
    """Store the next step of a purge (``file``, ``log``, or None), inside a transaction."""
    if step is None:
        drop_setting(db, _SETTING)
    else:
        put_setting(db, _SETTING, step)

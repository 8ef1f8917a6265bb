"""Long steps of a migration, done in batches while others read and write.

Processes of the older version may run until the last batch. A trigger marks every row that they write, beside
the rows that were there at first; a batch fills the new columns of some marked rows and removes their marks.
The last batch locks everybody out, does what is left, and drops the trigger. Each batch is a transaction, so
after an interruption the older version still works, and the next migration resumes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import psycopg

from recollect.stores.postgres.patience import briefly, lock_briefly
from recollect.stores.postgres.sql import drop_setting, fetch, fetch_value, put_setting, setting

STAGE: Final = "migration"
"""The setting that says how far a step is: ``marked``, ``changed``, or ``closing`` when the last piece is
next; absent before and after."""
_WRITERS: Final = ("tenants", "memories")
"""The tables that a writer comes to, in that order: who waits for the first has none yet."""

Mark = tuple[UUID, int]
"""A tenant and the key of a memory; what the key means is the step's own affair."""

_WATCH: Final = """
CREATE TABLE recollect_unfinished (tenant uuid NOT NULL, key bigint NOT NULL);
CREATE FUNCTION recollect_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO recollect_unfinished VALUES (NEW.tenant, {key});
    RETURN NULL;
END $$;
CREATE TRIGGER recollect_mark AFTER {written} ON {table} FOR EACH ROW
    WHEN (current_setting('recollect.filling', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION recollect_mark();
INSERT INTO recollect_unfinished SELECT NEW.tenant, {key} FROM {table} AS NEW;
"""
_UNWATCH: Final = """
DROP TRIGGER recollect_mark ON {table};
DROP FUNCTION recollect_mark();
DROP TABLE recollect_unfinished;
"""
_LEFT: Final = "SELECT count(*) FROM (SELECT 1 FROM recollect_unfinished LIMIT %s) AS d"
_TAKE: Final = """
DELETE FROM recollect_unfinished WHERE ctid = ANY(ARRAY(SELECT ctid FROM recollect_unfinished LIMIT %s))
RETURNING tenant, key
"""
_QUEUE: Final = "SELECT 1 FROM tenants WHERE tenant = ANY(%s) ORDER BY tenant FOR UPDATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Online:
    """A step of a migration that is done in batches.

    Attributes:
        change: SQL that is fast whatever is stored: new tables, new columns with a constant.
        written: When a write of the older version needs the row to be computed again.
        key: The key of the mark of such a row ``NEW``.
        fill: Computes the new columns for some marks, while their tenants' writers wait.
    """

    change: str
    table: str
    written: str
    key: str
    fill: Callable[[psycopg.Connection, Sequence[Mark]], None]
    batch: int


def advance(db: psycopg.Connection, step: Online) -> bool:
    """Take the next piece of a step; returns whether it was the last.

    Raises:
        psycopg.errors.LockNotAvailable: Others were in the way; take it again in another transaction.
    """
    stage = setting(db, STAGE)
    if stage is None:
        return _mark(db, step)
    if stage == "marked":
        lock_briefly(db, *_WRITERS)
        db.execute(step.change.encode())
        put_setting(db, STAGE, "changed")
        return False
    db.execute("SET LOCAL recollect.filling = 'on'")
    left = fetch_value(db, _LEFT, (step.batch,))
    if not left or (stage == "closing" and left < step.batch):
        _finish(db, step)
        return True
    _fill(db, step)
    if left < step.batch:
        put_setting(db, STAGE, "closing")
    return False


def _mark(db: psycopg.Connection, step: Online) -> bool:
    """Mark what is there, and from now on what is written; a table without rows is changed at once."""
    empty = f"SELECT NOT EXISTS (SELECT 1 FROM {step.table})"
    if fetch_value(db, empty):
        lock_briefly(db, *_WRITERS)
        if fetch_value(db, empty):
            db.execute(step.change.encode())
            return True
    with briefly(db):
        db.execute(f"LOCK TABLE {step.table} IN SHARE ROW EXCLUSIVE MODE".encode())
    db.execute(_WATCH.format(table=step.table, written=step.written, key=step.key).encode())
    put_setting(db, STAGE, "marked")
    return False


def _fill(db: psycopg.Connection, step: Online) -> None:
    marks = sorted({(tenant, key) for tenant, key in fetch(db, _TAKE, (step.batch,))})
    fetch(db, _QUEUE, (sorted({tenant for tenant, _ in marks}),))
    step.fill(db, marks)


def _finish(db: psycopg.Connection, step: Online) -> None:
    """Do the rest, while all others wait."""
    lock_briefly(db, *_WRITERS)
    while fetch_value(db, _LEFT, (1,)):
        _fill(db, step)
    db.execute(_UNWATCH.format(table=step.table).encode())
    drop_setting(db, STAGE)

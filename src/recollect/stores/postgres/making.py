"""Build and drop the vector index while the store is in use.

A process that builds, drops or outdates the index holds ``INDEX_LOCK``. No statement waits for it, because
``CREATE INDEX CONCURRENTLY`` waits for every running statement, also for one that waits for it.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import sleep
from typing import Final
from uuid import UUID

import psycopg

from recollect.errors import InvalidInputError, StoreBusyError, StoreError
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.ledger import lock_tenant
from recollect.stores.postgres.nearest import KEPT, VECTORS, enter
from recollect.stores.postgres.patience import lock_briefly, retried
from recollect.stores.postgres.shards import distributed_tables, one_after_another, spread
from recollect.stores.postgres.sql import (
    IN_ITS_SCHEMA,
    OWN_LOCK,
    drop_setting,
    fetch,
    fetch_value,
    put_setting,
    setting,
    take_time,
    tenant_of,
)
from recollect.types import Scope

INDEX_LOCK: Final = 0x5243_4C56
"""``RCLV``: see ``sql.OWN_LOCK``."""
_BATCH: Final = 2_000
"""Vectors that enter it in a transaction. Chosen by hand."""
_PATIENCE_S: Final = 30.0
"""How long readers and writers may keep the tables from one who drops the index. Chosen by hand."""
_LOOK_S: Final = 0.2
"""How often one who wants to build it looks whether another is done. Chosen by hand."""

_TABLE: Final = """
CREATE TABLE vectors (
    tenant uuid NOT NULL,
    key bigint NOT NULL,
    embedding halfvec({dim}) NOT NULL,
    PRIMARY KEY (tenant, key)
);
ALTER TABLE vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON vectors USING (
    tenant = nullif(current_setting('recollect.tenant', true), '')::uuid
    OR current_setting('recollect.everyone', true) = 'on'
);
"""
_BELONG: Final = b"""
ALTER TABLE vectors ADD CONSTRAINT vectors_of_memories
FOREIGN KEY (tenant, key) REFERENCES memories (tenant, key) ON DELETE CASCADE
"""
_INDEX: Final = b"""
CREATE INDEX CONCURRENTLY vectors_nearest ON vectors USING hnsw (embedding halfvec_cosine_ops)
"""
VALID: Final = f"""
SELECT i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
WHERE c.relname = 'vectors_nearest' AND c.{IN_ITS_SCHEMA}
"""
"""Whether the index is whole; no row where there is none."""
_TABLE_NUMBER: Final = f"SELECT oid FROM pg_class WHERE relname = 'vectors' AND {IN_ITS_SCHEMA}"
_READY: Final = b"UPDATE settings SET value = 'ready' WHERE name = %s AND value = 'filling'"
_SIZE: Final = "SELECT max(octet_length(vector)) FROM features"
_MISSING: Final = """
SELECT f.key, f.vector FROM features AS f JOIN memories AS m ON m.tenant = f.tenant AND m.key = f.key
WHERE f.tenant = %(tenant)s AND m.tenant = %(tenant)s AND m.deleted_at IS NULL AND f.key > %(after)s
    AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.tenant = %(tenant)s AND v.key = f.key)
ORDER BY f.key LIMIT %(limit)s
"""


class VectorIndex:
    """The part of the store that makes the index over vectors."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def make_vector_index(self) -> int:
        """Build the index while the store is in use; return how many vectors entered it.

        Another call resumes an interrupted one, and does nothing on a complete index. A user's writers wait
        while that user's vectors enter it. Of several processes all fill it, and one builds it.

        Raises:
            StoreError: The server has no pgvector, the role may not create it, or another process dropped
                the index meanwhile; nothing was made.
            InvalidInputError: Nothing is stored yet, so the number of dimensions is unknown.
        """
        table = retried(partial(_begin, self._db), of=(StoreBusyError,), patience_s=_PATIENCE_S)
        with self._db.read_everyone() as db:
            users = [user_id for (user_id,) in fetch(db, "SELECT user_id FROM tenants ORDER BY user_id")]
        entered = sum(self._fill(Scope(user_id=user_id), table) for user_id in users)
        with self._db.alone() as db:
            _build(db, table)
        with self._db.write_everyone() as db:
            _check_kept(db, table)
            db.execute(_READY, (VECTORS,))
        return entered

    def drop_vector_index(self) -> None:
        """Drop the index.

        Raises:
            StoreBusyError: Somebody is making it, or read or wrote for half a minute; it is there still.
        """
        drop_vectors(self._db)

    def _fill(self, scope: Scope, table: int | None) -> int:
        tenant, entered, last = tenant_of(scope.user_id), 0, 0
        while True:
            with self._db.write(scope) as db:
                take_time(db)
                lock_tenant(db, scope)  # so that no writer is under way that does not know of the table
                hold_tables(db, tenant)
                _check_kept(db, table)
                found = fetch(db, _MISSING, {"tenant": tenant, "after": last, "limit": _BATCH})
                enter(db, tenant, found)
            entered += len(found)
            if len(found) < _BATCH:
                return entered
            last = int(found[-1][0])


def drop_vectors(database: PostgresDatabase) -> None:
    """Drop the index, if there is one."""
    retried(partial(_drop, database), of=(StoreBusyError,), patience_s=_PATIENCE_S)


def hold_tables(db: psycopg.Connection, tenant: UUID) -> None:
    """Keep others from dropping the index until the transaction ends: they need the memories alone for it.

    Who has read or written memories in a transaction need not ask for it.
    """
    fetch_value(db, "SELECT 1 FROM memories WHERE tenant = %s LIMIT 1", (tenant,))


def outdate(db: psycopg.Connection) -> None:
    """Stop keeping and searching vectors, in a transaction that exchanges those of the store.

    Raises:
        StoreBusyError: Another process is making the index.
    """
    _hold(db)
    if setting(db, VECTORS) in KEPT:
        put_setting(db, VECTORS, "outdated")


def _begin(database: PostgresDatabase) -> int | None:
    """Make the table, unless it is there, in place of an outdated one; returns its number.

    None if another process drops it at this moment.
    """
    with database.write_everyone() as db:
        take_time(db)
        shards = bool(distributed_tables(db))
        if shards:
            one_after_another(db)
        if setting(db, VECTORS) not in KEPT:
            _hold(db)
            state = setting(db, VECTORS)
            if state == "outdated":
                _drop_table(db)
            if state not in KEPT:
                _make_table(db, _dimensions(db), shards=shards)
                put_setting(db, VECTORS, "filling")
        return _table_number(db)


def _dimensions(db: psycopg.Connection) -> int:
    dim = int(setting(db, "dimensions") or fetch_value(db, _SIZE) or 0)
    if not dim:
        raise InvalidInputError("store a memory before you make an index: its vector sets the size")
    return dim


def _drop(database: PostgresDatabase) -> None:
    with database.write_everyone() as db:
        if distributed_tables(db):
            one_after_another(db)
        if setting(db, VECTORS) is None:
            return
        _hold(db)
        _drop_table(db)
        drop_setting(db, VECTORS)


def _table_number(db: psycopg.Connection) -> int | None:
    number: int | None = fetch_value(db, _TABLE_NUMBER)
    return number


def _drop_table(db: psycopg.Connection) -> None:
    if _table_number(db):
        # Memories first: writers come to them first, and a reader who does not is not waited for.
        lock_briefly(db, "memories", "vectors")
        db.execute("DROP TABLE vectors")


def _hold(db: psycopg.Connection) -> None:
    """Keep others from making or dropping the index until the transaction ends."""
    if not fetch_value(db, f"SELECT pg_try_advisory_xact_lock({OWN_LOCK})", (INDEX_LOCK,)):
        raise StoreBusyError(
            "another process is making or dropping the index over vectors; nothing was changed, "
            "wait for it and try again"
        )


def _check_kept(db: psycopg.Connection, table: int | None) -> None:
    """Refuse to continue if the table is gone or was replaced."""
    if setting(db, VECTORS) not in KEPT or _table_number(db) != table:
        raise StoreError("the index over vectors was dropped while it was made; make it again")


def _build(db: psycopg.Connection, table: int | None) -> None:
    """Build the index over what is in the table, unless it is whole; drop one left half made."""
    db.execute("SET lock_timeout = 0")  # it waits for everyone who began before it
    with _holding(db):
        _check_kept(db, table)
        valid = fetch_value(db, VALID)
        if valid is False:
            db.execute("DROP INDEX CONCURRENTLY vectors_nearest")
        if not valid:
            db.execute(_INDEX)
        if not fetch_value(db, VALID):
            raise StoreError("the index over vectors was not finished; make it again")


@contextmanager
def _holding(db: psycopg.Connection) -> Iterator[None]:
    """Keep others from making or dropping the index meanwhile, over many transactions of one connection."""
    while not fetch_value(db, f"SELECT pg_try_advisory_lock({OWN_LOCK})", (INDEX_LOCK,)):
        sleep(_LOOK_S)
    try:
        yield
    finally:
        with suppress(psycopg.Error):  # a connection that is lost holds nothing
            db.execute(f"SELECT pg_advisory_unlock({OWN_LOCK})".encode(), (INDEX_LOCK,))


def _make_table(db: psycopg.Connection, dim: int, *, shards: bool) -> None:
    # Looked for first: where it is, Citus lets nobody but its owner say IF NOT EXISTS.
    there = fetch_value(db, "SELECT 1 FROM pg_extension WHERE extname = 'vector'")
    try:
        if not there:
            db.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedFile) as error:
        raise StoreError(
            "the server has no pgvector: install it there (its package is called pgvector), then try again"
        ) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreError(
            "the role may not create pgvector: run CREATE EXTENSION vector as a superuser, then try again"
        ) from error
    db.execute(_TABLE.format(dim=dim).encode())
    if shards:
        spread(db, "vectors")
    db.execute(_BELONG)

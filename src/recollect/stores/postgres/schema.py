"""The tables of a PostgreSQL store, as append-only migrations.

Every table with data of a user has the user's ``tenant`` (see ``tenant_of``) first in its primary key, so it
is also the shard key. Row-level security shows the rows of the tenant that the transaction names with ``SET
LOCAL recollect.tenant``, else none. Methods about all users use ``SET LOCAL recollect.everyone = 'on'``.

``vector``, ``terms`` and ``counts`` hold the same bytes as SQLite's columns of these names; times are
``bigint`` microseconds since 1970 UTC. Texts compare by code point (``COLLATE "C"``).

``postings`` is the text index: a row for each stem of each live memory, in a B-tree: under row-level security
PostgreSQL uses an index only for operators marked leakproof; those of ``tsvector`` are not.

On Citus the tables get shards (see ``citus``), and a migration sends every ``ALTER TABLE`` alone.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic, sleep
from typing import Final

import psycopg

from recollect.errors import InvalidInputError, StoreFormatError
from recollect.stores.postgres.online import Mark, Online, advance
from recollect.stores.postgres.patience import retried
from recollect.stores.postgres.rows import SELECT
from recollect.stores.postgres.sql import IN_ITS_SCHEMA, OWN_LOCK, fetch, fetch_value, see_everyone
from recollect.stores.postgres.statistics import recount_of
from recollect.stores.sql.rows import from_row, pack

MIGRATION_LOCK: Final = 0x5243_4C54
"""``RCLT``: the advisory lock held while tables are made, see ``sql.OWN_LOCK``."""
_HOLDER: Final = f"""
SELECT l.pid FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 1
    AND (l.classid::bigint << 32) + l.objid::bigint = {OWN_LOCK} AND l.granted
"""
_PATIENCE_S: Final = 3.0
"""How long another is waited for before the log says so. Chosen by hand."""
_LOOK_S: Final = 0.1
"""How often one who waits looks whether the other is done. Chosen by hand."""
_LOG: Final = logging.getLogger(__name__)
_IN_THE_WAY: Final = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)
"""After these a piece of a migration is taken again: others had the tables."""

_TEXT: Final = 'text COLLATE "C"'

_TABLES: Final = f"""
CREATE TABLE settings (
    name {_TEXT} PRIMARY KEY,
    value text NOT NULL
);

CREATE TABLE tenants (
    tenant uuid PRIMARY KEY,
    user_id {_TEXT} NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    promoted_at bigint NOT NULL DEFAULT 0,
    live bigint NOT NULL DEFAULT 0,
    words bigint NOT NULL DEFAULT 0
);

CREATE SEQUENCE memory_keys AS bigint;

CREATE TABLE memories (
    tenant uuid NOT NULL,
    key bigint NOT NULL,
    id {_TEXT} NOT NULL,
    agent_id {_TEXT},
    session_id {_TEXT},
    kind {_TEXT} NOT NULL,
    tier {_TEXT} NOT NULL,
    content {_TEXT} NOT NULL,
    summary {_TEXT},
    created_at bigint NOT NULL,
    happened_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    valid_from bigint,
    valid_until bigint,
    accessed_at bigint,
    deleted_at bigint,
    importance double precision NOT NULL,
    confidence double precision NOT NULL,
    priority {_TEXT},
    critical boolean NOT NULL,
    access_count bigint NOT NULL,
    useful_count bigint NOT NULL,
    unhelpful_count bigint NOT NULL,
    decay_factor double precision NOT NULL,
    speaker {_TEXT},
    role {_TEXT} NOT NULL,
    thread {_TEXT} NOT NULL,
    turn bigint NOT NULL,
    sources jsonb NOT NULL,
    extractor {_TEXT},
    prompt_id {_TEXT},
    tags jsonb NOT NULL,
    concepts jsonb NOT NULL,
    entities jsonb NOT NULL,
    category {_TEXT},
    emotion {_TEXT},
    language {_TEXT},
    metadata jsonb NOT NULL,
    metadata_as_given text,
    idempotency_key {_TEXT},
    idempotency uuid,
    PRIMARY KEY (tenant, key)
);
CREATE INDEX memories_by_key ON memories (key);
CREATE UNIQUE INDEX memories_by_id ON memories (tenant, id);
CREATE UNIQUE INDEX memories_by_idempotency ON memories (tenant, idempotency)
    WHERE idempotency IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX memories_by_thread ON memories (tenant, thread, turn) WHERE thread <> '';
CREATE INDEX memories_deleted ON memories (tenant, key) WHERE deleted_at IS NOT NULL;

CREATE TABLE features (
    tenant uuid NOT NULL,
    key bigint NOT NULL,
    vector bytea NOT NULL,
    terms bytea NOT NULL,
    counts bytea NOT NULL,
    traits integer NOT NULL,
    stems bigint[] NOT NULL,
    stem_counts integer[] NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (tenant, key),
    FOREIGN KEY (tenant, key) REFERENCES memories (tenant, key) ON DELETE CASCADE
);
ALTER TABLE features ALTER vector SET STORAGE EXTERNAL, ALTER terms SET STORAGE EXTERNAL;

CREATE TABLE postings (
    tenant uuid NOT NULL,
    stem bigint NOT NULL,
    key bigint NOT NULL,
    count integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (tenant, stem, key) INCLUDE (count, length)
);

CREATE TABLE changes (
    tenant uuid NOT NULL,
    version bigint NOT NULL,
    key bigint NOT NULL,
    at bigint NOT NULL,
    action {_TEXT} NOT NULL,
    before text,
    after text,
    reason text,
    PRIMARY KEY (tenant, version)
);
CREATE INDEX changes_by_key ON changes (tenant, key, version);

CREATE TABLE links (
    tenant uuid NOT NULL,
    source bigint NOT NULL,
    target bigint NOT NULL,
    type {_TEXT} NOT NULL,
    PRIMARY KEY (tenant, source, target, type),
    FOREIGN KEY (tenant, source) REFERENCES memories (tenant, key) ON DELETE CASCADE,
    FOREIGN KEY (tenant, target) REFERENCES memories (tenant, key) ON DELETE CASCADE
);
CREATE INDEX links_by_target ON links (tenant, target);

CREATE TABLE jobs (
    tenant uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id {_TEXT} NOT NULL,
    agent_id {_TEXT},
    session_id {_TEXT},
    task text NOT NULL,
    payload text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at bigint NOT NULL,
    failed_at bigint,
    error text,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX jobs_by_id ON jobs (id);

CREATE TABLE staged (
    tenant uuid NOT NULL,
    key bigint NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (tenant, key),
    FOREIGN KEY (tenant, key) REFERENCES memories (tenant, key) ON DELETE CASCADE
);
ALTER TABLE staged ALTER vector SET STORAGE EXTERNAL;
"""

TENANT_TABLES: Final = (
    "tenants", "memories", "features", "postings", "changes", "links", "jobs", "staged", "frequencies",
    "states",
)  # fmt: skip
"""The tables that row-level security guards: all that hold anything of a user."""

_GUARD: Final = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON {table} USING (
    tenant = nullif(current_setting('recollect.tenant', true), '')::uuid
    OR current_setting('recollect.everyone', true) = 'on'
);
"""

_STATISTICS: Final = f"""
ALTER TABLE memories
    ADD dates text NOT NULL DEFAULT '[]',
    ADD parameters text NOT NULL DEFAULT '[]',
    ADD factors text NOT NULL DEFAULT '{{}}',
    ADD usage_count bigint NOT NULL DEFAULT 0,
    ADD reinforced_count bigint NOT NULL DEFAULT 0,
    ADD reinforcements text NOT NULL DEFAULT '[]';

ALTER TABLE tenants ADD vector_sum bytea NOT NULL DEFAULT '';

CREATE TABLE frequencies (
    tenant uuid NOT NULL,
    term bigint NOT NULL,
    documents bigint NOT NULL,
    PRIMARY KEY (tenant, term)
);

CREATE TABLE states (
    tenant uuid NOT NULL,
    name {_TEXT} NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (tenant, name)
);
"""

_BATCH: Final = 1_000
"""Memories packed in one transaction. Chosen by hand."""
_USERS: Final = 10
"""Users counted in one transaction. Chosen by hand."""
_UNPACKED: Final = f"""
SELECT m.tenant, m.key, {SELECT} FROM unnest(%s::uuid[], %s::bigint[]) AS w (tenant, key)
JOIN memories AS m ON m.tenant = w.tenant AND m.key = w.key
"""
_PACK: Final = """
UPDATE memories AS m SET packed = w.packed
FROM unnest(%s::uuid[], %s::bigint[], %s::bytea[]) AS w (tenant, key, packed)
WHERE m.tenant = w.tenant AND m.key = w.key
"""


def _guarded(*tables: str) -> str:
    return "".join(_GUARD.format(table=table) for table in tables)


def _count(db: psycopg.Connection, marks: Sequence[Mark]) -> None:
    for tenant, _ in marks:
        recount_of(db, tenant)


def _pack(db: psycopg.Connection, marks: Sequence[Mark]) -> None:
    rows = fetch(db, _UNPACKED, ([tenant for tenant, _ in marks], [key for _, key in marks]))
    records = [from_row("", row[2:]) for row in rows]
    packed = [pack(record, turn=record.origin.turn, outline=b"") for record in records]
    db.execute(_PACK.encode(), ([row[0] for row in rows], [row[1] for row in rows], packed))


_ADD_STATISTICS: Final = Online(
    change=_STATISTICS + _guarded("frequencies", "states"),
    table="tenants",
    written="INSERT OR UPDATE OF version",
    key="0",
    fill=_count,
    batch=_USERS,
)
_PACK_NUMBERS: Final = Online(
    change="ALTER TABLE memories ADD packed bytea NOT NULL DEFAULT ''",
    table="memories",
    written="INSERT OR UPDATE",
    key="NEW.key",
    fill=_pack,
    batch=_BATCH,
)


_JOB_NUMBERS: Final = """
ALTER TABLE jobs ALTER id DROP IDENTITY;
CREATE SEQUENCE job_numbers AS bigint;
SELECT setval('job_numbers', coalesce(max(id), 0) + 1, false) FROM jobs;
ALTER TABLE jobs ALTER id SET DEFAULT nextval('job_numbers');
"""
"""Citus draws numbers for a default, everywhere; not for every identity."""


def _number_jobs(db: psycopg.Connection) -> None:
    see_everyone(db)
    db.execute(_JOB_NUMBERS.encode())


_FIRST_SCHEMA: Final = r"""
SELECT quote_ident(first), quote_ident(current_user),
    first IN ('$user', '') OR first IS NOT DISTINCT FROM current_schema(),
    EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = first)
FROM (
    SELECT CASE left(given, 1)
        WHEN '"' THEN replace(substr(given, 2, length(given) - 2), '""', '"')
        ELSE lower(given COLLATE "C")
    END::name AS first
    FROM (
        SELECT substring(current_setting('search_path') FROM '^\s*("(?:[^"]|"")*"|[^,\s]*)') AS given
    ) AS path
) AS named
"""
"""The first schema of the search path, who asks, whether new tables land in it (the role's own need not be
there), and whether it is there."""

_DELETED_KEYS: Final = """
CREATE INDEX IF NOT EXISTS memories_by_deleted_key ON memories (tenant, idempotency)
    WHERE idempotency IS NOT NULL AND deleted_at IS NOT NULL
"""

Migration = str | Callable[[psycopg.Connection], None] | Online
"""SQL, or what runs it and more, at once; or what is taken in pieces, because it takes long."""

MIGRATIONS: Final[tuple[Migration, ...]] = (
    _TABLES + _guarded("tenants", "memories", "features", "postings", "changes", "links", "jobs", "staged"),
    _ADD_STATISTICS,
    _PACK_NUMBERS,
    _number_jobs,
    _DELETED_KEYS,
)
"""Each brings the database from version *i* to *i + 1*. Never change one that was released: append."""


def check_schema(db: psycopg.Connection, name: str) -> None:
    """Refuse a search path whose first schema cannot be used.

    PostgreSQL skips it and uses the next, which may hold another store.

    Raises:
        InvalidInputError: The schema does not exist.
        psycopg.errors.InsufficientPrivilege: The role may not use it.
    """
    ((first, role, used, there),) = fetch(db, _FIRST_SCHEMA)
    if used:
        return
    if there:
        raise psycopg.errors.InsufficientPrivilege(f"permission denied for schema {first}")
    raise InvalidInputError(
        f"the URL of {name} names a schema that does not exist; create it first, as a role that may: "
        f"CREATE SCHEMA {first} AUTHORIZATION {role}"
    )


def version_of(db: psycopg.Connection, name: str) -> int:
    """The format of the database's tables; 0 when it has none of ours.

    Raises:
        StoreFormatError: A newer Recollect wrote it.
    """
    version = _version(db)
    if version > len(MIGRATIONS):
        raise StoreFormatError(
            f"{name} was written by a newer Recollect (format {version}, "
            f"known here up to {len(MIGRATIONS)}); upgrade this one"
        )
    return version


def is_current(db: psycopg.Connection, name: str) -> bool:
    """Whether the database has today's tables; arguments and errors as in ``version_of``."""
    return version_of(db, name) == len(MIGRATIONS)


def migrate(db: psycopg.Connection, name: str) -> None:
    """Bring the database to today's format; safe when several servers start at once.

    Raises:
        StoreFormatError: A newer Recollect wrote it, it does not hold UTF-8, or another program's
            tables stand in the way.
    """
    if db.info.parameter_status("server_encoding") != "UTF8":
        raise StoreFormatError(f"{name} does not hold UTF-8; create a database with encoding 'UTF8'")
    while not retried(partial(_advance, db, name), of=_IN_THE_WAY):
        pass


def _advance(db: psycopg.Connection, name: str) -> bool:
    """Take the next step, or the next piece of it; returns whether all were taken before."""
    with db.transaction():
        take_turn(db, name)
        if is_current(db, name):
            return True
        _step(db, name)
        return False


def take_turn(db: psycopg.Connection, name: str) -> None:
    """Wait until no other process makes tables, for the rest of the transaction; log it when that is long."""
    begun, told = monotonic(), False
    while not fetch_value(db, f"SELECT pg_try_advisory_xact_lock({OWN_LOCK})", (MIGRATION_LOCK,)):
        if not told and monotonic() - begun > _PATIENCE_S:
            told = True
            _LOG.warning(
                "%s: waiting for another process that makes its tables, or brings them to a new format; "
                "on the server its number (pid) is %s",
                name,
                fetch_value(db, _HOLDER, (MIGRATION_LOCK,)),
            )
        sleep(_LOOK_S)


def _step(db: psycopg.Connection, name: str) -> None:
    version = _version(db)
    try:
        db.execute(
            "CREATE TABLE IF NOT EXISTS recollect_migrations "
            "(version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())"
        )
        migration = MIGRATIONS[version]
        if isinstance(migration, str):
            db.execute(migration.encode())
        elif isinstance(migration, Online):
            see_everyone(db)
            if not advance(db, migration):
                return
        else:
            migration(db)
    except psycopg.errors.DuplicateTable as error:
        raise StoreFormatError(
            f"{name} has tables of another program ({error.diag.message_primary}); "
            "give Recollect a database or a schema of its own"
        ) from error
    db.execute("INSERT INTO recollect_migrations (version) VALUES (%s)", (version + 1,))


def _version(db: psycopg.Connection) -> int:
    # Not to_regclass: it may answer from before the wait for the advisory lock.
    found = f"SELECT 1 FROM pg_class WHERE relname = 'recollect_migrations' AND {IN_ITS_SCHEMA}"
    if fetch_value(db, found) is None:
        return 0
    row = db.execute("SELECT coalesce(max(version), 0) FROM recollect_migrations").fetchone()
    return 0 if row is None else int(row[0])

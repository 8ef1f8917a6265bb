"""Checking a database, rebuilding its indexes, and copying it into a file."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final
from uuid import UUID

import psycopg

from recollect.errors import InvalidInputError, StoreCorruptError, StoreFormatError, StoreReadOnlyError
from recollect.protocols import Clock, Features, Health
from recollect.stores.copy.moving import move
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.copying import Snapshot
from recollect.stores.postgres.index import index, store_features
from recollect.stores.postgres.ledger import lock_tenant
from recollect.stores.postgres.making import VALID, hold_tables
from recollect.stores.postgres.nearest import KEPT, VECTORS
from recollect.stores.postgres.rows import SELECT
from recollect.stores.postgres.schema import MIGRATIONS, TENANT_TABLES, version_of
from recollect.stores.postgres.shards import distributed_tables
from recollect.stores.postgres.sql import (
    IN_ITS_SCHEMA,
    Row,
    fetch,
    fetch_value,
    setting,
    take_time,
    tenant_of,
    tenants,
)
from recollect.stores.postgres.statistics import count_in, is_miscounted
from recollect.stores.sql.rows import from_row
from recollect.types import MemoryRecord, Scope

_BATCH: Final = 1_000
"""Memories indexed at once while rebuilding. Chosen by hand."""
_BESIDE: Final = ("", "-wal", "-shm")
"""What SQLite may leave of a file that could not be finished."""
_GLOBAL: Final = ("settings", "recollect_migrations")
_TABLES: Final = [*TENANT_TABLES, *_GLOBAL]

_REBUILD: Final = "run 'recollect doctor --rebuild'"
_MAKE: Final = "run 'recollect migrate --vector-index'"
_HELD: Final = """
SELECT s.stem, f.key, s.count, f.length
FROM features AS f JOIN memories AS m ON m.tenant = f.tenant AND m.key = f.key
CROSS JOIN unnest(f.stems, f.stem_counts) AS s (stem, count)
WHERE f.tenant = %(tenant)s AND m.tenant = %(tenant)s AND m.deleted_at IS NULL
"""
_POSTED: Final = "SELECT stem, key, count, length FROM postings WHERE tenant = %(tenant)s"
_DISAGREEMENTS: Final = (
    (
        "memories without features",
        """SELECT count(*) FROM memories AS m
        LEFT JOIN features AS f ON f.tenant = %(tenant)s AND f.key = m.key
        WHERE m.tenant = %(tenant)s AND f.key IS NULL""",
    ),
    ("words missing from the text index", f"SELECT count(*) FROM ({_HELD} EXCEPT {_POSTED}) AS d"),
    (
        "entries of the text index that no memory holds",
        f"SELECT count(*) FROM ({_POSTED} EXCEPT {_HELD}) AS d",
    ),
    (
        "users whose memories or words are miscounted",
        """SELECT count(*) FROM tenants AS t CROSS JOIN (
            SELECT count(*) AS live, coalesce(sum(f.length), 0) AS words FROM memories AS m
            LEFT JOIN features AS f ON f.tenant = %(tenant)s AND f.key = m.key
            WHERE m.tenant = %(tenant)s AND m.deleted_at IS NULL
        ) AS c WHERE t.tenant = %(tenant)s AND (t.live <> c.live OR t.words <> c.words)""",
    ),
    (
        "vectors of another size than the rest",
        """SELECT count(*) FROM features
        WHERE tenant = %(tenant)s AND octet_length(vector) <> %(dimensions)s::bigint""",
    ),
)
"""What a rebuild mends, for one tenant."""
_KEPT_FEATURES: Final = """
SELECT f.key FROM features AS f JOIN memories AS m ON m.tenant = f.tenant AND m.key = f.key
WHERE f.tenant = %(tenant)s AND m.tenant = %(tenant)s AND m.deleted_at IS NULL
    AND f.vector <> decode(repeat('00', octet_length(f.vector)), 'hex')
"""
_KEPT_VECTORS: Final = "SELECT key FROM vectors WHERE tenant = %(tenant)s"
_INDEX_DISAGREEMENTS: Final = (
    (
        "memories missing from the index over vectors",
        f"SELECT count(*) FROM ({_KEPT_FEATURES} EXCEPT {_KEPT_VECTORS}) AS d",
    ),
    (
        "vectors in the index that no memory holds",
        f"SELECT count(*) FROM ({_KEPT_VECTORS} EXCEPT {_KEPT_FEATURES}) AS d",
    ),
)
"""What a rebuild mends where there is an index over vectors, for one tenant."""
_HOLDERS: Final = ("tenants", "memories", "features", "postings", "frequencies")
"""Tables whose tenants are checked, also those that are not listed."""
_MEMORIES: Final = "SELECT tenant, count(*) FROM memories GROUP BY tenant"
_UNGUARDED: Final = f"""
SELECT n.name FROM unnest(%s::text[]) AS n (name)
LEFT JOIN pg_class AS c ON c.relname = n.name AND c.{IN_ITS_SCHEMA}
WHERE NOT coalesce(
    c.relrowsecurity AND c.relforcerowsecurity
    AND (SELECT array_agg(p.polname::text) FROM pg_policy AS p WHERE p.polrelid = c.oid) = '{{own_tenant}}',
    false
) ORDER BY n.name
"""
_INVALID: Final = f"""
SELECT i.indexrelid::regclass::text FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
WHERE c.relname = ANY(%s) AND c.{IN_ITS_SCHEMA} AND NOT i.indisvalid ORDER BY 1
"""
_ABOVE_THE_LAW: Final = (
    "SELECT rolname FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)"
)
_SIZE: Final = f"""
SELECT coalesce(sum({{size}}(oid)), 0) FROM pg_class
WHERE relname = ANY(%s) AND {IN_ITS_SCHEMA} AND relkind IN ('r', 'p')
"""
_ROWS: Final = f"""
SELECT m.key, m.deleted_at IS NULL, {SELECT} FROM memories AS m
WHERE m.tenant = %s AND m.key > %s ORDER BY m.key LIMIT %s
"""

_Record = tuple[int, bool, MemoryRecord]
"""A memory with its key, and whether it lives."""


class PostgresUpkeep:
    """The part of the store for checks, rebuilding and backups."""

    def __init__(self, db: PostgresDatabase, *, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def check(self) -> Health:
        """See ``Maintenance.check``. It reads everything and blocks nobody."""
        problems = [problem for look in _LOOKS for problem in self._found(look)]
        with self._db.read_everyone(unhurried=True) as db:
            ((total, deleted),) = fetch(db, "SELECT count(*), count(deleted_at) FROM memories")
            spread = list(distributed_tables(db))
            alone = [table for table in _tables(db) if table not in spread]
            size = int(fetch_value(db, _SIZE.format(size="pg_total_relation_size"), (alone,)))
            if spread:
                size += int(fetch_value(db, _SIZE.format(size="citus_total_relation_size"), (spread,)))
        return Health(problems=tuple(problems), memories=total - deleted, deleted=deleted, bytes=size)

    def _found(self, look: Callable[[psycopg.Connection], list[str]]) -> list[str]:
        """The problems of one check; a check that cannot finish is a problem too."""
        try:
            with self._db.read_everyone(unhurried=True) as db:
                return look(db)
        except (StoreCorruptError, StoreFormatError, StoreReadOnlyError) as error:
            return [str(error)]

    def rebuild(self, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        """See ``Maintenance.rebuild``. Each user is one transaction: only that user's writers wait.

        Readers see a user's old indexes until its end. Stopped half way, some users have new indexes and
        the others old ones; run it again.
        """
        with self._db.read_everyone() as db:
            users = [user_id for (user_id,) in fetch(db, "SELECT user_id FROM tenants ORDER BY user_id")]
        return sum(self._rebuild(Scope(user_id=user_id), make) for user_id in users)

    def compact(self) -> None:
        """See ``Maintenance.compact``: counts again for the query planner; the server vacuums by itself."""
        with self._db.alone() as db:
            db.execute(f"ANALYZE {', '.join(_tables(db))}".encode())

    def _rebuild(self, scope: Scope, make: Callable[[Sequence[MemoryRecord]], Sequence[Features]]) -> int:
        tenant = tenant_of(scope.user_id)
        total = live = words = 0
        with self._db.write(scope) as db:
            take_time(db)
            lock_tenant(db, scope)
            hold_tables(db, tenant)
            _forget_indexes(db, tenant)
            for rows in _batches(db, scope):
                made = list(zip(rows, make([record for _, _, record in rows]), strict=True))
                living = [(key, features) for (key, lives, _), features in made if lives]
                store_features(
                    db, tenant, [(key, features) for (key, lives, _), features in made if not lives]
                )
                words += index(db, tenant, living)
                count_in(db, tenant, ((features.terms, features.vector) for _, features in living))
                total, live = total + len(rows), live + len(living)
            # Shadows in other processes are read again.
            db.execute(
                "UPDATE tenants SET live = %s, words = %s, version = version + 1, promoted_at = version + 1 "
                "WHERE tenant = %s",
                (live, words, tenant),
            )
        return total

    def backup(self, path: Path) -> None:
        """See ``Maintenance.backup``. It makes a SQLite store of this moment, that can be opened as it is.

        Everything is in it but what was deleted, jobs that were given up, and vectors staged by an
        unfinished ``reembed``.
        """
        from recollect.stores.sqlite import SQLiteStore

        if path.exists():
            raise InvalidInputError(f"{path} exists; name a new file for the backup")
        try:
            with (
                self._db.read_everyone() as db,
                closing(SQLiteStore(path, clock=self._clock)) as target,
            ):
                move(Snapshot(db), target, report=lambda _done, _total: None)
        except BaseException:
            with suppress(OSError):
                for suffix in _BESIDE:
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
            raise


def stored_format(url: str) -> tuple[int, int]:
    """The format a database has (0: it has no tables of ours), and today's; changes nothing.

    Raises:
        StoreFormatError: A newer Recollect wrote it.
        StoreError: The server cannot be reached, or refused the user.
    """
    database = PostgresDatabase(url, pool_size=1, busy_timeout_s=30, statement_timeout_s=60, prepare=False)
    with closing(database), database.read_everyone() as db:
        return version_of(db, database.name), len(MIGRATIONS)


def _tables(db: psycopg.Connection) -> list[str]:
    """Every table of the store; that of vectors is there only when it was asked for."""
    return _TABLES if setting(db, VECTORS) is None else [*_TABLES, "vectors"]


def _disagreements(db: psycopg.Connection) -> list[str]:
    return _counted(db, _DISAGREEMENTS)


def _index_disagreements(db: psycopg.Connection) -> list[str]:
    return _counted(db, _INDEX_DISAGREEMENTS) if setting(db, VECTORS) == "ready" else []


def _counted(db: psycopg.Connection, looks: Sequence[tuple[str, str]]) -> list[str]:
    """How many memories of each kind all tenants have."""
    counted: Counter[str] = Counter()
    dimensions = setting(db, "dimensions")
    for tenant in _holders(db):
        for what, sql in looks:
            counted[what] += int(fetch_value(db, sql, {"tenant": tenant, "dimensions": dimensions}))
    return [f"{count} {what}; {_REBUILD}" for what, count in counted.items() if count]


def _miscounted(db: psycopg.Connection) -> list[str]:
    count = sum(is_miscounted(db, tenant) for tenant in _holders(db))
    return [f"{count} users whose terms or vectors are miscounted; {_REBUILD}"] if count else []


def _holders(db: psycopg.Connection) -> set[UUID]:
    return {tenant for table in _HOLDERS for (tenant,) in fetch(db, f"SELECT DISTINCT tenant FROM {table}")}


def _nameless(db: psycopg.Connection) -> list[str]:
    named = set(tenants(db))
    count = sum(memories for tenant, memories in fetch(db, _MEMORIES) if tenant not in named)
    return [f"{count} memories of users that are not listed; restore a backup"] if count else []


def _guard_problems(db: psycopg.Connection) -> list[str]:
    unguarded = [
        f"row-level security does not guard the table {table}: it is switched off or not forced, or its "
        "policy is not the one that was made; ALTER TABLE ... ENABLE and FORCE ROW LEVEL SECURITY"
        for (table,) in fetch(db, _UNGUARDED, ([table for table in _tables(db) if table not in _GLOBAL],))
    ]
    return unguarded + [
        f"row-level security does not hold for the role {role}: it is a superuser, or may bypass it; "
        "let the application log in as a plain role"
        for (role,) in fetch(db, _ABOVE_THE_LAW)
    ]


def _index_problems(db: psycopg.Connection) -> list[str]:
    return [
        f"the index {name} is invalid; rebuild it: REINDEX INDEX {name}"
        for (name,) in fetch(db, _INVALID, (_tables(db),))
    ]


def _vector_problems(db: psycopg.Connection) -> list[str]:
    state = setting(db, VECTORS)
    if state == "filling":
        return [f"the index over vectors is not finished; unless somebody is making it now, {_MAKE}"]
    if state == "outdated":
        return [f"the index over vectors is of another embedder, and is not used; {_MAKE}"]
    if state == "ready" and fetch_value(db, VALID) is None:
        return [f"the table vectors has no index, so that a search reads all of them; {_MAKE}"]
    return []


def _format_problems(db: psycopg.Connection) -> list[str]:
    version = version_of(db, "the database")
    if version == len(MIGRATIONS):
        return []
    return [f"the tables have format {version}, not {len(MIGRATIONS)}; run 'recollect migrate'"]


_LOOKS: Final = (
    _format_problems, _guard_problems, _index_problems, _vector_problems, _disagreements, _miscounted,
    _index_disagreements, _nameless,
)  # fmt: skip


def _forget_indexes(db: psycopg.Connection, tenant: UUID) -> None:
    for table in ("postings", "frequencies", "features"):
        db.execute(f"DELETE FROM {table} WHERE tenant = %s".encode(), (tenant,))
    if setting(db, VECTORS) in KEPT:
        db.execute("DELETE FROM vectors WHERE tenant = %s", (tenant,))
    db.execute("UPDATE tenants SET vector_sum = '' WHERE tenant = %s", (tenant,))


def _batches(db: psycopg.Connection, scope: Scope) -> Iterator[list[_Record]]:
    last = 0
    while found := fetch(db, _ROWS, (tenant_of(scope.user_id), last, _BATCH)):
        yield [_record(scope, row) for row in found]
        last = found[-1][0]


def _record(scope: Scope, row: Row) -> _Record:
    key, lives, *columns = row
    return key, lives, from_row(scope.user_id, columns)

"""Many users of a PostgreSQL store with the memories of one, copied inside the database.

Adding a million memories through the store takes longer than everything else of the benchmark; what is asked
of them afterwards does not depend on how they came.
"""

from typing import Final

import psycopg

_BATCH: Final = 50
"""Users copied in a transaction."""
_TABLES: Final = ("memories", "features", "postings", "changes", "frequencies")
_OTHERS: Final = """
CREATE TEMP TABLE others AS
SELECT n, 'user-' || n AS user_id,
    encode(substring(sha256(convert_to('user-' || n, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid AS tenant
FROM generate_series(1, %s::bigint - 1) AS n
"""
_COLUMNS: Final = """
SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
"""


def multiply(url: str, schema: str, *, users: int) -> None:
    """Give ``user-1`` and so on what ``user-0`` has.

    Args:
        url: The superuser's; the store's own role is held to one user, and to foreign keys.
        schema: Where the store is; nobody else is in it.
        users: How many there are then.
    """
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"SET search_path = {schema}".encode())
        db.execute("SET session_replication_role = replica")  # what is copied was checked when it was added
        db.execute("SET synchronous_commit = off")
        db.execute("ALTER SYSTEM SET max_wal_size = '16GB'")
        db.execute("SELECT pg_reload_conf()")
        db.execute(_OTHERS.encode(), (users,))
        ((tenant, step),) = db.execute("SELECT tenant, max(key) FROM memories GROUP BY tenant").fetchall()
        for start in range(1, users, _BATCH):
            with db.transaction():
                for table in ("tenants", *_TABLES):
                    names = [name for (name,) in db.execute(_COLUMNS.encode(), (table,)).fetchall()]
                    db.execute(
                        _copying(table, names),
                        (*([step] * names.count("key")), tenant, start, start + _BATCH - 1),
                    )
        db.execute("SELECT setval('memory_keys', %s)", (step * users,))
        db.execute("VACUUM ANALYZE")
        db.execute("ALTER SYSTEM RESET max_wal_size")
        db.execute("SELECT pg_reload_conf()")
        db.execute("CHECKPOINT")


def _copying(table: str, names: list[str]) -> bytes:
    other = {"tenant": "o.tenant", "user_id": "o.user_id", "key": "t.key + o.n * %s"}
    values = ", ".join(other.get(name, f"t.{name}") for name in names)
    return (
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM others AS o CROSS JOIN {table} AS t "
        "WHERE t.tenant = %s AND o.n BETWEEN %s AND %s ORDER BY o.tenant"
    ).encode()

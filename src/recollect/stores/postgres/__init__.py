"""PostgreSQL: one store for many tenants, many processes and many machines."""

from recollect.errors import MissingExtraError

try:
    from recollect.stores.postgres.store import PostgresStore
except ModuleNotFoundError as error:
    if error.name not in ("psycopg", "psycopg_pool"):
        raise
    raise MissingExtraError("PostgreSQL", extra="postgres") from error

__all__ = ["PostgresStore"]

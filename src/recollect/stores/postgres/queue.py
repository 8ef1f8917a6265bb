"""Links between memories, jobs waiting for a worker, and what was learned about a user."""

from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

import psycopg

from recollect.errors import NotFoundError
from recollect.protocols import Clock
from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.ledger import lock_tenant
from recollect.stores.postgres.sql import Row, fetch, fetch_value, run_many, see_everyone, tenant_of
from recollect.stores.postgres.where import condition, scope_sql
from recollect.stores.sql.rows import dump, job_of
from recollect.types import Job, Link, Scope
from recollect.types.codec import to_micros
from recollect.types.filters import by_ids

_JOB: Final = "id, task, user_id, agent_id, session_id, payload, attempts, error"
_IS_DUE: Final = "failed_at IS NULL AND (due_at <= %s OR (%s AND attempts = 0))"
_DUE: Final = f"SELECT id, tenant FROM jobs WHERE {_IS_DUE} AND id <> ALL(%s) ORDER BY id LIMIT %s"
_HOLD: Final = (
    f"SELECT id FROM jobs WHERE tenant = %s AND id = ANY(%s) AND {_IS_DUE} ORDER BY id FOR UPDATE SKIP LOCKED"
)
_CLAIM: Final = (
    "UPDATE jobs SET due_at = %s, attempts = attempts + 1 WHERE tenant = %s AND id = ANY(%s) "
    f"RETURNING {_JOB}"
)
_WAITS: Final = (
    "SELECT id, due_at FROM jobs WHERE tenant = %s AND user_id = %s AND agent_id IS NOT DISTINCT FROM %s "
    "AND session_id IS NOT DISTINCT FROM %s AND task = %s AND attempts = 0 AND failed_at IS NULL "
    "ORDER BY id LIMIT 1"
)
_SOONER: Final = (
    "UPDATE jobs SET payload = %s, due_at = %s WHERE tenant = %s AND id = %s AND attempts = 0 "
    "AND failed_at IS NULL"
)
_OWNER: Final = "SELECT tenant FROM jobs WHERE id = %s"


class PostgresLinkTable:
    """The part of the store that keeps links."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        ids = list(dict.fromkeys(end for link in links for end in (link.source_id, link.target_id)))
        inside, values = condition(scope, by_ids(ids))
        # Locked, so that no other process deletes an end before the link is there.
        sql = f"SELECT m.id, m.key FROM memories AS m WHERE {inside} ORDER BY m.key FOR KEY SHARE"
        with self._db.write(scope) as db:
            keys = {row[0]: row[1] for row in fetch(db, sql, values)}
            missing = [memory_id for memory_id in ids if memory_id not in keys]
            if missing:
                raise NotFoundError(f"no memory {missing[0]!r} in this scope; nothing was linked")
            run_many(
                db,
                "INSERT INTO links (tenant, source, target, type) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                [
                    (tenant_of(scope.user_id), keys[link.source_id], keys[link.target_id], link.type)
                    for link in links
                ],
            )

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        scoped, values = scope_sql(scope)
        other = scoped.replace("m.", "o.")
        sql = (
            f"WITH one AS (SELECT m.key FROM memories AS m WHERE {scoped} AND m.id = %s) "
            "SELECT m.id, o.id, l.type FROM links AS l "
            "JOIN memories AS m ON m.tenant = l.tenant AND m.key = l.source "
            "JOIN memories AS o ON o.tenant = l.tenant AND o.key = l.target "
            f"WHERE l.tenant = %s AND {scoped} AND {other} "
            "AND (l.source = (SELECT key FROM one) OR l.target = (SELECT key FROM one)) "
            "ORDER BY m.id, o.id, l.type"
        )
        with self._db.read(scope) as db:
            rows = fetch(db, sql, [*values, memory_id, tenant_of(scope.user_id), *values, *values])
        return [Link(source_id=source, target_id=target, type=kind) for source, target, kind in rows]


class PostgresJobTable:
    """The part of the store that queues jobs."""

    def __init__(self, db: PostgresDatabase, *, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._owners: dict[int, UUID] = {}

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        """See ``Store.claim_jobs``. Workers do not wait for each other."""
        now = to_micros(self._clock())
        claimed: list[Row] = []
        seen: list[int] = []
        with self._db.write_jobs() as db:
            while len(claimed) < limit and (due := fetch(db, _DUE, (now, early, seen, limit - len(claimed)))):
                seen += [job_id for job_id, _ in due]
                until = now + round(lease_s * 1_000_000)
                claimed += _claimed(db, due, now=now, until=until, early=early)
        self._owners |= {job_id: tenant_of(user) for job_id, _, user, *_ in claimed}
        return sorted(map(job_of, claimed), key=lambda job: job.id)

    def finish_job(self, job_id: int) -> None:
        with self._db.write_jobs() as db:
            for tenant in self._owner(db, job_id):
                db.execute("DELETE FROM jobs WHERE tenant = %s AND id = %s", (tenant, job_id))

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        now = to_micros(self._clock())
        due = now + round((retry_in_s or 0) * 1_000_000)
        given_up = now if retry_in_s is None else None
        with self._db.write_jobs() as db:
            for tenant in self._owner(db, job_id):
                db.execute(
                    "UPDATE jobs SET error = %s, due_at = %s, failed_at = %s WHERE tenant = %s AND id = %s",
                    (error, due, given_up, tenant, job_id),
                )

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        due = to_micros(self._clock()) + round(delay_s * 1_000_000)
        with self._db.write_jobs() as db:
            for tenant in self._owner(db, job_id):
                db.execute(
                    "UPDATE jobs SET error = NULL, due_at = %s, attempts = 0 WHERE tenant = %s AND id = %s",
                    (due, tenant, job_id),
                )

    def _owner(self, db: psycopg.Connection, job_id: int) -> list[UUID]:
        """The tenant of a job; every server of a cluster is asked only for one that was claimed elsewhere."""
        known = self._owners.pop(job_id, None)
        return [tenant for (tenant,) in fetch(db, _OWNER, (job_id,))] if known is None else [known]

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        with self._db.read_everyone() as db:
            return waiting_jobs(db, failed=failed, user_id=user_id, after=after, limit=limit)

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        sql = f"SELECT count(*) FROM jobs WHERE failed_at IS {'NOT ' if failed else ''}NULL"
        mine, values = _of_user(user_id)
        with self._db.read_everyone() as db:
            ((found,),) = fetch(db, sql + mine, values)
        return int(found)


def _claimed(db: psycopg.Connection, due: Sequence[Row], *, now: int, until: int, early: bool) -> list[Row]:
    """Of some due jobs, given by number and tenant, those that no other worker holds, leased.

    Tenant by tenant: on Citus rows are locked on the one server where a tenant's lie.
    """
    claimed: list[Row] = []
    for tenant in dict.fromkeys(tenant for _, tenant in due):
        mine = [job_id for job_id, owner in due if owner == tenant]
        free = [job_id for (job_id,) in fetch(db, _HOLD, (tenant, mine, now, early))]
        claimed += fetch(db, _CLAIM, (until, tenant, free)) if free else []
    return claimed


def waiting_jobs(
    db: psycopg.Connection,
    *,
    failed: bool,
    user_id: str | None = None,
    after: int = 0,
    limit: int | None = None,
) -> list[Job]:
    """See ``Store.jobs``; in a transaction that sees everyone."""
    mine, values = _of_user(user_id)
    which = f"failed_at IS {'NOT ' if failed else ''}NULL AND id > %s{mine}"
    sql = f"SELECT {_JOB} FROM jobs WHERE {which} ORDER BY id LIMIT %s"
    return list(map(job_of, fetch(db, sql, (after, *values, limit))))


def _of_user(user_id: str | None) -> tuple[str, tuple[object, ...]]:
    """What narrows a query to the jobs of a user, if one is given."""
    if user_id is None:
        return "", ()
    return " AND tenant = %s AND user_id = %s", (tenant_of(user_id), user_id)


def insert_jobs(db: psycopg.Connection, scope: Scope, jobs: Sequence[Job], *, now: int) -> None:
    """Queue jobs as the last thing in a transaction of a scope; they may be about other users."""
    if any(job.scope.user_id != scope.user_id for job in jobs):
        see_everyone(db)
    for job in jobs:
        due = now + round(job.delay_s * 1_000_000)
        if not (job.once and _waits(db, job, due=due)):
            db.execute(
                "INSERT INTO jobs (tenant, user_id, agent_id, session_id, task, payload, due_at) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s)",
                (*_what(job), dump(job.payload), due),
            )


def _waits(db: psycopg.Connection, job: Job, *, due: int) -> bool:
    """Whether an equal job waits; if this one is due first, that one takes its payload and time.

    Not when a worker took it meanwhile.
    """
    for job_id, known in fetch(db, _WAITS, _what(job)):
        values = (dump(job.payload), due, tenant_of(job.scope.user_id), job_id)
        return bool(known <= due) or db.execute(_SOONER, values).rowcount > 0
    return False


def _what(job: Job) -> tuple[object, ...]:
    scope = job.scope
    return tenant_of(scope.user_id), scope.user_id, scope.agent_id, scope.session_id, job.task


_ONE: Final = "SELECT value FROM states WHERE tenant = %s AND name = %s"
_PUT: Final = """
INSERT INTO states (tenant, name, value) VALUES (%s, %s, %s)
ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value
"""


class PostgresStateTable:
    """The part of the store that keeps states."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    def state(self, scope: Scope, name: str) -> str | None:
        with self._db.read(scope) as db:
            value: str | None = fetch_value(db, _ONE, (tenant_of(scope.user_id), name))
            return value

    def states(self, scope: Scope) -> dict[str, str]:
        sql = "SELECT name, value FROM states WHERE tenant = %s ORDER BY name"
        with self._db.read(scope) as db:
            return dict(fetch(db, sql, (tenant_of(scope.user_id),)))

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        mine = (tenant_of(scope.user_id), name)
        with self._db.write(scope) as db:
            lock_tenant(db, scope, create=True)
            value = change(fetch_value(db, _ONE, mine))
            if value is None:
                db.execute("DELETE FROM states WHERE tenant = %s AND name = %s", mine)
            else:
                db.execute(_PUT.encode(), (*mine, value))

"""Links between memories, jobs waiting for a worker, and what was learned about a user."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import apsw

from recollect.errors import NotFoundError
from recollect.protocols import Clock
from recollect.stores.sql.rows import dump, job_of
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.stores.sqlite.where import fetch, fetch_value, scope_sql, where_sql
from recollect.stores.sqlite.writing import seal
from recollect.types import Job, Link, Scope
from recollect.types.codec import to_micros
from recollect.types.filters import by_ids

_WAITS: Final = (
    "SELECT id, due_at FROM jobs WHERE user = (SELECT key FROM users WHERE user_id = ?) AND agent_id IS ? "
    "AND session_id IS ? AND task = ? AND attempts = 0 AND failed_at IS NULL ORDER BY id LIMIT 1"
)
_MINE: Final = " AND user = (SELECT key FROM users WHERE user_id = ?)"


class SQLiteLinkTable:
    """The part of the store that keeps links."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def link(self, scope: Scope, links: Sequence[Link]) -> None:
        ids = list(dict.fromkeys(end for link in links for end in (link.source_id, link.target_id)))
        scoped, scope_values = scope_sql(scope)
        chosen, chosen_values = where_sql(by_ids(ids))
        sql = f"SELECT m.id, m.key FROM memories AS m WHERE {scoped} AND {chosen}"
        with self._db.write() as db:
            keys = {row[0]: row[1] for row in fetch(db, sql, [*scope_values, *chosen_values])}
            missing = [memory_id for memory_id in ids if memory_id not in keys]
            if missing:
                raise NotFoundError(f"no memory {missing[0]!r} in this scope; nothing was linked")
            db.executemany(
                "INSERT OR IGNORE INTO links (source, target, type) VALUES (?, ?, ?)",
                [(keys[link.source_id], keys[link.target_id], link.type) for link in links],
            )

    def links(self, scope: Scope, memory_id: str) -> list[Link]:
        scoped, values = scope_sql(scope)
        other = scoped.replace("m.", "o.")
        key = "(SELECT key FROM memories WHERE user = (SELECT key FROM users WHERE user_id = ?) AND id = ?)"
        # Left to itself the planner starts from every pair of memories: seconds instead of microseconds.
        sql = (
            f"SELECT m.id, o.id, l.type FROM (SELECT * FROM links WHERE source IN {key} "
            f"UNION SELECT * FROM links WHERE target IN {key}) AS l "
            "CROSS JOIN memories AS m ON m.key = l.source CROSS JOIN memories AS o ON o.key = l.target "
            f"WHERE {scoped} AND {other} ORDER BY m.id, o.id, l.type"
        )
        with self._db.read() as db:
            rows = fetch(db, sql, [*(scope.user_id, memory_id) * 2, *values, *values])
        return [Link(source_id=source, target_id=target, type=kind) for source, target, kind in rows]


class SQLiteJobTable:
    """The part of the store that queues jobs."""

    def __init__(self, db: SQLiteDatabase, *, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def claim_jobs(self, *, limit: int, lease_s: float, early: bool = False) -> list[Job]:
        now = to_micros(self._clock())
        due = "(due_at <= ? OR attempts = 0)" if early else "due_at <= ?"
        sql = f"SELECT id FROM jobs WHERE failed_at IS NULL AND {due} ORDER BY id LIMIT ?"
        with self._db.write() as db:
            ids = [job_id for (job_id,) in fetch(db, sql, (now, limit))]
            db.executemany(
                "UPDATE jobs SET due_at = ?, attempts = attempts + 1 WHERE id = ?",
                [(now + round(lease_s * 1_000_000), job_id) for job_id in ids],
            )
            return _jobs(db, "id IN (SELECT value FROM json_each(?)) ORDER BY id", (json.dumps(ids),))

    def finish_job(self, job_id: int) -> None:
        with self._db.write() as db:
            db.execute("DELETE FROM jobs WHERE id = ?", (job_id,))

    def fail_job(self, job_id: int, error: str, *, retry_in_s: float | None) -> None:
        now = to_micros(self._clock())
        due = now + round((retry_in_s or 0) * 1_000_000)
        given_up = now if retry_in_s is None else None
        with self._db.write() as db:
            db.execute(
                "UPDATE jobs SET error = ?, due_at = ?, failed_at = ? WHERE id = ?",
                (error, due, given_up, job_id),
            )

    def postpone_job(self, job_id: int, *, delay_s: float) -> None:
        due = to_micros(self._clock()) + round(delay_s * 1_000_000)
        with self._db.write() as db:
            db.execute("UPDATE jobs SET error = NULL, due_at = ?, attempts = 0 WHERE id = ?", (due, job_id))

    def jobs(
        self, *, failed: bool = False, user_id: str | None = None, after: int = 0, limit: int | None = None
    ) -> list[Job]:
        mine, values = ("", ()) if user_id is None else (_MINE, (user_id,))
        where = f"failed_at IS {'NOT ' if failed else ''}NULL AND id > ?{mine}"
        with self._db.read() as db:
            return _jobs(db, f"{where} ORDER BY id LIMIT ?", (after, *values, -1 if limit is None else limit))

    def count_jobs(self, *, user_id: str | None = None, failed: bool = False) -> int:
        sql = f"SELECT count(*) FROM jobs WHERE failed_at IS {'NOT ' if failed else ''}NULL"
        mine, values = ("", ()) if user_id is None else (_MINE, (user_id,))
        with self._db.read() as db:
            return int(fetch_value(db, sql + mine, values))


def insert_jobs(db: apsw.Connection, jobs: Sequence[Job], *, now: int) -> None:
    """Queue jobs inside a transaction."""
    for job in jobs:
        scope = job.scope
        whose = (scope.user_id, scope.agent_id, scope.session_id)
        due = now + round(job.delay_s * 1_000_000)
        waiting = fetch(db, _WAITS, (*whose, job.task)) if job.once else []
        for job_id, known in waiting:
            if due < known:
                sql = "UPDATE jobs SET payload = ?, due_at = ? WHERE id = ?"
                db.execute(sql, (dump(job.payload), due, job_id))
                seal(db, "jobs", [job_id])
        if not waiting:
            db.execute("INSERT OR IGNORE INTO users (user_id) VALUES (?)", (scope.user_id,))
            db.execute(
                "INSERT INTO jobs (user, agent_id, session_id, task, payload, due_at) "
                "VALUES ((SELECT key FROM users WHERE user_id = ?), ?, ?, ?, ?, ?)",
                (*whose, job.task, dump(job.payload), due),
            )
            seal(db, "jobs", [db.last_insert_rowid()])


def _jobs(db: apsw.Connection, which: str, values: Sequence[Any]) -> list[Job]:
    rows = fetch(
        db,
        "SELECT id, task, user_id, agent_id, session_id, payload, attempts, error "
        f"FROM jobs CROSS JOIN users ON users.key = jobs.user WHERE {which}",
        values,
    )
    return list(map(job_of, rows))


_OF_USER = "user = (SELECT key FROM users WHERE user_id = ?)"


class SQLiteStateTable:
    """The part of the store that keeps states."""

    def __init__(self, db: SQLiteDatabase) -> None:
        self._db = db

    def state(self, scope: Scope, name: str) -> str | None:
        with self._db.read() as db:
            sql = f"SELECT value FROM states WHERE {_OF_USER} AND name = ?"
            value: str | None = fetch_value(db, sql, (scope.user_id, name))
            return value

    def states(self, scope: Scope) -> dict[str, str]:
        with self._db.read() as db:
            sql = f"SELECT name, value FROM states WHERE {_OF_USER} ORDER BY name"
            return dict(fetch(db, sql, (scope.user_id,)))

    def change_state(self, scope: Scope, name: str, change: Callable[[str | None], str | None]) -> None:
        with self._db.write() as db:
            mine = (scope.user_id, name)
            value = change(fetch_value(db, f"SELECT value FROM states WHERE {_OF_USER} AND name = ?", mine))
            if value is None:
                db.execute(f"DELETE FROM states WHERE {_OF_USER} AND name = ?", mine)
                return
            db.execute("INSERT OR IGNORE INTO users (user_id) VALUES (?)", (scope.user_id,))
            db.execute(
                "INSERT OR REPLACE INTO states (user, name, value) "
                "VALUES ((SELECT key FROM users WHERE user_id = ?), ?, ?)",
                (*mine, value),
            )
            seal(db, "states", [db.last_insert_rowid()])

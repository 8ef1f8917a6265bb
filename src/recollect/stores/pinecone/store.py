"""A store in a Pinecone index."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from pinecone import Pinecone
from pinecone.errors import NotFoundError, PineconeValueError
from pinecone.models.indexes.index import IndexModel
from pinecone.models.indexes.schema import DenseVectorField, SparseVectorField

from recollect.errors import (
    EmbedderMismatchError,
    InvalidInputError,
    StoreBusyError,
    StoreError,
    StoreFormatError,
    as_given,
)
from recollect.protocols import Clock
from recollect.stores.pinecone.connection import PineconeConnection, named
from recollect.stores.points.conditions import Is
from recollect.stores.points.connection import Family
from recollect.stores.points.journal import Write
from recollect.stores.points.store import PointStore
from recollect.types.clock import utc_now
from recollect.types.regex import lazy_regex

SERVICE: Final = "https://api.pinecone.io"
"""Where Pinecone says which indexes there are."""
PREFIX: Final = "recollect"
"""What the names of the namespaces begin with."""

_INDEX: Final = lazy_regex(r"[a-z0-9](?:[a-z0-9-]{0,43}[a-z0-9])?", re.ASCII)
_PREFIX: Final = lazy_regex(r"[\w-]{1,100}", re.ASCII)
_SERVERS: Final = ("pinecone+http", "pinecone+https")
_SAY: Final = "write pinecone://index, pinecone://:api-key@index, or pinecone+http://:api-key@host:5080/index"


class PineconeLocation(NamedTuple):
    """Where a store is."""

    name: str
    api_key: str | None = None
    prefix: str = PREFIX
    host: str = SERVICE


def read_url(url: str) -> PineconeLocation:
    """Read a URL.

    >>> read_url("pinecone://:secret@brain?prefix=team")
    PineconeLocation(name='brain', api_key='secret', prefix='team', host='https://api.pinecone.io')
    >>> read_url("pinecone+http://:any@localhost:5080/brain").host
    'http://localhost:5080'

    Raises:
        InvalidInputError: It means nothing; the message does not repeat it, as it may hold a key.
    """
    try:
        parts = urlsplit(url)
        options = parse_qs(parts.query, strict_parsing=bool(parts.query))
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidInputError(f"the URL of the Pinecone store cannot be read; {_SAY}") from None
    server = parts.scheme in _SERVERS
    path = parts.path.strip("/")
    if (
        not host
        or set(options) - {"prefix"}
        or parts.fragment
        or bool(path) != server
        or (port and not server)
    ):
        raise InvalidInputError(f"the URL of the Pinecone store means nothing; {_SAY}")
    key = unquote(parts.password) if parts.password else None
    prefix = options.get("prefix", [PREFIX])[-1]
    if not server:
        return PineconeLocation(parts.netloc.rpartition("@")[2], key, prefix)
    scheme, address = parts.scheme.removeprefix("pinecone+"), parts.netloc.rpartition("@")[2]
    return PineconeLocation(path, key, prefix, f"{scheme}://{address}")


def check_names(index: str, prefix: str) -> None:
    """Refuse what cannot be the name of an index, or begin the name of a namespace."""
    if not _INDEX.fullmatch(index):
        raise InvalidInputError(
            f"{as_given(index)} cannot be the name of an index; use up to 45 small letters, digits and -"
        )
    if not _PREFIX.fullmatch(prefix):
        raise InvalidInputError(
            f"the prefix {as_given(prefix)} cannot name namespaces; use letters, digits, _ and -"
        )


class PineconeStore(PointStore):
    """Keeps memories in a Pinecone index that is there already; one process at a time has a store open.

    Args:
        index: The name of the index.
        api_key: The key of the project that has it. It is never read from the environment.
        prefix: What the names of the store's namespaces begin with.
        host: The server that knows the index.
        client: A client of your own instead of the key and the host; it stays open.
        timeout_s: How long to wait for one answer, and until what was written is seen.
        clock: The clock of the change log, the jobs and the lease.

    Raises:
        InvalidInputError: A name cannot be one, or there is no key.
        StoreBusyError: Another process has the store open, or the index is not ready.
        StoreFormatError: A newer Recollect wrote it, or the index takes no dense vectors.
        StoreError: The index is not there, cannot be reached, or the key was refused.
    """

    def __init__(
        self,
        index: str,
        *,
        api_key: str | None = None,
        prefix: str = PREFIX,
        host: str = SERVICE,
        client: Pinecone | None = None,
        timeout_s: float = 30.0,
        clock: Clock = utc_now,
    ) -> None:
        check_names(index, prefix)
        connection = connect(index, api_key=api_key, host=host, client=client, timeout_s=timeout_s)
        super().__init__(connection, PineconeLayout(connection, prefix), clock=clock, shared=True)

    @classmethod
    def from_url(cls, url: str, *, clock: Clock = utc_now) -> "PineconeStore":
        """The store a URL names (see ``docs/use/stores/pinecone.md``).

        Raises:
            InvalidInputError: It means nothing, or has no key.
        """
        index, api_key, prefix, host = read_url(url)
        return cls(index, api_key=api_key, prefix=prefix, host=host, clock=clock)

    def put_setting(self, name: str, value: str, *, unless_set: bool = False) -> None:
        """See ``Store.put_setting``.

        Dimensions that the index cannot hold are refused, and the embedder of an empty store is forgotten:
        another one may take its place.

        Raises:
            EmbedderMismatchError: The index cannot hold so many.
        """
        if name == "dimensions":
            self._check_size(int(value))
        super().put_setting(name, value, unless_set=unless_set)

    def stage_vectors(self, name: str, vectors: Sequence[tuple[int, str, bytes]]) -> None:
        """See ``VectorMaintenance.stage_vectors``.

        Raises:
            EmbedderMismatchError: The index cannot hold so many dimensions.
        """
        for size in {len(vector) for _, _, vector in vectors}:
            self._check_size(size)
        super().stage_vectors(name, vectors)

    def _check_size(self, size: int) -> None:
        with self._ledger.held() as head:
            try:
                self._ledger.collections.make("messages", size=size)
            except EmbedderMismatchError:
                if "dimensions" not in head.settings:
                    kept = {name: value for name, value in head.settings.items() if name != "embedder"}
                    self._ledger.commit(Write(), replace(head, settings=kept))
                raise


def connect(
    index: str, *, api_key: str | None, host: str, client: Pinecone | None, timeout_s: float
) -> PineconeConnection:
    """A connection to an index (see ``PineconeStore``).

    Raises:
        InvalidInputError: There is no key, or it cannot be one.
        StoreError: The index is not there, is not ready, or cannot be reached.
        StoreFormatError: It is one that makes its vectors itself, or holds sparse ones alone.
    """
    name = f"the Pinecone index {index!r}"
    owned = client is None
    if client is None:
        client = _client(api_key, host=host, timeout_s=timeout_s)
    try:
        return _opened(client, index, name=name, timeout_s=timeout_s, owned=owned)
    except BaseException:
        if owned:
            client.close()
        raise


def _client(api_key: str | None, *, host: str, timeout_s: float) -> Pinecone:
    if not api_key:
        raise InvalidInputError(
            "a Pinecone store needs an api_key; the command reads it from PINECONE_API_KEY"
        )
    try:
        return Pinecone(api_key, host=host, timeout=timeout_s)
    except PineconeValueError as error:
        raise InvalidInputError(f"Pinecone's client refused this: {error}") from error


def _opened(client: Pinecone, index: str, *, name: str, timeout_s: float, owned: bool) -> PineconeConnection:
    try:
        described = client.indexes.describe(index)
    except NotFoundError as error:
        raise StoreError(f"{name} does not exist; create it: see docs/use/stores/pinecone.md") from error
    except Exception as error:  # as in PineconeConnection
        raise named(error, name=name) from error
    dense = _dense_of(described, name)
    if described.host is None or not described.status.ready:
        raise StoreBusyError(f"{name} is not ready yet ({described.status.state}); try again later")
    return PineconeConnection(
        client.index(host=_like(client.config.host, described.host)),
        name=name,
        dimension=dense.dimension,
        sparse=dense.metric == "dotproduct" and _declares_sparse(described),
        patience_s=timeout_s,
        close=client.close if owned else None,
    )


def _dense_of(described: IndexModel, name: str) -> DenseVectorField:
    field = described.schema.fields.get("_values")
    if not isinstance(field, DenseVectorField):
        raise StoreFormatError(
            f"{name} takes no dense vectors from its callers; see docs/use/stores/pinecone.md"
        )
    return field


def _declares_sparse(described: IndexModel) -> bool:
    """Whether sparse vectors are taken; where none are declared they are refused, whatever the metric."""
    return isinstance(described.schema.fields.get("_sparse_values"), SparseVectorField)


def _like(service: str, host: str) -> str:
    """The index's own server; without TLS when the service that named it has none either."""
    return f"http://{host.partition('://')[2]}" if service.startswith("http://") else host


class PineconeLayout:
    """The namespaces of a store; all their names begin with ``prefix``."""

    def __init__(self, connection: PineconeConnection, prefix: str) -> None:
        self._connection = connection
        self._prefix = prefix

    @property
    def ledger(self) -> str:
        return f"{self._prefix}-ledger"

    def make_ledger(self) -> None:
        """A namespace exists once it holds something."""

    def at(self, epoch: int) -> "PineconeCollections":
        """The namespaces after so many exchanges of vectors: each exchange fills new ones."""
        return PineconeCollections(self._connection, self.ledger, f"{self._prefix}-{epoch}-")

    def clear(self, epoch: int) -> None:
        """See ``Layout.clear``. The names are looked at whole: another store's prefix may begin with ours."""
        beginning = f"{self._prefix}-{epoch}-"
        ours = re.compile(re.escape(beginning) + "[0-9a-f]{32}")
        for name in self._connection.collections(beginning):
            if ours.fullmatch(name):
                self._connection.drop_collection(name)


class PineconeCollections:
    """The namespaces of one epoch; each holds all memories of one user."""

    def __init__(self, connection: PineconeConnection, ledger: str, beginning: str) -> None:
        self._connection = connection
        self._ledger = ledger
        self._beginning = beginning

    def name(self, family: Family, tenant: str) -> str:  # noqa: ARG002 (a user's kinds are together)
        return f"{self._beginning}{tenant}"

    def of(self, tenant: str) -> list[str]:
        return [f"{self._beginning}{tenant}"]

    def names(self) -> Iterator[str]:
        users = self._connection.walk(self._ledger, [Is("type", ("user",))])
        return (f"{self._beginning}{user['tenant']}" for user in users)

    def make(self, family: Family, *, size: int) -> None:  # noqa: ARG002 (a user's kinds are together)
        """See ``Collections.make``: shorter vectors are filled up with zeros, longer ones do not fit."""
        if size > self._connection.dimension:
            raise EmbedderMismatchError(
                f"{self._connection.name} holds vectors of {self._connection.dimension} dimensions, "
                f"not {size}; make one with {size}"
            )

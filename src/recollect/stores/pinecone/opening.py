"""Opening an index: what kind it is, and where its own server is."""

from pinecone import Pinecone
from pinecone.errors import NotFoundError, PineconeValueError
from pinecone.models.indexes.index import IndexModel
from pinecone.models.indexes.schema import DenseVectorField, SparseVectorField

from recollect.errors import InvalidInputError, StoreBusyError, StoreError, StoreFormatError
from recollect.stores.pinecone.connection import PineconeConnection
from recollect.stores.pinecone.failures import named


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

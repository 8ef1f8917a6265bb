"""A store in a Pinecone index."""

from collections.abc import Sequence
from dataclasses import replace

from pinecone import Pinecone

from recollect.errors import EmbedderMismatchError
from recollect.protocols import Clock
from recollect.stores.pinecone.layout import PineconeLayout
from recollect.stores.pinecone.location import PREFIX, SERVICE, check_names, read_url
from recollect.stores.pinecone.opening import connect
from recollect.stores.points.journal import Write
from recollect.stores.points.store import PointStore
from recollect.types.clock import utc_now


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

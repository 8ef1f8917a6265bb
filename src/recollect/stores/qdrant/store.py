"""A store in Qdrant: embedded in a folder or in memory, or on a server."""

from os import PathLike

from qdrant_client import QdrantClient

from recollect.protocols import Clock
from recollect.stores.points.store import PointStore
from recollect.stores.qdrant.connection import connect
from recollect.stores.qdrant.location import PREFIX, check_place, read_url
from recollect.stores.qdrant.schema import QdrantLayout
from recollect.types.clock import utc_now


class QdrantStore(PointStore):
    """Keeps memories in Qdrant; one process at a time has a store open.

    Args:
        location: A folder, ``:memory:``, the URL of a server such as ``http://localhost:6333``, or a
            client of your own, which stays open.
        api_key: What the server asks for.
        prefix: What the names of the collections begin with.
        timeout_s: How long to wait for a server.
        clock: What time it is, for the change log, the jobs, and the lease of a server.

    Raises:
        InvalidInputError: The location is blank, or the prefix cannot be part of a name.
        StoreBusyError: Another process has the store open.
        StoreFormatError: A newer Recollect wrote it, or the collections are another program's.
        StoreError: The server cannot be reached, or refused the key.
    """

    def __init__(
        self,
        location: str | PathLike[str] | QdrantClient,
        *,
        api_key: str | None = None,
        prefix: str = PREFIX,
        timeout_s: float = 30.0,
        clock: Clock = utc_now,
    ) -> None:
        check_place(location, prefix)
        connection = connect(location, api_key=api_key, timeout_s=timeout_s)
        shared = not (connection.embedded and connection.owned)
        super().__init__(connection, QdrantLayout(connection, prefix), clock=clock, shared=shared)

    @classmethod
    def from_url(cls, url: str, *, clock: Clock = utc_now) -> "QdrantStore":
        """The store a URL names (see ``docs/use/stores/qdrant.md``).

        Raises:
            InvalidInputError: It means nothing.
        """
        place, api_key, prefix = read_url(url)
        return cls(place, api_key=api_key, prefix=prefix, clock=clock)

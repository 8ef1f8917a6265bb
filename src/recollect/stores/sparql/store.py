"""A store of RDF: embedded Oxigraph, or any SPARQL 1.1 endpoint."""

from os import PathLike, fspath
from typing import Final

import pyoxigraph

from recollect.checks import check_text
from recollect.errors import InvalidInputError
from recollect.protocols import Clock
from recollect.stores.logged.store import LoggedStore
from recollect.stores.sparql.embedded import Embedded
from recollect.stores.sparql.endpoint import SparqlEndpoint
from recollect.stores.sparql.location import NAME, check_name, read_url, update_of
from recollect.stores.sparql.log import GraphLog
from recollect.stores.sparql.remote import Remote
from recollect.stores.sparql.vocabulary import StoreIris
from recollect.types.clock import utc_now

_SERVERS: Final = ("http://", "https://")


class SPARQLStore(LoggedStore):
    """Keeps memories as RDF, a graph for each user; ``docs/use/stores/sparql.md`` has the vocabulary.

    Every process that has it open holds all of it in memory, and asks before every call whether others
    wrote meanwhile. A write is one update request.

    Args:
        location: A folder for Oxigraph, ``:memory:``, the URL of an endpoint that takes queries, such as
            ``http://localhost:7878/query``, or a ``pyoxigraph.Store`` of your own.
        update_url: The URL that takes updates; by default ``/update`` beside ``/query``, else the same.
        user: Who asks a server.
        password: Of the user.
        name: What this store is called among others at the same endpoint.
        timeout_s: How long to wait for a server.
        clock: Dates the change log and the leases of jobs.

    Raises:
        InvalidInputError: The location is blank, or the name cannot be part of an IRI.
        StoreBusyError: Another process has the folder open.
        StoreFormatError: A newer Recollect wrote it.
        StoreError: The endpoint cannot be reached, or refused the password.
    """

    def __init__(
        self,
        location: str | PathLike[str] | pyoxigraph.Store,
        *,
        update_url: str | None = None,
        user: str | None = None,
        password: str | None = None,
        name: str = NAME,
        timeout_s: float = 30.0,
        clock: Clock = utc_now,
    ) -> None:
        check_name(name)
        auth = None if user is None and password is None else (user or "", password or "")
        endpoint = _endpoint(location, update_url, auth=auth, timeout_s=timeout_s)
        try:
            super().__init__(GraphLog(endpoint, StoreIris(name)), clock=clock)
        except BaseException:
            endpoint.close()
            raise

    @classmethod
    def from_url(cls, url: str, *, clock: Clock = utc_now) -> "SPARQLStore":
        """The store a URL names (see ``docs/use/stores/sparql.md``).

        Raises:
            InvalidInputError: It means nothing.
        """
        found = read_url(url)
        return cls(
            found.place,
            update_url=found.update,
            user=found.user,
            password=found.password,
            name=found.name,
            clock=clock,
        )

    def __repr__(self) -> str:
        return f"SPARQLStore({self._log.name!r})"


def _endpoint(
    location: str | PathLike[str] | pyoxigraph.Store,
    update_url: str | None,
    *,
    auth: tuple[str, str] | None,
    timeout_s: float,
) -> SparqlEndpoint:
    if isinstance(location, pyoxigraph.Store):
        return Embedded(location)
    place = fspath(location)
    check_text("the location of the store", place)
    if not place.strip():
        raise InvalidInputError("the location of the SPARQL store is blank; name a folder or an endpoint")
    if not place.startswith(_SERVERS):
        return Embedded(place)
    if "@" in place.partition("://")[2].partition("/")[0]:
        raise InvalidInputError("give user and password as arguments, not in the location")
    return Remote(place, update_url or update_of(place), auth=auth, timeout_s=timeout_s)

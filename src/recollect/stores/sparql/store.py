"""A store of RDF: embedded Oxigraph, or any SPARQL 1.1 endpoint."""

import re
from os import PathLike, fspath
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urljoin, urlsplit, urlunsplit

import pyoxigraph

from recollect.checks import check_text
from recollect.errors import InvalidInputError, as_given
from recollect.protocols import Clock
from recollect.stores.logged.store import LoggedStore
from recollect.stores.sparql.endpoint import Embedded, Remote, SparqlEndpoint
from recollect.stores.sparql.log import GraphLog
from recollect.stores.sparql.vocabulary import StoreIris
from recollect.types.clock import utc_now
from recollect.types.regex import lazy_regex

NAME: Final = "recollect"
"""What a store is called among others at one endpoint."""

_FOLDER: Final = "oxigraph:///"
_SCHEMES: Final = ("sparql+http", "sparql+https")
_NAMES: Final = lazy_regex(r"[\w-]{1,100}", re.ASCII)
_SAY: Final = (
    "write sparql+http://user:password@host:7878/query, sparql+https://host/path?update=/other/path, "
    "oxigraph:///path/to/folder, or oxigraph:///:memory:"
)


class SparqlLocation(NamedTuple):
    """Where a store is.

    Attributes:
        place: A folder, ``:memory:``, or the URL that takes queries.
        update: The URL that takes updates, when it is another one.
    """

    place: str
    update: str | None = None
    user: str | None = None
    password: str | None = None
    name: str = NAME


def read_url(url: str) -> SparqlLocation:
    """Read a URL.

    >>> read_url("sparql+http://ada:secret@localhost:7878/query").update
    'http://localhost:7878/update'
    >>> read_url("sparql+https://db.example.com/repositories/a?update=a/statements&name=team").update
    'https://db.example.com/repositories/a/statements'
    >>> read_url("oxigraph:////var/lib/brain").place
    '/var/lib/brain'

    Raises:
        InvalidInputError: It means nothing; the message does not repeat it, as it may hold a password.
    """
    if url.startswith(_FOLDER) and url.removeprefix(_FOLDER).strip():
        return SparqlLocation(url.removeprefix(_FOLDER))
    try:
        parts = urlsplit(url)
        options = parse_qs(parts.query, strict_parsing=bool(parts.query))
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InvalidInputError(f"the URL of the SPARQL store cannot be read; {_SAY}") from None
    if parts.scheme not in _SCHEMES or not host or set(options) - {"update", "name"}:
        raise InvalidInputError(f"the URL of the SPARQL store means nothing; {_SAY}")
    scheme, address = parts.scheme.removeprefix("sparql+"), parts.netloc.rpartition("@")[2]
    place = urlunsplit((scheme, address, parts.path, "", ""))
    return SparqlLocation(
        place,
        urljoin(place, options["update"][-1]) if "update" in options else update_of(place),
        None if parts.username is None else unquote(parts.username),
        None if parts.password is None else unquote(parts.password),
        options.get("name", [NAME])[-1],
    )


def update_of(query: str) -> str:
    """The URL that takes updates, by what servers usually call it.

    >>> update_of("http://localhost:7878/query"), update_of("http://localhost:3030/brain")
    ('http://localhost:7878/update', 'http://localhost:3030/brain')
    """
    return f"{query.removesuffix('/query')}/update" if query.endswith("/query") else query


def check_name(name: str) -> None:
    """Refuse a name that cannot stand in an IRI as it is."""
    if not _NAMES.fullmatch(name):
        raise InvalidInputError(
            f"the name {as_given(name)} cannot be that of a SPARQL store; use letters, digits, _ and -"
        )


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

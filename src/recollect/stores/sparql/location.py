"""The URL of a SPARQL store: a folder, or the endpoints and the user of a server."""

import re
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urljoin, urlsplit, urlunsplit

from recollect.errors import InvalidInputError, as_given
from recollect.types.regex import lazy_regex

NAME: Final = "recollect"
"""What a store is called among others at one endpoint."""

_FOLDER: Final = "oxigraph:///"
_SERVERS: Final = ("sparql+http", "sparql+https")
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
    if parts.scheme not in _SERVERS or not host or set(options) - {"update", "name"}:
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

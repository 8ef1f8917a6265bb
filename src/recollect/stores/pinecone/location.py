"""The URL of a Pinecone store: which index, the key, and what its namespaces begin with."""

import re
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from recollect.errors import InvalidInputError, as_given
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

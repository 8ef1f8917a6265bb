"""The URL of a Qdrant store: where it is, the key, and what its collections are called."""

import re
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

from recollect.errors import InvalidInputError, as_given
from recollect.types.regex import lazy_regex

PREFIX: Final = "recollect"
"""What the names of the collections begin with."""

_NAME: Final = lazy_regex(r"[\w-]{1,100}", re.ASCII)
_FOLDER: Final = "qdrant:///"
_SERVERS: Final = ("qdrant+http", "qdrant+https")
_SAY: Final = (
    "write qdrant+http://host:6333, qdrant+https://:api-key@host:6333, qdrant:///path/to/folder, "
    "or qdrant:///:memory:"
)


class QdrantLocation(NamedTuple):
    """Where a store is.

    Attributes:
        place: A folder, ``:memory:``, or the server's URL without the key.
        prefix: What the names of the collections begin with.
    """

    place: str
    api_key: str | None = None
    prefix: str = PREFIX


def read_url(url: str) -> QdrantLocation:
    """Read a URL.

    >>> read_url("qdrant+https://:secret@db.example.com:6333?prefix=team")
    QdrantLocation(place='https://db.example.com:6333', api_key='secret', prefix='team')
    >>> read_url("qdrant:////var/lib/brain").place
    '/var/lib/brain'

    Raises:
        InvalidInputError: It means nothing; the message does not repeat it, as it may hold a key.
    """
    if url.startswith(_FOLDER) and len(url) > len(_FOLDER):
        return QdrantLocation(url.removeprefix(_FOLDER))
    try:
        parts = urlsplit(url)
        options = parse_qs(parts.query, strict_parsing=bool(parts.query))
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InvalidInputError(f"the URL of the Qdrant store cannot be read; {_SAY}") from None
    if parts.scheme not in _SERVERS or not host or set(options) - {"prefix"}:
        raise InvalidInputError(f"the URL of the Qdrant store means nothing; {_SAY}")
    scheme, address = parts.scheme.removeprefix("qdrant+"), parts.netloc.rpartition("@")[2]
    key = unquote(parts.password) if parts.password else None
    return QdrantLocation(
        urlunsplit((scheme, address, parts.path, "", "")), key, options.get("prefix", [PREFIX])[-1]
    )


def check_place(location: object, prefix: str) -> None:
    """Refuse a blank location, and a prefix that is not made of letters, digits, ``_`` and ``-``."""
    if isinstance(location, str) and not location.strip():
        raise InvalidInputError(f"the location of the Qdrant store is blank; {_SAY}")
    if not _NAME.fullmatch(prefix):
        raise InvalidInputError(
            f"the prefix {as_given(prefix)} cannot name collections; use letters, digits, _ and -"
        )

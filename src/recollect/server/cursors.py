"""Cursors: where a page ends, as an opaque text. A cursor opens nothing: the scope is asked for again."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from recollect.errors import InvalidInputError


def write_cursor(last_id: str) -> str:
    """The cursor of a page that ends with a memory.

    >>> read_cursor(write_cursor("019a7c1e"))
    '019a7c1e'
    """
    return urlsafe_b64encode(last_id.encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> str:
    """The memory a page ended with.

    Raises:
        InvalidInputError: It is no cursor of ours.
    """
    try:
        return urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)).decode()
    except ValueError:
        raise InvalidInputError("this cursor is not one of ours; begin without one") from None

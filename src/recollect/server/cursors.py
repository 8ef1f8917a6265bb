"""Pagination cursors: opaque strings. A cursor grants no access: the scope is checked on every request.

A cursor holds the sort key of the last item, not an offset, so that items added or deleted between two
requests neither repeat nor skip others.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Sequence
from typing import Annotated, Final, TypeAlias, TypeVar

from fastapi import Query

from recollect.errors import InvalidInputError

LONGEST: Final = 8_192
"""Maximum characters of a cursor; one with two ids of 256 characters is shorter."""
Cursor = Annotated[str | None, Query(max_length=LONGEST, description="next_cursor of the page before.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="Items of a page at most.")]

Place: TypeAlias = tuple[str | int, ...]
"""The unique sort key of an item in its list."""
Kind: TypeAlias = type[str] | type[int]

_T = TypeVar("_T")


def write_cursor(of: str, *place: str | int) -> str:
    """Encode the cursor of a page whose last item has this sort key.

    >>> read_cursor("sessions", write_cursor("sessions", -1_700, "s"), int, str)
    (-1700, 's')
    """
    text = json.dumps([of, *place], ensure_ascii=False, separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def no_cursor() -> InvalidInputError:
    """Make the error for an invalid cursor."""
    return InvalidInputError("this cursor is not one of this list; begin without one")


def read_cursor(of: str, cursor: str, *kinds: Kind) -> Place:
    """Decode the sort key of the last item of the previous page.

    Raises:
        InvalidInputError: The cursor does not belong to this list.
    """
    try:
        decoded = json.loads(urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)))
    except (Base64Error, ValueError, RecursionError):
        decoded = None
    place = tuple(decoded[1:]) if isinstance(decoded, list) else ()
    if not isinstance(decoded, list) or decoded[:1] != [of] or tuple(map(type, place)) != kinds:
        raise no_cursor()
    return place


def page_of(
    found: Sequence[_T],
    *,
    of: str,
    place: Callable[[_T], Place],
    kinds: Sequence[Kind],
    limit: int,
    cursor: str | None,
) -> tuple[list[_T], str | None]:
    """Cut one page out of a complete list; return it with the cursor of the next page.

    Raises:
        InvalidInputError: The cursor does not belong to this list.
    """
    after = None if cursor is None else read_cursor(of, cursor, *kinds)
    rest = [one for one in found if after is None or place(one) > after]
    page = rest[:limit]
    return page, write_cursor(of, *place(page[-1])) if len(rest) > limit else None

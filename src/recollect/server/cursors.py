"""Cursors: where a page ends, as an opaque text. A cursor opens nothing: the scope is asked for again.

It names the place of the last item in the order of its list, not a count of items before it: what is added or
deleted meanwhile neither repeats an item nor skips one.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Sequence
from typing import Annotated, Final, TypeAlias, TypeVar

from fastapi import Query

from recollect.errors import InvalidInputError

LONGEST: Final = 8_192
"""Characters of a cursor; one with two ids of 256 characters has fewer."""
Cursor = Annotated[str | None, Query(max_length=LONGEST, description="next_cursor of the page before.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="Items of a page at most.")]

Place: TypeAlias = tuple[str | int, ...]
"""Where an item stands in its list: places compare as items are ordered, and no two items share one."""
Kind: TypeAlias = type[str] | type[int]

_T = TypeVar("_T")


def write_cursor(of: str, *place: str | int) -> str:
    """The cursor of a page of a list that ends at a place.

    >>> read_cursor("sessions", write_cursor("sessions", -1_700, "s"), int, str)
    (-1700, 's')
    """
    told = json.dumps([of, *place], ensure_ascii=False, separators=(",", ":"))
    return urlsafe_b64encode(told.encode()).decode().rstrip("=")


def no_cursor() -> InvalidInputError:
    """The error of a cursor that is not one of a list."""
    return InvalidInputError("this cursor is not one of this list; begin without one")


def read_cursor(of: str, cursor: str, *kinds: Kind) -> Place:
    """The place a page of a list ended at.

    Raises:
        InvalidInputError: It is no cursor of this list.
    """
    try:
        told = json.loads(urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)))
    except (Base64Error, ValueError, RecursionError):
        told = None
    place = tuple(told[1:]) if isinstance(told, list) else ()
    if not isinstance(told, list) or told[:1] != [of] or tuple(map(type, place)) != kinds:
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
    """A page of a list that is there as a whole, and the cursor of the next one.

    Args:
        found: The whole list, in the order of its places.
        of: What the list is called.
        place: Where an item stands.
        kinds: Of what places are made.
        limit: Items of a page at most.
        cursor: That of the page before; None begins.

    Raises:
        InvalidInputError: It is no cursor of this list.
    """
    after = None if cursor is None else read_cursor(of, cursor, *kinds)
    rest = [one for one in found if after is None or place(one) > after]
    page = rest[:limit]
    return page, write_cursor(of, *place(page[-1])) if len(rest) > limit else None

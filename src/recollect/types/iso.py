"""Times as ISO 8601 text, as metadata keeps them."""

import re
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")
_DAY: Final = len("2026-01-01")
_MIDNIGHT: Final = "T00:00:00+00:00"


class Written(NamedTuple):
    """How a moment is written: what ``iso_text`` writes has the order of time, a day before its midnight.

    Attributes:
        first: The first of its texts in that order.
        last: The last of them.
        texts: All of them, and as it was given.
    """

    first: str
    last: str
    texts: tuple[str, ...]


def iso_text(value: date) -> str:
    """A date, or a moment in UTC, as ISO 8601 text: so metadata keeps it, and texts of it have its order.

    >>> iso_text(date(2026, 5, 1)), iso_text(datetime(2026, 5, 1, 10, tzinfo=UTC))
    ('2026-05-01', '2026-05-01T10:00:00+00:00')
    """
    if not isinstance(value, datetime):
        return value.isoformat()
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return aware.isoformat()


def written(text: str) -> Written | None:
    """How the moment that a text names may be written in metadata; None where it names none.

    >>> written("2026-05-01").texts
    ('2026-05-01', '2026-05-01T00:00:00+00:00', '2026-05-01T00:00:00Z')
    """
    if not _TIME.fullmatch(text):
        return None
    try:
        moment = iso_text(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None
    first = moment[:_DAY] if moment.endswith(_MIDNIGHT) else moment
    zulu = f"{moment.removesuffix('+00:00')}Z"
    return Written(first, moment, tuple(dict.fromkeys((text, first, moment, zulu))))

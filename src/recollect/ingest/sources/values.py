"""Values of other programs' JSON, read leniently: what has another type than expected counts as absent."""

import hashlib
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final

from recollect.ingest.sources.source import SourceChat

PAUSE: Final = timedelta(hours=6)
"""A pause after which a chat without conversations begins a new one: a night. Chosen by hand."""
_MS: Final = 1e11
"""From here on a number is of milliseconds: seconds would mean the year 5138."""
_US: Final = 1e14
_LAST_S: Final = 253_402_300_799
_DIGITS: Final = range(9, 30)
"""Lengths of a number of seconds or less: eight digits are a day."""
_HASH_BYTES: Final = 12


def text(value: Any, *names: str) -> str:
    """The first of some members that is a text with words; empty when none is."""
    for name in names:
        found = value.get(name) if isinstance(value, dict) else None
        if isinstance(found, str) and found.strip():
            return found
    return ""


def members(value: Any, name: str) -> dict[str, Any]:
    """A member that is an object; an empty one when it is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def elements(value: Any, name: str) -> list[Any]:
    """A member that is a list; an empty one when it is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


class ShapeError(ValueError):
    """A record has another shape than its format's; the text says which."""


def listed(value: Any, name: str) -> list[Any]:
    """A member that must be a list where it is there.

    Raises:
        ShapeError: It is something else.
    """
    found = value.get(name)
    if not isinstance(found, list | None):
        raise ShapeError(f"its {name!r} is no list")
    return found or []


def objects(value: Any, name: str) -> list[dict[str, Any]]:
    """The objects in a member that is a list."""
    return [one for one in elements(value, name) if isinstance(one, dict)]


def moment(value: Any, *, zone: tzinfo = UTC) -> datetime | None:
    """A time: ISO 8601, or seconds, milli- or microseconds since 1970; None for anything else.

    >>> moment(1700000000.5), moment("1700000000500"), moment("soon")
    (datetime.datetime(2023, 11, 14, 22, 13, 20, 500000, tzinfo=datetime.timezone.utc), \
datetime.datetime(2023, 11, 14, 22, 13, 20, 500000, tzinfo=datetime.timezone.utc), None)
    """
    if isinstance(value, str):
        number = _number(value)
        return _of_iso(value, zone) if number is None else moment(number)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    seconds = value / (1_000_000 if value >= _US else 1_000 if value >= _MS else 1)
    return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < _LAST_S else None


def _number(value: str) -> float | None:
    plain = value.strip()
    is_number = len(plain) in _DIGITS and plain.replace(".", "", 1).isdecimal()
    return float(plain) if is_number else None


def _of_iso(value: str, zone: tzinfo) -> datetime | None:
    try:
        read = datetime.fromisoformat(value.strip())
        return (read.replace(tzinfo=zone) if read.tzinfo is None else read).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def digest_of(*parts: object) -> str:
    """A hash of texts, for what has no id of its own."""
    digest = hashlib.blake2b(digest_size=_HASH_BYTES)
    for part in parts:
        piece = str(part).encode(errors="replace")
        digest.update(b"%d:%s" % (len(piece), piece))
    return digest.hexdigest()


class Repeats:
    """Ids for what has none: a hash of its words, and which of several equal ones it is."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def id_of(self, *parts: object) -> str:
        """The id of the next one with these words."""
        digest = digest_of(*parts)
        number = self._seen[digest] = self._seen.get(digest, 0) + 1
        return digest if number == 1 else f"{digest}-{number}"


class Talks:
    """Cuts a chat that goes on for years into conversations, where nobody spoke for ``PAUSE``.

    Attributes:
        name: The id of the chat.
    """

    def __init__(self, chat: str, title: str | None) -> None:
        self.name = chat
        self._title = title
        self._last: datetime | None = None
        self._talk: SourceChat | None = None

    def chat_at(self, at: datetime | None) -> SourceChat:
        """The conversation of the next message."""
        if self._talk is None or (at and self._last and abs(at - self._last) > PAUSE):
            begun = f"{at:%Y%m%dT%H%M%S}" if at else "0"
            self._talk = SourceChat(id=f"{self.name}-{begun}", title=self._title, started_at=at)
        self._last = at or self._last
        return self._talk


def spoken(parts: Sequence[str]) -> str:
    """Parts of a message as one text, without empty ones."""
    return "\n".join(part.strip("\n") for part in parts if part.strip())


def role_of(*names: str, me: str | None) -> str:
    """The role of one of several people, by name: ``user`` is who said so, everybody else ``other``."""
    return "user" if me is not None and me.casefold() in [name.casefold() for name in names] else "other"

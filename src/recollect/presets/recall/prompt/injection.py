"""What every prompt of Recall says of the time, and of the user where it is known."""

from datetime import datetime, timedelta, tzinfo
from typing import Final

from recollect.checks import check_name, check_timezone
from recollect.errors import InvalidInputError
from recollect.text.quoting import label_of

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_UNITS: Final = (("year", 365.25), ("month", 30.4375), ("week", 7.0), ("day", 1.0))
_MINUTE: Final = timedelta(minutes=1)


def time_lines(now: datetime, *, timezone: str | tzinfo = "UTC") -> str:
    """Recall's time and date injection, where the user is.

    Args:
        now: The present moment, aware.
        timezone: The user's: a name such as ``Europe/Berlin``, or a ``tzinfo``.

    Raises:
        InvalidInputError: The time zone is unknown, or the moment is not aware.

    >>> from datetime import UTC
    >>> print(time_lines(datetime(2026, 5, 1, 22, 30, tzinfo=UTC), timezone="Europe/Berlin"))
    Current time: 2026-05-02T00:30:00+02:00
    Current date: Saturday, May 2, 2026
    User timezone: Europe/Berlin
    """
    zone = check_timezone(timezone)
    if now.utcoffset() is None:
        raise InvalidInputError("the present moment must be an aware datetime")
    there = now.astimezone(zone)
    date = f"{_DAYS[there.weekday()]}, {_MONTHS[there.month - 1]} {there.day}, {there.year}"
    return f"Current time: {there.isoformat(timespec='seconds')}\nCurrent date: {date}\nUser timezone: {zone}"


def user_lines(
    *,
    name: str | None = None,
    stage: str | None = None,
    last_session_at: datetime | None = None,
    now: datetime | None = None,
) -> str:
    """Recall's user metadata, one line for each thing that is known; empty when nothing is.

    Args:
        name: What the user likes to be called. It is a user's text, and is shown as such.
        stage: How well the user is known, see ``recollect.lifecycle.relationship``.
        last_session_at: When the last conversation ended.
        now: The present moment; needed with ``last_session_at``.

    >>> from datetime import UTC
    >>> last, now = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 9, tzinfo=UTC)
    >>> print(user_lines(name="Ada", stage="DEVELOPING", last_session_at=last, now=now))
    User name: Ada
    Relationship stage: DEVELOPING
    Last session: 1 week ago
    """
    called = check_name("name", name)
    lines = [] if called is None else [f"User name: {label_of(called, called)}"]
    lines += [] if stage is None else [f"Relationship stage: {stage}"]
    if last_session_at is not None and now is not None:
        lines.append(f"Last session: {time_since(last_session_at, now=now)}")
    return "\n".join(lines)


def time_since(moment: datetime, *, now: datetime) -> str:
    """How long ago something was, in the largest unit of which there is at least one whole.

    >>> from datetime import UTC
    >>> now = datetime(2026, 5, 9, 12, tzinfo=UTC)
    >>> [time_since(now - timedelta(hours=hours), now=now) for hours in (0, 1, 25, 24 * 20, 24 * 400)]
    ['just now', '1 hour ago', '1 day ago', '2 weeks ago', '1 year ago']
    """
    past = max(now - moment, timedelta(0))
    days = past / timedelta(days=1)
    for unit, length in _UNITS:
        if days >= length:
            return _ago(int(days / length), unit)
    hours, minutes = int(past / timedelta(hours=1)), int(past / _MINUTE)
    if hours:
        return _ago(hours, "hour")
    return _ago(minutes, "minute") if minutes else "just now"


def _ago(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'} ago"

"""What time it is, unless a clock is given."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)

"""Reads the table of date expressions beside it, for the tests and for ``benchmarks/dates.py``."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal
from zoneinfo import ZoneInfo

TABLE: Final = Path(__file__).with_name("date_expressions.txt")
_PREFERENCES: Final[dict[str, Literal["auto", "future", "past"]]] = {
    "auto": "auto",
    "future": "future",
    "past": "past",
}
_UNITS: Final = {"d": "days", "h": "hours", "m": "minutes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One expression and what it means; times are aware UTC."""

    language: str
    text: str
    span: str
    start: datetime
    end: datetime
    grain: str
    relation: str
    now: datetime
    zone: ZoneInfo
    prefer: Literal["auto", "future", "past"]
    line: int


def rows() -> list[Row]:
    """The rows of the table, in its order."""
    found, settings = [], {"now": "", "zone": "", "prefer": ""}
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("@"):
            settings = dict(part.split("=") for part in line.split() if "=" in part)
        elif line and not line.startswith("#"):
            found.append(_row([part.strip() for part in line.split(" | ")], settings, number))
    return found


def _row(parts: list[str], settings: dict[str, str], number: int) -> Row:
    language, marked, start, end, grain, relation = [*parts, "at"][:6]
    zone = ZoneInfo(settings["zone"])
    span = re.search(r"\[(.*)\]", marked)
    return Row(
        language=language,
        text=re.sub(r"[\[\]]", "", marked),
        span=span[1] if span else marked,
        start=_moment(start, zone),
        end=_moment(end, zone) if not end.startswith("+") else _moment(start, zone) + _length(end),
        grain=grain,
        relation=relation,
        now=_moment(settings["now"], zone),
        zone=zone,
        prefer=_PREFERENCES[settings["prefer"]],
        line=number,
    )


def _moment(written: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=zone).astimezone(UTC)


def _length(written: str) -> timedelta:
    return timedelta(**{_UNITS[written[-1]]: int(written[1:-1])})

"""The times in Google Takeout's pages: "18 Sept 2025, 12:02:52 CET", in the language of the account.

Months are known in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Norwegian and
Danish. Elsewhere dates are numbers: their order is known by what stands between them, or asked for. The name
of a zone that has one meaning is known; one that has several (CST, IST) is ``ReadOptions.timezone``.
"""

import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final, NamedTuple

from recollect.errors import UnclearFileError
from recollect.ingest.sources.date_orders import DateOrders, WrittenDate, hour_of, written_date
from recollect.ingest.sources.source import DateOrder, ReadOptions
from recollect.types.regex import lazy_regex

_MONTHS: Final = (
    "jan ene gen", "feb fev", "mar mrt maa", "apr avr abr", "may mai maj mei mag", "jun juin giu",
    "jul juil lug", "aug aou ago", "sep set", "oct okt ott out", "nov", "dec dez dic des",
)  # fmt: skip
"""How the names of months begin, without accents. From CLDR, the Unicode consortium's data of locales."""
_NUMBERS: Final = {
    start: number for number, starts in enumerate(_MONTHS, start=1) for start in starts.split()
}
_HOURS: Final = {
    "Z": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3,
    "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8,
    "HST": -10, "BRT": -3, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}  # fmt: skip
"""Names of zones that mean one offset in hours. From CLDR; those of America as in RFC 5322."""
_SEVERAL: Final = {
    "CST": ("America/Chicago", "Asia/Shanghai", "America/Havana"),
    "IST": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "BST": ("Europe/London", "Asia/Dhaka"),
    "AST": ("America/Halifax", "Asia/Riyadh"),
    "GST": ("Asia/Dubai", "Atlantic/South_Georgia"),
}
"""Names of several zones, each with a place in it. From the tz database."""
_STAMP: Final = lazy_regex(
    r"(?P<date>[^:]{5,40}?),?(?: (?P<before>오전|오후|上午|下午|午前|午後))? ?"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)[:.](?P<second>\d\d)"
    r"(?: ?(?P<half>[AaPp])\.? ?[Mm]\.?)?(?: (?P<zone>\S.{0,40}))?"
)
_NAMED: Final = ""
"""In place of the mark between numbers: of a date that says which is its year, month and day."""
_YEAR: Final = lazy_regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_AFTERNOON: Final = frozenset({"오후", "下午", "午後"})
_EASTERN: Final = lazy_regex(r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日")
_WORDS: Final = lazy_regex(r"\d+|[^\W\d_]+")
_OFFSET: Final = lazy_regex(
    r"(?:UTC|GMT)(?:(?P<sign>[+\u2212-])(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?)?"
)


class TakeoutStamp(NamedTuple):
    """A time as a page writes it: its date and time of day, and the name of its zone, which may be empty.

    The date is None where it cannot be read, such as one with a month in another language.
    """

    text: str
    date: WrittenDate | None
    zone: str


def stamp_of(text: str) -> TakeoutStamp | None:
    """The time that a line is; None for any other line.

    >>> stamp_of("10 de mai. de 2026, 03:46:09 BRT")[1:]
    (WrittenDate(numbers=(2026, 5, 10), mark='', clock=(3, 46, 9)), 'BRT')
    """
    plain = " ".join(text.split())
    found = _STAMP.fullmatch(plain)
    if found is None or not _YEAR.search(found["date"]):
        return None
    half = ("p" if found["before"] in _AFTERNOON else "a") if found["before"] else found["half"]
    clock = hour_of(found["hour"], half), int(found["minute"]), int(found["second"])
    date = _date_in(found["date"])
    return TakeoutStamp(plain, date and date._replace(clock=clock), (found["zone"] or "").strip("[]"))


def order_of(stamps: Iterable[TakeoutStamp], name: str, options: ReadOptions) -> DateOrder:
    """How a file writes dates in numbers; the stamps from the oldest to the newest.

    Raises:
        InvalidInputError: It does not show.
    """
    dates = DateOrders()
    for stamp in stamps:
        if stamp.date is not None and stamp.date.mark != _NAMED:
            dates.see(stamp.date)
    return options.date_order or (dates.shown(name) if dates.count else "ymd")


def moment_of(stamp: TakeoutStamp, name: str, *, order: DateOrder, options: ReadOptions) -> datetime | None:
    """The time in UTC; None where there is no such day.

    Raises:
        UnclearFileError: What its zone is called does not say which it is.
    """
    if stamp.date is None:
        return None
    at = stamp.date.moment("ymd" if stamp.date.mark == _NAMED else order, UTC)
    return at and _in_zone(at, stamp.zone, name, options.timezone)


def _in_zone(local: datetime, zone: str, name: str, home: tzinfo) -> datetime:
    at_home = [local.replace(tzinfo=home, fold=fold) for fold in (0, 1)]
    for one in at_home:
        if zone in ("", one.tzname()):
            return one.astimezone(UTC)
    offset = _offset_of(zone)
    if offset is not None:
        return local.replace(tzinfo=offset).astimezone(UTC)
    if _is_elsewhere(at_home[0], zone):
        raise UnclearFileError(
            f"{name} writes times in a zone that it calls {zone!r}, which may be one of several; say yours "
            "with timezone (--timezone, such as Europe/Berlin)",
            option="timezone",
            choices=_SEVERAL.get(zone, ()),
        )
    return at_home[0].astimezone(UTC)


def _is_elsewhere(at_home: datetime, zone: str) -> bool:
    """Whether a zone that has several meanings has none of them at home, in winter or in summer.

    Some zones have no name but their offset, such as that of Dhaka: there any may be meant.
    """
    names = {str(at_home.replace(month=month, day=1).tzname()) for month in (1, 7)}
    return names == {"UTC"} or (zone in _SEVERAL and zone not in names and all(map(str.isalpha, names)))


def _offset_of(zone: str) -> tzinfo | None:
    found = _OFFSET.fullmatch(zone)
    if found is None:
        return timezone(timedelta(hours=_HOURS[zone])) if zone in _HOURS else None
    ahead = timedelta(hours=int(found["hours"] or 0), minutes=int(found["minutes"] or 0))
    sign = 1 if found["sign"] == "+" else -1
    return timezone(sign * ahead) if ahead < timedelta(hours=24) else None


def _date_in(text: str) -> WrittenDate | None:
    eastern = _EASTERN.fullmatch(text)
    if eastern is not None:
        return WrittenDate((int(eastern[1]), int(eastern[2]), int(eastern[3])), _NAMED)
    return written_date(text.rstrip(" .")) or _with_a_month(text)


def _with_a_month(text: str) -> WrittenDate | None:
    """A date of a day, the name of a month and a year, in any order."""
    words = _WORDS.findall(text)
    years = [int(one) for one in words if one.isdecimal() and len(one) == 4]  # noqa: PLR2004 - digits
    days = [int(one) for one in words if one.isdecimal() and len(one) <= 2]  # noqa: PLR2004 - digits
    months = [month for one in words if (month := _month_of(one))]
    if (len(years), len(days), len(months)) != (1, 1, 1):
        return None
    return WrittenDate((years[0], months[0], days[0]), _NAMED)


def _month_of(word: str) -> int | None:
    plain = "".join(one for one in unicodedata.normalize("NFKD", word.casefold()) if one.isalpha())
    return next((_NUMBERS[plain[:size]] for size in (4, 3) if plain[:size] in _NUMBERS), None)

"""The forms of a date: regular expressions over the kinds of words, in capitals.

The first form in the table that fits at a place is taken, so longer forms stand first. A form reads
as a day (``READ_DAY``: any stretch of the calendar that needs no lead), or as something that is a date
only with the right word before it: "March" after "since", "2019" after "in", "Christmas" after "at".
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from recollect.text.dates import amounts, digits, points
from recollect.text.dates.tokens import LETTERS, Tokens
from recollect.text.dates.words import TELLING, DateWord
from recollect.types.regex import lazy_regex

_COUNT: Final = "(?:NUMBER|NUMBER_WORD|HAN_NUMBER|ONE|AN|SEPT|YEAR)"
_UNIT: Final = "(?:UNIT|NIAN)"
_AMOUNT: Final = f"(?:{_COUNT}? LENGTH|{_COUNT} {_UNIT})"
_SUM: Final = f"(?:{_AMOUNT} (?:(?:COMMA? AND)? {_AMOUNT}){{0,2}})"
_EITHER: Final = f"(?:{_COUNT} (?:OR|TO) {_COUNT}|SPAN) {_UNIT}"
_NAMED_MONTH: Final = "(?:MONTH|SHORT_MONTH|SEPT)"
_MONTH: Final = f"(?:{_NAMED_MONTH} DOT?)"
_LOWER: Final = "(?:MAY|MARCH)"
_DATE_YEAR: Final = "(?:DOT? (?:COMMA|OF)? YEAR)"
_DATE_DAY: Final = "(?:NUMBER|ORDINAL) DOT?"
_MORE_DAYS: Final = f"(?:COMMA THE? {_DATE_DAY}){{0,20}} COMMA?"
_WEEKDAY: Final = "(?:WEEKDAY|SHORT_WEEKDAY)"
_OF_WEEKDAY: Final = f"(?:{_WEEKDAY} DOT? COMMA? THE?)?"
_POINTING: Final = "(?:THIS PAST|THIS COMING|LAST|NEXT|COMING|THIS|PAST)"
_WHOLE: Final = f"(?:{_POINTING}? UNIT (?:LAST|COMING)?|{_NAMED_MONTH} {_DATE_YEAR}?|PERIOD)"
_DIGITS: Final = "(?:NUMBER|HAN_NUMBER)"
_UP_TO: Final = "(?:TO|UNTIL|DASH|AU|AT)"
_CLOCK: Final = "(?:CLOCK|BARE_CLOCK OCLOCK?|LOOSE_CLOCK|NOON)"
_HOUR: Final = "(?:CLOCK|BARE_CLOCK|LOOSE_CLOCK)"
_RECURRING: Final = (
    f"(?:EVERY {_WEEKDAY} (?:TO|UNTIL|DASH) {_WEEKDAY}"
    f"|EVERY ORDER? (?:{_WEEKDAY}|UNIT|WEEKEND|{_MONTH}|DAY|MORROW)|WEEKDAYS PARTS?|{_WEEKDAY} PARTS"
    "|ON ONE WEEKDAY PARTS?|ON ONE WEEKDAY PART|OF ONE WEEKDAY|(?:ORDER|ORDINAL) WEEKDAY OF? EVERY UNIT"
    "|(?:ORDER|ORDINAL) WEEKDAY (?!OF|IN|AT))"
)
_ANCHOR: Final = f"(?:THE? (?:DAY|MORROW|WEEKDAY|EVE|HOLIDAY|DATE|NUMBER|ORDINAL|{_NAMED_MONTH}|{_POINTING}))"


class Form(NamedTuple):
    """One form of a date."""

    read: str
    pattern: str
    resolve: points.Resolver | None


FORMS: Final = (
    Form("OTHER", f"{_RECURRING} (?:COMMA? AT? {_CLOCK} (?:{_UP_TO} {_CLOCK})?)?|ORDINAL NOT_A_DAY", None),
    Form("READ_DAY", "ISO", digits.iso_moment),
    Form("READ_DAY", f"DATE (?:BREAK {_WEEKDAY} BREAK)?", digits.in_digits),
    Form("READ_OTHER", "SHORT_DATE", digits.in_digits),
    Form("READ_DAY", "(?<=ON|FROM|UNTIL|SINCE) DOTTED", digits.dotted),
    Form("READ_DAY", f"NUMBER DASH (?:{_NAMED_MONTH}|{_LOWER}) DASH YEAR", points.day_of_month),
    Form("READ_DAY", "ISO_WEEK|YEAR_MONTH", digits.iso_part),
    Form(
        "READ_DAY",
        f"(?:(?:BETWEEN|FROM|OF) THE? {_DATE_DAY} (?:AND|{_UP_TO})|{_DATE_DAY} (?:{_MORE_DAYS} AND|{_UP_TO}))"
        f"THE? {_DATE_DAY} OF? {_NAMED_MONTH} {_DATE_YEAR}?"
        f"|SPAN DOT? OF? {_NAMED_MONTH} {_DATE_YEAR}?|{_MONTH} SPAN {_DATE_YEAR}?"
        f"|(?:BETWEEN|FROM)? {_MONTH} {_DATE_DAY} (?:TO|DASH|UNTIL|{_MORE_DAYS} AND) {_DATE_DAY}"
        f"(?!OF? {_NAMED_MONTH})"
        f"{_DATE_YEAR}?",
        points.days_of_month,
    ),
    Form(
        "READ_DAY",
        f"{_OF_WEEKDAY} THE? (?:{_DATE_DAY} OF* {_NAMED_MONTH} {_DATE_YEAR}?"
        f"|ORDER OF (?:{_NAMED_MONTH}|{_LOWER}) {_DATE_YEAR}?|{_MONTH} THE ORDER {_DATE_YEAR}?"
        f"|(?:ORDINAL OF? {_LOWER} {_DATE_YEAR}?|NUMBER {_LOWER} {_DATE_YEAR}|NUMBER MARCH)"
        f"|(?<=ON|FROM|UNTIL|SINCE|BY) NUMBER {_LOWER}"
        f"|(?:{_MONTH}|{_LOWER} (?=ORDINAL)|MAY (?=NUMBER)|{_LOWER} (?=NUMBER COMMA? YEAR)) THE?"
        "(?:NUMBER|ORDINAL) (?:(?:COMMA|OF)? YEAR)?)",
        points.day_of_month,
    ),
    Form(
        "READ_DAY",
        f"(?:YEAR NIAN|PERIOD)? {_DIGITS} YUE {_DIGITS} RI? (?:UNTIL|TO|DASH|AND) {_DIGITS} RI",
        points.days_of_month,
    ),
    Form("READ_DAY", f"(?:YEAR NIAN|PERIOD)? {_DIGITS} YUE {_DIGITS} RI", points.day_of_month),
    Form("READ_DAY", f"PERIOD {_DIGITS} RI", points.day_of_this_month),
    Form("READ_DAY", f"(?:YEAR NIAN|PERIOD)? {_DIGITS} YUE", points.month_or_season),
    Form("READ_DAY", "PERIOD SEASON|YEAR NIAN? SEASON", points.month_or_season),
    Form(
        "READ_DAY",
        f"THE? (?:{_POINTING} UNIT|UNIT (?:LAST|COMING)) (?:IN|AT) THE? (?:{_NAMED_MONTH}|SEASON)"
        f"(?!{_DATE_YEAR})",
        points.month_or_week_in,
    ),
    Form(
        "READ_DAY",
        f"THE? (?:(?:ORDER|ORDINAL|LAST) (?:{_WEEKDAY}|UNIT)|UNIT LAST) (?:OF|IN|AT)+ THE? (?:{_WHOLE}|YEAR)",
        points.place_in_month,
    ),
    Form("READ_DAY", "BY THE? DAYS_END", points.end_of_day),
    Form(
        "READ_DAY",
        f"THE? (?:END|START|MID|EARLY|LATE) DASH? OF? THE? (?:{_WHOLE}|YEAR|QUARTER (?:OF? YEAR)?)"
        "|PERIOD? EDGE_OF",
        points.edge,
    ),
    Form("READ_DAY", f"(?:{_MONTH}|{_LOWER}) {_DATE_YEAR}", points.month_or_season),
    Form("READ_DAY", f"(?:{_NAMED_MONTH}|SEASON) OF? {_POINTING} UNIT", points.month_or_season),
    Form(
        "READ_DAY",
        f"{_POINTING} {_NAMED_MONTH}|(?:LAST|NEXT|COMING) {_LOWER}|(?:{_NAMED_MONTH}|SEASON) (?:LAST|COMING)"
        f"|{_POINTING} SEASON|SEASON (?:OF|COMMA)? YEAR",
        points.month_or_season,
    ),
    Form(
        "READ_DAY",
        f"{_WEEKDAY} DOT? COMMA? (?:THE? ORDINAL|THE NUMBER DOT) (?!NOT_A_DAY|OF)",
        points.weekday_the,
    ),
    Form("READ_DAY", f"(?:DAY|WEEKDAY) IN {_COUNT} UNIT", amounts.weeks_from_day),
    Form(
        "READ_DAY",
        f"THE? {_WEEKDAY} LATER|{_WEEKDAY} OF? {_POINTING} UNIT|{_POINTING} UNIT (?:COMMA|ON)? WEEKDAY"
        f"|{_POINTING} {_WEEKDAY}|WEEKDAY (?:LAST|COMING)|WEEKDAY_IN|WEEKDAY MORROW?",
        points.weekday,
    ),
    Form("READ_DAY", f"SHORT_WEEKDAY DOT? (?=COMMA? AT? {_HOUR})|(?<={_HOUR}) SHORT_WEEKDAY", points.weekday),
    Form("READ_OTHER", "SHORT_WEEKDAY", points.weekday),
    Form("READ_AMOUNT", f"(?:{_AMOUNT} (?:BEFORE|AFTER|FROM)|THE? OFFSET) (?={_ANCHOR})", None),
    Form(
        "READ_DAY",
        f"(?:{_EITHER} (?:AGO|HENCE)|(?:VOR|IN) {_EITHER})",
        amounts.counted_either,
    ),
    Form(
        "READ_DAY",
        f"{_SUM} AGO DAY?|VOR {_SUM}|IN {_SUM}|(?:WITHIN|BY) {_SUM}|{_SUM} HENCE",
        amounts.counted,
    ),
    Form(
        "READ_DAY",
        f"SINCE VOR? {_COUNT} {_UNIT} (?!AGO)"
        f"|THE? (?:LAST|PAST|NEXT|COMING) (?!ONE|AN) {_COUNT} UNIT|THE? {_COUNT} ROLLING UNIT"
        f"|ROLLING {_COUNT} {_UNIT}|THE? PAST UNIT"
        f"|(?:IN|OVER|DURING|WITHIN|FOR) THE (?:LAST|NEXT|COMING) UNIT",
        amounts.span_from_now,
    ),
    Form(
        "READ_DAY",
        f"THE? (?:UNIT|WEEKEND) LATER|LATER UNIT|THE? {_POINTING} (?:UNIT|WEEKEND)"
        "|(?:UNIT|WEEKEND) (?:LAST|COMING)|PERIOD",
        points.calendar_unit,
    ),
    Form("READ_OTHER", "WEEKEND", points.calendar_unit),
    Form("READ_DAY", "QUARTER OF? YEAR|YEAR NIAN? QUARTER|ORDER UNIT OF? YEAR", points.quarter),
    Form("READ_OTHER", "QUARTER", points.quarter),
    Form("READ_OTHER", "SEASON", points.month_or_season),
    Form("READ_DAY", f"(?:HOLIDAY|EVE) COMMA? YEAR|{_POINTING} (?:HOLIDAY|EVE)|EVE", points.holiday),
    Form("READ_OTHER", "HOLIDAY", points.holiday),
    Form("READ_DAY", "THE DECADE|YEAR NIAN", points.year_or_decade),
    Form("READ_DAY", f"THE? (?:ORDINAL|ORDER) OF THE? {_POINTING}? UNIT", points.day_of_this_month),
    Form("READ_ORDINAL", "THE? ORDINAL (?!NOT_A_DAY)", points.day_of_this_month),
    Form("READ_DAY", "DAY MORROW?|MORROW", points.relative_day),
    Form(
        "READ_TIME",
        f"(?:CLOCK|BARE_CLOCK OCLOCK?|NOON) ZONE?|HALF (?:NUMBER|NUMBER_WORD)|{_COUNT} OCLOCK {_COUNT}?",
        None,
    ),
    Form("READ_TIME", f"PART {_DIGITS} DIAN (?:{_DIGITS} FEN?|HALF_AFTER)?", None),
    Form("READ_LOOSE_TIME", f"{_DIGITS} DIAN (?:{_DIGITS} FEN?|HALF_AFTER)?|LOOSE_CLOCK OCLOCK?", None),
    Form(
        "READ_TIME", f"AT {_COUNT} (?:UNIT HALF_AFTER? (?!AGO|HENCE|LAST|BEFORE|AFTER|FROM)|HALF_AFTER)", None
    ),
    Form("READ_MONTH", f"{_NAMED_MONTH}|{_LOWER}", points.month_or_season),
    Form("READ_YEAR", "YEAR", points.year_or_decade),
)


class DatePiece(NamedTuple):
    """A part of a text: a form of a date that was read and resolves to it, or one word."""

    words: Sequence[DateWord]
    start: int
    end: int
    resolve: points.Resolver | None


def compiled(pattern: str) -> str:
    """A pattern over kinds of words as one over their letters; lower case and signs stay as they are.

    Every kind is written with a lone letter, so "THE?" may be missing as a whole.
    """
    return _KIND.sub(lambda found: LETTERS[found[0]], pattern.replace(" ", ""))


_KIND: Final = lazy_regex("|".join(sorted(LETTERS, key=len, reverse=True)))
_FORM_NUMBERS: Final = {f"f{place}": place for place in range(len(FORMS))}
_RUN: Final = lazy_regex(f"[^{LETTERS['OTHER']}]+")
_CLAUSE: Final = lazy_regex(
    compiled(f"(?:[^BREAK]|(?<=DATE) BREAK (?={_WEEKDAY} BREAK)|(?<=DATE BREAK {_WEEKDAY}) BREAK)+")
)
"""A part of a run that no break cuts; a weekday behind a date in digits may stand in brackets."""
_TELLING_TOO: Final = """
ORDINAL YEAR DECADE PERIOD WEEKDAY_IN EDGE_OF NIAN YUE DIAN QUARTER ISO DATE SHORT_DATE ISO_WEEK YEAR_MONTH
CLOCK BARE_CLOCK LOOSE_CLOCK DOTTED
"""
_TELLING: Final = frozenset(LETTERS[kind] for kind in (TELLING - {"HIER"}).union(_TELLING_TOO.split()))
"""Letters one of which every date holds."""
_FORM: Final = lazy_regex(
    "|".join(f"(?P<f{place}>{compiled(form.pattern)})" for place, form in enumerate(FORMS))
)


def pieces_of(tokens: Tokens) -> Iterator[tuple[str, list[DatePiece]]]:
    """The clauses of words that may be dates: a letter for each form or single word, and these."""
    for run in _RUN.finditer(tokens.letters):
        if not _TELLING.isdisjoint(run[0]):
            for clause in _CLAUSE.finditer(tokens.letters, *run.span()):
                yield _read(tokens, *clause.span())


def _read(tokens: Tokens, begin: int, over: int) -> tuple[str, list[DatePiece]]:
    letters: list[str] = []
    pieces: list[DatePiece] = []
    done = begin
    for match in _FORM.finditer(tokens.letters, begin, over):
        first, after = match.span()
        letters.append(tokens.letters[done:first])
        pieces.extend(_piece(tokens, place, place + 1) for place in range(done, first))
        form = FORMS[_FORM_NUMBERS[match.lastgroup or ""]]
        letters.append(LETTERS[form.read])
        pieces.append(_piece(tokens, first, after, form.resolve))
        done = after
    letters.append(tokens.letters[done:over])
    pieces.extend(_piece(tokens, place, place + 1) for place in range(done, over))
    return "".join(letters), pieces


def _piece(tokens: Tokens, first: int, after: int, resolve: points.Resolver | None = None) -> DatePiece:
    begins, ends = tokens.firsts[first].start(), tokens.lasts[after - 1].end()
    return DatePiece(tokens.words[first:after], begins, ends, resolve)

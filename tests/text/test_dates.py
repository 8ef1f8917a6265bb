import re
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.tables import table
from tests.text.date_expressions import Row, rows

from recollect.errors import InvalidInputError
from recollect.text.dates import MAX_DATES, find_dates, tokens
from recollect.text.dates.grammar import FORMS
from recollect.text.dates.han import WORDS as HAN
from recollect.text.dates.tokens import LETTERS
from recollect.text.dates.words import PHRASES, SINGLE
from recollect.types import DateSpan

NOW = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)
"""A Wednesday."""
ROWS = rows()
NO_DATES = [
    line
    for line in Path(__file__).with_name("no_date_expressions.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def found_in(text: str) -> list[str]:
    return [span.text for span in find_dates(text, now=NOW)]


def only(text: str, **given: object) -> DateSpan:
    (span,) = find_dates(text, **{"now": NOW, **given})
    return span


@table("row", ROWS)
def test_an_expression_means_what_the_table_says(row: Row):
    (span,) = find_dates(row.text, now=row.now, timezone=row.zone, prefer=row.prefer)
    assert (span.text, span.relation, span.grain) == (row.span, row.relation, row.grain)
    assert (span.start, span.end) == (row.start, row.end)


def test_the_table_is_as_long_as_it_was_asked_to_be():
    languages = [row.language for row in ROWS]
    assert languages.count("en") >= 170
    assert all(languages.count(language) >= 15 for language in ("de", "fr", "es", "zh"))


@table("text", NO_DATES)
def test_what_only_looks_like_a_date_is_none(text: str):
    assert find_dates(text, now=NOW) == ()


def test_there_are_enough_texts_without_a_date():
    assert len(NO_DATES) >= 40


@table(
    "text",
    [
        "",
        " ",
        "\n",
        "the and of in on at",
        "😀👍🏽",
        "שלום עולם",
        "مرحبا",
        "\x00",
        "\u0661\u0662/\u0665/\u0662\u0660\u0662\u0663",
    ],
)
def test_text_without_words_of_dates_holds_none(text: str):
    assert find_dates(text, now=NOW) == ()


def test_several_dates_come_in_the_order_of_the_text():
    text = "Yesterday we met; call me on Friday at 5pm or by 3 June. We last spoke in May 2023."
    assert found_in(text) == ["Yesterday", "on Friday at 5pm", "by 3 June", "in May 2023"]


def test_places_count_the_characters_of_the_text_as_given():
    text = "İstanbul'a 😀 tomorrow"
    span = only(text)
    assert text[slice(*span.place)] == span.text == "tomorrow"


def test_typographic_apostrophes_are_read():
    assert found_in("on New Year\u2019s Eve") == ["on New Year\u2019s Eve"]
    assert found_in("il y a un an, aujourd\u2019hui") == ["il y a un an", "aujourd\u2019hui"]


@table("text", ["MIERCOLES", "pasado manana", "el proximo lunes", "fevrier 2023", "naechste Woche Freitag"])
def test_words_are_read_without_their_accents_and_in_capitals(text: str):
    assert found_in(text)


def test_a_sentence_ends_a_date():
    assert found_in("I saw her on Friday. 5 of us came.") == ["on Friday"]
    assert found_in("Not today! May I go?") == ["today"]
    assert found_in("see you Friday\n5 eggs") == ["Friday"]


def test_a_line_broken_by_its_length_is_read_on():
    long = "My sister and her husband moved into their new house on"
    assert found_in(f"{long}\n5 June") == ["on\n5 June"]
    assert found_in("we moved on\n5 June") == ["5 June"]


def test_hier_is_a_day_in_french_and_a_place_in_german():
    assert found_in("Je suis allé au lac hier avec elle") == ["hier"]
    assert found_in("Ich war hier mit dir") == []


def test_morgen_is_tomorrow_or_the_morning():
    assert only("Morgen kommt er").grain == "day"
    assert only("gestern Morgen").grain == "hour"


def test_may_needs_its_capital_or_its_neighbours():
    assert found_in("this may be") == []
    assert found_in("in may") == ["in may"]
    assert found_in("This May we travel") == ["This May"]


def test_a_bare_month_or_year_is_no_date():
    assert found_in("April called") == []
    assert found_in("2019 people") == []
    assert found_in("in 2019") == ["in 2019"]


def test_days_of_every_week_are_no_date():
    assert found_in("every Friday, each Monday, jeden Montag, chaque lundi, cada lunes, on Tuesdays") == []


@table(
    "text",
    [
        "31 February", "29 February 2023", "on the 32nd", "2023-02-30", "30.02.2023", "13/13/2023",
        "tomorrow week 2023-W60", "on 2023-00-10", "0 May", "99 June 2024", "between 30 and 31 February",
    ],
)  # fmt: skip
def test_a_day_that_cannot_be_is_left_out(text: str):
    assert [span.text for span in find_dates(text, now=NOW) if span.text != "tomorrow"] == []


@table(
    "text",
    [
        "in 99999999 years", "300000 weeks ago", "in 999999999 months", "999999999 days from now",
        "the last 999999999 days", "9999-12-31", "in 999999999 decades", "999999999 hours ago",
    ],
)  # fmt: skip
def test_what_lies_outside_the_calendar_is_left_out(text: str):
    assert find_dates(text, now=NOW) == ()


@table("now", [datetime.min, datetime.max])  # noqa: DTZ901 - given a zone below
@table("row", ROWS[::7])
def test_the_ends_of_the_calendar_do_no_harm(row: Row, now: datetime):
    for zone in (UTC, timezone(timedelta(hours=14)), timezone(-timedelta(hours=12))):
        for span in find_dates(row.text, now=now.replace(tzinfo=UTC), timezone=zone):
            assert span.start < span.end


def test_a_moment_without_a_zone_is_refused():
    with pytest.raises(InvalidInputError, match="time zone"):
        find_dates("tomorrow", now=NOW.replace(tzinfo=None))


@table("given", [{"text": 5}, {"text": None}, {"now": "today"}, {"now": None}, {"prefer": "later"}])
def test_what_is_no_text_or_no_moment_is_refused(given: dict[str, object]):
    with pytest.raises(InvalidInputError):
        find_dates(**{"text": "on Friday", "now": NOW, **given})


def test_the_verbs_of_each_clause_decide_for_its_own_date():
    met, meet = find_dates("I met her on Monday and will see her on Friday", now=NOW)
    assert (met.start.day, meet.start.day) == (13, 17)
    assert only("I will not say whom I met. Monday was fine", prefer="future").start.day == 20
    assert only("Call me on Monday", prefer="past").start.day == 13


def test_a_text_has_no_more_dates_than_the_most():
    spans = find_dates("tomorrow. " * 200, now=NOW)
    assert len(spans) == MAX_DATES
    assert spans[-1].place[0] == (MAX_DATES - 1) * len("tomorrow. ")


def test_the_zone_decides_which_day_it_is():
    late = datetime(2024, 5, 15, 23, 30, tzinfo=UTC)
    berlin = only("today", now=late, timezone=ZoneInfo("Europe/Berlin"))
    assert berlin.start == datetime(2024, 5, 15, 22, tzinfo=UTC)
    assert only("today", now=late).start == datetime(2024, 5, 15, tzinfo=UTC)


def test_now_may_come_in_any_zone():
    here = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    assert find_dates("in 2 hours", now=here) == find_dates("in 2 hours", now=NOW)


@pytest.mark.parametrize(("day", "hours"), [("2024-03-31", 23), ("2024-10-27", 25), ("2024-10-28", 24)])
def test_a_day_is_as_long_as_the_clocks_make_it(day: str, hours: int):
    span = only(f"on {day}", timezone=ZoneInfo("Europe/Berlin"))
    assert span.end - span.start == timedelta(hours=hours)


def test_an_hour_that_the_clocks_skip_still_ends_after_it_begins():
    berlin = ZoneInfo("Europe/Berlin")
    for minute in range(60):
        span = only(f"2024-03-31T02:{minute:02}", timezone=berlin)
        assert span.start < span.end


def test_an_hour_from_now_is_an_hour_when_the_clocks_change():
    new_york = ZoneInfo("America/New_York")
    before = datetime(2024, 11, 3, 5, 30, tzinfo=UTC)
    assert only("in an hour", now=before, timezone=new_york).start == before + timedelta(hours=1)


def test_since_and_until_reach_to_now():
    assert only("since March").end == NOW
    assert only("until Friday").start == NOW


def test_since_ahead_and_until_behind_keep_what_is_named():
    assert only("since 2030").start == datetime(2030, 1, 1, tzinfo=UTC)
    assert only("until 1990").end == datetime(1991, 1, 1, tzinfo=UTC)


@table(
    "unit",
    [
        "1 ", "next ", "in ", "the ", "may ", "1-", "1.", "12:", "between 3 and ", "from ", "of the ", "周",
        "三", "一周", "5. ", "friday ", "a week before ", "at 5 ", "- ", ", ", "mon, ", "the 5th ", "2023-",
        "fin de ", "in the last ", "1 may to ", "\u00e9", "half past ", "every other ",
        "3, ", "may 3, ", "2 days and ", "2 days ", "5 may 23 ", "the week of ", "3pm to ", "from 3 to ",
        "'23 ", "i was on 3 may ", "in 2 or 3 ", "6月3日至", "1.2. ", "a week on ", "the last day of ",
    ],
)  # fmt: skip
@table("size", [20_000, 1_000_000])
def test_long_texts_of_one_word_are_read_to_their_limit(unit: str, size: int):
    spans = find_dates(unit * (size // len(unit)), now=NOW)
    assert all(span.place[1] <= 20_000 for span in spans)


def test_only_the_first_20_000_characters_are_read():
    assert find_dates("x" * 20_000 + " tomorrow", now=NOW) == ()
    assert find_dates("x" * 19_000 + " tomorrow", now=NOW) != ()


WORDS = sorted(
    {
        *SINGLE,
        *PHRASES,
        *HAN,
        "5",
        "31",
        "2023",
        "17:30",
        "5pm",
        "2023-05-08",
        "1st",
        "-",
        ",",
        ".",
        "'",
        "\n",
        "x",
    }
)


def check(text: str, now: datetime) -> None:
    spans = find_dates(text, now=now)
    over = 0
    for span in spans:
        assert over <= span.place[0] < span.place[1] <= len(text)
        assert text[slice(*span.place)] == span.text
        assert span.start < span.end
        assert span.start.tzinfo is UTC
        assert span.end.tzinfo is UTC
        over = span.place[1]


@given(st.text(), st.datetimes(timezones=st.just(UTC)))
def test_any_text_is_read(text: str, now: datetime):
    check(text, now)


@given(
    st.lists(st.sampled_from(WORDS), max_size=14),
    st.sampled_from([" ", "", "  "]),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_words_of_dates_are_read(words: list[str], blank: str, now: datetime):
    check(blank.join(words), now)


@given(st.sampled_from(ROWS), st.sampled_from(ROWS))
def test_a_date_is_read_beside_another_sentence(one: Row, other: Row):
    assume("hier" not in one.text or other.language != "de")  # beside German it is a place
    text = f"{one.text} | blah. {other.text}"
    assert one.span in [span.text for span in find_dates(text, now=NOW)]


@given(st.lists(st.sampled_from([*WORDS, "blah", "2023-05-08", "\n", ";", "!", '"', "|"]), max_size=14))
def test_reading_only_the_parts_that_may_hold_dates_changes_nothing(words: list[str]):
    text = " ".join(words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_PART", re.compile(r"(?s).+"))
        whole = find_dates(text, now=NOW)
    assert find_dates(text, now=NOW) == whole


def test_the_grammar_names_only_kinds_that_there_are():
    used = {kind for form in FORMS for kind in re.findall(r"[A-Z_]{2,}", form.pattern)}
    assert used <= set(LETTERS)
    assert {form.read for form in FORMS} <= set(LETTERS)
    assert {word.kind for word in [*SINGLE.values(), *HAN.values()]} - {"HIER"} <= set(LETTERS)


@pytest.mark.parametrize(
    ("text", "prefer", "day"),
    [
        ("the meeting is now Monday 23 November", "past", date(2026, 11, 23)),
        ("Montag, 23. November", "past", date(2026, 11, 23)),
        ("on Sunday 22 November", "past", date(2026, 11, 22)),
        ("on Monday 24 November", "past", date(2025, 11, 24)),
        ("on Monday 24 November", "future", date(2026, 11, 24)),
    ],
)
def test_a_weekday_beside_a_date_tells_its_year(text, prefer, day):
    now = datetime(2026, 11, 13, 8, tzinfo=UTC)
    (span,) = find_dates(text, now=now, prefer=prefer)
    assert span.start.date() == day


@pytest.mark.parametrize(
    ("now", "text", "day"),
    [
        ("2025-09-05", "Tom rang, he's a week late, starts on the 15th not the 8th", date(2025, 9, 15)),
        ("2025-09-05", "she told me the course begins on the 15th", date(2025, 9, 15)),
        ("2025-09-05", "he said the shop closes on the 3rd", date(2025, 10, 3)),
        ("2025-09-05", "he said we met on the 3rd", date(2025, 9, 3)),
        ("2025-12-21", "I found this for Christmas", date(2025, 12, 25)),
        ("2025-12-27", "we got a puppy for Christmas", date(2025, 12, 25)),
    ],
)
def test_what_starts_on_a_day_lies_ahead_whatever_was_said(now, text, day):
    span = find_dates(text, now=datetime.fromisoformat(f"{now}T10:00:00+00:00"))[0]
    assert span.start.date() == day

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.context.dating import MOST_TIMES, with_dates
from recollect.text.dates import find_dates
from recollect.types import DateSpan

MONDAY = datetime(2023, 5, 8, 14, 30, tzinfo=UTC)
NOTE = re.compile(r" \[[^\]]*\]")
TOKYO = timezone(timedelta(hours=9))


def written(text, *, said=MONDAY, zone=UTC, reader=None):
    return with_dates(text, find_dates(text, now=said, timezone=zone), said=said, timezone=reader or zone)


@table(
    "text",
    [
        "I ran yesterday [7 May].",
        "Last Friday [5 May], we met",
        "We danced last night [7 May]",
        "See you tomorrow at 5pm [9 May]!",
        "Wednesday at 4 [10 May] then",
        "on the 15th [15 May]",
        "Osian's checkup is friday 12th [12 May]",
        "back on weds [10 May] or next sat [20 May]",
        "two weeks ago [24-30 April]",
        "3 days ago [5 May]",
        "I was ill last week [1-7 May]",
        "in three weeks [29 May - 4 June]",
        "next month [June]",
        "six months ago [November 2022]",
        "last quarter [January-March]",
        "last summer [2022]",
        "next year [2024] or in a decade [2033]",
        "for Christmas [25 December]",
        "vor drei Tagen [5 May] und gestern [7 May]",
        "la semaine dernière [1-7 May]",
        "hace dos semanas [24-30 April]",
        "昨天 [7 May]我去了",
        "下个月 [June]",
    ],
)
def test_a_time_is_written_out_where_only_the_day_it_was_said_on_tells_which(text):
    assert written(NOTE.sub("", text)) == text


@table(
    "text",
    [
        "today, this morning, tonight and at 7 pm",
        "this month and this year",
        "on 5 May, in April, last August and in 2018",
        "on 2023-06-01 and 6/1/2024",
        "a few days ago",
        "hace unos días",
        "五月我去了",
        "since Monday and until Friday",
        "the dentist, thursday 25 at ten",
        "yoga on Monday evenings, physio on tuesdays 8am",
        "over the next month",
        "Yesterday's soup",
        "nothing here names a time",
    ],
)
def test_any_other_time_stands_as_it_was_said(text):
    assert written(text) == text


def test_the_year_is_written_when_it_is_another():
    new_year = datetime(2024, 1, 2, 12, tzinfo=UTC)
    assert written("last Friday and last month", said=new_year) == (
        "last Friday [29 December 2023] and last month [December 2023]"
    )
    assert written("two weeks ago", said=datetime(2024, 1, 15, tzinfo=UTC)) == "two weeks ago [1-7 January]"
    assert written("last week", said=datetime(2025, 1, 6, tzinfo=UTC)) == (
        "last week [30 December 2024 - 5 January 2025]"
    )
    assert written("last quarter", said=new_year) == "last quarter [October-December 2023]"


def test_a_schedule_is_left_as_it_stands():
    said = " ".join(["tomorrow"] * MOST_TIMES)
    assert written(said).count("[9 May]") == MOST_TIMES
    assert written(f"{said} tomorrow") == f"{said} tomorrow"


def test_days_are_those_of_the_zone_they_were_read_in():
    assert written("yesterday", said=MONDAY.replace(hour=20), zone=TOKYO) == "yesterday [8 May]"


def test_a_day_that_is_none_where_the_reader_is_stands_as_it_was_said():
    assert written("yesterday", zone=TOKYO, reader=UTC) == "yesterday"


@pytest.mark.parametrize("place", [(0, 4), (3, 12), (90, 99), (-9, -1)])
def test_a_span_that_is_not_in_the_text_is_passed_over(place):
    (span,) = find_dates("yesterday", now=MONDAY)
    assert with_dates("I ran today", [replace(span, place=place)], said=MONDAY) == "I ran today"


def test_spans_over_each_other_do_not_repeat_words():
    (span,) = find_dates("yesterday", now=MONDAY)
    assert with_dates("yesterday", [span, span], said=MONDAY) == "yesterday [7 May]"


def test_the_end_of_all_days_is_no_error():
    last = datetime(9999, 12, 31, 23, tzinfo=UTC)
    span = DateSpan(text="someday", place=(0, 7), start=last, end=last + timedelta(minutes=1), grain="day")
    assert with_dates("someday", [span], said=MONDAY, timezone=TOKYO) == "someday"


said_words = st.sampled_from(
    [
        "yesterday",
        "last week",
        "on Friday",
        "I ran",
        "\n",
        "next month",
        "'s",
        "2 days ago",
        "昨天",
        "last summer",
    ]
)


@given(
    st.lists(said_words, max_size=12).map(" ".join)
    | st.text(max_size=60).filter(lambda text: "[" not in text),
    st.datetimes(timezones=st.just(UTC)),
)
def test_without_what_was_added_in_brackets_a_text_is_as_it_was(text, said):
    assert NOTE.sub("", written(text, said=said)) == text


def test_a_long_text_takes_little_time():
    (span,) = find_dates("yesterday", now=MONDAY)
    spans = [replace(span, place=(place, place + 9)) for place in range(0, 50, 10)]
    assert with_dates("yesterday " * 100_000, spans, said=MONDAY).count("[7 May]") == MOST_TIMES


@pytest.mark.parametrize(
    ("said", "text", "written"),
    [
        ("2026-03-11", "mom's appointment on the 12th got moved to the 19th", "the 12th [12 March] got"),
        ("2026-03-31", "He showed up twice in two weeks and left.", "in two weeks and"),
        ("2026-03-31", "I will see him in two weeks.", "in two weeks [13-19 April]"),
        ("2026-03-05", "she takes them at seven noon and six", "noon and"),
        ("2026-04-03", "so I only have to call her at noon tuesdays and thursdays", "at noon tuesdays"),
        ("2026-03-06", 'His monologue: "My wife left me last spring." Make it bleaker', "last spring."),
        ("2026-03-06", "It rained last spring.", "last spring [2025]"),
    ],
)
def test_what_lies_ahead_what_lasted_and_what_is_quoted_are_told_apart(said, text, written):
    day = datetime.fromisoformat(f"{said}T12:00:00+00:00")
    assert written in with_dates(text, find_dates(text, now=day), said=day)

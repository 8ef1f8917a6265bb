"""Plans, appointments, deadlines and budgets, and the dates in the words of every fact."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts, extract_new
from recollect.learning.extraction.facts import HEDGED, Turn
from recollect.learning.extraction.when import dated
from recollect.learning.reconcile.statements import CHANGED
from recollect.presets.recall import RecallSystem
from recollect.testing import FakeClock

SUNDAY = datetime(2026, 11, 22, 12, tzinfo=UTC)


def facts(text, at=SUNDAY):
    return extract_facts([Turn(text=text, happened_at=at)])


def kept(text, at=SUNDAY):
    """What is learned by the rules, or kept in its own words."""
    found = extract_new([Turn(text=text, id="x", happened_at=at)], known=0)
    return [one.text for one in found if one.relation != CHANGED]


def plans(text, at=SUNDAY):
    return [one.text for one in facts(text, at) if one.category == "plan"]


@table(
    "text, learned",
    [
        ("dentist on 14 March at 10", "User has a dentist appointment on 14 March 2027 at 10:00."),
        ("I have an exam in three weeks", "User has an exam in the week of 7 December 2026."),
        ("Flight to Lisbon on Friday at 7:40", "User has a flight to Lisbon on 27 November 2026 at 07:40."),
        ("I'm flying to Lisbon next Friday.", "User is flying to Lisbon on 27 November 2026."),
        ("We're going camping next weekend", "User is going camping on the weekend of 28 November 2026."),
        ("I'm gonna call Linda on 5 May", "User is going to call Linda on 5 May 2027."),
        ("My knee surgery is next Tuesday.", "User's knee surgery is on 24 November 2026."),
        ("The funeral is Thursday in Tuam.", "The funeral is on 26 November 2026 in Tuam."),
        ("My sister's wedding is on 5 June.", "User's sister's wedding is on 5 June 2027."),
        ("The deadline for the report is Friday.", "User's deadline for the report is on 27 November 2026."),
        ("My flight was moved to Thursday", "User's flight was moved to 26 November 2026."),
        ("rent goes up to 950 in May", "User's rent goes up to 950 in May 2027."),
        ("My lease ends in June", "User's lease ends in June 2027."),
        ("I need to submit the thesis by 1 December", "User needs to submit the thesis by 1 December 2026."),
        ("I booked a table for Saturday at 7pm", "User booked a table on 28 November 2026 at 19:00."),
        ("Remind me to call mum on Friday", "User wants to be reminded to call mum on 27 November 2026."),
        ("my budget for the kitchen is 8,000 euros", "User's budget for the kitchen is 8,000 euros."),
        ("we have a budget of $500 for the party", "User's budget for the party is $500."),
        ("my budget is 300 euros a month", "User's budget is 300 euros a month."),
    ],
)
def test_what_is_to_come_is_learned_with_its_date(text, learned):
    assert plans(text) == [learned]


@table(
    "text, learned",
    [
        ("Flying to Bergen on the 23rd", "User is flying to Bergen on 23 November 2026."),
        (
            "the day after tomorrow I'm picking up my new glasses",
            "User is picking up their new glasses on 24 November 2026.",
        ),
        ("dentist on Tuesday at 3", "User has a dentist appointment on 24 November 2026 at 15:00."),
        ("picking up mum at 5 tomorrow", "User is picking up mum on 23 November 2026 at 17:00."),
        ("Picking the kids up at 4 on Friday", "User is picking the kids up on 27 November 2026 at 16:00."),
        ("we leave on Friday", "User leaves on 27 November 2026."),
        ("we fly to Rome on 3 December", "User flies to Rome on 3 December 2026."),
        ("I start my new job on Monday", "User starts their new job on 23 November 2026."),
        ("I get my braces off next Wednesday", "User gets their braces off on 25 November 2026."),
        ("We're off to Bergen on the 23rd", "User is off to Bergen on 23 November 2026."),
        ("back in Berlin on the 28th", "User is back in Berlin on 28 November 2026."),
        ("moving house on the 1st of December", "User is moving house on 1 December 2026."),
        ("starting chemo next Tuesday", "User is starting chemo on 24 November 2026."),
        (
            "Having surgery on my knee on 12 December",
            "User is having surgery on their knee on 12 December 2026.",
        ),
        ("On Thursday we're signing the contract", "User is signing the contract on 26 November 2026."),
        ("tomorrow I have to hand in my thesis", "User has to hand in their thesis on 23 November 2026."),
        (
            "gotta renew my passport before Friday",
            "User has to renew their passport before 27 November 2026.",
        ),
        ("Our train leaves at 7:40 tomorrow", "User's train leaves on 23 November 2026 at 07:40."),
        ("dinner with Ben on Friday at 8", "User has a dinner with Ben on 27 November 2026 at 20:00."),
        ("My parents arrive on Saturday", "User's parents arrive on 28 November 2026."),
        ("the day after tomorrow my sister moves in", "User's sister moves in, on 24 November 2026."),
        ("The movers are coming on the 30th", "User expects the movers on 30 November 2026."),
        (
            "I've got a meeting with attorney Stephanie on December 22",
            "User has a meeting with attorney Stephanie on 22 December 2026.",
        ),
        ("Dentist on Dec 14 at 10", "User has a dentist appointment on 14 December 2026 at 10:00."),
        ("we fly on Dec. 12", "User flies on 12 December 2026."),
        (
            "I'm trying to save $5,000 for a car by Dec 31, 2026, and I've begun",
            "User is trying to save $5,000 for a car by Dec 31, 2026.",
        ),
        (
            "I'm trying to finish my thesis by December 15",
            "User is trying to finish their thesis by 15 December 2026.",
        ),
        ("Operation postponed to 8 December, no beds", "User's operation was postponed to 8 December 2026."),
        (
            "appointment at the bank moved from the 25th to the 30th of November",
            "User's appointment at the bank was moved from 25 November 2026 to 30 November 2026.",
        ),
        ("My sister Ines gets married on 3 December", "User's sister Ines gets married on 3 December 2026."),
        (
            "my daughter Roos turns 9 on 14 December and wants a climbing party",
            "User's daughter Roos turns 9 on 14 December 2026.",
        ),
        (
            "we go to the Ardennes 3-10 December, with the dog",
            "User goes to the Ardennes from 3 December 2026 to 10 December 2026.",
        ),
    ],
)
def test_a_plan_told_in_passing_is_learned_with_its_date(text, learned):
    assert plans(text) == [learned]


@table(
    "text",
    [
        "Flying is scary on Fridays",
        "we leave on Fridays",
        "we leave it at that",
        "I start every Monday",
        "I start at noon on Friday",
        "starting with my next meal",
        "leaving after 1.5-2 hours",
        "Moving immediately to the next objective",
        "picking up where we left off tomorrow",
        "Thinking about flying to Bergen on the 23rd",
        "I was flying to Bergen on the 23rd but it got cancelled",
        "I picked up mum yesterday at 5",
        "I'm off meat on Fridays",
        "Nice weather tomorrow",
        "She is flying to Bergen on the 23rd",
        "Write a poem about flying to Bergen on the 23rd",
        "the report says we leave the EU on Friday",
    ],
)
def test_what_only_sounds_like_a_plan_in_passing_is_none(text):
    assert plans(text) == []


@table(
    "text",
    [
        "I'd love to go to Rome next summer",
        "I might fly to Rome next week",
        "I'm not flying on Friday",
        "If I fly to Rome next Friday, I'll be tired",
        "Are you flying on Friday?",
        "I had an exam last Friday",
        "I went to the dentist on Monday",
        "I'm going to bed tonight",
        "I'm going to make it on Friday",
        "I'm starting next month",
        "I'll start this on Monday",
        "I'll start by setting some goals for the next few months",
        "I have to be honest next week",
        "I'm having a great time this weekend",
    ],
)
def test_wishes_denials_the_past_and_the_moment_are_no_plans(text):
    assert plans(text) == []


def test_an_intention_is_less_sure_than_an_appointment():
    (intended,) = facts("I'm planning to move to Lisbon in May")
    (fixed,) = facts("My knee surgery is next Tuesday.")
    assert (intended.category, intended.text) == ("plan", "User is planning to move to Lisbon in May 2027.")
    assert intended.confidence == HEDGED < fixed.confidence


@table(
    "text, learned",
    [
        ("I joined a choir last Friday.", "User joined a choir on 20 November 2026."),
        ("I joined a gym last week.", "User joined a gym in the week of 9 November 2026."),
        ("I lost my job last month.", "User lost their job in October 2026."),
        ("My dad passed away two days ago.", "User's dad passed away on 20 November 2026."),
        ("I started surfing about five years ago.", "User started surfing around 2021."),
        ("I graduated last summer.", "User graduated in summer 2026."),
        ("I've been using Excel since June 10.", "User has been using Excel since 10 June 2026."),
        ("I moved to Lyon in 2019.", "User moved to Lyon in 2019."),
        ("I play tennis on Fridays.", "User plays tennis on Fridays."),
        ("I practice yoga at 7 AM every day.", "User practices yoga at 7 AM every day."),
    ],
)
def test_the_words_of_a_fact_name_dates_that_stay_true(text, learned):
    assert [one.text for one in facts(text)] == [learned]


@table(
    "text, shown",
    [
        ("He left last night.", "He left on the night of 21 November 2026."),
        ("He started in early June.", "He started in early June 2026."),
        ("He has an April 1 deadline.", "He has a 1 April 2027 deadline."),
        ("He moved to next Monday.", "He moved to 23 November 2026."),
        ("He is away starting March 5.", "He is away starting 5 March 2027."),
        ("He is away on November 9.", "He is away on November 9."),  # this year's, or next year's
        ("He fixed it over the last two years.", "He fixed it over the last two years."),
    ],
)
def test_a_date_takes_the_place_of_the_words_that_pointed_at_it(text, shown):
    assert dated(text, now=SUNDAY, fixed=True, ahead="March" in text or "April" in text) == shown


def test_days_are_those_of_the_time_zone_in_which_it_was_said():
    late = datetime(2026, 11, 22, 1, tzinfo=timezone(timedelta(hours=9)))
    assert dated("He left yesterday.", now=late, fixed=True) == "He left on 21 November 2026."


def test_without_a_time_the_words_stay_as_they_were_said():
    (fact,) = extract_facts([Turn(text="I joined a choir last Friday.")])
    assert fact.text == "User joined a choir last Friday."


def test_a_stored_plan_names_its_date_for_the_timeline():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(SUNDAY)) as memory:
        memory.add("My knee surgery is next Tuesday.", user_id="ada", session_id="s", timestamp=SUNDAY)
        memory.sessions.end("s", user_id="ada")
        memory.jobs.drain()
        (plan,) = memory.get_all(user_id="ada", kinds=["fact"])
    assert plan.labels.category == "plan"
    assert [f"{span.start:%Y-%m-%d}" for span in plan.labels.dates] == ["2026-11-24"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("My bins are behind the shed.", "User's bins are behind the shed."),
        ("I parked on level 4.", "User parked on level 4."),
        ("The gate opens at nine.", "The gate opens at nine."),
    ],
)
def test_what_is_remembered_and_read_by_no_rule_is_kept_in_the_third_person_where_it_can_be(said, kept):
    with RecallSystem(":memory:", clock=FakeClock(SUNDAY)) as system:
        system.remember(said, "ada")
        (entry,) = system.semantic_memories("ada")
    assert (entry.content, entry.category) == (kept, "BIOGRAPHY")


def test_recall_remembers_a_plan_in_the_third_person_as_an_event():
    with RecallSystem(":memory:", clock=FakeClock(SUNDAY)) as system:
        system.remember("My knee surgery is next Tuesday.", "ada")
        with system.start_session("bob") as session:
            session.say("My knee surgery is next Tuesday.")
        entries = [*system.semantic_memories("ada"), *system.semantic_memories("bob")]
    told = ("User's knee surgery is on 24 November 2026.", "EVENT")
    assert [(one.content, one.category) for one in entries] == [told, told]


@table(
    "text, learned",
    [
        ("my shop is open friday to sunday", "shop is open friday to sunday"),
        ("my son is with his dad every friday to sunday", "is with his dad every friday to sunday"),
        ("my mum looks after Alfie monday to friday", "looks after Alfie monday to friday"),
        ("we're away friday to sunday", "is away from 27 November 2026 to 29 November 2026"),
    ],
)
def test_a_range_of_weekdays_is_a_date_only_where_it_is_one_week_s(text, learned):
    (found,) = kept(text)
    assert learned in found


@table(
    "text, learned",
    [
        ("I take metformin once a day from today", "takes metformin once a day from 22 November 2026"),
        ("my mum takes warfarin once a day from tomorrow", "once a day from 23 November 2026"),
        ("my wedding is a week from monday", "wedding is on 30 November 2026"),
    ],
)
def test_how_often_something_is_so_stays_beside_its_first_day(text, learned):
    (found,) = kept(text)
    assert learned in found


@table(
    "text, until",
    [
        ("I'm vegan, until 5 December", datetime(2026, 12, 6, tzinfo=UTC)),
        ("im veggie for lent btw, till easter sunday", datetime(2027, 3, 29, tzinfo=UTC)),
        ("I'm working nights, until Friday", datetime(2026, 11, 28, tzinfo=UTC)),
        ("I'm vegan, the shop is shut until Friday", None),
        ("I'm vegan, don't call me until Friday", None),
        ("I live in Leeds, until 2019 I lived in York", None),
    ],
)
def test_an_end_behind_a_comma_ends_what_stands_before_it(text, until):
    assert facts(text)[0].valid_until == until


def test_a_plan_that_is_called_off_where_it_is_told_is_not_learned():
    assert plans("the gig tomorrow got called off") == []

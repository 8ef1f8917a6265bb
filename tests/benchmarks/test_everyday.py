"""The benchmark of a year of everyday talk: its judge, and its data."""

from datetime import UTC, datetime

import pytest
from benchmarks.everyday import Question, judge, load_year
from benchmarks.report_everyday import everyday_section

from . import made_up

_AT = datetime(2026, 9, 20, 10, tzinfo=UTC)
_ASKED = Question(
    id="q",
    ask="Where do I live?",
    at=_AT,
    kind="change",
    must=[["lisbon", "lisboa"]],
    must_not=["secret street"],
    order=[["lisbon", "berlin"]],
)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Moved to Lisbon.", []),
        ("Moved to Lisbon. Before that: Berlin.", []),
        ("Lives in Berlin. Moved to Lisbon.", ["names berlin before lisbon"]),
        ("Lives in Berlin.", ["lacks lisbon / lisboa", "names berlin before lisbon"]),
        ("Lisboa, secret street 5", ["holds secret street"]),
    ],
)
def test_a_context_is_judged_by_what_it_holds_and_in_which_order(text, faults):
    kinds, misses = judge(lambda _: text, [_ASKED])
    assert kinds == {"change": {"asked": 1, "right": int(not faults)}}
    assert [one["faults"] for one in misses] == ([faults] if faults else [])


def test_every_question_of_the_year_can_be_answered_from_the_messages_that_are_left():
    year = load_year()
    said = [step for step in year.steps if step.do == "say"]
    live = {step.id: step.content for step in said}
    for step in year.steps:
        if step.do == "correct":
            live[step.id] = step.content
        elif step.do == "delete":
            del live[step.id]
    words = "\n".join(live.values()).casefold()
    assert len(said) == 120
    assert len(year.questions) == 80
    assert [step.at for step in year.steps] == sorted(step.at for step in year.steps)
    for question in year.questions:
        for group in question.must:
            dated = any(one[:2] == "20" for one in group)
            assert dated or any(one.casefold() in words for one in group), (question.id, group)
        if question.kind == "deletion":
            assert not any(one.casefold() in words for one in question.must_not), question.id


def test_the_page_lists_each_context_that_is_not_right():
    _, misses = judge(lambda _: "Lives in Berlin.", [_ASKED])
    result = {
        "made": made_up.MADE,
        "how": "So.",
        "asked": 1,
        "right": 0,
        "right_percent": 0.0,
        "kinds": {"change": {"asked": 1, "right": 0}},
        "misses": misses,
    }
    assert "Where do I live? (change): lacks lisbon / lisboa" in everyday_section(result)

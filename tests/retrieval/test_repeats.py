"""The same words said several times are one hit, unless the days matter or all are asked for."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect import InvalidInputError, Memory
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import FakeClock
from recollect.types import Within

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
LINE = "I use R at work."


@pytest.fixture
def memory():
    clock = FakeClock()
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


def said(memory, content, *, days=0, **more):
    message = {"content": content, "timestamp": MONDAY + timedelta(days=days), **more}
    (result,) = memory.add([message], user_id="ada")
    return result.id


def found(memory, query="What do I use at work?", **options):
    return memory.search(query, user_id="ada", **options)


def test_a_line_added_five_times_is_one_hit_and_leaves_its_places_to_others(memory):
    ids = [said(memory, LINE, days=day) for day in range(5)]
    others = [said(memory, f"At work we use tool number {number}.") for number in range(4)]
    hits = found(memory, top_k=5)
    assert {hit.memory.id for hit in hits} == {ids[-1], *others}
    (line,) = [hit for hit in hits if hit.memory.id == ids[-1]]
    assert [one.id for one in line.repeats] == ids[-2::-1]
    assert line.repeats[-1].happened_at == MONDAY
    assert line.times_said() == "said 5 times since 2026-05-04"
    assert "said 5 times" in line.explain()


def test_a_hit_said_once_has_no_repeats(memory):
    said(memory, LINE)
    said(memory, "I use Python at home.")
    assert all(hit.repeats == () for hit in found(memory))


def test_all_are_returned_when_they_are_asked_for(memory):
    ids = {said(memory, LINE, days=day) for day in range(5)}
    hits = found(memory, collapse=False)
    assert {hit.memory.id for hit in hits} == ids
    assert all(hit.repeats == () for hit in hits)


def test_capitals_spaces_and_the_last_stop_make_no_other_words(memory):
    said(memory, LINE)
    last = said(memory, "i  use R at work!", days=1)
    assert [hit.memory.id for hit in found(memory)] == [last]


def test_other_words_in_another_order_stay_apart(memory):
    one, other = said(memory, "Ada beat Bob at chess."), said(memory, "Bob beat Ada at chess.")
    assert {hit.memory.id for hit in found(memory, "Who beat whom at chess?")} == {one, other}


def test_a_sign_that_is_no_letter_can_make_other_words(memory):
    one, other = said(memory, "I write C."), said(memory, "I write C++.")
    assert {hit.memory.id for hit in found(memory, "what do I write")} == {one, other}


def test_the_same_words_of_another_speaker_stay_apart(memory):
    ada, bob = said(memory, LINE, name="Ada"), said(memory, LINE, name="Bob")
    echo = said(memory, LINE, role="assistant")
    assert {hit.memory.id for hit in found(memory)} == {ada, bob, echo}


@pytest.mark.parametrize("query", ["When did I go running?", "How often did I go running?"])
def test_a_question_for_a_time_or_a_number_keeps_days_apart(memory, query):
    first, again = said(memory, "I went running."), said(memory, "I went running.")
    later = said(memory, "I went running.", days=2)
    hits = found(memory, query)
    assert [hit.memory.id for hit in hits] in ([again, later], [later, again])
    assert [one.id for hit in hits for one in hit.repeats] == [first]


def test_only_what_the_filters_let_pass_is_shown_and_counted(memory):
    ids = [said(memory, LINE, days=day) for day in range(4)]
    (hit,) = found(memory, within=Within(since=MONDAY + timedelta(days=1), until=MONDAY + timedelta(days=3)))
    assert (hit.memory.id, [one.id for one in hit.repeats]) == (ids[2], [ids[1]])
    (hit,) = found(memory, within=Within(exclude_ids=[ids[3], ids[0]]))
    assert (hit.memory.id, [one.id for one in hit.repeats]) == (ids[2], [ids[1]])


def test_a_deleted_repeat_is_not_counted_and_one_brought_back_is(memory):
    ids = [said(memory, LINE, days=day) for day in range(3)]
    memory.delete(ids[2], user_id="ada")
    assert [one.id for one in found(memory)[0].repeats] == [ids[0]]
    memory.undelete(ids[2], user_id="ada")
    assert [one.id for one in found(memory)[0].repeats] == [ids[1], ids[0]]


def test_a_repeat_that_was_changed_stands_for_itself_again(memory):
    ids = [said(memory, LINE, days=day) for day in range(2)]
    found(memory)
    memory.update(ids[0], user_id="ada", content="I use Julia at work.")
    assert [hit.repeats for hit in found(memory)] == [(), ()]


def test_a_flood_of_one_line_hides_nothing(memory):
    memory.add([LINE] * 200, user_id="ada")
    other = said(memory, "At work there is a cat.")
    hits = found(memory, top_k=2)
    assert [len(hit.repeats) for hit in hits] == [199, 0]
    assert hits[1].memory.id == other


def test_a_context_writes_repeats_once_and_says_how_often(memory):
    for day in range(3):
        said(memory, LINE, days=day)
    text = memory.context("What do I use at work?", user_id="ada").text
    assert text.count(LINE) == 1
    assert "(said 3 times since 2026-05-04)" in text


def test_a_context_for_how_often_has_each_day(memory):
    for day in range(3):
        said(memory, "I went running.", days=day)
    assert memory.context("How often did I go running?", user_id="ada").text.count("I went running.") == 3


def test_collapse_must_be_true_or_false(memory):
    with pytest.raises(InvalidInputError, match="collapse"):
        found(memory, collapse="no")

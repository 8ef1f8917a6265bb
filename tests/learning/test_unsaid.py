"""What a message takes back that its speaker said just before."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import NOON, FakeClock

OFTEN = (
    "actually no, delete that, forget I said it",
    "scratch that",
    "forget what I just said",
    "oh shut up its only you. actually no, delete that, forget I said it",
    "nvm, that was wrong, ignore my last message",
    "wait no, disregard that",
    "hang on, forget that, that's not true",
    "please forget I said that",
    "strike that last one",
    "sorry, please don't remember that",
    "no wait, I didn't mean that. delete it",
    "I take that back",
    "can you forget I said that?",
    "pretend I never said that",
    "just kidding",
)
NOT_SO = (
    "forget it, what should I cook tonight?",
    "delete that paragraph please",
    "can you scratch that part of the email?",
    "my boss said forget I said it",
    "should I delete that app?",
    "never mind",
    "forget that, let's talk about holidays",
    "delete the last line of the draft",
    "do not forget I said that",
    "I'll never forget that",
    "I wish I could take that back",
    '"Forget I said that," he whispered. How does the story go on?',
)


@pytest.fixture
def clock():
    return FakeClock()


@contextmanager
def remembering(clock):
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


@pytest.fixture
def memory(clock):
    with remembering(clock) as made:
        yield made


def say(memory, clock, text, *, after_s=120, role="user", learn=True):
    clock.tick(after_s)
    (result,) = memory.add([{"role": role, "content": text}], user_id="ada", session_id="talk")
    if learn:
        memory.sessions.end("talk", user_id="ada")
        memory.jobs.drain()
    return result.id


def holding(memory, now=NOON + timedelta(days=3)):
    return sorted(
        one.content
        for one in memory.get_all(user_id="ada", kinds=["fact"])
        if one.times.valid_until is None or one.times.valid_until > now
    )


def told(*texts, apart=timedelta(minutes=2), speakers=("Ada", "Ada")):
    turns = [
        Turn(text=text, speaker=speaker, happened_at=datetime(2026, 3, 2, 9, tzinfo=UTC) + apart * place)
        for place, (text, speaker) in enumerate(zip(texts, speakers, strict=True))
    ]
    return [fact.text for fact in extract_facts(turns)]


@table("said", OFTEN)
def test_what_the_next_message_takes_back_is_not_learned(said):
    assert told("I'm allergic to kiwi", said) == []


@table("said", NOT_SO)
def test_words_that_only_sound_like_taking_back_take_nothing_back(said):
    assert "Ada is allergic to kiwi." in told("I'm allergic to kiwi", said)


def test_only_the_same_speaker_takes_back_and_only_within_half_an_hour():
    said = ("I'm allergic to kiwi", "actually no, forget I said that")
    assert told(*said, apart=timedelta(hours=1)) == ["Ada is allergic to kiwi."]
    assert told(*said, speakers=("Ada", "Bo")) == ["Ada is allergic to kiwi."]


def test_scratch_that_behind_a_request_is_about_the_request():
    assert told("I'm allergic to kiwi. What can I bake?", "scratch that") == ["Ada is allergic to kiwi."]
    assert told("I'm allergic to kiwi. What can I bake?", "please forget I said that") == []


def test_a_message_takes_back_its_own_first_words_and_leaves_the_message_before():
    assert told("I live in Leeds", "I hate olives. Actually forget I said that.") == ["Ada lives in Leeds."]


@table("said", OFTEN)
def test_what_was_learned_before_it_was_taken_back_holds_no_more(clock, said):
    with remembering(clock) as memory:
        say(memory, clock, "I live in Leeds")
        say(memory, clock, "I'm allergic to kiwi")
        say(memory, clock, "Noted.", role="assistant")
        say(memory, clock, said)
        assert holding(memory) == ["User lives in Leeds."]
        assert len(memory.get_all(user_id="ada", kinds=["message"])) == 4


@table("said", NOT_SO)
def test_what_was_learned_stays_where_nothing_takes_it_back(clock, said):
    with remembering(clock) as memory:
        say(memory, clock, "I'm allergic to kiwi")
        say(memory, clock, said)
        assert "User is allergic to kiwi." in holding(memory)


def test_what_was_said_before_and_again_stays_when_the_repetition_is_taken_back(memory, clock):
    say(memory, clock, "I'm allergic to kiwi")
    say(memory, clock, "I'm allergic to kiwi", after_s=86_400)
    say(memory, clock, "forget I said that")
    assert holding(memory) == ["User is allergic to kiwi."]


def test_what_a_message_had_ended_holds_again_when_it_is_taken_back(memory, clock):
    say(memory, clock, "I live in Berlin")
    say(memory, clock, "I moved to Lisbon", after_s=86_400)
    assert holding(memory) == ["User moved to Lisbon."]
    taking = say(memory, clock, "no wait, forget I said that")
    assert holding(memory) == ["User lives in Berlin."]
    memory.delete(taking, user_id="ada")
    memory.jobs.drain()
    assert holding(memory) == ["User moved to Lisbon."]


@table("said, items", [("thanks", 1), ("forget I said that", 0)])
def test_a_plan_that_is_taken_back_is_in_no_agenda(said, items):
    clock = FakeClock()
    with remembering(clock) as memory:
        say(memory, clock, "I have a dentist appointment on 23 November 2026 at 9am")
        say(memory, clock, said)
        clock.now = datetime(2026, 11, 22, 18, tzinfo=UTC)
        assert len(memory.agenda.items(user_id="ada")) == items


def test_learning_what_takes_back_a_second_time_changes_nothing(memory, clock):
    say(memory, clock, "I'm allergic to kiwi")
    taking = say(memory, clock, "forget I said that")
    (fact,) = memory.get_all(user_id="ada", kinds=["fact"])
    memory.delete(taking, user_id="ada")
    memory.undelete(taking, user_id="ada")
    memory.jobs.drain()
    (again,) = memory.get_all(user_id="ada", kinds=["fact"])
    assert again.times.valid_until == fact.times.valid_until == NOON + timedelta(seconds=240)


@table("again", ["Scratch that.", "forget I said that!", "please don't save that"])
def test_who_takes_back_twice_takes_back_once(again):
    clock = FakeClock()
    with remembering(clock) as memory:
        say(memory, clock, "I live in Oslo")
        say(memory, clock, "I live in Bergen now", after_s=86_400)
        say(memory, clock, "Forget I said that.")
        say(memory, clock, again)
        assert holding(memory) == ["User lives in Oslo."]


def opened(path, clock):
    return Memory(path, embedder="hashing", clock=clock)


KIWI, LEEDS = "User is allergic to kiwi.", "User lives in Leeds."
BOTH = [KIWI, LEEDS]


@pytest.mark.parametrize("at_once", [True, False], ids=["learned each", "learned at once"])
@pytest.mark.parametrize("restarts", [True, False], ids=["restarts", "stays open"])
@pytest.mark.parametrize(
    "steps",
    [
        [("delete", "taking", BOTH), ("undelete", "taking", [LEEDS]), ("delete", "taking", BOTH)],
        [
            ("delete", "taken", [LEEDS]),
            ("delete", "taking", [LEEDS]),
            ("undelete", "taken", BOTH),
            ("undelete", "taking", [LEEDS]),
        ],
        [
            ("delete", "taking", BOTH),
            ("delete", "taken", [LEEDS]),
            ("undelete", "taking", [LEEDS]),
            ("undelete", "taken", [LEEDS]),
            ("delete", "taking", BOTH),
        ],
        [("delete", "taken", [LEEDS]), ("undelete", "taken", [LEEDS])],
        [("edit", "taking", BOTH), ("edit back", "taking", [LEEDS])],
    ],
    ids=lambda steps: ", ".join(f"{verb} {which}" for verb, which, _ in steps),
)
def test_what_takes_back_and_what_is_taken_back_come_and_go_in_any_order(tmp_path, steps, restarts, at_once):
    clock = FakeClock()
    memory = opened(tmp_path / "m.db", clock)
    say(memory, clock, "I live in Leeds", learn=at_once)
    ids = {"taken": say(memory, clock, "I'm allergic to kiwi", learn=at_once)}
    ids["taking"] = say(memory, clock, OFTEN[0])
    for verb, which, left in steps:
        clock.tick(60)
        if verb.startswith("edit"):
            words = OFTEN[0] if verb == "edit back" else "thanks a lot"
            memory.update(ids[which], content=words, user_id="ada")
        else:
            getattr(memory, verb)(ids[which], user_id="ada")
        if restarts:
            memory.close()
            memory = opened(tmp_path / "m.db", clock)
        memory.jobs.drain()
        assert holding(memory, clock() + timedelta(days=3)) == left
    memory.close()


@table("later, held", [("I moved to Lisbon", "User moved to Lisbon."), ("I used to live in Berlin", None)])
def test_what_a_message_had_ended_ends_and_holds_with_what_takes_it_back(later, held):
    clock = FakeClock()
    with remembering(clock) as memory:
        say(memory, clock, "I live in Berlin")
        say(memory, clock, later, after_s=86_400)
        taking = say(memory, clock, "no wait, forget I said that")
        for _ in range(2):
            assert holding(memory) == ["User lives in Berlin."]
            memory.delete(taking, user_id="ada")
            assert holding(memory) == ([] if held is None else [held])
            memory.undelete(taking, user_id="ada")


def test_a_fact_that_comes_back_is_over_by_what_ends_it_and_is_there(memory, clock):
    known = say(memory, clock, "I work at Siemens")
    over = say(memory, clock, "I used to work at Siemens", after_s=86_400)
    memory.delete(known, user_id="ada")
    memory.delete(over, user_id="ada")
    memory.undelete(known, user_id="ada")
    assert holding(memory) == ["User works at Siemens."]
    memory.undelete(over, user_id="ada")
    assert holding(memory) == []
    memory.delete(over, user_id="ada")
    memory.delete(known, user_id="ada")
    memory.undelete(over, user_id="ada")
    memory.undelete(known, user_id="ada")
    assert holding(memory) == []


def test_deleting_a_message_in_between_takes_back_no_other_one(memory, clock):
    say(memory, clock, "I live in Leeds")
    between = say(memory, clock, "I'm allergic to kiwi")
    taking = say(memory, clock, OFTEN[0])
    memory.delete(between, user_id="ada")
    memory.delete(taking, user_id="ada")
    memory.undelete(taking, user_id="ada")
    memory.jobs.drain()
    assert holding(memory) == [LEEDS]

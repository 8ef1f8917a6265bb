"""What is deleted or corrected is gone from all that was made of it, wherever the process is stopped."""

import json
import re
import shutil
from contextlib import contextmanager

import pytest
from tests.copies import copied
from tests.killing import Wordy
from tests.tables import table

from recollect import Memory
from recollect.learning.admission import AdmissionPolicy, Learning
from recollect.models import ModelRouter
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite.connection import SQLiteDatabase
from recollect.testing.fakes import FakeClock
from recollect.types import Scope

ADA = Scope(user_id="ada")


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(clock):
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


def learn(memory, *texts, session="s"):
    results = memory.add(list(texts), user_id="ada", session_id=session)
    memory.sessions.end(session, user_id="ada")
    memory.jobs.drain()
    return [result.id for result in results]


def learned(memory, kind="episode"):
    return [one.content for one in memory.get_all(user_id="ada", kinds=[kind])]


def everything(memory):
    """All that is read of Ada, as one text; histories and the bin included."""
    ids = [one.id for one in (*memory.get_all(user_id="ada"), *memory.deleted(user_id="ada"))]
    states = memory.parts.store.states(ADA)
    read = [
        memory.get_all(user_id="ada"),
        memory.profile(user_id="ada"),
        states,
        memory.jobs.list(user_id="ada"),
    ]
    return f"{read} {[memory.sessions.list(user_id='ada')]} {len(ids)}"


PHONE = "The landlord is called Mette Sorensen, her number is 20123456."


def test_an_episode_is_told_again_without_the_turn_that_was_deleted(memory):
    ids = learn(memory, "Hello there.", PHONE, "I water the plants on Monday evening.", "Fine then.")
    (before,) = memory.get_all(user_id="ada", kinds=["episode"])
    assert "Mette" in before.content
    memory.delete(ids[1], user_id="ada")
    (after,) = memory.get_all(user_id="ada", kinds=["episode"])
    assert after.id == before.id
    assert after.origin.sources == (ids[0], *ids[2:])
    assert "Mette" not in everything(memory)
    assert "2012" not in everything(memory)
    assert memory.history(after.id, user_id="ada")[-1].reason.startswith("a turn it was learned from")


def test_an_episode_goes_with_its_last_turn(memory):
    ids = learn(memory, PHONE, "Water the plants.")
    for memory_id in ids:
        memory.delete(memory_id, user_id="ada")
    assert learned(memory) == []


def test_an_episode_tells_the_corrected_words(memory):
    _, dose, *_ = learn(
        memory, "Hi.", "My thyroid dose is 100 micrograms of levothyroxine daily.", "Ok.", "So."
    )
    assert "100" in learned(memory)[0]
    memory.update(dose, user_id="ada", content="My thyroid dose is 125 micrograms of levothyroxine daily.")
    assert "125" in learned(memory)[0]
    assert not re.search(r"\b100\b", everything(memory))
    memory.jobs.drain()
    assert not re.search(r"\b100\b", everything(memory))
    assert len(learned(memory)) == 1


def test_what_comes_back_brings_back_what_was_told_of_it(memory):
    ids = learn(memory, PHONE, "I live in Berlin.", "Water the plants.", "Fine.")
    before = {one.id: one for one in memory.get_all(user_id="ada")}
    for memory_id in ids:
        memory.delete(memory_id, user_id="ada")
    assert memory.get_all(user_id="ada") == []
    for memory_id in ids:
        memory.undelete(memory_id, user_id="ada")
    memory.jobs.drain()
    after = {one.id: one for one in memory.get_all(user_id="ada")}
    assert {key: one.content for key, one in after.items()} == {
        key: one.content for key, one in before.items()
    }
    assert {one.origin.sources for one in after.values()} == {one.origin.sources for one in before.values()}
    assert all("left_out" not in one.metadata for one in after.values())


def test_a_fact_of_two_turns_stays_in_the_words_of_the_one_that_is_left(memory, clock):
    (first,) = learn(memory, "I live in Berlin.", session="one")
    clock.tick(86_400)
    (second,) = learn(memory, "I live in Berlin.", session="two")
    (fact,) = memory.get_all(user_id="ada", kinds=["fact"])
    assert fact.origin.sources == (first, second)
    memory.delete(first, user_id="ada")
    (left,) = memory.get_all(user_id="ada", kinds=["fact"])
    assert (left.id, left.content, left.origin.sources) == (fact.id, fact.content, (second,))
    memory.undelete(first, user_id="ada")
    (back,) = memory.get_all(user_id="ada", kinds=["fact"])
    assert set(back.origin.sources) == {first, second}
    memory.delete(second, user_id="ada")
    memory.delete(first, user_id="ada")
    assert learned(memory, "fact") == []


def test_a_correction_of_what_two_facts_and_an_episode_were_made_of_changes_all_three(memory):
    (turn,) = learn(memory, "I live in Berlin and I work at Siemens.")
    assert len(learned(memory, "fact")) == 2
    memory.update(turn, user_id="ada", content="I live in Munich and I work at Bosch.")
    assert "Berlin" not in everything(memory)
    assert "Siemens" not in everything(memory)
    memory.jobs.drain()
    assert sorted(learned(memory, "fact")) == ["User lives in Munich.", "User works at Bosch."]
    assert "Munich" in learned(memory)[0]


def test_a_correction_in_the_middle_tells_no_second_episode_of_what_follows(memory):
    ids = learn(memory, "I live in Berlin.", "I like tea.", "I have a dog.", "I play chess.")
    memory.update(ids[1], user_id="ada", content="I like coffee.")
    memory.jobs.drain()
    assert len(learned(memory)) == 1
    assert sorted(learned(memory, "fact")) == sorted(
        ["User lives in Berlin.", "User likes coffee.", "User has a dog.", "User plays chess."]
    )


def test_a_title_is_made_anew_and_one_that_a_person_gave_stays(memory):
    secret, _ = learn(memory, "The zeppelin zeppelin flies over Lakehurst.", "We adopted a greyhound.")
    memory.sessions.entitle("s", user_id="ada")
    assert "eppelin" in memory.sessions.get("s", user_id="ada").title
    memory.delete(secret, user_id="ada")
    assert "eppelin" not in memory.sessions.get("s", user_id="ada").title
    memory.sessions.start(user_id="ada", session_id="s", title="Zeppelin")
    memory.delete_all(user_id="ada", session_id="s")
    assert memory.sessions.get("s", user_id="ada").title == "Zeppelin"


def test_an_error_of_a_provider_that_repeats_the_prompt_leaves_no_words_with_the_job(clock):
    class Repeating(Wordy):
        def complete(self, messages, **_):
            raise RuntimeError(messages[-1].content)

    models = ModelRouter({"memory_extraction": Repeating()}, clock=clock)
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock, models=models) as memory:
        learn(memory, PHONE)
        (job,) = memory.jobs.list()
        assert "RuntimeError" in job.error
        assert "Mette" not in job.error


class During(Wordy):
    """A model that does something to the memory while it is asked, once."""

    def __init__(self, act):
        super().__init__()
        self.act = act

    def complete(self, messages, **more):
        act, self.act = self.act, None
        if act is not None:
            act()
        return super().complete(messages, **more)


@contextmanager
def asked_while(act, clock, **more):
    model = During(None)
    models = ModelRouter({"memory_extraction": model}, clock=clock)
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock, models=models, **more) as memory:
        ids = [
            one.id for one in memory.add(["I like hobby1.", "I like hobby2."], user_id="ada", session_id="s")
        ]
        model.act = lambda: act(memory, ids)
        memory.sessions.end("s", user_id="ada")
        memory.jobs.drain()
        yield memory


def test_what_is_deleted_while_a_model_reads_it_is_not_learned(clock):
    with asked_while(lambda memory, ids: memory.delete(ids[0], user_id="ada"), clock) as memory:
        assert "hobby1" not in everything(memory)
        assert any("hobby2" in words for words in learned(memory, "fact"))
        assert memory.jobs.list() == []


def test_everything_deleted_while_a_model_reads_it_leaves_nothing(clock):
    with asked_while(lambda memory, _: memory.delete_all(user_id="ada"), clock) as memory:
        assert memory.get_all(user_id="ada") == []
        memory.purge(user_id="ada")
        assert "hobby" not in everything(memory)


def test_what_is_changed_while_a_model_reads_it_is_learned_as_it_is_then(clock):
    def correct(memory, ids):
        memory.update(ids[0], user_id="ada", content="I like hobby3.")

    with asked_while(correct, clock) as memory:
        assert "hobby1" not in everything(memory)
        assert len([words for words in learned(memory, "fact") if "hobby3" in words]) == 1


def test_a_refused_statement_that_is_deleted_while_it_is_decided_is_not_kept(clock):
    policy = AdmissionPolicy(min_confidence=1.0, keep_refused=True)
    with asked_while(
        lambda memory, ids: memory.delete(ids[0], user_id="ada"), clock, learning=Learning(admission=policy)
    ) as memory:
        assert memory.facts.decisions(user_id="ada")
        assert "hobby1" not in everything(memory)
        assert "hobby1" not in json.dumps(memory.parts.store.states(ADA))


# Stopped after each write


class StoppedError(Exception):
    """The process is gone."""


def stopping_memory(memory, after):
    """Let the process stop after so many more writes."""
    tables, left = memory.parts.store._tables, [after]

    class Stopping(type(tables)):
        def settle(self):
            super().settle()
            left[0] -= 1
            if left[0] == 0:
                raise StoppedError

    tables.__class__ = Stopping


@contextmanager
def stopping_file(after):
    """The same of a file."""
    write, left = SQLiteDatabase.write, [after]

    @contextmanager
    def stops(self):
        with write(self) as db:
            yield db
        left[0] -= 1
        if left[0] == 0:
            raise StoppedError

    SQLiteDatabase.write = stops
    try:
        yield
    finally:
        SQLiteDatabase.write = write


SAID = (
    ("I live in Berlin.", "I work at Siemens.", "My sister is called Mette.", "I like tea."),
    ("I live in Berlin.", "I moved to Munich in May.", "I no longer work at Siemens.", "I really like tea."),
)


def begun(memory, clock):
    ids = []
    for number, texts in enumerate(SAID):
        clock.tick(86_400)
        ids += learn(memory, *texts, session=f"s{number}")
    memory.sessions.entitle("s1", user_id="ada")
    return ids


VERBS = {
    "delete": lambda memory, ids: memory.delete(ids[5], user_id="ada"),
    "delete of a repeated turn": lambda memory, ids: memory.delete(ids[0], user_id="ada"),
    "delete_all": lambda memory, _: memory.delete_all(user_id="ada", session_id="s1"),
    "update": lambda memory, ids: memory.update(ids[5], user_id="ada", content="I moved to Rome in June."),
    "undelete": lambda memory, ids: memory.undelete(ids[6], user_id="ada"),
    "delete of a fact": lambda memory, _: memory.delete(_home(memory).id, user_id="ada"),
}


def _home(memory):
    homes = memory.get_all(user_id="ada", kinds=["fact"])
    return next(one for one in homes if "Munich" in one.content)


def state_of(memory):
    """What stands there in the end, without ids and times of storing."""
    every = memory.get_all(user_id="ada")
    said = {one.id: one.content for one in every}
    return sorted(
        (
            one.kind,
            one.content,
            str(one.times.valid_from),
            str(one.times.valid_until),
            sorted(said[source] for source in one.origin.sources),
        )
        for one in every
    ) + [one.title for one in memory.sessions.list(user_id="ada")]


def prepared(memory, clock, verb):
    ids = begun(memory, clock)
    if verb == "undelete":
        memory.delete(ids[6], user_id="ada")
        memory.jobs.drain()
    return ids


def finished(memory, clock):
    clock.tick(3_600)
    memory.jobs.drain()
    assert memory.jobs.list() == memory.jobs.list(failed=True) == []
    assert memory.parts.learner.mender.adrift(ADA) == []
    return state_of(memory)


@table("verb", VERBS)
def test_a_process_that_stops_after_any_write_of_a_verb_leaves_what_one_leaves_that_does_not(verb):
    clock = FakeClock()
    kept = InMemoryStore(clock=clock)
    ids = prepared(Memory(kept, embedder="hashing", clock=clock), clock, verb)

    then = FakeClock(clock())
    with opened(copied(kept, clock=then), then) as memory:
        VERBS[verb](memory, ids)
        whole = finished(memory, then)
    for after in range(1, 60):
        then = FakeClock(clock())
        store = copied(kept, clock=then)
        memory = opened(store, then)
        stopping_memory(memory, after)
        try:
            VERBS[verb](memory, ids)
        except StoppedError:
            store.__class__ = InMemoryStore
        else:
            assert after > 1
            break
        assert finished(opened(store, then), then) == whole, after
    else:
        pytest.fail("more writes than expected")


def opened(place, clock):
    return Memory(place, embedder="hashing", clock=clock)


@pytest.mark.parametrize("verb", VERBS)
def test_so_it_is_in_a_file_and_the_doctor_tells_what_is_unfinished(tmp_path, verb):
    clock, kept = FakeClock(), tmp_path / "kept.db"
    with opened(kept, clock) as memory:
        ids = prepared(memory, clock, verb)
    for after in range(1, 60):
        then, place = FakeClock(clock()), tmp_path / f"{after}.db"
        shutil.copy(kept, place)
        memory = opened(place, then)
        try:
            with stopping_file(after):
                VERBS[verb](memory, ids)
        except StoppedError:
            pass
        else:
            break
        memory.close()
        with opened(place, then) as again:
            unfinished = [one for one in again.jobs.list() if one.task == "mend"]
            assert bool(unfinished) == bool(again.maintenance.doctor().problems)
            finished(again, then)
            assert again.maintenance.doctor().problems == ()
    assert after > 1


def test_purging_a_session_removes_what_was_deleted_of_it_and_nothing_else(memory):
    memory.add("I like tea.", user_id="ada", session_id="s")
    assert memory.purge(user_id="ada", session_id="s") == 0
    assert memory.search("tea", user_id="ada")
    memory.delete_all(user_id="ada", session_id="s")
    assert memory.purge(user_id="ada", session_id="s") >= 1
    assert memory.search("tea", user_id="ada") == []

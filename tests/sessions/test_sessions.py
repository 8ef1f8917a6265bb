"""Sessions: started, gone on with, counted, ended by hand and by time, also after a restart."""

from datetime import timedelta

import pytest

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.sessions.sessions import TIMEOUT_S
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import FakeClock


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(clock):
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


@pytest.fixture(params=["memory", "sqlite", "qdrant", "postgresql"])
def anywhere(request, tmp_path, clock):
    store = {
        "memory": lambda: InMemoryStore(clock=clock),
        "sqlite": lambda: str(tmp_path / "brain.db"),
        "qdrant": lambda: "qdrant:///:memory:",
        "postgresql": lambda: request.getfixturevalue("postgres_url"),
    }[request.param]()
    with Memory(store, embedder="hashing", clock=clock) as made:
        yield made


def later(clock, seconds):
    clock.tick(seconds)


def test_a_session_is_started_counted_ended_and_opened_again(anywhere, clock):
    started = anywhere.sessions.start(user_id="ada", title="Garden")
    assert (started.message_count, started.ended_at, started.title) == (0, None, "Garden")
    later(clock, 60)
    for role in ("user", "assistant"):
        anywhere.add({"role": role, "content": "roses"}, user_id="ada", session_id=started.id)
    told = anywhere.sessions.get(started.id, user_id="ada")
    assert (told.message_count, told.last_activity, told.started_at) == (2, clock(), started.started_at)
    later(clock, 60)
    ended = anywhere.sessions.end(started.id, user_id="ada")
    assert ended.ended_at == clock()
    assert len(anywhere.jobs.list()) == 1
    later(clock, 60)
    anywhere.add("more roses", user_id="ada", session_id=started.id)
    assert anywhere.sessions.get(started.id, user_id="ada").ended_at is None
    assert anywhere.sessions.start(user_id="ada", session_id=started.id).title == "Garden"


def test_a_session_nobody_started_is_told_by_its_messages(anywhere, clock):
    anywhere.add(["one", "two"], user_id="ada", session_id="s")
    (session,) = anywhere.sessions.list(user_id="ada")
    assert (session.id, session.message_count, session.started_at) == ("s", 2, clock())
    assert anywhere.sessions.list(user_id="bob") == []


def test_a_session_times_out_and_is_ended_and_learned(memory, clock):
    memory.add("I live in Berlin.", user_id="ada", session_id="s")
    later(clock, TIMEOUT_S - 1)
    assert memory.sessions.end_idle(user_id="ada") == []
    later(clock, 1)
    (idle,) = memory.sessions.list(user_id="ada")
    assert idle.ended_at == idle.last_activity + timedelta(seconds=TIMEOUT_S)
    assert [one.id for one in memory.sessions.end_idle(user_id="ada")] == ["s"]
    assert memory.sessions.end_idle(user_id="ada") == []
    assert memory.jobs.drain().facts == 1


def test_the_last_active_come_first_and_agents_are_kept_apart(memory, clock):
    for agent, session in ((None, "s"), ("cook", "s"), ("cook", "t")):
        later(clock, 1)
        memory.add("hello", user_id="ada", agent_id=agent, session_id=session)
    found = memory.sessions.list(user_id="ada")
    assert [(one.agent_id, one.id) for one in found] == [("cook", "t"), ("cook", "s"), (None, "s")]
    assert len(memory.sessions.list(user_id="ada", agent_id="cook", limit=1)) == 1
    memory.sessions.end("s", user_id="ada", agent_id="cook")
    assert memory.sessions.get("s", user_id="ada").ended_at is None


def test_sessions_survive_a_restart(tmp_path, clock):
    with Memory(tmp_path / "brain.db", embedder="hashing", clock=clock) as memory:
        started = memory.sessions.start(user_id="ada", title="Garden")
        memory.add("roses", user_id="ada", session_id=started.id)
        before = memory.sessions.end(started.id, user_id="ada")
    with Memory(tmp_path / "brain.db", embedder="hashing", clock=clock) as memory:
        assert memory.sessions.get(started.id, user_id="ada") == before


def test_a_purged_session_leaves_nothing_behind(tmp_path, clock):
    with Memory(tmp_path / "brain.db", embedder="hashing", clock=clock) as memory:
        memory.add("keep", user_id="ada")
        memory.sessions.start(user_id="ada", session_id="surgery", title="Gallbladder")
        memory.add("it hurts", user_id="ada", session_id="surgery")
        memory.delete_all(user_id="ada", session_id="surgery")
        memory.purge(user_id="ada", session_id="surgery")
        assert [one.title for one in memory.sessions.list(user_id="ada")] == [None]
    assert b"Gallbladder" not in (tmp_path / "brain.db").read_bytes()


@pytest.mark.parametrize("call", ["get", "end"])
def test_an_unknown_session_is_not_found(memory, call):
    memory.add("hello", user_id="bob", session_id="s")
    with pytest.raises(NotFoundError):
        getattr(memory.sessions, call)("s", user_id="ada")


@pytest.mark.parametrize("bad", [{"session_id": " "}, {"title": ""}, {"user_id": ""}])
def test_bad_arguments_are_refused(memory, bad):
    with pytest.raises(InvalidInputError):
        memory.sessions.start(**{"user_id": "ada", **bad})


def test_a_text_is_no_scope_of_empty_sessions():
    with Memory(":memory:", embedder="hashing") as memory, pytest.raises(InvalidInputError, match="a Scope"):
        memory.sessions.forget_empty("text")


def test_a_session_that_is_renamed_stays_as_old_as_it_was(memory, clock):
    memory.add("Hi", user_id="ada", session_id="old", timestamp="2020-01-01T10:00:00Z")
    before = memory.sessions.get("old", user_id="ada")
    memory.sessions.rename("old", "Hello", user_id="ada")
    after = memory.sessions.get("old", user_id="ada")
    assert (after.title, after.started_at, after.ended_at) == ("Hello", before.started_at, before.ended_at)
    memory.sessions.rename("old", "Bye", user_id="ada")
    assert memory.sessions.get("old", user_id="ada").title == "Bye"
    with pytest.raises(InvalidInputError):
        memory.sessions.rename("old", " ", user_id="ada")

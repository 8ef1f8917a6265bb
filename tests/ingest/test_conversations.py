"""Words without a session: the implicit conversation they belong to, learned on every way in."""

import asyncio
import io
import json
import time
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client
from typer.testing import CliRunner

from recollect import AsyncMemory, Memory, StoreError
from recollect.cli import app
from recollect.ingest.conversations import PREFIX, TIMEOUT_S
from recollect.learning.admission import Learning
from recollect.learning.outcomes import Learned
from recollect.memory.agent import MemoryAgent
from recollect.server import ServerSettings, create_app, mcp_tools
from recollect.server.mcp import Held, make_mcp
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import NOON, FakeClock
from recollect.types import MemoryRecord, Scope

HALF_AN_HOUR = timedelta(seconds=TIMEOUT_S)
TALK = [
    "I live in Berlin.",
    "I work at Siemens.",
    "It rained all day.",
    "My sister lives in Rome.",
    "I prefer tea.",
    "What shall I cook tonight?",
    "I play chess.",
    "I am allergic to peanuts.",
    "The train was late again.",
    "My dog is called Miso.",
    "I speak Spanish.",
    "Good night!",
    "I have two brothers.",
    "I like jazz.",
    "I don't like coriander.",
    "See you tomorrow.",
]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(clock: FakeClock) -> Any:
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


@pytest.fixture(params=["memory", "json", "sqlite", "sparql", "qdrant", "postgresql"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Any:
    store: Any = {
        "memory": lambda: InMemoryStore(clock=clock),
        "json": lambda: f"json:///{tmp_path / 'brain'}",
        "sqlite": lambda: str(tmp_path / "brain.db"),
        "sparql": lambda: f"oxigraph:///{tmp_path / 'brain'}",
        "qdrant": lambda: "qdrant:///:memory:",
        "postgresql": lambda: request.getfixturevalue("postgres_url"),
    }[request.param]()
    with Memory(store, embedder="hashing", clock=clock) as made:
        yield made


def session_of(memory: Memory, memory_id: str | None, user: str = "ada") -> str | None:
    return memory.get(str(memory_id), user_id=user).scope.session_id


def say(memory: Memory, words: Any, **more: Any) -> str | None:
    """Add one message without a session, and tell its implicit one."""
    (result,) = memory.add(words, user_id="ada", **more)
    return session_of(memory, result.id)


def facts(memory: Memory, user: str = "ada") -> set[str]:
    return {record.content for record in memory.get_all(user_id=user, kinds=["fact"])}


# Which conversation


def test_a_message_without_a_session_begins_a_conversation_named_after_it(anywhere: Memory) -> None:
    (result,) = anywhere.add("I live in Berlin.", user_id="ada")
    assert session_of(anywhere, result.id) == f"{PREFIX}{result.id}"
    (session,) = anywhere.sessions.list(user_id="ada")
    assert (session.id, session.message_count) == (f"{PREFIX}{result.id}", 1)


def test_it_goes_on_for_half_an_hour_and_then_another_begins(anywhere: Memory, clock: FakeClock) -> None:
    first = say(anywhere, "Hello.")
    clock.tick(TIMEOUT_S)
    assert say(anywhere, "Still there?") == first
    clock.tick(TIMEOUT_S)
    assert say(anywhere, "Still.") == first
    clock.tick(TIMEOUT_S + 1)
    assert say(anywhere, "Hello again.") != first
    assert [one.message_count for one in anywhere.sessions.list(user_id="ada")] == [1, 3]


def test_another_process_goes_on_with_the_same_conversation(tmp_path: Path, clock: FakeClock) -> None:
    with (
        Memory(tmp_path / "m.db", embedder="hashing", clock=clock) as one,
        Memory(tmp_path / "m.db", embedder="hashing", clock=clock) as two,
    ):
        first = say(one, "Hello.")
        assert say(two, "Hello from here.") == first
        clock.tick(TIMEOUT_S + 1)
        second = say(two, "Good morning.")
        assert say(one, "Good morning from here.") == second != first


def test_users_and_agents_have_conversations_of_their_own(memory: Memory) -> None:
    mine = {
        say(memory, "Hello."),
        say(memory, "Hello.", agent_id="cook"),
        say(memory, "Hi.", agent_id="guide"),
    }
    (his,) = memory.add("Hello.", user_id="bob")
    mine.add(session_of(memory, his.id, user="bob"))
    assert len(mine) == 4
    assert say(memory, "More.", agent_id="cook") in mine


def test_a_named_session_in_between_changes_nothing(memory: Memory) -> None:
    first = say(memory, "Hello.")
    assert say(memory, "Elsewhere.", session_id="mine") == "mine"
    assert say(memory, "Here again.") == first


def test_who_names_an_implicit_session_goes_on_with_it(memory: Memory, clock: FakeClock) -> None:
    first = say(memory, "Hello.")
    clock.tick(86_400)
    assert say(memory, "One more thing.", session_id=first) == first
    assert memory.sessions.get(str(first), user_id="ada").message_count == 2


def test_the_items_of_a_list_are_divided_where_they_lie_apart(memory: Memory) -> None:
    minutes = (0, 5, 34, 65, 66, 300)
    messages = [{"content": f"{m}", "timestamp": NOON + timedelta(minutes=m)} for m in minutes]
    added = [session_of(memory, result.id) for result in memory.add(messages, user_id="ada")]
    assert [added.index(session) for session in added] == [0, 0, 0, 3, 3, 5]


def test_a_fact_given_as_one_has_no_conversation(memory: Memory) -> None:
    assert say(memory, "Ada lives in Berlin.", kind="fact") is None
    given = memory.add([{"content": "Ada likes tea.", "kind": "fact"}, "Hello.", "Hi."], user_id="ada")
    fact, hello, hi = (session_of(memory, one.id) for one in given)
    assert fact is None
    assert hello == hi is not None


def test_a_message_stored_without_a_session_earlier_stays_as_it_is(tmp_path: Path) -> None:
    with Memory(":memory:", embedder="hashing") as source:
        source.add("I live in Rome.", user_id="ada", kind="fact")
        target = io.StringIO()
        source.export(target)
    old = target.getvalue().splitlines()
    line = json.loads(old[1])
    line["memory"]["scope"].pop("session_id", None)
    line["memory"]["origin"].update(thread="")
    with Memory(tmp_path / "m.db", embedder="hashing") as memory:
        memory.load(io.StringIO("\n".join([old[0], json.dumps(line)])))
        (record,) = memory.get_all(user_id="ada")
        assert record.scope.session_id is None
        assert str(say(memory, "Hello again.")).startswith(PREFIX)
        assert memory.jobs.drain().sessions == 1


def test_a_conversation_is_read_ended_named_searched_and_deleted_like_any_other(memory: Memory) -> None:
    session = str(say(memory, "I live in Berlin."))
    assert memory.sessions.entitle(session, user_id="ada").text
    assert memory.search("Berlin", user_id="ada", session_id=session)
    assert memory.sessions.end(session, user_id="ada").ended_at is not None
    memory.jobs.drain()
    assert memory.get_all(user_id="ada", kinds=["episode"])[0].metadata["session_id"] == session
    memory.delete_all(user_id="ada", session_id=session)
    assert facts(memory) == set()


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(-5 * 3_600, 5 * 3_600), min_size=1, max_size=12), st.booleans())
def test_with_any_clock_every_message_has_a_conversation_and_keeps_its_place(
    steps: list[int], backdated: bool
) -> None:
    """The clock jumps about, or the words are dated so: each goes on with the one before, or begins anew."""
    clock = FakeClock()
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as memory:
        records: list[MemoryRecord] = []
        for number, step in enumerate(steps):
            moment = NOON + timedelta(seconds=step)
            if not backdated:
                clock.now = moment
            (result,) = memory.add(str(number), user_id="ada", timestamp=moment if backdated else None)
            records.append(memory.get(str(result.id), user_id="ada"))
        assert records[0].scope.session_id == f"{PREFIX}{records[0].id}"
        for before, record in pairwise(records):
            near = abs(record.times.happened_at - before.times.happened_at) <= HALF_AN_HOUR
            own = f"{PREFIX}{record.id}"
            assert record.scope.session_id == (before.scope.session_id if near else own)
        for session in {record.scope.session_id for record in records}:
            turns = [one.origin.turn for one in records if one.scope.session_id == session]
            assert turns == list(range(len(turns)))
        assert sum(one.message_count for one in memory.sessions.list(user_id="ada")) == len(steps)
        assert memory.jobs.drain().sessions == len(memory.sessions.list(user_id="ada"))
        assert memory.jobs.list() == []


# When it is learned


def due(memory: Memory) -> Learned:
    """What a worker in the background learns now."""
    return memory.jobs.drain(due_only=True)


@pytest.mark.parametrize("session", [None, "named"])
def test_every_fourth_message_is_learned_at_once_and_the_rest_after_the_pause(
    anywhere: Memory, clock: FakeClock, session: str | None
) -> None:
    learned = []
    for words in TALK[:6]:
        anywhere.add(words, user_id="ada", session_id=session)
        clock.tick(60)
        learned.append(due(anywhere).sessions)
    assert learned == [0, 0, 0, 1, 0, 0]
    assert "User prefers tea." not in facts(anywhere)
    clock.tick(TIMEOUT_S - 61)
    assert due(anywhere) == Learned()
    clock.tick(1)
    assert due(anywhere).facts == 1
    assert "User prefers tea." in facts(anywhere)
    assert anywhere.jobs.list() == []


def test_one_job_waits_for_the_pause_however_much_is_said(memory: Memory, clock: FakeClock) -> None:
    for number in range(40):
        memory.add(f"Number {number}.", user_id="ada")
        clock.tick(1)
        due(memory)
        assert len(memory.jobs.list()) == (number % 4 != 3)
    memory.add(["One.", "Two.", "Three.", "Four."], user_id="ada", session_id="other")
    memory.add(["One.", "Two.", "Three.", "Four."], user_id="ada", session_id="other")
    assert len(memory.jobs.list()) == 1


def test_a_conversation_that_goes_on_uses_up_no_attempts(clock: FakeClock) -> None:
    with Memory(
        InMemoryStore(clock=clock), embedder="hashing", clock=clock, learning=Learning(after=99)
    ) as memory:
        for _ in range(10):
            memory.add("I prefer tea.", user_id="ada")
            clock.tick(TIMEOUT_S - 1)
            assert due(memory) == Learned()
            [job] = memory.jobs.list()
            assert (job.attempts, job.error) == (0, None)
        clock.tick(1)
        assert due(memory).sessions == 1


def test_what_is_said_after_a_drain_is_learned_after_the_pause_too(memory: Memory, clock: FakeClock) -> None:
    for words in ("I live in Berlin.", "I prefer tea.", "I play chess."):
        memory.add(words, user_id="ada")
        assert memory.jobs.drain().facts == 1
    memory.add("I like jazz.", user_id="ada", session_id="short")
    clock.tick(TIMEOUT_S)
    assert due(memory).facts == 1


def test_what_is_said_while_a_conversation_is_learned_is_learned_later(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, said = memory.parts.learner.keeper.take, []

    def taking(*given: Any, **more: Any) -> Learned:
        if not said:
            said.append(memory.add("I play chess.", user_id="ada"))
        return take(*given, **more)

    monkeypatch.setattr(memory.parts.learner.keeper, "take", taking)
    memory.add("I prefer tea.", user_id="ada")
    clock.tick(TIMEOUT_S)
    assert due(memory).facts == 1
    clock.tick(TIMEOUT_S)
    assert due(memory).facts == 1


def test_words_that_were_added_already_queue_nothing(memory: Memory) -> None:
    memory.add("I prefer tea.", user_id="ada", idempotency_key="k")
    memory.jobs.drain()
    for _ in range(5):
        memory.add("I prefer tea.", user_id="ada", idempotency_key="k")
    assert memory.jobs.list() == []
    assert len(memory.sessions.list(user_id="ada")) == 1


def test_words_dated_long_ago_that_come_in_bit_by_bit_are_learned_together(
    memory: Memory, clock: FakeClock
) -> None:
    for number in range(3):
        memory.add(TALK[number], user_id="ada", timestamp=NOON - timedelta(days=900 - number / 1_000))
        clock.tick(60)
        assert due(memory) == Learned()
    clock.tick(TIMEOUT_S)
    assert due(memory).sessions == 1


def test_a_clock_that_was_years_ahead_does_not_keep_a_conversation_open(tmp_path: Path) -> None:
    ahead, clock = FakeClock(NOON + timedelta(days=900)), FakeClock()
    store = InMemoryStore(clock=clock)
    with Memory(store, embedder="hashing", clock=ahead) as memory:
        memory.add("I prefer tea.", user_id="ada")
        ahead.now = NOON
        clock.tick(TIMEOUT_S)
        assert due(memory).facts == 1


def test_with_learn_after_none_only_the_end_of_a_conversation_is_learned(clock: FakeClock) -> None:
    with Memory(
        InMemoryStore(clock=clock), embedder="hashing", clock=clock, learning=Learning(after=None)
    ) as memory:
        session = say(memory, ["I prefer tea."])
        assert memory.jobs.list() == []
        memory.sessions.end(str(session), user_id="ada")
        assert memory.jobs.drain().facts == 1


def test_a_purged_conversation_counts_its_messages_anew(memory: Memory) -> None:
    for _ in range(2):
        for words in TALK[:4]:
            memory.add(words, user_id="ada", session_id="mine")
        assert due(memory).sessions == 1
        memory.delete_all(user_id="ada")
        memory.purge(user_id="ada")


def test_a_postponed_job_that_cannot_be_stored_back_is_taken_again(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise StoreError("gone")

    memory.add("I prefer tea.", user_id="ada")
    clock.tick(TIMEOUT_S - 1)
    memory.add("Hm.", user_id="ada")
    clock.tick(1)
    with monkeypatch.context() as patched:
        patched.setattr(memory.parts.store, "postpone_job", broken)
        with pytest.raises(StoreError):
            due(memory)
    clock.tick(TIMEOUT_S)
    assert due(memory).facts == 1


# Said in a line


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ([], "nothing to learn: nothing new was said"),
        (["It rained all day."], "read 1 conversation: no new fact, 1 episode"),
        (["I prefer tea."], "read 1 conversation: 1 new fact, 1 episode"),
    ],
)
def test_what_was_learned_is_told_in_a_line(memory: Memory, said: list[str], line: str) -> None:
    if said:
        memory.add(said, user_id="ada")
    assert str(memory.jobs.drain()) == line
    assert str(memory.jobs.drain()) == "nothing to learn: nothing new was said"


# Every way in


def by_library(db: Path) -> None:
    with Memory(db, embedder="hashing") as memory:
        for words in TALK:
            memory.add(words, user_id="ada")
        memory.jobs.drain()


def by_async_library(db: Path) -> None:
    async def add() -> None:
        async with AsyncMemory(db, embedder="hashing") as memory:
            for words in TALK:
                await memory.add(words, user_id="ada")
            await memory.jobs.drain()

    asyncio.run(add())


def by_agent(db: Path) -> None:
    with Memory(db, embedder="hashing") as memory:
        agent = MemoryAgent(memory, user_id="ada")
        for words in TALK:
            agent.chat(words)
        memory.jobs.drain()


def by_command(db: Path) -> None:
    runner, at = CliRunner(), ["--user-id", "ada", "--embedder", "hashing", "--db", str(db)]
    for words in TALK:
        assert runner.invoke(app, ["add", words, *at]).exit_code == 0
    assert runner.invoke(app, ["worker", "--once", "--db", str(db), "--embedder", "hashing"]).exit_code == 0


def by_http(db: Path) -> None:
    """As the page adds, too."""
    settings = ServerSettings(poll_s=0.02)
    app = create_app(Memory(db, embedder="hashing"), settings=settings)
    with TestClient(app, base_url="http://127.0.0.1:8377") as client:
        for words in TALK:
            answer = client.post("/memories", json={"messages": words, "user_id": "ada"})
            assert answer.status_code == 201
    with Memory(db, embedder="hashing") as memory:
        memory.jobs.drain()


def by_mcp(db: Path) -> None:
    held = Held(lambda: Memory(db, embedder="hashing"))

    async def add() -> None:
        async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
            for words in TALK:
                assert not (await client.call_tool("add", {"content": words})).is_error

    asyncio.run(add())
    held.close()
    with Memory(db, embedder="hashing") as memory:
        memory.jobs.drain()


WAYS = [by_library, by_async_library, by_agent, by_command, by_http, by_mcp]


@pytest.fixture(scope="module")
def expected() -> set[str]:
    """What the same words teach in a named session."""
    with Memory(":memory:", embedder="hashing") as memory:
        for words in TALK:
            memory.add(words, user_id="ada", session_id="named")
        memory.jobs.drain()
        return facts(memory)


@pytest.mark.parametrize("way", WAYS)
def test_words_without_a_session_teach_the_same_on_every_way_in(
    tmp_path: Path, way: Callable[[Path], None], expected: set[str]
) -> None:
    db = tmp_path / "m.db"
    way(db)
    with Memory(db, embedder="hashing") as memory:
        assert len(expected) >= 8
        assert facts(memory) == expected
        assert memory.jobs.list() == []
        assert len(memory.sessions.list(user_id="ada")) == 1


def until(true: Callable[[], bool], *, seconds: float = 60) -> bool:
    ends = time.monotonic() + seconds
    while not true() and time.monotonic() < ends:
        time.sleep(0.005)
    return true()


def test_a_server_learns_by_itself_when_the_conversation_has_paused(memory: Memory, clock: FakeClock) -> None:
    served = create_app(memory, settings=ServerSettings(poll_s=0.01))
    with TestClient(served, base_url="http://127.0.0.1:8377") as client:
        client.post("/memories", json={"messages": "I prefer tea.", "user_id": "ada"})
        clock.tick(TIMEOUT_S)
        assert until(lambda: facts(memory) == {"User prefers tea."})


def test_an_mcp_server_learns_by_itself_when_the_conversation_has_paused(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_tools, "_POLL_S", 0.01)
    held = Held(lambda: memory)

    async def add() -> None:
        async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
            await client.call_tool("add", {"content": "I prefer tea."})

    asyncio.run(add())
    clock.tick(TIMEOUT_S)
    assert until(lambda: facts(memory) == {"User prefers tea."})
    held.close()

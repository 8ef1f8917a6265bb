"""Facts learned from conversations: queued with the words, kept true, forgotten with their sources."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count

import pytest

from recollect import ClosedError, InvalidInputError, Memory, NotFoundError, StoreError
from recollect.learning import leases, queue
from recollect.learning.extraction import extract
from recollect.stores.reference.store import InMemoryStore
from recollect.stores.sqlite import SQLiteStore
from recollect.testing.fakes import NOON, FakeClock
from recollect.types import Within
from recollect.types.ids import new_id

BERLIN = "I live in Berlin and work at Siemens."
LISBON = "I moved to Lisbon."


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(clock):
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


def say(memory, *texts, session="s", user="ada", **more):
    messages = [text if isinstance(text, dict) else {"role": "user", "content": text} for text in texts]
    return [result.id for result in memory.add(messages, user_id=user, session_id=session, **more)]


def learn(memory, *texts, session="s", user="ada", **more):
    ids = say(memory, *texts, session=session, user=user, **more)
    memory.sessions.end(session, user_id=user)
    return ids, memory.jobs.drain()


def facts(memory, user="ada", **more):
    return [record.content for record in memory.get_all(user_id=user, kinds=["fact"], **more)]


def fact(memory, words, user="ada"):
    (found,) = [one for one in memory.get_all(user_id=user, kinds=["fact"]) if words in one.content]
    return found


# Queue


def test_a_session_is_learned_with_every_fourth_message(memory):
    learned, waiting = [], []
    for _ in range(9):
        say(memory, "Hello there")
        waiting.append(len(memory.jobs.list()))
        learned.append(memory.jobs.drain(due_only=True).sessions)
    assert learned == [0, 0, 0, 1, 0, 0, 0, 1, 0]
    assert waiting == [1] * 9


def test_a_job_is_stored_with_its_words_or_not_at_all(memory, monkeypatch):
    def fail(*_, **__):
        raise OSError("the disk is full")

    monkeypatch.setattr(memory.parts.store._tables, "enter", fail)
    with pytest.raises(OSError, match="full"):
        say(memory, *[BERLIN] * 4)
    monkeypatch.undo()
    assert memory.jobs.list() == []


def test_a_session_that_ended_is_queued_once(memory):
    say(memory, BERLIN)
    assert memory.sessions.end("s", user_id="ada").queued
    memory.jobs.drain()
    assert not memory.sessions.end("s", user_id="ada").queued
    with pytest.raises(NotFoundError, match="unknown"):
        memory.sessions.end("unknown", user_id="ada")


def test_adding_never_learns_by_itself(memory):
    say(memory, *[BERLIN] * 8)
    assert facts(memory) == []


# Learning


@pytest.fixture(params=["sqlite", "qdrant", "postgresql", "pinecone"])
def anywhere(request, tmp_path, clock):
    if request.param == "postgresql":
        place = request.getfixturevalue("postgres_url")
    elif request.param == "pinecone":
        place = request.getfixturevalue("pinecone_url")
    elif request.param == "qdrant":
        if os.environ.get("CI") != "true":
            pytest.importorskip("qdrant_client")
        place = "qdrant:///:memory:"
    else:
        place = tmp_path / "brain.db"
    with Memory(place, embedder="hashing", clock=clock) as made:
        yield made


def test_facts_are_learned_with_their_sources_and_kept_true_in_every_store(anywhere, clock):
    (source,), first = learn(anywhere, BERLIN, session="one")
    assert (first.sessions, first.facts) == (1, 2)
    stored = fact(anywhere, "lives in")
    assert (stored.content, stored.labels.category, stored.origin.sources) == (
        "User lives in Berlin.", "context", (source,),
    )  # fmt: skip
    assert anywhere.graph.links(stored.id, user_id="ada")[0].type == "derived-from"
    clock.tick(86_400)
    _, second = learn(anywhere, LISBON, session="two")
    assert (second.facts, second.ended) == (1, 1)
    now = [
        hit.memory.content
        for hit in anywhere.search("where does the user live", user_id="ada", kinds=["fact"])
    ]
    then = anywhere.search(
        "where does the user live",
        user_id="ada",
        kinds=["fact"],
        within=Within(as_of=NOON + timedelta(hours=1)),
    )
    assert "User lives in Berlin." not in now
    assert "User lives in Berlin." in [hit.memory.content for hit in then]
    ended = fact(anywhere, "lives in Berlin")
    assert anywhere.history(ended.id, user_id="ada")[-1].reason.startswith("a newer fact holds: ")
    links = anywhere.graph.links(ended.id, user_id="ada")
    assert {link.type for link in links} == {"derived-from", "supersedes"}


def test_a_fact_that_is_said_again_is_linked_with_every_turn_that_says_it(anywhere, clock):
    (first,), _ = learn(anywhere, "I like chess.", session="one")
    clock.tick(86_400)
    (again,), learned = learn(anywhere, "I really like chess.", session="two")
    assert learned.reinforced == 1
    liked = fact(anywhere, "chess")
    assert {(link.type, link.target_id) for link in anywhere.graph.links(liked.id, user_id="ada")} == {
        ("derived-from", first),
        ("derived-from", again),
    }
    assert set(liked.origin.sources) == {first, again}


@pytest.mark.parametrize(
    "nothing",
    [
        "Do you know if I live in Berlin?",
        "If I lived in Berlin I would be happy.",
        {"role": "assistant", "content": BERLIN},
        "I wish I lived in Berlin.",
    ],
)
def test_what_teaches_nothing_teaches_nothing(memory, nothing):
    _, learned = learn(memory, nothing)
    assert (learned.sessions, learned.facts, facts(memory)) == (1, 0, [])


def test_a_speaker_with_a_name_is_named(memory):
    learn(memory, {"role": "user", "name": "Ada", "content": "I prefer tea."})
    assert facts(memory) == ["Ada prefers tea."]


def test_saying_it_again_makes_a_fact_surer_and_adds_none(memory, clock):
    learn(memory, "I think I prefer Python.", session="one")
    before = fact(memory, "Python")
    clock.tick(3_600)
    ids, learned = learn(memory, "I prefer Python.", session="two")
    after = fact(memory, "Python")
    assert (learned.facts, learned.reinforced) == (0, 1)
    assert before.worth.confidence < after.worth.confidence <= 1
    assert after.origin.sources == (*before.origin.sources, *ids)


def test_doing_a_job_again_changes_nothing(memory, clock):
    learn(memory, BERLIN, "I like tea.", "I do not like coriander.")
    before = memory.get_all(user_id="ada", kinds=["fact"])
    memory.parts.store.change_state(
        memory.parts.scope("ada"), queue.state_of(memory.parts.scope("ada", None, "s")), lambda _: None
    )
    assert memory.sessions.end("s", user_id="ada").queued
    again = memory.jobs.drain()
    assert (again.sessions, again.facts, again.reinforced) == (1, 0, 0)
    assert memory.get_all(user_id="ada", kinds=["fact"]) == before


@pytest.mark.parametrize("pause", [10, 3_600])
@pytest.mark.parametrize("known", ["I like jazz.", "I play football on Sundays."])
def test_what_ended_a_fact_is_read_again_and_changes_nothing(memory, clock, known, pause):
    learn(memory, known)
    clock.tick(pause)
    _, learned = learn(memory, "I used to like jazz." if "jazz" in known else "I used to play football.")
    assert learned.ended == 1
    before = memory.get_all(user_id="ada", kinds=["fact"])
    clock.tick(60)
    _, again = learn(memory, "Hm.", "I see.")
    assert (again.facts, again.reinforced, again.ended) == (0, 0, 0)
    assert memory.get_all(user_id="ada", kinds=["fact"]) == before


def test_a_long_session_is_learned_to_its_beginning(memory):
    texts = [f"I like hobby{n}." for n in range(30)]
    learn(memory, *texts)
    assert len(facts(memory)) == 30


def test_users_and_agents_learn_apart(memory):
    learn(memory, BERLIN, user="ada")
    learn(memory, LISBON, user="bob")
    assert fact(memory, "lives in", user="ada").content == "User lives in Berlin."
    assert fact(memory, "Lisbon", user="bob").times.valid_until is None


def test_an_episode_tells_what_happened_in_one_line_with_its_sources(memory):
    ids, learned = learn(
        memory, "I finished the data project with pandas today!", "Great, how was it?", "Hard."
    )
    (episode,) = memory.get_all(user_id="ada", kinds=["episode"])
    assert learned.episodes == 1
    assert "data project" in episode.content
    assert set(episode.origin.sources) <= set(ids)
    assert 0 < episode.worth.importance <= 1
    assert episode.metadata["session_id"] == "s"
    for one in ids:
        memory.delete(one, user_id="ada")
    assert memory.get_all(user_id="ada") == []


# Contradictions


@pytest.fixture
def contradicted(memory, clock):
    learn(memory, "I like coriander.", session="one")
    clock.tick(3_600)
    _, learned = learn(memory, "I don't like coriander.", session="two")
    assert learned.conflicts == 1
    return memory


def test_what_only_a_person_can_decide_waits(contradicted):
    (conflict,) = contradicted.facts.conflicts(user_id="ada")
    assert (conflict.known.content, conflict.new.content) == (
        "User likes coriander.", "User does not like coriander.",
    )  # fmt: skip
    assert contradicted.facts.conflicts(user_id="bob") == []


@pytest.mark.parametrize("winner", ["known", "new"])
def test_a_person_decides_and_the_history_says_so(contradicted, clock, winner):
    (conflict,) = contradicted.facts.conflicts(user_id="ada")
    loser = {"known": "new", "new": "known"}[winner]
    keep, drop = getattr(conflict, winner), getattr(conflict, loser)
    contradicted.facts.resolve(keep.id, drop.id, user_id="ada")
    assert contradicted.facts.conflicts(user_id="ada") == []
    clock.tick(60)
    found = [hit.memory.id for hit in contradicted.search("coriander", user_id="ada", kinds=["fact"])]
    assert found == [keep.id]
    assert contradicted.history(drop.id, user_id="ada")[-1].reason == "a person decided"


@pytest.mark.parametrize("named", ["known", "new"])
def test_both_facts_may_hold_whichever_is_named(contradicted, named):
    (conflict,) = contradicted.facts.conflicts(user_id="ada")
    contradicted.facts.resolve(getattr(conflict, named).id, user_id="ada")
    assert contradicted.facts.conflicts(user_id="ada") == []
    assert len(contradicted.search("coriander", user_id="ada", kinds=["fact"])) == 2
    with pytest.raises(InvalidInputError, match="contradicts no other"):
        contradicted.facts.resolve(getattr(conflict, named).id, user_id="ada")


def test_only_facts_of_the_user_are_decided(contradicted):
    (conflict,) = contradicted.facts.conflicts(user_id="ada")
    with pytest.raises(NotFoundError):
        contradicted.facts.resolve(conflict.new.id, user_id="bob")
    with pytest.raises(InvalidInputError, match="not a fact"):
        contradicted.facts.resolve(conflict.new.origin.sources[0], user_id="ada")


def test_what_is_learned_from_a_message_ends_with_it(memory, clock):
    ends = clock.now + timedelta(days=2)
    say(memory, "I live in Plymouth. My doctor is Dr Penhale.", valid_until=ends)
    memory.jobs.drain()
    learned = memory.get_all(user_id="ada", kinds=["fact", "episode"])
    assert {one.kind for one in learned} == {"fact", "episode"}
    assert {one.times.valid_until for one in learned} == {ends}
    clock.tick(3 * 86_400)
    assert not memory.profile(user_id="ada").facts
    assert memory.search("Plymouth", user_id="ada") == []


def test_what_was_learned_from_a_message_gets_the_end_that_it_is_given_later(memory, clock):
    (turn,) = say(memory, "I live in Lisbon until tomorrow. My doctor is Dr Penhale.")
    memory.jobs.drain()
    own_end = fact(memory, "Lisbon").times.valid_until
    for days in (2, 30):
        ends = clock.now + timedelta(days=days)
        memory.update(turn, user_id="ada", valid_until=ends)
        assert fact(memory, "Penhale").times.valid_until == ends
    assert fact(memory, "Lisbon").times.valid_until == own_end is not None
    assert memory.get_all(user_id="ada", kinds=["episode"])[0].times.valid_until == ends


def test_an_end_in_the_words_before_that_of_the_message_stays(memory, clock):
    say(memory, "I live in Lisbon until tomorrow.", valid_until=clock.now + timedelta(days=30))
    memory.jobs.drain()
    assert fact(memory, "Lisbon").times.valid_until < clock.now + timedelta(days=3)


def test_an_episode_ends_with_the_message_that_it_quotes(memory, clock):
    ends = clock.now + timedelta(days=2)
    said = [
        {"role": "user", "content": "Hello there again."},
        {"role": "user", "content": "I moved to Plymouth with my sister Anna.", "valid_until": ends},
    ]
    memory.add(said, user_id="ada", session_id="s")
    memory.sessions.end("s", user_id="ada")
    memory.jobs.drain()
    (episode,) = memory.get_all(user_id="ada", kinds=["episode"])
    assert "Plymouth" in episode.content
    assert episode.times.valid_until == ends
    memory.delete(episode.origin.sources[1], user_id="ada")
    (left,) = memory.get_all(user_id="ada", kinds=["episode"])
    assert (left.content, left.times.valid_until) == ("User: Hello there again.", None)


# A worker in the program


def until(true, *, seconds=60):
    ends = time.monotonic() + seconds
    while not true() and time.monotonic() < ends:
        time.sleep(0.005)
    return true()


def test_a_worker_learns_soon_after_words_were_added(memory):
    told = []
    with memory.jobs.worker(poll_s=3_600, tell=told.append) as worker:
        assert worker.is_alive
        say(memory, "I prefer tea.", "Hm.", "I live in Rome.", "Hm.")
        assert until(lambda: len(facts(memory)) == 2 and told)
        say(memory, "I work at Siemens.", session="short")
        memory.sessions.end("short", user_id="ada")
        assert until(lambda: len(facts(memory)) == 3)
    assert not worker.is_alive
    assert sum(one.facts for one in told[:1]) == 2


def test_a_worker_looks_at_what_others_queued(tmp_path):
    with (
        Memory(tmp_path / "m.db", embedder="hashing") as one,
        Memory(tmp_path / "m.db", embedder="hashing") as two,
        one.jobs.worker(poll_s=0.02),
    ):
        say(two, "I prefer tea.", "Hm.", "I live in Rome.", "Hm.")
        assert until(lambda: len(facts(two)) == 2)


def test_a_worker_rests_while_nothing_is_queued(memory, monkeypatch):
    looks = []
    claim = type(memory.parts.store).claim_jobs
    monkeypatch.setattr(
        type(memory.parts.store),
        "claim_jobs",
        lambda *args, **more: (looks.append(1), claim(*args, **more))[1],
    )
    with memory.jobs.worker(poll_s=3_600):
        assert until(lambda: looks)
        say(memory, "Hm.", "Hm.")
        time.sleep(0.05)
    assert len(looks) == 1


def test_a_worker_raises_nothing_and_goes_on(memory, monkeypatch):
    looks = []

    def broken(*_args, **_more):
        looks.append(1)
        raise StoreError("gone")

    with monkeypatch.context() as patched, memory.jobs.worker(poll_s=0.01) as worker:
        patched.setattr(type(memory.parts.store), "claim_jobs", broken)
        assert until(lambda: len(looks) > 2)
        patched.undo()
        say(memory, *["I prefer tea."] * 4)
        assert until(lambda: facts(memory))
        assert worker.is_alive


def test_a_worker_shows_what_failed_in_the_jobs(memory, monkeypatch):
    def broken(*_args, **_more):
        raise RuntimeError("no rules today")

    monkeypatch.setattr(extract, "extract_facts", broken)
    with memory.jobs.worker():
        say(memory, *["I prefer tea."] * 4)
        assert until(lambda: any(job.error for job in memory.jobs.list()))


def test_a_worker_ends_with_its_memory():
    made = Memory(":memory:", embedder="hashing")
    worker = made.jobs.worker()
    made.close()
    assert not worker.is_alive
    assert worker.close()
    with pytest.raises(ClosedError):
        made.jobs.worker()


@pytest.mark.parametrize("poll_s", [0, -1, float("nan"), "2", True, 1e30])
def test_a_worker_wants_time_between_two_looks(memory, poll_s):
    with pytest.raises(InvalidInputError, match="poll_s"):
        memory.jobs.worker(poll_s=poll_s)


def test_a_worker_may_look_as_seldom_as_a_thread_can_wait(memory, monkeypatch):
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    with memory.jobs.worker(poll_s=threading.TIMEOUT_MAX) as worker:
        say(memory, "I prefer tea.", "Hm.", "I live in Rome.", "Hm.")
        assert until(lambda: len(facts(memory)) == 2)
        assert worker.is_alive
    assert not failed


@pytest.mark.parametrize("tell", [5, "print", [print]])
def test_a_worker_tells_a_function(memory, tell):
    with pytest.raises(InvalidInputError, match="tell must be a function"):
        memory.jobs.worker(tell=tell)


# Forgetting


def test_a_fact_goes_with_the_last_turn_that_says_it(memory, clock):
    (first,), _ = learn(memory, "I prefer tea.", session="one")
    clock.tick(3_600)
    (second,), _ = learn(memory, "I prefer tea.", session="two")
    memory.delete(first, user_id="ada")
    assert facts(memory) == ["User prefers tea."]
    memory.delete(second, user_id="ada")
    assert facts(memory) == []


def test_facts_go_with_the_session_they_were_learned_from(memory):
    learn(memory, BERLIN, session="one")
    learn(memory, "I like tea.", session="two")
    assert memory.delete_all(user_id="ada", session_id="one") == 1
    assert facts(memory) == ["User likes tea."]


def test_a_fact_that_somebody_deleted_is_not_learned_again_from_the_same_words(memory):
    learn(memory, BERLIN)
    memory.delete(fact(memory, "lives in").id, user_id="ada")
    learn(memory, "And I like tea.")
    assert sorted(facts(memory)) == ["User likes tea.", "User works at Siemens."]


# Failures


def test_a_job_that_fails_is_tried_again_later_and_then_given_up_visibly(memory, clock, monkeypatch):
    def fail(_):
        raise ValueError("no rules today")

    say(memory, *[BERLIN] * 4)
    monkeypatch.setattr(extract, "extract_facts", fail)
    failed = 0
    for _ in range(8):
        failed += memory.jobs.drain().failed
        clock.tick(3_600)
    assert failed == 5
    assert memory.jobs.list() == []
    (given_up,) = memory.jobs.list(failed=True)
    assert given_up.error.startswith("ValueError: in test_learner.py, line ")
    assert len(memory.get_all(user_id="ada", kinds=["message"])) == 4


def test_stopped_at_any_write_learning_ends_as_if_it_had_not_been(clock, monkeypatch):
    """Every write in turn fails once; what is learned in the end is the same."""
    monkeypatch.setattr(leases, "_LOOKS", 1)

    def run(fails_at):
        with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as memory:
            learn(memory, "I live in Berlin.", "I think I like tea.", session="one", timestamp="2026-01-01")
            say(
                memory,
                "I moved to Rome.",
                "I like tea.",
                "I like jazz.",
                session="two",
                timestamp="2026-03-01",
            )
            memory.sessions.end("two", user_id="ada")
            numbers = count()
            for name in ("add", "update", "link", "change_state"):
                real = getattr(memory.parts.store, name)

                def unreliable(*given, _real=real, **more):
                    if next(numbers) == fails_at:
                        raise RuntimeError("killed")
                    return _real(*given, **more)

                setattr(memory.parts.store, name, unreliable)
            failed = memory.jobs.drain().failed
            clock.tick(3_600)
            memory.jobs.drain()
            found = [
                (
                    one.content,
                    one.worth.confidence,
                    one.times.valid_until,
                    len(one.origin.sources),
                    sorted(one.metadata),
                    [link.type for link in memory.graph.links(one.id, user_id="ada")],
                )
                for one in memory.get_all(user_id="ada", kinds=["fact"])
            ]
            return failed, sorted(found, key=str)

    _, expected = run(-1)
    for fails_at in count():
        failed, found = run(fails_at)
        assert found == expected, fails_at
        if not failed:
            break
    assert fails_at >= 5


def test_several_workers_learn_nothing_twice(tmp_path):
    path = tmp_path / "brain.db"
    with Memory(path, embedder="hashing") as memory:
        for n in range(12):
            say(memory, f"I like hobby{n}.", "Hm.", "Well.", "So.", session=f"s{n}")
    memories = [Memory(SQLiteStore(path), embedder="hashing") for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        learned = list(pool.map(lambda one: one.jobs.drain(), memories))
    assert sum(one.facts for one in learned) == 12
    assert len(facts(memories[0])) == len(set(facts(memories[0]))) == 12
    for one in memories:
        one.close()


def test_what_only_repeats_a_turn_does_not_stand_beside_it_unless_it_is_asked_for(memory):
    ids, _ = learn(memory, "I prefer Python for data analysis.", "It rains.")
    found = memory.search("data analysis", user_id="ada")
    assert [hit.memory.id for hit in found] == [ids[0], ids[1]]
    kinds = {
        hit.memory.kind for hit in memory.search("data analysis", user_id="ada", kinds=["fact", "message"])
    }
    assert kinds == {"fact", "message"}
    assert memory.context("data analysis", user_id="ada").text.count("Python for data analysis") == 1


def test_a_fact_is_found_where_its_turn_is_not(memory):
    learn(memory, "I prefer Python for data analysis.", session="one")
    found = memory.search("data analysis", user_id="ada", filters={"session_id": {"ne": "one"}})
    assert "User prefers Python for data analysis." in [hit.memory.content for hit in found]


# What a first reader found


def test_a_second_friend_says_nothing_of_the_first(memory, clock):
    learn(memory, "My friend Ann lives in Lisbon.", session="one")
    clock.tick(86_400)
    _, learned = learn(memory, "My friend Bea lives in Rome.", session="two")
    assert (learned.ended, learned.conflicts) == (0, 0)
    assert all(one.times.valid_until is None for one in memory.get_all(user_id="ada", kinds=["fact"]))


def test_a_purge_leaves_no_words_in_the_history_of_other_facts(memory, clock):
    learn(memory, "I live in Berlin.", session="one")
    clock.tick(86_400)
    (gone,), _ = learn(memory, "I moved to Zwackelstadt.", session="two")
    memory.delete(gone, user_id="ada")
    memory.purge(user_id="ada")
    told = [
        change for one in memory.get_all(user_id="ada") for change in memory.history(one.id, user_id="ada")
    ]
    assert "Zwackelstadt" not in str(told)


@pytest.mark.parametrize("what", ["turn", "fact"])
def test_a_fact_holds_again_when_what_ended_it_is_taken_back(memory, clock, what):
    learn(memory, "I live in Berlin.", session="one")
    clock.tick(86_400)
    (turn,), _ = learn(memory, "I moved to Rome.", session="two")
    memory.delete(turn if what == "turn" else fact(memory, "Rome").id, user_id="ada")
    assert fact(memory, "Berlin").times.valid_until is None
    assert "taken back" in memory.history(fact(memory, "Berlin").id, user_id="ada")[-1].reason


def test_every_fact_holds_again_that_one_fact_ended(memory, clock):
    learn(memory, "I work at Siemens.", session="one")
    clock.tick(86_400)
    learn(memory, "I work at Siemens as a data scientist.", session="two")
    clock.tick(86_400)
    (turn,), _ = learn(memory, "I started working at Bosch.", session="three")
    older = [one for one in memory.get_all(user_id="ada", kinds=["fact"]) if "Siemens" in one.content]
    assert [one.times.valid_until is None for one in older] == [False, False]
    memory.delete(turn, user_id="ada")
    again = [memory.get(one.id, user_id="ada").times.valid_until for one in older]
    assert again == [None, None]


def test_a_deleted_fact_stays_away_from_all_turns_that_say_it_even_after_a_purge(memory, clock):
    learn(memory, "I prefer tea.", session="a")
    clock.tick(3_600)
    learn(memory, "I prefer tea.", session="b")
    clock.tick(3_600)
    memory.delete(fact(memory, "tea").id, user_id="ada")
    memory.purge(user_id="ada")
    learn(memory, "Okay.", session="a")
    learn(memory, "Okay.", session="b")
    assert facts(memory) == []
    clock.tick(3_600)
    learn(memory, "I prefer tea.", session="c")
    assert facts(memory) == ["User prefers tea."]


def test_a_turn_that_says_the_same_at_the_same_moment_is_a_source_too(memory):
    (first,), _ = learn(memory, "I love tea.", session="a")
    (second,), _ = learn(memory, "I love tea.", session="b")
    assert fact(memory, "tea").origin.sources == (first, second)
    memory.delete(first, user_id="ada")
    assert len(facts(memory)) == 1


def test_workers_of_one_user_compare_one_after_the_other(tmp_path):
    path = tmp_path / "brain.db"
    with Memory(path, embedder="hashing") as memory:
        for number, city in enumerate(("Rome", "Oslo", "Bern", "Paris")):
            said = f"2026-01-0{number + 1}"
            say(memory, f"I live in {city}.", session=city, timestamp=said)
            memory.sessions.end(city, user_id="ada")
    memories = [Memory(SQLiteStore(path), embedder="hashing") for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda one: one.jobs.drain(), memories))
    homes = memories[0].get_all(user_id="ada", kinds=["fact"])
    assert sorted(one.content for one in homes if one.times.valid_until is None) == ["User lives in Paris."]
    for one in memories:
        one.close()


def test_new_words_of_a_turn_take_the_place_of_what_the_old_ones_said(memory):
    (turn,), _ = learn(memory, "I live in Berlin.")
    memory.update(turn, user_id="ada", content="I live in Munich.")
    assert facts(memory) == []
    memory.jobs.drain()
    assert facts(memory) == ["User lives in Munich."]


def test_turns_are_learned_in_the_order_of_storing_whatever_their_ids(memory, monkeypatch):
    """Ids are made before the words are embedded: a slow add is overtaken by a quick one."""
    early = new_id()
    say(memory, *["Hm."] * 4)
    memory.jobs.drain()
    monkeypatch.setattr("recollect.memory.adding.new_id", lambda: early)
    say(memory, "I live in Rome.")
    assert memory.sessions.end("s", user_id="ada").queued
    assert memory.jobs.drain().facts == 1


def test_an_archived_fact_that_is_said_again_is_not_stored_twice(memory, clock):
    learn(memory, "I prefer tea.", session="a")
    memory.archive(fact(memory, "tea").id, user_id="ada")
    clock.tick(3_600)
    learn(memory, "I prefer tea.", session="b")
    assert len(facts(memory)) == 1


def test_only_facts_that_contradict_each_other_are_decided(contradicted):
    learn(contradicted, "I live in Berlin.", session="three")
    (conflict,) = contradicted.facts.conflicts(user_id="ada")
    other = fact(contradicted, "Berlin").id
    for pair in ((conflict.new.id, conflict.new.id), (conflict.new.id, other)):
        with pytest.raises(InvalidInputError, match="contradict"):
            contradicted.facts.resolve(pair[0], pair[1], user_id="ada")


def test_a_fact_that_is_found_puts_its_turn_into_its_place(memory):
    say(memory, "I prefer Lisbon, honestly.", "Nice!", "Anyway, the weather is bad.", "Yes it is.")
    memory.jobs.drain()
    (fact,) = memory.get_all(user_id="ada", kinds=["fact"])
    (turn,) = fact.origin.sources
    found = memory.search("user prefers lisbon", user_id="ada", top_k=3)
    ids = [hit.memory.id for hit in found]
    assert turn in ids
    assert len(set(ids)) == len(ids)
    assert {hit.memory.kind for hit in found} == {"message"}
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    (alone,) = memory.search(
        "user prefers lisbon", user_id="ada", within=Within(exclude_ids=[turn]), filters={"kind": "fact"}
    )
    assert alone.memory.id == fact.id


def test_a_conversation_is_learned_when_its_user_begins_another_one():
    memory = Memory(":memory:", embedder="hashing", clock=FakeClock(NOON))
    learned = []
    for hours, texts in ((0, ["I live in Rome."]), (3, ["I work at Fiat."]), (6, ["I like jazz."])):
        at = NOON + timedelta(hours=hours)
        said = [{"role": "user", "content": text, "timestamp": at} for text in texts]
        memory.add(said, user_id="ada")
        memory.add("I keep bees.", user_id="bob", session_id="hive")
        learned.append(memory.jobs.drain(due_only=True).facts)
    assert learned == [0, 1, 1]


def test_of_several_conversations_added_together_all_but_the_last_are_learned():
    memory = Memory(":memory:", embedder="hashing", clock=FakeClock(NOON))
    texts = ["I live in Rome.", "I work at Fiat.", "I like jazz."]
    said = [
        {"role": "user", "content": text, "timestamp": NOON + timedelta(hours=3 * place)}
        for place, text in enumerate(texts)
    ]
    memory.add(said, user_id="ada")
    assert memory.jobs.drain(due_only=True).sessions == 2
    assert memory.jobs.drain().sessions == 1

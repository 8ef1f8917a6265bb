"""``Memory.import_file``: again, grown, edited, deleted here, stopped half way."""

from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.sources.exports import EPOCH, gpt_conversation, gpt_message, telegram_message, write

from recollect import AsyncMemory, Memory
from recollect.errors import InvalidInputError, StoreFullError
from recollect.memory import importing

SECRET = "My password is hunter2!"


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder="hashing") as opened:
        yield opened


def chats(*words: str, name: str = "c1", title: str | None = "A dog") -> dict[str, Any]:
    roles = ("user", "assistant")
    messages = [
        gpt_message(roles[place % 2], one, create_time=EPOCH + 60 * place) for place, one in enumerate(words)
    ]
    return gpt_conversation(*messages, name=name, title=title)


def contents(memory: Memory) -> list[str]:
    return [one.content for one in memory.get_all(user_id="ada")]


def test_a_dry_run_counts_and_stores_nothing(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("Hi", "Hello"), chats("Ho", name="c2"), 17])
    done = memory.import_file(path, user_id="ada", dry_run=True)
    assert (done.dry_run, done.conversations, done.messages, done.stored) == (True, 2, 3, 0)
    assert done.since is not None
    assert done.until is not None
    assert (done.since.timestamp(), done.until.timestamp()) == (EPOCH, EPOCH + 60)
    assert [one.where for one in done.broken] == ["c.json, record 3"]
    assert memory.users() == []
    assert set(done.to_dict()) >= {"format", "conversations", "left_out", "broken", "stored"}


def test_a_broken_record_is_named_and_the_rest_is_imported(tmp_path: Path, memory: Memory) -> None:
    good, bad = chats("Hi"), {"title": "no tree"}
    done = memory.import_file(write(tmp_path / "c.json", [bad, good]), user_id="ada", format="chatgpt")
    assert [(one.where, one.reason) for one in done.broken] == [("c.json, record 1", "it has no 'mapping'")]
    assert contents(memory) == ["Hi"]


def test_importing_again_stores_nothing_twice(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("Hi", "Hello")])
    memory.import_file(path, user_id="ada")
    before = memory.get_all(user_id="ada")
    done = memory.import_file(path, user_id="ada")
    assert (done.stored, done.duplicate) == (0, 2)
    assert memory.get_all(user_id="ada") == before


def test_a_grown_and_edited_export_adds_and_updates(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("Hi", "Hello")])
    memory.import_file(path, user_id="ada")
    ids = [one.id for one in memory.get_all(user_id="ada")]
    write(path, [chats("Hi", "Hello!", "Bye"), chats("Ho", name="c2")])
    done = memory.import_file(path, user_id="ada")
    assert (done.stored, done.updated, done.duplicate) == (2, 1, 1)
    found = memory.get_all(user_id="ada")
    assert [one.content for one in found] == ["Hi", "Hello!", "Bye", "Ho"]
    assert [one.id for one in found[:2]] == ids
    assert memory.history(ids[1], user_id="ada")[-1].reason == "changed in its source"
    assert memory.import_file(path, user_id="ada").duplicate == 4


def test_a_memory_that_was_changed_here_alone_stays_so(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("Hi")])
    memory.import_file(path, user_id="ada")
    (one,) = memory.get_all(user_id="ada")
    memory.update(one.id, user_id="ada", content="Hi there")
    assert memory.import_file(path, user_id="ada").duplicate == 1
    assert contents(memory) == ["Hi there"]


def test_a_memory_that_was_changed_here_and_in_its_source_stays_and_is_reported(
    tmp_path: Path, memory: Memory
) -> None:
    path = write(tmp_path / "c.json", [chats("My budget is 100 euro", "Fine")])
    memory.import_file(path, user_id="ada")
    (one, _) = memory.get_all(user_id="ada")
    memory.update(one.id, user_id="ada", content="My budget is 250 euro", reason="I corrected it")
    write(path, [chats("My budget is 100 euro (typo fixed)", "Very fine")])
    for counts in ({"conflict": 1, "updated": 1}, {"conflict": 1, "duplicate": 1}):
        done = memory.import_file(path, user_id="ada")
        assert {name: count for name, count in done.counts.items() if count} == counts
        (conflict,) = done.conflicts
        assert (conflict.where, one.id in conflict.reason) == ("c.json, record 1", True)
        assert contents(memory) == ["My budget is 250 euro", "Very fine"]
    memory.update(one.id, user_id="ada", content="My budget is 100 euro (typo fixed)")
    assert memory.import_file(path, user_id="ada").conflict == 0


def test_what_was_changed_here_before_a_purge_stays(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("My budget is 100 euro")])
    memory.import_file(path, user_id="ada")
    (one,) = memory.get_all(user_id="ada")
    memory.update(one.id, user_id="ada", content="My budget is 250 euro")
    memory.purge(user_id="ada")
    write(path, [chats("My budget is 100 euro (typo fixed)")])
    assert memory.import_file(path, user_id="ada").conflict == 1
    assert contents(memory) == ["My budget is 250 euro"]


def test_a_masked_secret_is_no_change_made_here(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats(SECRET)])
    memory.import_file(path, user_id="ada")
    write(path, [chats(f"{SECRET} I like tea.")])
    assert memory.import_file(path, user_id="ada").updated == 1
    assert contents(memory) == ["My password is [password removed] I like tea."]


def test_an_older_export_does_not_turn_back_a_newer_one(tmp_path: Path, memory: Memory) -> None:
    old = write(tmp_path / "old.json", [{**chats("Hi", "Hello", title="A"), "update_time": EPOCH}])
    new = write(tmp_path / "new.json", [{**chats("Hi", "Hello!", title="B"), "update_time": EPOCH + 9}])
    for path, counts in ((old, "stored"), (new, "updated"), (old, "older"), (new, "duplicate")):
        assert memory.import_file(path, user_id="ada").counts[counts] > 0, path
    assert contents(memory) == ["Hi", "Hello!"]
    assert memory.sessions.list(user_id="ada")[0].title == "B"


def test_an_export_from_before_a_message_was_edited_does_not_turn_it_back(
    tmp_path: Path, memory: Memory
) -> None:
    first = telegram_message(1, "Ada", "Hi")
    edited = telegram_message(1, "Ada", "Hi!", edited_unixtime=str(EPOCH + 9))
    old, new = (
        write(
            tmp_path / name / "result.json",
            {"name": "Bob", "type": "personal_chat", "id": 7, "messages": [one]},
        )
        for name, one in (("old", first), ("new", edited))
    )
    for path, counts in ((old, "stored"), (new, "updated"), (old, "older"), (new, "duplicate")):
        assert memory.import_file(path, user_id="ada", me="Ada").counts[counts] == 1, path
    assert contents(memory) == ["Hi!"]


def test_an_export_from_before_a_memory_of_mem0_was_changed_does_not_turn_it_back(
    tmp_path: Path, memory: Memory
) -> None:
    first = {"id": "1", "memory": "Likes tea", "hash": "x", "created_at": "2026-01-01T10:00:00Z"}
    changed = {**first, "memory": "Likes green tea", "updated_at": "2026-02-01T10:00:00Z"}
    old, new = (
        write(tmp_path / f"{name}.json", {"results": [one]})
        for name, one in (("old", {**first, "updated_at": None}), ("new", changed))
    )
    for path, counts in ((old, "stored"), (new, "updated"), (old, "older"), (new, "duplicate")):
        assert memory.import_file(path, user_id="ada").counts[counts] == 1, path
    assert contents(memory) == ["Likes green tea"]


def test_of_two_imports_at_once_the_newer_export_holds(
    tmp_path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, older, newer = (
        write(tmp_path / f"{place}.json", [{**chats("Hi", words), "update_time": EPOCH + place}])
        for place, words in enumerate(["Hello", "Hello!", "Hello!!"])
    )
    memory.import_file(first, user_id="ada")
    when_compared(memory, monkeypatch, lambda: memory.import_file(newer, user_id="ada"))
    assert memory.import_file(older, user_id="ada").older == 1
    assert contents(memory) == ["Hi", "Hello!!"]


@pytest.mark.parametrize(
    ("does", "counted", "left"),
    [
        (lambda memory, one: memory.update(one, user_id="ada", content="Mine"), "conflict", ["Hi", "Mine"]),
        (lambda memory, one: memory.delete(one, user_id="ada"), "deleted", ["Hi"]),
    ],
)
def test_what_is_changed_here_while_it_is_imported_stays_so(
    tmp_path: Path,
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
    *,
    does: Any,
    counted: str,
    left: list[str],
) -> None:
    path = write(tmp_path / "c.json", [chats("Hi", "Hello")])
    memory.import_file(path, user_id="ada")
    ids = [one.id for one in memory.get_all(user_id="ada")]
    write(path, [chats("Hi", "Hello!")])
    when_compared(memory, monkeypatch, lambda: does(memory, ids[1]))
    assert memory.import_file(path, user_id="ada").counts[counted] == 1
    assert contents(memory) == left


def when_compared(memory: Memory, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Do something once between the comparison of a memory with its source and the change of it."""
    read, waiting = memory.parts.store.history, [act]

    def history(*given: Any) -> Any:
        found = read(*given)
        if waiting:
            waiting.pop()()
        return found

    monkeypatch.setattr(memory.parts.store, "history", history)


def test_who_says_something_is_corrected_by_importing_again(tmp_path: Path, memory: Memory) -> None:
    chat = "13/2/26, 10:00 - Ines: I live in Oslo\n13/2/26, 10:01 - Ada: I live in Porto\n"
    path = write(tmp_path / "chat.txt", chat)
    for me, expected in (("Ines", "Ines lives in Oslo."), ("Ada", "Ada lives in Porto.")):
        done = memory.import_file(path, user_id="ada", me=me)
        memory.jobs.drain()
        assert done.stored + done.updated == 2
        facts = [one.content for one in memory.get_all(user_id="ada", kinds=["fact"])]
        assert facts == [expected]
    roles = {one.origin.speaker: one.origin.role for one in memory.get_all(user_id="ada", kinds=["message"])}
    assert roles == {"Ines": "other", "Ada": "user"}
    assert memory.import_file(path, user_id="ada", me="Ada").duplicate == 2


def test_another_name_and_other_words_in_a_table_are_taken_over(tmp_path: Path, memory: Memory) -> None:
    columns = {"content": "text", "name": "who", "id": "n"}
    path = write(tmp_path / "log.csv", "n,text,who\n1,Foo,Bob\n2,Bar,Bob\n")
    memory.import_file(path, user_id="ada", columns=columns)
    write(path, "n,text,who\n1,Foo,Zed\n2,Baz,Zed\n")
    assert memory.import_file(path, user_id="ada", columns=columns).updated == 2
    found = [(one.origin.speaker, one.content) for one in memory.get_all(user_id="ada")]
    assert found == [("Zed", "Foo"), ("Zed", "Baz")]
    assert memory.search("Zed", user_id="ada")


def test_a_dry_run_says_what_importing_would_do(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats(*"abcd")])
    assert memory.import_file(path, user_id="ada", dry_run=True).expected == {"new": 4}
    memory.import_file(path, user_id="ada")
    ids = [one.id for one in memory.get_all(user_id="ada")]
    memory.delete(ids[0], user_id="ada")
    memory.update(ids[1], user_id="ada", content="mine")
    write(path, [chats("a", "B", "C", "d", "e")])
    before = memory.get_all(user_id="ada")
    done = memory.import_file(path, user_id="ada", dry_run=True)
    assert done.expected == {"deleted": 1, "conflict": 1, "updated": 1, "duplicate": 1, "new": 1}
    assert (memory.get_all(user_id="ada"), done.updated) == (before, 0)
    done = memory.import_file(path, user_id="ada")
    assert (done.deleted, done.conflict, done.updated, done.duplicate, done.stored) == (1, 1, 1, 1, 1)


def test_what_was_deleted_stays_deleted(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("Hi", "Hello")])
    memory.import_file(path, user_id="ada")
    memory.delete(memory.get_all(user_id="ada")[0].id, user_id="ada")
    done = memory.import_file(path, user_id="ada")
    assert (done.deleted, done.duplicate, done.stored) == (1, 1, 0)
    assert contents(memory) == ["Hello"]


def test_a_title_follows_its_source_unless_it_was_changed_here(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("Hi", title=None), chats("Ho", name="c2")])
    memory.import_file(path, user_id="ada")
    memory.sessions.rename("chatgpt-c2", "Mine", user_id="ada")
    write(path, [chats("Hi", title="New"), chats("Ho", name="c2", title="Theirs")])
    memory.import_file(path, user_id="ada")
    titles = {one.id: one.title for one in memory.sessions.list(user_id="ada")}
    assert titles == {"chatgpt-c1": "New", "chatgpt-c2": "Mine"}
    write(path, [chats("Hi", title="Newer"), chats("Ho", name="c2", title="Theirs still")])
    memory.import_file(path, user_id="ada")
    titles = {one.id: one.title for one in memory.sessions.list(user_id="ada")}
    assert titles == {"chatgpt-c1": "Newer", "chatgpt-c2": "Mine"}


def test_what_another_program_remembered_is_not_learned_a_second_time(tmp_path: Path, memory: Memory) -> None:
    fact = "User's daughter Mila turns 7 on 3 May 2024."
    chat = gpt_conversation(
        gpt_message("user", "By the way, my daughter Mila turns 7 on 3 May.", create_time=1_710_000_000),
        gpt_message("assistant", fact, recipient="bio"),
    )
    memory.import_file(write(tmp_path / "c.json", [chat]), user_id="ada")
    memory.jobs.drain()
    facts = [one.content for one in memory.get_all(user_id="ada", kinds=["fact"])]
    assert facts.count(fact) == 1
    assert len(facts) > 1


class _FullError(Exception):
    """Stands for a killed process."""


@pytest.mark.parametrize("batches", [0, 1, 2, 3])
def test_an_import_that_was_stopped_goes_on_when_it_is_run_again(
    tmp_path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    path = write(tmp_path / "c.json", [chats(*"abcde"), chats(*"fg", name="c2")])

    def stop(done: int, _total: int) -> None:
        if done >= 2 * batches:
            raise _FullError

    with pytest.raises(_FullError):
        memory.import_file(path, user_id="ada", report=stop)
    there = len(contents(memory))
    assert 0 < there < 7 or batches == 3
    done = memory.import_file(path, user_id="ada")
    assert (done.stored, done.duplicate) == (7 - there, there)
    assert sorted(contents(memory)) == list("abcdefg")
    turns = {one.origin.turn: one.content for one in memory.get_all(user_id="ada", session_id="chatgpt-c1")}
    assert turns == dict(enumerate("abcde"))


def _import(store: str, path: str, begun: Connection) -> None:
    """Import a file; what is sent says that a batch is stored."""
    with Memory(store, embedder="hashing") as memory:
        memory.import_file(path, user_id="ada", report=lambda done, _: begun.send(done))


def test_an_import_whose_process_was_killed_goes_on(tmp_path: Path) -> None:
    words = [f"word {number}" for number in range(20)]
    path = write(tmp_path / "c.json", [chats(*words, name=f"c{number}") for number in range(30)])
    store, context = str(tmp_path / "brain.db"), get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_import, args=(store, str(path), theirs))
    process.start()
    there = ours.recv()
    process.kill()
    process.join()
    with Memory(store, embedder="hashing") as memory:
        done = memory.import_file(path, user_id="ada")
        assert done.stored + done.duplicate == 600
        assert done.duplicate >= there > 0
        keys = [one.idempotency_key for one in memory.get_all(user_id="ada")]
        assert len(set(keys)) == len(keys) == 600
        assert len([one for one in memory.sessions.list(user_id="ada") if one.title == "A dog"]) == 30


def test_a_store_that_fails_leaves_whole_batches(
    tmp_path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "c.json", [chats("Hi", "Hello"), chats("Ho", name="c2")])
    add, calls = memory.parts.store.add, list[int]()

    def full(*given: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise StoreFullError("no space is left")
        return add(*given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(memory.parts.store, "add", full)
        with pytest.raises(StoreFullError):
            memory.import_file(path, user_id="ada")
    assert contents(memory) == ["Hi", "Hello"]
    assert memory.import_file(path, user_id="ada").stored == 1


def test_conversations_keep_their_order_over_several_batches(
    tmp_path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    words = [f"word {number}" for number in range(9)]
    path = write(tmp_path / "c.json", [chats(*words, name=f"c{number}") for number in range(12)])
    assert memory.import_file(path, user_id="ada").stored == 108
    for session in memory.sessions.list(user_id="ada"):
        said = memory.get_all(user_id="ada", session_id=session.id)
        assert {one.origin.turn: one.content for one in said} == dict(enumerate(words))


def test_secrets_are_masked_or_refused_as_in_every_other_message(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", [chats(SECRET, "I see", title=SECRET)])
    with Memory(":memory:", embedder="hashing") as memory:
        done = memory.import_file(path, user_id="ada")
        assert (done.redacted, done.stored) == (1, 1)
        assert "hunter2" not in str(memory.get_all(user_id="ada")) + str(memory.sessions.list(user_id="ada"))
    with Memory(":memory:", embedder="hashing", secrets="refuse") as memory:
        done = memory.import_file(path, user_id="ada")
        assert (done.refused, done.stored) == (1, 1)
        assert "secret" in done.broken[0].reason
        assert done.left_out == {"titles that hold secrets": 1}


def test_words_that_cannot_be_stored_are_broken_and_halves_of_characters_mended(
    tmp_path: Path, memory: Memory
) -> None:
    half = chats("a \ud83d b\0c", "x" * 1_000_001, name="c\ud83d", title="t\ud83d")
    done = memory.import_file(write(tmp_path / "c.json", [half]), user_id="ada")
    assert contents(memory) == ["a \ufffd bc"]
    assert [one.reason for one in done.broken] == [
        "it has 1,000,001 characters; the limit is 1,000,000: split it into parts"
    ]


def test_messages_without_a_time_take_that_of_the_one_before(tmp_path: Path, memory: Memory) -> None:
    chat = gpt_conversation(
        gpt_message("user", "a"),
        gpt_message("assistant", "b", create_time=EPOCH + 60),
        gpt_message("user", "c", create_time=float("inf")),
    )
    memory.import_file(write(tmp_path / "c.json", [chat]), user_id="ada")
    times = [one.times.happened_at.timestamp() - EPOCH for one in memory.get_all(user_id="ada")]
    assert times == [0, 60, 60]


def test_conversations_go_to_the_agent_and_the_user_that_are_named(tmp_path: Path, memory: Memory) -> None:
    path = write(tmp_path / "c.json", [chats("Hi")])
    memory.import_file(path, user_id="ada", agent_id="tutor")
    memory.import_file(path, user_id="bob")
    (one,) = memory.get_all(user_id="ada")
    assert (one.scope.agent_id, memory.users()) == ("tutor", ["ada", "bob"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "myspace"}, "known are chatgpt"),
        ({"format": "claude"}, "holds nothing of the format claude"),
        ({"date_order": "ydm"}, "date_order 'ydm' is unknown"),
        ({"me": " "}, "not blank"),
        ({"dry_run": 1}, "dry_run must be True or False"),
        ({"user_id": ""}, "user_id is blank"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(
    tmp_path: Path, memory: Memory, options: dict[str, Any], message: str
) -> None:
    path = write(tmp_path / "c.json", [chats("Hi")])
    with pytest.raises(InvalidInputError, match=message):
        memory.import_file(path, **{"user_id": "ada", **options})
    assert memory.users() == []


def test_what_is_unknown_or_our_own_is_said(tmp_path: Path, memory: Memory) -> None:
    with pytest.raises(InvalidInputError, match="nothing that can be imported"):
        memory.import_file(write(tmp_path / "x.bin", b"\0\1"), user_id="ada")
    with pytest.raises(InvalidInputError, match="there is no file"):
        memory.import_file(tmp_path / "none", user_id="ada")
    memory.add("Hi", user_id="ada")
    memory.export(tmp_path / "own.jsonl")
    with pytest.raises(InvalidInputError, match="load"):
        memory.import_file(tmp_path / "own.jsonl", user_id="ada")


def test_the_same_in_async_code(tmp_path: Path) -> None:
    import asyncio

    path = write(tmp_path / "c.json", [chats("Hi")])

    async def run() -> int:
        async with AsyncMemory(":memory:", embedder="hashing") as memory:
            return (await memory.import_file(path, user_id="ada")).stored

    assert asyncio.run(run()) == 1

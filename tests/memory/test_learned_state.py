"""An import brings what was learned whole, or says which line is damaged; nothing it brings fails later."""

import io
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from recollect import InvalidInputError, Memory
from recollect.cli.learning import _record_line
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import ADA
from recollect.types.clock import utc_now

WORDS = ("I live in Bonn. I like coriander.", "I don't like coriander. I moved to Rome.", "My name is Ada.")
NAMES = (
    "admissions", "agenda", "clusters", "intents", "last facts", "learned", "learning records", "retrievals",
    "thresholds", "unlearned",
)  # fmt: skip
NONSENSE = ("not json", "", "null", "5", "[5]", '"x"', '{"a": 5}', '{"version": 1}', "[" * 100_000, "1e999")
ODD = (
    None,
    True,
    -1,
    1.5,
    "x",
    "",
    "2026-05-01T10:00:00",
    [],
    ["n"],
    {},
    10**30,
    1 << 60,
    float("inf"),
    float("nan"),
)


def opened() -> Memory:
    return Memory(InMemoryStore(), embedder="hashing")


def told(memory: Memory, *words: str) -> None:
    for number, said in enumerate(words):
        memory.add(said, user_id="ada", session_id=f"s{number}")
        memory.jobs.drain()


@pytest.fixture(scope="module")
def exported() -> list[dict[str, Any]]:
    """The lines of an export of a user about whom everything is learned."""
    with opened() as memory:
        told(memory, *WORDS)
        first, *_, last = memory.get_all(user_id="ada", kinds=["fact"])
        memory.remember("I love chess.", user_id="ada")
        memory.add("I have an exam tomorrow.", user_id="ada", timestamp=utc_now() - timedelta(hours=1))
        for item in memory.agenda.items(user_id="ada"):
            memory.agenda.mention(item.id, user_id="ada")
        memory.delete(last.id, user_id="ada")
        memory.lifecycle.intents(user_id="ada").learn("call Ada at five", "reminder")
        memory.lifecycle.retrievals(user_id="ada").track([first.id])
        memory.graph.clusters(user_id="ada").recluster(clusters=2)
        for _ in range(60):
            memory.lifecycle.thresholds(user_id="ada").record("query", activated=True, relevant=False)
        file = io.StringIO()
        memory.export(file, user_id="ada")
    return [json.loads(line) for line in file.getvalue().splitlines()]


@pytest.fixture(scope="module")
def learned(exported: list[dict[str, Any]]) -> dict[str, str]:
    """Everything of it that is learned, by its name."""
    found = {line["state"]["name"]: line["state"]["value"] for line in exported if "state" in line}
    assert {name if name in NAMES else name.partition(" ")[0] for name in found} == set(NAMES)
    return found


def export_of(name: str, text: str) -> io.StringIO:
    lines = [
        {"format": "recollect-export", "version": 1},
        {"state": {"name": name, "value": text}, "user_id": "ada"},
    ]
    return io.StringIO("".join(json.dumps(line) + "\n" for line in lines))


def use_all(memory: Memory) -> None:
    """Read everything that is learned about the user, and learn more."""
    memory.lifecycle.thresholds(user_id="ada").state()
    for item in memory.agenda.items(user_id="ada"):
        memory.agenda.dismiss(item.id, user_id="ada")
    for relevant in (True, False):
        memory.lifecycle.thresholds(user_id="ada").record("query", activated=True, relevant=relevant)
    intents = memory.lifecycle.intents(user_id="ada")
    intents.classify("call Bob at six")
    intents.learn("call Ada at five", "reminder")
    memory.add("I live in Oslo.", user_id="ada", session_id="new")
    memory.sessions.end("new", user_id="ada")
    memory.jobs.drain()
    memory.remember("I love opera.", user_id="ada")
    home, *others = memory.get_all(user_id="ada", kinds=["fact"])
    memory.lifecycle.retrievals(user_id="ada").track([home.id])
    memory.delete(home.id, user_id="ada")
    memory.graph.clusters(user_id="ada").search("opera")
    assert [record.to_json() for record in memory.facts.learned(user_id="ada")]
    assert all(map(_record_line, memory.facts.learned(user_id="ada")))
    assert [one.to_json() for one in memory.facts.decisions(user_id="ada")]
    assert others
    memory.jobs.drain()
    assert memory.jobs.list() == memory.jobs.list(failed=True) == []


def changed(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """The value with one part of it replaced, for every part and every odd value; and where."""
    for odd in ODD:
        yield f"{place} = {odd}", odd
    if isinstance(value, dict):
        for name, part in list(value.items())[:12]:
            yield from ((at, {**value, name: new}) for at, new in changed(part, f"{place}.{name}"))
            yield f"{place} without {name}", {key: one for key, one in value.items() if key != name}
    if isinstance(value, list) and value:
        yield from ((at, [new, *value[1:]]) for at, new in changed(value[0], f"{place}[0]"))
        yield from ((at, [*value[:-1], new]) for at, new in changed(value[-1], f"{place}[-1]"))


def test_all_of_it_is_brought(exported: list[dict[str, Any]], learned: dict[str, str]) -> None:
    with opened() as memory:
        memory.load(io.StringIO("".join(json.dumps(line) + "\n" for line in exported)))
        told_to = {name: "0" for name in learned if name.startswith("learned ")}
        assert memory.parts.store.states(ADA) == {**learned, **told_to}
        use_all(memory)


def test_a_session_is_learned_on_where_it_was_left_though_its_turns_are_numbered_anew() -> None:
    with opened() as memory, opened() as other:
        memory.add([f"Note {number}." for number in range(9)], user_id="ada", session_id="s")
        memory.sessions.end("s", user_id="ada")
        memory.jobs.drain()
        memory.add("I like tea.", user_id="ada", session_id="s")
        memory.add("Elsewhere.", user_id="ada")
        for record in memory.get_all(user_id="ada", kinds=["message"])[:7]:
            memory.delete(record.id, user_id="ada")
        file = io.StringIO()
        memory.export(file)
        file.seek(0)
        other.load(file)
        (learned_to,) = [
            text for name, text in other.parts.store.states(ADA).items() if name.startswith("learned ")
        ]
        assert learned_to == "1"
        assert other.sessions.end("s", user_id="ada")
        assert other.jobs.drain().facts == 1
        (fact,) = other.get_all(user_id="ada", kinds=["fact"])
        assert "tea" in fact.content


def test_how_far_a_session_was_learned_is_told_by_a_message_of_it(
    exported: list[dict[str, Any]], learned: dict[str, str]
) -> None:
    name = next(name for name in learned if name.startswith("learned "))
    of_another = next(
        text for other, text in learned.items() if other.startswith("learned ") and other != name
    )
    memories = [line for line in exported if "memory" in line]
    for told_by in (of_another, "unknown", "7"):
        with opened() as memory:
            state = {"state": {"name": name, "value": told_by}, "user_id": "ada"}
            lines = [exported[0], *memories, state]
            memory.load(io.StringIO("".join(json.dumps(line) + "\n" for line in lines)))
            assert memory.parts.store.states(ADA) == {}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_damaged_is_refused_by_its_line(name: str, learned: dict[str, str]) -> None:
    name, text = next(item for item in learned.items() if item[0].startswith(name))
    refused, said = 0, set()
    for damaged in (*NONSENSE, text[:-1], text + "x"):
        with opened() as memory:
            try:
                memory.load(export_of(name, damaged))
            except InvalidInputError as error:
                said.add(str(error))
                refused += memory.parts.store.states(ADA) == {}
            else:
                use_all(memory)
    assert said <= {"line 2 is not an exported memory: its learned state cannot be read"}
    assert refused >= (2 if name.startswith("learned ") else 8)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "learned"])
def test_whatever_is_brought_can_be_used(name: str, learned: dict[str, str]) -> None:
    for place, value in changed(json.loads(learned[name])):
        with opened() as memory:
            try:
                memory.load(export_of(name, json.dumps(value)))
            except InvalidInputError:
                continue
            try:
                use_all(memory)
            except Exception as error:
                raise AssertionError(f"{place} is brought, and fails later") from error


@pytest.mark.parametrize("name", ["intents", "retrievals", "thresholds"])
def test_what_a_newer_version_learned_is_refused_and_said(name: str) -> None:
    with opened() as memory, pytest.raises(InvalidInputError, match=r"line 2 .* newer version"):
        memory.load(export_of(name, '{"version": 99}'))


def test_what_a_worker_held_stays_behind_and_what_is_not_known_comes_along() -> None:
    with opened() as memory:
        memory.load(export_of("learning", '{"by": "x", "until": "9999-01-01T00:00:00+00:00"}'))
        memory.load(export_of("answer", "not json"))
        memory.load(export_of("of my own", "not json"))
        assert memory.parts.store.states(ADA) == {"of my own": "not json"}
        use_all(memory)

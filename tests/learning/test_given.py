"""Facts that came as facts are read by the rules, and kept true like learned ones."""

import json
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest

from recollect import Labels, Memory
from recollect.learning.admission import Learning
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import FakeClock
from recollect.types import MemoryRecord

YEARS = (2023, 2024, 2025)


@pytest.fixture
def memory():
    clock = FakeClock()
    with Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock) as made:
        yield made


def give(memory: Memory, words: str, year: int = 2024, **more: object) -> str:
    (result,) = memory.add(
        words, user_id="ada", kind="fact", timestamp=datetime(year, 1, 1, tzinfo=UTC), **more
    )
    assert result.id is not None
    return result.id


def say(memory: Memory, words: str, year: int = 2025, **more: object) -> None:
    said = {"role": "user", "content": words, "timestamp": datetime(year, 1, 1, tzinfo=UTC), **more}
    memory.add([said], user_id="ada", session_id=f"in {year}")
    memory.sessions.end(f"in {year}", user_id="ada")


def parts(record: MemoryRecord) -> tuple[object, ...]:
    return tuple(record.metadata.get(name) for name in ("subject", "relation", "object"))


def until(memory: Memory) -> dict[str, int | None]:
    """By its words, the year in which each fact ends."""
    ends = {one.content: one.times.valid_until for one in memory.get_all(user_id="ada", kinds=["fact"])}
    return {words.rstrip("."): end.year if end else None for words, end in ends.items()}


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("User lives in Porto", ("User", "lives in", "Porto")),
        ("The user lives in Porto.", ("User", "lives in", "Porto")),
        ("Lives in Porto", ("User", "lives in", "Porto")),
        ("I live in Porto", ("User", "lives in", "Porto")),
        ("Ich wohne in Porto", ("User", "lives in", "Porto")),
        ("Ada works at Bosch", ("User", "works at", "Bosch")),
        ("default_user works at Bosch", ("User", "works at", "Bosch")),
        ("User has lived in Porto since 2020", ("User", "lives in", "Porto")),
        ("User no longer lives in Porto", ("User", "lives in", "Porto")),
        ("User doesn't eat meat", ("User", "eats", "meat")),
        ("Name is Ada", ("User", "is named", "Ada")),
        ("Wife is Ana", ("User's wife", "is named", "Ana")),
        ("User's sister lives in Oslo with her husband", ("User's sister", "lives in", "Oslo")),
        ("Favorite color is blue", ("User", "favourite color", "blue")),
        ("Bob lives in Rome", ("User's Bob", "lives in", "Rome")),
    ],
)
def test_a_fact_in_the_words_of_others_is_read(memory: Memory, words: str, known: tuple[str, ...]) -> None:
    fact = give(memory, words)
    memory.jobs.drain()
    record = memory.get(fact, user_id="ada")
    assert parts(record) == known
    assert (record.content, record.origin.extractor) == (words, None)


@pytest.mark.parametrize(
    "words",
    [
        "Porto is lovely in May",
        "User lives in Porto and works at Bosch",
        "User lives in Porto and enjoys the river",
        "User lives in Porto, the town of " + "many " * 60 + "bridges",
        "User asked whether Porto is nice",
        "She lives in Porto",
    ],
)
def test_a_fact_that_no_rule_reads_or_that_says_several_things_stays_as_it_is(
    memory: Memory, words: str
) -> None:
    fact = give(memory, words)
    before = memory.get(fact, user_id="ada")
    memory.jobs.drain()
    assert memory.get(fact, user_id="ada") == before


def test_a_fact_gets_the_date_that_its_words_name(memory: Memory) -> None:
    fact = memory.get(give(memory, "User has lived in Porto since 2020"), user_id="ada")
    memory.jobs.drain()
    now = memory.get(fact.id, user_id="ada")
    assert (fact.times.valid_from, now.times.valid_from) == (None, datetime(2020, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("at_once", [True, False])
def test_the_newer_of_two_homes_ends_the_older_whichever_way_and_in_whichever_order_they_come(
    memory: Memory, order: tuple[int, ...], at_once: bool
) -> None:
    comes = [
        lambda: give(memory, "User lives in Porto", YEARS[0]),
        lambda: say(memory, "I live in Faro", YEARS[1]),
        lambda: give(memory, "Lives in Lagos", YEARS[2]),
    ]
    for place in order:
        comes[place]()
        if not at_once:
            memory.jobs.drain()
    memory.jobs.drain()
    assert until(memory) == {"User lives in Porto": 2024, "User lives in Faro": 2025, "Lives in Lagos": None}
    assert memory.facts.conflicts(user_id="ada") == []


@pytest.mark.parametrize("first", [True, False])
def test_facts_that_cannot_both_hold_are_one_conflict(memory: Memory, first: bool) -> None:
    one, other = ("User likes tea", "User does not like tea")[:: 1 if first else -1]
    give(memory, one, 2023)
    give(memory, other, 2024)
    memory.jobs.drain()
    (conflict,) = memory.facts.conflicts(user_id="ada")
    assert {conflict.known.content, conflict.new.content} == {one, other}
    memory.facts.resolve(conflict.new.id, conflict.known.id, user_id="ada")
    assert memory.facts.conflicts(user_id="ada") == []


def test_a_fact_that_was_kept_beside_another_is_not_asked_about_again(memory: Memory) -> None:
    give(memory, "User likes tea", 2023)
    later = give(memory, "User does not like tea", 2024)
    memory.jobs.drain()
    (conflict,) = memory.facts.conflicts(user_id="ada")
    memory.facts.resolve(conflict.new.id, user_id="ada")
    memory.update(later, user_id="ada", labels=Labels(critical=True))
    memory.jobs.drain()
    assert memory.facts.conflicts(user_id="ada") == []


def test_what_a_person_of_the_user_does_ends_nothing_of_the_user(memory: Memory) -> None:
    give(memory, "User lives in Porto", 2023)
    give(memory, "Bob lives in Rome", 2024)
    give(memory, "Bob moved to Bari", 2025)
    memory.jobs.drain()
    assert [words for words, end in until(memory).items() if end] == ["Bob lives in Rome"]


@pytest.mark.parametrize("told", ["a message", "a fact"])
def test_the_user_may_be_called_by_the_name_that_is_known(memory: Memory, told: str) -> None:
    if told == "a message":
        say(memory, "Hello there", 2022, name="Grace Hopper")
    else:
        give(memory, "User is named Grace Hopper", 2022)
    memory.jobs.drain()
    give(memory, "Grace Hopper works at Bosch", 2023)
    say(memory, "I work at Siemens", 2024)
    memory.jobs.drain()
    assert until(memory)["Grace Hopper works at Bosch"] == 2024


def test_a_name_that_comes_with_other_facts_is_the_users_in_all_of_them(memory: Memory) -> None:
    at = datetime(2024, 1, 1, tzinfo=UTC)
    memory.add(["Grace works at Bosch", "Name is Grace"], user_id="ada", kind="fact", timestamp=at)
    memory.jobs.drain()
    assert {parts(one)[0] for one in memory.get_all(user_id="ada", kinds=["fact"])} == {"User"}


@pytest.mark.parametrize("step", [1, -1])
def test_of_facts_of_one_moment_the_one_that_tells_a_change_ends_the_other(memory: Memory, step: int) -> None:
    at = datetime(2024, 1, 1, tzinfo=UTC)
    homes = ["User lives in Lisbon.", "User moved to Faro."]
    works = ["User works at Bosch.", "User works at Siemens."]
    memory.add([*homes, *works][::step], user_id="ada", kind="fact", timestamp=at)
    memory.jobs.drain()
    assert [words for words, end in until(memory).items() if end] == ["User lives in Lisbon"]
    (conflict,) = memory.facts.conflicts(user_id="ada")
    assert {conflict.known.content, conflict.new.content} == set(works)


def test_what_a_deleted_fact_ended_holds_again(memory: Memory) -> None:
    give(memory, "User works at Bosch", 2023)
    later = give(memory, "User works at Siemens", 2024)
    memory.jobs.drain()
    memory.delete(later, user_id="ada")
    assert until(memory) == {"User works at Bosch": None}
    memory.undelete(later, user_id="ada")
    memory.jobs.drain()
    assert until(memory) == {"User works at Bosch": 2024, "User works at Siemens": None}


def test_a_fact_that_is_given_other_words_is_read_again(memory: Memory) -> None:
    give(memory, "User works at Bosch", 2023)
    later = give(memory, "Porto is lovely", 2024)
    memory.jobs.drain()
    memory.update(later, user_id="ada", content="User now works at Siemens")
    memory.jobs.drain()
    assert until(memory) == {"User works at Bosch": 2024, "User now works at Siemens": None}
    memory.update(later, user_id="ada", content="Porto is lovely")
    memory.jobs.drain()
    assert until(memory) == {"User works at Bosch": None, "Porto is lovely": None}


def test_new_words_that_come_with_the_metadata_of_the_old_are_read_again(memory: Memory) -> None:
    fact = give(memory, "User works at Bosch")
    memory.jobs.drain()
    metadata = memory.get(fact, user_id="ada").metadata
    memory.update(fact, user_id="ada", content="User works at Siemens", metadata=metadata)
    memory.jobs.drain()
    assert parts(memory.get(fact, user_id="ada")) == ("User", "works at", "Siemens")


def test_what_says_the_same_as_a_fact_that_ended_ends_with_it(memory: Memory) -> None:
    say(memory, "I live in Porto", 2022)
    say(memory, "I live in Faro", 2025)
    memory.jobs.drain()
    give(memory, "Lives in Porto", 2023)
    memory.jobs.drain()
    assert until(memory) == {"User lives in Porto": 2025, "User lives in Faro": None, "Lives in Porto": 2025}


@pytest.mark.parametrize("name", ["relation", "object", "quote"])
def test_what_callers_keep_under_names_of_ours_stays(memory: Memory, name: str) -> None:
    fact = give(memory, "User lives in Porto", metadata={name: "mine"})
    memory.jobs.drain()
    assert memory.get(fact, user_id="ada").metadata == {name: "mine"}


def test_facts_of_the_assistant_or_of_a_memory_that_learns_nothing_are_not_read(memory: Memory) -> None:
    (result,) = memory.add(
        [{"role": "assistant", "content": "I live in Porto", "kind": "fact"}], user_id="ada"
    )
    memory.jobs.drain()
    assert parts(memory.get(str(result.id), user_id="ada")) == (None, None, None)
    with Memory(":memory:", embedder="hashing", learning=Learning(enabled=False)) as still:
        give(still, "User lives in Porto")
        assert still.jobs.list(user_id="ada") == []


def test_a_fact_is_compared_once_however_often_its_job_is_done(memory: Memory) -> None:
    give(memory, "User lives in Porto", 2023)
    later = give(memory, "User lives in Faro", 2024)
    memory.jobs.drain()
    before = memory.history(later, user_id="ada")
    memory.update(later, user_id="ada", labels=Labels(critical=True))
    memory.jobs.drain()
    assert len(memory.history(later, user_id="ada")) == len(before) + 1


def test_the_facts_of_a_file_of_mem0_end_by_what_is_said_later(memory: Memory, tmp_path: Path) -> None:
    told = {"id": "1", "memory": "User lives in Porto", "created_at": "2024-01-01T00:00:00Z"}
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps({"results": [told]}))
    memory.import_file(file, user_id="ada")
    say(memory, "I live in Faro", 2025)
    memory.jobs.drain()
    assert until(memory) == {"User lives in Porto": 2025, "User lives in Faro": None}
    assert "Porto" not in memory.context("weather", user_id="ada").text


def test_the_observations_of_a_memory_server_end_by_newer_ones(memory: Memory, tmp_path: Path) -> None:
    seen = {
        "User": ["User lives in Lisbon", "works at Bosch"],
        "Bob": ["lives in Rome"],
    }
    lines = [
        {"type": "entity", "name": name, "entityType": "person", "observations": said}
        for name, said in seen.items()
    ]
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    memory.import_file(file, user_id="ada")
    memory.jobs.drain()
    moved = {"role": "user", "content": "I moved to Faro. I work at Siemens now.", "timestamp": "2027-01-01"}
    memory.add([moved], user_id="ada", session_id="later")
    memory.sessions.end("later", user_id="ada")
    memory.jobs.drain()
    ended = {words for words, year in until(memory).items() if year}
    assert ended == {"User: User lives in Lisbon", "User: works at Bosch"}


def test_the_words_of_a_fact_that_changed_in_its_source_are_read_again(
    memory: Memory, tmp_path: Path
) -> None:
    file = tmp_path / "mem0.json"
    for words in ("User lives in Porto", "User lives in Lisbon", "It rains"):
        told = {"id": "1", "memory": words, "created_at": "2024-01-01T00:00:00Z", "hash": "x"}
        file.write_text(json.dumps({"results": [told]}))
        memory.import_file(file, user_id="ada")
        memory.jobs.drain()
        (fact,) = memory.get_all(user_id="ada")
        assert fact.content == words
        place = words.rpartition(" ")[2] if "lives" in words else None
        assert (fact.metadata.get("object"), fact.metadata.get("relation")) == (place, place and "lives in")


def test_a_new_expiry_in_its_source_does_not_bring_an_ended_fact_back(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    told = {"id": "1", "memory": "User lives in Porto", "created_at": "2024-01-01T00:00:00Z", "hash": "x"}
    file.write_text(json.dumps({"results": [told]}))
    memory.import_file(file, user_id="ada")
    give(memory, "User lives in Faro", 2025)
    memory.jobs.drain()
    file.write_text(json.dumps({"results": [told | {"expiration_date": "2030-01-01"}]}))
    memory.import_file(file, user_id="ada")
    memory.jobs.drain()
    assert until(memory) == {"User lives in Porto": 2025, "User lives in Faro": None}


@pytest.mark.parametrize("name", ["related_to", "supersedes", "conflicts_with"])
def test_what_callers_keep_of_a_fact_that_is_read_stays(memory: Memory, name: str) -> None:
    fact = give(memory, "User lives in Porto", metadata={name: "mine"})
    memory.jobs.drain()
    known = memory.get(fact, user_id="ada")
    assert (parts(known), known.metadata[name]) == (("User", "lives in", "Porto"), "mine")


def test_a_reason_that_begins_like_that_of_a_decision_is_none(memory: Memory) -> None:
    fact = give(memory, "User lives in Porto")
    memory.jobs.drain()
    memory.update(fact, user_id="ada", metadata={"a": 1}, reason="a person decided so")
    assert memory.facts.reopen([fact], user_id="ada") == 0

"""Values under keys: unique, equal when they come back, apart by user and space, safe with many writers."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.integrations.objects import KeyedObjects
from recollect.integrations.records import Keyed, KeyedRecords, value_of

KEYS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=5)


@pytest.fixture
def records(memory: Memory) -> KeyedRecords:
    return KeyedRecords(memory, user_id="ada", space="test")


def texts(records: KeyedRecords, prefix: str = "") -> dict[str, object]:
    return {records.key_of(one): value_of(one).get("text") for one in records.find(prefix)}


def put(records: KeyedRecords, **values: str) -> None:
    records.put([Keyed(key=key, words=text, value={"text": text}) for key, text in values.items()])


@given(st.dictionaries(KEYS, st.text("ab", max_size=3), max_size=6), st.lists(KEYS, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_it_is_a_dictionary(records: KeyedRecords, values: dict[str, str], gone: list[str]) -> None:
    records.delete_all()
    put_all = [Keyed(key=key, words=text, value={"text": text}) for key, text in values.items()]
    records.put(put_all)
    records.put(put_all)
    assert texts(records) == values
    assert records.delete(gone) == len(values.keys() & set(gone))
    left = {key: text for key, text in values.items() if key not in gone}
    assert texts(records) == left
    assert {key: value_of(one)["text"] for key, one in records.get(values).items()} == left


def test_of_two_values_with_one_key_the_last_counts(records: KeyedRecords) -> None:
    records.put([Keyed(key="k", words="one"), Keyed(key="k", words="two", value={"text": "two"})])
    assert texts(records) == {"k": "two"}
    records.put([])
    assert records.delete([]) == 0


def test_what_cannot_be_stored_stores_nothing(records: KeyedRecords) -> None:
    put(records, a="one")
    wrong = [Keyed(key="b", words="x\0"), Keyed(key="b", words="x" * 1_000_001)]
    wrong += [Keyed(key="b", words="x", value={"v": float("inf")}), Keyed(key="x" * 20_000, words="x")]
    for one in wrong:
        with pytest.raises(InvalidInputError):
            records.put([Keyed(key="a", words="two", value={"text": "two"}), Keyed(key="c", words="c"), one])
        assert texts(records) == {"a": "one"}


def test_spaces_and_users_are_apart(memory: Memory) -> None:
    places = [(user, space) for user in ("ada", "bob") for space in ("a", "b", "a/b")]
    for user, space in places:
        put(KeyedRecords(memory, user_id=user, space=space), k=f"{user} {space}")
    for user, space in places:
        records = KeyedRecords(memory, user_id=user, space=space)
        assert texts(records) == {"k": f"{user} {space}"}
        assert [hit.content for hit in records.search(user, top_k=9)] == [f"{user} {space}"]
    KeyedRecords(memory, user_id="ada", space="a").delete_all()
    assert len(memory.get_all(user_id="ada")) == 2
    assert len(memory.get_all(user_id="bob")) == 3


def test_what_has_expired_is_not_found_until_it_is_put_again() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    with Memory(":memory:", embedder="static", clock=lambda: now) as memory:
        records = KeyedRecords(memory, user_id="ada", space="test")
        for key, hours in (("gone", 1), ("here", 3)):
            records.put([Keyed(key=key, words="cello", valid_until=now + timedelta(hours=hours))])
        put(records, ever="cello")
        now += timedelta(hours=2)
        assert texts(records).keys() == {"here", "ever"}
        assert records.get(["gone", "here"]).keys() == {"here"}
        assert {records.key_of(hit.memory) for hit in records.search("cello", top_k=9)} == {"here", "ever"}
        records.keep_until(records.get(["here"])["here"], now - timedelta(minutes=1))
        assert texts(records).keys() == {"ever"}
        put(records, gone="again")
        assert texts(records) == {"ever": "cello", "gone": "again"}
        assert (records.delete_expired(), records.delete_expired()) == (1, 0)


def test_what_was_deleted_in_the_meantime_is_not_kept_longer(records: KeyedRecords) -> None:
    put(records, k="cello")
    record = records.get(["k"])["k"]
    records.delete(["k"])
    records.keep_until(record, datetime(2100, 1, 1, tzinfo=UTC))
    assert texts(records) == {}


@pytest.mark.parametrize("huge", [10**30, -(2**63), 2**63])
def test_a_huge_number_can_be_asked_for(records: KeyedRecords, huge: int) -> None:
    records.put(
        [Keyed(key="huge", words="a", value={"n": huge}), Keyed(key="small", words="a", value={"n": 1})]
    )
    for where, keys in (({"n": huge}, {"huge"}), ({"n": {"$ne": huge}}, {"small"})):
        assert {records.key_of(one) for one in records.find(where=where)} == keys
        assert {records.key_of(hit.memory) for hit in records.search("a", where=where, top_k=9)} == keys
    with pytest.raises(InvalidInputError, match="cannot compare with"):
        records.find(where={"n": {"$gt": huge}})


def test_a_blank_question_finds_nothing(records: KeyedRecords) -> None:
    put(records, k="cello")
    assert records.search(" \n", top_k=9) == []


@dataclass(frozen=True)
class Note:
    id: str
    content: str | None
    year: int = 2026


@pytest.fixture
def notes(records: KeyedRecords) -> KeyedObjects[Note]:
    return KeyedObjects(
        records=records,
        write=lambda note: json.dumps(asdict(note)),
        read=lambda text: Note(**json.loads(text)),
    )


def test_objects_come_back_equal_by_key_by_test_and_by_question(notes: KeyedObjects[Note]) -> None:
    kept = [Note("1", "I play the cello", 1999), Note("2", "My password is hunter2!"), Note("3", None)]
    notes.put(kept)
    assert notes.get(["2", "4"]) == {"2": kept[1]}
    assert sorted(notes.find(), key=lambda one: one.id) == kept
    assert notes.find(lambda one: one.year < 2000) == kept[:1]
    ((best, score),) = notes.search("Who plays the cello?", top_k=1)
    assert best == kept[0]
    assert 0 < score <= 1
    assert notes.search("cello", top_k=9, test=lambda one: one.year > 2026) == []
    assert notes.search("hunter2", top_k=9, test=lambda one: one.content is None) == []


def test_objects_are_replaced_and_deleted_by_a_test(notes: KeyedObjects[Note]) -> None:
    notes.put([Note("1", "one"), Note("2", "two")])
    notes.put([Note("1", "uno", 1999)])
    assert notes.get(["1"]) == {"1": Note("1", "uno", 1999)}
    assert notes.delete(lambda one: one.year < 2000) == 1
    assert notes.find() == [Note("2", "two")]
    assert (notes.delete(), notes.find()) == (1, [])


def test_several_writers_leave_one_value_under_a_key(tmp_path: Path) -> None:
    def write(number: int) -> None:
        with Memory(tmp_path / "brain.db", embedder="static") as own:
            records = KeyedRecords(own, user_id="ada", space="test")
            for turn in range(4):
                put(records, shared=f"{number} {turn}", **{f"own{number}": str(turn)})
                if turn % 2:
                    records.delete(["shared"])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(4)))
    with Memory(tmp_path / "brain.db", embedder="static") as memory:
        records = KeyedRecords(memory, user_id="ada", space="test")
        put(records, shared="last")
        assert texts(records) == {"shared": "last"} | {f"own{number}": "3" for number in range(4)}


def test_a_value_is_not_shown_as_words_of_the_user(memory: Memory, records: KeyedRecords) -> None:
    put(records, k="the cello is in the cellar")
    (hit,) = memory.search("cello", user_id="ada")
    assert hit.memory.origin.role == "document"
    text = memory.context("where is the cello?", user_id="ada", threshold=0).text
    assert "document: the cello" in text
    assert "user:" not in text

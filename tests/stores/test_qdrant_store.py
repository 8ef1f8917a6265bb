import gc
import importlib
import sqlite3
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from tests.stores.missing import missing
from tests.stores.writes import (
    WRITES,
    DiedError,
    added_until_killed,
    before_and_after,
    check_cuts,
    cut_everywhere,
    everything_in,
    happens,
    kinds_entries,
    prepare,
    replace_kind,
)
from tests.tables import table

from recollect import Memory
from recollect.errors import (
    ClosedError,
    EmbedderMismatchError,
    InvalidInputError,
    MissingExtraError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.protocols import Entry
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import (
    ADA,
    BOB,
    FakeClock,
    StoreContract,
    entry_of,
    filters_strategy,
    make_entry,
    make_features,
    store_machine,
)
from recollect.testing.contract.adding import complete_record
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import contents, put, remove, with_words
from recollect.testing.strategies import records
from recollect.types import KINDS, MemoryRecord, Scope
from recollect.types.codec import record_to_json
from recollect.types.filters import EVERYTHING, FIELDS, AllOf, AnyOf, Filter, Test, matches, parse_filter

if why := missing("qdrant_client"):
    pytest.skip(why, allow_module_level=True)

from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse
from qdrant_client.local import persistence
from qdrant_client.local.payload_filters import check_filter

from recollect.stores.points import journal as journal_module
from recollect.stores.points import ledger as ledger_module
from recollect.stores.points import search as search_module
from recollect.stores.points import vectors
from recollect.stores.points.conditions import INDEXED, tenant_of, within
from recollect.stores.points.ledger import LEASE_S
from recollect.stores.points.points import StoredPoint, memory_point, point_id, row_of
from recollect.stores.points.store import PointStore
from recollect.stores.points.user import User
from recollect.stores.qdrant import QdrantStore
from recollect.stores.qdrant import connection as connection_module
from recollect.stores.qdrant.connection import condition_of
from recollect.stores.qdrant.failures import named
from recollect.stores.qdrant.store import read_url


class TestQdrantInMemory(StoreContract):
    @pytest.fixture
    def store(self) -> Iterator[QdrantStore]:
        store = QdrantStore(":memory:")
        yield store
        store.close()


class TestQdrantInAFolder(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QdrantStore]:
        no_waiting_for_the_disk(monkeypatch)
        self.folder = tmp_path / "brain"
        store = QdrantStore(self.folder)
        yield store
        store.close()

    def reopen(self, store: QdrantStore) -> QdrantStore:
        store.close()
        return QdrantStore(self.folder)


def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client commits every point by itself, and the folder is thrown away anyway."""
    connect = sqlite3.connect

    def quick(*args: Any, **options: Any) -> sqlite3.Connection:
        db = connect(*args, **options)
        db.execute("PRAGMA synchronous = OFF")
        return db

    monkeypatch.setattr(sqlite3, "connect", quick)


def test_the_store_answers_like_the_reference() -> None:
    machine = store_machine(lambda: QdrantStore(":memory:"))
    machine.TestCase.settings = settings(
        max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
    )
    machine.TestCase().runTest()


# A client that fails, as if the process died


def prepared(location: Any, write: str) -> QdrantStore:
    """A store with something to change by a write."""
    store = QdrantStore(location, clock=FakeClock())
    prepare(store, write)
    return store


@table("goes_on", [False, True])
@table("last_happens", [False, True])
@table("write", WRITES)
def test_a_write_cut_anywhere_happens_whole_or_not_at_all(
    write: str, last_happens: bool, goes_on: bool
) -> None:
    cut_in_memory(write, last_happens=last_happens, goes_on=goes_on)


@pytest.mark.parametrize("write", ["add", "delete", "purge"])
def test_a_long_write_cut_anywhere_happens_whole_or_not_at_all(
    write: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "_PART", 150)
    cut_in_memory(write, last_happens=True, goes_on=False)


def cut_in_memory(write: str, *, last_happens: bool, goes_on: bool) -> None:
    def begin() -> QdrantStore:
        clients.append(QdrantClient(":memory:"))
        return prepared(clients[-1], write)

    def left_of(store: PointStore) -> PointStore:
        return store if goes_on else opened_after(clients[-1])

    clients: list[QdrantClient] = []
    cut_everywhere(write, begin, left_of, client="_client", last_happens=last_happens)


def opened_after(client: QdrantClient) -> QdrantStore:
    """A store opened by another process after the lease of one that died."""
    clock = FakeClock()
    clock.tick(2 * LEASE_S)
    return QdrantStore(client, clock=clock)


@pytest.mark.parametrize("write", ["add", "update", "purge"])
def test_a_folder_whose_process_died_between_two_points_is_mended_when_opened(
    write: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_waiting_for_the_disk(monkeypatch)
    before, after = before_and_after(prepared(":memory:", write), write)
    seen: list[bool] = []
    acknowledged = False
    while not acknowledged:
        folder = tmp_path / str(len(seen))
        store = prepared(folder, write)
        with monkeypatch.context() as patch:
            left = stop_persisting(patch, after=len(seen))
            acknowledged = happens(store, write)
            assert acknowledged == (left[0] >= 0)
        store._ledger.connection.close()  # as the system does when a process dies
        again = QdrantStore(folder)
        found = everything_in(again)
        assert found in (before, after)
        seen.append(found == after)
        again.close()
    check_cuts(seen)


def stop_persisting(patch: pytest.MonkeyPatch, *, after: int) -> list[int]:
    """Let the embedded client fail to write or remove a point, from one on."""
    left = [after]
    for name in ("persist", "delete"):
        method = getattr(persistence.CollectionPersistence, name)

        def step(self: object, *args: object, method: Any = method) -> None:
            if left[0] <= 0:
                left[0] = -1
                raise DiedError
            left[0] -= 1
            method(self, *args)

        patch.setattr(persistence.CollectionPersistence, name, step)
    return left


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    worker = (
        "import sys\n"
        "from dataclasses import replace\n"
        "from recollect.stores.qdrant import QdrantStore\n"
        "from recollect.testing import ADA, entry_of, make_entry\n"
        "store = QdrantStore(sys.argv[1])\n"
        "while True:\n"
        "    pair = [make_entry('said'), entry_of(replace(make_entry('known').record, kind='fact'))]\n"
        "    store.add(ADA, pair)\n"
        "    print('stored', flush=True)\n"
    )
    stored = added_until_killed(worker, str(tmp_path))
    store = QdrantStore(tmp_path)
    found = contents(store)
    assert found.count("said") == found.count("known") >= stored >= 5
    put(store, make_entry("one more", memory_id="later"))
    store.close()


def test_an_error_after_a_write_leaves_nothing_false_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    store = QdrantStore(":memory:")
    [first] = put(store, make_entry("tea"))
    with monkeypatch.context() as patch:
        patch.setattr(User, "enter", interrupted)
        with pytest.raises(KeyboardInterrupt):
            put(store, make_entry("milk", memory_id="id-1"))
    assert contents(store) == ["milk", "tea"]
    assert store.search_text(ADA, ["milk"], limit=1).tolist() == [2]
    assert store.match(ADA, parse_filter({"id": first})).tolist() == [1]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_new_vectors_are_made_without_reading_everything_for_each_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vectors, "_CHUNK", 1)
    store, count, read = QdrantStore(":memory:"), 100, 0
    put(store, *(make_entry(f"word {n}") for n in range(count)))
    connection = store._ledger.connection
    walk = connection.walk

    def counted(*args: Any) -> Iterator[Any]:
        nonlocal read
        for payload in walk(*args):
            read += 1
            yield payload

    monkeypatch.setattr(connection, "walk", counted)
    last = 0
    while batch := store.unstaged("new", limit=10, after=last):
        store.stage_vectors("new", [(key, words, b"abc") for key, words in batch])
        last = batch[-1][0]
    assert read == 2 * count
    assert store.unstaged("new", limit=10) == []
    assert read == 3 * count
    assert store.promote_vectors("new", dim=3)


def test_a_change_that_writes_to_the_store_itself_is_refused() -> None:
    store = QdrantStore(":memory:")
    ids = put(store, make_entry("tea"))

    def change(record: MemoryRecord) -> Entry:
        put(store, make_entry("milk"))
        return upper(record)

    with pytest.raises(StoreBusyError, match="may only read"):
        store.update(ADA, ids, change)
    assert contents(store) == ["milk", "tea"]


# One process at a time


def test_a_second_process_is_told_that_the_store_is_in_use() -> None:
    client, clock = QdrantClient(":memory:"), FakeClock()
    first = QdrantStore(client, clock=clock)
    put(first, make_entry("tea"))
    with pytest.raises(StoreBusyError, match="another process"):
        QdrantStore(client, clock=clock)
    first.close()
    second = QdrantStore(client, clock=clock)
    assert contents(second) == ["tea"]


def test_a_lease_is_renewed_by_whoever_goes_on() -> None:
    client, clock = QdrantClient(":memory:"), FakeClock()
    first = QdrantStore(client, clock=clock)
    for _ in range(5):
        clock.tick(LEASE_S * 0.6)
        first.count(ADA)
        put(first, make_entry("tea"))
        with pytest.raises(StoreBusyError):
            QdrantStore(client, clock=clock)


def test_a_process_that_slept_too_long_reads_and_writes_nothing_of_its_own() -> None:
    client, clock = QdrantClient(":memory:"), FakeClock()
    first = QdrantStore(client, clock=clock)
    [memory_id] = put(first, make_entry("tea"))
    clock.tick(LEASE_S + 1)
    second = QdrantStore(client, clock=clock)
    second.update(ADA, [memory_id], upper)
    for call in (lambda: first.count(ADA), lambda: put(first, make_entry("milk"))):
        with pytest.raises(StoreBusyError, match="another process"):
            call()
    clock.tick(LEASE_S + 1)
    assert contents(first) == ["TEA"]
    put(first, make_entry("milk"))
    with pytest.raises(StoreBusyError):
        second.count(ADA)
    first.close()
    assert contents(second) == ["TEA", "milk"]


def test_a_lease_lost_between_two_calls_is_noticed_before_the_write() -> None:
    client, clock, late = QdrantClient(":memory:"), FakeClock(), FakeClock()
    first = QdrantStore(client, clock=clock)
    [memory_id] = put(first, make_entry("tea"))
    late.tick(LEASE_S + 1)  # as if the clocks of the two machines differed
    second = QdrantStore(client, clock=late)
    with pytest.raises(StoreBusyError):
        put(first, make_entry("milk"))
    second.update(ADA, [memory_id], upper)
    second.close()
    with pytest.raises(StoreBusyError, match="meanwhile"):
        first.update(ADA, [memory_id], upper)
    assert contents(first) == ["TEA"]


# The client leaves the file of its lock open when it cannot have it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_folder_that_is_open_elsewhere_is_busy(tmp_path: Path) -> None:
    store = QdrantStore(tmp_path)
    with pytest.raises(StoreBusyError, match="open in another process"):
        QdrantStore(tmp_path)
    store.close()
    QdrantStore(tmp_path).close()
    gc.collect()


# What Qdrant holds


class Server(QdrantClient):
    """An embedded client that says it is a server, and remembers what it is asked."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.indexes: dict[str, dict[str, Any]] = {}
        self.filters: list[tuple[str, models.Filter]] = []

    @property
    def init_options(self) -> dict[str, Any]:
        return {"location": None, "path": None}

    def create_payload_index(self, collection_name: str, field_name: str, *args: Any, **options: Any) -> Any:
        self.indexes.setdefault(collection_name, {})[field_name] = args[0]
        assert options == {"wait": True}

    def scroll(self, collection_name: str, **options: Any) -> Any:
        self.filters.append((collection_name, options["scroll_filter"]))
        return super().scroll(collection_name, **options)

    def query_points(self, collection_name: str, **options: Any) -> Any:
        self.filters.append((collection_name, options["query_filter"]))
        return super().query_points(collection_name, **options)

    def upsert(self, *args: Any, **options: Any) -> Any:
        assert (options["wait"], options["ordering"]) == (True, models.WriteOrdering.STRONG)
        return super().upsert(*args, **options)

    def delete(self, *args: Any, **options: Any) -> Any:
        assert (options["wait"], options["ordering"]) == (True, models.WriteOrdering.STRONG)
        return super().delete(*args, **options)


def keys_of(condition: Any) -> set[str]:
    """The payload fields that a condition looks at."""
    parts = [*(getattr(condition, "must", None) or []), *(getattr(condition, "should", None) or [])]
    return {condition.key} if hasattr(condition, "key") else set().union(*map(keys_of, parts))


def test_every_question_names_the_tenant_and_only_indexed_fields() -> None:
    server = Server()
    store = QdrantStore(server)
    store.add(ADA, kinds_entries(0))
    ask_for_much(store)
    QdrantStore(server, prefix="other").close()
    assert server.indexes.keys() >= {"recollect_messages", "recollect_ledger", "other_ledger"}
    for name, condition in server.filters:
        assert keys_of(condition) <= server.indexes[name].keys()
        of_everyone = name.endswith("_ledger") and keys_of(condition) == {"type"}
        assert of_everyone or condition.must[0].match.value == tenant_of("ada")
    assert len(server.filters) > 10
    assert {schema["tenant"].is_tenant for schema in server.indexes.values()} == {True}


def ask_for_much(store: QdrantStore) -> None:
    where = parse_filter(
        {
            "kind": {"in": ["message", "fact"]},
            "importance": {"gte": 0.1},
            "happened_at": {"gt": "2020-01-01"},
            "or": [{"tags": {"contains": "x"}}, {"critical": False}],
        }
    )
    for scope in (ADA, Scope(user_id="ada", agent_id="tutor", session_id="mon")):
        store.find(scope, where)
        store.match(scope, where)
        store.search_text(scope, ["tea"], limit=3, where=where)
        store.update(scope, ["id-1"], upper)
        store.delete(scope, where)
        store.purge(scope)
        store.states(scope)
        store.user_ids()


def test_each_family_of_kinds_has_a_collection() -> None:
    client = QdrantClient(":memory:")
    store = QdrantStore(client, prefix="team")
    for kind in KINDS:
        put(store, entry_of(replace_kind(make_entry(kind).record, kind)))
    counted = {each.name: client.count(each.name).count for each in client.get_collections().collections}
    ledger = counted.pop("team_ledger")
    assert counted == {"team_messages": 2, "team_thoughts": 3, "team_documents": 1, "team_tasks": 1}
    assert ledger == 3  # the journal, the lease and the user


def test_other_programs_can_search_the_vectors_and_the_words() -> None:
    client = QdrantClient(":memory:")
    store = QdrantStore(client)
    put(store, make_entry("tea"), make_entry("milk and bread"))
    only_hers = condition_of(within(ADA, EVERYTHING))
    for using, query in (("dense", [0.0] * 7 + [1.0]), ("words", models.SparseVector(indices=[], values=[]))):
        found = client.query_points("recollect_messages", query=query, using=using, query_filter=only_hers)
        assert len(found.points) == {"dense": 2, "words": 0}[using]


@pytest.mark.parametrize("stems", [["tea"], ["tea", "milk", "w3"], ["w1", "w2", "w30", "none"], ["tea"] * 3])
@pytest.mark.parametrize("proposed", [1_000, 3])
def test_text_search_ranks_like_the_reference(
    stems: list[str], proposed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "_PROPOSED", proposed)
    reference, store = InMemoryStore(), QdrantStore(":memory:")
    random = np.random.default_rng(9)
    words = ["tea", "milk", *(f"w{n}" for n in range(40))]
    entries = [make_entry(" ".join(random.choice(words, random.integers(1, 12)))) for _ in range(120)]
    for each in (store, reference):
        ids = put(each, *entries)
        each.update(ADA, ids[:20], lambda record: entry_of(with_words(record, "tea " + record.content)))
        remove(each, *ids[40:60])
    limit = 100 if proposed == 1_000 else 3
    ours, theirs = (each.search_text(ADA, stems, limit=limit).tolist() for each in (store, reference))
    assert ours
    if proposed == 1_000:
        assert ours == theirs
    else:
        assert ours[0] == theirs[0]  # the best is among those proposed


def test_a_filter_that_few_meet_makes_text_search_look_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "_PROPOSED", 2)
    store = QdrantStore(":memory:")
    put(store, *(make_entry("tea", metadata={"n": n}) for n in range(40)))
    found = store.search_text(ADA, ["tea"], limit=1, where=parse_filter({"n": 19}))
    assert found.tolist() == [20]


@table("number", [-0.0, 0.0, 1.0, 1, 2**53 + 1, 2.0**62, 1e16, 1e22, 1e300, 5e-324, 0.1, -1e16, True])
def test_a_number_keeps_its_type_and_value(number: float) -> None:
    store = QdrantStore(":memory:")
    put(store, make_entry(metadata={"n": number}))
    assert repr(store.find(ADA, EVERYTHING)[0].metadata["n"]) == repr(number)


def test_a_record_with_nothing_left_out_comes_back_from_a_folder(tmp_path: Path) -> None:
    store = QdrantStore(tmp_path)
    put(store, entry_of(complete_record()))
    store.close()
    store = QdrantStore(tmp_path)
    record = complete_record()
    [found] = store.find(ADA, EVERYTHING)
    assert record_to_json(found) | {"id": ""} == record_to_json(record) | {"id": ""}
    store.close()


def own_tests(record: MemoryRecord) -> Iterator[Test]:
    """Tests of fields that the record just passes."""
    for name, kind in INDEXED.items():
        value: Any = FIELDS[name][1](record)
        if kind == "list":
            yield from (Test(name, False, "contains", item) for item in value)
        elif value is not None:
            yield from (Test(name, False, operator, value) for operator in ("eq", "gte", "lte"))
            yield Test(name, False, "in", (value,))
        if kind == "time" and value is not None:
            yield Test(name, False, "gt", value - timedelta(microseconds=1))
            yield Test(name, False, "lt", value + timedelta(microseconds=1))


@settings(max_examples=100, deadline=None)
@given(record=records(), where=filters_strategy())
def test_whoever_matches_a_filter_meets_the_conditions_given_to_qdrant(
    record: MemoryRecord, where: Filter
) -> None:
    row = row_of(record, key=1, version=1, added_at=0)
    point = memory_point(StoredPoint(row=row, record=record, features=make_features("tea"), outline=b""))
    own = tuple(test for test in own_tests(record) if matches(test, record))
    for each in (where, AllOf(own), *(AnyOf((test, where)) for test in own)):
        if matches(each, record):
            assert check_filter(condition_of(within(record.scope, each)), point.payload, point.id, {})
        assert not check_filter(condition_of(within(Scope(user_id="eve"), each)), point.payload, point.id, {})


def test_a_user_not_asked_for_long_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_module, "_USERS_AT_HAND", 1)
    store = QdrantStore(":memory:")
    for scope in (ADA, BOB, ADA, BOB):
        put(store, make_entry("tea", scope=scope, thread="t"))
        assert len(store._ledger._users) <= 2
    for scope in (ADA, BOB):
        assert [record.origin.turn for record in store.find(scope, EVERYTHING)] == [0, 1]
        assert store.statistics(scope, []).documents == 2


def test_a_long_text_is_found_by_filters_though_it_is_not_indexed() -> None:
    store = QdrantStore(":memory:")
    for name in ("x" * 300, "y"):
        scope = Scope(user_id="ada", agent_id=name)
        put(store, make_entry(name, scope=scope))
        assert store.match(scope, parse_filter({"agent_id": name})).shape == (1,)
    assert store.count(ADA, parse_filter({"agent_id": {"in": ["x" * 300, "y"]}})) == 2


def test_a_memory_works_on_it() -> None:
    with Memory(QdrantStore(":memory:")) as memory:
        memory.add("Ada likes green tea", user_id="ada")
        memory.add("The train leaves at nine", user_id="ada")
        found = memory.search("what does Ada drink?", user_id="ada")
        assert found[0].memory.content == "Ada likes green tea"
        assert memory.search("tea", user_id="bob") == []


# What goes wrong


def test_a_collection_of_another_program_is_left_alone() -> None:
    for name in ("recollect_messages", "recollect_ledger"):
        client = QdrantClient(":memory:")
        params = models.VectorParams(size=4, distance=models.Distance.COSINE)
        client.create_collection(name, vectors_config=params)
        with pytest.raises(StoreFormatError, match="another program"):
            QdrantStore(client)
        assert client.count(name).count == 0


def test_a_newer_format_is_refused_and_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QdrantClient(":memory:")
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "FORMAT", 999)
        newer = QdrantStore(client)
        put(newer, make_entry("tea"))
        newer.close()
    with pytest.raises(StoreFormatError, match="newer Recollect"):
        QdrantStore(client)


def test_vectors_of_another_size_are_refused_and_nothing_is_stored() -> None:
    store = QdrantStore(":memory:")
    put(store, make_entry("tea", dim=8))
    with pytest.raises(EmbedderMismatchError, match="8 dimensions"):
        put(store, make_entry("fine", dim=8), make_entry("milk", dim=5))
    assert contents(store) == ["tea"]


def test_a_memory_removed_by_somebody_else_is_named_as_damage() -> None:
    client = QdrantClient(":memory:")
    store = QdrantStore(client)
    put(store, make_entry("tea"))
    client.delete("recollect_messages", [point_id("memory", tenant_of("ada"), 1)])
    with pytest.raises(StoreCorruptError, match="gone"):
        store.find(ADA, EVERYTHING)


def test_a_damaged_folder_says_so(tmp_path: Path) -> None:
    store = QdrantStore(tmp_path)
    put(store, make_entry("tea"))
    store.close()
    [file] = (tmp_path / "collection" / "recollect_messages").iterdir()
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreCorruptError):
        QdrantStore(tmp_path)


def test_a_clients_own_call_after_close_is_a_closed_store() -> None:
    client = QdrantClient(":memory:")
    store = QdrantStore(client)
    client.close()
    with pytest.raises(ClosedError):
        put(store, make_entry("tea"))


def response(status: int, content: bytes = b"{}") -> UnexpectedResponse:
    from httpx import Headers

    return UnexpectedResponse(status, "", content, Headers())


@table(
    "error, kind",
    [
        (response(401), StoreError),
        (response(403), StoreReadOnlyError),
        (response(404), StoreFormatError),
        (response(429), StoreBusyError),
        (response(503), StoreBusyError),
        (response(500, b"No space left on device"), StoreFullError),
        (response(418), StoreError),
        (ResourceExhaustedResponse("slow down", 3), StoreBusyError),
        (ResponseHandlingException(TimeoutError()), StoreError),
        (OSError(28, "No space left on device"), StoreFullError),
        (PermissionError(13, "Permission denied"), StoreReadOnlyError),
        (sqlite3.OperationalError("database or disk is full"), StoreFullError),
        (sqlite3.OperationalError("attempt to write a readonly database"), StoreReadOnlyError),
        (sqlite3.DatabaseError("malformed"), StoreCorruptError),
        (EOFError(), StoreCorruptError),
        (ValueError("Collection x not found"), StoreError),
    ],
)
def test_what_the_client_raises_is_an_error_of_ours(error: Exception, kind: type[Exception]) -> None:
    assert type(named(error, name="the store")) is kind


def test_a_server_that_is_not_there_gives_one_error_without_the_key() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        QdrantStore.from_url("qdrant+http://localhost:1?prefix=team")
    assert type(caught.value) is StoreError
    assert "hunter2" not in str(caught.value)


@table(
    "url, expected",
    [
        ("qdrant:///brain", ("brain", None, "recollect")),
        ("qdrant:////var/brain", ("/var/brain", None, "recollect")),
        ("qdrant:///:memory:", (":memory:", None, "recollect")),
        ("qdrant+http://host:6333", ("http://host:6333", None, "recollect")),
        ("qdrant+https://:k%40y@host:6333/path", ("https://host:6333/path", "k@y", "recollect")),
        ("qdrant+http://[::1]:6333?prefix=team", ("http://[::1]:6333", None, "team")),
    ],
)
def test_a_url_says_where_and_with_which_key(url: str, expected: tuple[object, ...]) -> None:
    assert tuple(read_url(url)) == expected


@table(
    "url",
    [
        "qdrant:///",
        "qdrant://hunter2@host",
        "qdrant+http://",
        "qdrant+http://:hunter2@host:port",
        "qdrant+http://:hunter2@[::1",
        "qdrant+http://:hunter2@host?unheard=of",
        "qdrant+ftp://:hunter2@host",
    ],
)
def test_a_url_that_means_nothing_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        QdrantStore.from_url(url)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(("location", "prefix"), [(" ", "fine"), (":memory:", ""), (":memory:", "a/b")])
def test_a_place_without_a_name_is_refused(location: str, prefix: str) -> None:
    with pytest.raises(InvalidInputError):
        QdrantStore(location, prefix=prefix)


def test_a_missing_client_gives_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("recollect.stores.qdrant")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'recollect\[qdrant\]'"):
        importlib.import_module("recollect.stores.qdrant")

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from httpx import HTTPTransport, Request, Response
from hypothesis import HealthCheck, given, settings
from tests.stores.missing import missing
from tests.stores.pinecone_server import KEY, MOST_METADATA, PineconeServer, passes
from tests.stores.writes import (
    WRITES,
    added_until_killed,
    cut_everywhere,
    everything_in,
    failing,
    happens,
    kinds_entries,
    prepare,
)

from recollect import Memory
from recollect.errors import (
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
from recollect.memory.maintenance import copy_store
from recollect.protocols import Clock
from recollect.retrieval import search as recall
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
from recollect.testing.contract.changing import upper
from recollect.testing.contract.fixtures import contents, put, remove, with_words
from recollect.testing.strategies import records
from recollect.types import Link, MemoryRecord, Scope, Tag
from recollect.types.clock import utc_now
from recollect.types.filters import EVERYTHING, AllOf, Filter, matches, parse_filter

if why := missing("pinecone"):
    pytest.skip(why, allow_module_level=True)

from pinecone import Pinecone
from pinecone._internal import http_client

from recollect.retrieval.scoring import Retrieval
from recollect.stores.pinecone import PineconeStore
from recollect.stores.pinecone import connection as connection_module
from recollect.stores.pinecone import records as records_module
from recollect.stores.pinecone.records import RecordMaker, filter_of
from recollect.stores.pinecone.store import read_url
from recollect.stores.points.conditions import tenant_of, within
from recollect.stores.points.ledger import LEASE_S
from recollect.stores.points.points import StoredPoint, memory_point, point_id, row_of
from recollect.stores.points.store import PointStore

_PREFIXES = (f"t{number}" for number in count())
LONG = 'Tea, "milk" \\ und Brötchen 🫖 早餐. ' * 4_000
"""Five times what one record holds."""


@pytest.fixture(scope="module")
def server() -> Iterator[PineconeServer]:
    """A server that this process asks without a socket; others, and other processes, ask through one."""
    server = PineconeServer()
    through_socket = HTTPTransport.handle_request

    def ask(transport: HTTPTransport, request: Request) -> Response:
        if request.url.netloc.decode() != server.address:
            return through_socket(transport, request)
        target, key = request.url.raw_path.decode(), request.headers["Api-Key"]
        status, answer = server.answer(request.method, target, key, request.read())
        return Response(status, json=answer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HTTPTransport, "handle_request", ask)
        yield server
    server.close()


@pytest.fixture(scope="module")
def client(server: PineconeServer) -> Iterator[Pinecone]:
    with Pinecone(KEY, host=server.host, ssl_verify=False) as client:
        yield client


@pytest.fixture(autouse=True)
def usual(server: PineconeServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server as it was, and nobody waits between two tries."""
    monkeypatch.setattr(http_client, "_retry_sleep", lambda _: None)
    monkeypatch.setattr(connection_module, "_PAUSE_S", 0.0)
    yield
    server.lag, server.ready = 0, True
    server.answers.clear()
    server.asked.clear()


class Opener:
    """Opens one store again and again, and closes whatever was opened.

    Args:
        client: Reaches the server.
    """

    def __init__(self, client: Pinecone) -> None:
        self.client, self.prefix = client, next(_PREFIXES)
        self.opened: list[PineconeStore] = []

    def __call__(self, *, clock: Clock | None = None, prefix: str | None = None) -> PineconeStore:
        store = PineconeStore(
            "brain",
            client=self.client,
            prefix=prefix or self.prefix,
            clock=clock or FakeClock(),
            timeout_s=60,
        )
        self.opened.append(store)
        return store

    def close(self) -> None:
        for store in self.opened:
            store.close()


@pytest.fixture
def opener(client: Pinecone) -> Iterator[Opener]:
    opener = Opener(client)
    yield opener
    opener.close()


@pytest.fixture
def store(opener: Opener) -> PineconeStore:
    return opener()


class TestPinecone(StoreContract):
    @pytest.fixture
    def store(self, client: Pinecone) -> Iterator[PineconeStore]:
        prefix = next(_PREFIXES)
        self.open = lambda: PineconeStore("brain", client=client, prefix=prefix)
        self.opened = [self.open()]
        yield self.opened[0]
        for store in self.opened:
            store.close()

    def reopen(self, store: PineconeStore) -> PineconeStore:
        store.close()
        self.opened.append(self.open())
        return self.opened[-1]


@pytest.mark.parametrize("lag", [0, 2], ids=["seen at once", "seen late"])
def test_the_store_answers_like_the_reference(lag: int, client: Pinecone, server: PineconeServer) -> None:
    server.lag = lag
    machine = store_machine(lambda: PineconeStore("brain", client=client, prefix=next(_PREFIXES)))
    machine.TestCase.settings = settings(
        max_examples=5, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
    )
    machine.TestCase().runTest()


# A write that is cut off


@pytest.mark.parametrize("write", WRITES)
def test_a_write_cut_anywhere_happens_whole_or_not_at_all(
    write: str, opener: Opener, server: PineconeServer
) -> None:
    cut_on_the_server(write, opener, server, last_happens=True, goes_on=False)


@pytest.mark.parametrize("goes_on", [False, True], ids=["opened again", "goes on"])
@pytest.mark.parametrize("write", ["add", "update", "purge"])
def test_a_write_cut_before_a_call_happens_whole_or_not_at_all(
    write: str, goes_on: bool, opener: Opener, server: PineconeServer
) -> None:
    cut_on_the_server(write, opener, server, last_happens=False, goes_on=goes_on)


@pytest.mark.parametrize("write", ["add", "delete"])
def test_a_long_write_cut_anywhere_happens_whole_or_not_at_all(
    write: str, opener: Opener, server: PineconeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "_PART", 400)
    monkeypatch.setattr(records_module, "_WRITTEN", 7)
    monkeypatch.setattr(records_module, "MOST_BYTES", 900)
    monkeypatch.setattr(records_module, "_LONG", 50)
    cut_on_the_server(write, opener, server, last_happens=True, goes_on=False)


def cut_on_the_server(
    write: str, opener: Opener, server: PineconeServer, *, last_happens: bool, goes_on: bool
) -> None:
    def begin() -> PineconeStore:
        server.put_back(snapshot)
        return opener()

    def left_of(store: PointStore) -> PointStore:
        left = store if goes_on else opener(clock=after_the_lease())
        left.count(ADA)
        assert stray(server, opener.prefix) == []
        return left

    first = opener()
    prepare(first, write)
    first.close()
    snapshot = server.snapshot()
    cut_everywhere(write, begin, left_of, client="_index", last_happens=last_happens)


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(
    opener: Opener, server: PineconeServer
) -> None:
    worker = (
        "import sys\n"
        "from recollect.stores.pinecone import PineconeStore\n"
        "from recollect.testing import ADA, make_entry\n"
        "store = PineconeStore.from_url(sys.argv[1])\n"
        "while True:\n"
        "    store.add(ADA, [make_entry('said'), make_entry('known')])\n"
        "    print('stored', flush=True)\n"
    )

    def open_it_too() -> None:
        with pytest.raises(StoreBusyError, match="another process"):
            opener(clock=utc_now)

    stored = added_until_killed(worker, server.url(opener.prefix), open_it_too)
    store = opener(clock=lambda: utc_now() + timedelta(seconds=2 * LEASE_S))
    found = contents(store)
    assert found.count("said") == found.count("known") >= stored >= 5


def after_the_lease() -> FakeClock:
    clock = FakeClock()
    clock.tick(2 * LEASE_S)
    return clock


# What is acknowledged and not yet seen


def test_every_method_sees_what_was_written_though_the_index_shows_it_late(
    opener: Opener, server: PineconeServer
) -> None:
    server.lag = 3
    reference = InMemoryStore(clock=FakeClock())
    store = opener()
    for each in (store, reference):
        each.add(ADA, kinds_entries(0))
        each.update(ADA, ["id-0"], lambda record: entry_of(with_words(record, LONG)))
        each.update(ADA, ["id-0"], upper)
        each.link(ADA, [Link(source_id="id-0", target_id="id-1", type="related")])
        each.change_state(ADA, "intents", lambda _: "learned")
        remove(each, "id-3")
        each.purge(ADA)
        assert each.count(ADA, parse_filter({"kind": "fact"})) == 1
    assert everything_in(store) == everything_in(reference)
    store.close()
    assert everything_in(opener()) == everything_in(reference)


def stray(server: PineconeServer, prefix: str) -> list[str]:
    """The ids of parts that no point has any more, and of the journal's while no long write goes on."""
    found = []
    for name, space in server.spaces.items():
        shown = space.look() if name.startswith(f"{prefix}-") else {}
        for record in shown.values():
            point, _, place = record["id"].partition(".")
            first = shown.get(point, {"metadata": {"records": 0}})["metadata"]
            if (place and int(place) >= first["records"]) or record["metadata"].get("place", 0) > 0:
                found.append(record["id"])
    return found


@pytest.mark.parametrize("last_happens", [False, True], ids=["before", "after"])
def test_no_part_of_a_longer_content_stays_behind(
    last_happens: bool, opener: Opener, server: PineconeServer
) -> None:
    store = opener()
    [memory_id] = put(store, make_entry(LONG))
    store.close()
    snapshot = server.snapshot()
    found: list[str] = []
    for calls in count():
        server.put_back(snapshot)
        store = opener()
        with failing(store, "_index", calls, last_happens=last_happens) as mortal, suppress(StoreError):
            store.update(ADA, [memory_id], lambda record: entry_of(with_words(record, "short")))
        found += contents(opener(clock=after_the_lease()))
        assert stray(server, opener.prefix) == []
        if mortal.left >= 0:
            break
    assert (found[0] == LONG, found[-1], set(found)) == (True, "short", {LONG, "short"})


@pytest.mark.parametrize("write", ["add", "update", "delete"])
def test_what_a_write_that_failed_left_behind_stays_as_it_was_found(
    write: str, opener: Opener, server: PineconeServer
) -> None:
    store = opener()
    prepare(store, write)
    store.close()
    snapshot = server.snapshot()
    for calls in range(6):
        server.put_back(snapshot)
        server.lag = 3
        store = opener()
        with failing(store, "_index", calls, last_happens=True):
            assert not happens(store, write)
        found = everything_in(store)
        store._ledger._lease._until = None  # as if the process was killed now
        server.lag = 0
        assert everything_in(opener(clock=after_the_lease())) == found


def test_a_write_that_stays_unseen_is_an_error_and_happens_all_the_same(
    opener: Opener, server: PineconeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opener()
    put(store, make_entry("tea"))
    server.lag = 30
    with monkeypatch.context() as patch:
        patch.setattr(store._ledger.connection, "_patience_s", 0.0)
        with pytest.raises(StoreBusyError, match="acknowledged"):
            put(store, make_entry("milk"))
    assert contents(store) == ["milk", "tea"]


# What Pinecone holds


def test_each_user_has_a_namespace(store: PineconeStore, server: PineconeServer, opener: Opener) -> None:
    store.add(ADA, kinds_entries(0))
    put(store, make_entry("his", scope=BOB))
    counted = {
        name: len(space.shown)
        for name, space in server.spaces.items()
        if name.startswith(f"{opener.prefix}-")
    }
    assert counted == {
        f"{opener.prefix}-0-{tenant_of('ada')}": 4,
        f"{opener.prefix}-0-{tenant_of('bob')}": 1,
        f"{opener.prefix}-ledger": 4,  # the journal, the lease and two users
    }


def test_no_request_about_a_user_reaches_another_ones_namespace(
    store: PineconeStore, server: PineconeServer
) -> None:
    put(store, make_entry("his", scope=BOB))
    server.asked.clear()
    where = parse_filter({"kind": {"in": ["message", "fact"]}, "or": [{"tags": {"contains": "x"}}]})
    for scope in (ADA, Scope(user_id="ada", agent_id="tutor")):
        store.add(scope, [make_entry("tea", scope=scope)])
        store.find(scope, where)
        store.search_text(scope, ["tea"], limit=3, where=where)
        store.delete(scope, where)
        store.purge(scope)
    asked = str(server.asked)
    assert tenant_of("ada") in asked
    assert tenant_of("bob") not in asked


def test_a_long_content_is_kept_whole_over_several_records(
    store: PineconeStore, server: PineconeServer, opener: Opener
) -> None:
    [memory_id] = put(store, make_entry(LONG))
    space = server.spaces[f"{opener.prefix}-0-{tenant_of('ada')}"]
    assert len(space.shown) > 4
    store.close()
    store = opener()
    assert contents(store) == [LONG]
    assert store.search_text(ADA, ["brötchen"], limit=1).tolist() == [1]
    store.update(ADA, [memory_id], lambda record: entry_of(with_words(record, "short")))
    assert len(space.look()) == 1
    assert store.history(ADA, memory_id)[-1].before["content"] == LONG
    remove(store, memory_id)
    store.purge(ADA)
    mine = [space.look() for name, space in server.spaces.items() if name.startswith(f"{opener.prefix}-")]
    assert "Brötchen" not in str(mine)
    assert not space.look()


def test_labels_too_many_for_a_record_are_still_found_by_filters(store: PineconeStore) -> None:
    record = make_entry("tea").record
    tags = tuple(Tag(text=f"tag-{number}-{'x' * 200}") for number in range(400))
    many = replace(record, labels=replace(record.labels, tags=tags))
    put(store, entry_of(many), make_entry("milk"))
    assert contents(store, {"tags": {"contains": tags[-1].text}}) == ["tea"]
    assert contents(store, {"tags": {"contains": "none"}}) == []
    assert contents(store, {"kind": "message"}) == ["milk", "tea"]


def test_requests_stay_within_what_pinecone_takes(store: PineconeStore, server: PineconeServer) -> None:
    put(store, *(make_entry(f"word{n} " * 3_000) for n in range(120)))
    assert store.count(ADA) == 120
    assert remove(store, *[record.id for record in store.find(ADA, EVERYTHING)]) == 120
    assert store.purge(ADA) == 120
    upserts = [len(data["vectors"]) for _, path, data in server.asked if path == "/vectors/upsert"]
    assert max(upserts) <= 100


@pytest.fixture
def new_server() -> Iterator[Callable[..., PineconeServer]]:
    """Starts servers of other indexes, and stops them."""
    made: list[PineconeServer] = []

    def make(**options: Any) -> PineconeServer:
        made.append(PineconeServer(**options))
        return made[-1]

    yield make
    for server in made:
        server.close()


def store_on(server: PineconeServer, **options: Any) -> closing[PineconeStore]:
    return closing(PineconeStore("brain", api_key=KEY, host=server.host, **options))


@pytest.mark.parametrize(
    "index",
    [
        {},
        {"sparse": False},
        {"metric": "cosine"},
        {"metric": "cosine", "sparse": True},
        {"metric": "euclidean"},
    ],
    ids=["hybrid", "dotproduct alone", "cosine", "cosine and sparse", "euclidean"],
)
def test_text_search_ranks_like_the_reference_whatever_the_index(
    index: dict[str, Any], new_server: Callable[..., PineconeServer]
) -> None:
    reference = InMemoryStore()
    random = np.random.default_rng(9)
    words = ["tea", "milk", *(f"w{n}" for n in range(40))]
    entries = [make_entry(" ".join(random.choice(words, random.integers(1, 12)))) for _ in range(80)]
    with store_on(new_server(**index)) as store:
        for each in (store, reference):
            remove(each, *put(each, *entries)[40:60])
        for stems in (["tea"], ["tea", "milk", "w3"], ["w1", "none"]):
            ours, theirs = (each.search_text(ADA, stems, limit=30).tolist() for each in (store, reference))
            assert ours == theirs != []


def test_a_question_may_have_more_words_than_a_sparse_vector(store: PineconeStore) -> None:
    words = [f"w{n}" for n in range(1_500)]
    put(store, make_entry(" ".join(words)), make_entry("milk"))
    assert store.search_text(ADA, words, limit=5).tolist() == [1]


def test_an_index_with_more_dimensions_holds_shorter_vectors(
    new_server: Callable[..., PineconeServer],
) -> None:
    with store_on(new_server(dimension=20)) as store:
        put(store, make_entry("tea", dim=8))
        assert store.shadow(ADA, 0).rows.vectors.shape == (1, 8)


@settings(max_examples=60, deadline=None)
@given(record=records(), where=filters_strategy())
def test_whoever_matches_a_filter_meets_the_conditions_given_to_pinecone(
    record: MemoryRecord, where: Filter
) -> None:
    row = row_of(record, key=1, version=1, added_at=0)
    point = memory_point(StoredPoint(row=row, record=record, features=make_features("tea"), outline=b""))
    *_, first = RecordMaker(8, sparse=True).records_of(point, stamp="s")
    fields = {name: float(v) if type(v) is int else v for name, v in first["metadata"].items()}
    for each in (where, AllOf((where, EVERYTHING))):
        if matches(each, record):
            assert passes(filter_of(within(record.scope, each)), fields)
        assert not passes(filter_of(within(Scope(user_id="eve"), each)), fields)


def test_a_record_may_be_as_long_as_pinecone_takes_and_no_longer() -> None:
    point = memory_point(
        StoredPoint(
            row=row_of(make_entry(LONG).record, key=1, version=1, added_at=0),
            record=make_entry(LONG).record,
            features=make_features(LONG),
            outline=b"",
        )
    )
    made = RecordMaker(8, sparse=True).records_of(point, stamp="s")
    sizes = [len(json.dumps(record["metadata"], ensure_ascii=False).encode()) for record in made]
    assert max(sizes) <= MOST_METADATA
    assert max(sizes[:-2]) > MOST_METADATA / 3


def test_two_stores_in_one_index_know_nothing_of_each_other(opener: Opener) -> None:
    one, other = opener(), opener(prefix=f"{opener.prefix}-1")
    put(one, make_entry("tea"))
    put(other, make_entry("milk"))
    other_names = contents(other)
    for name in ("first", "second"):
        one.stage_vectors(name, [(key, words, b"abc") for key, words in one.unstaged(name, limit=9)])
        assert one.promote_vectors(name, dim=3)
    assert (contents(one), contents(other)) == (["tea"], other_names)


def test_an_exchange_of_vectors_leaves_the_old_namespaces_empty(
    store: PineconeStore, server: PineconeServer, opener: Opener
) -> None:
    put(store, make_entry("tea"))
    store.stage_vectors("new", [(key, words, b"abc") for key, words in store.unstaged("new", limit=9)])
    assert store.promote_vectors("new", dim=3)
    spaces = {name: len(space.look()) for name, space in server.spaces.items()}
    tenant = tenant_of("ada")
    assert (spaces[f"{opener.prefix}-0-{tenant}"], spaces[f"{opener.prefix}-1-{tenant}"]) == (0, 1)


def test_a_second_process_is_told_that_the_store_is_in_use(opener: Opener) -> None:
    put(opener(), make_entry("tea"))
    with pytest.raises(StoreBusyError, match="another process"):
        opener()
    assert contents(opener(clock=after_the_lease())) == ["tea"]


# A memory on it, and moving


@pytest.mark.parametrize("sparse", [True, False], ids=["hybrid", "dense alone"])
def test_a_memory_works_on_it(sparse: bool, new_server: Callable[..., PineconeServer]) -> None:
    url = new_server(dimension=352, sparse=sparse).url()
    with Memory(url) as memory:
        memory.add("Ada likes green tea", user_id="ada")
        memory.add("The train leaves at nine. " + LONG, user_id="ada")
    with Memory(url) as memory:
        found = memory.search("what does Ada drink?", user_id="ada")
        assert found[0].memory.content == "Ada likes green tea"
        assert memory.search("tea", user_id="bob") == []


@pytest.mark.parametrize("sparse", [True, False], ids=["hybrid", "dense alone"])
def test_a_user_too_large_for_a_shadow_is_searched_by_candidates(
    sparse: bool, new_server: Callable[..., PineconeServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "_BYTES_PER_ROW", 1 << 30)
    server = new_server(dimension=352, sparse=sparse)
    with Memory(server.url(), retrieval=Retrieval(shadow_limit_mb=1)) as memory:
        memory.add([f"The train number {n} leaves at nine" for n in range(60)], user_id="ada")
        memory.add("Ada likes green tea", user_id="ada")
        assert memory.search("green tea", user_id="ada")[0].memory.content == "Ada likes green tea"
        assert memory.search("which beverage?", user_id="ada")[0].memory.content == "Ada likes green tea"
    sent = [vector for *_, data in server.asked for vector in data.get("vectors", [])]
    assert any("sparseValues" in vector for vector in sent) is sparse


def test_a_store_is_copied_there_and_back_as_it_is(
    new_server: Callable[..., PineconeServer], tmp_path: Path
) -> None:
    url, file, back = new_server(dimension=352).url(), tmp_path / "brain.db", tmp_path / "back.db"
    with Memory(file) as memory:
        [first, *_] = memory.add(["Ada likes green tea", LONG, "She lives in Ghent"], user_id="ada")
        memory.update(first.id, content="Ada likes black tea", user_id="ada")
    there = copy_store(file, url)
    assert there == replace(copy_store(url, back), copied=there.copied)
    assert (there.memories, copy_store(file, url).copied) == (3, 0)
    with Memory(back) as memory:
        assert [change.action for change in memory.history(first.id, user_id="ada")] == ["add", "update"]


# What goes wrong


def test_a_wrong_key_is_refused_without_being_told(server: PineconeServer) -> None:
    with pytest.raises(StoreError, match="refused the api_key") as caught:
        PineconeStore("brain", api_key="hunter2", host=server.host)
    assert type(caught.value) is StoreError
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("key", ["", None, "key\n", "schlüssel"])
def test_a_key_that_cannot_be_one_is_refused_before_anything_is_sent(
    key: str | None, server: PineconeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINECONE_API_KEY", KEY)  # which the library does not look at
    with pytest.raises(InvalidInputError, match="api_key"):
        PineconeStore("brain", api_key=key, host=server.host)
    assert server.asked == []


def test_an_index_that_is_not_there_is_named(client: Pinecone) -> None:
    with pytest.raises(StoreError, match="index 'nothing' does not exist; create it"):
        PineconeStore("nothing", client=client)


def test_an_index_that_is_not_ready_is_busy(server: PineconeServer, opener: Opener) -> None:
    server.ready = False
    with pytest.raises(StoreBusyError, match="not ready"):
        opener()


@pytest.mark.parametrize(
    "fields",
    [
        {"_sparse_values": {"type": "sparse_vector"}},
        {"mine": {"type": "dense_vector", "dimension": 8, "metric": "cosine"}},
    ],
    ids=["sparse", "documents"],
)
def test_an_index_of_another_kind_is_refused(
    fields: dict[str, Any], new_server: Callable[..., PineconeServer]
) -> None:
    server = new_server()
    server.fields = fields
    with pytest.raises(StoreFormatError, match="dense vectors"), store_on(server):
        pass


def test_vectors_too_long_for_the_index_are_refused_and_nothing_is_stored(store: PineconeStore) -> None:
    with pytest.raises(EmbedderMismatchError, match="holds vectors of 8 dimensions, not 9; make one with 9"):
        put(store, make_entry("fine"), make_entry("tea", dim=9))
    assert contents(store) == []


def test_an_embedder_that_does_not_fit_can_be_replaced_by_one_that_does(
    new_server: Callable[..., PineconeServer],
) -> None:
    url = new_server(dimension=352).url()
    with Memory(url, embedder="hashing") as memory:
        for _ in range(2):
            with pytest.raises(EmbedderMismatchError, match="352 dimensions, not 384"):
                memory.add("Ada likes green tea", user_id="ada")
    with Memory(url) as memory:
        memory.add("Ada likes green tea", user_id="ada")
        assert len(memory.get_all(user_id="ada")) == 1


def test_vectors_that_do_not_fit_are_not_staged(store: PineconeStore) -> None:
    put(store, make_entry("tea"))
    [missing] = store.unstaged("new", limit=1)
    with pytest.raises(EmbedderMismatchError, match="8 dimensions, not 9"):
        store.stage_vectors("new", [(*missing, bytes(9))])
    assert store.vector_progress("new") == (0, 1)


def test_a_server_that_is_not_there_gives_one_error(new_server: Callable[..., PineconeServer]) -> None:
    server = PineconeServer()
    with store_on(server) as store:
        put(store, make_entry("tea"))
        server.close()
        for _ in range(2):
            with pytest.raises(StoreError, match="cannot be reached") as caught:
                put(store, make_entry("milk"))
            assert type(caught.value) is StoreError
        with pytest.raises(StoreError, match="cannot be reached"):
            store_on(server)
        store._ledger._lease._until = None  # or closing asks the server once more


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_what_passes_is_asked_again(status: int, store: PineconeStore, server: PineconeServer) -> None:
    server.answers += [status, status, 200, status]
    put(store, make_entry("tea"))
    assert contents(store) == ["tea"]


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (429, StoreBusyError, "takes no more requests"),
        (500, StoreError, "failed by itself"),
        (503, StoreBusyError, "not available"),
        (401, StoreError, "refused the api_key"),
        (402, StoreFullError, "plan"),
        (403, StoreReadOnlyError, "refused the api_key"),
        (404, StoreFormatError, "is gone"),
        (418, StoreError, "told to answer 418"),
    ],
)
def test_what_stays_is_one_error_and_nothing_half_written(
    status: int, kind: type[Exception], words: str, store: PineconeStore, server: PineconeServer
) -> None:
    put(store, make_entry("tea"))
    good = 0
    while not added_whole(store, server, answers=[*[200] * good, *[status] * 12], kind=kind, words=words):
        stored = contents(store)
        assert stored.count("one") == stored.count("two")
        good += 1
    assert good > 4
    assert "tea" in contents(store)


def added_whole(
    store: PineconeStore, server: PineconeServer, *, answers: list[int], kind: type[Exception], words: str
) -> bool:
    """Add two memories while the server answers so; whether it went well."""
    server.answers += answers
    try:
        put(store, make_entry("one"), make_entry("two"))
    except StoreError as error:
        raised = error
    else:
        raised = None
    server.answers.clear()
    assert raised is None or (type(raised) is kind and words in str(raised))
    return raised is None


def test_a_part_removed_by_somebody_else_is_named_as_damage(
    store: PineconeStore, server: PineconeServer, opener: Opener
) -> None:
    put(store, make_entry(LONG))
    space = server.spaces[f"{opener.prefix}-0-{tenant_of('ada')}"]
    del space.shown[next(record for record in space.shown if record.endswith(".2"))]
    with pytest.raises(StoreCorruptError, match="parts of a long record"):
        store.find(ADA, EVERYTHING)


def test_a_memory_removed_by_somebody_else_is_named_as_damage(
    store: PineconeStore, server: PineconeServer, opener: Opener
) -> None:
    put(store, make_entry("tea"))
    space = server.spaces[f"{opener.prefix}-0-{tenant_of('ada')}"]
    del space.shown[point_id("memory", tenant_of("ada"), 1)]
    with pytest.raises(StoreCorruptError, match="gone"):
        store.find(ADA, EVERYTHING)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("pinecone://brain", ("brain", None, "recollect", "https://api.pinecone.io")),
        ("pinecone://:k%40y@my-brain-2", ("my-brain-2", "k@y", "recollect", "https://api.pinecone.io")),
        ("pinecone://brain?prefix=team", ("brain", None, "team", "https://api.pinecone.io")),
        ("pinecone+http://:k@[::1]:5080/brain", ("brain", "k", "recollect", "http://[::1]:5080")),
        ("pinecone+https://host/brain", ("brain", None, "recollect", "https://host")),
    ],
)
def test_a_url_says_where_and_with_which_key(url: str, expected: tuple[object, ...]) -> None:
    assert tuple(read_url(url)) == expected


@pytest.mark.parametrize(
    "url",
    [
        "pinecone://",
        "pinecone:///hunter2",
        "pinecone://:hunter2@",
        "pinecone://:hunter2@brain/more",
        "pinecone://:hunter2@brain:80",
        "pinecone://:hunter2@brain?unheard=of",
        "pinecone://:hunter2@brain#more",
        "pinecone://:hunter2@[::1",
        "pinecone+http://:hunter2@host",
        "pinecone+ftp://:hunter2@host/brain",
    ],
)
def test_a_url_that_means_nothing_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        PineconeStore.from_url(url)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("index", "prefix"),
    [("", "fine"), ("Brain", "fine"), ("a" * 46, "fine"), ("a/b", "fine"), ("fine", "a/b")],
)
def test_a_name_that_cannot_be_one_is_refused(index: str, prefix: str) -> None:
    with pytest.raises(InvalidInputError):
        PineconeStore(index, api_key=KEY, prefix=prefix)


def test_a_missing_client_gives_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("recollect.stores.pinecone")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pinecone", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'recollect\[pinecone\]'"):
        importlib.import_module("recollect.stores.pinecone")

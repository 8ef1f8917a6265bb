import itertools
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule
from tests.ports import free_port
from tests.stores.missing import missing
from tests.tables import table

from recollect import Memory
from recollect.errors import (
    ClosedError,
    InvalidInputError,
    MissingExtraError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.memory.maintenance import copy_store, reembed
from recollect.stores.reference.store import InMemoryStore
from recollect.testing import ADA, BOB, StoreContract, make_entry, make_features
from recollect.testing.contract.changing import praised, upper
from recollect.testing.contract.copying import all_of, fill
from recollect.testing.contract.fixtures import contents, only, put, remove
from recollect.testing.contract.shadowing import Receiver
from recollect.testing.machine import StorePairMachine
from recollect.testing.strategies import USERS
from recollect.types import Job, Link, MemoryLabels, Scope, Tag
from recollect.types.filters import EVERYTHING

if why := missing("pyoxigraph"):
    pytest.skip(why, allow_module_level=True)

import pyoxigraph

from recollect.stores.sparql import SPARQLStore
from recollect.stores.sparql import endpoint as endpoint_module
from recollect.stores.sparql import requests as requests_module
from recollect.stores.sparql.endpoint import Embedded, Remote
from recollect.stores.sparql.store import read_url

NUMBERS = itertools.count()


# A real endpoint


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of an Oxigraph server, without ``/query``."""
    command = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    assert command, "the tests need the oxigraph command; run: make test"
    address = f"127.0.0.1:{free_port()}"
    with subprocess.Popen(  # noqa: S603 - installed with the tests
        [command, "serve", "--bind", address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_for(address, process)
            yield f"http://{address}"
        finally:
            process.kill()


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    host, _, port = address.partition(":")
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection((host, int(port)), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    pytest.fail("the oxigraph server does not start")


def new_name() -> str:
    return f"test-{os.getpid()}-{next(NUMBERS)}"


class TestSPARQLInAFolder(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SPARQLStore]:
        no_waiting_for_the_disk(monkeypatch)
        self.folder = tmp_path / "brain"
        store = SPARQLStore(self.folder)
        yield store
        store.close()

    def reopen(self, store: SPARQLStore) -> SPARQLStore:
        store.close()
        return SPARQLStore(self.folder)


class TestSPARQLOnAServer(StoreContract):
    @pytest.fixture
    def store(self, server: str) -> Iterator[SPARQLStore]:
        self.place = {"location": f"{server}/query", "name": new_name()}
        self.stores = [SPARQLStore(**self.place)]  # type: ignore[arg-type]
        yield self.stores[0]
        for store in self.stores:
            store.close()

    def reopen(self, store: SPARQLStore) -> SPARQLStore:
        store.close()
        self.stores.append(SPARQLStore(**self.place))  # type: ignore[arg-type]
        return self.stores[-1]


def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is thrown away anyway."""
    update = Embedded.update

    def quick(self: Embedded, request: str) -> None:
        self._lasts = False
        update(self, request)

    monkeypatch.setattr(Embedded, "update", quick)


class SharedMachine(StorePairMachine):
    """The rules, by two clients of one graph that take turns, and are started anew."""

    def __init__(self) -> None:
        self.graph = pyoxigraph.Store()
        self.make_stores = (lambda: SPARQLStore(self.graph), InMemoryStore)  # type: ignore[misc]
        super().__init__()
        self.other = SPARQLStore(self.graph)

    @rule()
    def go_on_in_another_client(self) -> None:
        self.other, self.pair = self.pair[0], (self.other, self.pair[1])  # type: ignore[assignment]

    @rule()
    def start_the_client_anew(self) -> None:
        self.pair[0].close()
        self.pair = (SPARQLStore(self.graph), self.pair[1])
        self.receivers = [{user: Receiver(Scope(user_id=user)) for user in USERS} for _ in self.pair]


@pytest.mark.parametrize("kept", [100, 2])
def test_two_clients_answer_like_the_reference(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests_module, "KEPT_WRITES", kept)
    case = SharedMachine.TestCase
    case.settings = settings(
        max_examples=10, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
    )
    case().runTest()


# The graph


@pytest.fixture
def graph() -> pyoxigraph.Store:
    return pyoxigraph.Store()


@pytest.fixture
def store(graph: pyoxigraph.Store) -> Iterator[SPARQLStore]:
    with closing(SPARQLStore(graph)) as store:
        yield store


def ask(graph: pyoxigraph.Store, names: str, where: str) -> list[tuple[str, ...]]:
    """What a query of a reader of docs/use/stores/sparql.md finds, sorted."""
    words = {"mcp": "http://purl.org/stuff/mcp/", "r": "urn:recollect:terms:"}
    found: Any = graph.query(f"SELECT {names} {{ GRAPH ?g {{ {where} }} }}", prefixes=words)
    return sorted(tuple(row[place].value for place in range(len(names.split()))) for row in found)


def words_in(graph: pyoxigraph.Store) -> str:
    return "\n".join(str(quad) for quad in graph)


def test_the_type_of_a_memory_follows_its_tier(graph, store) -> None:
    for tier in ("working", "short-term", "long-term", "archived"):
        entry = make_entry(tier)
        put(store, replace(entry, record=replace(entry.record, tier=tier)))  # type: ignore[arg-type]
    found = ask(graph, "?words ?type", "?m a mcp:Interaction ; mcp:memoryType ?type ; r:content ?words")
    assert found == [
        ("archived", "long-term"),
        ("long-term", "long-term"),
        ("short-term", "short-term"),
        ("working", "short-term"),
    ]
    ids = [record.id for record in store.find(ADA, EVERYTHING)]
    store.update(ADA, ids, lambda record: replace(make_entry(), record=replace(record, tier="long-term")))
    assert {*ask(graph, "?type", "?m mcp:memoryType ?type")} == {("long-term",)}


def test_what_is_written_of_a_memory_is_what_the_documentation_says(graph, store) -> None:
    [memory_id] = put(store, make_entry("tea", scope=Scope(user_id="ada", agent_id="a", session_id="s")))
    store.update(
        ADA,
        [memory_id],
        lambda record: replace(
            make_entry(),
            record=replace(
                record,
                labels=MemoryLabels(tags=(Tag(text="drink"),), concepts=("tea", "leaf"), entities=("Ada",)),
                summary="short",
            ),
        ),
    )
    rows = ask(graph, "?p ?o", f'?m mcp:id "{memory_id}" ; ?p ?o')
    told = {(re.split("[:/]", predicate)[-1], value) for predicate, value in rows}
    assert told >= {
        ("id", memory_id), ("content", "tea"), ("kind", "message"), ("tier", "long-term"), ("user", "ada"),
        ("agent", "a"), ("session", "s"), ("tag", "drink"), ("concept", "tea"), ("concept", "leaf"),
        ("entity", "Ada"), ("summary", "short"), ("accessCount", "1"), ("decayFactor", "1"), ("role", "user"),
        ("importance", "0.5"), ("timestamp", "2026-05-01T12:00:00Z"),
    }  # fmt: skip


def test_every_user_has_a_graph(graph, store) -> None:
    put(store, make_entry("hers"))
    put(store, make_entry("his", scope=BOB))
    store.change_state(BOB, "a", lambda _: "learned")
    graphs = {quad.graph_name.value for quad in graph}
    assert graphs == {f"urn:recollect:store:recollect:{part}" for part in ("user:ada", "user:bob", "ledger")}
    assert "his" not in "".join(str(quad) for quad in graph if quad.graph_name.value.endswith("ada"))
    assert "hers" not in "".join(str(quad) for quad in graph if quad.graph_name.value.endswith("bob"))


def test_deleted_memories_are_no_interactions_and_purged_ones_are_gone(graph, store) -> None:
    kept, gone = put(store, make_entry("kept"), make_entry("sesame"))
    store.update(ADA, [gone], upper)
    store.link(ADA, [Link(source_id=kept, target_id=gone, type="related")])
    remove(store, gone)
    assert ask(graph, "?id", "?m a mcp:Interaction ; mcp:id ?id") == [(kept,)]
    assert "sesame" in words_in(graph)
    store.purge(ADA)
    assert "sesame" not in words_in(graph).lower()
    assert gone not in words_in(graph)
    assert ask(graph, "?link", "?link a r:Link") == []


def test_links_are_readable(graph, store) -> None:
    one, two = put(store, make_entry("one"), make_entry("two"))
    store.link(ADA, [Link(source_id=one, target_id=two, type="supersedes")])
    where = "?link r:source/mcp:id ?one ; r:target/mcp:id ?two ; r:type ?type"
    assert ask(graph, "?one ?two ?type", where) == [(one, two, "supersedes")]


def test_several_stores_and_other_data_live_in_one_endpoint(graph) -> None:
    graph.update(
        "INSERT DATA { GRAPH <urn:mine> { <urn:a> <urn:recollect:terms:record> '{}' } <urn:a> <urn:b> 1 }"
    )
    before = words_in(graph)
    with closing(SPARQLStore(graph, name="a")) as one, closing(SPARQLStore(graph, name="a-b")) as two:
        put(one, make_entry("one"))
        put(two, make_entry("two"))
        remove(one, only(one).id)
        one.purge(ADA)
        assert contents(two) == ["two"]
        assert contents(one) == []
    assert set(before.splitlines()) <= set(words_in(graph).splitlines())
    with closing(SPARQLStore(graph, name="a-b")) as two:
        assert contents(two) == ["two"]


@pytest.mark.parametrize("part", ["record", "entry"])
def test_what_stands_in_the_graph_of_somebody_else_is_refused(part: str, graph, store) -> None:
    put(store, make_entry("hers"))
    put(store, make_entry("his", scope=BOB))
    store.change_state(ADA, "a", lambda _: "hers")
    base = "urn:recollect:store:recollect:user:"
    graph.update(
        f"DELETE {{ GRAPH <{base}ada> {{ ?s <urn:recollect:terms:{part}> ?o }} }} "
        f"INSERT {{ GRAPH <{base}bob> {{ ?s <urn:recollect:terms:{part}> ?o }} }} "
        f"WHERE {{ GRAPH <{base}ada> {{ ?s <urn:recollect:terms:{part}> ?o }} }}"
    )
    with pytest.raises(StoreCorruptError, match="another"):
        SPARQLStore(graph)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("DELETE WHERE { GRAPH ?g { ?s <urn:recollect:terms:change> ?o } }", StoreCorruptError),
        ("DELETE WHERE { GRAPH ?g { ?s <urn:recollect:terms:record> ?o } }", StoreCorruptError),
        ("DELETE WHERE { GRAPH ?g { ?s <urn:recollect:terms:format> ?o } }", StoreError),
        (
            """DELETE { GRAPH ?g { ?s <urn:recollect:terms:format> ?o } }
            INSERT { GRAPH ?g { ?s <urn:recollect:terms:format> 2 } }
            WHERE { GRAPH ?g { ?s <urn:recollect:terms:format> ?o } }""",
            StoreFormatError,
        ),
    ],
)
def test_a_damaged_graph_is_one_error(change: str, error: Any, graph, store) -> None:
    put(store, make_entry("one"))
    graph.update(change)
    with pytest.raises(error):
        SPARQLStore(graph)


@pytest.mark.parametrize(
    "write", ["5", "[5]", '{"memories": [[1, [5]]]}', '{"memories": [[1e400, {}]]}', "{"]
)
def test_a_damaged_write_of_another_process_is_one_error(write: str, graph, store) -> None:
    put(store, make_entry("one"))
    with closing(SPARQLStore(graph)) as other:
        put(other, make_entry("two"))
    graph.update(
        "DELETE { GRAPH ?g { ?s <urn:recollect:terms:write> ?o } } "
        f"INSERT {{ GRAPH ?g {{ ?s <urn:recollect:terms:write> {json.dumps(write)} }} }} "
        "WHERE { GRAPH ?g { ?s <urn:recollect:terms:write> ?o } }"
    )
    with pytest.raises(StoreCorruptError):
        store.count(ADA)


def test_a_graph_that_was_cleared_or_put_back_under_an_open_store_is_told(graph, store) -> None:
    put(store, make_entry("one"))
    saved = list(graph)
    put(store, make_entry("two"))
    graph.clear()
    graph.extend(saved)
    with pytest.raises(StoreError, match="earlier state"):
        store.count(ADA)
    graph.clear()
    with pytest.raises(StoreCorruptError, match="gone"):
        store.count(ADA)


# Text that is no text


HOSTILE = [
    'a"b', "it's", "\\", '\\"', "}", "} } ; DROP ALL #", '" } } ; CLEAR ALL ; INSERT DATA { <a:b> <a:b> "',
    "<a:b>", "a\nb\r\tc", "\0", "\x1f\x7f\x85\u2028", "\ud800", "x\udfffy", "\\u0022 } ; DROP ALL #",
    "\\U00000022", '"""', "'''", "?s", "$o", "@en", "^^<urn:x>", "%", "%22", "#", "\ufeff\ufffe", "🦊",
    "é\u0301", "", " ",
]  # fmt: skip
hostile = st.sampled_from(HOSTILE) | st.text(
    st.sampled_from("\"'\\{}<>;#\n\r\t\0u0022?@^%🦊\ud800\udc00 ") | st.characters(exclude_categories=()),
    max_size=20,
)


def put_everywhere(store: SPARQLStore, text: str) -> Scope:
    """Put a text wherever one can stand."""
    user = Scope(user_id=f"u{text}", agent_id=text, session_id=text)
    entry = make_entry(memory_id=f"m{text}", scope=user, thread=text, idempotency_key=text)
    record = replace(
        entry.record,
        content=text,
        summary=text,
        labels=MemoryLabels(tags=(Tag(text=text),), concepts=(text,), entities=(text,), category=text),
        origin=replace(entry.record.origin, speaker=text, role=text, sources=(text,)),
        metadata={text: [text]},
    )
    features = replace(make_features("tea"), stems=text)
    jobs = [Job(task=text, scope=user, payload={text: text})]
    [memory_id] = store.add(user, [replace(entry, record=record, features=features)], jobs=jobs)
    store.update(user, [memory_id], praised, reason=text)
    store.change_state(user, text, lambda _: text)
    store.put_setting(text, text)
    store.link(user, [Link(source_id=memory_id, target_id=memory_id, type="related")])
    store.fail_job(store.claim_jobs(limit=1, lease_s=0)[0].id, text, retry_in_s=0)
    return user


def all_kept(store: SPARQLStore, user: Scope, text: str) -> Any:
    memory_id = f"m{text}"
    return (
        store.find(user, EVERYTHING), store.history(user, memory_id), store.links(user, memory_id),
        store.states(user), store.setting(text), store.jobs(),
        [row.features for row in store._tables.live(user)],
    )  # fmt: skip


def check_hostile(make: Callable[[], SPARQLStore], text: str, canary: Callable[[], object]) -> None:
    before = canary()
    with closing(make()) as store, closing(make()) as watcher:
        user = put_everywhere(store, text)
        known = all_kept(store, user, text)
        assert known[0][0].content == text
        assert known[3:5] == ({text: text}, text)
        assert all_kept(watcher, user, text) == known  # by the writes that were put down
        with closing(make()) as anew:
            assert all_kept(anew, user, text) == known  # by all that is kept
        store.delete(user, EVERYTHING, reason=text)
        assert store.purge(Scope(user_id=user.user_id)) == 1
        with closing(make()) as anew:
            assert anew.known_users() == []
    assert canary() == before


CANARY = "INSERT DATA { GRAPH <urn:canary> { <urn:s> <urn:p> 'alive' } <urn:s> <urn:p> 'alive too' }"


@given(text=hostile)
@example(text='" } } ; DROP ALL #')
@settings(max_examples=60, deadline=None)
def test_no_text_is_read_as_sparql(text: str) -> None:
    graph = pyoxigraph.Store()
    graph.update(CANARY)

    def canary() -> object:
        return [str(quad) for quad in graph.quads_for_pattern(pyoxigraph.NamedNode("urn:s"), None, None)]

    check_hostile(lambda: SPARQLStore(graph), text, canary)
    graphs = {name.value for name in graph.named_graphs()}
    assert {name for name in graphs if not name.startswith("urn:recollect:store:recollect:")} == {
        "urn:canary"
    }


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_read_as_sparql_by_a_server(text: str, server: str) -> None:
    endpoint = Remote(f"{server}/query", f"{server}/update", auth=None, timeout_s=60)
    endpoint.update(CANARY)
    name = new_name()

    def canary() -> object:
        return sorted(
            map(repr, endpoint.select("SELECT * { { <urn:s> ?p ?o } UNION { GRAPH ?g { <urn:s> ?p ?o } } }"))
        )

    assert len(canary()) == 2  # type: ignore[arg-type]
    check_hostile(lambda: SPARQLStore(f"{server}/query", name=name), text, canary)
    endpoint.close()


@table("name", ["", "a b", "a:b", "a>b", "ü", "a/b", "x" * 101])
def test_a_name_that_cannot_stand_in_an_iri_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match="name"):
        SPARQLStore(":memory:", name=name)


# Several clients


def test_two_clients_see_what_the_other_wrote(server: str) -> None:
    name = new_name()
    with (
        closing(SPARQLStore(f"{server}/query", name=name)) as one,
        closing(SPARQLStore(f"{server}/query", name=name)) as two,
    ):
        [tea] = put(one, make_entry("tea", thread="t"))
        assert contents(two) == ["tea"]
        put(two, make_entry("cake", thread="t"))
        two.update(ADA, [tea], upper)
        assert contents(one) == ["TEA", "cake"]
        assert sorted(record.origin.turn for record in one.find(ADA, EVERYTHING)) == [0, 1]


def test_clients_that_write_at_once_lose_nothing_and_double_nothing(server: str) -> None:
    name = new_name()

    def work(number: int) -> None:
        with closing(SPARQLStore(f"{server}/query", name=name)) as store:
            for turn in range(8):
                [memory_id] = put(store, make_entry(f"{number} {turn}", thread="t"))
                store.update(ADA, [memory_id], praised)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    with closing(SPARQLStore(f"{server}/query", name=name)) as store:
        records = store.find(ADA, EVERYTHING)
        assert {record.content for record in records} == {f"{n} {t}" for n in range(4) for t in range(8)}
        assert sorted(record.origin.turn for record in records) == list(range(32))
        assert {record.use.useful_count for record in records} == {1}


def test_a_write_that_lost_the_race_every_time_is_told(graph, store, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(SPARQLStore(graph)) as other:
        log = store._log
        append = log.append
        numbers = itertools.count()

        def too_late(*arguments: Any) -> None:
            put(other, make_entry(f"theirs {next(numbers)}"))
            append(*arguments)

        monkeypatch.setattr(log, "append", too_late)
        monkeypatch.setattr("recollect.stores.logged.store.time.sleep", lambda _: None)
        with pytest.raises(StoreBusyError, match="try again"):
            put(store, make_entry("mine"))
    assert "mine" not in contents(store)


@pytest.mark.parametrize("limit", ["KEPT_WRITES", "_WRITE_CHARACTERS"])
def test_who_missed_too_much_reads_everything_again(
    limit: str, graph, store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests_module, limit, 3)
    monkeypatch.setattr("recollect.stores.sparql.log.KEPT_WRITES", 3)
    receiver = Receiver(ADA)
    ids = put(store, make_entry("gone"), make_entry("kept"))
    receiver.refresh(store)
    with closing(SPARQLStore(graph)) as other:
        remove(other, ids[0])
        other.purge(ADA)
        for number in range(10):
            put(other, make_entry(f"new {number}"))
    receiver.refresh(store)
    assert receiver.ids == [record.id for record in store.find(ADA, EVERYTHING)]
    assert len(receiver.ids) == 11
    writes = ask(graph, "?w", "?w a r:Write")
    assert len(writes) == (3 if limit == "KEPT_WRITES" else 13)


# A server that fails


class Proxy(ThreadingHTTPServer):
    """Stands before a server, and does what a script says for each request.

    A step is a status to answer, ``drop`` to hang up, ``late`` to carry the request out and hang up,
    ``late 500`` to carry it out and answer 500, ``page`` to answer with HTML, bytes to answer them, or None
    to pass it on.
    """

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.target = target
        self.script: Iterator[Any] = iter(())
        self.only = ""
        self.seen: list[tuple[str, Any]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """A connection that broke is part of the play."""


class Handler(BaseHTTPRequestHandler):
    server: Proxy

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, self.headers.get("Authorization")))
        step = next(self.server.script, None) if self.server.only in self.path else None
        if step is None or str(step).startswith("late"):
            answer = self._passed_on(body)
            if step is None:
                self._answer(*answer)
                return
        if step in ("drop", "late"):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if isinstance(step, bytes):
            self._answer(200, step, "application/sparql-results+json")
            return
        status = 200 if step == "page" else 500 if step == "late 500" else step
        self._answer(status, b"<html>no</html>", "text/html")

    def _passed_on(self, body: bytes) -> tuple[int, bytes, str]:
        import httpx2

        headers = {name: self.headers[name] for name in ("Content-Type", "Accept") if self.headers[name]}
        answer = httpx2.post(self.server.target + self.path, content=body, headers=headers, trust_env=False)
        return answer.status_code, answer.content, answer.headers.get("Content-Type", "")

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is told."""


@pytest.fixture
def proxy(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    monkeypatch.setattr(endpoint_module.time, "sleep", lambda _: None)
    with Proxy(server) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=(0.01,))
        thread.start()
        yield proxy
        proxy.shutdown()
        thread.join()


def through(proxy: Proxy) -> SPARQLStore:
    address = proxy.url.removeprefix("http://")
    return SPARQLStore.from_url(f"sparql+http://ada:s3cret@{address}/query?name={new_name()}")


@pytest.mark.parametrize("only", ["/update", "/query"])
@pytest.mark.parametrize(
    "steps", [[500], [503, 429, 502, 504], ["drop", 500], ["late"], ["late 500", "drop"], ["late", "late"]]
)
def test_a_server_that_fails_for_a_while_is_asked_again_and_each_write_happens_once(
    steps: list[Any], only: str, proxy: Proxy
) -> None:
    with closing(through(proxy)) as store:
        put(store, make_entry("before", thread="t"))
        proxy.only, proxy.script = only, iter(steps)
        put(store, make_entry("meanwhile", thread="t"))
        assert next(proxy.script, "none left") == "none left"
        put(store, make_entry("after", thread="t"))
        assert contents(store) == ["after", "before", "meanwhile"]
        assert sorted(record.origin.turn for record in store.find(ADA, EVERYTHING)) == [0, 1, 2]


@pytest.mark.parametrize("only", ["/update", "/query"])
@pytest.mark.parametrize("step", [500, "drop", "late", 400])
def test_a_server_that_is_down_leaves_nothing_half_written(step: Any, only: str, proxy: Proxy) -> None:
    with closing(through(proxy)) as store:
        put(store, make_entry("before"))
        proxy.only, proxy.script = only, itertools.repeat(step)
        with pytest.raises(StoreError) as caught:
            store.add(ADA, [make_entry("lost"), make_entry("too")], jobs=[Job(task="t", scope=ADA)])
        assert "s3cret" not in str(caught.value)
        if only == "/query":
            with pytest.raises(StoreError):
                store.count(ADA)
        proxy.script = iter(())
        found = contents(store)
        assert found in (["before"], ["before", "lost", "too"])
        assert len(store.jobs()) == len(found) // 2
        assert step == "late" or found == ["before"]
        put(store, make_entry("next"))
        assert len(contents(store)) == len(found) + 1


@pytest.mark.parametrize(
    ("step", "error", "match"),
    [
        (401, StoreError, "user or the password"),
        (403, StoreReadOnlyError, "may do"),
        (404, StoreError, "no SPARQL endpoint"),
        (503, StoreBusyError, "503"),
        (507, StoreFullError, "space"),
        (500, StoreError, "500"),
        ("page", StoreError, "does not answer as a SPARQL endpoint"),
        ("drop", StoreError, "cannot be reached"),
    ],
)
def test_what_a_server_says_is_one_error_without_the_password(
    step: Any, error: Any, match: str, proxy: Proxy
) -> None:
    proxy.script = itertools.repeat(step)
    with pytest.raises(error, match=match) as caught:
        through(proxy)
    whole = f"{caught.value!r} {caught.value.__cause__!r}"
    assert "s3cret" not in whole
    assert "ada" not in whole


@pytest.mark.parametrize(
    "ledger",
    [
        {"format": "abc", "number": "1"},
        {"format": "1", "number": "xyz"},
        {"number": "1"},
        {"format": "1"},
        {"format": "1", "number": "-5"},
        {"format": "1", "number": "9" * 5000},
        {"format": "1", "number": "1.5"},
    ],
)
def test_a_ledger_with_wrong_numbers_is_one_error(ledger: dict[str, str], proxy: Proxy) -> None:
    row = {name: {"type": "literal", "value": value} for name, value in ledger.items()}
    wrong = json.dumps({"head": {"vars": list(row)}, "results": {"bindings": [row]}}).encode()
    with closing(through(proxy)) as store:
        put(store, make_entry("before"))
        proxy.script = itertools.repeat(wrong)
        for act in (lambda: store.count(ADA), lambda: put(store, make_entry("lost")), lambda: through(proxy)):
            with pytest.raises(StoreCorruptError, match="not a whole number"):
                act()
        proxy.script = iter(())
        assert contents(store) == ["before"]


@pytest.mark.parametrize("is_open", [True, False])
def test_an_address_that_carries_no_update_out_is_named(is_open: bool, proxy: Proxy) -> None:
    with ExitStack() as stack:
        if is_open:
            store = stack.enter_context(closing(through(proxy)))
        proxy.only, proxy.script = "/update", itertools.repeat("page")
        with pytest.raises(StoreError, match="URL of updates"):
            put(store, make_entry("lost")) if is_open else through(proxy)
        assert len([path for path, _ in proxy.seen if path == "/update"]) == 1 + is_open


def test_user_and_password_are_sent_and_not_shown(proxy: Proxy) -> None:
    with closing(through(proxy)) as store:
        put(store, make_entry())
        assert "s3cret" not in repr(store)
        with Memory(store, embedder="hashing") as memory:
            assert "s3cret" not in memory.stats().store
    assert {authorization for _, authorization in proxy.seen} == {"Basic YWRhOnMzY3JldA=="}
    assert {path for path, _ in proxy.seen} == {"/query", "/update"}


def test_nobody_at_the_address_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module.time, "sleep", lambda _: None)
    with pytest.raises(StoreError, match="cannot be reached"):
        SPARQLStore(f"http://127.0.0.1:{free_port()}/query")


def test_the_pauses_between_the_tries_grow(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(endpoint_module.time, "sleep", pauses.append)
    monkeypatch.setattr(endpoint_module.random, "uniform", lambda _, most: most)
    proxy.script = itertools.repeat(500)
    with pytest.raises(StoreError):
        through(proxy)
    assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8])


# A folder


KILLED = """
import sys
from recollect.stores.sparql import SPARQLStore
from recollect.protocols import Entry, Features
from recollect.types.clock import utc_now
from recollect.types import MemoryRecord, Origin, Scope, Times
ada, now = Scope(user_id="ada"), utc_now()
store, number = SPARQLStore(sys.argv[1]), int(sys.argv[2])
while True:
    record = MemoryRecord(
        id=f"{number:06}", scope=ada, content="words", origin=Origin(thread="t"),
        times=Times(created_at=now, happened_at=now, updated_at=now),
    )
    features = Features(vector=b"abcd", terms=b"", counts=b"", stems="tea")
    print(*store.add(ada, [Entry(record=record, features=features)]), flush=True)
    number += 1
"""


def test_what_was_acknowledged_in_a_folder_survives_kills(tmp_path: Path) -> None:
    said: list[str] = []
    chance = random.Random(3)  # noqa: S311
    for life in range(3):
        with subprocess.Popen(  # noqa: S603 - our own code
            [sys.executable, "-c", KILLED, str(tmp_path / "brain"), str(life * 1_000)],
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(chance.randint(1, 20))]
            process.kill()
            lines += process.stdout.read().splitlines(keepends=True)
        said += [line.strip() for line in lines if line.endswith("\n")]
    with closing(SPARQLStore(tmp_path / "brain")) as store:
        records = store.find(ADA, EVERYTHING)
        assert {*said} <= {record.id for record in records}
        assert sorted(record.origin.turn for record in records) == list(range(len(records)))


def test_a_folder_is_forced_to_the_disk_before_a_write_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SPARQLStore(tmp_path / "brain")) as store:
        flushed = []

        class Watched:
            def __getattr__(self, name: str) -> Any:
                flushed.append(name)
                return getattr(real, name)

        real = store._log._endpoint._store  # type: ignore[attr-defined]
        monkeypatch.setattr(store._log._endpoint, "_store", Watched())  # type: ignore[attr-defined]
        put(store, make_entry())
        assert flushed.index("flush") == flushed.index("update") + 1
        monkeypatch.undo()


def test_a_folder_in_use_is_named(tmp_path: Path) -> None:
    place = tmp_path / "brain"
    with closing(SPARQLStore(place)), pytest.raises(StoreBusyError, match="another process"):
        SPARQLStore(place)
    SPARQLStore(place).close()


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("", InvalidInputError),
        ("  ", InvalidInputError),
        ("file", StoreError),
        ("file/below", StoreError),
        ("a\0b", InvalidInputError),
        ("http://ada:s3cret@host/query", InvalidInputError),
    ],
)
def test_a_place_where_no_store_can_be_is_one_error(
    place: str, error: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    with pytest.raises(error) as caught:
        SPARQLStore(place)
    assert "s3cret" not in str(caught.value)


def test_a_closed_store_says_so(store) -> None:
    store.close()
    store.close()
    with pytest.raises(ClosedError):
        store.count(ADA)


# As a user meets it


def test_a_memory_lives_in_a_folder(tmp_path: Path) -> None:
    url = f"oxigraph:///{tmp_path}/brain"
    with Memory(url, embedder="hashing") as memory:
        [tea, cake] = memory.add(["Ada likes tea", "Ada likes cake"], user_id="ada", session_id="s")
        memory.graph.link(tea.id, cake.id, type="related", user_id="ada")
    reembed(url, embedder="static")
    with Memory(url) as memory:
        assert memory.search("tea", user_id="ada", top_k=1)[0].memory.id == tea.id
        assert len(memory.graph.links(tea.id, user_id="ada")) == 1


def test_everything_is_copied_to_a_server_and_back(server: str, tmp_path: Path) -> None:
    url = f"sparql+{server}/query?name={new_name()}"
    source = InMemoryStore()
    fill(source)
    source.change_state(ADA, "a", lambda _: "learned")
    source.add(ADA, [], jobs=[Job(task="t", scope=ADA)])
    there = copy_store(source, url)
    back = copy_store(url, tmp_path / "brain.db")
    again = copy_store(tmp_path / "brain.db", f"oxigraph:///{tmp_path}/brain")
    assert there.digest == back.digest == again.digest
    with closing(SPARQLStore(tmp_path / "brain")) as store:
        assert [copied.record for copied in all_of(store)] == [copied.record for copied in all_of(source)]
    with pytest.raises(InvalidInputError, match="no memories"):
        copy_store(f"oxigraph:///{tmp_path}/none", tmp_path / "other.db")
    assert not (tmp_path / "none").exists()


@table(
    "url",
    [
        "sparql+http://", "sparql+http:///path", "sparql+http://host:port/", "sparql+ftp://host", "oxigraph:///",
        "sparql+http://u:s3cret@host/q?what=1", "sparql+http://u:s3cret@[host/q", "oxigraph://host", "sparql://h",
        "sparql+http://u:s3cret@host/q?name=a:b",
    ],
)  # fmt: skip
def test_a_url_that_means_nothing_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        Memory(url)
    assert "s3cret" not in str(caught.value)


def test_a_url_may_hold_escaped_characters() -> None:
    found = read_url("sparql+https://a%40b:p%3Aw@host/repositories/x?update=x/statements")
    assert (found.user, found.password) == ("a@b", "p:w")
    assert found.place == "https://host/repositories/x"
    assert found.update == "https://host/repositories/x/statements"


class _Absent:
    found: ClassVar[set[str]] = {"pyoxigraph"}

    def find_spec(self, name: str, *_: object) -> None:
        if name in self.found:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize("missing", ["pyoxigraph", "httpx2"])
def test_without_the_extra_the_error_says_how_to_get_it(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(sys.modules):
        if name.startswith("recollect.stores.sparql") or name.partition(".")[0] == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(_Absent, "found", {missing})
    monkeypatch.setattr(sys, "meta_path", [_Absent(), *sys.meta_path])
    with pytest.raises(MissingExtraError, match=r"'recollect\[sparql\]"):
        Memory("oxigraph:///brain")

"""What a newcomer tries first: it works, or the error names what does."""

import asyncio
import inspect
import json
import re
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import asdict, fields
from datetime import date, datetime, timedelta, timezone
from pickle import dumps, loads
from uuid import UUID

import pytest
from typer.testing import CliRunner

import recollect
from recollect import (
    AsyncMemory,
    EmbedderError,
    EmbedderMismatchError,
    InvalidInputError,
    Labels,
    Memory,
    NotFoundError,
    Within,
)
from recollect.cli import app
from recollect.documents import Documents
from recollect.embedders import FunctionEmbedder, open_embedder
from recollect.learning.admission import Learning
from recollect.memory.facts import Facts
from recollect.memory.graph import MemoryGraph
from recollect.memory.jobs import Jobs
from recollect.memory.lifecycle import Lifecycle
from recollect.retrieval.scoring import Retrieval
from recollect.sessions.sessions import Sessions
from recollect.stores import default_path
from recollect.testing import FakeClock
from recollect.types import guesses

MOMENT = datetime(2026, 5, 1, 10, tzinfo=timezone(timedelta(hours=2)))

TEXT = "I prefer Python for data analysis,\nand R for plots. " + "It is what I learned first. " * 5


@contextmanager
def opened(folder):
    with Memory(folder / "brain.db", clock=FakeClock()) as made:
        made.add(
            {"content": TEXT, "name": "Ada", "tags": ["code"], "metadata": {"topic": "work"}},
            user_id="ada",
            session_id="first",
        )
        yield made


@pytest.fixture
def memory(tmp_path):
    with opened(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory):
    """The same for calls that must store nothing."""
    with opened(tmp_path_factory.mktemp("unchanged")) as made:
        yield made


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The memory of the results."""
    with opened(tmp_path_factory.mktemp("told")) as made:
        yield made


@pytest.fixture(scope="module")
def results(told):
    """One of each kind of result that users print; nobody can change one."""
    memory = told
    memory.add("Please call me Ada", user_id="ada", session_id="first")
    memory.sessions.end("first", user_id="ada")
    memory.jobs.drain()
    memory.add("I moved to Lisbon", user_id="ada")
    profile = memory.profile(user_id="ada")
    (hit, *_) = memory.search("which language for data?", user_id="ada")
    context = memory.context("which language for data?", user_id="ada", budget_tokens=60)
    return {
        "hit": hit,
        "record": hit.memory,
        "context": context,
        "left out": memory.context("data analysis", user_id="ada", budget_tokens=1).left_out[0],
        "result": memory.add("tea at four", user_id="ada")[0],
        "fact": next(iter(profile.facts.values()))[0],
        "profile": profile,
        "session": memory.sessions.list(user_id="ada")[0],
        "explanation": memory.explain(hit.id, user_id="ada", query="which language?"),
        "change": memory.history(hit.id, user_id="ada")[0],
    }


NAMES = (
    "hit",
    "record",
    "context",
    "left out",
    "result",
    "fact",
    "profile",
    "session",
    "explanation",
    "change",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_result_prints_on_one_short_line(results, name):
    line = repr(results[name])
    assert "\n" not in line
    assert len(line) <= 130


@pytest.mark.parametrize("name", NAMES)
def test_a_result_as_a_dictionary_is_ready_for_json_and_short(results, name):
    written = json.dumps(results[name].to_dict())
    assert len(written) < 2_500
    assert json.loads(written) == results[name].to_dict()


def test_a_hit_has_what_its_memory_has(results):
    hit = results["hit"]
    assert hit.content == hit.memory.content
    assert hit.id == hit.memory.id
    assert hit.metadata == {"topic": "work"}
    assert hit.created_at == hit.memory.created_at == hit.memory.times.created_at
    assert re.fullmatch(r"<0\.\d{3} [0-9a-f-]{13} \d{4}-\d\d-\d\d Ada: I prefer Python .*…>", repr(hit))


def test_the_keys_of_a_hit_are_always_the_same(told, results):
    keys = [
        "score", "id", "content", "kind", "role", "speaker", "happened_at", "created_at", "valid_until",
        "category", "tags", "importance", "confidence", "metadata", "user_id", "agent_id", "session_id",
        "citation", "via", "repeats", "superseded",
    ]  # fmt: skip
    for hit in told.search("python tea Lisbon", user_id="ada"):
        assert list(hit.to_dict()) == keys
    assert results["hit"].to_dict()["tags"][0] == "code"


def test_a_context_prints_as_its_text(results):
    context = results["context"]
    assert str(context) == context.text
    assert f"{context}" == context.text


@pytest.mark.parametrize("name", NAMES)
def test_results_can_be_copied_compared_pickled_and_written_as_dataclasses(results, name):
    one = results[name]
    if name == "context":
        one = one.left_out[0]
    assert copy(one) == deepcopy(one) == loads(dumps(one)) == one  # noqa: S301 - its own words
    assert asdict(one)


def test_a_web_framework_can_return_a_hit_as_it_is(results):
    encoders = pytest.importorskip("fastapi.encoders")
    written = encoders.jsonable_encoder(results["hit"])
    assert written["memory"]["content"] == TEXT.strip() or written["memory"]["content"] == TEXT


@pytest.mark.parametrize(
    ("name", "guess", "right"),
    [
        ("hit", "text", ".content"),
        ("hit", "tags", ".memory.labels.tags"),
        ("hit", "speaker", ".memory.origin.speaker"),
        ("hit", "importance", ".memory.worth.importance"),
        ("hit", "timestamp", ".memory.times.happened_at"),
        ("hit", "similarity", ".score"),
        ("hit", "model_dump", ".to_dict"),
        ("hit", "session_id", ".memory.scope.session_id"),
        ("record", "tags", ".labels.tags"),
        ("record", "importance", ".worth.importance"),
        ("record", "user_id", ".scope.user_id"),
        ("record", "dict", ".to_dict"),
        ("context", "hits", ".included"),
        ("context", "prompt", ".text"),
        ("fact", "content", ".memory.content"),
        ("fact", "confidence", ".memory.worth.confidence"),
        ("result", "statuss", ".status"),
    ],
)
def test_a_wrong_attribute_names_the_right_one(results, name, guess, right):
    with pytest.raises(AttributeError, match=rf"has no '{guess}'; use {re.escape(right)}$"):
        getattr(results[name], guess)


def test_a_result_read_like_a_dictionary_names_the_attribute(results):
    with pytest.raises(TypeError, match=r"is not a mapping; use \.content$"):
        results["hit"]["content"]


def plain(texts):
    """An embedder as a function: letters counted."""
    return [[text.count(letter) + 0.1 for letter in "abcdefgh"] for text in texts]


class Said:
    """A message object, as chat libraries have them."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


class Parrot:
    """A language model of another library, by its shape."""

    name = "parrot"

    def complete(self, messages, *, max_tokens=None, json_schema=None):
        raise NotImplementedError

    def stream(self, messages, *, max_tokens=None):
        raise NotImplementedError


ADD = {"user_id": "ada"}
WORKS = {
    "add(text)": lambda m: m.add("tea", **ADD)[0].status == "stored",
    "add(dict)": lambda m: m.add({"role": "user", "content": "tea"}, **ADD)[0].id,
    "add(list)": lambda m: len(m.add(["tea", {"content": "coffee"}], **ADD)) == 2,
    "add(LangChain message)": lambda m: added(m, Said(type="ai", content="tea")).origin.role == "assistant",
    "add(LangChain messages)": lambda m: (
        len(m.add([Said(type="human", content="tea", name="Ada")], **ADD)) == 1
    ),
    "add(OpenAI message)": lambda m: (
        added(m, Said(role="assistant", content="tea")).origin.role == "assistant"
    ),
    "add(content in parts)": lambda m: (
        added(m, {"role": "user", "content": [{"type": "text", "text": "tea"}, "at four"]}).content
        == "tea\nat four"
    ),
    "add(content in parts of the Responses API)": lambda m: (
        added(
            m, {"role": "user", "content": [{"type": "input_text", "text": "tea"}, {"type": "input_image"}]}
        ).content
        == "tea"
    ),
    "add(valid_until=)": lambda m: (
        added(m, "on leave", valid_until="2030-01-01").times.valid_until.year == 2030
    ),
    "add(metadata with a date)": lambda m: (
        added(m, "tea", metadata={"due": date(2026, 5, 1), "at": MOMENT}).metadata
        == {"due": "2026-05-01", "at": "2026-05-01T08:00:00+00:00"}
    ),
    "filters with a date of metadata": lambda m: (
        added(m, "tea", metadata={"at": MOMENT})
        and m.get_all(user_id="ada", filters={"at": {"gte": MOMENT, "lt": MOMENT + timedelta(1)}})
        and not m.get_all(user_id="ada", filters={"at": {"gt": MOMENT}})
    ),
    "delete([ids])": lambda m: (
        m.delete([one.id for one in m.add(["tea", "coffee"], **ADD)], user_id="ada") is None
        and m.stats(user_id="ada").memories == 1
    ),
    "hit.content": lambda m: found(m).content == TEXT,
    "hit.id": lambda m: m.get(found(m).id, user_id="ada"),
    "hit.score": lambda m: 0 < found(m).score <= 1,
    "hit.metadata": lambda m: found(m).metadata["topic"] == "work",
    "hit.created_at": lambda m: found(m).created_at.tzinfo,
    "hit.to_dict()": lambda m: found(m).to_dict()["speaker"] == "Ada",
    "json.dumps(hit.to_dict())": lambda m: json.dumps(found(m).to_dict()),
    "print(context)": lambda m: str(m.context("Python for data analysis", user_id="ada")).startswith(
        "<memories>"
    ),
    "users()": lambda m: m.users() == ["ada"],
    "stats().memories": lambda m: m.stats(user_id="ada").memories == 1,
    "profile().to_dict()": lambda m: m.profile(user_id="ada").to_dict()["total"] == 0,
    "a single model": lambda m: str(Memory(":memory:", models=Parrot()).models).count("parrot") == 4,
    "a function as embedder": lambda m: len(Memory(":memory:", embedder=plain).add("tea", **ADD)) == 1,
    "MemoryAgent of recollect": lambda m: recollect.MemoryAgent.__name__ == "MemoryAgent",
}


def added(memory, message, **more):
    (result,) = memory.add(message, user_id="ada", **more)
    return memory.get(result.id, user_id="ada")


def found(memory):
    return memory.search("which language for data?", user_id="ada")[0]


@pytest.mark.parametrize("guess", WORKS)
def test_a_likely_guess_works(memory, guess):
    assert WORKS[guess](memory)


def only_id(memory):
    (one,) = memory.get_all(user_id="ada")
    return one.id


NAMES_THE_RIGHT_ONE = {
    "search(explain=)": (lambda m: m.search("tea", user_id="ada", explain=True), "hit.explain()"),
    "search(tags=)": (lambda m: m.search("tea", user_id="ada", tags=["x"]), "filters={'tags': {'contains'"),
    "search(categories=)": (lambda m: m.search("t", user_id="ada", categories=["x"]), "filters={'category'"),
    "search(where=)": (lambda m: m.search("tea", user_id="ada", where={}), "use filters"),
    "Memory(user_id=)": (
        lambda _: Memory(":memory:", user_id="ada"),
        "in each call: memory.add(..., user_id",
    ),
    "get_all(page=)": (lambda m: m.get_all(user_id="ada", page=2), "use after"),
    "add(ttl=)": (lambda m: m.add("Tea.", user_id="ada", ttl=60), "use valid_until"),
    "add(categories=)": (lambda m: m.add("Tea.", user_id="ada", categories=["x"]), "'category': ...}"),
    "add a session": (
        lambda m: m.add({"content": "Tea.", "session_id": "s"}, user_id="ada"),
        "give it to the call: add(..., session_id=...)",
    ),
    "memory.pin": (lambda m: m.pin("x"), "labels=Labels(critical=True)"),
    "memory.get_relevant_documents": (lambda m: m.get_relevant_documents("x"), "use search"),
    "sessions.create": (lambda m: m.sessions.create(), "use start(...)"),
    "sessions.messages": (lambda m: m.sessions.messages("s"), "use turns(...)"),
    "sessions.delete": (lambda m: m.sessions.delete("s"), "delete_all(user_id=..., session_id=...)"),
    "facts.get_all": (lambda m: m.facts.get_all(user_id="ada"), "use memory.profile"),
    "history[0].old_memory": (lambda m: m.history(only_id(m), user_id="ada")[0].old_memory, "use .before"),
    "history[0].event": (lambda m: m.history(only_id(m), user_id="ada")[0].event, "use .action"),
    "get().memory": (lambda m: m.get(only_id(m), user_id="ada").memory, "use .content"),
    "profile.text": (lambda m: m.profile(user_id="ada").text, "use str(...)"),
    "get_all().id": (lambda m: m.get_all(user_id="ada").id, "found[0].id"),
    "recollect.MemoryClient": (lambda _: recollect.MemoryClient, "use Memory; a server is called over HTTP"),
    "recollect.Retrieval": (lambda _: recollect.Retrieval, "use recollect.retrieval.scoring.Retrieval"),
    "recollect.Learning": (lambda _: recollect.Learning, "use recollect.learning.admission.Learning"),
    "agent.run": (lambda m: recollect.MemoryAgent(m, user_id="ada").run("tea"), "use chat(message)"),
    "filters run_id": (lambda m: m.search("t", user_id="ada", filters={"run_id": 1}), "use 'session_id'"),
    "filters n.x": (lambda m: m.search("t", user_id="ada", filters={"n.x": 1}), "'metadata.' before a key"),
    "get() without a user": (lambda m: m.get("x"), "get() needs user_id; write user_id=..."),
    "search() without a user": (lambda m: m.search("tea"), "search() needs user_id; write user_id=..."),
    "facts.conflicts()": (lambda m: m.facts.conflicts(), "conflicts() needs user_id; write user_id=..."),
    "add a text": (lambda m: m.add({"text": "Tea."}, user_id="ada"), "call it 'content'"),
    "add a speaker": (
        lambda m: m.add({"content": "Tea.", "speaker": "Ada"}, user_id="ada"),
        "call it 'name'",
    ),
    "add a tuple": (
        lambda m: m.add([("user", "Tea.")], user_id="ada"),
        "a message such as {'role': 'user', 'content': ...}, not tuple",
    ),
    "get_memory": (lambda m: m.get_memory("x"), "use get("),
    "summary": (lambda m: m.summary(user_id="ada"), "use core("),
    "search(limit=)": (
        lambda m: m.search("tea", user_id="ada", limit=5),
        "search() has no argument 'limit'; use top_k",
    ),
    "search(k=)": (lambda m: m.search("tea", user_id="ada", k=5), "use top_k"),
    "search(n_results=)": (lambda m: m.search("tea", user_id="ada", n_results=5), "use top_k"),
    "search(run_id=)": (lambda m: m.search("tea", user_id="ada", run_id="x"), "use session_id"),
    "search(min_score=)": (lambda m: m.search("tea", user_id="ada", min_score=0.5), "use threshold"),
    "search(filter=)": (lambda m: m.search("tea", user_id="ada", filter={}), "use filters"),
    "search(metadata=)": (lambda m: m.search("tea", user_id="ada", metadata={}), "filters="),
    "search(kind=)": (lambda m: m.search("tea", user_id="ada", kind="fact"), "use kinds"),
    "search(start_date=)": (
        lambda m: m.search("tea", user_id="ada", start_date="2026"),
        "use within=Within(since=...)",
    ),
    "search(since=)": (lambda m: m.search("tea", user_id="ada", since=1), "use within=Within(since=...)"),
    "search(within={})": (lambda m: m.search("tea", user_id="ada", within={}), "such as Within(since=...)"),
    "get_all(tier=)": (lambda m: m.get_all(user_id="ada", tier="archived"), "use within=Within(tiers=...)"),
    "update(tags=)": (lambda m: m.update("x", user_id="ada", tags=["a"]), "use labels=Labels(tags=...)"),
    "update(labels={})": (lambda m: m.update("x", user_id="ada", labels={}), "such as Labels(tags=[...])"),
    "core(since)": (lambda m: m.core("x", user_id="ada", within=Within(since=1)), "takes no since"),
    "search(rerank=)": (
        lambda m: m.search("tea", user_id="ada", rerank=True),
        "Memory(retrieval=Retrieval(scoring=...))",
    ),
    "search(user=)": (lambda m: m.search("tea", user="ada"), "use user_id"),
    "search(query, user)": (
        lambda m: m.search("tea", "ada"),
        "search() takes query without a name; write user_id=...",
    ),
    "search(tresholds=)": (lambda m: m.search("tea", user_id="ada", tresholds=1), "use threshold"),
    "search(colour=)": (
        lambda m: m.search("tea", user_id="ada", colour=1),
        "use one of query, user_id",
    ),
    "context(max_tokens=)": (lambda m: m.context("tea", user_id="ada", max_tokens=5), "use budget_tokens"),
    "context(top_k=)": (
        lambda m: m.context("tea", user_id="ada", top_k=5),
        "context() has no argument 'top_k'; use budget_tokens",
    ),
    "add(infer=)": (lambda m: m.add("tea", **ADD, infer=False), "learned from them in the background"),
    "add(content=)": (lambda m: m.add(content="tea", **ADD), "use messages"),
    "add(text=)": (lambda m: m.add(text="tea", **ADD), "use messages"),
    "add(tags=)": (
        lambda m: m.add("tea", **ADD, tags=["x"]),
        "put it into the message: {'content': ..., 'tags': ...}",
    ),
    "add(role=)": (lambda m: m.add("tea", **ADD, role="user"), "put it into the message"),
    "add(created_at=)": (lambda m: m.add("tea", **ADD, created_at="2026"), "use timestamp"),
    "add(expires_at=)": (lambda m: m.add("tea", **ADD, expires_at="2026"), "use valid_until"),
    "add(user_id=5)": (
        lambda m: m.add("tea", user_id=5),
        "user_id must be a string, not 5; use str(user_id)",
    ),
    "add(user_id=UUID)": (lambda m: m.add("tea", user_id=UUID(int=5)), "use str(user_id)"),
    "add(metadata with a set)": (lambda m: m.add("tea", **ADD, metadata={"a": {1}}), "write it as text"),
    "update(text=)": (lambda m: m.update("x", user_id="ada", text="tea"), "use content"),
    "update(data=)": (lambda m: m.update("x", user_id="ada", data="tea"), "use content"),
    "delete(id=)": (lambda m: m.delete(id="x", user_id="ada"), "use memory_id"),
    "get_all(top_k=)": (lambda m: m.get_all(user_id="ada", top_k=5), "use limit"),
    "get_all(page_size=)": (lambda m: m.get_all(user_id="ada", page_size=5), "use limit"),
    "list()": (lambda m: m.list(user_id="ada"), "Memory has no 'list'; use get_all(user_id=...)"),
    "count()": (lambda m: m.count(user_id="ada"), "use stats(user_id=...).memories"),
    "recall()": (lambda m: m.recall("tea"), "use search(...)"),
    "clear()": (lambda m: m.clear(), "use delete_all(user_id=...)"),
    "list_users()": (lambda m: m.list_users(), "use users()"),
    "drain()": (lambda m: m.drain(), "Memory has no 'drain'; use jobs.drain()"),
    "feedback()": (lambda m: m.feedback("x", useful=True), "use(memory_id, user_id=..., useful=...)"),
    "end_session()": (lambda m: m.end_session("s"), "use sessions.end(...)"),
    "graph()": (lambda m: m.graph(user_id="ada"), "use memory.graph.concepts(user_id=...)"),
    "facts()": (lambda m: m.facts(user_id="ada"), "use memory.profile(user_id=...) for the facts"),
    "kinds=str": (
        lambda memory: memory.search("x", user_id="u", kinds="fact"),
        "kinds must be a list such as ['fact'], not 'fact'",
    ),
    "Within(after=)": (lambda _: Within(after="2026"), "Within() has no argument 'after'; use since"),
    "Within(tier=)": (lambda _: Within(tier="archived"), "use tiers"),
    "Within(colour=)": (lambda _: Within(colour=1), "use one of tiers, since, until, as_of, exclude_ids"),
    "Within('2026')": (lambda _: Within("2026"), "takes nothing without a name; write tiers=..., since=..."),
    "Labels(tag=)": (lambda _: Labels(tag="a"), "Labels() has no argument 'tag'; use tags"),
    "Labels('a')": (lambda _: Labels("a"), "takes nothing without a name; write category=..."),
    "since after until": (
        lambda m: m.search("tea", user_id="ada", within=Within(since="2027-01-01", until="2026-01-01")),
        "since (2027-01-01 00:00) is later than until (2026-01-01 00:00)",
    ),
    "since after until in a list": (
        lambda m: m.get_all(user_id="ada", within=Within(since=2, until=1)),
        "is later than until",
    ),
    "search('')": (lambda m: m.search("", user_id="ada"), "query is blank; give it words"),
    "documents.search('')": (lambda m: m.documents.search("", **ADD), "query is blank; give it words"),
    "get(hit)": (lambda m: m.get(found(m), user_id="ada"), "; use its .id"),
    "use(hit)": (lambda m: m.use(found(m), user_id="ada"), "; use its .id"),
    "delete([hit])": (lambda m: m.delete([found(m)], user_id="ada"), "; use its .id"),
    "residue(user_id=)": (
        lambda m: m.maintenance.residue(user_id="ada"),
        "residue() has no argument 'user_id'; it takes none",
    ),
    "jobs.foo": (lambda m: m.jobs.foo, "Jobs has no 'foo'; use one of count, drain, list, worker"),
    "graph.foo": (lambda m: m.graph.foo, "use one of acquaintance, clusters, concepts, facts, link, links"),
    "jobs.lst": (lambda m: m.jobs.lst, "Jobs has no 'lst'; use list"),
    "facts.admissions()": (lambda m: m.facts.admissions(), "Facts has no 'admissions'; use decisions"),
    "jobs.list(k=)": (lambda m: m.jobs.list(k=3), "use limit"),
    "chat()": (lambda m: m.chat("tea"), "use MemoryAgent"),
    "sessions.start(id=)": (lambda m: m.sessions.start(id="x", user_id="ada"), "use session_id"),
    "documents.search(k=)": (lambda m: m.documents.search("x", user_id="ada", k=1), "use "),
    "filters AND": (
        lambda m: m.search("tea", user_id="ada", filters={"AND": []}),
        "'AND' is written 'and' here",
    ),
    "filters $or": (
        lambda m: m.search("tea", user_id="ada", filters={"$or": []}),
        "'$or' is written 'or' here",
    ),
    "filters $gt": (lambda m: m.search("tea", user_id="ada", filters={"x": {"$gt": 1}}), "operator '$gt'"),
    "filters >=": (lambda m: m.search("tea", user_id="ada", filters={"x": {">=": 1}}), "use 'gte'"),
    "filters list": (
        lambda m: m.search("tea", user_id="ada", filters={"kind": ["fact"]}),
        "write {'in': [...]}",
    ),
    "filters timestamp": (
        lambda m: m.search("tea", user_id="ada", filters={"timestamp": 1}),
        "use 'happened_at'",
    ),
    "filters user_id": (
        lambda m: m.search("tea", user_id="ada", filters={"user_id": "x"}),
        "argument user_id=",
    ),
    "Memory(path=)": (lambda _: Memory(path="x.db"), "Memory() has no argument 'path'; use store"),
    "Memory(llm=)": (lambda _: Memory(":memory:", llm=None), "use models"),
    "Memory(scoring=)": (
        lambda _: Memory(":memory:", scoring=None),
        "use retrieval=Retrieval(scoring=...)",
    ),
    "Memory(learn_after=)": (
        lambda _: Memory(":memory:", learn_after=9),
        "use learning=Learning(after=...)",
    ),
    "Memory(learning={})": (lambda _: Memory(":memory:", learning={}), "learning must be a Learning, not {}"),
    "Memory(config=)": (
        lambda _: Memory(":memory:", config={}),
        "every setting is an argument of Memory itself",
    ),
    "Memory(models='gpt')": (
        lambda _: Memory(":memory:", models="gpt-4o"),
        "must be a LanguageModel such as OpenAIModel",
    ),
    "Memory(embedder='openai')": (lambda _: Memory(":memory:", embedder="openai"), "openai:NAME"),
    "Memory(embedder=object)": (
        lambda _: Memory(":memory:", embedder=5),
        "an Embedder or a function from texts",
    ),
    "a function's store without it": (
        lambda _: open_embedder("function:app.embed"),
        "open it there with embedder=",
    ),
}


@pytest.mark.parametrize("guess", NAMES_THE_RIGHT_ONE)
def test_a_wrong_guess_names_the_right_one_and_stores_nothing(unchanged, guess):
    call, right = NAMES_THE_RIGHT_ONE[guess]
    with pytest.raises((TypeError, AttributeError, InvalidInputError), match=re.escape(right)) as caught:
        call(unchanged)
    assert "\n" not in str(caught.value)
    assert unchanged.stats(user_id="ada").memories == 1


def test_wrong_guesses_are_named_where_calls_are_awaited_too():
    async def guess():
        async with AsyncMemory(":memory:") as memory:
            with pytest.raises(TypeError, match="search\\(\\) has no argument 'limit'; use top_k"):
                await memory.search("tea", user_id="ada", limit=3)
            with pytest.raises(AttributeError, match="AsyncMemory has no 'list'; use get_all"):
                await memory.list(user_id="ada")
            assert await memory.users() == []
        with pytest.raises(TypeError, match="AsyncMemory\\(\\) has no argument 'path'; use store"):
            AsyncMemory(path="x.db")

    asyncio.run(guess())


def test_every_right_name_in_the_tables_is_one():
    known = {
        name
        for kind in (Memory, Sessions, Documents, Facts, Jobs, MemoryGraph, Lifecycle)
        for _, method in inspect.getmembers(kind, inspect.isfunction)
        for name in inspect.signature(method).parameters
    } | {field.name for kind in (Within, Labels, Learning, Retrieval) for field in fields(kind)}
    known |= {"k", "filter", "collection", "similarity_top_k", "cursor"}  # of adapters and of HTTP
    assert all(
        {one.name for one in fields(kind)} == guesses._GROUPS[kind.__name__.lower()]
        for kind in (Within, Labels, Learning, Retrieval)
    )
    assert {right for rights in guesses._ARGUMENTS.values() for right in rights} <= known
    with Memory(":memory:") as memory:
        for kind, table in guesses._METHODS.items():
            if kind == "MemoryAgent":
                owner = recollect.MemoryAgent
            else:
                (owner,) = [memory] if kind == "Memory" else [one for one in held(memory) if is_a(one, kind)]
            for advice in table.values():
                path = re.match(r"[\w.]+", advice)[0].removeprefix("memory.")
                found = [has(root, path) for root in (owner, memory, recollect)]
                assert any(found), advice
        assert {type(one).__name__ for one in held(memory)} == guesses._CALLED.keys()


def held(memory):
    """The properties of a memory."""
    names = ("agenda", "facts", "jobs", "sessions", "documents", "graph", "lifecycle", "maintenance")
    return [getattr(memory, name) for name in names]


def is_a(one, kind):
    return type(one).__name__ == kind


def has(root, path):
    for name in path.split("."):
        if not hasattr(root, name):
            return False
        root = getattr(root, name)
    return True


def test_several_memories_are_deleted_together_or_not_at_all(memory):
    ids = [one.id for one in memory.add(["tea", "coffee"], user_id="ada")]
    with pytest.raises(NotFoundError, match="no memory 'unknown'"):
        memory.delete([*ids, "unknown"], user_id="ada")
    with pytest.raises(NotFoundError):
        memory.delete(ids, user_id="bob")
    assert all(memory.get(one, user_id="ada") for one in ids)
    memory.delete([*ids, ids[0]], user_id="ada", reason="tidying up")
    assert {memory.history(one, user_id="ada")[-1].reason for one in ids} == {"tidying up"}
    memory.delete([], user_id="ada")
    for bad in (5, [5], None):
        with pytest.raises(InvalidInputError, match="memory_id"):
            memory.delete(bad, user_id="ada")


def test_facts_deleted_together_are_not_learned_again(memory):
    memory.add("I live in Berlin. I work at Siemens.", user_id="ada", session_id="s")
    memory.sessions.end("s", user_id="ada")
    memory.jobs.drain()
    facts = memory.get_all(user_id="ada", kinds=["fact"])
    assert len(facts) > 1
    memory.delete([fact.id for fact in facts], user_id="ada")
    memory.sessions.end("s", user_id="ada")
    memory.jobs.drain()
    assert memory.get_all(user_id="ada", kinds=["fact"]) == []


def test_memory_without_a_path_opens_the_file_of_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    with Memory() as memory:
        memory.add("tea at four", user_id="ada")
    assert default_path().is_file()
    shown = CliRunner().invoke(app, ["list", "--user-id", "ada"])
    assert "tea at four" in shown.output


def test_a_store_remembers_the_function_that_embedded_it(tmp_path):
    with Memory(tmp_path / "brain.db", embedder=plain) as memory:
        memory.add("tea at four", user_id="ada")
        assert memory.stats().embedder == f"function:{__name__}.plain"
        assert memory.search("tea", user_id="ada")
    with Memory(tmp_path / "brain.db", embedder=plain) as memory:
        assert memory.search("tea", user_id="ada")
    with (
        Memory(tmp_path / "brain.db") as memory,
        pytest.raises(InvalidInputError, match=r"plain.*is a function of your program"),
    ):
        memory.search("tea", user_id="ada")
    other = FunctionEmbedder(plain, name="letters-v1")
    assert other.embed_query("abba").shape == (8,)
    with pytest.raises(EmbedderMismatchError, match="letters-v1"):
        Memory(tmp_path / "brain.db", embedder=other)


@pytest.mark.parametrize("broken", [lambda texts: [], lambda texts: [["x"]], lambda texts: 1 / 0])
def test_a_function_that_gives_no_vectors_is_an_error_of_the_embedder(broken):
    with Memory(":memory:", embedder=broken) as memory:
        with pytest.raises(EmbedderError):
            memory.add("tea", user_id="ada")
        assert memory.get_all(user_id="ada") == []


def test_a_result_read_as_another_librarys_names_what_it_is(memory):
    with pytest.raises(TypeError, match="this is a list"):
        memory.search("Python", user_id="ada")["results"]
    assert memory.search("Python", user_id="ada")[0] == memory.search("Python", user_id="ada")[:1][0]


def test_what_other_libraries_call_on_the_class_names_the_constructor():
    for kind in (Memory, AsyncMemory):
        with pytest.raises(AttributeError, match="every setting is an argument"):
            _ = kind.from_config
    with pytest.raises(AttributeError, match="has no 'heron'"):
        _ = Memory.heron


def test_a_retriever_and_a_preset_are_named_where_they_are(memory):
    with pytest.raises(AttributeError, match=r"use search\(\.\.\.\)"):
        _ = memory.as_retriever
    with pytest.raises(TypeError, match="open_preset"):
        Memory(":memory:", preset="recall")


def test_a_subclass_of_a_class_that_checks_its_arguments_may_take_others():
    @guesses.corrects_arguments()
    class Shelf:
        def __init__(self, *, width: int, **_: object) -> None:
            self.width = width

    class Bookshelf(Shelf):
        pass

    with pytest.raises(TypeError, match="Shelf\\(\\) has no argument 'depth'"):
        Shelf(width=1, depth=2)
    assert Bookshelf(width=1, depth=2).width == 1


def test_a_name_like_a_verb_that_is_worse_is_not_suggested():
    with Memory(":memory:", embedder="hashing") as memory:
        for guess, right in {"prune": "lifecycle.tidy(", "upsert": "add("}.items():
            with pytest.raises(AttributeError, match=guess) as raised:
                getattr(memory, guess)
            assert f"use {right}" in str(raised.value)
            assert "purge" not in str(raised.value)


def test_a_result_that_is_read_like_a_mapping_names_its_attribute():
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("tea", user_id="ada")
        (hit,) = memory.search("tea", user_id="ada")
        for key, right in {
            "memory": "use .memory",
            "content": "use .content",
            "text": "use .",
            0: ".to_dict()",
        }.items():
            with pytest.raises(TypeError, match="is not a mapping") as raised:
                hit[key]
            assert right in str(raised.value)

"""A search and its explanation are one ranking, on every way in."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.presets.chloe.hybrid import HybridScoring
from recollect.retrieval.scoring import Retrieval
from recollect.stores.reference.store import InMemoryStore
from recollect.testing.fakes import FakeClock
from recollect.types import Within

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
QUERIES = (
    "Where do I live?",
    "Who lives in Berlin?",
    "When did I move?",
    "What tea do I like?",
    "How often do I run?",
)
SAID = (
    "I live in Berlin.",
    "I moved to Lisbon.",
    "I like green tea.",
    "I like tea in Berlin",
    "i like  green tea",
    "I went running.",
    "My sister lives in Oslo.",
    "I work at Siemens and like tea.",
    "Where do you live?",
    "Noted: you live in Berlin.",
)

lines = st.lists(
    st.tuples(
        st.sampled_from(SAID),
        st.sampled_from(["user", "user", "assistant"]),
        st.sampled_from([None, "Ada", "Bob"]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=14,
)
options = st.fixed_dictionaries(
    {},
    optional={
        "kinds": st.sampled_from([["message"], ["fact"], ["fact", "message"]]),
        "session_id": st.just("s1"),
        "within": st.builds(
            Within,
            since=st.none() | st.integers(0, 2).map(lambda days: NOON + timedelta(days=days)),
            until=st.none() | st.integers(2, 3).map(lambda days: NOON + timedelta(days=days)),
            as_of=st.none() | st.integers(0, 3).map(lambda days: NOON + timedelta(days=days, hours=1)),
        ).filter(lambda within: None in (within.since, within.until) or within.since <= within.until),
        "filters": st.sampled_from([{"speaker": "Ada"}, {"role": "user"}]),
        "threshold": st.sampled_from([0.1, 0.3]),
        "collapse": st.booleans(),
    },
)


def remembered(told, *, documents=False, edited=False, **more):
    clock = FakeClock(NOON + timedelta(days=5))
    memory = Memory(InMemoryStore(clock=clock), embedder="hashing", clock=clock, **more)
    for content, role, name, day in sorted(told, key=lambda one: one[3]):
        message = {"content": content, "role": role, "timestamp": NOON + timedelta(days=day)}
        memory.add([message | ({"name": name} if name else {})], user_id="ada", session_id=f"s{day}")
    memory.jobs.drain()
    if edited:
        first = memory.get_all(user_id="ada", kinds=["message"])[0]
        memory.update(first.id, user_id="ada", content="I live in Rome.")
    if documents:
        memory.documents.add_text("In Berlin people live and run.", user_id="ada", source="cities")
        memory.documents.add_text("Green tea is what I like.", user_id="ada", source="tea")
    return memory


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines, st.sampled_from(QUERIES), options, st.booleans(), st.booleans())
def test_every_hit_is_explained_with_its_own_score_rank_and_terms(told, query, narrowed, documents, edited):
    with remembered(told, documents=documents, edited=edited) as memory:
        hits = memory.search(query, user_id="ada", **narrowed)
        shown = {hit.memory.id for hit in hits}
        for rank, hit in enumerate(hits, 1):
            why = memory.explain(hit.memory.id, user_id="ada", query=query, **narrowed)
            assert (why.recollection, why.rank, why.reason) == (hit, rank, None)
            assert sum(hit.terms.values()) == pytest.approx(hit.score, abs=1e-5)
            if hit.via is not None:
                assert hit.via.content in why.recollection.explain()
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)
        everything = memory.search(query, user_id="ada", top_k=1_000, **narrowed)
        assert everything[: len(hits)] == hits
        behind = {hit.memory.id for hit in everything} - shown
        for record in memory.get_all(user_id="ada"):
            why = memory.explain(record.id, user_id="ada", query=query, **narrowed)
            assert (why.rank is not None) == (record.id in shown | behind)
            assert (why.reason is None) == (why.rank is not None)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines, st.sampled_from(QUERIES))
def test_a_scoring_that_weighs_records_is_explained_as_it_ranks(told, query):
    with remembered(told, retrieval=Retrieval(scoring=HybridScoring())) as memory:
        for rank, hit in enumerate(memory.search(query, user_id="ada"), 1):
            why = memory.explain(hit.memory.id, user_id="ada", query=query)
            assert (why.recollection, why.rank) == (hit, rank)


@pytest.fixture
def memory():
    told = [(content, "user", None, place % 3) for place, content in enumerate(SAID[:8])]
    with remembered(told) as made:
        yield made


def fact(memory, words):
    (found,) = [one for one in memory.get_all(user_id="ada", kinds=["fact"]) if words in one.content]
    return found


def test_a_hit_that_a_fact_lifted_names_the_fact(memory):
    query = "Where does the user work now?"
    (hit,) = [one for one in memory.search(query, user_id="ada") if "Siemens" in one.memory.content]
    assert hit.via == fact(memory, "Siemens")
    told = str(memory.explain(hit.memory.id, user_id="ada", query=query))
    assert "found through the fact 'User works at Siemens.'" in told


def test_an_episode_lifts_the_message_it_quotes(memory):
    lifted = [hit for hit in memory.search("what does the user like", user_id="ada") if hit.via]
    quoted = [hit.memory.content for hit in lifted if hit.via.kind == "episode"]
    assert "I like green tea." in quoted


TRIP = (
    "van went in this morning, Lowenna says 410 pounds now because the belt's gone too",
    "Margit is off sick so no cello until the 17th",
    "I'm going to Plymouth on Monday to pick up the mast, back tuesday night. staying at the Duke",
    "always give me distances in miles and temps in celsius",
)


@pytest.mark.parametrize("query", ["when do I go to Plymouth?", "Plymouth", "who is going to pick it up?"])
def test_an_episode_gives_its_score_to_no_message_but_the_one_it_quotes(query):
    with remembered([(content, "user", None, 0) for content in TRIP]) as memory:
        (episode,) = memory.get_all(user_id="ada", kinds=["episode"])
        assert "going to Plymouth" in episode.content
        for hit in memory.search(query, user_id="ada"):
            assert (hit.via is None or hit.via.kind != "episode") or "Plymouth" in hit.content
        why = memory.explain(episode.id, user_id="ada", query=query)
        assert memory.search(query, user_id="ada", top_k=1)[0].id in why.reason


def test_an_episode_whose_message_is_left_out_lifts_no_other():
    with remembered([(content, "user", None, 0) for content in TRIP]) as memory:
        messages = memory.get_all(user_id="ada", kinds=["message"])
        quoted = next(one for one in messages if "mast" in one.content)
        hits = memory.search("Plymouth", user_id="ada", within=Within(exclude_ids=[quoted.id]))
        assert all(hit.via is None for hit in hits)


def test_a_fact_whose_message_is_shown_is_explained_as_such(memory):
    likes = fact(memory, "green tea")
    why = memory.explain(likes.id, user_id="ada", query="What tea do I like?")
    assert why.rank is None
    assert "the message it was learned from" in why.reason
    assert "not returned: search shows the message" in str(why)


def test_what_a_search_may_not_return_is_explained_in_words(memory):
    def why(record, **narrowed):
        return memory.explain(record.id, user_id="ada", query="Where do I live?", **narrowed).reason

    berlin = fact(memory, "lives in Berlin")
    assert "it did not hold at that time" in why(berlin)
    turn = next(one for one in memory.get_all(user_id="ada") if one.kind == "message")
    assert why(turn, within=Within(exclude_ids=[turn.id])) == "it is one of exclude_ids"
    assert why(turn, within=Within(since=NOON + timedelta(days=9))) == "it happened before since"
    assert why(turn, within=Within(until=NOON - timedelta(days=9))) == "it happened at until or later"
    assert why(turn, filters={"speaker": "Zoe"}) == "the filters do not match it"
    assert why(turn, session_id="another") == "it belongs to another session"
    assert why(turn, agent_id="another") == "it is another agent's"
    assert why(turn, kinds=["fact"]) == "memories of the kind message were not searched"
    assert why(turn, threshold=1.0) == "its score is below the threshold of 1"
    memory.archive(turn.id, user_id="ada")
    assert why(turn) == "memories of the tier archived were not searched"


def test_a_repeat_that_is_not_shown_is_explained_as_such():
    with remembered([("I like green tea.", "user", None, day) for day in range(3)]) as memory:
        (hit,) = memory.search("green tea", user_id="ada", kinds=["message"])
        first = hit.repeats[-1].id
        why = memory.explain(first, user_id="ada", query="green tea", kinds=["message"])
        assert why.reason == f"search shows the same words once, as {hit.memory.id} at rank 1"


def test_without_a_question_there_is_neither_rank_nor_reason(memory):
    why = memory.explain(memory.get_all(user_id="ada")[0].id, user_id="ada")
    assert (why.recollection, why.rank, why.reason) == (None, None, None)


async def over_mcp(memory, query):
    from mcp import Client

    from recollect.server.mcp import Held, make_mcp
    from recollect.types import Scope

    explained = []
    async with Client(make_mcp(Held(lambda: memory, learn=False), Scope(user_id="ada"))) as client:
        lines = (await client.call_tool("search", {"query": query})).content[0].text.splitlines()
        for line in lines:
            why = await client.call_tool("why", {"memory_id": line.split()[0], "query": query})
            explained.append((line, why.content[0].text))
    return explained


def test_every_way_in_explains_a_hit_as_it_found_it(tmp_path, monkeypatch):
    from fastapi.testclient import TestClient
    from typer.testing import CliRunner

    from recollect.cli import app
    from recollect.server import ServerSettings, create_app

    query, db = "Where does the user work now?", tmp_path / "m.db"
    monkeypatch.setenv("RECOLLECT_DB", str(db))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hashing")
    with Memory(db, embedder="hashing") as memory:
        for day in range(2):
            memory.add(list(SAID), user_id="ada", session_id=f"s{day}")
            memory.sessions.end(f"s{day}", user_id="ada")
        memory.jobs.drain()
        hits = memory.search(query, user_id="ada", within=Within(until="2100-01-01"))
        assert any(hit.via for hit in hits)
        assert any(hit.repeats for hit in hits)
        over = asyncio.run(over_mcp(memory, query))
        for rank, (hit, (line, why)) in enumerate(
            zip(memory.search(query, user_id="ada"), over, strict=True), 1
        ):
            assert hit.id.startswith(line.split()[0])
            assert all(note in line for note in hit.notes())
            assert f"rank {rank} of " in why
            assert hit.explain() in why
        server = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(server, base_url="http://127.0.0.1:8377") as client:
            body = {"query": query, "user_id": "ada", "until": "2100-01-01"}
            for rank, hit in enumerate(client.post("/search", json=body).json()["results"], 1):
                asked = client.get(f"/memories/{hit['memory']['id']}/why", params=body).json()
                assert (asked["recollection"], asked["rank"]) == (hit, rank)
    options = ["--user-id", "ada", "--until", "2100-01-01", "--json"]
    found = json.loads(CliRunner().invoke(app, ["search", query, *options]).stdout)
    assert [one["memory"]["id"] for one in found] == [hit.memory.id for hit in hits]
    for rank, hit in enumerate(found, 1):
        out = CliRunner().invoke(app, ["why", hit["memory"]["id"], "--query", query, *options]).stdout
        told = json.loads(out)
        assert told["rank"] == rank
        assert told["recollection"]["terms"] == pytest.approx(hit["terms"], abs=1e-6)

"""The routes of memories, as a client uses them."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import said

from recollect import Memory
from recollect.memory.exports.formats import ExportFormat
from recollect.server import once
from recollect.server.problems import ProblemError
from recollect.types import Scope


def test_what_was_said_is_found_with_the_terms_of_its_score(client: TestClient) -> None:
    (memory_id,) = said(client, "I prefer Python for data analysis")
    answer = client.post("/search", json={"query": "Python"})
    (hit,) = answer.json()["results"]
    assert (answer.status_code, hit["memory"]["id"]) == (200, memory_id)
    assert sum(hit["terms"].values()) == pytest.approx(hit["score"], abs=1e-5)


def test_a_list_keeps_its_order_and_says_what_became_of_each(client: TestClient) -> None:
    messages = ["Tea at five.", {"role": "assistant", "content": " "}, {"content": "Noted.", "name": "Bo"}]
    results = client.post("/memories", json={"messages": messages, "session_id": "s"}).json()["results"]
    assert [one["status"] for one in results] == ["stored", "refused", "stored"]
    assert results[1]["id"] is None


def test_all_items_of_a_request_hold_until_the_time_it_names(client: TestClient) -> None:
    messages = ["The flat is ours", {"content": "The car is ours", "valid_until": "2031-01-01"}]
    client.post("/memories", json={"messages": messages, "valid_until": "2030-01-01"})
    items = client.get("/memories", params={"newest_first": False}).json()["items"]
    assert [one["times"]["valid_until"][:4] for one in items] == ["2030", "2031"]


def test_control_characters_are_left_out_of_words_and_names(client: TestClient) -> None:
    message = {"content": "Te\x07a at \x1b[1mfive\x9b.", "name": "A\x1bda", "tags": ["te\x08a"]}
    (memory_id,) = (
        one["id"] for one in client.post("/memories", json={"messages": message}).json()["results"]
    )
    record = client.get(f"/memories/{memory_id}").json()
    assert (record["content"], record["origin"]["speaker"]) == ("Tea at five.", "Ada")
    client.put(f"/memories/{memory_id}", json={"content": "Tea\x07 at six."})
    assert client.get(f"/memories/{memory_id}").json()["content"] == "Tea at six."
    client.post("/documents", json={"text": "# Te\x07a\n\nGreen\x1b[0m.", "source": "s\x07"})
    (document,) = client.get("/documents").json()["documents"]
    assert (document["title"], document["source"]) == ("Tea", "s")
    assert client.get(f"/documents/{document['id']}/text").text == "# Tea\n\nGreen."
    assert client.post("/memories", json={"messages": "\x07"}).status_code == 422


@pytest.mark.parametrize("where", ["header", "body"])
def test_a_message_that_is_sent_twice_under_a_key_is_stored_once(client: TestClient, where: str) -> None:
    body = {"messages": "Tea at five."} | ({"idempotency_key": "k"} if where == "body" else {})
    headers = {"Idempotency-Key": "k"} if where == "header" else {}
    first, again = (client.post("/memories", json=body, headers=headers).json()["results"][0] for _ in "ab")
    assert (first["status"], again["status"], again["id"]) == ("stored", "duplicate", first["id"])
    assert len(client.get("/memories").json()["items"]) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"messages": "Tea at six."},
        {"messages": ["Tea at five."]},
        {"messages": "Tea at five.", "session_id": "s"},
        {"messages": {"content": "Tea at five.", "importance": 0.9}},
    ],
)
def test_a_key_that_comes_with_another_body_is_refused(
    client: TestClient, memory: Memory, other: dict
) -> None:
    sent, key = {"messages": "Tea at five."}, {"Idempotency-Key": "k"}
    first = client.post("/memories", json=sent, headers=key).json()["results"][0]["id"]
    refused = client.post("/memories", json=other, headers=key)
    assert (refused.status_code, "another body" in refused.json()["detail"]) == (422, True)
    assert client.post("/memories", json=other | {"idempotency_key": "k"}).status_code == 422
    again = client.post("/memories", json=sent | {"idempotency_key": "k"}).json()["results"][0]
    assert (again["status"], again["id"]) == ("duplicate", first)
    assert client.post("/memories", json=other | {"user_id": "bo"}, headers=key).status_code == 201
    assert [one.id for one in memory.get_all(user_id="default")] == [first]
    kept = json.dumps(memory.parts.store.states(Scope(user_id="default")))
    assert "Tea" not in kept


def test_a_key_is_free_again_when_nothing_was_stored_under_it(client: TestClient) -> None:
    key = {"Idempotency-Key": "k"}
    assert client.post("/memories", json={"messages": " "}, headers=key).status_code == 422
    assert client.post("/memories", json={"messages": "Tea."}, headers=key).status_code == 201
    assert client.post("/memories", json={"messages": " "}, headers=key).status_code == 422
    assert client.post("/memories", json={"messages": "Rain."}, headers=key).status_code == 422


def test_a_key_is_one_key_and_one_that_can_be_used(client: TestClient) -> None:
    sent = {"messages": "Tea at five.", "idempotency_key": "one"}
    for headers in ({"Idempotency-Key": "two"}, {"Idempotency-Key": ""}):
        assert client.post("/memories", json=sent, headers=headers).status_code == 422
    for key in ("", " ", "x" * 10_001, "\ud800"):
        body = json.dumps(sent | {"idempotency_key": key})
        answer = client.post("/memories", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422
    assert client.get("/memories").json()["items"] == []


def test_a_key_is_refused_where_it_would_not_be_heeded(client: TestClient) -> None:
    (memory_id,) = said(client, "Tea at five.")
    key = {"Idempotency-Key": "k"}
    for path, body in (
        ("/sessions", {}),
        ("/documents", {"text": "Tea.", "source": "tea"}),
        ("/feedback", {"memory_id": memory_id, "useful": True}),
        (f"/memories/{memory_id}/use", {}),
        ("/api/chat", {"message": "Tea?"}),
    ):
        answer = client.post(path, json=body, headers=key)
        assert (answer.status_code, "POST /memories" in answer.json()["detail"]) == (422, True), path
    assert client.post("/search", json={"query": "tea"}, headers=key).status_code == 200
    assert client.put(f"/memories/{memory_id}", json={"tags": ["tea"]}, headers=key).status_code == 200


def test_the_oldest_keys_are_forgotten_and_store_nothing_twice(
    client: TestClient, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(once, "KEPT", 1)
    for number in range(40):
        sent = {"messages": f"note {number}", "idempotency_key": str(number)}
        assert client.post("/memories", json=sent).json()["results"][0]["status"] == "stored"
    states = memory.parts.store.states(Scope(user_id="default"))
    assert 0 < len(states) <= 16
    assert all(len(json.loads(one)) == 1 for one in states.values())
    sent = {"messages": "note 0", "idempotency_key": "0"}
    assert client.post("/memories", json=sent).json()["results"][0]["status"] == "duplicate"


def test_a_second_request_under_a_key_is_told_to_wait_for_the_first(memory: Memory) -> None:
    sent = once.SentOnce(memory.parts.store)

    async def both() -> tuple[int, str]:
        async with sent.once("ada", "k", b"x"):
            with pytest.raises(ProblemError) as refused:
                async with sent.once("ada", "k", b"x"):
                    pass
            async with sent.once("bo", "k", b"y"):
                pass
        async with sent.once("ada", "k", b"x"):
            return refused.value.status, refused.value.headers["Retry-After"]

    assert asyncio.run(both()) == (409, "1")


def test_pages_lead_through_all_memories_once(client: TestClient) -> None:
    ids = said(client, *(f"note {number}" for number in range(7)))
    for newest_first, expected in ((True, ids[::-1]), (False, ids)):
        seen, cursor, pages = [], None, 0
        while pages == 0 or cursor:
            wanted = {"limit": 3, "newest_first": newest_first} | ({"cursor": cursor} if cursor else {})
            page = client.get("/memories", params=wanted).json()
            seen += [one["id"] for one in page["items"]]
            cursor, pages = page["next_cursor"], pages + 1
        assert (seen, pages) == (expected, 3)


def test_a_list_is_narrowed_by_what_is_asked(client: TestClient) -> None:
    pinned, tagged, _ = said(client, "The key hangs left.", "Tea at five.", "Rain.")
    client.put(f"/memories/{pinned}", json={"critical": True})
    client.put(f"/memories/{tagged}", json={"tags": ["tea"], "priority": "high", "importance": 0.9})
    client.post(f"/memories/{tagged}/archive", json={})

    def listed(**wanted: object) -> list[str]:
        return [one["id"] for one in client.get("/memories", params=wanted).json()["items"]]

    assert listed(critical=True) == [pinned]
    assert listed(tag="tea") == listed(priority="high") == listed(min_importance=0.85) == [tagged]
    assert listed(tier="archived") == [tagged]
    assert listed(contains="KEY") == [pinned]
    assert listed(filters=json.dumps({"tags": {"contains": "tea"}}), critical=True) == []
    assert listed(kind=["fact", "episode"]) == []


def test_a_memory_is_changed_and_its_history_says_so(client: TestClient) -> None:
    (memory_id,) = said(client, "Tea at five.")
    changed = client.put(f"/memories/{memory_id}", json={"content": "Tea at six.", "reason": "moved"})
    assert (changed.status_code, changed.json()["content"]) == (200, "Tea at six.")
    assert client.get(f"/memories/{memory_id}").json() == changed.json()
    changes = client.get(f"/memories/{memory_id}/history").json()["changes"]
    assert [(one["action"], one["reason"]) for one in changes] == [("add", None), ("update", "moved")]


def test_a_deletion_is_undone(client: TestClient) -> None:
    (memory_id,) = said(client, "Tea at five.")
    assert client.delete(f"/memories/{memory_id}", params={"reason": "oops"}).json() == {"deleted": 1}
    assert client.get(f"/memories/{memory_id}").status_code == 404
    assert [one["id"] for one in client.get("/memories/deleted").json()["items"]] == [memory_id]
    assert client.post(f"/memories/{memory_id}/restore", json={}).json()["id"] == memory_id
    assert client.post("/search", json={"query": "tea"}).json()["results"][0]["memory"]["id"] == memory_id
    client.delete(f"/memories/{memory_id}")
    assert client.post("/purge").json() == {"deleted": 1, "residue": None}
    assert client.post(f"/memories/{memory_id}/restore", json={}).status_code == 404


def test_everything_is_deleted_only_when_it_is_said_so(client: TestClient) -> None:
    said(client, "one", session_id="a")
    said(client, "two", session_id="b")
    assert client.delete("/memories").status_code == 422
    assert client.delete("/memories", params={"session_id": "a"}).json() == {"deleted": 1}
    assert client.delete("/memories", params={"all": True}).json() == {"deleted": 1}


@pytest.mark.parametrize(
    "means",
    [
        {"filters": "{}"},
        {"filters": '{"and": []}'},
        {"filters": '{"not": {"or": []}}'},
        {"filters": '{"or": [{}, {"kind": "fact"}]}'},
        {"contains": ""},
    ],
)
def test_a_filter_that_means_everything_wants_to_be_told_so(
    client: TestClient, means: dict[str, str]
) -> None:
    said(client, "one", "two")
    assert client.delete("/memories", params=means).status_code == 422
    assert len(client.get("/memories").json()["items"]) == 2
    assert client.delete("/memories", params={**means, "all": True}).json() == {"deleted": 2}


def test_a_deletion_is_narrowed_as_a_list_is(client: TestClient) -> None:
    said(client, "Tea at five.", "Rain.", session_id="s")
    said(client, "Rain in Oslo.", session_id="s", kind="fact", timestamp="2026-05-01")
    for narrow, deleted in (
        ({"all": True, "contains": "zzz"}, 0),
        ({"session_id": "s", "until": "2026-04-01"}, 0),
        ({"session_id": "s", "kind": "fact"}, 1),
        ({"contains": "tea"}, 1),
        ({"filters": '{"or": []}'}, 0),
    ):
        assert client.delete("/memories", params=narrow).json()["deleted"] == deleted, narrow
    assert [one["content"] for one in client.get("/memories").json()["items"]] == ["Rain."]


def test_what_writes_refuses_parameters_it_does_not_know(client: TestClient) -> None:
    (memory_id,) = said(client, "Tea at five.")
    for method, path in (
        ("DELETE", "/memories?all=true&knid=fact"),
        ("DELETE", f"/memories/{memory_id}?usr_id=bo"),
        ("DELETE", "/documents/unknown?kind=fact"),
        ("POST", "/purge?agent_id=one"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, "unknown" in answer.json()["detail"]) == (422, True), path
    assert len(client.get("/memories").json()["items"]) == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("POST", "/search", {"query": "x", "limit": 2}, "body.limit: unknown field; use top_k"),
        ("POST", "/search", {"query": "x", "within": {}}, "use tiers, since, until, as_of, exclude_ids"),
        ("POST", "/context", {"query": "x", "max_tokens": 9}, "use budget_tokens"),
        ("POST", "/memories", {"content": "x"}, "body.content: unknown field; use messages"),
        ("POST", "/memories", {"messages": "x", "limit": 2}, "unknown field; use one of user_id, agent_id,"),
        ("POST", "/memories", {"messages": [{"content": "x", "nam": "Ada"}]}, "nam: unknown field; use name"),
        ("GET", "/memories?top_k=3", None, "unknown query parameter 'top_k'; use limit"),
        ("GET", f"/memories?{'x' * 200}=3", None, f"unknown query parameter '{'x' * 80}'; use one of "),
    ],
)
def test_an_unknown_field_or_parameter_is_answered_with_the_right_one(
    client: TestClient, method: str, path: str, body: dict[str, object] | None, told: str
) -> None:
    answer = client.request(method, path, json=body)
    problem = answer.json()

    faults = [f"{'.'.join(one['at'])}: {one['message']}" for one in problem.get("errors") or ()]
    assert answer.status_code == 422
    assert told in "; ".join([problem["detail"], *faults])
    assert client.get("/memories").json()["items"] == []


def test_worth_and_use_change_by_their_routes(client: TestClient) -> None:
    (memory_id,) = said(client, "Tea at five.")
    before = client.get(f"/memories/{memory_id}").json()["worth"]["importance"]
    after = client.post(f"/memories/{memory_id}/reinforce", json={"reason": "it helped"}).json()
    assert after["worth"]["importance"] == pytest.approx(before * 1.2)
    assert client.post(f"/memories/{memory_id}/use", json={}).json()["use"]["usage_count"] == 1
    assert (
        client.post("/feedback", json={"memory_id": memory_id, "useful": True}).json()["use"]["useful_count"]
        == 1
    )
    archived = client.post(f"/memories/{memory_id}/archive", json={"reason": "old"}).json()
    assert archived["tier"] == "archived"
    assert client.post(f"/memories/{memory_id}/unarchive", json={}).json()["tier"] == "long-term"


def test_feedback_for_a_message_moves_thresholds(client: TestClient) -> None:
    ids = said(client, "Tea at five.", "Rain in Oslo.", "The blue door.", "A green tent.", "Bread and salt.")
    for memory_id in ids * 3:
        body = {"memory_id": memory_id, "useful": True, "query": "and so on", "preset": "shadow"}
        assert client.post("/feedback", json=body).status_code == 200
    told = client.get("/thresholds").json()
    assert sum(one["outcomes"] for one in told["thresholds"].values()) == 15
    for change in told["history"]:
        assert change["before"] != change["after"]


def test_a_threshold_is_set_and_reset(client: TestClient) -> None:
    told = client.put("/thresholds/task", json={"threshold": 0.6}).json()
    assert told["thresholds"]["task"]["threshold"] == 0.6
    assert told["history"][-1]["reason"] == "set by hand"
    for kind, threshold in (("task", 0.1), ("chat", 0.5), ("task", "high"), ("task", 2)):
        wrong = client.put(f"/thresholds/{kind}", json={"threshold": threshold})
        assert wrong.status_code == 422, (kind, threshold)
    assert client.get("/thresholds").json()["thresholds"]["task"]["threshold"] == 0.6
    told = client.post("/thresholds/reset", json={}).json()
    assert told["thresholds"]["task"]["threshold"] == 0.8
    assert [change["reason"] for change in told["history"]] == ["set by hand", "reset"]


def test_why_says_where_it_comes_from_and_how_it_ranks(client: TestClient) -> None:
    (memory_id,) = said(client, "Tea at five.")
    told = client.get(f"/memories/{memory_id}/why", params={"query": "tea"}).json()
    assert (told["rank"], told["memory"]["id"], told["history"][0]["action"]) == (1, memory_id, "add")
    assert client.get(f"/memories/{memory_id}/why").json()["recollection"] is None


def test_a_context_fits_its_budget(client: TestClient) -> None:
    said(client, *(f"Note {number}: tea at five, with bread." for number in range(30)))
    made = client.post("/context", json={"query": "tea", "budget_tokens": 100}).json()
    assert 0 < made["tokens"] <= 100
    assert made["left_out"]
    assert made["notes"] == []


def test_a_context_that_nothing_fits_says_so(client: TestClient) -> None:
    places = ("bakery", "beach", "bridge", "canal", "garden", "harbour", "kiosk", "library", "market", "zoo")
    said(client, "Tea at five.", *(f"The {place} opens at nine." for place in places))
    made = client.post("/context", json={"query": "Who wrote Hamlet?"}).json()
    assert (made["text"], made["notes"]) == ("", ["nothing stored fits the question"])
    assert "none of the" in made["hint"]


def test_what_is_known_and_why_is_answered_in_sentences(client: TestClient, memory: Memory) -> None:
    said(client, "I live in Lisbon.", session_id="s")
    memory.jobs.drain()
    known = client.post("/answer", json={"message": "What do you know about me?"}).json()
    assert (known["kind"], known["total"]) == ("everything", 1)
    assert "User lives in Lisbon. (said on" in known["text"]
    why = client.post("/answer", json={"message": "why do you think I live in Lisbon?"}).json()
    assert [one["kind"] for one in why["memories"]] == ["fact", "message"]
    assert "\u201cI live in Lisbon\u201d" in why["text"]
    assert (
        client.post("/context", json={"query": "What do you know about me?"}).json()["text"].count("Lisbon")
        == 1
    )
    talked = client.post("/api/chat", json={"message": "What do you know about me?"}).json()
    assert talked["content"] == known["text"]
    other = client.post("/answer", json={"message": "What shall I cook?"}).json()
    assert (other["kind"], "asks nothing about the memory itself" in other["hint"]) == (None, True)
    assert client.post("/answer", json={"message": " "}).status_code == 422


def test_a_question_for_a_time_is_answered_with_what_was_reckoned(client: TestClient) -> None:
    for day, words in (("2021-02-03", "I moved to Lisbon."), ("2023-04-03", "I moved to Porto.")):
        said(client, words, timestamp=day)
    asked = {"message": "How long did I live in Lisbon?"}
    told = client.post("/answer", json=asked).json()
    assert (told["kind"], len(told["memories"])) == ("time", 2)
    assert told["reckoned"]["days"] == 789
    assert told["text"].startswith("2 years and 2 months: from 3 February 2021 to 3 April 2023.")
    assert client.post("/answer", json={**asked, "as_of": "2022-01-01"}).json()["kind"] is None
    made = client.post("/context", json={"query": asked["message"]}).json()
    assert "[Reckoned from memory]" in made["text"]
    assert client.post("/api/chat", json=asked).json()["content"] == told["text"]


def test_memories_are_linked(client: TestClient) -> None:
    one, two = said(client, "Tea at five.", "Tea at six.")
    told = client.post(f"/memories/{one}/links", json={"target_id": two, "type": "contradicts"}).json()
    assert told == {"links": [{"source_id": one, "target_id": two, "type": "contradicts"}]}
    assert client.get(f"/memories/{two}/links").json() == told
    other = said(client, "Bo's", user_id="bo")[0]
    for unknown in ("nope", other):
        assert client.get(f"/memories/{unknown}/links").status_code == 404


def test_facts_that_contradict_each_other_are_decided(client: TestClient, memory: Memory) -> None:
    for words in ("I like coriander.", "I don't like coriander."):
        said(client, words, session_id="s")
        assert client.post("/sessions/s/end", json={}).json()["queued"] is True
        assert len(client.get("/jobs").json()["waiting"]) == 1
        memory.jobs.drain()
    (conflict,) = client.get("/conflicts").json()["conflicts"]
    keep, drop = conflict["new"]["id"], conflict["known"]["id"]
    decided = client.post("/conflicts/resolve", json={"keep": keep, "drop": drop})
    assert decided.json() == {"kept": keep, "dropped": drop}
    assert client.get("/conflicts").json()["conflicts"] == []


def test_a_timeline_zooms(client: TestClient) -> None:
    for day in ("2026-05-01", "2026-05-02", "2026-08-01"):
        said(client, f"on {day}", kind="episode", timestamp=day)
    told = client.get("/timeline", params={"until": "2026-06-01", "grain": "day"}).json()
    assert [one["content"] for one in told["memories"]] == ["on 2026-05-01", "on 2026-05-02"]
    assert [one["counts"] for one in told["periods"]] == [{"episode": 1}, {"episode": 1}]
    assert client.get("/timeline").json()["total"] == 3


def test_a_problem_names_a_few_faults_and_little_of_a_field(client: TestClient) -> None:
    for wrong in (
        {"x" * 1_000_000: 1},
        {"messages": [{"content": 5}] * 5_000},
        {f"x{n}": n for n in range(5_000)},
    ):
        answer = client.post("/memories", json={"messages": "Tea.", **wrong})
        assert (answer.status_code, len(answer.json()["errors"]) <= 20) == (422, True)
        assert len(answer.content) < 5_000
    assert client.get("/memories").json()["items"] == []


def test_the_graph_of_facts_names_people_places_and_what_they_are(client: TestClient) -> None:
    said(client, "I live in Ghent. My sister Ines is allergic to nuts.")
    client.app.state.service.memory.jobs.drain()
    told = client.get("/graph/facts").json()
    assert {one["name"]: one["type"] for one in told["nodes"]} == {
        "User": "person",
        "Ines": "person",
        "Ghent": "place",
        "nuts": "thing",
    }
    assert {"source": "User", "target": "Ghent", "name": "lives in", "facts": 1} in told["edges"]
    first = client.get("/graph/facts", params={"limit": 1}).json()
    assert (first["total"], len(first["nodes"]), first["edges"]) == (4, 1, [])
    assert client.get("/graph/facts", params={"user_id": "bo"}).json()["nodes"] == []


def test_the_graph_shows_what_stands_together(client: TestClient) -> None:
    ids = said(client, "one", "two", "three")
    for memory_id, tags in zip(ids, (["cat", "sofa"], ["cat", "sofa", "milk"], ["rain"]), strict=True):
        client.put(f"/memories/{memory_id}", json={"tags": tags})
    told = client.get("/graph").json()
    assert {one["name"]: one["memories"] for one in told["concepts"]} == {
        "cat": 2,
        "sofa": 2,
        "milk": 1,
        "rain": 1,
    }
    assert {"source": "cat", "target": "sofa", "weight": 2} in told["edges"]
    near = client.get("/graph", params={"focus": "cat"}).json()
    assert "rain" not in {one["name"] for one in near["concepts"]}
    assert client.get("/graph", params={"edge_limit": 0}).json()["edges"] == []
    for focus in (["dog"], ["cat", "dog"], ["x" * 5_000], [""]):
        answer = client.get("/graph", params={"focus": focus})
        assert answer.status_code == 404, focus
        assert repr(focus[-1])[:80] in answer.json()["detail"]
        assert len(answer.content) < 1_000
    assert client.get("/graph", params={"focus": "cat", "user_id": "bo"}).status_code == 404


def test_a_graph_shows_so_many_concepts_and_edges_and_no_more(client: TestClient) -> None:
    tags = [f"tag{number}" for number in range(100)]
    for name in "ab":
        labels = {"tags": [*tags[1:], name]}
        client.post("/memories", json={"messages": {"content": f"Note {name}.", **labels}})
    told = client.get("/graph", params={"limit": 30, "edge_limit": 20}).json()
    assert (len(told["concepts"]), len(told["edges"])) == (30, 20)
    assert told["total"] > 100
    assert len(client.get("/graph", params={"limit": 5_000}).json()["edges"]) == 1_000


def test_a_session_is_started_listed_and_ended(client: TestClient) -> None:
    started = client.post("/sessions", json={"session_id": "s", "title": "Garden"})
    assert (started.status_code, started.json()["title"]) == (201, "Garden")
    said(client, "Tea at five.", session_id="s")
    (listed,) = client.get("/sessions").json()["sessions"]
    assert (listed["id"], listed["message_count"], listed["ended_at"]) == ("s", 1, None)
    said(client, "Which tea is best?\nI like it green.", session_id="untitled")
    begins = {one["id"]: one["begins"] for one in client.get("/sessions").json()["sessions"]}
    assert begins == {"s": None, "untitled": "Which tea is best? I like it green."}
    ended = client.post("/sessions/s/end", json={}).json()
    assert (ended["queued"], ended["ended_at"] is None) == (True, False)
    assert client.get("/sessions/s").json()["ended_at"] == ended["ended_at"]
    assert client.get("/sessions/s?user_id=bo").status_code == 404
    assert client.post("/sessions/unknown/end", json={}).status_code == 404


def test_a_document_is_kept_cited_and_removed(client: TestClient) -> None:
    body = {"text": "# Tides\n\nThe moon pulls the sea.", "source": "https://example.org/tides"}
    added = client.post("/documents", json=body)
    assert (added.status_code, added.json()["status"]) == (201, "added")
    assert client.post("/documents", json=body).json()["status"] == "unchanged"
    document_id = added.json()["document_id"]
    (listed,) = client.get("/documents").json()["documents"]
    assert listed == client.get(f"/documents/{document_id}").json()
    assert (listed["id"], listed["title"]) == (document_id, "Tides")
    assert "The moon pulls the sea." in client.get(f"/documents/{document_id}/text").text
    (cited,) = client.post("/documents/search", json={"query": "What pulls the sea?"}).json()["citations"]
    assert (cited["number"], cited["document_id"]) == (1, document_id)
    assert client.get(f"/documents/{document_id}?user_id=bo").status_code == 404
    assert client.delete(f"/documents/{document_id}?user_id=bo").status_code == 404
    assert client.delete(f"/documents/{document_id}").json() == {"deleted": 1}
    assert client.get("/documents").json()["documents"] == []


def test_a_server_reads_no_files(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("xylophone")
    path = str(tmp_path / "secret.txt")
    client.post("/documents", json={"text": "Tea.", "source": path})
    (listed,) = client.get("/documents").json()["documents"]
    assert "xylophone" not in client.get(f"/documents/{listed['id']}/text").text
    assert client.get(f"/documents/{path}").status_code == 404


def test_an_export_of_one_user_is_read_in_for_another(client: TestClient, tmp_path: Path) -> None:
    said(client, "Tea at five.", "Blåbær ☕", user_id="ada")
    lines = client.get("/export", params={"user_id": "ada"})
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    sent = {"content": lines.content, "headers": {"Content-Type": "application/x-ndjson"}}
    told = client.post("/import", params={"user_id": "bo"}, **sent).json()
    assert told == {"stored": 2, "duplicates": 0, "refused": 0}
    told = client.post("/import", params={"user_id": "bo"}, **sent).json()
    assert told == {"stored": 0, "duplicates": 2, "refused": 0}
    words = {one["content"] for one in client.get("/memories", params={"user_id": "bo"}).json()["items"]}
    assert words == {"Tea at five.", "Blåbær ☕"}


@pytest.mark.parametrize(
    ("form", "kind"),
    [("mem0", "application/json"), ("server-memory", "application/x-ndjson"), ("card", "text/plain")],
)
def test_an_export_in_another_format_is_what_the_library_writes(
    form: ExportFormat, kind: str, client: TestClient, memory: Memory
) -> None:
    memory.add("Ada plays the cello", user_id="ada", kind="fact")
    said(client, "Something else", user_id="bo")
    out = io.StringIO()
    memory.export(out, user_id="ada", format=form)
    got = client.get("/export", params={"user_id": "ada", "format": form})
    assert got.headers["content-type"].startswith(kind)
    assert got.text == out.getvalue() != ""
    assert "Something else" not in got.text


def test_a_folder_of_markdown_comes_as_an_archive(client: TestClient) -> None:
    said(client, "Tea at five.", user_id="ada")
    got = client.get("/export", params={"user_id": "ada", "format": "markdown"})
    with ZipFile(io.BytesIO(got.content)) as archive:
        names = archive.namelist()
        (month,) = [name for name in names if name.startswith("ada/months/") and name.endswith(".md")]
        assert "ada/.recollect.jsonl" in names
        assert "Tea at five." in archive.read(month).decode()


def test_a_user_that_is_not_named_is_the_default_one(client: TestClient) -> None:
    said(client, "mine")
    said(client, "hers", user_id="ada")
    assert [one["content"] for one in client.get("/memories").json()["items"]] == ["mine"]
    assert [one["content"] for one in client.get("/memories?user_id=ada").json()["items"]] == ["hers"]


def test_an_error_is_a_problem_with_the_id_of_the_request(client: TestClient) -> None:
    for method, path, body, status in (
        ("GET", "/memories/unknown", None, 404),
        ("POST", "/search", {"query": " "}, 422),
        ("POST", "/search", {"query": "x", "unknown": 1}, 422),
        ("GET", "/nothing", None, 404),
        ("PATCH", "/memories", None, 405),
    ):
        answer = client.request(method, path, json=body, headers={"X-Request-Id": "r-1"})
        told = answer.json()
        assert answer.headers["content-type"] == "application/problem+json"
        assert (int(answer.status_code), told["status"], told["request_id"]) == (status, status, "r-1")
        assert told["detail"]


def test_a_file_is_kept_by_the_ending_of_its_name(client: TestClient) -> None:
    def sent(name: str, data: bytes) -> dict[str, Any]:
        answer = client.post("/documents/file", params={"source": name}, content=data)
        told = answer.json()
        assert answer.status_code == (201 if told["status"] == "added" else 200), answer.text
        return told

    kept = sent("tides.html", b"<title>Tides</title><p>The moon pulls the sea.</p>")
    assert (kept["status"], kept["reason"]) == ("added", None)
    assert sent("tides.html", b"<title>Tides</title><p>The moon pulls the sea.</p>")["status"] == "unchanged"
    (listed,) = client.get("/documents").json()["documents"]
    assert (listed["title"], listed["format"]) == ("Tides", "html")
    assert "by its name" in sent("photo.jpg", b"\xff\xd8")["reason"]
    assert sent("empty.md", b"  ")["reason"] == "there is no text in it"
    assert "not" in sent("broken.pdf", b"%PDF-nothing")["reason"]
    assert client.post("/documents/file", content=b"x").status_code == 422


def test_messages_are_imported_into_a_session_and_only_once(client: TestClient) -> None:
    lines = b'{"role": "user", "content": "Tea at five."}\n\n{"role": "user", "content": "Green tea."}\n'
    told = client.post("/import?session_id=tea", content=lines).json()
    assert told == {"stored": 2, "duplicates": 0, "refused": 0}
    assert client.post("/import?session_id=tea", content=lines).json()["duplicates"] == 2
    assert client.get("/sessions").json()["sessions"][0]["message_count"] == 2
    listed = b'{"messages": [{"content": "Coffee at six."}, {"content": "  "}]}'
    assert client.post("/import", content=listed).json()["refused"] == 1
    answer = client.post("/import", content=b'{"content": "Cocoa."}\n{"content"\n')
    assert answer.status_code == 422
    assert "1 messages before it are stored" in answer.json()["detail"]


def test_the_users_with_memories_are_listed(client: TestClient) -> None:
    said(client, "Tea at five.", user_id="bo")
    said(client, "Tea at six.", user_id="ada")
    assert client.get("/users").json() == {"users": ["ada", "bo"]}


def test_a_body_that_is_not_json_is_a_bad_request(client):
    answer = client.post("/memories", content='{"content": "x"', headers={"content-type": "application/json"})
    assert (answer.status_code, "not JSON" in answer.json()["detail"]) == (400, True)


def test_a_parameter_that_belongs_into_the_body_is_told_so(client: TestClient) -> None:
    (one,) = said(client, "Tea at five.")
    for method, path, body in (
        ("PUT", f"/memories/{one}", {"content": "x"}),
        ("POST", f"/memories/{one}/archive", {}),
        ("POST", "/search", {"query": "x"}),
    ):
        told = client.request(method, f"{path}?user_id=ada", json=body).json()["detail"]
        assert told == "unknown query parameter 'user_id'; put it into the body"
    assert "put it into the body" not in client.get("/memories?user=ada").text


def test_a_list_that_is_too_long_is_told_so_and_nothing_else(client: TestClient) -> None:
    answer = client.post("/memories", json={"messages": ["x"] * 1_001})
    assert (answer.status_code, answer.json()["detail"]) == (
        422,
        "body.messages: 1,001 items, and a request may have 1,000: send them in several",
    )
    assert "[" not in client.post("/memories", json={"messages": 5}).json()["detail"]
    unknown = client.post("/memories", json={"messages": [{"content": "x", "MessageIn": 1}]}).json()
    assert unknown["errors"][0]["at"] == ["body", "messages", "0", "MessageIn"]


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        (b'{"query": "\xff"}', 400, "not UTF-8"),
        (b'{"query": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", 400, "nested too deep"),
        (b'{"query": "x", "threshold": NaN}', 422, "body.threshold: must be a finite number"),
        (b'{"query": ', 400, "not JSON"),
    ],
)
def test_a_body_that_is_no_json_is_told_what_is_wrong(
    client: TestClient, body: bytes, status: int, told: str
) -> None:
    answer = client.post("/search", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, told in answer.json()["detail"]) == (status, True), answer.text


def test_a_status_says_whether_anything_was_stored(client: TestClient) -> None:
    key = {"Idempotency-Key": "k"}
    for messages, status, became in (
        (["Tea at five.", " "], 201, ["stored", "refused"]),
        ([" ", ""], 200, ["refused", "refused"]),
    ):
        answer = client.post("/memories", json={"messages": messages})
        assert (answer.status_code, [one["status"] for one in answer.json()["results"]]) == (status, became)
    again = [client.post("/memories", json={"messages": "Cake."}, headers=key) for _ in range(2)]
    assert [one.status_code for one in again] == [201, 200]
    assert [one.json()["results"][0]["status"] for one in again] == ["stored", "duplicate"]
    text = {"text": "The moon pulls the sea.", "source": "tides"}
    assert [client.post("/documents", json=text).status_code for _ in range(2)] == [201, 200]


def test_a_body_of_which_no_field_is_needed_may_be_left_out(client: TestClient) -> None:
    (one,) = said(client, "Tea at five.", session_id="s")
    for path in ("archive", "unarchive", "use", "reinforce"):
        assert client.post(f"/memories/{one}/{path}").json()["id"] == one
    assert client.post("/sessions/s/end").status_code == 200
    assert client.post("/sessions").status_code == 201
    assert client.post("/thresholds/reset").status_code == 200
    client.delete(f"/memories/{one}")
    assert client.post(f"/memories/{one}/restore").json()["id"] == one
    told = client.post(f"/memories/{one}/use", json={"nothing": 1}).json()["detail"]
    assert told.startswith("body.nothing: unknown field; use ")


def test_an_idempotency_key_is_refused_where_a_repeat_would_write_again(client: TestClient) -> None:
    key = {"Idempotency-Key": "k"}
    for path, body in (("/search", {"query": "x"}), ("/context", {"query": "x"})):
        assert client.post(path, json=body, headers=key).status_code == 200
    assert client.post("/sessions", json={}, headers=key).status_code == 422


def test_a_change_of_nothing_is_refused_and_changes_no_time(client: TestClient, memory: Memory) -> None:
    (one,) = said(client, "Tea at five.")
    before = memory.get(one, user_id="default")
    for body in ({}, {"reason": "none"}, {"content": None, "tags": None}):
        answer = client.put(f"/memories/{one}", json=body)
        assert (answer.status_code, "nothing to change" in answer.text) == (422, True)
    assert memory.get(one, user_id="default") == before
    assert client.put(f"/memories/{one}", json={"tags": []}).status_code == 200
    assert client.put(f"/memories/{one}", json={"metadata": {}}).status_code == 200

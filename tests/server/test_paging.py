"""Lists by pages: every item once, whatever is added and deleted meanwhile."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import said

from recollect import Memory
from recollect.server.cursors import write_cursor
from recollect.types import MemoryRecord

LISTS = {
    "/memories": "items",
    "/memories/deleted": "items",
    "/sessions": "sessions",
    "/documents": "documents",
    "/conflicts": "conflicts",
    "/jobs": "waiting",
    "/timeline": "memories",
}


def pages(client: TestClient, path: str, of: str | None = None, **wanted: Any) -> Iterator[list[dict]]:
    """The pages of a list, each asked for when the one before was looked at."""
    cursor: str | None = ""
    while cursor is not None:
        asked = {"limit": 2, **wanted} | ({"cursor": cursor} if cursor else {})
        answer = client.get(path, params=asked)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        yield told[of or LISTS[path]]
        cursor = told["next_cursor"]


def walked(
    client: TestClient, path: str, meanwhile: Callable[[list[dict]], None] = lambda _: None
) -> list[dict]:
    """All items, with something done after the first page."""
    found: list[dict] = []
    for number, page in enumerate(pages(client, path)):
        assert len(page) <= 2
        found += page
        if number == 0:
            meanwhile(page)
    return found


def test_what_was_deleted_is_listed_by_pages(client: TestClient) -> None:
    ids = said(client, *(f"note {number}" for number in range(5)))
    late, alive = said(client, "late", "alive")
    for one in ids:
        client.delete(f"/memories/{one}")

    def meanwhile(page: list[dict]) -> None:
        client.post(f"/memories/{page[-1]['id']}/restore", json={})
        client.delete(f"/memories/{late}")

    assert [one["id"] for one in walked(client, "/memories/deleted", meanwhile)] == ids[::-1]
    again = [one["id"] for one in walked(client, "/memories/deleted")]
    assert again == [late, ids[4], *ids[:3][::-1]]
    assert alive not in again


def test_sessions_are_listed_by_pages_the_last_active_first(client: TestClient) -> None:
    for number in range(5):
        said(client, "Tea.", session_id=f"s{number}", timestamp=f"2026-05-0{number + 1}")
    said(client, "Tea.", session_id="s0", agent_id="one", timestamp="2026-05-01")

    def meanwhile(_: list[dict]) -> None:
        said(client, "Tea.", session_id="new", timestamp="2026-06-01")
        said(client, "Tea.", session_id="s4", timestamp="2026-06-02")

    found = walked(client, "/sessions", meanwhile)
    assert [one["id"] for one in found] == ["s4", "s3", "s2", "s1", "s0", "s0"]
    assert {one["agent_id"] for one in found[-2:]} == {None, "one"}
    assert [one["id"] for one in walked(client, "/sessions")][:3] == ["s4", "new", "s3"]


def test_documents_are_listed_by_pages_and_sources(client: TestClient) -> None:
    long = "z" * 5_000
    for source in ("d", "b", f"{long}1", f"{long}2", "c"):
        client.post("/documents", json={"text": f"About {source[-1]}.", "source": source})

    def meanwhile(page: list[dict]) -> None:
        client.delete(f"/documents/{page[-1]['id']}")
        client.post("/documents", json={"text": "About a.", "source": "a"})

    sources = [one["source"] for one in walked(client, "/documents", meanwhile)]
    assert sources[:3] == ["b", "c", "d"]
    assert sorted(sources[3:]) == [f"{long}1", f"{long}2"]
    assert [one["source"] for one in walked(client, "/documents")][:2] == ["a", "b"]


def contested(memory: Memory, thing: str) -> None:
    for number, words in enumerate((f"I like {thing}.", f"I don't like {thing}.")):
        session = f"{thing} {number}"
        memory.add(words, user_id="default", session_id=session)
        memory.sessions.end(session, user_id="default")
        memory.jobs.drain()


def test_conflicts_are_listed_by_pages(client: TestClient, memory: Memory) -> None:
    things = ("coriander", "football", "opera", "rain", "chess")
    for thing in things:
        contested(memory, thing)

    def meanwhile(page: list[dict]) -> None:
        client.post("/conflicts/resolve", json={"keep": page[-1]["new"]["id"]})
        contested(memory, "tea")

    store, read = memory.parts.store, []
    found_in = store.find
    store.find = lambda *a, **more: read.append(found_in(*a, **more)) or read[-1]
    for page in pages(client, "/conflicts", limit=2):
        assert len(page) in (1, 2)
    assert max(map(len, read)) == 3
    store.find = found_in
    found = [one["new"]["content"] for one in walked(client, "/conflicts", meanwhile)]
    assert [next(thing for thing in (*things, "tea") if thing in one) for one in found] == [*things, "tea"]


def test_jobs_are_listed_by_pages_and_no_more_is_read(client: TestClient, memory: Memory) -> None:
    for user in ("ada", "bo", "cy", "di", "ed", "flo", "gus"):
        memory.add("Tea.", user_id=user, session_id="s")
        memory.sessions.end("s", user_id=user)
    store, read = memory.parts.store, []
    listed = store.jobs
    store.jobs = lambda **asked: read.append(listed(**asked)) or read[-1]
    for claimed in store.claim_jobs(limit=2, lease_s=60):
        store.fail_job(claimed.id, "ModelError: what it said of the prompt", retry_in_s=None)

    def meanwhile(page: list[dict]) -> None:
        store.finish_job(page[-1]["id"])
        store.fail_job(page[0]["id"], "ModelError", retry_in_s=None)

    waiting = walked(client, "/jobs", meanwhile)
    assert [one["user_id"] for one in waiting] == ["cy", "di", "ed", "flo", "gus"]
    failed = [one for page in pages(client, "/jobs", of="failed", limit=1) for one in page]
    assert [(one["user_id"], one["error"]) for one in failed] == [
        (user, "ModelError") for user in ("ada", "bo", "cy")
    ]
    assert max(map(len, read)) == 3


def test_a_timeline_goes_on_to_what_happened_before(client: TestClient) -> None:
    for day in (1, 2, 3, 3, 4):
        said(client, f"on the {day}", kind="episode", timestamp=f"2026-05-0{day}")
    (gone,) = said(client, "on the 5", kind="episode", timestamp="2026-05-05")

    def meanwhile(_: list[dict]) -> None:
        client.delete(f"/memories/{gone}")
        said(client, "on the 6", kind="episode", timestamp="2026-05-06")
        said(client, "on the 0", kind="episode", timestamp="2026-04-30")

    first, *rest = pages_of_timeline(client, meanwhile)
    assert [one["content"] for one in first] == ["on the 4", "on the 5"]
    assert [[one["content"][-1] for one in page] for page in rest] == [["3", "3"], ["1", "2"], ["0"]]


def pages_of_timeline(client: TestClient, meanwhile: Callable[[list[dict]], None]) -> list[list[dict]]:
    found = []
    for page in pages(client, "/timeline"):
        if not found:
            meanwhile(page)
        found.append(page)
    return found


def test_the_periods_of_a_timeline_count_all_on_every_page(client: TestClient) -> None:
    for day in ("2026-05-01", "2026-05-02", "2026-08-01"):
        said(client, day, kind="episode", timestamp=day)
    first = client.get("/timeline", params={"limit": 2}).json()
    second = client.get("/timeline", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [one["content"] for one in second["memories"]] == ["2026-05-01"]
    assert (second["total"], second["periods"], second["next_cursor"]) == (3, first["periods"], None)


FORGED = (
    "x",
    "ü",
    "AAAA=",
    "gICA",
    "W10",  # []
    "bnVsbA",  # null
    write_cursor("other", "a", "b"),
    *(write_cursor(of, *([["x"]] * 2)) for of in ("memories", "documents", "conflicts")),
    *(write_cursor(of, 1.5, "a", "b") for of in ("sessions", "timeline")),
    write_cursor("timeline", 10**30, "a"),
    write_cursor("timeline", -(10**18), "a"),
    write_cursor("timeline", 0, "\x00"),
    write_cursor("memories", ""),
    write_cursor("memories", "x" * 300),
    *(write_cursor("jobs", *place) for place in ((-1, 0), (0, 1 << 62 | 1), ("a", 0), (1,))),
    "W" * 9_000,
)


@pytest.mark.parametrize("path", LISTS)
def test_a_cursor_that_is_none_is_refused(client: TestClient, path: str) -> None:
    for cursor in FORGED:
        answer = client.get(path, params={"cursor": cursor})
        assert answer.status_code == 422, cursor
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", LISTS)
def test_a_limit_is_a_number_of_items(client: TestClient, path: str) -> None:
    for limit in ("0", "-1", "1001", "1e3", "NaN", "", "99999999999999999999999"):
        answer = client.get(path, params={"limit": limit})
        assert (answer.status_code, "limit" in answer.json()["detail"]) == (422, True), limit


def test_a_cursor_of_someone_else_opens_nothing(client: TestClient) -> None:
    for number in range(3):
        said(client, "hers", user_id="ada", session_id=f"s{number}")
        said(client, "hers", user_id="ada", kind="episode")
        client.post("/documents", json={"user_id": "ada", "text": "hers", "source": f"d{number}"})
    for path in set(LISTS) - {"/jobs"}:
        items = LISTS[path]
        told = client.get(path, params={"user_id": "ada", "limit": 1}).json()
        assert path in {"/memories/deleted", "/conflicts"} or told["next_cursor"]
        cursor = told["next_cursor"] or ""
        mine = client.get(path, params={"limit": 1} | ({"cursor": cursor} if cursor else {}))
        assert (mine.status_code, mine.json()[items]) == (200, [])


def test_the_library_pages_through_what_was_deleted_and_what_happened(memory: Memory) -> None:
    def happened(*days: str) -> list[MemoryRecord]:
        for day in days:
            memory.add(day, user_id="ada", kind="episode", timestamp=day)
        return list(memory.timeline(user_id="ada").memories)

    one, two, three = happened("2026-05-01", "2026-05-02", "2026-05-03")
    before = memory.timeline(user_id="ada", before=(three.times.happened_at, three.id), limit=1)
    assert (before.memories, before.total) == ((two,), 3)
    assert memory.timeline(user_id="ada", before=(one.times.happened_at, one.id)).memories == ()
    memory.delete_all(user_id="ada")
    assert [each.id for each in memory.deleted(user_id="ada", before=three.id, limit=1)] == [two.id]
    for wrong in ("x", (1,), ("soon", one.id), (one.times.happened_at, 3)):
        with pytest.raises(ValueError, match="before"):
            memory.timeline(user_id="ada", before=wrong)
    with pytest.raises(ValueError, match="before"):
        memory.deleted(user_id="ada", before="")

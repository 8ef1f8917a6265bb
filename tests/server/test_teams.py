"""Team spaces: members read them beside their own memory, in their role; nobody else does."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import LOCAL, SETTINGS, bearer
from tests.server.test_keys import SEND
from tests.server.test_mcp import told, with_key
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app as command
from recollect.errors import InvalidInputError, NotFoundError
from recollect.memory.changes import edit
from recollect.server import KeyRing, create_app
from recollect.server.keys import Role
from recollect.server.mcp import Held
from recollect.server.mcp_tools import CALLER, ToolCaller, Tools
from recollect.server.teams import Teams, context_across, signed, space_named
from recollect.types import Scope
from recollect.types.spaces import SPACE

KITCHEN = f"{SPACE}kitchen"
SECRET = "xylophone"


class Team:
    """A server with a team: Ada writes in the kitchen, Bo reads there, Eve is no member."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.ring = KeyRing(memory.parts.store)
        self.teams = Teams(memory.parts.store)
        self.teams.put(KITCHEN, "ada", "writer")
        self.teams.put(KITCHEN, "bo", "reader")
        app = create_app(memory, settings=SETTINGS, keys=self.ring)
        self.client = TestClient(app, base_url=LOCAL, raise_server_exceptions=False)
        self.keys = {name: bearer(self.ring, name) for name in ("ada", "bo", "eve")}

    def post(self, who: str, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body, headers=self.keys[who])

    def found(self, who: str, query: str, **more: Any) -> list[tuple[str, str]]:
        """Whose memories a search finds, and their words."""
        answer = self.post(who, "/search", query=query, **more)
        assert answer.status_code == 200, answer.text
        return [
            (one["memory"]["scope"]["user_id"], one["memory"]["content"]) for one in answer.json()["results"]
        ]


@pytest.fixture
def team(memory: Memory) -> Team:
    return Team(memory)


def test_members_find_what_the_team_knows_beside_their_own_and_others_do_not(team: Team) -> None:
    team.post("ada", "/memories", messages="The oven is set to 180 degrees.", user_id=KITCHEN)
    team.post("ada", "/memories", messages="My own oven is broken.")
    team.post("bo", "/memories", messages="Bo's oven is new.")
    team.post("eve", "/memories", messages="Eve has no oven.")
    shared = (KITCHEN, "The oven is set to 180 degrees.")
    assert set(team.found("ada", "oven")) == {shared, ("ada", "My own oven is broken.")}
    assert set(team.found("bo", "oven")) == {shared, ("bo", "Bo's oven is new.")}
    assert team.found("eve", "oven") == [("eve", "Eve has no oven.")]
    assert team.found("ada", "oven", user_id="ada") == [("ada", "My own oven is broken.")]
    assert team.found("ada", "oven", user_id=KITCHEN) == [shared]
    assert len(team.found("ada", "oven", top_k=1)) == 1


def test_a_context_names_the_team_and_who_said_it_within_the_budget(team: Team) -> None:
    team.post("ada", "/memories", messages="The oven is set to 180 degrees.", user_id=KITCHEN)
    team.post("bo", "/memories", messages="Bo's oven is new.")
    for budget in (400, 120, 60, 30, 10, 1):
        made = team.post("bo", "/context", query="How hot is the oven?", budget_tokens=budget).json()
        assert made["tokens"] <= budget
        if budget == 400:
            assert "[Team kitchen]\n" in made["text"]
            assert "ada: The oven is set to 180 degrees." in made["text"]
            assert "Bo's oven is new." in made["text"]
            assert {one["memory"]["scope"]["user_id"] for one in made["included"]} == {KITCHEN, "bo"}
    assert "oven" not in team.post("eve", "/context", query="How hot is the oven?").json()["text"]


def test_a_context_of_one_scope_is_that_of_the_memory(memory: Memory) -> None:
    memory.add("The oven is hot.", user_id="ada")
    whole = context_across(memory, "oven", ["ada"], budget_tokens=100)
    assert whole == memory.context("oven", user_id="ada", budget_tokens=100)


def test_who_stored_something_is_kept_and_cannot_be_forged(team: Team) -> None:
    said = [
        "Tea at five.",
        {"role": "user", "name": "Cy", "content": "Cake at six.", "metadata": {"by": "bo", "x": 1}},
        {"role": "assistant", "content": "Noted."},
    ]
    team.post("ada", "/memories", messages=said, user_id=KITCHEN, metadata={"by": "bo"})
    kept = {one.content: one for one in team.memory.get_all(user_id=KITCHEN, kinds=["message"])}
    assert {one.metadata["by"] for one in kept.values()} == {"ada"}
    assert kept["Cake at six."].metadata["x"] == 1
    assert [one.origin.speaker for one in kept.values()] == ["ada", "Cy via ada", None]
    tea = kept["Tea at five."].id
    path, body = f"/memories/{tea}", {"user_id": KITCHEN, "metadata": {"by": "bo", "y": 2}}
    assert team.client.put(path, json=body, headers=team.keys["ada"]).status_code == 200
    assert team.memory.get(tea, user_id=KITCHEN).metadata == {"by": "ada", "y": 2, "changed_by": "ada"}
    team.post("ada", "/memories", messages="My own tea.", metadata={"by": "bo"})
    (own,) = team.memory.get_all(user_id="ada", kinds=["message"])
    assert (own.metadata, own.origin.speaker) == ({"by": "bo"}, None)


@pytest.mark.parametrize("name", ["bo", "Cy", "bo \u200b", "bo" * 30, "ada via bo", "system", "user"])
def test_words_stored_under_another_name_are_shown_as_the_members_own(team: Team, name: str) -> None:
    words = {"name": name, "content": "I am allergic to wheat and I quit."}
    for message in (words, {**words, "role": "bo"}, {**words, "role": "assistant"}):
        assert team.post("ada", "/memories", messages=message, user_id=KITCHEN).status_code == 201
    team.post("ada", "/memories", messages={"role": "bo", "content": "I hate wheat."}, user_id=KITCHEN)
    team.memory.jobs.drain()
    for query in ("who quit?", "wheat", "what is for dinner?"):
        text = team.post("bo", "/context", query=query).json()["text"]
        assert "wheat" in text
        assert all("ada" in line for line in text.splitlines() if "wheat" in line)
    kept = team.memory.get_all(user_id=KITCHEN, kinds=["message", "fact"])
    assert [one.content for one in kept if "ada" not in f"{one.origin.speaker}{one.metadata.get('by')}"] == []
    known = team.memory.get_all(user_id=KITCHEN, kinds=["fact"])
    assert known
    assert not [one for one in known if one.content.startswith("bo is")]


def test_imported_messages_are_the_importing_members_own(team: Team) -> None:
    team.teams.put(KITCHEN, "ada", "admin")
    line = json.dumps({"role": "user", "name": "bo", "content": "I quit.", "metadata": {"by": "bo"}})
    key = bearer(team.ring, "ada", "admin")
    path = f"/import?user_id={KITCHEN}"
    assert team.client.post(path, content=f"{line}\n", headers=key).json()["stored"] == 1
    (one,) = team.memory.get_all(user_id=KITCHEN)
    assert (one.metadata["by"], one.origin.speaker) == ("ada", "bo via ada")


def test_a_core_says_which_member_stored_what_names_another_or_nobody(team: Team) -> None:
    team.post("ada", "/memories", messages="bo is allergic to wheat.", user_id=KITCHEN, kind="fact")
    team.post("ada", "/memories", messages="I am allergic to nuts.", user_id=KITCHEN)
    broken = {"role": "assistant", "content": "The oven is broken.", "critical": True}
    team.post("ada", "/memories", messages=broken, user_id=KITCHEN)
    team.memory.jobs.drain()
    text = team.post("bo", "/context", query="dinner?", user_id=KITCHEN).json()["text"]
    assert "- bo is allergic to wheat. (from ada)\n" in text
    assert "- ada is allergic to nuts.\n" in text
    assert "assistant via ada, " in text


def test_outside_of_spaces_a_field_called_by_changes_no_text(memory: Memory) -> None:
    memory.add({"role": "assistant", "content": "The oven is hot."}, user_id="ada", metadata={"by": "bo"})
    memory.add("The oven is new.", user_id="ada", kind="fact", metadata={"by": "bo"})
    assert "bo" not in memory.context("oven", user_id="ada").text.replace("above", "")


CHANGES: list[tuple[str, str, dict[str, Any] | None]] = [
    ("PUT", "/memories/{id}", {"content": "I vote for the new oven."}),
    ("POST", "/memories/{id}/archive", {"reason": "old"}),
    ("POST", "/memories/{id}/unarchive", {}),
    ("POST", "/memories/{id}/archive", {}),
    ("POST", "/memories/unarchive", {"ids": ["{id}"]}),
    ("DELETE", "/memories/{id}", None),
    ("POST", "/memories/{id}/restore", {}),
]


def change(team: Team, headers: dict[str, str], step: tuple[str, str, Any], memory_id: str) -> Any:
    """The answer to a change of a memory of the kitchen."""
    method, path, body = json.loads(json.dumps(step).replace("{id}", memory_id))
    given = None if body is None else {**body, "user_id": KITCHEN}
    place = f"{path}?user_id={KITCHEN}" if given is None else path
    return team.client.request(method, place, json=given, headers=headers)


def shared(team: Team, who: str, words: str, **fields: Any) -> str:
    """The id of what a member says in the kitchen."""
    answer = team.client.post(
        "/memories", json={"messages": words, "user_id": KITCHEN, **fields}, headers=bearer(team.ring, who)
    )
    return str(answer.json()["results"][0]["id"])


def test_only_who_said_a_message_and_an_admin_of_the_space_change_it_and_the_history_says_who(
    team: Team,
) -> None:
    team.teams.put(KITCHEN, "bo", "writer")
    team.teams.put(KITCHEN, "cy", "admin")
    vote = shared(team, "ada", "I vote against the new oven.")
    before = team.memory.get(vote, user_id=KITCHEN)
    others = bearer(team.ring, "bo", "admin"), bearer(team.ring, "cy", "writer")
    for step in CHANGES:
        for headers in others:
            answer = change(team, headers, step, vote)
            assert (answer.status_code, "'ada' said this" in answer.text) == (403, True), step
    assert team.memory.get(vote, user_id=KITCHEN) == before
    for name, headers in (("ada", team.keys["ada"]), ("cy", bearer(team.ring, "cy", "admin"))):
        known = len(team.memory.history(vote, user_id=KITCHEN))
        for step in CHANGES:
            assert change(team, headers, step, vote).status_code == 200, step
        made = team.memory.history(vote, user_id=KITCHEN)[known:]
        assert [f"by {name}" in (one.reason or "") for one in made] == [True] * len(CHANGES)
        assert f"by {name}: old" in [one.reason for one in made]


@pytest.mark.parametrize("way", ["http", "mcp"])
def test_a_change_in_a_space_keeps_what_another_changed_at_the_same_time(
    held: Held, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    team = Team(held.get())
    team.post("ada", "/memories", messages="Tea at five.", user_id=KITCHEN)
    (one,) = (it.id for it in team.memory.get_all(user_id=KITCHEN, kinds=["message"]))
    read = edit.read_changes

    def meanwhile(*given: Any, **options: Any) -> Any:
        monkeypatch.setattr(edit, "read_changes", read)
        team.memory.update(one, user_id=KITCHEN, metadata={"by": "ada", "room": 2})
        return read(*given, **options)

    monkeypatch.setattr(edit, "read_changes", meanwhile)
    if way == "http":
        body = {"user_id": KITCHEN, "content": "Tea at six."}
        assert team.client.put(f"/memories/{one}", json=body, headers=team.keys["ada"]).status_code == 200
    else:
        key = team.ring.create(owner="ada", role="writer")[1]
        calls: list[Any] = [("update", {"memory_id": one, "content": "Tea at six."})]
        (answer,) = asyncio.run(with_key(held, team.ring, key, calls, teams=team.teams))
        assert not answer.is_error
    after = team.memory.get(one, user_id=KITCHEN)
    assert after.content == "Tea at six."
    assert after.metadata == {"by": "ada", "room": 2, "changed_by": "ada"}


def test_who_changed_a_memory_is_shown_with_it_and_cannot_be_forged(team: Team) -> None:
    team.teams.put(KITCHEN, "cy", "admin")
    forged = {"changed_by": "bo", "x": 1}
    for message in ("Tea at five.", {"role": "user", "content": "Cake.", "metadata": forged}):
        team.post("ada", "/memories", messages=message, user_id=KITCHEN, metadata=forged)
    one, other = (it.id for it in team.memory.get_all(user_id=KITCHEN, kinds=["message"]))
    assert team.memory.get(one, user_id=KITCHEN).metadata == {"by": "ada", "x": 1}
    for body in ({"content": "Tea at six."}, {"metadata": {**forged, "by": "bo"}}):
        headers = bearer(team.ring, "cy", "admin")
        answer = team.client.put(f"/memories/{one}", json={"user_id": KITCHEN, **body}, headers=headers)
        assert answer.json()["metadata"] == {"by": "ada", "changed_by": "cy", "x": 1}
    shown = team.client.get(f"/memories/{one}", params={"user_id": KITCHEN}, headers=team.keys["bo"])
    assert shown.json()["metadata"]["changed_by"] == "cy"
    assert "changed_by" not in team.memory.get(other, user_id=KITCHEN).metadata
    (own,) = team.memory.add("My own tea.", user_id="ada")
    answer = team.client.put(f"/memories/{own.id}", json={"content": "No tea."}, headers=team.keys["ada"])
    assert answer.json()["metadata"] == {}


def test_every_writer_of_a_space_starts_titles_and_ends_its_sessions_and_no_reader_does(team: Team) -> None:
    team.teams.put(KITCHEN, "cy", "writer")
    body = {"user_id": KITCHEN, "session_id": "oven", "title": "The oven"}
    assert team.post("ada", "/sessions", **body).json()["title"] == "The oven"
    team.keys["cy"] = bearer(team.ring, "cy")
    assert team.post("cy", "/sessions", **{**body, "title": "The new oven"}).json()["title"] == "The new oven"
    assert team.post("cy", "/sessions/oven/end", user_id=KITCHEN).status_code == 200
    for path in ("/sessions", "/sessions/oven/end", "/sessions/oven/summarise"):
        assert team.post("bo", path, user_id=KITCHEN, session_id="oven").status_code == 403
        assert team.post("eve", path, user_id=KITCHEN, session_id="oven").status_code == 403


def test_a_member_deletes_of_a_space_only_what_it_said(team: Team) -> None:
    team.teams.put(KITCHEN, "bo", "writer")
    tea, cake = shared(team, "ada", "Tea at five."), shared(team, "bo", "Cake at six.")
    path = f"/memories?all=true&user_id={KITCHEN}"
    assert team.client.delete(path, headers=bearer(team.ring, "bo", "admin")).json()["deleted"] == 1
    assert [one.id for one in team.memory.get_all(user_id=KITCHEN, kinds=["message"])] == [tea]
    assert team.memory.history(cake, user_id=KITCHEN)[-1].reason == "by bo"
    team.teams.put(KITCHEN, "bo", "admin")
    assert team.client.delete(path, headers=bearer(team.ring, "bo", "admin")).json()["deleted"] == 1


def test_a_fact_belongs_to_who_said_what_it_was_learned_from(team: Team) -> None:
    team.teams.put(KITCHEN, "bo", "writer")
    shared(team, "ada", "I live in Oslo.")
    team.memory.jobs.drain()
    (fact,) = team.memory.get_all(user_id=KITCHEN, kinds=["fact"])
    step = ("PUT", "/memories/{id}", {"tags": ["home"]})
    assert change(team, bearer(team.ring, "bo"), step, fact.id).status_code == 403
    assert change(team, team.keys["ada"], step, fact.id).status_code == 200


def test_in_a_space_a_member_decides_a_conflict_only_against_its_own_fact(team: Team) -> None:
    team.teams.put(KITCHEN, "bo", "writer")
    ada, bo = team.keys["ada"], bearer(team.ring, "bo")
    mine, other = shared(team, "ada", "Hot.", kind="fact"), shared(team, "bo", "Cold.", kind="fact")
    memory = team.memory
    memory.update(other, user_id=KITCHEN, metadata={"by": "bo", "contested": True, "conflicts_with": mine})
    decision = {"keep": mine, "drop": other, "user_id": KITCHEN}
    assert team.client.post("/conflicts/resolve", json=decision, headers=ada).status_code == 403
    assert team.client.post("/conflicts/resolve", json=decision, headers=bo).status_code == 200
    again = {"ids": [other], "user_id": KITCHEN}
    assert team.client.post("/conflicts/reopen", json=again, headers=ada).status_code == 403
    assert team.client.post("/conflicts/reopen", json=again, headers=bo).json()["reopened"] == 1
    assert "by bo" in str([one.reason for one in memory.history(other, user_id=KITCHEN)])


def test_only_an_admin_of_a_space_renames_its_projects(team: Team) -> None:
    body = {"old": "a", "new": "b", "user_id": KITCHEN}
    assert team.client.post("/projects/rename", json=body, headers=team.keys["ada"]).status_code == 403


def test_a_reader_of_a_space_writes_nothing_there_and_a_writer_no_more_than_that(team: Team) -> None:
    team.post("ada", "/memories", messages="Tea at five.", user_id=KITCHEN)
    (tea,) = team.memory.get_all(user_id=KITCHEN)
    before = team.memory.get_all(user_id=KITCHEN)
    for method, path, body in SEND:
        if method == "GET" or path in {"/search", "/context", "/answer", "/documents/search"}:
            continue
        place = path.replace("{id}", tea.id)
        named: dict[str, Any] = (
            {"json": {**body, "userId" if path == "/api/chat" else "user_id": KITCHEN}}
            if body is not None
            else {}
        )
        joined = place if named else f"{place}{'&' if '?' in place else '?'}user_id={KITCHEN}"
        admin = bearer(team.ring, "bo", "admin")
        answer = team.client.request(
            method, joined, headers=admin, **json.loads(json.dumps(named).replace("{id}", tea.id))
        )
        assert answer.status_code in {403, 422}, (method, joined, answer.text)
    assert team.memory.get_all(user_id=KITCHEN) == before
    assert (
        team.client.post(f"/purge?user_id={KITCHEN}", headers=bearer(team.ring, "ada", "admin")).status_code
        == 403
    )


def test_nobody_reads_or_writes_a_space_without_being_a_member(team: Team) -> None:
    team.memory.add([f"The {SECRET} is the team's.", "Which instrument?"], user_id=KITCHEN, session_id="s")
    (one, _) = team.memory.get_all(user_id=KITCHEN)
    before = team.memory.get_all(user_id=KITCHEN)
    eve = bearer(team.ring, "eve", "admin")
    for method, path, body in SEND:
        for named in (None, KITCHEN, "kitchen", "space:", "space:Kitchen"):
            place = path.replace("{id}", one.id)
            field = "userId" if path == "/api/chat" else "user_id"
            given = None if body is None else json.loads(json.dumps(body).replace("{id}", one.id))
            if given is not None and named:
                given[field] = named
            elif named:
                place += f"{'&' if '?' in place else '?'}user_id={named}"
            answer = team.client.request(method, place, json=given, headers=eve)
            assert SECRET not in answer.text
            assert answer.status_code < 500
            if named and path != "/jobs":
                assert answer.status_code in {403, 422}, (method, place, answer.text)
    assert team.memory.get_all(user_id=KITCHEN) == before


def test_who_is_a_member_no_more_reads_no_more(team: Team) -> None:
    team.post("ada", "/memories", messages="Tea at five.", user_id=KITCHEN)
    team.teams.remove(KITCHEN, "bo")
    late = bearer(team.ring, "bo")
    answer = team.client.post("/search", json={"query": "tea"}, headers=late)
    assert answer.json()["results"] == []
    named = team.client.post("/search", json={"query": "tea", "user_id": KITCHEN}, headers=late)
    assert named.status_code == 403


def test_members_see_their_spaces_among_the_users(team: Team) -> None:
    for name, users in (("ada", ["ada", KITCHEN]), ("eve", ["eve"])):
        headers = bearer(team.ring, name, "admin")
        assert team.client.get("/users", headers=headers).json() == {"users": users}


def test_a_chat_in_a_space_has_the_members_name_and_a_session_of_its_own(team: Team) -> None:
    team.teams.put(KITCHEN, "bo", "writer")
    late = bearer(team.ring, "bo")
    first = team.post("ada", "/api/chat", message="The oven is set to 180 degrees.", userId=KITCHEN).json()
    said = {"message": "How hot is the oven?", "userId": KITCHEN}
    second = team.client.post("/api/chat", json=said, headers=late).json()
    assert first["sessionId"] != second["sessionId"]
    assert "180 degrees" in second["content"]
    names = {one.origin.speaker for one in team.memory.get_all(user_id=KITCHEN) if one.origin.role == "user"}
    assert names == {"ada", "bo"}
    refused = team.post("eve", "/api/chat", message="How hot is the oven?", userId=KITCHEN)
    assert refused.status_code == 403
    assert "180 degrees" not in team.post("eve", "/api/chat", message="How hot is the oven?").text


@pytest.mark.parametrize("preset", ["default", "shadow", "semem", "recall", "second_brain", "chloe"])
def test_a_members_own_chat_knows_what_the_team_knows_and_others_do_not(team: Team, preset: str) -> None:
    team.post("ada", "/memories", messages="The oven is set to 180 degrees.", user_id=KITCHEN)
    before = team.memory.get_all(user_id=KITCHEN)
    said = {"message": "How hot is the oven?", "preset": preset}
    own = team.post("bo", "/api/chat", **said)
    assert own.status_code == 200, own.text
    assert "180 degrees" in own.text
    assert {one.scope.user_id for one in team.memory.get_all(user_id="bo")} == {"bo"}
    assert "180 degrees" not in team.post("eve", "/api/chat", **said).text
    assert "180 degrees" not in team.post("bo", "/api/chat", **said, userId="bo").text
    assert team.memory.get_all(user_id=KITCHEN) == before


# MCP


def test_over_mcp_members_read_the_space_and_writers_share_there(held: Held) -> None:
    memory = held.get()
    ring, teams = KeyRing(memory.parts.store), Teams(memory.parts.store)
    teams.put(KITCHEN, "ada", "writer")
    teams.put(KITCHEN, "bo", "reader")
    texts = {name: ring.create(owner=name, role="writer")[1] for name in ("ada", "bo", "eve")}

    def use(who: str, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
        return asyncio.run(with_key(held, ring, texts[who], list(calls), teams=teams))

    (added,) = use("ada", ("add", {"content": f"The {SECRET} is in the oven.", "space": "kitchen"}))
    shared = json.loads(told(added))["id"]
    (line,) = [told(one) for one in use("bo", ("search", {"query": SECRET}))]
    assert "ada: The" in line
    assert "team kitchen; from ada" in line
    found, text, why = use(
        "bo", ("get", {"memory_id": shared}), ("context", {"query": SECRET}), ("why", {"memory_id": shared})
    )
    assert SECRET in told(found)
    assert "[Team kitchen]" in told(text)
    assert SECRET in told(why)
    refused = use(
        "bo",
        ("add", {"content": "x", "space": "kitchen"}),
        ("update", {"memory_id": shared, "content": "x"}),
        ("delete", {"memory_id": shared}),
    )
    assert all(one.is_error and "may not write to the space" in one.content[0].text for one in refused)
    for answer in use(
        "eve",
        ("search", {"query": SECRET}),
        ("context", {"query": SECRET}),
        ("get", {"memory_id": shared}),
        ("why", {"memory_id": shared}),
        ("update", {"memory_id": shared, "content": "x"}),
        ("delete", {"memory_id": shared}),
        ("add", {"content": "x", "space": "kitchen"}),
        ("profile", {}),
    ):
        assert SECRET not in answer.content[0].text
    teams.put(KITCHEN, "bo", "writer")
    texts["bo"] = ring.create(owner="bo", role="admin")[1]
    for answer in use(
        "bo", ("update", {"memory_id": shared, "content": "x"}), ("delete", {"memory_id": shared})
    ):
        assert answer.is_error
        assert "'ada' said this" in answer.content[0].text
    assert memory.get(shared, user_id=KITCHEN).content == f"The {SECRET} is in the oven."
    use("ada", ("update", {"memory_id": shared, "importance": 0.9, "reason": "louder"}))
    assert memory.history(shared, user_id=KITCHEN)[-1].reason == "by ada: louder"
    assert "team kitchen; from ada; changed by ada" in told(*use("bo", ("search", {"query": SECRET})))
    (gone,) = use("ada", ("delete", {"memory_id": shared}))
    assert json.loads(told(gone)) == {"id": shared, "status": "deleted", "space": "kitchen"}


def test_over_mcp_profile_and_timeline_have_the_spaces_beside_the_own_memory(held: Held) -> None:
    memory = held.get()
    for owner, words in (("bo", "my shelf"), (KITCHEN, "our shelf"), ("eve", SECRET)):
        for number in range(30):
            said = {"content": f"{words} {number}", "metadata": {"by": "ada"} if owner == KITCHEN else {}}
            memory.add(said, user_id=owner, kind="fact")
            memory.add(f"{words} {number}", user_id=owner)
    tools = Tools(held, Scope(user_id="nobody"))

    async def pages(first: Awaitable[str], more: Callable[[str], Awaitable[str]], place: str) -> list[str]:
        lines = (await first).splitlines()
        while place in lines[-1]:
            lines[-1:] = (await more(lines[-1].rpartition(place)[2])).splitlines()
        return lines

    async def read(spaces: dict[str, Role]) -> tuple[list[str], list[str]]:
        CALLER.set(ToolCaller(user_id="bo", role="reader", spaces=spaces))
        return (
            await pages(tools.profile(), tools.profile, "after="),
            await pages(tools.timeline_page(), tools.timeline_page, "recollect://timeline/"),
        )

    profile, timeline = asyncio.run(read({KITCHEN: "reader"}))
    for lines in (profile, timeline):
        mine = [line for line in lines if "my shelf" in line]
        shared = [line for line in lines if "our shelf" in line]
        assert (len(set(mine)), len(set(shared))) == (30, 30)
        assert all("team kitchen; from ada" in line for line in shared if lines is profile)
        assert all("team kitchen" in line for line in shared)
        assert not any("team" in line for line in mine)
    assert SECRET not in str(profile + timeline)
    assert sum("our shelf" in line for lines in asyncio.run(read({})) for line in lines) == 0


# Memberships


def test_memberships_are_kept_and_changed(memory: Memory) -> None:
    teams = Teams(memory.parts.store)
    assert teams.all() == {}
    teams.put(KITCHEN, "ada", "reader")
    teams.put(KITCHEN, "ada", "admin")
    teams.put(f"{SPACE}attic", "bo", "writer")
    assert teams.all() == {f"{SPACE}attic": {"bo": "writer"}, KITCHEN: {"ada": "admin"}}
    assert (teams.of("ada"), teams.of("eve")) == ({KITCHEN: "admin"}, {})
    teams.remove(KITCHEN, "ada")
    assert KITCHEN not in teams.all()
    with pytest.raises(NotFoundError, match="no member"):
        teams.remove(KITCHEN, "ada")
    for wrong in ("*", KITCHEN, "", " "):
        with pytest.raises(InvalidInputError):
            teams.put(KITCHEN, wrong, "reader")
    teams.put(KITCHEN, "cy", "reader")
    assert teams.all() == {f"{SPACE}attic": {"bo": "writer"}, KITCHEN: {"cy": "reader"}}
    assert memory.users() == [f"{SPACE}attic", KITCHEN]


def test_the_command_adds_lists_and_removes_members(tmp_path: Path) -> None:
    def run(*words: str) -> Any:
        return CliRunner().invoke(command, ["spaces", *words, "--db", str(tmp_path / "m.db")])

    assert run("add", "kitchen", "ada", "--role", "reader").stdout == "kitchen  ada  reader\n"
    run("add", "kitchen", "bo")
    (first, second) = json.loads(run("list", "--json").stdout)
    assert first == {"space": "kitchen", "user": "ada", "role": "reader"}
    assert second["role"] == "writer"
    assert run("remove", "kitchen", "ada").stdout == "kitchen  bo  writer\n"
    for wrong in (
        ["remove", "kitchen", "ada"],
        ["add", "kitchen"],
        ["list", "kitchen"],
        ["x"],
        ["add", "a", "b", "--role", "x"],
    ):
        assert run(*wrong).exit_code != 0


@pytest.mark.parametrize("name", ["", SPACE])
def test_a_space_has_a_name(name: str) -> None:
    with pytest.raises(InvalidInputError, match="space"):
        space_named(name)


def test_a_role_that_is_a_name_keeps_its_capitals() -> None:
    assert signed({"role": "Cy", "content": "I like tea"}, "ada")["name"] == "Cy via ada"

"""Team spaces: members read them beside their own memory, in their role; nobody else does."""

import asyncio
import json
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
from recollect.server import KeyRing, create_app
from recollect.server.keys import SPACE
from recollect.server.mcp import Held
from recollect.server.teams import Teams, context_across, space_named

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
    assert [one.origin.speaker for one in kept.values()] == ["ada", "Cy", None]
    tea = kept["Tea at five."].id
    path, body = f"/memories/{tea}", {"user_id": KITCHEN, "metadata": {"by": "bo", "y": 2}}
    assert team.client.put(path, json=body, headers=team.keys["ada"]).status_code == 200
    assert team.memory.get(tea, user_id=KITCHEN).metadata == {"by": "ada", "y": 2}
    team.post("ada", "/memories", messages="My own tea.", metadata={"by": "bo"})
    (own,) = team.memory.get_all(user_id="ada", kinds=["message"])
    assert (own.metadata, own.origin.speaker) == ({"by": "bo"}, None)


def test_a_reader_of_a_space_writes_nothing_there_and_a_writer_no_more_than_that(team: Team) -> None:
    team.post("ada", "/memories", messages="Tea at five.", user_id=KITCHEN)
    (tea,) = team.memory.get_all(user_id=KITCHEN)
    before = team.memory.get_all(user_id=KITCHEN)
    for method, path, body in SEND:
        if method == "GET" or path in {"/search", "/context", "/documents/search"}:
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
    assert "180" not in team.post("eve", "/api/chat", message="How hot is the oven?").text


@pytest.mark.parametrize("preset", ["default", "shadow", "semem", "recall", "second_brain", "chloe"])
def test_a_members_own_chat_knows_what_the_team_knows_and_others_do_not(team: Team, preset: str) -> None:
    team.post("ada", "/memories", messages="The oven is set to 180 degrees.", user_id=KITCHEN)
    before = team.memory.get_all(user_id=KITCHEN)
    said = {"message": "How hot is the oven?", "preset": preset}
    own = team.post("bo", "/api/chat", **said)
    assert own.status_code == 200, own.text
    assert "180 degrees" in own.text
    assert {one.scope.user_id for one in team.memory.get_all(user_id="bo")} == {"bo"}
    assert "180" not in team.post("eve", "/api/chat", **said).text
    assert "180" not in team.post("bo", "/api/chat", **said, userId="bo").text
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
    assert memory.get(shared, user_id=KITCHEN).content == f"The {SECRET} is in the oven."
    (gone,) = use("ada", ("delete", {"memory_id": shared}))
    assert json.loads(told(gone)) == {"id": shared, "status": "deleted", "space": "kitchen"}


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

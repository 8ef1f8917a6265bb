"""One project: the library, the command, HTTP, MCP and the hook of a coding agent see the same."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from mcp import Client
from tests.hosts.conftest import Desk
from typer.testing import CliRunner

from recollect import Memory, MemoryAgent, Within
from recollect.cli import app
from recollect.integrations.hosts.recall import Whose, for_session
from recollect.memory.agent import ContextOptions
from recollect.presets import open_preset
from recollect.server import ServerSettings, create_app
from recollect.server.mcp import Held, make_mcp
from recollect.types import Scope

HERE, THERE = "github.com/acme/app", "github.com/acme/shop"
SAID = {
    "allergic to nuts": ("I am allergic to nuts.", HERE),
    "Oslo": ("I live in Oslo.", None),
    "to main": ("Never push to main.", HERE),
    "on Fridays": ("Never deploy on Fridays.", THERE),
    "in German": ("Please always answer in German.", THERE),
}
SEEN = {
    HERE: {"allergic to nuts", "Oslo", "to main", "in German"},
    THERE: {"allergic to nuts", "Oslo", "on Fridays", "in German"},
    None: set(SAID),
}
QUESTION = "nuts, Oslo, push to main, deploy on Fridays, answer in German"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path)
    desk.install()
    with desk.memory() as memory:
        for words, project in SAID.values():
            metadata = {} if project is None else {"project": project}
            memory.add(words, user_id="ada", session_id=project or "chat", metadata=metadata)
        memory.jobs.drain()
    return desk


def by_library(desk: Desk, project: str | None) -> dict[str, str]:
    within = Within(project=project)
    with desk.memory() as memory:
        return {
            "search": str(
                [one.memory.content for one in memory.search(QUESTION, user_id="ada", within=within)]
            ),
            "context": memory.context(QUESTION, user_id="ada", within=within).text,
            "list": str(
                [one.content for one in memory.get_all(user_id="ada", kinds=["fact"], within=within)]
            ),
            "timeline": str(memory.timeline(user_id="ada", kinds=["fact"], within=within).memories),
            "profile": str(memory.profile(user_id="ada", within=within)),
            "chat": recalled_for_chat(memory, project),
        }


def recalled_for_chat(memory: Memory, project: str | None, preset: str = "default") -> str:
    context = ContextOptions(project=project)
    agent = MemoryAgent(memory, user_id="ada", preset=open_preset(preset), context=context)
    return agent.chat(QUESTION).context.text


def by_command(desk: Desk, project: str | None) -> dict[str, str]:
    about = ["--user-id", "ada", "--db", str(desk.db), *([] if project is None else ["--project", project])]

    def printed(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, *about])
        assert done.exit_code == 0, done.output
        return done.stdout

    return {
        "search": printed("search", QUESTION),
        "context": printed("context", QUESTION),
        "list": printed("list", "--kind", "fact"),
        "timeline": printed("timeline", "--kind", "fact"),
        "profile": printed("profile"),
        "summary": printed("summary", QUESTION, "--min-importance", "0"),
        "prompt": printed("prompt", QUESTION, "--top-k", "20", "--threshold", "0").rpartition(QUESTION)[0],
    }


def by_http(desk: Desk, project: str | None) -> dict[str, str]:
    body = {"query": QUESTION, "user_id": "ada", "project": project}
    asked = {"user_id": "ada", "kind": "fact"} | ({} if project is None else {"project": project})
    with desk.memory() as memory:
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url="http://127.0.0.1:8377") as client:
            found = client.post("/search", json=body).json()["results"]
            listed = client.get("/memories", params=asked).json()["items"]
            text = client.post("/context", json=body).json()["text"]
            happened = client.get("/timeline", params=asked).text
            of = {name: value for name, value in asked.items() if name == "project"}
            known = client.get("/api/chat/memory/profile/ada", params=of).text
    return {
        "search": str([one["memory"]["content"] for one in found]),
        "context": text,
        "list": str([one["content"] for one in listed]),
        "timeline": happened,
        "profile": known,
    }


def by_mcp(desk: Desk, project: str | None) -> dict[str, str]:
    async def asked() -> dict[str, str]:
        held = Held(lambda: Memory(desk.db), learn=False)
        placed = {} if project is None else {"project": project}
        asked = {"query": QUESTION} | placed
        async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
            return {
                tool: (await client.call_tool(tool, given)).content[0].text  # type: ignore[union-attr]
                for tool, given in (("search", asked), ("context", asked), ("profile", placed))
            }

    return asyncio.run(asked())


@pytest.mark.parametrize("way", [by_library, by_command, by_http, by_mcp])
@pytest.mark.parametrize("project", [HERE, THERE, None])
def test_every_way_in_sees_the_same_of_a_project(
    desk: Desk, way: Callable[[Desk, str | None], dict[str, str]], project: str | None
) -> None:
    for asked, text in way(desk, project).items():
        assert {words for words in SAID if words in text} == SEEN[project], asked


def test_why_says_the_same_of_what_may_not_be_seen_in_a_project(desk: Desk) -> None:
    query, within = "may I push to main?", Within(project=THERE)
    with desk.memory() as memory:
        said = next(one.id for one in memory.get_all(user_id="ada") if one.content == SAID["to main"][0])
        told = memory.explain(said, user_id="ada", query=query, within=within)
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url="http://127.0.0.1:8377") as client:
            asked = {"user_id": "ada", "query": query, "project": THERE}
            http = client.get(f"/memories/{said}/why", params=asked).json()["reason"]

    async def tool() -> str:
        async with Client(
            make_mcp(Held(lambda: Memory(desk.db), learn=False), Scope(user_id="ada"))
        ) as client:
            given = {"memory_id": said, "query": query, "project": THERE}
            return (await client.call_tool("why", given)).content[0].text  # type: ignore[union-attr]

    words = ["why", said, "--query", query, "--project", THERE, "--user-id", "ada", "--db", str(desk.db)]
    assert told.reason
    assert told.reason == http
    for text in (CliRunner().invoke(app, words).stdout, asyncio.run(tool())):
        assert told.reason in text


def test_every_way_in_counts_and_groups_what_may_be_seen(desk: Desk) -> None:
    about = ["--user-id", "ada", "--db", str(desk.db), "--project", THERE]
    with desk.memory() as memory:
        ids = {one.content: one.id for one in memory.get_all(user_id="ada")}
        many = len(memory.get_all(user_id="ada", within=Within(project=THERE)))
        hidden, shown = ids["Never push to main."], ids["I live in Oslo."]
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url="http://127.0.0.1:8377") as client:
            asked = {"user_id": "ada", "project": THERE}
            answers = {
                path: client.get(path, params=asked).json()
                for path in ("/sessions", "/graph", "/graph/facts", "/api/stats")
            }
            assert client.get(f"/memories/{hidden}", params=asked).status_code == 404
            assert client.get(f"/memories/{shown}", params=asked).status_code == 200
    assert {one["id"] for one in answers["/sessions"]["sessions"]} == {"chat", THERE}
    assert "main" not in str((answers["/graph"], answers["/graph/facts"]))
    assert answers["/api/stats"]["totalMemories"] == many < len(ids)

    def printed(*words: str) -> str:
        return CliRunner().invoke(app, [*words, *about]).output

    assert HERE not in printed("sessions", "list")
    assert f"memories: {many} " in printed("stats")
    for words in (["graph"], ["graph", "--facts"], ["clusters"]):
        assert "main" not in printed(*words)
    assert "no memory" in printed("get", hidden)
    assert "Oslo" in printed("get", shown)

    async def tool(memory_id: str) -> str:
        held = Held(lambda: Memory(desk.db), learn=False)
        async with Client(make_mcp(held, Scope(user_id="ada"))) as client:
            given = {"memory_id": memory_id, "project": THERE}
            return (await client.call_tool("get", given)).content[0].text  # type: ignore[union-attr]

    assert "no memory" in asyncio.run(tool(hidden))
    assert "Oslo" in asyncio.run(tool(shown))


def test_stats_of_everyone_refuse_a_project(desk: Desk) -> None:
    done = CliRunner().invoke(app, ["stats", "--project", HERE, "--db", str(desk.db)])
    assert done.exit_code
    assert "--user-id" in done.output


@pytest.mark.parametrize("preset", ["second_brain", "chloe", "shadow", "recall", "semem"])
def test_presets_keep_to_the_project_of_a_chat(desk: Desk, preset: str) -> None:
    with desk.memory() as memory:
        metadata = {"project": THERE}
        memory.add("We fly to Lisbon to deploy.", user_id="ada", session_id="trip", metadata=metadata)
        memory.jobs.drain()
        text = recalled_for_chat(memory, HERE, preset)
        assert "Lisbon" in recalled_for_chat(memory, THERE, preset)
    assert "on Fridays" not in text
    assert "Lisbon" not in text
    assert "allergic to nuts" in text


def test_what_is_said_in_a_chat_belongs_to_its_project(desk: Desk) -> None:
    asked = ["chat", "We call the cache otter.", "--user-id", "ada", "--db", str(desk.db)]
    assert CliRunner().invoke(app, [*asked, "--project", HERE]).exit_code == 0
    with desk.memory() as memory:
        for project in (HERE, THERE):
            told = memory.get_all(user_id="ada", within=Within(project=project))
            assert any("otter" in one.content for one in told) == (project == HERE)


def test_a_chat_over_http_keeps_to_its_project(desk: Desk) -> None:
    body = {"message": QUESTION, "userId": "ada", "project": THERE}
    with desk.memory() as memory:
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url="http://127.0.0.1:8377") as client:
            told = client.post("/api/chat", json=body).text
    assert "on Fridays" in told
    assert "to main." not in told


def test_a_conflict_is_told_where_both_facts_may_be_seen(desk: Desk) -> None:
    about = ["--user-id", "ada", "--db", str(desk.db)]
    with desk.memory() as memory:
        for words in ("We like Redis.", "We don't like Redis."):
            memory.add(words, user_id="ada", session_id=words, metadata={"project": HERE})
            memory.jobs.drain()
        served = create_app(memory, settings=ServerSettings(learn=False))
        with TestClient(served, base_url="http://127.0.0.1:8377") as client:
            for project, number in ((None, 1), (HERE, 1), (THERE, 0)):
                within = Within(project=project)
                assert len(memory.facts.conflicts(user_id="ada", within=within)) == number
                asked = {"user_id": "ada"} | ({} if project is None else {"project": project})
                assert len(client.get("/conflicts", params=asked).json()["conflicts"]) == number
    printed = CliRunner().invoke(app, ["conflicts", "--project", THERE, *about]).stdout
    assert printed == "no conflicts\n"


def test_a_session_that_begins_searches_for_nothing(desk: Desk) -> None:
    with desk.memory() as memory:
        found = for_session(memory, Whose(user_id="ada", project=HERE, session_id="new"))
        assert {words for words in SAID if words in found.text} == SEEN[HERE]
        assert memory.parts.recall._shadows.users() == []


@pytest.mark.parametrize("project", [HERE, THERE])
def test_the_hook_gives_a_new_session_what_may_be_seen_in_its_project(desk: Desk, project: str) -> None:
    folder = desk.clone("copy", f"https://{project}.git")
    text = desk.play("SessionStart", session="new", source="startup", folder=folder)
    assert {words for words in SAID if words in text} == SEEN[project]


def test_the_hook_gives_a_prompt_no_more_than_that(desk: Desk) -> None:
    folder = desk.clone("copy", f"https://{THERE}.git")
    text = desk.play("UserPromptSubmit", session="new", prompt="am I allergic to nuts?", folder=folder)
    assert "allergic to nuts" in text
    text = desk.play("UserPromptSubmit", session="new", prompt="may I push to main?", folder=folder)
    assert "to main" not in text


def test_the_hook_gives_a_session_nothing_that_was_learned_from_its_own_words(desk: Desk) -> None:
    folder = desk.clone("copy", f"https://{HERE}.git")
    asked = {"prompt": "am I allergic to nuts?", "folder": folder}
    assert "allergic to nuts" in desk.play("UserPromptSubmit", session="new", **asked)  # type: ignore[arg-type]
    assert not desk.play("UserPromptSubmit", session=HERE, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(("tool", "asked"), [("search", {"query": "zzz"}), ("context", {"query": "zzz"})])
@pytest.mark.parametrize("project", ["github.com/acme/none", None])
def test_a_model_is_told_to_leave_out_project_only_where_it_named_one(
    tmp_path: Path, tool: str, asked: dict[str, str], project: str | None
) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory.add("I bought curtains.", user_id="ada", session_id="s", metadata={"project": HERE})

    async def told() -> str:
        held = Held(lambda: Memory(tmp_path / "m.db"), learn=False)
        async with Client(make_mcp(held, Scope(user_id="ada", session_id="empty"))) as client:
            given = asked | ({} if project is None else {"project": project})
            return (await client.call_tool(tool, given)).content[0].text  # type: ignore[union-attr]

    assert ("leave out project" in asyncio.run(told())) == (project is not None)

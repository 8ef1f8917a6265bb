"""The MCP server, with the SDK's own client, over both transports."""

import asyncio
import json
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests.ports import free_port

import recollect
from recollect.context.brief import LINE_TOKENS
from recollect.server import KeyRing, ServerSettings
from recollect.server.mcp import Held, make_mcp
from recollect.server.mcp_http import mcp_app
from recollect.server.mcp_tools import CALLER, ToolCaller
from recollect.server.teams import Teams
from recollect.text.tokens import estimate_tokens
from recollect.types import Scope

COMMAND = str(Path(sys.executable).with_name("recollect"))
READS = {"search", "context", "get", "profile", "why"}


def told(result: Any) -> str:
    """What a tool answered: one text, sent once."""
    assert not result.is_error, result.content
    assert result.structured_content is None
    (part,) = result.content
    return str(part.text)


def told_json(result: Any) -> Any:
    return json.loads(told(result))


def spawned(db: Path, *more: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=COMMAND, args=["mcp", "--user-id", "ada", "--embedder", "hashing", "--db", str(db), *more]
    )


@asynccontextmanager
async def within(
    held: Held, *, agent_id: str | None = None, session_id: str | None = None, **more: Any
) -> AsyncIterator[Client]:
    scope = Scope(user_id="ada", agent_id=agent_id, session_id=session_id)
    async with Client(make_mcp(held, scope, **more)) as client:
        yield client


def test_there_are_nine_tools_with_hints(held: Held) -> None:
    async def ask(**more: Any) -> dict[str, Any]:
        async with within(held, **more) as client:
            return {tool.name: tool.annotations for tool in (await client.list_tools()).tools}

    hints = asyncio.run(ask())
    assert set(hints) == READS | {"agenda", "add", "update", "delete"}
    assert {name for name, one in hints.items() if one.read_only_hint} == READS
    assert {name for name, one in hints.items() if one.destructive_hint} == {"update", "delete"}
    assert set(asyncio.run(ask(read_only=True))) == READS


def test_every_tool_does_its_work_for_the_one_user(held: Held) -> None:
    async def use() -> None:
        async with within(held) as client:
            added = told_json(
                await client.call_tool(
                    "add", {"content": "Tea at five.", "tags": ["tea"], "idempotency_key": "k"}
                )
            )
            again = told_json(
                await client.call_tool("add", {"content": "Tea at five.", "idempotency_key": "k"})
            )
            assert (added["status"], again["status"], again["id"]) == ("stored", "duplicate", added["id"])
            one = {"memory_id": added["id"]}
            line = told(await client.call_tool("search", {"query": "tea"}))
            assert line.startswith(added["id"][:18])
            assert line.endswith(" user: Tea at five.")
            assert "Tea at five." in told(await client.call_tool("context", {"query": "tea"}))
            asked = told(await client.call_tool("context", {"query": "What have I told you about tea?"}))
            assert "[What memory says of this]\nAbout tea:" in asked
            assert "user: \u201cTea at five.\u201d" in asked
            changed = told_json(
                await client.call_tool("update", one | {"content": "Tea at six.", "critical": True})
            )
            assert (changed["content"], changed["id"]) == ("Tea at six.", added["id"])
            kept = told_json(await client.call_tool("get", {"memory_id": line.split()[0]}))
            assert (kept["content"], kept["session_id"]) == ("Tea at six.", f"talk-{added['id']}")
            assert "rank 1 of 1" in told(await client.call_tool("why", one | {"query": "tea"}))
            assert told(await client.call_tool("profile", {})).startswith("no facts")
            happened = await client.read_resource("recollect://timeline")
            assert "Tea at six." in happened.contents[0].text
            recalled = await client.get_prompt("recall", {"task": "make tea"})
            assert "Tea at six." in recalled.messages[0].content.text
            told(await client.call_tool("delete", {"memory_id": line.split()[0]}))
            gone = await client.call_tool("get", one)
            assert gone.is_error
            assert gone.content[0].text.startswith("get: no memory")

    asyncio.run(use())


def test_what_was_said_earlier_is_added_with_its_time(held: Held) -> None:
    async def use() -> None:
        async with within(held) as client:
            old = {"content": "Tea on Monday.", "timestamp": "2026-05-01T14:30Z"}
            added = told_json(await client.call_tool("add", old))
            assert held.get().get(added["id"], user_id="ada").times.happened_at.isoformat() == (
                "2026-05-01T14:30:00+00:00"
            )
            assert "2026-05-01 user: Tea" in told(await client.call_tool("search", {"query": "tea"}))
            for wrong in ({"timestamp": "soon"}, {"role": "robot"}):
                assert (await client.call_tool("add", {"content": "x"} | wrong)).is_error
            assert len(held.get().get_all(user_id="ada")) == 1

    asyncio.run(use())


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        ("add_memory", "use add"),
        ("memory_search", "use search"),
        ("search_memories", "use search"),
        ("get_all", "use get"),
        ("recall", "use search"),
        ("xyz", "use one of context, search, get, profile, why, agenda, add, update, delete"),
    ],
)
def test_the_name_of_no_tool_is_answered_with_the_right_one(held: Held, guess: str, right: str) -> None:
    async def use() -> None:
        async with within(held) as client:
            answer = await client.call_tool(guess, {})
            assert answer.is_error
            assert answer.content[0].text == f"no tool {guess!r}; {right}"

    asyncio.run(use())


@pytest.mark.parametrize(
    ("name", "arguments", "right"),
    [
        ("recall", {}, "recall: needs task"),
        ("nope", {}, "no prompt 'nope'; use one of recall"),
        ("recall", {"task": "tea", "query": "x"}, "recall: no argument 'query'; use one of task"),
    ],
)
def test_a_wrong_prompt_is_answered_with_the_right_one_and_logs_nothing(
    held: Held, caplog: pytest.LogCaptureFixture, name: str, arguments: dict[str, str], right: str
) -> None:
    async def use() -> None:
        async with within(held) as client:
            with pytest.raises(MCPError, match=f"^{right}$"):
                await client.get_prompt(name, arguments)

    asyncio.run(use())
    assert [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info] == []


def test_only_what_a_caller_may_do_is_offered(held: Held) -> None:
    async def offered() -> dict[str, list[str]]:
        async with within(held) as client:
            tools = (await client.list_tools()).tools
            return {one.name: sorted(one.input_schema["properties"]) for one in tools}

    assert "space" not in asyncio.run(offered())["add"]
    for role, spaces, names in (
        ("writer", {"space:kitchen": "writer"}, {"add", "update", "delete"}),
        ("writer", {"space:kitchen": "reader"}, {"add", "update", "delete"}),
        ("reader", {"space:kitchen": "writer"}, set()),
    ):
        token = CALLER.set(ToolCaller(user_id="ada", role=role, spaces=spaces))
        try:
            found = asyncio.run(offered())
        finally:
            CALLER.reset(token)
        assert found.keys() & {"add", "update", "delete"} == names
        assert ("space" in found.get("add", ())) == (spaces["space:kitchen"] == "writer" and role != "reader")


def test_a_model_reads_no_unseen_character(held: Held) -> None:
    async def use() -> None:
        async with within(held) as client:
            added = told_json(
                await client.call_tool("add", {"content": "Te\x07a \x1b[31mor\u202e rum\U000e0041."})
            )
            assert held.get().get(added["id"], user_id="ada").content == "Tea or\u202e rum\U000e0041."
            one = {"memory_id": added["id"]}
            profile = await client.call_tool("profile", {})
            for result in (
                await client.call_tool("search", {"query": "tea"}),
                await client.call_tool("get", one),
                await client.call_tool("why", one),
                await client.call_tool("context", {"query": "tea"}),
                await client.call_tool("update", one | {"importance": 0.9}),
                await client.read_resource("recollect://timeline"),
            ):
                shown = str(result)
                assert "u202e rum" in shown
                assert not set(shown) & {"\u202e", "\U000e0041", "\x07"}
            assert not profile.is_error

    asyncio.run(use())


ELSEWHERE = "I live in Zanzibar."


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"user_id": "bo", "agent_id": "one", "session_id": "s1"},
        {"user_id": "ada", "agent_id": "two", "session_id": "s1"},
        {"user_id": "ada", "agent_id": "one", "session_id": "s2"},
    ],
    ids=["user", "agent", "session"],
)
def test_no_tool_leads_out_of_the_scope(held: Held, elsewhere: dict[str, str]) -> None:
    memory = held.get()
    for words, where in (
        ("I play the lute.", {"user_id": "ada", "agent_id": "one", "session_id": "s1"}),
        (ELSEWHERE, elsewhere),
    ):
        memory.add(words, **where)
        memory.sessions.end(where["session_id"], user_id=where["user_id"], agent_id=where["agent_id"])
    memory.jobs.drain()
    inside = {"user_id": "ada", "agent_id": "one", "session_id": "s1"}
    (own,) = memory.get_all(**inside)
    others = [one for one in memory.get_all(user_id=elsewhere["user_id"]) if "Zanzibar" in one.content]
    assert {one.kind for one in others} >= {"message", "fact"}

    async def pry() -> str:
        said: list[Any] = []
        async with within(held, agent_id="one", session_id="s1") as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == READS | {
                "agenda",
                "add",
                "update",
                "delete",
            }
            for one in others:
                for name in ("get", "why", "update", "delete"):
                    result = await client.call_tool(name, {"memory_id": one.id})
                    assert result.is_error
                    said.append(result.content)
            said.append(told(await client.call_tool("search", {"query": "Zanzibar?"})))
            said.append(told(await client.call_tool("context", {"query": "Zanzibar?"})))
            said.append(told(await client.call_tool("why", {"memory_id": own.id, "query": "lute"})))
            said.append(told(await client.call_tool("profile", {})))
            uris = [one.uri for one in (await client.list_resources()).resources]
            assert len(uris) == 2
            for uri in uris:
                (text,) = (await client.read_resource(uri)).contents
                assert "lute" in text.text
                said.append(text.text)
            for one in others:
                with pytest.raises(MCPError):
                    await client.read_resource(f"recollect://timeline/{one.id}")
            assert told_json(await client.call_tool("add", {"content": "Noted."}))["status"] == "stored"
        return json.dumps(said, default=str)

    assert "Zanzibar" not in asyncio.run(pry())
    assert memory.get_all(user_id=elsewhere["user_id"], filters={"content": ELSEWHERE})


@pytest.mark.parametrize(
    ("tool", "wrong"),
    [
        ("search", {}),
        ("search", {"query": "x" * 20_000}),
        ("search", {"query": "x", "top_k": 0}),
        ("add", {"content": " "}),
        ("get", {"memory_id": ""}),
    ],
)
def test_a_wrong_call_is_told_so_and_the_server_goes_on(held: Held, tool: str, wrong: dict[str, Any]) -> None:
    async def ask() -> None:
        async with within(held) as client:
            result = await client.call_tool(tool, wrong)
            assert result.is_error or told_json(result)["status"] == "refused"
            found = told(await client.call_tool("search", {"query": "tea"}))
            assert found == "no memories; store one with the tool add"

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("search", {"query": "tea", "user_id": "bo"}, "no argument 'user_id'; a server or a key is for one"),
        ("search", {"query": "tea", "limit": 1}, "no argument 'limit'; use top_k"),
        ("search", {"question": "tea"}, "no argument 'question'; use query"),
        ("context", {"query": "tea", "max_tokens": 10}, "no argument 'max_tokens'; use budget_tokens"),
        ("get", {"id": "{id}"}, "no argument 'id'; use memory_id"),
        ("profile", {"agent_id": "one"}, "no argument 'agent_id'; a server or a key is for one"),
        ("why", {"memory_id": "{id}", "question": "tea?"}, "no argument 'question'; use query"),
        ("add", {"content": "Rain.", "idempotencyKey": "k"}, "'idempotencyKey'; use idempotency_key"),
        ("add", {"text": "Rain."}, "no argument 'text'; use content"),
        ("update", {"memory_id": "{id}", "text": "Rain."}, "no argument 'text'; use content"),
        ("delete", {"memory_id": "{id}", "all": True}, "no argument 'all'; use one of memory_id, reason"),
    ],
)
def test_an_argument_that_a_tool_does_not_know_is_refused(
    held: Held, tool: str, given: dict[str, Any], said: str
) -> None:
    memory = held.get()
    (kept,) = memory.add("Tea at five.", user_id="ada")
    wanted = {name: kept.id if value == "{id}" else value for name, value in given.items()}

    async def ask() -> str:
        async with within(held) as client:
            schemas = {one.name: one.input_schema for one in (await client.list_tools()).tools}
            assert all(one["additionalProperties"] is False for one in schemas.values())
            result = await client.call_tool(tool, wanted)
            assert result.is_error
            return str(result.content[0].text)

    answer = asyncio.run(ask())
    assert answer.startswith(f"{tool}: no argument ")
    assert said in answer
    assert [one.content for one in memory.get_all(user_id="ada")] == ["Tea at five."]


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("add", {"content": "xylophone", "mood": "xylophone"}, "no argument 'mood'"),
        ("add", {"content": ["xylophone"]}, "valid string"),
        ("add", {"content": "x", "tags": "xylophone"}, "valid list"),
        ("search", {"query": "x", "top_k": "xylophone"}, "valid integer"),
        ("update", {"memory_id": "x", "importance": "xylophone"}, "valid number"),
        ("delete", {"reason": "xylophone"}, "delete: needs memory_id"),
        ("add", {"content": "x", "tags": [["xylophone"]] * 5_000}, "4,997 more"),
        ("add", {"content": "x", "x" * 1_000_000: "xylophone"}, "no argument 'xxx"),
    ],
)
def test_an_error_does_not_repeat_what_was_said(
    held: Held, tool: str, given: dict[str, Any], told: str
) -> None:
    async def ask() -> str:
        async with within(held) as client:
            result = await client.call_tool(tool, given)
            assert result.is_error
            return str(result.content[0].text)

    said = asyncio.run(ask())
    assert told in said
    assert "xylophone" not in said
    assert "http" not in said
    assert len(said) < 1_000
    assert held.get().get_all(user_id="ada") == []


LONG = "It rained all day, and we waited. " * 200 + "Then the tea came at five. " + "We talked on. " * 300


def test_ten_long_memories_are_found_in_700_tokens_around_what_matches(held: Held) -> None:
    memory = held.get()
    memory.add([f"{LONG}{number}" for number in range(10)], user_id="ada", session_id="s")
    memory.add("\u8336" * 3_000, user_id="ada", session_id="s")

    async def ask() -> str:
        async with within(held) as client:
            return told(await client.call_tool("search", {"query": "When did the tea come?"}))

    text = asyncio.run(ask())
    lines = text.splitlines()
    assert len(lines) == 10
    assert estimate_tokens(text) <= 700
    assert all(estimate_tokens(line) <= LINE_TOKENS for line in lines)
    assert sum("the tea came at five" in line for line in lines) >= 9


def test_a_page_of_a_resource_names_the_next_one(held: Held) -> None:
    held.get().add([f"Walk number {number}." for number in range(70)], user_id="ada", session_id="s")

    async def read() -> tuple[list[str], list[str]]:
        async with within(held) as client:
            first = (await client.read_resource("recollect://timeline")).contents[0].text.splitlines()
            uri = first[-1].removeprefix("next page: ")
            return first, (await client.read_resource(uri)).contents[0].text.splitlines()

    first, second = asyncio.run(read())
    assert (len(first), len(second)) == (51, 20)
    assert first[0].endswith("Walk number 69.")
    assert second[-1].endswith("Walk number 0.")


def test_a_page_that_is_none_is_one_clear_error(held: Held) -> None:
    held.get().add({"content": "Ada likes tea.", "kind": "fact"}, user_id="ada")

    async def read(uri: str) -> str:
        async with within(held) as client:
            with pytest.raises(MCPError) as raised:
                await client.read_resource(uri)
            return str(raised.value)

    assert "no memory 'none'" in asyncio.run(read("recollect://timeline/none"))
    assert "no fact 'none'; begin without after" in asyncio.run(read("recollect://profile/none"))


def test_a_profile_goes_on_after_a_fact(held: Held) -> None:
    memory = held.get()
    facts = [{"content": f"Ada likes dish {number}.", "kind": "fact"} for number in range(60)]
    memory.add(facts, user_id="ada")

    async def read() -> tuple[str, str, Any]:
        async with within(held) as client:
            first = told(await client.call_tool("profile", {}))
            after = first.rpartition("=")[2]
            second = told(await client.call_tool("profile", {"after": after}))
            return first, second, await client.call_tool("profile", {"after": "none"})

    first, second, wrong = asyncio.run(read())
    assert (first.count("likes dish"), second.count("likes dish")) == (50, 10)
    assert wrong.content[0].text == "profile: no fact 'none'; begin without after"


def test_over_stdio_the_clients_handshake_and_tools_work(tmp_path: Path) -> None:
    async def use() -> str:
        async with Client(spawned(tmp_path / "m.db")) as client:
            told(await client.call_tool("add", {"content": "Tea at five."}))
            return told(await client.call_tool("search", {"query": "tea"}))

    assert asyncio.run(use()).endswith("user: Tea at five.")


def test_the_handshake_opens_no_memory_and_starts_no_process(tmp_path: Path) -> None:
    async def shake() -> None:
        async with Client(spawned(tmp_path / "m.db")) as client:
            assert len((await client.list_tools()).tools) == 9

    asyncio.run(shake())
    assert list(tmp_path.iterdir()) == []


def test_it_ends_when_its_client_closes_stdin(tmp_path: Path) -> None:
    parameters = spawned(tmp_path / "m.db")
    with subprocess.Popen(  # noqa: S603 - our own command
        [parameters.command, *parameters.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0


def test_over_http_it_closes_the_memory_when_it_is_stopped(tmp_path: Path) -> None:
    port = free_port()
    folder = tmp_path / "kept"
    folder.mkdir()

    async def use() -> str:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            told(await client.call_tool("add", {"content": "Tea at five."}))
            return client.server_info.version

    parameters = spawned(folder / "m.db", "--http", "--port", str(port))
    with subprocess.Popen(  # noqa: S603 - our own command
        [parameters.command, *parameters.args], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        while b"Uvicorn running" not in process.stderr.readline():
            assert process.poll() is None
        assert asyncio.run(use()) == recollect.__version__
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert [one.name for one in folder.iterdir()] == ["m.db"]


def test_without_keys_it_stays_on_this_machine_and_says_no_address(tmp_path: Path) -> None:
    parameters = spawned(tmp_path / "m.db", "--http", "--host", "0.0.0.0")  # noqa: S104 - is refused
    done = subprocess.run(  # noqa: S603 - our own command
        [parameters.command, *parameters.args], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "recollect keys create" in done.stderr


@pytest.mark.parametrize("wrong", [("--pii", "phone=eat"), ("--secrets", "eat")])
def test_a_policy_that_is_none_is_refused_before_anything_is_served(
    tmp_path: Path, wrong: tuple[str, str]
) -> None:
    parameters = spawned(tmp_path / "m.db", *wrong)
    done = subprocess.run(  # noqa: S603 - our own command
        [parameters.command, *parameters.args], input="", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert wrong[0].strip("-") in done.stderr
    assert "'eat'" in done.stderr


def test_starting_it_loads_neither_numpy_nor_the_memory() -> None:
    code = "import recollect.server.mcp, sys; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own code, in a fresh interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "recollect.memory.memory", "fastapi"} & set(done.stdout.split())


@asynccontextmanager
async def served(app: Any, *, port: int | None = None) -> AsyncIterator[str]:
    """An application on a port of this machine, by default a free one."""
    port = port or free_port()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        await asyncio.sleep(0.01)
        assert thread.is_alive()
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join, 60)


def without_keys(held: Held) -> Any:
    """An application that requires no key; ``ada`` is who sends none."""
    return mcp_app(
        make_mcp(held, Scope(user_id="ada")),
        settings=ServerSettings(default_user="ada"),
        keys=KeyRing(held.get().parts.store),
        are_required=False,
    )


def test_over_http_tools_work(held: Held) -> None:
    app = without_keys(held)

    async def use() -> str:
        async with served(app) as url, Client(url) as client:
            told(await client.call_tool("add", {"content": "Tea at five."}))
            return told(await client.call_tool("search", {"query": "tea"}))

    assert asyncio.run(use()).endswith("user: Tea at five.")


def test_over_http_no_session_is_kept(held: Held) -> None:
    import httpx2

    app = without_keys(held)
    client = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    headers = {"Accept": "application/json, text/event-stream"}

    async def begin() -> list[Any]:
        async with served(app) as url, httpx2.AsyncClient(headers=headers) as http:
            return [await http.post(url, json=body) for _ in range(3)]

    for answer in asyncio.run(begin()):
        assert answer.status_code == 200
        assert "mcp-session-id" not in answer.headers


async def with_key(
    held: Held,
    ring: KeyRing,
    text: str,
    calls: list[tuple[str, dict[str, Any]]],
    *,
    teams: Teams | None = None,
    are_required: bool = True,
) -> list[Any]:
    """What the tools answer to a client that sends a key."""
    import httpx2

    server = make_mcp(held, Scope(user_id="ada"))
    app = mcp_app(server, settings=ServerSettings(), keys=ring, teams=teams, are_required=are_required)
    async with (
        served(app) as url,
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {text}"}) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        return [await client.call_tool(tool, given) for tool, given in calls]


@pytest.mark.parametrize("are_required", [True, False])
def test_over_http_each_key_opens_the_memory_of_its_owner(held: Held, *, are_required: bool) -> None:
    ring = KeyRing(held.get().parts.store)
    ada, bo = (ring.create(owner=owner, role="writer")[1] for owner in ("ada", "bo"))

    def with_its(text: str, calls: list[tuple[str, dict[str, Any]]]) -> list[Any]:
        return asyncio.run(with_key(held, ring, text, calls, are_required=are_required))

    with_its(ada, [("add", {"content": "Ada has tea at five."})])
    with_its(bo, [("add", {"content": "Bo has tea at six."})])
    found = [told(one).split("user: ")[1] for one in with_its(bo, [("search", {"query": "tea"})])]
    assert found == ["Bo has tea at six."]
    (own,) = held.get().get_all(user_id="ada")
    reads = [(tool, {"memory_id": own.id}) for tool in ("get", "why", "update", "delete")]
    for answer in with_its(bo, reads):
        assert answer.is_error
        assert "Ada has tea" not in answer.content[0].text
    assert held.get().get(own.id, user_id="ada").content == "Ada has tea at five."


def test_over_http_a_key_of_any_user_is_refused_since_no_tool_takes_a_user(held: Held) -> None:
    import httpx2

    ring = KeyRing(held.get().parts.store)
    _, text = ring.create(owner="*", role="writer")
    app = mcp_app(make_mcp(held, Scope(user_id="ada")), settings=ServerSettings(), keys=ring)

    async def ask() -> httpx2.Response:
        headers = {"Authorization": f"Bearer {text}"}
        async with served(app) as url, httpx2.AsyncClient(headers=headers) as http:
            return await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})

    answer = asyncio.run(ask())
    assert (answer.status_code, "use the key of one user" in answer.text) == (422, True)


@pytest.mark.parametrize("are_required", [True, False])
def test_over_http_a_readers_key_only_reads(held: Held, *, are_required: bool) -> None:
    ring = KeyRing(held.get().parts.store)
    memory = held.get()
    memory.add("Tea at five.", user_id="ada")
    (own,) = memory.get_all(user_id="ada")
    reader = ring.create(owner="ada", role="reader")[1]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "tea"}),
        ("add", {"content": "x"}),
        ("update", {"memory_id": own.id, "content": "x"}),
        ("delete", {"memory_id": own.id}),
    ]
    found, *refused = asyncio.run(with_key(held, ring, reader, calls, are_required=are_required))
    assert "Tea at five." in told(found)
    assert [one.content[0].text for one in refused] == [
        f"{tool}: this key may only read" for tool in ("add", "update", "delete")
    ]
    assert [one.content for one in memory.get_all(user_id="ada")] == ["Tea at five."]


def test_over_http_a_key_is_needed_and_names_this_machine_alone_are_answered(held: Held) -> None:
    import httpx2

    ring = KeyRing(held.get().parts.store)
    texts = {
        name: ring.create(owner=owner, role=role)[1]
        for name, owner, role in (
            ("own", "ada", "writer"),
            ("other", "bo", "admin"),
            ("reader", "ada", "reader"),
        )
    }
    server = make_mcp(held, Scope(user_id="ada"))
    app = mcp_app(server, settings=ServerSettings(), keys=ring)
    client_info = {"name": "t", "version": "1"}
    wants = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client_info}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": wants}
    accept = {"Accept": "application/json, text/event-stream"}

    async def knock() -> dict[str, int]:
        async with served(app) as url, httpx2.AsyncClient() as client:
            codes = {"none": (await client.post(url, json=hello, headers=accept)).status_code}
            for name, text in texts.items():
                headers = accept | {"Authorization": f"Bearer {text}"}
                codes[name] = (await client.post(url, json=hello, headers=headers)).status_code
            elsewhere = accept | {"Authorization": f"Bearer {texts['own']}", "Host": "evil.example"}
            codes["rebound"] = (await client.post(url, json=hello, headers=elsewhere)).status_code
            return codes

    assert asyncio.run(knock()) == {"none": 401, "own": 200, "other": 200, "reader": 200, "rebound": 421}

"""Hosts other than Claude Code: what each is given, and what its events say."""

import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.hosts.conftest import HERE, SESSION, Desk

from recollect.integrations.hosts.catalog import HOSTS
from recollect.integrations.hosts.entries import hook_words
from recollect.integrations.hosts.hook import answer_to
from recollect.integrations.hosts.installer import home_of

CODEX = "0199a213-81c0-7800-8aa1-bbab2a035a53"
GEMINI = "7d4a9b3e-3f4e-4f0a-9d56-6a3a5c0c1b11"
CODEX_WORDS = [
    "Which port does the proxy use?",
    "The proxy uses port 8443, set in proxy.toml.",
    "Change it to 9443, please.",
    "Changed the port in proxy.toml.",
]
GEMINI_WORDS = [
    "Where are the fixtures of the parser?",
    "They are in tests/data/parser, one file for each format.",
    "Add one for YAML.",
    "Added tests/data/parser/yaml.txt.",
]


@pytest.fixture(autouse=True)
def no_folders_of_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    for host in HOSTS.values():
        monkeypatch.delenv(host.home_variable or "NOTHING", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def install(desk: Desk, host: str) -> None:
    done = desk.run("install", host, "--user-id", "ada", "--db", desk.db)
    assert done.exit_code == 0, done.stderr


def play(desk: Desk, host: str, **event: object) -> Any:
    """What a host's hook answers to an event."""
    return answer_to(str(desk.own.with_name(host)), json.dumps(event).encode())


def stored(desk: Desk, host: str) -> list[tuple[str, str]]:
    """Who said what, of what came from a host."""
    with desk.memory() as memory:
        found = memory.get_all(user_id="ada", kinds=["message"], filters={"host": host})
    assert {one.metadata["project"] for one in found} <= {"github.com/acme/app"}
    return [(one.origin.role, one.content) for one in found]


def codex_transcript(desk: Desk, *, version: str = "0.169") -> Path:
    path = (
        desk.home
        / ".codex"
        / "sessions"
        / "2026"
        / "11"
        / "20"
        / f"rollout-2026-11-20T09-00-00-{CODEX}.jsonl"
    )
    path.parent.mkdir(parents=True)
    path.write_text(
        (HERE / "codex" / f"rollout-{version}.jsonl").read_text().replace("FOLDER", str(desk.repository))
    )
    return path


def gemini_transcript(desk: Desk) -> Path:
    path = desk.home / ".gemini" / "tmp" / "app" / "chats" / "session-2026-11-20T10-00-7d4a9b3e.jsonl"
    path.parent.mkdir(parents=True)
    known = sha256(str(desk.repository).encode()).hexdigest()
    path.write_text((HERE / "gemini_cli" / "session.jsonl").read_text().replace("HASH", known))
    (desk.home / ".gemini" / "projects.json").write_text(
        json.dumps({"projects": {str(desk.repository): "app"}})
    )
    return path


def in_turns(words: list[str]) -> list[tuple[str, str]]:
    return [(("user", "assistant")[place % 2], text) for place, text in enumerate(words)]


# Settings


@pytest.mark.parametrize("name", [name for name, host in HOSTS.items() if not host.plugin])
@pytest.mark.parametrize(
    "text", ["{}", '{\n  "theme": "dark"\n}\n', '{"hooks": {}, "mcpServers": {"a": {}}}']
)
def test_every_host_is_installed_once_and_uninstalled_without_a_trace(
    desk: Desk, name: str, text: str
) -> None:
    host = HOSTS[name]
    path = home_of(host, os.environ) / (host.hooks_file or host.mcp_file)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    install(desk, name)
    written = path.read_text()
    install(desk, name)
    assert path.read_text() == written
    states = {one["host"]: one["state"] for one in json.loads(desk.run("status", "--json").stdout)}
    assert {one for one, state in states.items() if state != "not installed"} == {name}
    assert states[name] == "installed"
    known = json.loads(written)
    if host.hooks_file:
        assert set(known["hooks"]) == set(host.events)
    else:
        server = known[host.mcp_key]["recollect"]
        assert server["args"] == ["mcp", "--user-id", "ada", "--db", str(desk.db)]
    assert desk.run("uninstall", name).exit_code == 0
    assert path.read_text() == text


@pytest.mark.parametrize("name", HOSTS)
def test_nothing_is_left_of_a_host_whose_files_were_all_made_for_it(desk: Desk, name: str) -> None:
    install(desk, name)
    assert desk.run("uninstall", name).exit_code == 0
    assert [one for one in desk.home.rglob("*") if one.is_file()] == []


def test_the_timeouts_are_in_the_units_of_the_host(desk: Desk) -> None:
    install(desk, "gemini-cli")
    install(desk, "cursor")
    gemini = json.loads((desk.home / ".gemini" / "settings.json").read_text())
    assert gemini["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"] == 5_000
    cursor = json.loads((desk.home / ".cursor" / "hooks.json").read_text())
    assert cursor["version"] == 1
    assert cursor["hooks"]["afterAgentResponse"][0]["timeout"] == 5


def test_what_is_left_to_do_by_hand_is_said(desk: Desk) -> None:
    assert "codex features enable hooks" in desk.run("install", "codex", "--db", desk.db).stdout


# Codex


@pytest.mark.parametrize("version", ["0.128", "0.169"])
def test_codex_is_captured_from_its_rollout(desk: Desk, version: str) -> None:
    install(desk, "codex")
    path = str(codex_transcript(desk, version=version))
    about = {"session_id": CODEX, "transcript_path": path, "cwd": str(desk.repository), "turn_id": "1"}
    for _ in range(2):
        assert play(desk, "codex", hook_event_name="Stop", last_assistant_message="…", **about) is None
    answer = play(
        desk, "codex", hook_event_name="SessionStart", source="startup", **{**about, "session_id": "b"}
    )
    assert stored(desk, "codex") == in_turns(CODEX_WORDS)
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert CODEX_WORDS[3] in answer["hookSpecificOutput"]["additionalContext"]


def test_a_version_of_codex_that_writes_both_kinds_of_events_is_captured_once(desk: Desk) -> None:
    install(desk, "codex")
    path = codex_transcript(desk)
    older = codex_transcript(Desk(desk.root / "older"), version="0.128").read_text()
    path.write_text(path.read_text() + older.split("\n", 1)[1])
    about = {"session_id": CODEX, "transcript_path": str(path), "cwd": str(desk.repository)}
    play(desk, "codex", hook_event_name="SessionStart", source="resume", **about)
    assert stored(desk, "codex") == in_turns(CODEX_WORDS)


def test_codex_without_a_transcript_is_recalled_all_the_same(desk: Desk) -> None:
    install(desk, "codex")
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "x",
        "transcript_path": None,
        "prompt": "Hello",
    }
    assert play(desk, "codex", cwd=str(desk.repository), **event) is None
    assert not (desk.own.with_name("codex") / "errors.log").exists()


def test_rollouts_are_imported_without_those_of_sub_agents(desk: Desk) -> None:
    path = codex_transcript(desk)
    other = path.with_name("rollout-2026-11-20T09-00-01-other.jsonl")
    other.write_text(
        path.read_text().replace('"source":"cli"', '"source":{"subagent":"review"}').replace("8443", "1")
    )
    done = desk.run("import", "codex", "--user-id", "ada", "--db", desk.db)
    assert "4 stored" in done.stdout, done.stderr
    assert stored(desk, "codex") == in_turns(CODEX_WORDS)
    assert desk.run("import", "codex", "--user-id", "ada", "--db", desk.db).stdout == "nothing\n"


# Gemini CLI


def test_gemini_is_captured_from_its_transcript(desk: Desk) -> None:
    install(desk, "gemini-cli")
    about = {
        "session_id": GEMINI,
        "transcript_path": str(gemini_transcript(desk)),
        "cwd": str(desk.repository),
    }
    assert play(desk, "gemini-cli", hook_event_name="AfterAgent", prompt_response="…", **about) is None
    play(desk, "gemini-cli", hook_event_name="SessionEnd", reason="exit", **about)
    assert stored(desk, "gemini-cli") == in_turns(GEMINI_WORDS)
    asked = {**about, "session_id": "b", "prompt": "What is in tests/data/parser for each format?"}
    answer = play(desk, "gemini-cli", hook_event_name="BeforeAgent", **asked)
    assert "tests/data/parser" in answer["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("known", [True, False])
def test_geminis_transcripts_are_imported_into_their_project(desk: Desk, *, known: bool) -> None:
    path = gemini_transcript(desk)
    if not known:
        (desk.home / ".gemini" / "projects.json").unlink()
    done = desk.run("import", "gemini-cli", "--user-id", "ada", "--db", desk.db)
    assert "4 stored" in done.stdout, done.stderr
    with desk.memory() as memory:
        projects = {one.metadata["project"] for one in memory.get_all(user_id="ada", kinds=["message"])}
    assert projects == {"github.com/acme/app" if known else str(path.parent)}


def test_an_older_transcript_of_gemini_is_read_as_a_whole(desk: Desk) -> None:
    path = gemini_transcript(desk)
    about, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.unlink()
    old = path.with_suffix(".json")
    old.write_text(json.dumps({**about, "messages": lines[:2]}))
    assert "1 stored" in desk.run("import", "gemini-cli", "--user-id", "ada", "--db", desk.db).stdout
    old.write_text(json.dumps({**about, "messages": lines}, indent=2))
    assert (
        "3 stored, 1 duplicate"
        in desk.run("import", "gemini-cli", "--user-id", "ada", "--db", desk.db).stdout
    )


@pytest.mark.parametrize("host", ["codex", "gemini-cli"])
@pytest.mark.parametrize(
    "text", ["", "\n", "[]\n{}\nnull\n", '{"type": "event_msg", "payload": 5}\n', "\xff\n", "{\n"]
)
def test_a_transcript_of_another_form_says_nothing(desk: Desk, host: str, text: str) -> None:
    install(desk, host)
    path = desk.root / "session-x.jsonl"
    path.write_text(text, encoding="latin-1")
    event = {"session_id": "x", "transcript_path": str(path), "cwd": str(desk.repository)}
    play(desk, host, hook_event_name="Stop" if host == "codex" else "AfterAgent", **event)
    folder = desk.own.with_name(host)
    assert not (folder / "spool").exists()
    assert not (folder / "errors.log").exists()


# Cursor


def test_cursor_is_captured_from_its_events(desk: Desk) -> None:
    install(desk, "cursor")
    told = "We use the queue in PostgreSQL, since it survives a restart."
    about = {"conversation_id": "c1", "generation_id": "g1", "workspace_roots": [str(desk.repository)]}
    asked = {"hook_event_name": "beforeSubmitPrompt", "prompt": "Which queue do we use?", "attachments": []}
    for _ in range(2):
        assert play(desk, "cursor", **asked, **about) is None
    assert play(desk, "cursor", hook_event_name="afterAgentResponse", text=told, **about) is None
    assert play(desk, "cursor", hook_event_name="afterAgentResponse", text=None, **about) is None
    assert play(desk, "cursor", hook_event_name="sessionEnd", **about) is None
    assert stored(desk, "cursor") == [
        ("user", "Which queue do we use?"),
        ("assistant", told),
    ]
    later = {**about, "conversation_id": "c2", "generation_id": "g2"}
    answer = play(desk, "cursor", hook_event_name="sessionStart", **later)
    assert list(answer) == ["additional_context"]
    assert "Which queue do we use?" in answer["additional_context"]
    asked = {**asked, "prompt": "Do we use the queue in PostgreSQL or in Redis?"}
    answer = play(desk, "cursor", **asked, **{**later, "conversation_id": "c3"})
    assert list(answer) == ["additional_context"]
    assert told in answer["additional_context"]


def test_transcripts_that_cannot_be_read_are_one_clear_error(desk: Desk) -> None:
    done = desk.run("import", "cursor", "--db", desk.db)
    assert done.exit_code == 1
    assert "the transcripts of Cursor cannot be read" in done.stderr


# OpenCode

DRIVER = """
import {{ Recollect }} from "{plugin}"
const hooks = await Recollect({{ directory: "{folder}" }})
const system = async (sessionID) => {{
  const output = {{ system: ["You are opencode."] }}
  await hooks["experimental.chat.system.transform"]({{ sessionID }}, output)
  return output.system.slice(1)
}}
const say = (sessionID, id, text, more = {{}}) =>
  hooks["chat.message"]({{ sessionID }}, {{ parts: [{{ type: "text", id, text, ...more }}] }})
const info = {{ id: "child", parentID: "one" }}
await hooks.event({{ event: {{ type: "session.created", properties: {{ info }} }} }})
await say("child", "p0", "Words of a sub-agent.")
await say("one", "p1", "Which port does the proxy use?")
await say("one", "p2", "<reminder>", {{ synthetic: true }})
const answer = "The proxy uses port 8443."
await hooks["experimental.text.complete"]({{ sessionID: "one", partID: "p3" }}, {{ text: answer }})
await hooks["experimental.text.complete"]({{ sessionID: "child", partID: "p4" }}, {{ text: "Done." }})
await say("two", "p5", "Does the proxy use port 8443 or port 9443?")
const seen = [await system("one"), await system("two"), await system("two"), await system("other")]
console.log(JSON.stringify(seen))
"""


def opencode_database(desk: Desk) -> Path:
    """A database as OpenCode 1.18 writes it, with one conversation, a sub-agent's, and one that goes on."""
    path = desk.root / "data" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = {"type": "text", "time": {"start": 1, "end": 2}}
    rows = [
        ("s1", "user", {"type": "text", "text": "Which port does the proxy use?"}),
        ("s1", "user", {"type": "text", "text": "<reminder>", "synthetic": True}),
        ("s1", "assistant", {"type": "step-start"}),
        ("s1", "assistant", {**text, "text": "The proxy uses port 8443."}),
        ("s1", "assistant", {"type": "tool", "tool": "grep"}),
        ("s2", "assistant", {**text, "text": "A sub-agent's notes"}),
        ("s1", "assistant", {"type": "text", "text": "It was ch"}),
    ]
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "CREATE TABLE session (id text PRIMARY KEY, directory text, parent_id text);"
            "CREATE TABLE message (id text PRIMARY KEY, session_id text, data text);"
            "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer,"
            " data text);"
        )
        folder = str(desk.repository)
        db.executemany("INSERT INTO session VALUES (?, ?, ?)", [("s1", folder, None), ("s2", folder, "s1")])
        for number, (session, role, data) in enumerate(rows):
            db.execute(
                "INSERT INTO message VALUES (?, ?, ?)", (f"m{number}", session, json.dumps({"role": role}))
            )
            values = (f"p{number}", f"m{number}", session, 1_795_438_494_106, json.dumps(data))
            db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", values)
        db.commit()
    return path


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_opencodes_plugin_captures_and_recalls(desk: Desk) -> None:
    install(desk, "opencode")
    plugin = desk.home / ".config" / "opencode" / "plugins" / "recollect.js"
    driver = desk.root / "driver.mjs"
    module = plugin.with_suffix(".mjs")
    shutil.copy(plugin, module)  # OpenCode takes every file for a module; Node goes by the name
    driver.write_text(DRIVER.format(plugin=module, folder=desk.repository))
    done = subprocess.run(["node", driver], capture_output=True, text=True, check=True)  # noqa: S603, S607
    one, two, again, other = json.loads(done.stdout)
    assert one == []
    assert "The proxy uses port 8443." in "".join(two)
    assert again == two
    assert other == []
    with desk.memory() as memory:
        found = memory.get_all(user_id="ada", kinds=["message"])
    desk.run("stats", "--db", desk.db)
    keys = {one.idempotency_key: one.origin.role for one in found}
    assert keys == {"opencode:p1": "user", "opencode:p3": "assistant", "opencode:p5": "user"}


def test_opencodes_database_is_imported_up_to_an_answer_that_goes_on(desk: Desk) -> None:
    path = opencode_database(desk)
    run = ("import", "opencode", "--user-id", "ada", "--db", desk.db)
    assert desk.run(*run).stdout == "2 stored\n"
    assert stored(desk, "opencode") == in_turns(
        ["Which port does the proxy use?", "The proxy uses port 8443."]
    )
    with closing(sqlite3.connect(path)) as db:
        whole = json.dumps({"type": "text", "text": "It was changed.", "time": {"start": 1, "end": 2}})
        db.execute("UPDATE part SET data = ? WHERE id = 'p6'", (whole,))
        db.commit()
    assert desk.run(*run).stdout == "1 stored\n"
    assert desk.run(*run).stdout == "nothing\n"


def test_another_kind_of_database_says_nothing(desk: Desk) -> None:
    path = desk.root / "opencode.db"
    path.write_text("no database")
    assert desk.run("import", "opencode", path, "--db", desk.db).stdout == "nothing\n"


# Two hosts at once


def test_what_one_host_heard_in_a_project_another_is_given(desk: Desk) -> None:
    install(desk, "claude-code")
    install(desk, "codex")
    about = {"session_id": CODEX, "transcript_path": str(codex_transcript(desk)), "cwd": str(desk.repository)}
    play(desk, "codex", hook_event_name="Stop", **about)
    assert "Change it to 9443" in desk.play("SessionStart", session="new", source="startup")
    assert stored(desk, "codex") == in_turns(CODEX_WORDS)


def test_hooks_of_two_hosts_that_end_at_once_lose_nothing_and_repeat_nothing(desk: Desk) -> None:
    install(desk, "claude-code")
    install(desk, "codex")
    cwd = str(desk.repository)
    events = [
        (
            "claude-code",
            {"hook_event_name": "SessionEnd", "session_id": SESSION, "cwd": cwd},
            desk.transcript(),
        ),
        (
            "codex",
            {"hook_event_name": "SessionStart", "session_id": CODEX, "cwd": cwd},
            codex_transcript(desk),
        ),
    ] * 2
    hooks = [
        subprocess.Popen(  # noqa: S603
            hook_words(desk.own.with_name(host)), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        for host, *_ in events
    ]
    for hook, (_, event, path) in zip(hooks, events, strict=True):
        assert hook.stdin is not None
        hook.stdin.write(json.dumps({**event, "transcript_path": str(path)}).encode())
        hook.stdin.close()
    assert [hook.wait() for hook in hooks] == [0] * len(hooks)
    desk.play("SessionStart", session="later", source="startup")
    assert stored(desk, "codex") == in_turns(CODEX_WORDS)
    assert len(stored(desk, "claude-code")) == 6

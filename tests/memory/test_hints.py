"""Where nothing is found, one line says why and what to do next, on every way in."""

import json

import pytest
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app
from recollect.memory.hints import _LEARNED, _NEXT, nothing_found


@pytest.fixture
def db(tmp_path, monkeypatch):
    for variable in ("RECOLLECT_USER_ID", "OPENAI_API_KEY", "OPENAI_BASE_URL", "CHAT_MODEL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "brain.db"))
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add("I prefer green tea", user_id="ada", kind="thought")
        memory.add("Rain", user_id="bob", kind="thought")
    return tmp_path / "brain.db"


def run(*words):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.parametrize(
    "words",
    [
        ("search", "tea"),
        ("context", "tea"),
        ("list",),
        ("timeline",),
        ("profile",),
        ("summary", "tea"),
        ("sessions", "list"),
        ("documents", "list"),
        ("documents", "search", "tea"),
        ("graph",),
        ("clusters",),
        ("delete", "--all", "--yes"),
    ],
)
def test_a_command_about_an_unknown_user_names_the_users_that_are_there(db, words):
    done = run(*words)
    assert done.stdout == ""
    assert done.stderr == "no memories for user 'default'; users here: ada, bob; use --user-id ada\n"


@pytest.mark.parametrize("words", [("search", "tea"), ("list",), ("profile",)])
def test_a_user_whose_memories_are_deleted_is_told_how_to_bring_them_back(db, words):
    run("delete", "--all", "--yes", "--user-id", "ada")
    line = "no memories for user 'ada'; 1 memory is deleted and not purged: recollect list --deleted, "
    assert run(*words, "--user-id", "ada").stderr == f"{line}recollect undelete ID\n"
    run("purge", "--yes", "--user-id", "ada")
    assert "users here: bob" in run(*words, "--user-id", "ada").stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ("search", "tea", "--threshold", "1"),
            "none of the 1 memories match for user 'ada'; use other words,",
        ),
        (("context", "snow", "--threshold", "1"), "none of the 1 memories fit the question and the budget"),
        (("list", "--kind", "fact"), "none of the 1 memories match for user 'ada'"),
        (("list", "--deleted"), "no deleted memories for user 'ada'"),
        (("timeline",), "no episodes learned so far for user 'ada'"),
        (("profile",), "no facts learned so far for user 'ada'"),
        (("documents", "list"), "no documents for user 'ada'; add one: recollect documents add FILE"),
        (("documents", "search", "x"), "no documents for user 'ada'; add one: recollect documents add FILE"),
        (("purge", "--yes"), "nothing to purge: no deleted memories for user 'ada'; purge removes what was"),
    ],
)
def test_a_command_that_finds_nothing_says_why_on_stderr(db, words, line):
    done = run(*words, "--user-id", "ada")
    assert done.stdout == ""
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_a_search_of_documents_in_an_empty_store_says_how_to_add_one(tmp_path, monkeypatch):
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "empty.db"))
    Memory(tmp_path / "empty.db", embedder="hashing").close()
    done = run("documents", "search", "x", "--user-id", "ada")
    assert done.stderr == "no documents for user 'ada'; add one: recollect documents add FILE\n"


def test_json_is_what_it_was_and_nothing_stands_beside_it(db):
    done = run("search", "tea", "--json")
    assert (json.loads(done.stdout), done.stderr) == ([], "")


def test_a_chat_without_a_model_names_the_option(db):
    assert run("chat", "tea?", "--user-id", "ada").stderr == (
        "no language model, so memories were quoted; name one with --model or OPENAI_API_KEY\n"
    )


def test_what_waits_to_be_learned_is_said_with_the_next_step(tmp_path):
    with Memory(tmp_path / "brain.db") as memory:
        memory.add(["I live in Oslo."] * 4, user_id="ada", session_id="s")
        memory.sessions.end("s", user_id="ada")
        line = nothing_found(memory, "profile", user_id="ada", way="command")
        assert (
            "no facts yet for user 'ada'; 1 job of learning waits; learn now: recollect worker --once" in line
        )
        assert "in the background" in nothing_found(memory, "profile", user_id="ada", way="http")


@pytest.mark.parametrize("way", ["command", "http", "mcp"])
@pytest.mark.parametrize("looked_for", sorted({*_NEXT, *_LEARNED}))
@pytest.mark.parametrize("user", ["ada", "nobody"])
def test_a_line_is_one_line_and_only_the_command_names_users(db, way, looked_for, user):
    with Memory(db, embedder="hashing") as memory:
        memory.add("evil\nname \x1b[31m", user_id="mallory")
        line = nothing_found(memory, looked_for, user_id=user, way=way)
    assert line.isprintable()
    if way != "command":
        assert not any(name in line for name in ("ada", "bob", "nobody", "mallory"))


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/search", {"query": "tea"}),
        ("POST", "/context", {"query": "tea"}),
        ("GET", "/memories", None),
        ("DELETE", "/memories?all=true", None),
        ("GET", "/timeline", None),
        ("GET", "/api/chat/memory/profile/cleo", None),
        ("GET", "/sessions", None),
        ("GET", "/documents", None),
        ("POST", "/documents/search", {"query": "tea"}),
        ("GET", "/graph", None),
        ("GET", "/conflicts", None),
    ],
)
def test_http_gives_a_hint_where_nothing_is_found(db, method, path, body):
    testclient = pytest.importorskip("fastapi.testclient")
    from recollect.server import ServerSettings, create_app

    with (
        Memory(db, embedder="hashing") as memory,
        testclient.TestClient(
            create_app(memory, settings=ServerSettings(learn=False, default_user="cleo")),
            base_url="http://127.0.0.1:8377",
        ) as client,
    ):
        answer = client.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        what = "documents; add one" if path.startswith("/documents") else "memories; add some"
        where = "/documents" if path.startswith("/documents") else "/memories"
        assert answer.json()["hint"] == f"no {what} with POST {where}"
        client.post("/memories", json={"messages": "Green tea"})
        if path == "/search":
            assert "hint" not in client.post(path, json=body).json()

"""``recollect import`` of what other programs export; tests/cli/test_cli.py has our own files."""

import ast
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_moving import Done, folder  # noqa: F401 (a fixture for every test)
from tests.ingest.sources.exports import EPOCH, gpt_conversation, gpt_message, mem0_memory, write, zipped
from typer.testing import CliRunner

from recollect.cli import app
from recollect.cli.output import ProgressLines, of_number
from recollect.ingest import sources

CHAT = gpt_conversation(
    gpt_message("user", "I love tea", create_time=EPOCH),
    gpt_message("tool", "42"),
    gpt_message("assistant", "Nice"),
)


@pytest.fixture(autouse=True)
def _small_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hashing")
    monkeypatch.setenv("RECOLLECT_DB", "brain.db")


def test_a_dry_run_says_what_a_file_is_and_makes_no_store(tmp_path: Path) -> None:
    zipped(tmp_path / "export.zip", {"conversations.json": [CHAT, 17]})
    done = Done("import", "export.zip", "--dry-run")
    assert done.out.splitlines() == [
        "ChatGPT export: 1 conversation, 2 messages, 2023-11-14 to 2023-11-14",
        "left out: 1 tool message",
        "nothing was stored: this was a dry run",
    ]
    assert done.err.splitlines() == ["left out: conversations.json, record 2: it has another shape"]
    assert (done.code, Path("brain.db").exists()) == (0, False)


def test_an_import_says_what_it_did_and_does_nothing_twice(tmp_path: Path) -> None:
    write(tmp_path / "conversations.json", [CHAT])
    assert Done("import", "conversations.json").out.splitlines()[-1] == "2 stored"
    assert "importing would find: 2 duplicate" in Done("import", tmp_path, "--dry-run").out
    assert Done("import", tmp_path).out.splitlines()[-1] == "2 duplicate"
    found = Done("import", "conversations.json", "--json").json
    assert (found["format"], found["duplicate"], found["left_out"]) == ("chatgpt", 2, {"tool messages": 1})
    assert "I love tea" in Done("search", "what do I drink?").out


def test_an_export_that_breaks_off_is_imported_as_far_as_it_goes_and_fails(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.json", [CHAT, CHAT]).read_bytes()
    write(tmp_path / "conversations.json", whole[:-40])
    shown = Done("import", "conversations.json", "--dry-run")
    assert (shown.code, "cannot be read to its end" in shown.err) == (1, True)
    done = Done("import", "conversations.json")
    assert (done.code, done.out.splitlines()[-1]) == (1, "2 stored")
    assert "get it again, and import it again; what could be read is imported" in done.err
    assert (told := Done("import", "conversations.json", "--json")).code == 1
    assert told.json["incomplete"]
    assert Done("import", "whole.json").code == 0


def test_the_speakers_are_shown_and_the_user_is_asked_for(tmp_path: Path) -> None:
    write(
        tmp_path / "chat.txt",
        "13/2/26, 10:00 - Ada: Hi\n13/2/26, 10:01 - Bob: Ho\n13/2/26, 10:02 - Bob: Ha\n",
    )
    shown = Done("import", "chat.txt", "--dry-run").out
    assert "speakers: Bob (2), Ada (1)" in shown
    assert "Say it with --me NAME" in shown
    failed = Done("import", "chat.txt")
    assert (failed.code, "--me NAME" in failed.err) == (1, True)
    assert not Path("brain.db").exists()
    assert Done("import", "chat.txt", "--me", "Ada", "--timezone", "Europe/Oslo").out.endswith("3 stored\n")
    assert "09:00" in Done("list").out


def test_a_table_is_imported_by_its_columns(tmp_path: Path) -> None:
    write(tmp_path / "log.csv", "text,date\nTea,2026-01-02\n")
    assert Done("import", "log.csv", "--columns", "content=text,timestamp=date").out.endswith("1 stored\n")
    wrong = Done("import", "log.csv", "--columns", "content")
    assert (wrong.code, "content=text" in wrong.err) == (1, True)


def test_stdin_is_detected_too() -> None:
    import json

    done = CliRunner().invoke(app, ["import", "-"], input=json.dumps([CHAT]))
    assert done.stdout.splitlines()[-1] == "2 stored"


def test_our_own_files_have_a_dry_run(tmp_path: Path) -> None:
    write(tmp_path / "chat.jsonl", '{"content": "a"}\n"b"\n')
    assert Done("import", "chat.jsonl", "--dry-run").out.startswith("messages: 2 messages\n")
    Done("import", "chat.jsonl")
    Done("export", "own.jsonl")
    shown = Done("import", "own.jsonl", "--dry-run").out.splitlines()
    assert shown[0].startswith("Recollect export: 1 conversation, 2 messages, ")
    assert shown[1] == "importing would find: 2 duplicate"
    assert "would find" not in Done("import", "own.jsonl", "--dry-run", "--db", "other.db").out
    assert not Path("other.db").exists()
    write(tmp_path / "semem.json", '{"shortTermMemory": [{"id": "1", "prompt": "a", "timestamp": 1}]}')
    found = Done("import", "semem.json", "--dry-run", "--json").json
    assert (found["title"], found["messages"], found["dry_run"]) == ("file of Semem", 1, True)


def test_of_a_dump_of_several_users_one_is_chosen(tmp_path: Path) -> None:
    dump = [mem0_memory(1, "Likes tea"), mem0_memory(2, "Likes coffee", user_id="bob")]
    write(tmp_path / "dump.json", {"results": dump})
    failed = Done("import", "dump.json", "--user-id", "me")
    assert (failed.code, "ada, bob" in failed.err) == (1, True)
    done = Done("import", "dump.json", "--user-id", "me", "--owner", "bob")
    assert done.out.endswith("left out: 1 memory of other users\n1 stored\n")
    assert "Likes coffee" in Done("list", "--user-id", "me").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.zip",), "there is no file none.zip"),
        ((".",), "nothing that can be imported: there are no files in it"),
        (("x.json", "--format", "myspace"), "format 'myspace' is unknown"),
        (("x.json", "--session-id", "s"), "keeps its own conversations"),
        (("x.json", "y"), "is no host"),
        (("codex", "--dry-run"), "--dry-run cannot be used with a host such as codex"),
        (("codex", "--dry-run", "--session-id", "s"), "--session-id and --dry-run cannot be used"),
    ],
)
def test_what_cannot_be_imported_is_said(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    if "x.json" in arguments:
        write(tmp_path / "x.json", [CHAT])
    failed = Done("import", *arguments)
    assert (failed.code, message in failed.err) == (1, True), failed.err
    assert not Path("brain.db").exists()


@pytest.mark.parametrize(
    ("name", "content", "advice"),
    [
        ("log.csv", "text,date\nHi,2026-01-01\n", "--columns content=text"),
        ("log.txt", "text;date\nHi;2026-01-01\n", "--columns content=text"),
        ("MyActivity.html", "<html>", "export JSON instead of pages of HTML"),
        ("notes.odt", "odd", "--format NAME"),
        ("outer.zip", {"inner.zip": b"PK\x03\x04"}, "unpack the archives in it"),
        ("old.zip", {"a.txt": "Hi", "b.jsonl": '{"format": "recollect-export"}\n'}, "give the file itself"),
    ],
)
def test_what_cannot_be_imported_comes_with_advice(
    tmp_path: Path, name: str, content: Any, advice: str
) -> None:
    (zipped if isinstance(content, dict) else write)(tmp_path / name, content)
    failed = Done("import", name)
    assert (failed.code, advice in failed.err) == (1, True), failed.err
    assert not Path("brain.db").exists()


def test_a_file_that_is_given_alone_may_have_any_name(tmp_path: Path) -> None:
    write(tmp_path / "mem0.dump", {"results": [mem0_memory(1, "Likes tea", user_id="default")]})
    write(tmp_path / "chat.log", "13/2/26, 10:00 - Ada: Hi\n")
    write(tmp_path / "table.log", "text\nHo\n")
    agent = {"id": "a", "messages": [{"id": "1", "role": "user", "content": "Hi"}]}
    write(tmp_path / "letta.body", {"agents": [agent], "blocks": []})
    assert Done("import", "mem0.dump").out.endswith("1 stored\n")
    assert Done("import", "mem0.dump", "--format", "mem0").out.endswith("1 duplicate\n")
    assert Done("import", "chat.log", "--me", "Ada").out.endswith("1 stored\n")
    assert Done("import", "letta.body").out.endswith("1 stored\n")
    assert Done("import", "table.log", "--columns", "content=text").out.endswith("1 stored\n")


def test_an_archive_may_come_from_stdin(tmp_path: Path) -> None:
    content = zipped(tmp_path / "x.zip", {"conversations.json": [CHAT]}).read_bytes()
    done = CliRunner().invoke(app, ["import", "-"], input=content)
    assert done.stdout.splitlines()[-1] == "2 stored"


def test_a_broken_export_that_gives_nothing_ends_with_an_error(tmp_path: Path) -> None:
    write(tmp_path / "result.json", '{"name": "Bob", "id": 7, "messages": [{"from_id": "user1", "id": 1,')
    done = Done("import", "result.json")
    assert (done.code, "it breaks off" in done.err) == (1, True)


def test_a_blank_user_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "conversations.json", [CHAT])
    failed = Done("import", "conversations.json", "--user-id", "")
    assert (failed.code, "user_id is blank" in failed.err) == (1, True)


def test_masked_messages_count_as_stored(tmp_path: Path) -> None:
    chat = gpt_conversation(gpt_message("user", "My password is hunter2!"), gpt_message("user", "Hi"))
    write(tmp_path / "conversations.json", [chat])
    done = Done("import", "conversations.json")
    assert done.out.splitlines()[-1] == "2 stored (1 of them with a secret masked)"


def test_a_pipe_is_told_now_and_then_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 1.0, 11.0, 12.0, 22.0])
    report = ProgressLines("importing", clock=lambda: next(times))
    for done in (1, 2, 3, 4):
        report(done, 4)
    assert capsys.readouterr().err == "importing: 50%\nimporting: 100%\n"


def test_messages_of_which_none_can_be_stored_make_no_store(tmp_path: Path) -> None:
    write(tmp_path / "m.json", [{"content": "I love tea", "timestamp": "noon"}])
    failed = Done("import", "m.json")
    assert (failed.code, "timestamp" in failed.err, Path("brain.db").exists()) == (1, True, False)


def test_each_reason_for_leaving_out_reads_right_when_it_is_one() -> None:
    for file in Path(sources.__file__).parent.glob("*.py"):
        calls = (one for one in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(one, ast.Call))
        for call in (one for one in calls if isinstance(one.func, ast.Name) and one.func.id == "Skipped"):
            for reason in (one.value for one in call.keywords if one.arg == "reason"):
                if isinstance(reason, ast.Constant):
                    assert of_number(1, str(reason.value)) != reason.value


@pytest.mark.parametrize("content", ["[" * 100_000, '{"content": ' * 100_000])
def test_what_goes_too_deep_is_said_in_words(tmp_path: Path, content: str) -> None:
    write(tmp_path / "m.json", content)
    failed = Done("import", "m.json")
    assert (failed.code, "goes too deep" in failed.err, Path("brain.db").exists()) == (1, True, False)

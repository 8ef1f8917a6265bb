"""The ``recollect`` command: every command, in text and in JSON, with good and with bad input."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import apsw
import pytest
from tests.models.server import says, serving
from tests.stores.pinecone_server import KEY
from typer.testing import CliRunner

import recollect
from recollect import Memory
from recollect.cli import COMMANDS, app, output
from recollect.cli.learning import _drained, _learn_for_ever
from recollect.cli.opening import shown
from recollect.errors import EmbedderError, StoreCorruptError, StoreError
from recollect.ingest import message_files
from recollect.learning.outcomes import Learned
from recollect.stores import default_path
from recollect.stores.sqlite import SQLiteStore

RUNNER = CliRunner()
NAMES = [command.name for command in COMMANDS]
VARIABLES = (
    "RECOLLECT_DB",
    "RECOLLECT_EMBEDDER",
    "RECOLLECT_USER_ID",
    "RECOLLECT_SECRETS",
    "RECOLLECT_PII",
    "OPENAI_EMBEDDING_MODEL",
    "OPENAI_EMBEDDING_DIMENSIONS",
)


class Done:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Shell = Callable[..., Done]


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Runs the command on a database of its own."""
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "brain.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hashing")

    def run(*words: object, stdin: str | bytes | None = None) -> Done:
        done = RUNNER.invoke(app, [str(word) for word in words], input=stdin)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Done(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def ada(shell: Shell) -> str:
    """The id of a memory."""
    return str(shell("add", "I prefer Python for data analysis", "--json").json["id"])


def process(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a process of its own."""
    script = Path(sys.executable).with_name("recollect")
    return subprocess.run(  # noqa: S603 - our own command
        [script, *map(str, words)], text=True, capture_output=True, check=False, **options
    )


# Help


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_every_command_shows_an_example(name: str, shell: Shell) -> None:
    done = shell(name, "--help")
    assert done.code == 0
    assert f"Example:\n    recollect {name}" in done.out
    assert "--json" in done.out


def test_every_command_that_was_promised_exists() -> None:
    promised = (
        "add search context chat sessions documents prompt summary update use delete undelete"
        " get list why answer profile agenda timeline graph clusters conflicts resolve admissions users stats"
        " import export apply backup restore copy sync serve mcp keys spaces worker jobs install uninstall"
        " status projects init config tidy archive unarchive purge doctor migrate reembed relabel bench"
    )
    assert promised.split() == NAMES


def test_the_help_lists_the_commands_in_five_sections_and_cuts_none(shell: Shell) -> None:
    lines = shell("--help").out.splitlines()
    assert not [line for line in lines if line.startswith("  ") and line.endswith("...")]
    sections = [line for line in lines if line.endswith(":") and not line.startswith((" ", "Options"))]
    assert sections == ["Use:", "Look:", "Move:", "Serve:", "Maintain:"]
    listed = [line.split()[0] for line in lines[lines.index("Use:") :] if line.startswith("  ")]
    assert listed == NAMES


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("search tea --limit 3", "--limit; use --top-k"),
        ("context tea --max-tokens 3", "--max-tokens; use --budget-tokens"),
        ("list --user ada", "--user; use --user-id"),
        ("sessions list --owner ada", "--owner; use --user-id"),
        ("add tea --sesion one", "--sesion; use --session-id"),
        ("get x --zzz", "No such option: --zzz"),
        ("facts", "No such command 'facts'; use 'recollect profile'"),
        ("learn", "No such command 'learn'; use 'recollect worker'"),
        ("version", "No such command 'version'; use 'recollect --version'"),
        ("zzz", "No such command 'zzz'"),
    ],
)
def test_a_wrong_option_is_answered_with_the_right_one(shell: Shell, line: str, right: str) -> None:
    done = shell(*line.split())
    assert (done.code, right in done.err) == (2, True)


def test_ids_may_be_given_by_their_first_characters(shell: Shell) -> None:
    first, second = (shell("add", words, "--json").json["id"] for words in ("tea", "rum"))
    assert "tea" in shell("get", first[:18]).out
    assert "tea" in shell("why", first[:18]).out
    assert "milk" in shell("update", first[:18], "--content", "milk").out
    shell("use", first[:18])
    assert shell("archive", first[:18]).code == 0
    assert shell("unarchive", first[:18], "--json").json["id"] == first
    assert shell("delete", first[:18], second[:18]).out == "deleted 2\n"
    assert "rum" in shell("undelete", second[:18]).out
    assert "no memory" in shell("get", first[:18]).err


def test_a_shell_completes_commands_and_options() -> None:
    command = str(Path(sys.executable).with_name("recollect"))
    for words, wanted in (("recollect sea", "search"), ("recollect search --top", "--top-k")):
        place = str(len(words.split()) - 1)
        told = {"_RECOLLECT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": place}
        done = subprocess.run(  # noqa: S603 - our own command
            [command], env={**os.environ, **told}, capture_output=True, text=True, check=False
        )
        assert wanted in done.stdout.split()


def test_the_version_is_told(shell: Shell) -> None:
    assert shell("--version").out == f"recollect {recollect.__version__}\n"


def test_the_command_line_itself_loads_nothing_heavy() -> None:
    code = "import sys, recollect.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert not {"numpy", "apsw", "rich", "snowballstemmer"} & set(done.stdout.split())


# Add and find


def test_what_is_added_is_found(shell: Shell, ada: str) -> None:
    done = shell("search", "which language for data analysis")
    assert done.code == 0
    assert ada in done.out
    assert "user: I prefer Python for data analysis" in done.out


def test_unquoted_words_are_one_text(shell: Shell) -> None:
    shell("add", "we", "met", "in", "Oslo")
    assert shell("list", "--json").json[0]["content"] == "we met in Oslo"


def test_a_text_may_come_from_stdin(shell: Shell) -> None:
    assert shell("add", "-", stdin="from a pipe\nwith two lines\n").code == 0
    assert shell("list", "--json").json[0]["content"] == "from a pipe\nwith two lines"


def test_a_question_may_come_from_stdin(shell: Shell, ada: str) -> None:
    assert ada in shell("search", "-", stdin="python analysis").out


def test_text_on_stdin_that_is_not_utf8_is_an_error(shell: Shell) -> None:
    done = shell("add", "-", stdin=b"caf\xe9")
    assert (done.code, done.err) == (1, "Error: the text on stdin is not UTF-8\n")


def test_everything_about_a_memory_can_be_given(shell: Shell) -> None:
    shell(
        *("add", "We met in Oslo", "--name", "Ada", "--role", "user", "--kind", "episode"),
        *("--timestamp", "2026-05-01T10:00:00Z", "--tag", "travel", "--tag", "people"),
        *("--metadata", '{"source": "mail"}', "--session-id", "trip", "--agent-id", "guide", "-u", "ada"),
    )
    (record,) = shell("list", "--user-id", "ada", "--json").json
    assert record["scope"] == {"user_id": "ada", "agent_id": "guide", "session_id": "trip"}
    assert (record["kind"], record["origin"]["speaker"]) == ("episode", "Ada")
    assert record["times"]["happened_at"] == "2026-05-01T10:00:00+00:00"
    assert [tag["text"] for tag in record["labels"]["tags"] if tag["approved"]] == ["travel", "people"]
    assert record["metadata"] == {"source": "mail"}


def test_adding_under_a_known_key_stores_nothing(shell: Shell) -> None:
    first = shell("add", "once", "--idempotency-key", "k", "--json").json
    second = shell("add", "once", "--idempotency-key", "k", "--json").json
    assert (second["status"], second["id"]) == ("duplicate", first["id"])


def test_a_secret_is_masked_and_said_to_be(shell: Shell) -> None:
    done = shell("add", "My password is hunter2hunter2")
    assert done.out.startswith("redacted ")
    assert "hunter2" not in shell("list").out


def test_a_secret_is_refused_when_asked(shell: Shell) -> None:
    done = shell("add", "My password is hunter2hunter2", "--secrets", "refuse")
    assert "hunter2" not in shell("list", "--json").out
    assert done.out.startswith("refused")


def test_a_search_can_be_narrowed(shell: Shell) -> None:
    shell("add", "tea in Oslo", "-s", "one", "--timestamp", "2026-01-01", "--name", "Ada")
    shell("add", "tea in Rome", "-s", "two", "--timestamp", "2026-03-01", "--kind", "fact")
    assert [hit["memory"]["content"] for hit in shell("search", "tea", "-s", "one", "--json").json] == [
        "tea in Oslo"
    ]
    for option in (["--since", "2026-02-01"], ["--kind", "fact"], ["--filters", '{"kind": "fact"}']):
        assert "Oslo" not in shell("search", "tea", *option).out
    for option in (["--until", "2026-02-01"], ["--filters", '{"speaker": "Ada"}']):
        assert "Rome" not in shell("search", "tea", *option).out
    assert len(shell("search", "tea", "-k", "1", "--json").json) == 1
    assert shell("search", "tea", "--threshold", "1").out == ""


def test_a_search_explains_its_scores(shell: Shell, ada: str) -> None:
    assert "score 0." in shell("search", "python", "--explain").out
    (hit,) = shell("search", "python", "--json").json
    assert hit["score"] == pytest.approx(sum(hit["terms"].values()))
    assert set(hit) == {
        "score",
        "memory",
        "signals",
        "terms",
        "matched_tags",
        "citation",
        "via",
        "superseded",
        "repeats",
    }


def test_a_search_for_nothing_known_prints_nothing(shell: Shell, ada: str) -> None:
    done = shell("search", "python", "--user-id", "bob")
    assert (done.code, done.out) == (0, "")
    assert shell("search", "python", "--user-id", "bob", "--json").json == []


def test_control_characters_do_not_reach_the_terminal(shell: Shell) -> None:
    memory_id = shell("add", "tea \x1b[31m red\nand green", "--name", "A\x07da", "--json").json["id"]
    for words in (["search", "tea"], ["list"], ["get", memory_id], ["why", memory_id]):
        printed = shell(*words).out
        assert "\x1b" not in printed
        assert "\x07" not in printed


def test_a_context_fits_its_budget(shell: Shell, ada: str) -> None:
    assert "I prefer Python" in shell("context", "python").out
    made = shell("context", "python", "--budget-tokens", "100", "--json").json
    assert made["tokens"] <= made["budget_tokens"] == 100
    assert [hit["id"] for hit in made["included"]] == [ada]


def test_a_context_that_nothing_fits_says_so(shell: Shell, ada: str) -> None:
    assert ada
    shell("add", "I'm allergic to peanuts.")
    for place in (
        "bakery",
        "beach",
        "bridge",
        "canal",
        "garden",
        "harbour",
        "kiosk",
        "library",
        "market",
        "zoo",
    ):
        shell("add", f"The {place} opens at nine.")
    shell("worker", "--once")
    found = shell("context", "How tall is Mount Everest?")
    assert "peanuts" in found.out
    assert "nothing stored fits the question" in found.err
    made = shell("context", "How tall is Mount Everest?", "--json").json
    assert made["notes"] == ["nothing stored fits the question; this is the core alone"]


def test_a_memory_is_shown_by_its_id(shell: Shell, ada: str) -> None:
    assert "I prefer Python" in shell("get", ada).out
    assert shell("get", ada, "--json").json["id"] == ada


def test_a_list_goes_on_after_the_last_of_the_page_before(shell: Shell) -> None:
    for word in ("one", "two", "three"):
        shell("add", word)
    page = shell("list", "--limit", "2", "--json").json
    rest = shell("list", "--after", page[-1]["id"], "--json").json
    assert [record["content"] for record in page + rest] == ["one", "two", "three"]


def test_a_memory_can_be_changed(shell: Shell, ada: str) -> None:
    changed = shell("update", ada, "--content", "I prefer Rust", "--tag", "work", "--critical", "--json").json
    assert changed["content"] == "I prefer Rust"
    assert changed["worth"]["critical"] is True
    assert "critical" in shell("update", ada, "--importance", "0.9", "--reason", "she said so").out
    assert shell("why", ada, "--json").json["history"][-1]["reason"] == "she said so"


def test_answer_says_what_is_known_and_why(shell: Shell, ada: str) -> None:
    shell("worker", "--once")
    known = shell("answer", "what do you know about me?")
    assert known.out.startswith("1 fact is known about the user")
    why = shell("answer", "why do you think I prefer Python?")
    assert "user: \u201cI prefer Python for data analysis\u201d" in why.out
    told = shell("answer", "what do you know about me?", "--json").json
    assert (told["kind"], told["total"], told["text"]) == ("everything", 1, known.out.rstrip("\n"))
    assert ada in [
        one["id"] for one in shell("answer", "why do you think I prefer Python?", "--json").json["memories"]
    ]


def test_answer_reckons_times(shell: Shell) -> None:
    shell("add", "I moved to Lisbon.", "--timestamp", "2021-02-03")
    asked = ("answer", "since when have I lived in Lisbon?", "--as-of")
    assert "Since 3 February 2021, 1 year so far." in shell(*asked, "2022-02-03").out
    assert shell(*asked, "2020-02-03").out == ""


def test_answer_says_where_a_message_asks_something_else(shell: Shell, ada: str) -> None:
    done = shell("answer", "which language do I prefer?")
    assert (done.code, done.out) == (0, "")
    assert "asks nothing about the memory itself" in done.err
    assert shell("answer", "which language do I prefer?", "--json").json is None
    assert shell("answer", "what do you know about me?", "--budget-tokens", "0").code == 1


def test_why_tells_where_a_memory_comes_from_and_how_it_ranks(shell: Shell, ada: str) -> None:
    assert "rank 1 of 1" in shell("why", ada, "--query", "python").out
    told = shell("why", ada, "--query", "python", "--json").json
    assert (told["rank"], told["ranked"]) == (1, 1)
    assert told["recollection"]["score"] > 0
    assert [change["action"] for change in told["history"]] == ["add"]
    assert shell("why", ada, "--json").json["recollection"] is None


# Delete


def test_deleted_memories_are_found_no_more(shell: Shell, ada: str) -> None:
    assert shell("delete", ada, "--json").json == {"deleted": 1}
    assert shell("list").out == ""


def test_deleting_an_unknown_memory_deletes_none(shell: Shell, ada: str) -> None:
    done = shell("delete", ada, "nobody")
    assert (done.code, "nobody" in done.err) == (1, True)
    assert ada in shell("list").out


def test_deleting_all_needs_a_yes_where_nobody_can_answer(shell: Shell, ada: str) -> None:
    done = shell("delete", "--all")
    assert (done.code, "--yes" in done.err) == (2, True)
    assert shell("delete", "--all", "--yes").out == "deleted 1\n"


@pytest.mark.parametrize(("answer", "left"), [("y", 0), ("n", 1)])
def test_deleting_all_asks_on_a_terminal(
    answer: str, left: int, shell: Shell, ada: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "_is_interactive", lambda: True)
    assert shell("delete", "--all", stdin=f"{answer}\n").code == left
    assert len(shell("list", "--json").json) == left


def test_only_the_memories_of_a_session_are_deleted(shell: Shell, ada: str) -> None:
    shell("add", "packed bags", "-s", "trip")
    assert shell("delete", "--all", "-s", "trip", "--yes", "--json").json == {"deleted": 1}
    assert ada in shell("list").out


@pytest.mark.parametrize("words", [["delete"], ["delete", "x", "--all"], ["delete", "x", "-s", "trip"]])
def test_a_delete_that_could_mean_two_things_is_not_done(words: list[str], shell: Shell, ada: str) -> None:
    assert shell(*words).code == 2
    assert ada in shell("list").out


def test_purged_words_are_gone_from_the_file(shell: Shell, tmp_path: Path) -> None:
    memory_id = shell("add", "a xylophonist lives here", "--json").json["id"]
    shell("delete", memory_id)
    assert shell("purge").code == 2
    assert shell("purge", "--yes", "--json").json == {"purged": 1}
    assert b"xylophonist" not in (tmp_path / "brain.db").read_bytes()


# Import and export

MESSAGES = [
    {"role": "user", "content": "Hi!", "name": "Ada", "timestamp": "2026-05-01T10:00:00Z"},
    {"role": "user", "content": "Hi!", "name": "Bob"},
    {"role": "assistant", "content": "Hello, both of you", "metadata": {"mood": "good"}},
]


def as_lines(messages: list[Any]) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


FORMS = {
    "a line each": as_lines(MESSAGES),
    "blank lines between": "\n\n" + as_lines(MESSAGES).replace("\n", "\n\n"),
    "a list": json.dumps(MESSAGES),
    "an indented list": json.dumps(MESSAGES, indent=2),
    "an object with messages": json.dumps({"title": "chat", "messages": MESSAGES}),
    "an indented object": json.dumps({"messages": MESSAGES}, indent=2),
    "a byte order mark": "\ufeff" + as_lines(MESSAGES),
}


@pytest.mark.parametrize("form", FORMS)
def test_messages_are_imported_in_every_form(form: str, shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(FORMS[form], encoding="utf-8")
    assert shell("import", file, "--session-id", "trip").out == "3 stored\n"
    records = shell("list", "--session-id", "trip", "--json").json
    assert [record["content"] for record in records] == ["Hi!", "Hi!", "Hello, both of you"]
    assert [record["origin"]["turn"] for record in records] == [0, 1, 2]
    assert records[0]["origin"]["speaker"] == "Ada"
    assert records[2]["metadata"] == {"mood": "good"}


def test_control_characters_are_left_out_of_what_is_imported(shell: Shell) -> None:
    lines = as_lines([{"role": "user", "content": "te\x07a \x1b[31mred", "name": "A\x1bda"}])
    assert shell("import", "-", stdin=lines).out == "1 stored\n"
    (record,) = shell("list", "--json").json
    assert (record["content"], record["origin"]["speaker"]) == ("tea red", "Ada")
    assert shell("import", "-", stdin=lines).out == "1 duplicate\n"


@pytest.mark.parametrize("form", FORMS)
def test_importing_a_file_again_stores_nothing_twice(form: str, shell: Shell) -> None:
    assert shell("import", "-", stdin=as_lines(MESSAGES)).out == "3 stored\n"
    assert shell("import", "-", stdin=FORMS[form]).out == "3 duplicate\n"


def test_a_file_that_grew_adds_what_is_new(shell: Shell) -> None:
    shell("import", "-", stdin=as_lines(MESSAGES))
    done = shell("import", "-", "--json", stdin=as_lines([*MESSAGES, "Hi!"])).json
    assert (done["stored"], done["duplicate"]) == (1, 3)


def test_equal_messages_of_two_sessions_are_two_memories(shell: Shell) -> None:
    for session in ("one", "two"):
        assert shell("import", "-", "-s", session, stdin=as_lines(MESSAGES)).out == "3 stored\n"


def test_a_message_keeps_an_idempotency_key_of_its_own(shell: Shell) -> None:
    keyed = as_lines([{"content": "one", "idempotency_key": "mine"}])
    assert shell("import", "-", stdin=keyed).code == 0
    assert shell("add", "again", "--idempotency-key", "mine").out.startswith("duplicate")


def test_a_file_of_many_messages_is_imported_in_order(shell: Shell) -> None:
    many = [f"number {count}" for count in range(message_files.BATCH * 2 + 7)]
    assert shell("import", "-", "-s", "long", stdin=as_lines(many)).out == f"{len(many):,} stored\n"
    records = shell("list", "-s", "long", "--limit", "5000", "--json").json
    assert [record["content"] for record in records] == many


BROKEN = {
    "not JSON": ("{not json", "line 3 is not JSON"),
    "not a message": ("42", "line 3 is not a message"),
    "an unknown key": ('{"content": "x", "colour": "red"}', "line 3 has the unknown key 'colour'"),
    "unknown keys": (
        '{"text": "x", "when": "noon", "n": 1}',
        "line 3 has the unknown keys 'text': call it 'content'; 'when': call it 'timestamp'",
    ),
    "no time": ('{"content": "x", "timestamp": "noon"}', "line 3 timestamp 'noon' is not a time"),
    "too deep": ("[" * 100_000, "line 3 is JSON that goes too deep"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_malformed_line_is_named_and_what_was_stored_is_told(broken: str, shell: Shell) -> None:
    line, complaint = BROKEN[broken]
    good = as_lines(MESSAGES).splitlines(keepends=True)
    done = shell("import", "-", stdin="".join([*good[:2], line + "\n", *good[2:]]))
    assert done.code == 1
    assert done.err.startswith(f"Error: {complaint}")
    assert "2 messages before it are stored" in done.err
    assert shell("import", "-", stdin="".join(good)).out == "1 stored, 2 duplicate\n"


def test_whose_the_messages_of_a_file_are_is_said_by_options_alone(shell: Shell) -> None:
    done = shell("import", "-", stdin='{"messages": ["Tea."], "session_id": "trip"}')
    assert (done.code, "--session-id" in done.err) == (1, True)
    assert shell("list").out == ""


def test_a_message_without_words_is_refused_by_the_name_of_what_it_lacks(shell: Shell) -> None:
    done = shell("import", "-", stdin='[{"role": "user"}, "Tea at five."]')
    assert "message 1 has no 'content'" in done.err
    assert done.out.startswith("1 stored")


def test_the_first_line_may_be_the_malformed_one(shell: Shell) -> None:
    done = shell("import", "-", stdin='{"content": "x"\n{"content": "y"}\n')
    assert (done.code, done.err.startswith("Error: line 1 is not JSON")) == (1, True)


def test_a_file_of_nul_bytes_is_refused_before_it_is_read(shell: Shell, tmp_path: Path) -> None:
    sparse = tmp_path / "sparse.jsonl"
    with sparse.open("wb") as made:
        made.truncate(1 << 30)
    done = shell("import", str(sparse))
    assert (done.code, "NUL bytes" in done.err) == (1, True)


def test_bytes_that_are_not_utf8_end_an_import(shell: Shell) -> None:
    done = shell("import", "-", stdin=as_lines(MESSAGES).encode() + b"\xff\n")
    assert (done.code, "not UTF-8" in done.err) == (1, True)


@pytest.mark.parametrize("text", ["", "\n", "42", '{"pages": []}', "[[1]]"])
def test_a_file_without_messages_is_an_error(text: str, shell: Shell) -> None:
    done = shell("import", "-", stdin=text)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: ")


def test_a_message_that_cannot_be_stored_is_told_and_the_rest_is_kept(shell: Shell) -> None:
    done = shell("import", "-", stdin=as_lines(["one", " ", "two"]))
    assert done.out == "2 stored, 1 refused\n"
    assert done.err.startswith("refused: line 2 is blank")


def test_an_export_is_imported_as_it_was(shell: Shell, ada: str, tmp_path: Path) -> None:
    shell("add", "Bob likes tea", "--user-id", "bob")
    assert shell("export", "all.jsonl", "--json").json == {"exported": 2, "file": "all.jsonl"}
    other = ("--db", tmp_path / "other.db")
    assert shell("import", "all.jsonl", *other).out == "2 stored\n"
    assert shell("import", "all.jsonl", *other).out == "2 duplicate\n"
    assert shell("get", ada, "--json", *other).json == shell("get", ada, "--json").json
    assert shell("stats", "--json", *other).json["users"] == 2


def test_an_export_can_be_given_to_another_user(shell: Shell, ada: str, tmp_path: Path) -> None:
    shell("export", "all.jsonl")
    shell("import", "all.jsonl", "--user-id", "eve", "--db", tmp_path / "other.db")
    assert ada in shell("list", "--user-id", "eve", "--db", tmp_path / "other.db").out


def test_one_users_export_can_be_piped(shell: Shell, ada: str, tmp_path: Path) -> None:
    shell("add", "Bob likes tea", "--user-id", "bob")
    piped = shell("export", "-", "--user-id", "bob").out
    assert "Bob likes tea" in piped
    assert ada not in piped
    assert shell("import", "-", "--db", tmp_path / "other.db", stdin=piped).out == "1 stored\n"


def test_an_export_replaces_no_file(shell: Shell, ada: str, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert shell("export", "mine.txt").code == 1
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("form", ["lines", "markdown", "mem0", "server-memory", "card"])
def test_nothing_is_exported_of_nobody(shell: Shell, ada: str, tmp_path: Path, form: str) -> None:
    done = shell("export", "out", "--format", form, "--user-id", "nobody")
    assert (done.code, done.out) == (1, "")
    assert "no memories for user 'nobody'; users here:" in done.err
    assert not (tmp_path / "out").exists()


def test_an_empty_card_says_why(shell: Shell, ada: str) -> None:
    done = shell("export", "card.txt", "--format", "card")
    assert done.out.startswith("exported 0 to card.txt; no facts yet for user ")
    assert "recollect worker --once" in done.out


def test_an_export_that_fails_leaves_no_file(
    shell: Shell, ada: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Memory, target: Any, **_: object) -> int:
        target.write("half a line")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Memory, "export", fail)
    done = shell("export", "all.jsonl")
    assert (done.code, "No space" in done.err) == (1, True)
    assert not (tmp_path / "all.jsonl").exists()


# The store


def test_a_backup_is_restored(shell: Shell, ada: str, tmp_path: Path) -> None:
    assert shell("backup", "saved.db", "--json").json["bytes"] > 0
    shell("delete", ada)
    assert shell("restore", "saved.db").code == 1
    assert shell("restore", "saved.db", "--overwrite", "--json").json["memories"] == 1
    assert ada in shell("list").out
    assert "restored 1 memories" in shell("restore", "saved.db", "--db", tmp_path / "third.db").out


def test_a_backup_replaces_no_file(shell: Shell, ada: str, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert shell("backup", "mine.txt").code == 1
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.usefixtures("ada")
def test_users_lists_who_has_memories(shell: Shell) -> None:
    shell("add", "Tea, please.", "--user-id", "bob")
    assert shell("users").out == "bob\ndefault\n"
    assert shell("users", "--json").json == ["bob", "default"]


def test_users_of_an_empty_store_are_none_and_it_says_so(shell: Shell, tmp_path: Path) -> None:
    shell("init", "--db", str(tmp_path / "empty.db"))
    empty = shell("users", "--db", str(tmp_path / "empty.db"))
    assert (empty.out, empty.err) == ("", "nobody has memories yet; see recollect add\n")


def test_stats_count_what_is_stored(shell: Shell, ada: str) -> None:
    shell("add", "tea", "--kind", "fact", "--user-id", "bob")
    told = shell("stats", "--json").json
    assert (told["memories"], told["users"], told["kinds"]) == (2, 2, {"message": 1, "fact": 1})
    assert shell("stats", "--user-id", "bob", "--json").json["memories"] == 1
    assert "memories: 2" in shell("stats").out


def test_stats_say_that_reembedding_would_improve_static_vectors(shell: Shell, ada: str) -> None:
    advice = "recollect reembed gives this store the default embedder"
    assert advice not in shell("stats").out
    shell("reembed", "--embedder", "static")
    assert advice in shell("stats").out
    assert shell("reembed", "--json").json["embedder"] == "recollect-contextual-v2"
    assert advice not in shell("stats").out


def test_a_store_is_reembedded(shell: Shell, ada: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RECOLLECT_EMBEDDER")
    done = shell("reembed", "--embedder", "static", "--json").json
    assert (done["embedder"], done["memories"], done["dimensions"]) == ("recollect-static-v2", 1, 192)
    assert ada in shell("search", "python").out
    assert "1 memories embedded" in shell("reembed", "--embedder", "hashing").out


def test_a_reembedding_that_failed_goes_on(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from recollect.embedders.static import StaticEmbedder

    shell("import", "-", stdin=as_lines(["one", "two", "three"]))
    embed = StaticEmbedder.embed_documents

    def fail(self: StaticEmbedder, texts: list[str]) -> Any:
        if "three" in texts:
            raise EmbedderError("the service is down")
        return embed(self, texts)

    with monkeypatch.context() as patch:
        patch.setattr(StaticEmbedder, "embed_documents", fail)
        failed = shell("reembed", "--embedder", "static", "--batch-size", "1")
    assert (failed.code, failed.err) == (1, "Error: the service is down\n")
    assert shell("reembed", "--embedder", "static", "--json").json["resumed"] == 2


def test_an_embedder_that_is_not_the_stores_is_refused(shell: Shell, ada: str) -> None:
    done = shell("search", "python", "--embedder", "static")
    assert (done.code, "reembed" in done.err) == (1, True)


def test_a_store_made_by_an_unknown_embedder_can_still_be_listed_and_deleted(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("RECOLLECT_EMBEDDER")

    class Own:
        name = "my own"

        def __init__(self) -> None:
            from recollect.embedders import open_embedder

            self.embed_documents = open_embedder("hashing").embed_documents
            self.embed_query = open_embedder("hashing").embed_query

    with Memory(tmp_path / "brain.db", embedder=Own()) as memory:
        (added,) = memory.add("tea", user_id="default")
    assert "tea" in shell("list").out
    assert shell("delete", added.id).code == 0
    done = shell("search", "tea")
    assert (done.code, "my own" in done.err) == (1, True)


def test_a_new_memory_can_be_made_for_an_embedder_and_a_language(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shell("init", "--embedder", "hashing", "--language", "de", "--json").json
    assert (made["created"], made["embedder"]) == (True, "mock-semantic-model-v1")
    monkeypatch.delenv("RECOLLECT_EMBEDDER")
    shell("add", "Wir wohnten in vielen Häusern")
    assert shell("stats", "--json").json["embedder"] == "mock-semantic-model-v1"
    assert "Häusern" in shell("search", "Haus").out


def test_making_a_memory_again_keeps_what_is_there(shell: Shell, ada: str) -> None:
    assert "there already, with 1 memories" in shell("init").out
    assert shell("init", "--embedder", "static").code == 1
    assert ada in shell("list").out


@pytest.mark.parametrize("words", [("init",), ("init", "--json"), ("doctor", "--json")])
def test_the_key_in_a_url_is_not_printed(shell: Shell, pinecone_url: str, words: tuple[str, ...]) -> None:
    shell("init", "--db", pinecone_url)
    done = shell(*words, "--db", pinecone_url)
    assert pinecone_url.rpartition("@")[2] in done.out
    assert KEY not in done.out + done.err


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:s3cret@db.example.com:5432/brain",
        "postgresql://db.example.com/brain?user=ada&password=s3cret",
        "qdrant+https://:s3cret@db.example.com:6333?prefix=team",
        "sparql+http://ada:s3cret@db.example.com:7878/query",
        "pinecone+https://:s3cret/@db.example.com/brain",
    ],
)
def test_a_place_is_shown_without_what_opens_it(url: str) -> None:
    assert "s3cret" not in shown(url)
    assert "db.example.com" in shown(url)
    assert shown("brain@home.db") == "brain@home.db"


def test_a_doctor_finds_nothing_wrong_with_a_sound_store(shell: Shell, ada: str) -> None:
    done = shell("doctor")
    assert (done.code, done.out.splitlines()[-1]) == (0, "no problems")
    assert shell("doctor", "--json").json["ok"] is True


def test_a_doctor_rebuilds_indexes(shell: Shell, ada: str, tmp_path: Path) -> None:
    with closing(apsw.Connection(str(tmp_path / "brain.db"))) as db:
        db.execute("DELETE FROM features")
    done = shell("doctor", "--json")
    assert (done.code, done.json["ok"]) == (1, False)
    assert "problem: 1 memories without features" in shell("doctor").out
    assert shell("doctor", "--rebuild", "--json").json["rebuilt"] == 1
    assert ada in shell("search", "python").out


def test_a_doctor_can_index_for_another_language(shell: Shell) -> None:
    shell("add", "Wir wohnten in vielen Häusern")
    assert shell("doctor", "--rebuild", "--language", "de").code == 0
    assert "Häusern" in shell("search", "Haus").out


def foreign(file: Path) -> None:
    file.unlink()
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE cats (name)")
    db.commit()
    db.close()


SICK: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (lambda file: file.write_bytes(file.read_bytes()[:20_000]), "damaged"),
    "foreign": (foreign, "database of another program"),
    "a text": (lambda file: file.write_text("dear diary " * 1_000), "not a database"),
}


@pytest.mark.parametrize("sick", SICK)
def test_a_doctor_says_what_is_wrong_with_a_file(sick: str, shell: Shell, ada: str, tmp_path: Path) -> None:
    spoil, complaint = SICK[sick]
    spoil(tmp_path / "brain.db")
    done = shell("doctor")
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith("problem: ")
    assert complaint in done.out
    told = shell("doctor", "--json")
    assert (told.code, told.json["ok"]) == (1, False)


@pytest.mark.parametrize("sick", SICK)
def test_a_file_that_is_no_store_is_one_clear_error(
    sick: str, shell: Shell, ada: str, tmp_path: Path
) -> None:
    spoil, complaint = SICK[sick]
    spoil(tmp_path / "brain.db")
    done = shell("search", "tea")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert complaint in done.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_doctor_says_that_a_file_is_read_only(shell: Shell, ada: str, tmp_path: Path) -> None:
    (tmp_path / "brain.db").chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        done = shell("doctor")
    finally:
        tmp_path.chmod(0o755)
    assert (done.code, "cannot be" in done.out) == (1, True)


def test_the_bench_measures_and_leaves_nothing(shell: Shell, tmp_path: Path) -> None:
    speed = shell("bench", "speed", "--memories", "200", "--embedder", "hashing", "--json").json
    assert speed["memories"] == 200
    assert all(value > 0 for name, value in speed.items() if name != "embedder")
    assert "search_p95_ms" in shell("bench", "speed", "--memories", "100", "--embedder", "hashing").out
    assert list(tmp_path.iterdir()) == []


# Where, who, and what goes wrong

READING = {
    "search": ["x"],
    "context": ["x"],
    "prompt": ["x"],
    "get": ["x"],
    "list": [],
    "update": ["x", "--content", "y"],
    "use": ["x"],
    "archive": ["x"],
    "worker": ["--once"],
    "jobs": [],
    "admissions": [],
    "conflicts": [],
    "agenda": ["list"],
    "resolve": ["x"],
    "unarchive": ["x"],
    "tidy": [],
    "delete": ["x"],
    "undelete": ["x"],
    "keys": ["list"],
    "spaces": ["list"],
    "purge": ["--yes"],
    "export": ["out.jsonl"],
    "apply": ["notes"],
    "stats": [],
    "users": [],
    "why": ["x"],
    "answer": ["x"],
    "timeline": [],
    "graph": [],
    "clusters": [],
    "doctor": [],
    "backup": ["out.db"],
    "copy": ["brain.db", "out.db"],
    "sync": ["out.db"],
    "migrate": [],
    "reembed": ["--embedder", "hashing"],
    "relabel": [],
    "documents": ["list"],
    "sessions": ["list"],
    "profile": [],
    "summary": ["x"],
}


@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("empty", [False, True])
def test_no_command_makes_a_database_by_accident(
    name: str, empty: bool, shell: Shell, tmp_path: Path
) -> None:
    if empty:
        (tmp_path / "brain.db").touch()
    done = shell(name, *READING[name])
    assert (done.code, "recollect init" in done.err) == (1, True)
    assert [file.name for file in tmp_path.iterdir()] == (["brain.db"] if empty else [])
    assert not empty or (tmp_path / "brain.db").stat().st_size == 0


def test_no_command_makes_tables_by_accident(shell: Shell, postgres_url: str, tmp_path: Path) -> None:
    psycopg = pytest.importorskip("psycopg", reason="the postgres extra is not installed")
    for name, words in READING.items():
        if name == "migrate":  # it makes tables before a deployment
            continue
        where = [postgres_url, "out.db"] if name == "copy" else [*words, "--db", postgres_url]
        done = shell(name, *where)
        assert (done.code, "recollect init" in done.err, name) == (1, True, name)
    with psycopg.connect(postgres_url) as db:
        assert (
            db.execute(
                "SELECT relname FROM pg_class WHERE relnamespace::text = current_schema()::regnamespace::text"
            ).fetchall()
            == []
        )
    assert list(tmp_path.iterdir()) == []
    made = shell("init", "--json", "--db", postgres_url).json
    assert (made["created"], shell("init", "--json", "--db", postgres_url).json["created"]) == (True, False)
    assert shell("stats", "--db", postgres_url).code == 0


@pytest.mark.parametrize(
    "words",
    [["init"], ["add", "tea"], ["chat", "tea"], ["chat", "--preset", "shadow", "tea"], ["import", "-"]],
)
@pytest.mark.parametrize("named", ["option", "variable"])
def test_an_embedder_that_cannot_be_leaves_no_store_behind(
    words: list[str], named: str, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai", reason="the openai extra is not installed")
    monkeypatch.delenv("RECOLLECT_EMBEDDER")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = "openai/text-embedding-3-small"
    if named == "variable":
        monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", model)
    done = shell(*words, *(["--embedder", model] if named == "option" else []), stdin='{"content": "tea"}')
    assert (done.code, "OPENAI_API_KEY" in done.err) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_every_command_is_covered_here() -> None:
    elsewhere = {"install", "uninstall", "status", "projects"}  # tests/hosts
    writing = {"init", "add", "chat", "import", "restore", "serve", "mcp", "config", "bench"}
    assert {*READING, *writing, *elsewhere} == set(NAMES)


def test_without_a_path_the_file_lies_in_the_data_folder(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("RECOLLECT_DB")
    assert "recollect init" in shell("list").err
    assert not (tmp_path / "data").exists()
    assert shell("add", "tea").code == 0
    assert default_path().is_file()
    assert "tea" in shell("list").out


def test_an_option_outranks_the_environment(shell: Shell, ada: str, tmp_path: Path) -> None:
    shell("add", "elsewhere", "--db", tmp_path / "other.db")
    assert shell("stats", "--json").json["memories"] == 1
    assert "elsewhere" in shell("list", "--db", f"sqlite:///{tmp_path}/other.db".replace("///", "////")).out


def test_whose_memories_may_come_from_the_environment(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_USER_ID", "eve")
    shell("add", "tea")
    shell("import", "-", stdin=as_lines(["milk"]))
    assert len(shell("list", "--user-id", "eve", "--json").json) == 2
    assert shell("list", "--user-id", "default").out == ""


def test_an_error_is_one_line_on_stderr(shell: Shell, ada: str) -> None:
    done = shell("get", "nobody")
    assert (done.code, done.out) == (1, "")
    assert done.err == "Error: no memory 'nobody' for this user\n"


def test_an_error_in_json_is_an_object_on_stderr(shell: Shell, ada: str) -> None:
    done = shell("get", "nobody", "--json")
    assert (done.code, done.out) == (1, "")
    assert json.loads(done.err) == {"error": "NotFoundError", "message": "no memory 'nobody' for this user"}


BAD_LINES = [
    ["search"],
    ["search", "x", "--frobnicate"],
    ["search", "x", "--top-k", "many"],
    ["search", "x", "--filters", "{"],
    ["search", "x", "--filters", "[]"],
    ["add", "x", "--metadata", "nothing"],
    ["frobnicate"],
    ["bench", "speed", "--memories", "1"],
]


@pytest.mark.parametrize("words", BAD_LINES, ids=" ".join)
def test_a_line_that_cannot_be_understood_ends_with_2(words: list[str], shell: Shell, ada: str) -> None:
    assert shell(*words).code == 2


BAD_VALUES = [
    ["add", " "],
    ["add", "x", "--kind", "rumour"],
    ["add", "x", "--timestamp", "noon"],
    ["add", "x", "--secrets", "shout"],
    ["add", "x", "--language", "xx"],
    ["add", "x", "--embedder", "none"],
    ["add", "x", "--user-id", " "],
    ["add", "x", "--db", "none/brain.db"],
    ["add", "x", "--db", "carrier-pigeon://brain"],
    ["search", "x", "--top-k", "0"],
    ["search", "x", "--threshold", "nan"],
    ["search", "x", "--kind", "rumour"],
    ["search", "x", "--filters", '{"kind": {"like": "fact"}}'],
    ["update", "nobody", "--importance", "7"],
    ["import", "none.jsonl"],
    ["export", "none/out.jsonl"],
    ["export", "out.json", "--format", "rumour"],
    ["export", "-", "--format", "markdown"],
    ["apply", "none"],
    ["backup", "none/out.db"],
    ["restore", "none.db"],
    ["reembed", "--embedder", "none"],
]


@pytest.mark.parametrize("words", BAD_VALUES, ids=" ".join)
def test_a_value_that_cannot_be_used_ends_with_1_and_one_line(
    words: list[str], shell: Shell, ada: str
) -> None:
    done = shell(*words)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("Error: ")


def test_a_keyboard_interrupt_ends_with_130(shell: Shell, ada: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Memory, *_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "search", interrupted)
    done = shell("search", "x")
    assert (done.code, done.err) == (130, "Error: stopped; what was done before is kept\n")


class AtOnce:
    """A timer whose time is up when it starts."""

    def __init__(self, after_s: float, call: Callable[[], None]) -> None:
        self.start = call
        assert after_s == pytest.approx(1)

    def cancel(self) -> None: ...

    def join(self) -> None: ...


def test_progress_is_shown_on_a_terminal_after_a_second(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shell("import", "-", stdin=as_lines(MESSAGES)).err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with output.progress("importing") as report:
        report(1, 2)
    assert "importing" not in capsys.readouterr().err
    monkeypatch.setattr(output, "Timer", AtOnce)
    with output.progress("importing") as report:
        report(1, 2)
    assert "importing" in capsys.readouterr().err


def test_a_terminal_gets_tables_and_a_pipe_whole_lines(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = "I moved to Oslo. " * 30
    memory_id = shell("add", words, "--json").json["id"]
    assert memory_id in shell("list").out
    assert words.strip() in shell("search", "oslo").out
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        records, hits = memory.get_all(user_id="default"), memory.search("oslo", user_id="default")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    for table, first in (
        (output.lines_of_memories(records), "id"),
        (output.lines_of_hits(hits, explain=False), "score"),
    ):
        heading, *rows = (re.sub(r"\x1b\[[0-9;]*m", "", line) for line in table.splitlines())
        assert heading.split()[0] == first
        assert heading.split()[-4:] == ["date", "kind", "who", "words"]
        (row,) = rows
        assert memory_id[:18] in row
        assert " message " in row
        assert row.endswith("\u2026")
        assert len(row) <= 80
    assert output.lines_of_memories([]) == ""


def test_a_file_of_semem_is_imported_once(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "semem.json"
    told = {"id": "a", "prompt": "Who is Whiskers?", "output": "A cat.", "timestamp": 1_700_000_000_000}
    file.write_text(json.dumps({"shortTermMemory": [told], "longTermMemory": []}, indent=2), "utf-8")
    assert shell("import", file).out == "1 stored\n"
    assert shell("import", "-", stdin=file.read_bytes()).out == "1 duplicate\n"
    assert "Who is Whiskers?" in shell("list").out
    file.write_text('{"shortTermMemory": [{"id": "b"}]}', "utf-8")
    wrong = shell("import", file)
    assert (wrong.code, wrong.out) == (1, "")
    assert "shortTermMemory[0].prompt must be a text" in wrong.err
    assert len(shell("list", "--json").json) == 1


def test_an_episode_names_its_speaker_once(shell: Shell) -> None:
    shell("add", "I decided to learn React.", "-s", "one")
    shell("sessions", "end", "one")
    shell("worker", "--once")
    first, *_ = shell("timeline").out.splitlines()
    assert first.endswith("  User: I decided to learn React.")


def test_sessions_documents_conflicts_and_keys_are_tables_on_a_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("# Notes\n\nBread needs flour.", "utf-8")
    shell("sessions", "start", "--session-id", "trip", "--title", "Our trip to Oslo")
    shell("documents", "add", notes)
    shell("keys", "create", "--user", "ada", "--label", "the wall display")
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        for words in ("I like coriander.", "I do not like coriander."):
            memory.remember(words, user_id="default")
    lists = {
        "sessions list": ("id last message messages state agent title", ["trip", "Our trip to Oslo"]),
        "documents list": ("id added chunks title source", ["Notes", "notes.md"]),
        "keys list": ("id owner role made revoked label", ["writer", "the wall display"]),
        "conflicts": ("pair id date kind who words", ["likes coriander", "does not like coriander"]),
    }
    for words, (heading, cells) in lists.items():
        plain_lines = shell(*words.split()).out
        assert heading.split()[0] != plain_lines.split()[0]
        assert all(cell in plain_lines for cell in cells), words
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    for words, (heading, cells) in lists.items():
        above, *rows = shell(*words.split()).out.splitlines()
        assert " ".join(above.split()) == heading
        assert all(cell in "\n".join(rows) for cell in cells), words
    assert shell("sessions", "list", "--user-id", "nobody").out == ""


# Real processes


def test_the_installed_command_remembers_and_finds(tmp_path: Path) -> None:
    brain = ("--db", tmp_path / "brain.db")
    assert process("add", "we met in Oslo", *brain).returncode == 0
    found = process("search", "where did we meet", *brain, "--json")
    assert json.loads(found.stdout)[0]["memory"]["content"] == "we met in Oslo"
    missing = process("get", "nobody", *brain)
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "Traceback" not in missing.stderr
    assert process("frobnicate").returncode == 2


def test_the_command_prints_any_character_on_any_terminal(tmp_path: Path) -> None:
    brain = ("--db", tmp_path / "brain.db")
    process("add", "café 🦊", *brain)
    listed = process("list", *brain, env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (listed.returncode, "caf" in listed.stdout) == (0, True)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGPIPE")
def test_a_reader_that_stops_reading_is_no_traceback(tmp_path: Path) -> None:
    brain = tmp_path / "brain.db"
    with Memory(brain, embedder="hashing") as memory:
        memory.add([f"line {count} " + "x" * 200 for count in range(2_000)], user_id="default")
    script = Path(sys.executable).with_name("recollect")
    # Unbuffered, Python itself drops the rest of a write that was cut short, without an error.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(  # noqa: S603 - our own command
        [script, "list", "--db", brain, "--limit", "2000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=buffered,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        complaint = running.stderr.read()
    assert (running.returncode, complaint) == (128 + signal.SIGPIPE, b"")


# What is found in words, and what becomes of importance


def test_adding_shows_what_was_found_in_the_words(shell: Shell) -> None:
    done = shell(
        "add", "--timezone", "Europe/Berlin", "--timestamp", "2026-05-06T10:00:00Z",
        "The report for Ada is urgent, send it to ada@example.org by Friday",
    )  # fmt: skip
    assert "dates: by Friday = 2026-05-07 22:00 to 2026-05-08 22:00 UTC" in done.out
    assert "priority: high" in done.out
    assert "email ada@example.org" in done.out
    assert "report" in done.out.split("tags:")[1]
    assert "importance: 0." in done.out


def test_adding_as_json_holds_the_memory(shell: Shell) -> None:
    found = json.loads(shell("add", "--json", "tea tomorrow").out)
    assert found["memory"]["id"] == found["id"]
    assert [date["text"] for date in found["memory"]["labels"]["dates"]] == ["tomorrow"]


def test_adding_takes_until_when_the_words_hold(shell: Shell) -> None:
    found = json.loads(shell("add", "--json", "--valid-until", "2030-01-01", "The flat is ours").out)
    assert found["memory"]["times"]["valid_until"] == "2030-01-01T00:00:00+00:00"


def test_why_shows_use_decay_and_the_factors_over_time(shell: Shell) -> None:
    memory_id = json.loads(shell("add", "--json", "My sister Ada was born in Oslo").out)["id"]
    shell("use", memory_id)
    shell("use", memory_id, "--reinforce", "--reason", "it helped")
    done = shell("why", memory_id)
    assert "uses: 1, reinforcements: 1" in done.out
    assert "reinforced 20" in done.out
    assert ": it helped" in done.out
    assert "keywords +" in done.out
    plot = done.out.split("importance over time")[1].splitlines()[1:12]
    assert [line[:5] for line in plot] == [f"{tenths / 10:.1f} |" for tenths in range(10, -1, -1)]
    assert any("*" in line[5:] for line in plot)
    assert any("." in line[5:] for line in plot)
    told = json.loads(shell("why", memory_id, "--json").out)
    assert 0 < told["importance"] <= 1


def test_an_unknown_time_zone_is_an_error(shell: Shell) -> None:
    done = shell("add", "--timezone", "Europe/Nowhere", "tea")
    assert done.code == 1
    assert "Europe/Nowhere" in done.err


def test_a_second_reinforcement_is_said_to_change_nothing(shell: Shell) -> None:
    memory_id = json.loads(shell("add", "--json", "tea").out)["id"]
    assert "not reinforced" not in shell("use", memory_id, "--reinforce").out
    assert "not reinforced: it was less than an hour ago" in shell("use", memory_id, "--reinforce").out


def test_importance_and_protection_can_be_given_when_adding(shell: Shell) -> None:
    worth = json.loads(shell("add", "--json", "tea", "--importance", "0.9", "--critical").out)["memory"][
        "worth"
    ]
    assert (worth["importance"], worth["critical"]) == (0.9, True)


def test_all_words_are_read_anew(shell: Shell) -> None:
    shell("add", "tea by Friday")
    shell("add", "milk", "--user-id", "bob")
    assert shell("relabel").out == "2 memories relabelled\n"
    assert json.loads(shell("relabel", "--user-id", "bob", "--json").out) == {"relabelled": 1}


def test_many_dates_are_shown_once_each_and_not_all(shell: Shell) -> None:
    out = shell("add", *(f"{day} May 2026, {day} May 2026," for day in range(1, 20))).out
    (dates,) = [line for line in out.splitlines() if line.startswith("  dates:")]
    assert dates.endswith("and 11 more")


def test_a_memory_is_put_away_and_brought_back(shell: Shell) -> None:
    memory_id = shell("add", "the bicycle is in the cellar", "--json").json["id"]
    assert shell("archive", memory_id, "--json").json["tier"] == "archived"
    assert shell("search", "bicycle", "--json").json == []
    assert len(shell("search", "bicycle", "--tier", "archived", "--json").json) == 1
    assert "(archived) user: the bicycle" in shell("list", "--tier", "archived").out
    assert shell("list", "--tier", "short-term").out == ""
    assert "archived 1" in shell("stats").out or "1 archived" in shell("stats").out
    assert shell("unarchive", memory_id, "--json").json["tier"] == "long-term"
    assert len(shell("search", "bicycle", "--json").json) == 1


def test_tidying_says_what_it_did_and_why(shell: Shell) -> None:
    assert shell("add", "one").code == shell("add", "two").code == 0
    assert shell("tidy").out == "nothing to tidy\n"
    done = shell("tidy", "--max-memories", "1")
    assert done.out == "1 archived: among the least active beyond 1 memories\n"
    assert shell("tidy", "--delete-after-days", "0", "--json").json == {
        "archived": {},
        "deleted": 1,
        "ids": [],
    }


@pytest.mark.parametrize("wrong", ["soon", "-1", "nan", "inf", "1e12"])
@pytest.mark.parametrize("option", ["--archive-after-days", "--max-memories", "--delete-after-days"])
def test_tidying_refuses_what_is_no_number_that_can_be(shell: Shell, wrong: str, option: str) -> None:
    shell("add", "one")
    done = shell("tidy", option, wrong)
    assert (done.code, done.err.startswith("Error: ")) == (1, True)


def test_tidying_wants_whole_memories(shell: Shell) -> None:
    shell("add", "one")
    assert "whole" in shell("tidy", "--max-memories", "1.7").err


def test_the_mock_embedder_can_be_named_by_openais_variable(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RECOLLECT_EMBEDDER")
    monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", "mock-semantic-model-v1")
    assert shell("init", "--json").json["embedder"] == "mock-semantic-model-v1"


def test_a_new_store_gets_the_embedder_that_openais_variables_name(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RECOLLECT_EMBEDDER")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", "text-embedding-3-small")
    monkeypatch.setenv("OPENAI_EMBEDDING_DIMENSIONS", "99999")
    assert "99999" in shell("add", "one").err
    monkeypatch.setenv("OPENAI_EMBEDDING_DIMENSIONS", "512")
    assert shell("init", "--json").json["embedder"] == "openai:text-embedding-3-small@512"


def test_a_store_keeps_its_embedder_whatever_openais_variables_name(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell("add", "one")
    monkeypatch.delenv("RECOLLECT_EMBEDDER")
    monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", "text-embedding-3-small")
    assert shell("add", "two").code == 0


def test_what_was_said_is_learned_and_conflicts_are_decided(shell: Shell) -> None:
    for words in ("I like coriander.", "I live in Berlin.", "Nice weather today.", "I work at Siemens."):
        shell("add", words, "-s", "one")
    assert shell("worker", "--once").out == "read 1 conversation: 3 new facts, 1 episode\n"
    assert shell("worker", "--once").out == "nothing to learn: nothing new was said\n"
    assert shell("conflicts").out == "no conflicts\n"
    facts = shell("list", "--kind", "fact", "--json").json
    assert {fact["content"] for fact in facts} == {
        "User likes coriander.", "User lives in Berlin.", "User works at Siemens.",
    }  # fmt: skip


def test_a_worker_that_runs_once_waits_for_a_store_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    away = StoreError("the server cannot be reached")
    monkeypatch.setattr("recollect.cli.learning.time.sleep", lambda _: None)

    def drain(outcomes: Iterator[Learned | StoreError]) -> Learned:
        outcome = next(outcomes)
        if isinstance(outcome, StoreError):
            raise outcome
        return outcome

    recovered = partial(drain, iter([away, away, Learned(sessions=1)]))
    assert _drained(recovered, poll_s=1, tries=3).sessions == 1
    with pytest.raises(StoreError, match="cannot be reached"):
        _drained(partial(drain, iter([away] * 3)), poll_s=1, tries=3)
    with pytest.raises(StoreCorruptError):
        _drained(partial(drain, iter([StoreCorruptError("damaged"), Learned()])), poll_s=1)


def test_a_worker_waits_for_a_store_that_is_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    away = StoreError("the server cannot be reached")
    outcomes = iter([away, away, Learned(sessions=1), away, Learned(), KeyboardInterrupt()])

    def drain(*, due_only: bool) -> Learned:
        assert due_only
        outcome = next(outcomes)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    monkeypatch.setattr("recollect.cli.learning.time.sleep", lambda _: None)
    memory = SimpleNamespace(jobs=SimpleNamespace(drain=drain))
    with pytest.raises(KeyboardInterrupt):
        _learn_for_ever(cast("Memory", memory), poll_s=1)
    told = capsys.readouterr()
    assert told.out.startswith("read 1 conversation")
    assert told.err.splitlines() == [f"{away}; waiting until it works again", "the store works again"] * 2


def test_jobs_tell_what_waits_and_what_the_last_ones_did(shell: Shell) -> None:
    shell("add", "I live in Berlin.", "-s", "trip")
    assert shell("jobs").out == "1 waiting, 0 given up\n"
    shell("worker", "--once", "--end", "trip")
    assert "rules/1 (rules): 1 new fact, 1 episode" in shell("jobs").out
    (record,) = shell("jobs", "--json").json["records"]
    assert (record["way"], record["learned"]["facts"], record["refused"]) == ("rules", 1, [])
    assert shell("jobs", "--user-id", "bob", "--json").json["records"] == []


def test_jobs_tell_why_one_is_tried_again(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add("I live in Berlin.", user_id="ada", session_id="s")
        memory.sessions.end("s", user_id="ada")
        monkeypatch.setattr(memory.parts.learner, "_learn", lambda *_: 1 / 0)
        memory.jobs.drain()
    assert "tried 1 times: turn " in shell("jobs").out
    (job,) = shell("jobs", "--json").json["retried"]
    assert (job["user_id"], job["attempts"]) == ("ada", 1)
    assert job["error"].startswith("ZeroDivisionError: in test_cli.py, line ")


def test_jobs_tell_of_facts_that_could_not_be_compared(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        memory.add(["User lives in Porto", "User likes tea"], user_id="ada", kind="fact")
        monkeypatch.setattr(memory.parts.learner, "_learn_again", lambda *_: 1 / 0)
        memory.jobs.drain()
    assert "tried 1 times: 2 facts of ada: ZeroDivisionError" in shell("jobs").out


def test_jobs_of_a_long_queue_are_counted_and_the_oldest_named(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = ("ada", "bo", "cy", "di", "ed", "flo")
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        for user in users:
            memory.add("Tea.", user_id=user, session_id="s")
            memory.sessions.end("s", user_id=user)
        for number, claimed in enumerate(memory.parts.store.claim_jobs(limit=6, lease_s=60)):
            memory.parts.store.fail_job(claimed.id, "ModelError: busy", retry_in_s=60 if number % 2 else None)
    listed, read = SQLiteStore.jobs, []
    monkeypatch.setattr(SQLiteStore, "jobs", lambda *a, **more: read.append(listed(*a, **more)) or read[-1])
    told = shell("jobs", "--limit", "2", "--json").json
    assert (told["waiting"], told["given_up"]) == (3, 3)
    assert [one["user_id"] for one in told["retried"]] == ["bo", "di"]
    assert [one["user_id"] for one in told["failed"]] == ["ada", "cy"]
    assert max(map(len, read)) == 2
    assert shell("jobs", "--limit", "1").out.count("ModelError: busy") == 2
    assert "given up" in shell("worker", "--once").err
    for wrong in ("0", "-1", "x"):
        assert "limit" in shell("jobs", "--limit", wrong).err, wrong


@pytest.mark.parametrize("wrong", ["0", "nan", "inf", "86401", "1e300", "-1", "soon"])
def test_a_worker_looks_at_least_once_a_day(shell: Shell, wrong: str) -> None:
    shell("add", "tea")
    done = shell("worker", "--poll-s", wrong)
    assert (done.code in (1, 2), done.err.count("poll-s")) == (True, 1)


def test_a_conversation_gets_a_title_and_a_summary_without_a_model_and_with_one(shell: Shell) -> None:
    pytest.importorskip("openai", reason="the openai extra is not installed")
    shell("add", "I finished the data project with pandas today!", "-s", "trip")
    assert shell("sessions", "summarise", "trip").out == (
        "Data project, finished\nUser: I finished the data project with pandas today!\n"
    )
    with serving(says("A finished project"), says("The user finished a project.")) as server:
        done = shell(
            "sessions", "summarise", "trip", "--model", "llama3.2", "--base-url", server.url, "--json"
        ).json
    assert (done["title"]["text"], done["title"]["made_by"]) == ("A finished project", "openai:llama3.2")
    assert done["summary"]["text"] == "The user finished a project."
    assert shell("sessions", "summarise", "unknown").code == 1


def test_a_worker_asks_the_model_it_is_given_and_is_told_what_was_refused(shell: Shell) -> None:
    pytest.importorskip("openai", reason="the openai extra is not installed")
    told = {"fact": "User lives in Berlin.", "category": "context", "confidence": 0.9, "turns": [1]}
    told |= {"subject": "User", "relation": "lives in", "object": "Berlin"}
    wrong = {**told, "fact": "User lives in Rome.", "object": "Rome"}
    shell("add", "I live in Berlin.", "-s", "trip")
    with serving(says(json.dumps({"semantic": [told, wrong], "episodic": []}))) as server:
        done = shell("worker", "--once", "--end", "trip", "--model", "llama3.1:8b", "--base-url", server.url)
    assert done.out == "read 1 conversation: 1 new fact, 1 episode\n"
    assert server.requests[0]["model"] == "llama3.1:8b"
    lines = shell("jobs").out.splitlines()
    assert "openai:llama3.1:8b (schema): 1 new fact, 1 episode, 14 tokens" in lines[1]
    assert lines[2] == "refused: its turns do not hold its words"


def test_conflicts_are_listed_and_decided(shell: Shell, tmp_path: Path) -> None:
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        for number, words in enumerate(("I like coriander.", "I do not like coriander.")):
            memory.add(words, user_id="default", session_id=f"s{number}", timestamp=f"2026-01-0{number + 1}")
            memory.sessions.end(f"s{number}", user_id="default")
            memory.jobs.drain()
    (conflict,) = shell("conflicts", "--json").json
    assert "likes coriander" in shell("conflicts").out
    kept, dropped = conflict["new"]["id"], conflict["known"]["id"]
    assert shell("resolve", kept[:18], "--drop", dropped[:18], "--json").json == {
        "kept": kept,
        "dropped": dropped,
    }
    assert shell("conflicts", "--json").json == []
    assert shell("resolve", "unknown").code == 1


def test_a_prompt_holds_rules_memories_and_the_sessions_turns_within_its_budget(
    shell: Shell, tmp_path: Path
) -> None:
    shell("add", "I prefer Rust for my project.", "-s", "before")
    shell("add", "Good morning to you.", "-s", "today")
    rules = tmp_path / "rules.md"
    rules.write_text("Be brief and kind.", encoding="utf-8")
    asked = ("prompt", "Which language for my project?", "-s", "today", "--blueprint", str(rules))
    made = shell(*asked, "--boundary", "No medical advice.", "--name", "Ada", "--json").json
    for part in (
        "Be brief and kind.",
        "No medical advice.",
        "User name: Ada",
        "Rust",
        "Good morning",
        "Current date",
    ):
        assert part in made["text"]
    assert made["tokens"] <= made["available"] == 7_000
    assert [message["role"] for message in made["messages"]] == ["system", "user", "user"]
    assert "User timezone: Europe/Berlin" in shell(*asked, "--timezone", "Europe/Berlin").out
    assert shell(*asked, "--total-tokens", "40").code == 1
    assert shell(*asked, "--tokenizer", "abacus").code == 1
    assert shell(*asked, "--timezone", "Mars").code == 1
    assert shell("prompt", "hello", "--blueprint", str(tmp_path / "none.md")).code == 1


def test_decisions_about_facts_are_told_with_their_reasons(shell: Shell) -> None:
    shell("add", "I live in Berlin.", "-s", "trip")
    assert shell("admissions").out == "no decisions\n"
    assert "1 statement refused" in shell("worker", "--once", "--end", "trip", "--min-importance", "0.99").out
    assert "refused (importance)" in shell("admissions").out
    (decision,) = shell("admissions", "--outcome", "refused", "--json").json
    assert decision["criterion"] == "importance"
    assert shell("admissions", "--outcome", "stored", "--json").json == []
    assert shell("admissions", "--outcome", "lost").code == 1
    assert shell("worker", "--once", "--min-importance", "7").code == 1


def test_a_short_session_is_learned_when_it_is_ended(shell: Shell) -> None:
    shell("add", "I live in Berlin.", "-s", "trip")
    assert "1 new fact," in shell("worker", "--once", "--end", "trip").out
    assert shell("worker", "--once").out == "nothing to learn: nothing new was said\n"


# The concept graph


def test_the_graph_shows_concepts_edges_and_what_is_related(shell: Shell) -> None:
    shell("add", "Whiskers is my cat")
    shell("add", "Whiskers prefers the blue sofa")
    done = shell("graph", "--json").json
    assert done["concepts"][0] == {"name": "whiskers", "memories": 2}
    assert {"source": "cat", "target": "whiskers", "weight": 1} in done["edges"]
    assert shell("graph").out.startswith("     2  whiskers\n")
    related = shell("graph", "--from", "cat", "--json").json["related"]
    assert related[0]["name"] == "whiskers"
    assert len(shell("graph", "--from", "cat", "--limit", 1, "--json").json["related"]) == 1


def test_the_graph_of_facts_shows_who_and_what_they_are_about(shell: Shell) -> None:
    shell("add", "My sister Ines lives in Porto")
    shell("worker", "--once")
    out = shell("graph", "--facts").out
    assert "person        Ines" in out
    assert "place         Porto" in out
    assert "Ines - lives in - Porto" in out
    assert shell("graph", "--facts", "--json").json["nodes"][0]["type"] == "person"
    assert shell("graph", "--facts", "--from", "cat").code == 1


def test_clusters_are_shown_with_their_labels(shell: Shell) -> None:
    for words in ("My cat sleeps", "My cat eats", "My cat purrs"):
        shell("add", words)
    found = shell("clusters", "--json").json
    assert sum(len(one["memory_ids"]) for one in found) == 3
    assert "cat" in found[0]["label"]
    assert "cat" in shell("clusters").out
    assert len(shell("clusters", "--limit", 1, "--json").json) == 1


def test_the_graph_of_nothing_is_empty(shell: Shell) -> None:
    shell("init")
    assert shell("graph", "--json").json == {"concepts": [], "edges": []}


def test_what_no_concept_is_called_is_not_found(shell: Shell, tmp_path: Path) -> None:
    shell("add", "Whiskers is my cat")
    asked = shell("graph", "--from", "cat", "--from", "nosuch", "--export", tmp_path / "g.ttl")
    assert (asked.code, asked.out) == (shell("why", "nosuch").code, "")
    assert "there is no concept named 'nosuch'" in asked.err
    assert 0 < len(shell("graph", "--from", "x" * 100_000).err) < 300
    assert not (tmp_path / "g.ttl").exists()
    assert asked.code != 0


def test_the_graph_is_exported_once_in_a_known_format(shell: Shell, tmp_path: Path) -> None:
    shell("add", "Whiskers is my cat")
    for name, beginning in (("g.graphml", "<?xml"), ("g.ttl", "@prefix")):
        assert shell("graph", "--export", tmp_path / name).code == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(beginning)
        again = shell("graph", "--export", tmp_path / name)
        assert (again.code, "exists" in again.err) == (1, True)
    unknown = shell("graph", "--export", tmp_path / "g.dot")
    assert (unknown.code, ".graphml or .ttl" in unknown.err) == (1, True)
    nowhere = shell("graph", "--export", tmp_path / "none" / "g.ttl")
    assert (nowhere.code, "cannot be written" in nowhere.err) == (1, True)


def test_documents_are_added_listed_searched_and_removed(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "roses.md").write_text("# Roses\n\nPrune roses in March.\n")
    (tmp_path / "notes" / "photo.jpg").write_bytes(b"x")
    done = shell("documents", "add", "notes")
    assert (done.code, done.out.splitlines()[-1]) == (0, "1 skipped, 1 added")
    assert "photo" not in done.out
    assert "photo" in shell("documents", "add", "notes", "-v").out
    (document,) = shell("documents", "list", "--json").json
    assert document["title"] == "Roses"
    assert "Roses (1 chunk)" in shell("documents", "list").out
    assert shell("documents", "search", "prune roses").out.startswith("[1] Roses: ")
    (cited,) = shell("documents", "search", "prune roses", "--json").json
    assert cited["document_id"] == document["id"]
    assert "removed" in shell("documents", "remove", "notes").out
    assert shell("documents", "list", "--json").json == []
    assert shell("documents", "remove", "notes").code == 1


def test_a_refused_document_makes_the_command_fail_and_the_others_are_stored(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "good.md").write_text("# Good")
    (tmp_path / "notes" / "bad.pdf").write_bytes(b"no PDF")
    done = shell("documents", "add", "notes")
    assert (done.code, done.out.splitlines()[-1]) == (1, "1 refused, 1 added")
    assert "it is not a PDF" in done.out
    assert "cannot be added" in shell("documents", "add", "nowhere").err


def test_personal_data_is_kept_masked_or_refused_as_the_option_says(shell: Shell) -> None:
    words = "Write to ada@example.org or call +1 415-555-0132."

    def kept(*options: str) -> tuple[str | None, str]:
        done = shell("add", words, *options, "--json")
        told = done.json if done.code == 0 else {}
        return told.get("memory", {}).get("content"), done.err

    assert kept()[0] == words
    assert kept("--pii", "mask")[0] == "Write to [e-mail address removed] or call [phone number removed]."
    assert kept("--pii", "keep", "--pii", "email=mask")[0] == words.replace(
        "ada@example.org", "[e-mail address removed]"
    )
    for wrong, told in (("gone", "default"), ("fax=mask", "fax"), ("region=usa", "region"), ("=mask", "''")):
        assert told in kept("--pii", wrong)[1], wrong
        assert "--pii" in kept("--pii", wrong)[1], wrong
    assert "personal data (email)" in shell("add", words, "--pii", "email=refuse").out


def test_the_environment_says_what_becomes_of_personal_data(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_PII", "mask email=keep region=US")
    shell("add", "Write to ada@example.org or call 415-555-0132.")
    assert "ada@example.org or call [phone" in shell("list").out
    monkeypatch.delenv("RECOLLECT_PII")
    monkeypatch.setenv("RECOLLECT_SECRETS", "keep")
    shell("add", "My password is hunter2!x")
    assert "hunter2!x" in shell("list").out


def test_a_message_that_was_deleted_is_not_imported_again(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_text('{"content": "Old."}\n{"content": "New."}\n')
    shell("import", str(file), "-s", "trip")
    (old,) = [one["id"] for one in shell("list", "--json").json if one["content"] == "Old."]
    shell("delete", old, "--yes")
    done = shell("import", str(file), "-s", "trip")
    assert "1 deleted" in done.out
    assert shell("import", str(file), "-s", "trip", "--json").json["duplicate"] == 1
    assert len(shell("list", "--json").json) == 1


# A folder of Markdown, and other formats


def test_a_folder_is_exported_edited_and_applied(shell: Shell, ada: str, tmp_path: Path) -> None:
    assert shell("export", "notes", "--format", "markdown").code == 0
    (page,) = tmp_path.glob("notes/default/months/*.md")
    assert shell("apply", "notes").err == "nothing was edited\n"
    page.write_text(page.read_text().replace("Python", "oat bread"))
    dry = shell("apply", "notes", "--dry-run")
    assert shell("apply", str(page), str(page), "--dry-run").out == dry.out
    assert (dry.code, dry.out.splitlines()[-1]) == (0, "1 changed (dry run)")
    assert shell("apply", "notes", "--json").json["counts"] == {"changed": 1}
    assert "I prefer oat bread for" in shell("list").out
    page.write_text(page.read_text().replace("oat bread", "oat \0 bread"))
    refused = shell("apply", "notes")
    assert (refused.code, refused.out.startswith("refused months/")) == (1, True)
    page.unlink()
    assert "missing" in shell("apply", "notes").out
    assert "deleted" in shell("apply", "notes", "--delete-missing").out
    assert "oat bread" not in shell("list").out


@pytest.mark.parametrize("form", ["mem0", "server-memory", "card"])
def test_other_formats_go_into_a_file_or_to_stdout(form: str, shell: Shell, ada: str, tmp_path: Path) -> None:
    shell("worker", "--once")
    assert shell("export", "out", "--format", form).code == 0
    assert "prefers Python" in (tmp_path / "out").read_text()
    assert (tmp_path / "out").read_text() == shell("export", "-", "--format", form).out


def test_systems_to_compare_stand_beside_what_they_are(shell: Shell) -> None:
    lines = shell("bench", "list").out.splitlines()
    assert any(line.startswith("mcp-memory-service  ") for line in lines)
    assert all("  " in line for line in lines if line)

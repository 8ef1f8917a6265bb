"""``recollect chat``: with and without a model, one message and many, on a terminal and for programs."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.models.server import breaks_off, fails, hangs, knows_no, says, serving, streams
from typer.testing import CliRunner

from recollect.cli import app
from recollect.cli.chat import DEFAULT_MODEL, _lines

VARIABLES = ("RECOLLECT_USER_ID", "OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY")
VET = "My dog Pixel has to see the vet on Friday"
QUESTION = "When does Pixel see the vet?"


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "brain.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hashing")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shell():
    def run(*words, stdin=None):
        done = CliRunner().invoke(app, [str(word) for word in words], input=stdin)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    return run


@pytest.fixture
def server():
    pytest.importorskip("openai", reason="the openai extra is not installed")
    with serving(streams("On", " Friday.")) as chat:
        yield chat


@pytest.fixture
def asking(server):
    """The options that name the server's model."""
    return ("--model", "m", "--base-url", server.url)


def stored(shell):
    """Who said what, oldest first."""
    records = json.loads(shell("list", "--json").stdout)
    return [(record["origin"]["role"], record["content"]) for record in records]


# Without a model


def test_without_a_model_memories_are_quoted(shell):
    shell("add", VET)
    done = shell("chat", *QUESTION.split())
    assert done.exit_code == 0
    assert done.stdout.startswith("Without a language model I can only quote what I remember:\n- ")
    assert VET in done.stdout
    assert stored(shell) == [("user", VET), ("user", QUESTION)]


def test_a_chat_may_begin_in_an_empty_memory(shell, tmp_path):
    done = shell("chat", "Hello", "--show")
    assert done.exit_code == 0
    assert done.stdout.endswith("nothing I remember fits.\nno memories yet\n")
    assert (tmp_path / "brain.db").is_file()


def test_a_message_may_come_from_stdin(shell):
    shell("chat", "-", stdin="one\ntwo\n")
    assert stored(shell) == [("user", "one\ntwo")]


def test_a_blank_message_is_an_error_and_stores_nothing(shell):
    done = shell("chat", " ")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert stored(shell) == []


@pytest.mark.parametrize("options", [[], ["--preset", "shadow"]])
def test_a_chat_keeps_to_the_policy_of_the_environment(shell, monkeypatch, options):
    monkeypatch.setenv("RECOLLECT_PII", "mask card=refuse")
    refused = shell("chat", *options, "My card is 4111 1111 1111 1111")
    assert (refused.exit_code, "personal data (card)" in refused.stderr) == (1, True)
    assert stored(shell) == []
    shell("chat", *options, "I am ada@example.org")
    assert stored(shell) == [("user", "I am [e-mail address removed]")]


# With a preset


def test_activated_memories_and_candidates_are_shown_with_their_scores(shell):
    shell("add", "I am worried about the security of my app")
    shell("add", "The office plants need water on Mondays")
    done = shell(
        "chat", "--preset", "shadow", "--show", "Security is on my mind, and my app holds private data"
    )
    assert done.exit_code == 0
    *_, activated, candidate = done.stdout.splitlines()
    assert activated.startswith("[✓] ")
    assert activated.endswith("the security of my app")
    assert candidate.startswith("[○] ")
    assert float(activated.split()[1][:-1]) > float(candidate.split()[1][:-1])
    assert len(stored(shell)) == 3


def test_an_activated_answer_as_json_says_what_was_scored(shell):
    shell("add", "I am worried about the security of my app")
    found = json.loads(shell("chat", "--preset", "shadow", "--json", "The security of my app").stdout)
    assert found["total_memories"] == 1
    assert found["activated"][0]["reason"].startswith(f"{found['activated'][0]['score']:.2f} reaches")


@pytest.mark.parametrize("option", [("--threshold", "0.5"), ("--agent-id", "coder")])
def test_a_preset_does_not_go_with_what_it_has_no_use_for(shell, option):
    done = shell("chat", "--preset", "shadow", "hello", *option)
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert f"leave {option[0][2:].replace('-', '_')} out" in done.stderr
    assert stored(shell) == []


def test_an_unknown_preset_is_one_error_that_names_the_five_and_makes_nothing(shell, tmp_path):
    done = shell("chat", "--preset", "shadows", "hello")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "shadow, semem, recall, second_brain, chloe" in done.stderr
    assert not (tmp_path / "brain.db").exists()


def test_the_preset_may_come_from_the_environment(shell, monkeypatch):
    monkeypatch.setenv("RECOLLECT_PRESET", "second_brain")
    assert json.loads(shell("chat", "Hello", "--json").stdout)["preset"] == "second_brain"


# With a model


def test_a_models_answer_is_printed_and_stored(shell, server, asking):
    shell("add", VET)
    done = shell("chat", QUESTION, *asking)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "On Friday.\n", "")
    assert stored(shell)[1:] == [("user", QUESTION), ("assistant", "On Friday.")]
    assert VET in server.requests[0]["messages"][0]["content"]
    assert server.requests[0]["stream"] is True


def test_memories_are_shown_with_their_scores(shell, asking):
    shell("add", VET)
    shell("add", "I prefer tea")
    lines = shell("chat", QUESTION, "--show", "--threshold", "0.25", *asking).stdout.splitlines()
    assert lines[0] == "On Friday."
    assert [(line[:3], line[-len(VET) :]) for line in lines[1:2]] == [("[✓]", VET)]
    assert lines[2].startswith("[○] ")
    assert lines[2].endswith("I prefer tea")
    assert all(line.split()[1].endswith("%") for line in lines[1:])


def test_one_turn_as_json(shell, server, asking):
    shell("add", VET)
    server.behaviours = [says("On Friday.")]
    told = json.loads(shell("chat", QUESTION, "--json", *asking).stdout)
    assert told["content"] == "On Friday."
    assert [one["summary"] for one in told["activated"]] == [VET]
    assert told["candidates"] == []
    assert told["average_score"] == told["activated"][0]["score"]
    assert told["usage"]["input_tokens"] == 11
    assert set(told) == {
        "content", "activated", "candidates", "core", "sources", "context", "stored", "session_id", "preset",
        "model", "total_memories", "average_score", "usage", "tidied",
    }  # fmt: skip
    ids = [told["stored"]["message_id"], told["stored"]["answer_id"]]
    assert ids == [r["id"] for r in json.loads(shell("list", "-s", told["session_id"], "--json").stdout)]


def test_a_session_shows_what_was_said_and_the_sources_of_each_answer(shell, asking, tmp_path):
    (tmp_path / "house.md").write_text("The boiler of the house is in the cellar.")
    shell("documents", "add", "house.md")
    shell("chat", "Where is the boiler of the house?", "-s", "june", *asking)
    lines = shell("sessions", "get", "june", "--turns").stdout.splitlines()
    assert lines[1:3] == ["user: Where is the boiler of the house?", "assistant: On Friday."]
    assert lines[3].startswith("  [1] ")
    assert not lines[3].endswith("(deleted)")
    shell("documents", "remove", "house.md")
    assert shell("sessions", "get", "june", "--turns").stdout.splitlines()[3].endswith("(deleted)")
    told = json.loads(shell("sessions", "get", "june", "--turns", "--json").stdout)
    assert told["turns"][1]["sources"][0]["deleted"] is True


def test_json_is_for_one_message(shell):
    assert shell("chat", "--json").exit_code == 2


def test_control_characters_of_a_model_do_not_reach_the_terminal(shell, server, asking):
    server.behaviours = [streams("a\x1b[31m", "\r\x07b\n", "c\u202ed \u200d\u200c")]
    printed = shell("chat", "Hello", *asking).stdout
    assert printed == "a [31m  b\nc d \u200d\u200c\n"


# What the environment says


def test_the_model_its_server_and_its_key_may_come_from_the_environment(shell, server, monkeypatch):
    monkeypatch.setenv("OPENAI_MODEL", "from-env")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
    assert shell("chat", "Hello").stdout == "On Friday.\n"
    assert server.requests[0]["model"] == "from-env"
    assert server.headers[0]["authorization"] == "Bearer sk-env"


def test_a_server_named_on_the_command_line_is_sent_no_key(shell, server, asking, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
    shell("chat", "Hello", *asking)
    assert "sk-env" not in str(server.headers)


def test_a_server_alone_is_asked_for_the_usual_model(shell, server):
    shell("chat", "Hello", "--base-url", server.url)
    assert server.requests[0]["model"] == DEFAULT_MODEL


@pytest.mark.usefixtures("server")
def test_a_model_without_a_key_is_one_clear_error_and_makes_nothing(shell, tmp_path):
    done = shell("chat", "Hello", "--model", "gpt-4o-mini")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "OPENAI_API_KEY" in done.stderr
    assert not (tmp_path / "brain.db").exists()


# What goes wrong


@pytest.mark.parametrize(
    ("behave", "said"),
    [(fails(401), []), (breaks_off("On", " Fri"), ["On Fri"]), (knows_no("stream"), [])],
)
def test_a_failing_model_is_one_line_and_what_was_said_stays(shell, server, asking, behave, said):
    server.behaviours = [behave]
    done = shell("chat", "Hello", *asking)
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: openai:m ")
    assert done.stderr.count("\n") == 1
    assert done.stdout.splitlines() == said
    assert stored(shell) == [("user", "Hello"), *(("assistant", one) for one in said)]


def test_a_failing_model_in_json_is_an_object(shell, server, asking):
    server.behaviours = [fails(401)]
    done = shell("chat", "Hello", "--json", *asking)
    assert (done.exit_code, done.stdout) == (1, "")
    assert json.loads(done.stderr)["error"] == "ModelError"


# A conversation


def test_a_conversation_goes_on_line_after_line(shell, server, asking):
    server.behaviours = [streams("Hello, Ada."), streams("Indeed.")]
    done = shell("chat", *asking, stdin="Hello\n\n  \nA fine day\n")
    assert (done.exit_code, done.stdout) == (0, "Hello, Ada.\nIndeed.\n")
    asked = [message["content"] for message in server.requests[1]["messages"][1:]]
    assert asked == ["Hello", "Hello, Ada.", "A fine day"]
    assert len({record["scope"]["session_id"] for record in json.loads(shell("list", "--json").stdout)}) == 1


def test_an_error_ends_the_turn_and_not_the_conversation(shell, server, asking):
    server.behaviours = [breaks_off("On", " Fri"), streams("Here I am.")]
    done = shell("chat", *asking, stdin="Hello\nAre you there?\n")
    assert done.exit_code == 0
    assert done.stdout == "On Fri\nHere I am.\n"
    assert done.stderr.startswith("Error: openai:m broke off")
    assert done.stderr.count("\n") == 1
    assert stored(shell) == [
        ("user", "Hello"),
        ("assistant", "On Fri"),
        ("user", "Are you there?"),
        ("assistant", "Here I am."),
    ]


def test_bytes_that_are_not_utf8_end_a_conversation(shell):
    done = shell("chat", stdin=b"caf\xe9\n")
    assert (done.exit_code, done.stderr) == (1, "Error: the text on stdin is not UTF-8\n")


def test_a_prompt_is_shown_on_a_terminal_only(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    prompts = []

    def typed(prompt):
        prompts.append(prompt)
        raise EOFError

    monkeypatch.setattr("builtins.input", typed)
    for kind in (Terminal, io.StringIO):
        monkeypatch.setattr(sys, "stdin", kind())
        monkeypatch.setattr(sys, "stdout", kind())
        assert list(_lines()) == []
    assert prompts == ["> ", ""]


def test_ctrl_c_at_the_prompt_ends_with_130(shell, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    done = shell("chat")
    assert (done.exit_code, done.stderr) == (130, "Error: stopped; what was done before is kept\n")


def heeds_interrupts():
    """Let a new process be stopped by Ctrl-C: what is started in the background ignores it."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_ctrl_c_in_an_answer_ends_with_130_and_keeps_the_message(shell, server, asking):
    server.behaviours = [hangs("On")]
    script = Path(sys.executable).with_name("recollect")
    with subprocess.Popen(  # noqa: S603 - our own command
        [script, "chat", "Hello", *asking],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heeds_interrupts,  # noqa: PLW1509 - it takes no lock
    ) as running:
        assert running.stdout.read(2) == b"On"
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert (running.returncode, out, err) == (130, b"\n", b"Error: stopped; what was done before is kept\n")
    assert stored(shell) == [("user", "Hello")]


def test_the_command_loads_no_model_before_it_needs_one():
    code = "import sys, recollect.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert not {"recollect.memory.agent", "recollect.models", "openai"} & set(done.stdout.split())

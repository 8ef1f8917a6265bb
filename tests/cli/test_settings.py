"""The settings of the command, from options, variables and the settings file."""

import socket
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from recollect.cli import app
from recollect.cli.settings import Settings, load
from recollect.errors import InvalidInputError
from recollect.server import ServerSettings

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for one in fields(Settings):
        monkeypatch.delenv(one.metadata["variable"], raising=False)
    place = tmp_path / "config.toml"
    place.write_text("")
    monkeypatch.setenv("RECOLLECT_CONFIG", str(place))
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "brain.db"))
    return place


def shell(*words: str, code: int = 0) -> str:
    done = RUNNER.invoke(app, words)
    assert done.exit_code == code, done.output
    return done.stderr if code else done.stdout


def test_an_option_outranks_a_variable_and_that_the_file(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_text('embedder = "hashing"\nuser_id = "file"\npii = ["mask", "phone=keep"]\n')
    shell("add", "Write to ada@example.com or call 030 1234567.")
    assert "[e-mail address removed]" in shell("list", "--user-id", "file")
    assert "030 1234567" in shell("list")
    monkeypatch.setenv("RECOLLECT_USER_ID", "variable")
    shell("add", "I like rum.")
    shell("add", "I like milk.", "--user-id", "option")
    assert shell("users").split() == ["file", "option", "variable"]


def test_config_shows_what_is_in_force_and_where_from(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write_text('user_id = "ada"\nport = 9000\napi_key = "sk-hidden"\n')
    monkeypatch.setenv("RECOLLECT_PORT", "9001")
    told = shell("config")
    assert f"user_id = ada  ({place})" in told
    assert "port = 9001  (RECOLLECT_PORT)" in told
    assert "timezone = None  (default)" in told
    assert "api_key = ***" in told
    assert "sk-hidden" not in told + shell("config", "--json")


def test_the_settings_of_nested_commands_come_from_the_file_too(place: Path) -> None:
    place.write_text('user_id = "ada"\nembedder = "hashing"\nextraction_threshold = 1\n')
    shell("sessions", "start", "--title", "Garden")
    assert "Garden" in shell("sessions", "list", "--user-id", "ada")
    shell("add", "I live in Berlin.", "-s", "one")
    assert "1 new fact" in shell("worker", "--once")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("user_di = 'ada'", "unknown setting 'user_di'; use user_id"),
        ("port = 'high'", "must be a whole number, not 'high'"),
        ("vectors = 3", "must be true or false, not 3"),
        ("api_key = 3", "must be a text, not that"),
        ("port = ", "cannot be read"),
        ("model = 'a'\nchat_model = 'b'", "model and chat_model contradict each other"),
        ("embedder = 'static'\nembedding_model = 'hashing'", "contradict each other"),
        ("embedding_dimensions = 512", "sets dimensions of no model"),
    ],
)
def test_a_wrong_file_is_one_clear_error(place: Path, file: str, said: str) -> None:
    place.write_text(file)
    told = shell("add", "tea", code=1)
    assert said in told
    assert told.count("\n") == 1


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="cannot be read"):
        load({"RECOLLECT_CONFIG": str(tmp_path / "none.toml")})


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("RECOLLECT_PRESTE", "RECOLLECT_PRESET"),
        ("RECOLLECT_USER", "RECOLLECT_USER_ID"),
        ("RECOLLECT_SECRET", "RECOLLECT_SECRETS"),
        ("RECOLLECT_TIME_ZONE", "RECOLLECT_TIMEZONE"),
        ("RECOLLECT_CONFG", "RECOLLECT_CONFIG"),
    ],
)
def test_a_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch, wrong: str, right: str) -> None:
    monkeypatch.setenv(wrong, "x")
    assert f"the variable {wrong} is unknown; use {right}" in shell("list", code=1)


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("RECOLLECT_TIMEZONE", "Mars", "timezone 'Mars' is unknown"),
        ("RECOLLECT_PRESET", "banana", "no preset is named 'banana'"),
        ("RECOLLECT_EMBEDDER", "banana", "no embedder is named 'banana'"),
        ("RECOLLECT_EMBEDDER", "banana:small", "no embedder is named 'banana:small'"),
        ("RECOLLECT_SECRETS", "banana", "secrets must be one of"),
    ],
)
@pytest.mark.parametrize("command", ["users", "list", "projects list"])
def test_a_setting_that_names_nothing_is_an_error_whatever_the_command(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, told: str, command: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert f"{variable}: {told}" in shell(*command.split(), code=1)


def test_variables_that_others_set_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RECOLLECT_SERVICE_HOST", "RECOLLECT_SERVICE_PORT", "RECOLLECT_PORT_8377_TCP"):
        monkeypatch.setenv(name, "tcp://10.0.0.1:8377")
    shell("add", "I like rum.")


def test_a_port_that_is_taken_is_said_before_anything_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.server.running.make_server", lambda *_: pytest.fail("it serves"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = shell("serve", "--port", port, code=1)
    assert f"cannot serve on 127.0.0.1:{port}" in said
    assert "serving" not in said


def test_a_file_that_cannot_be_made_is_named_without_numbers_of_errors(tmp_path: Path) -> None:
    shell("add", "I like rum.")
    there = tmp_path / "there.db"
    shell("backup", str(there))
    nowhere = str(tmp_path / "nowhere" / "x.jsonl")
    assert f"{nowhere} cannot be written: No such file" in shell("export", nowhere, code=1)
    assert "another file (--db), or overwrite it (--overwrite)" in shell("restore", str(there), code=1)


def test_every_setting_is_documented_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "use" / "cli.md").read_text("utf-8")
    for one in fields(Settings):
        assert f"| `{one.metadata['variable']}` | `{one.name}` |" in page, one.name


def test_the_limits_of_the_server_come_from_the_file_and_options_outrank_them(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[ServerSettings] = []
    monkeypatch.setattr("recollect.server.running.tune_process", lambda: None)
    monkeypatch.setattr(
        "recollect.server.running.make_server", lambda _, served: seen.append(served) or Idle()
    )
    place.write_text(
        'rate_per_minute = 5\nallowed_hosts = ["brain.local"]\ncors_origins = ["https://a.example"]\n'
    )
    shell("serve", "--port", "0")
    shell("serve", "--port", "0", "--rate-per-minute", "7", "--cors-origin", "https://b.example")
    first, second = seen
    assert (first.rate_per_minute, first.allowed_hosts) == (5, ("brain.local",))
    assert first.cors_origins == ("https://a.example",)
    assert (second.rate_per_minute, second.cors_origins) == (7, ("https://b.example",))
    monkeypatch.setenv("RECOLLECT_CORS_ORIGINS", "https://c.example https://d.example")
    shell("serve", "--port", "0")
    assert seen[-1].cors_origins == ("https://c.example", "https://d.example")
    place.write_text("rate_per_minute = 0\n")
    assert "rate-per-minute" in shell("serve", "--port", "0", code=2)


class Idle:
    """A server that ends at once."""

    def run(self) -> None:
        """Do nothing."""

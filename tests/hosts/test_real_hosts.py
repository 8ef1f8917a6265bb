"""Two sessions of the hosts themselves, where their commands are on the path, with a fake model.

They come from the npm registry: ``@anthropic-ai/claude-code``, ``@openai/codex``, ``@github/copilot``,
``@google/gemini-cli`` and ``opencode-ai``. With ``RECOLLECT_UPDATE=1`` the page of each host shows what its
terminal said.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.hosts.conftest import Desk
from tests.hosts.fake_model import ASKED, KNOWN, NOTED, TOLD, fake_model

PAGES = Path(__file__).parents[2] / "docs" / "use" / "hosts"
COMMANDS = {
    "claude-code": ["claude", "-p"],
    "codex": ["codex", "exec", "--dangerously-bypass-hook-trust"],
    "copilot": ["copilot", "-s", "-p"],
    "gemini-cli": ["gemini", "-p"],
    "opencode": ["opencode", "run"],
}
SHOWN = {"codex": ["codex", "exec"]}
"""What a person types once the hooks are trusted."""
CODEX = """
model = "fake"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "ADDRESS/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[features]
hooks = true
"""
OPENCODE = {
    "model": "fake/fake",
    "small_model": "fake/fake",
    "autoupdate": False,
    "provider": {
        "fake": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": "ADDRESS/v1", "apiKey": "x"},
            "models": {"fake": {}},
        }
    },
}
SETTINGS = {
    "codex": (".codex/config.toml", CODEX),
    "gemini-cli": (".gemini/settings.json", '{"security": {"auth": {"selectedType": "gemini-api-key"}}}'),
    "opencode": (".config/opencode/opencode.json", json.dumps(OPENCODE)),
}


def prepare(desk: Desk, name: str, url: str) -> dict[str, str]:
    """Write what the host needs to talk to the model; the environment it runs in."""
    if name in SETTINGS:
        path, text = SETTINGS[name]
        (desk.home / path).parent.mkdir(parents=True, exist_ok=True)
        (desk.home / path).write_text(text.replace("ADDRESS", url))
    given = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "x",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    given |= {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "x", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    given |= {"COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_MODEL": "fake", "COPILOT_OFFLINE": "true"}
    given |= {
        "FAKE_KEY": "x",
        "XDG_CONFIG_HOME": str(desk.home / ".config"),
        "GEMINI_MODEL": "gemini-2.5-flash",
    }
    return {**os.environ, **given}


def say(desk: Desk, name: str, words: str, environment: dict[str, str]) -> str:
    """A session of the host with one prompt; what stands on the terminal at its end."""
    done = subprocess.run(  # noqa: S603
        [*COMMANDS[name], words],
        cwd=desk.repository,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).strip()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_session_of_the_host_knows_what_was_said_in_the_one_before(
    desk: Desk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(COMMANDS[name][0]) is None:
        pytest.skip(f"{COMMANDS[name][0]} is not installed")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.home / ".config"))
    subprocess.run(["git", "init", "-q"], cwd=desk.repository, check=True)  # noqa: S607
    with fake_model() as url:
        environment = prepare(desk, name, url)
        assert desk.run("install", name, "--user-id", "ada", "--db", desk.db).exit_code == 0
        answers = {words: say(desk, name, words, environment) for words in (TOLD, ASKED)}
    assert NOTED in answers[TOLD]
    assert KNOWN in answers[ASKED]
    listed = desk.run("list", "--user-id", "ada", "--kind", "message", "--db", desk.db).stdout
    said = [line.split(": ", 1)[1].strip('"') for line in listed.splitlines()]
    assert sorted(said) == sorted([TOLD, NOTED, ASKED, KNOWN])
    if os.environ.get("RECOLLECT_UPDATE"):
        record(name, answers)


ROOT = Path(__file__).parents[2]
MARKETPLACE = ["plugin", "marketplace", "add", str(ROOT)]
PLUGIN = {
    "claude": [MARKETPLACE, ["plugin", "install", "recollect@recollect"], ["plugin", "list"]],
    "codex": [MARKETPLACE, ["plugin", "add", "recollect@recollect"], ["plugin", "list"]],
    "copilot": [MARKETPLACE, ["plugin", "install", "recollect@recollect"], ["skill", "list"]],
    "gemini": [
        ["extensions", "install", str(ROOT / "plugins" / "recollect"), "--consent"],
        ["extensions", "list"],
    ],
}


@pytest.mark.parametrize("command", PLUGIN)
def test_the_plugin_manager_of_the_host_installs_the_plugin(desk: Desk, command: str) -> None:
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed")
    desk.home.mkdir()
    environment = {**os.environ, "COPILOT_OFFLINE": "true", "GEMINI_API_KEY": "x"}
    for words in PLUGIN[command]:
        done = subprocess.run(  # noqa: S603
            [command, *words],
            cwd=desk.repository,
            env=environment,
            input="y\n",
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "recollect" in done.stdout + done.stderr


def record(name: str, answers: dict[str, str]) -> None:
    """Show the two sessions on the page of the host."""
    typed = " ".join(SHOWN.get(name, COMMANDS[name]))
    lines = [line for words, answer in answers.items() for line in (f'$ {typed} "{words}"', answer)]
    path, begin, end = PAGES / f"{name}.md", "<!-- real -->\n", "<!-- /real -->\n"
    before, _, rest = path.read_text("utf-8").partition(begin)
    _, _, after = rest.partition(end)
    path.write_text(
        f"{before}{begin}" + "\n".join(["```console", *lines, "```", ""]) + f"{end}{after}", "utf-8"
    )

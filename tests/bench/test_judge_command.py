"""The command ``recollect bench judge`` and a server by script: prices, consent, keys and faults."""

import json
import re
import shlex
from contextlib import closing

import pytest
from tests.bench.judging_models import careful, finds_words, found, passes_everything, serves
from tests.models.server import HASTY_S, fails, hangs, serving
from typer.testing import CliRunner

from recollect.cli import app
from recollect.errors import ModelError
from recollect.models import OpenAIModel
from recollect_bench.judged.calls import Calls, ServedModel
from recollect_bench.prompts.verdict import verdict_prompt

VARIABLES = ("OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY")


@pytest.fixture(autouse=True)
def no_settings(few_by_hand, tmp_path, monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server():
    pytest.importorskip("openai", reason="the openai extra is not installed")
    with serving(serves(m=finds_words, careful=careful, kind=passes_everything)) as chat:
        yield chat


@pytest.fixture
def judge(bench, talks, tmp_path, server):
    """Runs the command on what a system found."""
    found(bench, talks, "words", ["0"])
    named = f"{tmp_path / 'talks.py'}={tmp_path / 'talks.json'}"

    def run(*words, model="m", judges=("careful",), url=None, folder=None):
        given = ["bench", "judge", str(folder or bench.out), "--data", named, "--base-url", url or server.url]
        given += ["--model", model, *(word for one in judges for word in ("--judge", one)), *words]
        return CliRunner().invoke(app, given)

    return run


def one_line(done):
    return done.exit_code, done.stderr.count("\n"), done.stderr.removesuffix("\n")


def test_a_run_says_what_it_costs_asks_and_shows_a_table_and_its_page(judge, bench, talks, system, server):
    bench.run([system("words")], [talks])
    done = judge("--price-in", "1", "--price-out", "1000", "--yes", judges=["careful", "kind"])
    assert done.exit_code == 0, done.stderr
    # 3 answers, and for each of two judges 3 answers, 6 lines judged by hand, 3 vague traps
    assert done.stderr.startswith("at most 27 calls, about ")
    assert ", about $1.0" in done.stderr.splitlines()[0]
    assert len(server.requests) == 27
    assert "words  100.0 [100.0, 100.0]  0       100.0 [100.0, 100.0]" in done.stdout
    assert "kind is not to be trusted" in done.stdout
    result = json.loads((bench.out / "talks-judged.json").read_text())
    assert result["judges"]["careful"]["server"] == server.url
    assert all(request["temperature"] == 0 for request in server.requests)

    page = bench.out / "page.md"
    assert CliRunner().invoke(app, ["bench", "report", str(bench.out), "--out", str(page)]).exit_code == 0
    assert "## Answers judged by models\n\n### Little talks\n" in page.read_text()
    assert "| words | 100.0 [100.0, 100.0] | 0 | 100.0 [100.0, 100.0] | 0 |" in page.read_text()


def test_nothing_is_asked_without_consent_and_nothing_twice(judge, server):
    refused = judge()
    assert (refused.exit_code, server.requests) == (2, [])
    assert "repeat it with --yes" in refused.stderr
    assert judge("--yes").exit_code == 0
    asked = len(server.requests)
    again = judge("--json")
    assert (again.exit_code, len(server.requests)) == (0, asked)
    assert json.loads(again.stdout)["systems"]["words"]["careful"]["right"] == 3


def test_the_printed_command_names_every_server_and_asks_nothing_new(judge, bench, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with serving(serves(careful=careful)) as other:
        address = other.url.replace("http://", "http://ada:pass-word@")
        assert judge("--yes", "--limit", "2", judges=[f"careful@{address}"]).exit_code == 0
        command = json.loads((bench.out / "talks-judged.json").read_text())["command"]
        assert f"--model m@{server.url} --judge careful@{other.url} " in command
        assert not {"sk-secret", "pass-word"} & set(re.split(r"[\s:@]", command))
        asked = len(server.requests) + len(other.requests)
        again = CliRunner().invoke(app, shlex.split(command)[1:])
        assert again.exit_code == 0, again.stderr
        assert len(server.requests) + len(other.requests) == asked


def test_a_system_is_named_to_the_judge_as_to_the_run(judge, bench):
    done = judge("--yes", "--systems", "./words.py")
    assert done.exit_code == 0, done.stderr
    assert list(json.loads((bench.out / "talks-judged.json").read_text())["systems"]) == ["words"]
    assert "(did you mean words?)" in judge("--yes", "--systems", "wrods").stderr


@pytest.fixture
def asked(server, tmp_path):
    """Asks the server's model for a verdict on each of some golds; what was read of its answers."""

    def ask(script, golds, *, url=None):
        server.behaviours = [serves(m=script)]
        prompts = [verdict_prompt("Who?", gold, gold) for gold in golds]
        with (
            closing(Calls(tmp_path / "calls.jsonl")) as calls,
            closing(
                OpenAIModel(
                    "m", base_url=url or server.url, timeout_s=HASTY_S, retries=1, sleep=lambda seconds: None
                )
            ) as model,
        ):
            served = ServedModel(name="m", server=model.server, model=model)
            calls.ask(served, prompts, parallel=4, report=lambda line: None)
            return [calls.read(served, prompt) for prompt in prompts]

    return ask


def test_what_passes_is_tried_again_and_what_hangs_is_unread(asked):
    tried = []

    def script(page):
        tried.append(page)
        if len(tried) == 1:
            return fails(429)
        return hangs() if "Kiki" in page else careful(page)

    assert asked(script, ["Otto", "Kiki", "Lotte"]) == ["right", None, "right"]


def test_a_server_that_cannot_be_reached_or_only_fails_is_named_in_a_line(asked):
    with serving() as gone:
        url = gone.url
    with pytest.raises(ModelError, match=f"cannot be reached at {url}"):
        asked(careful, ["Otto"], url=url)
    with pytest.raises(ModelError, match="failed with 503"):
        asked(lambda page: fails(503), ["Otto", "Kiki"])


def test_a_key_goes_to_the_server_of_the_settings_and_to_no_other(judge, server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with serving(serves(careful=careful)) as other:
        done = judge("--yes", judges=[f"careful@{other.url}"])
        assert done.exit_code == 0, done.stderr
        assert {one["authorization"] for one in server.headers} == {"Bearer sk-secret"}
        assert all("sk-secret" not in one.get("authorization", "") for one in other.headers)
        assert "sk-secret" not in done.stdout
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        asked = len(server.requests) + len(other.requests)
        assert judge("--yes", judges=[f"careful@{other.url}"]).exit_code == 0
        assert len(server.requests) + len(other.requests) == asked


def test_a_wrong_key_or_an_unknown_model_is_one_line_and_nothing_is_kept(judge, server, bench):
    code, _, said = one_line(judge("--yes", judges=["nobody"]))
    assert (code, "knows no model 'nobody'" in said) == (1, True)
    server.behaviours = [fails(401)]
    code, lines, said = one_line(judge("--yes", model="m2"))
    assert (code, lines) == (1, 2)  # what it costs, and the complaint
    assert "refuses the key" in said
    rows = (bench.out / "judged" / "calls.jsonl").read_text()
    assert ("nobody" in rows, "m2" in rows) == (False, False)
    assert not (bench.out / "talks-judged.json").exists()


@pytest.mark.parametrize(
    ("words", "judges", "complaint"),
    [
        (["--price-in", "-1", "--price-out", "1"], ["careful"], "input_per_million must be"),
        (["--price-in", "1"], ["careful"], "--price-in and --price-out go together"),
        (["--systems", "nobody"], ["careful"], "nobody was not run on talks"),
        (["--limit", "0"], ["careful"], "--limit"),
        ([], ["careful", "careful"], "two judges have the same name"),
        ([], ["careful@"], "knows no model 'careful@'"),
        (["--base-url", "ftp://here"], ["careful"], "base_url must begin with http"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line_before_anything_is_written(
    words, judges, complaint, judge, bench
):
    done = judge("--yes", *words, judges=judges)
    assert done.exit_code in {1, 2}
    assert complaint in done.stderr
    assert not (bench.out / "talks-judged.json").exists()


def test_a_folder_without_a_run_is_refused_in_a_line(judge, tmp_path):
    code, lines, said = one_line(judge("--yes", folder=tmp_path / "none"))
    assert (code, lines) == (1, 1)
    assert "holds nothing that was found on talks; recollect bench run comes first" in said
    assert not (tmp_path / "none").exists()

"""``recollect profile``, ``sessions`` and ``summary``, and the variables of Second Brain."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import app

VARIABLES = (
    "RECOLLECT_USER_ID",
    "MEMORY_EXTRACTION_ENABLED",
    "MEMORY_EXTRACTION_THRESHOLD",
    "MEMORY_RETENTION_DAYS",
    "MAX_SEMANTIC_MEMORIES",
    "CHAT_MODEL",
)


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "brain.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hashing")
    monkeypatch.chdir(tmp_path)


def shell(*words, code=0):
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.stderr
    return done


def from_json(*words):
    return json.loads(shell(*words, "--json").stdout)


def test_what_was_learned_is_a_profile_and_a_summary():
    shell("add", "I prefer green tea.", "-s", "tea")
    shell("worker", "--once", "--end", "tea")
    lines = shell("profile").stdout.splitlines()
    assert lines[0] == "preference:"
    assert "User prefers green tea. (0.95, since" in lines[1]
    assert lines[1].endswith("1 turn)")
    (fact,) = from_json("profile")["preference"]
    assert [turn["content"] for turn in fact["sources"]] == ["I prefer green tea."]
    assert shell("summary", "which", "tea?").stdout.startswith("USER PROFILE:\n- User prefers green tea.\n")
    assert "Current query: which tea?" in shell("summary", "which", "tea?", "--prompt").stdout
    assert len(from_json("summary", "tea")["semantic"]) == 1
    assert from_json("summary", "tea", "--max-facts", 0)["semantic"] == []
    shell("delete", fact["memory"]["id"])
    nothing = shell("profile")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert nothing.stderr.startswith("no facts learned so far for user 'default'")
    assert "match for user 'default'" in shell("summary", "tea", "--max-episodes", 0).stderr


def test_a_profile_tells_what_time_has_left_of_a_confidence_and_why_the_reason():
    shell("add", "User works at Siemens", "--kind", "fact", "--timestamp", "2010-03-01")
    (fact,) = next(iter(from_json("profile").values()))
    left = fact["confidence"]["value"]
    assert 0 < left < 0.2
    assert f"({left:.2f} of 1.00, since 2010-03-01" in shell("profile").stdout
    reason = "last said on 2010-03-01; employer: half is left after 4 years"
    assert f"confidence {left:.2f} of 1.00: {reason}" in shell("why", fact["memory"]["id"]).stdout
    assert "(1.00, since" in shell("profile", "--as-of", "2010-03-02").stdout


def test_sessions_are_started_listed_and_ended():
    started = from_json("sessions", "start", "--title", "Garden")
    shell("add", "I live in Berlin.", "-s", started["id"])
    assert f"{started['id']}  1 message  Garden" in shell("sessions", "list").stdout
    (ended,) = from_json("sessions", "end", started["id"])
    assert ended["ended_at"] is not None
    assert "ended" in shell("sessions", "get", started["id"]).stdout
    assert "1 new fact," in shell("worker", "--once").stdout
    assert "no session" in shell("sessions", "end", "unknown", code=1).stderr


def test_sessions_that_timed_out_are_ended_together(tmp_path):
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        past = datetime.now(UTC) - timedelta(days=1)
        memory.add("I live in Berlin.", user_id="default", session_id="old", timestamp=past)
        memory.add("I like tea.", user_id="default", session_id="new")
    assert [one["id"] for one in from_json("sessions", "end")] == ["old"]
    assert from_json("sessions", "end") == []


def test_the_variables_of_extraction_are_read(monkeypatch):
    monkeypatch.setenv("MEMORY_EXTRACTION_THRESHOLD", "1")
    shell("add", "I live in Berlin.", "-s", "one")
    assert "1 new fact," in shell("worker", "--once").stdout
    monkeypatch.setenv("MEMORY_EXTRACTION_ENABLED", "false")
    shell("add", "I prefer tea.", "-s", "two")
    shell("sessions", "end", "two")
    assert shell("worker", "--once").stdout == "nothing to learn: nothing new was said\n"


@pytest.mark.parametrize(
    ("variable", "value"), [("MEMORY_EXTRACTION_ENABLED", "maybe"), ("MEMORY_EXTRACTION_THRESHOLD", "-3")]
)
def test_a_variable_that_cannot_be_used_is_an_error(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    assert variable in shell("add", "x", code=1).stderr


def test_limits_and_retention_come_from_variables_too(tmp_path, monkeypatch):
    with Memory(tmp_path / "brain.db", embedder="hashing") as memory:
        for number in range(3):
            memory.add({"content": f"User likes tea {number}", "kind": "fact"}, user_id="default")
    monkeypatch.setenv("MAX_SEMANTIC_MEMORIES", "2")
    assert len(from_json("summary", "tea")["semantic"]) == 2
    assert "archived" not in shell("tidy", "--retention-days", 0.0).stdout  # facts stay
    shell("add", "hello there")
    monkeypatch.setenv("MEMORY_RETENTION_DAYS", "0")
    assert "1 archived: not used for more than 0 days" in shell("tidy").stdout
    monkeypatch.setenv("MEMORY_RETENTION_DAYS", "soon")
    assert "MEMORY_RETENTION_DAYS must be a number, not 'soon'" in shell("tidy", code=1).stderr


def test_growth_is_told():
    shell("add", "hello")
    assert "stored in the last day: 1, week: 1, month: 1" in shell("stats").stdout


def test_a_retention_that_cannot_be_is_called_by_its_name(monkeypatch):
    shell("add", "hello")
    monkeypatch.setenv("MEMORY_RETENTION_DAYS", "-4")
    told = shell("tidy", code=1).stderr
    assert "retention_days" in told
    assert "archive_after_days" not in told


def test_how_many_facts_may_be_none_and_not_fewer():
    shell("add", "hello")
    assert (
        "max_semantic must be a whole number from 0 to"
        in shell("summary", "x", "--max-facts", -1, code=1).stderr
    )


def test_a_worker_does_not_know_every_session():
    shell("add", "I prefer tea.", "-s", "tea")
    assert "nope" in shell("worker", "--once", "--end", "nope", code=1).stderr
    shell("worker", "--once", "--end", "tea")
    assert "nothing to learn" in shell("worker", "--once", "--end", "tea").stdout


def test_a_worker_says_that_jobs_failed(monkeypatch):
    shell("add", "I prefer tea.", "-s", "tea")
    monkeypatch.setattr("recollect.learning.learner.Learner._learn", lambda *_: 1 / 0)
    done = shell("worker", "--once", "--end", "tea", code=1)
    assert done.stdout == "1 job failed\n"
    assert "1 jobs failed; `recollect jobs` says why" in done.stderr


def test_a_summary_says_that_its_model_did_not_answer(monkeypatch):
    pytest.importorskip("openai", reason="the openai extra is not installed")
    monkeypatch.setattr("recollect.models.retrying._FIRST_WAIT_S", 0.001)
    shell("add", "I finished the data project with pandas today!", "-s", "trip")
    nobody = ("--model", "llama3.2", "--base-url", "http://127.0.0.1:9/v1")
    done = shell("sessions", "summarise", "trip", *nobody)
    assert done.stdout.startswith("Data project, finished\n")
    assert "without the model: ModelError: " in done.stderr


def test_the_agenda_is_listed_and_items_are_mentioned_dismissed_and_answered():
    shell("add", "I like tea.")
    assert shell("agenda", "list").stdout == "nothing to bring up\n"
    earlier = (datetime.now(UTC) - timedelta(days=5)).isoformat()
    for what in ("call Tom", "water the cactus", "book the train"):
        shell("add", f"Don't let me forget to {what}.", "--timestamp", earlier)
    first, second, third = (one["id"] for one in from_json("agenda", "list"))
    lines = shell("agenda", "list").stdout
    assert f"{first} On " in lines
    assert "Is it done? (said 5 days ago, and nothing said since tells that it is done)" in lines
    shell("agenda", "mention", first)
    shell("agenda", "dismiss", second)
    shell("agenda", "answer", third, "it is booked")
    assert from_json("agenda", "list") == []
    assert "no item 'plan-0'" in shell("agenda", "dismiss", "plan-0", code=1).stderr

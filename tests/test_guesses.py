"""What a newcomer tries first: it works, or the error names what does."""

import json
import re
from copy import copy, deepcopy
from dataclasses import asdict
from pickle import dumps, loads

import pytest

from recollect import Memory
from recollect.testing import FakeClock

TEXT = "I prefer Python for data analysis,\nand R for plots. " + "It is what I learned first. " * 5


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "brain.db", clock=FakeClock()) as made:
        made.add(
            {"content": TEXT, "name": "Ada", "tags": ["code"], "metadata": {"topic": "work"}},
            user_id="ada",
            session_id="first",
        )
        yield made


@pytest.fixture
def results(memory):
    """One of each kind of result that users print."""
    memory.add("Please call me Ada", user_id="ada", session_id="first")
    memory.end_session("first", user_id="ada")
    memory.drain()
    memory.add("I moved to Lisbon", user_id="ada")
    profile = memory.profile(user_id="ada")
    (hit, *_) = memory.search("which language for data?", user_id="ada")
    context = memory.context("which language for data?", user_id="ada", budget_tokens=60)
    return {
        "hit": hit,
        "record": hit.memory,
        "context": context,
        "left out": memory.context("data analysis", user_id="ada", budget_tokens=1).left_out[0],
        "result": memory.add("tea at four", user_id="ada")[0],
        "fact": next(iter(profile.facts.values()))[0],
        "profile": profile,
        "session": memory.sessions.list(user_id="ada")[0],
        "explanation": memory.explain(hit.id, user_id="ada", query="which language?"),
        "change": memory.history(hit.id, user_id="ada")[0],
    }


NAMES = (
    "hit",
    "record",
    "context",
    "left out",
    "result",
    "fact",
    "profile",
    "session",
    "explanation",
    "change",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_result_prints_on_one_short_line(results, name):
    line = repr(results[name])
    assert "\n" not in line
    assert len(line) <= 130


@pytest.mark.parametrize("name", NAMES)
def test_a_result_as_a_dictionary_is_ready_for_json_and_short(results, name):
    written = json.dumps(results[name].to_dict())
    assert len(written) < 2_500
    assert json.loads(written) == results[name].to_dict()


def test_a_hit_has_what_its_memory_has(results):
    hit = results["hit"]
    assert hit.content == hit.memory.content
    assert hit.id == hit.memory.id
    assert hit.metadata == {"topic": "work"}
    assert hit.created_at == hit.memory.created_at == hit.memory.times.created_at
    assert re.fullmatch(r"<0\.\d{3} [0-9a-f-]{13} \d{4}-\d\d-\d\d Ada: I prefer Python .*…>", repr(hit))


def test_the_keys_of_a_hit_are_always_the_same(memory, results):
    keys = [
        "score", "id", "content", "kind", "role", "speaker", "happened_at", "created_at", "valid_until",
        "category", "tags", "importance", "confidence", "metadata", "user_id", "agent_id", "session_id",
    ]  # fmt: skip
    for hit in memory.search("python tea Lisbon", user_id="ada"):
        assert list(hit.to_dict()) == keys
    assert results["hit"].to_dict()["tags"][0] == "code"


def test_a_context_prints_as_its_text(results):
    context = results["context"]
    assert str(context) == context.text
    assert f"{context}" == context.text


@pytest.mark.parametrize("name", NAMES)
def test_results_can_be_copied_compared_pickled_and_written_as_dataclasses(results, name):
    one = results[name]
    if name == "context":
        one = one.left_out[0]
    assert copy(one) == deepcopy(one) == loads(dumps(one)) == one  # noqa: S301 - its own words
    assert asdict(one)


def test_a_web_framework_can_return_a_hit_as_it_is(results):
    encoders = pytest.importorskip("fastapi.encoders")
    written = encoders.jsonable_encoder(results["hit"])
    assert written["memory"]["content"] == TEXT.strip() or written["memory"]["content"] == TEXT


@pytest.mark.parametrize(
    ("name", "guess", "right"),
    [
        ("hit", "text", ".content"),
        ("hit", "tags", ".memory.labels.tags"),
        ("hit", "speaker", ".memory.origin.speaker"),
        ("hit", "importance", ".memory.worth.importance"),
        ("hit", "timestamp", ".memory.times.happened_at"),
        ("hit", "similarity", ".score"),
        ("hit", "model_dump", ".to_dict"),
        ("hit", "session_id", ".memory.scope.session_id"),
        ("record", "tags", ".labels.tags"),
        ("record", "importance", ".worth.importance"),
        ("record", "user_id", ".scope.user_id"),
        ("record", "dict", ".to_dict"),
        ("context", "hits", ".included"),
        ("context", "prompt", ".text"),
        ("fact", "content", ".memory.content"),
        ("fact", "confidence", ".memory.worth.confidence"),
        ("result", "statuss", ".status"),
    ],
)
def test_a_wrong_attribute_names_the_right_one(results, name, guess, right):
    with pytest.raises(AttributeError, match=rf"has no '{guess}'; use {re.escape(right)}$"):
        getattr(results[name], guess)


def test_a_result_read_like_a_dictionary_names_the_attribute_and_to_dict(results):
    with pytest.raises(TypeError, match=r"use its attribute, or \.to_dict\(\)\['content'\]"):
        results["hit"]["content"]

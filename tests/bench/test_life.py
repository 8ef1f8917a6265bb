"""Made-up lives: the same for a seed, dated in order, with gold that only the lines meant can hold."""

import json
import re
from collections import Counter
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from recollect.cli import app
from recollect.errors import InvalidInputError
from recollect_bench import LEAST_MESSAGES
from recollect_bench.catalogue import find_data
from recollect_bench.datasets.shapes import Ask, Delete, Replace
from recollect_bench.life.slots import moment
from recollect_bench.life.words import OTHER_LANGUAGES, Dice, spoken, talk, topics
from recollect_bench.life.year import Life, make_lives

SEEDS = st.integers(min_value=0, max_value=10_000)


def lines_with(life, value):
    return [
        step["content"] for step in life["steps"] if value.casefold() in step.get("content", "").casefold()
    ]


@given(seed=SEEDS)
@settings(max_examples=5, deadline=None)
def test_the_same_seed_gives_the_same_bytes(seed):
    made = [make_lives(seed=seed, people=1, messages=LEAST_MESSAGES) for _ in range(2)]
    assert made[0] == made[1]
    assert made[0] != make_lives(seed=seed + 1, people=1, messages=LEAST_MESSAGES)


def test_a_seed_gives_these_bytes_on_every_python():
    first = json.loads(make_lives(seed=7, people=1, messages=LEAST_MESSAGES))[0]
    assert (first["person"]["child"], first["person"]["drug"]) == ("Jonah", "losartan")
    assert [step["content"] for step in first["steps"][:3]] == [
        "the song from that advert is stuck in my head since Tuesday",
        "el autobús llegó tarde otra vez",
        "tenemos una mascota, se llama Zorro",
    ]


@given(seed=SEEDS)
@settings(max_examples=10, deadline=None)
def test_what_happens_is_in_order_and_each_moment_once(seed):
    steps = Life(seed, LEAST_MESSAGES).told()["steps"]
    times = [datetime.fromisoformat(step["at"]) for step in steps]
    assert times == sorted(set(times))
    said = [step["id"] for step in steps if step["do"] == "say"]
    assert len(said) == len(set(said)) == LEAST_MESSAGES
    seen = set()
    for step in steps:
        assert (step["id"] in seen) == (step["do"] != "say")
        seen.add(step["id"])


@given(seed=SEEDS)
@settings(max_examples=10, deadline=None)
def test_every_question_can_be_answered_from_what_was_said(seed):
    life = Life(seed, LEAST_MESSAGES).told()
    for question in life["questions"]:
        for wordings in question.get("must", ()):
            assert any(lines_with(life, one) for one in wordings), question
        for value in (*question.get("must_not", ()), *(old for _, old in question.get("order", ()))):
            assert lines_with(life, value), question


@given(seed=SEEDS)
@settings(max_examples=10, deadline=None)
def test_the_last_line_that_tells_or_changes_a_topic_holds_what_is_true_now(seed):
    life = Life(seed, LEAST_MESSAGES).told()
    for question in life["questions"]:
        if question["kind"].startswith(("now", "told", "planned", "corrected")):
            new = question["must"][0][0]
            assert new in question["why"]
            for _, old in question.get("order", ()):
                at, where = question["why"].find(old), question["why"].find(new)
                assert at == -1 or where < at, question


def values():
    told = talk()
    for name, topic in topics().items():
        yield from ((name, value) for value in topic["values"])
    for group in (told["secret"], told["slip"], told["forget"]["about"]):
        yield from ((one["ask"][0], value) for one in group for value in one["values"])


def test_no_value_can_be_taken_for_another_or_for_noise():
    known = list(values())
    told = talk()
    noise = " ".join(line for lines in told["noise"].values() for line in lines).casefold()
    names = " ".join(name for among in told["names"].values() for name in among).casefold()
    for owner, value in known:
        assert value.casefold() not in noise
        assert value.casefold() not in names
        for other, longer in known:
            assert (owner, value) == (other, longer) or value.casefold() not in longer.casefold(), longer


def test_no_message_is_sent_at_a_time_that_a_value_names():
    clock = {value.rjust(5, "0")[-2:] for _, value in values() if re.fullmatch(r"\d+:\d\d", value)}
    assert clock.isdisjoint(f"{moment(slot):%M}" for slot in range(200))


def test_every_change_is_told_in_many_phrasings():
    for name, topic in topics().items():
        assert len(topic["en"]["change"]) >= 8, name
        assert all(len(topic[language]["change"]) >= 3 for language in OTHER_LANGUAGES), name
        for language in ("en", *OTHER_LANGUAGES):
            for phrase in topic[language]["change"]:
                assert "{new}" in phrase
                assert "{old}" not in phrase or phrase.index("{new}") < phrase.index("{old}"), phrase


def test_what_must_be_carried_stands_in_each_of_its_phrasings():
    for one in talk()["carry"]:
        for language in ("en", *OTHER_LANGUAGES):
            for phrase in one[language]:
                assert any(word in phrase.casefold() for word in one["held"]), phrase
        for question in one["ask"]:
            assert not any(word in question.casefold() for word in one["held"]), question


def test_the_choices_of_a_phrase_are_made_by_chance():
    said = Counter(spoken("the [cat|dog] of {name}", Dice(seed), {"name": "Mila"}) for seed in range(50))
    assert set(said) == {"the cat of Mila", "the dog of Mila"}


def test_a_life_is_lived_with_its_edits_and_deletions_and_then_asked(tmp_path):
    file = tmp_path / "life.json"
    file.write_text(make_lives(seed=3, people=2, messages=LEAST_MESSAGES), encoding="utf-8")
    loaded = find_data(f"life={file}").load()
    made_by = f"recollect bench life --seed 3 --people 2 --messages {LEAST_MESSAGES} --out {file}"
    assert loaded.made_by == made_by
    first, second = loaded.conversations
    assert (first.id, second.id) == ("life-3", "life-4")
    steps = list(first.steps())
    assert sum(isinstance(step, Delete) for step in steps) == 3
    assert any(isinstance(step, Replace) for step in (*steps, *second.steps()))
    assert [step.number for step in steps if isinstance(step, Ask)] == list(range(len(first.questions)))
    assert all(question.judges_context for question in first.questions)


def test_what_was_deleted_is_gone_and_what_was_asked_to_be_forgotten_is_there(tmp_path):
    file = tmp_path / "life.json"
    file.write_text(make_lives(seed=3, people=2, messages=LEAST_MESSAGES), encoding="utf-8")
    asked = [one for life in find_data(f"life={file}").load().conversations for one in life.questions]
    kinds = {(one.category, tuple(one.gone) == tuple(one.must_not)) for one in asked if one.must_not}
    assert kinds == {("deleted", True), ("corrected by an edit", True), ("asked to forget", False)}


def test_lives_are_written_by_the_command(tmp_path):
    file = tmp_path / "life.json"
    asked = ["bench", "life", "--seed", "7", "--messages", str(LEAST_MESSAGES), "--out", str(file)]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    assert file.read_text(encoding="utf-8") == make_lives(seed=7, people=1, messages=LEAST_MESSAGES)


def test_a_life_of_too_few_messages_is_refused():
    with pytest.raises(InvalidInputError, match="at least 150 messages, not 20"):
        make_lives(seed=1, people=1, messages=20)


def test_the_command_says_how_many_messages_a_year_takes_before_it_starts(tmp_path):
    out = tmp_path / "life.json"
    refused = CliRunner().invoke(app, ["bench", "life", "--messages", "20", "--out", str(out)])
    assert (refused.exit_code, out.exists()) == (2, False)
    assert "'--messages': Input should be greater than or equal to 150" in refused.stderr
    told = CliRunner().invoke(app, ["bench", "life", "--help"]).stdout
    assert "That each year has, 150 at least." in " ".join(told.split())

"""JSON in what models say."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import ModelAnswerError
from recollect.models import parse_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
LISTS_AND_OBJECTS = st.lists(VALUES) | st.dictionaries(st.text(), VALUES)


@given(VALUES)
def test_what_is_json_comes_back(value):
    assert parse_json(json.dumps(value)) == value


@given(LISTS_AND_OBJECTS)
def test_prose_and_fences_around_it_do_not_matter(value):
    assert parse_json(f"Sure!\n```json\n{json.dumps(value, indent=1)}\n```\nAnything else?") == value


@given(st.text())
def test_no_text_raises_anything_else(text):
    with suppress(ModelAnswerError):
        json.dumps(parse_json(text), allow_nan=False)


@table(
    "said, meant",
    [
        (' {"a": 1}\n', {"a": 1}),
        ("```\n[1]\n```", [1]),
        ('Here: {"a": 1} and that is all.', {"a": 1}),
        ('<think>Maybe {"a": 0}?</think>\n{"a": 1}', {"a": 1}),
        ('As in [1], it is {"a": [1, 2]}.', {"a": [1, 2]}),
        ("See [the list]: [1, 2]", [1, 2]),
        ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
        ('{"a": "1,]", "b": "\\",}",}', {"a": "1,]", "b": '",}'}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ('The form is {"a": <text>}. So: {"a": "x"}', {"a": "x"}),
        ('[{"a": 1}] or [{"b": 2}]', [{"a": 1}]),
        ('{"a": "<think>", "b": "</think>"}', {"a": "<think>", "b": "</think>"}),
        ("true", True),
    ],
)
def test_models_say_it_in_many_ways(said, meant):
    assert parse_json(said) == meant


@table(
    "said",
    [
        "",
        "I cannot do that.",
        "{",
        '{"facts": [{"text": "a"}, {"text": "b"',
        '{"facts": [{"text": "a"}, {"text": \'b\'}]}',
        '[{"text": "a"}, {"text": "b',
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": -1e999}',
        '{"a": ' + "9" * 5000 + "}",
        "{'a': 1}",
        "[" * 100_000,
        '{"a":' * 100_000,
        '"' * 100_001,
        "[1" * 50_000,
    ],
)
def test_half_an_answer_is_none(said):
    with pytest.raises(ModelAnswerError, match="not complete JSON"):
        parse_json(said)


def test_the_error_shows_the_beginning():
    with pytest.raises(ModelAnswerError, match=r"I am sorry, but x+…$"):
        parse_json("I am sorry,\nbut " + "x" * 1000)

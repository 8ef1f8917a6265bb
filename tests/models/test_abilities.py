"""Asking servers only for what they understand: JSON in three ways, and what reasoning models lack."""

import copy

import pytest
from tests.models.server import (
    fails,
    knows_no,
    says,
)

from recollect.errors import ModelError

SCHEMA = {
    "type": "object",
    "properties": {"drink": {"type": "string"}},
    "required": ["drink"],
    "additionalProperties": False,
}


def test_a_schema_is_sent_as_one(model, server, asked):
    model.complete(asked, json_schema=SCHEMA)
    assert server.requests[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }


def test_a_schema_that_strict_mode_would_refuse_is_not_strict(model, server, asked):
    model.complete(asked, json_schema={"type": "object", "properties": {"drink": {"type": "string"}}})
    assert server.requests[0]["response_format"]["json_schema"]["strict"] is False


def forms(server):
    """How the server was asked for JSON, and whether the prompt spoke of it."""
    return [
        (
            request.get("response_format", {}).get("type"),
            "JSON schema" in request["messages"][-1]["content"],
        )
        for request in server.requests
    ]


def test_a_server_without_schemas_is_asked_in_json_mode_and_that_is_remembered(model, server, asked):
    server.behaviours = [knows_no("json_schema")]
    assert model.complete(asked, json_schema=SCHEMA).text == '{"drink": "tea"}'
    model.complete(asked, json_schema=SCHEMA)
    assert forms(server) == [("json_schema", False), ("json_object", True), ("json_object", True)]


def test_a_server_without_json_mode_is_asked_in_words(model, server, asked):
    server.behaviours = [knows_no("response_format")]
    model.complete(asked, json_schema=SCHEMA)
    model.complete(asked)
    assert forms(server) == [
        ("json_schema", False),
        ("json_object", True),
        (None, True),
        (None, False),
    ]


def test_a_schema_refused_with_422_is_one_too(model, server, asked):
    server.behaviours = [fails(422), says("{}")]
    assert model.complete(asked, json_schema=SCHEMA).text == "{}"


def test_a_request_that_is_wrong_anyway_teaches_nothing(model, server, asked):
    server.behaviours = [fails(400, "your prompt is too long")]
    with pytest.raises(ModelError, match="too long"):
        model.complete(asked, json_schema=SCHEMA)
    assert len(server.requests) == 3
    server.behaviours = [says("{}")]
    model.complete(asked, json_schema=SCHEMA)
    assert forms(server)[-1] == ("json_schema", False)


def test_what_reasoning_models_do_not_know_is_left_out(model_of, server, asked):
    complaint = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.behaviours = [fails(400, complaint), fails(400, "'temperature' does not support 0"), says("Tea.")]
    model = model_of(temperature=0.0)
    model.complete(asked, max_tokens=5)
    model.complete(asked, max_tokens=5)
    assert [
        {name for name in request if name not in ("model", "messages")} for request in server.requests
    ] == [
        {"max_tokens", "temperature"},
        {"max_completion_tokens", "temperature"},
        {"max_completion_tokens"},
        {"max_completion_tokens"},
    ]


def test_a_schema_is_not_changed(model, server, asked):
    schema = copy.deepcopy(SCHEMA)
    server.behaviours = [knows_no("response_format")]
    model.complete(asked, json_schema=schema)
    assert schema == SCHEMA

"""What is tried again, how often, and after which wait."""

import pytest
from tests.models.server import (
    fails,
    says,
)

from recollect.errors import ModelError
from recollect.models import ChatMessage


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_what_passes_is_tried_again(model, server, asked, waits, status):
    server.behaviours = [fails(status), fails(status), says("Tea.")]
    assert model.complete(asked).text == "Tea."
    assert len(server.requests) == 3
    assert len(waits) == 2


@pytest.mark.parametrize("status", [429, 500])
def test_what_stays_is_one_clear_error(model, server, asked, waits, status):
    server.behaviours = [fails(status)]
    with pytest.raises(ModelError, match=f"openai:m failed with {status}, .*: .*it went wrong") as caught:
        model.complete(asked)
    assert caught.value.transient
    assert len(server.requests) == 4
    assert 0.375 <= waits[0] <= 0.5
    assert 0.75 <= waits[1] <= 1.0
    assert 1.5 <= waits[2] <= 2.0


@pytest.mark.parametrize(
    "headers", [{"retry_after": "7"}, {"retry_after_ms": "7000"}, {"retry_after_ms": "?", "retry_after": "7"}]
)
def test_the_server_says_how_long_to_wait(model, server, asked, waits, headers):
    server.behaviours = [fails(429, **headers), says("Tea.")]
    model.complete(asked)
    assert waits == [7.0]


@pytest.mark.parametrize(
    ("said", "wait_s"), [("Fri, 01 May 2026 12:00:07 GMT", 7.0), ("Fri, 01 May 2026 11:59:00 GMT", 0.0)]
)
def test_a_date_to_wait_for_is_read_by_the_servers_clock(model, server, waits, said, wait_s):
    server.date = "Fri, 01 May 2026 12:00:00 GMT"
    server.behaviours = [fails(429, retry_after=said), says("Tea.")]
    model.complete([ChatMessage(role="user", content="What?")])
    assert waits == [wait_s]


@pytest.mark.parametrize("said", ["soon", "nan", "-1", "inf", "", "Fri, 01 May 2026"])
def test_a_wait_that_is_none_is_left_out(model, server, asked, waits, said):
    server.behaviours = [fails(429, retry_after=said), says("Tea.")]
    model.complete(asked)
    assert 0.375 <= waits[0] <= 0.5


def test_a_wait_of_more_than_a_minute_is_left_to_the_caller(model, server, asked, waits):
    server.behaviours = [fails(429, retry_after="61")]
    with pytest.raises(ModelError) as caught:
        model.complete(asked)
    assert (caught.value.retry_after_s, caught.value.transient) == (61.0, True)
    assert waits == []


def test_without_credit_nothing_is_tried_again(model, server, asked):
    server.behaviours = [fails(429, code="insufficient_quota")]
    with pytest.raises(ModelError, match="no credit") as caught:
        model.complete(asked)
    assert not caught.value.transient
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "openai:m failed with 400: .*it went wrong"),
        (401, "refuses the key; pass api_key, or set OPENAI_API_KEY"),
        (403, "does not allow"),
        (404, "knows no model 'm', or base_url"),
    ],
)
def test_a_wrong_request_is_an_error_at_once_and_says_what_to_do(model, server, asked, status, advice):
    server.behaviours = [fails(status)]
    with pytest.raises(ModelError, match=advice) as caught:
        model.complete(asked)
    assert not caught.value.transient
    assert caught.value.__cause__ is not None
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [401, 404, 500])
def test_an_error_that_is_a_web_page_is_one_too(model_of, server, asked, status):
    server.behaviours = [lambda exchange, _: exchange.send_json(b"<html>proxy</html>", status=status)]
    with pytest.raises(ModelError, match=str(status)) as caught:
        model_of(retries=0).complete(asked)
    assert "html" not in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "it went wrong"}},
        {"error": "it went wrong"},
        {"detail": "it went wrong"},
        {"detail": [{"msg": "it went wrong"}]},
        {"object": "error", "message": "it went wrong"},
        "it went wrong",
    ],
)
def test_what_servers_say_in_their_several_ways_is_shown(model, server, asked, body):
    server.behaviours = [lambda exchange, _: exchange.send_json(body, status=422)]
    with pytest.raises(ModelError, match=r"openai:m failed with 422: .*it went wrong"):
        model.complete(asked)


@pytest.mark.parametrize("body", [{}, [], None, {"error": None}, {"error": {"message": 7}}])
def test_a_server_that_says_nothing_is_an_error_too(model, server, asked, body):
    server.behaviours = [lambda exchange, _: exchange.send_json(body, status=422)]
    with pytest.raises(ModelError, match="openai:m failed with 422"):
        model.complete(asked)

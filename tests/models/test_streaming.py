"""The client against a local server that speaks the protocol, well and badly: streams."""

from contextlib import closing

import pytest
from tests.models.server import (
    HASTY_S,
    WAIT_S,
    breaks_off,
    counted,
    cuts_the_body,
    drips,
    fails,
    hangs,
    hangs_up,
    knows_no,
    piece,
    says,
    sends,
    streams,
    streams_bytes,
    talks_on,
)

from recollect.errors import BudgetExceededError, ModelAnswerError, ModelError
from recollect.models import Costs, Usage
from recollect.text.tokens import estimate_tokens


class Hearer:
    """Takes a stream a piece at a time, and keeps what came when it breaks."""

    def __init__(self, stream):
        self.pieces = []
        self.error = None
        try:
            for words in stream:
                self.pieces.append(words)
        except ModelError as error:
            self.error = error


def test_a_stream_gives_the_words_as_they_come_and_counts_them(model, server, asked):
    server.behaviours = [streams("A pot", " of", " tea.")]
    assert list(model.stream(asked)) == ["A pot", " of", " tea."]
    assert model.usage == Usage(calls=1, input_tokens=11, output_tokens=3)
    assert server.requests[0]["stream_options"] == {"include_usage": True}


def test_nothing_is_sent_before_the_first_words_are_asked_for(model, server, asked):
    model.stream(asked).close()
    assert server.requests == []
    assert model.usage == Usage()


def test_pieces_without_words_are_not_given(model, server, asked):
    server.behaviours = [
        streams(piece(role="assistant"), piece(reasoning_content="Hm."), "Tea.", "", {"id": "ping"})
    ]
    assert list(model.stream(asked)) == ["Tea."]


WIRE = (
    b": a comment\r\n\r\n"
    b'event: message\r\ndata: {"choices":\r\n'
    b'data: [{"delta": {"content": "T\xc3\xa9\xe2\x80\xa8a"}}]}\r\n\r\n'
    b'data:{"choices": [{"delta": {"content": "."}, "finish_reason": "stop"}]}'
)


def test_events_may_be_written_in_every_way_and_come_byte_by_byte(model, server, asked):
    server.behaviours = [streams_bytes(WIRE)]
    assert list(model.stream(asked)) == ["Té\u2028a", "."]


@pytest.mark.parametrize("behave", [streams("Tea.", piece(reason="stop"), done=False), streams("Tea.")])
def test_a_stream_ends_by_its_last_event_or_by_saying_why(model, server, asked, behave):
    server.behaviours = [behave]
    assert list(model.stream(asked)) == ["Tea."]


def test_use_counted_in_every_event_counts_once(model, server, asked):
    events = [piece("A pot") | {"usage": counted(11, 1)}, piece(" of tea.") | {"usage": counted(11, 3)}]
    server.behaviours = [streams(*events, usage=None)]
    list(model.stream(asked))
    assert model.usage == Usage(calls=1, input_tokens=11, output_tokens=3)


def test_what_the_server_does_not_count_is_estimated(model, server, asked):
    server.behaviours = [streams("A pot of", " tea.", usage=None)]
    list(model.stream(asked))
    assert (model.usage.estimated_calls, model.usage.output_tokens) == (1, estimate_tokens("A pot of tea."))


def test_a_server_that_cannot_count_streams_is_not_asked_to(model, server, asked):
    server.behaviours = [knows_no("stream_options")]
    assert list(model.stream(asked)) == ["Tea."]
    list(model.stream(asked))
    assert ["stream_options" in request for request in server.requests] == [True, False, False]


# Ending early


def test_closing_a_stream_lets_go_of_the_connection_and_counts_what_was_said(model, server, asked):
    server.behaviours = [talks_on()]
    with closing(model.stream(asked)) as stream:
        assert next(stream) == "word "
    assert server.hung_up.wait(WAIT_S)
    assert (model.usage.calls, model.usage.estimated_calls) == (1, 1)
    assert model.usage.output_tokens > 0


def test_leaving_the_loop_lets_go_of_the_connection(model, server, asked):
    server.behaviours = [talks_on()]
    for _ in model.stream(asked):
        break
    assert server.hung_up.wait(WAIT_S)


def test_many_streams_left_early_leave_no_connection_open(model, server, asked):
    server.behaviours = [talks_on()]
    for _ in range(20):
        with closing(model.stream(asked)) as stream:
            next(stream)
    assert model._client._client._transport._pool.connections == []


# Breaking


@pytest.mark.parametrize("behave", [fails(429), fails(500), breaks_off(), hangs_up, cuts_the_body])
def test_until_the_first_words_a_stream_is_tried_again(model, server, asked, waits, behave):
    server.behaviours = [behave, streams("Tea.")]
    assert list(model.stream(asked)) == ["Tea."]
    assert len(waits) == 1


def test_a_stream_that_breaks_is_an_error_with_the_words_so_far(model, server, asked):
    server.behaviours = [breaks_off("A pot", " of")]
    heard = Hearer(model.stream(asked))
    assert heard.pieces == ["A pot", " of"]
    assert "openai:m broke off" in str(heard.error)
    assert (heard.error.partial, heard.error.transient) == ("A pot of", True)
    assert len(server.requests) == 1
    assert model.usage.output_tokens == estimate_tokens("A pot of")


def test_a_stream_that_ends_without_saying_so_is_broken(model, server, asked):
    server.behaviours = [streams("A pot", done=False)]
    error = Hearer(model.stream(asked)).error
    assert "broke off" in str(error)
    assert error.partial == "A pot"


@pytest.mark.parametrize("behave", [hangs("A pot"), drips("A pot", drop=b": wait\n\n")])
def test_a_stream_that_stalls_is_ended(model_of, server, asked, behave):
    server.behaviours = [behave]
    heard = Hearer(model_of(timeout_s=HASTY_S).stream(asked))
    assert heard.pieces == ["A pot"]
    assert "timed out" in str(heard.error)
    assert (heard.error.partial, heard.error.transient) == ("A pot", True)


@pytest.mark.parametrize("behave", [hangs(), drips(drop=b": wait\n\n")])
def test_a_stream_that_never_begins_is_ended(model_of, server, asked, behave):
    server.behaviours = [behave]
    heard = Hearer(model_of(timeout_s=HASTY_S, retries=1).stream(asked))
    assert "timed out" in str(heard.error)
    assert server.received(2)


@pytest.mark.parametrize("event", ["{", "tea", "[]", "null", "7"])
def test_an_event_that_is_no_piece_is_an_answer_error(model, server, asked, event):
    def behave(exchange, _):
        exchange.begin_stream()
        exchange.send_event(piece("A pot"))
        exchange.send_event(event)
        exchange.end_stream()

    server.behaviours = [behave]
    heard = Hearer(model.stream(asked))
    assert isinstance(heard.error, ModelAnswerError)
    assert heard.error.partial == "A pot"


def test_an_error_in_the_stream_is_an_error(model, server, asked):
    server.behaviours = [streams("A pot", {"error": {"code": 502, "message": "overloaded sk-secret"}})]
    heard = Hearer(model.stream(asked))
    assert str(heard.error) == "openai:m failed: overloaded [key]"
    assert heard.error.partial == "A pot"


def test_a_wrong_request_is_an_error(model, server, asked):
    server.behaviours = [fails(404)]
    with pytest.raises(ModelError, match="knows no model 'm'"):
        next(model.stream(asked))


@pytest.mark.parametrize("behave", [streams(), streams(" "), streams(piece(reason="stop"))])
def test_a_stream_without_words_is_an_answer_error(model, server, asked, behave):
    server.behaviours = [behave]
    with pytest.raises(ModelAnswerError, match="answered nothing"):
        list(model.stream(asked))


@pytest.mark.parametrize("behave", [says("Tea."), sends(b"")])
def test_an_answer_that_is_no_stream_is_an_error(model_of, server, asked, behave):
    server.behaviours = [behave]
    with pytest.raises(ModelError, match="broke off"):
        list(model_of(retries=0).stream(asked))


def test_a_refusal_in_pieces_is_an_answer_error(model, server, asked):
    server.behaviours = [streams(piece(refusal="I will"), piece(refusal=" not."), piece(reason="stop"))]
    with pytest.raises(ModelAnswerError, match=r"refused to answer: I will not\."):
        list(model.stream(asked))


def test_content_filtered_on_the_way_is_a_refusal_after_the_words(model, server, asked):
    server.behaviours = [streams("It was", piece(reason="content_filter"))]
    heard = Hearer(model.stream(asked))
    assert heard.pieces == ["It was"]
    assert "filtered" in str(heard.error)
    assert heard.error.partial == "It was"


def test_a_spent_budget_streams_nothing(model_of, server, asked):
    server.behaviours = [streams("Tea.")]
    model = model_of(costs=Costs(budget_tokens=14))
    list(model.stream(asked))
    with pytest.raises(BudgetExceededError):
        model.stream(asked)
    assert len(server.requests) == 1


def test_what_the_caller_raises_in_the_loop_is_the_callers(model, server, asked):
    server.behaviours = [talks_on()]

    def stumble():
        for _ in model.stream(asked):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stumble()
    assert server.hung_up.wait(WAIT_S)

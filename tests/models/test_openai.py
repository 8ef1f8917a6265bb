"""The client against a local server that speaks the protocol, well and badly: whole answers."""

import pytest
from tests.models.server import (
    HASTY_S,
    WAIT_S,
    completion,
    cuts_the_body,
    drips,
    hangs,
    hangs_up,
    says,
    sends,
)

from recollect.errors import ModelAnswerError, ModelError
from recollect.models import LanguageModel, Usage, sending


def test_an_answer_is_its_words_its_end_and_its_use(model, asked):
    answer = model.complete(asked)
    assert (answer.text, answer.finish_reason) == ("Tea.", "stop")
    assert answer.usage == Usage(calls=1, input_tokens=11, output_tokens=3)


def test_nothing_is_sent_but_what_was_asked(model, server, asked):
    model.complete(asked)
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What?"}]
    assert (server.paths, server.requests) == (
        ["/v1/chat/completions"],
        [{"model": "m", "messages": messages}],
    )


def test_settings_are_sent(model_of, server, asked):
    model = model_of(temperature=0.0, extra_body={"keep_alive": "5m"})
    model.complete(asked, max_tokens=7)
    sent = server.requests[0]
    assert (sent["temperature"], sent["keep_alive"], sent["max_tokens"]) == (0.0, "5m", 7)


def test_it_fills_the_role(model):
    assert isinstance(model, LanguageModel)
    assert model.name == "openai:m"


def test_words_in_parts_are_joined(model, server, asked):
    parts = [{"type": "text", "text": "Te"}, {"type": "text", "text": "a."}, {"type": "image"}, "odd"]
    server.behaviours = [says(parts)]
    assert model.complete(asked).text == "Tea."


def test_a_cut_answer_says_so(model, server, asked):
    server.behaviours = [says("Te", reason="length")]
    assert model.complete(asked, max_tokens=1).finish_reason == "length"


def test_a_server_that_does_not_answer_times_out(model_of, server, asked):
    server.behaviours = [hangs()]
    with pytest.raises(ModelError, match=r"timed out: .* longer than 0\.5 s; raise timeout_s") as caught:
        model_of(timeout_s=HASTY_S, retries=1).complete(asked)
    assert caught.value.transient
    assert server.received(2)


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_server_that_only_keeps_the_line_busy_times_out(model_of, server, asked, kind):
    server.behaviours = [drips(kind=kind)]
    with pytest.raises(ModelError, match="timed out"):
        model_of(timeout_s=HASTY_S, retries=0).complete(asked)
    assert server.hung_up.wait(WAIT_S)


@pytest.mark.parametrize("behave", [cuts_the_body, hangs_up])
def test_a_connection_that_breaks_is_tried_again(model, server, asked, behave):
    server.behaviours = [behave, says("Tea.")]
    assert model.complete(asked).text == "Tea."


@pytest.mark.parametrize("behave", [cuts_the_body, hangs_up])
def test_a_connection_that_keeps_breaking_is_an_error(model_of, server, asked, behave):
    server.behaviours = [behave]
    with pytest.raises(ModelError, match="broke off") as caught:
        model_of(retries=1).complete(asked)
    assert caught.value.transient


def test_a_server_that_is_not_there_is_named(model_of, server, asked):
    server.server_close()
    with pytest.raises(ModelError, match=f"cannot be reached at {server.url}.*does the server run") as caught:
        model_of(retries=1).complete(asked)
    assert caught.value.transient


def test_a_closed_model_is_an_error(model, asked):
    model.close()
    with pytest.raises(ModelError, match="closed"):
        model.complete(asked)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"<html>a proxy's page</html>",
        b"null",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b"[" * 100_000,
        {},
        {"choices": []},
        {"choices": None},
        {"choices": {}},
        {"choices": ["Tea."]},
    ],
)
def test_an_answer_that_is_no_completion_is_an_answer_error(model, server, asked, body):
    server.behaviours = [sends(body)]
    with pytest.raises(ModelAnswerError, match=f"{server.url} did not answer as an OpenAI-compatible server"):
        model.complete(asked)
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["", "  \n", None, 7, [], {"text": "Tea."}])
def test_an_answer_without_words_is_an_answer_error(model, server, asked, text):
    server.behaviours = [says(text)]
    with pytest.raises(ModelAnswerError, match=r"openai:m answered nothing \(finish_reason stop\)"):
        model.complete(asked)


def test_an_answer_of_nothing_but_thoughts_says_to_raise_max_tokens(model, server, asked):
    server.behaviours = [says("", reason="length", reasoning_content="Hm, what do they drink?")]
    with pytest.raises(ModelAnswerError, match="max_tokens before its first word; raise it"):
        model.complete(asked, max_tokens=5)


@pytest.mark.parametrize("message", [None, "Tea.", []])
def test_an_answer_without_a_message_is_an_answer_error(model, server, asked, message):
    body = completion()
    body["choices"][0] |= {"message": message, "finish_reason": None}
    server.behaviours = [sends(body)]
    with pytest.raises(ModelAnswerError, match=r"answered nothing$"):
        model.complete(asked)


def test_a_refusal_is_an_answer_error_and_counted(model, server, asked):
    server.behaviours = [says(None, refusal="I will not.")]
    with pytest.raises(ModelAnswerError, match=r"openai:m refused to answer: I will not\."):
        model.complete(asked)
    assert model.usage.output_tokens == 3
    assert len(server.requests) == 1


def test_filtered_content_is_a_refusal(model, server, asked):
    server.behaviours = [says("It was", reason="content_filter")]
    with pytest.raises(ModelAnswerError, match=r"refused.*filtered") as caught:
        model.complete(asked)
    assert caught.value.partial == "It was"


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": 502, "message": "it went wrong"}},
        {"error": "it went wrong"},
        {"choices": [{"finish_reason": "error", "error": {"message": "it went wrong"}}]},
    ],
)
def test_an_error_under_a_good_status_is_tried_again(model, server, asked, body):
    server.behaviours = [sends(body), says("Tea.")]
    assert model.complete(asked).text == "Tea."
    server.behaviours = [sends(body)]
    with pytest.raises(ModelError, match="openai:m failed: it went wrong"):
        model.complete(asked)


def test_an_error_under_a_good_status_that_stays_is_an_error_at_once(model, server, asked):
    server.behaviours = [sends({"error": {"code": 402, "message": "no credits"}})]
    with pytest.raises(ModelError, match="no credits"):
        model.complete(asked)
    assert len(server.requests) == 1


def test_a_huge_answer_comes_whole(model, server, asked):
    server.behaviours = [says("tea " * 500_000)]
    assert len(model.complete(asked).text) == 2_000_000


def test_an_answer_without_end_is_cut_off(model, server, asked, monkeypatch):
    monkeypatch.setattr(sending, "_MOST_BYTES", 100_000)
    server.behaviours = [drips(drop=b"x" * 10_000)]
    with pytest.raises(ModelAnswerError, match="larger than 100,000 bytes"):
        model.complete(asked)
    assert server.hung_up.wait(WAIT_S)

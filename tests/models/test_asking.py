"""What cannot be asked, or set, is refused before anything is sent."""

import sys

import pytest

from recollect.errors import InvalidInputError, MissingExtraError, ModelError
from recollect.models import ChatMessage, Costs, OpenAIModel, Price

CENTS = Price(input_per_million=1000.0, output_per_million=2000.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "localhost:11434"},
        {"timeout_s": 0.0},
        {"timeout_s": -1.0},
        {"timeout_s": float("nan")},
        {"retries": -1},
        {"retries": 21},
        {"retries": True},
        {"temperature": 2.5},
        {"temperature": "hot"},
        {"extra_body": {"odd": object()}},
    ],
)
def test_settings_out_of_range_are_refused(model_of, wrong):
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        model_of(**wrong)


@pytest.mark.parametrize(
    "wrong", [{"budget_usd": 1.0}, {"budget_usd": -1.0, "price": CENTS}, {"budget_tokens": 0}]
)
def test_costs_out_of_range_are_refused(wrong):
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        Costs(**wrong)


def test_what_are_no_costs_is_refused(model_of):
    with pytest.raises(InvalidInputError, match="costs must be Costs, not 5"):
        model_of(costs=5)


def test_a_model_needs_a_name():
    with pytest.raises(InvalidInputError, match="model must name"):
        OpenAIModel(" ", api_key="k")


def test_a_price_is_not_negative():
    with pytest.raises(InvalidInputError, match="output_per_million"):
        Price(input_per_million=1.0, output_per_million=-1.0)


@pytest.mark.parametrize(
    ("messages", "wrong"),
    [
        ("What?", "messages must be a list"),
        ([], "at least one"),
        ([{"role": "user", "content": "What?"}], r"messages\[0\] must be a ChatMessage"),
        ([ChatMessage(role="user", content=None)], r"messages\[0\]"),
        ([ChatMessage(role="judge", content="What?")], "role must be one of system, user, assistant"),
        ([ChatMessage(role="user", content="\ud800")], r"messages\[0\] content contains half"),
    ],
)
def test_messages_that_cannot_be_sent_are_refused(model, server, messages, wrong):
    with pytest.raises(InvalidInputError, match=wrong):
        model.complete(messages)
    with pytest.raises(InvalidInputError, match=wrong):
        model.stream(messages)
    assert server.requests == []


@pytest.mark.parametrize("wrong", [{"max_tokens": 0}, {"max_tokens": 1.5}, {"json_schema": ["a"]}])
def test_wishes_that_cannot_be_sent_are_refused(model, server, asked, wrong):
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        model.complete(asked, **wrong)
    assert server.requests == []


def test_without_the_sdk_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'recollect\[openai\]'"):
        OpenAIModel("m", api_key="k")


@pytest.mark.parametrize("address", ["http://[::1", "https://\0/v1"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(InvalidInputError, match="base_url, or OPENAI_BASE_URL, is not an address"):
        OpenAIModel("m", api_key="k", base_url=address)


def test_a_proxy_that_cannot_be_used_is_a_model_error(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "nonsense://127.0.0.1:9")
    with pytest.raises(ModelError, match=r"openai:m cannot be asked: .*nonsense"):
        OpenAIModel("m", api_key="k")

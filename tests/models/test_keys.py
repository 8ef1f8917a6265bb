"""Keys go where they belong, and are shown nowhere."""

import logging
import traceback

import pytest
from tests.models.server import (
    fails,
)

from recollect.errors import InvalidInputError, ModelError
from recollect.models import OpenAIModel


def test_the_key_given_is_sent(model, server, asked):
    model.complete(asked)
    assert server.headers[0]["authorization"] == "Bearer sk-secret"


def test_nothing_from_the_environment_is_sent_to_another_server(model_of, server, asked, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-only")
    monkeypatch.setenv("OPENAI_ORG_ID", "for-openai-only")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "for-openai-only")
    model_of(api_key=None).complete(asked)
    assert "for-openai-only" not in str(server.headers)


def test_the_sdk_reads_the_environment_when_no_server_is_named(model_of, server, asked, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from-outside")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    model_of(api_key=None, base_url=None).complete(asked)
    assert server.headers[0]["authorization"] == "Bearer from-outside"


@pytest.mark.parametrize("key", [None, "", "  "])
def test_no_key_is_an_error_that_says_what_to_do(monkeypatch, key):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_ADMIN_KEY", raising=False)
    with pytest.raises(ModelError, match="set OPENAI_API_KEY or pass api_key"):
        OpenAIModel("m", api_key=key)


@pytest.mark.parametrize("key", ["sk-secret\n", " sk-secret", "sk-\u20acsecret", "sk-\0secret"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key):
    with pytest.raises(InvalidInputError, match=r"strip\(\)") as caught:
        OpenAIModel("m", api_key=key)
    assert "secret" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_key_that_the_server_repeats_is_not_shown(model, server, asked, caplog, status):
    caplog.set_level(logging.DEBUG, logger="recollect")
    server.behaviours = [fails(status, "wrong key: sk-secret")]
    with pytest.raises(ModelError) as caught:
        model.complete(asked)
    assert "wrong key: [key]" in str(caught.value)
    shown = "".join(traceback.format_exception(caught.value))
    assert "sk-secret" not in shown + caplog.text + repr(model) + repr(model._endpoint)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Incorrect API key: sk-proj-*****wxyz. Find it", "Incorrect API key: [key]. Find it"),
        ("key 'sk-proj-abcdef...' is wrong", "key '[key]...' is wrong"),
        ("Your api key: ****wxyz is invalid", "Your api key: [key] is invalid"),
        ("key sk-proj-abcdef0123456789wxyz!", "key [key]!"),
        ("ask-proj sees **bold** words, wxyz and sk-", "ask-proj sees **bold** words, wxyz and sk-"),
    ],
)
def test_a_part_of_the_key_is_not_shown_either(model_of, server, asked, said, shown):
    model = model_of(api_key="sk-proj-abcdef0123456789wxyz", retries=0)
    server.behaviours = [fails(401, said)]
    with pytest.raises(ModelError) as caught:
        model.complete(asked)
    assert str(caught.value).endswith(shown)
    if "[key]" in shown:
        assert "wxyz" not in "".join(traceback.format_exception(caught.value))
        assert "sk-proj" not in "".join(traceback.format_exception(caught.value))


def test_a_password_in_the_address_is_not_shown(model_of, server, asked):
    url = server.url.replace("http://", "http://ada:hunter2@")
    model = model_of(base_url=url, retries=0)
    server.behaviours = [fails(404)]
    with pytest.raises(ModelError, match=server.url) as caught:
        model.complete(asked)
    assert "hunter2" not in str(caught.value) + repr(model)


def test_a_servers_words_are_shown_in_one_short_line(model, server, asked):
    server.behaviours = [fails(400, "line\r\nbreak \x1b[31m" + "x" * 1000)]
    with pytest.raises(ModelError, match=r"line break \[31mx+…$") as caught:
        model.complete(asked)
    assert len(str(caught.value)) < 400

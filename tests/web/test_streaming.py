"""The chat with a language model, whose words come one by one."""

import threading

import pytest
from playwright.sync_api import expect
from tests.models.server import ChatServer, fails, hangs, streams

from recollect.server.models import ModelDesk

QUESTION = "When does Nora visit?"


@pytest.fixture
def chat_server():
    """A server that speaks OpenAI's protocol."""
    with ChatServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def models(chat_server):
    """Its model."""
    return ModelDesk(model="mini", base_url=chat_server.url, api_key="a-key")


def ask(page):
    page.get_by_label("Your message").fill(QUESTION)
    page.get_by_label("Your message").press("Enter")


def test_words_are_shown_as_they_come_and_can_be_stopped(page, at, chat_server):
    chat_server.behaviours = [hangs("She comes ", "on the ")]
    at("/")
    ask(page)
    words = page.locator(".answer .words.streaming")
    expect(words).to_have_text("She comes on the ")
    page.get_by_role("button", name="Stop the answer").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    chat_server.over.set()


def test_an_answer_names_its_model_and_what_it_cost_is_counted(page, at, chat_server):
    chat_server.behaviours = [streams("She comes ", "on **14** December.")]
    at("/")
    ask(page)
    expect(page.locator(".answer .words")).to_have_text("She comes on **14** December.")
    expect(page.get_by_text("Answered by openai:mini")).to_be_visible()
    expect(page.get_by_role("region", name="Memories for this answer")).to_contain_text("14th of December")
    at("/stats")
    expect(page.get_by_role("region", name="Cost")).to_contain_text("Tokens in")


def test_a_model_that_fails_is_said_to_and_the_message_is_kept(page, at, chat_server):
    chat_server.behaviours = [fails(400, "no such model")]
    at("/")
    ask(page)
    expect(page.get_by_role("alert")).to_contain_text("There is no answer.")
    at("/memories")
    expect(page.locator(".memory").first).to_contain_text(QUESTION)

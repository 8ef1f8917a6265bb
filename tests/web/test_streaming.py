"""The chat with a language model, whose words come one by one."""

import re
import threading

import pytest
from playwright.sync_api import expect
from tests.models.server import ChatServer, breaks_off, fails, hangs, streams

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


def send(page):
    page.get_by_label("Your message").fill(QUESTION)
    page.get_by_label("Your message").press("Enter")


def test_words_are_shown_as_they_come_and_can_be_stopped(page, at, chat_server):
    chat_server.behaviours = [hangs("She comes ", "on the ")]
    at("/")
    send(page)
    words = page.locator(".markdown.streaming")
    expect(words).to_have_text("She comes on the ")
    page.get_by_role("button", name="Stop the answer").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    chat_server.over.set()


def test_an_answer_names_its_model_and_what_it_cost_is_counted(page, at, chat_server):
    chat_server.behaviours = [streams("She comes ", "on **14** December.")]
    at("/")
    send(page)
    expect(page.locator(".answer .markdown")).to_have_text("She comes on 14 December.")
    expect(page.locator(".markdown strong")).to_have_text("14")
    expect(page.get_by_text("Answered by openai:mini")).to_be_visible()
    page.get_by_role("button", name=re.compile("memories came up")).click()
    expect(page.get_by_role("region", name="Memories for this answer")).to_contain_text("14th of December")
    at("/stats")
    expect(page.locator(".tile").filter(has_text="Cost")).to_contain_text("1 call")
    page.get_by_text("Details", exact=True).click()
    expect(page.get_by_role("region", name="Cost")).to_contain_text("Tokens in")


def test_a_model_that_fails_is_said_to_and_the_message_is_kept(page, at, chat_server):
    chat_server.behaviours = [fails(400, "no such model")]
    at("/")
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("There is no answer.")
    at("/memories")
    expect(page.locator(".memory").first).to_contain_text(QUESTION)


MARKDOWN = """## Where it is

In the **cellar** [1], see `house.md`:

1. open the door
2. look behind the *shelf*

```python
print("boiler [1]")
```

| part | place |
|---|---|
| boiler | cellar |

Some <script>document.title='pwned'</script> [a link](https://example.org)
[no link](javascript:alert(1)) [9]"""


def test_an_answer_in_markdown_is_set_and_its_citations_open_the_document(page, at, served, chat_server):
    chat_server.behaviours = [streams(MARKDOWN)]
    sent = {"text": "The boiler of the house is in the cellar.", "source": "house.md", "title": "House"}
    page.request.post(f"{served.url}documents", data=sent)
    at("/")
    page.get_by_label("Your message").fill("Where is the boiler of the house?")
    page.get_by_label("Your message").press("Enter")
    answer = page.locator(".answer .markdown")
    expect(answer.locator(".heading")).to_have_text("Where it is")
    expect(answer.locator("ol li em")).to_have_text("shelf")
    expect(answer.locator("pre code")).to_have_text('print("boiler [1]")')
    expect(answer.get_by_role("cell", name="boiler")).to_be_visible()
    expect(answer).to_contain_text("<script>document.title='pwned'</script>")
    expect(answer).to_contain_text("no link [9]")
    expect(answer.get_by_role("link")).to_have_count(1)
    cited = answer.get_by_role("button", name="Source 1: House")
    expect(cited).to_have_count(1)
    cited.click()
    expect(page.get_by_role("dialog")).to_contain_text(sent["text"])


def test_a_citation_of_a_deleted_document_says_so(page, at, served, chat_server):
    chat_server.behaviours = [streams("In the cellar [1].")]
    sent = {"text": "The boiler of the house is in the cellar.", "source": "house.md", "title": "House"}
    document = page.request.post(f"{served.url}documents", data=sent).json()["document_id"]
    at("/")
    page.get_by_label("Your message").fill("Where is the boiler of the house?")
    page.get_by_label("Your message").press("Enter")
    cited = page.locator(".answer .markdown").get_by_role("button", name="Source 1: House")
    expect(cited).to_be_visible()
    page.request.delete(f"{served.url}documents/{document}")
    cited.click()
    expect(page.get_by_role("dialog")).to_contain_text("It was deleted")
    page.keyboard.press("Escape")
    page.reload()
    expect(page.get_by_role("list", name="Sources")).to_contain_text("[1] House (deleted)")
    expect(page.locator(".markdown s")).to_have_text("[1]")
    page.complaints[:] = [said for said in page.complaints if "404" not in said]


def test_an_answer_that_is_cut_off_keeps_its_words(page, at, chat_server):
    chat_server.behaviours = [breaks_off("She comes on ")]
    at("/")
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("The answer was cut off.")
    expect(page.locator(".answer .markdown")).to_have_text("She comes on")
    page.reload()
    expect(page.locator(".answer .markdown")).to_have_text("She comes on")
    expect(page.locator(".answer")).to_contain_text("the model failed before it was complete")

"""The chat: answers with what was remembered, citations, conversations of before."""

import re

from playwright.sync_api import expect
from tests.web.browser import ask

QUESTION = "When does Nora visit?"
HOUSE = {
    "text": "The boiler of the house is in the cellar, behind the shelf.",
    "source": "house.md",
    "title": "House",
}


def test_an_answer_comes_with_what_was_remembered_for_it_and_why(page, at):
    at("/")
    panel = ask(page, QUESTION)
    activated = panel.get_by_role("list", name="Activated memories").get_by_role("listitem")
    expect(activated.filter(has_text="Nora will visit on the 14th of December")).to_have_count(1)
    expect(panel.get_by_role("list", name="Candidate memories").get_by_role("listitem").first).to_be_visible()
    expect(panel.get_by_role("list", name="Legend of the bars")).to_contain_text("Threshold")
    bar = panel.get_by_role("img", name=re.compile(r"Score 0\.\d\d: .*Meaning .*; threshold 0\.\d\d"))
    expect(bar.first).to_be_visible()
    expect(page.get_by_role("log")).to_contain_text("14th of December")
    row = activated.first.get_by_role("button")
    row.click()
    why = page.get_by_role("dialog", name="Why this memory")
    expect(why).to_contain_text(QUESTION)
    expect(why.get_by_role("row", name=re.compile("Meaning 0")).first).to_be_visible()
    expect(why).to_contain_text("Activated: its words went into the prompt.")
    page.keyboard.press("Escape")
    expect(why).to_be_hidden()
    expect(row).to_be_focused()


def test_what_was_remembered_is_one_line_until_it_is_opened(page, at):
    at("/")
    page.get_by_label("Your message").fill(QUESTION)
    page.get_by_label("Your message").press("Enter")
    panel = page.get_by_role("region", name="Memories for this answer")
    fold = panel.get_by_role("button", name=re.compile(r"\d+ memories came up, of \d+"))
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(panel.get_by_role("list")).to_have_count(0)
    fold.press("Enter")
    expect(panel.get_by_role("list", name="Activated memories")).to_be_visible()


def test_an_answer_names_its_sources_which_open(page, at, served):
    added = page.request.post(f"{served.url}documents", data=HOUSE)
    assert added.status == 201, added.text()
    at("/")
    ask(page, "Where is the boiler of the house?")
    page.get_by_role("list", name="Sources").get_by_role("button", name="[1] House").click()
    expect(page.get_by_role("dialog")).to_contain_text(HOUSE["text"])


def test_an_example_fills_the_box_and_is_not_sent(page, at):
    at("/")
    example = "What do you know about me?"
    page.get_by_role("button", name=example).click()
    expect(page.get_by_label("Your message")).to_have_value(example)
    expect(page.get_by_label("Your message")).to_be_focused()
    expect(page.get_by_role("log")).to_have_count(0)


def test_a_conversation_survives_a_reload_and_goes_on(page, at):
    at("/")
    ask(page, QUESTION)
    answer = page.locator(".answer .markdown").inner_text()
    page.reload()
    expect(page.get_by_role("log")).to_contain_text(QUESTION)
    expect(page.locator(".answer .markdown")).to_have_text(answer, use_inner_text=True)
    expect(page.get_by_role("button", name=re.compile("memories came up"))).to_be_visible()
    with page.expect_request("**/api/chat") as sent:
        page.get_by_label("Your message").fill("And who is Pixel?")
        page.get_by_label("Your message").press("Enter")
    expect(page.locator(".turn")).to_have_count(2)
    listed = page.get_by_role("complementary", name="Conversations")
    expect(listed.locator("[aria-current]")).to_contain_text(QUESTION)
    assert sent.value.post_data_json["sessionId"]


def test_a_conversation_is_renamed_closed_and_opened_again(page, at):
    at("/")
    ask(page, QUESTION)
    listed = page.get_by_role("complementary", name="Conversations")
    listed.get_by_role("button", name=f"Rename: {QUESTION}").click()
    listed.get_by_label("Title of the conversation").fill("Visit")
    listed.get_by_label("Title of the conversation").press("Enter")
    visit = listed.get_by_role("listitem").filter(has_text="Visit")
    expect(visit).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(listed.get_by_role("listitem").filter(has_text=QUESTION)).to_have_count(1)
    listed.get_by_role("button", name=f"Close: {QUESTION}").click()
    expect(listed.get_by_role("listitem").first).to_contain_text("closed")
    listed.get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("log")).to_have_count(0)
    listed.get_by_role("button", name=re.compile(f"^{re.escape(QUESTION)}")).click()
    expect(page.get_by_role("log")).to_contain_text(QUESTION)
    expect(page.locator(".answer .markdown")).to_contain_text("14th of December")


def test_a_conversation_without_a_title_is_named_by_how_it_begins(page, at):
    at("/")
    listed = page.get_by_role("complementary", name="Conversations")
    listed.get_by_role("button", name=re.compile("^I prefer planes to trains")).click()
    expect(page.get_by_role("log")).to_contain_text("The lemon tree has eleven lemons.")


def test_the_preset_is_chosen_and_kept(page, at):
    at("/")
    page.get_by_label("Preset").select_option("Semem")
    page.reload()
    expect(page.get_by_label("Preset")).to_have_value("semem")
    with page.expect_request("**/api/chat") as sent:
        ask(page, QUESTION)
    assert sent.value.post_data_json["preset"] == "semem"


def test_a_preset_that_does_not_exist_is_named(page, at):
    at("/")
    page.evaluate("localStorage.setItem('recollect.preset', 'telepathy')")
    page.reload()
    page.get_by_label("Your message").fill(QUESTION)
    page.get_by_label("Your message").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("telepathy")
    expect(page.get_by_role("alert")).to_contain_text("shadow, semem")
    page.complaints[:] = [said for said in page.complaints if "422" not in said]


def test_what_was_said_is_still_there_after_a_look_elsewhere(page, at):
    at("/")
    ask(page, QUESTION)
    page.get_by_role("link", name="Profile").first.click()
    page.get_by_role("link", name="Chat").first.click()
    expect(page.get_by_role("log")).to_contain_text(QUESTION)
    page.get_by_role("complementary", name="Conversations").get_by_role(
        "button", name="New conversation"
    ).click()
    expect(page.get_by_role("log")).to_have_count(0)


def test_a_conversation_that_is_left_is_queued_to_be_learned(page, at):
    at("/")
    ask(page, "I collect stamps of lighthouses, and I love rainy Sundays.")
    with page.expect_response(lambda answer: answer.url.endswith("/end")) as ended:
        page.get_by_role("complementary", name="Conversations").get_by_role(
            "button", name="New conversation"
        ).click()
    assert ended.value.json()["queued"] is True

"""The pictures of the documentation. ``make web-shots`` keeps them; otherwise they are only tried."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.ingest.sources.exports import EPOCH, gpt_conversation, gpt_message, write, zipped
from tests.web.browser import PHONE, ask

QUESTION = "When does Nora visit, and what should I bake?"
WHATSAPP = "13/2/26, 10:00 - Ada: When do you come?\n13/2/26, 10:01 - Nora: On Friday!\n"
MOST_BYTES = 160_000
DESK = {"width": 1120, "height": 700}


@pytest.fixture
def shoot(page: Page, tmp_path: Path):
    """Takes a picture of what is seen, without what blinks."""
    folder = Path(os.environ.get("RECOLLECT_SHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    page.set_viewport_size(DESK)

    def take(name: str) -> None:
        expect(page.locator("main .bones")).to_have_count(0)
        page.mouse.move(0, 0)
        page.evaluate("document.fonts.ready")
        picture = page.screenshot(path=folder / f"{name}.png", animations="disabled", caret="hide")
        assert len(picture) <= MOST_BYTES

    return take


def _search(page: Page, words: str) -> None:
    page.get_by_label("Search the memories").fill(words)
    expect(page.locator(".memory .because").first).to_be_visible()


def test_pictures_of_the_pages(page, at, shoot):
    at("/")
    ask(page, QUESTION)
    shoot("chat")
    page.get_by_role("list", name="Activated memories").get_by_role("button").first.click()
    expect(page.get_by_role("dialog").get_by_role("table")).to_be_visible()
    shoot("why")
    at("/memories")
    _search(page, "what happened to the lemon tree?")
    shoot("memories")
    at("/conflicts")
    expect(page.get_by_role("article").first.locator("blockquote")).to_have_count(2)
    shoot("conflicts")
    at("/timeline")
    expect(page.locator(".day").first).to_be_visible()
    shoot("timeline")


def test_a_picture_of_an_import(page, at, shoot, tmp_path):
    chats = [
        gpt_conversation(
            *(
                gpt_message("user", f"Question {one}", create_time=EPOCH + number * 86_400.0)
                for one in range(26)
            ),
            gpt_message("tool", "42"),
            name=f"c{number}",
        )
        for number in range(312)
    ]
    files = [
        zipped(tmp_path / "chatgpt-export.zip", {"conversations.json": chats}),
        write(tmp_path / "WhatsApp Chat with Nora.txt", WHATSAPP),
    ]
    at("/import")
    page.get_by_label("Files to add").set_input_files(files)
    page.get_by_label("Which of them are you?").select_option("Ada")
    shoot("import")


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}], ids=["dark"])
def test_pictures_in_the_dark(page, at, shoot):
    at("/graph")
    expect(page.locator(".graph .view")).to_have_attribute("data-state", "settled")
    shoot("graph-dark")
    at("/stats")
    expect(page.get_by_role("region", name="Growth").get_by_role("img")).to_be_visible()
    shoot("stats-dark")


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}], ids=["dark"])
def test_pictures_of_a_phone(page, at, shoot):
    page.set_viewport_size(PHONE)
    at("/profile")
    expect(page.locator(".fact").first).to_be_visible()
    shoot("profile-phone-dark")
    at("/")
    ask(page, QUESTION)
    shoot("chat-phone-dark")

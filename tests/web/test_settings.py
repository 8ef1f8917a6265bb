"""The settings: users, files in and out, everything deleted."""

import re

from playwright.sync_api import expect


def test_everything_is_downloaded_and_read_in_again(page, at, tmp_path):
    at("/settings")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download my data").click()
    started.value.save_as(tmp_path / "all.jsonl")
    assert "Nora" in (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    page.get_by_role("link", name="Import files").click()
    page.get_by_label("Files to add").set_input_files(tmp_path / "all.jsonl")
    expect(page.get_by_text("Recollect export")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text(re.compile(r"0 memories added, \d+ there already"))).to_be_visible()


def test_everything_is_deleted_once_the_name_is_typed(page, at, served):
    at("/settings")
    danger = page.get_by_role("region", name="Delete my data")
    button = danger.get_by_role("button", name="Delete my data")
    danger.get_by_label("Type “default” to confirm").fill("defaul")
    expect(button).to_be_disabled()
    danger.get_by_label("Type “default” to confirm").fill("default")
    button.click()
    expect(page.get_by_text(re.compile(r"\d+ memories deleted for good\."))).to_be_visible()
    assert page.request.get(f"{served.url}memories").json()["items"] == []
    assert page.request.get(f"{served.url}memories/deleted").json()["items"] == []


def test_the_users_are_listed_and_a_click_shows_one(page, at, served):
    page.request.post(f"{served.url}memories", data={"messages": "Bo grows beans.", "user_id": "bo"})
    at("/settings")
    users = page.get_by_role("list", name="Users with memories")
    expect(users.get_by_role("button", name="default")).to_have_attribute("aria-pressed", "true")
    users.get_by_role("button", name="bo").click()
    expect(page.get_by_text("Showing the memories of bo.")).to_be_visible()
    at("/memories")
    expect(page.locator(".memory")).to_contain_text(["Bo grows beans."])


def test_a_project_of_a_coding_agent_is_seen_and_renamed(page, at, served):
    from recollect import Memory

    with Memory(served.path) as memory:
        said = {"host": "codex", "project": "github.com/acme/app"}
        memory.add(["We use PostgreSQL.", "Noted."], user_id="default", metadata=said)
    at("/settings")
    card = page.get_by_role("region", name="Projects")
    expect(card.get_by_text(re.compile("2 messages from codex, the last one on"))).to_be_visible()
    card.get_by_label("Name of github.com/acme/app").fill("the app")
    card.get_by_role("button", name="Rename").click()
    expect(page.get_by_text("2 messages in the app now.")).to_be_visible()
    expect(card.get_by_label("Name of the app")).to_have_value("the app")


def test_without_coding_agents_there_are_no_projects(page, at):
    at("/settings")
    page.get_by_role("region", name="Delete my data").wait_for()
    expect(page.get_by_role("region", name="Projects")).to_have_count(0)

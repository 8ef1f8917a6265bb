"""Files on their way in: what each is, what it would bring, what is asked, and what came of it."""

import json
import re
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from tests.ingest.sources.exports import (
    gemini_page,
    gpt_conversation,
    gpt_message,
    mem0_memory,
    write,
    zipped,
)
from tests.web.browser import PHONE, findings

DROP = """(files) => {
  const held = new DataTransfer();
  for (const [name, words] of files) held.items.add(new File([words], name));
  for (const type of ["dragover", "drop"]) {
    window.dispatchEvent(new DragEvent(type, { dataTransfer: held, bubbles: true, cancelable: true }));
  }
}"""
WHATSAPP = "13/2/26, 10:00 - Ada: Bees like thyme\n13/2/26, 10:01 - Bob: Ho\n"
UNCLEAR = "3/4/26, 10:00 - Ada: Bees like thyme\n"


REFUSED = "status of 422"


@pytest.fixture(autouse=True)
def refusals(page):
    """Chromium itself complains about each 422, which is how the server says what a file lacks."""
    yield
    page.complaints[:] = [one for one in page.complaints if REFUSED not in one]


@pytest.fixture
def chatgpt(tmp_path: Path) -> Path:
    chat = gpt_conversation(
        gpt_message("user", "Bees like thyme", create_time=1_700_000_000.0),
        gpt_message("tool", "42"),
        gpt_message("assistant", "They do", create_time=1_700_000_060.0),
        title="Bees",
    )
    return zipped(tmp_path / "chatgpt.zip", {"conversations.json": [chat, 17]})


def card(page, name):
    return (
        page.get_by_role("list", name="Files")
        .locator("> li")
        .filter(has=page.get_by_role("heading", name=name, exact=True))
    )


def memories(page, served):
    return [one["content"] for one in page.request.get(f"{served.url}memories?limit=1000").json()["items"]]


def test_an_export_is_looked_at_first_and_imported_on_a_click(page, at, served, chatgpt):
    at("/import")
    before = memories(page, served)
    page.get_by_label("Files to add").set_input_files(chatgpt)
    shown = card(page, "chatgpt.zip")
    expect(shown).to_contain_text("ChatGPT export")
    expect(shown).to_contain_text("1 conversation, 2 messages on 14 Nov 2023")
    expect(shown.get_by_role("list", name="What importing would do")).to_have_text("2 new")
    expect(shown).to_contain_text("Left out: tool messages (1).")
    shown.get_by_text("1 record cannot be read").click()
    expect(shown).to_contain_text("conversations.json, record 2 it has another shape")
    assert memories(page, served) == before
    page.get_by_role("button", name="Import", exact=True).click()
    expect(shown).to_contain_text("2 memories added.")
    shown.get_by_role("link", name="See the memories").click()
    expect(page.locator(".memory").filter(has_text="Bees like thyme")).to_have_count(1)
    page.get_by_role("link", name="Import", exact=True).first.click()
    page.get_by_label("Files to add").set_input_files(chatgpt)
    again = card(page, "chatgpt.zip").last
    expect(again.get_by_role("list", name="What importing would do")).to_have_text("2 there already")


def asked_of(page):
    """The requests that send or name a file, as they are made."""
    asked = []
    page.on("request", lambda one: asked.append(f"{one.method} {one.url.split('/')[-1].split('?')[0]}"))
    return asked


def test_a_file_is_sent_once_and_removed_when_it_was_imported(page, at, served, chatgpt):
    at("/import")
    asked = asked_of(page)
    page.get_by_label("Files to add").set_input_files(chatgpt)
    expect(card(page, "chatgpt.zip")).to_contain_text("2 new")
    with page.expect_response(lambda one: one.request.method == "DELETE") as removed:
        page.get_by_role("button", name="Import", exact=True).click()
    assert removed.value.status == 200
    expect(card(page, "chatgpt.zip")).to_contain_text("2 memories added.")
    assert [one for one in asked if one.startswith("POST")] == ["POST uploads", "POST import", "POST import"]


def test_a_file_that_is_not_kept_any_more_is_sent_again(page, at, served, chatgpt):
    at("/import")
    asked = asked_of(page)
    with page.expect_request("**/import?*") as looked:
        page.get_by_label("Files to add").set_input_files(chatgpt)
    expect(card(page, "chatgpt.zip")).to_contain_text("2 new")
    (upload,) = parse_qs(urlsplit(looked.value.url).query)["upload"]
    assert page.request.delete(f"{served.url}uploads/{upload}").ok
    page.get_by_role("button", name="Import", exact=True).click()
    expect(card(page, "chatgpt.zip")).to_contain_text("2 memories added.")
    assert asked.count("POST uploads") == 2
    page.complaints[:] = [one for one in page.complaints if "status of 404" not in one]


def test_a_file_that_is_taken_off_the_list_is_removed_from_the_server(page, at, chatgpt):
    at("/import")
    page.get_by_label("Files to add").set_input_files(chatgpt)
    expect(card(page, "chatgpt.zip")).to_contain_text("2 new")
    with page.expect_response(lambda one: one.request.method == "DELETE") as removed:
        page.get_by_role("button", name="Remove chatgpt.zip from the list").click()
    assert removed.value.status == 200


def test_an_export_that_breaks_off_is_never_called_imported(page, at, served, tmp_path):
    chat = gpt_conversation(gpt_message("user", "Bees like thyme"))
    (tmp_path / "conversations.json").write_text(json.dumps([chat, chat])[:-40])
    at("/import")
    page.get_by_label("Files to add").set_input_files(tmp_path / "conversations.json")
    shown = card(page, "conversations.json")
    expect(shown.get_by_role("alert")).to_contain_text("It breaks off or is damaged")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(shown.get_by_role("status")).to_contain_text("Not all of it is imported. 1 memory added.")
    assert "Bees like thyme" in memories(page, served)


def test_files_are_dropped_on_any_page_and_each_says_what_it_is(page, at, served):
    at("/memories")
    page.locator(".memory").first.wait_for()
    messages = "\n".join(
        json.dumps({"content": words}) for words in ("Bees like thyme.", "Bees sleep in winter.")
    )
    files = [
        ["boiler.md", "# Boiler\n\nThe boiler is in the cellar."],
        ["bees.jsonl", messages],
        ["a.zip", "PK\x03\x04 and no more"],
        ["shed.txt", "The shed is green."],
    ]
    page.evaluate(DROP, files)
    expect(card(page, "boiler.md")).to_contain_text("Document")
    expect(card(page, "bees.jsonl")).to_contain_text("2 messages")
    expect(card(page, "a.zip").get_by_role("alert")).to_contain_text("is a zip archive that breaks off")
    expect(card(page, "shed.txt")).to_contain_text("Document")
    page.get_by_role("button", name="Import 3 files").click()
    expect(card(page, "boiler.md")).to_contain_text("1 memory added.")
    expect(card(page, "bees.jsonl")).to_contain_text("2 memories added.")
    expect(card(page, "shed.txt")).to_contain_text("1 memory added.")
    page.get_by_role("link", name="Memories", exact=True).first.click()
    expect(page.locator(".memory").filter(has_text="The boiler is in the cellar")).to_have_count(1)
    page.get_by_label("Conversation", exact=True).select_option("bees")
    expect(page.locator(".memory").filter(has_text="thyme")).to_have_count(1)


def test_a_page_of_what_was_said_to_gemini_is_no_document(page, at):
    at("/import")
    said = ("Prompted How many eyes has a bee?", "2 Mar 2026, 10:00:00 UTC", "<p>Five.</p>")
    page.evaluate(DROP, [["MyActivity.html", gemini_page(said)], ["bees.html", "<p>A bee has eyes.</p>"]])
    expect(card(page, "MyActivity.html")).to_contain_text("1 conversation, 2 messages")
    expect(card(page, "bees.html")).to_contain_text("Document")


def test_what_a_file_does_not_say_is_asked_for(page, at, served, tmp_path):
    at("/import")
    write(tmp_path / "Chat with Bob.txt", UNCLEAR + "3/4/26, 10:01 - Bob: Ho\n")
    page.get_by_label("Files to add").set_input_files(tmp_path / "Chat with Bob.txt")
    chat = card(page, "Chat with Bob.txt")
    chat.get_by_label("How are its dates written?").select_option(label="Day first: 31/12/2026")
    chat.get_by_role("button", name="Continue").click()
    expect(chat).to_contain_text("2 messages on 3 Apr 2026")
    expect(chat).to_contain_text("Times without a zone are read in Europe/Lisbon.")
    expect(page.get_by_role("button", name="Import", exact=True)).to_have_count(0)
    chat.get_by_label("Which of them are you?").select_option(label="Ada (1)")
    chat.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(chat).to_contain_text("2 memories added.")
    said = page.request.get(f"{served.url}memories?contains=thyme").json()["items"][0]
    assert said["times"]["happened_at"].startswith("2026-04-03T09:00")


def test_the_columns_of_a_table_are_guessed_and_can_be_chosen(page, at, served, tmp_path):
    at("/import")
    write(tmp_path / "log.csv", "what,day,who\nBees like thyme,2026-01-02,Ada\n")
    page.get_by_label("Files to add").set_input_files(tmp_path / "log.csv")
    table = card(page, "log.csv")
    expect(table.get_by_label("Time")).to_have_value("day")
    expect(table.get_by_role("button", name="Continue")).to_be_disabled()
    table.get_by_label("Words").select_option("what")
    table.get_by_role("button", name="Continue").click()
    expect(table).to_contain_text("1 message on 2 Jan 2026")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(table).to_contain_text("1 memory added.")


def test_of_a_dump_of_several_users_one_is_chosen(page, at, tmp_path):
    at("/import")
    dump = [mem0_memory(1, "Bees like thyme", user_id="a"), mem0_memory(2, "Tea", user_id="b")]
    write(tmp_path / "mem0.json", dump)
    page.get_by_label("Files to add").set_input_files(tmp_path / "mem0.json")
    shown = card(page, "mem0.json")
    shown.get_by_label("Whose memories are meant?").select_option("b")
    shown.get_by_role("button", name="Continue").click()
    expect(shown).to_contain_text("1 fact")
    expect(shown.get_by_role("list", name="What importing would do")).to_have_text("1 new")


def test_a_folder_is_imported_as_it_is_named(page, at, served, tmp_path):
    write(tmp_path / "vault" / "bees.md", "# Bees\n\nBees like thyme.")
    write(tmp_path / "vault" / "garden" / "tea.md", "# Tea\n\nTea grows, too.")
    write(tmp_path / "vault" / "pictures" / "bee.png", b"\x89PNG")
    write(tmp_path / "vault" / ".obsidian" / "app.json", "{}")
    at("/import")
    page.get_by_label("Folder to add").set_input_files(tmp_path / "vault")
    shown = card(page, "vault.zip")
    expect(shown).to_contain_text("2 conversations, 2 messages")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(shown).to_contain_text("2 memories added.")
    from recollect import Memory

    with Memory(served.path) as memory:
        assert memory.import_file(tmp_path / "vault", user_id="default").duplicate == 2


def test_an_edited_folder_is_shown_and_applied(page, at, served, tmp_path):
    at("/settings")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download as Markdown").click()
    started.value.save_as(tmp_path / "notes.zip")
    with zipfile.ZipFile(tmp_path / "notes.zip") as archive:
        archive.extractall(tmp_path / "notes")
    (edited,) = (one for one in tmp_path.rglob("*.md") if "second lamp" in one.read_text())
    edited.write_text(edited.read_text().replace("second lamp", "third lamp"))
    page.get_by_role("link", name="Import files").click()
    page.get_by_label("Folder to add").set_input_files(tmp_path / "notes" / "default")
    shown = card(page, "default.zip")
    expect(shown).to_contain_text("Edits of a Recollect folder")
    expect(shown.get_by_role("list", name="Edits by kind")).to_have_text("2 changed")
    expect(shown.locator("del").first).to_contain_text("second lamp")
    expect(shown.locator("ins").first).to_contain_text("third lamp")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(shown).to_contain_text("2 changed. Your folder is older than the memory now")
    assert any("third lamp" in words for words in memories(page, served))


def test_what_is_gone_from_a_folder_is_deleted_only_if_asked_for(page, at, served, tmp_path):
    at("/import")
    answer = page.request.get(f"{served.url}export?format=markdown")
    (tmp_path / "all.zip").write_bytes(answer.body())
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist() if not name.endswith("/")}
    cut = {
        name: "".join(line for line in text.splitlines(keepends=True) if "second lamp" not in line)
        for name, text in pages.items()
        if name.endswith(".md")
    }
    zipped(tmp_path / "edited.zip", {**pages, **cut})
    page.get_by_label("Files to add").set_input_files(tmp_path / "edited.zip")
    shown = card(page, "edited.zip")
    kinds = shown.get_by_role("list", name="Edits by kind")
    expect(kinds).to_have_text("2 missing")
    shown.get_by_label("Also delete the 2 memories whose items are gone from the folder").check()
    expect(kinds).to_have_text("2 deleted")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(shown).to_contain_text("2 deleted. Your folder")
    assert not any("second lamp" in words for words in memories(page, served))


def test_a_page_of_an_exported_folder_alone_is_refused_with_the_way_to_go(page, at, tmp_path):
    write(tmp_path / "ada.md", '---\nrecollect: person\nperson: "Ada"\n---\n\n# Ada\n')
    at("/import")
    page.get_by_label("Files to add").set_input_files(tmp_path / "ada.md")
    expect(card(page, "ada.md").get_by_role("alert")).to_contain_text("give the whole folder")


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(page, at):
    at("/settings")
    page.get_by_role("region", name="Delete my data").wait_for()
    page.evaluate(
        """() => {
          const files = ["novel.pdf", "chat.zip"].map((name) => new File(["x"], name));
          for (const file of files) Object.defineProperty(file, "size", { value: 2 ** 31 });
          const event = new Event("drop", { cancelable: true });
          event.dataTransfer = { types: ["Files"], files, items: [] };
          window.dispatchEvent(event);
        }"""
    )
    expect(card(page, "novel.pdf")).to_contain_text("It has 2.0 GB, and the server takes at most 16 MB.")
    expect(card(page, "chat.zip")).to_contain_text("It has 2.0 GB, and the server takes at most 1.0 GB.")


def test_an_import_tells_how_far_it_is_and_can_be_stopped(page, at, served, tmp_path):
    lines = "".join(f"13/2/26, 10:00 - Ada: Bees {number} like thyme\n" for number in range(5_000))
    write(tmp_path / "chat.txt", lines)
    at("/import")
    page.get_by_label("Files to add").set_input_files(tmp_path / "chat.txt")
    shown = card(page, "chat.txt")
    shown.get_by_label("Which of them are you?").select_option("Ada")
    shown.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(shown.get_by_role("progressbar", name="Progress of chat.txt")).to_be_visible()
    expect(shown).to_contain_text(re.compile(r"[1-9][\d,]* of 5,000"))
    shown.get_by_role("button", name="Stop chat.txt").click()
    expect(shown.get_by_role("alert")).to_contain_text("Stopped. What was read until then is stored")
    shown.get_by_role("button", name="Look again chat.txt").click()
    expect(shown.get_by_role("list", name="What importing would do")).to_contain_text("there already")


def test_a_file_that_is_imported_meanwhile_is_told_on_other_pages(page, at, chatgpt):
    at("/import")
    page.get_by_label("Files to add").set_input_files(chatgpt)
    held = []

    def hold(route):
        held.append(route)

    page.route("**/import?*stream=true*", hold)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(card(page, "chatgpt.zip")).to_contain_text("Importing")
    page.get_by_role("link", name="Memories", exact=True).first.click()
    for route in held:
        route.continue_()
    expect(page.get_by_text("chatgpt.zip is imported.")).to_be_visible()
    expect(page.locator(".memory").filter(has_text="Bees like thyme")).to_have_count(1)


def test_files_are_chosen_and_imported_by_keyboard(page, at, served, chatgpt):
    at("/import")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files").press("Enter")
    chooser.value.set_files(chatgpt)
    expect(card(page, "chatgpt.zip")).to_contain_text("2 new")
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Import":
            break
    page.keyboard.press("Enter")
    expect(card(page, "chatgpt.zip")).to_contain_text("2 memories added.")


@pytest.mark.parametrize(
    "options", [{"color_scheme": "light"}, {"color_scheme": "dark"}], ids=["light", "dark"]
)
def test_axe_finds_nothing_serious_and_all_fits_on_a_phone(page, at, chatgpt, tmp_path):
    from axe_playwright_python.sync_playwright import Axe

    write(tmp_path / "Chat with a very_long_name_without_any_space_in_it_at_all_of_Bob.txt", WHATSAPP)
    write(tmp_path / "log.csv", "what,day\nBees like thyme,2026-01-02\n")
    write(tmp_path / "broken.zip", b"PK\x03\x04")
    write(tmp_path / "boiler.md", "# Boiler")
    at("/import")
    page.get_by_label("Files to add").set_input_files(
        [one for one in sorted(tmp_path.iterdir()) if one.suffix in (".txt", ".csv", ".zip", ".md")]
    )
    expect(card(page, "log.csv").get_by_label("Words")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(1)
    card(page, "chatgpt.zip").get_by_text("1 record cannot be read").click()
    page.set_viewport_size(PHONE)
    assert findings(Axe().run(page).response["violations"]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_folder_is_dropped_with_what_is_hidden_in_it_but_the_list(page, at, tmp_path):
    notes = tmp_path / "notes"
    write(notes / "months" / "2026-03.md", '---\nrecollect: month\nmonth: "2026-03"\n---\n\n# March\n')
    write(
        notes / ".recollect.jsonl",
        '{"format": "recollect-markdown", "version": 1, "user_id": "default"}\n'
        '{"page": "months/2026-03.md", "month": "2026-03"}\n',
    )
    write(notes / ".git" / "x.md", "# Mine")
    with (notes / "months" / "2026-03.md").open("a") as month:
        month.write("\n## 2026-03-14\n\n- 18:30 **Ada**: Bees like thyme.\n")
    at("/memories")
    page.locator(".memory").first.wait_for()
    data = {"items": [], "files": [str(notes)], "dragOperationsMask": 1}
    devtools = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 600, "y": 300, "data": data})
    shown = card(page, "notes.zip")
    expect(shown).to_contain_text("Edits of a Recollect folder")
    expect(shown.get_by_role("list", name="Edits by kind")).to_have_text("1 added")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(shown).to_contain_text("1 added. Your folder is older")


def test_what_waits_is_not_imported_for_another_user(page, at, chatgpt):
    at("/import")
    page.get_by_label("Files to add").set_input_files(chatgpt)
    expect(card(page, "chatgpt.zip")).to_contain_text("2 new")
    page.get_by_role("link", name="Settings", exact=True).first.click()
    page.get_by_label("User").fill("bo")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="Import", exact=True).first.click()
    expect(page.get_by_role("heading", name="Drop files or folders here")).to_be_visible()
    expect(page.get_by_role("list", name="Files")).to_have_count(0)

"""Every page does what it is for, in a browser."""

import math
import re

import pytest
from playwright.sync_api import Page, expect
from tests.web.browser import PAGES, ask

MARKUP = "<img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script> in my notes"


def test_words_are_shown_as_words_and_never_as_html(page, at):
    at("/")
    ask(page, MARKUP)
    expect(page.get_by_role("log")).to_contain_text("<img src=x")
    at("/memories")
    expect(page.locator(".memory").filter(has_text="<script>")).to_have_count(1)
    page.locator(".memory").filter(has_text="<script>").locator(".open").click()
    expect(page.get_by_role("dialog")).to_contain_text("<script>")
    assert page.title() == "Memories · Recollect"
    assert page.locator("img[src='x']").count() == 0


def test_memories_are_found_as_one_types_and_narrowed(page, at):
    at("/memories")
    expect(page.locator(".memory").first).to_be_visible()
    page.get_by_label("Search the memories").press_sequentially("lemon tree", delay=5)
    expect(page.locator(".memory").first).to_contain_text("lemon tree")
    expect(page.locator(".memory").first.locator("mark").first).to_have_text("lemon")
    expect(page.locator(".memory").first.locator(".because")).to_contain_text("Found by")
    page.get_by_label("Show scores").check()
    expect(page.locator(".memory").first.get_by_role("img", name=re.compile("Score"))).to_be_visible()
    page.get_by_label("Kind").select_option("fact")
    expect(page.locator(".memory").filter(has_not=page.get_by_text("Fact", exact=True))).to_have_count(0)
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_label("Search the memories").fill("")
    page.get_by_label("Critical only").check()
    expect(page.locator(".memory").first).to_contain_text("allergic")


def test_memories_are_narrowed_by_tag_speaker_and_conversation(page, at):
    at("/memories")
    found = page.locator(".memory")
    page.get_by_label("Conversation", exact=True).select_option(label="I prefer planes to trains.")
    expect(found.filter(has_text="eleven lemons")).to_have_count(1)
    expect(found.filter(has_text="aphids")).to_have_count(0)
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_label("Search the memories").fill("lemon tree")
    aphids = found.filter(has_text="aphids").first
    aphids.get_by_role("button", name="#aphids").click()
    expect(page.get_by_label("Tag", exact=True)).to_have_value("aphids")
    expect(found.filter(has_text="eleven lemons")).to_have_count(0)
    expect(found.filter(has_text="aphids").first).to_be_visible()
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_label("Speaker").select_option("Ada")
    expect(found.first.locator(".about")).to_contain_text("Ada")


def test_several_memories_are_tagged_and_deleted_at_once_and_brought_back(page, at):
    at("/memories")
    page.get_by_label("Search the memories").fill("lemon tree")
    rows = page.locator(".memory")
    wanted = [rows.filter(has_text=words) for words in ("aphids again", "eleven lemons")]
    for row in wanted:
        row.get_by_role("checkbox").first.check()
    bar = page.get_by_role("group", name="Selected memories")
    expect(bar).to_contain_text("2 selected")
    bar.get_by_label("Add a tag").first.fill("citrus")
    bar.get_by_role("button", name="Add a tag").click()
    for row in wanted:
        expect(row.get_by_role("button", name="#citrus")).to_have_count(1)
    bar.get_by_role("button", name="Delete").click()
    for row in wanted:
        expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo: 2 memories deleted.").click()
    for row in wanted:
        expect(row).to_have_count(1)


def test_a_memory_is_edited_pinned_reinforced_and_archived(page, at):
    at("/memories")
    with page.expect_response("**/search"):
        page.get_by_label("Search the memories").fill("second lamp")
    page.get_by_role("button", name="The guest room needs a second lamp.", exact=True).click()
    drawer = page.get_by_role("dialog")
    critical = drawer.get_by_role("button", name="Critical", exact=True)
    critical.click()
    expect(critical).to_have_attribute("aria-pressed", "true")
    drawer.get_by_role("button", name="Reinforce").click()
    expect(drawer).to_contain_text("reinforced 1 time")
    importance = drawer.locator("dt", has_text="Importance").locator("+ dd")
    raised = importance.inner_text()
    drawer.get_by_role("button", name="Undo: Reinforced").click()
    expect(importance).not_to_have_text(raised, use_inner_text=True)
    drawer.get_by_role("button", name="Edit").click()
    drawer.get_by_label("Words", exact=True).fill("The guest room needs a third lamp.")
    drawer.get_by_role("button", name="Save").click()
    expect(drawer).to_contain_text("a third lamp")
    drawer.get_by_role("button", name="Archive", exact=True).click()
    expect(drawer.get_by_role("button", name="Restore")).to_be_visible()
    drawer.get_by_role("button", name="Undo: Archived").click()
    drawer.get_by_role("button", name="Archive", exact=True).click()
    expect(drawer.get_by_role("button", name="Restore")).to_be_visible()
    drawer.get_by_role("button", name="Close").click()
    expect(
        page.locator(".memory").get_by_text("The guest room needs a third lamp.", exact=True)
    ).to_have_count(0)


def test_a_deleted_memory_is_gone_until_the_deletion_is_undone(page, at):
    at("/memories")
    page.get_by_label("Search the memories").fill("lemon tree on the balcony")
    row = page.locator(".memory").filter(has_text="lemon tree on the balcony")
    row.filter(has_text="The flat").get_by_role("button", name="Delete").click()
    expect(page.locator(".memory").filter(has_text="The flat in Alfama")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".memory").filter(has_text="The flat in Alfama")).to_have_count(1)


def test_a_memory_is_added_and_a_password_in_it_masked(page, at):
    at("/memories")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_label("What should be remembered?").fill("The gate opens with password: hunter2hunter2")
    page.get_by_role("button", name="Remember").click()
    expect(page.locator(".memory").first).to_contain_text("The gate opens")
    expect(page.locator("main")).not_to_contain_text("hunter2hunter2")


def test_the_profile_shows_facts_with_their_words_and_forgets_a_wrong_one(page, at):
    at("/profile")
    fact = page.locator(".fact").filter(has_text="Ada plays the cello")
    expect(fact).to_contain_text("Since")
    expect(fact).not_to_contain_text("sure")
    fact.get_by_role("button", name=re.compile("source")).click()
    expect(fact.get_by_role("blockquote")).to_contain_text("I play the cello.")
    expect(fact).to_contain_text("half is left after")
    fact.get_by_role("button", name="That's wrong").click()
    expect(fact).to_have_count(0)
    page.get_by_role("button", name="Undo: Deleted: “Ada plays the cello.”").click()
    expect(fact).to_have_count(1)


def test_the_profile_is_headed_by_people_and_searched(page, at):
    at("/profile")
    expect(page.locator(".category h2")).to_contain_text(["Ada", "Nora, sister"])
    sister = page.get_by_role("region", name="Nora, sister")
    expect(sister).to_contain_text("allergic to walnuts")
    page.get_by_label("Search the facts").fill("walnut")
    expect(page.locator(".fact")).to_have_count(1)
    page.get_by_label("Search the facts").fill("zeppelin")
    expect(page.get_by_text("No fact has these words.")).to_be_visible()


def test_many_facts_are_loaded_in_pages_and_shown_by_and_by(page, at, served):
    told = [{"content": f"The cupboard holds jar {number}.", "kind": "fact"} for number in range(260)]
    page.request.post(f"{served.url}memories", data={"messages": told})
    at("/profile")
    things = page.get_by_role("region", name="Other things")
    expect(things.locator(".fact")).to_have_count(30)
    things.get_by_role("button", name="230 more").click()
    expect(things.locator(".fact")).to_have_count(60)
    page.get_by_label("Search the facts").fill("jar 259")
    expect(things.locator(".fact")).to_have_count(1)


def test_facts_are_edited_from_the_keyboard_and_the_focus_comes_back(page, at):
    at("/profile")
    edit = page.locator(".fact").first.get_by_role("button", name="Edit")
    adding = page.get_by_role("button", name="Add a fact")
    for button, field in ((edit, "The fact in words"), (adding, "A fact to remember")):
        button.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_label(field)).to_be_focused()
        page.keyboard.press("Escape")
        expect(button).to_be_focused()


def test_a_fact_is_edited_in_place_and_added(page, at):
    at("/profile")
    fact = page.locator(".fact").filter(has_text="Ada plays the cello")
    fact.get_by_role("button", name="Edit").click()
    page.get_by_label("The fact in words").fill("Ada plays the viola.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".fact").filter(has_text="Ada plays the viola.")).to_have_count(1)
    page.get_by_role("button", name="Undo: Changed").click()
    expect(page.locator(".fact").filter(has_text="Ada plays the cello.")).to_have_count(1)
    page.get_by_role("button", name="Add a fact").click()
    page.get_by_label("A fact to remember").fill("Nora's birthday is in May.")
    page.get_by_role("button", name="Remember", exact=True).click()
    expect(page.locator(".fact").filter(has_text="birthday is in May")).to_have_count(1)
    page.get_by_role("button", name="Undo: Remembered").click()
    expect(page.locator(".fact").filter(has_text="birthday is in May")).to_have_count(0)


def test_the_timeline_is_zoomed_and_moved_from_the_keyboard(page, at):
    at("/timeline")
    moments = page.locator(".day li")
    expect(moments.first).to_be_visible()
    everything = moments.count()
    strip = page.get_by_role("group", name=re.compile("Bars over time"))
    strip.focus()
    for _ in range(3):
        strip.press("+")
    expect(moments).not_to_have_count(everything)
    strip.press("Home")
    expect(moments).to_have_count(everything)
    page.get_by_label("Show every message").check()
    expect(page.locator(".day li.said").first).to_be_attached()


def test_a_long_stretch_is_told_by_conversation_and_a_month_in_full(page, at):
    at("/timeline")
    page.get_by_label("Show every message").check()
    folded = page.locator(".day details")
    expect(folded.first.locator("summary")).to_have_text(re.compile(r"\d moments"))
    expect(page.locator(".day li.said").first).to_be_hidden()
    folded.first.locator("summary").press("Enter")
    expect(folded.first.locator("li").first).to_be_visible()
    page.get_by_label("Go to a month").select_option("Jul 2026")
    expect(page.get_by_role("status").filter(has_text="Jul 2026")).to_be_visible()
    expect(folded).to_have_count(0)
    expect(page.locator(".day li.said").first).to_be_visible()
    days = page.locator(".day").filter(has=page.locator("li.said")).locator("h2").all_inner_texts()
    assert days
    assert all("Jul 2026" in day for day in days)


def test_the_timeline_names_conversations_and_sets_events_on_their_days(page, at):
    at("/timeline")
    expect(page.locator(".day h3").filter(has_text="I prefer planes to trains.")).to_have_count(1)
    page.get_by_label("Show every message").check()
    visit = page.locator(".day").filter(has_text="14 Dec 2026")
    expect(visit).to_contain_text("Nora will visit on the 14th of December.")
    expect(visit.locator("li.event").first).to_contain_text("Spoken of on")
    title = "I prefer planes to trains."
    assert page.locator(".day").filter(has_text=title).first.inner_text().count(title) == 1
    page.get_by_role("button", name="I prefer planes to trains.", exact=True).first.click()
    expect(page.get_by_role("log")).to_contain_text("The lemon tree has eleven lemons.")


def click_a_node(page: Page) -> None:
    """Go round the middle of the graph until the hand says that something is there, and press."""
    canvas = page.locator(".graph .canvas")
    box = canvas.bounding_box()
    for step in range(600):
        angle, reach = step * 2.4, 6 * step**0.5
        x = box["x"] + box["width"] / 2 + reach * math.cos(angle)
        y = box["y"] + box["height"] / 2 + reach * math.sin(angle)
        page.mouse.move(x, y)
        if canvas.evaluate("one => one.style.cursor") == "pointer":
            page.mouse.click(x, y)
            return
    pytest.fail("there is no node near the middle")


def test_the_graph_is_drawn_and_focused_by_a_click_and_from_the_list(page, at):
    at("/graph")
    view = page.locator(".graph .view")
    expect(view).to_have_attribute("data-state", "settled")
    page.get_by_role("region", name="Everyone and everything").wait_for()
    click_a_node(page)
    page.get_by_role("region", name=re.compile("^About ")).wait_for()
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Find someone or something").fill("Nora")
    page.get_by_role("region", name="Everyone and everything").get_by_role(
        "button", name=re.compile("Nora")
    ).first.click()
    beside = page.get_by_role("region", name="About Nora")
    expect(beside.get_by_role("listitem").filter(has_text="Ada sister")).to_be_visible()
    expect(
        beside.get_by_role("listitem").filter(has_text=re.compile("^is allergic to walnuts$"))
    ).to_be_visible()
    expect(page.get_by_role("list", name="Legend of the colours")).to_contain_text("People")
    page.get_by_role("button", name="Back to everything").click()
    expect(page.get_by_role("region", name="Everyone and everything")).to_be_visible()


def test_a_conflict_is_decided(page, at):
    at("/conflicts")
    pair = page.get_by_role("article").filter(has_text="Ada prefers trains to planes")
    expect(pair).to_contain_text("Ada prefers trains to planes")
    expect(pair).to_contain_text("I prefer planes to trains.")
    newer = pair.get_by_role("region", name="New fact")
    expect(newer).to_contain_text("Suggested: it is newer")
    expect(pair.get_by_text("Suggested")).to_have_count(1)
    newer.get_by_role("button", name="Keep this").click()
    expect(pair).to_have_count(0)
    page.get_by_role("button", name="Undo: Decided").click()
    newer.get_by_role("button", name="Keep this").click()
    listed = page.get_by_role("region", name="Decided before").locator("li.row")
    decided = listed.filter(has_text="Ada prefers planes to trains.")
    expect(decided).to_contain_text("Ada prefers planes to trains. holds")
    expect(decided.locator(".over")).to_contain_text("Ada prefers trains to planes.")
    decided.get_by_role("button", name="Undo the decision").click()
    newer.get_by_role("button", name="Keep this").click()
    expect(pair).to_have_count(0)
    at("/profile")
    expect(page.locator(".fact").filter(has_text="Ada prefers trains to planes")).to_have_count(0)
    page.get_by_label("Show what no longer holds").check()
    expect(page.locator(".fact.over").filter(has_text="Ada prefers trains to planes")).to_have_count(1)


def test_the_figures_are_in_plain_words_and_the_rest_under_details(page, at):
    at("/stats")
    for tile in ("Learned this week", "Answered from memory", "Size", "Waiting", "Cost"):
        expect(page.locator(".tile").filter(has_text=tile).locator(".value")).not_to_be_empty()
    expect(page.locator(".tile").filter(has_text="Size").locator(".value")).to_have_text(
        re.compile(r"[1-9]\d* memories")
    )
    expect(page.get_by_role("region", name="Growth")).to_be_visible()
    page.get_by_text("Details", exact=True).click()
    for figure in ("Thresholds over time", "Activation precision", "Latency", "Cost"):
        expect(page.get_by_role("region", name=figure)).to_be_visible()


def test_a_key_of_the_model_is_set_and_not_shown_again(page, at):
    at("/settings")
    page.get_by_label("API key of the model's server").fill("sk-test-not-a-key")
    page.get_by_role("button", name="Set").click()
    expect(page.get_by_text("A key is set. It is never shown again.")).to_be_visible()
    expect(page.get_by_label("API key of the model's server")).to_have_value("")


def test_another_user_has_other_memories_and_an_empty_page_says_what_to_do(page, at):
    at("/settings")
    page.get_by_label("User").fill("nobody-yet")
    page.get_by_role("button", name="Show").click()
    for path in PAGES:
        at(path)
        if path not in ("/import", "/settings"):
            expect(page.locator(".empty")).to_be_visible()
            expect(page.locator(".empty").get_by_role("heading")).to_be_visible()


def test_colours_can_be_chosen_and_stay(page, at):
    at("/settings")
    page.get_by_label("Dark").check()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(page.get_by_label("Dark")).to_be_checked()

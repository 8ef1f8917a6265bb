"""When the server fails, when nothing is there, from the keyboard, on a phone, and by ear."""

import re

import pytest
from playwright.sync_api import Page, Route, expect
from tests.web.browser import PAGES, PHONE, PHONES, ask, findings

PROBLEM = {
    "type": "about:blank",
    "title": "Service Unavailable",
    "status": 503,
    "detail": "the store is busy",
}
API = ("api/", "memories", "search", "conflicts", "timeline", "graph", "thresholds", "metrics", "growth")
WITH_DATA = tuple(path for path in PAGES if path not in ("/", "/import"))


@pytest.fixture
def failing(page: Page):
    """The server, which fails until it is told not to."""
    state = {"fails": True}

    def answer(route: Route) -> None:
        path = route.request.url.split("/", 3)[3]
        if state["fails"] and path.startswith(API):
            route.fulfill(status=503, json=PROBLEM, content_type="application/problem+json")
        else:
            route.fallback()

    page.route("**/*", answer)
    yield state
    page.complaints[:] = [said for said in page.complaints if "503" not in said]


@pytest.mark.parametrize("path", WITH_DATA)
def test_a_page_says_that_the_server_failed_and_tries_again_when_asked(page, at, failing, path):
    at(path)
    alert = page.get_by_role("alert").first
    expect(alert).to_contain_text("The store is busy.")
    failing["fails"] = False
    for _ in range(page.get_by_role("button", name="Try again").count()):
        page.get_by_role("button", name="Try again").first.click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_message_that_got_no_answer_can_be_sent_again(page, at, failing):
    at("/")
    page.get_by_label("Your message").fill("When does Nora visit?")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_contain_text("There is no answer. The store is busy.")
    failing["fails"] = False
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("region", name="Memories for this answer")).to_be_visible()
    expect(page.get_by_role("log").get_by_text("When does Nora visit?")).to_have_count(1)


def test_a_server_that_is_gone_is_named_as_the_trouble(page, at):
    at("/memories")
    page.route("**/search", lambda route: route.abort())
    page.get_by_label("Search the memories").fill("Nora")
    expect(page.get_by_role("alert")).to_contain_text("Is recollect serve still running?")
    page.complaints[:] = [said for said in page.complaints if "ERR_FAILED" not in said]


def test_what_could_not_be_changed_is_said_and_stays_as_it_was(page, at):
    at("/memories")
    row = page.locator(".memory").first
    words = row.locator(".words").inner_text()
    page.route("**/memories/*", lambda route: route.fulfill(status=503, json=PROBLEM))
    row.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status").last).to_contain_text("The store is busy.")
    expect(page.locator(".memory").first.locator(".words")).to_have_text(words)
    page.complaints[:] = [said for said in page.complaints if "503" not in said]


@pytest.mark.parametrize("wants_keys", [True], ids=["keys"])
def test_a_server_that_wants_a_key_is_given_one_and_says_what_a_reader_may_not(page, at, served):
    at("/memories")
    expect(page.get_by_role("alert")).to_contain_text("The server wants an access key")
    at("/settings")
    page.get_by_label("Access key").fill(served.key)
    page.get_by_role("button", name="Use").first.click()
    expect(page.get_by_text("The key is used from now on.")).to_be_visible()
    at("/memories")
    expect(page.locator(".memory").first).to_be_visible()
    page.locator(".memory").first.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("This key may not do that; it needs the role writer.")).to_be_visible()
    at("/stats")
    page.get_by_text("Details", exact=True).click()
    expect(page.get_by_role("region", name="Latency")).to_contain_text("keys with the role admin")
    page.complaints[:] = [said for said in page.complaints if "401" not in said and "403" not in said]


def test_a_stream_that_breaks_off_is_no_answer(page, at):
    broken = 'event: token\ndata: "Nora vis"\n\n'
    page.route("**/api/chat", lambda route: route.fulfill(body=broken, content_type="text/event-stream"))
    at("/")
    page.get_by_label("Your message").fill("When does Nora visit?")
    page.get_by_label("Your message").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The answer was cut off.")


def test_everything_is_reached_from_the_keyboard(page, at):
    at("/memories")
    page.locator(".memory").first.wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Search the memories")).to_be_focused()
    page.locator(".memory .open").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".memory .open").first).to_be_focused()


def test_what_enter_opens_escape_closes(page, at):
    dialog = page.get_by_role("dialog")
    for path, opens in (("/memories", ".memory .open"), ("/timeline", ".moment")):
        at(path)
        first = page.locator(opens).first
        first.press("Enter")
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(first).to_be_focused()
    at("/graph")
    listed = page.get_by_role("region", name="Everyone and everything")
    listed.get_by_role("button", name="Nora").press("Enter")
    about = page.get_by_role("region", name="About Nora")
    expect(about.get_by_role("button", name="Back to everything")).to_be_focused()
    about.locator("button.words").first.press("Enter")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(about).to_be_visible()
    page.keyboard.press("Escape")
    expect(about).to_have_count(0)
    expect(page.get_by_label("Find someone or something")).to_be_focused()
    at("/conflicts")
    pairs = page.get_by_role("article")
    expect(pairs.first).to_be_visible()
    count = pairs.count()
    pairs.first.get_by_role("button", name="Keep this").first.press("Enter")
    expect(pairs).to_have_count(count - 1)
    page.get_by_role("button", name="Undo: Decided").press("Enter")
    expect(pairs).to_have_count(count)
    at("/stats")
    page.locator("summary", has_text="Details").press("Enter")
    expect(page.locator("details").first).to_have_attribute("open", "")
    at("/settings")
    page.get_by_role("radio", name="System").press("ArrowRight")
    expect(page.get_by_role("radio", name="Light")).to_be_checked()


WALK = """() => {
  const at = document.activeElement;
  if (at === document.body) return null;
  const around = [at, at.closest("form"), at.closest("label")].filter(Boolean);
  const styles = [getComputedStyle(at, "::after"), ...around.map((one) => getComputedStyle(one))];
  const shown = styles.some((style) => style.outlineStyle !== "none");
  at.dataset.walked = String(shown || at.dataset.walked === "true");
  return at.outerHTML.slice(0, 120);
}"""
MISSED = """() => {
  const controls = document.querySelectorAll(
    "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex='0']");
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const shown = (one) => !one.matches(".skip") && one.tabIndex >= 0 && seen(one);
  const radio = (one) => one.type === "radio" && document.querySelector(
    `input[name="${one.name}"][data-walked]`);
  return [...controls].filter((one) => shown(one) && !radio(one) && one.dataset.walked !== "true")
    .map((one) => `${one.dataset.walked ?? "not reached"}: ${one.outerHTML.slice(0, 120)}`);
}"""


@pytest.mark.parametrize("path", PAGES)
def test_tab_reaches_every_control_of_a_page_and_shows_where_it_is(page, at, path):
    at(path)
    settled(page, path)
    for _ in range(300):
        page.keyboard.press("Tab")
        if page.evaluate(WALK) is None:
            break
    missed = page.evaluate(MISSED)
    assert not missed, "\n".join(missed)


def settled(page: Page, path: str) -> None:
    """Wait until a page shows what it has."""
    expect(page.locator("main .bones")).to_have_count(0)
    if path == "/graph":
        expect(page.locator(".graph .view")).to_have_attribute("data-state", "settled")


@pytest.mark.parametrize(
    "options", [{"color_scheme": "light"}, {"color_scheme": "dark"}], ids=["light", "dark"]
)
def test_axe_finds_nothing_serious(page, at):
    from axe_playwright_python.sync_playwright import Axe

    for path in PAGES:
        at(path)
        if path == "/":
            ask(page, "When does Nora visit?")
        settled(page, path)
        assert findings(Axe().run(page).response["violations"]) == [], path
    at("/memories")
    page.locator(".memory .open").first.click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="Details")).to_be_visible()
    page.locator("dialog[open]").evaluate("one => Promise.all(one.getAnimations().map(one => one.finished))")
    assert findings(Axe().run(page).response["violations"]) == [], "the drawer"


def test_nothing_is_wider_than_a_phone_and_every_page_is_reached(page, at):
    page.set_viewport_size(PHONE)
    at("/")
    assert_fits(page)
    for name in ("Memories", "Profile", "Timeline"):
        page.get_by_role("navigation", name="Pages on a phone").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        assert_fits(page)
    for name in ("Graph", "Conflicts", "Stats", "Import", "Settings"):
        page.get_by_role("button", name="More").click()
        page.get_by_role("dialog", name="More pages").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert_fits(page)


MOVED = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_MOVED = 0.1
"""Up to this layout shift a page is good: web.dev/articles/cls."""


@pytest.mark.parametrize("width", [360, 1280])
def test_little_moves_while_a_page_loads(page, at, width):
    page.add_init_script(MOVED)
    page.set_viewport_size({"width": width, "height": 800})
    for path in PAGES:
        at(path)
        page.reload()
        settled(page, path)
        assert page.evaluate("window.moved") < MOST_MOVED, path


@pytest.mark.parametrize("width", [768, 1280, 2560])
def test_nothing_is_wider_than_the_window(page, at, width):
    page.set_viewport_size({"width": width, "height": 900})
    for path in PAGES:
        at(path)
        assert_fits(page)


@pytest.mark.parametrize("width", PHONES)
def test_a_chat_that_has_not_begun_fits_on_a_phone(page, at, width):
    page.set_viewport_size({**PHONE, "width": width})
    at("/")
    expect(page.locator(".empty").get_by_role("button")).to_have_count(3)
    assert_fits(page)
    for button in page.locator(".empty, .composer").get_by_role("button").all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_an_empty_page_fits_on_a_phone(page, at):
    page.set_viewport_size(PHONE)
    at("/settings")
    page.get_by_label("User").fill("nobody-yet")
    page.get_by_role("button", name="Show").click()
    for path in PAGES:
        at(path)
        assert_fits(page)


def assert_fits(page: Page) -> None:
    expect(page.locator("main .bones")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def go_to(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Pages", exact=True).get_by_role("link", name=name).click()


def lose_once(page: Page, file: str) -> None:
    """The next request for a file fails; the route stays, for taking it away while others wait loses them."""
    left = [file]
    page.route(
        f"**/assets/{file}-*.js", lambda route: route.abort() if left and left.pop() else route.fallback()
    )


def forget_missing_files(page: Page) -> None:
    said = re.compile("Failed to load resource|dynamically imported module|could not be loaded")
    page.complaints[:] = [one for one in page.complaints if not said.search(one)]


@pytest.mark.parametrize("file", ["stats", "charts"])
def test_a_page_whose_file_did_not_come_is_loaded_when_tried_again(page, at, file):
    """Its own file, and one that it shares with others."""
    at("/")
    lose_once(page, file)
    go_to(page, "Stats")
    expect(page.get_by_role("alert")).to_contain_text("This page could not be loaded.")
    expect(page.locator("main main")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Stats", level=1)).to_be_visible()
    forget_missing_files(page)


def test_a_graph_whose_drawing_did_not_come_is_drawn_when_tried_again(page, at):
    lose_once(page, "drawing")
    at("/graph")
    expect(page.get_by_role("alert")).to_contain_text("The graph could not be drawn.")
    page.get_by_role("button", name="Try again").click()
    settled(page, "/graph")
    forget_missing_files(page)


def test_a_page_is_loaded_on_coming_back_when_the_server_is_there_again(page, at):
    at("/")
    page.context.set_offline(True)
    go_to(page, "Stats")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    go_to(page, "Chat")
    page.context.set_offline(False)
    go_to(page, "Stats")
    expect(page.get_by_role("heading", name="Stats", level=1)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    forget_missing_files(page)


def test_a_page_whose_files_were_renamed_is_loaded_whole_once(page, at, served):
    at("/")
    loads = []
    page.on("load", lambda _: loads.append(page.url))
    lose_once(page, "stats")

    def renamed(route: Route) -> None:
        if route.request.resource_type == "fetch":
            route.fulfill(body='<script type="module" src="./assets/index-new.js"></script>')
        else:
            route.fallback()

    page.route(served.url, renamed)
    go_to(page, "Stats")
    expect(page.get_by_role("heading", name="Stats", level=1)).to_be_visible()
    assert loads == [f"{served.url}#/stats"]
    forget_missing_files(page)

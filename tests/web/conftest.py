"""A real server, and a real browser before it, which ends with its module: Playwright holds an event loop."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.web.browser import ARGUMENTS, DESK, chromium
from tests.web.seeds import fill

USER = "default"
PATIENCE_MS = 20_000


@dataclass
class Served:
    """A running server over a file, and a key that opens it for a reader, where it wants one."""

    url: str
    path: Path
    key: str | None = None


@pytest.fixture(scope="module")
def browser():
    """Chromium, without a window."""
    path = chromium()
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        playwright.expect.set_options(timeout=PATIENCE_MS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the memories of ``seeds``, which every test copies."""
    from recollect import Memory

    path = tmp_path_factory.mktemp("page") / "filled.db"
    with Memory(path) as memory:
        fill(memory, user_id=USER)
    return path


@pytest.fixture
def wants_keys() -> bool:
    """Whether the server wants keys; tests override it."""
    return False


@pytest.fixture
def models() -> object:
    """Who answers in the chat; tests override it."""
    return None


@pytest.fixture
def served(filled: Path, tmp_path: Path, wants_keys: bool, models: object) -> Iterator[Served]:
    """A server of its own for a test, over a copy of those memories."""
    from recollect import Memory
    from recollect.server import KeyRing

    path = tmp_path / "page.db"
    path.write_bytes(filled.read_bytes())
    memory = Memory(path)
    keys = KeyRing(memory.parts.store) if wants_keys else None
    key = keys.create(owner=USER, role="reader")[1] if keys else None
    with serving(memory, keys, models) as url:
        yield Served(url=url, path=path, key=key)


@contextmanager
def serving(memory: object, keys: object, models: object) -> Iterator[str]:
    """The address of a server over a memory, which it closes in the end."""
    from recollect.server import create_app

    with running(create_app(memory, keys=keys, models=models)) as url:
        yield url


@contextmanager
def running(app: object, *, port: int = 0) -> Iterator[str]:
    """The address of an application."""
    import uvicorn

    with closing(socket.create_server(("127.0.0.1", port))) as listening:
        settings = uvicorn.Config(app, log_level="error", ws="none")
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join()


@pytest.fixture
def options() -> dict[str, object]:
    """How the browser's window is; tests override it."""
    return {}


@pytest.fixture
def page(browser, served: Served, options: dict[str, object]):
    """A page that complains about nothing: no error on its console, nothing its policy forbids."""
    context = browser.new_context(viewport=DESK, locale="en-GB", timezone_id="Europe/Lisbon", **options)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    opened.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.complaints = complaints
    yield opened
    context.close()
    assert not complaints


@pytest.fixture
def at(page, served: Served) -> Callable[[str], None]:
    """Goes to a page of the page."""

    def go(path: str) -> None:
        page.goto(f"{served.url}#{path}")
        page.locator("main h1").first.wait_for()

    return go

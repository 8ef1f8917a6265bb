"""The TypeScript client: its types are the server's, and its own tests pass against a real server."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest
from scripts.openapi import sum_of, wanted
from tests.ports import free_port
from tests.web.browser import ARGUMENTS, chromium

CLIENT: Final = Path(__file__).parents[2] / "clients" / "typescript"
RUNTIMES: Final = CLIENT.parents[1] / ".runtimes" / "node_modules"
READY: Final = shutil.which("node") is not None and (CLIENT / "dist").is_dir()
pytestmark = pytest.mark.skipif(not CLIENT.is_dir(), reason="the client's sources are not here")
needs_node = pytest.mark.skipif(
    not READY and os.environ.get("CI") != "true",
    reason="no Node here, or the client is not built: make client",
)


TESTS: Final = ["test/client.test.js", "test/ai.test.js"]


MODEL: Final = """
import { MockLanguageModelV4 } from "ai/test";

const said = [];
const yourModel = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    said.push(JSON.stringify(prompt));
    const usage = { inputTokens: {}, outputTokens: {} };
    return { content: [{ type: "text", text: "Python." }], finishReason: {}, usage };
  },
});
"""
"""A model for the examples, which keeps what it is told."""


def node() -> list[str]:
    return ["node", "--test", *TESTS]


def deno() -> list[str]:
    may = ["--allow-net", "--allow-env", "--allow-read", "--allow-sys=hostname"]  # a part of the AI SDK asks
    return [installed("@deno/*/deno"), "test", "--quiet", "--no-check", *may, *TESTS]


def bun() -> list[str]:
    return [installed("@oven/*/bin/bun"), "test", *TESTS]


def installed(pattern: str) -> str:
    """A program that ``make client-runtimes`` installs."""
    for program in RUNTIMES.glob(pattern):
        return str(program)
    if os.environ.get("CI") == "true" and shutil.which("npm"):
        pytest.fail("not installed: make runtimes")
    pytest.skip("not installed: make client-runtimes")


@pytest.fixture(scope="module")
def app() -> Iterator[int]:
    """The port of an app whose pages are this folder, on 127.0.0.1, and of another one on localhost."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=CLIENT)) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield listening.server_address[1]
        listening.shutdown()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, app: int) -> Iterator[str]:
    """The address of a server without keys, for itself and the app on 127.0.0.1."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    command = Path(sys.executable).with_name("recollect")
    words = [command, "serve", "--db", tmp_path_factory.mktemp("server") / "m.db", "--port", port]
    words += ["--embedder", "hashing", "--cors-origin", f"http://127.0.0.1:{app}"]
    with subprocess.Popen(list(map(str, words)), stderr=subprocess.DEVNULL) as process:  # noqa: S603 - our own command
        try:
            wait_for(f"{url}/ready")
            yield url
        finally:
            process.terminate()


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own server
                return
        except urllib.error.URLError:
            time.sleep(0.1)
    pytest.fail(f"{url} did not answer")


@needs_node
@pytest.mark.parametrize("runtime", [node, deno, bun])
def test_the_client_and_its_ai_sdk_parts_work_with_a_real_server(server: str, runtime) -> None:
    quiet = {"AI_SDK_LOG_WARNINGS": "false", "DENO_NO_UPDATE_CHECK": "1", "DO_NOT_TRACK": "1"}
    done = subprocess.run(  # noqa: S603 - whichever there is
        runtime(),
        cwd=CLIENT,
        env={**os.environ, **quiet, "RECOLLECT_URL": server, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout[-6000:] + done.stderr[-6000:]
    assert done.returncode == 0, said
    written = sum(one.read_text(encoding="utf-8").count('\ntest("') for one in CLIENT.glob("test/*.test.js"))
    assert re.search(rf"\b{written} pass(ed)?\b|# pass {written}\b", said), said


@needs_node
def test_the_examples_of_the_readme_run(server: str) -> None:
    readme = (CLIENT / "README.md").read_text(encoding="utf-8")
    parts = re.findall(r"```ts\n(.*?)```", readme, re.DOTALL)
    program = f"{parts[0]}{parts[1]}{MODEL}{parts[2]}console.log(said)\n"
    done = subprocess.run(
        ["node", "--input-type=module"],  # noqa: S607 - whichever Node there is
        cwd=CLIENT,
        input=program.replace("http://127.0.0.1:8377", server),
        env={**os.environ, "AI_SDK_LOG_WARNINGS": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "I prefer Python for data analysis" in done.stdout
    assert "urn:recollect:NotFoundError no memory 'nothing' for this user" in done.stdout
    assert re.search(r"<memories>.*I prefer Python.*do I prefer", done.stdout, re.DOTALL)


@needs_node
def test_the_client_works_in_a_page_of_an_origin_that_is_named_and_tells_what_another_needs(
    app: int, server: str
) -> None:
    with browser() as page:
        results = seen_in(page, f"http://127.0.0.1:{app}", server)
        assert len(results) == (CLIENT / TESTS[0]).read_text(encoding="utf-8").count('\ntest("')
        assert {name: told for name, told in results.items() if told} == {}
        another = f"http://localhost:{app}"
        told = seen_in(page, another, server)["one user never sees another's"]
        assert (
            f"{server} (TypeError: Failed to fetch); start one with recollect serve --cors-origin {another}"
            in told
        )


def seen_in(page, origin: str, server: str) -> dict[str, str | None]:
    """What the tests tell in a page of an origin."""
    page.goto(f"{origin}/test/browser/?server={server}")
    return page.wait_for_function("window.results", timeout=120_000).json_value()


@contextmanager
def browser():
    """A page of Chromium."""
    path = chromium()
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield opened.new_page()
        opened.close()


def test_the_types_are_those_of_the_servers_openapi() -> None:
    made_from = re.search(r"OpenAPI (\w{64})", (CLIENT / "src" / "schema.ts").read_text(encoding="utf-8"))
    assert made_from
    assert made_from[1] == sum_of(wanted(every_route=True)), "the routes changed: run make client-types"


def test_the_client_needs_nothing_but_fetch() -> None:
    sources = {one.name: one.read_text(encoding="utf-8") for one in (CLIENT / "src").glob("*.ts")}
    foreign = {
        (name, module)
        for name, text in sources.items()
        for module in re.findall(r'from "([^".][^"]*)"', text)
    }
    assert foreign == {("ai.ts", "ai"), ("ai.ts", "zod")}
    assert not [name for name, text in sources.items() if "process." in text or "Buffer" in text]

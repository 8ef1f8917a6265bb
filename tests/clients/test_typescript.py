"""The TypeScript client: its types are the server's, and its own tests pass against a real server."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from scripts.openapi import sum_of, wanted
from tests.ports import free_port

CLIENT: Final = Path(__file__).parents[2] / "clients" / "typescript"
READY: Final = shutil.which("node") is not None and (CLIENT / "dist").is_dir()
pytestmark = pytest.mark.skipif(not CLIENT.is_dir(), reason="the client's sources are not here")
needs_node = pytest.mark.skipif(
    not READY and os.environ.get("CI") != "true",
    reason="no Node here, or the client is not built: make client",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server without keys."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    command = Path(sys.executable).with_name("recollect")
    words = [command, "serve", "--db", tmp_path / "m.db", "--port", port, "--embedder", "hashing"]
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
def test_the_client_and_its_ai_sdk_parts_work_with_a_real_server(server: str) -> None:
    done = subprocess.run(
        ["node", "--test", "test/client.test.js", "test/ai.test.js"],  # noqa: S607 - whichever Node there is
        cwd=CLIENT,
        env={**os.environ, "RECOLLECT_URL": server, "AI_SDK_LOG_WARNINGS": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert re.search(r"# fail 0$", done.stdout, re.MULTILINE)


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

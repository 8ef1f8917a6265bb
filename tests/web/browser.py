"""Finding Chromium, and what the tests of the web page ask of it."""

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage")
"""Containers have no sandbox and little shared memory. SwiftShader, a graphics card in software, draws the
graph alone: for everything else it would cost ten times as much."""
PAGES = ("/", "/memories", "/profile", "/timeline", "/graph", "/conflicts", "/stats", "/import", "/settings")
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
PHONES = (360, 390, 414)
"""The widths, in pixels, of the phones that most people hold."""
SERIOUS = ("serious", "critical")


def chromium() -> str:
    """Where it is, or a skip with the reason; in CI it must be there (``scripts/chromium.sh``)."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    if os.environ.get("CI") == "true":
        pytest.fail("Chromium is missing: make test installs it in CI")
    pytest.skip("no Chromium here (apt-get install chromium)")


def findings(violations: Sequence[Mapping[str, Any]]) -> list[str]:
    """What axe calls serious, one line each."""
    return [
        f"{one['id']}: {one['help']} at {node['target']}: {node.get('failureSummary', '')}"
        for one in violations
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]


def ask(page: Any, message: str) -> Any:
    """Send a message in the chat; returns the panel of what was remembered, opened."""
    page.get_by_label("Your message").fill(message)
    page.get_by_label("Your message").press("Enter")
    panel = page.get_by_role("region", name="Memories for this answer").last
    panel.get_by_role("button", name=re.compile("memor")).click()
    return panel

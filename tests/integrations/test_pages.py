"""The code on the pages of the frameworks runs, and prints what they show."""

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest
from tests.test_docs import blocks_of

PAGES = Path(__file__).parents[2] / "docs" / "use" / "frameworks"
PACKAGES = {
    "langgraph": "langgraph",
    "langchain": "langchain",
    "claude_memory": "anthropic",
    "claude_agent_sdk": "claude_agent_sdk",
    "strands": "strands",
    "google_adk": "google.adk",
    "agent_framework": "agent_framework",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
    "llamaindex": "llama_index.core",
    "haystack": "haystack",
    "autogen": "autogen_core",
    "crewai": "crewai",
    "hermes": "agent.memory_manager",
}
"""What the code of each page imports."""


@pytest.mark.parametrize("page", PACKAGES)
def test_the_code_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(PACKAGES[page], reason="it is not installed; run: make frameworks")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": page}
    run = [block for block in blocks_of(PAGES / f"{page}.md") if block.language == "python"]
    assert run
    for block in run:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.code, page, "exec"), namespace)  # noqa: S102 - our own documentation
        if block.prints is not None:
            assert printed.getvalue() == block.prints
    namespace["memory"].close()


def test_every_page_is_run_and_listed() -> None:
    pages = {page.stem for page in PAGES.glob("*.md")} - {"index"}
    listed = (PAGES / "index.md").read_text(encoding="utf-8")
    assert pages == PACKAGES.keys()
    assert all(f"]({page}.md)" in listed for page in pages)

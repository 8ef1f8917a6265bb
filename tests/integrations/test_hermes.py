"""Hermes Agent: the provider below the agent's own manager, loaded as a plugin."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "agent.memory_manager", reason="hermes-agent is not installed; run: make frameworks-apart"
)

from agent.memory_manager import MemoryManager
from plugins.memory import load_memory_provider

from recollect import Memory
from recollect.integrations.hermes import RecollectMemoryProvider

PLUGIN = """
from recollect.integrations.hermes import RecollectMemoryProvider

def register(ctx):
    ctx.register_memory_provider(RecollectMemoryProvider(user_id="ada", store={store!r}))
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "brain.db")


@pytest.fixture
def manager(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryManager]:
    """Hermes' manager with the plugin from its home folder."""
    folder = tmp_path / "plugins" / "recollect"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PLUGIN.format(store=path))
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    monkeypatch.delitem(sys.modules, "_hermes_user_memory.recollect", raising=False)  # of the test before
    provider = load_memory_provider("recollect")
    assert type(provider).__name__ == RecollectMemoryProvider.__name__
    made = MemoryManager()
    made.add_provider(provider)
    yield made
    made.shutdown_all()


def start(manager: MemoryManager, session: str, **given: Any) -> None:
    manager.initialize_all(session, hermes_home="unused", platform="cli", **given)


def stored(path: str, user: str = "ada") -> list[tuple[str, str, str | None]]:
    with Memory(path) as memory:
        found = memory.get_all(user_id=user, kinds=["message"])
        return [(one.origin.role, one.content, one.scope.session_id) for one in found]


def test_a_turn_is_stored_and_recalled_in_another_session(manager: MemoryManager, path: str) -> None:
    start(manager, "s1")
    manager.sync_all("I am allergic to nuts. My password is hunter2!", "Noted.", session_id="s1")
    assert manager.flush_pending(30)
    assert manager.prefetch_all("What am I allergic to?", session_id="s1") == ""
    manager.on_session_switch("s2", parent_session_id="s1", reset=True)
    assert "allergic to nuts" in manager.prefetch_all("What am I allergic to?", session_id="s2")
    assert stored(path) == [
        ("user", "I am allergic to nuts. My password is [password removed]", "s1"),
        ("assistant", "Noted.", "s1"),
    ]


def test_a_user_of_a_gateway_has_a_memory_apart(manager: MemoryManager, path: str) -> None:
    start(manager, "s1")
    manager.sync_all("I am allergic to nuts", "Noted.")
    assert manager.flush_pending(30)
    manager.initialize_all("s2", hermes_home="unused", platform="telegram", user_id="4711")
    assert manager.prefetch_all("What am I allergic to?") == ""
    manager.sync_all("I like figs", "Noted.")
    assert manager.flush_pending(30)
    assert len(stored(path)) == len(stored(path, "telegram:4711")) == 2


def test_only_the_primary_agent_writes(manager: MemoryManager, path: str) -> None:
    start(manager, "s1", agent_context="cron")
    manager.sync_all("Summarise the news", "Done.")
    assert manager.flush_pending(30)
    assert "error" in manager.handle_tool_call("add_memory", {"statement": "The user likes figs."})
    assert stored(path) == []


def test_the_model_has_two_tools(manager: MemoryManager) -> None:
    start(manager, "s1")
    schemas = {schema["name"]: schema for schema in manager.get_all_tool_schemas()}
    assert schemas.keys() == {"search_memory", "add_memory"}
    (about,) = schemas["search_memory"]["parameters"]["properties"].values()
    assert about["description"] == "A question in plain words."
    manager.handle_tool_call("add_memory", {"statement": "The user is allergic to nuts."})
    found = json.loads(manager.handle_tool_call("search_memory", {"query": "Which allergy?"}))["result"]
    assert "The user is allergic to nuts." in found[0]
    for wrong in ({}, {"query": 1}, {"query": "x" * 2_000_000}):
        assert "error" in json.loads(manager.handle_tool_call("search_memory", wrong))
    assert "long-term memory" in manager.build_system_prompt()

"""The plugin of coding agents, as the repository has it."""

import json
import tomllib
from pathlib import Path

import pytest
from scripts.build_plugins import ROOT, plugin_files

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


@pytest.mark.parametrize("path", plugin_files())
def test_every_file_is_what_would_be_written_now(path: str) -> None:
    assert (ROOT / path).read_text("utf-8") == plugin_files()[path], "run make plugins"


@pytest.mark.parametrize(
    "manifest",
    [
        ".claude-plugin/plugin.json",
        ".codex-plugin/plugin.json",
        ".cursor-plugin/plugin.json",
        "gemini-extension.json",
    ],
)
def test_every_manifest_has_the_version_of_the_package(manifest: str) -> None:
    told = json.loads((ROOT / "plugins" / "recollect" / manifest).read_text())
    assert (told["name"], told["version"]) == ("recollect", VERSION)
    assert "hooks" not in told


def test_the_skill_has_the_version_of_the_package_and_names_no_memory() -> None:
    skill = (ROOT / "plugins" / "recollect" / "skills" / "recollect" / "SKILL.md").read_text()
    assert f'version: "{VERSION}"' in skill
    assert "{" not in skill
    assert "--user-id" not in skill


def test_nothing_else_lies_in_the_plugin() -> None:
    found = {str(one.relative_to(ROOT)) for one in Path(ROOT / "plugins").rglob("*") if one.is_file()}
    assert found == {path for path in plugin_files() if path.startswith("plugins/")}

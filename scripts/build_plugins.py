"""Writes the plugin of coding agents, ``plugins/recollect``, and the catalogues that lead to it.

Every host reads its own manifest of the one folder. It has the skill that ``recollect install`` writes, and
no hooks: which Python runs them, and for which memory, only an installation knows.

    python -m scripts.build_plugins
"""

import json
from collections.abc import Mapping
from importlib.metadata import metadata
from pathlib import Path
from typing import Any, Final

from recollect import __version__
from recollect.integrations.hosts.entries import skill_text

ROOT: Final = Path(__file__).parent.parent
_NAME: Final = "recollect"
_FOLDER: Final = f"plugins/{_NAME}"
_SKILLS: Final = "./skills/"


def plugin_files() -> dict[str, str]:
    """The text of each file, by its path in the repository."""
    package = metadata("recollect")
    about = {"name": _NAME, "version": __version__, "description": package["Summary"]}
    owner = {"name": package["Author"]}
    usual = {**about, "author": owner, "license": package["License-Expression"]}
    shown = {"displayName": "Recollect", "shortDescription": package["Summary"], "category": "Productivity"}
    listed = {"name": _NAME, "source": f"./{_FOLDER}", "description": package["Summary"]}
    offered: dict[str, Any] = {
        "name": _NAME,
        "source": {"source": "local", "path": f"./{_FOLDER}"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": shown["category"],
    }
    written: Mapping[str, dict[str, Any]] = {
        f"{_FOLDER}/.claude-plugin/plugin.json": usual,
        f"{_FOLDER}/.codex-plugin/plugin.json": {**usual, "skills": _SKILLS, "interface": shown},
        f"{_FOLDER}/.cursor-plugin/plugin.json": {**usual, "skills": _SKILLS},
        f"{_FOLDER}/gemini-extension.json": about,
        ".claude-plugin/marketplace.json": {
            "name": _NAME, "owner": owner, "description": package["Summary"],
            "plugins": [{**listed, "version": __version__}],
        },
        ".cursor-plugin/marketplace.json": {"name": _NAME, "owner": owner, "plugins": [listed]},
        ".agents/plugins/marketplace.json": {
            "name": _NAME, "interface": {"displayName": "Recollect"}, "plugins": [offered],
        },
    }  # fmt: skip
    files = {path: json.dumps(value, indent=2) + "\n" for path, value in written.items()}
    return {**files, f"{_FOLDER}/skills/{_NAME}/SKILL.md": skill_text(command=_NAME, options=[])}


def main() -> None:
    """Write them all."""
    for path, text in plugin_files().items():
        file = ROOT / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


if __name__ == "__main__":
    main()

"""What make takes for installed."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
NPM: Final = """#!/bin/sh
echo "npm $*" >> "$CALLS"
rm -rf node_modules && mkdir node_modules
test ! -e broken
"""
"""An npm that begins to install and breaks off where a file named ``broken`` lies."""
pytestmark = [
    pytest.mark.skipif(not (ROOT / "Makefile").is_file(), reason="the sources are not here"),
    pytest.mark.skipif(shutil.which("make") is None, reason="no make here"),
]


@pytest.mark.parametrize("folder", ["web", "clients/typescript"])
def test_packages_whose_installation_broke_off_are_installed_again(tmp_path: Path, folder: str) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (programs := tmp_path / "bin").mkdir()
    (programs / "npm").write_text(NPM, encoding="utf-8")
    (programs / "npm").chmod(0o755)
    (package := tmp_path / folder).mkdir(parents=True)
    (package / "package-lock.json").touch()
    (broken := package / "broken").touch()
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "CALLS": str(calls := tmp_path / "calls")}

    def make() -> int:
        command = ["make", f"{folder}/node_modules/.made"]
        return subprocess.run(  # noqa: S603 - our own command
            command, cwd=tmp_path, env=environment, capture_output=True, check=False
        ).returncode

    assert make()
    broken.unlink()
    assert [make(), make()] == [0, 0]
    assert calls.read_text(encoding="utf-8").count("npm ci") == 2

"""Makes the environment that a system's file declares: one for each set of requirements, made once."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import platformdirs

from recollect.errors import MissingExtraError
from recollect_bench.catalogue import SystemFile
from recollect_bench.errors import SystemFailedError

_INSTALL_S: Final = 1_800
"""Seconds an installation may take; the largest bring several gigabytes. Chosen by hand."""


def cache_folder() -> Path:
    """Where the environments lie."""
    return Path(platformdirs.user_cache_dir("recollect-bench"))


def python_of(system: SystemFile, *, cache: Path) -> Path:
    """The interpreter that runs a system; its environment is made when it is not there.

    Raises:
        SystemFailedError: Its requirements cannot be installed.
        MissingExtraError: ``uv`` is not installed.
    """
    if not system.requirements:
        return Path(sys.executable)
    marked = "\n".join([sys.version, *system.requirements])
    folder = cache / f"{system.name}-{hashlib.sha256(marked.encode()).hexdigest()[:12]}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "complete").exists():
        _make(folder, python, system)
    return python


def _make(folder: Path, python: Path, system: SystemFile) -> None:
    """Anew each time, so that what an interrupted installation left is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    uv = _uv()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _run([uv, "venv", "--quiet", "--python", sys.executable, str(folder)])
        _run([uv, "pip", "install", "--quiet", "--python", str(python), *system.requirements])
        (folder / "complete").touch()
    except OSError as error:
        raise SystemFailedError(f"cannot be installed: {error}") from error


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - uv with requirements from the system's file
            command, capture_output=True, text=True, check=False, timeout=_INSTALL_S
        )
    except subprocess.TimeoutExpired as error:
        raise SystemFailedError(f"cannot be installed: it takes more than {_INSTALL_S} s") from error
    if done.returncode:
        said = " ".join(done.stderr.split())
        raise SystemFailedError(f"cannot be installed: {said[:300]}")


def _uv() -> str:
    try:
        import uv
    except ImportError as error:
        raise MissingExtraError("an environment for another system", extra="bench") from error
    return uv.find_uv_bin()

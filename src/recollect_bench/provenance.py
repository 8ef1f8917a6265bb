"""Where and with what a result was made."""

import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

UNKNOWN: Final = "unknown"
"""The commit of a Recollect that was installed as a package."""
_HERE: Final = Path(__file__).parent
_PACKAGES: Final = ("recollect", "numpy", "apsw", "PyStemmer", "bm25s")


def provenance() -> dict[str, object]:
    """Date, commit, versions and machine, as every result carries them."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": _git("rev-parse", "--short", "HEAD") or UNKNOWN,
        "uncommitted_changes": bool(_git("status", "--porcelain", "--", str(_HERE.parent))),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def library_commit() -> str:
    """The last commit that changed what Recollect finds; ``""`` where there is no repository.

    The commands are left out: they only call the library.
    """
    library = _HERE.parent / "recollect"
    return _git("log", "-1", "--format=%h", "--", str(library), f":(exclude){library / 'cli'}")


def library_state() -> str:
    """What tells one state of Recollect from another: its commit, else the version of the package."""
    return library_commit() or f"version {_version('recollect')}"


def told(commit: str, made: Mapping[str, Any]) -> str:
    """Which Recollect it was, in words; where no commit is known, its version, and that.

    Args:
        commit: As a result has it.
        made: The result's provenance.

    >>> told("abc1234", {})
    'Recollect at `abc1234`'
    >>> told("", {"packages": {"recollect": "0.1.0"}})
    'Recollect 0.1.0 as a package, which knows no commit'
    """
    if commit not in {"", UNKNOWN}:
        return f"Recollect at `{commit}`"
    version = made.get("packages", {}).get("recollect") or "of an unknown version"
    return f"Recollect {version} as a package, which knows no commit"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _git(*arguments: str) -> str:
    """What git says in the repository that holds this file; nothing when none does."""
    git = shutil.which("git")
    if git is None or not _said(git, "ls-files", Path(__file__).name):
        return ""
    return _said(git, *arguments)


def _said(git: str, *arguments: str) -> str:
    command = [git, "-C", str(_HERE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603

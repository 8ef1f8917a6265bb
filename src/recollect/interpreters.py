"""New interpreters beside this one, which use the other cores: they end with the work that they are given."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import subprocess

MOST_PROCESSES: Final = 4
"""Processes that one job uses. Chosen by hand: others use the machine, too."""
_PYTHONS: Final = ("python", "pypy")
"""How an interpreter is called that takes ``-c``; a program that Python is built into is none."""
_START: Final = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "


def start_interpreter(code: str) -> "subprocess.Popen[bytes] | None":
    """A new interpreter that imports what this one does and runs ``code``; None where none can be started."""
    import subprocess

    if not Path(sys.executable or "").name.lower().startswith(_PYTHONS):
        return None
    try:
        return subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-c", _START + code, json.dumps(list(map(str, sys.path)))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

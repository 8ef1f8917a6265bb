"""The results in a folder: each is read whole and can be shown, or the folder is refused with the reasons."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from recollect.errors import InvalidInputError
from recollect_bench.table import Result

FORMAT: Final = 1
"""The shape of a result's file, which it names; one that names none is of this first shape."""


def read_all(folder: Path, kind: str, *, show: Callable[[Result], object]) -> list[Result]:
    """The results of a kind in a folder, by the names of their files; other files are left alone.

    Args:
        folder: Where ``bench run`` and ``bench judge`` write.
        kind: What results of it say in ``benchmark``.
        show: Makes its part of the page; whatever it lacks for that is a fault of its file.

    Raises:
        InvalidInputError: There is no such folder, or files in it cannot be read: it names each.
    """
    if not folder.is_dir():
        raise InvalidInputError(f"there is no folder {folder}")
    found: list[Result] = []
    faults: list[str] = []
    for path in sorted(folder.glob("*.json")):
        try:
            one = _read(path)
            if isinstance(one, dict) and one.get("benchmark") == kind:
                _check(one, show)
                found.append(one)
        except (OSError, ValueError, RecursionError) as error:
            faults.append(f"{path} {error}")
    if faults:
        raise InvalidInputError(f"{'; '.join(faults)}. Make it again, or move it out of {folder}")
    return found


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if not text.strip():
        raise ValueError("is empty")
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"is no JSON, or not the whole of it: {error}") from error


def _check(one: Result, show: Callable[[Result], object]) -> None:
    """Refuse what has another shape, by its own word or because it cannot be shown."""
    if one.get("format", FORMAT) != FORMAT:
        raise ValueError(f"has the format {one['format']!r}, of another version; this one reads {FORMAT}")
    try:
        show(one)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"is no whole result: {type(error).__name__}: {error}") from error

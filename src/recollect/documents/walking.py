"""Find the files of a folder that may be documents, sorted by name."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from recollect.documents.reading import format_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A file of a folder.

    Attributes:
        path: Its path.
        skipped: Why it is not read; None if it is read.
        refused: Whether to report it as refused, since the user may expect it to be read.
    """

    path: Path
    skipped: str | None = None
    refused: bool = False


def files_in(folder: Path) -> Iterator[FoundFile]:
    """Yield the files of a folder and its subfolders, without hidden ones; links are not followed."""
    for place, folders, names in os.walk(folder, onerror=None):
        inner = sorted(name for name in folders if not name.startswith("."))
        folders[:] = [name for name in inner if not os.path.islink(os.path.join(place, name))]  # noqa: PTH114, PTH118 - as os.walk gives them
        for name in sorted({*names, *inner} - set(folders)):
            if not name.startswith("."):
                yield _found(folder, Path(place, name))


def _found(folder: Path, path: Path) -> FoundFile:
    if path.is_symlink():
        leads = path.resolve()
        if not leads.is_relative_to(folder):
            return FoundFile(path=path, skipped="it is a link that leads out of the folder", refused=True)
        return FoundFile(path=path, skipped="it is a link into the folder")
    if format_of(path) is None:
        return FoundFile(path=path, skipped="it is no document, by its name")
    return FoundFile(path=path)

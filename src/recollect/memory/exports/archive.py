"""A folder of Markdown that comes as a zip archive: written into a folder, for ``apply`` to read."""

import errno
import os
from pathlib import Path, PurePosixPath
from typing import Final

from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import SourceFiles
from recollect.memory.exports.manifest import NAME

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""The errors of a disk that is full."""
MAX_BYTES: Final = 1 << 28
"""What the pages may have together: 256 MiB. Chosen by hand: a million messages of an export have that."""


def unpacked(files: SourceFiles, into: Path) -> Path:
    """Write the pages of an archive, and the lists of what was exported, into an empty folder.

    Returns:
        The folder that ``export`` wrote, or that of one user; folders above it are passed over.

    Raises:
        InvalidInputError: The archive has links or paths that lead out of it, is too large, or was not
            exported by Recollect.
        OSError: The disk is full.
    """
    for name, why in files.refused.items():
        raise InvalidInputError(f"{files.title} has {why}, such as {name}; nothing was changed")
    pages = {name: page for name in files.names if _is_read(page := PurePosixPath(name))}
    lists = [page for page in pages.values() if page.name == NAME]
    if not lists:
        raise InvalidInputError(
            f"{files.title} is no folder that Recollect exported as Markdown: it has no {NAME}, which is a "
            "hidden file; give the whole folder, or that file and some pages at their places in it"
        )
    left = MAX_BYTES
    for name, page in pages.items():
        content = files.read(name, most=left)
        left -= len(content)
        _write(into / page, content)
    return into / os.path.commonpath([one.parent for one in lists])


def _is_read(name: PurePosixPath) -> bool:
    is_ours = name.name == NAME or (name.suffix == ".md" and not name.name.startswith("."))
    return is_ours and not any(part.startswith(".") for part in name.parent.parts)


def _write(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise InvalidInputError(f"{file.name} cannot be unpacked: {error.strerror}") from error

"""What the file system says, as the errors of Recollect."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from recollect.errors import StoreError, StoreFullError, StoreReadOnlyError

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_READ_ONLY: Final = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def mapped(path: Path) -> Iterator[None]:
    """Turn the errors of files into those of a store at ``path``."""
    try:
        yield
    except OSError as error:
        raise _named(error, path) from error


def _named(error: OSError, path: Path) -> StoreError:
    if error.errno in _FULL:
        return StoreFullError(f"no space is left for {path}; the interrupted write left nothing behind")
    if error.errno in _READ_ONLY:
        return StoreReadOnlyError(f"{path} or its folder cannot be read and written; check their permissions")
    if not path.parent.is_dir():
        return StoreError(f"the folder of {path} is not there; make it first")
    return StoreError(f"{path}: {error.strerror or error}")

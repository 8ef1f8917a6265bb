"""A lock that processes and threads share, on a file."""

import os
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from recollect.errors import StoreBusyError

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_RETRY_S: Final = 0.002
"""Between two attempts. Chosen by hand."""


class FileLock:
    """Lets in one holder at a time, who may enter again; not for several threads at once."""

    def __init__(self, path: Path, *, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._locked: weakref.ref[IO[bytes]] | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; it is free again when the block or the process ends.

        Raises:
            OSError: The file cannot be opened.
            StoreBusyError: Another process held it for too long.
        """
        if self._is_held():
            yield
            return
        while True:
            with self._path.open("ab") as file:
                self._wait(file)
                if self._is_there(file):
                    self._locked = weakref.ref(file)
                    yield
                    return

    def remove(self) -> None:
        """Remove the file while it is held: waiting processes go on with the next one."""
        self._path.unlink()

    def _is_there(self, file: IO[bytes]) -> bool:
        """Whether what was locked is the file, and not one that was removed meanwhile."""
        try:
            return os.path.samestat(self._path.stat(), os.fstat(file.fileno()))
        except FileNotFoundError:
            return False

    def _is_held(self) -> bool:
        """The open file is the lock: wherever a block is interrupted, it is closed in the end."""
        file = None if self._locked is None else self._locked()
        return file is not None and not file.closed

    def _wait(self, file: IO[bytes]) -> None:
        until = time.monotonic() + self._timeout_s
        while True:
            try:
                _lock(file)
            except (BlockingIOError, PermissionError):
                if time.monotonic() > until:
                    raise StoreBusyError(
                        f"another process kept {self._path} locked for {self._timeout_s:g} s; try again"
                    ) from None
                time.sleep(_RETRY_S)
            else:
                return

"""What a run found so far: lines of JSON, one for each conversation or call, for going on after a stop."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from recollect_bench.errors import SystemFailedError


class Journal:
    """Keeps whole rows; what was not flushed before a stop is dropped and made again.

    Args:
        path: The file. When its first line says that it was made of something else, it begins anew.
        made_of: What the figures depend on: the system's file, its requirements, the data.
        fresh: Whether to begin anew in any case.
        fields: What every row has; one that lacks some is made again. The first is what a row is known by:
            of two with the same, the later counts.

    Raises:
        SystemFailedError: Another run keeps the same journal.
    """

    def __init__(
        self, path: Path, *, made_of: Mapping[str, object], fresh: bool, fields: Sequence[str]
    ) -> None:
        self._path, self._key = path, fields[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(path.with_suffix(".lock"))
        head = dict(made_of)
        lines = whole_lines(path) if path.exists() and not fresh else []
        rows = lines[1:] if lines[:1] == [head] else []
        self.done: dict[str, Any] = {row[self._key]: row for row in rows if row.keys() >= set(fields)}
        self._write([head, *self.done.values()])  # without what a stop left of a line

    def keep(self, row: Mapping[str, Any]) -> None:
        """Add a row; when this returns, a power cut does not undo it."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.done[row[self._key]] = row

    def close(self) -> None:
        """Let another run keep it."""
        if self._lock is not None:
            self._lock.close()

    def _write(self, rows: list[Any]) -> None:
        new = self._path.with_suffix(".new")
        new.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        new.replace(self._path)


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """The objects in a journal, its head first, as far as they are whole."""
    found: list[dict[str, Any]] = []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]:
        try:
            read = json.loads(line)
        except ValueError:
            break
        if not isinstance(read, dict):
            break
        found.append(read)
    return found


def _locked(path: Path) -> IO[str] | None:
    """A file that this process alone holds, until closed or ended; None where there is no such thing."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    file = path.open("w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise SystemFailedError(f"another run writes to {path.parent}") from None
    return file

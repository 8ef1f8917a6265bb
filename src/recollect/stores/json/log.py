"""The file, and beside it a folder with the writes since, the document before, and the lock.

``brain.json``
    The document: everything up to some write.
``brain.json-log/writes``
    The writes since; some may be in the document already.
``brain.json-log/previous.json``, ``brain.json-log/previous-writes``
    The document before, and the writes that led from it to the present one.
``brain.json-log/lock``
    Locked while a process writes, or reads what others wrote.

Everything can be read again from what any step of a fold leaves behind, see ``FileLog._fold``.
"""

import errno
import logging
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from recollect.errors import (
    StoreCorruptError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreReadOnlyError,
)
from recollect.stores.json.document import LogDocument, number_of, read, written
from recollect.stores.json.lines import Lines, LogLine, sync_folder
from recollect.stores.json.lock import FileLock
from recollect.stores.logged.soundness import UNSOUND
from recollect.stores.logged.store import NOTHING, News
from recollect.stores.logged.writes import Write, apply, forgets
from recollect.stores.reference.tables import Kept
from recollect.types.ids import new_id

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


FOLD_BYTES: Final = 4_000_000
"""Of writes beside the file, at which they are folded into it if they are also half as long as the file:
reading them costs about 50 ms then. Chosen by hand."""

_LOGGER: Final = logging.getLogger(__name__)

Signature = tuple[int, int, int] | None
"""What tells whether a file was changed; None when it is not there."""


class FileLog:
    """The log of a JSON file."""

    def __init__(self, path: Path, *, busy_timeout_s: float) -> None:
        self.name = str(path)
        self._path = path
        self._folder = path.with_name(f"{path.name}-log")
        self._writes = Lines(self._folder / "writes")
        self._previous = self._folder / "previous.json"
        self._previous_writes = Lines(self._folder / "previous-writes")
        self._new = self._folder / "new.json"
        self._lock = FileLock(self._folder / "lock", timeout_s=busy_timeout_s)
        self._store = ""
        self._stores: set[str] = set()  # its ids, of which it gets a new one when a write was lost
        self._seen: tuple[Signature, Signature] = (None, None)
        self._end = 0
        self._forgetting = False
        self._lost = False
        if path.exists() and not path.is_file() and not path.is_dir():
            raise StoreFormatError(f"{path} is no file, so nothing can be stored in it; name another path")
        with mapped(path):
            self._made_folder = self._make_folder()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """A context in which no other process reads or writes."""
        with mapped(self._path), self._lock.held():
            yield

    def news(self, known: int) -> News | None:
        """What was written after write ``known``; two looks at the file system when nothing was."""
        with mapped(self._path):
            if known != NOTHING and self._signatures() == self._seen:
                return None
            with self._lock.held():
                try:
                    return self._read(known)
                except (OSError, StoreError):
                    if self._made_folder and not self._stores:
                        self._remove_folder()
                    raise

    def append(self, number: int, write: Write, kept: Kept) -> None:  # noqa: ARG002 - see Log
        """Put a write down and force it to the disk."""
        with mapped(self._path):
            self._end = self._writes.append(LogLine(number, write), at=self._end)
            self._forgetting |= forgets(write)
            self._seen = self._signatures()

    def tidy(self, number: int, kept: Kept) -> None:
        """Fold when there is much to fold, or something to forget.

        Raises:
            StoreError: What is to be forgotten could not be removed from the files.
        """
        if not self._forgetting and not self._lost and self._end < max(FOLD_BYTES, self._size() // 2):
            return
        try:
            self._fold_mine(number, kept)
        except StoreError as error:
            if self._forgetting:
                raise type(error)(f"{error}; what was purged still stands in {self._folder}") from error
            _LOGGER.warning("the writes in %s could not be folded yet: %s", self._folder, error)

    def close(self, number: int, kept: Kept) -> None:
        """Fold what can be folded; if that fails, a later call does it, and nothing is lost."""
        if self._end:
            try:
                self._fold_mine(number, kept)
            except StoreError as error:
                _LOGGER.warning("the writes in %s stay beside the file: %s", self._folder, error)

    # The folder

    def _make_folder(self) -> bool:
        """Whether it was not there."""
        try:
            self._folder.mkdir(mode=0o700)
        except FileExistsError:
            if not self._folder.is_dir():
                raise
            return False
        return True

    def _remove_folder(self) -> None:
        """Remove what this process made beside a file that is not ours.

        While the lock is held: ``new.json`` is then nobody else's.
        """
        with suppress(OSError):
            self._new.unlink(missing_ok=True)
            if [path.name for path in self._folder.iterdir()] == ["lock"]:
                self._lock.remove()
                self._folder.rmdir()

    # Reading

    def _read(self, known: int) -> News:
        seen = self._signatures()
        if known != NOTHING and seen[0] is not None and seen[0] == self._seen[0]:
            self._check_place(seen[1])
            lines, end = self._lines(self._end)
            fresh = _following(known, lines, name=str(self._writes.path))
            news = News(known + len(fresh), [line.write for line in fresh])
        else:
            lines, end = self._lines(0)
            document = self._document(lines)
            if self._stores and document.store not in self._stores:
                raise StoreError(
                    f"another store replaced {self._path}, or one of its writes was lost; open it again"
                )
            self._stores.add(document.store)
            self._store = document.store
            news = News(document.number, (), whole=document.kept)
        self._forgetting |= any(forgets(line.write) for line in lines)
        if news.number >= known:
            self._seen, self._end = self._signatures(), end
        return news

    def _check_place(self, writes: Signature) -> None:
        """Whether the writes that were read are still those before ``_end``.

        Raises:
            StoreError: They are not: one of them was damaged, and another process has cut it off.
        """
        before = self._seen[1]
        if not self._end or before is None:
            return
        if writes is None or writes[0] != before[0] or writes[1] < self._end:
            raise StoreError(f"one of the writes in {self._folder} was lost; open {self._path} again")

    def _lines(self, start: int) -> tuple[list[LogLine], int]:
        """The writes beside the file; a damaged one at their end is put aside, and said loudly."""
        lines, end, is_damaged = self._writes.read(start)
        if is_damaged:
            aside = self._put_aside(self._writes.path)
            self._lost = True
            _LOGGER.error(
                "the last write in %s is damaged, and is left out: it WAS LOST, if its call returned; the "
                "damaged file is %s", self._writes.path, aside,
            )  # fmt: skip
            self._writes.cut(end, by=self._new)
        return lines, end

    def _document(self, lines: Sequence[LogLine]) -> LogDocument:
        """What stands in the file and in the lines beside it.

        The file is made when nothing was there, and mended when it is damaged.
        """
        has_log = self._previous.exists() or self._writes.path.exists()
        if not has_log and not self._size():
            self._replace(written(Kept(), store=new_id(), number=0))
        elif not self._path.exists():
            raise StoreCorruptError(
                f"{self._path} is gone, and {self._folder} is there: restore the file (a copy of "
                f"{self._previous} will do), or delete the folder to start again"
            )
        data = self._path.read_bytes()
        try:
            document = _advanced(read(data, name=self.name), lines, name=str(self._writes.path))
        except StoreCorruptError as error:
            return self._restored(error, data, lines)
        if not self._previous.exists():
            self._copy(self._path, self._previous)
        return document

    def _restored(self, error: StoreCorruptError, data: bytes, lines: Sequence[LogLine]) -> LogDocument:
        """The file made again from the document before it and the writes since."""
        try:
            before = self._previous_writes.read()
            document = read(self._previous.read_bytes(), name=str(self._previous))
            document = _advanced(document, [*before.lines, *lines], name=str(self._folder))
        except (OSError, StoreError) as second:
            why = f"there is no {self._previous}" if isinstance(second, FileNotFoundError) else second
            raise StoreCorruptError(f"{error}; it cannot be restored: {why}") from error
        number = document.number
        aside = self._put_aside(self._path)
        lost = max(int(before.is_damaged), number_of(data) - number)
        if lost > 0:
            document = document._replace(store=self._after_a_loss())
        self._replace(written(document.kept, store=document.store, number=number))
        _LOGGER.error(
            "%s; it was restored from %s and the writes since, up to write %d (%s); the damaged file is %s",
            error, self._previous, number, f"{lost} WERE LOST" if lost else "nothing was lost", aside,
        )  # fmt: skip
        return document

    def _put_aside(self, damaged: Path) -> Path:
        aside = self._path.with_name(f"{self._path.name}.damaged-{new_id()}")
        shutil.copy(damaged, aside)
        return aside

    # Folding

    def _fold_mine(self, number: int, kept: Kept) -> None:
        """Fold, unless another process wrote meanwhile, which will."""
        with mapped(self._path), self._lock.held():
            if self._signatures() == self._seen:
                if self._lost:
                    self._store = self._after_a_loss()
                self._fold(written(kept, store=self._store, number=number))

    def _after_a_loss(self) -> str:
        """A new id for the store: a process that has it open may know the write and must open it again."""
        store = new_id()
        self._stores.add(store)
        return store

    def _fold(self, document: Iterable[str]) -> None:
        """Replace the old document by a new one.

        After each step the document and ``writes`` have everything, and so do the previous document,
        ``previous-writes`` and ``writes``: writes that are in a document already are skipped. Purged words
        are gone when ``writes`` is, so a killed process leaves a sign for the next one to go on.
        """
        if not self._forgetting:
            self._copy(self._path, self._previous)
        self._replace(document)
        if self._forgetting:
            self._copy(self._path, self._previous)
            self._previous_writes.path.unlink(missing_ok=True)
            self._writes.path.unlink(missing_ok=True)
        elif self._writes.path.exists():
            self._writes.path.replace(self._previous_writes.path)
        sync_folder(self._folder)
        self._forgetting = self._lost = False
        self._end = 0
        self._seen = self._signatures()

    def _replace(self, document: Iterable[str]) -> None:
        with open(
            self._new, "w", encoding="utf-8", errors="surrogatepass", newline="\n", opener=_opened_privately
        ) as file:
            if self._path.exists():
                shutil.copymode(self._path, self._new)
            file.writelines(document)
            file.flush()
            os.fsync(file.fileno())
        self._new.replace(self._path)
        sync_folder(self._path.parent)

    def _copy(self, source: Path, target: Path) -> None:
        """Copy a file over another one: what happens to one of them later does not reach the other."""
        with source.open("rb") as old, self._new.open("wb") as new:
            shutil.copyfileobj(old, new)
            new.flush()
            os.fsync(new.fileno())
        self._new.replace(target)

    def _signatures(self) -> tuple[Signature, Signature]:
        return _signature(self._path), _signature(self._writes.path)

    def _size(self) -> int:
        return self._path.stat().st_size if self._path.exists() else 0


def _opened_privately(path: str, flags: int) -> int:
    """Make a file that its owner alone may read."""
    return os.open(path, flags, 0o600)


def _signature(path: Path) -> Signature:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _advanced(document: LogDocument, lines: Iterable[LogLine], *, name: str) -> LogDocument:
    """The document after the lines that are not in it yet."""
    fresh = _following(document.number, lines, name=name)
    try:
        for line in fresh:
            apply(document.kept, line.write)
    except UNSOUND as error:
        raise StoreCorruptError(f"{name} does not fit the document: {error!r}") from error
    document.kept.settle()
    return document._replace(number=document.number + len(fresh))


def _following(number: int, lines: Iterable[LogLine], *, name: str) -> Sequence[LogLine]:
    """The lines after a number, one after the other."""
    fresh: list[LogLine] = []
    for line in lines:
        if line.number > number:
            if line.number != number + len(fresh) + 1:
                raise StoreCorruptError(f"in {name} the write {number + len(fresh) + 1} is missing")
            fresh.append(line)
    return fresh

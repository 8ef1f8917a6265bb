"""Files that are sent as a body: written to a temporary file as they arrive, whatever their size.

One that is looked at before it is imported is sent once: ``Uploads`` keeps it for a while.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from recollect.errors import NotFoundError, as_given
from recollect.memory.exports.archive import FULL
from recollect.server.problems import ProblemError
from recollect.types.ids import new_id

KEPT_S: Final = 1_800.0
"""Seconds a file is kept after it was sent or last read. Chosen by hand: time to look at what it holds."""
KEYS_AT_MOST: Final = 4
"""How many keys can have as much as a key may have. Chosen by hand, as ``gate.LARGE_AT_ONCE``."""
FILES_AT_MOST: Final = 200
"""Files of a key. Chosen by hand."""
_MOST_FILE_NAME: Final = 60
"""Characters of a file's name that are kept, of at most four bytes each: file systems take 255."""
_PIECE: Final = 1 << 20
"""Bytes that are written at a time. Chosen by hand."""


@dataclass(slots=True, kw_only=True, eq=False)
class Upload:
    """A file that was sent, in a temporary folder of its own.

    Attributes:
        path: The file; it ends as its name does, or as it begins.
        name: Its name as it was sent; None if it has none.
    """

    id: str
    key_id: str
    folder: "TemporaryDirectory[str]"
    path: Path
    name: str | None
    size_bytes: int
    readers: int = 0
    end: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Remove the file."""
        if self.end is not None:
            self.end.cancel()
        self.folder.cleanup()


class Uploads:
    """The files that keys have sent and will read: by a look first, then by an import.

    Each key has room for ``FILES_AT_MOST`` files, all keys together for ``KEYS_AT_MOST`` times what one has:
    what was not read for longest goes first. What is being read stays.

    Args:
        max_bytes: The room of a key.
    """

    def __init__(self, *, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: dict[str, Upload] = {}

    async def add(self, request: Request, *, key_id: str, name: str | None) -> Upload:
        """Keep the body of a request.

        Raises:
            ProblemError: 507: the disk is full.
        """
        upload = await received(request, name, key_id=key_id)
        own = [one for one in self._kept.values() if one.key_id == key_id]
        self._make_room(own, for_bytes=upload.size_bytes, most=self._max_bytes)
        every = list(self._kept.values())
        self._make_room(every, for_bytes=upload.size_bytes, most=KEYS_AT_MOST * self._max_bytes)
        self._kept[upload.id] = upload
        self._rest(upload)
        return upload

    @contextmanager
    def reading(self, upload_id: str, *, key_id: str) -> Iterator[Upload]:
        """A file that a key has sent; it is kept as long as it is read, and for a while from then on.

        Raises:
            NotFoundError: The key has no such file, or not any more.
        """
        upload = self._kept.pop(self._found(upload_id, key_id).id)
        self._kept[upload.id] = upload
        upload.readers += 1
        try:
            yield upload
        finally:
            upload.readers -= 1
            self._rest(upload)

    def remove(self, upload_id: str, *, key_id: str) -> None:
        """Remove a file that a key has sent, as soon as nobody reads it.

        Raises:
            NotFoundError: The key has no such file, or not any more.
        """
        self._drop(self._found(upload_id, key_id))

    def close(self) -> None:
        """Remove all files."""
        for upload in list(self._kept.values()):
            del self._kept[upload.id]
            upload.close()

    def _found(self, upload_id: str, key_id: str) -> Upload:
        upload = self._kept.get(upload_id)
        if upload is None or upload.key_id != key_id:
            raise NotFoundError(
                f"no file {as_given(upload_id)} is kept for this key; files are kept for "
                f"{KEPT_S / 60:.0f} minutes, as far as there is room: send it again"
            )
        return upload

    def _make_room(self, kept: list[Upload], *, for_bytes: int, most: int) -> None:
        """Drop what was not read for longest until so many bytes and one more file fit in."""
        for upload in kept:
            left = [one for one in kept if one.id in self._kept]
            if sum(one.size_bytes for one in left) + for_bytes <= most and len(left) < FILES_AT_MOST:
                return
            if not upload.readers:
                self._drop(upload)

    def _rest(self, upload: Upload) -> None:
        """Let its time run once nobody reads it; remove it if it was dropped meanwhile."""
        if upload.readers:
            return
        if upload.id not in self._kept:
            upload.close()
            return
        if upload.end is not None:
            upload.end.cancel()
        upload.end = asyncio.get_running_loop().call_later(KEPT_S, self._expire, upload)

    def _expire(self, upload: Upload) -> None:
        if not upload.readers:
            self._drop(upload)

    def _drop(self, upload: Upload) -> None:
        self._kept.pop(upload.id, None)
        if not upload.readers:
            upload.close()


async def received(request: Request, name: str | None = None, *, key_id: str = "") -> Upload:
    """The body in a file of a new folder, named as it was sent, else by how it begins.

    Raises:
        ProblemError: 507: the disk is full.
    """
    folder = TemporaryDirectory()
    try:
        path = await _named(request, Path(folder.name), name)
        size = path.stat().st_size
    except BaseException:
        folder.cleanup()
        raise
    return Upload(id=new_id(), key_id=key_id, folder=folder, path=path, name=name, size_bytes=size)


async def _named(request: Request, folder: Path, name: str | None) -> Path:
    sent = PurePosixPath((name or "").replace("\\", "/")).name.replace("\0", "")[-_MOST_FILE_NAME:]
    body = folder / "body"
    start = await _written(request, body)
    guessed = "body.json" if start in (b"[", b"{") else "body.txt"
    return body.rename(folder / (sent if sent.strip(". ") else guessed))


async def _written(request: Request, body: Path) -> bytes:
    """Write the body into a file; returns its first byte that is no blank."""
    start, waiting = b"", bytearray()
    with needing_space(), body.open("wb") as file:
        async for piece in request.stream():
            start = start or piece.lstrip()[:1]
            waiting += piece
            if len(waiting) >= _PIECE:
                await run_in_threadpool(file.write, bytes(waiting))
                waiting.clear()
        await run_in_threadpool(file.write, bytes(waiting))
    return start


@contextmanager
def needing_space() -> Iterator[None]:
    """Refuse the request where the disk is full.

    Raises:
        ProblemError: 507: it is.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise ProblemError(
            HTTPStatus.INSUFFICIENT_STORAGE, "no space is left on the server for the file; nothing was stored"
        ) from error

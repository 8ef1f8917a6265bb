"""Files that are sent as a body: written to a temporary file as they arrive, whatever their size."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import Final

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from recollect.memory.exports.archive import FULL
from recollect.server.problems import ProblemError

_MOST_FILE_NAME: Final = 60
"""Characters of a file's name that are kept, of at most four bytes each: file systems take 255."""
_PIECE: Final = 1 << 20
"""Bytes that are written at a time. Chosen by hand."""


async def received(request: Request, folder: Path, name: str | None = None) -> Path:
    """The body in a file of a folder, named as it was sent, else by how it begins.

    Raises:
        ProblemError: 507: the disk is full.
    """
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

"""Moving: memories as JSON Lines; who has any; and removing for good. ``importing.py`` reads them in."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, Annotated, Final
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from recollect.errors import StoreError
from recollect.memory.exports.formats import ExportFormat
from recollect.memory.memory import Memory
from recollect.server.calling import Admin, JSONAnswer, UserId, new_router
from recollect.server.observing import AUDITED
from recollect.server.schemas.memories import PurgedOut

router = new_router("moving")

LINES: Final = "application/x-ndjson"
_JSON: Final = "application/json"
_FILES: Final[Mapping[ExportFormat, tuple[str, str]]] = {
    "lines": (LINES, "jsonl"),
    "markdown": ("application/zip", "zip"),
    "mem0": (_JSON, "json"),
    "server-memory": (LINES, "jsonl"),
    "card": ("text/plain", "txt"),
}
"""By format, the media type of a file and the ending of its name."""
_IN_MEMORY: Final = 1 << 23
_PIECE: Final = 1 << 16


class UsersOut(BaseModel):
    """Who has memories."""

    users: list[str]


@router.get("/users", response_model=UsersOut, summary="List users")
async def users(caller: Admin) -> JSONAnswer:
    """The users with memories, by name; a key for one user sees that user alone, and its spaces."""
    owner, spaces = caller.principal.owner, caller.principal.spaces
    return JSONAnswer({"users": await caller.memory.users() if owner is None else [owner, *spaces]})


@router.get(
    "/export",
    summary="Everything of a user as JSON Lines, or in another format",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {
                kind: {"schema": {} if kind == _JSON else {"type": "string"}} for kind, _ in _FILES.values()
            },
            "description": "An export.",
        }
    },
)
async def export(
    caller: Admin, user_id: UserId = None, *, form: Annotated[ExportFormat, Query(alias="format")] = "lines"
) -> StreamingResponse:
    """Memories, links and what was learned, for ``import``.

    With ``format``: ``markdown`` (a folder, as a zip archive), ``mem0``, ``server-memory``, or ``card``: text
    for a prompt.
    """
    user = caller.user(user_id)
    file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - _pieces closes it
    try:
        await caller.in_thread(_export_into, file, caller.service.memory, user, form)
    except BaseException:
        file.close()
        raise
    kind, ending = _FILES[form]
    headers = {"Content-Disposition": f'attachment; filename="recollect-export.{ending}"'}
    return StreamingResponse(_pieces(file), media_type=kind, headers=headers)


@router.post("/purge", response_model=PurgedOut, summary="Remove what was deleted for good")
async def purge(caller: Admin, user_id: UserId = None) -> JSONAnswer:
    """Remove deleted memories of a user from every table and index. It cannot be undone."""
    user = caller.user(user_id)
    first = []
    with suppress(StoreError):  # a store that brings nothing back names nothing that is deleted
        first = await caller.memory.deleted(user_id=user, limit=AUDITED)
    purged = await caller.memory.purge(user_id=user)
    caller.touched((one.id for one in first), count=purged)
    told = {"deleted": purged, "residue": await caller.memory.maintenance.residue()}
    return await caller.hinted("purge", told, found=purged)


def _export_into(file: IO[bytes], memory: Memory, user: str, form: ExportFormat) -> None:
    """Export into a file: text, or a folder as an archive."""
    if form != "markdown":
        text = TextIOWrapper(file, encoding="utf-8", newline="\n")
        memory.export(text, user_id=user, format=form)
        text.flush()
        text.detach()
        return
    with TemporaryDirectory() as folder, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        memory.export(folder, user_id=user, format=form)
        for one in sorted(Path(folder).rglob("*")):
            archive.write(one, one.relative_to(folder))


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece

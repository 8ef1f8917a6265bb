"""Moving: memories as JSON Lines; who has any; and removing for good. ``importing.py`` reads them in."""

from collections.abc import Iterator
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from recollect.errors import StoreError
from recollect.server.calling import Admin, JSONAnswer, UserId
from recollect.server.observing import AUDITED
from recollect.server.schemas.memories import PurgedOut

router = APIRouter(tags=["moving"])

LINES: Final = "application/x-ndjson"
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
    summary="Everything of a user as JSON Lines",
    response_class=StreamingResponse,
    responses={200: {"content": {LINES: {"schema": {"type": "string"}}}, "description": "An export."}},
)
async def export(caller: Admin, user_id: UserId = None) -> StreamingResponse:
    """Memories, links and what was learned, for ``import``."""
    user = caller.user(user_id)
    file = SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n")  # noqa: SIM115 - _pieces closes it
    try:
        await caller.in_thread(caller.service.memory.export, file, user_id=user)
    except BaseException:
        file.close()
        raise
    headers = {"Content-Disposition": 'attachment; filename="recollect-export.jsonl"'}
    return StreamingResponse(_pieces(file), media_type=LINES, headers=headers)


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


def _pieces(file: IO[str]) -> Iterator[str]:
    with file:
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece

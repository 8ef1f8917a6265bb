"""Moving: memories as JSON Lines, out and in; and removing for good."""

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from recollect.checks import check_id
from recollect.errors import InvalidInputError, RecollectError, StoreError
from recollect.ingest.message_files import Importer, is_export, numbered_messages
from recollect.server.calling import Admin, Caller, JSONAnswer, SessionId, UserId
from recollect.server.observing import AUDITED
from recollect.server.schemas.memories import PurgedOut
from recollect.types import JSON, AddResult

router = APIRouter(tags=["moving"])

LINES: Final = "application/x-ndjson"
_IN_MEMORY: Final = 1 << 23
_PIECE: Final = 1 << 16


class LoadedOut(BaseModel):
    """What became of a file that was read in."""

    stored: int
    duplicates: int
    refused: int = Field(description="Messages that were refused, such as those without words.")


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


@router.post(
    "/import",
    response_model=LoadedOut,
    summary="Read an export or messages in",
    openapi_extra={"requestBody": {"required": True, "content": {LINES: {"schema": {"type": "string"}}}}},
)
async def import_(
    request: Request, caller: Admin, user_id: UserId = None, session_id: SessionId = None
) -> JSONAnswer:
    """Read what ``export`` wrote, or messages: a JSON list, an object with ``messages``, or one per line.

    All of it becomes this user's, and what is there already stays as it is. Messages go into
    ``session_id``; an export keeps its sessions.
    """
    user = caller.user(user_id)
    decoder = getincrementaldecoder("utf-8-sig")()
    with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n") as file:
        try:
            async for piece in request.stream():
                file.write(decoder.decode(piece))
            file.write(decoder.decode(b"", final=True))
        except UnicodeDecodeError:
            raise InvalidInputError("the body is not UTF-8 text") from None
        file.seek(0)
        first = file.readline()
        file.seek(0)
        if not is_export(first):
            return JSONAnswer(await caller.in_thread(_said, file, caller, user, session_id))
        wanted = {"id": {"in": await caller.in_thread(_first_ids, file)}}
        file.seek(0)
        before = {one.id for one in await caller.memory.get_all(user_id=user, filters=wanted)}
        loaded = await caller.in_thread(caller.service.memory.load, file, user_id=user)
        after = {one.id for one in await caller.memory.get_all(user_id=user, filters=wanted)}
    caller.touched(sorted(after - before), count=loaded.stored)
    return JSONAnswer({"stored": loaded.stored, "duplicates": loaded.duplicates, "refused": 0})


def _said(file: IO[str], caller: Caller, user: str, session_id: str | None) -> dict[str, JSON]:
    """Store the messages of a file."""
    ids: list[str] = []

    def add(batch: list[dict[str, object]]) -> list[AddResult]:
        done = caller.service.memory.add(batch, user_id=user, session_id=session_id)
        ids.extend(one.id for one in done if one.id and one.status in ("stored", "redacted"))
        return done

    done = Importer(add=add, seed=f"\n{session_id or ''}").store(numbered_messages(iter(file), strict=True))
    caller.touched(ids[:AUDITED], count=len(ids))
    counts = done.counts
    known = counts["duplicate"] + counts["deleted"]
    return {"stored": len(ids), "duplicates": known, "refused": counts["refused"]}


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


def _first_ids(file: IO[str]) -> list[str]:
    """The ids of the first memories of an export, for the audit; ``load`` says what is wrong with others."""
    found: list[str] = []
    for line in file:
        try:
            found.append(check_id("id", json.loads(line)["memory"]["id"]))
        except (KeyError, TypeError, ValueError, RecursionError, RecollectError):
            continue
        if len(found) == AUDITED:
            break
    return found


def _pieces(file: IO[str]) -> Iterator[str]:
    with file:
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece

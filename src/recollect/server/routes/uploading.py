"""Files that are looked at before they are imported: sent once, and named from then on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Path, Query, Request
from pydantic import BaseModel, Field

from recollect.checks import MAX_ID_CHARS
from recollect.server.calling import Admin, Caller, JSONAnswer, new_router
from recollect.server.problems import ProblemError
from recollect.server.schemas.memories import DeletedOut
from recollect.server.uploads import KEPT_S, Upload, received

router = new_router("moving", prefix="/uploads")

BYTES: Final = "application/octet-stream"
FILE: Final = {"schema": {"type": "string", "format": "binary"}}
_MOST_NAME: Final = 200
_TWICE: Final = "the file was sent already: with upload a request has neither a body nor a name"
FileName = Annotated[
    str | None,
    Query(max_length=_MOST_NAME, description="The name of the file; its ending helps to tell what it is."),
]
UploadId = Annotated[
    str | None,
    Query(
        alias="upload",
        min_length=1,
        max_length=MAX_ID_CHARS,
        description="A file that was sent to /uploads, in place of a body.",
    ),
]


class UploadOut(BaseModel):
    """A file that is kept for a while."""

    id: str
    bytes: int
    expires_at: str = Field(description="When it is removed, unless it is read before then.")


@asynccontextmanager
async def sent_file(
    request: Request, caller: Caller, *, name: str | None = None, upload_id: str | None = None
) -> AsyncIterator[Upload]:
    """The file that a request is about: one that was sent before, else its body, which is removed in the end.

    Raises:
        NotFoundError: No such file was sent, or it is not kept any more.
        ProblemError: 422: there are two files; 507: the disk is full.
    """
    if upload_id is None:
        upload = await received(request, name)
        try:
            yield upload
        finally:
            upload.close()
        return
    if name is not None or _has_body(request):
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, _TWICE)
    with caller.service.uploads.reading(upload_id, key_id=caller.principal.key_id) as upload:
        yield upload


def _has_body(request: Request) -> bool:
    return "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"


@router.post(
    "",
    status_code=201,
    response_model=UploadOut,
    summary="Send a file to import",
    openapi_extra={"requestBody": {"required": True, "content": {BYTES: FILE}}},
)
async def send_file(request: Request, caller: Admin, name: FileName = None) -> JSONAnswer:
    """Keep the body for ``upload`` of ``/import`` and ``/apply``, so that a dry run needs no second sending.

    It is removed half an hour after it was read last, or before to make room for others of the key.
    """
    caller.writes_when_touched()
    kept = await caller.service.uploads.add(request, key_id=caller.principal.key_id, name=name)
    expires_at = datetime.now(UTC) + timedelta(seconds=KEPT_S)
    told = {"id": kept.id, "bytes": kept.size_bytes, "expires_at": expires_at.isoformat()}
    return JSONAnswer(told, HTTPStatus.CREATED)


@router.delete("/{upload_id}", response_model=DeletedOut, summary="Remove a file that was sent")
async def remove_upload(
    upload_id: Annotated[str, Path(min_length=1, max_length=MAX_ID_CHARS)], caller: Admin
) -> JSONAnswer:
    """Remove it; what was imported from it stays."""
    caller.writes_when_touched()
    caller.service.uploads.remove(upload_id, key_id=caller.principal.key_id)
    return JSONAnswer({"deleted": 1})

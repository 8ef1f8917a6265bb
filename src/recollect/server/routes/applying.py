"""Applying: the edits of an exported folder of Markdown, sent as a zip archive."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

from fastapi import Query, Request
from pydantic import BaseModel, Field

from recollect.checks import path_in_words
from recollect.errors import InvalidInputError
from recollect.ingest.sources.files import files_at
from recollect.memory.exports.archive import unpacked
from recollect.memory.exports.edits import Edit, EditKind, apply_edits
from recollect.server.calling import Admin, Caller, JSONAnswer, UserId, new_router
from recollect.server.observing import AUDITED
from recollect.server.routes.uploading import BYTES, FILE, UploadId, sent_file
from recollect.server.uploads import needing_space

router = new_router("moving")

_LISTED: Final = 1_000
"""Edits that an answer lists; its counts have all. Chosen by hand."""
_WRITTEN: Final = ("changed", "added", "deleted")
_TITLE: Final = "the archive"


class EditOut(BaseModel):
    """A difference between the folder and the memory."""

    what: EditKind
    user_id: str
    page: str
    line: int = Field(description="Where on the page, from 1; 0 for an item that is gone.")
    memory_id: str | None
    before: str | None = Field(description="The words in the memory.")
    after: str | None = Field(description="The words in the folder.")
    reason: str | None = Field(description="Why it was not done.")


class AppliedOut(BaseModel):
    """What became of the edits of a folder."""

    dry_run: bool
    counts: dict[str, int] = Field(description="How many edits there are of each kind.")
    edits: list[EditOut] = Field(description="The first by page and line, also those that were not done.")


@router.post(
    "/apply",
    response_model=AppliedOut,
    summary="Apply the edits of a folder of Markdown",
    openapi_extra={"requestBody": {"content": {BYTES: FILE}}},
)
async def apply(
    request: Request,
    caller: Admin,
    *,
    user_id: UserId = None,
    upload: UploadId = None,
    dry_run: Annotated[bool, Query(description="Only tell what would be done.")] = False,
    delete_missing: Annotated[bool, Query(description="Delete the memories whose items are gone.")] = False,
) -> JSONAnswer:
    """Take over the edits of a folder that ``GET /export?format=markdown`` gave, sent as a zip archive.

    Other words are corrections, new items are added. What was changed in the memory since the export, too,
    is a ``conflict`` and stays as it is; what cannot be stored is ``refused``.
    """
    user = caller.user(user_id)
    if dry_run:
        caller.writes_when_touched()
    async with sent_file(request, caller, upload_id=upload) as sent:
        edits = await caller.in_thread(
            _applied, sent.path, caller, user, dry_run=dry_run, delete_missing=delete_missing
        )
    counts = Counter(one.what for one in edits)
    if not dry_run:
        written = [str(one.memory_id) for one in edits if one.what in _WRITTEN]
        caller.touched(written[:AUDITED], count=len(written))
    listed = [one.to_dict() for one in edits[:_LISTED]]
    return JSONAnswer({"dry_run": dry_run, "counts": dict(counts), "edits": listed})


def _applied(sent: Path, caller: Caller, user: str, *, dry_run: bool, delete_missing: bool) -> list[Edit]:
    with TemporaryDirectory() as pages:
        with needing_space():
            folder = unpacked(files_at(sent, root="", title=_TITLE), Path(pages))
        try:
            return apply_edits(
                caller.service.memory,
                folder,
                user_id=user,
                delete_missing=delete_missing,
                dry_run=dry_run,
                by=caller.principal.signs(user),
            )
        except InvalidInputError as error:
            raise InvalidInputError(str(error).replace(path_in_words(pages), _TITLE)) from None

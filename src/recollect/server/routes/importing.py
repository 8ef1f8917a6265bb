"""Importing: what other programs export, exports of ours, and messages."""

import json
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Annotated, Final

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from recollect.checks import MAX_NAME_CHARS, check_id
from recollect.errors import InvalidInputError, RecollectError
from recollect.ingest.message_files import Importer, is_export, numbered_messages, survey_messages
from recollect.ingest.sources.files import files_at
from recollect.ingest.sources.report import ImportReport
from recollect.ingest.sources.source import columns_in, read_options
from recollect.ingest.sources.survey import Survey
from recollect.memory.importing import FileImporter, counted, foreign_survey
from recollect.server.calling import Admin, Caller, JSONAnswer, SessionId, UserId
from recollect.server.observing import AUDITED
from recollect.server.routes.moving import LINES
from recollect.server.teams import signed
from recollect.types import JSON, AddResult

router = APIRouter(tags=["moving"])

_BYTES: Final = "application/octet-stream"
_BODY: Final = {
    "required": True,
    "content": {
        LINES: {"schema": {"type": "string"}},
        _BYTES: {"schema": {"type": "string", "format": "binary"}},
    },
}
_MOST_NAME: Final = 200
_MOST_FILE_NAME: Final = 60
"""Characters of a file's name that are kept, of at most four bytes each: file systems take 255."""

FileName = Annotated[
    str | None,
    Query(max_length=_MOST_NAME, description="The name of the file; its ending helps to tell what it is."),
]
DryRun = Annotated[bool, Query(description="Only count; nothing is stored.")]
Format = Annotated[
    str | None, Query(alias="format", max_length=_MOST_NAME, description="What it is, where that is unclear.")
]
Me = Annotated[
    str | None, Query(max_length=MAX_NAME_CHARS, description="The user's name in a chat of several people.")
]
DateOrder = Annotated[
    str | None, Query(max_length=_MOST_NAME, description="How a chat writes dates: dmy, mdy or ymd.")
]
Columns = Annotated[
    str | None,
    Query(max_length=MAX_NAME_CHARS, description="The columns of a table: content=text,timestamp=date."),
]

Owner = Annotated[
    str | None,
    Query(max_length=MAX_NAME_CHARS, description="What a dump of several users calls this one; * for all."),
]


class BrokenOut(BaseModel):
    """A record that cannot be read or stored."""

    where: str
    reason: str


class ImportReportOut(BaseModel):
    """What a file holds, and what became of it."""

    format: str
    title: str
    dry_run: bool
    conversations: int
    messages: int
    facts: int
    since: str | None
    until: str | None
    speakers: dict[str, int]
    left_out: dict[str, int] = Field(description="What is left out on purpose, and how often.")
    broken: list[BrokenOut] = Field(description="The first of the records that cannot be read.")
    broken_count: int
    conflicts: list[BrokenOut] = Field(description="The first that were changed in the source and here.")
    notes: list[str]
    unknown_user: bool = Field(description="Whether it is not known which speaker is the user.")
    expected: dict[str, int] = Field(description="Of a dry run: what importing would do, without zeros.")
    stored: int
    duplicate: int
    updated: int
    conflict: int = Field(description="Changed in the source and here; what is here stays.")
    older: int = Field(description="From an older state of the source than what is here, which stays.")
    deleted: int
    redacted: int
    refused: int


class LoadedOut(BaseModel):
    """What became of a file that was read in."""

    stored: int
    duplicates: int
    refused: int = Field(description="Messages that were refused, such as those without words.")
    report: ImportReportOut | None = Field(
        default=None, description="Of a dry run and of another program's file: what it holds."
    )


@router.post(
    "/import",
    response_model=LoadedOut,
    summary="Import a file",
    openapi_extra={"requestBody": _BODY},
)
async def import_(
    request: Request,
    caller: Admin,
    *,
    user_id: UserId = None,
    session_id: SessionId = None,
    name: FileName = None,
    dry_run: DryRun = False,
    format_: Format = None,
    me: Me = None,
    date_order: DateOrder = None,
    columns: Columns = None,
    owner: Owner = None,
) -> JSONAnswer:
    """Import the body: what another program exported, or what ``export`` wrote, or messages.

    Messages are a JSON list, an object with ``messages``, or one per line. All of it becomes this user's, and
    what is there already is not stored again. Messages go into ``session_id``; all else keeps its sessions.
    """
    user = caller.user(user_id)
    named = None if columns is None else columns_in(columns)
    zone = caller.service.memory.parts.timezone
    options = read_options(me=me, date_order=date_order, columns=named, timezone=zone, owner=owner)
    with TemporaryDirectory() as folder:
        path = await _received(request, Path(folder), name)
        survey = await caller.in_thread(
            foreign_survey,
            files_at(path, root="", title=name or "the body"),
            user_id=user,
            format=format_,
            options=options,
        )
        if survey is None:
            return await _own(path, caller, user, session_id, dry_run=dry_run)
        return JSONAnswer(await caller.in_thread(_foreign, survey, caller, dry_run=dry_run))


async def _received(request: Request, folder: Path, name: str | None) -> Path:
    """The body in a file that is named as it was sent, else by how it begins."""
    sent = PurePosixPath((name or "").replace("\\", "/")).name.replace("\0", "")[-_MOST_FILE_NAME:]
    body = folder / "body"
    with body.open("wb") as file:
        start = b""
        async for piece in request.stream():
            start = start or piece.lstrip()[:1]
            file.write(piece)
    guessed = "body.json" if start in (b"[", b"{") else "body.txt"
    return body.rename(folder / (sent if sent.strip(". ") else guessed))


def _foreign(survey: Survey, caller: Caller, *, dry_run: bool) -> dict[str, JSON]:
    """Import what another program exported."""
    if dry_run:
        return _told(counted(survey, caller.service.memory.parts.store))
    memory = caller.service.memory
    importer = FileImporter(memory, survey, scope=memory.parts.scope(survey.user_id))
    done = importer.run(survey.checked(), report=lambda _done, _total: None)
    caller.touched(importer.new_ids[:AUDITED], count=done.stored + done.redacted)
    return _told(done)


def _told(done: ImportReport) -> dict[str, JSON]:
    known = done.duplicate + done.deleted + done.conflict + done.older
    stored = done.stored + done.redacted
    return {"stored": stored, "duplicates": known, "refused": done.refused, "report": done.to_dict()}


async def _own(path: Path, caller: Caller, user: str, session_id: str | None, *, dry_run: bool) -> JSONAnswer:
    """Import an export of ours, or messages."""
    with path.open(encoding="utf-8-sig", newline="\n") as file:
        try:
            await caller.in_thread(_check_text, file)
        except UnicodeDecodeError:
            raise InvalidInputError("the body is not UTF-8 text, and nothing else that is known") from None
        if dry_run:
            return JSONAnswer(_told(await caller.in_thread(survey_messages, file)))
        if not is_export(file.readline()):
            file.seek(0)
            return JSONAnswer(await caller.in_thread(_said, file, caller, user, session_id))
        file.seek(0)
        wanted = {"id": {"in": await caller.in_thread(_first_ids, file)}}
        file.seek(0)
        before = {one.id for one in await caller.memory.get_all(user_id=user, filters=wanted)}
        loaded = await caller.in_thread(caller.service.memory.load, file, user_id=user)
        after = {one.id for one in await caller.memory.get_all(user_id=user, filters=wanted)}
    caller.touched(sorted(after - before), count=loaded.stored)
    return JSONAnswer({"stored": loaded.stored, "duplicates": loaded.duplicates, "refused": 0})


def _check_text(file: IO[str]) -> None:
    """Read a text once to its end, so that nothing is stored of one that breaks off."""
    for _ in file:
        pass
    file.seek(0)


def _said(file: IO[str], caller: Caller, user: str, session_id: str | None) -> dict[str, JSON]:
    """Store the messages of a file."""
    ids: list[str] = []
    by = caller.principal.signs(user)

    def add(batch: list[dict[str, object]]) -> list[AddResult]:
        given = [signed(one, by) for one in batch] if by else batch
        done = caller.service.memory.add(given, user_id=user, session_id=session_id)
        ids.extend(one.id for one in done if one.id and one.status in ("stored", "redacted"))
        return done

    done = Importer(add=add, seed=f"\n{session_id or ''}").store(numbered_messages(iter(file), strict=True))
    caller.touched(ids[:AUDITED], count=len(ids))
    counts = done.counts
    known = counts["duplicate"] + counts["deleted"]
    return {"stored": len(ids), "duplicates": known, "refused": counts["refused"]}


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

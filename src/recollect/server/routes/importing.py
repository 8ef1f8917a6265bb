"""Importing: what other programs export, exports of ours, and messages."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field

from recollect.checks import MAX_NAME_CHARS, check_timezone
from recollect.ingest.sources.files import files_at
from recollect.ingest.sources.source import columns_in, read_options
from recollect.memory.importing import foreign_survey
from recollect.server.calling import Admin, JSONAnswer, SessionId, UserId
from recollect.server.events import EVENTS, event_schema
from recollect.server.imports import import_events, import_foreign, own_import
from recollect.server.routes.moving import LINES
from recollect.server.uploads import received

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
_EVENT: Final = event_schema(
    "progress", "done", "error", data="JSON: how much is done of how much, a LoadedOut, or a problem."
)
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
Timezone = Annotated[
    str | None,
    Query(
        max_length=_MOST_NAME,
        description="Of times that name no zone; by default the server's.",
        examples=["Europe/Lisbon"],
    ),
]
Stream = Annotated[bool, Query(description="Answer with events that tell how far it is.")]
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
    incomplete: bool = Field(description="Whether a file breaks off or is damaged: its rest is missing.")
    unknown_user: bool = Field(description="Whether it is not known which speaker is the user.")
    owners: list[str] = Field(description="The users in a dump of several, where it is unclear who is meant.")
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
    responses={200: {"content": {EVENTS: {"schema": _EVENT}}}},
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
    timezone: Timezone = None,
    columns: Columns = None,
    owner: Owner = None,
    stream: Stream = False,
) -> Response:
    """Import the body: what another program exported, or what ``export`` wrote, or messages.

    Messages are a JSON list, an object with ``messages``, or one per line. All of it becomes this user's, and
    what is there already is not stored again. Messages go into ``session_id``; all else keeps its sessions.

    With ``stream`` the answer comes as server-sent events: ``progress`` with ``done`` of ``total``, then
    ``done`` with the whole answer; ``error`` with a problem ends an import that failed. Who stops listening
    stops the import: what was stored stays, and sending the file again goes on.
    """
    user = caller.user(user_id)
    if dry_run or stream:
        caller.writes_when_touched()
    options = read_options(
        me=me,
        date_order=date_order,
        columns=None if columns is None else columns_in(columns),
        timezone=caller.service.memory.parts.timezone if timezone is None else check_timezone(timezone),
        owner=owner,
    )
    folder = TemporaryDirectory()
    try:
        path = await received(request, Path(folder.name), name)
        files = files_at(path, root="", title=name or "the body")
        survey = await caller.in_thread(foreign_survey, files, user_id=user, format=format_, options=options)
        if survey is None:
            work = await caller.in_thread(own_import, path, caller, user, session_id, dry_run=dry_run)
        else:
            work = partial(import_foreign, survey, caller, dry_run=dry_run)
        if stream:
            return StreamingResponse(import_events(work, caller, folder), media_type=EVENTS)
        answer = JSONAnswer(await caller.in_thread(work, lambda _done, _total: None))
    except BaseException:
        folder.cleanup()
        raise
    folder.cleanup()
    return answer

"""Importing: what other programs export, exports of ours, and messages."""

from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Query, Request
from fastapi.responses import Response

from recollect.checks import MAX_NAME_CHARS, check_timezone
from recollect.ingest.sources.files import files_at
from recollect.ingest.sources.source import columns_in, read_options
from recollect.memory.importing import foreign_survey
from recollect.server.calling import PROBLEMS, Admin, JSONAnswer, SessionId, UserId, new_router
from recollect.server.events import EVENTS, event_schema
from recollect.server.imports import HeldEvents, foreign_import, import_events, own_import
from recollect.server.routes.moving import LINES
from recollect.server.routes.uploading import BYTES, FILE, FileName, UploadId, sent_file
from recollect.server.schemas.imports import LoadedOut

router = new_router("moving")

_BODY: Final = {"content": {LINES: {"schema": {"type": "string"}}, BYTES: FILE}}
_MOST_NAME: Final = 200
_EVENT: Final = event_schema(
    "progress", "done", "error", data="JSON: how much is done of how much, a LoadedOut, or a problem."
)
_EVENTS: Final = {EVENTS: {"schema": _EVENT}}
_REFUSED: Final = PROBLEMS[422]
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


@router.post(
    "/import",
    response_model=LoadedOut,
    summary="Import a file",
    openapi_extra={"requestBody": _BODY},
    responses={200: {"content": _EVENTS}, 422: {**_REFUSED, "content": {**_REFUSED["content"], **_EVENTS}}},
)
async def import_(
    request: Request,
    caller: Admin,
    *,
    user_id: UserId = None,
    session_id: SessionId = None,
    name: FileName = None,
    upload: UploadId = None,
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

    A file that breaks off is imported as far as it goes, and answered with 422: ``loaded`` in the problem has
    what became of it.

    With ``stream`` the answer comes as server-sent events: ``progress`` with ``done`` of ``total``, then
    ``done`` with the whole answer; ``error`` with a problem ends an import that failed, or a file that breaks
    off, and the status is 422 where that was known before. Who stops listening stops the import: what was
    stored stays, and sending the file again goes on.
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
    async with AsyncExitStack() as held:
        file = await held.enter_async_context(sent_file(request, caller, name=name, upload_id=upload))
        files = files_at(file.path, root="", title=file.name or "the body")
        survey = await caller.in_thread(foreign_survey, files, user_id=user, format=format_, options=options)
        if survey is None:
            planned = await caller.in_thread(own_import, file.path, caller, user, session_id, dry_run=dry_run)
        else:
            planned = await caller.in_thread(foreign_import, survey, caller, dry_run=dry_run)
        if stream:
            status = HTTPStatus.OK if planned.is_whole else HTTPStatus.UNPROCESSABLE_ENTITY
            events = import_events(planned.work, caller)
            return HeldEvents(events, held.pop_all(), status_code=status)
        return JSONAnswer(await caller.in_thread(planned.work, lambda _done, _total: None))

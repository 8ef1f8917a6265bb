"""Memories: added, listed, read, changed, put away, deleted and brought back."""

import json
from collections.abc import Awaitable
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Path, Query

from recollect.checks import MAX_ID_CHARS, MAX_NAME_CHARS, check_time
from recollect.errors import InvalidInputError
from recollect.memory.changes import edit
from recollect.memory.hints import Looked
from recollect.server.calling import (
    AgentId,
    Caller,
    InProject,
    JSONAnswer,
    Reader,
    SessionId,
    UserId,
    Writer,
    new_router,
    within_project,
)
from recollect.server.cursors import Cursor, Limit, read_cursor, write_cursor
from recollect.server.observing import AUDITED
from recollect.server.problems import ProblemError
from recollect.server.schemas.memories import (
    AddedList,
    DeletedOut,
    ExplanationOut,
    HistoryOut,
    LinksOut,
    MemoryOut,
    MemoryPage,
    UnarchivedOut,
)
from recollect.server.schemas.requests import MAX_QUERY, AddIn, IdsIn, LinkIn, NoteIn, UpdateIn
from recollect.server.teams import by_member, signed, stored_by
from recollect.types import HowUsed, Kind, MemoryRecord, Priority, Tier, Within
from recollect.types.codec import change_to_json, explanation_to_json, record_to_json
from recollect.types.filters import decides, parse_filter
from recollect.types.spaces import BY

router = new_router("memories", prefix="/memories")

_LIST: Final = "memories"
_NO_NOTE: Final = NoteIn(reason=None)
"""The body of a request that sends none."""
STORED: Final = ("stored", "redacted")
"""The statuses of what was stored."""
MemoryId = Annotated[str, Path(min_length=1, max_length=MAX_ID_CHARS, description="Which memory.")]
Reason = Annotated[str | None, Query(max_length=MAX_NAME_CHARS, description="Why, for the history.")]
FilterText = Annotated[
    str | None,
    Query(
        max_length=MAX_QUERY,
        description="Only what matches, as a JSON object.",
        examples=['{"importance": {"gte": 0.5}}'],
    ),
]


def _answer(record: MemoryRecord) -> JSONAnswer:
    return JSONAnswer(record_to_json(record))


async def _changed(memory_id: str, caller: Caller, change: Awaitable[MemoryRecord]) -> JSONAnswer:
    """The memory as a change left it; the audit names it once that is done."""
    record = await change
    caller.touched([memory_id])
    return _answer(record)


async def _used(memory_id: str, body: NoteIn, caller: Caller, how: HowUsed) -> JSONAnswer:
    """The memory after a use of it was counted."""
    user = caller.user(body.user_id)
    reason = by_member(caller.principal.signs(user), body.reason)
    (record,) = await caller.memory.use(memory_id, user_id=user, how=how, reason=reason)
    caller.touched([memory_id])
    return _answer(record)


async def _page(found: list[MemoryRecord], limit: int, *, caller: Caller, looked_for: Looked) -> JSONAnswer:
    """A page of memories by their ids, of which one more was looked for."""
    page = found[:limit]
    last = write_cursor(_LIST, page[-1].id) if len(found) > limit else None
    told = {"items": [record_to_json(record) for record in page], "next_cursor": last}
    return await caller.hinted(looked_for, told, found=page)


def _last_id(cursor: str | None) -> str | None:
    """The memory that the page before ended with."""
    return None if cursor is None else str(read_cursor(_LIST, cursor, str)[0])


async def _narrowed(
    *,
    kind: Annotated[list[Kind] | None, Query(description="Only these kinds.")] = None,
    tier: Annotated[list[Tier] | None, Query(description="Only these tiers; by default all.")] = None,
    tag: Annotated[str | None, Query(max_length=MAX_NAME_CHARS)] = None,
    category: Annotated[str | None, Query(max_length=MAX_NAME_CHARS)] = None,
    priority: Priority | None = None,
    critical: Annotated[bool | None, Query(description="Only pinned ones, or only others.")] = None,
    min_importance: Annotated[float | None, Query(ge=0, le=1)] = None,
    contains: Annotated[
        str | None, Query(max_length=MAX_QUERY, description="Only with these letters.")
    ] = None,
    since: Annotated[str | None, Query(description="Only what happened then or later.")] = None,
    until: Annotated[str | None, Query(description="Only what happened before.")] = None,
    filters: FilterText = None,
) -> dict[str, Any]:
    """What a list, or a deletion, is narrowed to: everything must hold."""
    parts: list[dict[str, Any]] = [
        {field: value}
        for field, value in (
            ("kind", {"in": kind} if kind else None),
            ("tier", {"in": tier} if tier else None),
            ("tags", {"contains": tag} if tag else None),
            ("category", category),
            ("priority", priority),
            ("critical", critical),
            ("importance", None if min_importance is None else {"gte": min_importance}),
            ("content", {"contains": contains} if contains else None),
            ("happened_at", None if since is None else {"gte": check_time("since", since)}),
            ("happened_at", None if until is None else {"lt": check_time("until", until)}),
        )
        if value is not None
    ]
    return {"and": parts if filters is None else [*parts, _mapping(filters)]}


Narrowed = Annotated[dict[str, Any], Depends(_narrowed)]


@router.post(
    "",
    status_code=HTTPStatus.CREATED,
    response_model=AddedList,
    responses={200: {"model": AddedList, "description": "Nothing was stored; the results say why."}},
    summary="Remember something",
)
async def add(
    body: AddIn,
    caller: Writer,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=MAX_NAME_CHARS)] = None,
) -> JSONAnswer:
    """Store what was said, durably, before the answer comes; under an idempotency key only once.

    A key that came with another body before is refused (422), and one whose request is under way (409).
    Where nothing was stored, since it was there already or all was refused, the status is 200.
    """
    user, key = caller.user(body.user_id), _one_of(body.idempotency_key, idempotency_key)
    given = body.messages if isinstance(body.messages, list) else [body.messages]
    messages = [one if isinstance(one, str) else one.model_dump(exclude_none=True) for one in given]
    if by := caller.principal.signs(user):
        messages = [signed(one, by) for one in messages]
    single = not isinstance(body.messages, list)
    async with caller.service.sent.once(user, key, _said(body) if key else b""):
        results = await caller.memory.add(
            messages[0] if single else messages,
            user_id=user,
            agent_id=body.agent_id,
            session_id=body.session_id,
            metadata=stored_by(body.metadata, by) if by else body.metadata,
            kind=body.kind,
            timestamp=body.timestamp,
            valid_until=body.valid_until,
            idempotency_key=key,
        )
    caller.touched(one.id for one in results if one.id)
    made = any(one.status in STORED for one in results)
    status = HTTPStatus.CREATED if made else HTTPStatus.OK
    return JSONAnswer({"results": [one.to_dict() for one in results]}, status)


@router.get("", response_model=MemoryPage, summary="List memories")
async def list_memories(
    *,
    caller: Reader,
    user_id: UserId = None,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    narrowed: Narrowed,
    project: InProject = None,
    newest_first: bool = True,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> JSONAnswer:
    """Memories in the order in which they were made, the newest first. All filters must hold."""
    found = await caller.memory.get_all(
        user_id=caller.user(user_id),
        agent_id=agent_id,
        session_id=session_id,
        filters=narrowed,
        within=Within(project=project),
        limit=limit + 1,
        after=_last_id(cursor),
        newest_first=newest_first,
    )
    return await _page(found, limit, caller=caller, looked_for="list")


@router.delete("", response_model=DeletedOut, summary="Delete many memories")
async def delete_memories(
    *,
    caller: Writer,
    user_id: UserId = None,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    narrowed: Narrowed,
    every: Annotated[bool, Query(alias="all", description="Needed to delete everything of a user.")] = False,
    reason: Reason = None,
) -> JSONAnswer:
    """Delete what matches, softly. Where nothing narrows it, it wants ``all=true``.

    In a team space a member deletes what it stored; an admin deletes also the words of others.
    """
    if not (agent_id or session_id or every) and decides(parse_filter(narrowed)):
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "this means everything: name an agent, a session, or filters with a condition, or say all=true",
        )
    user = caller.user(user_id)
    if member := caller.principal.must_have_said(user):
        narrowed = {"and": [narrowed, {BY: member}]}
    reason = by_member(caller.principal.signs(user), reason)
    first = await caller.memory.get_all(
        user_id=user, agent_id=agent_id, session_id=session_id, filters=narrowed, limit=AUDITED
    )
    deleted = await caller.memory.delete_all(
        user_id=user,
        agent_id=agent_id,
        session_id=session_id,
        filters=narrowed,
        reason=reason,
    )
    caller.touched((one.id for one in first), count=deleted)
    return await caller.hinted("list", {"deleted": deleted}, found=deleted)


@router.get("/deleted", response_model=MemoryPage, summary="List what can be brought back")
async def list_deleted(
    caller: Reader, user_id: UserId = None, limit: Limit = 50, cursor: Cursor = None
) -> JSONAnswer:
    """Memories that were deleted and not yet purged, those first that were made last."""
    found = await caller.memory.deleted(
        user_id=caller.user(user_id), limit=limit + 1, before=_last_id(cursor)
    )
    return await _page(found[::-1], limit, caller=caller, looked_for="deleted")


@router.get("/{memory_id}", response_model=MemoryOut, summary="Read a memory")
async def get(
    memory_id: MemoryId, caller: Reader, user_id: UserId = None, project: InProject = None
) -> JSONAnswer:
    """One memory."""
    within = within_project(project)
    return _answer(await caller.memory.get(memory_id, user_id=caller.user(user_id), within=within))


@router.put("/{memory_id}", response_model=MemoryOut, summary="Change a memory")
async def update(memory_id: MemoryId, body: UpdateIn, caller: Writer) -> JSONAnswer:
    """Change what is given; the old state stands in its history. ``critical: true`` pins it."""
    user = caller.user(body.user_id)
    reason = await caller.change(user, [memory_id], body.reason)
    change = caller.in_thread(
        edit.update,
        caller.service.memory.parts,
        memory_id,
        user_id=user,
        by=caller.principal.signs(user),
        content=body.content,
        metadata=body.metadata,
        labels=body.labels(),
        timestamp=body.timestamp,
        valid_until=body.valid_until,
        reason=reason,
    )
    return await _changed(memory_id, caller, change)


@router.delete("/{memory_id}", response_model=DeletedOut, summary="Delete a memory")
async def delete(
    memory_id: MemoryId, caller: Writer, user_id: UserId = None, reason: Reason = None
) -> JSONAnswer:
    """Delete a memory, softly: ``restore`` brings it back until it is purged."""
    user = caller.user(user_id)
    why = await caller.change(user, [memory_id], reason)
    await caller.memory.delete(memory_id, user_id=user, reason=why)
    caller.touched([memory_id])
    return JSONAnswer({"deleted": 1})


@router.post("/{memory_id}/restore", response_model=MemoryOut, summary="Undo a deletion")
async def restore(memory_id: MemoryId, caller: Writer, body: NoteIn = _NO_NOTE) -> JSONAnswer:
    """Bring a deleted memory back, with the facts that went with it."""
    user = caller.user(body.user_id)
    reason = await caller.change(user, [memory_id], body.reason)
    change = caller.memory.undelete(memory_id, user_id=user, reason=reason)
    return await _changed(memory_id, caller, change)


@router.post("/{memory_id}/archive", response_model=MemoryOut, summary="Put a memory away")
async def archive(memory_id: MemoryId, caller: Writer, body: NoteIn = _NO_NOTE) -> JSONAnswer:
    """No search finds it unless it asks for the tier ``archived``."""
    user = caller.user(body.user_id)
    reason = await caller.change(user, [memory_id], body.reason)
    change = caller.memory.archive(memory_id, user_id=user, reason=reason)
    return await _changed(memory_id, caller, change)


@router.post("/{memory_id}/unarchive", response_model=MemoryOut, summary="Bring a memory back")
async def unarchive(memory_id: MemoryId, caller: Writer, body: NoteIn = _NO_NOTE) -> JSONAnswer:
    """Bring an archived memory back to the tier it was in."""
    user = caller.user(body.user_id)
    reason = await caller.change(user, [memory_id], body.reason)
    change = caller.memory.unarchive(memory_id, user_id=user, reason=reason)
    return await _changed(memory_id, caller, change)


@router.post("/unarchive", response_model=UnarchivedOut, summary="Undo a tidying")
async def unarchive_all(body: IdsIn, caller: Writer) -> JSONAnswer:
    """Bring back archived memories, such as those that an answer of the chat archived (``tidied.ids``)."""
    user = caller.user(body.user_id)
    reason = await caller.change(user, body.ids)
    count = await caller.memory.lifecycle.untidy(body.ids, user_id=user, reason=reason)
    caller.touched(body.ids)
    return JSONAnswer({"unarchived": count})


@router.post("/{memory_id}/reinforce", response_model=MemoryOut, summary="Call a memory valuable")
async def reinforce(memory_id: MemoryId, caller: Writer, body: NoteIn = _NO_NOTE) -> JSONAnswer:
    """Its importance rises by 20 %, once an hour at most."""
    return await _used(memory_id, body, caller, "reinforced")


@router.post("/{memory_id}/use", response_model=MemoryOut, summary="Say that a memory helped to answer")
async def use(memory_id: MemoryId, caller: Writer, body: NoteIn = _NO_NOTE) -> JSONAnswer:
    """It counts as used, and its fading starts again."""
    return await _used(memory_id, body, caller, "helped")


@router.get("/{memory_id}/history", response_model=HistoryOut, summary="What happened to a memory")
async def history(memory_id: MemoryId, caller: Reader, user_id: UserId = None) -> JSONAnswer:
    """Its changes, oldest first; also when it is deleted and not yet purged."""
    changes = await caller.memory.history(memory_id, user_id=caller.user(user_id))
    return JSONAnswer({"changes": [change_to_json(change) for change in changes]})


async def _asked(
    *,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    kind: Annotated[list[Kind] | None, Query(description="Only these kinds.")] = None,
    tier: Annotated[list[Tier] | None, Query(description="By default all but archived.")] = None,
    since: Annotated[str | None, Query(description="ISO 8601 text.")] = None,
    until: Annotated[str | None, Query(description="ISO 8601 text.")] = None,
    as_of: Annotated[str | None, Query(description="ISO 8601 text.")] = None,
    threshold: Annotated[float, Query(ge=0, le=1)] = 0.0,
    collapse: bool = True,
    filters: FilterText = None,
    project: InProject = None,
) -> dict[str, Any]:
    """The options of the search that is explained."""
    return {
        "agent_id": agent_id,
        "session_id": session_id,
        "kinds": kind,
        "within": Within(tiers=tier, since=since, until=until, as_of=as_of, project=project),
        "threshold": threshold,
        "collapse": collapse,
        "filters": None if filters is None else _mapping(filters),
    }


Asked = Annotated[dict[str, Any], Depends(_asked)]


@router.get("/{memory_id}/why", response_model=ExplanationOut, summary="Why a memory is known, and found")
async def why(
    *,
    memory_id: MemoryId,
    caller: Reader,
    user_id: UserId = None,
    query: Annotated[str | None, Query(min_length=1, max_length=MAX_QUERY)] = None,
    asked: Asked,
) -> JSONAnswer:
    """Where it comes from and, given a question, how it fares for it and why.

    Score, terms and rank are those of a search with the same options.
    """
    made = await caller.memory.explain(memory_id, user_id=caller.user(user_id), query=query, **asked)
    return JSONAnswer(explanation_to_json(made))


@router.get("/{memory_id}/links", response_model=LinksOut, summary="What a memory is linked to")
async def links(memory_id: MemoryId, caller: Reader, user_id: UserId = None) -> JSONAnswer:
    """The links from and to a memory."""
    found = await caller.memory.graph.links(memory_id, user_id=caller.user(user_id))
    told = [{"source_id": one.source_id, "target_id": one.target_id, "type": one.type} for one in found]
    return JSONAnswer({"links": told})


@router.post("/{memory_id}/links", response_model=LinksOut, summary="Link two memories")
async def link(memory_id: MemoryId, body: LinkIn, caller: Writer) -> JSONAnswer:
    """Say what this memory is to another; a link that is there stays."""
    await caller.memory.graph.link(
        memory_id, body.target_id, user_id=caller.user(body.user_id), type=body.type
    )
    caller.touched([memory_id, body.target_id])
    return await links(memory_id, caller, body.user_id)


def _one_of(in_body: str | None, in_header: str | None) -> str | None:
    """The idempotency key of a request, wherever it stands."""
    if in_body is not None and in_header is not None and in_body != in_header:
        raise InvalidInputError("the header Idempotency-Key and idempotency_key in the body differ")
    return in_header if in_body is None else in_body


def _said(body: AddIn) -> bytes:
    """What a request says beside its key and its user, the same for the same JSON values."""
    told = body.model_dump(exclude={"idempotency_key", "user_id"})
    return json.dumps(told, sort_keys=True).encode()


def _mapping(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InvalidInputError('filters must be a JSON object, such as {"kind": "fact"}')
    return value
